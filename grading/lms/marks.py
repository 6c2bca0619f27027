"""Marks on their way to the LMS: who gets a row, what stands in it, and which column of the LMS it is for."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grading.lms import people
from grading.lms.lines import listed
from grading.lms.people import People, Person
from grading.term import gradebook
from grading.trouble import Wrong

_OURS = {"unit", "notebook"}
ROUNDED = 0.005
"""An LMS writes points with two decimals."""


@dataclass
class Marks:
    """What the gradebook has for an LMS.

    Attributes:
        class_: the roster.
        persons: those who get a row.
        units: which assignments, in order.
        marks: of each unit, by student; who has none is not there.
        most: points that a unit can have.
        notes: what to tell, in lines.
    """

    class_: People
    persons: list[Person]
    units: list[str]
    marks: dict[str, dict[str, float]]
    most: dict[str, float]
    notes: list[str] = field(default_factory=list)


def gather(
    course: Path,
    book: Any,
    units: Sequence[str] = (),
    sections: Sequence[str] = (),
    students: Iterable[str] = (),
) -> Marks:
    """Read the marks of a class.

    Args:
        course: the course folder.
        book: the open gradebook.
        units: which assignments; all that somebody has a mark in by default.
        sections: only these; all by default.
        students: only these; all by default.

    Raises:
        Wrong: when there is no roster, no such unit or section, or nobody has a mark.
    """
    class_ = people.load(course)
    known = {one.name: float(one.max_score) for one in book.assignments}
    for unit in units:
        if unit not in known:
            raise Wrong(
                f"The gradebook does not know {unit}: run `make grade UNIT={unit}` first; it knows "
                f"{listed(sorted(known)) or 'no unit yet'}."
            )
    marks = {unit: _of(book, unit) for unit in (units or sorted(known))}
    chosen = list(units) or [unit for unit, found in marks.items() if found]
    blank = [unit for unit in chosen if not marks[unit]]
    if blank or not chosen:
        which = listed(blank) or "any unit"
        raise Wrong(
            f"Nobody has a mark in {which} yet: run `make grade UNIT={(blank or ['05_softmax'])[0]}` first."
        )
    wanted = set(students)
    persons = [one for one in class_.present.values() if not wanted or one.id in wanted]
    made = Marks(class_, people.of_sections(persons, sections), chosen, marks, known)
    marked = {name for unit in chosen for name in marks[unit]}
    gone = sorted(name for name in marked - set(class_.present) if not wanted or name in wanted)
    if gone:
        made.notes.append(f"Marked, but not on the LMS's list, so left out: {listed(gone)}.")
    return made


def _of(book: Any, unit: str) -> dict[str, float]:
    standings = gradebook.standings(book, unit)
    return {name: one.mark for name, one in standings.items() if one.mark is not None}


def must_be_of(unit: str, made: Marks, there: Iterable[str], lms: str, again: str, path: Path) -> None:
    """Refuse a class of which some would have marks on another scale than the others.

    Args:
        unit: which assignment.
        made: what there is.
        there: what the LMS says the unit is of; what is no number says nothing.
        lms: its name.
        again: how the instructor brings the new maximum here.
        path: what would be written; an older one stays.

    Raises:
        Wrong: when the LMS has another maximum than the unit has points.
    """
    for text in there:
        try:
            same = math.isclose(float(text.replace(",", ".")), made.most[unit], abs_tol=ROUNDED)
        except ValueError:
            continue  # a scale, or no such column
        if not same:
            raise Wrong(
                f"{unit} is of {made.most[unit]:g} points here and of {text} in {lms}; nothing was written: "
                f"set the maximum in {lms} to {made.most[unit]:g}, {again}."
                + (f" {path.name}, which is there, is of an earlier export." if path.exists() else "")
            )


def columns(units: Sequence[str], there: Iterable[str], chosen: Mapping[str, str]) -> dict[str, str]:
    """Which column of the LMS each unit is, as far as that is certain.

    A column is a unit's when it has the same name, or the unit's number and beside it no word but "unit" or
    "notebook".

    Args:
        units: which assignments.
        there: columns of the LMS, such as "Unit 05 (1234)".
        chosen: columns that the instructor names.

    Raises:
        Wrong: when there are several, or none of the name that was given.
    """
    there, found = list(there), {}
    for unit, column in chosen.items():
        if unit not in units:
            raise Wrong(f"--column names {unit}, which is not exported: expected one of {listed(units)}.")
        same = [one for one in there if column in (one, _title(one))]
        if len(same) != 1 and there:
            raise Wrong(f"The roster has no one column {column}; its columns are {listed(there)}.")
        found[unit] = same[0] if same else column
    for unit in units:
        fits = [one for one in there if _fits(unit, one)]
        if unit in found or not fits:
            continue
        if len(fits) > 1:
            raise Wrong(f"{unit} may be {' or '.join(fits)}: say which, as in --column '{unit}={fits[0]}'.")
        found[unit] = fits[0]
    if twice := [one for one in found.values() if list(found.values()).count(one) > 1]:
        raise Wrong(f"Two units would go to {twice[0]}: say with --column which is which.")
    return found


def _title(column: str) -> str:
    """A column's name as people write it: without Canvas's number, Moodle's kind of activity and of grade."""
    column = re.sub(r" \((\d+|Real|Percentage|Letter)\)$", "", column)
    return re.sub(r"^(Assignment|External tool): ?", "", column)


def _words(text: str) -> list[str]:
    found = re.findall(r"[^\W_]+", text.casefold())
    return [one.lstrip("0") or "0" if one.isdecimal() else one for one in found]


def _fits(unit: str, column: str) -> bool:
    ours, theirs = _words(unit), _words(_title(column))
    rest = [one for one in theirs if one not in _OURS]
    return theirs == ours or rest == ours or (bool(rest) and rest == ours[:1] and ours[0].isdecimal())
