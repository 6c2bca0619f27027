"""The warm process of this grader, started when it is first needed."""

import atexit
from pathlib import Path

from grading.outside.limits import Limits
from grading.outside.processes import Warm

_RUNNING: dict[tuple[Path, bool, Limits], Warm] = {}


def get(course: Path, walled: bool, limits: Limits) -> Warm:
    """The warm process that hides a course folder; workers forked afterwards share it.

    Raises:
        NoSandbox: when learner code cannot be kept apart here.
    """
    key = (course.resolve(), walled, limits)
    if key not in _RUNNING:
        _RUNNING[key] = Warm([key[0]], walled, limits)
        atexit.register(_RUNNING[key].close)
    return _RUNNING[key]
