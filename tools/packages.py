"""How packages get into `.venv`: pip fetches uv, and uv installs the rest.

uv needs a tenth of pip's time, and knows by name where PyTorch keeps its CPU builds (`--torch-backend=cpu`):
on Linux the package index's own build pulls gigabytes of CUDA. What pip is told on this machine, an index of
a university or packages on disk, uv is told too, since it does not read pip's settings itself.

Set TORCH_BACKEND (`auto`, `cu130`, ...: a value of uv's option) before the first set-up to get a GPU build.
"""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

SIZE = "200 MB"
"""What the CPU build downloads."""

TOLD = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "trusted-host": "UV_INSECURE_HOST",
    "cert": "SSL_CERT_FILE",
}
"""pip's settings, and how uv is told the same."""

Install = Callable[..., None]


def pinned(constraints: str, package: str = "torch") -> str:
    """Return the version that a constraints file gives to a package."""
    match = re.search(rf"^{re.escape(package)}==(\S+)$", constraints, re.MULTILINE)
    if match is None:
        raise ValueError(f"constraints.txt does not pin {package}")
    return match[1]


def uv_environment(pip_settings: str, environ: Mapping[str, str]) -> dict[str, str]:
    """Return variables that tell uv what `pip config list` printed; what is set for uv already stays.

    pip takes the best version of all its indexes, so uv is asked to do so too.
    """
    found = re.findall(r"^(global|install|:env:)\.([\w-]+)=(.+)$", pip_settings, re.MULTILINE)
    order = {"global": 0, "install": 1, ":env:": 2}  # pip's own: the later wins
    told = {"UV_INDEX_STRATEGY": "unsafe-best-match"}
    for _, name, value in sorted(found, key=lambda one: order[one[0]]):
        if name in TOLD:
            words = str(ast.literal_eval(value)).split()
            told[TOLD[name]] = ("," if name == "find-links" else " ").join(words)
    return {name: value for name, value in told.items() if value and name not in environ}


def uv_options(pip_settings: str) -> list[str]:
    """Return the options for what uv has no variable for."""
    return ["--no-index"] if re.search(r"(?i)\.no-index='(1|true|yes|on)'", pip_settings) else []


def pip_settings(python: Path) -> str:
    """Return what the pip of an environment is told on this machine."""
    return subprocess.run([python, "-m", "pip", "config", "list"], capture_output=True, text=True).stdout


def offers_cpu(listing: str, version: str) -> bool:
    """Tell whether what `pip index versions torch` printed has a CPU build of this version."""
    return f"{version}+cpu" in re.split(r"[\s,]+", listing)


def pip_offers_cpu(python: Path, version: str) -> bool:
    """Ask the pip of an environment: one index page, no download.

    `pip install --dry-run` would tell the same, but older pips download the whole wheel. If the command
    fails, for want of a network or because pip calls it experimental, the answer is no.
    """
    argv = [python, "-m", "pip", "index", "versions", "torch", "--disable-pip-version-check"]
    return offers_cpu(subprocess.run(argv, capture_output=True, text=True).stdout, version)


def torch_backend(platform: str, wanted: str, cpu_offered: Callable[[], bool]) -> str:
    """Return uv's option for PyTorch's own index, or nothing: where the usual indexes have a CPU build.

    What uv does with that index was not tried where this was written, which cannot reach it.
    """
    if wanted or (platform.startswith("linux") and not cpu_offered()):
        return f"--torch-backend={wanted or 'cpu'}"
    return ""


def installed(python: Path) -> str | None:
    """Return the installed version of torch without its local part (`+cpu`), or None."""
    code = "import importlib.metadata as m; print(m.version('torch'))"
    result = subprocess.run([python, "-c", code], capture_output=True, text=True)
    return result.stdout.strip().partition("+")[0] if result.returncode == 0 else None


def fill(python: Path, constraints: Path, course: str, what: str, install: Install) -> None:
    """Install the pinned torch, unless it is there, and the course.

    Args:
        python: of the environment.
        constraints: the file that pins versions.
        course: the course's folder with the extra that is wanted, as pip takes it.
        what: what is said of it.
        install: runs a command, or stops with a sentence: `install(argv, what, environ)`.
    """
    version = pinned(constraints.read_text("utf-8"))
    install([python, "-m", "pip", "install", "-c", constraints, "uv"], "uv, which installs the rest", {})
    settings = pip_settings(python)
    uv = [python, "-m", "uv", "pip", "install", *uv_options(settings), "--python", python, "-c", constraints]
    if sys.dont_write_bytecode:  # PYTHONDONTWRITEBYTECODE: else every start would compile all it imports
        uv.append("--compile-bytecode")
    environ = uv_environment(settings, os.environ)
    if installed(python) != version:
        wanted = os.environ.get("TORCH_BACKEND", "")
        backend = torch_backend(sys.platform, wanted, lambda: pip_offers_cpu(python, version))
        words = [*uv, *filter(None, [backend]), f"torch=={version}"]
        install(words, f"PyTorch {version} (about {SIZE})", environ)
    install([*uv, "-e", course], what, environ)
