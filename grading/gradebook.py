"""What the grader asks of nbgrader's gradebook beside what nbgrader does itself."""

import shutil
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.coursedir import CourseDirectory


def must_know(config: Any, unit: str) -> None:
    """Refuse a unit that was never generated.

    Raises:
        FileNotFoundError: with the command that makes it known.
    """
    places = CourseDirectory(config=config)
    with Gradebook(places.db_url, places.course_id) as book:
        try:
            book.find_assignment(unit)
        except MissingEntry:
            raise FileNotFoundError(
                f"The gradebook does not know {unit}: run `nbgrader generate_assignment {unit}` first."
            ) from None


def marks(config: Any, unit: str) -> dict[str, float]:
    """The automatic marks of a unit, by student."""
    places = CourseDirectory(config=config)
    with Gradebook(places.db_url, places.course_id) as book:
        return {
            submission.student_id: sum(
                grade.auto_score or 0 for notebook in submission.notebooks for grade in notebook.grades
            )
            for submission in book.assignment_submissions(unit)
        }


def forget(config: Any, unit: str, student: str) -> None:
    """Take back the automatic marks of a student, whose submission cannot be graded any more.

    Raises:
        MissingEntry: when there are none.
    """
    places = CourseDirectory(config=config)
    graded = Path(places.format_path(places.autograded_directory, student, unit))
    shutil.rmtree(graded, ignore_errors=True)
    with Gradebook(places.db_url, places.course_id) as book:
        submission = book.find_submission(unit, student)
        for notebook in submission.notebooks:
            for grade in notebook.grades:
                grade.auto_score, grade.needs_manual_grade = None, True
        book.db.commit()
