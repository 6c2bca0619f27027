"""Known mistakes are written as rows: a sentence, a hint and the wrong programs they are said of."""

import re

import numpy as np
import pytest

from helpers.exercises import find
from helpers.exercises.base import combined
from helpers.exercises.wrong import products
from helpers.exercises.wrong.generic import CHANGES
from helpers.exercises.wrong.rows import (
    alone,
    also,
    as_in,
    filled,
    in_step,
    mistakes,
    only,
    paired,
    reworded,
    rows,
    said,
    without,
)
from helpers.units import UNIT_OF
from tools import naming


def make(*, before=lambda x: x, double=lambda x: 2 * x, after=lambda y, x: y):
    return lambda x: after(double(before(x)), x)


TABLE = rows(
    "tripled: You tripled {it}: twice is enough.",
    "How often?",
    paired(double=lambda x: 3 * x),
    {"double": lambda x: x * 3},
    "lost-sign: You dropped the minus signs.",
    "Where?",
    paired(before=np.abs),
    "returns-input: You returned x.",
    lambda x: x,
)


def test_sentence_and_hint_are_said_of_every_program_below_them():
    assert [row.id for row in TABLE] == ["tripled", "tripled", "lost-sign", "returns-input"]
    assert {row.says for row in TABLE[:2]} == {"You tripled {it}: twice is enough."}


def test_sentence_without_a_hint_has_the_hint_above_it():
    assert [row.hint for row in TABLE] == ["How often?", "How often?", "Where?", "Where?"]


@pytest.mark.parametrize(
    "parts",
    [
        [make],
        ["lost-sign: You dropped the minus signs.", make],
        ["You dropped the minus signs.", "Where?", make],
    ],
    ids=["no sentence", "no hint", "no id"],
)
def test_program_without_id_sentence_or_hint_is_refused(parts):
    with pytest.raises(ValueError, match=r'^expected "id: sentence" and a hint before a program; got'):
        rows(*parts)


def test_rows_become_wrong_answers_of_an_exercise_in_its_own_words():
    known = mistakes(make, *TABLE, it="the numbers")
    assert known[0].says == "You tripled the numbers: twice is enough."
    assert [one.answer(-1) for one in known] == [-3, -3, 2, -1]


def test_only_paired_rows_are_tried_together():
    tripled, by_hand, lost, _ = mistakes(make, *TABLE)
    assert combined(tripled, lost)(-1) == 3
    assert combined(by_hand, lost) is None
    assert combined(*mistakes(make, *alone(TABLE))[1:3]) is None


def test_table_is_picked_from_by_id():
    assert [row.id for row in without(TABLE, "tripled")] == ["lost-sign", "returns-input"]
    assert only(TABLE, "tripled") == TABLE[:2]


def test_exercise_may_say_it_in_another_way():
    assert said(TABLE, {"lost-sign": "-2 doubled is -4."})[2].says == "-2 doubled is -4."


def test_word_in_a_table_may_be_another_one():
    assert reworded(TABLE, "twice", "two times")[0].says == "You tripled {it}: two times is enough."


def test_sentence_of_another_table_is_said_of_other_programs():
    (row,) = rows(*as_in(TABLE, "lost-sign: You"), {"after": np.abs})
    assert (row.id, row.says, row.hint) == ("lost-sign", "You dropped the minus signs.", "Where?")


@pytest.mark.parametrize(("start", "count"), [("forgotten", 0), ("", 3)])
def test_beginning_of_no_sentence_or_of_several_is_refused(start, count):
    with pytest.raises(ValueError, match=rf"^expected the beginning of one sentence .*; {count} begin "):
        as_in(TABLE, start)


def test_one_sentence_is_filled_with_a_word_for_each_program():
    once, twice = rows(*filled("added: You added {}.", "Why?", {"1": {"after": abs}, "2": {"after": np.abs}}))
    assert (once.says, twice.says, twice.hint) == ("You added 1.", "You added 2.", "Why?")
    assert twice.program == {"after": np.abs}


def test_table_with_one_more_wrong_step_is_paired_as_before():
    tripled, by_hand = mistakes(make, *also(TABLE[:2], before=np.abs))
    assert tripled.answer(-1) == by_hand.answer(-1) == 3
    assert not hasattr(by_hand.answer, "made_of")
    assert hasattr(tripled.answer, "made_of")
    assert not hasattr(mistakes(make, *also(TABLE[:1], pairs=False))[0].answer, "made_of")


def test_change_of_one_array_is_put_into_a_step():
    (negated,) = mistakes(make, *in_step("after", only(CHANGES, "sign-flipped")), it="the result")
    assert negated.says == "Every sign of the result is turned round."
    assert negated.answer(np.array([1.0])) == -2


@pytest.mark.parametrize("row", CHANGES, ids=lambda row: f"{row.id}-{CHANGES.index(row)}")
def test_every_generic_change_changes_an_array(row):
    x = np.random.default_rng(1).normal(size=(2, 3, 1))
    changed = row.program(x)
    assert np.shape(changed) != x.shape or isinstance(changed, list) or not np.allclose(changed, x)


@pytest.mark.parametrize(
    "row",
    [*products.SUMS, *products.JOINS, *products.DISTANCES, *products.SLIPS, *products.BATCHES],
    ids=lambda row: row.id,
)
def test_every_wrong_product_differs_from_the_right_one(row):
    rng = np.random.default_rng(1)
    one, other = rng.normal(size=(3, 3, 3)), rng.normal(size=(3, 3, 3))
    right, wrong = products.product()(one, other), products.product(**row.program)(one, other)
    assert type(wrong) is not type(right) or wrong.shape != right.shape or not np.allclose(wrong, right)


def test_result_is_written_into_room_of_another_shape_as_far_as_it_fits():
    wide, narrow = np.ones((2, 3)), np.zeros((2, 2))
    assert products.into(lambda one, other: wide, each=-1)(narrow + 2, None, None).tolist() == [[2, 2, 0]] * 2
    assert products.into(lambda one, other: wide, each=-2)(wide + 1, None, None).tolist() == [[2, 2, 2]] * 2
    with pytest.raises(ValueError, match="could not broadcast"):
        products.into(lambda one, other: wide)(narrow, None, None)


@pytest.mark.parametrize("name", UNIT_OF)
def test_every_word_of_a_sentence_is_given_by_its_exercise(name):
    texts = [text for one in find(name).mistakes for text in (one.says, one.hint)]
    assert not [text for text in texts if re.search(r"\{[a-z_]+\}", text)]


def said_of(id, says):
    return {
        "program": "p",
        "mistake": "lost-sign",
        "id": id,
        "says": f"dot is not right yet.\n{says}",
        "hint": "",
        "ms": 1,
    }


def test_snapshots_show_what_fell_and_what_is_said_otherwise():
    old = {"dot 7 visible": [said_of("lost-sign", "You dropped the sign."), said_of("lost-sign", "Same.")]}
    new = {"dot 7 visible": [said_of("sign-flipped", "Every sign is turned."), said_of("lost-sign", "Same.")]}
    lines = "\n".join(naming.compare(old, new))
    assert "dot 7 visible: 2 -> 1 of 2 named rightly" in lines
    assert "FELL" in lines
    assert "You dropped the sign." in lines
    assert "Same." not in lines


@pytest.mark.slow
def test_known_mistakes_kept_from_before_keep_their_names():
    kept = naming.observe(["dot"])  # of 0 only that is said, a long one is cut
    count = len(find("dot").mistakes)
    said = list(naming.records(kept, ["dot"]))[-1]
    assert f"{count} keep their id" in said
    assert f"{count - 2} their sentence" in said
