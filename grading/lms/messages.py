"""`messages.csv`: a row for everybody who has to hear something, for the mail merge of any mail program."""

import datetime
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grading.lms import people, tables, unmarked
from grading.term import choices, gradebook
from grading.term.choices import Choices

HEADER = ("id", "first_name", "last_name", "email", "unit", "message")


def write(
    course: Path, book: Any, units: Sequence[str], path: Path, sections: Sequence[str] = ()
) -> list[str]:
    """Write the table: who has no mark and why, whose upload was skipped, and who is past the due date.

    Args:
        course: the course folder.
        book: the open gradebook.
        units: which assignments; all that were handed in or are due by default.
        path: where to.
        sections: only these; all by default.

    Returns:
        What to tell, in lines.

    Raises:
        Wrong: when there is no roster, or no such section.
    """
    persons = {one.id: one for one in people.of_sections(people.load(course).present.values(), sections)}
    chosen, rows, lines = choices.read(course), [], []
    known = {one.name for one in book.assignments}
    for unit in units or sorted({*known, *chosen.due}):
        standings = gradebook.standings(book, unit) if unit in known else {}
        marked = [name for name, one in standings.items() if one.mark is not None]
        found = unmarked.said(course, unit, persons, marked)
        silent = _silent(course, unit, [one for one in persons if one not in {*found, *marked}], chosen)
        for name, text in sorted({**found, **silent}.items()):
            one = persons[name]
            rows.append(
                [tables.disarmed(cell) for cell in (name, one.first, one.last, one.email, unit, text)]
            )
        if found or silent:
            lines.append(f"{unit}: {len(found)} without a mark or skipped, {len(silent)} past the due date.")
    tables.write(path, HEADER, rows, bom=True)  # or Excel spoils the accents
    return [*lines, f"{len(rows)} messages: {path}"]


def _silent(course: Path, unit: str, students: Sequence[str], chosen: Choices) -> Mapping[str, str]:
    """Those of whom nothing is there though it is due, with the days more that `term.toml` gives them."""
    if unit not in chosen.due:
        return {}
    now = datetime.datetime.now(datetime.UTC).replace(tzinfo=None)
    found = {}
    for one in students:
        more = datetime.timedelta(days=chosen.extensions.get(unit, {}).get(one, 0.0))
        when = chosen.due[unit] + more
        if now > when and not (course / "submitted" / one / unit).exists():
            due = f"{when.day} {when:%B %Y, %H:%M} UTC"
            found[one] = (
                f"Nothing of yours has arrived for {unit}, which was due on {due}. "
                "If you have handed it in, answer this message."
            )
    return found
