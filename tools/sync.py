"""Write what is stated once wherever it is shown: set-up cell, hints, tables, versions, answers and blanks.

`make sync` writes; `--check` changes nothing, names what differs and exits with 1.
"""

import json
import re
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

import nbformat

from helpers.exercises import find
from helpers.units import UNIT_OF, UNITS, grade_id
from tools import checks_page, opens, other_answers, units
from tools.packages import pinned
from tools.shell import ROOT, call_name

SET_UP = """\
# Set-up: run this cell first.
# In Colab it installs the course; elsewhere the course is already there.
import math
import sys

if "google.colab" in sys.modules:
    %pip install --quiet git+{address}
try:
    import numpy as np
    import torch
    import torch.nn.functional as F
    from torch import nn

    import helpers
    from helpers import forget, hand_in, hint, inventory, others, progress, reset, review, trace
except ModuleNotFoundError as missing:
    print(f"This kernel has no {missing.name}: run `make setup`, or choose the kernel of the course's .venv.")
from helpers import before_you_start, check, example, plots, reference, reveal, settle, try_it, views

print("Set-up is done.")"""

FOLDED = {"source_hidden": True}
"""A code cell's `jupyter` metadata where JupyterLab shows its first line alone, until one clicks on it."""

MARKERS = ("<!-- units -->", "<!-- /units -->")
ROW = (
    "| {title} | {minutes} "
    "| [open in your browser]({browser}) "
    "| [![Binder](https://mybinder.org/badge_logo.svg)]({binder}) "
    "| [![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)]({colab}) |"
)


def address(root: Path) -> str:
    """The repository's address, from its one place."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    return project["urls"]["Repository"].removesuffix("/")


def folded(hints: Sequence[str]) -> str:
    """Hints as blocks that open on a click."""
    blocks = [
        f"<details><summary>Hint {number}</summary>\n\n{text}\n\n</details>"
        for number, text in enumerate(hints, start=1)
    ]
    return "\n".join(blocks)


def with_hints(task: str, hints: Sequence[str]) -> str:
    """A task cell's text with these hints at its end, instead of the ones it has."""
    text = re.split(r"\n*<details><summary>Hint 1</summary>", task)[0].rstrip()
    return f"{text}\n\n{folded(hints)}" if hints else text


def notebook(text: str, home: str) -> str:
    """A notebook's text, brought up to date; what is right already stays as it is, byte by byte."""
    book = nbformat.reads(text, as_version=4)
    changed = False
    for cell in book.cells:
        name = grade_id(cell)
        exercise = name.removesuffix("-task")
        wanted = cell.source
        if name == "set-up":
            wanted = SET_UP.replace("{address}", home)
            changed = changed or cell.metadata.get("jupyter") != FOLDED
            cell.metadata["jupyter"] = dict(FOLDED)
        elif exercise != name and exercise in UNIT_OF:
            wanted = with_hints(cell.source, find(exercise).hints)
        changed = changed or wanted != cell.source
        cell.source = wanted
    return nbformat.writes(book, indent=1) + "\n" if changed else text


def unit_table(root: Path, home: str) -> str:
    """The table of units, with links that open each."""
    repo = home.removeprefix("https://github.com/")
    rows = ["| unit | minutes | nothing to install | Binder | Colab |", "|---|---|---|---|---|"]
    for unit in units.written(root):
        title, minutes, _ = units.head(unit, root)
        places = {
            "browser": opens.in_browser(opens.site(home), unit),
            "binder": opens.on_binder(repo, unit),
            "colab": opens.in_colab(repo, unit),
        }
        rows.append(ROW.format(title=title, minutes=minutes, **places))
    return "\n".join(rows)


def readme(text: str, table: str) -> str:
    """The README's text with the table between its markers; without markers, unchanged."""
    start, end = map(re.escape, MARKERS)
    between = "\n".join([MARKERS[0], table, MARKERS[1]])
    return re.sub(f"{start}.*?{end}", lambda _: between, text, count=1, flags=re.DOTALL)


def with_torch(text: str, root: Path) -> str:
    """A text whose lines install the PyTorch that constraints.txt pins."""
    version = pinned((root / "constraints.txt").read_text("utf-8"))
    return re.sub(r"\btorch==[\w.]+", f"torch=={version}", text)


def blanks(root: Path) -> str:
    """The blank answer cells of the learner's notebooks, for `helpers.reset`."""
    found = {}
    for path in sorted((root / "notebooks").glob("*/*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.metadata.get("nbgrader", {}).get("solution"):
                found[grade_id(cell)] = cell.source
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def rivals(root: Path) -> str:
    """The pairs of rival explanations, as the notebooks have them, each with the unit's first exercise."""
    found = {}
    for path in sorted((root / "solutions").glob("*/*.ipynb")):
        exercise, text = UNITS[path.stem][0], ""
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "markdown" and "**A.**" in cell.source:
                text = cell.source
            elif asked := re.search(r'settle\(guess, "([\w-]+)"', cell.source):
                parts = re.split(r"\n\n- \*\*A\.\*\* |\n- \*\*B\.\*\* ", text)
                asks = re.sub(r"^#+ .+\n+", "", parts[0]).strip()
                found[asked[1]] = {"exercise": exercise, "asks": asks, "A": parts[1], "B": parts[2]}
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def answers(root: Path) -> str:
    """The right answers of the solution notebooks, as their cells show them, without the markers."""
    found = {}
    for path in sorted((root / "solutions").glob("*/*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.metadata.get("nbgrader", {}).get("solution"):
                lines = [line for line in cell.source.split("\n") if "### " not in line]
                found[grade_id(cell)] = "\n".join(lines).rstrip() + "\n"
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def stale(root: Path) -> Mapping[Path, str]:
    """The files that differ from what they should hold, and what that is."""
    home, wanted = address(root), {}
    for path in sorted((root / "solutions").glob("*/*.ipynb")):
        wanted[path] = notebook(path.read_text("utf-8"), home)
    places = (root / name for name in ("README.md", "Containerfile"))
    pages = {path: path.read_text("utf-8") for path in places if path.exists()}
    pages |= checks_page.pages(root)
    table = unit_table(root, home) if pages else ""
    wanted |= {path: readme(with_torch(text, root), table) for path, text in pages.items()}
    if (root / "helpers").is_dir() and (root / "notebooks").is_dir():
        wanted[root / "helpers" / "blanks.json"] = blanks(root)
        wanted[root / "helpers" / "answers.json"] = answers(root)
        wanted[root / "helpers" / "rivals.json"] = rivals(root)
    if other_answers.chosen_in(root).exists():
        wanted[root / "helpers" / "others.json"] = other_answers.text(root)
    return {
        path: text for path, text in wanted.items() if not path.exists() or path.read_text("utf-8") != text
    }


def main(words: Sequence[str], root: Path = ROOT) -> int:
    """Write, or with `--check` only look."""
    found = stale(root)
    names = ", ".join(path.relative_to(root).as_posix() for path in found)
    if "--check" in words:
        if found:
            print(f"Not up to date: {names}. Run `{call_name('sync')}`.", file=sys.stderr)
        return 1 if found else 0
    for path, text in found.items():
        path.write_text(text, "utf-8", newline="\n")
    print(f"Written: {names}." if found else "Everything is up to date.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
