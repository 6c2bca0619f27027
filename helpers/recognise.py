"""Name the mistake: the known wrong program, or the pair of them, that behaves like this answer."""

import functools
import itertools
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from helpers.compare import same
from helpers.exercises.base import Case, Exercise, Mistake, combined
from helpers.probe import observe_known

Seen = Mapping[str, Any]
_KNOWN: WeakKeyDictionary[Case, dict[int, tuple[Mistake, Seen]]] = WeakKeyDictionary()
"""What single known mistakes do with a case: the same for everybody who is checked on it."""


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
        return [_narrow(case) for case in self.cases]


def smallest(cases: Sequence[Case], numbers: Sequence[int]) -> int:
    """The case with the fewest numbers in it, the easiest to follow by hand."""
    return min(numbers, key=lambda i: (sum(np.size(value) for value in cases[i].args.values()), i))


def known_program(attempt: Attempt) -> Named | None:
    """The known mistake, or the pair of them, that behaves like this answer on the same inputs.

    A mistake must explain the first wrong case and a third of all wrong ones; the one that explains most
    is named, and two at once only where they explain more than one alone.  Random arrays do not agree
    by chance, but single numbers may: they must agree in every wrong case, and yes or no in every case.
    An error with other words explains nothing.
    """
    mistakes = attempt.exercise.mistakes
    with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):
        singles = [found for one in mistakes if (found := _match(attempt, (one,), one.answer))]
        best = max(singles, key=lambda found: found.score, default=None)
        # where the answer stops with an error, a second mistake would not show
        if (best is None or not best.complete) and "value" in attempt.seen[attempt.wrong[0]]:
            pairs = [found for pair, answer in _pairs(attempt) if (found := _match(attempt, pair, answer))]
            best = max([*filter(None, [best]), *pairs], key=lambda found: found.score, default=None)
    if best is None or _by_chance(attempt, best):
        return None
    ids, says, hints = ([getattr(m, part) for m in best.mistakes] for part in ("id", "says", "hint"))
    said = says[0] if len(says) == 1 else f"Two mistakes at once. First: {says[0]} Second: {says[1]}"
    return Named("+".join(ids), said, " ".join(hints), best.cases, best.complete)


@dataclass(frozen=True)
class _Match:
    mistakes: tuple[Mistake, ...]
    cases: tuple[int, ...]
    complete: bool
    score: tuple[bool, int, int]


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
    if not explained or 3 * len(explained) < len(clear):
        return None
    against = sum(not same_ and i not in attempt.wrong for i, same_ in enumerate(alike))
    if against > (len(explained) if len(mistakes) == 1 else 0):  # wrong where the learner is right
        return None
    complete = len(explained) >= len(clear)
    if not complete and not any("value" in known[i] for i in explained):  # errors alone are alike too often
        return None
    return _Match(mistakes, explained, complete, (complete, len(explained), sum(alike)))


def _pairs(attempt: Attempt) -> Iterator[tuple[tuple[Mistake, ...], Any]]:
    """Pairs of mistakes, but for those that show in an earlier call: the answer has these calls right."""

    def shows(one: Mistake, number: int) -> bool:
        return not _alike(_alone(attempt, one, number), attempt.seen[number], attempt.narrow[number])

    mistakes = [m for m in attempt.exercise.mistakes if hasattr(m.answer, "made_of")]
    mistakes = [m for m in mistakes if not any(shows(m, i) for i in range(attempt.wrong[0]))]
    for pair in itertools.combinations(mistakes, 2):
        answer = combined(*pair)
        if answer is not None:
            yield pair, answer


def _alone(attempt: Attempt, mistake: Mistake, number: int) -> Seen:
    """What one known mistake does with a case; each runs once, however many answers it is held against."""
    kept = _KNOWN.setdefault(attempt.cases[number], {})
    if id(mistake) not in kept:  # the mistake is kept too, so that no other gets its id
        seen = observe_known(attempt.exercise, mistake.answer, attempt.cases[number].args)
        kept[id(mistake)] = (mistake, seen)
    return kept[id(mistake)][1]


def _both_stop(one: Seen, other: Seen) -> bool:
    return "error" in one and "error" in other


def _narrow(case: Case) -> bool:
    return any(getattr(value, "dtype", None) == np.float32 for value in case.args.values())


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


def _by_chance(attempt: Attempt, found: _Match) -> bool:
    """Whether single numbers agree too seldom: they must agree in every wrong case."""
    array = attempt.seen[attempt.wrong[0]].get("value", {}).get("array")
    return array is not None and array.ndim == 0 and not found.complete
