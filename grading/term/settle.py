"""Bring the gradebook to what is known now, so that a mark never depends on which command ran before.

Raw points come from grading and changes from Formgrader. Due dates, extensions, late days and what is taken
off follow from them, from the times of the hand-ins and from `term.toml`: they are computed here whenever
somebody asks for marks, and nbgrader's tables only keep the last result, for Formgrader to show.
"""

import contextlib
import datetime
from collections.abc import Collection, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nbgrader.api import Assignment, SubmittedAssignment, SubmittedNotebook
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import AssignLatePenalties
from sqlalchemy import select

from grading.outside.sandbox import Refusal
from grading.term import by_hand, choices, gradebook, late
from grading.term.choices import BadChoice, Choices
from grading.term.late import Lateness
from grading.trouble import meant
from helpers.errors import OneSentence


@dataclass(frozen=True)
class Settled:
    """What is known when marks are asked for.

    Attributes:
        chosen: what `term.toml` says.
        lateness: of each hand-in that has a mark and a time, by unit and student.
        lost: marks and comments by hand that are not in this gradebook any more, see `by_hand`.
    """

    chosen: Choices
    lateness: Mapping[str, Mapping[str, Lateness]] = field(default_factory=dict)
    lost: tuple[by_hand.ByHand, ...] = ()


@contextlib.contextmanager
def settled(config: Any) -> Iterator[tuple[Any, Settled]]:
    """The open gradebook of a course, brought to what is known now.

    Raises:
        BadChoice: when `term.toml` names what there is not.
    """
    with gradebook.opened(config) as book:
        yield book, settle(config, book)


@contextlib.contextmanager
def refusing() -> Iterator[None]:
    """End one of nbgrader's commands with the sentence that there is, not with a traceback above it.

    Raises:
        Refusal: when `term.toml` or another file of the instructor's cannot be.
    """
    try:
        yield
    except Exception as error:
        if not isinstance(error, OneSentence):
            raise
        raise Refusal(str(error)) from None


def settings_of(application: Any) -> Any:
    """The settings of one of nbgrader's commands, with the folder and gradebook that its words may name."""
    places, made = CourseDirectory(parent=application), deepcopy(application.config)
    made.CourseDirectory.root, made.CourseDirectory.db_url = places.root, places.db_url
    return made


def settle(config: Any, book: Any) -> Settled:
    """Write dates, extensions and what is taken off into an open gradebook, where they are other ones now.

    A unit whose due date is not in `term.toml` keeps the date and the extensions that the gradebook has, but
    not those of a line of `term.toml` that is gone.

    Raises:
        BadChoice: when `term.toml` names what there is not.
    """
    course = Path(CourseDirectory(config=config).root)
    chosen = choices.read(course)
    handed_in = {one.name for one in course.glob("submitted/*")}
    must_know_students(chosen, {*handed_in, *(one.id for one in book.students)})
    lateness = _lateness(book, chosen)
    for assignment in book.assignments:
        _dates(assignment, chosen, lateness.get(assignment.name, {}))
    book.db.flush()
    step = AssignLatePenalties(config=config)
    step.init_plugin()
    for assignment in book.assignments:
        _penalties(book, step, assignment)
    lost = [one for unit in book.assignments for one in by_hand.note(course, book, unit.name)]
    book.db.commit()
    return Settled(chosen, lateness, tuple(lost))


def must_know_students(chosen: Choices, known: Collection[str]) -> None:
    """Look at the students that `term.toml` names.

    Raises:
        BadChoice: when nobody knows one, with the nearest id there is.
    """
    for place, students in chosen.named():
        for student in students:
            if known and student not in known:
                raise BadChoice(
                    f"{choices.FILE}: {place}.{student}: there is no {student} on the roster or in "
                    f"submitted/{meant(student, known)}"
                )


def _lateness(book: Any, chosen: Choices) -> dict[str, dict[str, Lateness]]:
    marked = {
        (one.name, student)
        for one in book.assignments
        if one.name in chosen.due and one.max_score
        for student, standing in gradebook.standings(book, one.name).items()
        if standing.mark is not None
    }
    when: dict[str, dict[str, datetime.datetime]] = {}
    times = (
        select(Assignment.name, SubmittedAssignment.student_id, SubmittedAssignment.timestamp)
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .where(SubmittedAssignment.timestamp.is_not(None))
    )
    for unit, student, time in book.db.execute(times):
        if (unit, student) in marked:
            when.setdefault(student, {})[unit] = time
    found: dict[str, dict[str, Lateness]] = {}
    for student, theirs in when.items():
        for unit, one in late.of_student(chosen, theirs, student).items():
            found.setdefault(unit, {})[student] = one
    return found


def _dates(assignment: Any, chosen: Choices, lateness: Mapping[str, Lateness]) -> None:
    due, had = chosen.due.get(assignment.name), assignment.duedate
    if due is None and (had is None or had.microsecond != late.OF_TERM):
        return
    assignment.duedate = due and due.replace(microsecond=late.OF_TERM)
    for one in assignment.submissions:
        wanted = lateness[one.student_id].more_time if one.student_id in lateness else late.NONE
        if (one.extension or late.NONE) != wanted:
            one.extension = wanted or None


def _penalties(book: Any, step: AssignLatePenalties, assignment: Any) -> None:
    standings = gradebook.standings(book, assignment.name)
    notebooks = (
        select(SubmittedNotebook, SubmittedAssignment.student_id)
        .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
        .where(SubmittedAssignment.assignment_id == assignment.id)
    )
    for notebook, student in book.db.execute(notebooks):
        one = standings[student]
        wanted = penalty(step, student, one.raw, one.late.total_seconds()) if one.mark is not None else None
        if notebook.late_submission_penalty != wanted:
            notebook.late_submission_penalty = wanted


def penalty(step: AssignLatePenalties, student: str, raw: float, seconds: float) -> float | None:
    """What the course's late policy takes off, from nothing to all; `None` where a hand-in is in time.

    Args:
        step: nbgrader's own, with the policy ready.
        student: who handed in.
        raw: the points before that.
        seconds: how late, after extensions and late days.
    """
    if seconds <= 0:
        return None
    taken = step.plugin_inst.late_submission_penalty(student, raw, seconds)
    return None if taken is None else min(max(0.0, taken), raw)
