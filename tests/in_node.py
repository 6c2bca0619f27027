"""A browser's Python without a browser: the course in Pyodide under Node.js, with PyTorch's recordings."""

import subprocess

from tools import needs
from tools.lite import recording, runtime
from tools.shell import ROOT

SECONDS = 900


def lay_out(folder):
    """Write what a kernel in a browser loads into a new folder, with the recordings; gives the folder."""
    runtime.assemble(folder, needs.pyodide_folder())
    recording.record_all(folder)
    runtime.compile_ahead(folder)
    return folder


def run(lite, file, *words):
    """Run a Python file of the course in Pyodide, with `words`; gives what it prints.

    The course is in `/course` there, and `lite` in `/lite`.
    """
    command = runtime.run_by_pyodide(lite, ROOT / file, *words)
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS)
    assert done.returncode == 0, f"{done.stdout[-300:]}\n{done.stderr[-2000:]}"
    return done.stdout
