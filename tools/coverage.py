"""Print what the course really has: for each exercise its record, answers and cells (`make coverage`)."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import nbformat

from helpers import CheckFailed, check, reference
from helpers.exercises import find
from helpers.units import UNIT_OF, UNITS
from tests.answers import registry
from tools.shell import ROOT

COLUMNS = (
    "record",
    "reference",
    "notebook",
    "3+ styles",
    "blank rejected",
)


def exists(get: Callable[[], Any]) -> bool:
    """Whether something can be imported."""
    try:
        return get() is not None
    except (ImportError, AttributeError):
        return False


def cells(unit: str) -> set[str]:
    """The grade ids of a unit's solution notebook."""
    path = ROOT / "solutions" / unit / f"{unit}.ipynb"
    if not path.exists():
        return set()
    return {
        cell.metadata.get("nbgrader", {}).get("grade_id") for cell in nbformat.read(path, as_version=4).cells
    }


def blank_rejected(name: str) -> bool:
    """Whether an answer cell as it comes is refused, with the right words."""
    try:
        exec(f"check({name!r})", {"check": check})
    except CheckFailed as failed:
        return "not answered yet" in str(failed)
    return False


def row(name: str, right: list) -> list[tuple[int, int]]:
    """For each column, how many there are of how many."""
    styles = len({answer.style for answer in right})
    flags = (
        exists(lambda: find(name)),
        exists(lambda: getattr(reference, name)),
        {name, f"{name}-test"} <= cells(UNIT_OF[name]),
        styles >= 3,
    )
    return [
        *((int(flag), 1) for flag in flags),
        (int(blank_rejected(name)), 1),
    ]


def total(rows: list[list[tuple[int, int]]]) -> str:
    """The sums of each column, as the cells of a table."""
    sums = [
        (sum(have for have, _ in column), sum(of for _, of in column)) for column in zip(*rows, strict=True)
    ]
    return " | ".join(f"{have} / {of}" for have, of in sums)


def main() -> int:
    """Print one line a unit and the totals."""
    right, _ = registry.load()
    print(f"| unit | {' | '.join(COLUMNS)} |\n|{'---|' * (len(COLUMNS) + 1)}")
    everything = []
    for unit, names in UNITS.items():
        rows = [row(n, [a for a in right if a.exercise == n]) for n in names]
        print(f"| {unit} | {total(rows)} |", flush=True)
        everything += rows
    print(f"| total | {total(everything)} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
