"""In and out of the LMS: `python -m grading.lms roster|collect|marks|feedback|messages`."""

import argparse
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from grading import trouble
from grading.course_folder import alone, must_be_a_unit
from grading.lms.lines import plain, say
from grading.outside.sandbox import ROOT
from grading.trouble import Wrong


def main(words: Sequence[str] | None = None) -> int:
    """Run one command.

    Returns:
        0 when all went well, 1 when somebody was left out, 2 when nothing could be done.
    """
    folder, db = ROOT, ""
    try:
        asked = _arguments().parse_args(words)
        folder, db = asked.course.resolve(), asked.db
        with alone(folder):
            return int(asked.run(folder, asked))
    except KeyboardInterrupt:
        print("Stopped; run the same command again.", file=sys.stderr)
    except Exception as error:
        if not trouble.is_expected(error):
            traceback.print_exc()  # a mistake of ours
        sentence = trouble.sentence(error, folder, db or os.environ.get("GRADEBOOK", ""))
        print(plain(sentence), file=sys.stderr)
    return 2


def _settings(folder: Path, asked: argparse.Namespace) -> Any:
    from grading import submission

    return submission.settings(folder, asked.db)


def _roster(folder: Path, asked: argparse.Namespace) -> int:
    from grading.lms import roster

    say(*roster.into(folder, _settings(folder, asked), asked.file))
    return 0


def _collect(folder: Path, asked: argparse.Namespace) -> int:
    from grading.lms import collect

    must_be_a_unit(folder, asked.unit)
    outcome = collect.collect(folder, asked.unit, asked.zips, asked.worksheet, asked.timezone)
    say(*outcome.lines(asked.unit))
    return 1 if outcome.skipped or outcome.strangers or outcome.groups else 0


def _marks(folder: Path, asked: argparse.Namespace) -> int:
    from grading import report
    from grading.exports import news
    from grading.lms import canvas, marks, moodle, people, tables
    from grading.term import collected, settle

    for unit in asked.units:
        must_be_a_unit(folder, unit)
    kept = folder / collected.FOLDER / (asked.units[0] if len(asked.units) == 1 else "-") / "worksheet.csv"
    sheet = asked.worksheet or (kept if asked.lms == "moodle" and kept.is_file() else None)
    if asked.worksheet and (asked.lms != "moodle" or len(asked.units) != 1):
        raise Wrong("A worksheet is of one assignment of Moodle: name moodle and one unit with --worksheet.")
    config = _settings(folder, asked)
    with settle.settled(config) as (book, _):
        if asked.lms == "table":
            return _table(folder, asked, book)
        made = marks.gather(folder, book, asked.units, asked.sections)
        chosen = _pairs(asked.column)
        if sheet:
            to = asked.to or folder / f"{people.file_of(f'moodle-{asked.units[0]}', asked.sections)}.csv"
            lines = moodle.fill(to.absolute(), made, sheet)
            report.write_whole(kept, tables.text_of(sheet))  # the next export needs no newer one
        else:
            to = asked.to or folder / f"{people.file_of(asked.lms, asked.sections)}.csv"
            lines = {"canvas": canvas, "moodle": moodle}[asked.lms].write(to.absolute(), made, chosen)
        say(*news.since_grading(config, book, asked.units), *lines)  # told once, so not before it is written
    return 0


def _table(folder: Path, asked: argparse.Namespace, book: Any) -> int:
    """`marks.csv`, of some sections alone."""
    from nbgrader.apps import ExportApp

    from grading.exports.marks_csv import MarksTable
    from grading.lms import people

    persons = people.of_sections(people.load(folder).present.values(), asked.sections)
    made = MarksTable(parent=ExportApp(config=_settings(folder, asked), log_level="WARN"))
    made.assignment, made.student = asked.units, [one.id for one in persons]
    made.to = str(asked.to or folder / f"{people.file_of('marks', asked.sections)}.csv")
    made.export(book)
    say(f"{len(persons)} students: {made.to}")
    return 0


def _feedback(folder: Path, asked: argparse.Namespace) -> int:
    from grading.lms import feedback, people
    from grading.term import settle

    must_be_a_unit(folder, asked.unit)
    name = people.file_of(f"{asked.lms}-feedback-{asked.unit}", asked.sections)
    to = asked.to or folder / f"{name}.zip"
    with settle.settled(_settings(folder, asked)) as (book, _):
        say(*feedback.pack(folder, book, asked.lms, asked.unit, to.absolute(), asked.sections))
    return 0


def _messages(folder: Path, asked: argparse.Namespace) -> int:
    from grading.lms import messages, people
    from grading.term import settle

    for unit in asked.units:
        must_be_a_unit(folder, unit)
    to = asked.to or folder / f"{people.file_of('messages', asked.sections)}.csv"
    with settle.settled(_settings(folder, asked)) as (book, _):
        say(*messages.write(folder, book, asked.units, to.absolute(), asked.sections))
    return 0


def _pairs(words: Sequence[str]) -> dict[str, str]:
    for word in words:
        if not all(word.partition("=")):
            raise Wrong(f"--column expects UNIT=COLUMN, as in '05_softmax=Unit 05 (1234)'; got '{word}'.")
    return {unit: column for unit, _, column in (word.partition("=") for word in words)}


class _Parser(argparse.ArgumentParser):
    """Says in one sentence what is missing."""

    def error(self, message: str) -> NoReturn:
        usage = " ".join(self.format_usage().removeprefix("usage: ").split())
        raise Wrong(f"{message[0].upper()}{message[1:]}: expected {usage}.")


def _arguments() -> argparse.ArgumentParser:
    parser = _Parser(prog="python -m grading.lms", description="In and out of Canvas and Moodle.")
    commands = parser.add_subparsers(required=True, metavar="roster|collect|marks|feedback|messages")
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--course", type=Path, default=ROOT, help="the course folder")
    common.add_argument("--db", default="", help="the gradebook, if it is elsewhere")

    one = commands.add_parser("roster", parents=[common], help="read the class")
    one.add_argument("file", type=Path, metavar="FILE", help="a CSV file of Canvas, Moodle or nbgrader")
    one.set_defaults(run=_roster)

    one = commands.add_parser("collect", parents=[common], help="lay submissions where grading finds them")
    one.add_argument("unit", metavar="UNIT")
    one.add_argument("zips", nargs="+", type=Path, metavar="ZIP", help="as downloaded; the newest last")
    one.add_argument("--worksheet", type=Path, metavar="CSV", help="Moodle's grading worksheet")
    one.add_argument("--timezone", default="", help="of the worksheet's times; this machine's by default")
    one.set_defaults(run=_collect)

    one = commands.add_parser("marks", parents=[common], help="write the marks for the LMS")
    one.add_argument("lms", choices=("canvas", "moodle", "table"), help="table: for you, as marks.csv")
    one.add_argument("units", nargs="*", metavar="UNIT")
    one.add_argument("--to", type=Path, metavar="FILE")
    one.add_argument("--sections", nargs="+", default=[], metavar="SECTION")
    one.add_argument("--column", action="append", default=[], metavar="UNIT=COLUMN")
    one.add_argument("--worksheet", type=Path, metavar="CSV", help="Moodle's grading worksheet, to fill")
    one.set_defaults(run=_marks)

    one = commands.add_parser("feedback", parents=[common], help="pack the feedback for the LMS")
    one.add_argument("lms", choices=("moodle", "canvas"))
    one.add_argument("unit", metavar="UNIT")
    one.add_argument("--to", type=Path, metavar="FILE")
    one.add_argument("--sections", nargs="+", default=[], metavar="SECTION")
    one.set_defaults(run=_feedback)

    one = commands.add_parser("messages", parents=[common], help="write to those without a mark")
    one.add_argument("units", nargs="*", metavar="UNIT")
    one.add_argument("--to", type=Path, metavar="FILE")
    one.add_argument("--sections", nargs="+", default=[], metavar="SECTION")
    one.set_defaults(run=_messages)
    return parser


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr] - learners' names may be anything
    sys.stderr.reconfigure(errors="replace")  # type: ignore[union-attr]
    sys.exit(main())
