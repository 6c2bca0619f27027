"""`hint`: a ladder from a question to nearly the answer."""

import sys
from collections.abc import Mapping
from typing import Any

from helpers.beside.failed_cells import failed
from helpers.errors import BadArgument, must_be_quoted
from helpers.learner import attempts
from helpers.learner.checking import find_exercise
from helpers.units import UNIT_OF

_climbed: dict[str, int] = {}


def hint(name: str, rung: int | None = None) -> None:
    """Print the next hint of an exercise: a question, a nudge, nearly the answer, where an answer stands.

    After three failed checks the hint where an answer stands also names the line of your answer that is to be
    changed, where a change of one line is enough.  To find such a line takes up to three seconds, in a
    browser six.

    Args:
        name: the exercise.
        rung: the hints up to this one, from 1, instead of the next.

    Raises:
        UnknownName: when there is no such exercise; the message lists those there are.
        BadArgument: when the name is not in quotes, or `rung` is not a whole number from 1.
        Interrupted: when the learner presses stop.
    """
    space = sys._getframe(1).f_globals
    must_be_quoted("hint", name, space, UNIT_OF)
    hints = [*find_exercise(name).hints, _last(name)]
    if rung is None:
        _climbed[name] = min(_climbed.get(name, 0) + 1, len(hints))
        shown = [_climbed[name]]
    elif isinstance(rung, int) and not isinstance(rung, bool) and rung >= 1:
        shown = list(range(1, min(rung, len(hints)) + 1))
    else:
        raise BadArgument(f"rung should be a whole number from 1; it is {rung!r}")
    if len(hints) in shown:
        hints[-1] = " ".join(filter(None, [_where(name, space), hints[-1]]))
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


def _where(name: str, space: Mapping[str, Any]) -> str:
    """After some failed attempts: the line of the learner's answer whose change alone is enough, or `""`.

    Only where, never what: finding the change is the exercise.
    """
    seed, answer = attempts.stuck_on(name), space.get(name)
    if seed is None or failed(name, answer):
        return ""
    from helpers.beside.probe import interrupted
    from helpers.learner.one_line import searched
    from helpers.learner.other_answers import source_and_line

    source, first = source_and_line(answer, space)
    if not source:
        return ""
    try:
        found = searched(find_exercise(name), answer, "\n" * (first - 1) + source, seed)
    except KeyboardInterrupt as stop:
        raise interrupted(name, stop) from None
    if found.stopped == "passes":
        return f"Your answer passes now: run check({name!r})."
    if found.stopped or len(found.edits) != 1:
        return ""
    (number,) = found.edits
    return look_at(number, source.split("\n")[number - first])


def look_at(number: int, line: str) -> str:
    """What is said of the one line whose change is enough."""
    return (
        f"Look at line {number}, `{line.strip()}`: a change in this line alone makes your answer right. "
        "Which one is yours to find."
    )
