"""What is asked on which day: a few questions a day about what is passed, at even distances.

Even spacing does as well as growing distances (Latimier, Peyre and Ramus, 2021, a meta-analysis of 29
studies), and three days did better than seven in a programming course (Li et al., 2021).
"""

from collections.abc import Collection, Sequence
from datetime import date, datetime

from helpers.passed import Asked
from helpers.questions import kinds
from helpers.units import STEPS

A_DAY = 4
"""So many questions make a day."""
AGAIN = 3
"""Days until an exercise is asked about again, after a right answer."""
MISSED = 1
"""The same after a wrong one."""
NEVER = 10_000
"""More days than anybody waits."""


def day(at: datetime) -> date:
    """The day of a moment, where the learner is."""
    return at.astimezone().date()


def answered_on(asked: Sequence[Asked], today: date) -> int:
    """How many questions were answered on a day."""
    return sum(day(one.at) == today for one in asked)


def overdue(exercise: str, asked: Sequence[Asked], today: date) -> int | None:
    """For how many days an exercise has been due; `None` where it is not.

    One that was never asked about has waited longer than any.  An answer from a later day was given by
    another clock: it counts as yesterday's.
    """
    last = next((one for one in reversed(asked) if one.exercise == exercise), None)
    if last is None:
        return NEVER
    since = (today - day(last.at)).days
    waited = (since if since >= 0 else 1) - (AGAIN if last.right else MISSED)
    return waited if waited >= 0 else None


def due(passed: Collection[str], asked: Sequence[Asked], today: date) -> list[str]:
    """The exercises to be asked about, first what was missed, then what has waited longest.

    Those that are due alike take turns by the steps of attention, and later ones come first.
    """
    known = [name for names in STEPS.values() for name in names if name in passed and kinds.of(name)]
    waits = {name: overdue(name, asked, today) for name in known}
    missed = {one.exercise: not one.right for one in asked}
    ready = [name for name in reversed(known) if waits[name] is not None]
    ready.sort(key=lambda name: (not missed.get(name, False), -(waits[name] or 0)))
    earlier = [one.exercise for one in asked if day(one.at) == today]
    return _mixed(ready, {name: (missed.get(name, False), waits[name]) for name in ready}, earlier)


def _mixed(ready: Sequence[str], rank: dict[str, object], earlier: Sequence[str]) -> list[str]:
    """Among equals, first one of the step that was asked about least on this day."""
    step_of = {name: step for step, names in STEPS.items() for name in names}
    found: list[str] = []
    left = list(ready)
    while left:
        equals = [name for name in left if rank[name] == rank[left[0]]]
        recent = [step_of.get(name) for name in (*earlier, *found)]
        one = min(equals, key=lambda name: (recent.count(step_of[name]), equals.index(name)))
        found.append(one)
        left.remove(one)
    return found


def next_of(exercise: str, asked: Sequence[Asked]) -> tuple[str, int]:
    """The kind of question that an exercise has not been asked for longest, and its next seed."""
    of = kinds.of(exercise)
    last = {one.kind: place for place, one in enumerate(asked) if one.exercise == exercise}
    kind = min(of, key=lambda name: (last.get(name, -1), of.index(name)))
    return kind, next_seed(kind, exercise, asked)


def next_seed(kind: str, exercise: str, asked: Sequence[Asked]) -> int:
    """The first seed that was not asked yet."""
    used = {one.seed for one in asked if one.kind == kind and one.exercise == exercise}
    return next(seed for seed in range(len(used) + 1) if seed not in used)
