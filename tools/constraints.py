"""Write constraints.txt: what a fresh environment gets when nothing but torch is pinned."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.environment import run_logged
from tools.install_torch import install_torch
from tools.shell import ROOT, Stop, call_name, venv_python

HEADER = """\
# The versions that set-up installs, made by `make constraints` from pyproject.toml's [dev] in a fresh
# environment. To take a newer PyTorch, change its line by hand and run that again; the rest follows.
# Packages that only another system or another Python needs are not listed, and are free.
"""


def pins(freeze: str) -> str:
    """Return the text of constraints.txt for what `pip freeze` printed.

    A local part such as `+cpu` is dropped, since other systems have other builds of the same version.
    """
    exact = re.findall(r"^([\w.-]+==[^+\s]+)", freeze, re.MULTILINE)
    return HEADER + "\n".join(sorted(exact, key=str.lower)) + "\n"


def compile_pins() -> int:
    """Install everything anew in a throw-away environment and write down what came."""
    constraints, log = ROOT / "constraints.txt", ROOT / "setup.log"

    def install(argv: list[str | Path], what: str) -> None:
        print(f"Installing {what} ...", flush=True)
        if run_logged(argv, log)[0] != 0:
            raise Stop(f"Could not install {what}: everything pip said is in {log.name}.")

    with tempfile.TemporaryDirectory() as folder:
        only_torch = Path(folder) / "torch.txt"  # the pins of all others are what we are about to renew
        torch = [line for line in constraints.read_text("utf-8").splitlines() if line.startswith("torch==")]
        only_torch.write_text("\n".join(torch) + "\n", "utf-8")
        install([sys.executable, "-m", "venv", Path(folder) / ".venv"], "an empty environment")
        python = venv_python(Path(folder))
        pip = [python, "-m", "pip"]
        install([*pip, "install", "--upgrade", "pip"], "the newest pip")
        install_torch(python, only_torch, install)
        install([*pip, "install", "-c", only_torch, "-e", f"{ROOT}[dev]", "uv"], "everything else")
        freeze = subprocess.run([*pip, "freeze", "--all"], capture_output=True, text=True, check=True)
    constraints.write_text(pins(freeze.stdout), "utf-8")
    print(f"Wrote {constraints.name}; run `{call_name('test')}`.")
    return 0
