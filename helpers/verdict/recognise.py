"""Name the mistake: the known wrong program, or the pair of them, that behaves like this answer."""

import functools
import itertools
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from helpers.beside.probe import observe_known
from helpers.exercises.base import Case, Exercise, Mistake, combined
from helpers.exercises.compare import rounding, same
from helpers.exercises.steps import right_steps
from helpers.verdict.glances import Glance, apart, first_array, glance
from helpers.verdict.patterns import narrow
from helpers.verdict.wording import both

Seen = Mapping[str, Any]
_KNOWN: WeakKeyDictionary[Case, dict[int, tuple[Mistake, Seen]]] = WeakKeyDictionary()
"""What single known mistakes do with a case: the same for everybody who is checked on it."""

_GLANCES: WeakKeyDictionary[Case, dict[tuple[int, ...], tuple[Any, Glance | None]]] = WeakKeyDictionary()
"""A glance at what one or two known mistakes do with a case: little, so that it is kept of pairs too."""

BY_HAND = 24
"""A call with more numbers is not followed by hand, round as they may be."""

VALUES_BESIDE_ERRORS = 2
"""Where only errors are alike, and errors about shapes, so many results must agree besides.

With 0 columns of W_o for rows, in `sum_of_heads`, are taken for blocks turned round; with 5 the equal thirds
of `queries_keys_values`, right where d_v is d_k, lose their name.
"""


SHAPES = r"(?i)matmul|broadcast|mismatch|match|shape|size|dimension|axis|axes|index|unpack|aligned|division"
"""In the text of an error that many mistakes end in: two sizes that do not fit."""

TELLING = "view size|out of bounds"
"""In the text of one that few end in."""


@dataclass(frozen=True)
class Named:
    """A mistake that was recognised.

    Attributes:
        id: its short name; two mistakes at once are joined by a plus sign.
        says: what the learner did and why it matters.
        hint: what to look at.
        cases: the numbers of the wrong cases that it explains.
        right: which steps of the answer are right: a short sentence, or `""` where that is not known.
    """

    id: str
    says: str
    hint: str
    cases: tuple[int, ...]
    right: str = ""


@dataclass(frozen=True)
class Attempt:
    """A learner's answer as the verdict sees it.

    Attributes:
        exercise: what was asked.
        cases: the calls that were made.
        seen: what the probe saw, case by case.
        wrong: the numbers of the wrong cases.
        is_wrong: tells whether an observation of a case is wrong.
    """

    exercise: Exercise
    cases: Sequence[Case]
    seen: Sequence[Seen]
    wrong: Sequence[int]
    is_wrong: Callable[[int, Seen], bool]

    @functools.cached_property
    def narrow(self) -> list[bool]:
        """Which calls have float32 inputs."""
        return [narrow(case) for case in self.cases]

    @functools.cached_property
    def order(self) -> list[int]:
        """All calls, the first wrong one with numbers in front: nearly every program differs in it."""
        first = next((i for i in self.wrong if "value" in self.seen[i]), self.wrong[0])
        wrong = [i for i in self.wrong if i != first]
        return [first, *wrong, *(i for i in range(len(self.seen)) if i not in self.wrong)]

    @functools.cached_property
    def glance(self) -> Glance | None:
        """A glance at the first of these calls."""
        return glance(self.seen[self.order[0]])

    @functools.cached_property
    def within(self) -> tuple[float, float]:
        """How far, relative and absolute, its numbers may be from others that are the same."""
        first = self.order[0]
        return rounding(first_array(self.seen[first]), narrow=self.narrow[first])


def smallest(cases: Sequence[Case], numbers: Sequence[int]) -> int:
    """The easiest case to follow: one by hand before one at random, and one with few numbers."""
    return min(numbers, key=lambda i: (not _by_hand(cases[i]), _size(cases[i]), i))


def _size(case: Case) -> int:
    return sum(np.size(value) for value in case.args.values())


def _by_hand(case: Case) -> bool:
    """Whether all numbers of a call are few and have two digits after the point at most."""
    return _size(case) <= BY_HAND and all(_round(value) for value in case.args.values() if value is not None)


def _round(value: Any) -> bool:
    numbers = np.asarray(value)
    return numbers.dtype.kind in "biu" or (
        numbers.dtype.kind == "f" and np.allclose(numbers, numbers.round(2), equal_nan=True)
    )


def known_program(attempt: Attempt, *, pairs: bool = True) -> Named | None:
    """The known mistake, or the pair of them, that behaves like this answer on the same inputs.

    It must give what the answer gives in every call, those that are right too.  Two at once are looked for
    only where no single one does.  Where several that are not the same mistake do, none is named: the calls
    do not tell which it was.
    """
    mistakes = attempt.exercise.mistakes
    with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):
        found = [match for one in mistakes if (match := _match(attempt, (one,), one.answer))]
        if pairs and not found and _shows_numbers(attempt):
            found = [match for pair, answer in _pairs(attempt) if (match := _match(attempt, pair, answer))]
    most = max((len(match.cases) for match in found), default=0)
    found = [match for match in found if len(match.cases) == most]
    if not found or len({match.ids for match in found}) > 1:
        return None
    best = found[0]
    ids, says, hints = ([getattr(one, part) for one in best.mistakes] for part in ("id", "says", "hint"))
    said = says[0] if len(says) == 1 else both(*says)
    right = right_steps(attempt.exercise.name, [one for match in found for one in match.mistakes])
    return Named("+".join(ids), said, " ".join(hints), best.cases, right)


def _shows_numbers(attempt: Attempt) -> bool:
    """Whether a second mistake could show: where the answer stops with an error it does not."""
    values = [i for i in attempt.wrong if "value" in attempt.seen[i]]
    return attempt.wrong[0] in values or len(values) > 1  # one can agree by chance


@dataclass(frozen=True)
class _Match:
    mistakes: tuple[Mistake, ...]
    cases: tuple[int, ...]

    @property
    def ids(self) -> frozenset[str]:
        return frozenset(mistake.id for mistake in self.mistakes)


# A wrong name is worse than none: it sends a learner to a line that is right.  So a known program must give
# the same in every call; one in which both stop, with whatever error, tells nothing.
def _match(attempt: Attempt, mistakes: tuple[Mistake, ...], answer: Any) -> _Match | None:
    """A known wrong program where it behaves like the learner's in every call, or `None`."""

    def run(number: int) -> Seen:
        if len(mistakes) == 1:
            return _alone(attempt, mistakes[0], number)
        return observe_known(attempt.exercise, answer, attempt.cases[number].args)

    if _differs_at_a_glance(attempt, mistakes, run):
        return None
    seen, narrow = attempt.seen, attempt.narrow
    explained, values = [], 0
    for i in attempt.order:
        theirs = run(i)
        if not alike(theirs, seen[i], narrow[i]):
            if not _both_stop(theirs, seen[i]):
                return None
        else:
            values += "value" in seen[i]
            if i in attempt.wrong and attempt.is_wrong(i, theirs):  # else alike, and right, explains nothing
                explained.append(i)
    if not explained:
        return None
    if not any("value" in seen[i] for i in explained):
        texts = {seen[i]["error"]["text"] for i in explained if "error" in seen[i]}
        stops = [i for i in attempt.wrong if "error" in seen[i]]
        telling = values >= VALUES_BESIDE_ERRORS or _one_size_in_all(texts)
        if _sizes_only(seen[attempt.wrong[0]]) and not telling:
            return None
        if len(explained) < len(stops) / 3:
            return None
    return _Match(mistakes, tuple(sorted(explained)))


def _pairs(attempt: Attempt) -> Iterator[tuple[tuple[Mistake, ...], Any]]:
    """Pairs of mistakes, but for those that show in an earlier call: the answer has these calls right."""

    def shows(one: Mistake, number: int) -> bool:
        return not alike(_alone(attempt, one, number), attempt.seen[number], attempt.narrow[number])

    earlier = [i for i in range(attempt.wrong[0]) if i not in attempt.wrong]
    mistakes = [m for m in attempt.exercise.mistakes if hasattr(m.answer, "made_of")]
    hidden = {id(m) for m in mistakes if not any(shows(m, i) for i in earlier)}
    for pair, answer in _all_pairs(attempt.exercise):
        if all(id(one) in hidden for one in pair):
            yield pair, answer


@functools.lru_cache(maxsize=64)
def _all_pairs(exercise: Exercise) -> list[tuple[tuple[Mistake, ...], Any]]:
    """Every two mistakes that go together, and the answer that makes both: built once."""
    mistakes = [m for m in exercise.mistakes if hasattr(m.answer, "made_of")]
    both_made = ((pair, combined(*pair)) for pair in itertools.combinations(mistakes, 2))
    return [(pair, answer) for pair, answer in both_made if answer is not None]


def _alone(attempt: Attempt, mistake: Mistake, number: int) -> Seen:
    """What one known mistake does with a case; each runs once, however many answers it is held against."""
    kept = _KNOWN.setdefault(attempt.cases[number], {})
    if id(mistake) not in kept:  # the mistake is kept too, so that no other gets its id
        seen = observe_known(attempt.exercise, mistake.answer, attempt.cases[number].args)
        kept[id(mistake)] = (mistake, seen)
    return kept[id(mistake)][1]


def _differs_at_a_glance(attempt: Attempt, mistakes: tuple[Mistake, ...], run: Callable[[int], Seen]) -> bool:
    """Whether already the first numbers of the first call show that it is not these mistakes.

    As `alike` would find, in a fraction of the time; and what two at once give is not computed again.
    """
    if attempt.glance is None:
        return False
    first = attempt.order[0]
    kept = _GLANCES.setdefault(attempt.cases[first], {})
    key = tuple(map(id, mistakes))
    if key not in kept:  # the mistakes are kept too, so that no others get their ids
        kept[key] = (mistakes, glance(run(first)))
    theirs = kept[key][1]
    return theirs is not None and apart(theirs, attempt.glance, *attempt.within)


def _sizes_only(seen: Seen) -> bool:
    """Whether a call ended in an error that many mistakes end in."""
    text = seen.get("error", {}).get("text", "")
    return bool(re.search(SHAPES, text)) and not re.search(TELLING, text)


def _one_size_in_all(texts: Iterable[str]) -> bool:
    """Whether errors about different sizes hold one that never changes: it is written in the code."""
    sizes = [{int(number) for number in re.findall(r"\d+", text)} - {0, 1} for text in set(texts)]
    return len(sizes) > 2 and bool(set.intersection(*sizes))


def _both_stop(one: Seen, other: Seen) -> bool:
    return "error" in one and "error" in other


def arrays_of(value: Mapping[str, Any]) -> list[np.ndarray]:
    """The arrays of a described result: itself, or the parts of a tuple."""
    parts = value.get("items", ()) if value.get("kind") == "tuple" else (value,)
    return [part["array"] for part in parts if "array" in part]


def alike(one: Seen, other: Seen, narrow: bool) -> bool:
    """Whether two observations of a call are the same but for rounding; `narrow` as in `same`."""
    if one["changed"] != other["changed"]:
        return False
    if "value" in one and "value" in other:
        return same(one["value"], other["value"], narrow=narrow)
    if "error" in one and "error" in other:
        return _words(one["error"]) == _words(other["error"])
    return "unusable" in one and one["unusable"] == other.get("unusable")


def _words(error: Mapping[str, Any]) -> tuple[str, str]:
    """Kind and text of an error, without the names of functions, which are the learner's own."""
    return error["type"], re.sub(r"[\w.<>]+\(\)", "()", error["text"])
