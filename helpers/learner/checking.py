"""`check`: what a test cell calls.  It joins the two halves, probe and verdict, and tells the learner."""

import numbers
import os
import secrets
import sys
from dataclasses import replace
from typing import Any

from helpers import browser
from helpers.beside.failed_cells import failed, to_repair
from helpers.beside.kernel import in_notebook
from helpers.errors import BadArgument, CheckFailed
from helpers.exercises import find
from helpers.exercises.base import Exercise, draw_cases
from helpers.in_browser import recorded
from helpers.learner import progress_record
from helpers.units import IN_PYTORCH
from helpers.verdict.telling import failure, nothing_there, praise, the_same

MISSING = object()


def check(name: str, answer: Any = MISSING, *, seed: int | None = None, sizes: str = "visible") -> None:
    """Check one exercise, and say so when it is right.

    In a notebook a failing check first draws the learner's result beside the expected one.

    Args:
        name: the exercise, such as `"softmax"`.
        answer: the function, class or value to check; by default what the notebook calls by that name.
        seed: repeats the inputs of an earlier check; fresh ones by default.
        sizes: `"visible"` or `"hidden"`, the sizes the inputs are drawn from.

    Raises:
        CheckFailed: when the answer is not right; its text names what differs, and the mistake if known.
        UnknownName: when there is no such exercise.
        MissingPackage: when this kernel has no PyTorch; in a browser its results are recorded instead.
    """
    exercise = find_exercise(name)
    if browser.HERE and name in IN_PYTORCH:
        return print(browser.sentence(name))
    own = answer is MISSING
    if own:
        answer = sys._getframe(1).f_globals.get(name, MISSING)
    if answer is MISSING:
        raise nothing_there(exercise)
    if own and answer is not None and answer is not ... and (error := failed(name, answer)):
        raise CheckFailed(f"{name} is not checked: {to_repair(name, error)}", name, hint=exercise.hints[0])
    seed = _fresh_seed() if seed is None else _usable_seed(seed)
    if browser.HERE:
        recorded.usable(seed, sizes)
    verdict = verdict_of(exercise, answer, seed, sizes)
    if own and (verdict.passed or verdict.problem):  # an answer that was handed over may be anybody's
        progress_record.record(name, "passed" if verdict.passed else "tried")
    if not verdict.passed:
        again = the_same(name, seed, sizes)
        drawn = verdict.problem is not None and in_notebook()
        if drawn:
            from IPython.display import display

            from helpers.verdict.panel import panel

            # hidden tests show no more than their panel, and what grades keeps no scripts
            alone = sizes != "visible" or os.environ.get("NBGRADER_EXECUTION")
            below = "" if alone else unfolded(exercise, verdict)
            display(replace(panel(exercise, verdict, again), below=below))
        raise failure(exercise, verdict, again, drawn=drawn)
    print(praise(name, verdict))


def find_exercise(name: str) -> Exercise:
    """The record of an exercise; in a browser with the right results that are recorded."""
    return recorded.with_recorded(find(name)) if browser.HERE else find(name)


def verdict_of(exercise: Exercise, answer: Any, seed: int = 0, sizes: str = "visible") -> Any:
    """What the check finds, told to nobody."""
    from helpers.beside import probe
    from helpers.beside.standard import standard
    from helpers.exercises.oracle import one_thread
    from helpers.verdict.judge import judge  # the oracle needs PyTorch, which takes a second to import

    try:
        with standard(), one_thread():
            cases = draw_cases(exercise, seed, sizes)
            return judge(exercise, cases, probe.observe(exercise, answer, cases))
    except KeyboardInterrupt as stop:
        raise probe.interrupted(exercise.name, stop) from None


def unfolded(exercise: Exercise, verdict: Any) -> str:
    """What a notebook can unfold below the panel: all stages, with those of the learner."""
    from helpers.learner.first_difference import below

    return below(exercise, verdict)


def _usable_seed(seed: Any) -> int:
    """The seed of an earlier check, as a whole number."""
    if isinstance(seed, bool) or not isinstance(seed, numbers.Integral) or seed < 0:
        raise BadArgument(f"seed: expected a whole number from 0, as an earlier check named it; got {seed!r}")
    return int(seed)


def _fresh_seed() -> int:
    """A new seed each time, but the same one whenever nbgrader grades: marks must not depend on luck."""
    if os.environ.get("NBGRADER_EXECUTION") == "autograde":
        return 0
    return secrets.choice(recorded.SEEDS) if browser.HERE else secrets.randbelow(1_000_000)
