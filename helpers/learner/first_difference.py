"""Below a failed check: the stages of attention with the learner's own, and where these first differ."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from helpers.exercises.base import Exercise, Woven
from helpers.exercises.compare import agree
from helpers.verdict.judge import Verdict
from helpers.views.laid_over import expected, first_wrong, folded, laid_over
from helpers.views.loom_begin import Beginning

SUMMARY = "See where yours first differs"
MOST = 45_000
"""So many bytes a notebook keeps for it at most."""
DIGITS = 3
"""Digits after the point that the loom tells: what differs in others only, the panel shows better."""


def below(exercise: Exercise, verdict: Verdict) -> str:
    """HTML for below the panel; empty where the loom cannot show the call, or its stages do not differ."""
    data = stages_of(exercise, verdict)
    text = folded(data, SUMMARY) if data else ""
    return text if len(text.encode()) <= MOST else ""


def stages_of(exercise: Exercise, verdict: Verdict) -> dict[str, Any] | None:
    """What the loom gets for a failed check, or `None`."""
    woven, problem, case = exercise.woven, verdict.problem, verdict.case
    if woven is None or problem is None or problem.expected is None or problem.got is None or case is None:
        return None
    try:
        call = expected(woven.begins(case.args), woven.until)
        yours = _yours(woven, call, dict(zip(exercise.parts or ("",), verdict.results, strict=True)))
    except ValueError:  # the loom does not take it
        return None
    wrong = first_wrong(call, yours)
    if wrong is None or _looks_equal(call.numbers[wrong[0]][wrong[1]], yours[wrong[0]][wrong[1]]):
        return None
    note = f"{_whose(call, yours)} {woven.note}".strip()
    return laid_over(call, yours, f"{exercise.name}: the expected numbers, and yours", note)


def _yours(
    woven: Woven, call: Beginning, results: Mapping[str, tuple[Any, Mapping[str, Any]]]
) -> dict[str, np.ndarray]:
    """The learner's numbers by their stage; what is right but for rounding is the expected number itself.

    Raises:
        ValueError: when they are no finite numbers of the right shape, or the loom's are not the right ones.
    """
    found = {}
    for part, name in woven.stages.items():
        right, got = np.asarray(results[part][0]), results[part][1].get("array")
        if got is None or got.shape != right.shape or got.dtype.kind not in "iuf":
            raise ValueError(f"{name}: expected an array like the right one")
        finite = np.isfinite(got) | ((got == -np.inf) & (name == "masked"))
        if not finite.all():
            raise ValueError(f"{name}: expected finite numbers")
        numbers = call.numbers[name]
        if not agree(right, numbers.reshape(right.shape), 0).all():
            raise ValueError(f"{name}: expected the stage that the result is")
        found[name] = np.where(agree(right, got, 0), numbers.reshape(right.shape), got).reshape(numbers.shape)
    return found


def _whose(call: Beginning, yours: Mapping[str, np.ndarray]) -> str:
    """Which stages are the learner's: a mistake in one that is not returned shows in a later one."""
    own = [name for name in call.stages if name in yours]
    *most, last = own
    says = f"Yours is what your answer returns: {' and '.join(filter(None, [', '.join(most), last]))}."
    if set(call.stages) - set(own) - set(call.given) - {"allowed"}:
        says += " All other stages are the expected ones: what goes wrong in one of them shows in yours."
    return says


def _looks_equal(one: float, other: float) -> bool:
    return bool(np.isfinite(one) and np.isfinite(other)) and round(one, DIGITS) == round(other, DIGITS)
