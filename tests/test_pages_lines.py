"""The lines that the README and the guide tell people to type, typed as they stand into a fresh clone."""

import csv
import os
import re
import shutil
import sys
import tempfile
import time
import tomllib
import urllib.request
from pathlib import Path

import nbformat
import pytest

from tests import classroom, fresh_clone, lms_files, sample_learners
from tests.classroom import released, solved
from tests.fresh_clone import ROOT, blocks, lines
from tools.patience import PATIENCE

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
            with urllib.request.urlopen(address, timeout=PATIENCE) as page:
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
    with open(folder / "marks.csv", newline="", encoding="utf-8-sig") as table:
        return {row["student_id"]: row["sum"] for row in csv.DictReader(table)}


def test_a_learner_starts(shell):
    clone(shell)
    (address,) = type_all(shell, lines("README.md", "Start", 1)[2:])
    assert "/lab/tree/work/00_start_here/00_start_here.ipynb" in address


def test_an_instructor_grades_by_the_guide_and_by_the_readme(shell):
    """The guide's lines in a fresh clone, then those of the README, in which `make grade` comes again."""
    folder = clone(shell)
    hand_in(folder)
    typed = lines("docs/grading.md", "The short way")
    assert typed[0].startswith("sudo apt install"), typed[0]
    if os.getuid() != 0:
        typed = typed[1:]  # asks for a password
    said = "\n".join(type_all(shell, typed))
    assert "1 of 2 have a mark" in said
    type_all(shell, lines("README.md", "For instructors"))
    assert marks(folder) == {"ada": f"{sum(sample_learners.points(UNIT).values())}", "bob": ""}
    assert (folder / "feedback" / "ada" / UNIT / f"{UNIT}.html").is_file()
    assert fresh_clone.git("status", "--short", cwd=folder) == "", "names could be published"


TERM = (
    "Before the term",
    "Collect and grade",
    "Marks and feedback",
    "Compare the answers of a class",
    "In the middle of the term",
    "Next year",
)
OUTSIDE = "~/compare50"
"""Lines with it are about a tool that is not the course's."""
CLASS = ["ada", "ben", *(f"learner{number}" for number in range(2, 12))]


def a_class_of_canvas(folder, whole):
    """A class of 12 as Canvas exports it, a unit of so many points; all but the last have handed in."""
    people = [(name, name.title(), "Lovelace, Jr", 100 + number, "") for number, name in enumerate(CLASS)]
    columns = [("Unit 05 (1234)", f"{whole:.2f}")]
    (folder / "students.csv").write_bytes(
        lms_files.table(lms_files.canvas_gradebook(people, columns, sections=("Monday", "Friday")))
    )
    files = {}
    for _, first, last, number, _ in people[:-1]:
        answers = classroom.made_up(UNIT, number)
        answered = sample_learners.answered(released(UNIT), answers)
        letters = "".join(one for one in f"{last}{first}".lower() if one.isalnum())
        files[f"{letters}_{number}_{number + 1000}_{UNIT}.ipynb"] = nbformat.writes(answered)
    lms_files.make_zip(folder / "submissions.zip", files)
    return {number: name for name, _, _, number, _ in people}


@pytest.mark.nightly
def test_a_term_by_the_guide(shell):
    """Every line of the page, in its order, from a clone to a table that Canvas takes, and to next year."""
    folder, began = clone(shell), time.monotonic()
    (settings,) = re.findall(r"^```toml\n(.*?)^```$", (ROOT / "docs/term.md").read_text("utf-8"), re.M | re.S)
    chosen = tomllib.loads(settings)
    ((dropped, choice),) = chosen["exercises"][UNIT].items()
    assert choice == "drop"
    names = a_class_of_canvas(
        folder, sum((sample_learners.points(UNIT) | chosen["points"][UNIT] | {dropped: 0}).values())
    )
    (folder / "term.toml").write_text(settings, "utf-8")
    *before, last = [
        [line for line in lines("docs/term.md", heading) if OUTSIDE not in line] for heading in TERM
    ]
    said = "\n".join(type_all(shell, [line for typed in before for line in typed]))
    seconds, count = time.monotonic() - began, sum(map(len, before))
    print(f"A class of {len(names)}: {count} lines, {seconds:.0f} seconds.")
    assert "On the roster, but nothing handed in: learner11" in said
    assert "To be looked at in Formgrader, by kim:" in said
    true = {
        name: sum(raw[one] or 0 for one in raw if one != dropped)
        for name, raw in classroom.points(folder, UNIT).items()
    }
    assert len(true) == 11
    text = (folder / "canvas.csv").read_text("utf-8")
    got, _, _ = lms_files.canvas_imports(text, set(names), {1234: ""})
    assert {names[number]: mark for (number, _), mark in got.items()} == {**true, "learner11": None}
    assert len({*true.values()}) > 5
    table = (folder / "marks.csv").read_text("utf-8-sig")
    assert len(table.splitlines()) == 13
    flags = [one["flags"] for one in classroom.reports(folder, UNIT).values()]
    assert any(flags)
    assert [[*dict.fromkeys(one)] for one in flags] == flags, "the same thing said twice of one learner"
    page = (folder / "analytics.html").read_text("utf-8")
    assert not [name for name in CLASS if name in page]
    pages = lms_files.canvas_takes_feedback(
        folder / f"canvas-feedback-{UNIT}.zip", {number: {number + 1000} for number in names}
    )
    assert len(pages) == 11
    assert {path.name for path in (folder / "answers" / UNIT / "softmax").iterdir()} <= {*CLASS[:-1]}
    assert fresh_clone.git("status", "--short", cwd=folder) == "", "names could be published"
    type_all(shell, last)
    assert not {"submitted", "answers", "gradebook.db", "students.csv"} & {
        path.name for path in folder.iterdir()
    }
    assert (folder / "archive" / "2026" / "gradebook.db").is_file()
    assert fresh_clone.git("status", "--short", cwd=folder) == ""


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


@pytest.mark.nightly
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
    """But those for which this machine has no index of PyTorch's own, and those of another tool."""
    typed = [
        blocks("README.md", "Start")[0],
        *blocks("README.md", "For instructors"),
        *blocks("docs/grading.md", "The short way"),
        *blocks("docs/grading.md", "Many machines"),
        *(block for heading in TERM for block in blocks("docs/term.md", heading) if OUTSIDE not in block),
    ]
    pages = ("README.md", "docs/grading.md", "docs/term.md")
    found = [block for page in pages for block in fresh_clone.typed((ROOT / page).read_text("utf-8"))]
    left = [block.splitlines()[0] for block in found if block not in typed]
    assert left == ["pip install uv", "attention is not right yet.", f"python3 -m venv {OUTSIDE}"]
