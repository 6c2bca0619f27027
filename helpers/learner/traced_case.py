"""A case's call of the learner's answer, recorded, with its stages and facts."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from helpers.beside.traced_call import traced_call
from helpers.beside.tracing import Recording
from helpers.exercises.base import Case, Exercise
from helpers.verdict.staged import staged


def traced_case(
    exercise: Exercise, answer: Any, case: Case, cases: Sequence[Case], seconds: float
) -> Recording | None:
    """A case's call, recorded, with its stages and facts; `None` where it takes too long.

    Args:
        exercise: its record.
        answer: the learner's.
        case: the call that is shown.
        cases: others, see `staged`.
        seconds: how long all that is called may take.
    """
    end = time.monotonic() + seconds

    def call(args: Mapping[str, Any]) -> Recording | None:
        return traced_call(exercise, answer, args, end - time.monotonic())

    return staged(exercise, case, cases, call)
