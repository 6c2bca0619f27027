"""Many machines: a real PostgreSQL gradebook, a real dask scheduler and workers, one of them killed."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests import classroom, servers
from tools.patience import until

pytestmark = [pytest.mark.needs("sandbox", "database"), pytest.mark.nightly]

UNIT = "01_dot_product"
LEARNERS = 6


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
        with servers.dask(2, tmp_path) as (scheduler, workers), ThreadPoolExecutor(1) as pool:
            grading = pool.submit(classroom.grade, folder, UNIT, "--all", "--scheduler", scheduler)
            until(lambda: grading.done() or _changed(folder, before) >= 2)
            workers[0].kill()
            done = grading.result()
            assert done.returncode == 0, done.stderr
            assert workers[0].wait() < 0
        after = _written(folder)
        assert all(after[path] != when for path, when in before.items()), "some were not graded again"
        assert classroom.points(folder, UNIT) == marks


def _changed(folder, before):
    return sum(when != before.get(path) for path, when in _written(folder).items())


def _written(folder):
    return {path: path.stat().st_mtime_ns for path in (folder / "reports" / UNIT).glob("*.json")}
