"""Requests to look at a mark again: who asked what, and how it was decided, in `regrades.csv`.

A row is open until it has a decision. The file is the instructor's, who may mend it in a spreadsheet program.
"""

import csv
import datetime
import io
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from grading import report
from grading.spreadsheet import begins_a_formula
from grading.term.by_hand import marker
from grading.trouble import Wrong

FILE = "regrades.csv"


@dataclass(frozen=True)
class Request:
    """One request.

    Attributes:
        unit: which assignment.
        student: who asks.
        asked: on which day.
        asks: what, in a sentence.
        before: the mark on that day, empty for none.
        decided: on which day; empty while it is open.
        why: the decision, in a sentence.
        after: the mark on that day.
        who: decided.
    """

    unit: str
    student: str
    asked: str
    asks: str
    before: str = ""
    decided: str = ""
    why: str = ""
    after: str = ""
    who: str = ""

    @property
    def is_open(self) -> bool:
        """Whether nobody has decided yet."""
        return not self.decided

    def __str__(self) -> str:
        asked = f"asked on {self.asked}: {self.asks}"
        if self.is_open:
            return asked
        marks = f"the mark is {self.after}" if self.after == self.before else f"{self.before} -> {self.after}"
        return f"{asked} | decided on {self.decided}: {self.why} ({marks})"


COLUMNS = tuple(one.name for one in fields(Request))


def read(course: Path) -> list[Request]:
    """All requests, the oldest first.

    Raises:
        Wrong: when the file is not in UTF-8, or lacks a column, or a row lacks a unit, a student or a day.
    """
    if not (course / FILE).exists():
        return []
    try:
        table = csv.DictReader(io.StringIO((course / FILE).read_text("utf-8-sig")))
    except UnicodeDecodeError:
        raise Wrong(f"{FILE} is not in UTF-8: save it as 'CSV UTF-8' in your spreadsheet program.") from None
    lacking = [name for name in COLUMNS if name not in (table.fieldnames or ())]
    if lacking:
        raise Wrong(f"{FILE} has no column {lacking[0]}: expected the columns {', '.join(COLUMNS)}.")
    rows = [Request(**{name: (row[name] or "").strip() for name in COLUMNS}) for row in table]
    for number, one in enumerate(rows, 2):
        for name in ("unit", "student", "asked"):
            if not getattr(one, name):
                raise Wrong(f"Row {number} of {FILE} has no {name}: fill it in.")
    return rows


def of(requests: Iterable[Request], unit: str, student: str = "") -> list[Request]:
    """Those of a unit, of one student where one is named."""
    return [one for one in requests if one.unit == unit and student in ("", one.student)]


def ask(course: Path, unit: str, student: str, mark: str, text: str) -> Request:
    """Note a request with the mark as it is now.

    Raises:
        Wrong: when the student has an open request already.
    """
    rows = read(course)
    if same := [one for one in rows if one.is_open and (one.unit, one.student) == (unit, student)]:
        raise Wrong(f"{student} has an open request for {unit}, {same[0]}: decide that one first.")
    made = Request(unit, student, _today(), " ".join(text.split()), mark)
    _write(course, [*rows, made])
    return made


def decide(course: Path, unit: str, student: str, mark: str, why: str) -> Request:
    """Note how an open request was decided, with the mark as it is now.

    Raises:
        Wrong: when there is no open request.
    """
    rows = read(course)
    place = next(
        (i for i, one in enumerate(rows) if one.is_open and (one.unit, one.student) == (unit, student)), None
    )
    if place is None:
        raise Wrong(f"{student} has no open request for {unit}: `make regrade` lists those there are.")
    why = " ".join(why.split())
    rows[place] = replace(rows[place], decided=_today(), why=why, after=mark, who=marker())
    _write(course, rows)
    return rows[place]


def _today() -> str:
    return datetime.datetime.now().astimezone().date().isoformat()


def _write(course: Path, rows: Sequence[Request]) -> None:
    table = io.StringIO()
    writer = csv.DictWriter(table, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for one in rows:
        cells = asdict(one).items()
        writer.writerow({name: f"'{text}" if begins_a_formula(text) else text for name, text in cells})
    report.write_whole(course / FILE, "\N{BYTE ORDER MARK}" + table.getvalue())
