"""A designed head is judged by its weights, and named by what its scores prove, at any size of numbers."""

import itertools
import warnings

import numpy as np
import pytest

from helpers import CheckFailed, check, reference
from helpers.beside.probes.same_word_head import probe
from helpers.exercises import find
from helpers.exercises.base import draw_cases
from helpers.exercises.unit_06_multi_head_attention.same_word_head import judge, oracle
from helpers.exercises.unit_06_multi_head_attention.same_word_head_causes import CAUSES
from helpers.exercises.unit_06_multi_head_attention.same_word_head_mistakes import MISTAKES
from helpers.verdict.judge import Verdict
from helpers.verdict.panel import panel

NAME = "same_word_head"
BY_SCORES = [mistake for mistake in MISTAKES if mistake.id in CAUSES]


def failed(answer, seed=1):
    with pytest.raises(CheckFailed) as caught:
        check(NAME, answer, seed=seed)
    return caught.value


def on_words(codes, n):
    return np.vstack([codes, np.zeros((n, codes.shape[1]))])


def seen(answer, words, num_words):
    args = {"num_words": num_words, "n": len(words), "words": np.array(words)}
    found = probe(answer, args)
    return args, {"items": {part: {"array": array} for part, array in found.items()}}


def judged(args, got):
    return judge(oracle(*args.values()), args, got)


# What is right


def test_weights_are_those_of_the_formula_in_the_task():
    W_q, W_k = np.random.default_rng(0).standard_normal((2, 7, 5))
    words = [2, 0, 2, 1]
    tokens = np.hstack([np.eye(3)[words], np.eye(4)])
    expected = reference.softmax(tokens @ W_q @ (tokens @ W_k).T / np.sqrt(5))
    _, got = seen(lambda num_words, n: (W_q, W_k), words, 3)
    np.testing.assert_allclose(got["items"]["weights"]["array"], expected)


@pytest.mark.parametrize("factor", [1.0, 1e10, 1e70])
@pytest.mark.parametrize("width", [3, 7, 16, 33, 100])
def test_equal_words_have_equal_scores_however_large_the_numbers(factor, width):
    codes = factor * np.random.default_rng(width).standard_normal((2, width))
    _, got = seen(lambda num_words, n: (on_words(codes, n),) * 2, [0, 1, 1, 0, 1, 1, 0, 1, 0, 0, 0], 2)
    weights, right = (
        got["items"]["weights"]["array"],
        oracle(2, 11, np.array([0, 1, 1, 0, 1, 1, 0, 1, 0, 0, 0])),
    )
    assert np.ptp(weights[0][right[0] > 0]) == 0


@pytest.mark.parametrize("words", [3, 4])
def test_every_sentence_is_judged_as_the_worst_with_one_word_all_around(words):
    rng = np.random.default_rng(words)
    for _ in range(20):
        codes = on_words(4 * np.eye(words) + rng.standard_normal((words, words)), 3)
        sentences = itertools.product(range(words), repeat=3)
        outcomes = []
        for sentence in sentences:
            args, got = seen(lambda num_words, n, codes=codes: (codes, codes), sentence, words)
            off = np.abs(got["items"]["weights"]["array"] - oracle(*args.values())).max()
            outcomes.append((off > 0.05, judged(args, got) is not None))
        right_everywhere = not any(off for off, _ in outcomes)
        assert {refused for _, refused in outcomes} == {not right_everywhere}


def test_a_head_that_is_right_by_the_sentence_is_refused_for_another():
    codes = 10 * np.eye(3)
    codes[2] = codes[1]
    args, got = seen(lambda num_words, n: (on_words(codes, n),) * 2, [0, 1, 1, 0], 3)
    says = judged(args, got).says
    assert "this one is right, but with word 1 at place 0 and word 2 everywhere else" in says
    assert "gives 0.25 to itself; expected 1" in says


def test_no_call_has_the_sizes_of_an_earlier_one_and_other_words_made_of_them():
    """Matrices may be kept by their sizes, which the tests of kept results take for a mistake."""
    for seed, sizes in itertools.product(range(20), ("visible", "hidden")):
        assert not any(case.renewed for case in draw_cases(find(NAME), seed, sizes))


def test_no_sentence_fits_matrices_of_the_notebook_by_accident():
    for seed, sizes in itertools.product(range(50), ("visible", "hidden")):
        both = [(case.args["num_words"], case.args["n"]) for case in draw_cases(find(NAME), seed, sizes)]
        assert all(w + n != 9 for w, n in both)


# What is named


@pytest.mark.parametrize("factor", [0.3, 7.0, 1e6])
@pytest.mark.parametrize(
    "mistake", [one for one in BY_SCORES if one.id != "too-flat"], ids=lambda one: one.id
)
def test_a_cause_is_named_whatever_the_size_of_the_numbers(mistake, factor):
    def answer(num_words, n):
        W_q, W_k = mistake.answer(num_words, n)
        return factor * W_q, factor * W_k

    found = failed(answer).misconception
    assert mistake.id in found.split("+")
    assert set(found.split("+")) <= {mistake.id, "too-flat"}


@pytest.mark.parametrize("seed", range(10))
def test_matrices_drawn_apart_get_no_name(seed):
    def answer(num_words, n):
        return tuple(np.random.default_rng(seed).standard_normal((2, num_words + n, 4)))

    assert failed(answer).misconception is None


def test_the_cause_is_said_before_where_it_shows():
    text = str(failed(lambda num_words, n: (30 * np.eye(num_words + n),) * 2))
    assert (
        "\nThe places have a say in your scores, so equal words do not get equal shares.\nOn the sent" in text
    )


@pytest.mark.parametrize("size", [1e155, 1e200, 1.7e308])
def test_numbers_that_overflow_get_a_sentence_and_no_warning(size):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = failed(lambda num_words, n: (on_words(size * np.eye(num_words), n),) * 2)
    assert found.misconception == "scores-overflow"


# How it is drawn


def test_weights_within_what_is_allowed_are_not_marked():
    args, got = seen(lambda num_words, n: (on_words(np.diag([1.0, 1.8]), n),) * 2, [1, 0, 1, 1], 2)
    problem = judged(args, got)
    off = np.abs(problem.got - problem.expected)
    assert sorted({1e-4 < one < 0.05 for one in off.ravel()}) == [False, True]
    verdict = Verdict(False, ("It is not right yet.",), problem=problem)
    drawn = panel(find(NAME), verdict, "")._repr_html_()
    assert drawn.count("≠ ") - 1 == (off > 0.05).sum(), "each in its cell, and once in the legend"
