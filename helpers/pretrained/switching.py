"""`without_head`: the weights of a model in which one head writes nothing."""

from collections.abc import Callable, Mapping

import torch

from helpers.pretrained.encoder import HEADS, State

Pick = Callable[[State, int], Mapping[str, torch.Tensor]]


def without_head(layer_weights: Pick, layer: int, head: int) -> Pick:
    """As `layer_weights`, but the rows of `W_o` that belong to one head are 0.

    What a head found reaches the model through these rows only (`sum_of_heads`, unit 06).
    """

    def pick(state: State, number: int) -> Mapping[str, torch.Tensor]:
        found = layer_weights(state, number)
        if number != layer:
            return found
        W_o = found["W_o"].clone()
        wide = len(W_o) // HEADS
        W_o[head * wide : (head + 1) * wide] = 0
        return {**found, "W_o": W_o}

    return pick
