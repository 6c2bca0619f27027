"""Exercise `softmax`: numbers into weights, along any axis, for numbers of any size."""

from collections.abc import Iterator

import numpy as np
import torch

from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.oracle import in_torch
from helpers.exercises.unit_05_softmax.alone import alone, judge
from helpers.exercises.unit_05_softmax.softmax_mistakes import MISTAKES


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, every axis of random arrays, huge numbers, -inf entries, square."""
    yield Case("x = [0, ln 2, ln 5]", {"x": np.log([1.0, 2.0, 5.0])})
    by_hand = np.log([[1.0, 2.0, 5.0], [3.0, 2.0, 1.0]])
    yield Case("x = [[0, ln 2, ln 5], [ln 3, ln 2, 0]]", {"x": by_hand})
    yield Case("x = [[0, ln 2, ln 5], [ln 3, ln 2, 0]], axis=0", {"x": by_hand, "axis": 0})
    n, m, b, h = draw.sizes(4)
    for width in (np.float64, np.float32):
        x = draw.normal(b, n, m, dtype=width, scale=2)
        yield Case(f"x of shape ({b}, {n}, {m}) in {width.__name__}", {"x": x})
        for axis in (0, 1, -2, 2):
            yield Case(f"x of shape ({b}, {n}, {m}) in {width.__name__}, axis={axis}", {"x": x, "axis": axis})
    yield Case("x = [1000, 1001, 1002]", {"x": np.array([1000.0, 1001.0, 1002.0])})
    # here the maximum is far from the minimum, and near enough to the mean
    yield Case("x = [-1000, 0, 1, 2]", {"x": np.array([-1000.0, 0.0, 1.0, 2.0])})
    yield Case("x with entries of +-10000", {"x": np.array([[-1e4, 1e4, 1e4 - 1], [-1e4, -1e4, -1e4 + 2]])})
    # here exponentials overflow even as long doubles
    yield Case("x = [20000, 20001]", {"x": np.array([2e4, 20001.0])})
    yield Case(
        "rows of very different size", {"x": np.array([[0.0, 1.0], [1000.0, 1001.0], [-1000.0, -999.0]])}
    )
    yield Case("x with -inf entries", {"x": np.array([[0.0, -np.inf, 1.0], [-np.inf, -np.inf, 3.0]])})
    yield Case("x of shape (3, 3)", {"x": draw.normal(3, 3)})
    yield Case(
        f"x with four axes, axis=1, shape ({b}, {h}, {n}, {m})", {"x": draw.normal(b, h, n, m), "axis": 1}
    )
    yield alone()


EXERCISE = Exercise(
    name="softmax",
    cases=cases,
    oracle=in_torch(lambda x, axis=-1: torch.softmax(x, dim=axis)),
    judge=judge,
    whole_answer=(
        "torch.softmax",
        "torch.nn.functional.softmax",
        "torch.nn.Softmax",
        "torch.log_softmax",
        "torch._softmax",
        "helpers.reference.masked_softmax",
        "helpers.reference.softmax_with_temperature",
        "scipy.special.softmax",
    ),
    hints=(
        "Two steps: make every number positive, then make them sum to 1. Along which axis?",
        "Exponentials overflow for large numbers. What may you take away from a whole row without changing its weights?",
        "Take the maximum along `axis` away first, with `keepdims=True`, then exponentials, then divide by their sum.",
    ),
    mistakes=MISTAKES,
)
