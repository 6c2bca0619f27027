"""Marks for Moodle: `nbgrader export --exporter grading.lms.moodle.MoodleExport --to moodle.csv`.

Two ways in. Grades > Import > CSV file (https://docs.moodle.org/en/Grade_import,
`grade/import/csv/classes/load_data.php` of moodle/moodle) finds a student by one column, which one maps to
the ID number or the address. It stops at the first row whose student it does not find, and gives a row with
a blank there to the student above. It takes `-` for no mark, and a blank in a new grade item for 0. And an
assignment reads back its grading worksheet: see `worksheet`.
"""

import math
from collections.abc import Mapping
from pathlib import Path

from grading.lms import marks, tables, worksheet
from grading.lms.lines import listed
from grading.lms.marks import Marks
from grading.lms.people import Person
from grading.lms.plugin import LmsExport
from grading.trouble import Wrong

NO_MARK = "-"
IDENTITY = {"ID number": "id_number", "Email address": "email", "Username": "username"}


class MoodleExport(LmsExport):
    """Writes the marks as Moodle's gradebook imports them; who has no mark has `-`, not 0."""

    file = "moodle.csv"

    def written(self, path: Path, made: Marks, chosen: Mapping[str, str]) -> list[str]:
        """See `write`."""
        return write(path, made, chosen)


def write(path: Path, made: Marks, chosen: Mapping[str, str]) -> list[str]:
    """Write the table for Grades > Import.

    Only what identifies a student stands beside the marks, as it is: so nobody without it, or with one that a
    spreadsheet would run, gets a row. Names are left out.

    Args:
        path: where to.
        made: what there is.
        chosen: columns of Moodle that the instructor names, by unit.

    Returns:
        What to tell, in lines.

    Raises:
        Wrong: when nobody has an ID number, an address or a user name.
    """
    able = {
        column: [one for one in made.persons if _unique(one, name, made)] for column, name in IDENTITY.items()
    }
    column = max(able, key=lambda one: len(able[one]))
    if not able[column]:
        raise Wrong(
            "Nobody on the roster has an ID number, an e-mail address or a user name of Moodle: export "
            "the participants "
            "or the grades from Moodle, then run `make roster FILE=...` with it."
        )
    lines = list(made.notes)
    if unable := [one.id for one in made.persons if one not in able[column]]:
        lines.append(
            f"Left out, because {column} is blank, there twice, or like a formula: {listed(unable)}."
        )
    found = marks.columns(made.units, made.class_.columns if made.class_.lms == "moodle" else {}, chosen)
    rows = []
    for one in able[column]:
        row = [getattr(one, IDENTITY[column])]
        for unit in made.units:
            mark = made.marks[unit].get(one.id)
            row.append(NO_MARK if mark is None else tables.number(mark))
        rows.append(row)
    tables.write(path, [column, *(found.get(unit, unit) for unit in made.units)], rows)
    maps = {"ID number": "useridnumber", "Email address": "useremail", "Username": "username"}
    lines.append(f"In Moodle: Grades, Import, CSV file; map from {column} to {maps[column]}.")
    lines += [f"{unit} (of {made.most[unit]:g}) stands in {found.get(unit, unit)}." for unit in made.units]
    return [*lines, f"{len(rows)} students, {listed(made.units)}: {path}"]


def _unique(one: Person, name: str, made: Marks) -> bool:
    value = getattr(one, name)
    same = [
        other for other in made.class_.present.values() if getattr(other, name).casefold() == value.casefold()
    ]
    return bool(value) and len(same) == 1 and tables.harmless(value)


def fill(path: Path, made: Marks, sheet: Path) -> list[str]:
    """Write marks into a copy of the grading worksheet of one assignment.

    Cells that Moodle does not read back are disarmed; `Grade` is all that changes.

    Args:
        path: where to.
        made: what there is, of one unit.
        sheet: as Moodle made it.

    Returns:
        What to tell, in lines.

    Raises:
        Wrong: when it is no such worksheet, or its maximum is not the unit's; then nothing is written.
    """
    (unit,) = made.units
    table, lines = worksheet.read(sheet, made.class_.present)
    there = [table.get(line.row, "Maximum grade", "Maximum Grade") for line in lines.values()]
    again = 'download the worksheet again, then give it with ARGS="--worksheet new.csv"'
    marks.must_be_of(unit, made, there, "Moodle", again, path)
    wanted = {one.id for one in made.persons}
    grade = table.header.index("Grade")
    back = {"Identifier", "Grade", worksheet.MARKED, *table.header[table.header.index(worksheet.MARKED) :]}
    only_shown = [place for place, one in enumerate(table.header) if one not in back]
    rows, filled, locked, more, strangers = [], set(), [], [], []
    for line in lines.values():
        cells = list(line.row.cells)
        for place in only_shown:
            cells[place] = tables.disarmed(cells[place])
        mark = made.marks[unit].get(line.student)
        most = _number(table.get(line.row, "Maximum grade", "Maximum Grade"))
        if not line.student:
            strangers.append(line.name or line.number)
        elif mark is not None and line.student in wanted:
            if table.get(line.row, "Grade can be changed").casefold() == "no":
                locked.append(line.student)
            elif mark > most + marks.ROUNDED:
                more.append(f"{line.student} ({mark:g} of {most:g})")
            else:
                cells[grade] = tables.number(min(mark, most))
                filled.add(line.student)
        rows.append(cells)
    lists = {
        "Locked in Moodle, so left as they are: ": locked,
        "More than Moodle's maximum, which it would not take, so left as they are: ": more,
        "In the worksheet, but not on the roster: ": strangers,
        "Marked, but not in the worksheet: ": sorted(
            set(made.marks[unit]) & wanted - filled - set(locked) - {one.partition(" (")[0] for one in more}
        ),
    }
    tables.write(path, table.header, rows)
    notes = [title + listed(names) for title, names in lists.items() if names]
    in_moodle = (
        f"In Moodle: the assignment, Submissions, Upload grading worksheet. {unit} is of {made.most[unit]:g}."
    )
    return [*made.notes, *notes, in_moodle, f"{len(filled)} marks: {path}"]


def _number(most: str) -> float:
    """The maximum, without a limit where it is a scale or there is no such column."""
    try:
        return float(most.replace(",", "."))
    except ValueError:
        return math.inf
