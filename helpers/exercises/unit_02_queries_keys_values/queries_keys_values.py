"""Exercise `queries_keys_values`: three projections of the same tokens."""

from collections.abc import Iterator

import numpy as np
import torch.nn.functional as F

from helpers.exercises.base import Case, Draw, Exercise, Mistake
from helpers.oracle import in_torch


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, random with d_v != d_k, a batch, all widths equal."""
    by_hand = {
        "X": np.array([[1.0, 0.0], [2.0, 1.0]]),
        "W_q": np.array([[1.0, 0.0], [0.0, 1.0]]),
        "W_k": np.array([[0.0, 1.0], [1.0, 0.0]]),
        "W_v": np.array([[1.0, 2.0, 3.0], [0.0, 1.0, 0.0]]),
    }
    yield Case("two tokens of width 2", by_hand)
    for width in (np.float64, np.float32):
        n, d, d_k, d_v, b = draw.sizes(5)
        W = {"W_q": (d, d_k), "W_k": (d, d_k), "W_v": (d, d_v)}
        weights = {name: draw.normal(*shape, dtype=width) for name, shape in W.items()}
        sizes = f"n = {n}, d = {d}, d_k = {d_k}, d_v = {d_v}, {width.__name__}"
        yield Case(f"random weights ({sizes})", {"X": draw.normal(n, d, dtype=width), **weights})
        yield Case(f"a batch of {b} ({sizes})", {"X": draw.normal(b, n, d, dtype=width), **weights})
    square = {name: draw.normal(3, 3) for name in ("X", "W_q", "W_k", "W_v")}
    yield Case("square X and weights of shape (3, 3)", square)


EXERCISE = Exercise(
    name="queries_keys_values",
    cases=cases,
    oracle=in_torch(lambda X, W_q, W_k, W_v: (F.linear(X, W_q.T), F.linear(X, W_k.T), F.linear(X, W_v.T))),
    parts=("Q", "K", "V"),
    hints=(
        "How many different weight matrices does each token meet?",
        "Use `project` three times, each time with another W and the same X.",
        "Return the three results with commas between them: Q, then K, then V.",
    ),
    mistakes=(
        Mistake(
            "value-not-projected",
            "Your values are the tokens themselves; values have their own projection W_v.",
            lambda X, W_q, W_k, W_v: (X @ W_q, X @ W_k, X.copy()),
            "Which of the three weights does not appear in your code?",
        ),
        Mistake(
            "key-weight-reused",
            "Your queries use W_k; each projection has its own weight.",
            lambda X, W_q, W_k, W_v: (X @ W_k, X @ W_k, X @ W_v),
            "Read the line that makes Q once more.",
        ),
        Mistake(
            "query-weight-reused",
            "Your keys use W_q; each projection has its own weight.",
            lambda X, W_q, W_k, W_v: (X @ W_q, X @ W_q, X @ W_v),
            "Read the line that makes K once more.",
        ),
        Mistake(
            "key-weight-reused",
            "Your values use W_k; each projection has its own weight.",
            lambda X, W_q, W_k, W_v: (X @ W_q, X @ W_k, X @ W_k),
            "Read the line that makes V once more.",
        ),
        Mistake(
            "query-and-key-swapped",
            "Queries and keys have changed places.",
            lambda X, W_q, W_k, W_v: (X @ W_k, X @ W_q, X @ W_v),
            "The order is Q, K, V.",
        ),
        Mistake(
            "wrong-order",
            "You return the three in another order; it should be Q, K, V.",
            lambda X, W_q, W_k, W_v: (X @ W_v, X @ W_k, X @ W_q),
            "Look at your `return` line.",
        ),
        Mistake(
            "wrong-order",
            "You return the three in another order; it should be Q, K, V.",
            lambda X, W_q, W_k, W_v: (X @ W_q, X @ W_v, X @ W_k),
            "Look at your `return` line.",
        ),
        Mistake(
            "chained-projections",
            "You projected the queries again to get keys; all three start from X.",
            lambda X, W_q, W_k, W_v: (X @ W_q, (X @ W_q) @ W_k, (X @ W_q) @ W_v),
            "Which array stands on the left of each product?",
        ),
        Mistake(
            "weight-transposed",
            "You multiplied with the transposed weights; here a weight is (d, d_out) and used as it is.",
            lambda X, W_q, W_k, W_v: (X @ W_q.T, X @ W_k.T, X @ W_v.T),
            "Which axis of W must be as long as a token is wide?",
        ),
        Mistake(
            "returns-stacked",
            "You put the three in one array; return a tuple, since d_v may differ from d_k.",
            lambda X, W_q, W_k, W_v: np.stack([X @ W_q, X @ W_k, X @ W_v]),
            "`return a, b, c` makes a tuple.",
        ),
        Mistake(
            "returns-list",
            "You return a list; return a tuple (Q, K, V).",
            lambda X, W_q, W_k, W_v: [X @ W_q, X @ W_k, X @ W_v],
            "Leave out the square brackets.",
        ),
    ),
)
