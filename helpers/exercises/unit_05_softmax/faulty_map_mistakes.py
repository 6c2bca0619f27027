"""What people choose in `faulty_map`: another map or another mistake, and the numbers that speak against it."""

from collections.abc import Callable

import numpy as np

from helpers import example
from helpers.exercises.base import Mistake

Array = np.ndarray
RIGHT = ("C", "queries and keys swapped")


def _columns(letter: str, weights: Array) -> str:
    sums = weights.sum(axis=0)
    farthest = int(np.abs(sums - 1).argmax())
    return (
        f"No softmax ran over the queries of {letter}: its column {farthest} sums to {sums[farthest]:.2f}, "
        "and would sum to 1."
    )


def _rows(letter: str, weights: Array) -> str:
    sums = weights.sum(axis=1)
    return (
        f"Nothing was set to 0 after the softmax of {letter}: each row sums to {sums.min():g}, "
        "and some would sum to less."
    )


def _past(letter: str, weights: Array) -> str:
    return (
        f"No transposed mask made {letter}: query 3 gives key 2, which is in its past, the weight "
        f"{weights[3, 2]:.2f}; that would be 0."
    )


def _hidden(letter: str, weights: Array) -> str:
    if weights[0, 1:].any():
        shares = ", ".join(f"{share:.2f}" for share in weights[0, 1:-1])
        return (
            f"No hidden scores of {letter} were set to 0: in row 0 keys 1, 2 and 3 have the weights {shares} "
            f"and {weights[0, -1]:.2f}; they would all have the same."
        )
    return (
        f"No hidden scores of {letter} were set to 0: query 0 gives the keys after it the weight 0 exactly; "
        "a score of 0 gets a weight, as exp(0) is 1."
    )


def _swapped(letter: str, weights: Array) -> str:
    return (
        f"Queries and keys kept their places in {letter}: query 1 gives key 0 the weight {weights[1, 0]:.2f} and "
        f"itself {weights[1, 1]:.2f}; swapped, its own would be the larger."
    )


CHOICES = (
    "softmax over queries",
    "mask after softmax",
    "mask transposed",
    "hidden scores set to 0",
    "queries and keys swapped",
)
_AGAINST: dict[str, Callable[[str, Array], str]] = dict(
    zip(CHOICES, (_columns, _rows, _past, _hidden, _swapped), strict=True)
)
_HINT = "Which numbers would your mistake leave in row 1, and which stand there?"

MISTAKES = tuple(
    Mistake(
        "wrong-map" if letter != RIGHT[0] else "wrong-mistake",
        _AGAINST[mistake](letter, weights),
        (letter, mistake),
        _HINT,
    )
    for letter, weights in example.MAPS.items()
    for mistake in CHOICES
    if (letter, mistake) != RIGHT
)
