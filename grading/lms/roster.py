"""A class from the LMS into nbgrader's gradebook: all of it or nothing.

An id is what names a student's folders. It comes from the first of these columns that every new student has:
`SIS Login ID`, `SIS User ID`, `ID` in Canvas; `Username`, `ID number`, `Email address` in Moodle; and of an
address the part before the @. Who is known already, by the LMS's number or by address, keeps the id they
have.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from grading.lms import people, sources
from grading.lms.lines import listed
from grading.lms.people import People, Person
from grading.lms.sources import Entry, Incoming
from grading.term import backup
from grading.term.roster import _key as same
from grading.trouble import Wrong

LONGEST = 128
"""Characters of a name in nbgrader's gradebook."""

_KEYS = ("canvas_id", "id_number", "username", "login", "email")
_NUMBERS = {
    "id": "id", "id_number": "ID number", "username": "Username", "sis_user_id": "SIS User ID",
    "login": "SIS Login ID",
}  # fmt: skip
_SHOWN = {"first": "first name", "last": "last name", "email": "e-mail address", "section": "section"}


def into(course: Path, config: Any, path: Path) -> list[str]:
    """Put the students of a list into the gradebook.

    Args:
        course: the course folder.
        config: nbgrader's settings.
        path: what the LMS exported.

    Returns:
        What was done, in lines.

    Raises:
        Wrong: when something is wrong with the list; then nothing is changed.
    """
    incoming = sources.read(path)
    before = people.find(course)
    from nbgrader.coursedir import CourseDirectory

    address = CourseDirectory(config=config).db_url
    there = _there(config, address)
    known = {**there, **(before.persons if before else {})}
    made = _identified(path, incoming, known, before.id_from if before else "")
    after = _merged(incoming, made, known, before)
    line = backup.keep(course, address, "roster")
    _write(config, course, after)
    return [_what(incoming, after), *_changes(before, there, after), line]


def _there(config: Any, address: str) -> dict[str, Person]:
    """The students that the gradebook has; a gradebook that is not there yet is not made for that."""
    sqlite = "sqlite:///"
    if address.startswith(sqlite) and not Path(address.removeprefix(sqlite)).is_file():
        return {}
    from grading.term import gradebook

    with gradebook.opened(config) as book:
        return {
            one.id: Person(
                one.id, one.first_name or "", one.last_name or "", email=one.email or "",
                canvas_id=one.lms_user_id or "", id_number=one.lms_user_id or "",
            )
            for one in book.students
        }  # fmt: skip


def _identified(
    path: Path, incoming: Incoming, known: Mapping[str, Person], preferred: str
) -> dict[str, tuple[Entry, str]]:
    """Every entry by its id, and the column that the id is from, empty where the student was known.

    Raises:
        Wrong: when two rows are one student, or a row has no id that can be one.
    """
    index = _index(known)
    _must_have_their_zeros(path, incoming, known)
    found = {entry.row: _known(entry, index, known) for entry in incoming.entries}
    new = [entry for entry in incoming.entries if not found[entry.row]]
    column = _column(path, new, preferred) if new else ""
    made: dict[str, tuple[Entry, str]] = {}
    folded: dict[str, str] = {same(one): one for one in known}
    for entry in incoming.entries:
        name = found[entry.row] or _local(entry.names[column])
        if not found[entry.row]:
            _must_be_a_folder(path, entry, name, column)
            name = folded.setdefault(same(name), name)
        _must_be_the_same(path, entry, name, known.get(name, Person()), by_id=not found[entry.row])
        if name in made:
            other = made[name][0].row
            raise Wrong(
                f"Rows {other} and {entry.row} of {path} are both '{name}' "
                f"({made[name][0].person.shown}, {entry.person.shown}): remove one, or correct its "
                f"{column or 'id'}."
            )
        made[name] = (entry, "" if found[entry.row] else column)
        _must_fit(path, entry)
    return made


def _index(known: Mapping[str, Person]) -> Mapping[tuple[str, str], set[str]]:
    index: dict[tuple[str, str], set[str]] = defaultdict(set)
    for name, one in known.items():
        for field in _KEYS:
            if value := getattr(one, field):
                index[field, value.casefold()].add(name)
    return index


def _must_have_their_zeros(path: Path, incoming: Incoming, known: Mapping[str, Person]) -> None:
    """Look for numbers whose zeros in front a spreadsheet program has dropped.

    Raises:
        Wrong: with the first that the roster has with zeros and the list without.
    """
    for field, column in _NUMBERS.items():
        values = {getattr(one, field) for one in known.values()}
        whole = {one.lstrip("0") or "0": one for one in values if one.isdecimal() and one[0] == "0"}
        for entry in incoming.entries:
            value = entry.names.get(column) or getattr(entry.person, field)
            if value in whole and value not in values:
                raise Wrong(
                    f"Row {entry.row} of {path} ({entry.person.shown}) has {value} in {column} and "
                    f"the roster {whole[value]}: a spreadsheet program has dropped the zeros: export the "
                    "list again, and do not save it with one."
                )


def _known(entry: Entry, index: Mapping[tuple[str, str], set[str]], known: Mapping[str, Person]) -> str:
    if entry.names.get("id") in known:
        return entry.names["id"]
    for field in _KEYS:
        value = getattr(entry.person, field).casefold()
        if value and len(found := index.get((field, value), ())) == 1:
            return next(iter(found))
    return ""


def _column(path: Path, new: Sequence[Entry], preferred: str) -> str:
    columns = list(new[0].names)
    for column in sorted(columns, key=lambda one: one != preferred):
        if all(entry.names[column] for entry in new):
            return column
    lacking = next(entry for entry in new if not entry.names[columns[-1]])
    raise Wrong(
        f"Row {lacking.row} of {path} ({lacking.person.shown or 'no name'}) has no "
        f"{' and no '.join(columns)} "
        "that everybody has: fill it in, or export the list with a column that is full."
    )


def _local(name: str) -> str:
    return name.partition("@")[0] or name


def _must_be_a_folder(path: Path, entry: Entry, name: str, column: str) -> None:
    odd = re.search(r"[/\\\0<>\"]|^[.~-]", name) or not name.isprintable() or len(name.encode()) > LONGEST
    if odd:
        raise Wrong(
            f"Row {entry.row} of {path} has '{name}' in column {column}, which cannot name a folder: "
            f"expected letters, digits and dots, at most {LONGEST} bytes."
        )


def _must_be_the_same(path: Path, entry: Entry, name: str, other: Person, by_id: bool) -> None:
    """Look for what says that a row is somebody else than the student whose address or id it has.

    Raises:
        Wrong: when the LMS's numbers differ, or nothing is the same but the id.
    """
    one, fields = entry.person, {"canvas_id": "ID", "id_number": "ID number"}
    if by_id and people.key(one.first + one.last) != people.key(other.first + other.last):
        fields["email"] = "e-mail address"
    for field, what in fields.items():
        new, old = getattr(one, field), getattr(other, field)
        if new and old and new.casefold() != old.casefold():
            raise Wrong(
                f"Row {entry.row} of {path} ({one.shown}) would be '{name}', who is somebody else: {what} "
                f"{old} in the gradebook, {new} in the file; correct the one that is wrong, the older one in "
                f"{people.FILE}."
            )


def _must_fit(path: Path, entry: Entry) -> None:
    for field in ("first", "last", "email"):
        if len(getattr(entry.person, field)) > LONGEST:
            raise Wrong(
                f"Row {entry.row} of {path} has a {_SHOWN[field]} of more than {LONGEST} characters: "
                "shorten it."
            )


def _merged(
    incoming: Incoming,
    made: Mapping[str, tuple[Entry, str]],
    known: Mapping[str, Person],
    before: People | None,
) -> People:
    """The class as it is now: what a list does not say of somebody stays as it was.

    A blank says nothing of a name, a number or an address; in a column of groups it says: in none.
    """
    lms = before.lms if before and incoming.lms == "nbgrader" else incoming.lms
    persons = {name: replace(one, gone=True) for name, one in (before.persons if before else {}).items()}
    blank = {"section"} if incoming.sections else set()
    for name, (entry, _) in made.items():
        old = known.get(name, Person()) if before and name in before.persons else Person()
        kept = {"first", "last"} if incoming.guesses and old.name else set()
        given = {field: value for field, value in vars(entry.person).items() if value or field in blank}
        said = {field: value for field, value in given.items() if field not in kept}
        persons[name] = replace(old, **said, id=name, gone=False)
    columns = {**(before.columns if before and before.lms == lms else {}), **incoming.columns}
    id_from = next((column for _, column in made.values() if column), before.id_from if before else "")
    tests = {*(before.not_students if before else ()), *incoming.not_students}
    return People(lms, persons, id_from, columns, sorted(tests))


def _write(config: Any, course: Path, after: People) -> None:
    """All students in one commit."""
    from nbgrader.api import Student

    from grading.term import gradebook

    with gradebook.opened(config) as book:
        there = {one.id: one for one in book.students}
        for one in after.present.values():
            student = there.get(one.id) or Student(id=one.id)
            values = {"first_name": one.first, "last_name": one.last, "email": one.email}
            for field, value in {**values, "lms_user_id": one.lms_user_id}.items():
                if value:
                    setattr(student, field, value)
            book.db.add(student)
        book.db.flush()
        people.save(course, after)
        book.db.commit()


def _what(incoming: Incoming, after: People) -> str:
    ids = f", new ids from the column {after.id_from}" if after.id_from else ""
    return f"Read {incoming.what}. Students: {len(after.present)}{ids}."


def _changes(before: People | None, there: Mapping[str, Person], after: People) -> list[str]:
    old = before.persons if before else there
    new = [name for name in after.present if name not in old]
    back = [name for name in after.present if name in old and old[name].gone]
    fields = [field for field in _SHOWN if before or field != "section"]  # nbgrader knows of no sections
    changed = [
        text
        for name, one in after.present.items()
        if name in old and (text := _change(old[name], one, fields))
    ]
    gone = [name for name, one in after.persons.items() if one.gone and name in old and not old[name].gone]
    lists = {
        f"New ({len(new)}): ": new,
        f"Back ({len(back)}): ": back,
        f"Changed ({len(changed)}): ": changed,
        f"Gone from the list, kept in the gradebook ({len(gone)}): ": gone,
    }
    lines = [title + listed(names) for title, names in lists.items() if names]
    return lines or ["Nobody is new, changed or gone."]


def _change(old: Person, new: Person, fields: Sequence[str]) -> str:
    what = [_SHOWN[field] for field in fields if getattr(old, field) != getattr(new, field)]
    return f"{new.id} ({', '.join(what)})" if what else ""
