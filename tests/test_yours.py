"""`yours`: the learner's own answer goes to work where it is right, and nothing else does."""

import sys

import pytest

import helpers
from helpers import reference
from helpers.errors import UnknownName


def asked(name, **answers):
    space = {"yours": helpers.yours, **answers}
    exec(f"found = yours({name!r})", space)
    return space["found"]


@pytest.mark.parametrize(
    "name", ["TransformerBlock", "next_token_loss", "induction_score", "bert_attention", "KVCache"]
)
def test_right_answer_of_the_learner_runs(name, capsys):
    right = getattr(reference, name)
    own = type(name, (right,), {}) if isinstance(right, type) else lambda *args: right(*args)
    assert asked(name, **{name: own}) is own
    assert capsys.readouterr().out == f"{name}: yours runs.\n"


def not_answered(*_):
    raise NotImplementedError("not answered yet")


@pytest.mark.parametrize(
    "answer",
    [
        None,
        ...,
        not_answered,
        lambda weights, threshold: [],
        lambda: 0,
        lambda *_: sys.exit(),
        lambda *_: 1 / 0,
    ],
    ids=["missing", "dots", "blank", "wrong", "other arguments", "leaves", "stops"],
)
def test_reference_runs_until_the_learners_answer_is_right(answer, capsys):
    given = {} if answer is None else {"previous_token_heads": answer}
    assert asked("previous_token_heads", **given) is reference.previous_token_heads
    assert (
        capsys.readouterr().out == "previous_token_heads: the reference answer runs until yours is right.\n"
    )


def test_reference_runs_while_nbgrader_grades(monkeypatch, capsys):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    own = lambda *args: reference.previous_token_heads(*args)  # noqa: E731 - any function will do
    assert asked("previous_token_heads", previous_token_heads=own) is reference.previous_token_heads
    assert "until yours is right" not in capsys.readouterr().out


def test_an_unknown_name_is_refused_with_the_nearest():
    with pytest.raises(UnknownName, match="KVCache"):
        asked("KVcache")
