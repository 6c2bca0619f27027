"""The units are executed side by side, the longest first: one after the other they take most of a build."""

import asyncio
import os
import re
import tempfile
from collections.abc import Iterable
from pathlib import Path

import nbformat

from helpers.beside.kernel import AS_SVG
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
        # each in a home of its own: what is passed in one is no progress of another that happens to run
        with tempfile.TemporaryDirectory(prefix="unit-") as home:
            folder = Path(home) / page.parent.name
            folder.mkdir()
            with kernels.client(notebook, folder) as client:
                await client.async_execute(env=environ)
        nbformat.write(at_rest(notebook), page)


def at_rest(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """A notebook whose streams are as a screen shows them at the end: a line written over is the last one."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = _joined(cell.outputs)
            for output in cell.outputs:
                if output.output_type == "stream":
                    output.text = re.sub(r"[^\n]*\r(?=[^\n])", "", output.text.replace("\r\n", "\n"))
    return notebook


def _joined(outputs: Iterable[nbformat.NotebookNode]) -> list[nbformat.NotebookNode]:
    """Outputs, of which parts of one stream that follow each other are one."""
    kept: list[nbformat.NotebookNode] = []
    for one in outputs:
        last = kept[-1] if kept else None
        if last and one.output_type == last.output_type == "stream" and one.name == last.name:
            last.text += one.text
        else:
            kept.append(one)
    return kept
