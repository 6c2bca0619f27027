"""Lay out what the kernel in the browser loads: Pyodide, packages that notebooks begin with, the course.

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

from tools.lite import engine
from tools.shell import ROOT, Stop
from tools.versions import PYODIDE

CDN = f"https://cdn.jsdelivr.net/pyodide/v{PYODIDE.partition('@')[2]}/full/"
FOLDER = "static/kernel"
"""Where it lies, below `lite/`."""

COURSE = "attention-course"
ASKED = ("ipython", "micropip", "numpy", "traitlets")
"""Packages of Pyodide's release that a kernel begins with; what they need comes with them."""

LATER = ("matplotlib",)
"""Those that are fetched when something is first drawn."""

BESIDE = {"comm": "0.2.3", "ipython-pygments-lexers": "1.1.1"}
"""What the kernel needs and Pyodide's release does not have."""

NOT_NEEDED = ("pytz", "fonttools", "prompt-toolkit", "wcwidth")
"""What entries name and nothing here needs: time zones and fonts in PDF for pictures, IPython's terminal."""

LEFT_OUT = {
    "ipython": r"^IPython/(terminal/(?!__init__|embed|pt_inputhooks/__init__)|sphinxext/)",
    "matplotlib": r"mpl-data/(sample_data|images|fonts/(afm|pdfcorefonts))/|/ttf/(STIX|DejaVuSe|DejaVuSansM)",
    "numpy": r"/tests/|\.(pyi|pxd|pyx|h|c|a|md|rst|txt)$|^numpy/f2py/",
    "pygments": r"^pygments/lexers/(?!__init__|_mapping|python|special|data|diff|markup)",
}
"""Files of wheels, by package, that nothing here reads: a third of what they weigh."""

REPLACED = {
    "ipython": {
        "IPython/terminal/embed.py": b"def embed(**_):\n    raise NotImplementedError('no terminal')\n"
    }
}
"""Files of wheels, by package: `import IPython` would import its terminal, 160 modules of no use here."""

HELD = ("helpers", "own")

PARTS = {"checks": COURSE, "cells": COURSE, "kernel": "pyodide-kernel", "later": "matplotlib"}
"""What is compiled ahead, with the package that brings it along."""


def assemble(lite: Path, folder: Path | None) -> dict[str, Any]:
    """Write `static/kernel` below `lite`; gives the kernel's settings.

    Args:
        lite: where JupyterLite is built from.
        folder: Pyodide's wheels (see above), or `None` for its CDN.

    Raises:
        Stop: when the folder lacks a wheel, or holds another than Pyodide's release.
    """
    out = lite / FOLDER
    out.mkdir(parents=True)
    lock = json.loads((engine.pyodide() / "pyodide-lock.json").read_text("utf-8"))
    release = lock["packages"]
    names = with_what_they_need((*ASKED, *LATER), release)
    if folder:
        for file in engine.RUNTIME:
            shutil.copyfile(engine.pyodide() / file, out / file)
    fetched = [one for one in map(release.get, names) if _from_pypi(one, folder)]
    wanted = {one["name"]: one["version"] for one in fetched} | BESIDE
    engine.wheels([f"{name}=={version}" for name, version in wanted.items()])  # pip takes a second to start
    kept = {name: package_entry(release[name], folder, out) for name in names}
    _add_kernel(kept, out)
    kept[COURSE] = entry(COURSE, course_wheel(out), ["helpers"], ["numpy", "ipython"])
    lock["packages"] = dict(sorted(kept.items()))
    (out / "pyodide-lock.json").write_text(json.dumps(lock), "utf-8")
    at_start = with_what_they_need(ASKED, kept)
    settings = {
        "pyodideUrl": f"./{FOLDER}/pyodide.mjs" if folder else f"{CDN}pyodide.mjs",
        "disablePyPIFallback": True,
        "loadPyodideOptions": {
            "lockFileURL": f"./{FOLDER}/pyodide-lock.json",
            "stdLibURL": f"./{FOLDER}/stdlib.zip",
            "packages": [*at_start, "comm", "ipykernel", "jedi", "piplite", "pyodide-kernel", COURSE],
        },
    }
    return settings


def compile_ahead(lite: Path) -> None:
    """Compile what a kernel imports, with Pyodide itself under Node.js: a browser would do so at every start.

    Raises:
        Stop: when it cannot be run.
    """
    out = lite / FOLDER
    words = run_by_pyodide(lite, Path(__file__).with_name("compiling.py"))
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


def run_by_pyodide(lite: Path, file: Path, *words: str) -> list[str | Path]:
    """The command that runs a Python file in Pyodide under Node.js, with what lies in `lite`.

    Raises:
        Stop: without Node.js.
    """
    node = shutil.which("node")
    if not node:
        raise Stop("The site needs Node.js, to run Pyodide: install it, then run this again.")
    return [node, Path(__file__).with_name("in_pyodide.mjs"), engine.pyodide(), lite, ROOT, file, *words]


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
    """A package's entry: what is Python alone lies in the site, other wheels there too or on the CDN."""
    name, depends = package["file_name"], [one for one in package["depends"] if _plain(one) not in NOT_NEEDED]
    if _from_pypi(package, folder):
        wheel = engine.wheels([f"{package['name']}=={package['version']}"]) / name
        lighter = digest(_lighter(wheel, out))
        return {**package, "depends": depends, "sha256": lighter, "unvendored_tests": False}
    if not folder:
        return {**package, "depends": depends, "file_name": CDN + name}
    if not (folder / name).exists():
        raise Stop(f"{folder} has no {name}: it should hold the wheels of {PYODIDE}.")
    if digest(folder / name) != package["sha256"]:
        raise Stop(f"{folder / name} is not that of {PYODIDE}: its SHA-256 differs.")
    return {**package, "depends": depends, "sha256": digest(_lighter(folder / name, out))}


def _from_pypi(package: Mapping[str, Any], folder: Path | None) -> bool:
    """Whether it is Python alone, and not among the wheels that we have."""
    name = package["file_name"]
    return "none-any" in name and not (folder and (folder / name).exists())


def _lighter(wheel: Path, out: Path) -> Path:
    """A copy of a wheel, without what `LEFT_OUT` names, and with what `REPLACED` has."""
    package = wheel.name.split("-")[0]
    pattern, replaced = LEFT_OUT.get(package), REPLACED.get(package, {})
    if not pattern:
        return Path(shutil.copyfile(wheel, out / wheel.name))
    with zipfile.ZipFile(wheel) as whole, zipfile.ZipFile(out / wheel.name, "w") as kept:
        for item in whole.infolist():
            if not re.search(pattern, item.filename):
                data = replaced.get(item.filename) or whole.read(item)
                kept.writestr(item, data, zipfile.ZIP_DEFLATED)
    return out / wheel.name


def _add_kernel(kept: dict[str, Any], out: Path) -> None:
    """The kernel's own packages, which no release of Pyodide has."""
    for name, version in BESIDE.items():
        wheel = next(engine.wheels([f"{name}=={version}"]).glob(f"{name.replace('-', '_')}-{version}-*.whl"))
        kept[name] = entry(name, shutil.copyfile(wheel, out / wheel.name), [name.replace("-", "_")], [])
    kept["ipython"] = {
        **kept["ipython"],
        "depends": [*kept["ipython"]["depends"], "ipython-pygments-lexers"],
    }
    for name in ("ipykernel", "piplite", "pyodide_kernel"):
        wheel = next(engine.server_extensions().glob(f"{name}-*.whl"))
        package = name.replace("_", "-")
        kept[package] = entry(package, shutil.copyfile(wheel, out / wheel.name), [name], [])
    # The kernel asks for Jedi; without it names are completed from what is there when the notebook runs.
    kept["jedi"] = entry("jedi", _wheel(out / "jedi-0-py3-none-any.whl", {}), [], [])


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
