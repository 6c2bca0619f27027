"""The page "Review", before a browser has it: its questions as plain values, and how pages lead to it."""

import json
import re

import numpy as np
import pytest
from bs4 import BeautifulSoup
from docutils import nodes
from docutils.core import publish_doctree

from helpers.offered import number_of, offered
from helpers.questions import kinds
from helpers.questions.data import as_data
from helpers.questions.question import Code, Question, Table, number
from helpers.units import STEPS, TITLES, UNIT_OF, UNITS
from tools.web.exercise_links import place_of
from tools.web.review import page, pool

HEAVIEST = 250_000
"""Bytes of a unit's questions, unpacked."""


def made(**parts):
    asked = {"kind": "made_by", "exercise": "softmax", "seed": 3, "asks": "Which?", "choices": ("one", "two")}
    return Question(**asked | {"right": 1, "why": "So it is."} | parts)


def test_a_question_is_plain_values_and_stays_the_same_through_json():
    stack = Table(np.arange(12.0).reshape(2, 3, 2), "heads", ("token", "channel"))
    row, one = Table(np.array([0.125, -0.0, np.inf])), Table(np.array(2.5), "after", ("a", "b"))
    data = as_data(
        made(given=("With `n = 2`.", Code("x = 1\ny = 2\n\n"), stack), choices=(row, one), after=())
    )
    assert json.loads(json.dumps(data)) == data
    assert data == {
        "kind": "made_by",
        "exercise": "softmax",
        "seed": 3,
        "asks": "Which?",
        "given": [
            "With `n = 2`.",
            {"code": "x = 1\ny = 2"},
            {
                "table": [["0", "1"], ["2", "3"], ["4", "5"], ["6", "7"], ["8", "9"], ["10", "11"]],
                "name": "heads",
                "axes": ["token", "channel"],
                "block": 3,
            },
        ],
        "choices": [{"table": [["0.12", "0", "inf"]]}, {"table": [["2.5"]], "name": "after"}],
        "right": 1,
        "why": "So it is.",
        "after": [],
    }


def test_truth_values_are_words():
    shown = as_data(made(choices=(Table(np.eye(2, dtype=bool)), "two")))["choices"][0]
    assert shown == {"table": [["True", "False"], ["False", "True"]]}


def test_what_the_page_knows_at_first_are_the_units_the_steps_and_the_kinds():
    course = pool.course()
    assert [unit for unit, _, _ in course["units"]] == list(offered())
    for unit, title, names in course["units"]:
        assert title == TITLES[unit]
        assert names == [name for name in offered()[unit] if kinds.of(name)]
    there = [name for _, _, names in course["units"] for name in names]
    assert sorted(name for names in course["steps"] for name in names) == sorted(there)
    order = [name for names in STEPS.values() for name in names]
    assert [order.index(name) for names in course["steps"] for name in names] == sorted(
        map(order.index, there)
    )
    assert course["kinds"] == {name: kinds.of(name) for name in there}


def test_what_is_taken_out_of_the_course_is_not_asked(monkeypatch):
    monkeypatch.setattr(pool, "place_of", lambda name: None if name == "dot" else place_of(name))
    assert "dot" not in pool.course()["kinds"]
    assert "dot" not in {name for names in pool.course()["steps"] for name in names}
    monkeypatch.setattr(pool, "offered", lambda: {"01_dot_product": ["dot"], "05_softmax": ["softmax"]})
    assert [unit for unit, _, _ in pool.course()["units"]] == ["05_softmax"]


def test_every_exercise_has_a_place_to_read_on():
    for name in UNIT_OF:
        assert place_of(name).number == number_of(name), name


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("review") / "review"
    pool.write(folder)
    return {path.stem: path.read_text("utf-8") for path in folder.iterdir()}


@pytest.mark.slow
def test_each_unit_has_a_file_with_six_questions_of_every_kind_and_exercise(files):
    assert set(files) == set(UNITS)
    for unit, text in files.items():
        held = json.loads(text)
        assert len(text.encode()) < HEAVIEST
        wanted = {
            (kind, name, seed) for name in offered()[unit] for kind in kinds.of(name) for seed in range(6)
        }
        there = {(one["kind"], one["exercise"], one["seed"]) for one in held["questions"]}
        assert there == {one for one in wanted if kinds.question(*one)}
        assert set(held["places"]) == {name for _, name, _ in there}
        for name, (says, address) in held["places"].items():
            assert says == f"Read on in unit {unit[:2]}, exercise {number_of(name)} `{name}`."
            assert address == place_of(name).address


@pytest.mark.slow
def test_a_question_of_the_page_is_the_question_of_the_notebook(files):
    for text in files.values():
        for one in json.loads(text)["questions"][::7]:
            question = kinds.question(one["kind"], one["exercise"], one["seed"])
            assert (one["asks"], one["right"], one["why"]) == (question.asks, question.right, question.why)
            for held, shown in zip(one["choices"], question.choices, strict=True):
                if isinstance(shown, Table):
                    texts = [text for row in held["table"] for text in row]
                    assert texts == [number(value) for value in shown.array.ravel()]
                else:
                    assert held == shown


def test_every_question_of_a_unit_has_choices_that_can_be_told_apart():
    held = pool.of_unit("03_scaling")
    for one in held["questions"]:
        looks = [json.dumps(choice) for choice in one["choices"]]
        assert 2 <= len(set(looks)) == len(looks) <= 4
        assert 0 <= one["right"] < len(looks)


def test_the_page_holds_what_it_knows_at_first_and_no_question():
    part = BeautifulSoup(page.part(), "html.parser")
    assert json.loads(part.find(id="review-course").string) == json.loads(json.dumps(pool.course()))
    assert "review()" in part.noscript.get_text()
    assert len(page.part()) < 8_000


UNIT = """
Unit
====

Text.

What you have now
-----------------

Scores.

{}
"""


class App:
    """As much of Sphinx as is asked."""

    class env:
        docname = "notebooks/03_scaling/03_scaling"


@pytest.mark.parametrize(
    ("end", "last"),
    [
        ("**Next:** unit 04.\n\n**Read next**", "Read next"),
        ("**Back:** unit 08.", "Back: unit 08."),
        ("", None),
    ],
)
def test_a_unit_leads_here_before_it_leads_on(end, last):
    tree = publish_doctree(UNIT.format(end))
    page._tell(App, tree)
    section = list(tree.findall(nodes.section))[-1] if list(tree.findall(nodes.section)) else tree
    place = next(at for at, one in enumerate(section.children) if isinstance(one, nodes.raw))
    assert re.search(r'href="../../review.html"', section.children[place].astext())
    after = [one.astext() for one in section.children[place + 1 :]]
    assert (after[-1] if after else None) == last
    assert section.children[place - 1].astext() == "Scores."


def test_other_pages_do_not_lead_here():
    class Other:
        class env:
            docname = "grading"

    tree = publish_doctree(UNIT.format(""))
    page._tell(Other, tree)
    assert not list(tree.findall(nodes.raw))
