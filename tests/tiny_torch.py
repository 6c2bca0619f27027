"""A small wheel under the name of PyTorch's, laid into a copy of a built site: the stand-in itself."""

import json
import os
import shutil
import zipfile
from pathlib import Path

from helpers.in_browser.pytorch import STAND_IN
from tools.lite import page, pytorch, runtime
from tools.versions import PYTORCH_WHEEL

ITS_OWN = "\ndel STAND_IN\n__version__ = '2.13.0+tiny'\n"
"""What makes it PyTorch: it does not say that it is a stand-in."""


def wheel(folder: Path, *, ends: str = ITS_OWN) -> Path:
    """Write the wheel; `ends` is put below the stand-in's own code."""
    path, about = folder / PYTORCH_WHEEL, "torch-2.13.0+pyodide314.0.2.dist-info"
    with zipfile.ZipFile(path, "w") as made:
        for file in sorted(Path(STAND_IN).rglob("*")):
            if file.suffix in (".py", ".txt"):
                inner = file.relative_to(STAND_IN).as_posix()
                more = ends if inner == "torch/__init__.py" else ""
                made.writestr(inner, file.read_text("utf-8") + more)
        tag = "Root-Is-Purelib: false\nTag: cp314-cp314-pyemscripten_2026_0_wasm32\n"
        made.writestr(f"{about}/WHEEL", f"Wheel-Version: 1.0\nGenerator: test\n{tag}")
        made.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: torch\nVersion: 2.13.0\n")
        made.writestr(f"{about}/RECORD", "")
    return path


def laid(site: Path, to: Path, file: Path, pyodide: Path | None) -> Path:
    """A copy of a built site that has this wheel, as `make site PYTORCH=...` lays it."""
    shutil.copytree(site, to, copy_function=os.link)
    lite = to / "lite"
    changed = [lite / runtime.FOLDER / "pyodide-lock.json", lite / "lab" / "index.html", page.kernel(lite)]
    for one in changed:  # no longer the same file as the site's
        text = one.read_text("utf-8")
        one.unlink()
        one.write_text(text, "utf-8")
    pytorch.lay(lite, file, pyodide)
    for one in changed[1:]:
        text = one.read_text("utf-8")
        assert text.count(page.WITHOUT_PYTORCH) == 1
        told = f"const PYTORCH = {json.dumps(page.told_of_pytorch(lite))};"
        one.write_text(text.replace(page.WITHOUT_PYTORCH, told), "utf-8")
    return to
