"""Packages from npm, fetched once into build/, each at the version that `tools/versions.py` names."""

import contextlib
import json
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from tools.shell import Stop


def install(packages: Sequence[str], home: Path, wanted_by: str) -> None:
    """Install packages and what they need below `home`, once.

    Args:
        packages: with their versions, such as `["katex@0.19.1"]`.
        home: the folder that gets `node_modules`.
        wanted_by: who needs it, for the sentence where npm is missing.

    Raises:
        Stop: when npm is missing or does not bring it.
    """
    if not installed(home):
        words = ("install", "--prefix", home, "--no-audit", "--no-fund", *packages)
        _npm(words, packages[0], wanted_by)


def installed(home: Path) -> bool:
    """Whether that is done."""
    return (home / "node_modules" / ".package-lock.json").exists()  # written last


@contextlib.contextmanager
def unpacked(package: str, wanted_by: str) -> Iterator[Path]:
    """A package's own files, without what it needs, in a folder that is gone afterwards.

    Raises:
        Stop: as `install`.
    """
    with tempfile.TemporaryDirectory() as name:
        said = _npm(("pack", package, "--json", "--pack-destination", name), package, wanted_by)
        with tarfile.open(Path(name) / json.loads(said)[0]["filename"]) as packed:
            packed.extractall(name, filter="data")
        yield Path(name) / "package"


def _npm(words: Sequence[str | Path], package: str, wanted_by: str) -> str:
    program = shutil.which("npm")
    if not program:
        raise Stop(f"{wanted_by} needs npm, to fetch {package}: install Node.js, then run this again.")
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Stop(f"npm could not fetch {package}: {done.stderr.strip()[-300:]}")
    return done.stdout
