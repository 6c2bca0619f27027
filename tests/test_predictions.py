"""Predict, then run: a guess is compared, what comes out is computed, and the reason waits for the guess."""

import ast
import re

import numpy as np
import pytest

from helpers import reveal
from helpers.errors import UnknownName
from helpers.predictions import WHY
from tests.sample_learners import SOLUTIONS, UNITS, read


def cells_that_reveal(unit):
    return [cell for cell in read(SOLUTIONS, unit).cells if re.search(r"\breveal\(\s*guess\b", cell.source)]


def call_in(cell):
    calls = [one for one in ast.walk(ast.parse(cell.source)) if isinstance(one, ast.Call)]
    (found,) = [one for one in calls if isinstance(one.func, ast.Name) and one.func.id == "reveal"]
    return found


def values(node):
    """What an expression can be without computing anything: its literals, of both branches of an `if`."""
    branches = (node.body, node.orelse) if isinstance(node, ast.IfExp) else (node,)
    return [one for one in branches if not any(isinstance(part, ast.Name) for part in ast.walk(one))]


@pytest.mark.parametrize("unit", UNITS)
def test_a_cell_that_reveals_holds_no_sentence_and_computes_its_answer(unit):
    for cell in cells_that_reveal(unit):
        _, actual, name = call_in(cell).args
        assert name.value in WHY, f"{cell.id} asks for {name.value!r}"
        texts = [one.value for one in ast.walk(ast.parse(cell.source)) if isinstance(one, ast.Constant)]
        texts += re.findall(r"#(.*)", cell.source)
        sentences = [text for text in texts if isinstance(text, str) and len(text.split()) > 6]
        assert sentences == [], f"{cell.id} says what the learner is to find out: {sentences}"
        wanted = ["yes", "no"] if isinstance(actual, ast.IfExp) else []
        assert [one.value for one in values(actual)] == wanted, f"{cell.id} has its answer written down"


def test_every_reason_belongs_to_one_prediction():
    used = [call_in(cell).args[2].value for unit in UNITS for cell in cells_that_reveal(unit)]
    assert sorted(used) == sorted(WHY)


def test_no_reason_stands_in_a_notebook():
    texts = {unit: " ".join(cell.source for cell in read(SOLUTIONS, unit).cells) for unit in UNITS}
    assert [(unit, why) for unit, text in texts.items() for why in WHY.values() if why in text] == []


@pytest.mark.parametrize(
    ("guess", "said"),
    [
        (0.665, "Right. You predicted 0.665; it is 0.6652."),
        (1, "Not this time. You predicted 1; it is 0.6652."),
        ("much", "Not this time. You predicted much; it is 0.6652."),
        (None, "It is 0.6652."),
    ],
)
def test_a_guess_is_compared_and_then_explained(capsys, guess, said):
    reveal(guess, np.float64(0.66524), "largest-weight")
    assert capsys.readouterr().out.splitlines() == [said, WHY["largest-weight"]]


def test_without_a_guess_nothing_is_revealed(capsys):
    reveal(..., 0.665, "largest-weight")
    said = capsys.readouterr().out
    assert said.startswith("Make your prediction first")
    assert "0.665" not in said
    assert WHY["largest-weight"] not in said


def test_a_prediction_of_ones_own_needs_no_name(capsys):
    reveal((2, 3), (2, 3))
    assert capsys.readouterr().out == "Right. You predicted (2, 3); it is (2, 3).\n"
    reveal((2, 3), (2, 3), "The inner sizes go.")
    assert capsys.readouterr().out.splitlines()[1] == "The inner sizes go."


@pytest.mark.parametrize("guess", [..., 1])
@pytest.mark.parametrize("name", ["largest", ["largest-weight"]], ids=["no such name", "no name at all"])
def test_an_unknown_name_is_refused_with_those_there_are(capsys, guess, name):
    with pytest.raises(UnknownName) as stopped:
        reveal(guess, 1, name)
    assert str(stopped.value).startswith(f"There is no prediction {name!r}. The predictions are: shape-of-")
    assert all(known in str(stopped.value) for known in WHY)
    assert capsys.readouterr().out == ""


def test_a_heading_names_what_is_predicted():
    """Headings are the table of contents: several that are equal tell nobody where to go."""
    for unit in UNITS:
        found = re.findall(
            r"^### (Predict.*)$", "\n".join(cell.source for cell in read(SOLUTIONS, unit).cells), re.M
        )
        assert all(re.match(r"Predict: \w", heading) for heading in found), unit
        assert len(set(found)) == len(found), unit
