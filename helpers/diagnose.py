"""Which mistake was it: ask, from the most to the least telling, everything that may know."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from helpers.compare import Difference, same
from helpers.exercises.base import MustRaise, call
from helpers.patterns import KEPT_HINT, pattern
from helpers.probe import describe
from helpers.recognise import Attempt, Named, known_program, smallest
from helpers.repairs import REPAIRS
from helpers.resemblances import RESEMBLANCES, Resemblance

Parts = Sequence[tuple[np.ndarray, np.ndarray]]


def diagnose(attempt: Attempt, rights: Sequence[Any], problems: Sequence[Difference]) -> Named | None:
    """The mistake behind a wrong answer, or `None`.

    Args:
        attempt: the answer and what was seen of it.
        rights: the right results, case by case.
        problems: what is wrong with each of the wrong cases.
    """
    telling = problems[0].misconception
    if telling == "float32" and all(one.misconception == telling for one in problems):
        return Named(telling, "", problems[0].hint or "", tuple(attempt.wrong))
    program = known_program(attempt)
    if program and program.complete:
        return program
    program = _beside_another(attempt, problems) or program
    if program and program.complete:
        return program
    likeness = _resemblance(attempt, rights)
    if likeness and (program is None or len(likeness.cases) > len(program.cases)):
        return likeness
    if program:
        return program
    if telling:
        cases = (i for i, one in zip(attempt.wrong, problems, strict=True) if one.misconception == telling)
        return Named(telling, "", problems[0].hint or "", tuple(cases), False)
    return _dropout(attempt, rights) or _kept(attempt) or _pattern(attempt)


def _beside_another(attempt: Attempt, problems: Sequence[Difference]) -> Named | None:
    """A known mistake behind one that hides the numbers, such as a list where an array is due."""
    problem = next((one for one in problems if one.misconception in REPAIRS), None)
    if problem is None:
        return None
    repair = REPAIRS[problem.misconception]
    seen = [repair(one, bool(attempt.exercise.parts)) for one in attempt.seen]
    wrong = [i for i in attempt.wrong if attempt.is_wrong(i, seen[i])]
    other = known_program(replace(attempt, seen=seen, wrong=wrong)) if wrong else None
    if other is None or problem.misconception in other.id:
        return None
    says = f"Two mistakes at once. First: {problem.says}. Second: {other.says}"
    hint = " ".join(filter(None, [problem.hint, other.hint]))
    return Named(f"{problem.misconception}+{other.id}", says, hint, other.cases, other.complete)


def _resemblance(attempt: Attempt, rights: Sequence[Any]) -> Named | None:
    """The likeness to the right result that holds for the first wrong case and a third of all."""
    first = attempt.wrong[0]
    if "value" not in attempt.seen[first]:
        return None
    best, parts = None, {i: _differing(attempt, rights, i) for i in attempt.wrong}
    array = isinstance(rights[first], tuple | dict) or np.ndim(rights[first])
    least = len(attempt.wrong) / (3 if array else 1)
    for one in RESEMBLANCES:
        if not _look(one, parts[first], attempt.cases[first].args):  # most end here, after one call
            continue
        looks = ((i, _look(one, parts[i], attempt.cases[i].args)) for i in attempt.wrong)
        said = {i: says for i, says in looks if says}
        form = "" if one.exact else r"[\W\d]"  # the sentence may hold sizes of its call
        cases = tuple(
            i for i, says in said.items() if re.sub(form, "", says) == re.sub(form, "", said[first])
        )
        says = said[smallest(attempt.cases, cases)]
        if len(cases) == 1 and _one_entry(parts[first]):  # a single number can agree by chance
            continue
        if len(cases) >= least and (best is None or len(cases) > len(best.cases)):
            best = Named(one.id, says, one.hint, cases, len(cases) == len(attempt.wrong))
    return best


def _one_entry(parts: Parts) -> bool:
    """Whether a result differs from the right one in a single number."""
    return all(one.shape == got.shape and (~np.isclose(one, got)).sum() < 2 for one, got in parts)


def _look(one: Resemblance, parts: Parts, args: Mapping[str, Any]) -> str | None:
    """What a resemblance says of one case: of every part that differs, or not at all."""
    if not parts:
        return None
    with np.errstate(all="ignore"):
        said = [one.look(right, got, args) for right, got in parts]
    return said[0] if all(said) else None


def _differing(attempt: Attempt, rights: Sequence[Any], case: int) -> Parts:
    seen = attempt.seen[case]
    return list(_parts(rights[case], seen["value"])) if "value" in seen else []


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


def _dropout(attempt: Attempt, rights: Sequence[Any]) -> Named | None:
    """Some entries are 0 and the others grown by one factor, at random places."""
    with np.errstate(all="ignore"):
        looks = {i: _thinned(rights[i], attempt.seen[i]) for i in attempt.wrong if "value" in attempt.seen[i]}
    found = [i for i, (fits, _) in looks.items() if fits]
    if 2 * len(found) < len(attempt.wrong) or not any(looks[i][1] for i in found):
        return None
    says = (
        "Some of your numbers are 0 and the others grew by one factor, as under dropout. Leave nothing out."
    )
    return Named("dropout-left-on", says, "A check wants the same result each time.", tuple(found), False)


def _thinned(right: Any, seen: Mapping[str, Any]) -> tuple[bool, bool]:
    """Whether a part of the result has grown by one factor, and whether entries of it are gone."""
    for one, got in _parts(right, seen["value"]):
        if one.shape == got.shape and one.dtype.kind == "f" and one.size >= 2:
            gone = (got == 0) & (one != 0)
            ratios = got[~gone & (one != 0)] / one[~gone & (one != 0)]
            if ratios.size and 1 < ratios[0] <= 2.5 and np.allclose(ratios, ratios[0], rtol=1e-3):
                return True, bool(gone.any())
    return False, False


def _kept(attempt: Attempt) -> Named | None:
    """Something of one call shows in another: a result, an argument, or a call that is not repeated alike."""
    if _not_repeated(attempt):
        says = "The same call gives another result the second time: something is kept, or drawn at random."
        return Named("state-between-calls", says, KEPT_HINT, tuple(attempt.wrong), False)
    if 0 in attempt.wrong:  # before the first call nothing can be kept
        return None
    late = [i for i in attempt.wrong if _first_result_again(attempt, i) or _earlier_argument(attempt, i)]
    if len(late) < 2 or 2 * len(late) < len(attempt.wrong):
        return None
    says = "A later call gives what an earlier one should: something is kept between calls."
    return Named("state-between-calls", says, KEPT_HINT, tuple(late), False)


def _not_repeated(attempt: Attempt) -> bool:
    """Whether the last call, which repeats an earlier one, gives something else."""
    again = len(attempt.seen) - 1
    if not attempt.cases[again].again:
        return False
    args = attempt.cases[again].args
    earlier = next(i for i, case in enumerate(attempt.cases) if case.args is args)
    one, other = attempt.seen[earlier], attempt.seen[again]
    return "value" in one and "value" in other and not same(one["value"], other["value"])


def _first_result_again(attempt: Attempt, number: int) -> bool:
    first, seen = attempt.seen[0].get("value"), attempt.seen[number].get("value")
    return bool(first and seen) and not _repeats_by_chance(first) and same(first, seen)


def _repeats_by_chance(value: Mapping[str, Any]) -> bool:
    """A yes or no, or one whole number, comes back by itself."""
    array = value.get("array")
    return array is not None and array.size < 2


def _earlier_argument(attempt: Attempt, number: int) -> bool:
    """Whether a wrong result is right for an argument of an earlier call."""
    args, seen = attempt.cases[number].args, attempt.seen[number]
    if attempt.exercise.judge or attempt.exercise.probe is not call:
        return False
    if "value" not in seen or _repeats_by_chance(seen["value"]):
        return False
    earlier = ((name, value) for case in attempt.cases[:number] for name, value in case.args.items())
    # a number in the answer's own code may be an earlier argument by chance, an array cannot
    arrays = [(name, value) for name, value in earlier if isinstance(value, np.ndarray) and name in args]
    others = [(name, value) for name, value in arrays if value is not args[name]]
    return any(_fits(attempt, {**args, name: value}, seen["value"]) for name, value in others[-_LOOKS_BACK:])


_LOOKS_BACK = 12  # so many arguments, as each costs a call of the oracle


def _fits(attempt: Attempt, args: Mapping[str, Any], value: Mapping[str, Any]) -> bool:
    try:
        right = attempt.exercise.oracle(*args.values())
        return not isinstance(right, MustRaise) and same(describe(right), value)
    except Exception:  # arguments of two calls need not go together
        return False


def _pattern(attempt: Attempt) -> Named | None:
    found = pattern(attempt.cases[: len(attempt.seen)], attempt.wrong)
    return found and Named(found[1] or "", found[0], found[2], tuple(attempt.wrong), False)
