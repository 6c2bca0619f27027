"""How long each unit takes a beginner, by a count of what there is to read, to run and to do.

Prose at 120 words a minute, as one reads with a pencil; half a minute for a cell that is only run, one for a
figure, one and a half for a prediction or a choice between two explanations, three for a view to play with;
and the minutes that stand beside each exercise, which allow for two wrong tries.  What stands under a heading
marked (optional) is counted apart; what is left is the core of the unit.
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
LONGEST_CORE, LONGEST_IN_TWO = 80, 110
"""Minutes after which a beginner has had enough, and those of a unit that says where to stop for the day."""
STOP = "A good place to stop for the day"
STATED = re.compile(r"^\*\*[^*]+\*\*:? (\d+) min", re.MULTILINE | re.IGNORECASE)
"""`**Time:** 75 minutes`, or `**Zeit:** 75 Minuten`."""


@dataclass(frozen=True)
class Minutes:
    """Of one unit: what its head says of the core and of the optional parts, and what is counted of both.

    `exercises` are minutes too, of core and optional parts together.
    """

    stated: int
    stated_optional: int
    core: float
    optional: float
    exercises: int


def written() -> list[str]:
    """The units that stand in `solutions/`, from which an instructor may have taken some."""
    return [unit for unit in UNITS if (ROOT / "solutions" / unit).is_dir()]


def of(unit: str) -> Minutes:
    """Count one unit of `solutions/`."""
    cells = nbformat.read(ROOT / "solutions" / unit / f"{unit}.ipynb", 4).cells
    core = optional = exercises = 0.0
    marked = 0  # level of the heading that is optional, with all below it; 0 for none
    for cell in cells:
        for part in _parts(cell):
            if cell.cell_type == "markdown" and (heading := re.match(r"(#+) (.*)", part)):
                level = len(heading[1])
                if "(optional)" in heading[2]:
                    marked = level
                elif level <= marked:
                    marked = 0
            took = _of_prose(part) if cell.cell_type == "markdown" else _of_code(cell)
            if task := re.match(r"### Exercise \S+: .*, (\d+) minutes?\)", part):
                took += int(task[1])
                exercises += int(task[1])
            core, optional = core + took * (not marked), optional + took * bool(marked)
    return Minutes(*_stated(cells[0].source), core, optional, int(exercises))


def _stated(head: str) -> tuple[int, int]:
    """The minutes of the core and of the optional parts, as the first lines of a unit say them."""
    core = STATED.search(head)
    more = re.search(r"(\d+) more for", head)
    return int(core[1]), int(more[1]) if more else 0


def _parts(cell: nbformat.NotebookNode) -> Sequence[str]:
    """A text cell cut at its headings."""
    return re.split(r"\n(?=#+ )", cell.source) if cell.cell_type == "markdown" else [cell.source]


def _of_prose(text: str) -> float:
    return len(re.sub(r"<details>.*?</details>", "", text, flags=re.DOTALL).split()) / WORDS


def _of_code(cell: nbformat.NotebookNode) -> float:
    if cell.metadata.get("nbgrader") or "try_it(" in cell.source:
        return 0.0  # part of the exercise's own minutes
    if re.search(r"\b(reveal|settle)\(guess", cell.source):
        return PREDICTION
    if cell.source.startswith(("before_you_start(", "inventory(")):
        return 0.0  # they say their own minutes, which are not about this unit
    return VIEW if "views." in cell.source else FIGURE if "plots." in cell.source else CELL


def main() -> int:
    """Print the table."""
    rows = []
    for unit in written():
        one = of(unit)
        rows.append(
            [unit[:2], str(one.stated), f"{one.core:.0f}", str(one.stated_optional), f"{one.optional:.0f}"]
        )
        rows[-1].append(str(one.exercises))
    head = ("unit", "core, stated", "core, counted", "optional, stated", "optional, counted", "exercises")
    print(markdown(head, rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
