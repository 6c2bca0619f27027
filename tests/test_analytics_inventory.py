"""The page without names: what a class says to the concept inventory, read and never run."""

import pytest
from bs4 import BeautifulSoup

from grading import submission
from grading.analytics import inventory
from grading.analytics.__main__ import page
from helpers.concept_inventory import items
from helpers.concept_inventory.forms import form
from tests import classroom, inventory_items
from tests.inventory_items import hand_in

pytestmark = pytest.mark.needs("sandbox")
UNITS = list(inventory.ASKED)
FIRST, SIX, NINE = UNITS


@pytest.fixture(autouse=True)
def questions(tmp_path, monkeypatch):
    monkeypatch.setattr(items, "FILE", inventory_items.write(tmp_path / "items.toml"))
    return items.FILE


@pytest.fixture
def course(tmp_path):
    (tmp_path / "course").mkdir()
    return classroom.fresh_course(tmp_path / "course", [])


def letters(when, right, of=items.COUNT):
    """Answers of which so many are right, the others the first wrong choice, after `of` none."""
    chosen = [0 if item < right else 1 if item < of else None for item in range(items.COUNT)]
    return "".join(
        "-" if chosen[item] is None else "abcd"[order.index(chosen[item])] for item, order in form(when)
    )


def call(when, right, **more):
    return f'inventory("{when}", "{letters(when, right, **more)}")'


def shown(course):
    section = inventory.section(submission.settings(course))
    return BeautifulSoup(page([], inventory=section), "html.parser")


def text(course):
    return shown(course).get_text(" ", strip=True).replace("\n", " ")


def chosen(course, unit):
    return inventory.of_unit(submission.settings(course), unit)


def a_class(course, people, after=(SIX,)):
    for number in range(people):
        hand_in(course, f"zoe-{number}", FIRST, call("before", 6 + number % 5))
        for unit in after:
            hand_in(course, f"zoe-{number}", unit, call("after", 12 + number % 9))


@pytest.mark.parametrize(
    "cells",
    [
        [],
        ["inventory('before')"],
        ["inventory('before', '...')"],
        ["inventory('before', '------------------------')"],
        ["# " + call("before", 6)],
        ["'''" + call("before", 6) + "'''"],
        [call("after", 6)],
    ],
    ids=["nothing", "questions", "dots", "lines", "comment", "text", "the other form"],
)
def test_nothing_at_all_is_shown_where_no_cell_has_answers(course, cells):
    hand_in(course, "ada", FIRST, *cells)
    assert inventory.section(submission.settings(course)) is None
    assert "nventory" not in text(course)


def test_nothing_is_shown_where_nobody_handed_in_or_there_are_no_questions(course, questions):
    assert inventory.section(submission.settings(course)) is None
    hand_in(course, "ada", FIRST, call("before", 6))
    questions.unlink()
    assert inventory.section(submission.settings(course)) is None


@pytest.mark.parametrize(
    "written",
    [
        "inventory('before', '{}')",
        "%%time\ninventory('before', answers='{}')",
        "import helpers\nhelpers.inventory(answers='{}', when='before')",
        "x = 1 / 0\nif False:\n    inventory('before',\n        '{}')",
        "w = '\\d'\ninventory('before', '{}'); open('made', 'w')",
    ],
)
def test_a_call_is_read_however_it_is_written_and_not_run(course, written, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    hand_in(course, "ada", FIRST, written.format(letters("before", 9)))
    assert chosen(course, FIRST).answers == {"ada": [0] * 9 + [1] * 15}
    assert not (tmp_path / "made").exists()


def test_the_last_call_that_can_be_read_counts(course):
    both = f"{call('before', 1)}\n{call('before', 2)}"
    hand_in(course, "ada", FIRST, both, call("before", 3), "inventory('before', 'abc')", "inventory(")
    assert chosen(course, FIRST).answers["ada"].count(0) == 3
    hand_in(course, "ben", FIRST, both)
    assert chosen(course, FIRST).answers["ben"].count(0) == 2


def test_a_later_hand_in_replaces_an_earlier_one(course):
    hand_in(course, "ada", FIRST, call("before", 3))
    hand_in(course, "ada", FIRST, call("before", 5))
    assert chosen(course, FIRST).answers["ada"].count(0) == 5


def test_answers_that_cannot_be_read_are_counted(course):
    hand_in(course, "ada", FIRST, "inventory('before', 'abcd')")
    hand_in(course, "ben", FIRST, "inventory('before', 'efgh')")
    hand_in(course, "cyd", FIRST, call("before", 5))
    assert chosen(course, FIRST).unreadable == 2
    assert "From 2 people more no answers could be read" in text(course)


def test_what_is_no_notebook_is_passed_over(course):
    classroom.hand_in(course, FIRST, "ada", notebook=b'{"cells": [')
    (hand_in(course, "ben", FIRST) / f"{FIRST}.ipynb").unlink()
    target = hand_in(course, "cyd", FIRST) / f"{FIRST}.ipynb"
    target.unlink()
    target.symlink_to("/etc/passwd")
    hand_in(course, "eve", FIRST, "(" * 5000, call("before", 5))
    assert list(chosen(course, FIRST).answers) == ["eve"]


def test_each_form_after_is_compared_with_that_before_by_learner(course):
    hand_in(course, "ada", FIRST, call("before", 4))
    hand_in(course, "ben", FIRST, call("before", 12))
    hand_in(course, "cyd", FIRST, call("before", 0))
    hand_in(course, "ada", SIX, call("after", 14))
    hand_in(course, "eve", SIX, call("after", 24))
    hand_in(course, "ada", NINE, call("after", 16))
    hand_in(course, "ben", NINE, call("after", 10))
    before, six, nine = inventory.section(submission.settings(course)).asked
    assert (before.figures.people, before.gain) == (3, None)
    assert (six.figures.people, six.gain.people, six.gain.each) == (2, 1, [10])
    assert (nine.gain.people, nine.gain.each) == (2, [-2, 12])
    said = text(course)
    assert "Both forms, from 1 person: 4.0 of 24 right before and 14.0 after" in said
    assert "Gain of each, in questions: −2, 12." in said


def test_a_small_class_gets_counts_and_is_told_why(course):
    a_class(course, 19)
    said = text(course)
    assert "With fewer than 20 people nothing is known of single questions" in said
    assert "alpha" not in said
    assert "discrimination" not in said
    assert "interval" in said, "that there is none"
    assert "95 %" not in said
    heads = [one.get_text(strip=True) for one in shown(course).table("th", scope="col")]
    assert heads == ["question", "idea", "right", "wrong choices", "no answer"]


def test_a_larger_class_gets_figures_each_with_the_number_of_people(course):
    a_class(course, 25, after=(SIX, NINE))
    said = text(course)
    assert "Before unit 00" in said
    assert "After, in unit 06" in said
    assert "After, in unit 09" in said
    assert said.count("Cronbach's alpha") == 3
    assert said.count("Normalised gain of the class: +0.") == 2
    assert said.count("of so few some look wrong by chance alone") == 3
    assert said.count("from 25 people") >= 6
    assert "25 of 25 people are not above chance" in said, "before, nobody has 11"
    assert "not above chance after" not in said


def test_who_may_have_guessed_is_not_said_to_have_gained(course):
    hand_in(course, "ada", FIRST, call("before", 4))
    hand_in(course, "ada", SIX, call("after", 8))
    assert "1 of these 1 person is not above chance after: what they gained may be luck alone" in text(course)


def test_no_name_stands_there_and_what_others_wrote_is_text(course):
    a_class(course, 21)
    hand_in(course, "zoe-<script>", FIRST, call("before", 4) + "  # <script>")
    found = shown(course)
    assert "zoe" not in str(found)
    assert not found("script")
    assert not found.tbody("b"), "an idea is no markup"
    assert "<b>idea</b>" in found.tbody.get_text()


def test_tables_have_captions_and_heads_and_can_be_scrolled_by_key(course):
    a_class(course, 21)
    found = shown(course)
    for table in found("table"):
        assert table.caption.get_text(strip=True)
        assert all(one.get("scope") for one in table("th"))
        around = table.find_parent("div")
        assert (around["role"], around["tabindex"]) == ("region", "0")
        assert around["aria-label"]
        assert {len(row(["td", "th"])) for row in table("tr")} == {7}
        assert len(table.tbody("tr")) == items.COUNT
    assert [one.name for one in found(["h1", "h2", "h3"])] == ["h1", "h2", "h3", "h3"]
