"""Predict, then run: a guess is compared, what comes out is computed, and the reason waits for the guess."""

import ast
import re

import numpy as np
import pytest

from helpers import example, progress, reveal, settle
from helpers.errors import UnknownName
from helpers.learner import guesses, progress_record
from helpers.predictions import RIVALS, WHY
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
        _, actual, name, sure = call_in(cell).args
        assert sure.id == "sure"
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
    reasons = [*WHY.values(), *(why for _, why in RIVALS.values())]
    assert [(unit, why) for unit, text in texts.items() for why in reasons if why in text] == []


COURSE = [unit for unit in UNITS if unit[:2] <= "09"]


@pytest.mark.parametrize("unit", COURSE)
def test_every_unit_of_the_course_asks_for_four_predictions(unit):
    assert len(cells_that_reveal(unit)) >= 4


def test_every_unit_of_the_course_lets_two_explanations_stand_against_each_other():
    asked = []
    for unit in COURSE:
        found = [
            re.findall(r'^settle\(guess, "([a-z-]+)", sure\)$', one.source)
            for one in read(SOLUTIONS, unit).cells
        ]
        names = [name for one in found for name in one]
        assert names, unit
        asked += names
    assert sorted(asked) == sorted(RIVALS)
    assert {holds for holds, _ in RIVALS.values()} == {"A", "B"}


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """What a learner in a notebook keeps."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(progress_record, "learning", lambda: True)
    return tmp_path / progress_record.FILE


def test_how_sure_one_was_is_kept_and_told(kept, capsys):
    reveal(3, 3, "more-tokens", 3)
    reveal(4, 3, "double-values", 3)
    reveal(3, 3, "double-values", 3)
    reveal("x", 3, "smaller-cache", 1)
    settle("b", "key-and-value", 2)
    said = repr(progress())
    assert "Predictions right: 1 of 4 (certain: 1 of 2, fairly sure: 0 of 1, a guess: 0 of 1)." in said
    assert "Predictions" in progress()._repr_html_()
    assert "Predictions" not in repr(progress("05_softmax"))
    assert capsys.readouterr().out.count(guesses.CERTAIN) == 1
    assert len(kept.read_text().splitlines()) == 5


@pytest.mark.parametrize("sure", [0, 4, "very", True, 2.5, [3]])
def test_who_is_sure_in_another_way_is_asked_again_and_nothing_is_revealed(kept, capsys, sure):
    reveal(3, 7, "more-tokens", sure)
    settle("A", "key-and-value", sure)
    said = capsys.readouterr().out
    assert said.count(guesses.ASK_SURE) == 2
    assert "7" not in said
    assert "holds" not in said
    assert not kept.exists()


def test_who_gives_no_number_yet_is_asked_for_one(capsys):
    reveal(3, 7, "more-tokens", ...)
    said = capsys.readouterr().out
    assert said.startswith(guesses.ASK_SURE)
    assert "7" not in said


def test_a_notebook_of_an_older_edition_asks_nobody_how_sure_they_are(kept, capsys):
    reveal(3, 3, "more-tokens")
    assert capsys.readouterr().out.startswith("Right. You predicted 3; it is 3.")
    assert not kept.exists()


@pytest.mark.parametrize(
    ("guess", "said"),
    [
        ("A", "Right: A holds."),
        (" a ", "Right: A holds."),
        ("B", "Not this time: A holds."),
        (None, "A holds."),
        (..., "Make your prediction first"),
        ("C", 'Choose "A" or "B", in quotes; you gave C.'),
        (1, 'Choose "A" or "B", in quotes; you gave 1.'),
    ],
)
def test_of_two_explanations_one_holds(capsys, guess, said):
    settle(guess, "key-and-value", 2)
    out = capsys.readouterr().out
    assert out.startswith(said)
    assert (RIVALS["key-and-value"][1] in out) == ("holds" in said)


def test_unknown_explanations_are_refused_with_those_there_are():
    with pytest.raises(UnknownName, match="key-and-value"):
        settle("A", "key", 1)


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


def test_of_four_masks_one_lets_a_real_query_look_at_padding():
    heard = [letter for letter, mask in example.MASKS.items() if mask[:3, 3:].any()]
    assert heard == [example.ODD_ONE["MASKS"][0]]


def test_of_four_cuts_one_lets_tokens_share_a_row():
    shared = [
        letter for letter, cut in example.CUTS.items() if (cut // 10 != np.arange(3)[None, :, None]).any()
    ]
    assert shared == [example.ODD_ONE["CUTS"][0]]
    assert all(np.unique(cut).size == 12 for cut in example.CUTS.values())


@pytest.mark.parametrize(
    ("guess", "right"),
    [
        (("C", "a reason"), True),
        (["c", "A reason "], True),
        (("C", "another"), False),
        ("C", False),
        (3, False),
    ],
)
def test_which_and_why_are_compared_word_by_word(guess, right, capsys):
    reveal(guess, ("C", "a reason"), "padding-that-is-heard")
    assert capsys.readouterr().out.startswith("Right" if right else "Not this time")
