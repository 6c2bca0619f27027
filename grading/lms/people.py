"""Who is in the class, as the LMS knows them: what marks and feedback need to find their way back.

`reports/lms_roster.json`, which its owner alone can read.
"""

import json
import re
import unicodedata
import zlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from grading import report
from grading.lms.lines import listed
from grading.term import roster
from grading.trouble import Wrong

FILE = roster.OF_LMS
_CANVAS_JOINS, _MOODLE_JOINS = re.compile(r",? and |, "), re.compile(", ")
_DROPPED = re.compile(r"&?amp;|[\s_&<>\"`|':\\/]")  # of a group's name, by Moodle's `clean_param`


@dataclass
class Person:
    """One student.

    Attributes:
        id: nbgrader's, the name of their folders.
        first: first name.
        last: last name.
        name: as the LMS writes it, such as "Lovelace, Ada" in Canvas.
        email: their address.
        section: of Canvas, or the groups of Moodle.
        canvas_id: Canvas's own number.
        sis_user_id: of Canvas.
        login: of Canvas.
        id_number: of Moodle's profile.
        username: of Moodle.
        gone: whether the newest file has not got them any more.
    """

    id: str = ""
    first: str = ""
    last: str = ""
    name: str = ""
    email: str = ""
    section: str = ""
    canvas_id: str = ""
    sis_user_id: str = ""
    login: str = ""
    id_number: str = ""
    username: str = ""
    gone: bool = False

    @property
    def shown(self) -> str:
        """Their name, for a sentence."""
        return self.name or f"{self.first} {self.last}".strip() or self.id

    @property
    def sections(self) -> set[str]:
        """Their section as it stands, and where several are joined, each of them."""
        between = _CANVAS_JOINS if self.canvas_id else _MOODLE_JOINS
        return {one for one in (self.section, *between.split(self.section)) if one}

    @property
    def lms_user_id(self) -> str:
        """The LMS's own number, for nbgrader's column of that name: Moodle exports none but the ID number."""
        return self.canvas_id or self.id_number


@dataclass
class People:
    """A class.

    Attributes:
        lms: canvas, moodle or nbgrader.
        persons: by nbgrader's id.
        id_from: the column that new ids come from.
        columns: of the LMS's gradebook, one for each assignment, and how many points it has there.
        not_students: Canvas's numbers of test students.
    """

    lms: str
    persons: dict[str, Person]
    id_from: str = ""
    columns: dict[str, str] = field(default_factory=dict)
    not_students: list[str] = field(default_factory=list)

    @property
    def present(self) -> dict[str, Person]:
        """Those who are not gone."""
        return {one.id: one for one in self.persons.values() if not one.gone}


def of_sections(persons: Iterable[Person], sections: Sequence[str]) -> list[Person]:
    """Those who are in one of these sections; all where none is asked for.

    Raises:
        Wrong: when nobody is in one of them.
    """
    persons = list(persons)
    there = {name for one in persons for name in one.sections}
    if unknown := [one for one in sections if one not in there]:
        raise Wrong(f"There is no section {listed(unknown)}; the sections are {sections_of(persons)}.")
    return [one for one in persons if not sections or one.sections & set(sections)]


def sections_of(persons: Iterable[Person]) -> str:
    """The sections that there are, to be read: each for itself, not as they are joined."""
    there = {
        name for one in persons for name in one.sections if len(one.sections) == 1 or name != one.section
    }
    return listed(sorted(there)) or "not in the roster"


def file_of(name: str, sections: Sequence[str]) -> str:
    """A file's name without its ending, with the sections in it: none replaces the file of another."""
    made = "-".join(
        [name, *(re.sub(r"[^\w.-]+", "_", unicodedata.normalize("NFC", one)) for one in sections)]
    )
    odd = any(re.search(r"[^\w. ]|_", one) for one in sections) or len(made.encode()) > 150
    return f"{made[:50]}-{zlib.crc32(' | '.join(sections).encode()):08x}" if odd else made


def load(course: Path) -> People:
    """The class.

    Raises:
        Wrong: when nobody has read a roster yet.
    """
    found = find(course)
    if found is None:
        raise Wrong(f"There is no {FILE}: run `make roster FILE=...` first, with what your LMS exports.")
    return found


def find(course: Path) -> People | None:
    """The class, `None` where there is none yet.

    Raises:
        Wrong: when its file is damaged.
    """
    try:
        read = json.loads((course / FILE).read_text("utf-8"))
        read["persons"] = {name: Person(**one) for name, one in read["persons"].items()}
        return People(**read)
    except FileNotFoundError:
        return None
    except (ValueError, TypeError, KeyError, AttributeError):
        raise Wrong(f"{FILE} is damaged: remove it, then run `make roster FILE=...` again.") from None


def save(course: Path, people: People) -> None:
    """Keep the class, whole or not at all."""
    report.write_whole(course / FILE, json.dumps(asdict(people), indent=1, ensure_ascii=False))


def key(name: str) -> str:
    """The same for names that differ in capitals, blanks, punctuation or Unicode form alone."""
    return "".join(one for one in _folded(name) if unicodedata.category(one)[0] in "LMN")


def group_key(name: str) -> str:
    """The same for groups that differ in capitals, blanks, Unicode form or what Moodle's zip drops alone."""
    return _DROPPED.sub("", _folded(name))


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def by_name(persons: Iterable[Person]) -> Mapping[str, set[str]]:
    """Ids by name: as the LMS writes it, and both orders of first and last name."""
    found: dict[str, set[str]] = defaultdict(set)
    for one in persons:
        for name in (one.name, f"{one.first} {one.last}", f"{one.last} {one.first}"):
            if key(name):
                found[key(name)].add(one.id)
    return found
