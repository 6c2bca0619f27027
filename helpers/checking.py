"""`check`: what a test cell calls.  It joins the two halves, probe and verdict, and tells the learner."""

import os
import secrets
import sys
from typing import Any

from helpers.errors import CheckFailed
from helpers.exercises import find
from helpers.exercises.base import draw_cases

_MISSING = object()
_PACKAGES = {"torch": "PyTorch", "numpy": "NumPy"}


class MissingPackage(ImportError):
    """This kernel lacks a package that the checks need; the message says what to do."""

    def _render_traceback_(self) -> list[str]:
        # IPython shows this instead of a traceback: the sentence says it all.
        return [f"MissingPackage: {self}"]


def check(name: str, answer: Any = _MISSING, *, seed: int | None = None, sizes: str = "visible") -> None:
    """Check one exercise, and say so when it is right.

    Args:
        name: the exercise, such as `"softmax"`.
        answer: the function, class or value to check; by default what the notebook calls by that name.
        seed: repeats the inputs of an earlier check; fresh ones by default.
        sizes: `"visible"` or `"hidden"`, the sizes the inputs are drawn from.

    Raises:
        CheckFailed: when the answer is not right; its text names what differs, and the mistake if known.
        KeyError: when there is no such exercise.
        MissingPackage: when this kernel has no PyTorch.
    """
    exercise = _find(name)
    if answer is _MISSING:
        answer = sys._getframe(1).f_globals.get(name, _MISSING)
    if answer is _MISSING:
        says = f"{name} is not answered yet: nothing is called {name}. Run its answer cell first."
        raise CheckFailed(says, name, hint=exercise.hints[0])
    seed = _fresh_seed() if seed is None else seed
    verdict = _run(exercise, answer, seed, sizes)
    if not verdict.passed:
        says = f"{verdict.says}\n(The same inputs again: check({name!r}, seed={seed}))"
        raise CheckFailed(says, name, verdict.misconception, verdict.hint)
    print(" ".join([f"{name}: right.", verdict.remark]).strip())


def hint(name: str, rung: int = 1) -> None:
    """Print the hints of an exercise up to a rung, from a question to nearly the answer.

    Args:
        name: the exercise.
        rung: how many hints to show, from 1.
    """
    hints = _find(name).hints
    for number, text in enumerate(hints[: max(1, rung)], start=1):
        print(f"Hint {number} of {len(hints)}: {text}")


def _find(name: str) -> Any:
    try:
        return find(name)
    except ModuleNotFoundError as missing:
        package = (missing.name or "a package").split(".")[0]
        says = f"{_PACKAGES.get(package, package)} is missing from this kernel"
        raise MissingPackage(f"{says}: run `make setup`, or `pip install {package}`.") from None


def _run(exercise: Any, answer: Any, seed: int, sizes: str) -> Any:
    from helpers import probe, verdict  # the oracle needs PyTorch, which takes a second to import
    from helpers.oracle import one_thread

    with one_thread():
        cases = draw_cases(exercise, seed, sizes)
        return verdict.judge(exercise, cases, probe.observe(exercise, answer, cases))


def _fresh_seed() -> int:
    """A new seed each time, but the same one whenever nbgrader grades: marks must not depend on luck."""
    if os.environ.get("NBGRADER_EXECUTION") == "autograde":
        return 0
    return secrets.randbelow(1_000_000)
