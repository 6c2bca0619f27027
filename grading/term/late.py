"""How late a hand-in came by the dates of `term.toml`: extensions first, then late days, then points off."""

import datetime
import math
from collections.abc import Mapping
from dataclasses import dataclass

from nbgrader.plugins import LateSubmissionPlugin
from traitlets import Float

from grading.term.choices import Choices

DAY = datetime.timedelta(days=1)
NONE = datetime.timedelta()
OF_TERM = 1
"""The microseconds of a due date in the gradebook that `term.toml` gave; one of Formgrader's has none."""


class TakeOff(LateSubmissionPlugin):
    """Takes a share of the mark off for each day begun, after extensions and late days."""

    share = Float(0.0, help="Of the mark, for each day begun.").tag(config=True)

    def late_submission_penalty(self, student_id: str, score: float, total_seconds_late: float) -> float:
        """The points that are taken off; nbgrader asks when a submission is late."""
        return score * min(1.0, self.share * begun(datetime.timedelta(seconds=total_seconds_late)))


def begun(late: datetime.timedelta) -> int:
    """Days begun: a second late is a day."""
    return max(0, math.ceil(late / DAY))


@dataclass(frozen=True)
class Lateness:
    """One hand-in of one student against the dates.

    Attributes:
        after: how long after the due date it came; nothing where it came before.
        extension: more time that the student was given.
        used: late days that it took.
        left: late days that are left for units which are due later.
    """

    after: datetime.timedelta
    extension: datetime.timedelta
    used: int
    left: int

    @property
    def more_time(self) -> datetime.timedelta:
        """What the gradebook calls the extension: given time and late days together."""
        return self.extension + self.used * DAY

    @property
    def late(self) -> datetime.timedelta:
        """What is still late after that."""
        return max(NONE, self.after - self.more_time)

    @property
    def is_late(self) -> bool:
        """Whether it came after the student's own date, whatever late days make of that."""
        return self.after > self.extension

    def __str__(self) -> str:
        """In words, for the instructor and for the learner; empty where it came in time."""
        if not self.after:
            return ""
        said = [f"{self.after} after the due date"]
        said += [f"{self.extension / DAY:g} more days given"] if self.extension else []
        said += [f"{self.used} late day{'s' * (self.used != 1)} used, {self.left} left"] if self.used else []
        return ", ".join(said)


def of_student(chosen: Choices, when: Mapping[str, datetime.datetime], student: str) -> dict[str, Lateness]:
    """A student's hand-ins against the dates, by unit.

    Late days go to units in the order in which they are due.

    Args:
        chosen: what `term.toml` says.
        when: the times of the hand-ins that count, in UTC without a zone, by unit.
        student: whose.
    """
    left, found = chosen.late_days, {}
    for unit in sorted(chosen.due, key=lambda name: (chosen.due[name], name)):
        if unit not in when:
            continue
        extension = datetime.timedelta(days=chosen.extensions.get(unit, {}).get(student, 0.0))
        after = max(NONE, when[unit] - chosen.due[unit])
        used = min(left, begun(after - extension))
        left -= used
        found[unit] = Lateness(after, extension, used, left)
    return found
