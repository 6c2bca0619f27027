"""Exercise `test_softmax`: the learner writes a test, and it meets impostors and right answers in odd styles."""

import math

import numpy as np

from helpers.exercises.impostors import lineup

Array = np.ndarray


def _as_usual(x: Array, axis: int = -1) -> Array:
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def _by_logarithms(x: Array, axis: int = -1) -> Array:
    """The weight is e to the score minus the logarithm of the sum, which rounds otherwise."""
    from_top = x - x.max(axis=axis, keepdims=True)
    return np.exp(from_top - np.logaddexp.reduce(from_top, axis=axis, keepdims=True)).astype(x.dtype)


def _row_by_row(x: Array, axis: int = -1) -> Array:
    """Python's own numbers, added up without rounding."""

    def row(numbers: Array) -> Array:
        powers = [math.exp(float(one) - float(numbers.max())) for one in numbers]
        return np.array([one / math.fsum(powers) for one in powers])

    return np.apply_along_axis(row, axis, x).astype(x.dtype)


def _turned_over(x: Array, axis: int = -1) -> Array:
    """The axis is brought to the front, and the sum taken from the end."""
    front = np.moveaxis(x, axis, 0)
    powers = np.exp(front - np.max(front, axis=0) - 1)
    return np.moveaxis(powers / powers[::-1].sum(axis=0), 0, axis)


EXERCISE = lineup(
    "test_softmax",
    of="softmax",
    visible=(
        ("softmax-over-everything: You divided by the sum over", "is right on every vector."),
        ("wrong-base: You took powers of 2;", "gives rows that sum to 1 and keep their order."),
        ("truncates-to-int: You cut", "is right for whole numbers."),
        (
            "wrong-default-axis: Called without `axis`, your function uses axis 0",
            "is right when it is told the axis.",
        ),
        (
            "axis-ignored: You always use the last",
            "is right as long as nobody names another axis than the last.",
        ),
        (
            "axis-ignored: You follow `axis` only where it is 0",
            "is right along the last axis, and where `axis` is 0.",
        ),
        ("no-max-subtraction: Your exponentials overflow: e^1000", "is right for numbers of ordinary size."),
        (
            "global-max: You took away one maximum",
            "is right where the largest numbers of all rows lie near each other.",
        ),
        ("zero-as-sentinel: You turned -inf into 0", "is right for all finite numbers."),
        ("input-changed: You wrote into", "returns the right weights, every time."),
    ),
    hidden=(
        ("not-normalised: Your weights do not sum to 1: the largest is 1", "keeps the order of the numbers."),
        ("sigmoid: You used a sigmoid where", "gives ordinary rows that sum to 1, in the right order."),
        ("lost-sign: You set negative numbers", "is right for numbers that are not negative."),
        ("wrong-default-axis: Called without `axis`, your function uses axis 1", "is right on every matrix."),
        ("axis-ignored: Your maximum follows `axis`", "is right along the last axis."),
        ("no-max-subtraction: You took the same constant away", "is right for numbers of ordinary size."),
        ("lost-sign: In a row of large negative", "is right as long as no row is far below 0."),
        ("first-row-max:", "is right where the largest numbers of all rows lie near each other."),
        ("small-weights-dropped:", "is right where no weight is below a hundredth."),
        ("epsilon-too-large: You added 0.0001", "is wrong by less than a thousandth."),
    ),
    right={
        "it takes the maximum away, then exponentials, then shares": _as_usual,
        "it uses logarithms, and rounds otherwise": _by_logarithms,
        "it goes row by row, with Python's own numbers": _row_by_row,
        "it brings the axis to the front and takes more away than the maximum": _turned_over,
    },
    little=(
        "softmax([0.5, 0])",
        "softmax([1, 0])",
        "softmax([0, -1])",
        "softmax([[1, 0]])",
        "softmax([[1, 0], [0, 0]])",
        "softmax([[1, 0], [0, 0]], axis=0)",
        "softmax([[1, 0], [0, 0]], axis=-2)",
        "softmax([0, -inf])",
        "softmax([0, -9])",
        "softmax([1000, 0])",
        "softmax([-1000, -1000])",
        "softmax([[1000, 1000], [0, 0]])",
        "softmax([[0, 0], [1000, 1000]])",
    ),
    hints=(
        "Where do two things that look alike come apart? Think of sizes, axes, and numbers of every kind.",
        "For each step of a softmax: on which input would its loss show, and which numbers do you know there?",
        "Compare with weights known by hand, with `np.allclose`; then another axis, huge numbers, -inf, and x afterwards.",
    ),
)
