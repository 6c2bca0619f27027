"""Which answers and predictions are older than the cell that should have made them: cells that failed.

After a SyntaxError, or an import that fails, the notebook still holds what the cell made the last time.
"""

import re
from typing import Any

from helpers.beside.kernel import shell
from helpers.units import UNIT_OF

_MAKES = re.compile(r"^(?:def\s+|class\s+)?(\w+)\s*(?:[(:]|=(?!=))", re.MULTILINE)
_NAMES = {*UNIT_OF, "guess"}
_failed: dict[str, tuple[str, Any]] = {}
"""By name: what its last cell stopped with, and what the name stood for after it."""

_last: dict[str, Any] = {}
_watched: list[Any] = []


def watch() -> None:
    """Look at each cell from now on, where there is a notebook."""
    here = shell()
    if here and here not in _watched:
        _watched.append(here)
        here.events.register("post_run_cell", _note)


def failed(name: str, value: Any) -> str:
    """What the cell of an answer stopped with, where it left this value behind; else `""`."""
    error, left = _failed.get(name, ("", None))
    return error if left is value else ""


def to_repair(name: str, error: str) -> str:
    """What to do about it."""
    return f"the cell with {name} stopped with {error}. Repair that cell and run it first."


def _note(result: Any) -> None:
    error = result.error_before_exec or result.error_in_exec
    for name in _NAMES & set(_MAKES.findall(result.info.raw_cell or "")):
        value = _watched[0].user_ns.get(name)
        is_new = callable(value) and value is not _last.get(name)  # made before a later line failed
        _last[name] = value
        _failed.pop(name, None)
        if error is not None and not is_new:
            _failed[name] = type(error).__name__, value
