"""Whose each hand-in of a zip is: by Canvas's number, Moodle's participant, a name, or a group's name."""

import difflib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from grading.lms import people
from grading.lms.archive import Handed
from grading.lms.people import People
from grading.lms.worksheet import Line
from grading.trouble import Wrong

_NO_GROUP = "Default group"
"""So Moodle calls those who are in none."""


@dataclass
class Whose:
    """What was found out.

    Attributes:
        attempts: hand-ins of each student, in the order of the zips.
        strangers: names that are not on the roster, and the nearest there.
        groups: names of groups whose members nobody knows.
    """

    attempts: dict[str, list[Handed]] = field(default_factory=dict)
    strangers: dict[str, str] = field(default_factory=dict)
    groups: list[str] = field(default_factory=list)


def find(
    handed: Sequence[Handed],
    class_: People,
    lines: Mapping[str, Line],
    members: Mapping[str, Sequence[str]],
) -> Whose:
    """Find out whose everything is.

    Args:
        handed: what the zips have.
        class_: the roster.
        lines: Moodle's participants by number, as far as a worksheet says.
        members: of each group, as `term.toml` has them.

    Raises:
        Wrong: when the zip is of another LMS than the roster, two students or groups have one name, or one
            student is in two groups.
    """
    teams, names = _teams(class_, members, lines), people.by_name(class_.present.values())
    by_number = {one.canvas_id: one.id for one in class_.present.values() if one.canvas_id}
    if not by_number and any(one.lms == "canvas" for one in handed):
        raise Wrong(
            "The zip is Canvas's, but the roster has no numbers of Canvas: run `make roster FILE=...` with "
            "the gradebook that Canvas exports first."
        )
    found = Whose()
    for one in handed:
        key, team = people.key(one.name), people.group_key(one.name)
        line, student = lines.get(one.number), ""
        if one.lms == "canvas":
            student = by_number.get(one.number, "")
            if not student and one.number in class_.not_students:
                continue
        elif team in teams and key not in names and not (line and people.key(line.name) == key):
            for member in _members(one.name, teams[team]):
                # the number is the group's: no file goes back by it
                found.attempts.setdefault(member, []).append(replace(one, number="", prefix=""))
            continue
        elif line and _may_be(one.name, line.name):
            student = line.student
        elif line or not one.number:
            found.groups.append(one.name)
            continue
        else:
            student = _named(one, names, teams)
        if student:
            found.attempts.setdefault(student, []).append(one)
        else:
            found.strangers[f"{one.name} ({one.number})"] = _nearest(one.name, class_)
    _must_be_one_each(found)
    return found


def _must_be_one_each(found: Whose) -> None:
    for student, several in found.attempts.items():
        numbers = sorted({one.number for one in several if one.lms == "moodle" and one.number})
        if len(numbers) > 1:
            raise Wrong(
                f"Participants {' and '.join(numbers)} of the zip are both called {several[0].name}, as "
                f"{student} is: give Moodle's grading worksheet too (--worksheet)."
            )
        groups = {people.group_key(one.name): one.name for one in several if not one.number}
        if len(groups) > 1:
            raise Wrong(
                f"{student} is in two groups that have handed in, {' and '.join(sorted(groups.values()))}: "
                "write the one that counts into term.toml, with all its members, or correct the roster."
            )


def _teams(
    class_: People, members: Mapping[str, Sequence[str]], lines: Mapping[str, Line]
) -> dict[str, dict[str, list[str]]]:
    """Ids by what a zip keeps of a group's name and by that name: of `term.toml`, worksheet or roster."""
    by_term = {people.group_key(name) for name in members}
    placed = {one for ids in members.values() for one in ids}
    pairs = [(name, one) for name, ids in members.items() for one in ids if one in class_.present]
    of_sheet = {one.student: {one.group} for one in lines.values() if one.group}
    pairs += [
        (name, one.id)
        for one in class_.present.values()
        for name in of_sheet.get(one.id, one.sections)
        if one.id not in placed and people.group_key(name) not in by_term
    ]
    grouped = {one for _, one in pairs}
    if not of_sheet and people.group_key(_NO_GROUP) not in by_term:
        pairs += [(_NO_GROUP, one) for one in class_.present if grouped and one not in grouped]
    found: dict[str, dict[str, list[str]]] = {}
    for name, one in pairs:
        found.setdefault(people.group_key(name), {}).setdefault(name, []).append(one)
    return found


def _members(name: str, groups: Mapping[str, Sequence[str]]) -> Sequence[str]:
    if len(groups) > 1:
        raise Wrong(
            f"'{name}' in the zip may be the group {' or '.join(sorted(groups))}: the zip drops what they "
            "differ in, so rename one of them in Moodle, then read the roster and download again."
        )
    return next(iter(groups.values()))


def _may_be(name: str, of_number: str) -> bool:
    """Whether a zip's name can be the participant's, whose number it has; else the number is a group's."""
    one, other = people.key(name), people.key(of_number)
    return not other or one.endswith(other) or difflib.SequenceMatcher(None, one, other).ratio() > 0.5


def _named(one: Handed, names: Mapping[str, set[str]], teams: Collection[str]) -> str:
    name = one.name
    for place in (place for place, sign in enumerate(name) if sign == "-"):
        known = {*teams, people.group_key(_NO_GROUP)}
        if people.key(name) not in names and people.group_key(name[:place]) in known:
            name = name[place + 1 :]  # before Moodle 3.1: "Team 1-Ada Lovelace"
            break
    same = sorted(names.get(people.key(name), ()))
    if len(same) > 1:
        raise Wrong(
            f"{' and '.join(same)} are both called {name}: give Moodle's grading worksheet too "
            f"(--worksheet), which says who is participant {one.number}."
        )
    return same[0] if same else ""


def _nearest(name: str, class_: People) -> str:
    known = {
        people.key(text): one for one in class_.present.values() for text in (one.name, one.first + one.last)
    }
    near = difflib.get_close_matches(people.key(name), known, 1)
    return f"{known[near[0]].shown}, {known[near[0]].id}" if near else ""
