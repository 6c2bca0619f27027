"""Write constraints.txt: one version of each package for every Python and system that the course runs on."""

import re
import sys
import tempfile
from pathlib import Path

from tools.environment import LOG, advice, run_logged
from tools.packages import pinned
from tools.shell import ROOT, Stop, call_name, venv_python

OLDEST = (
    "3.11.0"  # some packages want 3.11.5, and Debian 12 has 3.11.2; a test compares this with pyproject.toml
)
HEADER = """\
# The versions that set-up installs, made by `make constraints` from pyproject.toml's [dev]: for Python 3.11.0
# and newer, on every system. To take a newer PyTorch, change its line by hand and run that, then `make sync`.
"""
CUDA = ("cuda-", "nvidia-", "triton==")


def pins(resolved: str) -> str:
    """Return the text of constraints.txt for what `uv pip compile` wrote.

    Markers go, since a pin of a package that nobody wants here is no harm; so do local parts such as `+cpu`,
    since other systems have other builds; so does CUDA, which only the PyTorch that we avoid would need.
    """
    exact = sorted(re.findall(r"^([\w.-]+==[^+;\s]+)", resolved, re.MULTILINE))
    return HEADER + "".join(f"{line}\n" for line in exact if not line.startswith(CUDA))


def compile_pins() -> int:
    """Resolve everything anew, but for torch, with a uv of its own."""
    target = ROOT / "constraints.txt"
    (ROOT / LOG).write_text("", "utf-8")

    def step(*argv: str | Path) -> None:
        code, output = run_logged(argv, ROOT / LOG)
        if code != 0:
            raise Stop(f"Could not make constraints.txt: {advice(output)} (the full output is in {LOG}).")

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        python, torch, also = venv_python(folder), folder / "torch.txt", folder / "also.in"
        torch.write_text(f"torch=={pinned(target.read_text('utf-8'))}\n", "utf-8")
        also.write_text("uv\n", "utf-8")  # set-up itself installs it
        step(sys.executable, "-m", "venv", folder / ".venv")
        step(python, "-m", "pip", "install", "uv")
        every = ["--universal", "--fork-strategy", "fewest", "--python-version", OLDEST]
        inputs = [ROOT / "pyproject.toml", also, "--extra", "dev", "-c", torch]
        step(
            python,
            "-m",
            "uv",
            "pip",
            "compile",
            *inputs,
            *every,
            "-q",
            "--no-annotate",
            "-o",
            folder / "out.txt",
        )
        target.write_text(pins((folder / "out.txt").read_text("utf-8")), "utf-8")
    print(f"Wrote {target.name}; run `{call_name('sync')}`, then `{call_name('test')}`.")
    return 0
