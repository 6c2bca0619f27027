"""`nbgrader export`: nbgrader's own columns, blank where there is no mark, and what else one asks."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nbgrader.coursedir import CourseDirectory
from nbgrader.plugins import ExportPlugin

from grading import report
from grading.exports import news
from grading.term import collected, gradebook, settle
from grading.term.late import Lateness

COLUMNS = (
    *("assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email"),
    *("raw_score", "late_submission_penalty", "score", "max_score"),
    *("late", "late_days", "overridden", "needs_manual_grade", "flags", "reason"),
)
"""nbgrader's, in its order, then ours."""


class MarksExport(ExportPlugin):
    """Writes a row for each student and unit; who has no mark has none here, not 0."""

    @settle.refusing()
    def export(self, book: Any) -> None:
        """Write the table whole, to `grades.csv` or where `--to` says."""
        config = settle.settings_of(self.parent)
        self._known = settle.settle(config, book)
        table = io.StringIO()
        writer = csv.DictWriter(table, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(self._rows(book))
        path = Path(self.to or "grades.csv").absolute()
        report.write_whole(path, table.getvalue())
        for line in news.since_grading(config, book):
            self.log.warning("%s", line)
        self.log.info("Exported grades to %s", path)

    def _rows(self, book: Any) -> Iterator[dict[str, Any]]:
        units, students = [str(one) for one in self.assignment], [str(one) for one in self.student]
        course = Path(CourseDirectory(parent=self.parent).root)
        for assignment in book.assignments:
            if units and assignment.name not in units:
                continue
            handed_in = {one.student_id: one for one in assignment.submissions}
            standings = gradebook.standings(book, assignment.name)
            left_out = collected.left_out(course, assignment.name)
            for student in book.students:
                if not students or student.id in students:
                    row = _of_student(assignment, student, handed_in.get(student.id))
                    found = report.read(course, assignment.name, student.id)
                    late = self._known.lateness.get(assignment.name, {}).get(student.id)
                    yield row | _marks(standings.get(student.id), found, late, left_out.get(student.id, ""))


def _of_student(assignment: Any, student: Any, submission: Any) -> dict[str, Any]:
    return {
        "assignment": assignment.name,
        "duedate": assignment.duedate.replace(microsecond=0) if assignment.duedate else "",
        "timestamp": (submission and submission.timestamp) or "",
        "student_id": student.id,
        "last_name": student.last_name or "",
        "first_name": student.first_name or "",
        "email": student.email or "",
        "max_score": assignment.max_score,
    }


def _marks(
    standing: gradebook.Standing | None, found: report.Report | None, late: Lateness | None, left_out: str
) -> dict[str, Any]:
    reason = "; ".join(filter(None, (found and found.reason, left_out and f"skipped at collect: {left_out}")))
    if standing is None or standing.mark is None:
        return {"reason": reason or ("no mark yet" if standing else "nothing handed in")}
    return {
        "raw_score": standing.raw,
        "late_submission_penalty": standing.penalty,
        "score": standing.mark,
        "late": standing.late or "",
        "late_days": late.used if late and late.used else "",
        "overridden": "yes" if standing.overridden else "",
        "needs_manual_grade": "yes" if standing.wants_human else "",
        "flags": "; ".join(found.flags) if found else "",
        "reason": reason,
    }
