"""Feedback back to Moodle and Canvas: every file finds its learner, and none is missing or old in silence."""

import itertools
import os
import stat
import zipfile

import pytest

from grading import submission
from grading.lms import feedback
from grading.term import gradebook
from grading.trouble import Wrong
from tests import lms_files
from tests.lms_files import IDS, PARTICIPANTS, UNIT, notebook

pytestmark = pytest.mark.needs("sandbox")

MARKS = {name: 1.0 for name in IDS} | {"oli": None}


@pytest.fixture
def course(tmp_path, templates):
    return lms_files.course(tmp_path / "course", templates)


@pytest.fixture
def prepared(course):
    """A class that is collected, marked and has feedback."""

    def run(rows, files, sheet=None):
        lms_files.read_class(course, rows)
        lms_files.take(course, files, sheet)
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


def test_moodle_gives_every_file_to_its_learner_in_each_form_of_the_zip(prepared):
    """Of who was in no zip the worksheet knows, and a text beside the notebook changes nothing."""
    forms = dict(zip(IDS[:6], itertools.cycle([{}, {"old": True}, {"flat": True}]), strict=False))
    files = {
        lms_files.moodle_name(name, "onlinetext.html", **form, plugin="onlinetext"): "<p>"
        for name, form in forms.items()
    }
    files |= {lms_files.moodle_name(name, "mine.ipynb", **forms[name]): notebook(name) for name in forms}
    course = prepared(lms_files.moodle_class(), files, lms_files.moodle_worksheet())
    path, said = packed(course, "moodle")
    found = lms_files.moodle_takes_feedback(path, set(PARTICIPANTS.values()))
    marked = {PARTICIPANTS[name]: name for name, mark in MARKS.items() if mark is not None}
    assert found == {number: (f"{UNIT}.html", f"<h1>{name}</h1>".encode()) for number, name in marked.items()}
    assert said[-1] == f"7 files: {path}"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_who_was_not_collected_is_left_out_and_named(prepared):
    able = [name for name in IDS if name != "zoë" and name[:3] != "kim"]
    files = {lms_files.moodle_name(name): notebook(name) for name in able}
    course = prepared(lms_files.moodle_class(), files)
    path, said = packed(course, "moodle")
    assert len(lms_files.moodle_takes_feedback(path, set(PARTICIPANTS.values()))) == 4
    assert "Not collected from Moodle, so left out: kim1, kim2, zoë." in said


def test_canvas_gives_every_file_to_its_learner(prepared):
    files, attachments = {}, {}
    for place, (name, _, _, number, _) in enumerate(lms_files.CLASS):
        late = name == "ada"
        files[lms_files.canvas_name(name, attachment=500 + place, late=late)] = notebook(name)
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


def test_what_is_missing_or_old_is_not_sent_and_is_one_sentence(prepared):
    files = {lms_files.moodle_name(name): notebook(name) for name in IDS}
    course = prepared(lms_files.moodle_class(), files, lms_files.moodle_worksheet())
    none = r"Nothing of 05_softmax was collected from Canvas.*make collect UNIT=05_softmax"
    with pytest.raises(Wrong, match=none):
        packed(course, "canvas")
    graded = course / "autograded" / "kim1" / UNIT / f"{UNIT}.ipynb"
    graded.parent.mkdir(parents=True)
    graded.write_text("{}")
    os.utime(page(course, "kim1"), (1, 1))
    with pytest.raises(Wrong, match=r"^kim1 has no feedback as new as the mark"):
        packed(course, "moodle")
    page(course, "kim1")
    os.unlink(course / "feedback" / "ada" / UNIT / f"{UNIT}.html")
    lacking = rf"^ada has no feedback as new as the mark: run `nbgrader generate_feedback {UNIT}`"
    with pytest.raises(Wrong, match=lacking):
        packed(course, "moodle")
    os.unlink(course / "gradebook.db")
    none = r"Nobody has a mark in 05_softmax yet: run `make grade UNIT=05_softmax` first"
    with pytest.raises(Wrong, match=none):
        packed(course, "moodle")
    assert not (course / "back.zip").exists()
