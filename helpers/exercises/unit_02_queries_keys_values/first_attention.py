"""Exercise `first_attention`: a sentence attends to itself, from its tokens and three weights to the output."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

from helpers.exercises.base import Case, Draw, Exercise, Woven
from helpers.exercises.oracle import in_torch
from helpers.exercises.unit_02_queries_keys_values.first_attention_mistakes import MISTAKES
from helpers.exercises.wrong.generic import softmax


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, a single token, all sizes different in both widths, all equal, W_q = W_k, huge scores."""
    # neither W_k nor the weights are symmetric, so that a swap or a transpose too many shows at once
    by_hand = {
        "X": np.eye(2),
        "W_q": np.eye(2),
        "W_k": np.array([[2.0, 1.0], [0.0, 2.0]]),
        "W_v": np.array([[10.0, 0.0, 1.0], [0.0, 20.0, 1.0]]),
    }
    yield Case("two tokens, X and W_q = identity", by_hand)
    # a little larger than the first: the smallest wrong case is the one shown, and two tokens show more
    one = {name: np.arange(n, n + 6.0).reshape(3, 2) for n, name in enumerate(("W_q", "W_k"))}
    alone = {"X": np.array([[1.0, 0.0, -1.0]]), **one, "W_v": np.arange(2.0, 17.0).reshape(3, 5)}
    yield Case("one token of width 3", alone)
    for width in (np.float64, np.float32):
        n, d, d_k, d_v = draw.sizes(4)
        sizes = f"n = {n}, d = {d}, d_k = {d_k}, d_v = {d_v}, {width.__name__}"
        yield Case(f"random arrays ({sizes})", _arrays(draw, n, d, d_k, d_v, width))
    # the case in the middle comes again with other numbers, which should not be huge
    yield Case("all sizes 3", square := _arrays(draw, 3, 3, 3, 3))
    yield Case("W_q and W_k alike, all sizes 3", square | {"W_k": square["W_q"].copy()})
    wide = _arrays(draw, 4, 3, 2, 2)
    yield Case("values as wide as keys (n = 4, d = 3, d_k = d_v = 2)", wide)
    yield _huge(draw)


def _arrays(draw: Draw, n: int, d: int, d_k: int, d_v: int, width: type = np.float64) -> dict[str, Any]:
    """Weights so small that no share is nearly 1: else a softmax and its neighbours look alike."""
    shapes = {"W_q": (d, d_k), "W_k": (d, d_k), "W_v": (d, d_v)}
    weights = {name: draw.normal(*shape, dtype=width, scale=d**-0.5) for name, shape in shapes.items()}
    return {"X": draw.normal(n, d, dtype=width), **weights}


def _huge(draw: Draw) -> Case:
    """One-hot tokens, so that the rows of W_q and W_k are queries and keys; a row far above 0, one far below."""
    args = {"X": np.eye(5), **{name: draw.normal(5, 4) for name in ("W_q", "W_k")}, "W_v": draw.normal(5, 7)}
    args["W_q"][:, 0], args["W_k"][:, 0] = [2e4, -2e4, 0, 1, -1], [1, 1.0001, 0.9998, 9, 2]
    return Case("scores up to 180000 and down to -180000", args)


def _oracle(
    X: torch.Tensor, W_q: torch.Tensor, W_k: torch.Tensor, W_v: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """SDPA for the output; it does not return weights, so those come from `torch.softmax`."""
    Q, K, V = (F.linear(X, W.T) for W in (W_q, W_k, W_v))
    return F.scaled_dot_product_attention(Q, K, V, scale=1.0), torch.softmax(Q @ K.T, dim=-1)


def _begins(args: Mapping[str, Any]) -> dict[str, Any]:
    """The loom's own scores are scaled, and these are not: it begins behind them."""
    X, W_q, W_k, W_v = args.values()
    return {"weights": softmax(X @ W_q @ (X @ W_k).T), "V": X @ W_v}


EXERCISE = Exercise(
    name="first_attention",
    cases=cases,
    oracle=in_torch(_oracle),
    parts=("output", "weights"),
    whole_answer=("torch.nn.functional.scaled_dot_product_attention",),
    axes={"output": ("query", "feature"), "weights": ("query", "key")},
    woven=Woven(
        {"output": "output", "weights": "weights"},
        "output",
        _begins,
        "V is X times W_v; the steps before the weights are not drawn.",
    ),
    hints=(
        "Four steps, three of which you have written in this unit. In which order do they come?",
        "Project the tokens, compare queries with keys, make shares of each row of scores, mix the values.",
        "`queries_keys_values`, then `attention_scores`; `reference.softmax` of the scores gives the weights; "
        "`mix_values` mixes. Return its result first, then the weights.",
    ),
    mistakes=MISTAKES,
)
