"""What the cells between the exercises call: show a result, compare a prediction."""

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from helpers.compare import number, table
from helpers.errors import UnknownName
from helpers.predictions import WHY
from helpers.probe import SECONDS, explain
from helpers.time_limit import TooSlow, time_limit


def try_it(name: str, *args: Any, show: Callable[[Any], Any] | None = None) -> Any:
    """Call the learner's own answer and show what comes back.

    An answer that is missing or stops with an error gives a sentence, so the cells below still run.

    Args:
        name: the exercise; the function is looked up in the notebook.
        args: what to call it with.
        show: draws the result, such as `plots.heatmap`; by default it is printed.

    Returns:
        The picture, or nothing.
    """
    answer = sys._getframe(1).f_globals.get(name)
    if answer is None:
        return print(f"{name} is not answered yet: write it in the cell above and run that cell.")
    try:
        with time_limit(SECONDS):
            result = answer(*args) if callable(answer) else answer
        return show(result) if show else _print(name, result)
    except TooSlow:
        return print(f"{name} was still running after {SECONDS:g} seconds.")
    except Exception as error:
        return print(explain(name, error))


def _print(name: str, result: Any) -> None:
    parts = result if isinstance(result, tuple) else (result,)
    for place, part in enumerate(parts):
        label = name if len(parts) == 1 else f"{name}, result {place}"
        array = np.asarray(part.detach()) if hasattr(part, "detach") else part
        if isinstance(array, np.ndarray) and array.ndim:
            print(f"{label}, shape {array.shape}:\n{table(array)}")
        else:
            print(f"{label}: {array}")


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
    if isinstance(actual, str) or isinstance(guess, str):
        return str(guess).strip().casefold() == str(actual).strip().casefold()
    try:
        return np.shape(guess) == np.shape(actual) and np.allclose(guess, actual, rtol=0.05, atol=0.006)
    except TypeError:
        return False


def _word(value: Any) -> str:
    if isinstance(value, str | tuple | bool):
        return str(value)
    if np.ndim(value) == 0:
        return number(value)
    return np.array2string(np.asarray(value), precision=3, suppress_small=True)
