"""Exercise `similarity_matrix`: every row of X against every row of Y."""

from collections.abc import Iterator

import numpy as np

from helpers.exercises.base import Case, Draw, Exercise, Mistake
from helpers.oracle import in_torch


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, random with all sizes different, square, one row each."""
    X, Y = np.array([[1.0, 0.0], [2.0, 1.0]]), np.array([[1.0, 1.0], [0.0, 3.0], [-1.0, 2.0]])
    yield Case("X of shape (2, 2) and Y of shape (3, 2)", {"X": X, "Y": Y})
    for width in (np.float64, np.float32):
        n, m, d = draw.sizes(3)
        X, Y = draw.normal(n, d, dtype=width), draw.normal(m, d, dtype=width)
        yield Case(f"X of shape ({n}, {d}) and Y of shape ({m}, {d}) in {width.__name__}", {"X": X, "Y": Y})
    (n,) = draw.sizes(1)
    yield Case(f"square X and Y of shape ({n}, {n})", {"X": draw.normal(n, n), "Y": draw.normal(n, n)})
    yield Case("one row each", {"X": draw.normal(1, 3), "Y": draw.normal(1, 3)})


def _normalised(X: np.ndarray) -> np.ndarray:
    return X / np.sqrt(np.sum(X * X, axis=1, keepdims=True))


EXERCISE = Exercise(
    name="similarity_matrix",
    cases=cases,
    oracle=in_torch(lambda X, Y: X @ Y.T),
    hints=(
        "Which row of X and which row of Y belong to entry [0, 2]?",
        "The columns of the result belong to the rows of Y. What turns rows into columns?",
        "One matrix product is enough: X, and Y transposed. Two nested loops over `dot` do it too.",
    ),
    mistakes=(
        Mistake(
            "keys-by-queries",
            "Your rows belong to Y and your columns to X: the matrix is transposed.",
            lambda X, Y: Y @ X.T,
            "Which matrix should give the number of rows?",
        ),
        Mistake(
            "no-transpose",
            "You multiplied X by Y as it is: rows of X meet columns of Y, not rows.",
            lambda X, Y: X @ Y,
            "Which axis of X and which axis of Y must have the same length?",
        ),
        Mistake(
            "reshape-instead-of-transpose",
            "`reshape` cuts the same numbers anew; it does not turn rows into columns.",
            lambda X, Y: X @ Y.reshape(Y.shape[1], Y.shape[0]),
            "Compare `np.arange(6).reshape(2, 3).T` with `np.arange(6).reshape(3, 2)`.",
        ),
        Mistake(
            "cosine-instead-of-dot",
            "You divided by the lengths: these are cosines. Keep the plain dot products.",
            lambda X, Y: _normalised(X) @ _normalised(Y).T,
            "Should a longer row give a larger entry?",
        ),
        Mistake(
            "one-matrix-twice",
            "You compared X with itself; Y does not appear.",
            lambda X, Y: X @ X.T,
            "How many columns should there be?",
        ),
        Mistake(
            "one-matrix-twice",
            "You compared Y with itself; X does not appear.",
            lambda X, Y: Y @ Y.T,
            "How many rows should there be?",
        ),
        Mistake(
            "columns-as-tokens",
            "You summed over the tokens: the result compares features, not tokens.",
            lambda X, Y: X.T @ Y,
            "Over which axis does a dot product of two tokens add up?",
        ),
        Mistake(
            "only-the-diagonal",
            "You compared each row of X only with the row of Y at the same place.",
            lambda X, Y: np.sum(X * Y, axis=1),
            "Every row of X meets every row of Y: how many dot products are that?",
        ),
        Mistake(
            "mean-instead-of-sum",
            "You averaged the products; the dot product adds them.",
            lambda X, Y: X @ Y.T / X.shape[1],
            "Does your answer divide by the width anywhere?",
        ),
        Mistake(
            "euclidean-distance",
            "You measured distances between rows, not dot products.",
            lambda X, Y: np.sqrt(((X[:, None] - Y[None]) ** 2).sum(-1)),
            "Which operation joins an entry of X and an entry of Y?",
        ),
    ),
)
