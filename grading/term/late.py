"""Due dates, extensions and late days, as `term.toml` has them; and what is taken off for the rest."""

import datetime
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from nbgrader.plugins import LateSubmissionPlugin
from nbgrader.utils import parse_utc
from traitlets import Float

from grading.term.choices import Choices

DAY = datetime.timedelta(days=1)
NONE = datetime.timedelta()


class TakeOff(LateSubmissionPlugin):
    """Takes a share of the mark off for each day begun, after extensions and late days."""

    share = Float(0.0, help="Of the mark, for each day begun.").tag(config=True)

    def late_submission_penalty(self, student_id: str, score: float, total_seconds_late: float) -> float:
        """The points that are taken off; nbgrader asks when a submission is late."""
        return score * min(1.0, self.share * begun(datetime.timedelta(seconds=total_seconds_late)))


def begun(late: datetime.timedelta) -> int:
    """Days begun: a second late is a day."""
    return max(0, math.ceil(late / DAY))


def keep(book: Any, unit: str, students: Iterable[str], chosen: Choices, submitted: Path) -> None:
    """Bring the due date of a unit, and everybody's extension, to where `term.toml` has them.

    A unit whose due date is not in `term.toml` keeps what it has in the gradebook.

    Args:
        book: nbgrader's open gradebook, which knows the unit.
        unit: which one.
        students: those who have handed in.
        chosen: what `term.toml` says.
        submitted: the folder with everybody's submissions.
    """
    if unit not in chosen.due:
        return
    assignment = book.find_assignment(unit)
    if assignment.duedate != chosen.due[unit]:
        assignment.duedate = chosen.due[unit]
        book.db.commit()
    have = {one.student_id: one.extension for one in assignment.submissions}
    for student in students:
        wanted = more_time(unit, chosen, handed_in(submitted / student, chosen.due), student) or None
        if have.get(student) != wanted:
            book.update_or_create_student(student)
            with book.db.no_autoflush:  # or SQLAlchemy warns of what nbgrader adds half made
                book.update_or_create_submission(unit, student).extension = wanted
            book.db.commit()


def more_time(
    unit: str, chosen: Choices, when: Mapping[str, datetime.datetime], student: str
) -> datetime.timedelta:
    """A student's extension for a unit, with the late days that are left for it.

    Late days go to units in the order in which they are due.
    """
    left = chosen.late_days
    for one in sorted(chosen.due, key=lambda name: (chosen.due[name], name)):
        extension = datetime.timedelta(days=chosen.extensions.get(one, {}).get(student, 0.0))
        late = when[one] - chosen.due[one] - extension if one in when else NONE
        used = min(left, begun(late))
        left -= used
        if one == unit:
            return extension + used * DAY
    return NONE


def handed_in(folder: Path, units: Iterable[str]) -> dict[str, datetime.datetime]:
    """When a student handed in which of the units, in UTC, from nbgrader's `timestamp.txt`."""
    found = {}
    for unit in units:
        try:
            found[unit] = parse_utc((folder / unit / "timestamp.txt").read_text("utf-8").strip())
        except (OSError, ValueError, OverflowError):
            continue  # nbgrader takes such a submission for one in time
    return found
