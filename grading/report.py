"""One small file for each graded submission: its mark, or the reason why there is none, and what to look at.

`reports/<unit>/<student>.json`; written whole or not at all.
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Collection
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

FOLDER = "reports"
LONGEST = 200


@dataclass
class Report:
    """What became of a submission.

    Attributes:
        student: who handed it in.
        unit: which assignment.
        points: of each exercise, by name; empty where there is no mark.
        of: how many points each exercise has.
        reason: why there is no mark, and what to do; empty where there is one.
        mistakes: the recognised mistake of each exercise that is not right, by name.
        says: what is wrong in each exercise that is not right, in a sentence.
        blank: exercises without an answer.
        receipt: what the feedback page says of how the mark came about, see `receipt.py`.
        follow_on: the exercises that are right once others are, with those, see `follow_on.py`.
        follows: what such an exercise earned then, as `term.toml` chose.
        flags: what the instructor should look at.
        doubtful: the exercises that the flags are about.
        answers: fingerprint of each answer's text, by exercise.
        set_aside: what a human gave to answers that this hand-in has replaced.
        remarks: what had to be repaired to grade it.
        fingerprint: of the submission and of what it was judged by, see `basis`.
        content: fingerprint of the submission alone.
        seconds: how long its own code ran.
        unnamed: what a wrong answer does that no name of the course fits, by exercise: see `behaviour`.
        differs: how such an answer differs, in a sentence.
        told: the instructor's own words to it, where there are some.
        named_since: what the instructor has named and the course names too, by exercise.
        again: whether the grader failed, not the submission: the next run tries it again.
    """

    student: str
    unit: str
    points: dict[str, float] = field(default_factory=dict)
    of: dict[str, float] = field(default_factory=dict)
    reason: str = ""
    mistakes: dict[str, str] = field(default_factory=dict)
    says: dict[str, str] = field(default_factory=dict)
    blank: list[str] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    doubtful: list[str] = field(default_factory=list)
    answers: dict[str, str] = field(default_factory=dict)
    set_aside: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    fingerprint: str = ""
    content: str = ""
    seconds: float = 0.0
    again: bool = False
    follow_on: dict[str, list[str]] = field(default_factory=dict)
    follows: str = ""
    receipt: dict[str, str] = field(default_factory=dict)
    unnamed: dict[str, str] = field(default_factory=dict)
    differs: dict[str, str] = field(default_factory=dict)
    told: dict[str, str] = field(default_factory=dict)
    named_since: dict[str, str] = field(default_factory=dict)

    @property
    def mark(self) -> float | None:
        """The sum of the points, `None` where there is no mark."""
        return None if self.reason else sum(self.points.values())

    @property
    def named(self) -> dict[str, str]:
        """The mistakes that have a name, by exercise: one of the course, or what the instructor has named."""
        told = {name: self.unnamed[name] for name in self.told if name not in self.follow_on}
        return {**told, **self.mistakes}

    def is_decided(self, by_hand: Collection[str]) -> bool:
        """Whether a human gave points wherever there was something to look at."""
        return bool(self.doubtful) and {*self.doubtful} <= {*by_hand}


def path_of(course: Path, unit: str, student: str) -> Path:
    """Where a submission's report lies."""
    return course / FOLDER / unit / f"{name_of(student)}.json"


def name_of(student: str) -> str:
    """Return what a student's file is called, before its ending; a file's name may have 255 bytes."""
    name = student.encode("utf-8", "surrogateescape")
    return student if len(name) <= LONGEST else f"{student[:40]}-{hashlib.sha256(name).hexdigest()[:16]}"


def write(course: Path, report: Report) -> None:
    """Keep a report; a crash leaves the old one or the new one, never half of it."""
    write_whole(path_of(course, report.unit, report.student), json.dumps(asdict(report), indent=1))


def write_whole(path: Path, text: str) -> None:
    """Write a file whole or not at all.

    Raises:
        OSError: when it cannot be written; nothing is left behind.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(
        "w", dir=path.parent, prefix=".", delete=False, encoding="utf-8"
    ) as file:
        try:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise


def read(course: Path, unit: str, student: str) -> Report | None:
    """A submission's report, `None` where there is none that can be read."""
    try:
        content: dict[str, Any] = json.loads(path_of(course, unit, student).read_text("utf-8"))
        return Report(**content)
    except (OSError, ValueError, TypeError):
        return None
