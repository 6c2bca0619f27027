"""How long a call takes: a few measurements, never longer than a fraction of a second in all."""

import math
import statistics
import time
from collections.abc import Callable
from typing import Any

from helpers.beside.guard import guard
from helpers.beside.quiet import quiet
from helpers.beside.time_limit import TooSlow, time_limit

LONGEST = 0.4
"""So many seconds the measurements of one answer may take: with three others two seconds at most."""

MEASURED = 5
"""How many measurements, the median of which is told."""

BLOCK = 0.004
"""A faster call is made several times for one measurement: clocks are coarse, in a browser most of all."""


def seconds(call: Callable[[], Any]) -> float | None:
    """The median of a few measurements of one call in seconds.

    Infinite for a call that takes longer than `LONGEST`, `None` for one that stops with an error.
    """
    found: list[float] = []
    first = math.inf
    try:
        with guard(), quiet(), time_limit(LONGEST):
            first = _measured(call, 1)  # it pays for what is made once, so it counts where no other comes
            times = max(1, min(100, math.ceil(BLOCK / max(first, 1e-7))))
            while len(found) < MEASURED:
                found.append(_measured(call, times))
    except TooSlow:
        pass
    except KeyboardInterrupt:
        raise
    except BaseException:
        return None
    return statistics.median(found) if found else first


def _measured(call: Callable[[], Any], times: int) -> float:
    begin = time.perf_counter()
    for _ in range(times):
        call()
    return (time.perf_counter() - begin) / times


def in_words(time_taken: float | None) -> str:
    """A time as one reads it, with two digits."""
    if time_taken is None:
        return "not timed"
    if math.isinf(time_taken):
        return f"more than {LONGEST:g} s"
    for unit, size in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if time_taken >= 0.995 * size:
            return f"{float(f'{time_taken / size:.2g}'):g} {unit}"
    return "less than 1 µs"
