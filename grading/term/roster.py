"""Who should hand in: the students whom a human put into the gradebook, not those that grading found.

nbgrader makes a student of every folder in `submitted/`. So the ids that are made that way are noted.
"""

import difflib
import json
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from grading import report

FOUND = "reports/not_on_the_roster.json"


@dataclass(frozen=True)
class Roster:
    """A class as the gradebook has it.

    Attributes:
        students: ids that a human put there; empty where there is no roster.
        refused: who cannot be graded because of their id, and why.
        strangers: those graded who are not on the roster, and the nearest id there.
        silent: those on the roster who handed in nothing.
    """

    students: frozenset[str]
    refused: Mapping[str, str]
    strangers: Mapping[str, str]
    silent: tuple[str, ...]


def look(course: Path, known: Mapping[str, bool], handed_in: Collection[str]) -> Roster:
    """Compare who handed in with the roster, and note whom grading is about to add to the gradebook.

    Args:
        course: the course folder.
        known: ids in the gradebook, and whether they have a name or an address there.
        handed_in: names of folders.
    """
    found = _found(course)
    students = frozenset(one for one, named in known.items() if named or one not in found)
    refused = _refused(students, handed_in)
    new = {one for one in handed_in if one not in known and one not in refused}
    if not new <= found:
        report.write_whole(course / FOUND, json.dumps(sorted(found | new), indent=1))
    strangers = [one for one in handed_in if students and one not in students and one not in refused]
    nearest = {one: "".join(difflib.get_close_matches(one, students, 1)) for one in strangers}
    return Roster(students, refused, nearest, tuple(sorted(students.difference(handed_in))))


def _found(course: Path) -> set[str]:
    try:
        return set(json.loads((course / FOUND).read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return set()


def _key(student: str) -> str:
    """The same for ids that differ in Unicode form, capitals or blanks alone."""
    folded = unicodedata.normalize("NFKC", student).casefold()
    return "".join(unicodedata.normalize("NFKC", folded).split())


ODD = '<>"\\'
"""No id has these: Formgrader writes names of folders into pages and scripts."""


def _refused(students: Iterable[str], handed_in: Collection[str]) -> dict[str, str]:
    on_roster, folders = {_key(one): one for one in students}, {}
    for one in handed_in:
        folders.setdefault(_key(one), []).append(one)
    odd = {one: 'its name has one of <>"\\: rename the folder' for one in handed_in if set(ODD) & set(one)}
    return odd | {
        one: _why(one, on_roster.get(_key(one)), folders[_key(one)])
        for one in handed_in
        if one not in students and (_key(one) in on_roster or len(folders[_key(one)]) > 1)
    }


def _why(student: str, right: str | None, folders: Collection[str]) -> str:
    if right is None:
        other = next(one for one in folders if one != student)
        return (
            f"submitted/{other} is the same name {_how(student, other)}: remove one of the two folders, "
            "or put both on the roster (`nbgrader db student add`), then run this again"
        )
    same = f"the roster has '{right}', which is the same name {_how(student, right)}"
    if right in folders:
        return f"{same} and has handed in too: remove one of the two folders, then run this again"
    return f"{same}: rename submitted/{student} to it, then run this again"


def _how(one: str, other: str) -> str:
    forms = [unicodedata.normalize("NFKC", name) for name in (one, other)]
    if forms[0] == forms[1]:
        return "in another Unicode form"
    if forms[0].casefold() == forms[1].casefold():
        return "with other capitals"
    blanks = ["".join(form.split()) for form in forms]
    return "with other blanks" if blanks[0] == blanks[1] else "in another spelling"
