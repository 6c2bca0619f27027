"""Where one writes something: the place of an exercise on its unit's page, from the course's own list."""

import re
from dataclasses import dataclass
from functools import cache

import nbformat
from docutils import nodes

from helpers.units import UNIT_OF
from tools.shell import ROOT


@dataclass(frozen=True)
class Place:
    """An exercise on the site.

    Attributes:
        number: such as 5.1.
        title: what it is called.
        address: of its heading, seen from the site's root.
    """

    number: str
    title: str
    address: str


@cache
def place_of(exercise: str) -> Place | None:
    """Where an exercise stands; nothing where it has been taken out of the course."""
    unit = UNIT_OF.get(exercise, "")
    path = ROOT / "solutions" / unit / f"{unit}.ipynb"
    text = "\n".join(cell.source for cell in nbformat.read(path, 4).cells) if path.is_file() else ""
    check = re.search(rf'(?m)^check\("{exercise}"', text)  # indented, one shows how a check fails
    before = text[: check.start()] if check else ""
    headings = re.findall(r"(?m)^### (Exercise (\S+): (.+) \(.+)$", before)
    if not headings:
        return None
    heading, number, title = headings[-1]
    return Place(number, title, f"notebooks/{unit}/{unit}.html#{nodes.make_id(heading)}")
