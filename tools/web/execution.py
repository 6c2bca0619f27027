"""The units are executed side by side, the longest first: one after the other they take most of a build."""

import asyncio
import os
from collections.abc import Iterable
from pathlib import Path

import nbformat

from helpers.plots.figure import AS_SVG
from tools import kernels
from tools.shell import ROOT

LONGEST_FIRST = ("07", "08", "09", "03")


def execute(pages: Iterable[Path]) -> None:
    """Execute notebooks and keep their outputs in them.

    Raises:
        nbclient.exceptions.CellExecutionError: when a cell fails.
    """
    places = {number: place for place, number in enumerate(LONGEST_FIRST)}
    ordered = sorted(pages, key=lambda page: places.get(page.name[:2], len(places)))
    asyncio.run(_all(ordered, os.cpu_count() or 1))


async def _all(pages: Iterable[Path], at_once: int) -> None:
    free = asyncio.Semaphore(at_once)
    async with asyncio.TaskGroup() as group:
        for page in pages:
            group.create_task(_one(page, free))


async def _one(page: Path, free: asyncio.Semaphore) -> None:
    async with free:
        notebook = nbformat.read(page, 4)
        environ = {"OMP_NUM_THREADS": "1", **os.environ, "PYTHONPATH": str(ROOT), AS_SVG: "yes"}
        with kernels.client(notebook, page.parent) as client:
            await client.async_execute(env=environ)
        nbformat.write(notebook, page)
