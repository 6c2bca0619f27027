"""Tables that are only added to: how marks changed, who handed in, what was given by hand."""

import csv
import datetime
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from grading.trouble import Wrong

CHANGES = "reports/changes.csv"
REMOVED = "reports/removed_marks.csv"
HAND_INS = "reports/hand_ins.csv"
BY_HAND = "reports/by_hand.csv"
_COLUMNS = {
    CHANGES: ("time", "unit", "student", "old", "new", "overridden"),
    HAND_INS: ("time", "unit", "student", "content"),
    BY_HAND: ("time", "unit", "student", "cell", "manual_score", "extra_credit", "comment", "answer", "who"),
    REMOVED: ("time", "unit", "student", "cell", "manual_score", "extra_credit", "comment"),
}


@dataclass(frozen=True)
class Change:
    """A mark that is another one than before; `None` is no mark."""

    student: str
    old: float | None
    new: float | None
    overridden: bool = False

    def __str__(self) -> str:
        old, new = ("no mark" if one is None else f"{one:g}" for one in (self.old, self.new))
        return f"{old} -> {new}" + (" (by hand)" if self.overridden else "")


def append(path: Path, lines: Sequence[Mapping[str, Any]]) -> None:
    """Add rows to a table at once, with the time; make it when there is none.

    Half a row, as a power cut leaves it, is ended before them.

    Raises:
        OSError: when it cannot be written; then nothing is added.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    with open(path, "a", newline="", encoding="utf-8", errors="surrogateescape") as file:
        end, there = file.tell(), path.read_bytes()
        table = csv.DictWriter(file, _COLUMNS[f"{path.parent.name}/{path.name}"])
        try:
            if not end:
                table.writeheader()
            elif there.count(b'"') % 2 or not there.endswith(b"\n"):
                file.write('"\r\n' if there.count(b'"') % 2 else "\r\n")
            table.writerows([{"time": now, **row} for row in lines])
            file.flush()
        except OSError:
            os.truncate(path, end)
            raise


def note(course: Path, unit: str, marks: Mapping[str, tuple[float | None, bool]]) -> list[Change]:
    """Keep the marks that are new or another one than at the last time.

    Args:
        course: the course folder.
        unit: which one.
        marks: of each student, with whether a human changed it.

    Returns:
        Those that were another one before; a first mark is no change.
    """
    path, before = course / CHANGES, _last(course / CHANGES, unit)
    changed = [
        Change(student, before.get(student), mark, by_hand)
        for student, (mark, by_hand) in marks.items()
        if before.get(student) != mark
    ]
    lines = [
        {"unit": unit, "student": one.student, "old": _text(one.old), "new": _text(one.new)}
        | {"overridden": "yes" if one.overridden else ""}
        for one in changed
    ]
    if lines:
        append(path, lines)
    return [one for one in changed if one.old is not None]


def net(changes: Sequence[Change]) -> list[Change]:
    """One change for each student: from the first mark to the last, left out where these are the same."""
    found: dict[str, Change] = {}
    for one in changes:
        found[one.student] = replace(one, old=found[one.student].old if one.student in found else one.old)
    return [one for one in found.values() if one.old != one.new]


def note_hand_ins(course: Path, unit: str, contents: Mapping[str, str]) -> None:
    """Keep which submissions were graded that are other ones than before.

    Args:
        course: the course folder.
        unit: which one.
        contents: fingerprint of what each student handed in.
    """
    before = {row["student"]: row["content"] for row in rows(course / HAND_INS, unit)}
    new = {student: content for student, content in contents.items() if before.get(student) != content}
    if new:
        lines = [{"unit": unit, "student": student, "content": content} for student, content in new.items()]
        append(course / HAND_INS, lines)


def hand_ins(course: Path, unit: str) -> Counter[str]:
    """How many different submissions of each student were graded."""
    return Counter(row["student"] for row in rows(course / HAND_INS, unit))


def _last(path: Path, unit: str) -> dict[str, float | None]:
    return {row["student"]: float(row["new"]) if row["new"] else None for row in rows(path, unit)}


def rows(path: Path, unit: str) -> list[dict[str, str]]:
    """The rows of a unit, the oldest first; none where there is no such table yet. Half a row is left out.

    Raises:
        Wrong: when it lacks a column, as where a spreadsheet program has saved it with semicolons.
    """
    if not path.exists():
        return []
    name = f"{path.parent.name}/{path.name}"
    with open(path, newline="", encoding="utf-8-sig", errors="surrogateescape") as file:
        table = csv.DictReader(file)
        for column in _COLUMNS[name]:
            if column not in (table.fieldnames or ()):
                raise Wrong(
                    f"{name} has no column {column}: expected {','.join(_COLUMNS[name])} in its first row; "
                    "put it back as it was, or save it with commas."
                )
        return [row for row in table if row["unit"] == unit and None not in row and None not in row.values()]


def _text(mark: float | None) -> str:
    return "" if mark is None else repr(float(mark))
