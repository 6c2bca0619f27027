"""Below a failed check: the learner's own lines on the call that is shown, folded away."""

import contextlib
from collections.abc import Sequence
from typing import Any

from helpers import browser
from helpers.exercises.base import Case, Exercise
from helpers.learner.traced_case import traced_case, untraceable
from helpers.verdict.judge import Verdict
from helpers.views.trace_page import SUMMARY
from helpers.views.trace_view import folded_trace

SECONDS = 0.015
"""So long may a call take that is recorded here; a longer one is left to `trace`."""
IN_BROWSER = 0.1
"""The same in a browser, where all is slower."""


def below(exercise: Exercise, verdict: Verdict, answer: Any, cases: Sequence[Case]) -> str:
    """HTML for below the panel; empty where the call takes too long, or there is nothing to see.

    Args:
        exercise: its record.
        verdict: that of a failed check.
        answer: the learner's.
        cases: those of the check.
    """
    if verdict.case is None or verdict.misconception == "never-ends" or untraceable(exercise):
        return ""
    with contextlib.suppress(Exception, KeyboardInterrupt):  # the verdict is said in any case
        found = traced_case(exercise, answer, verdict.case, cases, IN_BROWSER if browser.HERE else SECONDS)
        if found and found.data["steps"]:
            return folded_trace(found.data | {"title": exercise.name, "why": verdict.case.says}, SUMMARY)
    return ""
