"""`hand_in()`: what is missing in a unit, and the one file to hand in; missing answers never block."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from helpers import browser
from helpers.errors import BadArgument, OneSentence, must_be_quoted, unknown
from helpers.in_browser import to_page
from helpers.learner import own_notebook
from helpers.learner.progress_record import learning, progress
from helpers.offered import blanks, number_of, offered
from helpers.units import grade_id


class CannotHandIn(OneSentence, RuntimeError):
    """The notebook's file cannot be read; the message says what to do."""


def hand_in(unit: str | None = None) -> None:
    """Say what is missing in a unit, and which file to hand in; a browser downloads it.

    It does nothing while an instructor grades, so it may stay in the notebook.

    Args:
        unit: such as `"05_softmax"`; the one whose notebook this is, where it is left out.

    Raises:
        UnknownName: when there is no such unit; the message lists those there are.
        BadArgument: when the unit is left out and cannot be told.
        CannotHandIn: when the file is damaged.
    """
    if not learning():
        return
    units = offered()
    scope = sys._getframe(1).f_globals
    unit = unit or own_notebook.unit_of(units, scope)
    if unit is None:
        raise BadArgument(f'say which unit you hand in, in quotes, such as hand_in("{next(iter(units))}")')
    must_be_quoted("hand_in", unit, scope, units)
    if unit not in units:
        raise unknown("unit", unit, units)
    if browser.HERE:
        return _from_page(unit, units[unit])
    path = own_notebook.find(unit)
    try:
        saved = _answers(path) if path else {}
    except own_notebook.Unreadable as error:
        raise CannotHandIn(
            f"{error} Choose File > Download, and hand that in as {unit}.ipynb; ask your teacher about it."
        ) from None
    lines = _missing(unit, units[unit], saved, scope)
    print("\n".join([*lines, *_unsaved(units[unit], saved, scope), _where(unit, path)]))


def _from_page(unit: str, names: list[str]) -> None:
    """A page of the site has the answers itself, and makes a notebook of them."""
    states = progress(unit).units[unit]
    left = [name for name in names if states[name] != "passed"]
    lines = [f"{unit}: {len(names) - len(left)} of {len(names)} passed."]
    if left:
        lines.append(f"Not passed yet: {_listed(left)}. You can hand in all the same, and again later.")
    print("\n".join([*lines, f"Your browser downloads {unit}.ipynb: hand in that file."]))
    to_page.ask(handIn=unit)


def _answers(path: Path) -> dict[str, str]:
    """What the saved notebook has in the cells that nbgrader knows."""
    return {grade_id(cell): "".join(cell["source"]) for cell in own_notebook.read(path)["cells"]}


def _missing(unit: str, names: list[str], saved: Mapping[str, str], scope: Mapping[str, Any]) -> list[str]:
    blank = {name: text.strip() for name, text in blanks().items()}
    states = progress(unit).units[unit]

    def answered(name: str) -> bool:
        texts = (saved.get(name), own_notebook.ran_last(name, scope))
        return any(text is not None and text.strip() != blank[name] for text in texts)

    there = [name for name in names if answered(name)]
    to_do = [name for name in names if name not in there]
    not_passed = [name for name in there if states[name] != "passed"]
    lines = [f"{unit}: {len(there)} of {len(names)} answered, {len(there) - len(not_passed)} passed."]
    if to_do:
        lines.append(f"Not answered, or not run yet: {_listed(to_do)}.")
    if not_passed:
        lines.append(f"Answered, but no check has passed: {_listed(not_passed)}.")
    if to_do or not_passed:
        lines.append("You can hand in all the same, and again later.")
    return lines


def _unsaved(names: list[str], saved: Mapping[str, str], scope: Mapping[str, Any]) -> list[str]:
    """Of answers that ran otherwise than they are saved."""
    ran = {name: own_notebook.ran_last(name, scope) for name in names}
    other = [
        name for name, text in ran.items() if text and name in saved and text.strip() != saved[name].strip()
    ]
    if not other:
        return []
    return [
        f"Not saved as it ran last: {_listed(other)}. Run it if you have changed it, save the notebook "
        "(Ctrl + S), then run hand_in() again."
    ]


def _where(unit: str, path: Path | None) -> str:
    if path:
        return f"Hand in this file: {path}\nOn Binder, File > Download brings it to your computer."
    return (
        f"There is no {unit}.ipynb in this folder ({Path.cwd().name}): choose File > Download, and hand that "
        f"in as {unit}.ipynb."
    )


def _listed(names: list[str]) -> str:
    return ", ".join(f"{number_of(name)} {name}" for name in names)
