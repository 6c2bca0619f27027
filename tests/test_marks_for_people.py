"""What people read of a class beside the summary: the table of marks, and the page without names."""

import csv
import re
import shutil

import pytest
from bs4 import BeautifulSoup
from nbgrader.api import Gradebook

from grading.analytics import __main__ as analytics
from grading.exports import marks_csv
from grading.term import choices
from tests import classroom, sample_learners

pytestmark = [pytest.mark.needs("sandbox"), pytest.mark.slow]

UNIT = "05_softmax"
WRONG = "def softmax(x, axis=-1):\n    e = np.exp(x - x.max())\n    return e / e.sum()"
MARKUP = "faulty_map = '<script>alert(1)</script>'"
UNHEARD = """def softmax_with_temperature(x, temperature, axis=-1):
    e = np.exp((x - x.max(axis, keepdims=True)) / temperature)
    return e / (e.sum(axis, keepdims=True) + 0.37 * e.min(axis, keepdims=True))"""
NAMES = {
    "ada": ("Ada", "=HYPERLINK(1)"),
    "ben": ("José", 'O\'Neil, "Jr"'),
    "cyd": ("סיד", "כהן"),
    "eve": ("Eve", ""),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Four students on the roster, three submissions, one of them not a notebook; graded."""
    course = classroom.open_course(tmp_path_factory.mktemp("people"), [UNIT])
    with Gradebook(f"sqlite:///{course}/gradebook.db") as book:
        for student, (first, last) in NAMES.items():
            book.add_student(student, first_name=first, last_name=last)
    right = classroom.solved(UNIT)
    classroom.hand_in(course, UNIT, "ada", {**right, "softmax": WRONG, "faulty_map": MARKUP})
    classroom.hand_in(course, UNIT, "ben", {**right, "softmax": WRONG, "softmax_with_temperature": UNHEARD})
    classroom.hand_in(course, UNIT, "cyd", notebook=b'{"cells": [')
    done = classroom.grade(course, UNIT, "--workers", 1)
    assert done.returncode == 1, done.stderr
    return course


def made(folder, *words):
    assert analytics.main([*words, "--course", str(folder)]) == 0
    return BeautifulSoup((folder / "analytics.html").read_text("utf-8"), "html.parser")


def rows(table):
    return {
        row.find("td").get_text(): [cell.get_text(" ", strip=True) for cell in row("td")]
        for row in table("tr")[1:]
    }


def test_one_row_a_student_and_blank_where_there_is_no_mark(folder):
    done = classroom.Desk()
    try:
        exported = done.run(
            folder,
            "nbgrader",
            "export",
            "--exporter",
            "grading.exports.marks_csv.MarksTable",
            "--to",
            "marks.csv",
        )
    finally:
        done.close()
    assert exported.returncode == 0, exported.stderr
    with open(folder / "marks.csv", newline="", encoding="utf-8-sig") as file:
        found = {row["student_id"]: row for row in csv.DictReader(file)}
    total = sum(sample_learners.points(UNIT).values())
    column = f"{UNIT} (of {total})"
    points = {name: sum(filter(None, one.values())) for name, one in classroom.points(folder, UNIT).items()}
    assert {name: row[column] for name, row in found.items()} == {
        "ada": f"{points['ada']:g}",
        "ben": f"{points['ben']:g}",
        "cyd": "",
        "eve": "",
    }
    assert points["ada"] < points["ben"] < total
    assert "is not JSON" in found["cyd"]["notes"]
    assert (found["eve"]["notes"], found["eve"]["sum"]) == (f"{UNIT}: nothing handed in", "")
    assert found["ada"]["last_name"] == "'=HYPERLINK(1)", "a spreadsheet takes it for a name"
    assert (found["ben"]["first_name"], found["ben"]["last_name"]) == NAMES["ben"]
    assert found["cyd"]["last_name"] == "כהן"


@pytest.mark.parametrize("name", ["", None, "Lena", "-", "@home", "+1"])
def test_a_name_is_no_formula(name):
    assert not marks_csv.plain(name).startswith(tuple("=+-@"))
    assert marks_csv.plain(name).removeprefix("'") == (name or "")


def test_the_page_has_the_figures_and_no_name(folder):
    page = made(folder)
    text = page.get_text(" ", strip=True)
    for student, (first, last) in NAMES.items():
        assert not re.search(rf"\b{student}\b", text)
        assert first not in text
        assert not last or last not in text
    assert not page.select("link, img, iframe, [src], [href]")
    assert not page("script")
    assert "http" not in str(page)
    exercises, mistakes = page("table")
    assert rows(exercises)["softmax"][1:5] == ["3", "2 of 2", "0", "0 %"]
    assert rows(exercises)["softmax_backward"][3] == "2"
    assert rows(mistakes)["softmax"][2] == "2"
    assert page.svg["aria-label"].count("learners") == 10
    assert "2 marks, on average" in text


def test_an_exercise_that_does_not_count_or_is_given_to_all_is_not_called_right(folder, tmp_path):
    folder = shutil.copytree(folder, tmp_path / "course")
    chosen = f'[exercises.{UNIT}]\nsoftmax = "drop"\nsoftmax_with_temperature = "give"\n'
    (folder / choices.FILE).write_text(chosen, "utf-8")
    assert classroom.grade(folder, UNIT, "--workers", 1).returncode == 1
    found = rows(made(folder)("table")[0])
    assert found["softmax does not count"][1:5] == ["0", "2 of 2", "0", "0 %"]
    assert found["softmax_with_temperature"][2:5] == ["2 of 2", "", "given to all"]


def test_names_stand_there_on_request_and_are_said(folder, capsys):
    text = made(folder, "--names").get_text(" ", strip=True)
    assert "ada, ben" in text
    assert "This page has names" in text
    assert "has names: keep it to yourself" in capsys.readouterr().out


def test_what_a_learner_wrote_is_text(folder):
    says = classroom.reports(folder, UNIT)["ada"]["says"]["faulty_map"]
    assert "<script>" in says
    assert "alert(1)" not in "".join(str(one) for one in made(folder)("script"))


def test_a_better_run_stands_beside_the_earlier_one(folder, tmp_path):
    folder = shutil.copytree(folder, tmp_path / "course")
    made(folder)
    classroom.hand_in(folder, UNIT, "ben", classroom.solved(UNIT))
    assert classroom.grade(folder, UNIT, "--workers", 1).returncode == 1
    page = made(folder)
    assert rows(page("table")[0])["softmax"][3:6] == ["1", "50 %", "0 %"]
    assert "1 handed in more than once" in page.get_text(" ", strip=True)
    assert rows(made(folder)("table")[0])["softmax"][3:6] == ["1", "50 %", "0 %"], (
        "looking twice changes nothing"
    )


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["04_masking"], "does not know 04_masking; it knows 05_softmax"),
        ([], "There are no marks yet: grade first"),
    ],
)
def test_what_cannot_be_shown_is_said(tmp_path, capsys, words, says):
    course = classroom.open_course(tmp_path, [UNIT])
    assert analytics.main([*words, "--course", str(course)]) == 2
    assert says in capsys.readouterr().err
    assert not (course / "analytics.html").exists()
