"""The site's service worker: it keeps what a visit has loaded, for the next one."""

import hashlib
from pathlib import Path

from tools.in_browser import runtime

_SCRIPT = Path(__file__).with_name("service-worker.js")


def write(site: Path, folder: Path, engine: str) -> None:
    """Write it into the built site; each file's content counts for its version.

    Args:
        site: the site.
        folder: its `python/`, with all else in it.
        engine: where Pyodide comes from.
    """
    elsewhere = engine if engine == runtime.CDN else ""
    text = _SCRIPT.read_text("utf-8").replace("{version}", _version(folder))
    (site / _SCRIPT.name).write_text(text.replace("{engine}", elsewhere), "utf-8")


def _version(folder: Path) -> str:
    """What stands for all files below a folder: it changes with any of them."""
    said = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            said.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return said.hexdigest()[:12]
