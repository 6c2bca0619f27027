"""Pyodide, which is Python in a browser: its runtime, fetched from npm once into build/."""

import shutil
from pathlib import Path

from tools import npm
from tools.shell import ROOT
from tools.versions import PYODIDE

RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
"""Pyodide itself; its standard library is compiled first."""

_PYODIDE = ROOT / "build" / PYODIDE


def pyodide() -> Path:
    """The folder with Pyodide's runtime and its lock file.

    Raises:
        Stop: when npm is missing or does not bring it.
    """
    if not (_PYODIDE / "done").exists():
        with npm.unpacked(PYODIDE, "The site") as package:
            shutil.rmtree(_PYODIDE, ignore_errors=True)
            shutil.copytree(package, _PYODIDE)
        (_PYODIDE / "done").touch()
    return _PYODIDE
