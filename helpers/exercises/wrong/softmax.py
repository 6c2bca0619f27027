"""The wrong versions of one softmax, for every exercise that has one in it.

The right one is in four steps, which take an array, the axis and whatever else an exercise hands on:
`numbers` (what goes in), `shift` (what is taken away), `power` (what is positive), `divide` (what sums to 1).
"""

from typing import Any

import numpy as np

from helpers.exercises.wrong.rows import paired, rows

Array = np.ndarray
Axis = int | None


def largest(z: Array, axis: Axis, *_: Any) -> Array:
    """What to take away: the maximum."""
    return z.max(axis=axis, keepdims=True)


def nothing(z: Array, axis: Axis, *_: Any) -> float:
    """Wrong: nothing is taken away."""
    return 0.0


def powers(z: Array, axis: Axis, *_: Any) -> Array:
    """What makes numbers positive."""
    return np.exp(z)


def shares(parts: Array, axis: Axis, *_: Any) -> Array:
    """What makes parts sum to 1."""
    return parts / parts.sum(axis=axis, keepdims=True)


def as_it_is(parts: Array, axis: Axis, *_: Any) -> Array:
    """Wrong: a step that is left out."""
    return parts


def softmax(x: Array, axis: Axis = -1) -> Array:
    """The right one."""
    return shares(np.exp(x - largest(x, axis)), axis)


def sum_without_axis(parts: Array, axis: Axis, *_: Any) -> Array:
    """Shares of sums that have lost their axis."""
    return parts / parts.sum(axis=axis)


def _max_without_axis(z: Array, axis: Axis, *_: Any) -> Array:
    return z.max(axis=axis)


def _one_hot(z: Array, axis: Axis, *_: Any) -> Array:
    return (z == 0).astype(z.dtype)


def _sigmoid(z: Array, axis: Axis, *_: Any) -> Array:
    return 1 / (1 + np.exp(-z))


CAN_IT_BE_0 = "After the maximum is taken away, can the sum be 0 at all?"
SUM_TO_1 = "What should the weights of a row add up to?"
_ROUND = "Is it x minus the maximum, or the maximum minus x?"
_KEEPS = "`np.max` and `np.sum` have an option that keeps the axis with length 1."
_AT_MOST_0 = "After the subtraction no number should be above 0."

SHIFTS = rows(
    "mean-for-max: What you take away is the mean, not the maximum, so large differences still overflow.",
    _AT_MOST_0,
    paired(shift=lambda z, axis: z.mean(axis=axis, keepdims=True)),
    "min-for-max: You took the smallest number away; the largest then still overflows. It should be the largest.",
    paired(shift=lambda z, axis: z.min(axis=axis, keepdims=True)),
    "global-max: You took away one maximum for the whole array; rows far below it become 0 / 0.",
    "Each row has a maximum of its own: use the axis.",
    paired(shift=lambda z, axis: z.max()),
    "first-row-max: You took away the maximum of the first row from all rows.",
    "Each row has a maximum of its own. Is there a `[0]` behind your maximum?",
    {"shift": lambda z, axis: z.max(axis=axis, keepdims=True)[0]},
)

KEEPDIMS = rows(
    "keepdims-forgotten: Your sum loses an axis, so it is divided along the wrong one, or does not fit at all.",
    "`np.sum` has an option that keeps the summed axis with length 1.",
    paired(divide=sum_without_axis),
    "keepdims-forgotten: Your maximum loses an axis, so it is taken away along the wrong one, or does not fit at all.",
    "`np.max` has an option that keeps the axis with length 1.",
    paired(shift=_max_without_axis),
    "keepdims-forgotten: Your maximum and your sum lose an axis, so they line up with the wrong one, or do not fit at all.",
    _KEEPS,
    {"shift": _max_without_axis, "divide": sum_without_axis},
)

POWERS = rows(
    "sign-flipped: Large {numbers} get small weights: a sign is flipped.",
    _ROUND,
    paired(numbers=lambda x: -x),
    "sign-flipped: Large {numbers} get small weights: you took the {numbers} from the maximum, not the maximum from the {numbers}.",
    paired(power=lambda z, axis: np.exp(-z)),
    "lost-sign: You dropped the signs before the exponential: -5 gets the weight of 5.",
    "The exponential is positive already, for every number.",
    paired(numbers=np.abs),
    "hard-lookup: You gave all the weight to the largest number; softmax leaves some for the others.",
    "What are the weights of [0, ln 2, ln 5]?",
    paired(power=_one_hot),
    "sigmoid: You squeezed each {number} by itself with a sigmoid; the weights of a row should depend on each other and sum to 1.",
    SUM_TO_1,
    paired(shift=nothing, power=_sigmoid, divide=as_it_is),
    "sigmoid: You used a sigmoid where the exponential belongs.",
    "Which function makes every number positive and keeps growing?",
    {"shift": nothing, "power": _sigmoid},
)

# dividing by the largest, which is 1 by then, is the same as not dividing
SHARES = rows(
    "softmax-over-everything: You divided by the sum over the whole array; each row has a sum of its own.",
    "Does your sum get an axis?",
    paired(divide=lambda parts, axis: parts / parts.sum()),
    "not-normalised: Your weights do not sum to 1: the largest is 1. Divide by the sum of {all_powers}.",
    SUM_TO_1,
    paired(divide=as_it_is),
    "not-normalised: Your weights do not sum to 1: these are bare exponentials.",
    {"shift": nothing, "divide": as_it_is},
    "mean-instead-of-sum: You divided by the mean of the exponentials; the weights of a row should sum to 1.",
    paired(divide=lambda parts, axis: parts / parts.mean(axis=axis, keepdims=True)),
    *(
        part
        for epsilon in (1e-6, 1e-4, 1e-3)
        for part in (
            f"epsilon-too-large: You added {epsilon:g} to the sum, so the weights do not sum to 1 any more.",
            "{no_epsilon}",
            {"divide": lambda parts, axis, e=epsilon: parts / (parts.sum(axis=axis, keepdims=True) + e)},
        )
    ),
    "log-softmax: You returned the logarithm of the weights.",
    "Weights lie between 0 and 1.",
    paired(divide=lambda parts, axis: np.log(shares(parts, axis))),
)

AGAIN = rows(
    "softmax-again: You applied the softmax twice, which makes the weights nearly equal.",
    "How often does `exp` appear in your code, or is called by it?",
    paired(after=lambda weights, *_: softmax(weights)),
)
