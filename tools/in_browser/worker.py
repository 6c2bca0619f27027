"""The worker that runs answers and cells of a page: `python/worker.js`, with the list of what it begins with.

`keep.js` beside it lets the site's service worker keep all that.
"""

import base64
import json
import shutil
from pathlib import Path
from typing import Any

from helpers.units import UNITS
from tools.in_browser import engine, runtime

NAMES = ("numpy", runtime.COURSE, "compiled-checks")
"""The packages that a first verdict needs."""

CELLS = ("compiled-cells",)
"""Those that a first cell needs besides."""


def write(out: Path, place: str) -> None:
    """Write the worker.

    Args:
        out: the site's `python/`, with what the worker loads.
        place: the address of Pyodide.
    """
    here = Path(__file__).parent
    shutil.copy(here / "keep.js", out)
    worker = (here / "worker.js").read_text("utf-8")
    (out / "worker.js").write_text(worker.replace('"{settings}"', json.dumps(_begins_with(out, place))))


def _begins_with(out: Path, place: str) -> dict[str, Any]:
    folder = out / runtime.PACKAGES
    lock = json.loads((folder / "pyodide-lock.json").read_text("utf-8"))
    release = lock["packages"]
    drawing = [one for one in runtime.with_what_they_need(runtime.LATER, release) if one not in NAMES]
    known = {name: release[name] | {"depends": []} for name in (*NAMES, *CELLS, *drawing) if name in release}
    machine = "pyodide.asm.wasm"  # the two scripts are imported, not fetched
    stdlib = f"./{runtime.PACKAGES}/stdlib.zip"
    files: dict[str, Any] = {
        place + machine: {"bytes": (engine.pyodide() / machine).stat().st_size},
        stdlib: {"bytes": (folder / "stdlib.zip").stat().st_size},
    }
    for package in (known[name] for name in NAMES):
        name, here = package["file_name"], folder / package["file_name"]
        files[name if name.startswith("https:") else f"./{runtime.PACKAGES}/{name}"] = {
            "bytes": here.stat().st_size
            if here.exists()
            else 0,  # nobody has said how large those of the CDN are
            "sha256": base64.b64encode(bytes.fromhex(package["sha256"])).decode(),
        }
    return {
        "engine": place,
        "files": files,
        "lock": lock | {"packages": known},
        "stdlib": stdlib,
        "names": list(NAMES),
        "cells": list(CELLS),
        "drawing": drawing,
        "recorded": list(UNITS.values()),
    }
