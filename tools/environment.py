"""Make `.venv` and keep it up to date; repair one that was left half-made.

`.venv/.ready` is the stamp, written last: while it fits, there is nothing to do. `.venv/.installing` exists
while packages are written. A run that finds it follows one that was killed; since half-written packages look
installed to pip, it starts from an empty `.venv`. A failed download writes nothing, and all is kept.

A learner gets what the notebooks need and no more; grading and the tests add to it when first asked for.
"""

import hashlib
import importlib.util
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from tools import packages
from tools.shell import LOG, ROOT, Stop, call_name, lent_venv, venv_python

NO_VENV = (
    "This Python cannot make virtual environments: on Debian or Ubuntu run `sudo apt install python3-venv`, "
    f"elsewhere install Python from python.org, then run `{call_name('setup')}` again."
)
EXTRAS = {
    "course": ("JupyterLab and nbgrader", "100 MB"),
    "grading": ("JupyterLab, nbgrader and the grader", "110 MB"),
    "hub": ("JupyterLab, nbgrader, the grader and JupyterHub", "140 MB"),
    "dev": ("JupyterLab, nbgrader, the grader, JupyterHub and the tests", "230 MB"),
}
"""pyproject.toml's extras, each of which holds those before it: what it is called, what it downloads."""
LENT = "grading"
"""The extra that a container brings."""

PINS = ("pyproject.toml", "constraints.txt")
"""What says what to install."""

QUIET = {"PIP_NO_INPUT": "1", "PIP_PROGRESS_BAR": "off", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
HALF_WRITTEN = "Installing collected packages|Failed to install"
"""What pip and uv write when they have begun to write packages."""
# What pip and uv write when something outside the course is wrong, and what to do about it.
CAUSES = {
    r"No space left|Errno 28|os error 28": "the disk is full: free some space (about 3 GB)",
    r"Permission denied|Errno 13": "a folder is not writable: check who owns .venv and pip's cache",
    r"NewConnectionError|NameResolution|Max retries|Read timed out|ConnectTimeout|ProxyError"
    r"|Connection (broken|refused|reset)|dns error|error sending request|tcp connect": (
        "the package index cannot be reached: check the internet connection (and the proxy, if you need one)"
    ),
    r"(?i)no matching distribution|Resolution-?Impossible|resolution-?too-?deep|no solution found": (
        "no version fits this Python and system, or the package index did not answer: check the internet "
        "connection, or try another Python from 3.11 to 3.14"
    ),
}


def fingerprint(root: Path, extra: str) -> str:
    """Return the stamp: where the course lies, a digest of what says what to install, the extra."""
    digest = hashlib.sha256()
    for name in PINS:
        digest.update((root / name).read_bytes())
    return f"{root}\n{digest.hexdigest()}\n{extra}\n"


def stamped(root: Path) -> str:
    """Return the stamp, or nothing if there is none."""
    try:
        return (root / ".venv" / ".ready").read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def runs(python: Path, code: str) -> bool:
    """Tell whether a Python exists and can run the code."""
    try:
        return subprocess.run([python, "-c", code], capture_output=True).returncode == 0
    except OSError:
        return False


def stamped_extra(root: Path) -> str:
    """Return the last line of the stamp: which extra is there."""
    return stamped(root).rstrip("\n").rpartition("\n")[2]


def largest(*extras: str) -> str:
    """Return the extra that holds the others; one that nobody knows holds nothing."""
    return max(extras, key=lambda extra: [*EXTRAS].index(extra) if extra in EXTRAS else -1)


def is_ready(root: Path, extra: str = "dev") -> bool:
    """Tell whether `.venv` is up to date and has all of an extra."""
    stamp = stamped(root)
    return stamp == fingerprint(root, largest(extra, stamped_extra(root))) and runs(venv_python(root), "")


def is_sound(root: Path) -> bool:
    """Tell whether `.venv` can be built upon: not interrupted, not moved here, and its pip works."""
    stamp = stamped(root)
    moved = stamp != "" and not stamp.startswith(f"{root}\n")
    interrupted = (root / ".venv" / ".installing").exists()
    return not moved and not interrupted and runs(venv_python(root), "import pip, encodings")


def advice(output: str) -> str:
    """Say in half a sentence why an installation failed."""
    for pattern, cause in CAUSES.items():
        if re.search(pattern, output):
            return cause
    errors = re.findall(r"^(?:ERROR|error): (.+)$", output, re.MULTILINE)
    return (errors[-1] if errors else "the log says why").rstrip(".")


class Ticker:
    """Shows people who watch pip's newest line in place, and the seconds go by; logs get none of it."""

    def __init__(self) -> None:
        self.line = ""
        self._start = time.monotonic()
        self._done = threading.Event()

    def _show(self) -> None:
        while not self._done.wait(1):
            seconds = time.monotonic() - self._start
            print(f"\r\033[K{seconds:4.0f} s  {self.line.strip()[:66]}", end="", flush=True)
        print("\r\033[K", end="", flush=True)

    @contextmanager
    def running(self) -> Iterator["Ticker"]:
        """Tick until the block ends."""
        thread = threading.Thread(target=self._show, daemon=True) if sys.stdout.isatty() else None
        if thread:
            thread.start()
        try:
            yield self
        finally:
            self._done.set()
            if thread:
                thread.join()


def run_logged(
    argv: Sequence[str | Path], log: Path, more: Mapping[str, str] | None = None
) -> tuple[int, str]:
    """Run a program, append what it prints to the log, and return its exit code and its output."""
    environ = {**os.environ, **QUIET, **(more or {})}
    words = [str(word) for word in argv]
    output = []
    with log.open("a", encoding="utf-8") as file, Ticker().running() as ticker:
        file.write(f"$ {' '.join(words)}\n")
        with subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environ, text=True, errors="replace"
        ) as process:
            for line in process.stdout or ():
                file.write(line)
                file.flush()
                ticker.line = line
                output.append(line)
    return process.returncode, "".join(output)


def installer(root: Path) -> Callable[..., None]:
    """Return a function that runs one installing command, or stops with a sentence."""
    marker = root / ".venv" / ".installing"

    def install(argv: Sequence[str | Path], what: str, environ: Mapping[str, str] | None = None) -> None:
        print(f"Installing {what} ...", flush=True)
        marker.touch()
        start = time.monotonic()
        code, output = run_logged(argv, root / LOG, environ)
        half_written = code < 0 or (code > 0 and re.search(HALF_WRITTEN, output) is not None)
        if not half_written:
            marker.unlink(missing_ok=True)
        if code != 0:
            again = f"then run `{call_name('setup')}` again, which goes on from here"
            raise Stop(f"Could not install {what}: {advice(output)}; {again} (the full output is in {LOG}).")
        print(f"  done in {time.monotonic() - start:.0f} seconds.", flush=True)

    return install


def refuse_link(root: Path) -> None:
    """Stop before a linked folder is emptied that set-up did not fill: it may be another course's."""
    venv = root / ".venv"
    ours = stamped(root).startswith(f"{root}\n") or (venv / ".installing").exists()
    if venv.is_symlink() and venv.exists() and any(venv.iterdir()) and not ours:
        raise Stop(
            f".venv is a link to {venv.resolve()}, which was not made for this folder and would be emptied: "
            f"delete the link, then run `{call_name('setup')}` again."
        )


def make_venv(root: Path) -> None:
    """Make an empty `.venv`, in place of a broken one if need be."""
    if not all(importlib.util.find_spec(name) for name in ("venv", "ensurepip")):
        raise Stop(NO_VENV)
    print(f"Making .venv with Python {sys.version.split()[0]} ...", flush=True)
    python = getattr(sys, "_base_executable", sys.executable)  # we may run in the very .venv that is cleared
    code, output = run_logged([python, "-m", "venv", "--clear", root / ".venv"], root / LOG)
    if code != 0:
        sentence = f"Could not make .venv: {advice(output)} (the full output is in {LOG})."
        raise Stop(NO_VENV if "ensurepip" in output else sentence)


def refuse_other(lent: Path, extra: str, root: Path = ROOT) -> None:
    """Stop where a container was built for other packages than the course names, or for less.

    Raises:
        Stop: the sentence that says so.
    """
    if extra not in ("course", LENT):
        raise Stop(
            "This container can open the course and grade, and has not got what tests and tools need: run "
            "this command outside of it."
        )
    for name in PINS:
        if not (lent / name).exists() or (lent / name).read_bytes() != (root / name).read_bytes():
            raise Stop(
                f"This container was built for another {name} than this course folder has: in the folder, "
                "outside of the container, build it again (`podman build -t course .`)."
            )


def ensure(extra: str = "dev", root: Path = ROOT) -> None:
    """Make `.venv` hold an extra of pyproject.toml, pinned by constraints.txt, or stop with a sentence."""
    lent = lent_venv()
    if lent:
        return refuse_other(lent, extra, root)
    if is_ready(root, extra):
        return
    (root / LOG).write_text("", "utf-8")
    extra = largest(extra, stamped_extra(root))
    if not is_sound(root):
        refuse_link(root)
        announce(extra)
        make_venv(root)
    (root / ".venv" / ".ready").unlink(missing_ok=True)
    what, size = EXTRAS[extra]
    said = f"{what} (about {size})"
    packages.fill(venv_python(root), root / "constraints.txt", f"{root}[{extra}]", said, installer(root))
    (root / ".venv" / ".ready").write_text(fingerprint(root, extra), "utf-8")
    print("Ready.", flush=True)


def announce(extra: str) -> None:
    """Say what will happen: what, how much, how long."""
    print(
        f"The first start sets the course up in .venv: PyTorch (about {packages.SIZE} to download) and "
        f"{EXTRAS[extra][0]} (about {EXTRAS[extra][1]}), some 1.5 GB on disk.\n"
        "It takes 1 to 5 minutes, once: most of that is the download. After an interruption the same command "
        "goes on.",
        flush=True,
    )
