"""What people get wrong in `softmax`: the same function with one step replaced."""

from collections.abc import Callable

import numpy as np

from helpers.exercises.wrong import softmax
from helpers.exercises.wrong.generic import centred_rows
from helpers.exercises.wrong.rows import mistakes, paired, rows, without
from helpers.exercises.wrong.softmax import CAN_IT_BE_0, as_it_is, largest, nothing, powers, shares

Array = np.ndarray
Axis = int | None
Step = Callable[[Array, Axis], Array]


def variant(
    *,
    numbers: Callable[[Array], Array] = lambda x: x,
    axis: Callable[[Axis], Axis] = lambda given: -1 if given is None else given,
    shift: Step = largest,
    power: Step = powers,
    divide: Step = shares,
    after: Step = lambda weights, axis: weights,
) -> Callable[..., Array]:
    """Softmax with one or more of its steps replaced by a wrong one."""

    def answer(x: Array, given: Axis = None) -> Array:
        along = axis(given)
        x = numbers(x)
        return after(divide(power(x - shift(x, along), along), along), along)

    return answer


def _in_place(x: Array, axis: Axis) -> float:
    x -= x.max(axis=axis, keepdims=True)
    return 0.0


def _by_two(parts: Array, axis: Axis) -> Array:
    return parts / np.take(parts, [0, 1], axis).sum(axis=axis, keepdims=True)


def _growing(parts: Array, axis: Axis) -> Array:
    """Each row divided by a total that is never set back."""
    if axis is None:
        return parts / parts.sum()
    moved = np.moveaxis(parts, axis, -1)
    totals = np.cumsum(moved.sum(-1)).reshape(*moved.shape[:-1], 1)
    return np.moveaxis(moved / totals, -1, axis)


def _shifted(x: Array) -> Array:
    return np.exp(x - largest(x, -1))


def _of_a_matrix(x: Array, axis: int = -1) -> Array:
    _rows, _columns = x.shape
    return shares(_shifted(x), -1)


def _of_a_matrix_by_size(x: Array, axis: int = -1) -> Array:
    weights = np.zeros((x.shape[0], x.shape[1]))
    for i in range(x.shape[0]):
        weights[i] = shares(_shifted(x[i]), -1)
    return weights


MISTAKES = mistakes(
    variant,
    *rows(
        "no-max-subtraction: Your exponentials overflow: e^1000 is infinite, and infinity divided by infinity is NaN.",
        "What can you take away from all numbers of a row without changing their weights?",
        paired(shift=nothing),
        "no-max-subtraction: Your exponentials overflow, and turning the NaN into 1 only hides it: these weights do not sum to 1.",
        "What can you take away from all numbers of a row, so that no exponential overflows?",
        {"shift": nothing, "after": lambda weights, axis: np.nan_to_num(weights, nan=1.0)},
        "no-max-subtraction: Your exponentials overflow, and such a row gets weights of 0, which do not sum to 1.",
        {"shift": nothing, "after": lambda weights, axis: np.nan_to_num(weights)},
        lambda x, axis=-1: np.exp(x - np.log(np.exp(x).sum(axis=axis, keepdims=True))),
        "no-max-subtraction: Your exponentials overflow, if only for numbers above 10000: e^20000 is too large for a long double too.",
        {
            "numbers": lambda x: x.astype(np.longdouble),
            "shift": nothing,
            "after": lambda weights, axis: weights.astype(np.float64),
        },
        "no-max-subtraction: You cut large numbers off instead of taking something away: cut off they are equal, and so are their weights.",
        "[1000, 1001, 1002] and [0, 1, 2] should get the same weights.",
        {"numbers": lambda x: np.clip(x, -50, 50), "shift": nothing},
        {"numbers": lambda x: np.minimum(x, 50), "shift": nothing},
        "no-max-subtraction: You took the same constant away whatever the numbers are: for some rows it is too little and the exponentials overflow, for others too much and all of them become 0.",
        "Which number of the row itself can you take away?",
        *({"shift": lambda x, axis, c=constant: c} for constant in (100.0, 500.0, 1000.0)),
        "no-max-subtraction: You divided by the largest number, or by the largest without its sign; that changes the weights. Taking the maximum away does not.",
        "[1, 2] and [2, 4] should not get the same weights; [1, 2] and [2, 3] should.",
        lambda x, axis=-1: shares(np.exp(x / largest(x, axis)), axis),
        lambda x, axis=-1: shares(np.exp(x / largest(np.abs(x), axis)), axis),
        "mean-for-max: What you take away is not the maximum, so large differences still overflow.",
        "After the subtraction no number should be above 0.",
        paired(shift=lambda x, axis: x.mean(axis=axis, keepdims=True)),
        "lost-sign: In a row of large negative numbers everything becomes 0, and 0 / 0 is NaN: what you take away is not their maximum.",
        "Which number of [-1000, -999] is the largest? It has a sign, and lies below 0.",
        {"shift": lambda x, axis: np.abs(x).max(axis=axis, keepdims=True)},
        "operator-precedence: You took the maximum away from the exponentials; it belongs inside, before `exp`.",
        "Which comes first, the subtraction or the exponential?",
        {"shift": nothing, "power": lambda x, axis: np.exp(x) - x.max(axis=axis, keepdims=True)},
        "operator-precedence: You took something away from the exponentials, so the largest of them becomes 0; the subtraction belongs inside `exp`.",
        {"power": lambda z, axis: np.exp(z) - 1},
        "one-term-forgotten: You took the maximum away above the fraction line and not below it; it only cancels if it is in both.",
        "Give the shifted exponentials a name, and divide them by their own sum.",
        lambda x, axis=-1: np.exp(x - largest(x, axis)) / np.exp(x).sum(axis=axis, keepdims=True),
        "one-term-forgotten: You took the maximum away below the fraction line and not above it; it only cancels if it is in both.",
        lambda x, axis=-1: np.exp(x) / np.exp(x - largest(x, axis)).sum(axis=axis, keepdims=True),
        "input-changed: You wrote into the caller's array.",
        "`x -= m` changes x; `x - m` makes a new array.",
        paired(shift=_in_place),
        "softmax-over-everything: Your weights sum to 1 over the whole array; they should along one axis.",
        "Do your maximum and your sum get the axis?",
        paired(axis=lambda given: None),
        "axis-ignored: You always use the last axis, whatever `axis` says.",
        "Where does `axis` appear in your code?",
        paired(axis=lambda given: -1),
        "axis-ignored: You follow `axis` only where it is 0; any other axis is taken for the last.",
        {"axis": lambda given: 0 if given == 0 else -1},
        "axis-ignored: Your maximum follows `axis`, but your sum always runs along the last axis.",
        paired(divide=lambda parts, axis: shares(parts, -1)),
        "softmax-over-queries: You always use the first axis, whatever `axis` says: the columns of a matrix sum to 1, not its rows.",
        paired(axis=lambda given: 0),
        "softmax-over-queries: You always use the axis before the last, whatever `axis` says: the columns sum to 1, not the rows.",
        {"axis": lambda given: -2},
        "axis-ignored: You always use axis 1, whatever `axis` says.",
        "Where does `axis` appear in your code? And which axis does an array with one axis have?",
        {"axis": lambda given: 1},
        "axis-ignored: Your sum follows `axis`, but your maximum always runs along the last axis.",
        "What you take away must be the same for all numbers that share one sum.",
        paired(shift=lambda x, axis: largest(x, -1)),
        "axis-ignored: Your sum follows `axis`, but your maximum always runs along the first axis.",
        {"shift": lambda x, axis: largest(x, 0)},
        "axis-ignored: Your function does not take `axis` as its second argument.",
        "A call may look like `softmax(x, 0)`: compare your `def` line with the task's.",
        lambda x: softmax.softmax(x),
        "default-axis-missing: Your function cannot be called without `axis`; without it, the last axis is meant.",
        lambda x, axis: softmax.softmax(x, axis),
        "wrong-default-axis: Called without `axis`, your function uses axis 0; it should be the last axis.",
        "Look at the default in your `def` line: which number always means the last axis?",
        {"axis": lambda given: 0 if given is None else given},
        "wrong-default-axis: Called without `axis`, your function uses axis 1; it should be the last axis.",
        {"axis": lambda given: 1 if given is None else given},
        "wrong-default-axis: Called without `axis`, your function uses the whole array; it should be the last axis.",
        {"axis": lambda given: given},
        "keepdims-forgotten: You put the lost axis back by hand with `[:, None]`, which fits nothing but the rows of a matrix.",
        "`np.max` and `np.sum` have an option that keeps the axis, wherever it is.",
        {
            "shift": lambda x, axis: x.max(axis=axis)[:, None],
            "divide": lambda parts, axis: parts / parts.sum(axis=axis)[:, None],
        },
        "keepdims-forgotten: You put the lost axis back at the end, which fits only where `axis` is the last one.",
        {
            "shift": lambda x, axis: x.max(axis=axis)[..., None],
            "divide": lambda parts, axis: parts / parts.sum(axis=axis)[..., None],
        },
        "keepdims-forgotten: You put the lost axis back with `reshape(-1, 1)`, which fits nothing but the rows of a matrix.",
        {
            "shift": lambda x, axis: x.max(axis=axis).reshape(-1, 1),
            "divide": lambda parts, axis: parts / parts.sum(axis=axis).reshape(-1, 1),
        },
        "reshape-instead-of-transpose: You cut the array into rows as long as `axis`; `reshape` does not move that axis to the end.",
        "Let `np.max` and `np.sum` find the axis: they take it as an argument.",
        lambda x, axis=-1: shares(_shifted(x.reshape(-1, x.shape[axis])), -1).reshape(x.shape),
        "no-exponential: You divided by the sum without exponentials; negative numbers then give negative weights.",
        "Which function makes every number positive?",
        paired(shift=nothing, power=as_it_is),
        "no-exponential: You made the numbers positive by taking the smallest away; softmax takes exponentials.",
        "Which function makes every number positive, and never 0?",
        {"shift": lambda x, axis: x.min(axis=axis, keepdims=True), "power": as_it_is},
        "no-exponential: You took the maximum away and divided by the sum: the exponentials in between are missing.",
        paired(power=as_it_is),
        "no-exponential: You made the numbers positive with their absolute value; softmax takes exponentials.",
        {"shift": nothing, "power": lambda z, axis: np.abs(z)},
        "no-exponential: You made the numbers positive by squaring; softmax takes exponentials.",
        {"shift": nothing, "power": lambda z, axis: z**2},
        "no-exponential: You set negative numbers to 0; softmax takes exponentials, so that small numbers keep a small weight.",
        {"shift": nothing, "power": lambda z, axis: np.maximum(z, 0)},
        "no-exponential: You stretched the numbers between 0 and 1; softmax takes exponentials.",
        lambda x, axis=-1: (x - x.min(axis, keepdims=True)) / np.ptp(x, axis, keepdims=True),
        "no-exponential: You divided the exponentials by the sum of the numbers; it should be the sum of the exponentials.",
        lambda x, axis=-1: np.exp(x - largest(x, axis)) / x.sum(axis=axis, keepdims=True),
        *(
            part
            for base in (2.0, 3.0, 10.0, 2.718, 2.7, 2.72)
            for part in (
                f"wrong-base: You took powers of {base:g}; it should be powers of e = 2.71828...",
                "Which function of NumPy has e built in?",
                {"power": lambda z, axis, base=base: base**z},
            )
        ),
        "hard-lookup: You gave all the weight to the largest number; softmax leaves some for the others.",
        "What are the weights of [0, ln 2, ln 5]?",
        lambda x, axis=-1: 1.0 * (x == largest(x, axis)),
        "hard-lookup: You returned the place of the largest number; softmax gives a weight to every number.",
        "Should the result have the shape of x?",
        lambda x, axis=-1: np.argmax(x, axis=axis),
        "log-softmax: You returned the logarithm of the sum of exponentials; it is one step of the way.",
        lambda x, axis=-1: np.logaddexp.reduce(x, axis=axis),
        "lost-sign: You set negative numbers to 0 before the exponential.",
        "The exponential is positive already, for every number.",
        {"numbers": lambda x: np.maximum(x, 0)},
        "truncates-to-int: You cut the numbers off to integers before the exponential.",
        "Look for `int`, `//`, `round` or an array made for integers.",
        {"numbers": np.trunc},
        "scaled-by-sqrt-n: You divided the numbers by the root of how many there are; softmax takes them as they are.",
        "What are the weights of [0, ln 2, ln 5]?",
        lambda x, axis=-1: softmax.softmax(x / np.sqrt(x.shape[axis]), axis),
        "extra-layernorm: You brought the numbers to mean 0 and spread 1 first; that changes the weights.",
        "[0, 1] and [0, 2] should not get the same weights.",
        lambda x, axis=-1: softmax.softmax(centred_rows(x, axis) / x.std(axis, keepdims=True), axis),
        "zero-as-sentinel: You turned -inf into 0; but e^0 is 1, a real weight. The exponential of -inf is 0, as it should be.",
        "What is `np.exp(-np.inf)`?",
        paired(numbers=lambda x: np.where(np.isinf(x), 0.0, x)),
        "max-for-sum: You divided by the largest exponential; the weights of a row should sum to 1.",
        "What should the weights of a row add up to?",
        {"shift": nothing, "divide": lambda parts, axis: parts / parts.max(axis=axis, keepdims=True)},
        "constant-divisor: You divided by how many numbers there are; it should be the sum of their exponentials.",
        {"divide": lambda parts, axis: parts / (parts.size if axis is None else parts.shape[axis])},
        "result-inverted: You returned 1 minus the weights: the largest number gets the smallest.",
        {"after": lambda weights, axis: 1 - weights},
        "weights-squared: You squared the weights; they then no longer sum to 1.",
        {"after": lambda weights, axis: weights**2},
        "wrong-norm: You divided by the length of the vector, the root of the sum of squares; it should be the plain sum.",
        "The weights themselves should sum to 1, not their squares.",
        {"divide": lambda parts, axis: parts / np.sqrt((parts**2).sum(axis=axis, keepdims=True))},
        "log-softmax: You returned the logarithm of the weights.",
        "Weights lie between 0 and 1.",
        lambda x, axis=-1: x - np.logaddexp.reduce(x, axis=axis, keepdims=True),
        "small-weights-dropped: You set small weights to 0; softmax gives every finite number a weight above 0.",
        "Return the weights as they are.",
        {"after": lambda weights, axis: np.where(weights < 1e-2, 0, weights)},
        "softmax-again: You applied the softmax twice, which makes the weights nearly equal.",
        "How often does `exp` appear in your code, or is called by it?",
        paired(after=lambda weights, axis: softmax.softmax(weights, axis)),
        "keepdims-forgotten: Your sum loses an axis, so it is divided along the wrong one, or does not fit at all; and one maximum for the whole array makes rows far below it 0 / 0.",
        "`np.sum` has an option that keeps the summed axis with length 1; so has `np.max`, with an axis.",
        {"shift": lambda z, axis: z.max(), "divide": softmax.sum_without_axis},
        "no-max-subtraction: Your exponentials overflow, since nothing is taken away from the numbers; and your sum loses an axis.",
        "What can you take away from all numbers of a row? And `np.sum` has an option that keeps the axis with length 1.",
        {"shift": nothing, "divide": softmax.sum_without_axis},
        "fixed-size: You divided by the sum of the first two exponentials, however many there are.",
        "Which function adds up along an axis of any length?",
        {"divide": _by_two},
        "total-not-reset: Your total goes on growing from row to row: each row is divided by the sum of all rows up to it.",
        "Where does your total start: before the loop over the rows, or inside it?",
        {"divide": _growing},
        "arguments-ignored: Your answer does not change with its input x: it is the softmax of 0, 1 and 2, which are the `scores` of the notebook.",
        "Where does the argument x appear in your code?",
        lambda x, axis=-1: softmax.softmax(np.arange(3.0)),
        "fixed-number-of-axes: You go through the first axis and make one softmax of all that stands there: this fits the rows of a matrix only.",
        "Work along `axis` of the whole array at once, so that any number of axes may stand beside it.",
        lambda x, axis=-1: np.array([softmax.softmax(row, None) for row in x]),
        "fixed-number-of-axes: You count on a matrix and on its rows: x may have any number of axes, and `axis` may be any of them.",
        _of_a_matrix,
        _of_a_matrix_by_size,
    ),
    *without(softmax.SHIFTS, "mean-for-max"),
    *softmax.KEEPDIMS,
    *softmax.POWERS,
    *softmax.SHARES,
    number="number",
    numbers="numbers",
    all_powers="all exponentials",
    no_epsilon=CAN_IT_BE_0,
)
