"""How often an answer has failed its check since this kernel began, and on which draw the last time."""

import os

ENOUGH = 3
"""After so many, a hint says where to look, if one line is enough."""

_failed: dict[str, list[int]] = {}


def note(name: str, seed: int, passed: bool) -> None:
    """Keep what became of a check of the notebook's own answer; one that passes ends the row."""
    if passed:
        _failed.pop(name, None)
    else:
        _failed.setdefault(name, []).append(seed)


def stuck_on(name: str) -> int | None:
    """The draw of the last failed check, after enough of them; never while nbgrader runs the notebook."""
    enough = len(_failed.get(name, [])) >= ENOUGH and "NBGRADER_EXECUTION" not in os.environ
    return last_failed(name) if enough else None


def last_failed(name: str) -> int | None:
    """The draw of the last failed check, `None` where there was none since the last one that passed."""
    return _failed[name][-1] if _failed.get(name) else None
