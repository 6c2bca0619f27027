"""Which mistake was it: ask, from the most to the least telling, everything that may know."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from helpers.compare import Difference, same
from helpers.patterns import pattern
from helpers.probe import describe
from helpers.recognise import Attempt, Named, known_program
from helpers.resemblances import RESEMBLANCES, Resemblance


def diagnose(attempt: Attempt, rights: Sequence[Any], problem: Difference) -> Named | None:
    """The mistake behind a wrong answer, or `None`.

    Args:
        attempt: the answer and what was seen of it.
        rights: the right results, case by case.
        problem: what is wrong with the first wrong case.
    """
    program = known_program(attempt)
    if program and program.complete:
        return program
    likeness = _resemblance(attempt, rights)
    if likeness and (program is None or len(likeness.cases) > len(program.cases)):
        return likeness
    if program:
        return program
    if problem.misconception:
        return Named(problem.misconception, "", problem.hint or "", tuple(attempt.wrong), False)
    return _forgetful(attempt) or _between_calls(attempt, rights) or _pattern(attempt)


def _resemblance(attempt: Attempt, rights: Sequence[Any]) -> Named | None:
    """The likeness to the right result that holds for the first wrong case and a third of all."""
    first = attempt.wrong[0]
    if "value" not in attempt.seen[first]:
        return None
    best = None
    for one in RESEMBLANCES:
        says = _look(one, attempt, rights, first)
        if says is None:
            continue
        cases = tuple(i for i in attempt.wrong if i == first or _look(one, attempt, rights, i))
        least = len(attempt.wrong) / (
            3 if isinstance(rights[first], tuple | dict) or np.ndim(rights[first]) else 1
        )
        if len(cases) >= least and (best is None or len(cases) > len(best.cases)):
            best = Named(one.id, says, one.hint, cases, len(cases) == len(attempt.wrong))
    return best


def _look(one: Resemblance, attempt: Attempt, rights: Sequence[Any], case: int) -> str | None:
    """What a resemblance says of one case: of every part that differs, or not at all."""
    if "value" not in attempt.seen[case]:
        return None
    parts = list(_parts(rights[case], attempt.seen[case]["value"]))
    if not parts:
        return None
    with np.errstate(all="ignore"):
        said = [one.look(right, got, attempt.cases[case].args) for right, got in parts]
    return said[0] if all(said) else None


def _parts(right: Any, got: Mapping[str, Any]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The arrays that differ, right one and learner's; nothing where the two are not built alike."""
    if isinstance(right, dict):
        right, got = right.get("results"), (got.get("items") or {}).get("results", {})
    rights = right if isinstance(right, tuple) else (right,)
    gots = got.get("items", ()) if isinstance(right, tuple) else (got,)
    if isinstance(gots, dict) or len(gots) != len(rights):
        return
    for one, other in zip(rights, gots, strict=True):
        one = np.asarray(one)
        if "array" not in other or one.dtype.kind not in "biuf":
            continue
        if one.shape != other["array"].shape or not same(describe(one) | {"kind": other["kind"]}, other):
            yield one, other["array"]


def _forgetful(attempt: Attempt) -> Named | None:
    """The last call repeats an earlier one: whatever gives another result is kept, or drawn, in between."""
    again = len(attempt.seen) - 1
    if not attempt.cases[again].again:
        return None
    args = attempt.cases[again].args
    earlier = next(i for i, case in enumerate(attempt.cases) if case.args is args)
    one, other = attempt.seen[earlier], attempt.seen[again]
    if "value" not in one or "value" not in other or same(one["value"], other["value"]):
        return None
    says = "The same call gives another result the second time: something is kept, or drawn at random."
    hint = "Which name in your code outlives the call: a global, a default argument, an attribute?"
    return Named("state-between-calls", says, hint, tuple(attempt.wrong), False)


def _between_calls(attempt: Attempt, rights: Sequence[Any]) -> Named | None:
    """The first call is right, and its result comes back later."""
    if 0 in attempt.wrong or "value" not in attempt.seen[0]:
        return None
    first = attempt.seen[0]["value"]
    late = [i for i in attempt.wrong if "value" in attempt.seen[i] and same(first, attempt.seen[i]["value"])]
    if 2 * len(late) <= len(attempt.wrong) or (np.size(first.get("array", 0)) < 2 and len(late) < 4):
        return None
    says = "Later calls give the result of the first one: something is kept between calls."
    hint = "Which name in your code outlives the call: a global, a default argument, an attribute?"
    return Named("state-between-calls", says, hint, tuple(late), False)


def _pattern(attempt: Attempt) -> Named | None:
    found = pattern(attempt.cases[: len(attempt.seen)], attempt.wrong)
    return found and Named(found[1] or "", found[0], found[2], tuple(attempt.wrong), False)
