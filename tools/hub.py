"""JupyterHub for a class: its proxy, which npm fetches, and the command that starts it."""

from tools import needs, npm
from tools.shell import ROOT, venv_python

HOME = ROOT / "build" / needs.PROXY
COMMAND = [venv_python(), "-m", "jupyterhub", "-f", ROOT / "docs" / "hub" / "jupyterhub_config.py"]


def fetch() -> None:
    """Fetch configurable-http-proxy, once.

    Raises:
        Stop: when npm is missing or does not bring it.
    """
    npm.install(needs.PROXY, HOME, "JupyterHub")
