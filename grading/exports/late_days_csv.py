"""The ledger of late days: a row for each hand-in that came after its due date, and what is left."""

import csv
import io
from collections.abc import Mapping
from pathlib import Path

from grading import report
from grading.term.gradebook import Standing
from grading.term.late import DAY, Lateness

FILE = "late_days.csv"
COLUMNS = ("student_id", "unit", "hours_after", "days_given", "late_days_used", "late_days_left", "taken_off")


def write(
    folder: Path,
    lateness: Mapping[str, Mapping[str, Lateness]],
    standings: Mapping[str, Mapping[str, Standing]],
) -> int:
    """Write the table whole; how many rows it has. Without any, an old table goes.

    Args:
        folder: where to.
        lateness: of each hand-in with a time, by unit and student.
        standings: by unit and student.
    """
    rows = [
        (
            student,
            unit,
            f"{24 * (one.after / DAY):.1f}",
            f"{one.extension / DAY:g}",
            one.used,
            one.left,
            f"{standings[unit][student].penalty:g}",
        )
        for unit, theirs in lateness.items()
        for student, one in theirs.items()
        if one.after and student in standings.get(unit, {})
    ]
    if not rows:
        (folder / FILE).unlink(missing_ok=True)
        return 0
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(sorted(rows))
    report.write_whole(folder / FILE, "\N{BYTE ORDER MARK}" + table.getvalue())
    return len(rows)
