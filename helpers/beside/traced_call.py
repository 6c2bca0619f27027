"""One call of the learner's answer, recorded under the guards that every call of it has."""

import functools
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from helpers.beside.copies import copied
from helpers.beside.fresh import fresh, keeps
from helpers.beside.guard import guard, memory_room
from helpers.beside.probe import SECONDS
from helpers.beside.probes import of
from helpers.beside.probes.base import Probed, ProbeError
from helpers.beside.quiet import no_descriptor, quiet
from helpers.beside.standard import standard
from helpers.beside.time_limit import TooSlow, time_limit
from helpers.beside.tracing import Recording, record

REFUSED, OUTSIDE = "The check stopped here", "The call stopped outside these lines"
LATER = 1.0
"""Seconds after a recording's own end, which waits for a line, until a call is ended wherever it is.

No line comes from a loop in C, nor after so many that the recording stopped and the code ran on.
"""
FIRST = "It runs as if it were called for the first time."


def traced_call(exercise: Probed, answer: Any, args: Mapping[str, Any], seconds: float) -> Recording | None:
    """Record the call of a case; `None` where it takes too long.

    Args:
        exercise: its record.  Its probe makes the call, or `once` in the probe's file, where that calls an
            answer more often than one can follow.
        answer: the learner's; one that keeps something between calls is called as it was before.
        args: the arguments of the case, of which copies are given.
        seconds: how long it may take.
    """
    call = getattr(sys.modules[of(exercise.name).__module__], "once", exercise.probe)
    return _recorded(call, answer, dict(args), seconds)


def traced_function(
    function: Callable[..., Any], args: Sequence[Any], more: Mapping[str, Any], seconds: float
) -> Recording | None:
    """Record a plain call of a function with copies of some arguments; `None` where it takes too long."""

    def call(one: Callable[..., Any], given: Mapping[str, Any]) -> Any:
        return one(*given["args"], **given["more"])

    return _recorded(call, function, {"args": list(args), "more": dict(more)}, seconds)


def _recorded(
    call: Callable[[Any, dict[str, Any]], Any], answer: Any, args: dict[str, Any], seconds: float
) -> Recording | None:
    given = {name: copied(value) for name, value in args.items()}
    kept = keeps(answer)
    one = fresh(answer) if kept else answer
    limit = min(SECONDS, seconds + LATER)
    try:
        with no_descriptor(2), standard(), quiet(), guard(memory_room()), time_limit(limit):
            found = record(functools.partial(call, one, given), one, seconds)
    except TooSlow:
        return None
    if found:
        found.data["left_out"] += [FIRST] * kept + list(_stopped_outside(found))
    return found


def _stopped_outside(found: Recording) -> Iterator[str]:
    """What a call stopped with where no line of the learner's did."""
    kind, _, text = found.error.partition(": ")
    if kind == ProbeError.__name__:
        yield f"{REFUSED}: {text}."
    elif found.error and not any("raises" in step for step in found.data["steps"][-1:]):
        yield f"{OUTSIDE}, with {found.error}."
