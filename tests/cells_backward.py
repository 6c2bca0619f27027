"""Cells of a page in its Python: in order, then from the last to the first, each with what it needs.

`words` holds a JSON file below `/python`, a list of cells: `id`, `source`, and `run`, whether it runs itself.
Prints a JSON line a cell and way: `way`, `id`, `shows`, `error`, `seconds`.
"""

import json
import os
import sys
import time
import types
from pathlib import Path

from helpers.in_browser import pytorch, site

pytorch.findable()
import torch  # noqa: E402, F401  # the stand-in

site.FOLDER = Path("/python")
if Path("/python/model").exists():  # as on the site
    os.makedirs("/_static/live")
    os.symlink("/python/model", "/_static/live/model")

from helpers.on_page import cells as page  # noqa: E402
from helpers.on_page import shell  # noqa: E402


def shown(heard, wanted):
    """What a cell shows, as text."""
    parts, places = [], {}
    for one in heard:
        if one["cell"] != wanted or one["kind"] in ("begin", "end"):
            continue
        if one["kind"] == "update":
            parts[places[one["display"]]] = one["data"]["text/plain"] + "\n"
            continue
        places[one.get("display")] = len(parts)
        parts.append(one["text"] if "text" in one else one["data"]["text/plain"] + "\n")
    return "".join(parts)


def main(file):
    """Run all of them both ways."""
    listed = json.loads(Path("/python", file).read_text("utf-8"))
    cells = [page.Cell(place, one["id"], one["source"]) for place, one in enumerate(listed)]
    runs = [cell for cell, one in zip(cells, listed, strict=True) if one["run"]]
    for way, order in {"in order": runs, "backward": runs[::-1]}.items():
        space = types.ModuleType("__main__").__dict__
        notebook = page.Notebook(space)
        shell.begin(notebook.shell)
        for cell in order:
            heard, begun = [], time.perf_counter()
            said = notebook.run(cells, cell, heard.append, alone=way == "in order")
            about = {"way": way, "id": cell.id, "seconds": round(time.perf_counter() - begun, 1)}
            error = said.get("text", said["error"]) if "error" in said else None
            print(json.dumps({**about, "shows": shown(heard, cell.id), "error": error}), flush=True)


os.environ["COURSE_FIGURES_AS_SVG"] = "yes"
os.environ["MPLBACKEND"] = "agg"
sys.setrecursionlimit(1000)
main(*words)  # noqa: F821 - `in_pyodide.mjs` sets `words`
