"""A gradebook is copied before a command writes into it, whatever the last one left."""

import sqlite3
import subprocess
import sys

import pytest

from grading.term import backup

pytestmark = [pytest.mark.needs("sandbox")]

KILLED = """
import os, signal, sqlite3, sys
book = sqlite3.connect(sys.argv[1], isolation_level=None)
book.execute("PRAGMA cache_size = 1")  # so that what is changed goes to the file at once
book.execute("BEGIN")
book.execute("UPDATE marks SET points = 0")
os.kill(os.getpid(), signal.SIGKILL)
"""


def points(file):
    with sqlite3.connect(file) as book:
        return {row for row in book.execute("SELECT points FROM marks")}


def test_a_gradebook_that_a_killed_run_left_half_written_is_copied_as_it_was_before(tmp_path):
    file = tmp_path / "gradebook.db"
    with sqlite3.connect(file) as book:
        book.execute("CREATE TABLE marks (points, remark)")
        book.executemany("INSERT INTO marks VALUES (3, ?)", [["x" * 1000]] * 500)
    subprocess.run([sys.executable, "-c", KILLED, file], check=False)
    assert (tmp_path / "gradebook.db-journal").stat().st_size > 0, "nothing was left half written"
    said = backup.keep(tmp_path, f"sqlite:///{file}", "grade")
    (copy,) = (tmp_path / "backups").iterdir()
    assert copy.name in said
    assert points(copy) == points(file) == {(3,)}
