"""`inventory`: the questions of the concept inventory, how they are asked, and what is said of answers."""

import subprocess
import sys
from collections import Counter

import pytest
from bs4 import BeautifulSoup

from helpers import inventory
from helpers.concept_inventory.items import CHOICES, questions, read
from helpers.concept_inventory.sheet import Sheet
from helpers.errors import BadArgument, OneSentence, UnknownName
from helpers.passed import FILE
from helpers.units import UNITS
from tools.shell import ROOT

SIX = "06_multi_head_attention"
UNTIL = (None, SIX)
COUNTS = {None: 24, SIX: 16}


def right_letters(until=None):
    return "".join("abcd"[choices.index(item.choices[0])] for item, choices in questions(until))


@pytest.fixture
def says(capsys, tmp_path, monkeypatch):
    """What a call prints, in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def call(*args, **more):
        assert inventory(*args, **more) is None
        return capsys.readouterr().out

    return call


def test_each_idea_has_two_questions_with_four_choices_that_differ():
    items = read()
    assert set(Counter(item.idea for item in items).values()) == {2}
    assert len({item.id for item in items}) == len(items) == 24
    for item in items:
        assert len(set(item.choices)) == CHOICES
        assert len(item.mistakes) == CHOICES - 1
        assert item.place in UNITS


@pytest.mark.parametrize("until", UNTIL)
def test_a_sheet_asks_each_question_once_with_each_choice_once(until):
    wanted = [item for item in read() if until is None or item.place <= until]
    shown = questions(until)
    assert len(shown) == COUNTS[until]
    assert sorted(item.id for item, _ in shown) == sorted(item.id for item in wanted)
    assert all(sorted(choices) == sorted(item.choices) for item, choices in shown)


@pytest.mark.parametrize("until", UNTIL)
def test_no_letter_is_right_more_often_than_another(until):
    right = right_letters(until)
    assert {right.count(letter) for letter in "abcd"} == {len(right) // CHOICES}


def test_the_order_is_the_same_in_every_run():
    """Letters that stand in a notebook would mean something else."""
    assert right_letters() == "dcabddbaccadcdbdbcacbaab"
    assert right_letters(SIX) == "cbccdabcddbbaaad"


def test_without_answers_it_asks_and_tells_nothing(says):
    for text in (says(), says(...)):
        assert text.startswith("24 questions")
        assert 'Then run inventory("...") with your letters' in text
        for item in read():
            assert item.asks in text
            assert item.why not in text
    assert f'inventory("...", until="{SIX}")' in says(until=SIX)


@pytest.mark.parametrize("until", UNTIL)
def test_right_answers_are_counted_and_need_no_reason(says, until):
    count = COUNTS[until]
    assert says(right_letters(until), until=until) == f"{count} of {count} right.\n"


def test_of_other_answers_it_says_what_is_right_and_why(says):
    letters = right_letters()
    (missed, choices), (left_out, _) = questions()[:2]
    wrong = (choices.index(missed.choices[0]) + 1) % CHOICES
    said = says("abcd"[wrong] + "-" + letters[2:]).splitlines()
    assert said == [
        "22 of 24 right.",
        "",
        missed.asks,
        f"You chose: {choices[wrong]}",
        f"Right: {missed.choices[0]}",
        f"{missed.why} (unit {missed.place[:2]})",
        "",
        left_out.asks,
        "You gave no answer.",
        f"Right: {left_out.choices[0]}",
        f"{left_out.why} (unit {left_out.place[:2]})",
    ]


def test_nothing_is_kept(says, tmp_path, monkeypatch):
    monkeypatch.setattr("helpers.learner.progress_record.learning", lambda: True)
    says()
    says(right_letters())
    assert not (tmp_path / FILE).exists()


def test_capitals_and_blanks_are_fine(says):
    line = right_letters().upper()
    assert says(f" {line[:6]} {line[6:12]}\n{line[12:]} ").startswith("24 of 24 right.")


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        ("abcd", "takes 24 letters, one for each question and - for no answer; it got 4"),
        ("", "it got 0"),
        ("a" * 25, "it got 25"),
        ("abe" + "a" * 21, "letter 3 is 'e'"),
        ("ab?d", "letter 3 is '?'"),
        (["a"] * 24, '24 letters in quotes, such as "abdc-...", and got list'),
        (7, "and got int"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_sentence(answers, says):
    with pytest.raises(BadArgument) as told:
        inventory(answers)
    assert says in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("until", ["06", "00_start_here", ["before"]])
def test_an_unknown_unit_is_named_with_those_there_are(until):
    with pytest.raises(UnknownName, match=r"There is no unit .* The units are: 01_dot_product, ") as told:
        inventory(until=until)
    assert isinstance(told.value, OneSentence)


def test_it_can_be_used_without_the_rest_of_the_course():
    asks = (
        "import sys; from helpers.concept_inventory import items, sheet; "
        "print(*sorted(one for one in sys.modules if one == 'torch' or one.startswith('helpers.')))"
    )
    done = subprocess.run([sys.executable, "-c", asks], cwd=ROOT, capture_output=True, text=True, check=True)
    parts = ("items", "sheet")
    assert done.stdout.split() == [
        "helpers.concept_inventory",
        *(f"helpers.concept_inventory.{part}" for part in parts),
        "helpers.errors",
    ]


def test_on_a_page_the_questions_are_folded_until_they_are_wanted():
    page = Sheet()._repr_html_()
    before, _, rest = page.partition("<details>")
    assert "fieldset" not in before
    assert rest.partition("</details>")[0].count("<fieldset") == 24


@pytest.mark.parametrize("until", UNTIL)
def test_on_a_page_each_question_has_its_four_choices(until):
    page = BeautifulSoup(Sheet(until)._repr_html_(), "html.parser")
    for frame, (item, choices) in zip(page("fieldset"), questions(until), strict=True):
        assert frame.legend.get_text().partition(". ")[2] == item.asks
        assert [one["value"] for one in frame("input")] == list("abcd")
        assert len({one["name"] for one in frame("input")}) == 1
        texts = [one.get_text().strip() for one in frame("label")]
        assert texts == [f"{letter}\u2002{text}" for letter, text in zip("abcd", choices, strict=True)]
