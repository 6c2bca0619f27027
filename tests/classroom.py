"""A class of made-up learners: a course folder, what they hand in, and the course's own grader.

`python -m tests.classroom FOLDER UNIT COUNT` makes a folder to try things in.
"""

import json
import os
import random
import select
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import nbformat

from helpers.units import UNITS
from tests import sample_learners
from tests.sources import bank
from tools.patience import LONGEST

ROOT = sample_learners.ROOT
UNIT_06 = "06_multi_head_attention"


@cache
def released(unit):
    """The notebook that learners get."""
    return sample_learners.read(sample_learners.NOTEBOOKS, unit)


@cache
def solved(unit):
    """The right answer to each exercise of a unit, as the solution notebook has it."""
    cells = sample_learners.read(sample_learners.SOLUTIONS, unit).cells
    return {
        cell.metadata.nbgrader.grade_id: cell.source
        for cell in cells
        if sample_learners.grader(cell).get("solution")
    }


def fresh_course(folder, units, db=None):
    """A course folder as a fresh clone has it: solutions, what learners get, and no gradebook."""
    folder = Path(folder)
    for tree in ("solutions", "notebooks"):
        for unit in units:
            shutil.copytree(ROOT / tree / unit, folder / tree / unit)
    settings = (ROOT / "nbgrader_config.py").read_text()
    if db:
        settings += f"\nc.CourseDirectory.db_url = {db!r}\n"
    (folder / "nbgrader_config.py").write_text(settings)
    return folder


def open_course(folder, units, db=None):
    """The same when a first `make grade` has begun: the gradebook knows the units, the code is looked at.

    Nobody waits for a process of its own for that; in `tests/test_nbgrader.py` nbgrader's own does it.
    """
    return know(fresh_course(folder, units, db), units)


def know(folder, units):
    """Let the gradebook of a course know its units."""
    from grading import submission
    from grading.term import gradebook, syllabus

    config = submission.settings.__wrapped__(folder)  # what is asked for later may be changed by then
    for unit in units:
        syllabus.learn(config, unit)
        gradebook.judged_by(config, unit)
    return folder


def hand_in(folder, unit, student, answers=None, notebook=None, files=None):
    """Put a submission where nbgrader looks for it.

    Args:
        folder: the course.
        unit: which one.
        student: who.
        answers: source of each answer cell, by exercise; the others stay blank.
        notebook: the whole notebook instead, or its bytes.
        files: more files, by name.
    """
    target = Path(folder) / "submitted" / student / unit
    target.mkdir(parents=True, exist_ok=True)
    if not isinstance(notebook, bytes):
        made = notebook if notebook is not None else sample_learners.answered(released(unit), answers or {})
        notebook = nbformat.writes(made).encode()
    (target / f"{unit}.ipynb").write_bytes(notebook)
    for name, data in (files or {}).items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_bytes(data if isinstance(data, bytes) else data.encode())
    return target


def made_up(unit, seed):
    """Answers of a learner who gets about half right: right ones, wrong ones, blanks and crashes."""
    dice, answers = random.Random(f"{unit} {seed}"), {}
    for exercise in UNITS[unit]:
        right, wrong = bank(exercise)
        lot = dice.random()
        if lot < 0.55:
            answers[exercise] = dice.choice([solved(unit)[exercise], *right])
        elif lot < 0.88:
            answers[exercise] = dice.choice(wrong)
        elif lot < 0.92:
            answers[exercise] = f"{exercise} = 1 / 0"
    return answers


def make_class(folder, unit, count):
    """Hand in for so many made-up learners."""
    for number in range(count):
        hand_in(folder, unit, f"learner-{number:04}", made_up(unit, number))


def command(folder, unit, *words):
    """The course's grader on a folder, as a command line."""
    return [sys.executable, "-m", "grading", unit, "--course", str(folder), *map(str, words)]


def environ():
    """What the grader is started with."""
    return {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}


def grade(folder, unit, *words):
    """Grade with the course's own command."""
    return subprocess.run(
        command(folder, unit, *words), env=environ(), capture_output=True, text=True, timeout=LONGEST
    )


class Desk:
    """A process that runs command lines one after the other: imports and the warm process are paid once."""

    def __init__(self):
        words = [sys.executable, "-W", "ignore", "-m", "tests.desk"]
        self._process = subprocess.Popen(
            words, cwd=ROOT, env=environ(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, folder, *words):
        """Run `grading` or `nbgrader` with words in a folder; what `subprocess.run` would return."""
        print(json.dumps([str(folder), *map(str, words)]), file=self._process.stdin, flush=True)
        if not select.select([self._process.stdout], [], [], LONGEST)[0]:
            self._process.kill()
        code, out, err = json.loads(self._process.stdout.readline() or '[-9, "", "it hung"]')
        return subprocess.CompletedProcess(words, code, out, err)

    def close(self):
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


def reports(folder, unit):
    """What the grader reported, by student."""
    files = (Path(folder) / "reports" / unit).glob("*.json")
    found = [json.loads(path.read_text()) for path in files]
    return {one["student"]: one for one in found}


def points(folder, unit):
    """Points of each exercise in the gradebook, by student: what counts."""
    from nbgrader.api import Gradebook
    from traitlets.config.loader import PyFileConfigLoader

    config = PyFileConfigLoader("nbgrader_config.py", str(folder)).load_config()
    url = config.CourseDirectory.get("db_url") or f"sqlite:///{folder}/gradebook.db"
    with Gradebook(url) as gradebook:
        return {
            submission.student.id: sample_learners.summed(
                (grade.name, grade.auto_score)
                for notebook in submission.notebooks
                for grade in notebook.grades
            )
            for submission in gradebook.assignment_submissions(unit)
        }


if __name__ == "__main__":
    place, which, how_many = sys.argv[1:]
    make_class(open_course(place, [which]), which, int(how_many))
