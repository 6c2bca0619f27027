"""Exercise `softmax`: numbers into weights, along any axis, for numbers of any size."""

from collections.abc import Callable, Iterator

import numpy as np
import torch

from helpers.exercises.base import Case, Draw, Exercise, Mistake
from helpers.oracle import in_torch


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, every axis of random arrays, huge numbers, -inf entries, square, integers."""
    yield Case("x = [0, ln 2, ln 5]", {"x": np.log([1.0, 2.0, 5.0])})
    n, m, b, h = draw.sizes(4)
    for width in (np.float64, np.float32):
        x = draw.normal(b, n, m, dtype=width, scale=2)
        yield Case(f"x of shape ({b}, {n}, {m}) in {width.__name__}", {"x": x})
        for axis in (0, 1, -2, 2):
            yield Case(f"x of shape ({b}, {n}, {m}) in {width.__name__}, axis={axis}", {"x": x, "axis": axis})
    yield Case("x = [1000, 1001, 1002]", {"x": np.array([1000.0, 1001.0, 1002.0])})
    yield Case("x with entries of +-10000", {"x": np.array([[-1e4, 1e4, 1e4 - 1], [-1e4, -1e4, -1e4 + 2]])})
    yield Case(
        "rows of very different size", {"x": np.array([[0.0, 1.0], [1000.0, 1001.0], [-1000.0, -999.0]])}
    )
    yield Case("x with -inf entries", {"x": np.array([[0.0, -np.inf, 1.0], [-np.inf, -np.inf, 3.0]])})
    yield Case("x of shape (3, 3)", {"x": draw.normal(3, 3)})
    yield Case(
        f"x with four axes, axis=1, shape ({b}, {h}, {n}, {m})", {"x": draw.normal(b, h, n, m), "axis": 1}
    )


def _stable(x: np.ndarray, axis: int | None) -> np.ndarray:
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def _without_max(x: np.ndarray, axis: int = -1) -> np.ndarray:
    powers = np.exp(x)
    return powers / powers.sum(axis=axis, keepdims=True)


def _without_keepdims(x: np.ndarray, axis: int = -1) -> np.ndarray:
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis)


def _in_place(x: np.ndarray, axis: int = -1) -> np.ndarray:
    x -= x.max(axis=axis, keepdims=True)
    return np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True)


def _global_max(x: np.ndarray, axis: int = -1) -> np.ndarray:
    powers = np.exp(x - x.max())
    return powers / powers.sum(axis=axis, keepdims=True)


def _always(axis: int | None) -> Callable[..., np.ndarray]:
    return lambda x, _axis=-1: _stable(x, None if axis is None else min(axis, x.ndim - 1))


EXERCISE = Exercise(
    name="softmax",
    cases=cases,
    oracle=in_torch(lambda x, axis=-1: torch.softmax(x, dim=axis)),
    whole_answer=(
        "torch.softmax",
        "torch.nn.functional.softmax",
        "torch.nn.Softmax",
        "scipy.special.softmax",
    ),
    hints=(
        "Two steps: make every number positive, then make them sum to 1. Along which axis?",
        "Exponentials overflow for large numbers. What may you take away from a whole row without changing its weights?",
        "Take the maximum along `axis` away first, with `keepdims=True`, then exponentials, then divide by their sum.",
    ),
    mistakes=(
        Mistake(
            "no-max-subtraction",
            "Your exponentials overflow: e^1000 is infinite, and infinity divided by infinity is NaN.",
            _without_max,
            "What can you take away from all numbers of a row without changing their weights?",
        ),
        Mistake(
            "softmax-over-everything",
            "Your weights sum to 1 over the whole array; they should along one axis.",
            _always(None),
            "Do your maximum and your sum get the axis?",
        ),
        Mistake(
            "axis-ignored",
            "You always use the last axis, whatever `axis` says.",
            _always(99),
            "Where does `axis` appear in your code?",
        ),
        Mistake(
            "softmax-over-queries",
            "Your weights sum to 1 down the columns; by default each row should.",
            _always(0),
            "Which axis are the rows summed along?",
        ),
        Mistake(
            "keepdims-forgotten",
            "Your sum loses an axis, so it is divided along the wrong one, or does not fit at all.",
            _without_keepdims,
            "`np.sum` has an option that keeps the summed axis with length 1.",
        ),
        Mistake(
            "input-changed",
            "You wrote into the caller's array.",
            _in_place,
            "`x -= m` changes x; `x - m` makes a new array.",
        ),
        Mistake(
            "global-max",
            "You took away one maximum for the whole array; rows far below it become 0 / 0.",
            _global_max,
            "Each row has a maximum of its own: use the axis.",
        ),
        Mistake(
            "no-exponential",
            "You divided by the sum without exponentials; negative numbers then give negative weights.",
            lambda x, axis=-1: x / x.sum(axis=axis, keepdims=True),
            "Which function makes every number positive?",
        ),
        Mistake(
            "not-normalised",
            "Your weights do not sum to 1: the division is missing.",
            lambda x, axis=-1: np.exp(x - x.max(axis=axis, keepdims=True)),
            "What should the weights of a row add up to?",
        ),
        Mistake(
            "not-normalised",
            "Your weights do not sum to 1: these are bare exponentials.",
            lambda x, axis=-1: np.exp(x),
            "What should the weights of a row add up to?",
        ),
        Mistake(
            "log-softmax",
            "You returned the logarithm of the weights.",
            lambda x, axis=-1: np.log(_stable(x, axis)),
            "Weights lie between 0 and 1.",
        ),
        Mistake(
            "mean-for-max",
            "What you take away is not the maximum, so large differences still overflow.",
            lambda x, axis=-1: (lambda e: e / e.sum(axis=axis, keepdims=True))(
                np.exp(x - x.mean(axis=axis, keepdims=True))
            ),
            "After the subtraction no number should be above 0.",
        ),
        Mistake(
            "sign-flipped",
            "Large numbers get small weights: a sign is flipped.",
            lambda x, axis=-1: _stable(-x, axis),
            "Is it x minus the maximum, or the maximum minus x?",
        ),
        Mistake(
            "hard-lookup",
            "You gave all the weight to the largest number; softmax leaves some for the others.",
            lambda x, axis=-1: (x == x.max(axis=axis, keepdims=True)).astype(x.dtype),
            "What are the weights of [0, ln 2, ln 5]?",
        ),
    ),
)
