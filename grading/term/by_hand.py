"""Marks and comments that a human gave in Formgrader: which answer each belongs to, and that none is lost.

`reports/by_hand.csv` is only added to. Formgrader adds a row the moment it saves one (`watch`), with who is
signed in; whatever else wrote into the gradebook is noted by the next command. A row with neither points nor
a comment says that they were taken back.
"""

import contextlib
import fcntl
import getpass
import os
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    MissingEntry,
    SubmittedAssignment,
    SubmittedNotebook,
)
from sqlalchemy import event, inspect, select
from sqlalchemy.orm import Session, object_session

from grading import report
from grading.term import ledger
from helpers.units import tested_by

MARKER = "MARKER"
"""The environment variable that says who marks: `make teach MARKER=kim`; else the name of the account."""


@dataclass(frozen=True)
class ByHand:
    """What a human gave one cell of one hand-in.

    Attributes:
        unit: which assignment.
        student: whose.
        cell: its grade id, of a test or of an answer.
        points: instead of the grader's, `None` where they stay.
        extra: points more.
        comment: on an answer.
        answer: fingerprint of the answer that was looked at.
        who: gave it.
    """

    unit: str
    student: str
    cell: str
    points: float | None = None
    extra: float | None = None
    comment: str = ""
    answer: str = ""
    who: str = ""

    @property
    def given(self) -> tuple[float | None, float | None, str]:
        """What was given; nothing at all where it was taken back."""
        return self.points, self.extra, self.comment

    def __str__(self) -> str:
        said = [f"{self.points:g} points"] if self.points is not None else []
        said += [f"{self.extra:g} points more"] if self.extra is not None else []
        said += ["a comment"] if self.comment else []
        return f"{tested_by(self.cell)}: {' and '.join(said) or 'taken back'}"


NOTHING = (None, None, "")


def note(course: Path, book: Any, unit: str) -> list[ByHand]:
    """Keep what is new in a gradebook since the last look.

    Whoever gives in Formgrader is noted at once. So what stands in an earlier row alone is no news: then the
    gradebook is an older copy.

    Returns:
        What was given or taken back last and is not there any more, though nobody changed it: the gradebook
        is an older copy, or was begun anew.
    """
    kept, there = _rows(course, unit), _there(book, unit)
    news = {
        key: one
        for key, one in there.items()
        if one.given not in (NOTHING, *(old.given for old in kept.get(key, ())))
    }
    append(course, [_seen(course, one) for one in news.values()])
    assignment = book.find_assignment(unit)
    students = {one.student_id for one in assignment.submissions}
    cells = {cell.name for one in assignment.notebooks for cell in one._base_cells}
    return [
        old[-1]
        for (student, cell), old in kept.items()
        if student in students and cell in cells and (student, cell) not in news
        if old[-1].given != getattr(there.get((student, cell)), "given", NOTHING)
    ]


def last(course: Path, unit: str) -> dict[tuple[str, str], ByHand]:
    """What stands in the file of each student and cell of a unit."""
    return {key: given[-1] for key, given in _rows(course, unit).items()}


def _rows(course: Path, unit: str) -> dict[tuple[str, str], list[ByHand]]:
    """All that ever stood there, the oldest first."""
    found: dict[tuple[str, str], list[ByHand]] = {}
    for row in ledger.rows(course / ledger.BY_HAND, unit):
        points, extra = (float(row[name]) if row[name] else None for name in ("manual_score", "extra_credit"))
        given = (points, extra, row["comment"], row["answer"], row["who"])
        found.setdefault((row["student"], row["cell"]), []).append(
            ByHand(unit, row["student"], row["cell"], *given)
        )
    return found


def append(course: Path, given: Iterable[ByHand]) -> None:
    """Add rows, also while another process does."""
    if not (given := list(given)):
        return
    (course / report.FOLDER).mkdir(exist_ok=True)
    with open(course / report.FOLDER / ".by_hand.lock", "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        rows = [
            {
                "unit": one.unit,
                "student": one.student,
                "cell": one.cell,
                "manual_score": "" if one.points is None else repr(float(one.points)),
                "extra_credit": "" if one.extra is None else repr(float(one.extra)),
                "comment": one.comment,
                "answer": one.answer,
                "who": one.who,
            }
            for one in given
        ]
        ledger.append(course / ledger.BY_HAND, rows)


def put_back(book: Any, lost: Collection[ByHand]) -> int:
    """Give again, or take back, what a gradebook has lost of that; how many."""
    for one in lost:
        where = (one.cell, one.unit, one.unit, one.student)
        with contextlib.suppress(MissingEntry):  # an answer has a comment alone
            grade = book.find_grade(*where)
            grade.manual_score, grade.extra_credit = one.points, one.extra
        with contextlib.suppress(MissingEntry):  # a test has points alone; a task has both
            book.find_comment(*where).manual_comment = one.comment or None
    book.db.commit()
    return len(lost)


def _there(book: Any, unit: str) -> dict[tuple[str, str], ByHand]:
    """All that a human gave in a unit, as the gradebook has it, by student and cell."""
    found: dict[tuple[str, str], ByHand] = {}
    for kind, is_given in (
        (Grade, Grade.manual_score.is_not(None) | Grade.extra_credit.is_not(None)),
        (Comment, Comment.manual_comment.is_not(None)),
    ):
        for one, student, cell in book.db.execute(_of_unit(kind, unit).where(is_given)):
            given = found.get((student, cell), ByHand(unit, student, cell))
            found[student, cell] = _with(given, one)
    return found


def _of_unit(kind: Any, unit: str) -> Any:
    return (
        select(kind, SubmittedAssignment.student_id, BaseCell.name)
        .join(BaseCell, BaseCell.id == kind.cell_id)
        .join(SubmittedNotebook, SubmittedNotebook.id == kind.notebook_id)
        .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .where(Assignment.name == unit)
    )


def _with(given: ByHand, one: Any) -> ByHand:
    """The same with what stands in a grade or in a comment: a task has both under one name."""
    if isinstance(one, Comment):
        return replace(given, comment=one.manual_comment or "")
    return replace(given, points=one.manual_score, extra=one.extra_credit)


def _seen(course: Path, one: ByHand, who: str = "") -> ByHand:
    """The same with the answer that Formgrader showed: that of the last grading."""
    found = report.read(course, one.unit, one.student)
    answer = found.answers.get(tested_by(one.cell), "") if found else ""
    return ByHand(one.unit, one.student, one.cell, *one.given, answer, who)


# Formgrader

_WATCHED: set[Path] = set()


def watch(course: Path) -> Callable[[], None]:
    """From now on note in this process whatever is given by hand, with who gave it.

    Returns:
        What ends that.
    """

    def before_flush(session: Session, *_: Any) -> None:
        changed = [one for one in session.dirty if isinstance(one, Grade | Comment) and _is_changed(one)]
        append(course, [_seen(course, _of(one), marker()) for one in changed])

    def end() -> None:
        _WATCHED.discard(course)
        event.remove(Session, "before_flush", before_flush)

    if course in _WATCHED:  # a server reads its settings more than once
        return lambda: None
    _WATCHED.add(course)
    event.listen(Session, "before_flush", before_flush)
    return end


def marker() -> str:
    """Who marks in this process."""
    try:
        return os.environ.get(MARKER) or getpass.getuser()
    except (KeyError, OSError):
        return ""  # an account without a name, as in some containers


def _is_changed(one: Any) -> bool:
    names = ("manual_comment",) if isinstance(one, Comment) else ("manual_score", "extra_credit")
    return any(inspect(one).attrs[name].history.has_changes() for name in names)


def _of(one: Any) -> ByHand:
    with object_session(one).no_autoflush:
        submission = one.notebook.assignment
        given = ByHand(submission.assignment.name, submission.student_id, one.cell.name)
        for part in (*one.notebook.grades, *one.notebook.comments):
            given = _with(given, part) if part.cell_id == one.cell_id else given
        return given


def by_cell(course: Path, unit: str, student: str) -> Mapping[str, ByHand]:
    """What a human gave one student in a unit, by cell."""
    return {cell: one for (who, cell), one in last(course, unit).items() if who == student}
