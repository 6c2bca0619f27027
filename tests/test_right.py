"""What a passed check draws: true, short, readable without colour, and the same line as ever as text."""

import html
import json
import re

import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from helpers import passed, reference
from helpers.exercises import find
from helpers.exercises.base import draw_cases
from helpers.learner import progress_record
from helpers.learner.checking import verdict_of
from helpers.learner.standing import standing
from helpers.units import OWN, TITLES, UNIT_OF, UNITS
from helpers.verdict.can_do import CAN_DO, DEFAULT, can_do
from helpers.verdict.judge import right_result
from helpers.verdict.right import right, unseen
from helpers.verdict.tried import tried
from tools import kernels

LARGEST = 1500
"""Bytes of HTML: a page of the site has up to eight of them."""


def text_of(panel):
    return html.unescape(re.sub(r"</p>|<[^>]+>", lambda tag: "\n" if tag[0] == "</p>" else "", panel))


def of(name):
    exercise = find(name)
    cases = draw_cases(exercise, 0)
    return tried(exercise, cases, [] if exercise.lineup else [right_result(exercise, one) for one in cases])


# What the code can do


def test_every_exercise_has_a_sentence_and_no_other_has():
    assert set(CAN_DO) == {name for name in UNIT_OF if name not in OWN}


@pytest.mark.parametrize("name", CAN_DO)
def test_a_sentence_is_short_and_about_the_learner_s_own(name):
    said = CAN_DO[name]
    assert said.startswith(("Your ", "You can "))
    assert said.endswith(".")
    assert said.count(".") == 1
    assert len(said.split()) <= 20


def test_no_two_exercises_of_the_course_have_the_same_sentence():
    ours = [CAN_DO[name] for name in UNIT_OF if name not in OWN]
    assert len(set(ours)) == len(ours)


def test_an_instructor_s_own_exercise_has_a_sentence_that_fits_all():
    assert can_do("log_softmax") == DEFAULT


# What was tried


def test_what_was_tried_is_counted():
    cases = draw_cases(find("softmax"), 0)
    said = of("softmax")
    assert said.startswith(f"Tried on {len(cases)} inputs: float32 and float64, 1 to 4 axes, ")
    assert "numbers of up to 20,001, −∞, square arrays, `axis` from −2 to 2" in said
    assert ", masks, rows with nothing allowed" in of("attention")
    assert "sizes that must be refused" in of("split_heads")
    assert "gradients" in of("QKVProjection")
    assert of("causal_mask") == "Tried on 7 inputs: `n` from 1 to 70."
    assert re.fullmatch(r"Tried on \d+ functions of \d+ kinds\.", of("leaks_future"))


def test_a_name_that_the_answer_does_not_have_is_not_told():
    assert "repeats" not in of("measure_score_std")
    assert "seed" not in of("measure_score_std")


@pytest.mark.parametrize("name", ["right_divisor", "faulty_map", "test_softmax"])
def test_where_nothing_can_be_counted_nothing_is_said(name):
    assert of(name) == ""


@pytest.mark.parametrize("name", UNIT_OF)
def test_it_says_no_more_than_the_calls_hold(name):
    arrays = [one for case in draw_cases(find(name), 0) for one in _arrays(case.args)]
    said = of(name)
    held = {array.dtype.name for array in arrays}
    assert ("float32 and float64" in said) == ({"float32", "float64"} <= held and bool(said))
    assert ("masks" in said) == ("bool" in held)
    assert ("−∞" in said) == any(array.dtype.kind == "f" and np.isneginf(array).any() for array in arrays)
    assert len(said.split()) <= 40


def _arrays(args):
    for value in args.values():
        if isinstance(value, dict):
            yield from _arrays(value)
        elif isinstance(value, np.ndarray):
            yield value


# The panel


def drawn(name, answer, **more):
    exercise = find(name)
    verdict = verdict_of(exercise, answer)
    assert verdict.passed
    return right(exercise, verdict, draw_cases(exercise, 0), **more)


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@pytest.fixture
def learner(tmp_path, monkeypatch):
    """A learner in a notebook of unit 05, who has passed nothing."""
    (tmp_path / "05_softmax").mkdir()
    monkeypatch.chdir(tmp_path / "05_softmax")
    monkeypatch.setattr(passed, "HERE", [])
    monkeypatch.setattr(progress_record, "HERE", passed.HERE)
    monkeypatch.setattr(progress_record, "learning", lambda: True)


def test_the_whole_panel(learner):
    one = drawn("softmax", softmax, able=can_do("softmax"), standing=standing("softmax"))
    panel = one._repr_html_()
    assert repr(one) == "softmax: right."
    title, what, next_, *_ = text_of(panel).split("\n")
    assert title == f"✓ softmax is right. {CAN_DO['softmax']}"
    assert what.startswith("Tried on 24 inputs: ")
    assert next_ == "●○○○○○○○ 1 of 8 in this unit. Next: 5.2 masked_softmax, further down."
    assert len(panel.encode()) < LARGEST
    assert '<span aria-hidden="true">✓</span>' in panel
    assert not re.search(r"<(style|script|svg|img|link|h\d)|(?<![-\w])color: ", panel)


def test_no_panel_is_large(learner):
    for name in UNIT_OF:
        cases = draw_cases(find(name), 0)
        passes = verdict_of(find("dot"), reference.dot)
        one = right(find(name), passes, cases, able=can_do(name), standing=standing(name))
        assert len(one._repr_html_().encode()) < LARGEST, name


def test_what_calls_a_library_s_whole_answer_is_told_so():
    one = drawn("dot", lambda a, b: np.dot(a, b))
    assert repr(one).startswith("dot: right. It calls ")
    assert "which is the whole answer: can you do it without?" in one._repr_html_()


def test_of_hidden_inputs_no_number_and_no_kind_is_told():
    one = unseen("dot", verdict_of(find("dot"), lambda a, b: (a * b).sum(), sizes="hidden"))
    assert repr(one) == "dot: right."
    assert text_of(one._repr_html_()) == "✓ dot is right on inputs that stay hidden, too.\n"


# What is next


def pass_(*names):
    for name in names:
        progress_record.record(name, "passed")


def test_next_is_the_first_below_that_is_open_then_one_above_then_the_next_unit(learner):
    names = UNITS["05_softmax"]
    pass_("masked_softmax")
    assert standing("softmax").next == "Next: 5.3 `softmax_with_temperature`, further down."
    pass_(*names[2:])
    assert standing("faulty_map").next == "Next: 5.1 `softmax`, further up."
    last = standing("softmax")
    assert (last.passed, last.exercises) == (8, 8)
    assert last.next == "That is all of this unit. Next: unit 06, Multi-head attention."
    there = "../06_multi_head_attention/06_multi_head_attention.ipynb"
    assert f'<a href="{there}">unit 06, Multi-head attention</a>.' in last.html()


def test_behind_the_last_unit_there_is_none(learner):
    names = UNITS[list(TITLES)[-1]]
    pass_(*names)
    assert standing(names[-1]).next == "That is all of this unit, and it is the last one."


def test_an_exercise_that_an_instructor_has_taken_out_stands_nowhere(learner, monkeypatch):
    monkeypatch.setattr("helpers.learner.standing.offered", lambda: {"05_softmax": ["attention"]})
    assert standing("softmax") is None


# In a real kernel

CODE = """
import numpy as np
from helpers import check
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
check("softmax", seed=1)
"""
OTHER = "check('softmax', softmax)"


def run(folder, *cells):
    notebook = new_notebook(cells=[new_code_cell(text) for text in cells])
    with kernels.client(notebook, folder, allow_errors=True) as client:
        client.execute()
    return [cell.outputs for cell in notebook.cells]


@pytest.mark.slow
def test_a_notebook_shows_the_panel_and_no_line_besides(tmp_path):
    (shown,), (another,) = run(tmp_path, CODE, OTHER)
    assert shown.output_type == another.output_type == "display_data"
    assert shown.data["text/plain"] == another.data["text/plain"] == "softmax: right."
    said = text_of(shown.data["text/html"])
    assert CAN_DO["softmax"] in said
    assert "1 of 8 in this unit. Next: 5.2" in said
    told = text_of(another.data["text/html"])
    assert told.startswith("✓ softmax is right.\nTried on 24 inputs: ")
    assert "Your code" not in told, "what was handed over may be anybody's"
    assert "in this unit" not in told
    (line,) = (tmp_path / "progress.jsonl").read_text().splitlines()
    assert json.loads(line)["event"] == "passed"


@pytest.mark.slow
def test_validate_counts_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "validate")
    ((shown,),) = run(tmp_path, CODE)
    assert shown.data["text/plain"] == "softmax: right."
    assert "in this unit" not in shown.data["text/html"]
    assert not (tmp_path / "progress.jsonl").exists()
