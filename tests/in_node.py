"""A browser's Python without a browser: the course in Pyodide under Node.js, with PyTorch's recordings."""

import select
import subprocess
import tempfile

from tools import needs
from tools.in_browser import recording, runtime
from tools.patience import PATIENCE
from tools.shell import ROOT


def lay_out(folder):
    """Write what a page's Python loads into a new folder, with the recordings; gives the folder."""
    runtime.assemble(folder, needs.pyodide_folder())
    recording.record_all(folder)
    runtime.compile_ahead(folder)
    return folder


def run(folder, file, *words):
    """Run a Python file of the course in Pyodide, with `words`; gives what it prints.

    The course is in `/course` there, and `folder` in `/python`.
    """
    command, printed = runtime.run_by_pyodide(folder, ROOT / file, *words), b""
    with (
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(command, bufsize=0, stdout=subprocess.PIPE, stderr=errors) as process,
    ):
        while more := select.select([process.stdout], (), (), PATIENCE)[0] and process.stdout.read(2**16):
            printed += more
        if more == []:  # it was silent for so long
            process.kill()
        errors.seek(0)
        assert process.wait() == 0, f"{printed[-300:]}\n{errors.read()[-2000:]}"
    return printed.decode()
