"""A course folder: which units it has, and one command at a time in it."""

import contextlib
import fcntl
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from grading.trouble import Wrong, meant

_ENDING = 5.0
"""Seconds that the workers of a killed grader may take to end, on a machine with much else to do."""


def units_of(folder: Path) -> list[str]:
    """The units that have a notebook with answers, in order."""
    trees = [tree for tree in (folder / "solutions", folder / "source") if tree.is_dir()]
    return sorted(
        one.name for tree in trees for one in tree.iterdir() if (one / f"{one.name}.ipynb").exists()
    )


def must_be_a_unit(folder: Path, unit: str) -> None:
    """Look at a unit's name before anything is done.

    Raises:
        Wrong: with the units that there are.
    """
    units = units_of(folder)
    if unit not in units:
        near = meant(unit, units, likeness=0.5)
        raise Wrong(f"There is no unit {unit or 'without a name'}{near} The units are {', '.join(units)}.")


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """One command at a time, the grader included.

    Raises:
        Wrong: when another is at work, or there is no course.
    """
    if not folder.is_dir():
        raise Wrong(f"There is no folder {folder}.")
    if not (folder / "nbgrader_config.py").is_file():
        raise Wrong(f"There is no nbgrader_config.py in {folder}: name the course folder with --course.")
    with open(folder / ".grading.lock", "w") as file:
        if not _locked(file):
            raise Wrong(f"Another grader is at work in {folder}: wait for it, or stop it.")
        yield


def _locked(file: IO[str]) -> bool:
    """Whether the lock was had; those that a killed grader left hold it until they have ended."""
    end = time.monotonic() + _ENDING
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > end:
                return False
            time.sleep(0.05)
        else:
            return True
