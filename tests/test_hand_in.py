"""`hand_in` says what is missing and which file to hand in; nothing that is missing blocks it."""

import json
import shutil

import nbformat
import pytest

from helpers import hand_in
from helpers.errors import BadArgument, UnknownName
from helpers.learner import handing_in, progress_record
from helpers.learner.handing_in import CannotHandIn
from helpers.units import grade_id
from tests import sample_learners
from tests.kernels import Kernel
from tools.shell import ROOT

UNIT = "01_dot_product"
DOT = "def dot(a, b):\n    return (a * b).sum()"
BEST = "def best_match(query, keys):\n    return 0"


@pytest.fixture
def path(tmp_path, monkeypatch):
    """A learner's notebook of unit 01 with two answers in it, of which one is passed."""
    shutil.copytree(ROOT / "notebooks" / UNIT, tmp_path / UNIT)
    monkeypatch.chdir(tmp_path / UNIT)
    monkeypatch.setattr(handing_in, "learning", lambda: True)
    monkeypatch.setattr(progress_record, "learning", lambda: True)
    path = tmp_path / UNIT / f"{UNIT}.ipynb"
    write(path, {"dot": DOT, "best_match": BEST})
    progress_record.record("dot", "passed")
    progress_record.record("best_match", "tried")
    return path


def write(path, answers):
    book = json.loads(path.read_text("utf-8"))
    for cell in book["cells"]:
        if grade_id(cell) in answers:
            cell["source"] = answers[grade_id(cell)]
    path.write_text(json.dumps(book), "utf-8")


def said(capsys, *ran, line="hand_in()"):
    """What a line says as a cell of its own, after others."""
    exec(line, {"hand_in": hand_in, "In": ["", *ran, line]})
    return capsys.readouterr().out


def test_what_is_missing_is_told_by_number_and_the_file_by_its_place(path, capsys):
    assert said(capsys, DOT) == (
        "01_dot_product: 2 of 4 answered, 1 passed.\n"
        "Not answered, or not run yet: 1.2 cosine_similarity, 1.3 similarity_matrix.\n"
        "Answered, but no check has passed: 1.4 best_match.\n"
        "You can hand in all the same, and again later.\n"
        f"Hand in this file: {path}\n"
        "On Binder, File > Download brings it to your computer.\n"
    )


def test_when_all_is_passed_nothing_is_missing(path, capsys):
    for name in ("dot", "cosine_similarity", "similarity_matrix", "best_match"):
        write(path, {name: f"{name} = print"})
        progress_record.record(name, "passed")
    assert said(capsys).splitlines()[:2] == [
        "01_dot_product: 4 of 4 answered, 4 passed.",
        f"Hand in this file: {path}",
    ]


def test_an_answer_that_ran_otherwise_than_it_is_saved(path, capsys):
    text = said(capsys, f"{DOT}  # newer", "def similarity_matrix(X, Y):\n    return 1")
    assert "01_dot_product: 3 of 4 answered" in text
    assert (
        "Not saved as it ran last: 1.1 dot, 1.3 similarity_matrix. Run it if you have changed it, save"
        in text
    )
    assert "Not saved" not in said(capsys, f"{DOT}\n")


def test_the_unit_is_that_of_the_folder_the_file_or_the_answers(path, capsys, tmp_path, monkeypatch):
    alone = tmp_path / "alone"
    alone.mkdir()
    monkeypatch.chdir(alone)
    text = said(capsys, DOT)
    assert "01_dot_product: 1 of 4 answered" in text
    assert (
        "There is no 01_dot_product.ipynb in this folder (alone): choose File > Download, and hand that in as"
        in text
    )
    shutil.copy(path, alone)
    assert f"Hand in this file: {alone / path.name}" in said(capsys)
    shutil.copy(path, alone / "00_start_here.ipynb")
    with pytest.raises(BadArgument, match=r'say which unit you hand in, .* hand_in\("00_start_here"\)'):
        hand_in()
    assert f"Hand in this file: {alone / path.name}" in said(capsys, line=f"hand_in('{UNIT}')")
    with pytest.raises(UnknownName, match=r"no unit '01_dot'.* Do you mean 01_dot_product"):
        hand_in("01_dot")


def test_a_damaged_file_is_told_with_the_way_out(path):
    path.write_text("{")
    with pytest.raises(CannotHandIn, match=r"cannot be read as a notebook .* File > Download"):
        hand_in()


@pytest.mark.slow
def test_left_in_a_notebook_it_does_nothing_while_somebody_grades_or_tests(tmp_path):
    shutil.copytree(ROOT / "notebooks" / UNIT, tmp_path / UNIT)
    kernel = Kernel(tmp_path / UNIT)
    try:
        assert "00_start_here: 0 of 1" not in kernel.run("hand_in()")
        assert kernel.run("hand_in()") == kernel.run("hand_in('00_start_here')") == ""
        kernel.run("import os; os.environ.pop('NBGRADER_EXECUTION')")
        assert kernel.run("hand_in()").startswith("01_dot_product: 0 of 4 answered, 0 passed.\n")
    finally:
        kernel.close()


@pytest.mark.slow
@pytest.mark.needs("sandbox")
def test_a_notebook_with_the_call_left_in_it_gets_its_mark(tmp_path):
    from tests import classroom

    course = classroom.fresh_course(tmp_path / "course", [UNIT])
    book = sample_learners.answered(classroom.released(UNIT), classroom.solved(UNIT))
    book.cells.append(nbformat.v4.new_code_cell("hand_in()"))
    folder = course / "submitted" / "ada" / UNIT
    folder.mkdir(parents=True)
    nbformat.write(book, folder / f"{UNIT}.ipynb")
    desk = classroom.Desk()
    try:
        done = desk.run(course, "grading", UNIT, "--workers", 1)
    finally:
        desk.close()
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads((course / "reports" / UNIT / "ada.json").read_text("utf-8"))
    assert report["flags"] == report["remarks"] == []
    assert sum(report["points"].values()) == sum(sample_learners.points(UNIT).values())
