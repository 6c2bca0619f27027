"""Start JupyterLab: for a learner in `work/` with a quiet profile, for an instructor with everything on."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from tools.shell import ROOT, run_until_stopped, venv_python

PROFILE = ROOT / "tools" / "learner_profile"


def has_screen(environ: Mapping[str, str], platform: str) -> bool:
    """Guess whether a browser can open here; over ssh or without a display it cannot."""
    if platform in ("win32", "darwin"):
        return "SSH_CONNECTION" not in environ
    return bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


def learner_environ(environ: Mapping[str, str]) -> dict[str, str]:
    """Put the learner's profile before any other Jupyter configuration."""
    paths = [str(PROFILE), environ.get("JUPYTER_CONFIG_PATH", "")]
    return {**environ, "JUPYTER_CONFIG_PATH": os.pathsep.join(path for path in paths if path)}


def lab_command(environ: Mapping[str, str], platform: str, is_root: bool) -> list[str | Path]:
    """Return the command that starts JupyterLab on this machine."""
    command: list[str | Path] = [venv_python(), "-m", "jupyterlab"]
    if not has_screen(environ, platform):
        command.append("--no-browser")
    if is_root:
        command.append("--allow-root")  # in a container root is often the only user
    return command


def make_exchange(root: Path) -> None:
    """Make the folder through which assignments go out and in; without it nbgrader's lists show errors.

    Everybody may write there, as nbgrader asks for: learners on the same machine hand in there.
    """
    exchange = root / "exchange"
    if not exchange.exists():
        exchange.mkdir()
        exchange.chmod(0o777)


def start(unit: str = "") -> int:
    """Start JupyterLab and stay until it stops: at a unit for a learner, without one for an instructor."""
    if not unit:
        make_exchange(ROOT)
    environ = learner_environ(os.environ) if unit else dict(os.environ)
    command = lab_command(environ, sys.platform, hasattr(os, "geteuid") and os.geteuid() == 0)
    where = ""
    if unit:
        # Only warnings are logged, so that the address is what one sees.
        command += [f"--ServerApp.root_dir={ROOT / 'work'}", "--log-level=WARN"]
        command += [f"--LabApp.default_url=/lab/tree/{unit}/{unit}.ipynb"]
        where = f" at {unit}"
    print(f"Starting JupyterLab{where}; to stop it, press Ctrl-C here and answer y.", flush=True)
    return run_until_stopped(command, environ)
