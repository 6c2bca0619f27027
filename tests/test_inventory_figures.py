"""What answers to the concept inventory come to: figures that were worked out by hand, or otherwise."""

import math
import statistics

import numpy as np
import pytest

from helpers.concept_inventory.doubts import doubts, least_alike, of_item, residual_correlations
from helpers.concept_inventory.figures import FEWEST, above_chance, cronbach, enough_of, of_form
from helpers.concept_inventory.gains import gain
from helpers.errors import BadArgument

PEOPLE = 400


def a_class(people=PEOPLE, items=24, seed=1):
    """Answers that hang on one ability, with the first wrong choice the most tempting."""
    dice = np.random.default_rng(seed)
    ability = dice.standard_normal((people, 1))
    right = dice.random((people, items)) < 0.25 + 0.75 / (1 + np.exp(-1.5 * (ability + 0.1)))
    return np.where(right, 0, dice.choice([1, 2, 3], (people, items), p=[0.5, 0.3, 0.2]))


def rows(taken):
    return [[None if one < 0 else int(one) for one in row] for row in taken]


def people_with(*scores, of=24):
    """One person for each score: so many of the first questions right, the others wrong."""
    return [[0] * score + [1] * (of - score) for score in scores]


def spoil(taken, item, kind):
    """The same answers, with one question spoilt."""
    taken = taken.copy()
    if kind == "key":
        taken[:, item] = np.choose(taken[:, item], [1, 0, 2, 3])
    elif kind == "guessed":
        taken[:, item] = np.arange(len(taken)) % 4
    elif kind == "easy":
        taken[:, item] = np.where(np.arange(len(taken)) < 4, 1, 0)
    elif kind == "twin":
        taken[:, item] = taken[:, item - 1]
    elif kind == "constant":
        taken[:, item] = 0
    return taken


def test_counts_and_the_mean_are_those_of_the_answers():
    found = of_form([[0, 1, None], [0, 0, 3], [2, 0, None]])
    assert found.counts == ((2, 0, 1, 0, 0), (2, 1, 0, 0, 0), (0, 0, 0, 1, 2))
    assert (found.people, found.of) == (3, 3)
    assert found.mean == pytest.approx(4 / 3)
    assert found.spread == pytest.approx(statistics.stdev([1, 2, 1]))


@pytest.mark.parametrize("people", [1, 2, FEWEST - 1])
def test_below_twenty_people_there_are_only_counts(people):
    found = of_form(rows(a_class(people)))
    assert found.items == ()
    assert found.alpha is found.alpha_between is found.error is None
    assert doubts(rows(a_class(people))) == []
    assert sum(found.counts[0]) == people


def test_from_twenty_people_on_there_are_figures():
    found = of_form(rows(a_class(FEWEST)))
    assert len(found.items) == 24
    assert found.alpha is not None


def test_an_item_is_compared_with_the_others_alone():
    taken = a_class()
    found = of_form(rows(taken)).items[3]
    rest = [sum(one == 0 for place, one in enumerate(row) if place != 3) for row in taken.tolist()]
    assert found.difficulty == pytest.approx(sum(taken[:, 3] == 0) / PEOPLE)
    assert found.discrimination == pytest.approx(statistics.correlation((taken[:, 3] == 0).tolist(), rest))
    for choice in (1, 2, 3):
        expected = statistics.correlation((taken[:, 3] == choice).tolist(), rest)
        assert found.wrong[choice - 1] == pytest.approx(expected)


def test_no_answer_counts_as_wrong():
    taken = a_class()
    none = np.where(taken == 0, 0, -1)
    assert of_form(rows(none)).items[0].difficulty == of_form(rows(taken)).items[0].difficulty
    assert of_form(rows(none)).alpha == of_form(rows(taken)).alpha
    assert of_form(rows(none)).items[0].wrong == (None, None, None), "nobody took one"


def test_alpha_is_that_of_a_table_worked_out_by_hand():
    """Variances: of the items 2/9, 2/9, 0, 0; of the scores 3, 1, 2 it is 2/3. 4/3 (1 - 4/9 / 2/3) = 4/9."""
    assert cronbach(np.array([[1, 1, 1, 0], [0, 0, 1, 0], [1, 0, 1, 0]])) == pytest.approx(4 / 9)
    assert cronbach(np.array([[1, 1], [0, 0]])) == pytest.approx(1)
    assert cronbach(np.array([[1, 0], [0, 1]])) is None


def test_alphas_interval_lies_around_it_and_shrinks_and_is_the_same_each_time():
    small, large = of_form(a_class(60)), of_form(a_class(600))
    for one in (small, large):
        low, high = one.alpha_between
        assert low < one.alpha < high
    widths = [one.alpha_between[1] - one.alpha_between[0] for one in (small, large)]
    assert widths[1] < widths[0] / 2
    assert of_form(a_class(60)) == small


def test_the_error_of_a_score_is_what_alpha_leaves_of_the_spread():
    found = of_form(a_class())
    assert found.error == pytest.approx(found.spread * math.sqrt(1 - found.alpha))


def test_where_nobody_differs_nothing_is_divided_by_nothing():
    found = of_form([[0] * 24] * 30)
    assert found.alpha is None
    assert found.spread == 0
    assert {one.discrimination for one in found.items} == {None}


@pytest.mark.parametrize(("answered", "least"), [(24, 11), (4, 4), (3, 3), (2, 3), (0, 1)])
def test_above_chance_is_what_guessing_reaches_in_one_of_twenty_at_most(answered, least):
    assert enough_of(answered) == least

    def tail(right):
        return sum(
            math.comb(answered, k) * 0.25**k * 0.75 ** (answered - k) for k in range(right, answered + 1)
        )

    assert tail(least) <= 0.05 < tail(least - 1)


def test_who_is_not_above_chance_is_counted():
    assert of_form(people_with(24, 11, 10, 6, 0)).by_chance == 3
    six_right_of_six = np.array([[0] * 6 + [-1] * 18])
    assert above_chance(six_right_of_six).tolist() == [True], "only what was answered can be guessed"


@pytest.mark.parametrize(
    ("kind", "named"),
    [
        ("key", {"key", "discrimination"}),
        ("guessed", {"discrimination"}),
        ("easy", {"difficulty", "discrimination"}),
        ("constant", {"difficulty", "discrimination"}),
        ("twin", {"same"}),
    ],
)
def test_a_spoilt_question_is_found_for_its_reason_and_no_other_is(kind, named):
    good = a_class()
    assert doubts(good) == []
    found = doubts(spoil(good, 9, kind))
    assert {one.kind for one in found} <= named
    assert {one.kind for one in of_item(found, 9)} & {min(named), *(["key"] if kind == "key" else [])}
    assert {item for one in found for item in one.items} == ({8, 9} if kind == "twin" else {9})


def test_a_wrong_key_names_the_choice_that_is_right():
    (key,) = [one for one in doubts(spoil(a_class(), 9, "key")) if one.kind == "key"]
    assert (key.items, key.choice) == ((9,), 1)
    assert "wrong choice 1 more often" in key.says


def test_what_the_score_leaves_over_is_a_partial_correlation():
    """As from residuals of two straight lines."""
    right = (a_class(200, 8) == 0).astype(float)
    rest = right.sum(1) - right[:, 2] - right[:, 5]
    left = [right[:, one] - np.polyval(np.polyfit(rest, right[:, one], 1), rest) for one in (2, 5)]
    assert residual_correlations(right)[2, 5] == pytest.approx(np.corrcoef(left)[0, 1])


def test_a_small_class_must_show_more_for_a_pair_to_be_named():
    assert least_alike(30, 24) > 0.55
    assert least_alike(300, 24) == 0.4


def test_few_who_fail_the_same_two_questions_are_no_pair():
    right = a_class(60) == 0
    for fail, named in ((4, False), (8, True)):
        taken = np.where(right, 0, 1)
        taken[:, 3:5] = 0
        taken[:fail, 3:5] = 1
        assert any(one.items == (3, 4) for one in doubts(taken)) == named


def test_gain_is_that_of_the_class_and_of_each():
    found = gain(people_with(6, 12, 24), people_with(15, 18, 24))
    assert (found.before, found.after) == (14, 19)
    assert found.mean == 5
    assert found.each == [0, 6, 9]
    assert found.normalised == pytest.approx(5 / 10)
    assert found.normalised_each == pytest.approx((9 / 18 + 6 / 12) / 2)
    assert found.all_right_before == 1
    assert found.effect is found.gain_between is found.normalised_between is None, "too few people"


def test_an_effect_is_the_gain_in_standard_deviations_of_both_forms():
    old, new = [4, 6, 8, 10] * 5, [8, 12, 8, 16] * 5
    found = gain(people_with(*old), people_with(*new))
    spread = math.sqrt((statistics.variance(old) + statistics.variance(new)) / 2)
    assert found.effect == pytest.approx((statistics.mean(new) - statistics.mean(old)) / spread)
    low, high = found.gain_between
    assert low < found.mean < high
    low, high = found.normalised_between
    assert low < found.normalised < high


def test_who_may_have_guessed_after_is_counted():
    assert gain(people_with(2, 2), people_with(10, 20)).by_chance == 1


def test_who_had_all_right_has_nothing_to_gain():
    found = gain(people_with(*[24] * 30), people_with(*[24] * 30))
    assert found.normalised is found.normalised_each is found.normalised_between is found.effect is None


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        ([], "they got 0 people with no questions"),
        ([[0, 1], [0]], "2 people with 1 and 2 questions"),
        ([[0, 4]], "choices from 0 to 3, or None; they got 4"),
        ([[0, "a"]], "they got 'a'"),
        ([[0, -2]], "they got -2"),
        ([[0, 0.5]], "they got 0.5"),
    ],
)
def test_a_table_that_is_none_is_refused_in_one_sentence(answers, says):
    with pytest.raises(BadArgument, match=says):
        of_form(answers)


def test_other_people_before_and_after_are_refused():
    with pytest.raises(BadArgument, match="it got 2 x 24 and 1 x 24"):
        gain(people_with(1, 2), people_with(1))
