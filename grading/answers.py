"""Lay each answer as a plain file: `python -m grading.answers 05_softmax`, as `make answers` does.

They are for a tool that compares them, see docs/term.md. Nothing of them is run.
"""

import argparse
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grading import report, submission, trouble
from grading.course_folder import must_be_a_unit
from grading.handed_in import intake, reading, restore
from grading.lms.lines import plain, say
from grading.outside.sandbox import ROOT
from grading.term import choices, collected, syllabus
from helpers.units import grade_id


def main(words: Sequence[str] | None = None) -> int:
    """Write the files of a unit.

    Returns:
        0, or 2 when there is nothing to write.
    """
    parser = argparse.ArgumentParser(prog="python -m grading.answers", description="Answers as plain files.")
    parser.add_argument("unit", nargs="?", default="", help="which unit")
    parser.add_argument("--course", type=Path, default=ROOT, help="the course folder")
    asked = parser.parse_args(words)
    folder = asked.course.resolve()
    try:
        must_be_a_unit(folder, asked.unit)
        say(*lay(folder, asked.unit))
    except Exception as error:
        if not trouble.is_expected(error):
            raise
        print(plain(trouble.sentence(error, folder)), file=sys.stderr)
        return 2
    return 0


def lay(course: Path, unit: str) -> list[str]:
    """Write `answers/<unit>/<exercise>/<student>/<exercise>.py`, in place of what an earlier run wrote.

    Returns:
        Who was left out and why, and what was written, in lines.

    Raises:
        Wrong: when nobody has handed in the unit.
    """
    config, to = submission.settings(course), course / "answers" / unit
    students, known = submission.submitted(config, unit), syllabus.cells_of(config, unit)
    if not students:
        raise trouble.Wrong(f"Nobody has handed in {unit}: expected {course}/submitted/<student>/{unit}/.")
    groups = {who: one.group for who, one in collected.remembered(course, unit).items() if one.group}
    for name, members in choices.read(course).groups.get(unit, {}).items():
        groups |= dict.fromkeys(members, name)
    found, lines = {}, []
    for student in students:
        try:
            texts = _answers(config, unit, student, known)
        except (reading.Unreadable, OSError) as error:
            lines.append(f"{student} is left out: {error}")
        else:  # a group hands in once
            found.setdefault((groups.get(student, (student,)), *texts.items()), (student, texts))
    if to.exists():
        shutil.rmtree(to)
    laid = dict(found.values())
    for student, texts in laid.items():
        for name, text in texts.items():
            path = to / name / report.name_of(student) / f"{name}.py"  # tools call a hand-in by its folder
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
    files, count = sum(map(len, laid.values())), sum(map(bool, laid.values()))
    said = f"{files} file{'s' * (files != 1)} of {count} student{'s' * (count != 1)}"
    return [*lines, f"answers/{unit}/ has {said}."]


def _answers(config: Any, unit: str, student: str, known: Sequence[restore.Known]) -> Mapping[str, str]:
    """The answers of a student that are not blank, by exercise."""
    places = submission.folders(config, unit, student)
    folder = Path(places.format_path(places.submitted_directory, student, unit))
    path = folder / f"{unit}.ipynb"
    if folder.is_symlink() or not os.path.lexists(path):
        raise reading.Unreadable(f"{intake.missing(folder, unit)}.")
    made = restore.restore(reading.read(path, folder.parent).cells, known)
    wanted = {one.name for one in known if one.solution} - made.left
    return {grade_id(cell): cell.source for cell in made.cells if grade_id(cell) in wanted}


if __name__ == "__main__":
    sys.exit(main())
