"""A fresh clone of the course with an environment of its own, and a shell to type a page's lines into.

The environment is this one, moved: its files are shared by hard links, so that a clone takes seconds.
What `make setup` does with an empty machine is tried by whoever runs these tests, before they start.
"""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

from tools.patience import LONGEST, until

ROOT = Path(__file__).resolve().parent.parent
ENDED = "line-ended-with"


def git(*words, cwd=ROOT):
    done = subprocess.run(["git", *map(str, words)], cwd=cwd, capture_output=True, text=True, check=True)
    return done.stdout


def origin(folder):
    """A repository with what lies here now, uncommitted changes included."""
    names = git("ls-files", "--cached", "--others", "--exclude-standard", "-z").split("\0")
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    who = ("-c", "user.name=tests", "-c", "user.email=tests@localhost")
    git("init", "--quiet", "--initial-branch=main", cwd=folder)
    git("add", "--all", cwd=folder)
    git(*who, "commit", "--quiet", "--message=As it is here", cwd=folder)
    return folder


def lend_environment(clone):
    """Give a clone the environment of these tests, moved there."""
    own = clone / ".venv"
    half_written = shutil.ignore_patterns("*.pyc.*")  # by other tests, and gone a moment later
    shutil.copytree(ROOT / ".venv", own, symlinks=True, copy_function=_link, ignore=half_written)
    packages = next(own.glob("lib/python*/site-packages"))
    told = [*own.glob("bin/*"), own / "pyvenv.cfg", own / ".ready", *packages.glob("__editable__*.py")]
    told += packages.glob("attention_course-*/direct_url.json")
    for path in told:
        if path.is_symlink() or not path.is_file() or str(ROOT).encode() not in path.read_bytes():
            continue
        text, mode = path.read_bytes().replace(str(ROOT).encode(), str(clone).encode()), path.stat().st_mode
        path.unlink()  # or the link would change the original
        path.write_bytes(text)
        path.chmod(mode)
    for path in packages.glob("__pycache__/__editable__*"):
        path.unlink()


def _link(source, target):
    try:
        os.link(source, target)
    except OSError:  # another file system
        shutil.copy2(source, target)


def blocks(page, heading):
    """The blocks of lines to type below a heading, as they stand there."""
    text = (ROOT / page).read_text("utf-8")
    section = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert section, f"{page} has no heading {heading}"
    return typed(section[1])


def typed(text):
    """The blocks of lines to type in a text: those that name no language."""
    found = re.findall(r"^```(.*?)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [block for language, block in found if not language]


def lines(page, heading, most=99):
    """The lines of these blocks, or of the first of them."""
    return [line for block in blocks(page, heading)[:most] for line in block.splitlines() if line.strip()]


def type_line(course, line):
    """Type a line of a page into a shell in a copy of the course; what it printed."""
    path = os.pathsep.join([str(Path(sys._base_executable).parent), os.environ["PATH"]])
    outer = {"MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES", "MAKELEVEL", "ARGS"}  # of the `make test` that runs this
    environ = {name: value for name, value in os.environ.items() if name not in outer}
    environ |= {"PATH": path, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        line, shell=True, cwd=course, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert done.returncode == 0, f"{line}\n{done.stdout[-6000:]}"
    return done.stdout


class Shell:
    """A shell that stays: what one line sets or enters, the next one finds.

    Args:
        folder: where it starts.
        address: the repository's address as the page has it; what is cloned from there comes from `source`.
        source: see `origin`.
        around: a command that the shell is started with.
    """

    def __init__(self, folder, address, source, around=()):
        self.folder, self._servers = folder, []
        home = folder / "home"
        home.mkdir()
        (folder / "bin").mkdir()
        if os.getuid() == 0 and not shutil.which("sudo"):  # a container's root
            _write(folder / "bin" / "sudo", SUDO)
        keep = ("LANG", "PIP_CONFIG_FILE", "NODE_EXTRA_CA_CERTS")
        places = [str(folder / "bin"), str(Path(sys._base_executable).parent), os.defpath, "/usr/sbin"]
        environ = {name: os.environ[name] for name in keep if name in os.environ}
        environ |= {
            "HOME": str(home),
            "PATH": os.pathsep.join(places),
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": f"url.{source.as_uri()}.insteadOf",
            "GIT_CONFIG_VALUE_0": address,
            "OMP_NUM_THREADS": "1",
            "JUPYTER_PORT": "0",  # a server that looks for a free port may find one that another finds too
        }
        command = [*around, "bash", "--noprofile", "--norc"]
        self._bash = subprocess.Popen(
            command,
            cwd=folder,
            env=environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def type(self, line):
        """Run a line; its exit code and what it printed."""
        print(line, f"echo; echo {ENDED} $?", sep="\n", file=self._bash.stdin, flush=True)
        said, hangs = [], threading.Timer(LONGEST, os.killpg, (self._bash.pid, signal.SIGKILL))
        hangs.start()
        for text in self._bash.stdout:
            if text.startswith(ENDED):
                hangs.cancel()
                return int(text.split()[1]), "".join(said).removesuffix("\n")
            said.append(text)
        hangs.cancel()
        raise AssertionError(f"the shell is gone after {line}:\n{''.join(said)}")

    def serve(self, line, pattern):
        """Start a line that stays, wait until it says a pattern, and return what it said."""
        log = self.folder / f"server-{len(self._servers)}.log"
        log.touch()
        command = line.partition("#")[0].strip()
        self.type(f"{{ {command} ; }} > {log} 2>&1 < /dev/null & echo $!")
        self._servers.append(log)
        return until(lambda: re.search(pattern, log.read_text("utf-8")), log.read_text)

    def close(self):
        """End the shell and all that it started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._bash.pid, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._bash.wait(10)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._bash.pid, signal.SIGKILL)
        self._bash.wait()
        self._bash.stdin.close()
        self._bash.stdout.close()


SUDO = """
#!/bin/sh
if [ "$1" = -u ]; then user=$2; shift 2; exec runuser -u "$user" -- "$@"; fi
exec "$@"
"""


def _write(path, text):
    path.write_text(textwrap.dedent(text).lstrip())
    path.chmod(0o755)
