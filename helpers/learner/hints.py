"""`hint`: a ladder from a question to nearly the answer."""

import sys

from helpers.errors import BadArgument, must_be_quoted
from helpers.learner.checking import find_exercise
from helpers.units import UNIT_OF

_climbed: dict[str, int] = {}


def hint(name: str, rung: int | None = None) -> None:
    """Print the next hint of an exercise: a question, a nudge, nearly the answer, where an answer stands.

    Args:
        name: the exercise.
        rung: the hints up to this one, from 1, instead of the next.

    Raises:
        UnknownName: when there is no such exercise; the message lists those there are.
        BadArgument: when the name is not in quotes, or `rung` is not a whole number from 1.
    """
    must_be_quoted("hint", name, sys._getframe(1).f_globals, UNIT_OF)
    hints = [*find_exercise(name).hints, _last(name)]
    if rung is None:
        _climbed[name] = min(_climbed.get(name, 0) + 1, len(hints))
        shown = [_climbed[name]]
    elif isinstance(rung, int) and not isinstance(rung, bool) and rung >= 1:
        shown = list(range(1, min(rung, len(hints)) + 1))
    else:
        raise BadArgument(f"rung should be a whole number from 1; it is {rung!r}")
    for number in shown:
        print(f"Hint {number} of {len(hints)}: {hints[number - 1]}")
    if rung is None and shown[0] < len(hints):
        print(f"For the next one, run hint({name!r}) again.")


def _last(name: str) -> str:
    """Where an answer stands: the last hint of an exercise."""
    unit = UNIT_OF[name]
    return (
        f"One way to write it stands in the solution notebook, solutions/{unit}/{unit}.ipynb, under {name}."
    )
