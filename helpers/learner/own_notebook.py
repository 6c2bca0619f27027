"""The learner's own notebook of a unit: the file, and what has run of it in this kernel."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from helpers.passed import home
from helpers.units import UNIT_OF


class Unreadable(ValueError):
    """The file is no notebook; the message says so."""


def find(unit: str) -> Path | None:
    """The notebook's file, in the folder of the unit or in this one."""
    for path in (home() / unit / f"{unit}.ipynb", home() / f"{unit}.ipynb"):
        if path.is_file():
            return path
    return None


def read(path: Path) -> dict[str, Any]:
    """The notebook as it is saved.

    Raises:
        Unreadable: when it is none.
    """
    try:
        notebook = json.loads(path.read_text("utf-8"))
        assert all(isinstance(cell["metadata"], dict) for cell in notebook["cells"])
        return notebook
    except (OSError, ValueError, KeyError, TypeError, AssertionError) as error:
        raise Unreadable(f"{path.name} cannot be read as a notebook ({error}).") from None


def ran(scope: Mapping[str, Any]) -> list[str]:
    """The cells that have run in this kernel, in order; the one that runs now is the last."""
    return [text for text in scope.get("In", ()) if isinstance(text, str)]


def ran_last(name: str, scope: Mapping[str, Any]) -> str | None:
    """The cell that has last made an exercise's answer in this kernel."""
    defines = re.compile(rf"^(def {name}\b|class {name}\b|{name}\s*=(?!=))", re.MULTILINE)
    return next((text for text in reversed(ran(scope)) if defines.search(text)), None)


def unit_of(units: Mapping[str, list[str]], scope: Mapping[str, Any]) -> str | None:
    """The unit of the folder, of the only notebook in it, or of the answers that have run, if there is."""
    here = Path.cwd()
    if here.name in units:
        return here.name
    there = [unit for unit in units if (here / f"{unit}.ipynb").is_file()]
    answered = {UNIT_OF[name] for names in units.values() for name in names if ran_last(name, scope)}
    return next((found[0] for found in (there, [*answered]) if len(found) == 1), None)
