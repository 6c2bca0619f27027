"""Lines of a loom that answer an exercise are blank until the learner has passed it."""

import html
import json
import re

import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from helpers import example, offered, passed, progress, reference, views
from helpers.beside.kernel import AS_SVG
from helpers.learner import progress_record
from helpers.units import UNIT_OF
from helpers.views import loom_blanks
from helpers.views.loom_stages import LINES
from tests.seen import K, Q, V
from tools import kernels

SCORES = "Q @ K.T"


@pytest.fixture
def learner(tmp_path, monkeypatch):
    """A learner in a notebook of unit 02, in a folder of their own, who has passed nothing."""
    unit = tmp_path / UNIT_OF["attention_scores"]
    unit.mkdir()
    monkeypatch.chdir(unit)
    monkeypatch.setattr(passed, "HERE", [])
    monkeypatch.setattr(progress_record, "HERE", passed.HERE)
    monkeypatch.setattr(loom_blanks, "before_a_person", lambda: True)
    monkeypatch.setattr(progress_record, "learning", lambda: True)
    monkeypatch.setattr("helpers.views.loom_view._picture", lambda *_: None)
    return tmp_path


def blank(view):
    """The number of the exercise of each stage whose line is blank."""
    return {line["makes"][0]: line["blank"] for line in view.data["lines"] if line["blank"]}


def read(view):
    """What one reads of the lines: without tags, and what these carry."""
    code = view.data["markup"].partition('<div id="code"')[2].partition('<div class="row"')[0]
    return [html.unescape(re.sub(r"<[^>]*>", "|", line)) for line in code.split("</div>")]


HEADS = {
    "Q": "2.3", "K": "2.3", "V": "2.3", "Q_h": "6.1", "scores": "2.4", "scaled": "3.4",
    "masked": "4.4", "weights": "5.1", "H": "2.6", "merged": "6.2", "output": "6.4",
}  # fmt: skip
LOOMS = {
    "heads": (lambda: views.loom(num_heads=2), HEADS),
    "a sentence": (
        lambda: views.loom(),
        {name: HEADS[name] for name in ("Q", "K", "V", "scores", "scaled", "masked", "weights")}
        | {"output": "2.6"},
    ),
    "up to scores": (
        lambda: views.loom(until="scores"),
        {"Q": "2.3", "K": "2.3", "V": "2.3", "scores": "2.4"},
    ),
    "similarity": (lambda: views.loom(until="similarity"), {"similarity": "1.3"}),
    "a head": (
        lambda: views.loom(Q=Q, K=K, V=V, until="masked"),
        {"scores": "2.4", "scaled": "3.4", "masked": "4.4"},
    ),
    "weights": (lambda: views.loom(weights=np.eye(4), V=V), {"output": "2.6"}),
    "weights alone": (lambda: views.explore_weights(np.eye(4)), {}),
    "yours": (lambda: views.loom(Q=Q, K=K, until="scores", yours={"scores": Q @ K.T}), {"scores": "2.4"}),
}


def test_every_line_names_its_exercise():
    assert {line.exercise for line in LINES} == {
        "similarity_matrix", "queries_keys_values", "attention_scores", "scaled_scores", "apply_mask",
        "softmax", "mix_values", "split_heads", "merge_heads", "multi_head_attention",
    }  # fmt: skip


@pytest.mark.parametrize("name", LOOMS)
def test_before_anything_is_passed_no_right_line_is_read(learner, name):
    make, wanted = LOOMS[name]
    view = make()
    assert blank(view) == wanted
    told = read(view)
    for line, text in zip(view.data["lines"], told, strict=False):
        assert f"|… exercise {line['blank']}|" in text
        assert f"|{line['code']}|" not in text
        assert all(f"|{one['code']}|" in text for one in line["wrong"]) or "yours" in view.data


@pytest.mark.parametrize("name", LOOMS)
def test_once_all_is_passed_every_line_is_read(learner, name):
    for line in LINES:
        progress_record.record(line.exercise, "passed")
    view = LOOMS[name][0]()
    assert blank(view) == {}
    assert "show" not in view.data["markup"]
    assert "blank" not in view.data["markup"] + view.data["right"]
    for line, text in zip(view.data["lines"], read(view), strict=False):
        assert line["code"] in text


def test_one_line_comes_with_its_exercise(learner):
    progress_record.record("attention_scores", "tried")
    assert "scores" in blank(views.loom())
    progress_record.record("attention_scores", "passed")
    view = views.loom()
    assert blank(view) == {name: one for name, one in LOOMS["a sentence"][1].items() if name != "scores"}
    assert f"|{SCORES}|" in read(view)[3]
    progress_record.record("attention_scores", "reset")
    assert "scores" in blank(views.loom())
    progress_record.record("attention_scores", "undone")
    assert "scores" not in blank(views.loom())


# Where it is known from


def file(folder):
    event = {"exercise": "attention_scores", "event": "passed"}
    (folder / "progress.jsonl").write_text(json.dumps(event) + "\n", "utf-8")


def notebook(folder):
    unit = UNIT_OF["attention_scores"]
    test = {
        "cell_type": "code",
        "metadata": {"nbgrader": {"grade_id": "attention_scores-test"}},
        "outputs": [{"output_type": "stream", "text": ["attention_scores: right.\n"]}],
    }
    (folder / unit / f"{unit}.ipynb").write_text(json.dumps({"cells": [test]}), "utf-8")


def kernel(folder):
    passed.HERE.append(("attention_scores", "passed"))


@pytest.mark.parametrize("known", [file, notebook, kernel])
def test_it_is_known_from_the_file_the_notebook_and_this_kernel(learner, known):
    known(learner)
    assert {*LOOMS["a sentence"][1]} - {*blank(views.loom())} == {"scores"}


def test_a_folder_that_cannot_be_written_to_forgets_nothing_in_this_kernel(learner, monkeypatch):
    monkeypatch.setattr(progress_record, "FILE", "no/such/folder.jsonl")
    progress_record.record("attention_scores", "passed")
    assert not list(learner.glob("*.jsonl"))
    assert "scores" not in blank(views.loom())


def test_a_damaged_file_is_read_and_left_to_be_told_of(learner):
    file(learner)
    path = learner / "progress.jsonl"
    path.write_bytes(b"?\n" + path.read_bytes())
    before = path.read_bytes()
    assert "scores" not in blank(views.loom())
    assert path.read_bytes() == before
    assert "was damaged" in progress().note


@pytest.mark.slow
def test_in_a_kernel_a_check_that_passes_brings_its_line(tmp_path):
    """The same cell twice, with the check between."""
    show = (
        "from helpers import views\n"
        "print([line['blank'] for line in views.loom(until='scores').data['lines']])"
    )
    answer = (
        "from helpers import check\n"
        "def attention_scores(Q, K):\n    return Q @ K.swapaxes(-1, -2)\n"
        "check('attention_scores')"
    )
    made = new_notebook(cells=[new_code_cell(one) for one in (show, answer, show)])
    with kernels.client(made, tmp_path) as client:
        client.execute()
    before, after = [cell.outputs[0].text.strip() for cell in made.cells[::2]]
    assert (before, after) == ("['2.3', '2.3', '2.3', '2.4']", "['2.3', '2.3', '2.3', '']")


# Where nobody learns


@pytest.mark.parametrize("name", ["NBGRADER_EXECUTION", AS_SVG])
def test_what_nbgrader_runs_and_the_site_have_the_blanks(learner, monkeypatch, name):
    monkeypatch.undo()
    monkeypatch.chdir(learner)
    monkeypatch.setattr("helpers.beside.kernel.in_notebook", lambda: True)
    file(learner)
    assert "attention_scores" not in loom_blanks.blanks(["attention_scores"])
    monkeypatch.setenv(name, "validate")
    assert loom_blanks.blanks(["attention_scores"]) == {"attention_scores": "2.4"}


def test_outside_a_notebook_all_are_blank(learner, monkeypatch):
    file(learner)
    monkeypatch.setattr(loom_blanks, "before_a_person", lambda: False)
    assert "scores" in blank(views.loom())


def test_the_line_of_an_exercise_that_is_taken_out_is_there(learner, monkeypatch):
    left = {name: text for name, text in offered.blanks().items() if name != "attention_scores"}
    monkeypatch.setattr(offered, "blanks", lambda: left)
    assert {*LOOMS["a sentence"][1]} - {*blank(views.loom())} == {"scores"}


def test_a_mistake_that_is_on_from_the_start_can_be_read(learner):
    view = views.loom(mistake="softmax-over-queries", allowed=reference.causal_mask(4), tokens=example.TOKENS)
    assert blank(view)["weights"] == "5.1"
    assert any("|softmax(masked, axis=-2)|" in text for text in read(view))
