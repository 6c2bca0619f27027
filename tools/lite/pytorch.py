"""Lay PyTorch's wheel for Pyodide into the edition in the browser, where whoever builds the site gives one.

A reader's browser fetches it only when asked, see `page/pytorch.js`; without it the stand-in for PyTorch goes
on (`helpers/in_browser/stand_in/`). What is laid is verified by its SHA-256 here, and by each browser again.
"""

import json
import re
import shutil
import urllib.error
import urllib.request
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tools.lite import engine, runtime
from tools.shell import Stop
from tools.versions import PYTORCH_SHA256, PYTORCH_WHEEL

FOLDER = "pytorch"
"""Where it lies, below `lite/`."""

ABOUT = f"{FOLDER}/about.json"
NAME = re.compile(r"torch-([\d.]+)\S*-cp314-cp314-pyemscripten_2026_0_wasm32\.whl")
NEEDS = ("sympy", "typing-extensions")
"""What PyTorch imports for the course, and Pyodide's release has."""

KNOWN = {PYTORCH_WHEEL: PYTORCH_SHA256}


def wheel(given: str, kept: Path, sha256: str = "") -> Path:
    """The wheel that somebody names, verified.

    Args:
        given: a file, or an https address.
        kept: the folder that keeps what is fetched.
        sha256: its checksum, where the course does not know the wheel.

    Raises:
        Stop: for a wheel that is not for this Pyodide, has no or another checksum, or does not come.
    """
    name = urllib.request.unquote(given.rpartition("/")[2]) if "://" in given else Path(given).name
    if not NAME.fullmatch(name):
        raise Stop(f"PYTORCH should name a wheel like {PYTORCH_WHEEL}; got {given}")
    wanted = sha256 or KNOWN.get(name)
    if not wanted:
        raise Stop(f"The course knows no checksum of {name}: give PYTORCH_SHA256, as its maker states it.")
    file = _fetched(given, kept / name, wanted) if "://" in given else Path(given)
    if not file.is_file():
        raise Stop(f"PYTORCH names {file}, and there is no such file.")
    if (found := runtime.digest(file)) != wanted:
        raise Stop(f"{name} has the SHA-256 {found}; expected {wanted}.")
    return file


def _fetched(address: str, to: Path, wanted: str) -> Path:
    """A file fetched from an address, unless it is there with that checksum."""
    if to.is_file() and runtime.digest(to) == wanted:
        return to
    if not address.startswith("https://"):
        raise Stop(f"PYTORCH should be a file or an address with https://; got {address}")
    to.parent.mkdir(parents=True, exist_ok=True)
    try:
        with urllib.request.urlopen(address) as answer, to.open("wb") as out:
            shutil.copyfileobj(answer, out)
    except (OSError, urllib.error.URLError) as error:
        to.unlink(missing_ok=True)
        raise Stop(f"PyTorch's wheel could not be fetched from {address}: {error}") from None
    return to


def lay(lite: Path, file: Path, pyodide: Path | None) -> None:
    """Write it, and what it needs, below `lite`, and add them to the kernel's list of packages.

    Nothing that a cell imports brings them: the list names no modules that they have.

    Args:
        lite: where JupyterLite is built from.
        file: the wheel.
        pyodide: the folder with Pyodide's wheels, if any.
    """
    out, listed = lite / FOLDER, lite / runtime.FOLDER / "pyodide-lock.json"
    out.mkdir()
    release = json.loads((engine.pyodide() / "pyodide-lock.json").read_text("utf-8"))["packages"]
    lock = json.loads(listed.read_text("utf-8"))
    needs = runtime.with_what_they_need(NEEDS, release)
    new = [name for name in needs if name not in lock["packages"]]
    entries = {name: runtime.package_entry(release[name], pyodide, out) for name in new}
    shutil.copyfile(file, out / file.name)
    entries["torch"] = runtime.entry("torch", out / file.name, [], [*needs, "numpy"])
    for one in entries.values():
        one |= {"file_name": f"../../{FOLDER}/{one['file_name']}", "imports": []}
    told = {"version": NAME.fullmatch(file.name)[1], "files": [*_files(out, entries.values())]}
    (lite / ABOUT).write_text(json.dumps(told), "utf-8")
    lock["packages"] |= entries
    listed.write_text(json.dumps(lock), "utf-8")


def _files(out: Path, entries: Iterable[Mapping[str, Any]]) -> Iterable[dict[str, Any]]:
    for one in entries:
        name = Path(one["file_name"]).name
        yield {"name": name, "bytes": (out / name).stat().st_size, "sha256": one["sha256"]}


def about(lite: Path) -> dict[str, Any] | None:
    """Its version and files, as the page is told; `None` where the site has none."""
    file = lite / ABOUT
    return json.loads(file.read_text("utf-8")) if file.exists() else None
