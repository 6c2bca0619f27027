"""Exercise `double`: a first pass through the whole cycle."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.oracle import in_torch
from helpers.exercises.wrong.rows import mistakes, rows


def cases(draw: Draw) -> Iterator[Case]:
    """A vector, whole numbers, a square by hand, a matrix, a batch, many digits."""
    n, m, b = draw.sizes(3)
    yield Case("x = [1.0, -2.0, 3.5]", {"x": np.array([1.0, -2.0, 3.5])})
    yield Case("whole numbers", {"x": np.array([4, 0, -7])})
    yield Case("x = [[1.0, 2.0], [0.5, -3.0]]", {"x": np.array([[1.0, 2.0], [0.5, -3.0]])})
    yield Case(f"a matrix of shape ({n}, {m})", {"x": draw.normal(n, m)})
    yield Case(f"a batch of shape ({b}, {n}, {m}) in float32", {"x": draw.normal(b, n, m, dtype=np.float32)})
    yield Case("x = [0.123456789]", {"x": np.array([0.123456789])})


def doubled(
    *,
    before: Callable[[np.ndarray], np.ndarray] = lambda x: x,
    after: Callable[[np.ndarray], Any] = lambda y: y,
) -> Callable[[np.ndarray], Any]:
    """The double of an array, with something wrong done to it before or after."""
    return lambda x: after(2 * before(x))


def doubled_in_place(x: np.ndarray) -> np.ndarray:
    """Right numbers, but the caller's array is gone."""
    x *= 2
    return x


def _one_number_only(x: np.ndarray) -> np.ndarray:
    y = x.copy()
    y.ravel()[0] *= 2
    return y


def _filled(y: np.ndarray, x: np.ndarray, axes: int) -> np.ndarray:
    """A loop over so many axes of x, which writes single entries into y."""
    for place in np.ndindex(*(x.shape[axis] for axis in range(axes))):
        y[place] = 2 * x[place]
    return y


def _two_by_two(x: np.ndarray) -> np.ndarray:
    y = np.zeros((2, 2))
    for i, j in np.ndindex(2, 2):
        y[i, j] = 2 * x[i, j]
    return y


MISTAKES = mistakes(
    doubled,
    *rows(
        "squared-instead-of-doubled: You squared the numbers. For 2 both give 4; but 3 doubled is 6, and 3 squared is 9.",
        "Which operator multiplies by two, and which raises to the power of two?",
        lambda x: x**2,
        "squared-instead-of-doubled: You raised two to the power of x; doubling multiplies by two.",
        "Which operator multiplies by two, and which raises to a power?",
        lambda x: 2.0**x,
        "squared-instead-of-doubled: You multiplied x with itself as a matrix; doubling multiplies every number by two.",
        "What stands on the other side of your product?",
        lambda x: x @ x,
        "added-instead-of-multiplied: You added two to every number; doubling multiplies by two.",
        "Try it on 0: doubling leaves it 0.",
        lambda x: x + 2,
        "added-instead-of-multiplied: You added one to every number; doubling multiplies by two.",
        lambda x: x + 1,
        "returns-input: You returned x itself, so nothing was doubled.",
        "What has to happen to x before it is returned?",
        lambda x: x,
        "input-changed: You changed the caller's array; compute a new one and leave x alone.",
        "`x *= 2` writes into x; `x * 2` makes a new array.",
        doubled_in_place,
        "halved-instead-of-doubled: You halved the numbers.",
        "Should the numbers get larger or smaller?",
        lambda x: x / 2,
        "doubled-twice: You doubled the numbers twice: every number is four times as large.",
        "How many times does your code multiply or add?",
        lambda x: 4 * x,
        "doubled-length: You doubled the number of rows instead of the numbers: the same entries come twice.",
        "Two times a Python list repeats it; two times an array doubles its numbers.",
        lambda x: np.concatenate([x, x]),
        "doubled-length: You doubled the number of entries instead of the numbers: the last axis is twice as long.",
        "The result should have the shape of x.",
        lambda x: np.concatenate([x, x], axis=-1),
        "doubled-length: You strung x together with itself; the entries come twice instead of being doubled.",
        lambda x: np.append(x, x),
        "doubled-length: You repeated every entry; the entries come twice instead of being doubled.",
        lambda x: np.repeat(x, 2),
        "doubled-length: You put two copies of x on top of each other; nothing was doubled.",
        lambda x: np.stack([x, x]),
        "first-batch-only: Your result is the first entry along the first axis alone, doubled.",
        lambda x: 2 * x[0],
        "first-batch-only: You doubled only the first entry along the first axis; the rest is as it was.",
        "Which entries does your index or loop reach?",
        lambda x: np.concatenate([2 * x[:1], x[1:]]),
        "truncates-to-int: You cut off the digits after the point before doubling.",
        "Look for `int`: 3.5 doubled is 7.",
        lambda x: 2 * x.astype(int),
        "truncates-to-int: You rounded before doubling: the digits after the point are lost.",
        "Look for `round`: 3.5 doubled is 7.",
        {"before": np.round},
        "truncates-to-int: You cut the result off to whole numbers: the digits after the point are lost.",
        "Look for `int`: 1.25 doubled is 2.5.",
        {"after": np.trunc},
        "truncates-to-int: You rounded the result: some of its digits are lost.",
        "Return all digits; a plot or a print may show fewer.",
        *({"after": lambda y, digits=digits: np.round(y, digits)} for digits in (2, 3, 4, 6)),
        "lost-sign: You dropped the minus signs: -2 doubled is -4.",
        "Where could a minus sign get lost?",
        {"before": np.abs},
        "returned-inside-loop: Only the very first number is doubled; the others are as they were.",
        "If you loop: how far is your `return` indented?",
        _one_number_only,
        "returned-inside-loop: Only the first entry along the first axis is doubled; the others are still 0.",
        lambda x: np.concatenate([2 * x[:1], 0 * x[1:]]),
        "overwritten-instead-of-collected: Your result is the last entry alone, doubled: each round overwrites the one before.",
        "Where do you keep the entries that are done?",
        lambda x: 2 * x[-1],
        "last-left-out: The last entry along the first axis is not doubled.",
        "Which indices does your loop or slice visit?",
        lambda x: np.concatenate([2 * x[:-1], x[-1:]]),
        "last-left-out: The first entry along the first axis is not doubled.",
        "Python counts from 0. Which indices does your loop or slice visit?",
        lambda x: np.concatenate([x[:1], 2 * x[1:]]),
        "shape-flattened: You returned one long row; the result should have the shape of x.",
        "Does your code flatten x?",
        {"after": np.ravel},
        "reduced-to-one-value: You added up the numbers; each one should be doubled and stay in its place.",
        "How many numbers should come back?",
        {"after": np.sum},
        "adds-transpose: You added the transpose of x: entry [i, j] met entry [j, i] and not itself.",
        "What has to be added to a number to double it?",
        lambda x: x + x.T,
        "fixed-number-of-axes: Your code works for arrays with one axis only.",
        "`2 * x[i]` may be a whole row. Can you do without a loop?",
        lambda x: _filled(np.zeros(len(x)), x, 1),
        "fixed-number-of-axes: Your code works for arrays with two axes only.",
        "An array may have any number of axes. Can you do without a loop?",
        lambda x: _filled(np.zeros(x.shape), x, 2),
        "fixed-number-of-axes: Your code works for arrays with two axes only, and it loses the digits after the point.",
        "Look for `int`. And an array may have any number of axes: can you do without a loop?",
        lambda x: _filled(np.zeros(x.shape, int), x, 2),
        "fixed-size: Your code is written for two rows and two columns, whatever x is.",
        "Can you do without a loop?",
        _two_by_two,
    ),
)


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
    mistakes=MISTAKES,
)
