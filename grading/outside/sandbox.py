"""The outer wall: bubblewrap around the warm process, and the sentence for a machine that cannot have it.

Bubblewrap is what Flatpak stands on; it needs no root and no daemon. Inside there is Python, the parts of the
course that hold no answers to the checks, and nothing else.
"""

import ctypes
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from grading.inside.walls import ENVIRONMENT, PRIVATE
from helpers import own
from helpers.errors import OneSentence

ROOT = Path(__file__).resolve().parents[2]
INSIDE = (
    "grading/__init__.py",
    "grading/inside",
    "helpers/__init__.py",
    "helpers/arrays.py",
    "helpers/browser.py",
    "helpers/errors.py",
    "helpers/example.py",
    "helpers/lazy.py",
    "helpers/own.py",
    "helpers/text.py",
    "helpers/units.py",
    "helpers/beside",
    "helpers/pretrained",
    "helpers/reference",
)
"""All of the course that learner code can read: no oracle, no known mistake, no solution."""

SYSTEM = (
    "/usr",
    "/lib",
    "/lib32",
    "/lib64",
    "/bin",
    "/sbin",
    "/etc/ld.so.cache",
    "/etc/fonts",
    "/etc/localtime",
)
ACCEPT = "--without-sandbox"
GUIDE = "docs/container.md"
INSTALL = (
    "On Debian or Ubuntu run `sudo apt install bubblewrap libseccomp2`; it needs Linux with user namespaces."
)
ELSEWHERE = f"The sandbox needs Linux: grade in the container of {GUIDE}."
IN_DOCKER = "`--security-opt seccomp=unconfined --security-opt systempaths=unconfined`"
CAUSES = {
    r"mount proc on .*: Operation not permitted": (
        "This container hides parts of /proc: start it with `--security-opt 'unmask=/proc/*'` (podman) or "
        f"with {IN_DOCKER} (Docker); see {GUIDE}."
    ),
    r"uid map: Permission denied|RTM_NEWADDR|unshare: (Permission denied|Operation not permitted)": (
        "Ubuntu 24.04 and newer keep namespaces from programs that no AppArmor profile allows them: give "
        f"bubblewrap the one in {GUIDE}."
    ),
    r"[Nn]o permissions to creat\w+ new namespace|[Cc]reating new namespace failed|unshare: No space": (
        f"If this is a container, start it with {IN_DOCKER}; else the kernel refuses user namespaces: an "
        f"administrator allows them with `sudo sysctl user.max_user_namespaces=10000`, on older Debian also "
        f"`kernel.unprivileged_userns_clone=1`; see {GUIDE}."
    ),
    r"Failed to make / slave|Failed to mount tmpfs|pivot_root": (
        "If this is a container, start it with `--security-opt apparmor=unconfined` as well (Docker on "
        f"Ubuntu or Debian), or with `--security-opt label=disable` (SELinux); see {GUIDE}."
    ),
}
"""What bubblewrap, and the inner wall, say where they may not do their work, and what to do about it."""


class NoSandbox(OneSentence, RuntimeError):
    """Learner code cannot be kept apart on this machine; the message says what to do."""


class Refusal(SystemExit):
    """Ends all of nbgrader's run with the sentence; an ordinary error would only end one submission's."""


def command(program: Sequence[str], hidden: Sequence[Path] = ()) -> list[str]:
    """The command line that runs a program behind the outer wall.

    Args:
        program: what to run.
        hidden: folders that must not be seen even where they lie inside Python's own (the course folder).

    Raises:
        NoSandbox: when this machine has no bubblewrap.
    """
    bwrap = shutil.which("bwrap")
    if sys.platform != "linux" or bwrap is None:
        todo = INSTALL if sys.platform == "linux" else ELSEWHERE
        raise NoSandbox(_advice("there is no bubblewrap (`bwrap`) on this machine", todo))
    words = [
        bwrap,
        "--unshare-ipc",
        "--unshare-pid",
        "--unshare-net",
        "--unshare-uts",
        "--unshare-cgroup-try",
    ]
    if os.getuid() == 0:  # the warm process becomes nobody at once: see `walls.leave_root`
        words += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        words += ["--unshare-user"]
    words += ["--die-with-parent", "--new-session", "--clearenv"]
    for name, value in {**ENVIRONMENT, "PYTHONPATH": str(ROOT)}.items():
        words += ["--setenv", name, value]
    pythons = dict.fromkeys(Path(prefix).resolve() for prefix in (sys.base_prefix, sys.prefix))
    for place in map(Path, SYSTEM):
        words += _bind(place)
    for place in pythons:
        if not place.is_relative_to("/usr"):
            words += _bind(place)
    for folder in hidden:
        words += [*_parents(folder), "--perms", "0755", "--tmpfs", str(folder)]
    for place in pythons:
        if any(place.is_relative_to(folder) for folder in hidden):  # the course's own .venv
            words += _bind(place)
    for folder in ("grading", "helpers"):
        words += [*_parents(ROOT / folder), "--perms", "0755", "--tmpfs", str(ROOT / folder)]
    for part in INSIDE:
        words += _bind(ROOT / part)
    for record in own.FILES:  # their names are those of exercises; what they hold stays outside
        words += [*_parents(record), "--ro-bind", os.devnull, str(record)]
    words += ["--proc", "/proc", "--dev", "/dev", "--dir", "/tmp", "--chdir", "/"]
    words += ["--perms", "1777", "--tmpfs", PRIVATE]
    return [*words, "--remount-ro", "/dev", "--remount-ro", "/", "--", *program]


def _bind(place: Path) -> list[str]:
    if place.is_symlink():
        return ["--symlink", os.readlink(place), str(place)]
    return [*_parents(place), "--ro-bind", str(place), str(place)] if place.exists() else []


def _parents(place: Path) -> list[str]:
    """Folders that anybody may pass through; bubblewrap's own are for their owner alone."""
    return [word for folder in reversed(place.parents[:-1]) for word in ("--dir", str(folder))]


def why_not() -> str:
    """Why learner code cannot be kept apart here, as a sentence with what to do; nothing when it can."""
    try:
        words = command(["/usr/bin/env", "true"])
    except NoSandbox as error:
        return str(error)
    try:
        ctypes.CDLL("libseccomp.so.2")
    except OSError:
        return _advice("there is no libseccomp on this machine")
    done = subprocess.run(words, capture_output=True, text=True)
    said = done.stderr.strip()[:200]
    return _advice(f"bubblewrap does not start ({said})", what_to_do(said)) if done.returncode else ""


def what_to_do(said: str, otherwise: str = INSTALL) -> str:
    """A sentence for what bubblewrap or the inner wall said when it could not do its work."""
    return next((todo for pattern, todo in CAUSES.items() if re.search(pattern, said)), otherwise)


def _advice(why: str, todo: str = INSTALL) -> str:
    return (
        f"Nothing was graded: learner code cannot be kept apart, because {why}. {todo} To run learner code "
        f"with your own rights all the same, say so by name: `{ACCEPT}`, with make "
        f'`make grade UNIT=... ARGS="{ACCEPT}"`, or for plain nbgrader '
        "`--SandboxExecute.without_sandbox=True`."
    )
