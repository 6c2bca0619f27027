"""What the page shows of pairs: who belongs together, and which lines of their texts are shared."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from grading.alike.likeness import Pair
from grading.alike.written import Text
from grading.lms.lines import plain

AROUND = 3
"""Lines that are shown around what is shared."""

WHOLE = 60
"""A text of so many lines is shown whole."""

LONGEST_LINE = 400


@dataclass(frozen=True)
class Group:
    """Hand-ins that share something, each with at least one other.

    Attributes:
        names: who.
        pairs: those that connect them, as few as do; the most telling first.
        more: how many more pairs of them are alike.
    """

    names: Sequence[str]
    pairs: Sequence[Pair]
    more: int


@dataclass(frozen=True)
class Row:
    """A line of a text.

    Attributes:
        number: from 1; 0 where lines are left out.
        text: what stands there.
        is_shared: whether the other has it too.
    """

    number: int
    text: str
    is_shared: bool


def groups(pairs: Sequence[Pair]) -> list[Group]:
    """Whoever hangs together, in the order of the pairs.

    Args:
        pairs: the most telling first.
    """
    of: dict[str, set[str]] = {}
    connecting = []
    for pair in pairs:
        one, other = (of.setdefault(name, {name}) for name in pair.names)
        if one is not other:
            connecting.append(pair)
            one |= other
            of.update(dict.fromkeys(other, one))
    distinct = {id(of[pair.one.name]): of[pair.one.name] for pair in pairs}
    found = []
    for names in distinct.values():
        shown = [pair for pair in connecting if pair.one.name in names]
        among = sum(pair.one.name in names for pair in pairs)
        found.append(Group(sorted(names), shown, among - len(shown)))
    return found


def rows(text: Text, shared: Collection[int], words: Collection[str] = ()) -> list[Row]:
    """The lines of a text; of a long one those that are shared, and some around them.

    Args:
        text: an answer.
        shared: the numbers of lines that the other has too.
        words: names, words and comments that the other has too.
    """
    lines = text.source.splitlines()
    holds = re.compile(rf"\b({'|'.join(map(re.escape, words))})\b" if words else r"(?!)", re.IGNORECASE)
    shared = {*shared, *(at for at, line in enumerate(lines, 1) if holds.search(line))}
    near = {at + step for at in shared for step in range(-AROUND, AROUND + 1)}
    found: list[Row] = []
    for number, line in enumerate(lines, 1):
        if len(lines) <= WHOLE or number in near:
            found.append(Row(number, plain(line[:LONGEST_LINE].expandtabs(4)), number in shared))
        elif not found or found[-1].number:
            found.append(Row(0, "…", False))
    return found
