"""The two forms of the concept inventory: fixed for ever, and letters lead back to choices."""

import hashlib
import subprocess
import sys

import pytest

from helpers.concept_inventory.forms import form, marked
from helpers.concept_inventory.items import CHOICES, COUNT
from helpers.concept_inventory.sheet import Sheet
from helpers.errors import BadArgument, OneSentence, UnknownName
from tools.shell import ROOT

FORMS = ("before", "after")
BEFORE = "dd869ad9e579b087"
AFTER = "6268d4e84141f2d0"


def letters(when, choices):
    """The letters by which a form gives these choices of the items."""
    return "".join(
        "-" if choices[item] is None else "abcd"[order.index(choices[item])] for item, order in form(when)
    )


@pytest.mark.parametrize(("when", "digest"), [("before", BEFORE), ("after", AFTER)])
def test_a_form_is_the_same_for_ever(when, digest):
    """Do not change these: answers that were handed in would mean something else."""
    assert hashlib.sha256(repr(form(when)).encode()).hexdigest()[:16] == digest


@pytest.mark.parametrize("when", FORMS)
def test_a_form_asks_each_question_once_with_each_choice_once(when):
    assert sorted(item for item, _ in form(when)) == list(range(COUNT))
    assert all(sorted(order) == list(range(CHOICES)) for _, order in form(when))


@pytest.mark.parametrize("when", FORMS)
def test_no_letter_is_right_more_often_than_another(when):
    right = letters(when, [0] * COUNT)
    assert {right.count(letter) for letter in "abcd"} == {COUNT // CHOICES}


def test_nothing_stands_in_both_forms_where_it_stood():
    before, after = form("before"), form("after")
    assert not any(one[0] == other[0] for one, other in zip(before, after, strict=True))
    assert not any(dict(before)[item] == dict(after)[item] for item in range(COUNT))


@pytest.mark.parametrize("when", FORMS)
def test_letters_lead_back_to_the_choices_of_the_items(when):
    choices = [None, *(item % CHOICES for item in range(1, COUNT))]
    assert marked(when, letters(when, choices)) == choices


def test_what_is_asked_later_is_not_changed_by_who_has_a_form():
    form("before").clear()
    assert len(form("before")) == COUNT


def test_capitals_and_blanks_are_fine():
    line = letters("before", [0] * COUNT).upper()
    spaced = f" {line[:6]} {line[6:12]}\n{line[12:]} "
    assert marked("before", spaced) == [0] * COUNT


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        ("abcd", "takes 24 letters, one for each question and - for no answer; it got 4"),
        ("", "it got 0"),
        ("a" * 25, "it got 25"),
        ("abe" + "a" * 21, "letter 3 is 'e'"),
        ("ab?d", "letter 3 is '?'"),
        (["a"] * 24, '24 letters in quotes, such as "abdc-...", and got list'),
        (None, "and got NoneType"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_sentence(answers, says):
    with pytest.raises(BadArgument) as told:
        marked("before", answers)
    assert says in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("ask", [form, lambda when: marked(when, "a" * 24)])
@pytest.mark.parametrize("when", ["Before", "middle", None, ["before"]])
def test_an_unknown_form_is_named_with_those_there_are(ask, when):
    with pytest.raises(UnknownName, match=r"There is no form .* The forms are: before, after\.") as told:
        ask(when)
    assert isinstance(told.value, OneSentence)


def test_it_can_be_used_without_the_rest_of_the_course():
    asks = (
        "import sys; from helpers.concept_inventory import doubts, figures, forms, gains, items; "
        "print(*sorted(one for one in sys.modules if one == 'torch' or one.startswith('helpers.')))"
    )
    done = subprocess.run([sys.executable, "-c", asks], cwd=ROOT, capture_output=True, text=True, check=True)
    parts = ("doubts", "figures", "forms", "gains", "items")
    assert done.stdout.split() == [
        "helpers.concept_inventory",
        *(f"helpers.concept_inventory.{part}" for part in parts),
        "helpers.errors",
    ]


def test_on_a_page_the_questions_are_folded_until_they_are_wanted():
    page = Sheet("before")._repr_html_()
    before, _, rest = page.partition("<details>")
    assert "fieldset" not in before
    assert rest.partition("</details>")[0].count("<fieldset") == 24
