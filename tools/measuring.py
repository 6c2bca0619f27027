"""What several tools measure and print with: one check, timed, and a table."""

import contextlib
import io
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from helpers import CheckFailed, check


def failure(
    name: str,
    answer: Any,
    seed: int,
    sizes: str = "visible",
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[CheckFailed | None, float]:
    """The error of a check, or `None`, and the milliseconds that it took on this clock."""
    start, failed = clock(), None
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            check(name, answer, seed=seed, sizes=sizes)
    except CheckFailed as error:
        failed = error
    return failed, 1000 * (clock() - start)


def ids(misconception: str | None) -> set[str]:
    """The mistakes in a diagnosis: two at once have no order."""
    return set((misconception or "").split("+"))


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
