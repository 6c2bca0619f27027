"""How a mark came about, for whoever wants to repeat it: by which checks, of which file, and when."""

import datetime
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from grading import report
from grading.handed_in.received import Submission
from grading.outside.sandbox import ROOT
from grading.term import basis

TIME = "%d %B %Y, %H:%M UTC"


@dataclass(frozen=True)
class Receipt:
    """What the feedback page shows.

    Attributes:
        file: the name that the notebook has to have.
        sha256: of the notebook as it was handed in.
        course: the version of the course, and a digest of all code that judges.
        handed_in: when, or `""` where nobody knows.
        graded: when.
        line: repeats the visible checks, in a notebook whose cells have run.
    """

    file: str
    sha256: str
    course: str
    handed_in: str
    graded: str
    line: str


def kept(one: Submission) -> dict[str, str]:
    """What a report keeps of it, when the submission is graded."""
    handed_in = one.handed_in.isoformat() if one.handed_in else ""
    return {"sha256": one.sha256, "course": _course(), "handed_in": handed_in}


def of(course: Path, unit: str, student: str, graded: Path) -> Receipt | None:
    """The receipt of a graded notebook; `None` where its report has none, as those of older versions.

    Args:
        course: the course folder.
        unit: which one.
        student: whose.
        graded: the graded notebook's file.
    """
    found = report.read(course, unit, student)
    if found is None or not found.receipt:
        return None
    told = found.receipt
    when = told["handed_in"] and datetime.datetime.fromisoformat(told["handed_in"]).strftime(TIME)
    done = datetime.datetime.fromtimestamp(graded.stat().st_mtime, datetime.UTC).strftime(TIME)
    line = f'check("{unit}", seed=0)'
    return Receipt(f"{unit}.ipynb", told["sha256"], told["course"], when, done, line)


@cache
def _course() -> str:
    checks = f"checks {basis.code()[:12]}"
    try:
        about: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    except OSError:  # a copy of the code alone
        return checks
    return f"version {about['project']['version']}, {checks}"
