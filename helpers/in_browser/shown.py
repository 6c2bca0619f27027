"""Cells that show what they gave when the site was built, as they would take a reader too long here.

They make no names.  A cell of the reader's own that needs such a name has the part run first that makes it.
"""

import functools
import hashlib
import json
from collections.abc import MutableMapping
from typing import Any

from helpers.in_browser import site
from helpers.in_browser.names import Names, parsed, part_that_makes

INDEX = "recorded/cells.json"

_by_name: dict[str, str] = {}
"""Names that a cell would have made which was shown, with its digest."""


def note(seconds: int | None) -> str:
    """What stands above the outputs of a cell that was recorded.

    Args:
        seconds: that it takes here; `None` for one that uses what such a cell made.
    """
    why = f"here it takes about {_long(seconds)}" if seconds else "it uses what a longer cell made"
    return (
        f"What this cell gave when the course was built: {why}. To run it here, change it; a comment will do."
    )


def _long(seconds: float) -> str:
    return f"{round(seconds, -1):.0f} seconds" if seconds < 90 else f"{seconds / 60:.0f} minutes"


def digest(cell: str) -> str:
    """What stands for a cell's code."""
    return hashlib.blake2b(cell.strip().encode(), digest_size=8).hexdigest()


def file_of(cell: str) -> str:
    """Where a cell's recorded outputs lie, below the site's `lite/`; `cell` is its digest."""
    return f"recorded/cells/{cell}.json"


@functools.cache
def _index() -> dict[str, Any]:
    return json.loads(site.read(INDEX))


def is_to_be_shown(cell: str, space: MutableMapping[str, Any]) -> bool:
    """Whether a cell is as it was recorded, and nothing that it needs of such cells has been made here."""
    known = _index().get(digest(cell))
    return known is not None and not any(name in space for name in known["needs"])


def show(cell: str, space: MutableMapping[str, Any]) -> None:
    """Show what a cell gave, and take its imports; the names that it would have made are gone.

    Args:
        cell: its digest.
        space: the notebook's names.
    """
    from IPython.display import display

    kept = json.loads(site.read(file_of(cell)))
    for name in _index()[cell]["makes"]:
        space.pop(name, None)
        _by_name[name] = cell
    exec(part_that_makes(kept["source"], set()), space)
    for output in kept["outputs"]:
        if output["output_type"] == "stream":
            print(output["text"], end="")
        else:
            display(output["data"], metadata=output["metadata"], raw=True)


def before(cell: str, space: MutableMapping[str, Any]) -> bool:
    """Run what makes the names that a cell needs of cells that were only shown; says so.

    Returns:
        Whether the cell can run now: `False` after a sentence on what stopped.
    """
    for source, names, seconds in _missing(cell, space):
        about = f", about {_long(seconds)}" if seconds else ""
        print(f"An earlier cell was only shown: what makes {names} runs now{about}.", flush=True)
        try:
            exec(compile(source, f"<what makes {names}>", "exec"), space)
        except NameError as error:
            print(
                f"It needs {error.name}, which an earlier cell makes: run those above first, then this one."
            )
            return False
        except Exception as error:
            text = " ".join(f"{type(error).__name__}: {error}".split())[:300]
            print(f"It stopped with {text}. Run that cell itself, changed by a comment, then this one again.")
            return False
    return True


def _missing(cell: str, space: MutableMapping[str, Any]) -> list[tuple[str, str, int | None]]:
    """Parts of cells that are to be run, in order: code, the names that it makes, seconds."""
    found: list[tuple[str, str, int | None]] = []
    asked: set[str] = set()

    def ask(code: str) -> None:
        try:
            read = Names(parsed(code)).read
        except SyntaxError:
            return
        lacking = {name for name in read - asked if name in _by_name and name not in space}
        asked.update(lacking)
        for of in dict.fromkeys(_by_name[name] for name in sorted(lacking)):
            names = {name for name in lacking if _by_name[name] == of}
            part = part_that_makes(json.loads(site.read(file_of(of)))["source"], names)
            ask(part)
            seconds = _index()[of]["seconds"] if "train" in part or "for " in part else None
            found.append((part, " and ".join(f"`{name}`" for name in sorted(names)), seconds))

    ask(cell)
    return found
