"""Marks for Canvas: `nbgrader export --exporter grading.lms.canvas.CanvasExport --to canvas.csv`.

Canvas's importer (`lib/gradebook_importer.rb` of instructure/canvas-lms; for people, "How do I import grades
in the Gradebook?" of the Canvas Instructor Guide) wants `Student`, `ID`, `SIS User ID`, `SIS Login ID`,
`Section` in this order. It finds a student by `ID` first, and an assignment by the number in `Title (1234)`;
a column without such a number becomes a new assignment. A blank is no mark. In the row `Points Possible` it
takes what stands there for the assignment's points.
"""

from collections.abc import Mapping
from pathlib import Path

from grading.lms import marks, tables
from grading.lms.lines import listed
from grading.lms.marks import Marks
from grading.lms.plugin import LmsExport
from grading.trouble import Wrong

INFORMATION = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
POSSIBLE = "    Points Possible"


class CanvasExport(LmsExport):
    """Writes the marks as Canvas imports them; who has no mark has none there, not 0."""

    file = "canvas.csv"

    def written(self, path: Path, made: Marks, chosen: Mapping[str, str]) -> list[str]:
        """See `write`."""
        return write(path, made, chosen)


def write(path: Path, made: Marks, chosen: Mapping[str, str]) -> list[str]:
    """Write the table.

    Every cell that a learner may have written is disarmed: Canvas finds people by `ID`, so no name has to
    match.

    Args:
        path: where to.
        made: what there is.
        chosen: columns of Canvas that the instructor names, by unit.

    Returns:
        What to tell, in lines.

    Raises:
        Wrong: when nobody has a number of Canvas, a column is not certain, or has another maximum.
    """
    able = [one for one in made.persons if one.canvas_id]
    if not able:
        raise Wrong(
            "Nobody on the roster has a number of Canvas: export the gradebook from Canvas, then run "
            "`make roster FILE=...` with it."
        )
    lines = list(made.notes)
    if unable := [one.id for one in made.persons if not one.canvas_id]:
        lines.append(f"Without a number of Canvas, so left out: {listed(unable)}.")
    there = made.class_.columns if made.class_.lms == "canvas" else {}
    found = marks.columns(made.units, there, chosen)
    again = "export its gradebook again, then read it with `make roster FILE=...`"
    for unit in made.units:
        marks.must_be_of(unit, made, [there.get(found.get(unit, ""), "")], "Canvas", again, path)
    points = [there.get(found.get(unit, ""), "") or tables.number(made.most[unit]) for unit in made.units]
    rows = [[POSSIBLE, "", "", "", "", *points]]
    for one in able:
        information = (one.name, one.canvas_id, one.sis_user_id, one.login, one.section)
        row = [tables.disarmed(tables.tidy(cell)) for cell in information]
        for unit in made.units:
            mark = made.marks[unit].get(one.id)
            row.append("" if mark is None else tables.number(mark))
        rows.append(row)
    tables.write(path, [*INFORMATION, *(found.get(unit, unit) for unit in made.units)], rows)
    for unit in made.units:
        new = f"it becomes a new assignment of {made.most[unit]:g} points"
        none = f"{unit} has no column in Canvas: {new} (or say which, with --column)."
        lines.append(f"{unit} goes to {found[unit]}." if unit in found else none)
    return [*lines, f"{len(able)} students, {listed(made.units)}: {path}"]
