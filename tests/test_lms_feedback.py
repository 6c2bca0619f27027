"""Feedback back to Moodle and Canvas: every file finds its learner, and none is missing or old in silence."""

import os
import stat
import zipfile

import pytest

from grading import submission
from grading.lms import collect, feedback, roster
from grading.term import gradebook
from grading.trouble import Wrong
from tests import lms_files
from tests.lms_files import IDS, PARTICIPANTS, UNIT

pytestmark = pytest.mark.needs("sandbox")

MARKS = {name: 1.0 for name in IDS} | {"oli": None}


@pytest.fixture
def course(tmp_path, templates):
    return lms_files.course(tmp_path / "course", templates)


@pytest.fixture
def prepared(course, tmp_path):
    """A class that is collected, marked and has feedback."""

    def run(rows, files, sheet=None):
        (tmp_path / "list.csv").write_bytes(lms_files.table(rows))
        roster.into(course, submission.settings(course), tmp_path / "list.csv")
        if sheet:
            (tmp_path / "sheet.csv").write_bytes(lms_files.table(sheet))
        path = lms_files.make_zip(tmp_path / "all.zip", files)
        collect.collect(course, UNIT, [path], tmp_path / "sheet.csv" if sheet else None)
        lms_files.give(course, MARKS)
        for name, mark in MARKS.items():
            if mark is not None:
                page(course, name)
        return course

    return run


def page(course, name):
    path = course / "feedback" / name / UNIT / f"{UNIT}.html"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"<h1>{name}</h1>", "utf-8")
    return path


def packed(course, lms):
    path = course / "back.zip"
    with gradebook.opened(submission.settings(course)) as book:
        return path, feedback.pack(course, book, lms, UNIT, path)


def moodle_rows():
    rows = [["First name", "Last name", "Username", "ID number"]]
    return rows + [[first, last, name, code] for name, first, last, _, code in lms_files.CLASS]


@pytest.mark.parametrize("form", [{}, {"old": True}, {"flat": True}])
def test_moodle_gives_every_file_to_its_learner(prepared, form):
    files = {lms_files.moodle_name(name, "mine.ipynb", **form): lms_files.notebook(name) for name in IDS}
    course = prepared(moodle_rows(), files, lms_files.moodle_worksheet())
    path, said = packed(course, "moodle")
    found = lms_files.moodle_takes_feedback(path, set(PARTICIPANTS.values()))
    marked = {PARTICIPANTS[name]: name for name, mark in MARKS.items() if mark is not None}
    assert found == {number: (f"{UNIT}.html", f"<h1>{name}</h1>".encode()) for number, name in marked.items()}
    assert said[-1] == f"7 files: {path}"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_text_beside_the_notebook_does_not_change_where_feedback_goes(prepared):
    files = {lms_files.moodle_name("ada", "onlinetext.html", plugin="onlinetext"): "<p>"}
    files |= {lms_files.moodle_name(name): lms_files.notebook(name) for name in IDS}
    course = prepared(moodle_rows(), files, lms_files.moodle_worksheet())
    path, _ = packed(course, "moodle")
    assert len(lms_files.moodle_takes_feedback(path, set(PARTICIPANTS.values()))) == 7


def test_moodle_finds_those_who_were_in_no_zip_by_the_worksheet(prepared):
    files = {lms_files.moodle_name(name): lms_files.notebook(name) for name in IDS[:2]}
    course = prepared(moodle_rows(), files, lms_files.moodle_worksheet())
    path, _ = packed(course, "moodle")
    assert len(lms_files.moodle_takes_feedback(path, set(PARTICIPANTS.values()))) == 7


def test_who_was_not_collected_is_left_out_and_named(prepared):
    able = [name for name in IDS if name != "zoë" and name[:3] != "kim"]
    files = {lms_files.moodle_name(name): lms_files.notebook(name) for name in able}
    course = prepared(moodle_rows(), files)
    path, said = packed(course, "moodle")
    assert len(lms_files.moodle_takes_feedback(path, set(PARTICIPANTS.values()))) == 4
    assert "Not collected from Moodle, so left out: kim1, kim2, zoë." in said


def test_canvas_gives_every_file_to_its_learner(prepared):
    files, attachments = {}, {}
    for place, (name, _, _, number, _) in enumerate(lms_files.CLASS):
        late = name == "ada"
        files[lms_files.canvas_name(name, attachment=500 + place, late=late)] = lms_files.notebook(name)
        files[lms_files.canvas_name(name, "a.csv", 600 + place, late)] = "1"
        attachments[number] = {500 + place, 600 + place}
    course = prepared(lms_files.canvas_gradebook(), files)
    path, said = packed(course, "canvas")
    found = lms_files.canvas_takes_feedback(path, attachments)
    assert found == {
        number: f"<h1>{name}</h1>".encode()
        for name, _, _, number, _ in lms_files.CLASS
        if MARKS[name] is not None
    }
    with zipfile.ZipFile(path) as made:
        assert set(made.namelist()) <= set(files), "the very names that were downloaded"
    assert any("under the name of the handed-in notebook" in line for line in said)


def test_missing_feedback_names_the_command(prepared):
    files = {lms_files.moodle_name(name): lms_files.notebook(name) for name in IDS}
    course = prepared(moodle_rows(), files, lms_files.moodle_worksheet())
    os.unlink(course / "feedback" / "ada" / UNIT / f"{UNIT}.html")
    with pytest.raises(
        Wrong, match=rf"^ada has no feedback as new as the mark: run `nbgrader generate_feedback {UNIT}`"
    ):
        packed(course, "moodle")
    assert not (course / "back.zip").exists()


def test_old_feedback_is_not_sent(prepared):
    files = {lms_files.moodle_name(name): lms_files.notebook(name) for name in IDS}
    course = prepared(moodle_rows(), files, lms_files.moodle_worksheet())
    graded = course / "autograded" / "kim1" / UNIT / f"{UNIT}.ipynb"
    graded.parent.mkdir(parents=True)
    graded.write_text("{}")
    os.utime(page(course, "kim1"), (1, 1))
    with pytest.raises(Wrong, match=r"^kim1 has no feedback as new as the mark"):
        packed(course, "moodle")


def test_before_grading_and_without_a_collection_there_is_one_sentence(course, prepared):
    files = {lms_files.moodle_name(name): lms_files.notebook(name) for name in IDS}
    prepared(moodle_rows(), files, lms_files.moodle_worksheet())
    with pytest.raises(
        Wrong, match=r"Nothing of 05_softmax was collected from Canvas.*make collect UNIT=05_softmax"
    ):
        packed(course, "canvas")
    os.unlink(course / "gradebook.db")
    with pytest.raises(
        Wrong, match=r"Nobody has a mark in 05_softmax yet: run `make grade UNIT=05_softmax` first"
    ):
        packed(course, "moodle")
