"""`check`: what a test cell calls.  It joins the two halves, probe and verdict, and tells the learner."""

import numbers
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from helpers import browser
from helpers.beside.failed_cells import ABSENT, beside, failed, near
from helpers.beside.kernel import in_notebook
from helpers.errors import BadArgument, CheckFailed, must_be_quoted
from helpers.exercises import find
from helpers.exercises.base import Case, Exercise, asking, draw_cases
from helpers.in_browser import recorded
from helpers.learner import named_once, progress_record
from helpers.units import UNIT_OF, UNITS
from helpers.verdict.telling import failure, not_checked, nothing_there, praise, the_same


def check(
    name: str,
    answer: Any = ABSENT,
    *,
    seed: int | None = None,
    sizes: str = "visible",
    caught: int | None = None,
) -> None:
    """Check one exercise, and say so when it is right; or all of a unit, one after the other.

    In a notebook a failing check first draws the learner's result beside the expected one.

    Args:
        name: the exercise, such as `"softmax"`, or the unit, such as `"05_softmax"`.
        answer: the function, class or value to check; by default what the notebook calls by that name.
        seed: repeats the inputs of an earlier check; fresh ones by default.
        sizes: `"visible"` or `"hidden"`, the sizes the inputs are drawn from.
        caught: of an exercise whose answer is a test, how many impostors it has to catch here.

    Raises:
        CheckFailed: when the answer is not right; its text names what differs, and the mistake if known.
        UnknownName: when there is no such exercise.
        BadArgument: when the name is not in quotes.
        MissingPackage: when this kernel has no PyTorch; a browser has a stand-in, and its results recorded.
    """
    space = sys._getframe(1).f_globals
    must_be_quoted("check", name, space, UNIT_OF)
    if isinstance(name, str) and name in UNITS:
        return _check_unit(name, answer, space, seed, sizes, caught)
    return _check_one(name, answer, space, seed, sizes, caught)


def _check_unit(
    unit: str, answer: Any, space: Mapping[str, Any], seed: int | None, sizes: str, caught: int | None
) -> None:
    """Check all exercises of a unit, and go on after one that is not right.

    Raises:
        CheckFailed: at the end, where one is not right.
        BadArgument: when it is given what belongs to one exercise.
    """
    if answer is not ABSENT or caught is not None:
        raise BadArgument(
            f'check("{unit}") checks what the notebook has: it takes no answer, and no `caught`'
        )
    wrong = []
    for name in UNITS[unit]:
        try:
            _check_one(name, ABSENT, space, seed, sizes, None)
        except CheckFailed as failed:
            wrong.append(name)
            print(*failed._render_traceback_())
    count = len(UNITS[unit])
    if wrong:
        raise CheckFailed(
            f"{unit}: {count - len(wrong)} of {count} are right. Not yet: {', '.join(wrong)}.", unit
        )
    print(f"{unit}: all {count} are right.")


def _check_one(
    name: str, answer: Any, space: Mapping[str, Any], seed: int | None, sizes: str, caught: int | None
) -> None:
    own = answer is ABSENT
    exercise = find_exercise(name)
    if own:
        answer = space.get(name, ABSENT)
    if own and answer is not ... and (stopped := failed(name, answer)):
        raise not_checked(exercise, stopped)
    if answer is ABSENT:
        raise nothing_there(exercise, near(name, space), beside(name, space))
    seed = _fresh_seed(name) if seed is None else _usable_seed(seed)
    if browser.HERE:
        recorded.usable(name, seed, sizes)
    verdict = verdict_of(asking(exercise, caught), answer, seed, sizes)
    verdict = named_once.told(exercise, answer, verdict)
    # an answer that was handed over may be anybody's, and one that catches few is on its way
    if own and (verdict.passed or verdict.problem) and not (verdict.passed and caught):
        progress_record.record(name, "passed" if verdict.passed else "tried")
    if not verdict.passed:
        note = beside(name, space) if own else ""
        again = f"{note} {the_same(name, seed, sizes)}".strip()
        drawn = verdict.problem is not None and in_notebook()
        if drawn:
            from IPython.display import display

            from helpers.verdict.panel import panel

            # hidden tests show no more than their panel, and what grades keeps no scripts
            alone = sizes != "visible" or os.environ.get("NBGRADER_EXECUTION")
            below = "" if alone else unfolded(exercise, verdict, answer, draw_cases(exercise, seed, sizes))
            display(replace(panel(exercise, verdict, again), below=below))
        raise failure(exercise, verdict, again, drawn=drawn)
    cases = draw_cases(asking(exercise, caught), seed, sizes)
    _tell(exercise, verdict, cases, whole=own and not caught)


def _tell(exercise: Exercise, verdict: Any, cases: Sequence[Case], *, whole: bool) -> None:
    """Say that an answer is right: drawn in a notebook, and elsewhere in a line.

    Args:
        exercise: its record.
        verdict: what the check found.
        cases: the calls that it made.
        whole: whether it is the learner's own answer, and all that is asked of it: then the exercise is done.
    """
    if not in_notebook():
        print("\n".join(map(str, filter(None, [praise(exercise.name, verdict), verdict.roster]))))
        return
    from IPython.display import display

    from helpers.learner.standing import standing
    from helpers.verdict.can_do import can_do
    from helpers.verdict.right import right

    learning = whole and progress_record.learning()
    stands = standing(exercise.name) if learning else None
    display(right(exercise, verdict, cases, able=can_do(exercise.name) if whole else "", standing=stands))
    if verdict.roster:
        display(verdict.roster)


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


def unfolded(exercise: Exercise, verdict: Any, answer: Any, cases: Sequence[Any]) -> str:
    """What a notebook can unfold below the panel: all stages with those of the learner, and her own lines."""
    from helpers.learner import first_difference, traced_below

    return first_difference.below(exercise, verdict) + traced_below.below(exercise, verdict, answer, cases)


def _usable_seed(seed: Any) -> int:
    """The seed of an earlier check, as a whole number."""
    if isinstance(seed, bool) or not isinstance(seed, numbers.Integral) or seed < 0:
        raise BadArgument(f"seed: expected a whole number from 0, as an earlier check named it; got {seed!r}")
    return int(seed)


def _fresh_seed(name: str) -> int:
    """A new seed each time, but the same one whenever nbgrader grades: marks must not depend on luck."""
    if os.environ.get("NBGRADER_EXECUTION") == "autograde":
        return 0
    return recorded.fresh_seed(name)
