"""A file of a submission that is swapped for another, whenever that happens, leads nowhere."""

import errno
import os
import re
import signal
import sys
from pathlib import Path

import pytest

from grading.handed_in import intake, plain, reading
from grading.handed_in.received import Submission
from tests.lms_files import notebook
from tools.patience import PATIENCE

pytestmark = [
    pytest.mark.needs("sandbox"),
    pytest.mark.slow,
    pytest.mark.skipif(os.name == "nt", reason="links and pipes, and who is graded, are of Unix"),
]

UNIT = "05_softmax"
SECRET = "the-instructors-own"
OURS = (str(Path(plain.__file__).parent), "shutil.py")
"""Where the lines are between which things are swapped."""


@pytest.fixture
def outside(tmp_path):
    """What learners have no right to: files of the same names, and a victim to be written to."""
    folder = tmp_path / "outside"
    (folder / "inner").mkdir(parents=True)
    for name in (f"{UNIT}.ipynb", "my.ipynb", "inner/my.ipynb"):
        (folder / name).write_text(notebook(SECRET))
    for name in ("data.csv", "inner/more.csv", "victim"):
        (folder / name).write_text(SECRET)
    (folder / "timestamp.txt").write_text("2001-01-01 00:00:00 UTC")
    return folder


def hand_in(course, name=f"{UNIT}.ipynb"):
    """A submission with data beside it."""
    folder = course / "submitted" / "ada" / UNIT
    (folder / "inner").mkdir(parents=True)
    (folder / name).write_text(notebook("of-the-learner"))
    (folder / "data.csv").write_text("1")
    (folder / "inner" / "more.csv").write_text("2")
    (folder / "timestamp.txt").write_text("2026-01-01 00:00:00 UTC")
    return folder


def received(folder, target):
    """All that grading takes from the folder, as one text."""
    one = Submission("ada", UNIT, folder)
    intake.receive(one, "")
    read = reading.read(one.notebook, folder.parent) if one.notebook else ""
    intake.lay_out(folder, target, [], one.note)
    files = intake.beside(target, one.note)
    return (
        f"{read} {files} {one.remarks} {[path.read_bytes() for path in target.rglob('*') if path.is_file()]}"
    )


def swapped_before(line, swap, run):
    """Run something, and swap before the line of that number; the result, and whether it came to that."""
    count = 0

    def trace(frame, event, _):
        nonlocal count
        if not frame.f_code.co_filename.startswith(OURS[0]) and not frame.f_code.co_filename.endswith(
            OURS[1]
        ):
            return None
        if event == "line":
            count += 1
            if count == line:
                sys.settrace(None)
                swap()
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        return run(), count >= line
    except (reading.Unreadable, OSError) as error:  # said to the instructor, who asks for it again
        return str(error), count >= line
    finally:
        sys.settrace(before)


def by_link(target):
    return lambda path: path.symlink_to(target)


def by_pipe(_):
    return os.mkfifo


def by_a_large_file(_):
    return lambda path: (path.touch(), os.truncate(path, 2**22))


WAYS = {
    "notebook by a link": (f"{UNIT}.ipynb", by_link),
    "notebook by a pipe": (f"{UNIT}.ipynb", by_pipe),
    "notebook by a large file": (f"{UNIT}.ipynb", by_a_large_file),
    "notebook of another name by a link": ("my.ipynb", by_link),
    "notebook of another name by a pipe": ("my.ipynb", by_pipe),
    "file beside by a link": ("data.csv", by_link),
    "file beside by a pipe": ("data.csv", by_pipe),
    "file in a folder by a link": ("inner/more.csv", by_link),
    "folder inside by a link": ("inner", by_link),
    "time by a link": ("timestamp.txt", by_link),
    "time by a pipe": ("timestamp.txt", by_pipe),
    "the folder itself by a link": ("", by_link),
}


@pytest.fixture(autouse=True)
def in_time():
    """A pipe that is waited for fails the test instead of hanging it."""

    def waited(*_):
        raise AssertionError("it waits for a pipe")

    before = signal.signal(signal.SIGALRM, waited)
    signal.alarm(int(PATIENCE))
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


IN_THE_GATE = {
    "notebook by a link",
    "notebook by a large file",
    "file beside by a pipe",
    "folder inside by a link",
    "the folder itself by a link",
}


@pytest.mark.parametrize(
    "way", [pytest.param(way, marks=() if way in IN_THE_GATE else pytest.mark.nightly) for way in WAYS]
)
def test_whenever_it_is_swapped_nothing_outside_is_read_or_changed(way, tmp_path, outside, monkeypatch):
    monkeypatch.setattr(reading, "LARGEST", 2**20)
    name, by = WAYS[way]
    before = {path: path.read_bytes() for path in outside.rglob("*") if path.is_file()}
    line, came_to_it = 0, True
    while came_to_it:
        line += 1
        folder = hand_in(tmp_path / f"course-{line}", "my.ipynb" if name == "my.ipynb" else f"{UNIT}.ipynb")
        path = folder / name

        def swap(path=path, line=line):
            if os.path.lexists(path):  # it may be set aside already
                os.rename(path, tmp_path / f"moved-{line}")
            by(outside / name)(path)

        taken, came_to_it = swapped_before(
            line, swap, lambda folder=folder, line=line: received(folder, tmp_path / f"target-{line}")
        )
        assert SECRET not in taken, f"line {line}: {taken}"
        assert not re.search(r"\b2001\b", taken)  # in a cell's id, which is drawn, it is no year
        assert before == {path: path.read_bytes() for path in outside.rglob("*") if path.is_file()}
    assert line > 100


def test_what_is_in_the_way_of_a_copy_is_not_written_to(tmp_path, outside):
    """The notebook has another name, and a link of the right one comes while it is looked at."""
    line, came_to_it = 0, True
    while came_to_it:
        line += 1
        folder = hand_in(tmp_path / f"course-{line}", "my.ipynb")

        def swap(folder=folder):
            for path in (folder / f"{UNIT}.ipynb", folder / "more.csv"):
                path.unlink(missing_ok=True)
                path.symlink_to(outside / "victim")

        _, came_to_it = swapped_before(
            line, swap, lambda folder=folder, line=line: received(folder, tmp_path / f"target-{line}")
        )
        assert (outside / "victim").read_text() == SECRET
    assert line > 100


def test_a_time_that_is_a_link_or_a_pipe_is_set_aside(tmp_path, outside):
    for number, make in enumerate((lambda path: path.symlink_to(outside / "timestamp.txt"), os.mkfifo)):
        folder = hand_in(tmp_path / f"course-{number}")
        (folder / "timestamp.txt").unlink()
        make(folder / "timestamp.txt")
        one = Submission("ada", UNIT, folder)
        intake.receive(one, "")
        assert one.remarks == ["timestamp.txt was a link or a special file; it lies in set_aside/"]
        assert not os.path.lexists(folder / "timestamp.txt")


def test_a_link_in_the_gradebooks_place_is_not_followed_by_a_move(tmp_path, outside):
    """What is set aside is what stands in the learner's folder, not what stands behind a link to another."""
    folder = hand_in(tmp_path / "course")
    (folder / "inner" / "more.csv").unlink()
    (folder / "inner").rmdir()
    (folder / "inner").symlink_to(outside / "inner")
    with pytest.raises(plain.NotPlain) as raised:
        plain.move(folder / "inner" / "more.csv", folder.parent, tmp_path / "taken")
    assert raised.value.errno in (None, errno.ELOOP)
    assert (outside / "inner" / "more.csv").read_text() == SECRET


def test_a_hard_link_is_the_learners_own_file_and_nothing_is_written_through_it(tmp_path, outside):
    """Linux lets nobody link to a file that they may not write to; what they may write to, they may read."""
    folder = hand_in(tmp_path / "course")
    (folder / "data.csv").unlink()
    os.link(outside / "victim", folder / "data.csv")
    target = tmp_path / "target"
    target.mkdir()
    os.link(outside / "victim", target / "data.csv")
    received(folder, target)
    assert (outside / "victim").read_text() == SECRET
    assert not (target / "data.csv").samefile(outside / "victim")
