"""Exercise `double`: a first pass through the whole cycle."""

from collections.abc import Iterator

import numpy as np

from helpers.exercises.base import Case, Draw, Exercise, Mistake
from helpers.oracle import in_torch


def cases(draw: Draw) -> Iterator[Case]:
    """A vector, whole numbers, a square by hand, a matrix, a batch."""
    n, m, b = draw.sizes(3)
    yield Case("x = [1.0, -2.0, 3.5]", {"x": np.array([1.0, -2.0, 3.5])})
    yield Case("whole numbers", {"x": np.array([4, 0, -7])})
    yield Case("x = [[1.0, 2.0], [0.5, -3.0]]", {"x": np.array([[1.0, 2.0], [0.5, -3.0]])})
    yield Case(f"a matrix of shape ({n}, {m})", {"x": draw.normal(n, m)})
    yield Case(f"a batch of shape ({b}, {n}, {m}) in float32", {"x": draw.normal(b, n, m, dtype=np.float32)})


def doubled_in_place(x: np.ndarray) -> np.ndarray:
    """Right numbers, but the caller's array is gone."""
    x *= 2
    return x


def _first_only(x: np.ndarray) -> np.ndarray:
    y = x.copy()
    y[:1] *= 2
    return y


def _one_number_only(x: np.ndarray) -> np.ndarray:
    y = x.copy()
    y.ravel()[0] *= 2
    return y


def _first_and_zeros(x: np.ndarray) -> np.ndarray:
    y = np.zeros_like(x)
    y[0] = 2 * x[0]
    return y


def _one_axis_loop(x: np.ndarray) -> np.ndarray:
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = 2 * x[i]
    return y


def _two_axes_loop(x: np.ndarray) -> np.ndarray:
    y = np.zeros(x.shape)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            y[i, j] = 2 * x[i, j]
    return y


EXERCISE = Exercise(
    name="double",
    cases=cases,
    # in double precision, so that whole numbers may come back as whole numbers or as floats
    oracle=in_torch(lambda x: 2 * x.double()),
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
            "squared-instead-of-doubled",
            "You raised two to the power of x; doubling multiplies by two.",
            lambda x: 2.0**x,
            "Which operator multiplies by two, and which raises to a power?",
        ),
        Mistake(
            "squared-instead-of-doubled",
            "You multiplied x with itself as a matrix; doubling multiplies every number by two.",
            lambda x: x @ x,
            "What stands on the other side of your product?",
        ),
        Mistake(
            "added-instead-of-multiplied",
            "You added two to every number; doubling multiplies by two.",
            lambda x: x + 2,
            "Try it on 0: doubling leaves it 0.",
        ),
        Mistake(
            "added-instead-of-multiplied",
            "You added one to every number; doubling multiplies by two.",
            lambda x: x + 1,
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
        Mistake(
            "halved-instead-of-doubled",
            "You halved the numbers.",
            lambda x: x / 2,
            "Should the numbers get larger or smaller?",
        ),
        Mistake(
            "doubled-twice",
            "You doubled the numbers twice: every number is four times as large.",
            lambda x: 4 * x,
            "How many times does your code multiply or add?",
        ),
        Mistake(
            "doubled-length",
            "You doubled the number of rows instead of the numbers: the same entries come twice.",
            lambda x: np.concatenate([x, x]),
            "Two times a Python list repeats it; two times an array doubles its numbers.",
        ),
        Mistake(
            "doubled-length",
            "You doubled the number of entries instead of the numbers: the last axis is twice as long.",
            lambda x: np.concatenate([x, x], axis=-1),
            "The result should have the shape of x.",
        ),
        Mistake(
            "doubled-length",
            "You strung x together with itself; the entries come twice instead of being doubled.",
            lambda x: np.append(x, x),
            "The result should have the shape of x.",
        ),
        Mistake(
            "doubled-length",
            "You repeated every entry; the entries come twice instead of being doubled.",
            lambda x: np.repeat(x, 2),
            "The result should have the shape of x.",
        ),
        Mistake(
            "doubled-length",
            "You put two copies of x on top of each other; nothing was doubled.",
            lambda x: np.stack([x, x]),
            "The result should have the shape of x.",
        ),
        Mistake(
            "truncates-to-int",
            "You cut off the digits after the point before doubling.",
            lambda x: 2 * x.astype(int),
            "Look for `int`: 3.5 doubled is 7.",
        ),
        Mistake(
            "truncates-to-int",
            "You rounded before doubling: the digits after the point are lost.",
            lambda x: 2 * np.round(x),
            "Look for `round`: 3.5 doubled is 7.",
        ),
        Mistake(
            "lost-sign",
            "You dropped the minus signs: -2 doubled is -4.",
            lambda x: 2 * np.abs(x),
            "Where could a minus sign get lost?",
        ),
        Mistake(
            "first-batch-only",
            "You doubled only the first entry along the first axis; the rest is as it was.",
            _first_only,
            "Which entries does your index or loop reach?",
        ),
        Mistake(
            "first-batch-only",
            "Your result is the first entry along the first axis alone, doubled.",
            lambda x: 2 * x[0],
            "The result should have the shape of x.",
        ),
        Mistake(
            "returned-inside-loop",
            "Only the very first number is doubled; the others are as they were.",
            _one_number_only,
            "If you loop: how far is your `return` indented?",
        ),
        Mistake(
            "returned-inside-loop",
            "Only the first entry along the first axis is doubled; the others are still 0.",
            _first_and_zeros,
            "If you loop: how far is your `return` indented?",
        ),
        Mistake(
            "overwritten-instead-of-collected",
            "Your result is the last entry alone, doubled: each round overwrites the one before.",
            lambda x: 2 * x[-1],
            "Where do you keep the entries that are done?",
        ),
        Mistake(
            "last-left-out",
            "The last entry along the first axis is not doubled.",
            lambda x: np.concatenate([2 * x[:-1], x[-1:]]),
            "Which indices does your loop or slice visit?",
        ),
        Mistake(
            "last-left-out",
            "The first entry along the first axis is not doubled.",
            lambda x: np.concatenate([x[:1], 2 * x[1:]]),
            "Python counts from 0. Which indices does your loop or slice visit?",
        ),
        Mistake(
            "shape-flattened",
            "You returned one long row; the result should have the shape of x.",
            lambda x: 2 * x.ravel(),
            "Does your code flatten x?",
        ),
        Mistake(
            "reduced-to-one-value",
            "You added up the numbers; each one should be doubled and stay in its place.",
            lambda x: 2 * x.sum(),
            "How many numbers should come back?",
        ),
        Mistake(
            "adds-transpose",
            "You added the transpose of x: entry [i, j] met entry [j, i] and not itself.",
            lambda x: x + x.T,
            "What has to be added to a number to double it?",
        ),
        Mistake(
            "fixed-number-of-axes",
            "Your code works for arrays with one axis only.",
            _one_axis_loop,
            "`2 * x[i]` may be a whole row. Can you do without a loop?",
        ),
        Mistake(
            "fixed-number-of-axes",
            "Your code works for arrays with two axes only.",
            _two_axes_loop,
            "An array may have any number of axes. Can you do without a loop?",
        ),
    ),
)
