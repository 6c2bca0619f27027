"""Install the pinned PyTorch, in a build that does not pull gigabytes of CUDA.

On macOS and Windows the wheel that pip takes is the CPU one. On Linux the package index's build wants CUDA,
so there uv installs it: uv knows by name (`--torch-backend=cpu`) where PyTorch keeps its CPU builds. Should
pip's own configuration already offer a `+cpu` build, as on machines that keep packages on disk, pip takes it.

Set TORCH_BACKEND (`auto`, `cu130`, ...: a value of uv's option) before the first set-up to get a GPU build.
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

SIZE = "200 MB"
"""What the CPU build downloads."""

Install = Callable[[Sequence[str | Path], str], None]


def pinned(constraints: str, package: str = "torch") -> str:
    """Return the version that a constraints file gives to a package."""
    match = re.search(rf"^{re.escape(package)}==(\S+)$", constraints, re.MULTILINE)
    if match is None:
        raise ValueError(f"constraints.txt does not pin {package}")
    return match[1]


def offers_cpu(listing: str, version: str) -> bool:
    """Tell whether what `pip index versions torch` printed has a CPU build of this version."""
    return f"{version}+cpu" in re.split(r"[\s,]+", listing)


def pip_offers_cpu(python: Path, version: str) -> bool:
    """Ask the pip of an environment: one index page, no download.

    `pip install --dry-run` would tell the same, but older pips download the whole wheel. If the command
    fails, for want of a network or because pip calls it experimental, the answer is no: uv has its turn.
    """
    argv = [python, "-m", "pip", "index", "versions", "torch", "--disable-pip-version-check"]
    return offers_cpu(subprocess.run(argv, capture_output=True, text=True).stdout, version)


def wants_uv(platform: str, backend: str, cpu_offered: Callable[[], bool]) -> bool:
    """Decide who installs: uv for a backend that was asked for, and for Linux unless pip offers a CPU build.

    What uv then does on Linux was not tried where this was written, which cannot reach PyTorch's own index.
    """
    if backend:
        return True
    return platform.startswith("linux") and not cpu_offered()


def installed(python: Path) -> str | None:
    """Return the installed version of torch without its local part (`+cpu`), or None."""
    code = "import importlib.metadata as m; print(m.version('torch'))"
    result = subprocess.run([python, "-c", code], capture_output=True, text=True)
    return result.stdout.strip().partition("+")[0] if result.returncode == 0 else None


def install_torch(python: Path, constraints: Path, install: Install) -> None:
    """Install the pinned torch unless it is there; `install` runs a command or raises."""
    version = pinned(constraints.read_text("utf-8"))
    if installed(python) == version:
        return
    backend = os.environ.get("TORCH_BACKEND", "")
    wanted, what = ["-c", constraints, f"torch=={version}"], f"PyTorch {version} (about {SIZE})"
    if wants_uv(sys.platform, backend, lambda: pip_offers_cpu(python, version)):
        install([python, "-m", "pip", "install", "-c", constraints, "uv"], "uv, which fetches PyTorch")
        uv = [python, "-m", "uv", "pip", "install", "--python", python]
        install([*uv, f"--torch-backend={backend or 'cpu'}", *wanted], what)
    else:
        install([python, "-m", "pip", "install", *wanted], what)
