"""The probe: the half of a check that runs beside the learner's code.

It calls the answer on given inputs and writes down what happened as plain values and arrays. It
compares nothing and knows no right answer.
"""

import contextlib
import linecache
import os
import traceback
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from helpers.compare import LONG_DOUBLES
from helpers.guard import give_back, guard
from helpers.probes.base import Case, Described, Elsewhere, Probed, ProbeError
from helpers.quiet import quiet
from helpers.time_limit import TooSlow, time_limit
from helpers.whole_answer import named_in, noting

SECONDS = 10.0
"""How long one call of the learner's answer may take."""


LARGEST = 2**22
"""Bytes of an array that are written down; right results are much smaller."""


def observe(
    exercise: Probed, answer: Any, cases: Sequence[Case], seconds: float = SECONDS, *, graded: bool = False
) -> list[dict[str, Any]]:
    """Run an answer on every case; stop early when it is unanswered or never ends.

    Args:
        exercise: whose probe to use.
        answer: the learner's function, class or value.
        cases: the calls to make.
        seconds: time limit for each call.
        graded: whether marks depend on it: then library calls are looked for in every call, not only in
            the first, and seconds are CPU seconds.

    Returns:
        One plain dict a case: `value` (see `describe`), or `error`, `unanswered`, `too_slow`;
        and `changed`, the names of the inputs that were changed.  The first may hold `whole_answer`,
        the library calls that are not the exercise.
    """
    seen, noted = [], named_in(answer, exercise.whole_answer)
    for number, case in enumerate(cases):
        looking = contextlib.nullcontext()
        if graded or number == 0:
            looking = noting(exercise.whole_answer, exercise.name, noted)
        with looking:
            seen.append(_observe_one(exercise, answer, case.args, seconds, graded))
        if "unanswered" in seen[-1] or "too_slow" in seen[-1]:
            break
    if noted:
        seen[0]["whole_answer"] = sorted(noted)
    return seen


def _observe_one(
    exercise: Probed, answer: Any, args: Mapping[str, Any], seconds: float, graded: bool
) -> dict[str, Any]:
    given = {name: _copy(value) for name, value in args.items()}
    try:
        with quiet(), guard(), time_limit(seconds, cpu=graded):
            seen = _outcome(exercise, answer, given)
    except TooSlow:
        seen = {"too_slow": seconds}
    if "too_slow" in seen or "MemoryError" in seen.get("error", {}).get("kinds", ()):
        give_back()
    seen["changed"] = _changed(args, given)
    return seen


def _outcome(exercise: Probed, answer: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """What a call comes to; describing a result or an error may run the learner's code too."""
    try:
        return {"value": describe(exercise.probe(answer, given))}
    except ProbeError as problem:
        return {"unusable": _unusable(problem)}
    except NotImplementedError as error:
        return {"unanswered": _raising_function(error)}
    except (KeyboardInterrupt, TooSlow):  # the learner pressed stop, or the time is up
        raise
    except BaseException as error:
        return {"error": _error(error)}


def observe_known(exercise: Probed, answer: Any, args: Mapping[str, Any]) -> dict[str, Any]:
    """One call of a known wrong program: as `observe`, without the guards that unknown code needs."""
    given = {name: _copy(value) for name, value in args.items()}
    seen: dict[str, Any] = {}
    try:
        seen["value"] = describe(exercise.probe(answer, given))
    except ProbeError as problem:
        seen["unusable"] = _unusable(problem)
    except Exception as error:
        seen["error"] = {"type": type(error).__name__, "text": _text(error), "kinds": [], "where": ""}
    seen["changed"] = _changed(args, given)
    return seen


def _unusable(problem: ProbeError) -> dict[str, Any]:
    return {"says": str(problem), "misconception": problem.misconception, "hint": problem.hint}


def _error(error: BaseException) -> dict[str, Any]:
    if isinstance(error, Elsewhere):
        return dict(error.seen)
    kinds = [kind.__name__ for kind in type(error).__mro__]
    return {"type": kinds[0], "kinds": kinds, "text": _text(error), "where": _where(error)}


def _changed(args: Mapping[str, Any], given: Mapping[str, Any]) -> list[str]:
    return [name for name, value in args.items() if not _same(value, given[name])]


def describe(value: Any) -> dict[str, Any]:
    """A result as plain values: `{"kind": ..., "array" | "text" | "items": ...}`.

    Kinds are `array`, `number`, `tensor`, `text`, `tuple`, `dict`, or the name of any other type.
    """
    if isinstance(value, Described):
        return dict(value.seen)
    if isinstance(value, str):
        return {"kind": "text", "text": value[:200]}
    if isinstance(value, np.generic | int | float | complex):
        return _numbers("number", np.asarray(value), value)
    if isinstance(value, np.ndarray):
        return _numbers("array" if value.ndim else "number", np.array(value, subok=False), value)
    if type(value).__module__.startswith("torch") and hasattr(value, "detach"):
        with contextlib.suppress(Exception):
            return _numbers("tensor", np.array(value.detach().cpu().resolve_conj().numpy()), value)
    if isinstance(value, tuple) and len(value) <= 20:
        return {"kind": "tuple", "items": [describe(item) for item in value]}
    if isinstance(value, list) and len(value) <= 40:
        return {"kind": "list", "items": [describe(item) for item in value]}
    if isinstance(value, dict) and len(value) <= 40:
        return {"kind": "dict", "items": {str(key): describe(item) for key, item in value.items()}}
    kind = type(value).__name__
    if type(value).__module__.startswith("torch") and hasattr(value, "dtype"):
        return {"kind": f"tensor of {value.dtype}"}
    if isinstance(value, tuple | list | dict):
        return {"kind": f"{kind} of {len(value)}"}
    known = kind in ("array", "number", "tensor", "text", "tuple", "list", "dict")
    return {"kind": f"{type(value).__module__}.{kind}" if known else kind}


def _numbers(kind: str, array: np.ndarray, value: Any) -> dict[str, Any]:
    if array.nbytes > LARGEST:
        return {"kind": f"{kind} of shape {array.shape}"}
    if array.dtype.kind == "f" and array.itemsize > 8:  # no such number crosses to another process
        return {"kind": LONG_DOUBLES}
    if array.dtype.kind in "biufc":
        return {"kind": kind, "array": array}
    return {"kind": f"{type(value).__name__} of {array.dtype}"}


def _copy(value: Any) -> Any:
    return value.copy() if isinstance(value, np.ndarray) else value


def _same(before: Any, after: Any) -> bool:
    if not isinstance(before, np.ndarray):
        return True
    return before.shape == after.shape and before.tobytes() == after.tobytes()


def _learner_frames(error: BaseException) -> list[traceback.FrameSummary]:
    """The frames of the learner's own code: neither ours nor a library's."""
    frames = traceback.extract_tb(error.__traceback__)
    foreign = (
        os.path.dirname(__file__) + os.sep,
        "-packages" + os.sep,
        os.path.dirname(os.__file__),
        "<frozen",
    )
    return [frame for frame in frames if not any(part in frame.filename for part in foreign)]


def _where(error: BaseException) -> str:
    """Where the learner's code failed, such as "line 3: `return a @ b.T`"."""
    frames = _learner_frames(error)
    if not frames:
        return ""
    line = linecache.getline(frames[-1].filename, frames[-1].lineno or 0).strip()
    return f"line {frames[-1].lineno}: `{line}`" if line else f"line {frames[-1].lineno}"


def _text(error: BaseException) -> str:
    try:
        return str(error)[:300]
    except Exception:  # the learner's own `__str__` may fail
        return ""


def _raising_function(error: BaseException) -> str:
    """Name of the learner's function that says it is not answered yet."""
    frames = _learner_frames(error)
    return frames[-1].name if frames else ""


def explain(name: str, error: BaseException) -> str:
    """One sentence for an error in the learner's own code."""
    if isinstance(error, NotImplementedError):
        return f"{_raising_function(error) or name} is not answered yet."
    seen = error.seen if isinstance(error, Elsewhere) else None
    kind, where = (seen["type"], seen["where"]) if seen else (type(error).__name__, _where(error))
    return f"{name} stopped with {kind}: {error}{f' ({where})' if where else ''}"
