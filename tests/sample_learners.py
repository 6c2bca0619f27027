"""A temporary course: the solutions, the sample learners and nbgrader's own command lines.

`python -m tests.sample_learners` grades every one of them and prints a table of the marks, expected and got.
"""

import csv
import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import nbformat

from helpers.units import UNIT_OF, tested_by
from helpers.units import UNITS as ALL_UNITS
from tests.sources import first_wrong, last_right
from tools.patience import PATIENCE

ROOT = Path(__file__).resolve().parent.parent
SOLUTIONS, NOTEBOOKS = ROOT / "solutions", ROOT / "notebooks"
UNITS = [unit for unit in ALL_UNITS if (SOLUTIONS / unit).is_dir()]
"""The units that are written."""


def path_of(tree, unit):
    """Where a unit's notebook lies in `solutions/` or a tree like it."""
    return Path(tree) / unit / f"{unit}.ipynb"


def read(tree, unit):
    return nbformat.read(path_of(tree, unit), as_version=4)


def grader(cell):
    """What nbgrader noted about a cell, nothing for a cell of no interest to it."""
    return cell.metadata.get("nbgrader", {})


def points(unit):
    """The points of each exercise, as the test cells of the solution notebook say."""
    cells = [grader(cell) for cell in read(SOLUTIONS, unit).cells]
    return summed((cell["grade_id"], cell["points"]) for cell in cells if cell.get("grade"))


def summed(cells):
    """Points by exercise, from those of test cells by name: an exercise may have two of them."""
    found = {}
    for cell, more in cells:
        name = tested_by(cell)
        before = found.get(name, 0)
        found[name] = None if before is None or more is None else before + more
    return found


def environ(folder):
    """A kernel's surroundings: this tree's helpers, one thread, and nothing of the user's own settings."""
    own = {
        name: str(folder / ".jupyter") for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR")
    }
    path = os.pathsep.join(part for part in (str(ROOT), os.environ.get("PYTHONPATH")) if part)
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])  # for alembic
    given = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    # (ipykernel stops watching file descriptor 2 when it sees pytest's variables)
    validate = {"NBGRADER_EXECUTION": "validate"}  # so that nobody's progress is written
    return {**given, **own, **validate, "PYTHONPATH": path, "PATH": programs, "OMP_NUM_THREADS": "1"}


def nbgrader(folder, *words):
    """Run one of nbgrader's command lines in a course folder."""
    command = [sys.executable, "-W", "ignore", "-m", "nbgrader", *map(str, words)]
    return subprocess.run(command, cwd=folder, env=environ(Path(folder)), capture_output=True, text=True)


PATIENT = [f"--Execute.{what}timeout={PATIENCE}" for what in ("", "startup_", "iopub_")]
"""For nbgrader's own way to run cells, which waits 30 seconds for one and 4 for what it puts out."""


# Sample learners


@dataclass(frozen=True)
class Learner:
    """A sample learner.

    Attributes:
        name: also the file's name.
        answers: the source of each answer cell they filled in, by exercise.
        wrong: the exercises whose answer must get no points.
        upload: what they hand in instead of a notebook.
    """

    name: str
    answers: dict = field(default_factory=dict)
    wrong: frozenset = frozenset()
    upload: str | None = None

    def expected(self, unit):
        """Points for each exercise of a unit; `None` where nothing can be graded."""
        if self.upload is not None:
            return None
        right = self.answers.keys() - self.wrong
        return {name: number if name in right else 0 for name, number in points(unit).items()}


def learner(name):
    """Read a sample learner from `tests/learners/`; two are made from `banks/`."""
    if name == "banks":  # the last right answers: the first ones are often those of the solution notebooks
        return Learner(name, {exercise: last_right(exercise) for exercise in UNIT_OF})
    if name == "mistakes":
        first = {names[0]: first_wrong(names[0]) for names in ALL_UNITS.values()}
        return Learner(name, first, frozenset(first))
    file = next((Path(__file__).parent / "learners").glob(f"{name}.*"))
    text = file.read_text(encoding="utf-8")
    if name == "damaged":
        return Learner(name, upload=text)
    _, *cells = re.split(r"^# %% (.+)\n", text, flags=re.MULTILINE)
    answers, wrong = {}, set()
    for head, source in zip(cells[::2], cells[1::2], strict=True):
        exercise, *rest = head.split()
        if exercise == "like":
            other = learner(*rest)
            wrong |= other.wrong - answers.keys()
            answers = {**other.answers, **answers}
            continue
        answers[exercise] = source.strip()
        wrong |= {exercise} if rest == ["wrong"] else set()
    return Learner(name, answers, frozenset(wrong))


@functools.cache
def learners():
    """The sample learners; the banks take a moment to import."""
    return [learner(name) for name in ("nothing", "all_right", "one_mistake", "crash", "damaged")]


# A temporary course


def start(folder, units, run=nbgrader):
    """Make a course of some units: the solutions and nbgrader's settings, then what learners get."""
    folder = Path(folder)
    for unit in units:
        shutil.copytree(SOLUTIONS / unit, folder / "solutions" / unit)
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    made = run(folder, "generate_assignment", "*")
    assert made.returncode == 0, made.stderr
    return folder


def answered(released, answers):
    """A released notebook with some answer cells replaced."""
    notebook = nbformat.from_dict(released)
    for cell in notebook.cells:
        if grader(cell).get("solution") and cell.metadata.nbgrader.grade_id in answers:
            cell.source = answers[cell.metadata.nbgrader.grade_id]
    return notebook


def submit(folder, unit, who):
    """Hand in a learner's notebook."""
    target = folder / "submitted" / who.name / unit / f"{unit}.ipynb"
    target.parent.mkdir(parents=True)
    if who.upload is None:
        nbformat.write(answered(read(folder / "notebooks", unit), who.answers), target)
    else:
        target.write_text(who.upload, encoding="utf-8")
    return target


def marks(folder, unit, run=nbgrader):
    """The mark of each learner, from nbgrader's export; learners without a graded notebook are left out."""
    done = run(folder, "export", "--to", "marks.csv")
    assert done.returncode == 0, done.stderr
    with open(folder / "marks.csv", newline="", encoding="utf-8") as table:
        rows = [row for row in csv.DictReader(table) if row["assignment"] == unit]
    graded = {file.parts[-3] for file in folder.glob(f"autograded/*/{unit}/{unit}.ipynb")}
    return {row["student_id"]: float(row["score"]) for row in rows if row["student_id"] in graded}


def compare(unit, got):
    """One row for each learner: name, unit, expected, got."""
    rows = []
    for who in learners():
        expected = who.expected(unit)
        rows.append((who.name, unit, None if expected is None else sum(expected.values()), got.get(who.name)))
    return rows


def show(rows):
    """The rows as a text table."""
    lines = [f"{'learner':12} {'unit':26} {'expected':>8} {'got':>8}"]
    for name, unit, *numbers in rows:
        shown = ("no grade" if number is None else f"{number:g}" for number in numbers)
        lines.append(f"{name:12} {unit:26} {next(shown):>8} {next(shown):>8}")
    return "\n".join(lines)


def grade(folder, unit, run=nbgrader):
    """Let every sample learner hand in one unit and autograde them all, in one run."""
    start(folder, [unit], run)
    for who in learners():
        submit(folder, unit, who)
    # each call of an answer without end takes all the seconds that it may; two tell as much as ten
    return run(folder, "autograde", unit, "--SandboxExecute.call_seconds=2")


def main():
    """Grade all sample learners and print the table; exit code 1 when a mark is not as expected."""

    def one(unit):
        with tempfile.TemporaryDirectory() as name:
            grade(Path(name), unit)
            return compare(unit, marks(Path(name), unit))

    with ThreadPoolExecutor(2) as pool:
        rows = [row for table in pool.map(one, UNITS) for row in table]
    print(show(rows))
    return int(any(expected != got for *_, expected, got in rows))


if __name__ == "__main__":
    sys.exit(main())
