"""The ledger of late days: a row for each hand-in that came after its due date, and what is left."""

import csv
import io
from collections.abc import Collection, Mapping
from pathlib import Path

from grading import report
from grading.term.gradebook import Standing
from grading.term.late import DAY, Lateness

COLUMNS = ("student_id", "unit", "hours_after", "days_given", "late_days_used", "late_days_left", "taken_off")


def write(
    path: Path,
    lateness: Mapping[str, Mapping[str, Lateness]],
    standings: Mapping[str, Mapping[str, Standing]],
    students: Collection[str] = (),
) -> int:
    """Write the table whole; how many rows it has. Without any, an old table goes.

    Args:
        path: where to.
        lateness: of each hand-in with a time, by unit and student.
        standings: by unit and student.
        students: only these; all by default.
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
        if one.after and (not students or student in students) and student in standings.get(unit, {})
    ]
    if not rows:
        path.unlink(missing_ok=True)
        return 0
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(sorted(rows))
    report.write_whole(path, "\N{BYTE ORDER MARK}" + table.getvalue())
    return len(rows)
