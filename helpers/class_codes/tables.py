"""What a code of a unit speaks of: its exercises, and the sentences on mistakes of each, in one order."""

import functools
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from helpers.class_codes.general import GENERAL
from helpers.class_codes.letters import ALPHABET
from helpers.exercises import find
from helpers.offered import number_of, offered
from helpers.units import TITLES

MOST = 25
"""So many exercises of a unit fit into a code."""

_COURSES, _EDITIONS = 2**8, 2**7  # three letters


@dataclass(frozen=True)
class Sentences:
    """What can be said of wrong answers to an exercise.

    Attributes:
        exercise: its name.
        number: such as `"5.1"`.
        said: the id of each mistake and a sentence; a code gives the place in this list.
    """

    exercise: str
    number: str
    said: tuple[tuple[str, str], ...]

    def place_of(self, mistake: str, says: str) -> int | None:
        """Where a mistake stands: with the sentence that was said, else the first of its id.

        Args:
            mistake: its id.
            says: what was said of it, or `""`.
        """
        of_id = [place for place, (id_, _) in enumerate(self.said) if id_ == mistake]
        return next((place for place in of_id if self.said[place][1] == says), of_id[0] if of_id else None)


@dataclass(frozen=True)
class Table:
    """What a code of one unit speaks of.

    Attributes:
        unit: its name.
        exercises: in the order of the unit.
        course: 0 to 255, nearly always another number where the unit has other exercises.
        edition: 0 to 127, the same for the sentences.
    """

    unit: str
    exercises: tuple[Sentences, ...]
    course: int
    edition: int

    @property
    def title(self) -> str:
        """Its name and what it is about."""
        return f"{self.unit} ({TITLES[self.unit]})"

    @property
    def head(self) -> list[int]:
        """The values of a code's first letters: the unit, the course, the edition."""
        letters = len(ALPHABET)
        first, last = divmod(self.course * _EDITIONS + self.edition, letters)
        return [number_in_code(self.unit), *divmod(first, letters), last]

    def is_of_its_course(self, values: Sequence[int]) -> bool:
        """Whether a code is of this unit with the same exercises, be it of another edition."""
        of_edition = _EDITIONS // len(ALPHABET)  # what the third letter has of it
        ours, theirs = ([*all_[:2], all_[2] // of_edition] for all_ in (self.head, values))
        return ours == theirs


def number_in_code(unit: str) -> int:
    """The first letter's value: the number of the unit."""
    return int(unit[:2]) % len(ALPHABET)


@functools.cache
def table_of(unit: str) -> Table:
    """The table of a unit; its records are read for it, which takes a moment."""
    exercises = tuple(
        Sentences(name, number_of(name), _said(find(name).mistakes)) for name in offered()[unit][:MOST]
    )
    names = [one.exercise for one in exercises]
    said = [one.said for one in exercises]
    return Table(unit, exercises, _mark([unit, names]) % _COURSES, _mark(said) % _EDITIONS)


def table_numbered(number: int) -> Table | None:
    """The table of the unit with this number."""
    return next((table_of(unit) for unit in offered() if number_in_code(unit) == number), None)


def _said(mistakes: Any) -> tuple[tuple[str, str], ...]:
    own = dict.fromkeys((one.id, one.says) for one in mistakes)
    ids = {id_ for id_, _ in own}
    return (*own, *(one for one in GENERAL.items() if one[0] not in ids))


def _mark(what: Any) -> int:
    text = json.dumps(what, ensure_ascii=True, separators=(",", ":"))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")
