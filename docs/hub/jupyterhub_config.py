"""JupyterHub for a class: Unix users, one course, an instructor with Formgrader, learners with their units.

`make hub` starts it; docs/hub.md says what it needs. What another campus changes are the settings below.
"""

import grp
import os
import pwd
import shutil
import socket
import sys
from pathlib import Path
from typing import Any, NoReturn

c = get_config()  # noqa: F821 - JupyterHub defines it
HERE = Path(__file__).resolve().parent

INSTRUCTOR = os.environ.get("HUB_INSTRUCTOR", "instructor")
GROUP = os.environ.get("HUB_GROUP", "attention-course")  # its members may log in; all but one are learners
STATE = Path(os.environ.get("HUB_STATE", "/srv/attention-course"))
ADDRESS = os.environ.get("HUB_ADDRESS", "127.0.0.1")  # HTTPS comes from a web server in front
PORT = os.environ.get("HUB_PORT", "8000")
COURSE_FOLDER = os.environ.get("HUB_COURSE_FOLDER", "~/attention-course")  # the instructor's

COURSE = "attention-course"  # as in nbgrader_config.py
HUB, EXCHANGE = STATE / "hub", STATE / "exchange"


def refuse(because: str) -> NoReturn:
    """End with one sentence."""
    sys.exit(f"The hub does not start: {because}")


if not PORT.isdigit() or not 0 < int(PORT) < 65_455:
    refuse(f"HUB_PORT is {PORT}: it must be a number from 1 to 65454.")
PORT = int(PORT)
PORTS = {PORT: "the hub's page", PORT + 1: "the proxy's API", PORT + 81: "the hub's API"}


def look_at_users() -> tuple[int, int]:
    """The group and the instructor must be there; gives both numbers."""
    if os.geteuid() != 0:
        refuse("it needs root, to start each server as its own user: use sudo.")
    try:
        group = grp.getgrnam(GROUP)
    except KeyError:
        refuse(
            f"there is no Unix group {GROUP}: make it with `groupadd {GROUP}`, or name another in HUB_GROUP."
        )
    try:
        user = pwd.getpwnam(INSTRUCTOR)
    except KeyError:
        refuse(
            f"there is no Unix user {INSTRUCTOR}: make it with `useradd --create-home --groups {GROUP} "
            f"{INSTRUCTOR}`, or name another in HUB_INSTRUCTOR."
        )
    if INSTRUCTOR not in group.gr_mem and user.pw_gid != group.gr_gid:
        refuse(
            f"{INSTRUCTOR} is not in the group {GROUP}: run `usermod --append --groups {GROUP} {INSTRUCTOR}`."
        )
    settings = Path(COURSE_FOLDER.replace("~", user.pw_dir, 1)) / "nbgrader_config.py"
    if not settings.is_file():
        refuse(
            f"there is no {settings}: copy the course there as docs/hub.md says, or set HUB_COURSE_FOLDER."
        )
    return user.pw_uid, group.gr_gid


def look_at_ways() -> None:
    """Learners run this Python and read `learner/`: no folder above them may be closed."""
    for path in (HERE / "learner", Path(sys.prefix), Path(sys.base_prefix)):
        real = path.resolve()
        for folder in (*reversed(real.parents), real):
            if not folder.stat().st_mode & 0o001:
                refuse(
                    f"learners cannot reach {real}, since {folder} is closed to them: put the course and the "
                    "Python of its .venv where everybody can read them, in /opt and /usr for example."
                )


def look_at_ports() -> None:
    """All ports must be free; the first that is not is named."""
    for port, what in PORTS.items():
        with socket.socket() as end:
            end.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # old connections may still be closing
            try:
                end.bind((ADDRESS if port == PORT else "127.0.0.1", port))
            except OSError as error:
                refuse(
                    f"port {port} (for {what}) cannot be had ({error.strerror}): stop what has it, which "
                    f"`ss -ltnp 'sport = :{port}'` names, or set HUB_PORT to another port."
                )


def make_folders(instructor: int, group: int) -> None:
    """The exchange, as closed as nbgrader lets it be.

    nbgrader refuses an `exchange/` that is not open to all, so the folder around it is closed to all but
    the course. Learners can write to `inbound/`, and pass through `feedback/`; they can list neither.
    """
    course = EXCHANGE / COURSE
    for folder, owner, own_group, mode in (
        (STATE, 0, group, 0o750),
        (HUB, 0, 0, 0o700),
        (EXCHANGE, 0, 0, 0o1777),
        (course, instructor, 0, 0o755),
        (course / "outbound", instructor, 0, 0o755),
        (course / "inbound", instructor, 0, 0o1733),
        (course / "feedback", instructor, 0, 0o711),
    ):
        if folder.is_symlink():
            refuse(f"{folder} is a link: it must be a folder, so delete the link.")
        folder.mkdir(parents=True, exist_ok=True)
        os.chown(folder, owner, own_group)
        folder.chmod(mode)


if len(sys.argv) < 2 or sys.argv[1].startswith("-"):  # not `jupyterhub token`, say, beside a running hub
    numbers = look_at_users()
    look_at_ways()
    look_at_ports()
    make_folders(*numbers)

c.JupyterHub.bind_url = f"http://{ADDRESS}:{PORT}"
c.JupyterHub.hub_port = PORT + 81
c.ConfigurableHTTPProxy.api_url = f"http://127.0.0.1:{PORT + 1}"
c.ConfigurableHTTPProxy.pid_file = str(HUB / "proxy.pid")
c.JupyterHub.db_url = f"sqlite:///{HUB / 'jupyterhub.sqlite'}"
c.JupyterHub.cookie_secret_file = str(HUB / "cookie_secret")

# Passwords are the system's. Nobody is the hub's admin: an admin could open everybody's server.
c.JupyterHub.authenticator_class = "pam"
c.PAMAuthenticator.allowed_groups = {GROUP}

c.JupyterHub.spawner_class = "jupyterhub.spawner.LocalProcessSpawner"
BIN = Path(sys.executable).parent
c.Spawner.cmd = [str(BIN / "jupyterhub-singleuser")]
c.Spawner.default_url = "/lab"
c.Spawner.start_timeout = c.Spawner.http_timeout = 300  # a class starts at once, on one machine
c.Spawner.notebook_dir = "~"
c.Spawner.environment = {
    "PATH": os.pathsep.join([str(BIN), os.environ.get("PATH", os.defpath)]),
    "EXCHANGE": str(EXCHANGE),  # read by both nbgrader_config.py
    "OMP_NUM_THREADS": "1",  # small tensors: more threads are slower, and others want the cores
}


def profile(spawner: Any) -> None:
    """The instructor's server has the course's settings, a learner's those in `learner/`.

    Formgrader is a page of its own. JupyterLab would show it in a frame, and JupyterHub forbids frames: all
    servers share an address, so that a learner's page could put the instructor's into one and press buttons.
    """
    quiet = HERE.parents[1] / "tools" / "learner_profile"
    if spawner.user.name == INSTRUCTOR:
        course = COURSE_FOLDER.replace("~", pwd.getpwnam(INSTRUCTOR).pw_dir, 1)
        settings, spawner.notebook_dir, spawner.default_url = (
            [HERE / "instructor", course],
            course,
            "/formgrader",
        )
    else:
        settings = [HERE / "learner", quiet]
        spawner.environment["PYTHONSTARTUP"] = str(quiet / "set_up_first.py")
    spawner.environment["JUPYTER_CONFIG_PATH"] = os.pathsep.join(map(str, settings))


c.Spawner.pre_spawn_hook = profile

# `make hub` fetches the proxy into build/; one that npm installed for the whole system will do as well.
fetched = sorted(
    HERE.parents[1].glob("build/configurable-http-proxy@*/node_modules/.bin/configurable-http-proxy")
)
PROXY = str(fetched[-1]) if fetched else shutil.which("configurable-http-proxy")
if not PROXY:
    refuse(
        "there is no configurable-http-proxy: run `make hub`, which fetches it, or "
        "`npm install -g configurable-http-proxy`."
    )
c.ConfigurableHTTPProxy.command = [PROXY]
