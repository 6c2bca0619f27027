"""One table of marks for people: a row for each student, a column for each unit, and what one should know."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from nbgrader.coursedir import CourseDirectory
from nbgrader.plugins import ExportPlugin

from grading import report
from grading.exports import late_days_csv, news
from grading.spreadsheet import begins_a_formula
from grading.term import collected, gradebook, settle
from grading.term.late import Lateness

FILE = "marks.csv"


class MarksTable(ExportPlugin):
    """Writes `marks.csv`, or what `--to` names: students by units, blank where there is no mark."""

    @settle.refusing()
    def export(self, book: Any) -> None:
        """Write the table whole, and the ledger of late days beside it where there are some."""
        config = settle.settings_of(self.parent)
        known = settle.settle(config, book)
        units, students = [str(one) for one in self.assignment], [str(one) for one in self.student]
        wanted = sorted(
            (one for one in book.assignments if not units or one.name in units), key=lambda one: one.name
        )
        course = Path(CourseDirectory(parent=self.parent).root)
        standings = {one.name: gradebook.standings(book, one.name) for one in wanted}
        left_out = {one.name: collected.left_out(course, one.name) for one in wanted}
        most = {one.name: sum(gradebook.most(book, one.name).values()) for one in wanted}
        columns = [f"{unit} (of {points:g})" for unit, points in most.items()]
        table = io.StringIO()
        writer = csv.writer(table, lineterminator="\n")
        writer.writerow(["student_id", "last_name", "first_name", "email", *columns, "sum", "notes"])
        for student in book.students:
            if not students or student.id in students:
                who = (student.id, student.last_name, student.first_name, student.email)
                row = _row(course, student.id, standings, known.lateness, left_out)
                writer.writerow([*map(plain, who), *row])
        path = Path(self.to or FILE).absolute()
        report.write_whole(path, "\N{BYTE ORDER MARK}" + table.getvalue())  # or Excel spoils the accents
        ledger = path.with_name(path.name.replace("marks", "late_days"))
        if ledger != path and (count := late_days_csv.write(ledger, known.lateness, standings, students)):
            self.log.info("%d came after the due date: %s", count, ledger)
        for line in news.since_grading(config, book):
            self.log.warning("%s", line)
        self.log.info("Exported marks to %s", path)


def plain(text: str | None) -> str:
    """A name that a spreadsheet takes for a name, whatever sign it begins with."""
    return f"'{text}" if text and begins_a_formula(text) else text or ""


def _row(
    course: Path,
    student: str,
    standings: Mapping[str, Mapping[str, gradebook.Standing]],
    lateness: Mapping[str, Mapping[str, Lateness]],
    left_out: Mapping[str, Mapping[str, str]],
) -> Sequence[Any]:
    marks, notes = [], []
    for unit, everybody in standings.items():
        one = everybody.get(student)
        marks.append(one.mark if one else None)
        late = lateness.get(unit, {}).get(student)
        skipped = [f"skipped at collect: {left_out[unit][student]}"] if student in left_out[unit] else []
        said = [*_notes(one, report.read(course, unit, student), late), *skipped]
        if everybody and not said and marks[-1] is None:
            is_there = (course / "submitted" / student / unit).exists()
            said = ["no mark yet" if is_there else "nothing handed in"]
        notes += [f"{unit}: {'; '.join(said)}"] if said else []
    given = [mark for mark in marks if mark is not None]
    cells = ["" if mark is None else f"{mark:g}" for mark in marks]
    return [*cells, f"{sum(given):g}" if given else "", " | ".join(notes)]


def _notes(
    one: gradebook.Standing | None, found: report.Report | None, late: Lateness | None
) -> Iterator[str]:
    if one is not None and one.mark is not None:
        yield from gradebook.notes(one, late)
        flags = found.flags if found and not found.is_decided(one.by_hand) else ()
        yield from (f"worth a look: {flag}" for flag in flags)
    elif found and found.reason:
        yield found.reason
