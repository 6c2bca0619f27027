"""JupyterHub for a class: its proxy, which npm fetches, and the command that starts it."""

import shutil
import subprocess

from tools import needs
from tools.shell import ROOT, Stop, venv_python

HOME = ROOT / "build" / needs.PROXY
COMMAND = [venv_python(), "-m", "jupyterhub", "-f", ROOT / "docs" / "hub" / "jupyterhub_config.py"]


def fetch() -> None:
    """Fetch configurable-http-proxy, once.

    Raises:
        Stop: when npm is missing or does not bring it.
    """
    if (HOME / "node_modules" / ".package-lock.json").exists():
        return
    npm = shutil.which("npm")
    if not npm:
        raise Stop("JupyterHub's proxy needs Node.js and npm: install them, then run this again.")
    words = [npm, "install", "--prefix", HOME, "--no-audit", "--no-fund", needs.PROXY]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Stop(f"npm could not fetch {needs.PROXY}: {done.stderr.strip()[-300:]}")
