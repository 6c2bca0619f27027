"""What `term.toml` says of points and exercises, put into a unit's notebook as the gradebook learns it.

The notebook in `solutions/` stays as the course ships it, so that a `git pull` meets nothing of a term.
"""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from nbgrader import utils
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor

from grading.handed_in.restore import GIVEN
from grading.term import choices
from grading.term.choices import FILE, BadChoice, Choices
from grading.trouble import meant
from helpers.units import grade_id, tested_by


class ChosenPoints(NbGraderPreprocessor):
    """The first step on the way from `solutions/` into the gradebook."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Change the test cells of a unit as the course folder's choices say."""
        unit = resources["nbgrader"]["assignment"]
        apply(nb.cells, unit, choices.read(Path(CourseDirectory(parent=self).root)))
        return nb, resources


def apply(cells: Collection[Any], unit: str, chosen: Choices) -> None:
    """Change points and tests in place.

    An exercise of several test cells keeps the shares that they have of its points.

    Raises:
        BadChoice: when the unit has no such exercise, or one without points is to have some.
    """
    tests: dict[str, list[Any]] = {}
    for cell in cells:
        if utils.is_grade(cell):
            tests.setdefault(tested_by(grade_id(cell)), []).append(cell)
    for table in ("points", "exercises"):
        _must_know(table, unit, getattr(chosen, table).get(unit, {}), tests)
    for name, what in chosen.exercises.get(unit, {}).items():
        for cell in tests[name]:
            if what == "drop":
                cell.metadata.nbgrader["points"] = 0
            else:
                cell.source = GIVEN
    for name, points in chosen.points.get(unit, {}).items():
        if chosen.exercises.get(unit, {}).get(name) != "drop":
            _share_out(tests[name], points)


def _share_out(cells: Collection[Any], points: float) -> None:
    before = sum(cell.metadata.nbgrader["points"] for cell in cells)
    for cell in cells:
        share = cell.metadata.nbgrader["points"] / before if before else 1 / len(cells)
        cell.metadata.nbgrader["points"] = points * share


def _must_know(table: str, unit: str, given: Mapping[str, Any], tests: Collection[str]) -> None:
    for name in given:
        if name not in tests:
            near = meant(name, tests, f"; it has {', '.join(tests)}.", 0.5)
            place = f"{FILE}: {table}.{unit}.{name}"
            raise BadChoice(f"{place}: {unit} has no exercise {name} with points{near}")
