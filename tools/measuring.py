"""What several tools measure and print with: one check, and a table."""

import contextlib
import io
from collections.abc import Iterable, Sequence
from typing import Any

from helpers import CheckFailed, check


def failure(name: str, answer: Any, seed: int, sizes: str = "visible") -> CheckFailed | None:
    """The error of a check, or `None` where it passes."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            check(name, answer, seed=seed, sizes=sizes)
    except CheckFailed as error:
        return error
    return None


def ids(misconception: str | None) -> set[str]:
    """The mistakes in a diagnosis: two at once have no order."""
    return set((misconception or "").split("+"))


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
