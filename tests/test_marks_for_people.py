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
def folder(tmp_path_factory, desk):
    """Four students on the roster, three submissions, one of them not a notebook; graded."""
    course = classroom.open_course(tmp_path_factory.mktemp("people"), [UNIT])
    with Gradebook(f"sqlite:///{course}/gradebook.db") as book:
        for student, (first, last) in NAMES.items():
            book.add_student(student, first_name=first, last_name=last)
    right = classroom.solved(UNIT)
    classroom.hand_in(course, UNIT, "ada", {**right, "softmax": WRONG, "faulty_map": MARKUP})
    classroom.hand_in(course, UNIT, "ben", {**right, "softmax": WRONG, "softmax_with_temperature": UNHEARD})
    classroom.hand_in(course, UNIT, "cyd", notebook=b'{"cells": [')
    done = desk.run(course, "grading", UNIT, "--workers", 1)
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


def test_one_row_a_student_and_blank_where_there_is_no_mark(folder, desk):
    words = ("export", "--exporter", "grading.exports.marks_csv.MarksTable", "--to", "marks.csv")
    done = desk.run(folder, "nbgrader", *words)
    assert done.returncode == 0, done.stderr
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


def test_a_name_is_no_formula():
    for name in ("", None, "Lena", "-", "@home", "+1"):
        assert not marks_csv.plain(name).startswith(tuple("=+-@"))
        assert marks_csv.plain(name).removeprefix("'") == (name or "")


def test_the_page_has_the_figures_and_names_on_request_alone(folder, capsys):
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

    assert "<script>" in classroom.reports(folder, UNIT)["ada"]["says"]["faulty_map"]
    assert "alert(1)" not in "".join(map(str, page("script"))), "what a learner wrote is text"
    text = made(folder, "--names").get_text(" ", strip=True)
    assert "ada, ben" in text
    assert "This page has names" in text
    assert "has names: keep it to yourself" in capsys.readouterr().out


def test_a_better_run_stands_beside_the_earlier_one_and_what_does_not_count_is_not_called_right(
    folder, tmp_path, desk
):
    folder = shutil.copytree(folder, tmp_path / "course")
    made(folder)
    chosen = f'[exercises.{UNIT}]\nfaulty_map = "drop"\nsoftmax_with_temperature = "give"\n'
    (folder / choices.FILE).write_text(chosen, "utf-8")
    classroom.hand_in(folder, UNIT, "ben", classroom.solved(UNIT))
    assert desk.run(folder, "grading", UNIT, "--workers", 1).returncode == 1
    for _ in range(2):  # to look changes nothing
        page = made(folder)
        found = rows(page("table")[0])
        assert found["softmax"][3:6] == ["1", "50 %", "0 %"]
        assert "1 handed in more than once" in page.get_text(" ", strip=True)
        assert found["faulty_map does not count"][1:5] == ["0", "2 of 2", "1", "50 %"]
        assert found["softmax_with_temperature"][2:5] == ["2 of 2", "", "given to all"]


def test_what_cannot_be_shown_is_said(tmp_path, capsys):
    course = classroom.open_course(tmp_path, [UNIT])
    for words, says in (
        (["04_masking"], "does not know 04_masking; it knows 05_softmax"),
        ([], "There are no marks yet: grade first"),
    ):
        assert analytics.main([*words, "--course", str(course)]) == 2
        assert says in capsys.readouterr().err
        assert not (course / "analytics.html").exists()
