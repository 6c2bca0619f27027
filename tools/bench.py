"""Print the course's figures (`make bench`): time of a check, of the import, of each notebook, and memory."""

import contextlib
import io
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"

import nbformat

from tools import kernels
from tools.shell import ROOT

PEAK = "import resource, sys; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, sys.platform)"
FIRST = """
import contextlib, io, json, sys, time
import numpy, torch
from helpers import check, reference
took = {}
for name in json.loads(sys.argv[1]):
    answer = getattr(reference, name)
    times = []
    for _ in range(int(sys.argv[2])):
        start = time.perf_counter()
        with contextlib.redirect_stdout(io.StringIO()):
            check(name, answer)
        times.append(time.perf_counter() - start)
    took[name] = times
print(json.dumps(took))
"""


def milliseconds(seconds: float) -> str:
    """A time as a table shows it."""
    return f"{1000 * seconds:.1f} ms"


def clock(function: Callable[[], Any]) -> float:
    """How long a call takes."""
    start = time.perf_counter()
    with contextlib.redirect_stdout(io.StringIO()):
        function()
    return time.perf_counter() - start


def checks(repeats: int = 7) -> None:
    """Time the first and the later checks of a right answer, PyTorch being imported already."""
    from helpers.units import UNIT_OF

    words = [sys.executable, "-c", FIRST, json.dumps(list(UNIT_OF)), str(repeats)]
    took = json.loads(subprocess.run(words, cwd=ROOT, check=True, capture_output=True).stdout)
    print("| exercise | first check | later checks, median |\n|---|---|---|")
    for name, (first, *later) in took.items():
        print(f"| {name} | {milliseconds(first)} | {milliseconds(statistics.median(later))} |")
    firsts = {name: times[0] for name, times in took.items()}
    laters = {name: statistics.median(times[1:]) for name, times in took.items()}
    for says, these in (("median", statistics.median), ("worst", max)):
        print(f"| **{says}** | {' | '.join(milliseconds(these(t.values())) for t in (firsts, laters))} |")


def imports(repeats: int = 15) -> None:
    """Time fresh processes, in turn so that a busy machine slows all three alike."""
    codes = {"plain Python": "pass", "import helpers": "import helpers", "import torch": "import torch"}
    took: dict[str, list[float]] = {name: [] for name in codes}
    for _ in range(repeats):
        for name, code in codes.items():
            words = [sys.executable, "-c", code]
            took[name].append(clock(lambda words=words: subprocess.run(words, cwd=ROOT, check=True)))
    print("\n| start of a process | median | times plain Python | times import torch |\n|---|---|---|---|")
    for name, times in took.items():
        middle = milliseconds(statistics.median(times))
        ratios = (
            statistics.median(t / other for t, other in zip(times, took[base], strict=True))
            for base in ("plain Python", "import torch")
        )
        print(f"| {name} | {middle} | {' | '.join(map('{:.2f}'.format, ratios))} |")


def run(book: Any) -> tuple[float, float]:
    """Run a notebook in a kernel of its own: seconds, and the kernel's peak memory in MB."""
    book.cells.append(nbformat.v4.new_code_cell(PEAK))
    with kernels.client(book, ROOT, kernel_name="python3") as client:
        seconds = clock(lambda: client.execute(stderr=subprocess.DEVNULL))
    peak, platform = book.cells[-1].outputs[0]["text"].split()
    return seconds, int(peak) / (2**20 if platform == "darwin" else 2**10)


def notebooks(repeats: int = 3) -> None:
    """Run each solution notebook, and one that only imports."""
    print("\n| notebook | beyond imports, median | whole, median | peak memory |\n|---|---|---|---|")
    for path in sorted((ROOT / "solutions").glob("*/*.ipynb")):
        beyond, whole, memory = [], [], []
        for _ in range(repeats):
            book = nbformat.read(path, as_version=4)
            bare = nbformat.v4.new_notebook(metadata=book.metadata)
            set_up = [cell for cell in book.cells if cell.id == "set-up"]
            bare.cells = [*set_up, nbformat.v4.new_code_cell("import torch\nimport matplotlib.pyplot")]
            imported, _ = run(bare)
            seconds, peak = run(book)
            beyond.append(seconds - imported)
            whole.append(seconds)
            memory.append(peak)
        times = f"{statistics.median(beyond):.1f} s | {statistics.median(whole):.1f} s"
        print(f"| {path.stem} | {times} | {max(memory):.0f} MB |", flush=True)


if __name__ == "__main__":
    checks()
    imports()
    notebooks()
