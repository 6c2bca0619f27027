"""Python for answers and cells on the pages: `lite/answers/worker.js`, with the list of what it begins with.

`keep.js` beside it lets the edition's service worker keep all that, from a page that lies elsewhere.
"""

import base64
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from helpers.units import UNITS
from tools.lite import engine, runtime

NAMES = ("numpy", runtime.COURSE, "compiled-checks")
"""The packages that a first verdict needs."""

CELLS = ("compiled-cells",)
"""Those that a first cell needs besides."""


def write(lite: Path, settings: Mapping[str, Any]) -> None:
    """Write the worker into the built `lite/`.

    Args:
        lite: with what the notebook's kernel loads.
        settings: those of that kernel.
    """
    out = lite / "answers"
    out.mkdir(exist_ok=True)
    shutil.copy(Path(__file__).with_name("keep.js"), out)
    worker = Path(__file__).with_name("worker.js").read_text("utf-8")
    (out / "worker.js").write_text(worker.replace('"{settings}"', json.dumps(_begins_with(lite, settings))))


def _begins_with(lite: Path, settings: Mapping[str, Any]) -> dict[str, Any]:
    kernel = lite / runtime.FOLDER
    lock = json.loads((kernel / "pyodide-lock.json").read_text("utf-8"))
    release = lock["packages"]
    drawing = [one for one in runtime.with_what_they_need(runtime.LATER, release) if one not in NAMES]
    known = {name: release[name] | {"depends": []} for name in (*NAMES, *CELLS, *drawing) if name in release}
    packages = {name: known[name] for name in NAMES}
    place = settings["pyodideUrl"].removesuffix("pyodide.mjs")
    stdlib = settings["loadPyodideOptions"]["stdLibURL"]
    machine = "pyodide.asm.wasm"  # the two scripts are imported, not fetched
    files: dict[str, Any] = {place + machine: {"bytes": (engine.pyodide() / machine).stat().st_size}}
    files[stdlib] = {"bytes": (lite / stdlib).stat().st_size}
    for package in packages.values():
        name, here = package["file_name"], kernel / package["file_name"]
        digest = base64.b64encode(bytes.fromhex(package["sha256"])).decode()
        at_hand = (
            here.stat().st_size if here.exists() else 0
        )  # nobody has said how large what lies on the CDN is
        files[name if name.startswith("https:") else f"./{runtime.FOLDER}/{name}"] = {
            "bytes": at_hand,
            "sha256": digest,
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
