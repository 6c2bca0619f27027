"""Below a failing check in the feedback: the learner's own lines on the call that is shown, folded away.

They are asked for when every test cell has run, so that what an answer does while it is recorded comes too
late for any mark, finding or flag. Where a small call cannot tell its stages apart, a second call is asked
for, as a notebook does: else the same answer would be told less of here than there.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from grading.outside.outputs import also_as_it_stands
from grading.outside.processes import Ended, Notebook
from grading.outside.recordings import checked_recording
from helpers.beside.tracing import Recording
from helpers.exercises.base import Case, Exercise
from helpers.exercises.oracle import one_thread
from helpers.verdict.staged import staged, untraceable
from helpers.views.trace_page import SUMMARY, in_words

MOST, SECONDS = 20, 0.25
"""So many checks of a notebook get one, and a call may take so long."""

LARGEST = 20_000
"""Bytes of one; a longer one is left out."""

HTML = "text/html"


@dataclass(frozen=True)
class Failed:
    """A failing check that has its panel.

    Attributes:
        exercise: its record.
        case: the call that is shown.
        cases: all calls of the check.
        output: the panel, as the notebook stores it.
    """

    exercise: Exercise
    case: Case
    cases: Sequence[Case]
    output: Any


def goes_on(seen: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a call was stopped by its time limit: it is not made again."""
    return any("too_slow" in one or "too_slow" in one.get("alone", ()) for one in seen)


def add(notebook: Notebook, failed: Sequence[Failed]) -> None:
    """Add to each panel what the lines made; where that cannot be had, for any reason, the panel stays.

    Args:
        notebook: all of its cells and checks have run.
        failed: its failing checks.
    """
    end = time.monotonic() + MOST * SECONDS
    for one in failed[:MOST]:
        if time.monotonic() > end:
            return
        try:
            told = _folded(notebook, one)
        except Ended:  # and no other process is started
            return
        except Exception:  # nobody's mark depends on it, so nobody is bothered with it
            continue
        if told and len(told.encode()) <= LARGEST:
            one.output["data"][HTML] = also_as_it_stands(one.output["data"][HTML], told)


def _folded(notebook: Notebook, one: Failed) -> str:
    """HTML without a script, or nothing."""
    if untraceable(one.exercise):
        return ""

    def call(args: Mapping[str, Any]) -> Recording | None:
        return checked_recording(notebook.trace(one.exercise.name, args, SECONDS))

    with one_thread():
        found = staged(one.exercise, one.case, one.cases, call)
    if found is None or not found.data["steps"]:
        return ""
    words = in_words(found.data | {"title": one.exercise.name, "why": one.case.says})
    return f"<details><summary>{escape(SUMMARY)}</summary>{words}</details>"
