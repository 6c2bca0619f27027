"""What runs notebooks in a browser, fetched once into build/: JupyterLite from PyPI, Pyodide from npm.

The versions go together: the kernel is made for this Pyodide, and Pyodide for these wheels of NumPy and more.
"""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tools import borrowed, npm
from tools.shell import ROOT, Stop
from tools.versions import JUPYTERLITE, KERNEL, PYODIDE, PYODIDE_PYTHON

RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
"""Pyodide itself; its standard library is compiled first."""

_LITE, _PYODIDE = ROOT / "build" / JUPYTERLITE, ROOT / "build" / PYODIDE


def jupyterlite() -> Path:
    """The Python of an environment with JupyterLite.

    It is not in the course's own, where JupyterLab would load the browser's kernel too.
    """
    done = _LITE / "done"
    if not done.exists():
        shutil.rmtree(_LITE, ignore_errors=True)
        borrowed.environment(_LITE, JUPYTERLITE, KERNEL, options=("--disable-pip-version-check",))
        done.touch()
    return borrowed.python(_LITE)


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


def wheels(requirements: Sequence[str]) -> Path:
    """The folder with wheels of packages in Python alone, from PyPI.

    Args:
        requirements: with their versions, such as `"jedi==0.19.2"`.

    Raises:
        Stop: when pip does not bring them.
    """
    folder = _PYODIDE / "wheels"
    wanted = [one for one in requirements if not (folder / f"{one}.done").exists()]
    if wanted:
        words = ["download", "--quiet", "--no-deps", "--only-binary", ":all:"]
        words += ["--python-version", PYODIDE_PYTHON]
        pip = [jupyterlite().with_name("python"), "-m", "pip"]
        if subprocess.run([*pip, "--version"], capture_output=True, check=False).returncode:
            raise Stop("The site needs pip, to fetch what Pyodide's kernel is made of.")
        done = subprocess.run(
            [*pip, *words, "--dest", folder, *wanted], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise Stop(f"pip could not fetch {', '.join(wanted)}: {done.stderr.strip()[-300:]}")
        for one in wanted:
            (folder / f"{one}.done").touch()
    return folder


def fetch() -> None:
    """Fetch both."""
    pyodide()
    jupyterlite()


def server_extensions() -> Path:
    """Where JupyterLite's kernel keeps the wheels that it brings itself."""
    kernel = "share/jupyter/labextensions/@jupyterlite/pyodide-kernel-extension/static/pypi"
    return _LITE / kernel
