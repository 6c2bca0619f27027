"""What a class of codes comes to: by exercise, and the commonest mistakes in the words of the checks."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from helpers.class_codes.code import Code
from helpers.class_codes.found import Found
from helpers.class_codes.tables import Table

TALK_AT, FEWEST = 25, 3
"""A mistake of so many in a hundred, and of so many learners at least, is worth the class's time now."""


@dataclass(frozen=True)
class Row:
    """How an exercise stands."""

    number: str
    exercise: str
    passed: int
    tried: int
    untouched: int


@dataclass(frozen=True)
class Said:
    """A mistake that some make now.

    Attributes:
        share: in a hundred learners of the unit.
        count: how many make it.
        of: of how many whose code is of this edition.
        where: the exercise, with its number.
        says: what its check says of it, to most of them.
        now: whether it is worth the class's time.
    """

    share: int
    count: int
    of: int
    where: str
    says: str
    now: bool

    def __str__(self) -> str:
        talk = ": talk now" if self.now else ""
        return f"{self.share} % ({self.count} of {self.of}){talk}. {self.where}: “{self.says}”"


@dataclass(frozen=True)
class UnitNow:
    """How the learners of a unit stand.

    Attributes:
        title: of the unit.
        learners: how many there are codes of.
        rows: of each exercise.
        said: the mistakes, the commonest first.
    """

    title: str
    learners: int
    rows: tuple[Row, ...]
    said: tuple[Said, ...]


def counted(found: Found, tables: Mapping[str, Table]) -> list[UnitNow]:
    """Each unit that there are codes of, in the order of the course."""
    return [_of_unit(tables[unit], list(found.learners[unit].values())) for unit in sorted(found.learners)]


def _of_unit(table: Table, codes: Sequence[Code]) -> UnitNow:
    rows = []
    for place, one in enumerate(table.exercises):
        states = Counter(code.states[place] for code in codes)
        rows.append(
            Row(one.number, one.exercise, *(states[name] for name in ("passed", "tried", "untouched")))
        )
    return UnitNow(table.title, len(codes), tuple(rows), tuple(_said(table, codes)))


def _said(table: Table, codes: Sequence[Code]) -> list[Said]:
    codes = [code for code in codes if code.mistakes is not None]  # those of another edition cannot be read
    by_sentence = Counter(one for code in codes for one in set(code.mistakes))
    makers: dict[tuple[int, str], set[str]] = {}
    for code in codes:
        for place, sentence in code.mistakes:
            makers.setdefault((place, table.exercises[place].said[sentence][0]), set()).add(code.tag)
    found = []
    for (place, mistake), tags in makers.items():
        exercise, count = table.exercises[place], len(tags)
        sentences = [at for at, (id_, _) in enumerate(exercise.said) if id_ == mistake]
        commonest = max(sentences, key=lambda at: (by_sentence[place, at], -at))
        share = (200 * count + len(codes)) // (2 * len(codes))
        now = count >= FEWEST and 100 * count >= TALK_AT * len(codes)
        where, says = f"{exercise.number} {exercise.exercise}", exercise.said[commonest][1]
        found.append((-count, place, commonest, Said(share, count, len(codes), where, says, now)))
    return [said for *_, said in sorted(found, key=lambda one: one[:3])]
