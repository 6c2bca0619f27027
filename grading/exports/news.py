"""What whoever takes marks out should know: how they changed since the last grading, and what is ungraded."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from nbgrader.coursedir import CourseDirectory

from grading import to_do
from grading.term import gradebook, ledger


def since_grading(config: Any, book: Any, units: Sequence[str] = ()) -> Iterator[str]:
    """In sentences; a change is kept in `reports/changes.csv`, and so it is told once.

    Args:
        config: the course's settings.
        book: the open gradebook, settled: see `settle`.
        units: which ones; all that the gradebook knows by default.
    """
    course = Path(CourseDirectory(config=config).root)
    for unit in units or sorted(one.name for one in book.assignments):
        found = gradebook.standings(book, unit)
        changed = ledger.note(course, unit, {name: (one.mark, one.overridden) for name, one in found.items()})
        if changed:
            said = ", ".join(f"{one.student} {one}" for one in changed)
            yield f"{unit}, changed since the last look: {said}."
    yield from to_do.sentences(config, course, book, units)
