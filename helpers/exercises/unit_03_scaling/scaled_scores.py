"""Exercise `scaled_scores`: scores whose spread does not grow with the width."""

from collections.abc import Iterator

import numpy as np

from helpers.exercises.base import Case, Draw, Exercise, Woven
from helpers.exercises.oracle import in_torch
from helpers.exercises.unit_03_scaling.scaled_scores_mistakes import MISTAKES


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, random with n_q, n_k and d_k all different, batches, square, wide."""
    Q, K = (
        np.array([[2.0, 0.0, 0.0, 2.0], [1.0, 1.0, 1.0, 1.0]]),
        np.array([[4.0, 0.0, 0.0, 0.0], [0.0, 1.0, 2.0, 3.0]]),
    )
    yield Case("two queries and three keys of width 4", {"Q": Q, "K": np.vstack([K, [-2.0, 0.0, 0.0, 0.0]])})
    for width in (np.float64, np.float32):
        n_q, n_k, d_k, b = draw.sizes(4)
        sizes = f"n_q = {n_q}, n_k = {n_k}, d_k = {d_k}, {width.__name__}"
        Q, K = draw.normal(b, n_q, d_k, dtype=width), draw.normal(b, n_k, d_k, dtype=width)
        yield Case(f"random queries and keys ({sizes})", {"Q": Q[0], "K": K[0]})
        yield Case(f"a batch of {b} ({sizes})", {"Q": Q, "K": K})
    # no size that is drawn is 4: with keys turned round in all axes no product fits by accident
    yield Case(
        f"two batch axes ({b}, 4)", {"Q": draw.normal(b, 4, n_q, d_k), "K": draw.normal(b, 4, n_k, d_k)}
    )
    yield Case("square Q and K of shape (10, 10)", {"Q": draw.normal(10, 10), "K": draw.normal(10, 10)})


EXERCISE = Exercise(
    name="scaled_scores",
    cases=cases,
    oracle=in_torch(lambda Q, K: Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5),
    axes={"": ("query", "key")},
    woven=Woven({"": "scaled"}, "scaled"),
    hints=(
        "Which size did you find in your measurements: the one the spread grows with?",
        "d_k is the last axis of Q. Take the scores and divide them.",
        "`Q @ np.swapaxes(K, -2, -1)`, divided by `np.sqrt(Q.shape[-1])`.",
    ),
    mistakes=MISTAKES,
)
