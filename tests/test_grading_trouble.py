"""What is wrong with the machine is said in one sentence: a full disk, a folder, the database, no workers."""

import os
import shutil
import subprocess
import sys

import pytest
from nbgrader.api import Gradebook

from grading import submission, trouble
from grading.term import basis
from tests import classroom, servers
from tools.patience import LONGEST

pytestmark = [pytest.mark.needs("sandbox"), pytest.mark.slow]

UNIT = "00_start_here"


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A class of two, not graded yet."""
    folder = classroom.fresh_course(tmp_path_factory.mktemp("small") / "course", [UNIT])
    for student in ("ann", "bob"):
        classroom.hand_in(folder, UNIT, student, classroom.solved(UNIT))
    return folder


def sentence(done):
    """What is said instead of a table; nothing else may stand there."""
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    (line,) = done.stderr.strip().splitlines()
    return line


# The disk


def on_small_disk(place, script):
    """Run a shell script with a file system of 2 MB of its own mounted at a place, seen by nobody else."""
    mount = f"mount -t tmpfs -o size=4m,mode=0777 none {place}"
    alone = ["unshare", "--mount"]
    if os.getuid():
        alone += ["--user", "--map-current-user", "--keep-caps"]
    words = [*alone, "sh", "-c", f"set -e; {mount}\n{script}"]
    return subprocess.run(words, env=classroom.environ(), capture_output=True, text=True, timeout=LONGEST)


def test_a_full_disk_is_said_and_nothing_is_half_written(small, tmp_path):
    place = tmp_path / "disk"
    place.mkdir()
    grade = " ".join(classroom.command(place / "course", UNIT, "--workers", 1))
    done = on_small_disk(
        place,
        f"""
        cp -r {small} {place}/course
        {grade} >/dev/null || exit 90
        rm {place}/course/reports/{UNIT}/*.json
        dd if=/dev/zero of={place}/ballast bs=4k 2>/dev/null || true
        set +e
        {grade}
        echo "exit code $?"
        rm {place}/ballast
        {grade}
        cd {place}/course && {sys.executable} -W ignore -m nbgrader generate_feedback {UNIT} 2>/dev/null
        find feedback autograded reports -name '*.html' -o -name '*.ipynb' -o -name '.*' -type f
        """,
    )
    assert "The disk is full" in done.stderr, done.stdout + done.stderr
    assert "then run the same command again" in done.stderr
    assert "Traceback" not in done.stderr
    said, _, rest = done.stdout.partition("exit code 2\n")
    assert "have a mark" not in said
    assert "2 of 2 have a mark" in rest
    files = set(rest.split("2 of 2 have a mark")[1].splitlines()[1:])
    graded = {f"autograded/{student}/{UNIT}/{UNIT}.ipynb" for student in ("ann", "bob")}
    pages = {f"feedback/{student}/{UNIT}/{UNIT}.html" for student in ("ann", "bob")}
    assert files == {*graded, *pages, "reports/.code.json"}, "half-written files, or some without feedback"


FULL_GRADEBOOK = """
import sys
from sqlalchemy import text
from nbgrader.api import InvalidEntry
from grading.term import gradebook
with gradebook.in_one_go(f"sqlite:///{sys.argv[1]}") as book:
    book.db.execute(text("PRAGMA max_page_count = 1"))  # as many as it has: it is full now
    try:
        for number in range(10_000):
            book.update_or_create_student(f"{number:0100}")
    except InvalidEntry as error:
        print("raised:", str(error).splitlines()[0])
"""


def test_a_gradebook_that_is_full_is_raised_and_not_logged_too(tmp_path):
    """nbgrader logs a traceback for each worker, under which the one sentence is lost."""
    with Gradebook(f"sqlite:///{tmp_path}/gradebook.db"):
        pass
    words = [sys.executable, "-W", "ignore", "-c", FULL_GRADEBOOK, str(tmp_path / "gradebook.db")]
    done = subprocess.run(words, env=classroom.environ(), capture_output=True, text=True, timeout=LONGEST)
    assert "raised:" in done.stdout, done.stderr
    assert "database or disk is full" in done.stdout
    assert done.stderr == ""


def test_a_folder_of_somebody_else_is_said(small, tmp_path):
    """A read-only file system refuses root too."""
    place = tmp_path / "disk"
    place.mkdir()
    grade = " ".join(classroom.command(place / "course", UNIT))
    done = on_small_disk(
        place, f"cp -r {small} {place}/course; mount -o remount,ro none {place}; set +e; {grade}"
    )
    assert sentence(done).startswith(f"{place}/course/.grading.lock cannot be written")


# The sandbox


def test_the_sentence_without_a_sandbox_says_what_make_needs():
    from grading.outside import sandbox

    assert 'make grade UNIT=... ARGS="--without-sandbox"' in sandbox._advice("of this test")


# The database


@pytest.fixture(scope="module")
def server():
    with servers.postgres() as address:
        yield address.removeprefix("postgresql+pg8000://grader@").removesuffix("/gradebook")


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("postgresql+pg8000://nobody@{}/gradebook", "see `createuser`"),
        ("postgresql+pg8000://grader@{}/nothing", "no such database: see `createdb`"),
        ("postgresql+pg8000://guest:word@{}/gradebook", "see `createdb --owner`"),
        ("postgresql+pg8000://grader@127.0.0.1:9/gradebook", "no server answers"),
    ],
)
def test_a_database_that_refuses_is_said(small, server, desk, address, says):
    if "guest" in address:
        servers.psql(server, "CREATE ROLE guest LOGIN")
    done = desk.run(small, "grading", UNIT, "--db", address.format(server))
    assert says in sentence(done)
    assert ":word@" not in done.stderr


def test_no_gradebook_lies_in_the_folder_then(small, server, desk):
    done = desk.run(small, "grading", UNIT, "--db", f"postgresql+pg8000://grader@{server}/gradebook")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"The gradebook did not know {UNIT}" in done.stdout
    assert not (small / "gradebook.db").exists()


# Dask


def test_a_scheduler_without_workers_is_said(small, tmp_path):
    folder = shutil.copytree(small, tmp_path / "course")
    with servers.dask(0, tmp_path) as (scheduler, _):
        done = classroom.grade(folder, UNIT, "--scheduler", scheduler, "--wait-for-workers", 1)
    line = sentence(done)
    assert line.startswith(f"The scheduler at {scheduler} has no workers")
    assert f"dask worker {scheduler}" in line


def test_a_worker_with_another_version_of_the_course_grades_nothing():
    given = basis.Basis("digest", "another version")
    with pytest.raises(submission.OtherCode, match="runs another version of the course than you"):
        submission.job("nowhere", UNIT, "", False, given, "ann")


def test_only_the_machines_errors_pass_without_a_traceback():
    expected = [OSError(28, "No space left", "x"), PermissionError(13, "denied", "x"), trouble.Wrong("x")]
    assert [trouble.is_expected(error) for error in expected] == [True] * 3
    ours = [FileNotFoundError(2, "No such file", "x"), IsADirectoryError(21, "a folder", "x"), KeyError("x")]
    assert [trouble.is_expected(error) for error in ours] == [False] * 3
