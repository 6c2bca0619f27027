"""Regrade requests from the command line: `python -m grading.regrades`; `make regrade` does the same."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grading import trouble
from grading.course_folder import alone, must_be_a_unit
from grading.outside.sandbox import ROOT
from grading.trouble import Wrong


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
    from grading.term import requests

    if asked.unit:
        must_be_a_unit(folder, asked.unit)
    if not asked.asks and not asked.decided:
        rows = [one for one in requests.read(folder) if asked.unit in ("", one.unit)]
        rows = [one for one in rows if asked.student in ("", one.student)]
        open_ones = [f"{one.unit} {one.student} {one}" for one in rows if one.is_open]
        return [*open_ones, f"{len(open_ones)} open, {len(rows) - len(open_ones)} decided: {requests.FILE}."]
    if not asked.unit or not asked.student or (asked.asks and asked.decided):
        raise Wrong('Expected UNIT=... STUDENT=... and either ASKS="..." or DECIDED="...".')
    mark = _mark(submission.settings(folder, asked.db), asked.unit, asked.student)
    if asked.asks:
        made = requests.ask(folder, asked.unit, asked.student, mark, asked.asks)
        return [f"{asked.student}, {asked.unit}, {made}. The mark is {made.before}."]
    made = requests.decide(folder, asked.unit, asked.student, mark, asked.decided)
    return [f"{asked.student}, {asked.unit}, {made}."]


def _mark(config: Any, unit: str, student: str) -> str:
    from grading.term import gradebook, settle

    with settle.settled(config) as (book, _):
        found = gradebook.standings(book, unit) if unit in [one.name for one in book.assignments] else {}
    if student not in found:
        near = trouble.meant(student, found)
        raise Wrong(f"{student or 'Nobody'} has no hand-in of {unit} that was graded{near}")
    mark = found[student].mark
    return "no mark" if mark is None else f"{mark:g}"


if __name__ == "__main__":
    sys.exit(main())
