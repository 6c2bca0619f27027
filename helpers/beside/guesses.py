"""`reveal`: compare a prediction with what really comes out."""

import ast
import contextlib
import re
from typing import Any

import numpy as np

from helpers.beside.failed_cells import AGAIN, failed
from helpers.errors import UnknownName
from helpers.predictions import WHY
from helpers.text import number, table


def reveal(guess: Any, actual: Any, name: str = "") -> None:
    """Compare a prediction with what really comes out; without a prediction, reveal nothing.

    Args:
        guess: the learner's prediction, `...` while there is none, or `None` from who only wants to read on.
        actual: what was computed: a number, an array or a word.
        name: which of `helpers.predictions` says why, or a sentence of your own; without it, nothing does.

    Raises:
        UnknownName: when there is no prediction of that name; the message lists those there are.
    """
    why = _why(name)
    if stopped := failed("guess", guess):
        if stopped.kind == "NameError":
            says = 'NameError: words need quotes, as in "yes".'
        else:
            says = f"{stopped.says}. {AGAIN}"
        print(f"The cell with your prediction stopped with {says}")
        return
    if guess is ...:
        print("Make your prediction first: replace the ... in the cell above and run both cells.")
        return
    if guess is None:
        print(f"It is {_word(actual)}.")
    else:
        verdict = "Right" if _agree(guess, actual) else "Not this time"
        print(f"{verdict}. You predicted {_word(guess)}; it is {_word(actual)}.")
    if why:
        print(why)


def _why(name: str) -> str:
    if not name or " " in name:
        return name
    if name not in list(WHY):
        raise UnknownName(f"There is no prediction {name!r}. The predictions are: {', '.join(WHY)}.")
    return WHY[name]


def _agree(guess: Any, actual: Any) -> bool:
    if isinstance(actual, str):
        return isinstance(guess, str) and guess.strip().casefold() == actual.strip().casefold()
    if isinstance(guess, str):
        with contextlib.suppress(ValueError, SyntaxError):  # a number or a tuple in quotes
            fraction = _fraction(guess)
            guess = ast.literal_eval(guess.strip()) if fraction is None else fraction
    try:
        guess, actual = np.asarray(guess), np.asarray(actual)
        return guess.shape == actual.shape and np.allclose(guess, actual, rtol=0.05, atol=0.006)
    except Exception:  # a set, a dict, a function, rows of different lengths: anything may be guessed
        return False


def _fraction(text: str) -> float | None:
    """A fraction in quotes, such as "1/3", or none."""
    parts = re.fullmatch(r"\s*([-+]?\d+(?:\.\d+)?)\s*/\s*(\d+(?:\.\d+)?)\s*", text)
    return float(parts[1]) / float(parts[2]) if parts and float(parts[2]) else None


def _word(value: Any) -> str:
    with contextlib.suppress(Exception):
        if isinstance(value, str | tuple | bool):
            return str(value)
        return number(value) if np.ndim(value) == 0 else table(value)
    with contextlib.suppress(Exception):  # no numbers
        return repr(value)[:80]
    return f"something of type {type(value).__name__}"
