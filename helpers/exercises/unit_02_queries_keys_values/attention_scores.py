"""Exercise `attention_scores`: every query against every key, unscaled."""

from collections.abc import Iterator

import numpy as np

from helpers.exercises.base import Case, Draw, Exercise, Woven
from helpers.exercises.oracle import in_torch
from helpers.exercises.unit_02_queries_keys_values.attention_scores_mistakes import MISTAKES


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, one query and one key, random with n_q != n_k, a batch, two batch axes, square ones: there wrong axes give numbers."""
    Q, K = np.array([[1.0, 0.0], [0.0, 2.0]]), np.array([[3.0, 1.0], [-1.0, 1.0], [2.0, -1.0]])
    yield Case("two queries and three keys of width 2", {"Q": Q, "K": K})
    # as large as the first: the smallest wrong case is the one shown, and several tokens show more
    Q, K = np.array([[1.0, 0.0, 2.0, 1.0, 0.0]]), np.array([[3.0, 1.0, 1.0, -1.0, 4.0]])
    yield Case("one query and one key of width 5", {"Q": Q, "K": K})
    for width in (np.float64, np.float32):
        n_q, n_k, d_k, b = draw.sizes(4)
        sizes = f"n_q = {n_q}, n_k = {n_k}, d_k = {d_k}, {width.__name__}"
        Q, K = draw.normal(n_q, d_k, dtype=width), draw.normal(n_k, d_k, dtype=width)
        yield Case(f"random queries and keys ({sizes})", {"Q": Q, "K": K})
        Q, K = draw.normal(b, n_q, d_k, dtype=width), draw.normal(b, n_k, d_k, dtype=width)
        yield Case(f"a batch of {b} ({sizes})", {"Q": Q, "K": K})
    Q, K = draw.normal(b, 2, n_q, d_k), draw.normal(b, 2, n_k, d_k)
    yield Case(f"two batch axes ({b}, 2) with n_q = {n_q}, n_k = {n_k}", {"Q": Q, "K": K})
    yield Case("square Q and K of shape (3, 3)", {"Q": draw.normal(3, 3), "K": draw.normal(3, 3)})
    cube = {"Q": draw.normal(3, 3, 3), "K": draw.normal(3, 3, 3)}
    yield Case("a batch of 3 with Q and K of shape (3, 3, 3)", cube)


EXERCISE = Exercise(
    name="attention_scores",
    cases=cases,
    oracle=in_torch(lambda Q, K: Q @ K.transpose(-2, -1)),
    axes={"": ("query", "key")},
    woven=Woven({"": "scores"}, "scores"),
    hints=(
        "This is `similarity_matrix` once more: which rows meet which rows?",
        "Keys have to become columns. In a batch only the last two axes change places.",
        "`np.swapaxes(K, -2, -1)` turns the keys, whatever stands in front.",
    ),
    mistakes=MISTAKES,
)
