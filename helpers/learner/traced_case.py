"""A case's call of the learner's answer, recorded, with what the course knows of it: stages, and facts."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from helpers.beside.traced_call import traced_call
from helpers.beside.tracing import Recording
from helpers.exercises.base import Case, Exercise
from helpers.exercises.stages import Stages, stages
from helpers.units import VARIABLES
from helpers.verdict.judge import right_result
from helpers.verdict.stages_by_value import add_stages, all_tell, lines_of
from helpers.verdict.trace_facts import facts

GRADIENTS = "Gradients are left out."
WITH_GRADIENTS = ("QKVProjection", "MultiHeadAttention", "TransformerBlock", "training_step")
"""Exercises whose check looks at gradients, which no line of the learner's makes."""

PARTS = ("KVCache",)
"""Exercises whose stages are parts of what comes in."""

_TRIED = 4
"""So many cases are looked at for one that tells all stages apart."""
_TOLD = 10
"""Arguments that are told of a call."""
_FEW, _MANY = 20, 3_000
"""How many numbers go into such a case."""


def untraceable(exercise: Exercise) -> str:
    """Why an exercise's answer has no lines to show, in one sentence, or `""`."""
    if exercise.name in VARIABLES:
        return f"The answer to {exercise.name} is a value, which has no lines to trace."
    if exercise.handed_a_function or exercise.enough:
        return f"{exercise.name} is called with a function, and is not traced: put a `print` into it instead."
    return ""


def traced_case(
    exercise: Exercise, answer: Any, case: Case, cases: Sequence[Case], seconds: float
) -> Recording | None:
    """A case's call, recorded, with its stages and facts; `None` where it takes too long.

    Args:
        exercise: its record.
        answer: the learner's.
        case: the call that is shown.
        cases: others: small calls hardly tell stages apart (with an identity for the queries, the scores are
            the keys), so one of these shows which line makes what in both.
        seconds: how long all that is called may take.
    """
    end = time.monotonic() + seconds

    def call(args: Mapping[str, Any]) -> Recording | None:
        return traced_call(exercise, answer, args, end - time.monotonic())

    found = call(case.args)
    if found:
        known = stages(exercise, case.args, right_result(exercise, case))
        also = _elsewhere(exercise, known, cases, call) if known and found.data["steps"] else None
        finish(found, exercise, case.args, known, also)
    return found


def finish(
    found: Recording,
    exercise: Exercise,
    args: Mapping[str, Any],
    known: Stages,
    also: Mapping[Any, set[str]] | None = None,
) -> None:
    """Add to a recording what the course knows: the call in words, stages, facts."""
    add_stages(found, known, _given(exercise, args), also)
    if exercise.name in WITH_GRADIENTS:
        found.data["left_out"].append(GRADIENTS)
    found.data["call"] = _call(args)
    found.data["facts"] = facts(found.data)


def _given(exercise: Exercise, args: Mapping[str, Any]) -> Mapping[str, Any]:
    """The arguments that a stage must not equal."""
    return {} if exercise.name in PARTS else args


def _elsewhere(
    exercise: Exercise,
    known: Stages,
    cases: Sequence[Case],
    call: Callable[[Mapping[str, Any]], Recording | None],
) -> dict[Any, set[str]] | None:
    """Which line makes which stage, in a call that tells the same stages apart."""
    for case in _small(cases):
        others, given = stages(exercise, case.args, right_result(exercise, case)), _given(exercise, case.args)
        if set(known) <= set(others) and all_tell({name: others[name] for name in known}, given):
            found = call(case.args)
            if found:
                add_stages(found, others, given)
            return found and lines_of(found)
    return None


def _small(cases: Sequence[Case]) -> Iterator[Case]:
    """The first few cases after the smallest ones, of arguments that are not large."""
    sizes = [sum(getattr(one, "size", 1) for one in case.args.values()) for case in cases]
    pairs = zip(cases, sizes, strict=True)
    yield from [case for case, size in pairs if _FEW < size < _MANY and not case.again][:_TRIED]


def _call(args: Mapping[str, Any]) -> str:
    """The arguments in words; of many the first ones."""
    told = [f"{name} {_in_words(value)}" for name, value in args.items()]
    few = told if len(told) <= _TOLD else [*told[: _TOLD - 1], f"and {len(told) - _TOLD + 1} more"]
    return ", ".join(few)


def _in_words(value: Any) -> str:
    shape = getattr(value, "shape", None)
    if shape is None:
        return f"= {value!r:.40}" if not isinstance(value, dict | list) else f"({len(value)})"
    return f"({', '.join(map(str, shape))}{',' * (len(shape) == 1)})"
