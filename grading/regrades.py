"""Requests to look at a mark again: who asked what, and how it was decided, in `regrades.csv`.

`python -m grading.regrades`; `make regrade` does the same. A row is open until it has a decision. The file is
the instructor's: it may be read and mended in a spreadsheet program.
"""

import argparse
import csv
import datetime
import difflib
import io
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from grading import report, trouble
from grading.course_folder import alone, must_be_a_unit
from grading.outside.sandbox import ROOT
from grading.spreadsheet import begins_a_formula
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
        Wrong: when the file lacks a column or a row lacks a unit, a student or a day.
    """
    try:
        text = (course / FILE).read_text("utf-8-sig")
    except FileNotFoundError:
        return []
    table = csv.DictReader(io.StringIO(text))
    lacking = [name for name in COLUMNS if name not in (table.fieldnames or ())]
    if lacking:
        raise Wrong(f"{FILE} has no column {lacking[0]}: expected the columns {', '.join(COLUMNS)}.")
    rows = [Request(**{name: (row[name] or "").strip() for name in COLUMNS}) for row in table]
    for number, one in enumerate(rows, 2):
        for name in ("unit", "student", "asked"):
            if not getattr(one, name):
                raise Wrong(f"Row {number} of {FILE} has no {name}: fill it in.")
    return rows


def of(course: Path, unit: str, student: str = "") -> list[Request]:
    """The requests of a unit, of one student where one is named."""
    return [one for one in read(course) if one.unit == unit and student in ("", one.student)]


def ask(course: Path, config: Any, unit: str, student: str, text: str) -> Request:
    """Note a request with the mark as it is now.

    Raises:
        Wrong: when the student has not handed in, or has an open request already.
    """
    rows, mark = read(course), _mark(config, unit, student)
    if same := [one for one in rows if one.is_open and (one.unit, one.student) == (unit, student)]:
        raise Wrong(f"{student} has an open request for {unit}, {same[0]}: decide that one first.")
    made = Request(unit, student, _today(), " ".join(text.split()), mark)
    _write(course, [*rows, made])
    return made


def decide(course: Path, config: Any, unit: str, student: str, why: str) -> Request:
    """Note how an open request was decided, with the mark as it is now.

    Raises:
        Wrong: when there is no open request.
    """
    from grading.term.by_hand import marker

    rows, mark = read(course), _mark(config, unit, student)
    place = next(
        (i for i, one in enumerate(rows) if one.is_open and (one.unit, one.student) == (unit, student)), None
    )
    if place is None:
        raise Wrong(f"{student} has no open request for {unit}: `make regrade` lists those there are.")
    why = " ".join(why.split())
    rows[place] = replace(rows[place], decided=_today(), why=why, after=mark, who=marker())
    _write(course, rows)
    return rows[place]


def _mark(config: Any, unit: str, student: str) -> str:
    from grading.term import gradebook, settle

    with settle.settled(config) as (book, _):
        found = gradebook.standings(book, unit) if unit in [one.name for one in book.assignments] else {}
    if student not in found:
        near = difflib.get_close_matches(student, found, 1)
        meant = f": did you mean {near[0]}?" if near else "."
        raise Wrong(f"{student or 'Nobody'} has no hand-in of {unit} that was graded{meant}")
    mark = found[student].mark
    return "no mark" if mark is None else f"{mark:g}"


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


def main(words: Sequence[str] | None = None) -> int:
    """Note a request or a decision, or list what there is.

    Returns:
        0, or 2 when nothing could be done.
    """
    parser = argparse.ArgumentParser(prog="python -m grading.regrades", description="Regrade requests.")
    parser.add_argument("unit", nargs="?", default="")
    parser.add_argument("--student", default="")
    parser.add_argument("--asks", default="", help="what they ask, in a sentence")
    parser.add_argument("--decided", default="", help="the decision, in a sentence")
    parser.add_argument("--course", type=Path, default=ROOT, help="the course folder")
    parser.add_argument("--db", default="", help="the gradebook, if it is elsewhere")
    asked = parser.parse_args(words)
    folder = asked.course.resolve()
    try:
        with alone(folder):
            for line in _done(folder, asked):
                print(line)
    except Exception as error:
        if not trouble.is_expected(error):
            raise
        print(trouble.sentence(error, folder, asked.db), file=sys.stderr)
        return 2
    return 0


def _done(folder: Path, asked: argparse.Namespace) -> list[str]:
    from grading import submission

    if asked.unit:
        must_be_a_unit(folder, asked.unit)
    if not asked.asks and not asked.decided:
        rows = [one for one in read(folder) if asked.unit in ("", one.unit)]
        rows = [one for one in rows if asked.student in ("", one.student)]
        open_ones = [f"{one.unit} {one.student} {one}" for one in rows if one.is_open]
        return [*open_ones, f"{len(open_ones)} open, {len(rows) - len(open_ones)} decided: {FILE}."]
    if not asked.unit or not asked.student or (asked.asks and asked.decided):
        raise Wrong('Expected UNIT=... STUDENT=... and either ASKS="..." or DECIDED="...".')
    config = submission.settings(folder, asked.db)
    if asked.asks:
        made = ask(folder, config, asked.unit, asked.student, asked.asks)
        return [f"{asked.student}, {asked.unit}, {made}. The mark is {made.before}."]
    made = decide(folder, config, asked.unit, asked.student, asked.decided)
    return [f"{asked.student}, {asked.unit}, {made}."]


if __name__ == "__main__":
    sys.exit(main())
