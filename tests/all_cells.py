"""Run All, in the kernel that a browser has: one JSON line a code cell, with what it shows and its error.

`words` holds the path of a notebook below `/lite`.
"""

import json
import os
import sys
import time
from pathlib import Path

import pyodide_kernel as here

sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__  # until a cell runs

import helpers  # noqa: E402, F401  # lets the stand-in for PyTorch be found

LITE = Path("/lite")
if (LITE / "model").exists():  # as on the site
    os.makedirs("/_static/live")
    os.symlink("/lite/model", "/_static/live/model")


class Shown:
    """Collects what cells show, as text."""

    def __init__(self):
        self.parts = []
        here.stdout_stream.publish_stream_callback = self.stream
        here.stderr_stream.publish_stream_callback = self.stream
        shell = here.ipython_shell
        shell.display_pub.display_data_callback = self.data
        shell.displayhook.publish_execution_result = lambda count, data, metadata: self.data(data)

    def stream(self, name, text):
        self.parts.append(text if name == "stdout" else f"stderr: {text}")

    def data(self, data, *_):
        if data:
            self.parts.append(str(data.get("text/plain", sorted(data))) + "\n")

    def taken(self):
        text, self.parts = "".join(self.parts), []
        return text


async def run(code):
    """Run one cell as the kernel does; gives its error, or nothing."""
    sys.stdout, sys.stderr = here.stdout_stream, here.stderr_stream
    try:
        results = await here.kernel_instance.run(code)
    finally:
        sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
    if results["status"] == "ok":
        return {}
    kind = results["ename"].removeprefix("<class '").removesuffix("'>").rpartition(".")[2]
    return {"ename": kind, "evalue": results["evalue"][:400], "lines": results["traceback"]}


def code_cells(path):
    """The cells that run, of a notebook below `/lite`: their ids and their code."""
    cells = json.loads((LITE / path).read_text("utf-8"))["cells"]
    return [(cell["id"], "".join(cell["source"])) for cell in cells if cell["cell_type"] == "code"]


async def main(path):
    """Run all cells of a notebook."""
    shown = Shown()
    for place, code in code_cells(path):
        if "helpers" in sys.modules:  # the set-up cell imports it, as in a browser
            from helpers.in_browser import site

            site.FOLDER = LITE
        begun = time.perf_counter()
        error = await run(code)
        about = {"id": place, "seconds": time.perf_counter() - begun}
        print(json.dumps({**about, "shows": shown.taken()[:2000], **error}))


await main(*words)  # noqa: F704, F821 - Pyodide awaits at the top, and sets `words`
