"""How the class did: a table of marks, what went wrong most, and who is worth a look."""

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from grading import report

MOST_MISTAKES = 8


_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def plain(text: str) -> Text:
    """A learner's word: no markup, nothing that a terminal obeys."""
    return Text(_CONTROL.sub("\N{REPLACEMENT CHARACTER}", text).encode("utf-8", "replace").decode())


def show(console: Console, course: Path, unit: str, students: Sequence[str]) -> int:
    """Print the summary; 0 when every submission has a mark, else 1."""
    reports = [found for student in students if (found := report.read(course, unit, student))]
    graded = [one for one in reports if not one.reason]
    if graded:
        console.print(_exercises(unit, graded))
    mistakes = Counter(f"{name}: {mistake}" for one in graded for name, mistake in one.mistakes.items())
    if mistakes:
        table = Table(title="What the class gets wrong", title_justify="left")
        table.add_column("mistake")
        table.add_column("learners", justify="right")
        for mistake, count in mistakes.most_common(MOST_MISTAKES):
            table.add_row(plain(mistake), str(count))
        console.print(table)
    _list(console, "No mark, and why:", [(one.student, [one.reason]) for one in reports if one.reason])
    _list(console, "Worth a look:", [(one.student, one.flags) for one in reports if one.flags])
    _list(console, "Repaired:", [(one.student, one.remarks) for one in reports if one.remarks])
    missing = len(students) - len(graded)
    console.print(
        f"{len(graded)} of {len(students)} have a mark. Reports: {report.FOLDER}/{unit}/.", highlight=False
    )
    return 1 if missing else 0


def _exercises(unit: str, graded: Sequence[report.Report]) -> Table:
    table = Table(title=f"{unit}: {len(graded)} marks", title_justify="left")
    table.add_column("exercise")
    for column in ("right", "points", "of"):
        table.add_column(column, justify="right")
    for name, of in graded[0].of.items():
        points = [one.points.get(name, 0.0) for one in graded]
        table.add_row(
            name,
            f"{sum(got == of for got in points)}/{len(graded)}",
            f"{sum(points) / len(graded):.2f}",
            f"{of:g}",
        )
    whole = sum(sum(one.points.values()) for one in graded) / len(graded)
    table.add_row("mean mark", "", f"{whole:.2f}", f"{sum(graded[0].of.values()):g}")
    return table


def _list(console: Console, title: str, items: Sequence[tuple[str, Sequence[str]]]) -> None:
    if items:
        console.print(title, style="bold")
    for student, texts in items:
        for text in texts:
            console.print(plain(f"  {student}: {text}"), highlight=False, soft_wrap=True)
