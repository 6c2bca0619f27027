"""What grading does once: a report is written once, a database has one engine, equal answers one verdict."""

import os
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from nbgrader.api import Gradebook
from sqlalchemy import create_engine

from grading import checker, report, submission
from grading.inside.warm import use_huge_pages
from grading.term import engine, gradebook
from helpers.exercises import find
from helpers.exercises.base import draw_cases
from tests import classroom

pytestmark = [pytest.mark.needs("sandbox"), pytest.mark.slow]

UNIT = "01_dot_product"
EXERCISE = "dot"


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A class of two, whose gradebook knows the unit; one of them handed in no notebook."""
    folder = classroom.open_course(tmp_path_factory.mktemp("once"), [UNIT])
    classroom.hand_in(folder, UNIT, "ann", classroom.solved(UNIT))
    classroom.hand_in(folder, UNIT, "bob", notebook=b"{")
    return folder


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch):
    """Each test begins without verdicts, and leaves none."""
    monkeypatch.setattr(checker, "_VERDICTS", {})


@pytest.fixture
def basis(small):
    return gradebook.judged_by(submission.settings(small), UNIT)


# Reports


def test_a_report_is_written_once_and_read_by_nobody_on_the_way(small, basis, monkeypatch):
    written, write = [], report.write
    monkeypatch.setattr(report, "read", lambda *_: pytest.fail("somebody reads a report"))
    monkeypatch.setattr(report, "write", lambda course, made: (written.append(made), write(course, made)))
    for _ in range(2):
        for student in ("ann", "bob"):
            submission.job(str(small), UNIT, "", False, basis, student)
    assert [one.student for one in written] == ["ann", "bob", "ann", "bob"]
    assert classroom.reports(small, UNIT) == {one.student: vars(one) for one in written[2:]}
    assert [bool(one.reason) for one in written[2:]] == [False, True]
    assert "NBGRADER_EXECUTION" not in os.environ, "after an error it still says that this is grading"


def test_a_plain_nbgrader_writes_each_report_once_too(small, tmp_path):
    script = tmp_path / "plain.py"
    script.write_text(
        "from grading import report\n"
        "from nbgrader.apps.nbgraderapp import main\n"
        "write = report.write\n"
        "def note(course, made):\n"
        "    print('wrote', made.student, bool(made.reason))\n"
        "    write(course, made)\n"
        "report.write, report.read = note, None\n"
        "main()\n"
    )
    words = [sys.executable, "-W", "ignore", script, "autograde", UNIT, "--force"]
    done = subprocess.run(words, cwd=small, env=classroom.environ(), capture_output=True, text=True)
    said = [line for line in done.stdout.splitlines() if line.startswith("wrote")]
    assert said == ["wrote ann False", "wrote bob True"], done.stdout + done.stderr


# The engine


def test_a_database_has_one_engine_a_process(small, monkeypatch):
    made = []
    monkeypatch.setattr(engine, "_ENGINES", {})
    monkeypatch.setattr(engine, "create_engine", lambda *a, **k: made.append(a) or create_engine(*a, **k))
    assert sum(bool(points) for points in classroom.points(small, UNIT).values()) in (0, 1, 2)
    classroom.points(small, UNIT)
    assert len(made) == 1


def test_a_gradebook_that_is_replaced_on_the_disk_is_read_anew(small, tmp_path):
    files = [tmp_path / name for name in ("first.db", "second.db")]
    for file, student in zip(files, ("zoe", "yan"), strict=True):
        shutil.copy(small / "gradebook.db", file)
        with Gradebook(f"sqlite:///{file}") as book:
            book.add_student(student)
    with Gradebook(f"sqlite:///{files[0]}") as book:
        assert book.find_student("zoe")
    os.replace(files[1], files[0])
    with Gradebook(f"sqlite:///{files[0]}") as book:
        assert {one.id for one in book.students} >= {"yan"}
        assert "zoe" not in {one.id for one in book.students}


def test_a_forked_worker_never_shares_a_connection(small):
    with Gradebook(f"sqlite:///{small}/gradebook.db") as book:
        ours = book.engine.raw_connection()
        mine = ours.driver_connection
        ours.close()  # it waits in the pool, and a fork would find it there
        pid = os.fork()
        if pid == 0:
            theirs = book.engine.raw_connection().driver_connection
            os._exit(0 if theirs is not mine else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0, "the fork has its parent's connection"
        again = book.engine.raw_connection()
        assert again.driver_connection is mine, "the parent lost its own"
        again.close()


# Verdicts


def seen_of(value):
    return [{"value": {"kind": "array", "array": np.array(value)}, "changed": []}]


NAN, OTHER_NAN = (
    struct.unpack("d", struct.pack("Q", bits))[0] for bits in (0x7FF8000000000000, 0x7FF8000000000001)
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (np.float64(1.0), np.nextafter(1.0, 2.0)),
        (np.float64(1.0), np.float32(1.0)),
        (np.int64(1), np.int32(1)),
        (np.float64(0.0), np.float64(-0.0)),
        ([NAN], [OTHER_NAN]),
        ([[1.0, 2.0]], [[1.0], [2.0]]),
        ([True], [1]),
    ],
    ids=["a bit", "float width", "int width", "sign of zero", "payload of nan", "shape", "kind"],
)
def test_observations_that_differ_never_share_a_verdict(one, other, monkeypatch):
    exercise, asked = find(EXERCISE), []
    monkeypatch.setattr(checker, "judge", lambda *args: asked.append(args) or len(asked))
    first, second = seen_of(one), seen_of(other)
    assert [checker.verdict_on(exercise, 7, "visible", seen) for seen in (first, second, first, second)] == [
        1,
        2,
        1,
        2,
    ]
    assert len(asked) == 2


def test_the_kind_of_a_result_and_what_was_changed_are_part_of_what_was_seen(monkeypatch):
    exercise, asked = find(EXERCISE), []
    monkeypatch.setattr(checker, "judge", lambda *args: asked.append(args) or len(asked))
    different = [seen_of(1.0) for _ in range(4)]
    different[1][0]["value"]["kind"] = "number"
    different[2][0]["changed"] = ["a"]
    different[3][0]["whole_answer"] = ["numpy.dot"]
    assert [checker.verdict_on(exercise, 7, "visible", seen) for seen in different] == [1, 2, 3, 4]


def test_other_inputs_have_another_verdict(monkeypatch):
    exercise, asked = find(EXERCISE), []
    monkeypatch.setattr(checker, "judge", lambda *args: asked.append(args) or len(asked))
    draws = [(1, "visible"), (2, "visible"), (1, "hidden")]
    found = [checker.verdict_on(exercise, *one, seen_of(1.0)) for one in draws]
    assert found == [1, 2, 3]


def test_a_verdict_that_is_kept_says_what_a_fresh_one_says():
    exercise = find(EXERCISE)
    fresh = checker.verdict_on(exercise, 7, "visible", seen_of(1.0))
    kept = checker.verdict_on(exercise, 7, "visible", seen_of(1.0))
    assert kept is fresh
    assert kept.says == checker.judge(exercise, draw_cases(exercise, 7, "visible"), seen_of(1.0)).says


# Memory


def test_the_warm_process_has_a_short_table_of_pages_where_linux_can():
    version = tuple(int(part) for part in re.findall(r"\d+", os.uname().release)[:2])
    mode = Path("/sys/kernel/mm/transparent_hugepage/enabled")
    if version < (6, 1) or not mode.exists() or "[never]" in mode.read_text():
        pytest.skip("this Linux cannot put memory into huge pages when it is asked to")
    held = bytearray(2**25)
    held[::4096] = bytes([1]) * len(held[::4096])
    assert use_huge_pages() >= 2**24
    assert set(held[::4096]) == {1}, "the memory holds something else now"
