"""What people get wrong in `softmax_with_temperature`: the same function with one step replaced."""

from collections.abc import Callable
from typing import Any

import numpy as np

from helpers.exercises.wrong import softmax as known
from helpers.exercises.wrong.rows import alone, mistakes, only, paired, rows, without
from helpers.exercises.wrong.softmax import as_it_is, largest, nothing, powers, shares, softmax

Array = np.ndarray
Axis = int | None


def variant(
    *,
    numbers: Callable[[Array], Array] = lambda x: x,
    scale: Callable[[Array, float], Array] = lambda x, temperature: x / temperature,
    axis: Axis = -1,
    shift: Callable[[Array, Axis], Any] = largest,
    power: Callable[[Array, Axis], Array] = powers,
    divide: Callable[[Array, Axis], Array] = shares,
    after: Callable[[Array, float], Array] = lambda weights, temperature: weights,
) -> Callable[..., Array]:
    """Softmax with temperature, with one or more of its steps replaced by a wrong one."""

    def answer(x: Array, temperature: float) -> Array:
        z = scale(numbers(x), temperature)
        return after(divide(power(z - shift(z, axis), axis), axis), temperature)

    return answer


def _over(parts: Array, others: Array) -> Array:
    return parts / others.sum(axis=-1, keepdims=True)


MISTAKES = mistakes(
    variant,
    *rows(
        "temperature-multiplied: You multiplied by the temperature; a high temperature then sharpens instead of flattening.",
        "At temperature 1000, should the weights be equal or one-hot?",
        paired(scale=lambda x, temperature: x * temperature),
        "temperature-ignored: The temperature changes nothing: it is not used, or added to every number (or multiplies every exponential), and softmax does not notice that.",
        "Only a change of the differences between the numbers changes the weights.",
        paired(scale=lambda x, temperature: x),
        "logarithm-first: You took the logarithm of x first: x holds scores, which may be negative, and not probabilities.",
        "What stands in the exponent: x itself, or its logarithm?",
        {"scale": lambda x, temperature: np.log(x) / temperature},
        "arguments-ignored: Your answer does not change with its input x: it takes 0, 1 and 2, which are the `scores` of the notebook.",
        "Where does the argument x appear in your code?",
        lambda x, temperature: softmax(np.arange(3.0) / temperature),
        "temperature-after-softmax: You divided the weights; they then no longer sum to 1.",
        "Divide x, before the exponentials.",
        paired(scale=lambda x, temperature: x, after=lambda weights, temperature: weights / temperature),
        "temperature-after-softmax: You multiplied the weights by the temperature; they then no longer sum to 1.",
        lambda x, temperature: softmax(x) * temperature,
        "temperature-after-softmax: You took a power of the weights after the softmax: a weight that has become 0 by then stays 0.",
        lambda x, temperature: shares(softmax(x) ** (1 / temperature), -1),
        "temperature-after-softmax: You took a power of the weights after the softmax; they then no longer sum to 1.",
        lambda x, temperature: softmax(x) ** (1 / temperature),
        "temperature-after-softmax: You divided x by the temperature, and the weights once more; they then no longer sum to 1.",
        "The temperature has done its work before the exponentials.",
        {"after": lambda weights, temperature: weights / temperature},
        "temperature-after-softmax: You divided x by the temperature and multiplied the weights by it; they then no longer sum to 1.",
        {"after": lambda weights, temperature: weights * temperature},
        "one-term-forgotten: The temperature divides the numbers above the fraction line, but not those in the sum below it.",
        "Give the exponentials a name, and divide them by their own sum.",
        lambda x, temperature: _over(np.exp((x - largest(x, -1)) / temperature), np.exp(x - largest(x, -1))),
        "one-term-forgotten: The temperature divides the numbers in the sum below the fraction line, but not those above it.",
        lambda x, temperature: _over(np.exp(x - largest(x, -1)), np.exp((x - largest(x, -1)) / temperature)),
        "softmax-again: You divided the weights of a first softmax by the temperature and took a second softmax of them.",
        "Divide x, before the exponentials, and take one softmax.",
        lambda x, temperature: softmax(softmax(x) / temperature),
        "scaled-by-sqrt-temperature: You divided by the square root of the temperature.",
        "The temperature itself divides the numbers.",
        paired(scale=lambda x, temperature: x / np.sqrt(temperature)),
        "temperature-squared: You divided by the temperature twice.",
        "Divide once.",
        paired(scale=lambda x, temperature: x / temperature**2),
        "arguments-swapped: You divided the temperature by the numbers; it is the other way round.",
        "At a high temperature, should the differences become larger or smaller?",
        {"scale": lambda x, temperature: temperature / x},
        "temperature-clamped: You raised low temperatures to a lowest one; every temperature above 0 counts as it is.",
        "With the maximum taken away, can a small temperature do any harm?",
        *({"scale": lambda x, temperature, least=least: x / max(temperature, least)} for least in (0.1, 0.5)),
        "temperature-clamped: You cut high temperatures off; every temperature above 0 counts as it is.",
        "What should the weights be at temperature 1000?",
        {"scale": lambda x, temperature: x / min(temperature, 1.0)},
        "temperature-clamped: You cut high temperatures off; every temperature above 0 counts as it is.",
        "What should the weights of [0, 10000] be at temperature 5000?",
        *(
            {"scale": lambda x, temperature, ends=ends: x / np.clip(temperature, *ends)}
            for ends in ((0.0, 5.0), (0.0, 10.0), (0.1, 10.0))
        ),
        *(
            part
            for epsilon in (1e-12, 1e-8, 1e-6, 1e-3)
            for part in (
                f"epsilon-too-large: You added {epsilon:g} to the temperature, which shows where the temperature is small.",
                "The temperature is above 0: what would the addition protect from?",
                {"scale": lambda x, temperature, e=epsilon: x / (temperature + e)},
            )
        ),
        "hard-lookup: You gave all the weight to the largest number; softmax leaves some for the others, at every temperature above 0.",
        "What are the weights of [0, ln 4] at temperature 2?",
        paired(power=lambda z, axis: (z == 0).astype(z.dtype)),
        "hard-lookup: At a low temperature you gave all the weight to the largest number; the others keep a little of it.",
        "Low is not 0: does the formula stop working?",
        *(
            lambda x, temperature, limit=limit: (
                1.0 * (x == largest(x, -1)) if temperature < limit else softmax(x / temperature)
            )
            for limit in (0.01, 0.1, 1.0)
        ),
        "truncates-to-int: You divided with `//`, which rounds down.",
        "What is 3 // 2, and what is 3 / 2?",
        paired(scale=lambda x, temperature: x // temperature),
        "truncates-to-int: You rounded the divided numbers.",
        "Keep the digits after the point.",
        {"scale": lambda x, temperature: np.round(x / temperature)},
        "truncates-to-int: You cut the temperature off to an integer; below 1 it becomes 0.",
        "What is int(0.5)?",
        {"scale": lambda x, temperature: x / int(temperature)},
        "truncates-to-int: You rounded 1 / temperature down, as `//` does: it is 0 for every temperature above 1.",
        "What is 1 // 2, and what is 1 / 2?",
        {"scale": lambda x, temperature: x * (1 // temperature)},
        "input-changed: You wrote into the caller's array.",
        "`x /= t` changes x; `x / t` makes a new array.",
        paired(scale=lambda x, temperature: np.divide(x, temperature, out=x)),
        "no-max-subtraction: Your exponentials overflow: a small temperature makes large numbers.",
        "Use your own `softmax`; it knows how to deal with large numbers.",
        paired(shift=nothing),
        "no-max-subtraction: Your exponentials overflow, and turning the NaN into 0 only hides it: these weights do not sum to 1.",
        {"shift": nothing, "after": lambda weights, temperature: np.nan_to_num(weights)},
        "no-max-subtraction: Your exponentials overflow, if only for numbers above 10000: e^20000 is too large for a long double too.",
        {
            # no other temperature: in a browser a long double overflows like any other number
            "numbers": lambda x: x.astype(np.longdouble),
            "shift": nothing,
            "after": lambda weights, temperature: weights.astype(np.float64),
        },
        "no-max-subtraction: You cut large numbers off instead of taking the maximum away: cut off they are equal, and so are their weights.",
        {"scale": lambda x, temperature: np.clip(x / temperature, -50, 50), "shift": nothing},
        "no-max-subtraction: Your exponentials overflow: you took them before the temperature could make the numbers smaller.",
        "Divide x, before the exponentials, and use your own `softmax`.",
        lambda x, temperature: shares(np.exp(x) ** (1 / temperature), -1),
        "operator-precedence: You divided only the maximum by the temperature, not the numbers: `x - m / t` is x - (m / t).",
        "Where do parentheses belong?",
        lambda x, temperature: shares(np.exp(x - largest(x, -1) / temperature), -1),
        "operator-precedence: You divided the numbers by the temperature, but not the maximum you took away: the exponentials overflow, or all become 0.",
        "Take the maximum of what goes into the exponential.",
        lambda x, temperature: shares(np.exp(x / temperature - largest(x, -1)), -1),
        "softmax-over-queries: Your weights sum to 1 along the first axis; use the last one.",
        "Which axis does the softmax get?",
        paired(axis=0),
        "softmax-over-queries: Your weights sum to 1 down the columns; each row should.",
        paired(axis=-2),
        "softmax-over-everything: Your weights sum to 1 over the whole array; each row should.",
        paired(axis=None),
        "softmax-over-queries: Your maximum runs along the first axis; the sum, rightly, along the last.",
        "What you take away must be the same for all numbers that share one sum.",
        {"shift": lambda z, axis: largest(z, 0)},
        "axis-counted-from-front: You used axis 1, which is the last one in a matrix only.",
        "Count from the end, so that any number of axes may stand in front.",
        {"axis": 1},
        "no-softmax: You returned the divided numbers; the softmax is missing.",
        "What should the weights of a row add up to?",
        lambda x, temperature: x / temperature,
        "no-exponential: You divided by the sum without exponentials; the temperature then cancels.",
        "Which function makes every number positive?",
        paired(shift=nothing, power=as_it_is),
        "wrong-base: You took powers of 2; it should be powers of e.",
        "Which function of NumPy has e built in?",
        paired(power=lambda z, axis: np.exp2(z)),
        "wrong-base: You took powers of the temperature; it should be powers of e of the divided numbers.",
        "Divide x by the temperature, then use `softmax`.",
        lambda x, temperature: shares(temperature**x, -1),
        "log-softmax: You returned the logarithm of the weights.",
        "Weights lie between 0 and 1.",
        lambda x, temperature: x / temperature - np.logaddexp.reduce(x / temperature, axis=-1, keepdims=True),
    ),
    *alone(without(known.SHIFTS, "first-row-max")),  # the calls do not tell it from one maximum for all
    *known.KEEPDIMS,
    *known.POWERS[0:3:2],
    *alone([known.POWERS[1], *only(known.POWERS, "sigmoid"), *only(known.SHARES, "softmax-over-everything")]),
    *without(known.SHARES, "softmax-over-everything", "log-softmax"),
    *known.AGAIN,
    number="number",
    numbers="numbers",
    all_powers="all exponentials",
    no_epsilon=known.CAN_IT_BE_0,
)
