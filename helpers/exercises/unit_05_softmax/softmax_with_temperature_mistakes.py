"""What people get wrong in `softmax_with_temperature`: the same function with one step replaced."""

from collections.abc import Callable
from typing import Any

import numpy as np

from helpers.exercises.base import Mistake, replaceable

Axis = int | None


def _largest(z: np.ndarray, axis: Axis) -> np.ndarray:
    return z.max(axis=axis, keepdims=True)


def _nothing(z: np.ndarray, axis: Axis) -> float:
    return 0.0


def _shares(powers: np.ndarray, axis: Axis) -> np.ndarray:
    return powers / powers.sum(axis=axis, keepdims=True)


@replaceable
def variant(
    *,
    numbers: Callable[[np.ndarray], np.ndarray] = lambda x: x,
    scale: Callable[[np.ndarray, float], np.ndarray] = lambda x, temperature: x / temperature,
    axis: Axis = -1,
    shift: Callable[[np.ndarray, Axis], Any] = _largest,
    power: Callable[[np.ndarray], np.ndarray] = np.exp,
    divide: Callable[[np.ndarray, Axis], np.ndarray] = _shares,
    after: Callable[[np.ndarray, float], np.ndarray] = lambda weights, temperature: weights,
) -> Callable[..., np.ndarray]:
    """Softmax with temperature, with one or more of its steps replaced by a wrong one."""

    def answer(x: np.ndarray, temperature: float) -> np.ndarray:
        z = scale(numbers(x), temperature)
        return after(divide(power(z - shift(z, axis)), axis), temperature)

    return answer


alone = variant.__wrapped__  # the same, but not tried together with a second mistake


def _softmax(x: np.ndarray) -> np.ndarray:
    return _shares(np.exp(x - _largest(x, -1)), -1)


def _sum(powers: np.ndarray) -> np.ndarray:
    return powers.sum(axis=-1, keepdims=True)


def _one_hot(x: np.ndarray) -> np.ndarray:
    return (x == x.max(axis=-1, keepdims=True)).astype(x.dtype)


def _in_place(x: np.ndarray, temperature: float) -> np.ndarray:
    x /= temperature
    return x


def _hard_below(limit: float) -> Callable[[np.ndarray, float], np.ndarray]:
    return lambda x, temperature: _one_hot(x) if temperature < limit else _softmax(x / temperature)


MISTAKES = (
    Mistake(
        "temperature-multiplied",
        "You multiplied by the temperature; a high temperature then sharpens instead of flattening.",
        variant(scale=lambda x, temperature: x * temperature),
        "At temperature 1000, should the weights be equal or one-hot?",
    ),
    # adding a constant to all numbers, or multiplying all exponentials, cancels in a softmax
    Mistake(
        "temperature-ignored",
        "The temperature changes nothing: it is not used, or added to every number (or multiplies every exponential), "
        "and softmax does not notice that.",
        variant(scale=lambda x, temperature: x),
        "Only a change of the differences between the numbers changes the weights.",
    ),
    Mistake(
        "temperature-after-softmax",
        "You divided the weights; they then no longer sum to 1.",
        variant(
            scale=lambda x, temperature: x,
            after=lambda weights, temperature: weights / temperature,
        ),
        "Divide x, before the exponentials.",
    ),
    Mistake(
        "temperature-after-softmax",
        "You multiplied the weights by the temperature; they then no longer sum to 1.",
        alone(
            scale=lambda x, temperature: x,
            after=lambda weights, temperature: weights * temperature,
        ),
        "Divide x, before the exponentials.",
    ),
    Mistake(
        "temperature-after-softmax",
        "You took a power of the weights after the softmax: a weight that has become 0 by then stays 0.",
        alone(
            scale=lambda x, temperature: x,
            after=lambda weights, temperature: _shares(weights ** (1 / temperature), -1),
        ),
        "Divide x, before the exponentials.",
    ),
    Mistake(
        "temperature-after-softmax",
        "You took a power of the weights after the softmax; they then no longer sum to 1.",
        alone(
            scale=lambda x, temperature: x,
            after=lambda weights, temperature: weights ** (1 / temperature),
        ),
        "Divide x, before the exponentials.",
    ),
    Mistake(
        "temperature-after-softmax",
        "You divided x by the temperature, and the weights once more; they then no longer sum to 1.",
        alone(after=lambda weights, temperature: weights / temperature),
        "The temperature has done its work before the exponentials.",
    ),
    Mistake(
        "temperature-after-softmax",
        "You divided x by the temperature and multiplied the weights by it; they then no longer sum to 1.",
        alone(after=lambda weights, temperature: weights * temperature),
        "The temperature has done its work before the exponentials.",
    ),
    Mistake(
        "one-term-forgotten",
        "The temperature divides the numbers above the fraction line, but not those in the sum below it.",
        lambda x, temperature: (
            np.exp((x - _largest(x, -1)) / temperature) / _sum(np.exp(x - _largest(x, -1)))
        ),
        "Give the exponentials a name, and divide them by their own sum.",
    ),
    Mistake(
        "one-term-forgotten",
        "The temperature divides the numbers in the sum below the fraction line, but not those above it.",
        lambda x, temperature: (
            np.exp(x - _largest(x, -1)) / _sum(np.exp((x - _largest(x, -1)) / temperature))
        ),
        "Give the exponentials a name, and divide them by their own sum.",
    ),
    Mistake(
        "softmax-again",
        "You divided the weights of a first softmax by the temperature and took a second softmax of them.",
        lambda x, temperature: _softmax(_softmax(x) / temperature),
        "Divide x, before the exponentials, and take one softmax.",
    ),
    Mistake(
        "softmax-again",
        "You applied the softmax twice, which makes the weights nearly equal.",
        variant(after=lambda weights, temperature: _softmax(weights)),
        "How often does `exp` appear in your code, or is called by it?",
    ),
    Mistake(
        "scaled-by-sqrt-temperature",
        "You divided by the square root of the temperature.",
        variant(scale=lambda x, temperature: x / np.sqrt(temperature)),
        "The temperature itself divides the numbers.",
    ),
    Mistake(
        "temperature-squared",
        "You divided by the temperature twice.",
        variant(scale=lambda x, temperature: x / temperature**2),
        "Divide once.",
    ),
    Mistake(
        "arguments-swapped",
        "You divided the temperature by the numbers; it is the other way round.",
        alone(scale=lambda x, temperature: temperature / x),
        "At a high temperature, should the differences become larger or smaller?",
    ),
    *(
        Mistake(
            "temperature-clamped",
            "You raised low temperatures to a lowest one; every temperature above 0 counts as it is.",
            alone(scale=lambda x, temperature, least=least: x / max(temperature, least)),
            "With the maximum taken away, can a small temperature do any harm?",
        )
        for least in (0.01, 0.1, 0.5, 1.0)
    ),
    Mistake(
        "temperature-clamped",
        "You cut high temperatures off; every temperature above 0 counts as it is.",
        alone(scale=lambda x, temperature: x / min(temperature, 1.0)),
        "What should the weights be at temperature 1000?",
    ),
    *(
        Mistake(
            "epsilon-too-large",
            f"You added {epsilon:g} to the temperature, which shows where the temperature is small.",
            alone(scale=lambda x, temperature, e=epsilon: x / (temperature + e)),
            "The temperature is above 0: what would the addition protect from?",
        )
        for epsilon in (1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1)
    ),
    *(
        Mistake(
            "epsilon-too-large",
            f"You added {epsilon:g} to the sum, so the weights do not sum to 1 any more.",
            alone(divide=lambda powers, axis, e=epsilon: powers / (powers.sum(axis=axis, keepdims=True) + e)),
            "After the maximum is taken away, can the sum be 0 at all?",
        )
        for epsilon in (1e-5, 1e-4, 1e-3, 1e-2)
    ),
    Mistake(
        "hard-lookup",
        "You gave all the weight to the largest number; softmax leaves some for the others, at every temperature above 0.",
        variant(power=lambda z: (z == 0).astype(z.dtype)),
        "What are the weights of [0, ln 4] at temperature 2?",
    ),
    *(
        Mistake(
            "hard-lookup",
            "At a low temperature you gave all the weight to the largest number; the others keep a little of it.",
            _hard_below(limit),
            "Low is not 0: does the formula stop working?",
        )
        for limit in (0.01, 0.1, 1.0)
    ),
    Mistake(
        "truncates-to-int",
        "You divided with `//`, which rounds down.",
        variant(scale=lambda x, temperature: x // temperature),
        "What is 3 // 2, and what is 3 / 2?",
    ),
    Mistake(
        "truncates-to-int",
        "You rounded the divided numbers.",
        alone(scale=lambda x, temperature: np.round(x / temperature)),
        "Keep the digits after the point.",
    ),
    Mistake(
        "truncates-to-int",
        "You cut the temperature off to an integer; below 1 it becomes 0.",
        alone(scale=lambda x, temperature: x / int(temperature)),
        "What is int(0.5)?",
    ),
    Mistake(
        "truncates-to-int",
        "`1 // temperature` rounds down: it is 0 for every temperature above 1.",
        alone(scale=lambda x, temperature: x * (1 // temperature)),
        "What is 1 // 2, and what is 1 / 2?",
    ),
    Mistake(
        "input-changed",
        "You wrote into the caller's array.",
        variant(scale=_in_place),
        "`x /= t` changes x; `x / t` makes a new array.",
    ),
    Mistake(
        "no-max-subtraction",
        "Your exponentials overflow: a small temperature makes large numbers.",
        variant(shift=_nothing),
        "Use your own `softmax`; it knows how to deal with large numbers.",
    ),
    Mistake(
        "no-max-subtraction",
        "Your exponentials overflow: you took them before the temperature could make the numbers smaller.",
        lambda x, temperature: _shares(np.exp(x) ** (1 / temperature), -1),
        "Divide x, before the exponentials, and use your own `softmax`.",
    ),
    Mistake(
        "no-max-subtraction",
        "Your exponentials overflow, and turning the NaN into 0 only hides it: these weights do not sum to 1.",
        alone(shift=_nothing, after=lambda weights, temperature: np.nan_to_num(weights)),
        "Use your own `softmax`; it knows how to deal with large numbers.",
    ),
    Mistake(
        "no-max-subtraction",
        "Your exponentials overflow, if only for numbers above 10000: e^20000 is too large for a long double too.",
        alone(
            scale=lambda x, temperature: x.astype(np.longdouble) / temperature,
            shift=_nothing,
            after=lambda weights, temperature: weights.astype(np.float64),
        ),
        "Use your own `softmax`; it knows how to deal with large numbers.",
    ),
    Mistake(
        "no-max-subtraction",
        "You cut large numbers off instead of taking the maximum away: cut off they are equal, and so are their weights.",
        alone(scale=lambda x, temperature: np.clip(x / temperature, -50, 50), shift=_nothing),
        "Use your own `softmax`; it knows how to deal with large numbers.",
    ),
    Mistake(
        "operator-precedence",
        "You divided only the maximum by the temperature, not the numbers: `x - m / t` is x - (m / t).",
        lambda x, temperature: _shares(np.exp(x - _largest(x, -1) / temperature), -1),
        "Where do parentheses belong?",
    ),
    Mistake(
        "operator-precedence",
        "You divided the numbers by the temperature, but not the maximum you took away: the exponentials overflow, or all "
        "become 0.",
        lambda x, temperature: _shares(np.exp(x / temperature - _largest(x, -1)), -1),
        "Take the maximum of what goes into the exponential.",
    ),
    Mistake(
        "global-max",
        "You took away one maximum for the whole array; rows far below it become 0 / 0.",
        alone(shift=lambda z, axis: z.max()),
        "Each row has a maximum of its own: use the axis.",
    ),
    Mistake(
        "mean-for-max",
        "What you take away is the mean, not the maximum, so large differences still overflow.",
        alone(shift=lambda z, axis: z.mean(axis=axis, keepdims=True)),
        "After the subtraction no number should be above 0.",
    ),
    Mistake(
        "min-for-max",
        "You took the smallest number away; the largest then still overflows. It should be the largest.",
        alone(shift=lambda z, axis: z.min(axis=axis, keepdims=True)),
        "After the subtraction no number should be above 0.",
    ),
    Mistake(
        "softmax-over-queries",
        "Your weights sum to 1 along the first axis; use the last one.",
        variant(axis=0),
        "Which axis does the softmax get?",
    ),
    Mistake(
        "softmax-over-queries",
        "Your weights sum to 1 down the columns; each row should.",
        variant(axis=-2),
        "Which axis does the softmax get?",
    ),
    Mistake(
        "softmax-over-queries",
        "Your maximum runs along the first axis; the sum, rightly, along the last.",
        alone(shift=lambda z, axis: _largest(z, 0)),
        "What you take away must be the same for all numbers that share one sum.",
    ),
    Mistake(
        "axis-counted-from-front",
        "You used axis 1, which is the last one in a matrix only.",
        alone(axis=1),
        "Count from the end, so that any number of axes may stand in front.",
    ),
    Mistake(
        "softmax-over-everything",
        "Your weights sum to 1 over the whole array; each row should.",
        variant(axis=None),
        "Which axis does the softmax get?",
    ),
    Mistake(
        "softmax-over-everything",
        "You divided by the sum over the whole array; each row has a sum of its own.",
        alone(divide=lambda powers, axis: powers / powers.sum()),
        "Does your sum get an axis?",
    ),
    Mistake(
        "keepdims-forgotten",
        "Your sum loses an axis, so it is divided along the wrong one, or does not fit at all.",
        variant(divide=lambda powers, axis: powers / powers.sum(axis=axis)),
        "`np.sum` has an option that keeps the summed axis with length 1.",
    ),
    Mistake(
        "keepdims-forgotten",
        "Your maximum loses an axis, so it is taken away along the wrong one, or does not fit at all.",
        variant(shift=lambda z, axis: z.max(axis=axis)),
        "`np.max` has an option that keeps the axis with length 1.",
    ),
    Mistake(
        "keepdims-forgotten",
        "Your maximum and your sum lose an axis, so they line up with the wrong one, or do not fit at all.",
        alone(
            shift=lambda z, axis: z.max(axis=axis), divide=lambda powers, axis: powers / powers.sum(axis=axis)
        ),
        "`np.max` and `np.sum` have an option that keeps the axis with length 1.",
    ),
    # dividing by the largest, which is 1 by then, is the same
    Mistake(
        "not-normalised",
        "Your weights do not sum to 1: the largest is 1. Divide by the sum of all exponentials.",
        variant(divide=lambda powers, axis: powers),
        "What should the weights of a row add up to?",
    ),
    Mistake(
        "not-normalised",
        "Your weights do not sum to 1: these are bare exponentials.",
        alone(shift=_nothing, divide=lambda powers, axis: powers),
        "What should the weights of a row add up to?",
    ),
    Mistake(
        "mean-instead-of-sum",
        "You divided by the mean of the exponentials; the weights of a row should sum to 1.",
        variant(divide=lambda powers, axis: powers / powers.mean(axis=axis, keepdims=True)),
        "What should the weights of a row add up to?",
    ),
    Mistake(
        "no-softmax",
        "You returned the divided numbers; the softmax is missing.",
        lambda x, temperature: x / temperature,
        "What should the weights of a row add up to?",
    ),
    Mistake(
        "no-exponential",
        "You divided by the sum without exponentials; the temperature then cancels.",
        variant(shift=_nothing, power=lambda z: z),
        "Which function makes every number positive?",
    ),
    Mistake(
        "sigmoid",
        "You squeezed each number by itself with a sigmoid; the weights of a row should depend on each other and sum to 1.",
        lambda x, temperature: 1 / (1 + np.exp(-x / temperature)),
        "What should the weights of a row add up to?",
    ),
    Mistake(
        "wrong-base",
        "You took powers of 2; it should be powers of e.",
        variant(power=np.exp2),
        "Which function of NumPy has e built in?",
    ),
    Mistake(
        "wrong-base",
        "You took powers of the temperature; it should be powers of e of the divided numbers.",
        lambda x, temperature: _shares(temperature**x, -1),
        "Divide x by the temperature, then use `softmax`.",
    ),
    Mistake(
        "log-softmax",
        "You returned the logarithm of the weights.",
        alone(divide=lambda powers, axis: np.log(_shares(powers, axis))),
        "Weights lie between 0 and 1.",
    ),
    Mistake(
        "log-softmax",
        "You returned the logarithm of the weights.",
        lambda x, temperature: x / temperature - np.logaddexp.reduce(x / temperature, axis=-1, keepdims=True),
        "Weights lie between 0 and 1.",
    ),
    Mistake(
        "sign-flipped",
        "Large numbers get small weights: a sign is flipped.",
        variant(numbers=lambda x: -x),
        "Is it x minus the maximum, or the maximum minus x?",
    ),
    Mistake(
        "sign-flipped",
        "Large numbers get small weights: you took the numbers from the maximum, not the maximum from the numbers.",
        alone(power=lambda z: np.exp(-z)),
        "Is it x minus the maximum, or the maximum minus x?",
    ),
    Mistake(
        "lost-sign",
        "You dropped the signs before the exponential: -5 gets the weight of 5.",
        variant(numbers=np.abs),
        "The exponential is positive already, for every number.",
    ),
)
