"""A model with other weights in one layer, such as those of `silence_head`, and what its heads give."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from helpers import reference
from helpers.pretrained.encoder import HEADS, Encoder, State, encode

Pick = Callable[[State, int], Mapping[str, torch.Tensor]]


def in_layer(layer_weights: Pick, layer: int, change: Callable[[Any], Mapping[str, torch.Tensor]]) -> Pick:
    """As `layer_weights`, but the weights of one layer go through `change`."""

    def pick(state: State, number: int) -> Mapping[str, torch.Tensor]:
        found = layer_weights(state, number)
        return change(found) if number == layer else found

    return pick


def without_head(layer_weights: Pick, layer: int, head: int) -> Pick:
    """As `layer_weights`, but one head gives 0."""
    return in_layer(layer_weights, layer, lambda found: reference.silence_head(found, head, HEADS))


def head_means(model: Encoder, sentences: Sequence[str], layer_weights: Pick) -> torch.Tensor:
    """What each head gives before `W_o`, on average over the sentences' tokens: `(layers, h, d_head)`."""
    means = []

    def attention(x: torch.Tensor, found: Any, heads: int, allowed: torch.Tensor) -> Any:
        output, weights = reference.bert_attention(x, found, heads, allowed)
        V = (x @ found["W_v"] + found["b_v"]).unflatten(-1, (heads, -1)).transpose(1, 2)
        real = allowed[:, 0, 0, :]
        means.append((weights @ V).transpose(1, 2)[real].mean(0))
        return output, weights

    encode(model, sentences, layer_weights, attention)
    return torch.stack(means)
