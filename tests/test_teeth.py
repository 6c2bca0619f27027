"""The figures that the pages show are kept; that they get no worse, `test_answers.py` finds on the way."""

import json

import pytest

from banks import registry
from helpers import CheckFailed, check
from helpers.units import UNIT_OF
from tools import checks_page, mutants, peer, teeth
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
    """After a change of the banks: `make teeth ARGS=--write`, then `make sync`."""
    for name in UNIT_OF:
        kept = KEPT["ours"][name]
        assert kept["wrong"] == sum(answer.exercise == name for answer in WRONG), name
        assert kept["right"] == sum(answer.exercise == name for answer in RIGHT), name


def test_measure_counts_survivors_refusals_and_names():
    wrong = [
        registry.WrongAnswer("double", "added-instead-of-multiplied", lambda x: x + 2),
        registry.WrongAnswer("double", "some-other-name", lambda x: x + 2),
        registry.WrongAnswer("double", "not-wrong-at-all", lambda x: x * 2),
    ]
    right = [registry.Answer("double", "a", lambda x: x + x), registry.Answer("double", "b", lambda x: x + 1)]
    found = teeth.measure("double", wrong, right, SEEDS)
    assert [found[key] for key in teeth.COUNTS] == [3, 2, 1, 2, 1]


@pytest.mark.slow
def test_every_mutant_is_rejected_or_explained():
    found = mutants.run()
    assert found.total >= 350
    assert not found.unexplained, "\n".join(found.unexplained)
    assert found.rejected + len(found.explained) == found.total
    assert KEPT["mutants"] == {"total": found.total, "rejected": found.rejected}


def test_reasons_for_equivalent_mutants_are_sentences():
    assert all(why.endswith(".") and len(why) > 20 for why in mutants.explained().values())


def test_pages_show_the_kept_figures():
    for path, text in checks_page.pages(ROOT).items():
        assert path.read_text("utf-8") == text, f"{path.name}: run `make sync`"
    assert len(checks_page.pages(ROOT)) == 2


@pytest.mark.nightly
@pytest.mark.needs("peer")
def test_the_peer_runs_and_is_compared_in_the_same_run():
    found = peer.compare()
    assert found.keys() == peer.TASKS.keys()
    for one in found.values():
        assert one["rejected"] == one["wrong"] > 20
        assert one["accepted"] == one["right"] > 5
        assert 0 < one["peer rejected"] <= one["wrong"]


def test_a_figure_in_a_page_is_replaced_between_its_markers():
    text = "a\n<!-- teeth -->\nold\n<!-- /teeth -->\nz\n"
    assert checks_page.filled(text, {"teeth": "new"}) == "a\n<!-- teeth -->\nnew\n<!-- /teeth -->\nz\n"


def test_failure_gives_the_error_and_the_time():
    error, took = teeth.failure("double", lambda x: x, 1)
    assert isinstance(error, CheckFailed)
    assert took > 0
    assert teeth.failure("double", lambda x: 2 * x, 1)[0] is None
    check("double", lambda x: 2 * x)
