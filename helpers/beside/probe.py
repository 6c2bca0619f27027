"""The probe: the half of a check that runs beside the learner's code.

It calls the answer on given inputs and writes down what happened as plain values and arrays. It
compares nothing and knows no right answer.
"""

import contextlib
import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from helpers.beside.copies import alike, copied
from helpers.beside.fresh import fresh, keeps
from helpers.beside.guard import give_back, guard, memory_room
from helpers.beside.place import near_name, own, raising_function, where
from helpers.beside.probes.base import (
    LONG_DOUBLES,
    NOT_ANSWERED,
    Case,
    Described,
    Elsewhere,
    Probed,
    ProbeError,
)
from helpers.beside.quiet import no_descriptor, quiet
from helpers.beside.reads import placeholders, powers, read_outside
from helpers.beside.standard import standard
from helpers.beside.time_limit import TooSlow, time_limit
from helpers.beside.unused import unused_arguments
from helpers.beside.whole_answer import named_in, noting
from helpers.errors import Interrupted

SECONDS = 10.0
"""How long one call of the learner's answer may take."""

LARGEST = 2**22
"""Bytes of an array that are written down; right results are much smaller."""


def observe(
    exercise: Probed,
    answer: Any,
    cases: Sequence[Case],
    seconds: float | None = None,
    *,
    graded: bool = False,
    look_everywhere: bool = False,
) -> list[dict[str, Any]]:
    """Run an answer on every case; stop early when it is unanswered or never ends.

    Args:
        exercise: whose probe to use.
        answer: the learner's function, class or value.
        cases: the calls to make.
        seconds: time limit for each call; `SECONDS` where it is not given.
        graded: whether marks depend on it: then seconds are CPU seconds.
        look_everywhere: whether library calls are looked for in every call, not only in the first; that
            takes as long again as the calls.

    Returns:
        One plain dict a case: `value` (see `describe`), or `error`, `unanswered`, `too_slow`;
        and `changed`, the names of the inputs that were changed.  The first may hold `whole_answer`,
        the library calls that are not the exercise, `unused`, the arguments that are never read,
        `outside`, the data that is read beside them, `powers`, and `placeholders`, the lines that are left to
        write (see `helpers.beside.reads`).  Where the
        answer can keep something between calls, `alone` is what a call comes to without those before it.
    """
    seconds = SECONDS if seconds is None else seconds
    seen, noted = [], named_in(answer, exercise.whole_answer)
    as_it_was = fresh(answer) if keeps(answer) else None
    one_call = functools.partial(_observe_one, exercise, seconds=seconds, graded=graded, memory=memory_room())
    with no_descriptor(2):
        for number, case in enumerate(cases):
            looking = contextlib.nullcontext()
            if look_everywhere or number == 0:
                looking = noting(exercise.whole_answer, exercise.name, noted)
            seen.append(one_call(answer, case.args, looking=looking))
            if "unanswered" in seen[-1] or "too_slow" in seen[-1]:
                break
        if as_it_was is not None and len(seen) == len(cases):
            _add_alone(one_call, as_it_was, cases, seen)
    if noted:
        seen[0]["whole_answer"] = sorted(noted)
    facts = {
        "unused": unused_arguments(answer),
        "outside": read_outside(answer),
        "powers": powers(answer),
        "placeholders": placeholders(answer),
    }
    seen[0].update({name: texts for name, texts in facts.items() if texts})
    return seen


def _add_alone(
    one_call: Callable[..., dict[str, Any]],
    answer: Any,
    cases: Sequence[Case],
    seen: Sequence[dict[str, Any]],
) -> None:
    """Make every call once more, each with an answer that has kept nothing."""
    for case, one in zip(cases, seen, strict=True):
        one["alone"] = one_call(fresh(answer), case.args, looking=contextlib.nullcontext())
        if "too_slow" in one["alone"]:
            break


def _observe_one(
    exercise: Probed,
    answer: Any,
    args: Mapping[str, Any],
    *,
    seconds: float,
    graded: bool,
    memory: int,
    looking: contextlib.AbstractContextManager[None],
) -> dict[str, Any]:
    given = {name: copied(value) for name, value in args.items()}
    try:
        # looking makes every call slower, so our own calls stay outside; a time limit must not ring in it
        with standard(), quiet(), guard(memory), looking, time_limit(seconds, cpu=graded):
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
    except (KeyboardInterrupt, TooSlow):  # the learner pressed stop, or the time is up
        raise
    except BaseException as error:
        if _is_blank(error):
            return {"unanswered": raising_function(error)}
        return {"error": _error(error, answer)}


def _is_blank(error: BaseException) -> bool:
    """Whether it is the answer cell's own error; PyTorch and learners have other NotImplementedErrors.

    One without a text counts where no code of the learner's raised it: there is no answer to call then.
    """
    if type(error) is not NotImplementedError:
        return False
    return error.args == (NOT_ANSWERED,) or (not error.args and not own(error))


def observe_known(exercise: Probed, answer: Any, args: Mapping[str, Any]) -> dict[str, Any]:
    """One call of a known wrong program: as `observe`, without the guards that unknown code needs."""
    given = {name: copied(value) for name, value in args.items()}
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


def _error(error: BaseException, answer: Any = None) -> dict[str, Any]:
    if isinstance(error, Elsewhere):
        return dict(error.seen)
    kinds, near = [kind.__name__ for kind in type(error).__mro__], near_name(error)
    text = _text(error) + f". Did you mean: {near!r}?" * bool(near)  # as Python says it below a traceback
    return {"type": kinds[0], "kinds": kinds, "text": text, "where": where(error, answer)}


def _changed(args: Mapping[str, Any], given: Mapping[str, Any]) -> list[str]:
    return [name for name, value in args.items() if not alike(value, given[name])]


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
    if type(value).__module__ == "torch.nn.attention.bias":  # a tensor by name, of numbers that nobody set
        return {"kind": type(value).__name__}
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


def _text(error: BaseException) -> str:
    try:
        return str(error)[:300]
    except Exception:  # the learner's own `__str__` may fail
        return ""


def explain(name: str, error: BaseException, answer: Any = None) -> str:
    """One sentence for an error in the learner's own code."""
    if _is_blank(error):
        return f"{raising_function(error) or name} is not answered yet."
    if isinstance(error, ProbeError):
        return f"{name}: {error}."
    seen = _error(error, answer)
    place = f" ({seen['where']})" if seen["where"] else ""
    if "SystemExit" in seen["kinds"]:
        return f"{name} wants to end the program{place}: return a value instead."
    return f"{name} stopped with {named(seen)}{place}"


def named(error: Mapping[str, Any]) -> str:
    """Kind and text of an error, or its kind alone where it has no text."""
    return f"{error['type']}: {error['text']}" if error["text"] else error["type"]


def interrupted(name: str, stop: BaseException) -> Interrupted:
    """The error to raise in place of a KeyboardInterrupt, whose traceback goes through our code."""
    place = where(stop)
    return Interrupted(f"you stopped {name}{f' ({place})' if place else ''}.")
