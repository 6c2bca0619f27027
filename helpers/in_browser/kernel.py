"""What happens around each cell in a browser: packages that come later, and cells that are only shown."""

import asyncio
from typing import Any

from helpers.beside import set_up_first
from helpers.beside.kernel import shell
from helpers.in_browser import shown

LATER = "matplotlib"
"""What is fetched while the first cells are read: nothing draws before."""

GREETING = """\
You work in this browser, which keeps your notebooks. Checks compare
with what PyTorch gave. A stand-in for PyTorch runs here.
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
        if shown.is_to_be_shown(cell, here.user_ns):
            return f"__import__({shown.__name__!r}, fromlist=['*']).show({shown.digest(cell)!r}, globals())"
        return await otherwise(cell) if shown.before(cell, here.user_ns) else ""

    manager.transform_cell = transform_cell


async def _fetch_later() -> None:
    import pyodide_js

    await pyodide_js.loadPackage(LATER)
