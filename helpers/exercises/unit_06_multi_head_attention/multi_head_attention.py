"""Exercise `multi_head_attention`: the nine steps in one function."""

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from torch import nn

from helpers.exercises.base import Case, Draw, Exercise, Woven
from helpers.exercises.oracle import in_torch
from helpers.exercises.unit_05_softmax.masked_softmax import in_torch_masked
from helpers.exercises.unit_06_multi_head_attention.multi_head_attention_mistakes import MISTAKES


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, random with all sizes different, masks of every shape, a blocked row, one head, square, huge."""
    yield Case("two tokens [1 0] and [0 1], two heads of width 1", _by_hand())
    wide = _two_wide_heads()
    yield Case("two tokens and two heads of width 2", wide)
    hidden = np.array([[True, True], [False, True]])
    yield Case("two tokens, two heads of width 2 and a mask", {**wide, "allowed": hidden})
    yield from _random(draw, np.float64)
    blocked = draw.mask(5, 5)
    blocked[1] = False
    yield Case("a query with no allowed key", {**_arrays(draw, 2, 5, 3, 2), "allowed": blocked})
    nothing = np.zeros((1, 1, 5), bool)
    yield Case("a mask that allows nothing", {**_arrays(draw, 2, 5, 3, 2), "allowed": nothing})
    # the case in the middle comes again at the end; after each of these two masks it fits in shape, so
    # that an answer which remembers a mask is found out
    one_head = _arrays(draw, 2, 3, 1, 4)
    yield Case("one head and a mask of shape (3,)", {**one_head, "allowed": draw.mask(3)})
    yield Case("one head", one_head)
    yield from _random(draw, np.float32)
    per_sequence, per_head = draw.mask(2, 1, 5, 5), draw.mask(2, 3, 5, 5)
    yield Case("a mask for each sequence", {**_arrays(draw, 2, 5, 3, 2), "allowed": per_sequence})
    yield Case("a mask for each head", {**_arrays(draw, 2, 5, 3, 2), "allowed": per_head})
    one_padded = np.array([[True, True], [True, False]]).reshape(2, 1, 1, 2)
    yield Case("B = n = h = d_head = 2", {**_arrays(draw, 2, 2, 2, 2), "allowed": one_padded})
    huge = _arrays(draw, 2, 3, 5, 4)
    huge["X"] *= 100
    yield Case("tokens 100 times as long", huge)
    causal = np.tril(np.ones((3, 3), bool))
    yield Case("tokens 100 times as long and a causal mask", {**huge, "allowed": causal})
    yield Case("scores of about -30000 and -748 beside hidden ones of 0", _far_below())


def _far_below() -> dict[str, Any]:
    """By hand: allowed scores so low that what is hidden by a low score only, and not by -inf, shows.

    A token is 1 and its key: queries are -1 in one head and -0.27 in the other.  e^-748 is 0, e^-738 and e^-202
    are not: a wrong maximum loses one head of the second sequence, a low filler the other.
    """
    weights = {
        "W_q": [[-1.0, -0.27], [0.0, 0.0]],
        "W_k": [[0.0, 0.0], [1.0, 1.0]],
        "W_v": [[3.0, 5.0], [0.001, 0.002]],
        "W_o": [[1.0, 10.0], [0.0, 1.0]],
    }
    X = np.array([[[1.0, low], [1.0, low + 1], [1.0, 0.0]] for low in (30000.0, 748.0)])
    weights = {name: np.array(W) for name, W in weights.items()}
    return {"X": X, **weights, "num_heads": 2, "allowed": np.array([True, True, False])}


def _random(draw: Draw, width: type) -> Iterator[Case]:
    b, n, h, d_head = draw.sizes(4)
    says = f"B = {b}, n = {n}, {h} heads of width {d_head}, {width.__name__}"
    args = _arrays(draw, b, n, h, d_head, width)
    yield Case(f"no mask ({says})", args)
    yield Case(f"a causal mask ({says})", {**args, "allowed": np.tril(np.ones((n, n), bool))})
    yield Case(f"a mask of shape ({b}, 1, 1, {n}) ({says})", {**args, "allowed": draw.mask(b, 1, 1, n)})
    yield Case(f"a mask of shape ({n},) ({says})", {**args, "allowed": draw.mask(n)})


def _by_hand() -> dict[str, Any]:
    """X is the identity, so that Q, K and V are the weights themselves; none of them is symmetric."""
    weights = {
        "W_q": [[1.0, 2.0], [0.0, 1.0]],
        "W_k": [[2.0, 0.0], [1.0, -1.0]],
        "W_v": [[1.0, 4.0], [2.0, 3.0]],
        "W_o": [[1.0, 10.0], [0.0, 1.0]],
    }
    return {"X": np.eye(2)[None], **{name: np.array(W) for name, W in weights.items()}, "num_heads": 2}


def _two_wide_heads() -> dict[str, Any]:
    weights = {
        "W_q": [[1, 0, 0, 1], [0, 1, 0, 0], [0, 1, 1, 0], [0, 0, 0, 1]],
        "W_k": [[1, 0, 1, 0], [1, 1, 0, 0], [0, 0, 1, 0], [0, 2, 0, 1]],
        "W_v": [[1, 0, 0, 2], [0, 1, 0, 0], [0, 3, 1, 0], [0, 0, 0, 1]],
        "W_o": [[1, 0, 2, 0], [0, 1, 0, 0], [1, 0, 1, 0], [0, 0, 0, 1]],
    }
    X = np.array([[[0.0, 1.0, 0.0, 1.0], [1.0, 0.0, 2.0, 0.0]]])
    return {"X": X, **{name: np.array(W, float) for name, W in weights.items()}, "num_heads": 2}


def _arrays(draw: Draw, b: int, n: int, h: int, d_head: int, width: type = np.float64) -> dict[str, Any]:
    d = h * d_head
    # of a size that leaves scores near 1: neither uniform nor saturated weights hide a wrong scale
    weights = {name: draw.normal(d, d, dtype=width, scale=d**-0.5) for name in ("W_q", "W_k", "W_v", "W_o")}
    return {"X": draw.normal(b, n, d, dtype=width, scale=1.5), **weights, "num_heads": h}


@functools.lru_cache(maxsize=32)  # making one takes longer than calling it
def _layer(d_model: int, num_heads: int) -> nn.MultiheadAttention:
    return nn.MultiheadAttention(d_model, num_heads, bias=False, batch_first=True, dtype=torch.float64)


def _oracle(
    X: torch.Tensor,
    W_q: torch.Tensor,
    W_k: torch.Tensor,
    W_v: torch.Tensor,
    W_o: torch.Tensor,
    num_heads: int,
    allowed: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """`nn.MultiheadAttention` with these weights; where a row is blocked, which it answers with NaN, 0."""
    B, n, d = X.shape
    layer = _layer(d, num_heads)
    layer.load_state_dict({"in_proj_weight": torch.cat([W_q.T, W_k.T, W_v.T]), "out_proj.weight": W_o.T})
    if allowed is None:
        return layer(X, X, X, average_attn_weights=False)
    seen = allowed.expand(B, num_heads, n, n)
    if seen.any(-1).all():
        mask = ~seen.reshape(B * num_heads, n, n)
        return layer(X, X, X, attn_mask=mask, average_attn_weights=False)
    Q, K, V = ((X @ W).unflatten(-1, (num_heads, -1)).transpose(1, 2) for W in (W_q, W_k, W_v))
    weights = in_torch_masked(Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5, seen)
    return (weights @ V).transpose(1, 2).flatten(2) @ W_o, weights


EXERCISE = Exercise(
    name="multi_head_attention",
    cases=cases,
    oracle=in_torch(_oracle),
    parts=("output", "weights"),
    whole_answer=("torch.nn.MultiheadAttention", "torch.nn.functional.multi_head_attention_forward"),
    axes={"output": ("token", "feature"), "weights": ("query", "key")},
    woven=Woven({"output": "output", "weights": "weights"}, "output"),
    hints=(
        "Which of the nine steps have you already written as functions?",
        "Project, split each of Q, K and V, attend, merge, project with W_o.",
        "`attention` works on all heads at once: heads are just another batch axis. Return the output and the weights.",
    ),
    mistakes=MISTAKES,
)
