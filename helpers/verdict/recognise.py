"""Name the mistake: the known wrong program, or the pair of them, that behaves like this answer."""

import functools
import itertools
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from helpers.beside.probe import observe_known
from helpers.exercises.base import Case, Exercise, Mistake, combined
from helpers.exercises.compare import same
from helpers.verdict.patterns import narrow
from helpers.verdict.wording import both

Seen = Mapping[str, Any]
_KNOWN: WeakKeyDictionary[Case, dict[int, tuple[Mistake, Seen]]] = WeakKeyDictionary()
"""What single known mistakes do with a case: the same for everybody who is checked on it."""

BY_HAND = 24
"""A call with more numbers is not followed by hand, round as they may be."""

LEAST_SHARE = 1 / 3
"""Of the wrong cases that tell something, a known program must explain so many.

With a half `attention` that takes a second softmax only under a mask loses its name; with 0.15 `causal_mask`
that keeps its first n for ever is taken for one that counts wrongly.
"""

AGAINST_ONE, AGAINST_TWO = 1, 0
"""How often a known program may be wrong where the answer is right, for each case that it explains.

With 0 for one mistake, programs that make it in some calls only lose their names: the cosine of `best_match`
for keys of equal length, the ignored masks of `attention`, most of `split_heads`.  With 3 a chained key of
`queries_keys_values` is taken for a weight used twice.  Two at once get nothing: there are so many pairs that
one of them fits a few calls by accident; no program of the bank needs more.
"""

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
        complete: whether it explains all of them, but for those where both stop with different errors.
    """

    id: str
    says: str
    hint: str
    cases: tuple[int, ...]
    complete: bool = True


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

    A mistake must explain the first wrong case and a third of all wrong ones; the one that explains most
    is named, and two at once only where they explain more than one alone.  Random arrays do not agree
    by chance, but single numbers may: they must agree in every wrong case, and yes or no in every case.
    An error with other words explains nothing, and the same error about shapes little.
    """
    mistakes = attempt.exercise.mistakes
    with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):
        singles = [found for one in mistakes if (found := _match(attempt, (one,), one.answer))]
        best = max(singles, key=lambda found: found.score, default=None)
        # where the answer stops with an error, a second mistake would not show
        in_pairs = pairs and "value" in attempt.seen[attempt.wrong[0]]
        if in_pairs and (best is None or not best.complete):
            two = [found for pair, answer in _pairs(attempt) if (found := _match(attempt, pair, answer))]
            best = max([*filter(None, [best]), *two], key=lambda found: found.score, default=None)
    if best is None and pairs and not in_pairs:
        return _where_it_does_not_stop(attempt)
    if best is None or _by_chance(attempt, best):
        return None
    ids, says, hints = ([getattr(m, part) for m in best.mistakes] for part in ("id", "says", "hint"))
    said = says[0] if len(says) == 1 else both(*says)
    return Named("+".join(ids), said, " ".join(hints), best.cases, best.complete)


def _where_it_does_not_stop(attempt: Attempt) -> Named | None:
    """Two mistakes at once, one of which shows as an error in most calls and as numbers in others."""
    values = [i for i in attempt.wrong if "value" in attempt.seen[i]]
    if len(values) < 2:  # one can agree by chance
        return None
    stops = [i for i in attempt.wrong if i not in values]
    found = known_program(replace(attempt, wrong=[*values, *stops]))
    return found if found and found.complete else None


@dataclass(frozen=True)
class _Match:
    mistakes: tuple[Mistake, ...]
    cases: tuple[int, ...]
    complete: bool
    score: tuple[bool, int, int]


# A wrong name is worse than none: it sends a learner to a line that is right.  So a call counts only where
# the known program is wrong too, unlike calls count against it, and what many programs come to by accident (a
# yes or no, a small mask, an error about sizes) must be alike in every call, or in more than the error alone.
def _match(attempt: Attempt, mistakes: tuple[Mistake, ...], answer: Any) -> _Match | None:
    """How far a known wrong program behaves like the learner's; `None` when not far enough."""

    def run(number: int) -> Seen:
        if len(mistakes) == 1:
            return _alone(attempt, mistakes[0], number)
        return observe_known(attempt.exercise, answer, attempt.cases[number].args)

    first, seen = attempt.wrong[0], attempt.seen
    narrow = attempt.narrow
    theirs = run(first)  # nearly every program differs here, and costs one call
    if not _both_stop(theirs, seen[first]) and not (
        _alike(theirs, seen[first], narrow[first]) and attempt.is_wrong(first, theirs)
    ):
        return None
    known, alike = [], []
    for i, one in enumerate(seen):
        known.append(theirs if i == first else run(i))
        alike.append(_alike(known[i], one, narrow[i]))
        if not alike[i] and _yes_or_no(one) and _yes_or_no(seen[first]):  # these must agree everywhere
            return None
    # alike where the mistake itself is right explains nothing
    explained = tuple(i for i in attempt.wrong if alike[i] and attempt.is_wrong(i, known[i]))
    clear = [i for i in attempt.wrong if alike[i] or not _both_stop(known[i], seen[i])]
    if not explained or len(explained) < LEAST_SHARE * len(clear):
        return None
    against = sum(not same_ and i not in attempt.wrong for i, same_ in enumerate(alike))
    if against > (AGAINST_ONE if len(mistakes) == 1 else AGAINST_TWO) * len(explained):
        return None
    complete = len(explained) >= len(clear)
    if not complete and (attempt.exercise.in_all_calls or _mask(seen[first])):  # small ones agree by chance
        return None
    if not any("value" in known[i] for i in explained):
        agree = [i for i, same_ in enumerate(alike) if same_ and "value" in seen[i]]
        texts = {seen[i]["error"]["text"] for i in explained if "error" in seen[i]}
        telling = len(agree) >= VALUES_BESIDE_ERRORS or _one_size_in_all(texts)
        if not complete or (_sizes_only(seen[first]) and not telling):
            return None
    return _Match(mistakes, explained, complete, (complete, len(explained), sum(alike)))


def _pairs(attempt: Attempt) -> Iterator[tuple[tuple[Mistake, ...], Any]]:
    """Pairs of mistakes, but for those that show in an earlier call: the answer has these calls right."""

    def shows(one: Mistake, number: int) -> bool:
        return not _alike(_alone(attempt, one, number), attempt.seen[number], attempt.narrow[number])

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


def _alike(one: Seen, other: Seen, narrow: bool) -> bool:
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


def _yes_or_no(seen: Seen) -> bool:
    array = seen.get("value", {}).get("array")
    return array is not None and array.ndim == 0 and array.dtype.kind == "b"


def _mask(seen: Seen) -> bool:
    array = seen.get("value", {}).get("array")
    return array is not None and array.ndim > 0 and array.dtype.kind == "b"


def _by_chance(attempt: Attempt, found: _Match) -> bool:
    """Whether single numbers agree too seldom: they must agree in every wrong case."""
    array = attempt.seen[attempt.wrong[0]].get("value", {}).get("array")
    return array is not None and array.ndim == 0 and not found.complete
