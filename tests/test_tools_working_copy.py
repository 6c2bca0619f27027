"""A learner's work is safe: nothing in `work/` is overwritten or deleted, newer blanks are announced."""

import json
import os

import pytest

from tools import working_copy
from tools.shell import Stop

SOFTMAX, MASKS = "05_softmax/05_softmax.ipynb", "04_masking/04_masking.ipynb"


@pytest.fixture
def course(tmp_path):
    """Two folders, the blanks and the working copy, with two units in the first."""
    for name in (SOFTMAX, MASKS):
        blank = tmp_path / "notebooks" / name
        blank.parent.mkdir(parents=True)
        blank.write_text(f"blank of {name}")
    return tmp_path / "notebooks", tmp_path / "work"


def contents(folder):
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*.ipynb")}


def test_update_copies_every_unit_and_never_a_file_over_the_learner_s(course):
    notebooks, work = course
    (work / SOFTMAX).parent.mkdir(parents=True)
    (work / SOFTMAX).write_text("from last year")
    assert working_copy.update(notebooks, work) == []
    assert contents(work) == {**contents(notebooks), SOFTMAX: "from last year"}
    (work / MASKS).write_text("my answer")
    assert working_copy.update(notebooks, work) == []
    assert contents(work) == {SOFTMAX: "from last year", MASKS: "my answer"}


def test_update_brings_back_a_deleted_notebook_and_new_files(course):
    notebooks, work = course
    working_copy.update(notebooks, work)
    (work / SOFTMAX).unlink()
    (notebooks / "05_softmax" / "picture.png").write_bytes(b"\x89PNG")
    working_copy.update(notebooks, work)
    assert contents(work) == contents(notebooks)
    assert (work / "05_softmax" / "picture.png").read_bytes() == b"\x89PNG"


def test_hidden_files_are_not_copied(course):
    notebooks, work = course
    checkpoint = notebooks / "05_softmax" / ".ipynb_checkpoints" / "old.ipynb"
    checkpoint.parent.mkdir()
    checkpoint.write_text("old")
    working_copy.update(notebooks, work)
    assert set(contents(work)) == {SOFTMAX, MASKS}


def test_a_newer_blank_is_announced_once_per_unit_until_it_is_taken(course):
    notebooks, work = course
    (notebooks / "05_softmax" / "data.csv").write_text("1")
    working_copy.update(notebooks, work)
    (notebooks / SOFTMAX).write_text("newer blank")
    (notebooks / "05_softmax" / "data.csv").write_text("2")
    for _ in range(2):
        (message,) = working_copy.update(notebooks, work)
        assert message.startswith("05_softmax has a newer blank")
        assert working_copy.fresh_command("05_softmax") in message
    assert (work / SOFTMAX).read_text() == f"blank of {SOFTMAX}"
    working_copy.fresh(notebooks, work, "05_softmax")
    assert working_copy.update(notebooks, work) == []


def test_fresh_moves_the_learners_file_aside_and_takes_the_blank(course):
    notebooks, work = course
    answers = ["first", "second", "third"]
    for answer in answers:  # within a second: none takes the other's name
        working_copy.update(notebooks, work)
        (work / SOFTMAX).write_text(answer)
        message = working_copy.fresh(notebooks, work, "05_softmax")[0]
        (kept,) = (path for path in (work / "05_softmax").iterdir() if path.read_text() == answer)
        assert kept.name.startswith("05_softmax.20")
        assert f"work/05_softmax/{kept.name}" in message
        assert (work / SOFTMAX).read_text() == f"blank of {SOFTMAX}"
    assert {*answers} < set(contents(work).values())


def test_fresh_leaves_an_untouched_copy_and_other_units_alone(course):
    notebooks, work = course
    working_copy.update(notebooks, work)
    (work / MASKS).write_text("my masks")
    working_copy.fresh(notebooks, work, "05_softmax")
    assert contents(work) == {SOFTMAX: f"blank of {SOFTMAX}", MASKS: "my masks"}


@pytest.mark.parametrize("unit", ["", "../notebooks"])
def test_fresh_of_an_unknown_unit_lists_the_units(course, unit):
    with pytest.raises(Stop, match="04_masking, 05_softmax"):
        working_copy.fresh(*course, unit)


def test_no_units_is_a_sentence(tmp_path):
    with pytest.raises(Stop, match="holds no units"):
        working_copy.update(tmp_path / "notebooks", tmp_path / "work")


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"05_softmax/05_softmax.ipynb": 5}', "\udcff\udcfe"])
def test_a_damaged_record_is_set_aside_and_no_work_is_lost(course, damage):
    notebooks, work = course
    working_copy.update(notebooks, work)
    (work / SOFTMAX).write_text("my answer")
    (work / working_copy.RECORD).write_text(damage, "utf-8", "surrogateescape")
    (message,) = working_copy.update(notebooks, work)
    assert "was damaged" in message
    assert (work / SOFTMAX).read_text() == "my answer"
    (kept,) = work.glob(".blanks.20*.json")
    assert kept.read_bytes() == damage.encode("utf-8", "surrogateescape")
    assert working_copy.update(notebooks, work) == []


def test_a_missing_record_is_made_anew(course):
    notebooks, work = course
    working_copy.update(notebooks, work)
    (work / working_copy.RECORD).unlink()
    assert working_copy.update(notebooks, work) == []
    assert set(json.loads((work / working_copy.RECORD).read_text())) == {SOFTMAX, MASKS}


def test_an_interrupted_copy_does_not_pass_for_the_learners_file(course, monkeypatch):
    notebooks, work = course

    def killed(source, target):
        target.write_text("ha")
        raise KeyboardInterrupt

    monkeypatch.setattr(working_copy.shutil, "copyfile", killed)
    with pytest.raises(KeyboardInterrupt):
        working_copy.update(notebooks, work)
    monkeypatch.undo()
    working_copy.update(notebooks, work)
    assert contents(work) == contents(notebooks)


def test_the_course_opens_at_the_unit_that_was_saved_last(course):
    notebooks, work = course
    working_copy.update(notebooks, work)
    assert working_copy.latest(notebooks, work) == "04_masking"  # nothing is changed: the first
    for place, name in enumerate((SOFTMAX, MASKS)):
        (work / name).write_text("my answer")
        os.utime(work / name, (10**9 + place, 10**9 + place))
    assert working_copy.latest(notebooks, work) == "04_masking"
    os.utime(work / SOFTMAX, (2 * 10**9, 2 * 10**9))
    assert working_copy.latest(notebooks, work) == "05_softmax"
    (work / SOFTMAX).unlink()
    assert working_copy.latest(notebooks, work) == "04_masking"
