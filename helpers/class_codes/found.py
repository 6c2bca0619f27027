"""Codes in what a class has posted: among names and noise, in any case, split over lines, damaged."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from helpers.class_codes.code import HEAD, Code, unpacked
from helpers.class_codes.letters import GROUP, LENGTH, VALUES, is_whole, repaired
from helpers.class_codes.tables import Table, table_numbered

NONE = f"There is no code in this text: a code is {LENGTH} letters and digits, in groups of {GROUP}."
BETWEEN = 8
"""Between two parts of a code stand at most so many other characters, such as a line's end and `> `."""

LONGEST, SHORTEST = LENGTH + 4, 2 * GROUP
_PART = re.compile("[0-9A-Za-z]+")
_MIXED = re.compile("(?=.*[0-9])(?=.*[A-Za-z])")
"""A group of a code has digits and letters more often than not; other words hardly ever."""

_DASH = re.compile(r"[-_\u2010-\u2015\u2212]")
_SPACES = re.compile(r"[ \t\r\n\u00a0]+")

Tables = Callable[[int], Table | None]


@dataclass
class Found:
    """What a text holds.

    Attributes:
        learners: of each unit that there is a code of, the last code of each tag.
        notes: what was wrong, a sentence each.
    """

    learners: dict[str, dict[str, Code]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Piece:
    """Letters that stand together, or parts of a code.

    Attributes:
        start: where they begin in the text.
        end: where they end.
        text: the letters alone.
    """

    start: int
    end: int
    text: str

    @property
    def values(self) -> list[int]:
        """Those of the letters."""
        return [VALUES[letter] for letter in self.text]


def found_in(text: str, table_of: Tables = table_numbered) -> Found:
    """All codes of a text, and what is wrong with others.

    Args:
        text: whatever was pasted.
        table_of: gives the table of the unit with a number.
    """
    whole, rest = _whole(text, [Piece(one.start(), one.end(), one[0]) for one in _PART.finditer(text)])
    codes = [(one.start, one.values) for one in whole]
    heads = [values[:HEAD] for _, values in codes]
    damaged = []
    for one in _damaged(text, rest, heads):
        values, says = _mended(one, table_of)
        codes += [(one.start, values)] if values else []
        damaged += [f"{_SPACES.sub(' ', text[one.start : one.end])}: {says}"] if says else []
    found, others = _counted([values for _, values in sorted(codes)], table_of)
    found.notes += [*others, *damaged]
    if not codes and not damaged:
        found.notes.append(NONE)
    return found


def _counted(codes: Sequence[list[int]], table_of: Tables) -> tuple[Found, list[str]]:
    """Codes in their order: the last of each learner, and sentences on those that do not count."""
    found, elsewhere, replaced = Found(), Counter(), 0
    for values in codes:
        table = table_of(values[0])
        code = _ours(values, table)
        if table is None or code is None:
            elsewhere["of another course, and not counted"] += 1
            continue
        if code.mistakes is None:
            elsewhere[f"of another edition of {table.unit}: passed and tried count, mistakes do not"] += 1
        learners = found.learners.setdefault(table.unit, {})
        replaced += learners.get(code.tag, code) != code
        learners[code.tag] = code
    notes = [f"{_many(count)} {what}." for what, count in sorted(elsewhere.items())]
    if replaced:
        notes.append(f"{_many(replaced)} followed by a newer one of the same learner, which counts.")
    return found, notes


def _many(count: int) -> str:
    return "1 code is" if count == 1 else f"{count} codes are"


def _ours(values: list[int], table: Table | None) -> Code | None:
    return unpacked(values, table) if table and table.is_of_its_course(values) else None


def _together(parts: Sequence[Piece]) -> Piece:
    """Parts as one piece."""
    return Piece(parts[0].start, parts[-1].end, "".join(one.text for one in parts))


def _whole(text: str, parts: Sequence[Piece]) -> tuple[list[Piece], list[Piece]]:
    """The codes with nothing wrong, and the parts that are left."""
    whole, rest, place = [], [], 0
    while place < len(parts):
        after, piece = place + 1, parts[place]
        while after < len(parts) and len(piece.text) < LENGTH and parts[after].start - piece.end <= BETWEEN:
            piece, after = _together([piece, parts[after]]), after + 1
        if len(piece.text) == LENGTH and is_whole(piece.values):
            whole.append(piece)
            place = after
        else:
            rest.append(parts[place])
            place += 1
    return whole, rest


def _damaged(text: str, parts: Sequence[Piece], heads: Sequence[list[int]]) -> list[Piece]:
    """What may be a code with something wrong: it begins like others, is as long, or has its groups."""
    pieces, place = [], 0
    while place < len(parts):
        after, piece, groups = place + 1, parts[place], [parts[place].text]
        while after < len(parts) and _goes_on(text, piece, parts[after], heads):
            groups.append(parts[after].text)
            piece, after = _together([piece, parts[after]]), after + 1
        if _looks_like_one(piece, groups, heads):
            pieces.append(piece)
            place = after
        else:
            place += 1
    return pieces


def _goes_on(text: str, piece: Piece, following: Piece, heads: Sequence[list[int]]) -> bool:
    """Whether a part goes on with what came before: behind a dash, or behind a space to end a group.

    Nobody types a code in two cases: `W9` is not followed by `Ed`.
    """
    between = text[piece.end : following.start]
    if len(between) > BETWEEN or len(piece.text) + len(following.text) > LONGEST:
        return False
    if _DASH.search(between):
        return True
    both = piece.text + following.text
    in_one_case = both in (both.upper(), both.lower())
    ends_a_group = len(following.text) == GROUP - len(piece.text) % GROUP and len(piece.text) < LENGTH
    return (
        in_one_case and ends_a_group and not _SPACES.sub("", between) and following.values[:HEAD] not in heads
    )


def _looks_like_one(piece: Piece, groups: Sequence[str], heads: Sequence[list[int]]) -> bool:
    begins = piece.values[:HEAD]
    alike = any(sum(a == b for a, b in zip(begins, head, strict=False)) >= HEAD - 1 for head in heads)
    if alike and len(piece.text) >= SHORTEST:
        return True
    in_groups = len(groups) > 2 and sum(len(one) == GROUP for one in groups) >= len(groups) - 1
    if in_groups and sum(bool(_MIXED.match(one)) for one in groups) >= 2:
        return True
    return _may_be_repaired(piece) and bool(re.search("[0-9]", piece.text)) and bool(repaired(piece.values))


def _may_be_repaired(piece: Piece) -> bool:
    return abs(len(piece.text) - LENGTH) <= 1


def _mended(piece: Piece, table_of: Tables) -> tuple[list[int] | None, str]:
    """The values of the code that a piece was meant to be, if that can be told, and what is said of it."""
    count = len(piece.text)
    if _may_be_repaired(piece) and (meant := repaired(piece.values)):
        values, says = meant
        if _ours(values, table_of(values[0])):
            return values, f"{says}, and it is counted so."
    if count == LENGTH:
        return None, "more than one letter is wrong; ask for it again."
    cut = ": it was cut" if count < LENGTH else ""
    return None, f"{count} letters, where a code has {LENGTH}{cut}; ask for it again."
