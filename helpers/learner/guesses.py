"""`reveal` and `settle`: compare a prediction with what really comes out, and how sure one was with both."""

import ast
import contextlib
import re
from typing import Any

import numpy as np

from helpers.beside.failed_cells import AGAIN, failed
from helpers.errors import UnknownName
from helpers.learner import progress_record
from helpers.predictions import RIVALS, WHY
from helpers.text import number, table

NOT_ASKED = object()
CERTAIN = "You were certain, so read the reason twice: what one corrects after being sure stays longest."
ASK_SURE = "Say how sure you are too: `sure` is 1 (a guess), 2, or 3 (certain)."


def reveal(guess: Any, actual: Any, name: str = "", sure: Any = NOT_ASKED) -> None:
    """Compare a prediction with what really comes out; without a prediction, reveal nothing.

    Args:
        guess: the learner's prediction, `...` while there is none, or `None` from who only wants to read on.
        actual: what was computed: a number, an array or a word.
        name: which of `helpers.predictions` says why, or a sentence of your own; without it, nothing does.
        sure: 1, a guess, to 3, certain; `progress` shows how well one knows what one knows.

    Raises:
        UnknownName: when there is no prediction of that name; the message lists those there are.
    """
    why = _why(name)
    if not _made(guess, sure):
        return
    if guess is None:
        print(f"It is {_word(actual)}.")
    else:
        right = _agree(guess, actual)
        print(
            f"{'Right' if right else 'Not this time'}. You predicted {_word(guess)}; it is {_word(actual)}."
        )
        _keep(name, right, sure)
    if why:
        print(why)


def settle(guess: Any, name: str, sure: Any = NOT_ASKED) -> None:
    """Say which of two rival explanations holds, and why, once the learner has chosen one.

    Args:
        guess: `"A"` or `"B"`, `...` while nothing is chosen, or `None` from who only wants to read on.
        name: which of `RIVALS` in `helpers.predictions` is asked.
        sure: 1, a guess, to 3, certain.

    Raises:
        UnknownName: when there are no rivals of that name; the message lists those there are.
    """
    if name not in list(RIVALS):
        raise UnknownName(f"There are no explanations {name!r}. Those there are: {', '.join(RIVALS)}.")
    holds, why = RIVALS[name]
    if not _made(guess, sure):
        return
    if guess is None:
        print(f"{holds} holds.")
    elif (chosen := str(guess).strip().upper()) not in ("A", "B"):
        print(f'Choose "A" or "B", in quotes; you gave {_word(guess)}.')
        return
    else:
        print(f"{'Right' if chosen == holds else 'Not this time'}: {holds} holds.")
        _keep(name, chosen == holds, sure)
    print(why)


def _made(guess: Any, sure: Any) -> bool:
    """Whether there is a prediction to compare; says what is missing where there is none."""
    for name, value in (("guess", guess), ("sure", sure)):
        if stopped := failed(name, value):
            if stopped.kind == "NameError":
                says = 'NameError: words need quotes, as in "yes".'
            else:
                says = f"{stopped.says}. {AGAIN}"
            print(f"The cell with your prediction stopped with {says}")
            return False
    if guess is ...:
        print("Make your prediction first: replace the ... in the cell above and run both cells.")
        return False
    if guess is None or sure is NOT_ASKED or sure is None:
        return True
    if sure is ...:
        print(f"{ASK_SURE} Then run both cells.")
        return False
    if _level(sure) is None:
        print(f"{ASK_SURE} You gave {_word(sure)}.")
        return False
    return True


def _level(sure: Any) -> int | None:
    """1, 2 or 3, also in quotes; none for anything else."""
    text = str(sure).strip()
    return int(text) if text in ("1", "2", "3") else None


def _keep(name: str, right: bool, sure: Any) -> None:
    level = _level(sure)
    if level == 3 and not right:
        print(CERTAIN)
    if level and name and " " not in name:
        progress_record.predicted(name, level, right)


def _why(name: str) -> str:
    if not name or " " in name:
        return name
    if name not in list(WHY):
        raise UnknownName(f"There is no prediction {name!r}. The predictions are: {', '.join(WHY)}.")
    return WHY[name]


def _agree(guess: Any, actual: Any) -> bool:
    if isinstance(actual, str):
        return isinstance(guess, str) and guess.strip().casefold() == actual.strip().casefold()
    if isinstance(actual, tuple) and all(isinstance(one, str) for one in actual):
        return (
            isinstance(guess, tuple | list) and len(guess) == len(actual) and all(map(_agree, guess, actual))
        )
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
