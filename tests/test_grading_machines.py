"""Many machines: a real PostgreSQL gradebook, a real dask scheduler and workers, one of them killed."""

import threading
import time

import pytest

from tests import classroom, servers

pytestmark = [pytest.mark.needs("sandbox", "database"), pytest.mark.slow]

UNIT = "01_dot_product"
LEARNERS = 12


def test_a_worker_lost_in_the_middle_changes_no_mark(tmp_path):
    with servers.postgres() as address:
        folder = classroom.open_course(tmp_path / "course", [UNIT], db=address)
        classroom.make_class(folder, UNIT, LEARNERS)
        done = classroom.grade(folder, UNIT)
        assert done.returncode == 0, done.stderr
        marks = classroom.points(folder, UNIT)
        assert len(marks) == LEARNERS
        assert not list(tmp_path.rglob("gradebook.db"))
        before = _written(folder)
        with servers.dask(2) as (scheduler, workers):

            def kill_one_at_work():
                while sum(when != before.get(path) for path, when in _written(folder).items()) < 4:
                    time.sleep(0.02)
                workers[0].kill()

            killer = threading.Thread(target=kill_one_at_work)
            killer.start()
            done = classroom.grade(folder, UNIT, "--all", "--scheduler", scheduler)
            killer.join()
            assert done.returncode == 0, done.stderr
            assert workers[0].wait() < 0
        after = _written(folder)
        assert all(after[path] != when for path, when in before.items()), "some were not graded again"
        assert classroom.points(folder, UNIT) == marks


def _written(folder):
    return {path: path.stat().st_mtime_ns for path in (folder / "reports" / UNIT).glob("*.json")}
