"""A case's call, recorded, with what the course knows of it: its stages, and facts in words."""

from collections.abc import Mapping
from typing import Any

from helpers.beside.traced_call import traced_call
from helpers.beside.tracing import Recording
from helpers.exercises.base import Case, Exercise, draw_cases
from helpers.exercises.stages import stages
from helpers.learner.stages_by_value import Key, add_stages, all_tell, lines_of
from helpers.learner.trace_facts import facts

GRADIENTS = "Gradients are left out."
WITH_GRADIENTS = ("QKVProjection", "MultiHeadAttention", "TransformerBlock", "training_step")
"""Exercises whose check looks at gradients, which no line of the learner's makes."""

PARTS = ("KVCache",)
"""Exercises whose stages are parts of what comes in."""

_TRIED = 3
"""So many cases are looked at for one that tells all stages apart."""
_SMALL = 3_000
"""Numbers that go into such a case at most."""


def traced_case(exercise: Exercise, answer: Any, case: Case, seconds: float) -> Recording | None:
    """A case's call, recorded, with its stages and facts; `None` where it takes too long.

    Args:
        exercise: its record.
        answer: the learner's.
        case: the call that is shown.
        seconds: how long it may take.
    """
    found = traced_call(exercise, answer, case.args, seconds)
    if found:
        finish(found, exercise, case.args, answer, seconds)
    return found


def finish(
    found: Recording, exercise: Exercise, args: Mapping[str, Any], answer: Any = None, seconds: float = 0
) -> None:
    """Add to a recording what the course knows: the call in words, stages, facts.

    Small calls hardly tell stages apart: with an identity for the queries, the scores are the keys.  Then a
    second call, with `answer`, shows which line makes what.
    """
    known, given = stages(exercise, args), {} if exercise.name in PARTS else args
    also = None
    if answer is not None and not all_tell(known, given):
        also = _elsewhere(exercise, answer, known, seconds)
    add_stages(found, known, given, also)
    if exercise.name in WITH_GRADIENTS:
        found.data["left_out"].append(GRADIENTS)
    found.data["call"] = ", ".join(f"{name} {_in_words(value)}" for name, value in args.items())[:300]
    found.data["facts"] = facts(found.data)


def _elsewhere(
    exercise: Exercise, answer: Any, known: Mapping[str, Any], seconds: float
) -> dict[Key, str] | None:
    """Which line makes which stage, in a call that tells the same stages apart."""
    cases = draw_cases(exercise, 0)
    tried = 0
    for case in cases:
        if sum(getattr(one, "size", 1) for one in case.args.values()) > _SMALL or case.again:
            continue
        others = stages(exercise, case.args)
        if list(others) != list(known):
            continue
        tried += 1
        if all_tell(others, case.args):
            found = traced_call(exercise, answer, case.args, seconds)
            if found is None:
                return None
            add_stages(found, others, case.args)
            return lines_of(found)
        if tried > _TRIED:
            return None
    return None


def _in_words(value: Any) -> str:
    shape = getattr(value, "shape", None)
    if shape is None:
        return f"= {value!r:.40}" if not isinstance(value, dict | list) else f"({len(value)})"
    return f"({', '.join(map(str, shape))}{',' * (len(shape) == 1)})"
