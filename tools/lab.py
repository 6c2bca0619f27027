"""Start JupyterLab: for a learner in `work/` with a quiet profile, for an instructor with all of nbgrader."""

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from tools.shell import ROOT, run_until_stopped, venv_python

PROFILE = ROOT / "tools" / "learner_profile"
TEACHER = ROOT / "tools" / "teacher_profile"
LAYOUT = PROFILE / "first.jupyterlab-workspace"
KEPT = "default-37a8.jupyterlab-workspace"
"""What JupyterLab calls the file in which it keeps how its screen was left."""


def has_screen(environ: Mapping[str, str], platform: str) -> bool:
    """Guess whether a browser can open here; over ssh or without a display it cannot."""
    if platform in ("win32", "darwin"):
        return "SSH_CONNECTION" not in environ
    return bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


def _with_profile(environ: Mapping[str, str], profile: Path) -> dict[str, str]:
    paths = [str(profile), environ.get("JUPYTER_CONFIG_PATH", "")]
    return {**environ, "JUPYTER_CONFIG_PATH": os.pathsep.join(path for path in paths if path)}


def learner_environ(environ: Mapping[str, str]) -> dict[str, str]:
    """Put the learner's profile before any other Jupyter configuration; kernels begin with its file."""
    return {**_with_profile(environ, PROFILE), "PYTHONSTARTUP": str(PROFILE / "set_up_first.py")}


def teacher_environ(environ: Mapping[str, str]) -> dict[str, str]:
    """Put the instructor's profile first, and the programs of `.venv`: Formgrader calls alembic by name."""
    places = [str(venv_python().parent), environ.get("PATH", os.defpath)]
    return {**_with_profile(environ, TEACHER), "PATH": os.pathsep.join(places)}


def learner_options(root: Path) -> list[str]:
    """Return what opens the learner's units, from where all of the course can be reached.

    How the screen was left is kept in `work/`: the layout of another project's JupyterLab names files that
    are not here.
    """
    return [
        f"--ServerApp.root_dir={root}",
        "--ServerApp.jpserver_extensions=tools.learn_page=True",
        "--LabApp.default_url=/learn",
        f"--LabApp.workspaces_dir={root / 'work' / '.jupyterlab'}",
        "--log-level=WARN",  # so that the address is what one sees
    ]


def lay_out(root: Path) -> None:
    """Let a learner's first screen be the notebook, the list of files beside it folded away.

    Once JupyterLab has kept how its screen was left, that holds.
    """
    kept = root / "work" / ".jupyterlab" / KEPT
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(LAYOUT, kept)


def teacher_options(root: Path) -> list[str]:
    """Return what opens the whole course, with a layout of its own: see `learner_options`."""
    return [f"--ServerApp.root_dir={root}", f"--LabApp.workspaces_dir={root / '.jupyterlab'}"]


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
    if unit:
        lay_out(ROOT)
    else:
        make_exchange(ROOT)
    environ = learner_environ(os.environ) if unit else teacher_environ(os.environ)
    command = lab_command(environ, sys.platform, hasattr(os, "geteuid") and os.geteuid() == 0)
    command += learner_options(ROOT) if unit else teacher_options(ROOT)
    where = f" at {unit}" if unit else ""
    print(f"Starting JupyterLab{where}; to stop it, press Ctrl-C here and answer y.", flush=True)
    return run_until_stopped(command, environ)
