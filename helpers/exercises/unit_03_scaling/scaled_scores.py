"""Exercise `scaled_scores`: scores whose spread does not grow with the width."""

from collections.abc import Iterator

import numpy as np

from helpers.exercises.base import Case, Draw, Exercise, Mistake
from helpers.oracle import in_torch


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, random with n_q, n_k and d_k all different, batches, square, wide."""
    Q, K = (
        np.array([[2.0, 0.0, 0.0, 2.0], [1.0, 1.0, 1.0, 1.0]]),
        np.array([[4.0, 0.0, 0.0, 0.0], [0.0, 1.0, 2.0, 3.0]]),
    )
    yield Case("two queries and two keys of width 4", {"Q": Q, "K": np.vstack([K, [-2.0, 0.0, 0.0, 0.0]])})
    for width in (np.float64, np.float32):
        n_q, n_k, d_k, b = draw.sizes(4)
        sizes = f"n_q = {n_q}, n_k = {n_k}, d_k = {d_k}, {width.__name__}"
        Q, K = draw.normal(b, n_q, d_k, dtype=width), draw.normal(b, n_k, d_k, dtype=width)
        yield Case(f"random queries and keys ({sizes})", {"Q": Q[0], "K": K[0]})
        yield Case(f"a batch of {b} ({sizes})", {"Q": Q, "K": K})
    yield Case(
        f"two batch axes ({b}, 2)", {"Q": draw.normal(b, 2, n_q, d_k), "K": draw.normal(b, 2, n_k, d_k)}
    )
    yield Case("square Q and K of shape (3, 3)", {"Q": draw.normal(3, 3), "K": draw.normal(3, 3)})


def _scores(Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    return Q @ np.swapaxes(K, -2, -1)


EXERCISE = Exercise(
    name="scaled_scores",
    cases=cases,
    oracle=in_torch(lambda Q, K: Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5),
    hints=(
        "Which size did you find in your measurements: the one the spread grows with?",
        "d_k is the last axis of Q. Take the scores and divide them.",
        "`Q @ np.swapaxes(K, -2, -1)`, divided by `np.sqrt(Q.shape[-1])`.",
    ),
    mistakes=(
        Mistake(
            "no-scaling",
            "You did not divide at all: these are the raw scores.",
            _scores,
            "What should the scores be divided by?",
        ),
        Mistake(
            "scaled-by-d_k",
            "You divided by d_k; the spread grows with its square root.",
            lambda Q, K: _scores(Q, K) / Q.shape[-1],
            "With d_k = 4, should you divide by 4 or by 2?",
        ),
        Mistake(
            "scaled-up",
            "You multiplied by sqrt(d_k), which makes the spread worse.",
            lambda Q, K: _scores(Q, K) * np.sqrt(Q.shape[-1]),
            "`/ d ** -0.5` multiplies: two minus signs cancel.",
        ),
        Mistake(
            "scaled-by-sqrt-n",
            "You divided by the root of the number of keys. The spread of a score does not depend on it.",
            lambda Q, K: _scores(Q, K) / np.sqrt(K.shape[-2]),
            "Which axis does the dot product add over?",
        ),
        Mistake(
            "scaled-by-sqrt-n",
            "You divided by the root of the number of queries. The spread of a score does not depend on it.",
            lambda Q, K: _scores(Q, K) / np.sqrt(Q.shape[-2]),
            "Which axis does the dot product add over?",
        ),
        Mistake(
            "reversed-all-axes",
            "`K.T` reverses all axes, the batch axis too; only the last two should change places.",
            lambda Q, K: Q @ K.T / np.sqrt(Q.shape[-1]),
            "Look for a NumPy function that swaps two axes you name.",
        ),
        Mistake(
            "keys-by-queries",
            "Your rows belong to keys; row i must belong to query i.",
            lambda Q, K: _scores(K, Q) / np.sqrt(Q.shape[-1]),
            "Which array should stand on the left?",
        ),
        Mistake(
            "normalised-by-measured-std",
            "You divided by the spread measured in these very scores; the divisor depends only on d_k.",
            lambda Q, K: _scores(Q, K) / _scores(Q, K).std(),
            "Two different batches should be divided by the same number.",
        ),
        Mistake(
            "axis-counted-from-front",
            "You took the first axis for d_k; in a batch that is the number of sequences.",
            lambda Q, K: _scores(Q, K) / np.sqrt(Q.shape[1]),
            "Count the axes from the end: `shape[-1]`.",
        ),
        Mistake(
            "softmax-too-early",
            "You applied softmax already; scaled scores are not weights yet.",
            lambda Q, K: (lambda e: e / e.sum(-1, keepdims=True))(
                np.exp(_scores(Q, K) / np.sqrt(Q.shape[-1]))
            ),
            "Return the divided scores.",
        ),
    ),
)
