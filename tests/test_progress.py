"""Progress is kept between restarts, whatever happens to the file; unknown names list those there are."""

import json

import pytest

from helpers import progress
from helpers.errors import UnknownName
from helpers.learner import progress_record
from helpers.units import TITLES, UNITS
from tests.sample_learners import SOLUTIONS, points, read

UNIT = "05_softmax"


@pytest.fixture
def learner(tmp_path, monkeypatch):
    """A learner in a notebook of unit 05, in a folder of their own."""
    (tmp_path / UNIT).mkdir()
    monkeypatch.chdir(tmp_path / UNIT)
    monkeypatch.setattr(progress_record, "learning", lambda: True)
    return tmp_path


def states():
    return {name: state for unit in progress().units.values() for name, state in unit.items()}


def test_nothing_yet(learner):
    assert set(states().values()) == {"untouched"}
    assert not list(learner.glob("*.jsonl"))


def test_passed_tried_untouched(learner):
    progress_record.record("softmax", "tried")
    progress_record.record("softmax", "passed")
    progress_record.record("attention", "tried")
    found = states()
    assert (found["softmax"], found["attention"], found["dot"]) == ("passed", "tried", "untouched")
    title = "05_softmax (Softmax, and the whole of attention)"
    assert f"{title}: 1 of {len(UNITS['05_softmax'])}. ✓ 5.1 softmax (passed), 5.2 masked_softmax" in repr(
        progress()
    )
    assert "✗ 5.5 attention (tried)" in repr(progress(UNIT))
    assert "dot" not in repr(progress(UNIT))


def test_once_passed_stays_passed_until_reset(learner):
    for event in ("passed", "tried"):
        progress_record.record("softmax", event)
    assert states()["softmax"] == "passed"
    progress_record.record("softmax", "reset")
    assert states()["softmax"] == "untouched"
    progress_record.record("softmax", "undone")
    assert states()["softmax"] == "passed"


def test_all_units_share_one_file(learner, monkeypatch):
    progress_record.record("softmax", "passed")
    (learner / "01_dot_product").mkdir()
    monkeypatch.chdir(learner / "01_dot_product")
    progress_record.record("dot", "passed")
    assert (states()["softmax"], states()["dot"]) == ("passed", "passed")


def test_outside_a_notebook_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    progress_record.record("softmax", "passed")
    assert list(tmp_path.iterdir()) == []


def test_unknown_unit_lists_those_there_are():
    with pytest.raises(UnknownName, match=r"no unit 'softmax'\. The units are: 00_start_here, .*06_multi"):
        progress("softmax")


def test_html_says_the_same(learner):
    progress_record.record("softmax", "passed")
    text = progress()._repr_html_()
    assert text.count("<tr>") == len(UNITS)
    assert "✓ 5.1 softmax (passed)" in text
    assert "Next: 0.1 double, in 00_start_here." in text


def test_what_comes_next_is_the_first_that_is_not_passed(learner):
    progress_record.record("softmax", "passed")
    progress_record.record("masked_softmax", "tried")
    assert "\nNext: 5.2 masked_softmax, in 05_softmax." in repr(progress(UNIT))
    for name in UNITS[UNIT]:
        progress_record.record(name, "passed")
    assert repr(progress(UNIT)).endswith("All of it is passed.")


@pytest.mark.parametrize("unit", UNITS)
def test_units_have_the_order_and_the_title_of_their_notebooks(unit):
    cells = [cell.source for cell in read(SOLUTIONS, unit).cells if cell.cell_type == "markdown"]
    assert cells[0].startswith(f"# Unit {unit[:2]}: {TITLES[unit]}\n")
    assert list(points(unit)) == list(UNITS[unit])


# What Binder keeps: the notebook, with what its cells said


def saved(folder, name, output):
    cell = {"cell_type": "code", "metadata": {"nbgrader": {"grade_id": f"{name}-test"}}, "outputs": [output]}
    (folder / UNIT / f"{UNIT}.ipynb").write_text(json.dumps({"cells": [{"metadata": {}}, cell]}))


@pytest.mark.parametrize(
    ("output", "state"),
    [
        ({"output_type": "stream", "text": ["softmax: right.\n"]}, "passed"),
        ({"output_type": "stream", "text": "softmax: right. It calls torch.softmax"}, "passed"),
        ({"output_type": "display_data", "data": {"text/plain": ["softmax: right.\n", "more"]}}, "passed"),
        ({"output_type": "display_data", "data": {"text/plain": "softmax: right."}}, "passed"),
        ({"output_type": "display_data", "data": {"image/png": ""}}, "untouched"),
        ({"output_type": "error", "evalue": "softmax is not right yet.\nYou"}, "tried"),
        ({"output_type": "error", "evalue": "softmax is not answered yet: write"}, "untouched"),
    ],
)
def test_a_saved_notebook_counts(learner, output, state):
    saved(learner, "softmax", output)
    assert states()["softmax"] == state


def test_a_broken_notebook_is_passed_over(learner):
    (learner / UNIT / f"{UNIT}.ipynb").write_text("{")
    assert states()["softmax"] == "untouched"


# Damage


@pytest.mark.parametrize(
    "damage", [b"{\n", b"\xff\xfe\x00", b"[1, 2]\n", b'{"exercise": "softmax"}\n', b"null\n", b"0" * 10**5]
)
def test_a_damaged_file_is_set_aside_and_its_good_lines_are_kept(learner, damage):
    progress_record.record("softmax", "passed")
    path = learner / "progress.jsonl"
    whole = path.read_bytes()
    path.write_bytes(damage.rstrip(b"\n") + b"\n" + whole)
    shown = progress()
    assert shown.units[UNIT]["softmax"] == "passed"
    assert "progress.jsonl was damaged; it is now progress-damaged-1.jsonl" in shown.note
    assert (learner / "progress-damaged-1.jsonl").read_bytes() == damage.rstrip(b"\n") + b"\n" + whole
    assert path.read_bytes() == whole
    assert progress().note == ""


def test_a_second_damage_keeps_the_first(learner):
    for _ in range(2):
        (learner / "progress.jsonl").write_bytes(b"?\n")
        progress()
    assert len(list(learner.glob("progress-damaged-*.jsonl"))) == 2


def test_a_folder_in_place_of_the_file(learner):
    (learner / "progress.jsonl").mkdir()
    progress_record.record("softmax", "passed")
    assert states()["softmax"] == "untouched"


def test_events_of_a_newer_course_are_no_damage(learner):
    lines = ['{"exercise": "softmax", "event": "starred"}', '{"exercise": "new_one", "event": "passed"}']
    (learner / "progress.jsonl").write_text("\n".join(lines) + "\n")
    assert progress().note == ""
