"""Whether one line of a wrong answer is enough to put it right: small edits are tried until the check passes.

Which edit it was stays in here: it may be right for a reason that no learner would think of.  That a
change of this line alone is enough is true all the same.
"""

import contextlib
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from helpers import browser
from helpers.beside import probe
from helpers.beside.pytorch import pytorch
from helpers.beside.standard import standard
from helpers.exercises.base import Case, Exercise, draw_cases
from helpers.exercises.oracle import one_thread
from helpers.in_browser.recorded import SEEDS
from helpers.learner.checking import verdict_of
from helpers.learner.edits import Edit, small_edits
from helpers.learner.rebuilt import ONE_CALL, alike, builder, only_computes
from helpers.units import VARIABLES
from helpers.verdict.judge import judge, problem_of

SECONDS = 6.0 if browser.HERE else 3.0
"""How long may be searched; after that nothing is said."""

OTHERS = 11
"""On so many other draws an edited answer has to be right as well."""


@dataclass
class Outcome:
    """What a search came to.

    Attributes:
        edits: by line the first edit that is right, at most two.
        stopped: why nothing is said of a line all the same, or `""`: "passes", "not tried" or "time".
    """

    edits: dict[int, Edit] = field(default_factory=dict)
    stopped: str = ""


def line_to_change(
    exercise: Exercise, answer: Any, source: str, seed: int, seconds: float | None = None
) -> int | None:
    """The one line of an answer of which a small edit was found that makes its check pass.

    Args:
        exercise: the record.
        answer: the function or class.
        source: its code, in as many lines as it is to be counted in: empty ones may stand above.
        seed: of a check that it fails; the edited answer passes `OTHERS` more as well.
        seconds: how long to search; `SECONDS` where it is not given.

    Returns:
        The line's number in `source`, or `None`: where no such edit is found, where there are some in
        several lines, where the time is up, and where the answer acts on more than its arguments.
    """
    found = searched(exercise, answer, source, seed, seconds)
    return next(iter(found.edits)) if len(found.edits) == 1 and not found.stopped else None


def searched(
    exercise: Exercise, answer: Any, source: str, seed: int, seconds: float | None = None
) -> Outcome:
    """As `line_to_change`, with all that was found: it ends at the second line."""
    end = time.monotonic() + (SECONDS if seconds is None else seconds)
    if exercise.lineup or exercise.name in VARIABLES or not only_computes(exercise, answer, source):
        return Outcome(stopped="not tried")
    with _undisturbed():
        cases = draw_cases(exercise, seed)
        verdicts = _verdicts(exercise, answer, cases, end)
        if len(verdicts) == len(cases) and all(verdicts):
            passes = all(verdict_of(exercise, answer, *draw).passed for draw in _draws(seed))
            return Outcome(stopped="passes" if passes else "not tried")
        build = builder(answer, source)
        again = build(source)
        if not alike(again, answer) or verdicts != _verdicts(exercise, again, cases, end):
            return Outcome(stopped="time" if time.monotonic() > end else "not tried")
        order = sorted(zip(cases, verdicts, strict=False), key=lambda pair: (pair[1], _size(pair[0])))
        noted = set(probe.observe(exercise, answer, cases[:1], ONE_CALL)[0].get("whole_answer", ()))
        search = _Search(exercise, source, seed, build, [case for case, _ in order], noted, end)
        return search.outcome()


def _draws(seed: int) -> list[tuple[int, str]]:
    """The check's own draw and others; a browser has recorded a few, and no hidden sizes.

    Few of the edits that pass the first draw fail a later one, but some do: such as those of a sum that is
    0 in one draw only.
    """
    others = [one for one in SEEDS if one != seed][:OTHERS]
    kinds = ("visible",) if browser.HERE else ("hidden", "visible", "visible")
    return [(seed, "visible"), *((one, kinds[place % len(kinds)]) for place, one in enumerate(others))]


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """The settings of a new kernel meanwhile, and the learner's random numbers as they were afterwards."""
    torch = pytorch()
    luck = random.getstate(), np.random.get_state()  # noqa: NPY002 - the ones of a learner's `np.random.rand`
    of_torch = torch.get_rng_state() if torch else None
    with standard(), one_thread():
        try:
            yield
        finally:
            random.setstate(luck[0])
            np.random.set_state(luck[1])  # noqa: NPY002
            if torch:
                torch.set_rng_state(of_torch)


def _verdicts(exercise: Exercise, answer: Any, cases: Sequence[Case], end: float) -> list[bool]:
    """Whether each call is right; those after one that does not end are not made."""
    found = []
    for case in cases:
        seen = probe.observe(exercise, answer, [case], ONE_CALL)[0]
        found.append(problem_of(exercise, case, seen) is None)
        if "too_slow" in seen or time.monotonic() > end:
            break
    return found


def _size(case: Case) -> int:
    return sum(value.size for value in case.args.values() if isinstance(value, np.ndarray))


@dataclass(frozen=True)
class _Search:
    """What a search works with.

    Attributes:
        exercise: the record.
        source: the answer's code.
        seed: of the check that it fails.
        build: makes an answer of code.
        cases: the calls of that check, first those that fail, the smallest in front.
        noted: the library calls that are the whole answer which it makes anyway.
        end: when to stop.
    """

    exercise: Exercise
    source: str
    seed: int
    build: Callable[[str], Any]
    cases: Sequence[Case]
    noted: set[str]
    end: float

    def outcome(self) -> Outcome:
        """The lines with an edit that is right, up to the second."""
        found = Outcome()
        for edit in small_edits(self.source):
            if self._late() or len(found.edits) > 1:
                break
            if edit.line not in found.edits and self._is_right(edit.applied(self.source)):
                found.edits[edit.line] = edit
        if self._late() and len(found.edits) < 2:
            found.stopped = "time"
        return found

    def _late(self) -> bool:
        return time.monotonic() > self.end

    def _is_right(self, source: str) -> bool:
        answer = self.build(source)
        if answer is None:
            return False
        for case in self.cases:
            seen = probe.observe(self.exercise, answer, [case], ONE_CALL)[0]
            if self._late() or problem_of(self.exercise, case, seen) is not None:
                return False
        return all(not self._late() and self._passes(answer, *draw) for draw in _draws(self.seed))

    def _passes(self, answer: Any, seed: int, sizes: str) -> bool:
        """The whole check; first without a word on what is wrong, which would take longer than the calls."""
        cases = draw_cases(self.exercise, seed, sizes)
        seen = probe.observe(self.exercise, answer, cases, ONE_CALL)
        if len(seen) < len(cases) or not set(seen[0].get("whole_answer", ())) <= self.noted:
            return False
        pairs = zip(cases, seen, strict=True)
        if any(problem_of(self.exercise, case, one) is not None for case, one in pairs):
            return False
        return judge(self.exercise, cases, seen).passed
