"""Damaged and hostile submissions: nobody else notices, and each has its mark, or a reason to act on."""

import shutil

import pytest

from tests import faults, sample_learners
from tests.faults import EXTRA, FAULTS, ORDINARY, UNIT

pytestmark = [pytest.mark.needs("sandbox"), pytest.mark.slow]

TESTED = [fault for fault in FAULTS if fault.name not in EXTRA]
REACHING = [fault for fault in TESTED if fault.reaches]
PLAIN = [
    one
    for one in TESTED
    if one.plain and one.expected is not faults.NO_MARK and not (one.slow or one.reaches)
][::5]


@pytest.fixture(scope="module")
def clean(tmp_path_factory):
    """A class without faults, graded, and its points."""
    folder = faults.open_class(tmp_path_factory.mktemp("clean") / "course")
    done = faults.grade(folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder, faults.ordinary(folder)


def spoil(clean, folder, chosen):
    """The same class, not graded yet, with faulty submissions beside the others."""
    shutil.copytree(clean[0], folder)
    faults.forget(folder)
    faults.hand_in(folder, chosen)
    return folder


def test_class(clean, tmp_path):
    """Those that reach for others too; `python -m tests.faults` grades them apart, to tell who did harm."""
    folder, chosen = tmp_path / "course", TESTED
    spoil(clean, folder, chosen)
    done = faults.grade(folder)
    rows = [row for row in faults.table(chosen, folder, done.stdout) if row[-1]]
    table = faults.show(rows) if rows else ""
    says = f"{len(rows)} of {len(chosen)} are not as they should be:\n{table}\n{done.stderr[-2000:]}"
    after = faults.ordinary(folder)
    changed = {student: after[student] for student in ORDINARY if after[student] != clean[1][student]}
    assert not changed, f"others have other points.\n{says}"
    assert not rows, says
    assert faults.leaks(folder) == []
    assert "Traceback" not in done.stdout + done.stderr
    assert "\x1b" not in done.stdout, "a learner's text steers the instructor's terminal"
    assert done.returncode == 1


@pytest.mark.nightly
def test_plain_nbgrader(clean, tmp_path):
    folder = spoil(clean, tmp_path / "course", PLAIN)
    done = sample_learners.nbgrader(folder, "autograde", UNIT)
    marks = faults.classroom.points(folder, UNIT)
    wrong = {one.name: marks.get(one.student) for one in PLAIN if marks.get(one.student) != one.expected}
    assert not wrong, done.stderr[-3000:]
    assert faults.ordinary(folder) == clean[1]
    assert faults.leaks(folder) == []


def test_bank():
    students = [*ORDINARY, *(fault.student for fault in FAULTS)]
    assert len(students) == len(set(students))
    assert {fault.name for fault in FAULTS} >= EXTRA
    assert len(TESTED) - len(REACHING) >= 125
    assert len(REACHING) >= 15
