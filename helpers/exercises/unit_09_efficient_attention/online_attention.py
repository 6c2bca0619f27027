"""Exercise `online_attention`: attention in blocks, with a running softmax."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import torch.nn.functional as F

from helpers.beside.probes import online_attention, tensors
from helpers.exercises.base import Case, Draw, Exercise, Woven
from helpers.exercises.oracle import in_torch
from helpers.exercises.unit_09_efficient_attention.online_attention_mistakes import MISTAKES, variant


def probe(answer: Callable, args: Mapping[str, Any]) -> Any:
    """The probe, with a shorter way for known mistakes, whose memory needs no watching."""
    known = getattr(answer, "__module__", None) == variant.__module__
    return (tensors if known else online_attention).probe(answer, args)


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, random in both widths, every kind of block, a maximum that comes late or early or is far below 0, many keys."""
    by_hand = {
        "Q": np.array([[1.0], [0.0]]),
        "K": np.array([[0.0], [0.0], [1.0]]),
        "V": np.array([[0.0], [3.0], [6.0]]),
    }
    yield Case("two queries, three keys, blocks of 2", {**by_hand, "block_size": 2})
    for width in (np.float64, np.float32):
        n_q, n_k, d_k, d_v = draw.sizes(4)
        one = _arrays(draw, n_q, 2 * n_k + 1, d_k, d_v, width)
        yield Case(_says(one, 2), {**one, "block_size": 2})
    yield Case(_says(one, 1), {**one, "block_size": 1})
    more = _arrays(draw, n_q, 3 * n_k, d_k, d_v, np.float64)
    yield Case(_says(more, n_k), {**more, "block_size": n_k})
    yield Case(_says(more, 100), {**more, "block_size": 100})
    yield Case("a single key, blocks of 2", {**_arrays(draw, 3, 1, 4, 5, np.float64), "block_size": 2})
    square = _arrays(draw, 4, 4, 4, 4, np.float64)
    yield Case("all sizes 4, blocks of 3", {**square, "block_size": 3})
    low = _arrays(draw, 3, 2, 4, 5, np.float64)
    low["Q"][:, 0], low["K"][:, 0] = [5000, 4000, 3000], -1
    yield Case("two keys in one block, scores of minus some thousands", {**low, "block_size": 2})
    for says, sign in (("grow from block to block", 1), ("shrink from block to block", -1)):
        args = _arrays(draw, 3, 9, 4, 5, np.float64)
        args["Q"][:, 0] = [5000, 4000, 3000]
        args["K"][:, 0] = sign * np.arange(1.0, 10.0)
        yield Case(
            f"scores that {says}, up to {'' if sign > 0 else 'minus '}some thousands",
            {**args, "block_size": 2},
        )
    below = _arrays(draw, 3, 5, 4, 5, np.float64)  # far below every number that a maximum may begin with
    below["Q"][:, 0], below["K"][:, 0] = [2.0**25, 2.0**26, 2.0**27], -1
    yield Case("scores far below 0, minus some millions", {**below, "block_size": 2})
    many = _arrays(draw, 8, 260, 4, 3, np.float64)
    yield Case(_says(many, 4), {**many, "block_size": 4})


def _arrays(draw: Draw, n_q: int, n_k: int, d_k: int, d_v: int, width: type) -> dict[str, np.ndarray]:
    shapes = {"Q": (n_q, d_k), "K": (n_k, d_k), "V": (n_k, d_v)}
    return {name: draw.normal(*shape, dtype=width) for name, shape in shapes.items()}


def _says(args: dict[str, np.ndarray], block: int) -> str:
    (n_q, d_k), (n_k, d_v) = args["Q"].shape, args["V"].shape
    return f"n_q = {n_q}, n_k = {n_k}, d_k = {d_k}, d_v = {d_v}, {args['Q'].dtype}, blocks of {block}"


EXERCISE = Exercise(
    name="online_attention",
    cases=cases,
    oracle=in_torch(lambda Q, K, V, block_size: F.scaled_dot_product_attention(Q, K, V)),
    probe=probe,
    tensors=True,
    axes={"": ("query", "feature")},
    whole_answer=("torch.nn.functional.scaled_dot_product_attention",),
    woven=Woven({"": "output"}, "output"),
    hints=(
        "When a block brings a larger score than any before, what must happen to the sums so far?",
        "Keep for each query the largest score, the sum of exponentials and the unfinished output; shrink both when the maximum grows.",
        "Shrink by `torch.exp(old - new)`, add `torch.exp(scores - new)` and its product with the values, divide at the end.",
    ),
    mistakes=MISTAKES,
)
