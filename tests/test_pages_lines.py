"""The lines that the README and the guide tell people to type, typed as they stand into a fresh clone."""

import csv
import os
import re
import shutil
import sys
import tempfile
import tomllib
import urllib.request
from pathlib import Path

import nbformat
import pytest

from tests import fresh_clone, sample_learners
from tests.classroom import released, solved
from tests.fresh_clone import ROOT, blocks, lines

pytestmark = [
    pytest.mark.needs("sandbox"),
    pytest.mark.slow,
    pytest.mark.skipif(Path(sys.prefix) != ROOT / ".venv", reason="set-up did not make this environment"),
]
UNIT = "05_softmax"
ADDRESS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]["Repository"]


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    return fresh_clone.origin(tmp_path_factory.mktemp("origin"))


@pytest.fixture
def shell(source, tmp_path):
    one = fresh_clone.Shell(tmp_path, ADDRESS, source)
    yield one
    one.close()


def clone(shell):
    """The first two lines of the README: the clone, and into it."""
    for line in lines("README.md", "Start", 1)[:2]:
        code, said = shell.type(line)
        assert code == 0, f"{line}\n{said}"
    folder = next(path.parent for path in shell.folder.glob("*/pyproject.toml"))
    fresh_clone.lend_environment(folder)
    return folder


def hand_in(folder):
    """Two students: everything right, and a file that is no notebook."""
    for student, text in (
        ("ada", nbformat.writes(sample_learners.answered(released(UNIT), solved(UNIT)))),
        ("bob", "not a notebook"),
    ):
        place = folder / "submitted" / student / UNIT / f"{UNIT}.ipynb"
        place.parent.mkdir(parents=True)
        place.write_text(text, "utf-8")


def type_all(shell, typed):
    """Type lines, servers included; each must end well, or stay."""
    said = []
    for line in typed:
        if line.startswith(("make teach", "make learn")):
            address = shell.serve(line, r"http://(localhost|127\.0\.0\.1):\S+")[0]
            with urllib.request.urlopen(address, timeout=120) as page:
                said.append(page.url)
        elif "dask scheduler" in line:
            shell.serve(line, "Scheduler at")
        elif "dask worker" in line:
            shell.serve(line, "Registered to")
        else:
            code, text = shell.type(line)
            assert code == 0, f"{line}\n{text}"
            said.append(text)
    return said


def marks(folder):
    with open(folder / "grades.csv", newline="", encoding="utf-8") as table:
        return {row["student_id"]: row["score"] for row in csv.DictReader(table) if row["assignment"] == UNIT}


def test_a_learner_starts(shell):
    clone(shell)
    (address,) = type_all(shell, lines("README.md", "Start", 1)[2:])
    assert "/lab/tree/00_start_here/00_start_here.ipynb" in address


def test_an_instructor_grades_by_the_readme(shell):
    folder = clone(shell)
    hand_in(folder)
    type_all(shell, lines("README.md", "For instructors"))
    assert marks(folder) == {"ada": f"{sum(sample_learners.points(UNIT).values())}.0", "bob": ""}
    assert (folder / "feedback" / "ada" / UNIT / f"{UNIT}.html").is_file()
    assert fresh_clone.git("status", "--short", cwd=folder) == "", "names could be published"


def test_an_instructor_grades_by_the_guide(shell):
    folder = clone(shell)
    hand_in(folder)
    typed = lines("docs/grading.md", "The short way")
    assert typed[0].startswith("sudo apt install"), typed[0]
    if os.getuid() != 0:
        typed = typed[1:]  # asks for a password
    said = "\n".join(type_all(shell, typed))
    assert "1 of 2 have a mark" in said


LOOPBACK = """
import fcntl, socket, struct
with socket.socket() as one:
    fcntl.ioctl(one, 0x8914, struct.pack("16sh", b"lo", 0x1 | 0x40))  # SIOCSIFFLAGS: up and running
"""


def a_network_of_its_own(shell, hosts):
    """Ports that nobody else has, and names for this machine."""
    (shell.folder / "hosts").write_text(f"127.0.0.1 localhost {hosts}\n")
    (shell.folder / "loopback.py").write_text(LOOPBACK)
    python = sys.executable
    for line in (f"mount --bind {shell.folder}/hosts /etc/hosts", f"{python} {shell.folder}/loopback.py"):
        code, said = shell.type(line)
        assert code == 0, f"{line}\n{said}"


def a_database_server(shell):
    """PostgreSQL where Debian's own listens, with nothing in it; it ends with the shell."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1]
    place = Path(tempfile.mkdtemp(prefix="postgres-"))  # the superuser cannot get into pytest's folders
    shutil.chown(place, "postgres", "postgres")
    options = "-c listen_addresses=* -c unix_socket_directories=/var/run/postgresql -c fsync=off"
    for line in (
        f"mkdir -p /var/run/postgresql && mount --bind {place} /var/run/postgresql",
        f"(cd {place} && sudo -u postgres {programs}/initdb --pgdata {place}/data --auth=trust) > /dev/null",
        f"(cd {place} && sudo -u postgres {programs}/pg_ctl --pgdata {place}/data --wait --log {place}/log "
        f"--options '{options}' start)",
    ):
        code, said = shell.type(line)
        assert code == 0, f"{line}\n{said}"
    return place, f"sudo -u postgres {programs}/pg_ctl --pgdata {place}/data --mode=immediate stop"


@pytest.mark.needs("database")
@pytest.mark.skipif(os.name == "nt" or os.getuid() != 0, reason="root alone may make a network of its own")
def test_an_instructor_grades_on_many_machines(source, tmp_path):
    """In a network in which the names of the guide's machines all mean this one."""
    shell = fresh_clone.Shell(tmp_path, ADDRESS, source, around=("unshare", "--net", "--mount"))
    try:
        a_network_of_its_own(shell, "host db")
        place, stop = a_database_server(shell)
        folder = clone(shell)
        hand_in(folder)
        try:
            said = "\n".join(type_all(shell, lines("docs/grading.md", "Many machines")))
        finally:
            shell.type(stop)
            shutil.rmtree(place, ignore_errors=True)
        assert "1 of 2 have a mark" in said
        assert not (folder / "gradebook.db").exists()
    finally:
        shell.close()


def test_every_block_of_lines_is_typed_by_a_test():
    """But those for which this machine has no conda, and no index of PyTorch's own."""
    typed = [
        blocks("README.md", "Start")[0],
        *blocks("README.md", "For instructors"),
        *blocks("docs/grading.md", "The short way"),
        *blocks("docs/grading.md", "Many machines"),
    ]
    found = [
        block
        for page in ("README.md", "docs/grading.md")
        for block in re.findall(
            r"^```\n(.*?)^```$", (ROOT / page).read_text("utf-8"), re.MULTILINE | re.DOTALL
        )
    ]
    left = [block.splitlines()[0] for block in found if block not in typed]
    assert left == ["pip install uv", "conda env create -f environment.yml", "attention is not right yet."]
