"""Lay out what a page's Python loads: Pyodide, NumPy and Matplotlib, and the course.

By default Pyodide and its compiled packages come from its CDN. With a folder of Pyodide's own wheels all are
copied into the site, which then asks nothing of any other server.
"""

import hashlib
import json
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tools.in_browser import engine
from tools.shell import ROOT, Stop
from tools.versions import PYODIDE

CDN = f"https://cdn.jsdelivr.net/pyodide/v{PYODIDE.partition('@')[2]}/full/"
PACKAGES = "packages"
"""Where it lies, below `python/`."""

COURSE = "attention-course"
ASKED = ("numpy",)
"""The package of Pyodide's release that a check needs."""

LATER = ("matplotlib",)
"""Those that are fetched when something is first drawn; what they need comes with them."""

NOT_NEEDED = ("pytz", "fonttools")
"""What entries name and nothing here needs: time zones, and fonts in PDF."""

LEFT_OUT = {
    "matplotlib": r"mpl-data/(sample_data|images|fonts/(afm|pdfcorefonts))/|/ttf/(STIX|DejaVuSe|DejaVuSansM)",
    "numpy": r"/tests/|\.(pyi|pxd|pyx|h|c|a|md|rst|txt)$|^numpy/f2py/",
}
"""Files of wheels, by package, that nothing here reads: a third of what they weigh."""

HELD = ("helpers", "own")

PARTS = {"checks": COURSE, "cells": COURSE, "later": "matplotlib"}
"""What is compiled ahead, with the package that brings it along."""


def assemble(out: Path, folder: Path | None) -> str:
    """Write `packages/` below `out`; gives the address of Pyodide, which may be one below `out`.

    Args:
        out: the site's `python/`.
        folder: Pyodide's wheels (see above), or `None` for its CDN.

    Raises:
        Stop: when the folder lacks a wheel, or holds another than Pyodide's release.
    """
    packages = out / PACKAGES
    packages.mkdir(parents=True)
    lock = json.loads((engine.pyodide() / "pyodide-lock.json").read_text("utf-8"))
    release = lock["packages"]
    if folder:
        for file in engine.RUNTIME:
            shutil.copyfile(engine.pyodide() / file, packages / file)
    names = with_what_they_need((*ASKED, *LATER), release)
    kept = {name: package_entry(release[name], folder, packages) for name in names}
    kept[COURSE] = entry(COURSE, course_wheel(packages), ["helpers"], ["numpy"])
    lock["packages"] = dict(sorted(kept.items()))
    (packages / "pyodide-lock.json").write_text(json.dumps(lock), "utf-8")
    return f"./{PACKAGES}/" if folder else CDN


def compile_ahead(folder: Path) -> None:
    """Compile what a page imports, with Pyodide itself under Node.js: a browser would do so at every start.

    Raises:
        Stop: when it cannot be run.
    """
    out = folder / PACKAGES
    words = run_by_pyodide(folder, Path(__file__).with_name("compiling.py"))
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Stop(f"Pyodide could not compile its packages: {done.stderr.strip()[-1000:]}")
    lock = json.loads((out / "pyodide-lock.json").read_text("utf-8"))
    for part, package in PARTS.items():
        name = f"compiled-{part}"
        with zipfile.ZipFile(out / f"{part}.zip") as made:
            files = {item: made.read(item) for item in made.namelist()}
        version = f"0.{int(digest(out / f'{part}.zip')[:12], 16)}"
        wheel = _wheel(out / f"compiled_{part}-{version}-py3-none-any.whl", files)
        (out / f"{part}.zip").unlink()
        lock["packages"][name] = entry(name, wheel, [], [])
        lock["packages"][package]["depends"].append(name)
    (out / "pyodide-lock.json").write_text(json.dumps(lock), "utf-8")


def run_by_pyodide(folder: Path, file: Path, *words: str) -> list[str | Path]:
    """The command that runs a Python file in Pyodide under Node.js, with what lies in the site's `python/`.

    Raises:
        Stop: without Node.js.
    """
    node = shutil.which("node")
    if not node:
        raise Stop("The site needs Node.js, to run Pyodide: install it, then run this again.")
    return [node, Path(__file__).with_name("in_pyodide.mjs"), engine.pyodide(), folder, ROOT, file, *words]


def with_what_they_need(names: Iterable[str], release: Mapping[str, Any]) -> list[str]:
    """Names of packages, with those of all that they need."""
    found: list[str] = []
    waiting = list(names)
    while waiting:
        name = _plain(waiting.pop(0))
        if name not in found and name not in NOT_NEEDED:
            found.append(name)
            waiting += release[name]["depends"]
    return found


def _plain(name: str) -> str:
    """A package's name, in the one of its spellings that lists use."""
    return re.sub(r"[-_.]+", "-", name.lower())


def package_entry(package: Mapping[str, Any], folder: Path | None, out: Path) -> dict[str, Any]:
    """A package's entry: its wheel lies in the site, or on the CDN."""
    name, depends = package["file_name"], [one for one in package["depends"] if _plain(one) not in NOT_NEEDED]
    if not folder:
        return {**package, "depends": depends, "file_name": CDN + name}
    if not (folder / name).exists():
        raise Stop(f"{folder} has no {name}: it should hold the wheels of {PYODIDE}.")
    if digest(folder / name) != package["sha256"]:
        raise Stop(f"{folder / name} is not that of {PYODIDE}: its SHA-256 differs.")
    return {
        **package,
        "depends": depends,
        "sha256": digest(_lighter(folder / name, out)),
        "unvendored_tests": False,
    }


def _lighter(wheel: Path, out: Path) -> Path:
    """A copy of a wheel, without what `LEFT_OUT` names."""
    pattern = LEFT_OUT.get(wheel.name.split("-")[0])
    if not pattern:
        return Path(shutil.copyfile(wheel, out / wheel.name))
    with zipfile.ZipFile(wheel) as whole, zipfile.ZipFile(out / wheel.name, "w") as kept:
        for item in whole.infolist():
            if not re.search(pattern, item.filename):
                kept.writestr(item, whole.read(item), zipfile.ZIP_DEFLATED)
    return out / wheel.name


def entry(name: str, wheel: Path, imports: list[str], depends: list[str]) -> dict[str, Any]:
    """A package as Pyodide's list names it."""
    return {
        "name": name,
        "version": Path(wheel).name.split("-")[1],
        "file_name": Path(wheel).name,
        "install_dir": "site",
        "sha256": digest(Path(wheel)),
        "imports": imports,
        "depends": depends,
        "package_type": "package",
        "unvendored_tests": False,
    }


def digest(file: Path) -> str:
    """A file's SHA-256."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def course_wheel(out: Path) -> Path:
    """The helpers as a wheel, named after what is in it.

    A new name for each change: what a browser has kept of an older course is then never taken for the new.
    """
    files = {}
    for part in HELD:
        for path in sorted((ROOT / part).rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                files[path.relative_to(ROOT).as_posix()] = path.read_bytes()
    said = hashlib.sha256(b"".join(name.encode() + data for name, data in files.items())).hexdigest()[:12]
    return _wheel(out / f"attention_course-0.{int(said, 16)}-py3-none-any.whl", files)


def _wheel(path: Path, files: Mapping[str, bytes]) -> Path:
    """A zip file with what Pyodide asks of a wheel."""
    name, version = path.name.split("-")[:2]
    about = f"{name}-{version}.dist-info"
    texts = {
        "METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        "WHEEL": "Wheel-Version: 1.0\nGenerator: course\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "RECORD": "",
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for inner, data in {
            **files,
            **{f"{about}/{one}": text.encode() for one, text in texts.items()},
        }.items():
            wheel.writestr(zipfile.ZipInfo(inner, (2020, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
    return path
