"""The analysis of the concept inventory finds again what made-up classes are known to be."""

import re

import numpy as np
import pytest

from tools import inventory_trial as trial
from tools.shell import ROOT

COUNT = 25
DOCS = ROOT / "docs" / "concept_inventory.md"


def mean(all_, name):
    return np.mean([getattr(one, name) for one in all_])


@pytest.fixture(scope="module")
def hundred():
    return trial.classes(100, COUNT)


def test_the_score_follows_the_true_ability(hundred):
    assert mean(hundred, "ability") > 0.8
    assert 0.5 < mean(hundred, "alpha") < 0.9


def test_alpha_squares_with_the_true_ability(hundred):
    """Reliability is the squared correlation with the true score, which ability follows nearly."""
    assert abs(mean(hundred, "ability") ** 2 - mean(hundred, "alpha")) < 0.05


def test_nearly_all_spoilt_questions_are_found_and_few_good_ones_accused(hundred):
    assert mean(hundred, "key") >= 0.95
    assert mean(hundred, "twin") >= 0.95
    assert mean(hundred, "guessed") >= 0.7
    assert mean(hundred, "accused") < 3


def test_a_larger_class_accuses_fewer(hundred):
    small = trial.classes(30, COUNT)
    assert mean(small, "accused") > mean(hundred, "accused")
    assert mean(small, "width") > mean(hundred, "width")


@pytest.mark.parametrize("growth", trial.GROWTHS)
def test_a_known_growth_is_found_again(growth):
    found = trial.gains(100, growth, COUNT)
    assert abs(mean(found, "measured") - mean(found, "true")) < 0.03
    assert mean(found, "holds") >= 0.8
    seen = mean(found, "seen")
    assert seen <= 0.16 if growth == 0 else seen >= 0.84


def test_the_model_guesses_a_quarter_and_knows_the_rest():
    test = trial.test_of(np.random.default_rng(0))
    low, high = test.share(np.array([-20.0, 20.0]))
    assert low == pytest.approx(trial.GUESS)
    assert high == pytest.approx(1)


def test_wrong_choices_come_as_often_as_they_tempt():
    dice = np.random.default_rng(0)
    test = trial.test_of(dice)
    taken = test.answers(np.full(20_000, -20.0), dice)
    found = np.array([[(taken[:, item] == one).mean() / 0.75 for one in (1, 2, 3)] for item in range(24)])
    np.testing.assert_allclose(found, test.tempting, atol=0.03)


def test_it_prints_three_tables_and_says_when_no_size_is_enough(capsys, monkeypatch):
    monkeypatch.setattr(trial.tables, "__defaults__", (2, (20, 30), (30,)))
    assert trial.main(["3"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("3 made-up classes of each size.")
    assert [line.split(" | ")[0] for line in printed.splitlines() if "---" in line] == ["| ---"] * 3
    assert re.search(r"no wider than 0\.1 \| more than 30 \|", printed)
    assert trial.main(["3"]) == 0
    assert capsys.readouterr().out == printed, "the same in every run"


@pytest.mark.slow
def test_the_page_shows_what_the_trial_prints():
    page = DOCS.read_text("utf-8")
    for table in trial.tables():
        assert table in page, f"run `python -m tools.inventory_trial` and copy its tables:\n{table}"
    assert re.search(r"python -m tools\.inventory_trial", page)
