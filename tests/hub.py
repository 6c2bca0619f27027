"""A real JupyterHub for the tests, with Unix users of its own: made for it, and removed after it."""

import contextlib
import os
import pwd
import re
import secrets
import shlex
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

import requests

from tests.servers import a_port
from tools import hub, needs
from tools.patience import LONGEST, PATIENCE, until
from tools.shell import ROOT

PAGE = ROOT / "docs" / "hub.md"


def as_root(*words, **options):
    """Run a program with root's rights; gives what it printed."""
    command = [*needs.root_words(), *map(str, words)]
    return subprocess.run(
        command, check=True, capture_output=True, text=True, timeout=PATIENCE, **options
    ).stdout


def change_users(*words, **options):
    """Run a program that changes users, one at a time: a second one would be told to try again later."""
    return as_root("flock", "/etc/login.defs", *words, **options)


def kept_from_learners():
    """The folders of the clone that docs/hub.md closes."""
    found = re.search(r"^sudo chmod 700 ((?:[\w.]+ ?)+)$", PAGE.read_text("utf-8"), re.MULTILINE)
    return found[1].split()


def _closed_above(path):
    """The outermost folder on the way to a path that other users may not pass through."""
    for folder in (*reversed(path.parents), path):
        if not folder.stat().st_mode & 0o001:
            return folder
    return None


def mounts(place):
    """A script that lets all users reach the course's Python, and closes what docs/hub.md closes.

    It runs in a mount namespace of its own, so that nothing changes outside. A clone on a real hub lies where
    everybody can read it; the one that is tested may lie in root's home.
    """
    paths = {Path(one).resolve() for one in (ROOT, sys.prefix, sys.base_prefix)}
    hidden = {path: top for path in paths if (top := _closed_above(path))}
    lines = []
    for number, path in enumerate(hidden):
        kept = shlex.quote(f"{place}/kept/{number}")
        lines.append(f"mkdir -p {kept} && mount --bind {shlex.quote(str(path))} {kept}")
    for top in set(hidden.values()):
        lines.append(f"mount -t tmpfs -o mode=755 tmpfs {shlex.quote(str(top))}")
    for number, path in enumerate(hidden):
        there = shlex.quote(str(path))
        lines.append(f"mkdir -p {there} && mount --bind {shlex.quote(f'{place}/kept/{number}')} {there}")
    for name in kept_from_learners():
        if (ROOT / name).is_dir():  # in a worktree .git is a file
            lines.append(f"mount -t tmpfs -o mode=700 tmpfs {shlex.quote(str(ROOT / name))}")
    return lines


class Hub:
    """A hub that runs.

    Attributes:
        teacher: the instructor's name.
        learners: two names.
        password: everybody's.
        url: where the hub's page is.
        place: a folder with the homes and the exchange.
    """

    def __init__(self, place):
        mark = secrets.token_hex(3)
        self.group = f"hub{mark}"
        self.teacher, *self.learners = (f"{name}{mark}" for name in ("teacher", "lena", "omar"))
        self.password, self.place, self.port = secrets.token_hex(8), Path(place), a_port()
        self.log = self.place / "log"

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def state(self):
        return self.place / "state"

    @property
    def everybody(self):
        return [self.teacher, *self.learners]

    def home(self, user):
        return self.place / "home" / user

    def course(self):
        return self.home(self.teacher) / "attention-course"

    def make_users(self):
        change_users("groupadd", self.group)
        (self.place / "home").mkdir()
        for user in self.everybody:
            words = ["--create-home", "--home-dir", self.home(user), "--shell", "/bin/bash"]
            change_users("useradd", *words, "--groups", self.group, user)
            as_root("chmod", "700", self.home(user))
            settings = self.home(user) / ".jupyter"
            shown = '{"LabApp": {"expose_app_in_browser": true}}'  # how the tests find a notebook's cells
            as_root("mkdir", settings)
            as_root("tee", settings / "jupyter_lab_config.json", input=shown)
            as_root("chown", "-R", f"{user}:", settings)
        change_users("chpasswd", input="".join(f"{user}:{self.password}\n" for user in self.everybody))

    def remove_users(self):
        numbers = {pwd.getpwnam(user).pw_uid for user in self.everybody if _known(user)}
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError, subprocess.CalledProcessError):
                if process.stat().st_uid in numbers:
                    as_root("kill", "-KILL", process.name)
        for user in filter(_known, self.everybody):
            change_users("userdel", "--force", user)
        with contextlib.suppress(subprocess.CalledProcessError):  # it may not be there
            change_users("groupdel", self.group)

    def lay_out_course(self):
        """What docs/hub.md copies into the instructor's home."""
        words = [ROOT / "solutions", ROOT / "notebooks", ROOT / "nbgrader_config.py"]
        as_root("mkdir", self.course())
        as_root("cp", "-r", *words, self.course())
        as_root("chown", "-R", f"{self.teacher}:", self.course())

    def settings(self):
        return {
            "HUB_INSTRUCTOR": self.teacher, "HUB_GROUP": self.group, "HUB_STATE": str(self.state),
            "HUB_PORT": str(self.port), "PATH": os.environ["PATH"], "HOME": str(self.place),
        }  # fmt: skip

    def command(self, settings=None, **more):
        """What starts the hub, in a mount namespace of its own; perhaps with another file of settings."""
        pairs = [f"{name}={value}" for name, value in (self.settings() | more).items()]
        start = shlex.join(["env", "-i", *pairs, *map(str, [*hub.COMMAND[:-1], settings or hub.COMMAND[-1]])])
        note = f"echo $$ > {shlex.quote(str(self.place / 'pid'))}"
        script = "\n".join(
            ["set -e", *mounts(self.place), note, f"cd {shlex.quote(str(self.place))}", f"exec {start}"]
        )
        return [*needs.root_words(), "unshare", "--mount", "--propagation", "private", "sh", "-c", script]

    def run(self, user, *words, cwd=None):
        """Run a program as a user of the hub, with what a terminal of theirs has; gives what became of it."""
        process = (self.place / "pid").read_text().strip()
        programs = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        given = {
            "HOME": self.home(user),
            "PATH": programs,
            "LANG": "C.UTF-8",
            "OMP_NUM_THREADS": "1",
            "USER": user,
            "EXCHANGE": self.state / "exchange",
        }
        if user == self.teacher:
            given["JUPYTER_CONFIG_PATH"] = self.course()
        else:
            given["JUPYTER_CONFIG_PATH"] = ROOT / "docs" / "hub" / "learner"
        command = [
            *needs.root_words(),
            "nsenter",
            f"--mount=/proc/{process}/ns/mnt",
            "runuser",
            "-u",
            user,
            "--",
        ]
        command += ["env", "-i", f"--chdir={cwd or self.home(user)}", *(f"{n}={v}" for n, v in given.items())]
        command += map(str, words)
        return subprocess.run(command, capture_output=True, text=True, timeout=LONGEST)

    def tries(self, user, path):
        """What a user gets who lists a folder or reads a file: what it holds, or the error."""
        code = "import os, sys; p = sys.argv[1]; print(os.listdir(p) if os.path.isdir(p) else open(p).read())"
        done = self.run(user, "python", "-c", code, path, cwd="/")
        return done.stdout if done.returncode == 0 else done.stderr.strip().splitlines()[-1].partition(":")[0]

    def said(self):
        return as_root("cat", self.log)


def _known(user):
    with contextlib.suppress(KeyError):
        return bool(pwd.getpwnam(user))
    return False


@contextlib.contextmanager
def prepared():
    """Users, homes and a course for a hub that is not started yet."""
    place = Path(tempfile.mkdtemp(prefix="hub-"))
    place.chmod(0o755)
    one = Hub(place)
    try:
        one.make_users()
        one.lay_out_course()
        yield one
    finally:
        one.remove_users()
        as_root("rm", "-rf", "--one-file-system", place)


def _begun(one):
    one.port = a_port()
    with one.log.open("wb") as log:
        return subprocess.Popen(one.command(), stdout=log, stderr=log, stdin=subprocess.DEVNULL)


@contextlib.contextmanager
def running(one):
    """The same hub, started; it is stopped with all servers of its users."""
    process = _begun(one)
    try:
        while until(partial(_answers_or_ended, one, process), one.said) is not True:
            assert "in use" in one.said(), one.said()[-2000:]
            process = _begun(one)
        yield one
    finally:
        if process.poll() is None:
            number = (one.place / "pid").read_text().strip()
            as_root("kill", number)
            try:
                process.wait(timeout=15)  # the proxy ends at once; a server with a kernel may take a minute
            except subprocess.TimeoutExpired:
                as_root("kill", "-KILL", number)
                process.wait()


def _answers_or_ended(one, process):
    with contextlib.suppress(requests.ConnectionError):
        return requests.get(f"{one.url}/hub/health", timeout=PATIENCE).ok
    return process.poll()


class Session:
    """Somebody who is logged in and whose server runs, through HTTP alone."""

    def __init__(self, one, user):
        self.hub, self.user, self.http = one, user, requests.Session()
        self.http.get(f"{one.url}/hub/login", timeout=PATIENCE)
        said = self.http.post(
            f"{one.url}/hub/login?next=/hub/spawn/{user}",
            data={"username": user, "password": one.password, "_xsrf": self.http.cookies["_xsrf"]},
            timeout=PATIENCE,
        )
        assert said.ok, said.text[-500:]
        until(self._is_there, one.said)

    def _is_there(self):
        here = self.get("lab")  # while it starts: the hub's pages
        return "/user/" in here.url and here.ok

    def address(self, path, user=None):
        return f"{self.hub.url}/user/{user or self.user}/{path}"

    def get(self, path, user=None):
        return self.http.get(self.address(path, user), timeout=PATIENCE)

    def _token(self):
        cookies = {one.path: one.value for one in self.http.cookies if one.name == "_xsrf"}
        return {"X-XSRFToken": cookies[f"/user/{self.user}/"]}

    def post(self, path, **data):
        return self.http.post(self.address(path), data=data, headers=self._token(), timeout=PATIENCE)

    def put(self, path, body):
        said = self.http.put(self.address(path), json=body, headers=self._token(), timeout=PATIENCE)
        assert said.ok, said.text[-500:]


def mode(path):
    """The bits of a path's mode, as root sees them."""
    return int(as_root("stat", "--format=%a", path), 8)
