"""Questions of the review: each has exactly one right choice, and all of it is computed."""

import collections

import pytest

from helpers.questions import kinds
from helpers.questions.question import Table, looks
from helpers.units import STEPS, UNIT_OF, UNITS
from tests.review_oracles import solved

DRAWS = 200
FEW = 6
PAIRS = [(kind, name) for kind, module in kinds.KINDS.items() for name in module.exercises()]
asked = pytest.mark.parametrize(("kind", "name"), PAIRS, ids=lambda one: one)


@pytest.mark.slow
@asked
@pytest.mark.parametrize(
    "seeds", [range(1), pytest.param(range(1, FEW), marks=pytest.mark.slow)], ids=["first", "more"]
)
def test_the_oracle_finds_the_same_single_choice(kind, name, seeds):
    drawn = [question for seed in seeds if (question := kinds.question(kind, name, seed))]
    assert drawn, "there is no question"
    for question in drawn:
        assert solved(question) == [question.right], f"seed {question.seed}: {question.asks}"
        assert 2 <= len(question.choices) <= 4
        assert len({looks(one) for one in question.choices}) == len(question.choices)
        assert question.why
        assert len(question.asks.split()) <= 70


@pytest.mark.nightly  # many draws
@asked
def test_none_of_two_hundred_draws_is_ambiguous(kind, name):
    seen = set()
    for seed in range(DRAWS):
        question = kinds.question(kind, name, seed)
        if question is None:
            continue
        key = (question.asks, *map(looks, (*question.given, *question.choices)))
        if key not in seen:  # few programs and sentences make the same question again
            seen.add(key)
            assert solved(question) == [question.right], f"seed {seed}: {question.asks}"
    assert seen


def test_the_same_seed_is_the_same_question():
    one, other = (kinds.question("made_by", "softmax", 5) for _ in range(2))
    assert (one.asks, one.right, [*map(looks, one.choices)]) == (
        other.asks,
        other.right,
        [*map(looks, other.choices)],
    )


@pytest.mark.slow
def test_right_choices_stand_everywhere():
    places = collections.Counter(
        question.right
        for kind, name in PAIRS
        if kind not in ("rivals", "which_line")
        for seed in range(4)
        if (question := kinds.question(kind, name, seed)) and len(question.choices) == 4
    )
    assert min(places[place] for place in range(4)) > 0.15 * places.total()


def test_to_know_which_kinds_there_are_no_answer_is_run(monkeypatch):
    """`review` and `progress` ask for it at once."""

    def run(*_):
        raise AssertionError("an answer was run")

    for kind in kinds.KINDS.values():
        monkeypatch.setattr(kind, "said", run, raising=False)
        monkeypatch.setattr(kind, "observe_known", run, raising=False)
    assert [name for name in UNIT_OF if kinds.of(name)]


def test_every_unit_has_questions_of_several_kinds():
    for unit, names in UNITS.items():
        of = {kind for name in names for kind in kinds.of(name)}
        assert len(of) >= (1 if unit.startswith("00") else 3), unit


def test_every_exercise_belongs_to_one_step():
    names = [name for names in STEPS.values() for name in names]
    assert sorted(names) == sorted(name for name in UNIT_OF if name in names)
    assert {name for names in UNITS.values() for name in names} == set(names)


def test_a_kind_or_exercise_of_another_version_has_no_question():
    assert kinds.question("a kind of next year", "softmax", 0) is None
    assert kinds.question("made_by", "an exercise of next year", 0) is None


@pytest.mark.slow
def test_tables_are_small():
    for kind, name in PAIRS:
        question = kinds.question(kind, name, 0)
        for one in (*question.given, *question.choices, *question.after) if question else ():
            assert not isinstance(one, Table) or one.array.size <= 32
