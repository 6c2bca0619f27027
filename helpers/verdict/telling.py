"""How a verdict is told, to a learner as in a class that is graded: one sentence, or an error."""

import os
from typing import Any

from helpers.beside.failed_cells import AGAIN, Failed, to_repair
from helpers.errors import CheckFailed
from helpers.exercises.base import Exercise


def praise(name: str, verdict: Any) -> str:
    """What is said of a right answer."""
    right = f"{name}: right{' so far' if verdict.so_far else ''}."
    return "\n".join(filter(None, [f"{right} {verdict.remark}".strip(), verdict.tally]))


def nothing_there(exercise: Exercise, near: str = "", note: str = "") -> CheckFailed:
    """The error where the notebook has nothing of the exercise's name.

    Args:
        exercise: its record.
        near: what may be the answer under a misspelt name.
        note: what else the notebook's cells did.
    """
    says = f"{exercise.name} is not answered yet: nothing is called {exercise.name}"
    if near:
        says += f", but `{near}` is there: is it that?"
    else:
        says += f". {note}" if note else ". Run its answer cell first."
    return CheckFailed(says, exercise.name, hint=exercise.hints[0])


def not_checked(exercise: Exercise, stopped: Failed, again: str = AGAIN) -> CheckFailed:
    """The error where the answer's cell stopped, so that what the notebook holds is older than the cell."""
    from helpers.verdict.error_hints import known_error

    says = f"{exercise.name} is not checked: {to_repair(exercise.name, stopped, again)}"
    known = None if stopped.advice else known_error(stopped.kind, stopped.text)
    says = f"{says}\nHint: {known.hint}" if known else says
    return CheckFailed(says, exercise.name, hint=known.hint if known else exercise.hints[0])


def failure(exercise: Exercise, verdict: Any, again: str, *, drawn: bool) -> CheckFailed:
    """The error of an answer that is not right; with a brief text where the panel is drawn above it."""
    brief = ""
    if drawn and os.environ.get("NBGRADER_EXECUTION"):  # Validate shows the error and no panel
        brief = "\n".join([*verdict.lines[:2], verdict.hinted])
    elif drawn:
        brief = f"{verdict.lines[0]} The panel above says what to look at."
    text = f"{verdict.says}\n{again}"
    return CheckFailed(text, exercise.name, verdict.misconception, verdict.hint, brief)


def the_same(name: str, seed: int, sizes: str) -> str:
    """How to repeat a check."""
    hidden = "" if sizes == "visible" else f", sizes={sizes!r}"
    return f"(The same inputs again: check({name!r}, seed={seed}{hidden}))"
