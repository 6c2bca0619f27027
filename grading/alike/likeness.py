"""How alike two hand-ins are, in bits: what both have and hardly anybody else counts most.

A line that 2 of 128 have is worth about log2(128 / 2) = 6 bits. What the course shows is worth nothing, and
neither is what many have.
"""

import itertools
import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grading.alike.written import RUN, Run, Text

OF_LONGER = 0.5
"""How many of the needed bits must be left when each answer counts as far as the longer one is shared."""

SMALLEST = 40
"""As large as this a class counts for the bits that are needed: else two or three common names would do."""

LEAST = 4.0
"""Bits below which a likeness in one exercise is chance, and is not added up."""

OF_WORDS = 1 / 3
"""What a shared word counts beside a line of code: two words of one writer often come together."""

MOST_SHARE = 0.1
"""The share of a class above which something is what people write."""

STRANGERS = 30
"""As how many more hand-ins the programs count that strangers wrote and the course shows."""

EQUAL_TEXT, EQUAL_CODE, RARE = (
    "equal, letter for letter",
    "equal but for names, comments and layout",
    "rare stretches",
)

OF_EQUAL_TEXT, OF_EQUAL_CODE = 1.0, 0.5
"""What an answer counts that is equal from end to end, where it is made of lines that many have."""

LEAST_OWN = RUN
"""Runs that somebody must have written before it says anything that two files are equal: two lines."""

ELSEWHERE, WORDS, FILE = "other cells", "names and words", "the file"
"""What two can share beside answers: what stands in other cells, words, and the whole file."""


@dataclass(frozen=True)
class HandIn:
    """What somebody wrote.

    Attributes:
        name: who.
        texts: by exercise; `ELSEWHERE` is what stands in other cells.
        digest: of the whole file, where it is known.
    """

    name: str
    texts: Mapping[str, Text]
    digest: str = ""


@dataclass(frozen=True)
class Shown:
    """What everybody was shown, which is no evidence.

    Attributes:
        runs: of tokens.
        words: names, words and whole comments.
        strangers: how many programs of strangers are among it.
    """

    runs: frozenset[Run] = frozenset()
    words: frozenset[str] = frozenset()
    strangers: int = 0

    def own_runs(self, text: Text) -> set[Run]:
        """The runs of a text that are not shown."""
        return text.runs.keys() - self.runs

    def own_words(self, text: Text) -> set[str]:
        """The same of its words."""
        return text.words - self.words


@dataclass(frozen=True)
class Part:
    """What two hand-ins share in one exercise.

    Attributes:
        exercise: which, or `ELSEWHERE`.
        kind: `EQUAL_TEXT`, `EQUAL_CODE` or `RARE`.
        bits: how much it says.
        have: how many hand-ins have all that is shared; a group that hands in together counts once.
        lines: which lines of the one text, and of the other, hold it.
    """

    exercise: str
    kind: str
    bits: float
    have: int
    lines: tuple[Collection[int], Collection[int]]


@dataclass(frozen=True)
class Pair:
    """Two hand-ins that somebody should look at.

    Attributes:
        one: the first.
        other: the second.
        bits: how much all that they share says.
        parts: what they share, by exercise, the most telling first.
        words: rare names, words and comments that both have, and how many hand-ins have each.
        same_file: how many hand-ins are this very file, byte for byte; 0 where the two are not.
    """

    one: HandIn
    other: HandIn
    bits: float
    parts: Sequence[Part]
    words: Mapping[str, int]
    same_file: int

    @property
    def names(self) -> tuple[str, str]:
        """Who."""
        return self.one.name, self.other.name


def enough(size: int) -> float:
    """The bits that two have to share to be listed: as many as tell one hand-in from all others."""
    return math.log2(max(SMALLEST, size))


class Class:
    """The hand-ins of a class, and who has what."""

    def __init__(
        self, hand_ins: Sequence[HandIn], shown: Shown, together: Iterable[Collection[str]] = ()
    ) -> None:
        group = {name: -number for number, names in enumerate(together, 1) for name in names}
        self._hand_ins, self._shown = hand_ins, shown
        self._owner = [group.get(one.name, number) for number, one in enumerate(hand_ins)]
        self.count = len(set(self._owner))
        self._holders: dict[tuple[str, Any], list[int]] = defaultdict(list)
        self._wholes: dict[tuple[str, Any], list[int]] = defaultdict(list)
        for number, one in enumerate(hand_ins):
            words = _words(shown, one)
            runs = {(name, run) for name, text in one.texts.items() for run in shown.own_runs(text)}
            for feature in runs | {(WORDS, word) for word in words}:
                self._holders[feature].append(number)
            for name in {name for name, _ in runs}:
                self._wholes[name, one.texts[name].normal].append(number)
                self._wholes[name, one.texts[name].source.strip()].append(number)
            if one.digest and len(runs) >= LEAST_OWN:  # else it is nearly the notebook as it was handed out
                self._wholes[FILE, one.digest].append(number)

    @property
    def size(self) -> int:
        """How many wrote, strangers included; a group that hands in together is one."""
        return self.count + min(self._shown.strangers, STRANGERS)

    def pairs(self) -> list[Pair]:
        """Those that share more than chance explains, the most telling first."""
        found = []
        for (one, other), bits in self._bits().items():
            counted = {what: some for what, some in bits.items() if some >= LEAST}
            if FILE in bits or self._is_enough(one, other, counted):
                found.append(self._pair(one, other, counted, FILE in bits))
        return sorted(found, key=lambda pair: (not pair.same_file, -pair.bits, pair.names))

    def _is_enough(self, one: int, other: int, counted: Mapping[str, float]) -> bool:
        needed = enough(self.size)
        if sum(counted.values()) < needed:
            return False
        shares = {name: self._share(one, other, name) if name != WORDS else 1.0 for name in counted}
        return sum(bits * shares[name] for name, bits in counted.items()) >= OF_LONGER * needed

    def _share(self, one: int, other: int, name: str) -> float:
        mine, theirs = self._own(one, name), self._own(other, name)
        return len(mine & theirs) / max(len(mine), len(theirs))

    def _have(self, numbers: Iterable[int]) -> int:
        return len({self._owner[number] for number in numbers})

    def _says(self, numbers: Sequence[int]) -> float:
        """The bits of something that so many hand-ins have; 0 where it is what people write."""
        have = self._have(numbers)
        return math.log2(self.size / have) if 2 <= have <= max(3, MOST_SHARE * self.count) else 0.0

    def _bits(self) -> dict[tuple[int, int], dict[str, float]]:
        """What each two share, by their numbers; `FILE` is there where the files are equal."""
        found: dict[tuple[int, int], dict[str, float]] = defaultdict(lambda: defaultdict(float))
        for (what, _), numbers in self._holders.items():
            bits = self._says(numbers) * (OF_WORDS if what == WORDS else 1 / RUN)
            for pair in self._strangers(numbers) if bits else ():
                found[pair][what] += bits
        for (name, whole), numbers in self._wholes.items():
            bits = self._says(numbers) * (OF_EQUAL_TEXT if isinstance(whole, str) else OF_EQUAL_CODE) / RUN
            for pair in self._strangers(numbers) if bits or name == FILE else ():
                own = self._own(pair[0], name) if name != FILE else ()
                found[pair][name] = max(found[pair][name], bits * len(own))
        return found

    def _own(self, number: int, name: str) -> set[Run]:
        return self._shown.own_runs(self._hand_ins[number].texts[name])

    def _strangers(self, numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Each two of them who do not hand in together."""
        for one, other in itertools.combinations(numbers, 2):
            if self._owner[one] != self._owner[other]:
                yield one, other

    def _pair(self, one: int, other: int, counted: Mapping[str, float], same_file: bool) -> Pair:
        mine, theirs = self._hand_ins[one], self._hand_ins[other]
        parts = [self._part(name, bits, one, other) for name, bits in counted.items() if name != WORDS]
        parts.sort(key=lambda part: -part.bits)
        both = _words(self._shown, mine) & _words(self._shown, theirs) if WORDS in counted else set()
        holders = {word: self._holders[WORDS, word] for word in sorted(both)}
        words = {word: self._have(them) for word, them in holders.items() if self._says(them)}
        files = self._have(self._wholes[FILE, mine.digest]) if same_file else 0
        return Pair(mine, theirs, sum(counted.values()), parts, words, files)

    def _part(self, name: str, bits: float, one: int, other: int) -> Part:
        mine, theirs = (self._hand_ins[number].texts[name] for number in (one, other))
        kind = RARE
        if mine.normal == theirs.normal:
            kind = EQUAL_TEXT if mine.source.strip() == theirs.source.strip() else EQUAL_CODE
        shared = self._own(one, name) & self._own(other, name)
        if kind == RARE:
            shared = {run for run in shared if self._says(self._holders[name, run])}
            holders = [self._holders[name, run] for run in shared]
        else:
            holders = [self._wholes[name, mine.source.strip() if kind == EQUAL_TEXT else mine.normal]]
        have = set.intersection(*({self._owner[number] for number in them} for them in holders))
        return Part(name, kind, bits, len(have), (mine.lines_of(shared), theirs.lines_of(shared)))


def _words(shown: Shown, hand_in: HandIn) -> set[str]:
    return {word for text in hand_in.texts.values() for word in shown.own_words(text)}
