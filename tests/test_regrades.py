"""Regrade requests: asked, decided, said to the learner, and nothing lost by a typo."""
# ruff: noqa: F811 - fixtures of another file

import csv

import pytest

from grading import regrades
from grading.term import requests
from tests import classroom
from tests.test_marks_now import (  # noqa: F401 - fixtures
    EXERCISE,
    FIRST,
    OF,
    POINTS,
    SECOND,
    folder,
    give,
    grade,
    graded,
)

pytestmark = [pytest.mark.needs("sandbox"), pytest.mark.slow]


def run(folder, capsys, *words):
    code = regrades.main([*words, "--course", str(folder)])
    return code, capsys.readouterr()


def test_from_the_request_to_the_learner_s_page(folder, grade, desk, capsys):
    asks = "=1+1 says that\nmy scores are right"
    code, said = run(folder, capsys, SECOND, "--student", "cyd", "--asks", asks)
    assert code == 0, said.err
    assert f"The mark is {OF[SECOND] - POINTS[EXERCISE]:g}." in said.out
    assert "Regrade requests, not yet decided: cyd: asked on" in grade(SECOND)
    assert "1 open, 0 decided" in run(folder, capsys)[1].out
    give(folder, "cyd", 0.5)
    code, said = run(folder, capsys, SECOND, "--student", "cyd", "--decided", "half is right")
    assert f"{OF[SECOND] - POINTS[EXERCISE]:g} -> {OF[SECOND] - POINTS[EXERCISE] + 0.5:g}" in said.out
    assert "not yet decided" not in grade(SECOND)
    (one,) = requests.of(requests.read(folder), SECOND, "cyd")
    assert (one.is_open, one.why) == (False, "half is right")
    with open(folder / requests.FILE, newline="", encoding="utf-8-sig") as table:
        assert next(csv.DictReader(table))["asks"].startswith("'="), "no spreadsheet runs it"
    done = desk.run(folder, "nbgrader", "generate_feedback", SECOND)
    assert done.returncode == 0, done.stderr
    page = (folder / "feedback" / "cyd" / SECOND / f"{SECOND}.html").read_text(encoding="utf-8")
    assert "half is right" in page
    late = (folder / "feedback" / "ben" / SECOND / f"{SECOND}.html").read_text(encoding="utf-8")
    assert "Your notebook came 1 day, 1:00:00 after the due date, 1 late day used, 0 left." in late
    assert "half is right" not in late


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            (SECOND, "--student", "cydd", "--asks", "why?"),
            "cydd has no hand-in of 03_scaling that was",
        ),
        (("03_scalin", "--student", "cyd", "--asks", "why?"), "did you mean 03_scaling?"),
        ((SECOND, "--student", "cyd", "--decided", "no"), "cyd has no open request for 03_scaling"),
        ((SECOND, "--asks", "why?"), "Expected UNIT=... STUDENT=..."),
        ((SECOND, "--student", "cyd", "--asks", "a", "--decided", "b"), 'either ASKS="..." or DECIDED="..."'),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(folder, capsys, words, says):
    code, said = run(folder, capsys, *words)
    assert code == 2
    assert says in said.err
    assert not (folder / requests.FILE).exists()


def test_a_second_request_waits_for_the_first(folder, capsys):
    assert run(folder, capsys, FIRST, "--student", "ada", "--asks", "why?")[0] == 0
    code, said = run(folder, capsys, FIRST, "--student", "ada", "--asks", "really?")
    assert code == 2
    assert "ada has an open request for 02_queries_keys_values, asked on" in said.err
    assert len(requests.read(folder)) == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("unit,student\n", "has no column asked"),
        (
            ",".join(requests.COLUMNS) + "\n05,ada,2027-01-01,für,,,,,\n",
            "regrades.csv is not in UTF-8: save it",
        ),
        (",".join(requests.COLUMNS) + "\n05,,2027-01-01,why,,,,,\n", "Row 2 of regrades.csv has no student"),
    ],
)
def test_a_file_that_was_spoiled_is_not_overwritten(tmp_path, text, says):
    classroom.fresh_course(tmp_path, [])
    (tmp_path / requests.FILE).write_text(text, "cp1252")
    with pytest.raises(ValueError, match=says):
        requests.ask(tmp_path, SECOND, "ada", "3", "why?")
    assert (tmp_path / requests.FILE).read_text("cp1252") == text
