"""The lists of a class that can be read, and what each of their columns is.

Canvas, Grades > Export: `Student` (or `LastName` and `FirstName`), `ID`, `SIS User ID`, `SIS Login ID`,
`Section`, then a column `Title (1234)` for each assignment; a row of `Points Possible`; perhaps a row
`Manual Posting`; and last the student of the Student View. Documented by what writes it,
`lib/gradebook_exporter.rb` of instructure/canvas-lms.

Moodle, Participants and Grades > Export: `First name`, `Last name` (`Surname` before 4.0), `ID number`,
`Email address`, `Username`, `Groups`, as far as a site shows them; https://docs.moodle.org/en/Grade_export.
The grading worksheet of an assignment: `Identifier` (`Participant 123`), `Full name`, identity columns,
`Status`, `Grade`, `Maximum grade`, `Last modified (submission)`; documented by what writes it,
`mod/assign/gradingtable.php` of moodle/moodle.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from grading.lms import tables
from grading.lms.lines import listed
from grading.lms.people import Person
from grading.lms.tables import Row, Table
from grading.trouble import Wrong

CANVAS_COLUMN = re.compile(r"(.*) \((\d+)\)")
_IDS = ("ID", "SIS User ID", "SIS Login ID", "Identifier", "ID number", "Username", "id")
_NOT_ASSIGNMENTS = re.compile(r"(Current|Final|Override) (Score|Points|Grade|Status)")
_CANVAS_QUOTED = re.compile(r'="(.*)"')
_HIDDEN_ROW = re.compile(r"(Muted|Manual Posting.*)?", re.IGNORECASE)
_MOODLE_ITEM = re.compile(r"\w[\w ]*: .*|.* \((Real|Percentage|Letter)\)")


@dataclass(frozen=True)
class Entry:
    """A student as one row has them.

    Attributes:
        row: its number.
        person: without an id.
        names: what could be their id, by column, the best first.
    """

    row: int
    person: Person
    names: dict[str, str]


@dataclass
class Incoming:
    """A list that was read.

    Attributes:
        lms: canvas, moodle or nbgrader.
        what: the kind of list, in a sentence.
        entries: its students.
        columns: assignments there, and their points.
        not_students: see `People`.
        guesses: whether first and last names were made of full ones.
        sections: whether it has a column of sections or groups, where a blank is none.
    """

    lms: str
    what: str
    entries: list[Entry] = field(default_factory=list)
    columns: dict[str, str] = field(default_factory=dict)
    not_students: list[str] = field(default_factory=list)
    guesses: bool = False
    sections: bool = False


def read(path: Path) -> Incoming:
    """Read a list of a class, whichever it is.

    Raises:
        Wrong: when it is none, or a column is missing.
    """
    table = tables.read(path)
    tables.must_be_whole(table, _IDS)
    header = set(table.header)
    if header & {"Student", "LastName", "SIS Login ID", "SIS User ID"}:
        found = _canvas(table)
    elif "Identifier" in header:
        found = _worksheet(table)
    elif header & {"First name", "Surname", "Last name"}:
        found = _moodle(table)
    elif header & {"id", "first_name", "last_name"}:
        found = _nbgrader(table)
    else:
        raise Wrong(
            f"{path} is no list of a class that can be read here: expected Canvas's gradebook export, "
            "Moodle's "
            f"participants, grades or grading worksheet in English, or nbgrader's "
            "id,first_name,last_name,email; "
            f"its columns are {listed(filter(None, table.header), 12)}."
        )
    found.sections = found.lms != "nbgrader" and bool(header & {"Section", "Groups", "Group"})
    if not found.entries:
        raise Wrong(f"{path} has a header, but no student: export it again.")
    return found


def _canvas(table: Table) -> Incoming:
    what = "Canvas's gradebook export"
    tables.need(table, what, ("Student", "LastName"), ("ID",), ("Section",))
    found = Incoming("canvas", what)
    columns = [name for name in table.header if CANVAS_COLUMN.fullmatch(name)]
    found.columns = {name: "" for name in columns if not _NOT_ASSIGNMENTS.search(name)}
    for row in table.rows:
        name = _CANVAS_QUOTED.sub(r"\1", table.get(row, "Student"))
        last, first = table.get(row, "LastName"), table.get(row, "FirstName")
        if "Points Possible" in (name or last):
            found.columns = {one: table.get(row, one) for one in found.columns}
        elif all(_HIDDEN_ROW.fullmatch(cell.strip()) for cell in row.cells):
            continue
        elif (name or f"{last}, {first}") == "Student, Test":
            found.not_students.append(table.get(row, "ID"))
        else:
            found.entries.append(_canvas_entry(table, row, name, last, first))
    return found


def _canvas_entry(table: Table, row: Row, name: str, last: str, first: str) -> Entry:
    if name:
        last, _, first = (part.strip() for part in name.partition(","))
    if not table.get(row, "ID").isdecimal():
        shown, got = name or f"{last}, {first}", table.get(row, "ID") or "nothing"
        raise Wrong(
            f"Row {row.number} of {table.path} ({shown}) has {got} in column ID, where Canvas writes a "
            "number: "
            "export the gradebook again."
        )
    login = table.get(row, "SIS Login ID")
    one = Person(
        first=first,
        last=last,
        name=name or f"{last}, {first}",
        email=login if "@" in login else "",
        section=table.get(row, "Section"),
        canvas_id=table.get(row, "ID"),
        sis_user_id=table.get(row, "SIS User ID"),
        login=login,
    )
    return Entry(
        row.number, one, {"SIS Login ID": login, "SIS User ID": one.sis_user_id, "ID": one.canvas_id}
    )


def _moodle(table: Table) -> Incoming:
    what = "Moodle's participants or grades"
    identity = ("Username", "ID number", "Email address")
    tables.need(table, what, ("First name",), ("Last name", "Surname"), identity)
    found = Incoming("moodle", what)
    known = {"First name", "Last name", "Surname", *identity}
    found.columns = {one: "" for one in table.header if one not in known and _MOODLE_ITEM.fullmatch(one)}
    for row in table.rows:
        first, last = table.get(row, "First name"), table.get(row, "Last name", "Surname")
        found.entries.append(_moodle_entry(table, row, first, last, f"{first} {last}".strip()))
    return found


def _worksheet(table: Table) -> Incoming:
    what = "Moodle's grading worksheet"
    tables.need(table, what, ("Full name",), ("Username", "ID number", "Email address"))
    found = Incoming("moodle", what, guesses=True)
    for row in table.rows:
        name = table.get(row, "Full name")
        first, _, last = name.rpartition(" ")
        found.entries.append(_moodle_entry(table, row, first, last, name))
    return found


def _moodle_entry(table: Table, row: Row, first: str, last: str, name: str) -> Entry:
    one = Person(
        first=first,
        last=last,
        name=name,
        email=table.get(row, "Email address"),
        section=table.get(row, "Groups", "Group"),
        id_number=table.get(row, "ID number"),
        username=table.get(row, "Username"),
    )
    names = {"Username": one.username, "ID number": one.id_number, "Email address": one.email}
    return Entry(row.number, one, names)


def _nbgrader(table: Table) -> Incoming:
    what = "nbgrader's list of students"
    tables.need(table, what, ("id",))
    return Incoming("nbgrader", what, list(_nbgrader_entries(table)))


def _nbgrader_entries(table: Table) -> Iterator[Entry]:
    for row in table.rows:
        first, last = table.get(row, "first_name"), table.get(row, "last_name")
        one = Person(first=first, last=last, name=f"{first} {last}".strip(), email=table.get(row, "email"))
        yield Entry(row.number, one, {"id": table.get(row, "id")})
