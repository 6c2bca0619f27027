"""What the other tools share: where things are, how to run a program, how to stop with one sentence."""

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOG = "setup.log"
"""Where set-up, and what it installs for the tests, writes all that pip and apt-get say."""


class Stop(Exception):
    """The command cannot go on; the message is one sentence that says what to do."""


def lent_venv() -> Path | None:
    """Return the environment that a container brings, where one does: the Containerfile names it."""
    place = os.environ.get("COURSE_VENV")
    return Path(place) if place else None


def venv_python(root: Path = ROOT) -> Path:
    """Return the Python of `.venv`, or of a container's environment, whether it exists or not."""
    return (lent_venv() or root / ".venv") / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def call_name(command: str, *args: str) -> str:
    """Return how a person types a command here: through make, with ARGS, or without it on Windows."""
    words = " ".join(args)
    if os.name == "nt":
        return f"py tools\\course.py {command} {words}".rstrip()
    quote = '"' if " " in words else ""
    return f"make {command}" + (f" ARGS={quote}{words}{quote}" if words else "")


def run(argv: Sequence[str | Path], environ: Mapping[str, str] | None = None) -> int:
    """Run a program in the repository's root, on this terminal, and return its exit code."""
    print("$", *[Path(word).name if isinstance(word, Path) else word for word in argv], flush=True)
    return subprocess.run([str(word) for word in argv], cwd=ROOT, env=environ).returncode


def run_until_stopped(argv: Sequence[str | Path], environ: Mapping[str, str]) -> int:
    """Run a server that handles Ctrl-C itself: it asks before it stops, so we must not die under it."""
    server = subprocess.Popen([str(word) for word in argv], cwd=ROOT, env=environ)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return server.wait()
