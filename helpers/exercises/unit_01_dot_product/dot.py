"""Exercise `dot`: the dot product of two vectors."""

from collections.abc import Iterator

import numpy as np
import torch

from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.oracle import in_torch
from helpers.exercises.unit_01_dot_product.dot_mistakes import MISTAKES


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, perpendicular, opposite, halves, random in both widths, one entry."""
    yield Case(
        "a = [1, 2, 0] and b = [3, 1, 5]", {"a": np.array([1.0, 2.0, 0.0]), "b": np.array([3.0, 1.0, 5.0])}
    )
    yield Case("two perpendicular vectors", {"a": np.array([2.0, 0.0]), "b": np.array([0.0, 3.0])})
    yield Case(
        "vectors that point against each other", {"a": np.array([1.0, -4.0]), "b": np.array([-2.0, 3.0])}
    )
    yield Case("a = [0.5, 1.5] and b = [-1, 2.5]", {"a": np.array([0.5, 1.5]), "b": np.array([-1.0, 2.5])})
    yield Case(
        "a = [2, 0, 3] and b = [1, 4, 2], with a 0 in the middle",
        {"a": np.array([2.0, 0.0, 3.0]), "b": np.array([1.0, 4.0, 2.0])},
    )
    alike = {"a": np.array([1.0, 1.0, 2.0, -1.0]), "b": np.array([2.0, 2.0, 1.0, 3.0])}
    yield Case("a = [1, 1, 2, -1] and b = [2, 2, 1, 3], where products are alike", alike)
    # two digits after the point are not enough for any of these products
    digits = {"a": np.array([0.125, 0.5]), "b": np.array([1.5, 0.25])}
    yield Case("a = [0.125, 0.5] and b = [1.5, 0.25]", digits)
    # here it shows whether single products or only their sum are rounded, or cut off
    halves = {"a": np.array([0.5, 1.5]), "b": np.array([1.5, 0.5])}
    yield Case("a = [0.5, 1.5] and b = [1.5, 0.5]", halves)
    small = {"a": np.array([0.5, 0.5, 0.5]), "b": np.array([0.008, 0.008, 0.008])}
    yield Case("a = [0.5, 0.5, 0.5] and b = [0.008, 0.008, 0.008]", small)
    for width in (np.float64, np.float32):
        (d,) = draw.sizes(1)
        a, b = draw.normal(d, dtype=width), draw.normal(d, dtype=width)
        yield Case(f"random vectors of length {d} in {width.__name__}", {"a": a, "b": b})
    yield Case("vectors with one entry", {"a": np.array([-3.0]), "b": np.array([0.5])})


EXERCISE = Exercise(
    name="dot",
    cases=cases,
    oracle=in_torch(torch.dot),
    whole_answer=("numpy.dot", "numpy.inner", "numpy.vdot", "torch.dot"),
    hints=(
        "Which number of b belongs to the first number of a?",
        "Multiply the two vectors entry by entry. What do you do with the products?",
        "Start a total at 0 and add `a[i] * b[i]` for every i, or let `np.sum` add them up.",
    ),
    mistakes=MISTAKES,
)
