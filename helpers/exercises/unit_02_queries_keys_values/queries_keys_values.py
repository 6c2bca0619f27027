"""Exercise `queries_keys_values`: three projections of the same tokens."""

from collections.abc import Iterator

import numpy as np
import torch.nn.functional as F

from helpers.exercises.base import Case, Draw, Exercise, Woven
from helpers.exercises.oracle import in_torch
from helpers.exercises.unit_02_queries_keys_values.queries_keys_values_mistakes import MISTAKES


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, one token, random with d_v != d_k, a batch, all sizes equal."""
    by_hand = {
        "X": np.array([[1.0, 0.0], [2.0, 1.0]]),
        "W_q": np.array([[1.0, 0.0], [0.0, 1.0]]),
        "W_k": np.array([[0.0, 1.0], [1.0, 0.0]]),
        "W_v": np.array([[1.0, 2.0, 3.0], [0.0, 1.0, 0.0]]),
    }
    yield Case("two tokens of width 2", by_hand)
    # a little larger than the first: the smallest wrong case is the one shown, and several tokens show more
    one = {name: np.arange(n, n + 6.0).reshape(3, 2) for n, name in enumerate(("W_q", "W_k", "W_v"))}
    yield Case("one token of width 3", {"X": np.array([[1.0, 0.0, -1.0]]), **one})
    for width in (np.float64, np.float32):
        n, d, d_k, d_v, b = draw.sizes(5)
        W = {"W_q": (d, d_k), "W_k": (d, d_k), "W_v": (d, d_v)}
        weights = {name: draw.normal(*shape, dtype=width) for name, shape in W.items()}
        sizes = f"n = {n}, d = {d}, d_k = {d_k}, d_v = {d_v}, {width.__name__}"
        yield Case(f"random weights ({sizes})", {"X": draw.normal(n, d, dtype=width), **weights})
        yield Case(f"a batch of {b} ({sizes})", {"X": draw.normal(b, n, d, dtype=width), **weights})
    square = {name: draw.normal(3, 3) for name in ("X", "W_q", "W_k", "W_v")}
    yield Case("square X and weights of shape (3, 3)", square)
    yield Case("a batch X of shape (3, 3, 3)", square | {"X": draw.normal(3, 3, 3)})
    # thirds of the joined width, cut off to whole numbers, fit where d_v is d_k + 1 or d_k + 2
    wide = {
        "X": draw.normal(4, 3),
        "W_q": draw.normal(3, 2),
        "W_k": draw.normal(3, 2),
        "W_v": draw.normal(3, 6),
    }
    yield Case("values three times as wide as keys", wide)


EXERCISE = Exercise(
    name="queries_keys_values",
    cases=cases,
    oracle=in_torch(lambda X, W_q, W_k, W_v: (F.linear(X, W_q.T), F.linear(X, W_k.T), F.linear(X, W_v.T))),
    parts=("Q", "K", "V"),
    axes={"Q": ("token", "feature"), "K": ("token", "feature"), "V": ("token", "feature")},
    woven=Woven({"Q": "Q", "K": "K", "V": "V"}, "V"),
    hints=(
        "How many different weight matrices does each token meet?",
        "Use `project` three times, each time with another W and the same X.",
        "Return the three results with commas between them: Q, then K, then V.",
    ),
    mistakes=MISTAKES,
)
