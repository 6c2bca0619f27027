"""Exercise `double`: a first pass through the whole cycle."""

from collections.abc import Iterator

import numpy as np

from helpers.exercises.base import Case, Draw, Exercise, Mistake
from helpers.oracle import in_torch


def cases(draw: Draw) -> Iterator[Case]:
    """Vectors, a matrix, a batch, whole numbers."""
    n, m, b = draw.sizes(3)
    yield Case("x = [1.0, -2.0, 3.5]", {"x": np.array([1.0, -2.0, 3.5])})
    yield Case("whole numbers", {"x": np.array([4, 0, -7])})
    yield Case(f"a matrix of shape ({n}, {m})", {"x": draw.normal(n, m)})
    yield Case(f"a batch of shape ({b}, {n}, {m}) in float32", {"x": draw.normal(b, n, m, dtype=np.float32)})


def doubled_in_place(x: np.ndarray) -> np.ndarray:
    """Right numbers, but the caller's array is gone."""
    x *= 2
    return x


EXERCISE = Exercise(
    name="double",
    cases=cases,
    oracle=in_torch(lambda x: 2 * x),
    hints=(
        "What does `x * 3` do to every number of an array?",
        "Multiply the whole array by a number; NumPy does it for every entry.",
        "One line is enough: `return`, then two times `x`.",
    ),
    mistakes=(
        Mistake(
            "squared-instead-of-doubled",
            "You squared the numbers. For 2 both give 4; but 3 doubled is 6, and 3 squared is 9.",
            lambda x: x**2,
            "Which operator multiplies by two, and which raises to the power of two?",
        ),
        Mistake(
            "added-instead-of-multiplied",
            "You added two to every number; doubling multiplies by two.",
            lambda x: x + 2,
            "Try it on 0: doubling leaves it 0.",
        ),
        Mistake(
            "returns-input",
            "You returned x itself, so nothing was doubled.",
            lambda x: x,
            "What has to happen to x before it is returned?",
        ),
        Mistake(
            "input-changed",
            "You changed the caller's array; compute a new one and leave x alone.",
            doubled_in_place,
            "`x *= 2` writes into x; `x * 2` makes a new array.",
        ),
    ),
)
