"""What the grader asks of nbgrader's gradebook beside what nbgrader does itself."""

import contextlib
import datetime
import shutil
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    GradeCell,
    MissingEntry,
    SourceCell,
    SubmittedAssignment,
    SubmittedNotebook,
)
from nbgrader.coursedir import CourseDirectory
from sqlalchemy import select
from sqlalchemy.orm import Session, scoped_session, sessionmaker

from grading.handed_in.restore import GIVEN, cells_of, in_order, solution
from grading.term import basis
from grading.term.engine import engine
from grading.term.late import Lateness
from helpers.units import tested_by


@dataclass
class Standing:
    """Where a student stands in a unit, as the gradebook has it.

    Attributes:
        points: of each exercise, a human's before the grader's; `None` where nobody gave any.
        automatic: the grader's own, `None` where there are none.
        penalty: what is taken off because it came late.
        late: how late it came.
        by_hand: the exercises whose points a human gave.
        wants_human: whether nbgrader notes that somebody should look at an exercise, and nobody has.
    """

    points: dict[str, float | None] = field(default_factory=dict)
    automatic: dict[str, float | None] = field(default_factory=dict)
    penalty: float = 0.0
    late: datetime.timedelta = datetime.timedelta()
    by_hand: set[str] = field(default_factory=set)
    wants_human: bool = False

    @property
    def overridden(self) -> bool:
        """Whether a human gave points."""
        return bool(self.by_hand)

    @property
    def raw(self) -> float:
        """The points before anything is taken off."""
        return sum(one or 0.0 for one in self.points.values())

    @property
    def mark(self) -> float | None:
        """What counts, as nbgrader computes it; `None` where nothing was graded."""
        if all(one is None for one in self.automatic.values()) and None in self.points.values():
            return None
        return max(0.0, self.raw - self.penalty)


def standings(book: Any, unit: str) -> dict[str, Standing]:
    """Where everybody stands who has handed in a unit, by student."""
    found = {}
    submissions = (
        select(
            SubmittedAssignment.student_id,
            SubmittedAssignment.timestamp,
            SubmittedAssignment.extension,
            Assignment.duedate,
        )
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .where(Assignment.name == unit)
    )
    for student, when, extension, due in book.db.execute(submissions):
        found[student] = Standing(late=_late(when, due, extension))
    for student, penalty in book.db.execute(_of_unit(SubmittedNotebook.late_submission_penalty, unit)):
        found[student].penalty += penalty or 0.0
    scores = (Grade.needs_manual_grade, Grade.auto_score, Grade.manual_score, Grade.extra_credit)
    test, is_given = GradeCell.__table__.c, SourceCell.source == GIVEN
    grades = (
        _of_unit((BaseCell.name, *scores, test.max_score, is_given), unit)
        .join(Grade, Grade.notebook_id == SubmittedNotebook.id)
        .join(BaseCell, BaseCell.id == Grade.cell_id)
        .outerjoin(GradeCell.__table__, test.id == Grade.cell_id)
        .outerjoin(
            SourceCell,
            (SourceCell.notebook_id == BaseCell.notebook_id) & (SourceCell.name == BaseCell.name),
        )
    )
    for student, *grade in book.db.execute(grades.order_by(Grade.needs_manual_grade)):
        # those last at which somebody should look, see `_add`
        _add(found[student], *grade)
    return found


def notes(one: Standing, lateness: Lateness | None = None) -> list[str]:
    """What one should know of a mark, in words."""
    said = [str(lateness)] if lateness and lateness.after else [f"late by {one.late}"] if one.late else []
    said += [f"{one.penalty:g} taken off"] if one.penalty else []
    said += ["changed by hand"] if one.overridden else []
    return said + (["to be looked at in Formgrader"] if one.wants_human else [])


def _of_unit(columns: Any, unit: str) -> Any:
    columns = columns if isinstance(columns, tuple) else (columns,)
    return (
        select(SubmittedAssignment.student_id, *columns)
        .select_from(SubmittedNotebook)
        .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .where(Assignment.name == unit)
    )


def _late(when: Any, due: Any, extension: Any) -> datetime.timedelta:
    if when is None or due is None:
        return datetime.timedelta()
    return max(datetime.timedelta(), when - due.replace(microsecond=0) - (extension or datetime.timedelta()))


def counted(
    auto: float | None, manual: float | None, extra: float | None, most: float | None, is_given: bool | None
) -> float | None:
    """What counts of the points in one cell: a human's before the grader's, and extra credit.

    Where the cell is worth nothing, as that of a dropped exercise, what a human gave for it counts nothing;
    where everybody is given its points, nobody has fewer.
    """
    if manual is not None:
        manual = 0.0 if most == 0 else max(manual, most or 0.0) if is_given else manual
    points = auto if manual is None else manual
    return None if points is None else points + (extra or 0.0)


def _add(
    standing: Standing,
    cell: str,
    needs: bool,
    auto: float | None,
    manual: float | None,
    extra: float | None,
    *instead: Any,
) -> None:
    name = tested_by(cell)
    standing.points[name] = _and(standing.points, name, counted(auto, manual, extra, *instead))
    standing.automatic[name] = _and(standing.automatic, name, auto)
    is_given = manual is not None or extra is not None
    if is_given:
        standing.by_hand.add(name)
    standing.wants_human |= needs and (is_given or auto is None or name not in standing.by_hand)


def _and(points: Mapping[str, float | None], name: str, more: float | None) -> float | None:
    """The points of an exercise with those of one more of its test cells; none where one has none yet."""
    before = points.get(name, 0.0)
    return None if before is None or more is None else before + more


def most(book: Any, unit: str) -> dict[str, float]:
    """How many points each exercise of a unit can have."""
    cells = [cell for one in book.find_assignment(unit).notebooks for cell in one.grade_cells]
    found: dict[str, float] = {}
    for cell in cells:
        if isinstance(cell, GradeCell):
            name = tested_by(cell.name)
            found[name] = found.get(name, 0.0) + cell.max_score
    return found


def opened(config: Any) -> Gradebook:
    """The gradebook of a course."""
    places = CourseDirectory(config=config)
    return Gradebook(places.db_url, places.course_id)


def students(book: Any) -> dict[str, bool]:
    """Every student in the gradebook, and whether a human gave them a name or an address there."""
    return {one.id: any((one.first_name, one.last_name, one.email, one.lms_user_id)) for one in book.students}


def judged_by(config: Any, unit: str) -> basis.Basis:
    """What a unit is judged by, now: see `basis`.

    Raises:
        MissingEntry: when the gradebook does not know the unit.
    """
    places = CourseDirectory(config=config)
    with opened(config) as book:
        cells = in_order(cells_of(book.find_notebook(unit, unit)), solution(places, unit))
        return basis.of(config, Path(places.root), unit, cells)


class _AtTheEnd(Session):
    """Writes all or nothing, when the gradebook is left; nbgrader commits after every line."""

    def commit(self) -> None:
        self.flush()


class _Ready(Gradebook):
    """A gradebook that is known to have its tables: to look for each of them takes longer than a mark."""

    def __init__(self, db_url: str) -> None:
        self.engine = engine(db_url, echo=False, future=True)
        self.db = scoped_session(sessionmaker(bind=self.engine, class_=_AtTheEnd, future=True))
        self.course_id, self.authenticator = "", None


@contextlib.contextmanager
def in_one_go(db_url: str) -> Iterator[Gradebook]:
    """A gradebook in use, whose changes are kept together at the end, or not at all."""
    with _Ready(db_url) as book:
        yield book
        Session.commit(book.db())


def note_hand_in(book: Gradebook, unit: str, student: str, when: datetime.datetime | None) -> None:
    """Make sure that the gradebook knows a student, and that and when they handed in a unit."""
    book.update_or_create_student(student)
    with book.db.no_autoflush:  # or SQLAlchemy warns of what nbgrader adds half made
        book.update_or_create_submission(unit, student, timestamp=when)


def give(
    book: Gradebook,
    notebook: Any,
    points: Mapping[str, float | None],
    look_at: Collection[str],
    replaced: Collection[str] = (),
) -> None:
    """Give automatic points by grade id, and say what a human should look at.

    What a human gave stands for the answer that they saw, and so it is taken away where another one has
    replaced that. Where it stays and the grader says the same as before, it is decided: of an exercise
    with two test cells one is enough.

    Args:
        book: an open gradebook.
        notebook: somebody's, in there.
        points: of each grade cell.
        look_at: exercises that a human should look at, unless they have.
        replaced: cells whose answer is another one than a human has seen.
    """
    grades = [(grade, name) for grade, name in _with_names(book, notebook, Grade) if name in points]
    for grade, name in grades:
        if name in replaced:
            grade.manual_score = grade.extra_credit = None
    given = {name for one, name in grades if one.manual_score is not None or one.extra_credit is not None}
    decided = {tested_by(name) for name in given}
    for grade, name in grades:
        is_new, grade.auto_score = grade.auto_score != points[name], points[name]
        doubtful = tested_by(name) in {*look_at} - decided or name in replaced
        grade.needs_manual_grade = grade.auto_score is None or (is_new if name in given else doubtful)
    for comment, name in _with_names(book, notebook, Comment):
        if name in replaced:
            comment.manual_comment = None


def note_blanks(book: Gradebook, notebook: Any, unchanged: Mapping[str, bool]) -> None:
    """Say of each answer, by grade id, whether it is blank."""
    for comment, name in _with_names(book, notebook, Comment):
        if name in unchanged:
            comment.auto_comment = "No response." if unchanged[name] else None


def _with_names(book: Gradebook, notebook: Any, kind: Any) -> Any:
    """Somebody's grades or comments, each with its grade id: to ask one by one takes longer than all else."""
    cells = select(kind, BaseCell.name).join(BaseCell, BaseCell.id == kind.cell_id)
    return book.db.execute(cells.where(kind.notebook_id == notebook.id))


def forget(config: Any, unit: str, student: str) -> None:
    """Take back the automatic marks of a student, whose submission cannot be graded any more.

    Marks by hand stay; what was made of the earlier submission goes, feedback too.
    """
    places = CourseDirectory(config=config)
    for folder in (places.autograded_directory, places.feedback_directory):
        shutil.rmtree(places.format_path(folder, student, unit), ignore_errors=True)
    with opened(config) as book:
        try:
            submission = book.find_submission(unit, student)
        except MissingEntry:
            return
        for notebook in submission.notebooks:
            notebook.late_submission_penalty = None
            for grade in notebook.grades:
                grade.auto_score, grade.needs_manual_grade = None, True
        book.db.commit()
