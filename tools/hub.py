"""JupyterHub for a class: its proxy, which npm fetches, and the command that starts it."""

from tools import npm
from tools.shell import ROOT, venv_python
from tools.versions import PROXY

HOME = ROOT / "build" / PROXY
COMMAND = [venv_python(), "-m", "jupyterhub", "-f", ROOT / "docs" / "hub" / "jupyterhub_config.py"]


def fetch() -> None:
    """Fetch configurable-http-proxy, once.

    Raises:
        Stop: when npm is missing or does not bring it.
    """
    npm.install([PROXY], HOME, "JupyterHub")
