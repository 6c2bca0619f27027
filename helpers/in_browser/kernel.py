"""What happens around each cell in a browser: packages that come later, and cells that need PyTorch."""

import asyncio
import hashlib
import json
from typing import Any

from helpers.beside import set_up_first
from helpers.beside.kernel import shell
from helpers.browser import ELSEWHERE
from helpers.in_browser import site

LATER = "matplotlib"
"""What is fetched while the first cells are read: nothing draws before."""

INDEX = "recorded/cells.json"
NOTE = (
    "What this cell gave when the course was built: it needs PyTorch, which no browser runs. "
    f"To run it, {ELSEWHERE}."
)
GREETING = """\
You work in this browser, which keeps your notebooks. It has no
PyTorch: checks compare with what PyTorch gave, and cells that need
it show what they gave.
A cell that never ends: Kernel, Restart Kernel. Your text stays."""


def begin() -> None:
    """Look at each cell before it runs, from now on; the first one says where the learner is."""
    here = shell()
    manager = getattr(getattr(here, "kernel", None), "lite_transform_manager", None)
    if manager is None:
        return
    set_up_first.explain(here)
    otherwise = manager.transform_cell
    packages: list[Any] = []

    async def transform_cell(cell: str) -> str:
        first = not packages
        if first:  # the set-up cell as a rule, which draws nothing
            print(GREETING)
            packages.append(asyncio.ensure_future(_fetch_later()))
        if not first or LATER in cell:
            await asyncio.shield(packages[0])
        if digest(cell) in _index():
            return f"__import__({__name__!r}, fromlist=['*']).show({digest(cell)!r})"
        return await otherwise(cell)

    manager.transform_cell = transform_cell


async def _fetch_later() -> None:
    import pyodide_js

    await pyodide_js.loadPackage(LATER)


def _index() -> frozenset[str]:
    return frozenset(json.loads(site.read(INDEX)))


def digest(cell: str) -> str:
    """What stands for a cell's code."""
    return hashlib.blake2b(cell.strip().encode(), digest_size=8).hexdigest()


def file_of(cell: str) -> str:
    """Where a cell's recorded outputs lie, below the site's `lite/`; `cell` is its digest."""
    return f"recorded/cells/{cell}.json"


def show(cell: str) -> None:
    """Show what a cell gave when it was recorded, and say so."""
    from IPython.display import display

    for output in json.loads(site.read(file_of(cell))):
        if output["output_type"] == "stream":
            print(output["text"], end="")
        else:
            display(output["data"], metadata=output["metadata"], raw=True)
