"""Where the time of grading one submission goes: `python -m studies.grading_profile`.

A class of made-up learners of unit 06 is graded by one process, one submission after the other, and each part
is timed on the clock without the parts inside it; nothing else should run. What the learner's process does
counts where the grader waits for it. The first submissions are not counted: in them is computed what serves
the whole class, such as what each known mistake gives.
"""

import argparse
import functools
import importlib
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests import classroom
from tools.measuring import markdown

UNIT = classroom.UNIT_06
PARTS = {
    "read": ("grading.handed_in.intake.receive", "grading.handed_in.reading.read"),
    "restore": ("grading.handed_in.restore.Restore.preprocess",),
    "which cells are needed, what is suspicious": (
        "grading.handed_in.needed.needed",
        "grading.handed_in.flags.suspicious",
    ),
    "fork, and lay out its files": ("grading.outside.processes.Notebook._again",),
    "cells": ("grading.outside.processes.Notebook.run", "grading.outside.outputs.clean"),
    "probes": ("grading.outside.processes.Notebook.probe", "grading.checker.checked"),
    "verdict": ("grading.checker.verdict_on",),
    "diagnosis": ("helpers.verdict.judge.diagnose",),
    "panel": ("grading.checker.panel", "helpers.verdict.panel.panel"),
    "gradebook": (
        "grading.marks.KeepMarks.preprocess",
        "nbgrader.preprocessors.SaveAutoGrades.preprocess",
        "nbgrader.preprocessors.AssignLatePenalties.preprocess",
        "grading.converter.OneSubmission.init_assignment",
        "nbgrader.converters.Autograde.init_assignment",
    ),
    "report": ("grading.report.write",),
    "write the notebook": ("nbformat.v4.writes", "nbformat.validate"),
    "all else": ("grading.submission.grade",),
}
"""The functions of each part, those of the version that is measured; a name that is not there is left out."""


class Stopwatch:
    """Seconds of each part, without those of the parts that it calls."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._inner = [0.0]

    def timed(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, with its time added to a part."""

        @functools.wraps(function)
        def run(*args: Any, **named: Any) -> Any:
            start = time.perf_counter()
            self._inner.append(0.0)
            try:
                return function(*args, **named)
            finally:
                took = time.perf_counter() - start
                self.seconds[part] += took - self._inner.pop()
                self._inner[-1] += took

        return run

    def watch(self) -> None:
        """Time the functions of all parts, wherever they are called from."""
        for part, names in PARTS.items():
            for name in names:
                place, end = _place(name)
                if place is not None and end in vars(place):
                    setattr(place, end, self.timed(part, vars(place)[end]))


def _place(name: str) -> tuple[Any, str]:
    """The module or class of a dotted name, `None` where there is none."""
    path, _, end = name.rpartition(".")
    for split in (path, path.rpartition(".")[0]):
        try:
            place = importlib.import_module(split)
        except ImportError:
            continue
        return (place if split == path else getattr(place, path.rpartition(".")[2], None)), end
    return None, end


def grade_all(folder: Path, first: int) -> tuple[dict[str, float], int]:
    """Seconds of each part for the submissions after the first ones, and how many these are."""
    from grading import submission, whole_class
    from grading.term import gradebook, syllabus

    config = submission.settings(folder)
    list(syllabus.learn(config, UNIT))
    whole_class._warm_up(config, UNIT)
    basis = gradebook.judged_by(config, UNIT)
    watch = Stopwatch()
    watch.watch()
    students = submission.submitted(config, UNIT)
    for number, student in enumerate(students):
        if number == first:
            watch.seconds.clear()
        submission.grade(config, UNIT, student, basis)
    return dict(watch.seconds), len(students) - first


def inner_wall(folder: Path, times: int = 40) -> float:
    """Milliseconds from the request for a process to the first line of learner code, the median."""
    from grading.inside.walls import PRIVATE
    from grading.outside import warm_pool
    from grading.outside.limits import Limits

    warm = warm_pool.get(folder, walled=True, limits=Limits()).ready()

    def once() -> float:
        start = time.perf_counter()
        with warm.session() as session:
            session.ask({"do": "files", "folder": PRIVATE, "files": []}, 30)
            return time.perf_counter() - start

    return 1000 * statistics.median(once() for _ in range(times))


def rows(seconds: dict[str, float], count: int) -> Iterator[list[str]]:
    """A row for each part, in the order in which they happen, and one for all."""
    whole = sum(seconds.values())
    for part in [one for one in PARTS if one in seconds]:
        yield [part, f"{1000 * seconds[part] / count:.1f}", f"{100 * seconds[part] / whole:.0f} %"]
    yield ["all", f"{1000 * whole / count:.1f}", "100 %"]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--learners", type=int, default=120)
    parser.add_argument("--first", type=int, default=40, help="so many are graded before the clock starts")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="grading-profile-") as name:
        folder = classroom.open_course(Path(name), [UNIT])
        classroom.make_class(folder, UNIT, asked.learners)
        print(markdown(["part", "ms a submission", "share"], rows(*grade_all(folder, asked.first))))
        print(f"\nThe inner wall: {inner_wall(folder):.1f} ms from the request to the first answer.")


if __name__ == "__main__":
    main()
