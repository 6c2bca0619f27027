"""How long each unit takes a beginner, by a count of what there is to read, to run and to do.

Prose at 120 words a minute, as one reads with a pencil; half a minute for a cell that is only run, one for a
figure, one and a half for a prediction, three for a view to play with; and the minutes that stand beside each
exercise, which allow for two wrong tries.  Optional sections are counted apart.
"""

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import nbformat

from helpers.units import UNITS
from tools.measuring import markdown
from tools.shell import ROOT

WORDS, CELL, FIGURE, PREDICTION, VIEW = 120, 0.5, 1.0, 1.5, 3.0
SITTING = 75
"""Minutes after which a unit should say where to stop."""


@dataclass(frozen=True)
class Minutes:
    """Of one unit: what its head says, what is counted, what is optional, and what of it are exercises.

    `halves` is the number of the exercise in its middle.
    """

    stated: int
    core: float
    optional: float
    exercises: int
    halves: str


def of(unit: str) -> Minutes:
    """Count one unit of `solutions/`."""
    cells = nbformat.read(ROOT / "solutions" / unit / f"{unit}.ipynb", 4).cells
    core = optional = exercises = 0.0
    stops: dict[str, float] = {}
    is_optional = False
    for cell in cells:
        for part in _parts(cell):
            if heading := re.match(r"#+ (.*)", part):
                is_optional = "(optional)" in heading[1]
            took = _of_prose(part) if cell.cell_type == "markdown" else _of_code(cell)
            if task := re.match(r"### Exercise (\S+): .*, (\d+) minutes?\)", part):
                number, took = task[1], int(task[2])
                exercises += took
            core, optional = core + took * (not is_optional), optional + took * is_optional
        if cell.metadata.get("nbgrader", {}).get("grade"):
            stops[number] = core
    halves = min(stops, key=lambda stop: abs(stops[stop] - core / 2))
    stated = int(re.search(r"\*\*Time:\*\* (\d+) minutes", cells[0].source)[1])
    return Minutes(stated, core, optional, int(exercises), halves)


def _parts(cell: nbformat.NotebookNode) -> Sequence[str]:
    """A text cell cut at its headings."""
    return re.split(r"\n(?=#+ )", cell.source) if cell.cell_type == "markdown" else [cell.source]


def _of_prose(text: str) -> float:
    return len(re.sub(r"<details>.*?</details>", "", text, flags=re.DOTALL).split()) / WORDS


def _of_code(cell: nbformat.NotebookNode) -> float:
    if cell.metadata.get("nbgrader") or "try_it(" in cell.source:
        return 0.0  # part of the exercise's own minutes
    if "reveal(guess" in cell.source:
        return PREDICTION
    return VIEW if "views." in cell.source else FIGURE if "plots." in cell.source else CELL


def main() -> int:
    """Print the table."""
    rows = []
    for unit in UNITS:
        one = of(unit)
        counts = (one.stated, f"{one.core:.0f}", f"{one.optional:.0f}", one.exercises, one.halves)
        rows.append([unit[:2], *map(str, counts)])
    print(markdown(("unit", "stated", "counted", "optional", "of it exercises", "in the middle"), rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
