"""Exercise `similarity_matrix`: every row of X against every row of Y."""

from collections.abc import Iterator

import numpy as np

from helpers.exercises.base import Case, Draw, Exercise, Woven
from helpers.exercises.oracle import in_torch
from helpers.exercises.unit_01_dot_product.similarity_matrix_mistakes import MISTAKES


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


EXERCISE = Exercise(
    name="similarity_matrix",
    cases=cases,
    oracle=in_torch(lambda X, Y: X @ Y.T),
    axes={"": ("row of X", "row of Y")},
    woven=Woven({"": "similarity"}, "similarity"),
    hints=(
        "Which row of X and which row of Y belong to entry [0, 2]?",
        "The columns of the result belong to the rows of Y. What turns rows into columns?",
        "One matrix product is enough: X, and Y transposed. Two nested loops over `dot` do it too.",
    ),
    mistakes=MISTAKES,
)
