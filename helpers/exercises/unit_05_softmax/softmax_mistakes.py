"""What people get wrong in `softmax`: the same function with one step replaced."""

from collections.abc import Callable

import numpy as np

from helpers.exercises.base import Mistake, replaceable

Axis = int | None
Step = Callable[[np.ndarray, Axis], np.ndarray]


def _largest(x: np.ndarray, axis: Axis) -> np.ndarray:
    return x.max(axis=axis, keepdims=True)


def _nothing(x: np.ndarray, axis: Axis) -> float:
    return 0.0


def _powers(z: np.ndarray, axis: Axis) -> np.ndarray:
    return np.exp(z)


def _shares(powers: np.ndarray, axis: Axis) -> np.ndarray:
    return powers / powers.sum(axis=axis, keepdims=True)


def _back(weights: np.ndarray, axis: Axis) -> np.ndarray:
    return weights.astype(np.float64)


def _as_they_are(powers: np.ndarray, axis: Axis) -> np.ndarray:
    return powers


@replaceable
def variant(
    *,
    numbers: Callable[[np.ndarray], np.ndarray] = lambda x: x,
    axis: Callable[[Axis], Axis] = lambda given: -1 if given is None else given,
    shift: Step = _largest,
    power: Step = _powers,
    divide: Step = _shares,
    after: Step = lambda weights, axis: weights,
) -> Callable[..., np.ndarray]:
    """Softmax with one or more of its steps replaced by a wrong one."""

    def answer(x: np.ndarray, given: Axis = None) -> np.ndarray:
        along = axis(given)
        x = numbers(x)
        return after(divide(power(x - shift(x, along), along), along), along)

    return answer


alone = variant.__wrapped__  # the same, but not tried together with a second mistake


def _default(axis: Axis) -> Callable[[Axis], Axis]:
    return lambda given: axis if given is None else given


def _in_place(x: np.ndarray, axis: Axis) -> float:
    x -= x.max(axis=axis, keepdims=True)
    return 0.0


def _with_epsilon(epsilon: float) -> Step:
    return lambda powers, axis: powers / (powers.sum(axis=axis, keepdims=True) + epsilon)


def _base(base: float) -> Step:
    return lambda z, axis: base**z


def _softmax_needs_axis(x: np.ndarray, axis: int) -> np.ndarray:
    return _shares(np.exp(x - _largest(x, axis)), axis)


def _softmax_takes_no_axis(x: np.ndarray) -> np.ndarray:
    return _shares(np.exp(x - _largest(x, -1)), -1)


# so the error of a missing argument reads as the learner's own
_softmax_needs_axis.__qualname__ = _softmax_takes_no_axis.__qualname__ = "softmax"


def _shifted(x: np.ndarray) -> np.ndarray:
    return np.exp(x - _largest(x, -1))


def _of_a_matrix(x: np.ndarray, axis: int = -1) -> np.ndarray:
    _rows, _columns = x.shape
    return _shares(_shifted(x), -1)


def _of_a_matrix_by_size(x: np.ndarray, axis: int = -1) -> np.ndarray:
    weights = np.zeros((x.shape[0], x.shape[1]))
    for i in range(x.shape[0]):
        weights[i] = _shares(_shifted(x[i]), -1)
    return weights


def _over_the_rows(x: np.ndarray, axis: int = -1) -> np.ndarray:
    """One softmax for each entry along the first axis, whatever that is."""
    return np.array([_shares(np.exp(row - np.max(row)), None) for row in x])


def _min_to_max(x: np.ndarray, axis: int = -1) -> np.ndarray:
    lowest = x.min(axis=axis, keepdims=True)
    return (x - lowest) / (x.max(axis=axis, keepdims=True) - lowest)


MISTAKES = (
    Mistake(
        "no-max-subtraction",
        "Your exponentials overflow: e^1000 is infinite, and infinity divided by infinity is NaN.",
        variant(shift=_nothing),
        "What can you take away from all numbers of a row without changing their weights?",
    ),
    Mistake(
        "no-max-subtraction",
        "Your exponentials overflow, and turning the NaN into 1 only hides it: these weights do not sum to 1.",
        alone(shift=_nothing, after=lambda weights, axis: np.nan_to_num(weights, nan=1.0)),
        "What can you take away from all numbers of a row, so that no exponential overflows?",
    ),
    Mistake(
        "no-max-subtraction",
        "Your exponentials overflow, and turning the NaN into 0 only hides it: these weights do not sum to 1.",
        alone(shift=_nothing, after=lambda weights, axis: np.nan_to_num(weights)),
        "What can you take away from all numbers of a row, so that no exponential overflows?",
    ),
    Mistake(
        "no-max-subtraction",
        "Your exponentials overflow, if only for numbers above 10000: e^20000 is too large for a long double too.",
        alone(numbers=lambda x: x.astype(np.longdouble), shift=_nothing, after=_back),
        "What can you take away from all numbers of a row, so that no exponential overflows?",
    ),
    Mistake(
        "no-max-subtraction",
        "You cut large numbers off instead of taking something away: cut off they are equal, and so are their weights.",
        alone(numbers=lambda x: np.clip(x, -50, 50), shift=_nothing),
        "[1000, 1001, 1002] and [0, 1, 2] should get the same weights.",
    ),
    Mistake(
        "no-max-subtraction",
        "You cut large numbers off instead of taking something away: cut off they are equal, and so are their weights.",
        alone(numbers=lambda x: np.minimum(x, 50), shift=_nothing),
        "[1000, 1001, 1002] and [0, 1, 2] should get the same weights.",
    ),
    *(
        Mistake(
            "no-max-subtraction",
            "You took the same constant away whatever the numbers are: for some rows it is too little and the "
            "exponentials overflow, for others too much and all of them become 0.",
            alone(shift=lambda x, axis, c=constant: c),
            "Which number of the row itself can you take away?",
        )
        for constant in (100.0, 500.0, 1000.0)
    ),
    Mistake(
        "no-max-subtraction",
        "You divided by the maximum; that changes the weights. Taking it away does not.",
        lambda x, axis=-1: _shares(np.exp(x / _largest(x, axis)), axis),
        "[1, 2] and [2, 4] should not get the same weights; [1, 2] and [2, 3] should.",
    ),
    Mistake(
        "mean-for-max",
        "What you take away is not the maximum, so large differences still overflow.",
        variant(shift=lambda x, axis: x.mean(axis=axis, keepdims=True)),
        "After the subtraction no number should be above 0.",
    ),
    Mistake(
        "min-for-max",
        "You took the smallest number away; the largest then still overflows. It should be the largest.",
        variant(shift=lambda x, axis: x.min(axis=axis, keepdims=True)),
        "After the subtraction no number should be above 0.",
    ),
    Mistake(
        "global-max",
        "You took away one maximum for the whole array; rows far below it become 0 / 0.",
        variant(shift=lambda x, axis: x.max()),
        "Each row has a maximum of its own: use the axis.",
    ),
    Mistake(
        "lost-sign",
        "You took away the largest absolute value: in a row of large negative numbers everything becomes 0, and 0 / 0 is NaN.",
        alone(shift=lambda x, axis: np.abs(x).max(axis=axis, keepdims=True)),
        "Which number of [-1000, -999] is the largest?",
    ),
    Mistake(
        "operator-precedence",
        "You took the maximum away from the exponentials; it belongs inside, before `exp`.",
        alone(shift=_nothing, power=lambda x, axis: np.exp(x) - x.max(axis=axis, keepdims=True)),
        "Which comes first, the subtraction or the exponential?",
    ),
    Mistake(
        "operator-precedence",
        "You took something away from the exponentials, so the largest of them becomes 0; the subtraction belongs inside "
        "`exp`.",
        alone(power=lambda z, axis: np.exp(z) - 1),
        "Which comes first, the subtraction or the exponential?",
    ),
    Mistake(
        "one-term-forgotten",
        "You took the maximum away above the fraction line and not below it; it only cancels if it is in both.",
        lambda x, axis=-1: np.exp(x - _largest(x, axis)) / np.exp(x).sum(axis=axis, keepdims=True),
        "Give the shifted exponentials a name, and divide them by their own sum.",
    ),
    Mistake(
        "one-term-forgotten",
        "You took the maximum away below the fraction line and not above it; it only cancels if it is in both.",
        lambda x, axis=-1: np.exp(x) / np.exp(x - _largest(x, axis)).sum(axis=axis, keepdims=True),
        "Give the shifted exponentials a name, and divide them by their own sum.",
    ),
    Mistake(
        "input-changed",
        "You wrote into the caller's array.",
        variant(shift=_in_place),
        "`x -= m` changes x; `x - m` makes a new array.",
    ),
    Mistake(
        "softmax-over-everything",
        "Your weights sum to 1 over the whole array; they should along one axis.",
        variant(axis=lambda given: None),
        "Do your maximum and your sum get the axis?",
    ),
    Mistake(
        "softmax-over-everything",
        "You divided by the sum over the whole array; each row has a sum of its own.",
        variant(divide=lambda powers, axis: powers / powers.sum()),
        "Does your sum get the axis?",
    ),
    Mistake(
        "axis-ignored",
        "You always use the last axis, whatever `axis` says.",
        variant(axis=lambda given: -1),
        "Where does `axis` appear in your code?",
    ),
    Mistake(
        "axis-ignored",
        "You always use axis 1, whatever `axis` says.",
        alone(axis=lambda given: 1),
        "Where does `axis` appear in your code? And which axis does an array with one axis have?",
    ),
    Mistake(
        "axis-ignored",
        "Your sum follows `axis`, but your maximum always runs along the last axis.",
        variant(shift=lambda x, axis: _largest(x, -1)),
        "What you take away must be the same for all numbers that share one sum.",
    ),
    Mistake(
        "axis-ignored",
        "Your sum follows `axis`, but your maximum always runs along the first axis.",
        alone(shift=lambda x, axis: _largest(x, 0)),
        "What you take away must be the same for all numbers that share one sum.",
    ),
    Mistake(
        "axis-ignored",
        "Your maximum follows `axis`, but your sum always runs along the last axis.",
        variant(divide=lambda powers, axis: _shares(powers, -1)),
        "Where does `axis` appear in your code?",
    ),
    Mistake(
        "axis-ignored",
        "Your function takes no `axis`.",
        _softmax_takes_no_axis,
        "Compare your `def` line with the task's.",
    ),
    Mistake(
        "default-axis-missing",
        "Your function cannot be called without `axis`; without it, the last axis is meant.",
        _softmax_needs_axis,
        "Compare your `def` line with the task's.",
    ),
    Mistake(
        "softmax-over-queries",
        "You always use the first axis, whatever `axis` says: the columns of a matrix sum to 1, not its rows.",
        variant(axis=lambda given: 0),
        "Where does `axis` appear in your code?",
    ),
    Mistake(
        "softmax-over-queries",
        "You always use the axis before the last, whatever `axis` says: the columns sum to 1, not the rows.",
        alone(axis=lambda given: -2),
        "Where does `axis` appear in your code?",
    ),
    *(
        Mistake(
            "wrong-default-axis",
            f"Called without `axis`, your function uses {what}; it should be the last axis.",
            alone(axis=_default(axis)),
            "Look at the default in your `def` line: which number always means the last axis?",
        )
        for axis, what in ((0, "axis 0"), (1, "axis 1"), (None, "the whole array"))
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
        variant(shift=lambda x, axis: x.max(axis=axis)),
        "`np.max` has an option that keeps the axis with length 1.",
    ),
    Mistake(
        "keepdims-forgotten",
        "Your maximum and your sum lose an axis, so they line up with the wrong one, or do not fit at all.",
        alone(
            shift=lambda x, axis: x.max(axis=axis), divide=lambda powers, axis: powers / powers.sum(axis=axis)
        ),
        "`np.max` and `np.sum` have an option that keeps the axis with length 1.",
    ),
    Mistake(
        "keepdims-forgotten",
        "You put the lost axis back by hand with `[:, None]`, which fits nothing but the rows of a matrix.",
        alone(
            shift=lambda x, axis: x.max(axis=axis)[:, None],
            divide=lambda powers, axis: powers / powers.sum(axis=axis)[:, None],
        ),
        "`np.max` and `np.sum` have an option that keeps the axis, wherever it is.",
    ),
    Mistake(
        "keepdims-forgotten",
        "You put the lost axis back at the end, which fits only where `axis` is the last one.",
        alone(
            shift=lambda x, axis: x.max(axis=axis)[..., None],
            divide=lambda powers, axis: powers / powers.sum(axis=axis)[..., None],
        ),
        "`np.max` and `np.sum` have an option that keeps the axis, wherever it is.",
    ),
    Mistake(
        "keepdims-forgotten",
        "You put the lost axis back with `reshape(-1, 1)`, which fits nothing but the rows of a matrix.",
        alone(
            shift=lambda x, axis: x.max(axis=axis).reshape(-1, 1),
            divide=lambda powers, axis: powers / powers.sum(axis=axis).reshape(-1, 1),
        ),
        "`np.max` and `np.sum` have an option that keeps the axis, wherever it is.",
    ),
    Mistake(
        "reshape-instead-of-transpose",
        "You cut the array into rows as long as `axis`; `reshape` does not move that axis to the end.",
        lambda x, axis=-1: _shares(_shifted(x.reshape(-1, x.shape[axis])), -1).reshape(x.shape),
        "Let `np.max` and `np.sum` find the axis: they take it as an argument.",
    ),
    Mistake(
        "no-exponential",
        "You divided by the sum without exponentials; negative numbers then give negative weights.",
        variant(shift=_nothing, power=_as_they_are),
        "Which function makes every number positive?",
    ),
    *(
        Mistake("no-exponential", says, answer, "Which function makes every number positive, and never 0?")
        for says, answer in (
            (
                "You made the numbers positive by taking the smallest away; softmax takes exponentials.",
                alone(shift=lambda x, axis: x.min(axis=axis, keepdims=True), power=_as_they_are),
            ),
            (
                "You took the maximum away and divided by the sum: the exponentials in between are missing.",
                variant(power=_as_they_are),
            ),
            (
                "You made the numbers positive with their absolute value; softmax takes exponentials.",
                alone(shift=_nothing, power=lambda z, axis: np.abs(z)),
            ),
            (
                "You made the numbers positive by squaring; softmax takes exponentials.",
                alone(shift=_nothing, power=lambda z, axis: z**2),
            ),
            (
                "You set negative numbers to 0; softmax takes exponentials, so that small numbers keep a small weight.",
                alone(shift=_nothing, power=lambda z, axis: np.maximum(z, 0)),
            ),
            ("You stretched the numbers between 0 and 1; softmax takes exponentials.", _min_to_max),
            (
                "You divided the exponentials by the sum of the numbers; it should be the sum of the exponentials.",
                lambda x, axis=-1: np.exp(x - _largest(x, axis)) / x.sum(axis=axis, keepdims=True),
            ),
        )
    ),
    *(
        Mistake(
            "wrong-base",
            f"You took powers of {base:g}; it should be powers of e = 2.71828...",
            alone(power=_base(base)),
            "Which function of NumPy has e built in?",
        )
        for base in (2.0, 3.0, 10.0, 2.718, 2.7, 2.72)
    ),
    Mistake(
        "sigmoid",
        "You squeezed each number by itself with a sigmoid; the weights of a row should depend on each other and sum to 1.",
        variant(shift=_nothing, power=lambda x, axis: 1 / (1 + np.exp(-x)), divide=_as_they_are),
        "What should the weights of a row add up to?",
    ),
    Mistake(
        "sigmoid",
        "You used a sigmoid where the exponential belongs.",
        alone(shift=_nothing, power=lambda x, axis: 1 / (1 + np.exp(-x))),
        "Which function makes every number positive and keeps growing?",
    ),
    Mistake(
        "hard-lookup",
        "You gave all the weight to the largest number; softmax leaves some for the others.",
        variant(power=lambda z, axis: (z == 0).astype(z.dtype)),
        "What are the weights of [0, ln 2, ln 5]?",
    ),
    Mistake(
        "hard-lookup",
        "You returned the place of the largest number; softmax gives a weight to every number.",
        lambda x, axis=-1: np.argmax(x, axis=axis),
        "Should the result have the shape of x?",
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
        variant(power=lambda z, axis: np.exp(-z)),
        "Is it x minus the maximum, or the maximum minus x?",
    ),
    Mistake(
        "lost-sign",
        "You dropped the signs before the exponential: -5 gets the weight of 5.",
        variant(numbers=np.abs),
        "The exponential is positive already, for every number.",
    ),
    Mistake(
        "lost-sign",
        "You set negative numbers to 0 before the exponential.",
        alone(numbers=lambda x: np.maximum(x, 0)),
        "The exponential is positive already, for every number.",
    ),
    Mistake(
        "truncates-to-int",
        "You cut the numbers off to integers before the exponential.",
        alone(numbers=np.trunc),
        "Look for `int`, `//`, `round` or an array made for integers.",
    ),
    Mistake(
        "scaled-by-sqrt-n",
        "You divided the numbers by the root of how many there are; softmax takes them as they are.",
        lambda x, axis=-1: variant()(x / np.sqrt(x.shape[axis]), axis),
        "What are the weights of [0, ln 2, ln 5]?",
    ),
    Mistake(
        "extra-layernorm",
        "You brought the numbers to mean 0 and spread 1 first; that changes the weights.",
        lambda x, axis=-1: variant()(
            (x - x.mean(axis=axis, keepdims=True)) / x.std(axis=axis, keepdims=True), axis
        ),
        "[0, 1] and [0, 2] should not get the same weights.",
    ),
    Mistake(
        "zero-as-sentinel",
        "You turned -inf into 0; but e^0 is 1, a real weight. The exponential of -inf is 0, as it should be.",
        variant(numbers=lambda x: np.where(np.isinf(x), 0.0, x)),
        "What is `np.exp(-np.inf)`?",
    ),
    # dividing by the largest, which is 1 by then, is the same
    Mistake(
        "not-normalised",
        "Your weights do not sum to 1: the largest is 1. Divide by the sum of all exponentials.",
        variant(divide=_as_they_are),
        "What should the weights of a row add up to?",
    ),
    Mistake(
        "not-normalised",
        "Your weights do not sum to 1: these are bare exponentials.",
        alone(shift=_nothing, divide=_as_they_are),
        "What should the weights of a row add up to?",
    ),
    Mistake(
        "max-for-sum",
        "You divided by the largest exponential; the weights of a row should sum to 1.",
        alone(shift=_nothing, divide=lambda powers, axis: powers / powers.max(axis=axis, keepdims=True)),
        "What should the weights of a row add up to?",
    ),
    Mistake(
        "mean-instead-of-sum",
        "You divided by the mean of the exponentials; the weights of a row should sum to 1.",
        variant(divide=lambda powers, axis: powers / powers.mean(axis=axis, keepdims=True)),
        "What should the weights of a row add up to?",
    ),
    Mistake(
        "constant-divisor",
        "You divided by how many numbers there are; it should be the sum of their exponentials.",
        alone(divide=lambda powers, axis: powers / (powers.size if axis is None else powers.shape[axis])),
        "What should the weights of a row add up to?",
    ),
    Mistake(
        "wrong-norm",
        "You divided by the length of the vector, the root of the sum of squares; it should be the plain sum.",
        alone(divide=lambda powers, axis: powers / np.sqrt((powers**2).sum(axis=axis, keepdims=True))),
        "The weights themselves should sum to 1, not their squares.",
    ),
    *(
        Mistake(
            "epsilon-too-large",
            f"You added {epsilon:g} to the sum, so the weights do not sum to 1 any more.",
            alone(divide=_with_epsilon(epsilon)),
            "After the maximum is taken away, can the sum be 0 at all?",
        )
        for epsilon in (1e-5, 1e-4, 1e-3, 1e-2, 1.0)
    ),
    Mistake(
        "log-softmax",
        "You returned the logarithm of the weights.",
        variant(divide=lambda powers, axis: np.log(_shares(powers, axis))),
        "Weights lie between 0 and 1.",
    ),
    Mistake(
        "log-softmax",
        "You returned the logarithm of the weights.",
        lambda x, axis=-1: x - np.logaddexp.reduce(x, axis=axis, keepdims=True),
        "Weights lie between 0 and 1.",
    ),
    Mistake(
        "log-softmax",
        "You returned the logarithm of the sum of exponentials; it is one step of the way.",
        lambda x, axis=-1: np.logaddexp.reduce(x, axis=axis),
        "Should the result have the shape of x?",
    ),
    Mistake(
        "softmax-again",
        "You applied the softmax twice, which makes the weights nearly equal.",
        variant(after=lambda weights, axis: _shares(np.exp(weights), axis)),
        "How often does `exp` appear in your code, or is called by it?",
    ),
    Mistake(
        "result-inverted",
        "You returned 1 minus the weights: the largest number gets the smallest.",
        alone(after=lambda weights, axis: 1 - weights),
        "What should the weights of a row add up to?",
    ),
    Mistake(
        "weights-squared",
        "You squared the weights; they then no longer sum to 1.",
        alone(after=lambda weights, axis: weights**2),
        "What should the weights of a row add up to?",
    ),
    Mistake(
        "small-weights-dropped",
        "You set small weights to 0; softmax gives every finite number a weight above 0.",
        alone(after=lambda weights, axis: np.where(weights < 1e-2, 0, weights)),
        "Return the weights as they are.",
    ),
    Mistake(
        "fixed-number-of-axes",
        "You go through the first axis and make one softmax of all that stands there: this fits the rows of a matrix only.",
        _over_the_rows,
        "Work along `axis` of the whole array at once, so that any number of axes may stand beside it.",
    ),
    *(
        Mistake(
            "fixed-number-of-axes",
            "You count on a matrix and on its rows: x may have any number of axes, and `axis` may be any of them.",
            answer,
            "Work along `axis` of the whole array at once, so that any number of axes may stand beside it.",
        )
        for answer in (_of_a_matrix, _of_a_matrix_by_size)
    ),
)
