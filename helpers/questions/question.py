"""A question of the review: what is asked, what is shown, what may be chosen, and why one choice is right."""

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, eq=False)
class Table:
    """An array of one or two axes, or a stack of such, as a reader sees it.

    Attributes:
        array: the numbers, or truth values.
        name: what it is called, such as `"weights"`.
        axes: what its rows and columns are called.
    """

    array: np.ndarray
    name: str = ""
    axes: tuple[str, str] = ("", "")


@dataclass(frozen=True)
class Code:
    """Lines of a program."""

    text: str


Shown = str | Table | Code


@dataclass(frozen=True, eq=False)
class Question:
    """One question with one right choice.

    Attributes:
        kind: one of `KINDS` in `helpers/questions/kinds`.
        exercise: the exercise it is about.
        seed: the same kind, exercise and seed are the same question.
        asks: the question.
        given: what is shown with it.
        choices: two to four, of which exactly one is right.
        right: which, from 0.
        why: the reason, in one or two sentences.
        after: what is shown with the reason, where a picture helps.
    """

    kind: str
    exercise: str
    seed: int
    asks: str
    choices: tuple[Shown, ...]
    right: int
    why: str
    given: tuple[Shown, ...] = ()
    after: tuple[Shown, ...] = ()


def number(value: Any) -> str:
    """A number as it is shown: truth values as words, whole numbers whole, others with two digits at most."""
    if isinstance(value, bool | np.bool_):
        return "True" if value else "False"
    if np.isnan(value):
        return "nan"
    if np.isinf(value):
        return "-inf" if value < 0 else "inf"
    text = f"{float(value):.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def looks(shown: Shown) -> Any:
    """What a reader sees of it: two choices that look alike are the same choice."""
    if isinstance(shown, Table):
        return shown.array.shape, tuple(number(one) for one in shown.array.ravel())
    return shown.text if isinstance(shown, Code) else shown
