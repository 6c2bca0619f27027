"""The figures that the pages show are kept; that they get no worse, `test_answers.py` finds on the way."""

import json
import re

import pytest

from banks import registry
from helpers import CheckFailed
from helpers.units import UNIT_OF, UNITS
from tests.lanes import at_night
from tools import checks_page, mutants, teeth
from tools.shell import ROOT

RIGHT, WRONG = registry.load()
KEPT = json.loads(teeth.KEPT.read_text("utf-8"))
SEEDS = ((3, "visible"), (3, "hidden"))


def test_the_aims_are_met():
    wrong, rejected, named, right, accepted = (
        sum(one[key] for one in KEPT["ours"].values()) for key in teeth.COUNTS
    )
    assert rejected == wrong >= 400
    assert accepted == right >= 150
    assert named / wrong >= 0.95


def test_the_kept_figures_are_of_these_banks():
    for name, unit in UNIT_OF.items():
        kept = KEPT["ours"].get(name, {})
        tried = {
            "wrong": sum(answer.exercise == name for answer in WRONG),
            "right": sum(answer.exercise == name for answer in RIGHT),
        }
        assert kept | tried == kept, teeth.stale(name)
        assert unit in KEPT["mutants"], teeth.stale(name)
    assert KEPT["ours"].keys() == UNIT_OF.keys(), "an exercise is gone: run `make teeth ARGS=--write`"


def test_a_name_without_figures_or_that_does_not_exist_gets_one_sentence():
    assert re.search("teeth.*--write log_softmax", teeth.stale("log_softmax"))
    with pytest.raises(SystemExit) as stopped:
        teeth.main(["--write", "log_sofmax", "softmax"])
    assert str(stopped.value) == "There is no exercise log_sofmax: the exercises stand in helpers/units.py."


@pytest.fixture
def measured(monkeypatch, tmp_path, capsys):
    """`make teeth` on these words, with small banks and no mutmut: what is kept, and printed."""
    kept = tmp_path / "teeth.json"
    kept.write_text(teeth.KEPT.read_text("utf-8"), "utf-8")
    monkeypatch.setattr(teeth, "KEPT", kept)
    few = [[next(one for one in bank if one.exercise == name) for name in UNIT_OF] for bank in (RIGHT, WRONG)]
    monkeypatch.setattr(registry, "load", lambda: few)
    judged = {"total": 3, "rejected": 3}
    monkeypatch.setattr(mutants, "run", lambda units: mutants.Outcome(dict.fromkeys(units, judged), (), ()))

    def on(*words):
        assert teeth.main(words) == 0
        return json.loads(kept.read_text("utf-8")), capsys.readouterr().out

    return on


ONE = {"wrong": 1, "rejected": 1, "named": 1, "right": 1, "accepted": 1}


def test_an_exercise_measured_by_name_leaves_the_figures_of_the_others(measured):
    assert measured("dot")[0] == KEPT, "without --write"
    now, said = measured("--write", "dot")
    assert now["ours"] == KEPT["ours"] | {"dot": ONE}
    assert list(now["ours"]) == list(UNIT_OF)
    assert now["mutants"] == KEPT["mutants"] | {"01_dot_product": {"total": 3, "rejected": 3}}
    assert "| `dot` | 1 |" in said
    assert "softmax" not in said


def test_no_times_are_kept():
    """They would change with every run: `make bench` has them."""
    assert {key for one in KEPT["ours"].values() for key in one} == set(teeth.COUNTS)


def test_measure_counts_survivors_refusals_and_names():
    wrong = [
        registry.WrongAnswer("double", "added-instead-of-multiplied", lambda x: x + 2),
        registry.WrongAnswer("double", "some-other-name", lambda x: x + 2),
        registry.WrongAnswer("double", "not-wrong-at-all", lambda x: x * 2),
    ]
    right = [registry.Answer("double", "a", lambda x: x + x), registry.Answer("double", "b", lambda x: x + 1)]
    found = teeth.measure("double", wrong, right, SEEDS)
    assert [found[key] for key in teeth.COUNTS] == [3, 2, 1, 2, 1]


@pytest.mark.parametrize(
    "units",
    [
        pytest.param([*UNITS][::2], marks=pytest.mark.slow),
        at_night([*UNITS][1::2]),
    ],
    ids=["even", "odd"],
)
def test_every_mutant_is_rejected_or_explained(units):
    found = mutants.run(units)
    assert found.total >= 200
    assert not found.unexplained, "\n".join(found.unexplained)
    assert found.rejected + len(found.explained) == found.total
    assert {unit: KEPT["mutants"][unit] for unit in units} == found.by_unit


def test_reasons_for_equivalent_mutants_are_sentences():
    assert all(why.endswith(".") and len(why) > 20 for why in mutants.explained().values())


def test_pages_show_the_kept_figures():
    for path, text in checks_page.pages(ROOT).items():
        assert path.read_text("utf-8") == text, f"{path.name}: run `make sync`"
    assert len(checks_page.pages(ROOT)) == 2


def test_a_figure_in_a_page_is_replaced_between_its_markers():
    text = "a\n<!-- teeth -->\nold\n<!-- /teeth -->\nz\n"
    assert checks_page.filled(text, {"teeth": "new"}) == "a\n<!-- teeth -->\nnew\n<!-- /teeth -->\nz\n"


def test_failure_gives_the_error_or_nothing():
    assert isinstance(teeth.failure("double", lambda x: x, 1), CheckFailed)
    assert teeth.failure("double", lambda x: 2 * x, 1) is None
