"""The units that stand in `solutions/`, and what the first cell of each states: its title and its minutes.

The minutes are an estimate.  The README's table and the site's cards read them here.
"""

import re
import sys
from pathlib import Path

import nbformat

from helpers.units import UNITS
from tools.shell import ROOT

CORE = re.compile(r"^\*\*[^*]+\*\*:? (\d+) min", re.MULTILINE | re.IGNORECASE)
"""`**Time:** 75 minutes`, or `**Zeit:** 75 Minuten`."""


def file_of(unit: str, root: Path = ROOT) -> Path:
    """The notebook of a unit in `solutions/`."""
    return root / "solutions" / unit / f"{unit}.ipynb"


def written(root: Path = ROOT) -> list[str]:
    """The units that stand in `solutions/`, from which an instructor may have taken some."""
    return [unit for unit in UNITS if file_of(unit, root).exists()]


def head(unit: str, root: Path = ROOT) -> tuple[str, int, int]:
    """A unit's title, the minutes of its core and those of its optional parts."""
    path = file_of(unit, root)
    first = nbformat.read(path, as_version=4).cells[0].source
    title, core, more = re.match(r"# (.+)", first), CORE.search(first), re.search(r"(\d+) more for", first)
    if not title or not core:
        sys.exit(f"{path.name}: its first cell needs a heading `# ...` and `**Time:** N minutes`.")
    return title[1], int(core[1]), int(more[1]) if more else 0
