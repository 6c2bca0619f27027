"""Who should hand in: the students whom a human put into the gradebook, not those that grading found.

nbgrader makes a student of every folder in `submitted/`. So the ids that are made that way are noted.
"""

import difflib
import json
import shlex
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from grading import report
from grading.term import collected

FOUND = "reports/not_on_the_roster.json"
OF_LMS = "reports/lms_roster.json"
"""The class as the LMS knows it; `grading.lms.people` writes it."""


@dataclass(frozen=True)
class Roster:
    """A class as the gradebook has it.

    Attributes:
        students: ids that a human put there; empty where there is no roster.
        refused: who cannot be graded because of their id, and why.
        strangers: those graded who are not on the roster, and the nearest id there.
        silent: those on the roster who handed in nothing.
        left_out: those whose upload was skipped at collect, and why.
    """

    students: frozenset[str]
    refused: Mapping[str, str]
    strangers: Mapping[str, str]
    silent: tuple[str, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)


def look(course: Path, known: Mapping[str, bool], handed_in: Collection[str], unit: str = "") -> Roster:
    """Compare who handed in with the roster, and note whom grading is about to add to the gradebook.

    Args:
        course: the course folder.
        known: ids in the gradebook, and whether they have a name or an address there.
        handed_in: names of folders.
        unit: which assignment.
    """
    found = _found(course)
    students = frozenset(one for one, named in known.items() if named or one not in found)
    refused = _refused(students, handed_in)
    new = {one for one in handed_in if one not in known and one not in refused}
    if not new <= found:
        report.write_whole(course / FOUND, json.dumps(sorted(found | new), indent=1))
    strangers = [one for one in handed_in if students and one not in students and one not in refused]
    nearest = {one: "".join(difflib.get_close_matches(one, students, 1)) for one in strangers}
    left_out = collected.left_out(course, unit)
    gone = [name for name, left in of_lms(course).items() if left]
    silent = students.difference(handed_in, left_out, gone)
    return Roster(students, refused, nearest, tuple(sorted(silent)), left_out)


def of_lms(course: Path) -> dict[str, bool]:
    """Every id that the LMS's lists ever had, and whether the newest has not got them any more."""
    try:
        persons = json.loads((course / OF_LMS).read_text("utf-8"))["persons"]
        return {name: bool(one["gone"]) for name, one in persons.items()}
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}


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
    aside = f"mkdir -p set_aside && mv submitted/{typed(student)} set_aside/"
    if right is None:
        other = next(one for one in folders if one != student)
        return (
            f"submitted/{other} is the same name {_how(student, other)}: put one of the two folders aside, "
            f"this one with `{aside}`, or put both on the roster (`nbgrader db student add`), "
            "then run this again"
        )
    same = f"the roster has '{right}', which is the same name {_how(student, right)}"
    if right in folders:
        return (
            f"{same} and has handed in too: put one of the two folders aside, this one with `{aside}`, "
            "then run this again"
        )
    move = f"mv submitted/{typed(student)} submitted/{typed(right)}"
    return f"{same}: rename the folder with `{move}`, then run this again"


def typed(name: str) -> str:
    r"""A name for a shell, spelled so that two that look alike can be told apart: `$'Zoe\u0308'`."""
    if name.isascii() and name.isprintable():
        return shlex.quote(name)
    return "$'" + "".join(map(_sign, name)) + "'"


def _sign(one: str) -> str:
    if " " <= one <= "~" and one not in "'\\":
        return one
    if "\udc80" <= one <= "\udcff":  # a byte that is no UTF-8, as Python has it
        return f"\\x{ord(one) - 0xDC00:02x}"
    return f"\\u{ord(one):04x}" if one <= "\uffff" else f"\\U{ord(one):08x}"


def _how(one: str, other: str) -> str:
    forms = [unicodedata.normalize("NFKC", name) for name in (one, other)]
    if forms[0] == forms[1]:
        return "in another Unicode form"
    if forms[0].casefold() == forms[1].casefold():
        return "with other capitals"
    blanks = ["".join(form.split()) for form in forms]
    return "with other blanks" if blanks[0] == blanks[1] else "in another spelling"
