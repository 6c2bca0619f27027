"""`reset` makes an answer cell blank again and keeps what stood there; nothing is ever lost."""

import json
import os
import shutil

import pytest

from helpers import progress, reset
from helpers.errors import UnknownName
from helpers.learner import progress_record
from helpers.learner.answer_reset import KEPT, CannotReset, blanks
from helpers.units import UNIT_OF, grade_id
from tools.shell import ROOT

UNIT = "05_softmax"
MINE = "def softmax(x, axis=-1):\n    return 'mine ü'"


@pytest.fixture
def path(tmp_path, monkeypatch):
    """A learner's notebook of unit 05 with one answer in it."""
    shutil.copytree(ROOT / "notebooks" / UNIT, tmp_path / UNIT)
    monkeypatch.chdir(tmp_path / UNIT)
    monkeypatch.setattr(progress_record, "learning", lambda: True)
    path = tmp_path / UNIT / f"{UNIT}.ipynb"
    write(path, "softmax", MINE, outputs=[{"output_type": "stream", "name": "stdout", "text": "old"}])
    write(
        path,
        "softmax-test",
        "check('softmax')",
        outputs=[{"output_type": "stream", "text": "softmax: right."}],
    )
    return path


def cells(path):
    book = json.loads(path.read_text("utf-8"))
    return {grade_id(cell): cell for cell in book["cells"]}


def write(path, name, source, outputs=()):
    book = json.loads(path.read_text("utf-8"))
    for cell in book["cells"]:
        if grade_id(cell) == name:
            cell.update(source=source, outputs=list(outputs))
    path.write_text(json.dumps(book), "utf-8")


def source(path, name="softmax"):
    return "".join(cells(path)[name]["source"])


def test_every_exercise_has_its_blank():
    assert blanks().keys() == UNIT_OF.keys()
    assert all("YOUR CODE HERE" in text or "..." in text or "None" in text for text in blanks().values())


def test_reset_and_undo_and_undo_of_the_undo(path, capsys):
    reset("softmax")
    assert source(path) == blanks()["softmax"]
    assert cells(path)["softmax"]["outputs"] == cells(path)["softmax-test"]["outputs"] == []
    said = capsys.readouterr().out
    assert "Blank again in 05_softmax.ipynb: softmax.\n" in said
    assert "Reload Notebook from Disk" in said
    assert "reset('softmax', undo=True)" in said
    reset("softmax", undo=True)
    assert source(path) == MINE
    reset("softmax", undo=True)
    assert source(path) == blanks()["softmax"]


def test_other_cells_stay_byte_by_byte(path):
    before = {name: cell for name, cell in cells(path).items() if not (name or "").startswith("softmax")}
    reset("softmax")
    after = cells(path)
    assert before
    assert all(after[name] == cell for name, cell in before.items() if not (name or "").startswith("softmax"))


def test_a_whole_unit(path):
    write(path, "attention", "attention = 1")
    reset(UNIT)
    assert (source(path), source(path, "attention")) == (blanks()["softmax"], blanks()["attention"])
    reset(UNIT, undo=True)
    assert (source(path), source(path, "attention")) == (MINE, "attention = 1")


def test_progress_follows(path):
    progress_record.record("softmax", "passed")
    reset("softmax")
    assert progress(UNIT).units[UNIT]["softmax"] == "untouched"
    reset("softmax", undo=True)
    assert progress(UNIT).units[UNIT]["softmax"] == "passed"


def test_the_name_goes_and_what_was_run_but_not_saved_is_kept(path):
    ran = "def softmax(x, axis=-1):\n    return 'newer'"
    scope = {"reset": reset, "softmax": print, "In": ["", ran]}
    exec("reset('softmax')", scope)
    assert "softmax" not in scope
    kept = [json.loads(line)["source"] for line in (path.parents[1] / KEPT).read_text().splitlines()]
    assert kept == [ran, MINE]


def called(line, *ran):
    """Run a line as a cell of its own, after others."""
    exec(line, {"reset": reset, "softmax": print, "In": ["", *ran, f"{line}\n"]})


def test_an_answer_that_is_not_saved_yet_is_to_be_saved_first(path, capsys):
    write(path, "softmax", blanks()["softmax"])
    before = path.read_bytes()
    called("reset('softmax')", MINE)
    assert capsys.readouterr().out == (
        "What you ran of softmax is not saved yet: save the notebook first (Ctrl + S), then run "
        "reset('softmax') in a new cell.\n"
    )
    assert path.read_bytes() == before


@pytest.mark.parametrize("line", ["reset('softmax')", "reset('softmax', undo=True)", f"reset('{UNIT}')"])
def test_a_cell_that_was_left_in_the_notebook_changes_nothing(path, capsys, line):
    """It would take the answer away at each Run All."""
    called("reset('softmax')")
    book = json.loads(path.read_text("utf-8"))
    book["cells"].append({"cell_type": "code", "id": "mine", "metadata": {}, "outputs": [], "source": [line]})
    path.write_text(json.dumps(book), "utf-8")
    write(path, "softmax", f"{MINE}  # newer")
    before = path.read_bytes()
    capsys.readouterr()
    called(line)
    assert path.read_bytes() == before
    assert "Nothing is changed: delete it, and run reset(" in capsys.readouterr().out
    called(f"{line}  # once more")
    assert path.read_bytes() != before


def test_nothing_is_blanked_while_somebody_grades(path, monkeypatch, capsys):
    monkeypatch.setenv("NBGRADER_EXECUTION", "validate")
    before = path.read_bytes()
    reset("softmax")
    assert path.read_bytes() == before
    assert capsys.readouterr().out == ""


def test_blank_already_and_nothing_to_bring_back(path, capsys):
    reset("attention")
    reset("attention", undo=True)
    assert (
        capsys.readouterr().out == "attention is blank already.\nattention: there is nothing to bring back.\n"
    )
    assert not (path.parents[1] / KEPT).exists()


def test_unknown_name_lists_those_there_are():
    with pytest.raises(
        UnknownName, match=r"no exercise or unit 'sofmax'\. The exercises are: double, .*00_start"
    ):
        reset("sofmax")


def test_no_notebook_here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CannotReset, match=r"05_softmax\.ipynb is not in this folder"):
        reset("softmax")


@pytest.mark.parametrize("text", ["{", "[]", '{"cells": [{}]}', '{"cells": 3}', ""])
def test_a_broken_notebook_is_left_alone(path, text):
    path.write_text(text)
    with pytest.raises(CannotReset, match="cannot be read as a notebook"):
        reset("softmax")
    assert path.read_text() == text


def test_a_deleted_answer_cell(path):
    book = json.loads(path.read_text("utf-8"))
    book["cells"] = [c for c in book["cells"] if grade_id(c) != "softmax"]
    path.write_text(json.dumps(book))
    before = path.read_bytes()
    with pytest.raises(CannotReset, match="no answer cell of softmax"):
        reset(UNIT)
    assert path.read_bytes() == before


def test_where_the_answer_cannot_be_kept_nothing_changes(path):
    (path.parents[1] / KEPT).mkdir()
    before = path.read_bytes()
    with pytest.raises(CannotReset, match="could not be kept"):
        reset("softmax")
    assert path.read_bytes() == before


def test_a_crash_while_writing_leaves_the_notebook_whole(path, monkeypatch):
    before = path.read_bytes()

    def crash(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", crash)
    with pytest.raises(CannotReset, match="No space left"):
        reset("softmax")
    assert path.read_bytes() == before


def test_a_damaged_line_of_kept_answers_is_passed_over(path):
    reset("softmax")
    kept = path.parents[1] / KEPT
    kept.write_bytes(b"\xff{\n" + kept.read_bytes())
    reset("softmax", undo=True)
    assert source(path) == MINE
