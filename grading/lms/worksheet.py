"""Moodle's grading worksheet: whose number is whose, when they handed in, and marks on their way back.

`Identifier` is `Participant 123`; `Last modified (submission)` is a time without its zone, or `-`. Moodle
reads back `Identifier`, `Grade` and `Last modified (grade)`; it leaves a row alone whose `Grade` is blank,
more than the maximum, or locked. So write `mod/assign/gradingtable.php` and read
`mod/assign/feedback/offline/` of moodle/moodle; for people: https://docs.moodle.org/en/Using_Assignment.
"""

import datetime
import re
import zoneinfo
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import dateutil.parser

from grading.lms import people, tables
from grading.lms.people import Person
from grading.lms.tables import Row, Table
from grading.trouble import Wrong

HANDED_IN = "Last modified (submission)"
MARKED = "Last modified (grade)"
_IDENTITY = {"ID number": "id_number", "Username": "username", "Email address": "email"}
_NEEDED = (("Identifier",), ("Grade",), (MARKED,))


@dataclass(frozen=True)
class Line:
    """A participant of an assignment.

    Attributes:
        row: as it stands.
        number: of the participant.
        name: in full.
        when: they handed in, in UTC; `None` where nobody knows.
        late: whether Moodle says so.
        student: id on the roster, empty where they are not there.
        group: `Default group` for who is in none; empty where the worksheet has no groups.
        zone: in which the time was read; this machine's where it is empty.
    """

    row: Row
    number: str
    name: str
    when: datetime.datetime | None
    late: bool
    student: str
    group: str = ""
    zone: str = ""


def read(path: Path, persons: Mapping[str, Person], zone: str = "") -> tuple[Table, dict[str, Line]]:
    """A worksheet, and its participants by number.

    Raises:
        Wrong: when it is none, or a row is not as Moodle writes it.
    """
    table = tables.read(path)
    tables.need(table, "Moodle's grading worksheet", *_NEEDED)
    tables.must_be_whole(table, ("Identifier", *_IDENTITY))
    names, index = people.by_name(persons.values()), _index(persons)
    found: dict[str, Line] = {}
    for row in table.rows:
        match = re.search(r"(\d+)$", table.get(row, "Identifier"))
        if not match:
            got = table.get(row, "Identifier") or "nothing"
            raise Wrong(
                f"Row {row.number} of {path} has {got} in Identifier, where Moodle writes 'Participant 123': "
                "download the worksheet again."
            )
        number = match[1]
        if number in found:
            rows = f"Rows {found[number].row.number} and {row.number}"
            raise Wrong(f"{rows} of {path} are both participant {number}: download the worksheet again.")
        when = _when(path, row, table.get(row, HANDED_IN), zone)
        _when(path, row, table.get(row, MARKED), zone)
        late = bool(re.search(r"\blate\b", table.get(row, "Status")))
        student = _student(table, row, index, names)
        name, group = table.get(row, "Full name"), table.get(row, "Group")
        found[number] = Line(row, number, name, when, late, student, group, zone)
    _must_be_different(path, found)
    return table, found


def _index(persons: Mapping[str, Person]) -> dict[str, dict[str, set[str]]]:
    """Ids by what each column of identity says."""
    index: dict[str, dict[str, set[str]]] = {column: {} for column in _IDENTITY}
    for one in persons.values():
        for column, field in _IDENTITY.items():
            if value := getattr(one, field).casefold():
                for key in {value, _without_zeros(value)}:
                    index[column].setdefault(key, set()).add(one.id)
    return index


def _student(
    table: Table, row: Row, index: Mapping[str, Mapping[str, set[str]]], names: Mapping[str, set[str]]
) -> str:
    says = {column: table.get(row, column).casefold() for column in _IDENTITY}
    for column, value in says.items():
        for key in (value, _without_zeros(value)):
            if len(same := index[column].get(key, set())) == 1:
                return next(iter(same))
    if any(value and index[column] for column, value in says.items()):
        return ""  # the roster knows such a thing of others: a name would only guess
    same = names.get(people.key(table.get(row, "Full name")), set())
    return next(iter(same)) if len(same) == 1 else ""


def _without_zeros(value: str) -> str:
    """A number without the zeros in front, which a spreadsheet program drops; marked, so it is no other."""
    return f"0*{value.lstrip('0')}" if value.isdecimal() else value


def _must_be_different(path: Path, found: Mapping[str, Line]) -> None:
    seen: dict[str, Line] = {}
    for line in found.values():
        if line.student and (other := seen.setdefault(line.student, line)) is not line:
            raise Wrong(
                f"Rows {other.row.number} and {line.row.number} of {path} are both '{line.student}' on "
                "the roster: "
                "read a roster with an ID number or an e-mail address for everybody."
            )


def _when(path: Path, row: Row, text: str, zone: str) -> datetime.datetime | None:
    if not text or text == "-":
        return None
    if not re.search(r"[^\W\d_]{3}", text) and not re.match(r"\d{4}-\d\d-\d\d", text):
        raise Wrong(
            f"Row {row.number} of {path} has the time '{text}', where Moodle writes the month as a word: a "
            "spreadsheet program has written it anew, and it may mean another day: download the worksheet "
            "again, and do not save it with one."
        )
    try:
        read = dateutil.parser.parse(text)
        read = read if read.tzinfo else read.replace(tzinfo=zoneinfo.ZoneInfo(zone) if zone else None)
        return read.astimezone(datetime.UTC)  # without a zone: this machine's
    except (ValueError, OverflowError):
        raise Wrong(
            f"Row {row.number} of {path} has '{text}' in {HANDED_IN}, which is no time that can be "
            "read: download the "
            "worksheet with Moodle in English."
        ) from None


def must_be_a_zone(name: str) -> None:
    """Look at a time zone's name.

    Raises:
        Wrong: when nobody knows it.
    """
    try:
        zoneinfo.ZoneInfo(name or "UTC")
    except (ValueError, zoneinfo.ZoneInfoNotFoundError, OSError):
        raise Wrong(f"There is no time zone {name}: expected one such as Europe/Berlin.") from None
