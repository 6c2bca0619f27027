"""`trace`: the learner's own lines, each with what it made, and which of that is a stage of the course."""

import inspect
import os
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from helpers import example
from helpers.beside.copies import copied
from helpers.beside.failed_cells import ABSENT, beside, failed, near, to_repair
from helpers.beside.probes.base import NOT_ANSWERED
from helpers.beside.summary import as_array
from helpers.beside.traced_call import traced_function
from helpers.beside.tracing import Recording
from helpers.errors import must_be_quoted
from helpers.exercises.base import Case, Exercise, draw_cases
from helpers.exercises.stages import stages
from helpers.learner.checking import find_exercise, verdict_of
from helpers.learner.traced_case import finish, traced_case, untraceable
from helpers.units import UNIT_OF
from helpers.verdict.telling import nothing_there
from helpers.views.trace_view import Trace, traced

_SEED = 0
"""The draw that a trace without arguments of one's own takes its call from."""

SECONDS = 5.0
"""So long may a call take that is recorded; recording makes it many times slower."""


def trace(name: str, *args: Any, **more: Any) -> Trace | None:
    """Show the learner's own lines, each with what it made: name, shape, kind of number, a small map.

    Where a line's array is a stage of the course, by its numbers, it says which.

    Args:
        name: the exercise; its answer is looked up in the notebook.
        args: what to call it with; by default the smallest call that fails, or "I saw a saw" where it passes.
        more: arguments by name.

    Returns:
        What a notebook draws; where there is nothing to record, a sentence is printed.

    Raises:
        UnknownName: when there is no such exercise.
        BadArgument: when the name is not in quotes.
        CheckFailed: when there is no answer yet.
        Interrupted: when the learner presses stop.
    """
    space = sys._getframe(1).f_globals
    must_be_quoted("trace", name, space, UNIT_OF)
    exercise, answer = find_exercise(name), space.get(name, ABSENT)
    if said := _not_now(exercise):
        return print(said)
    if answer is not ... and (stopped := failed(name, answer)):
        return print(f"{name} is not traced: {to_repair(name, stopped)}")
    if answer is ABSENT or answer is None:
        raise nothing_there(exercise, near(name, space), beside(name, space))
    if args or more:
        found, why = _called_with(exercise, answer, args, more), "your own arguments"
    else:
        case, why = _case(exercise, answer)
        found = case and traced_case(exercise, answer, case, draw_cases(exercise, _SEED), SECONDS)
    if not found:
        return print(f"{name} is not traced: its call does not come to an end in time.")
    if found.error == f"NotImplementedError: {NOT_ANSWERED}":
        return print(f"{name} is not answered yet: write it in the cell above and run that cell.")
    if not found.data["steps"] and found.error:
        return print(f"{name} is not traced: before any of its lines, the call stopped with {found.error}.")
    return traced(found.data | {"title": name, "why": why})


def _not_now(exercise: Exercise) -> str:
    """Why nothing is shown, in one sentence, or `""`."""
    if "NBGRADER_EXECUTION" in os.environ:
        return f"{exercise.name}: nothing is traced where nbgrader runs the notebook."
    return untraceable(exercise)


def _case(exercise: Exercise, answer: Any) -> tuple[Case | None, str]:
    """The call that is shown, and which one it is."""
    verdict = verdict_of(exercise, answer, _SEED)
    if not verdict.passed and verdict.problem and verdict.problem.misconception == "never-ends":
        return None, ""
    if not verdict.passed and verdict.case is not None:
        return verdict.case, f"the smallest call that fails: {verdict.case.says}"
    sentence = _on_the_sentence(exercise)
    if sentence is not None:
        return Case("I saw a saw", sentence), "“I saw a saw”"
    first = draw_cases(exercise, _SEED)[0]
    return first, first.says


def _on_the_sentence(exercise: Exercise) -> dict[str, Any] | None:
    """The arguments of an exercise from "I saw a saw", where it has such arguments."""
    names = list(draw_cases(exercise, _SEED)[0].args)
    Q, K, V = (example.X @ W for W in (example.W_Q, example.W_K, example.W_V))
    scores = Q @ K.T / 2
    known = {
        "X": example.X, "W_q": example.W_Q, "W_k": example.W_K, "W_v": example.W_V, "W_o": example.W_O,
        "W": example.W_Q, "Q": Q, "K": K, "V": V, "scores": scores, "x": scores, "num_heads": 2,
        "allowed": np.tri(4, dtype=bool), "a": Q[1], "b": K[0], "query": Q[1], "keys": K, "temperature": 2.0,
    }  # fmt: skip
    if exercise.name == "similarity_matrix":
        known |= {"Y": example.X}
    if exercise.tensors or not set(names) <= set(known):
        return None
    found = {name: known[name] for name in names}
    if exercise.name in ("split_heads", "multi_head_attention"):
        found["X"] = example.X[None]
    return found


def _called_with(
    exercise: Exercise, answer: Any, args: tuple[Any, ...], more: Mapping[str, Any]
) -> Recording | None:
    """A plain call with arguments of one's own, bound to the names that the exercise has for them."""
    found = traced_function(answer, args, more, SECONDS)
    if found:
        names = list(dict.fromkeys(name for case in draw_cases(exercise, _SEED) for name in case.args))
        try:
            bound = list(inspect.signature(answer).bind(*args, **more).arguments.values())
        except (TypeError, ValueError):
            bound = [*args, *more.values()]
        given = dict(zip(names, map(_plain, copied(bound)), strict=False))
        finish(found, exercise, given, stages(exercise, given))
    return found


def _plain(value: Any) -> Any:
    array = as_array(value)
    return value if array is None else array
