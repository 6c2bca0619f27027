"""The ladder of hints: the next rung each time, the solution notebook at the top."""

import pytest

from helpers import hint
from helpers.errors import UnknownName
from helpers.exercises import find
from helpers.learner import hints
from helpers.units import UNIT_OF


@pytest.fixture(autouse=True)
def at_the_bottom(monkeypatch):
    monkeypatch.setattr(hints, "_climbed", {})


def test_each_call_gives_the_next_rung_and_the_last_one_stays(capsys):
    said = []
    for _ in range(6):
        hint("softmax")
        said.append(capsys.readouterr().out.splitlines()[0])
    rungs = find("softmax").hints
    assert said[:3] == [f"Hint {i} of 4: {text}" for i, text in enumerate(rungs, start=1)]
    assert said[3] == said[4] == said[5]
    assert "solutions/05_softmax/05_softmax.ipynb" in said[3]


def test_exercises_climb_apart(capsys):
    hint("softmax")
    hint("dot")
    assert capsys.readouterr().out.count("Hint 1 of ") == 2


def test_up_to_a_rung(capsys):
    hint("softmax", 2)
    assert [line[:6] for line in capsys.readouterr().out.splitlines()] == ["Hint 1", "Hint 2"]
    hint("softmax", 99)
    assert len(capsys.readouterr().out.splitlines()) == 4


@pytest.mark.parametrize("rung", [0, -1, 1.5, "2", True])
def test_a_rung_that_is_none(rung):
    with pytest.raises(ValueError, match=f"whole number from 1; it is {rung!r}"):
        hint("softmax", rung)


def test_unknown_name_lists_those_there_are():
    with pytest.raises(UnknownName, match=r"no exercise 'softmx'\. The exercises are: double, dot"):
        hint("softmx")


@pytest.mark.parametrize("name", UNIT_OF)
def test_a_ladder_has_at_least_three_rungs_that_get_longer_than_a_word(name):
    rungs = find(name).hints
    assert len(rungs) >= 2
    assert rungs[0].count("?") >= 1, "the first rung is a question"
    assert len(set(rungs)) == len(rungs)
