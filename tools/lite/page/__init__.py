"""The page of the edition in the browser: the line above the notebook, and what the next visit finds kept."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tools.lite import runtime
from tools.versions import JUPYTERLITE

_HERE = Path(__file__).parent
_ALSO = (
    "static/kernel/",
    "answers/",
    "extensions/",
    "recorded/",
    "files/",
    "api/",
    "lab/",
    "notebooks/",
    "tree/",
    "edit/",
)
"""What a learner without a connection may need, whatever the first visit has loaded."""

WHOLE = {"lab": 7_100_000, "notebooks": 6_900_000}
"""Bytes, unpacked, that a visit has loaded when its first cell is there; the bar counts towards it."""

NAMES = {"lab": "JupyterLab", "notebooks": "Jupyter Notebook"}
"""What surrounds a notebook, by the folder of its page: all there is, or the notebook alone."""

_SCRIPTS = (
    "door",
    "meanwhile",
    "line",
    "start",
    "screen",
    "saving",
    "python",
    "asked",
    "files",
    "names",
)
"""In their order: each may use what those before it have made."""


def write(lite: Path) -> None:
    """Put them into the built `lite/`; to be called last, as each file's content counts."""
    for app in NAMES:
        _write_page(lite, app)
    (lite / "service-worker.js").rename(lite / "jupyterlite-worker.js")
    also = [one for one in _below(lite) if one.startswith(_ALSO)]
    worker = (_HERE / "service-worker.js").read_text("utf-8")
    filled = {"{version}": _version(lite), "{also}": json.dumps(also), "{engine}": _engine(lite)}
    (lite / "service-worker.js").write_text(_filled(worker, filled), "utf-8")


def _write_page(lite: Path, app: str) -> None:
    page = lite / app / "index.html"
    start = "\n".join((_HERE / f"{name}.js").read_text("utf-8") for name in _SCRIPTS)
    gaps = {
        "{whole}": str(WHOLE[app]),
        "{app}": NAMES[app],
        "{kernel}": kernel(lite).relative_to(lite).as_posix(),
        "{jupyterlite}": JUPYTERLITE.partition("==")[2],
    }
    style = "".join((_HERE / f"{name}.css").read_text("utf-8") for name in ("start", "meanwhile"))
    text = page.read_text("utf-8").replace("<html>", '<html lang="en">', 1)
    icon = '<link rel="icon" href="favicon.ico">'
    head = f"<head>\n{icon}\n<style>\n{style}</style>\n<script>\n{_filled(start, gaps)}</script>"
    page.write_text(text.replace("<head>", head, 1), "utf-8")


def _filled(text: str, gaps: Mapping[str, str]) -> str:
    for gap, filling in gaps.items():
        text = text.replace(gap, filling)
    return text


def _below(lite: Path) -> list[str]:
    return sorted(path.relative_to(lite).as_posix() for path in lite.rglob("*") if path.is_file())


def kernel(lite: Path) -> Path:
    """The script that a kernel runs in."""
    (found,) = (lite / "extensions").rglob("comlink.worker.*.js")
    return found


def begin_kernel(lite: Path, settings: Mapping[str, Any]) -> None:
    """Let Python begin with the kernel's script, as the kernel's settings say."""
    before = (_HERE / "kernel-begins.js").read_text("utf-8").replace('"{settings}"', json.dumps(settings))
    kernel(lite).write_text(before + kernel(lite).read_text("utf-8"), "utf-8")


def _version(lite: Path) -> str:
    """What stands for all files: it changes with any of them."""
    said = hashlib.sha256()
    for name in _below(lite):
        said.update(name.encode() + (lite / name).read_bytes())
    return said.hexdigest()[:12]


def _engine(lite: Path) -> str:
    """Where the kernel takes its packages from besides this site; nothing where it asks nobody else."""
    settings = (lite / "jupyter-lite.json").read_text("utf-8")
    return runtime.CDN if runtime.CDN in settings else ""
