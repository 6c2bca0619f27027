"""A wrong answer is named by its behaviour: a known program, a pair of them, a likeness, a kind of call."""

import itertools
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from helpers import CheckFailed, check, reference
from helpers.beside.probe import describe
from helpers.beside.unused import unused_arguments
from helpers.exercises import find
from helpers.exercises.base import Case, Exercise, Mistake, combined, draw_cases, replaceable
from helpers.exercises.compare import Difference, rounding, same
from helpers.exercises.wrong.generic import standard_rows
from helpers.units import UNIT_OF
from helpers.verdict.glances import apart, first_array, glance
from helpers.verdict.patterns import EXACT, ROUGH, pattern
from helpers.verdict.resemblances import RESEMBLANCES
from helpers.verdict.wording import WORDS, clause, message


def failed(name, answer, seed=1):
    with pytest.raises(CheckFailed) as caught:
        check(name, answer, seed=seed)
    return caught.value


# An exercise of our own: a row times a number plus a number


@replaceable
def line(*, slope=lambda a: 2 * a, lift=lambda x: x + 1):
    return lambda a: lift(slope(a))


def slope_mistake():
    return Mistake("no-slope", "You forgot the slope.", line(slope=lambda a: a), "Look at the slope.")


def lift_mistake():
    return Mistake("far-lift", "You lift too far.", line(lift=lambda x: x + 3), "Look at the lift.")


def cases(draw):
    yield Case("one row", {"a": np.array([1.0, 2.0, 4.0])})
    yield Case("a matrix", {"a": draw.normal(3, 5)})
    yield Case("a batch", {"a": draw.normal(2, 3, 5)})
    yield Case("a square", {"a": draw.normal(3, 3)})
    yield Case("floats of 32 bits", {"a": draw.normal(4, 3, dtype=np.float32)})


LINE = Exercise(
    "line",
    cases,
    lambda a: 2 * a + 1,
    ("What is a line?",),
    mistakes=(slope_mistake(), lift_mistake(), Mistake("zero", "It is zero.", lambda a: 0 * a, "Not zero.")),
)


def judged(answer, exercise=LINE, seed=0):
    from helpers.beside import probe
    from helpers.verdict.judge import judge

    drawn = draw_cases(exercise, seed)
    return judge(exercise, drawn, probe.observe(exercise, answer, drawn))


def test_one_known_mistake():
    found = judged(lambda a: a + 1)
    assert found.misconception == "no-slope"
    assert found.lines[1] == "You forgot the slope."
    assert found.hint == "Look at the slope."


def test_a_known_mistake_runs_once_on_the_cases_of_a_class():
    ran = []

    def no_slope(a):
        ran.append(a)
        return a + 1

    known = Mistake("no-slope", "You forgot the slope.", no_slope, "Look at the slope.")
    exercise = replace(LINE, mistakes=(known,))
    first, second = (judged(lambda a: a + 1, exercise) for _ in range(2))
    assert first.misconception == second.misconception == "no-slope"
    assert len(ran) == len(draw_cases(exercise, 0))
    assert judged(lambda a: a + 1, exercise, seed=1).misconception == "no-slope"
    assert len(ran) > len(draw_cases(exercise, 0)), "other cases are another matter"


def test_two_known_mistakes_run_together_once_on_the_cases_of_a_class():
    ran = []

    def lift(x):
        ran.append(x)
        return x + 3

    far = Mistake("far-lift", "You lift too far.", line(lift=lift), "Look at the lift.")
    exercise = replace(LINE, mistakes=(slope_mistake(), far))
    for _ in range(2):  # what fits nothing is held against each of them, and against both
        assert judged(lambda a: 5 * a - 7, exercise).misconception is None
        times = len(ran)
        assert times
    judged(lambda a: 6 * a - 7, exercise)
    assert len(ran) == times


GLANCED = [
    np.array([1.0, 2.0, 3.0]),
    np.array([1.0, 2.0, 3.0], np.float32),
    np.array([1.0, 2.0, 3.0 + 1e-9]),
    np.array([1.0, 2.0, 4.0]),
    np.array([[1.0, 2.0, 3.0]]),
    np.array([np.nan, 2.0, 3.0]),
    np.array([np.inf, 2.0, 3.0]),
    np.array([-np.inf, 2.0, 3.0]),
    np.array([1, 2, 3]),
    np.array([True, True, False]),
    np.array([1 + 1j, 2, 3]),
    np.array([1e8, 2.0, 3.0]),
    np.array([1e8, 2.0, 5.0]),
    np.array(1.0),
    np.array([]),
]


@pytest.mark.parametrize("narrow", [False, True])
def test_a_glance_tells_only_apart_what_differs(narrow):
    seen = [{"value": describe(one)} for one in GLANCED]
    seen += [{"value": describe((one, GLANCED[0]))} for one in GLANCED]
    seen += [{"value": describe({"a": one, "b": GLANCED[0]})} for one in GLANCED]
    seen += [{"value": describe({"b": GLANCED[0], "a": one})} for one in GLANCED]
    seen += [{"value": describe([])}, {"value": describe("text")}, {"error": {}}]
    told = 0
    for one, other in itertools.product(seen, repeat=2):
        if glance(one) and glance(other):
            within = rounding(first_array(other), narrow=narrow)
            if apart(glance(one), glance(other), *within):
                told += 1
                assert not same(one["value"], other["value"], narrow=narrow)
    assert told > len(seen)
    assert all(glance(one) is None for one in seen[-3:])


def test_two_known_mistakes_are_both_said():
    found = judged(lambda a: a + 3)
    assert found.misconception == "no-slope+far-lift"
    assert found.lines[1] == "Two mistakes at once. First: You forgot the slope. Second: You lift too far."
    assert found.hint == "Look at the slope. Look at the lift."


# Nothing false: what came back is said, and no cause that the calls cannot tell from others


def looped_too_short(X, Y):
    S = np.zeros((len(X), len(Y)))
    for i in range(len(X) - 1):
        for j in range(len(Y) - 1):
            S[i, j] = X[i] @ Y[j]
    return S


def backwards_where_it_is_a_row(a):
    x = 2 * a + 1
    return x[::-1] if a.ndim == 1 else x * x


def test_numbers_in_other_places_in_one_call_alone_are_not_told():
    cases = [Case("a row", {"a": np.arange(5.0)}), Case("a matrix", {"a": np.arange(6.0).reshape(2, 3)})]
    exercise = replace(LINE, mistakes=(), cases=lambda draw: iter(cases))
    assert "other places" not in judged(backwards_where_it_is_a_row, exercise).says
    swapped = judged(lambda a: (2 * a + 1)[..., [1, 0, *range(2, a.shape[-1])]], exercise)
    assert swapped.misconception == "out-of-place"


def looked_for_the_last_in_vain(query, keys):
    best, place = -1, 0
    for i, key in enumerate(keys):
        if key @ query > best:
            best, place = key @ query, i
    return place


def naive_exponentials(Q, K, V, allowed=None):
    powers = np.exp(Q @ np.swapaxes(K, -2, -1) / np.sqrt(Q.shape[-1]))
    powers = powers if allowed is None else powers * allowed
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ V, weights


def never_split(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    output, weights = reference.attention(X @ W_q, X @ W_k, X @ W_v, allowed)
    return output @ W_o, weights


def jacobian_without_gradient(weights, grad):
    jacobian = weights[..., None] * np.eye(weights.shape[-1]) - weights[..., None] * weights[..., None, :]
    return jacobian.sum(axis=-1)


def nudged(weights, grad):
    result = np.zeros_like(weights)
    for place in np.ndindex(*weights.shape):
        up, down = np.log(weights), np.log(weights)
        up[place] += 1e-5
        down[place] -= 1e-5
        result[place] = ((reference.softmax(up) - reference.softmax(down)) / 2e-5 * grad).sum()
    return result


def loop_over_the_batch(H, W_o):
    d_head = H.shape[-1]
    return sum(H[:, i] @ W_o[i * d_head : (i + 1) * d_head] for i in range(H.shape[0]))


def merged_after_w_o(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    Q, K, V = (reference.split_heads(X @ W, num_heads) for W in (W_q, W_k, W_v))
    output, weights = reference.attention(Q, K, V, allowed)
    return reference.merge_heads(output @ W_o), weights


def gave_no_weights(Q, K, V, allowed=None):
    return reference.attention(Q, K, V, allowed)[0], None


TRUE = [
    ("similarity_matrix", looped_too_short, "last-left-out", "last row and the last column are left at zero"),
    (
        "similarity_matrix",
        lambda X, Y: np.zeros((len(X), len(Y))),
        "zero-result",
        "0 everywhere, in every call",
    ),
    ("best_match", lambda query, keys: print(end=""), "returns-none", "nothing (None)"),
    ("softmax", lambda x, axis=-1: x, "returns-input", "the input x as it came"),
    ("cosine_similarity", lambda a, b: 1.0, "constant-result", "Your result is 1, in every call."),
    ("dot", lambda a, b: np.array(a), "returns-input", "the input a as it came"),
    ("predicted_score_std", lambda *args: 0, "zero-result", "Your result is 0, in every call."),
    ("apply_mask", lambda scores, allowed: np.zeros_like(scores), "zero-result", "0 everywhere"),
    ("softmax", lambda x, axis=-1: 1.0 * (x == x.max(axis, keepdims=True)), "hard-lookup", "all the weight"),
    ("softmax_backward", jacobian_without_gradient, "zero-result", "Your result is 0 everywhere"),
    ("attention", naive_exponentials, "no-max-subtraction", "exponentials overflow"),
    ("multi_head_attention", never_split, "heads-ignored", "have no axis for heads"),
    ("leaks_future", lambda *args: None, "returns-none", "should be True or False"),
    ("softmax_backward", nudged, None, "subtract numbers that are nearly equal"),
    ("best_match", looked_for_the_last_in_vain, "starts-at-zero", "Where all dot products are negative"),
    ("sum_of_heads", loop_over_the_batch, "wrong-head-axis", "You count sequences for heads"),
    # it stops with the words, and in the calls, of one that splits first: what is said is true of both
    ("multi_head_attention", merged_after_w_o, "input-split-before-projection", "merge before W_o"),
    ("attention", gave_no_weights, "one-output-missing", "`weights` should be a NumPy array; it is None"),
    ("softmax", lambda x, *, axis=-1: reference.softmax(x, axis), "axis-ignored", "as its second argument"),
]


@pytest.mark.parametrize(
    ("name", "answer", "mistake", "says"), TRUE, ids=lambda one: getattr(one, "__name__", one)
)
@pytest.mark.parametrize("seed", range(2))
def test_what_is_said_is_true(name, answer, mistake, says, seed):
    found = failed(name, answer, seed)
    assert found.misconception == mistake
    assert says in str(found)
    assert "Two mistakes" not in str(found)


def columns_of_w_o(H, W_o):
    h, d_head = H.shape[1], H.shape[3]
    return sum(H[:, i] @ W_o[:, i * d_head : (i + 1) * d_head] for i in range(h))


@pytest.mark.parametrize("answer", [columns_of_w_o, lambda H, W_o: H.sum(axis=1) @ W_o])
def test_of_equal_errors_only_what_they_have_in_common_is_said(answer):
    """Blocks turned round, columns for rows, a sum too early: all of them end in sizes that do not fit."""
    found = failed("sum_of_heads", answer)
    assert "What a head meets in your code has d_model rows" in str(found)
    assert "gufunc" not in str(found)
    assert found.hint.endswith("?")


def test_a_pair_is_never_said_inside_a_pair():
    def answer(X, num_heads):
        return list(np.split(X[..., ::-1], num_heads, axis=-1))

    assert str(failed("split_heads", answer)).count("First:") < 2


def test_a_fact_keeps_the_hint_of_the_known_program_that_comes_to_the_same():
    found = judged(lambda a: 0 * a)
    assert (found.misconception, found.hint) == ("zero", "Not zero.")
    assert found.lines[1] == "Your result is 0 everywhere, in every call."


def test_zero_is_said_of_the_part_that_is_zero():
    def answer(Q, K, V, allowed=None):
        output, weights = reference.attention(Q, K, V, allowed)
        return 0 * output, weights

    assert "`output` is 0 everywhere, in every call." in str(failed("attention", answer))


def test_zero_in_a_few_calls_is_not_said_of_all():
    found = failed("dot", lambda a, b: reference.dot(a, b) if len(a) < 4 else 0.0)
    assert "in every call" not in str(found)


@pytest.mark.parametrize("elsewhere", [lambda a: a + 7, lambda a: 2 * a + 1], ids=["also wrong", "right"])
def test_a_known_mistake_that_fits_some_calls_and_not_others_is_not_named(elsewhere):
    def answer(a):
        return a + 1 if a.ndim < 3 else elsewhere(a)

    found = judged(answer)
    assert found.misconception != "no-slope"
    assert "slope" not in found.says


def test_of_two_mistakes_that_fit_every_call_none_is_named():
    twin = Mistake("slope-of-one", "Your slope is 1.", lambda a: a + 1, "Look at the slope.")
    exercise = replace(LINE, mistakes=(*LINE.mistakes, twin))
    found = judged(lambda a: a + 1, exercise)
    assert found.misconception is None
    assert judged(lambda a: 2 * a + 3, exercise).misconception == "far-lift"


def test_a_likeness_that_fits_some_calls_and_not_others_is_not_named():
    def answer(a):
        return -(2 * a + 1) if a.ndim < 3 else a - 5

    found = judged(answer)
    assert found.misconception is None
    assert "sign" not in found.lines[1]
    assert judged(lambda a: -(2 * a + 1)).misconception == "sign-flipped"


def test_mistakes_in_the_same_step_or_of_other_makers_are_not_combined():
    one, other = slope_mistake(), lift_mistake()
    assert combined(one, one) is None
    assert combined(one, Mistake("x", "", line(slope=lambda a: 0 * a), "")) is None
    assert combined(one, LINE.mistakes[2]) is None
    assert combined(one, other)(3.0) == 6.0


def test_no_known_mistake_is_named_where_it_is_right_itself():
    only_rows = Mistake("rows", "Rows.", lambda a: 2 * a + 1 + (a.ndim > 1), "")
    exercise = Exercise("line", cases, LINE.oracle, LINE.hints, (only_rows,))
    found = judged(lambda a: 2 * a + 1 + (a.ndim == 1), exercise)
    assert found.misconception != "rows"


def test_the_smallest_wrong_call_is_the_one_that_is_shown():
    found = judged(lambda a: 2 * a + (0 if a.ndim == 3 or a.shape == (3, 3) else 1))
    assert found.lines[-1].startswith("On a square: ")


def test_without_a_name_a_call_whose_error_gives_its_cause_away_is_shown():
    def answer(a):
        if a.ndim > 1 and a:
            return a
        return a + np.arange(a.size).reshape(a.shape)

    found = judged(answer)
    assert found.misconception == "array-truth-value"
    assert "it stopped with ValueError: The truth value of an array" in found.lines[-1]
    assert not found.general


def test_single_numbers_that_agree_by_chance_name_nothing():
    """Right for perpendicular vectors only, as many formulas are."""
    assert failed("dot", lambda a, b: float(np.sinh(a @ b))).misconception is None


@pytest.mark.parametrize("seed", range(3))
def test_two_real_mistakes_at_once(seed):
    def attention(Q, K, V, allowed=None):
        scores = Q @ np.swapaxes(K, -2, -1)
        if allowed is not None:
            scores = np.where(allowed, -np.inf, scores)
        return reference.masked_softmax(scores, np.isfinite(scores)) @ V, reference.masked_softmax(
            scores, np.isfinite(scores)
        )

    found = failed("attention", attention, seed)
    assert found.misconception == "no-scaling+mask-inverted"
    assert "First: " in str(found)


# Likenesses

X = np.array([[1.5, -2.25, 3.0, 0.5], [0.25, 4.0, -1.75, 2.5], [7.0, -3.5, 0.75, -1.0]])
BATCH = np.stack([X, 2 * X + 0.3, X[::-1] ** 2])
THREE = np.arange(24.0).reshape(2, 3, 4) ** 1.5 + 1
WRONG = {
    "keepdims-left": [(X, X[:, None]), (X, X[None])],
    "shape-flattened": [(BATCH, BATCH.reshape(9, 4)), (X, X.reshape(4, 3)), (X, X.ravel())],
    "sign-flipped": [(X, -X)],
    "lost-sign": [(X, abs(X)), (X, np.maximum(X, 0))],
    "truncates-to-int": [
        (X, np.trunc(X)),
        (X, np.floor(X)),
        (X, np.round(X, 1)),
        (X / 3, np.round(X / 3, 3)),
    ],
    "first-batch-only": [(BATCH, BATCH[0]), (BATCH, BATCH[:1]), (BATCH, np.stack([BATCH[0]] * 3))],
    "overwritten-instead-of-collected": [(BATCH, np.stack([BATCH[2]] * 3))],
    "returned-inside-loop": [(X, X[0]), (X, X[:1]), (BATCH, BATCH[:, :1])],
    "rows-paired": [(X, np.diagonal(X)), (BATCH, np.diagonal(BATCH, axis1=1, axis2=2))],
    "axes-out-of-order": [(X, X.T), (THREE, THREE.swapaxes(0, 1)), (THREE, THREE.T)],
    "last-left-out": [(X, X[:, :-1]), (X, X[1:]), (X, X * [[1], [1], [0]]), (X, X * [0, 1, 1, 1])],
    "off-by-one": [(X, np.vstack([X, X[:1]])), (X, np.roll(X, 1, 1))],
    "wrong-order": [(X, X[::-1])],
    "no-sum": [(X, np.stack([X / 4, 3 * X / 4])), (X, np.stack([X / 4, 3 * X / 4], -1))],
    "axis-summed": [(X, X.sum(1)), (BATCH, BATCH.sum(0))],
    "softmax-over-everything": [(X, np.array([X.sum()])), (X, np.array(X.mean()))],
    "extra-layernorm": [(X, (X - X.mean(-1, keepdims=True)) / X.std(-1, keepdims=True))],
    "clamped": [(X, np.clip(X, -1, None)), (X, np.clip(X, None, 2.5))],
    "softmax-too-early": [(X, np.exp(X) / np.exp(X).sum(-1, keepdims=True))],
    "extra-nonlinearity": [(X, np.tanh(X))],
    "mean-instead-of-sum": [(X, X / 5)],
    "scaled-too-early": [(X, X / np.sqrt(5))],
    "constant-factor": [(X, 1.7 * X), (X, X * 7)],
    "measured-with-too-few-draws": [(np.array(8.0), np.array(7.76))],
    "out-of-place": [(X, X.ravel()[::-1].reshape(3, 4)[:, [1, 0, 2, 3]])],
    "returns-input": [(X, np.arange(35.0).reshape(7, 5))],
    "extra-residual": [(THREE[0], THREE[0] + 10), (X, standard_rows(X + X[::-1] ** 2))],
}
ARGS = {"W": np.arange(35.0).reshape(7, 5), "same": np.full((3, 4), 10.0), "squared": X[::-1] ** 2}


def first_likeness(right, got):
    args = ARGS if np.ndim(right) else {"d_k": 64}
    found = [(one, one.look(right, got, args)) for one in RESEMBLANCES]
    return [(one.id, says) for one, says in found if says]


@pytest.mark.parametrize(
    ("name", "right", "got"), [(n, *pair) for n, pairs in WRONG.items() for pair in pairs]
)
def test_likeness_is_seen(name, right, got):
    found = first_likeness(right, got)
    if name == "measured-with-too-few-draws":  # one number is always a factor of another
        assert found.pop(0)[0] == "constant-factor"
    assert found[0][0] == name
    assert found[0][1].endswith(".")


def test_every_likeness_has_an_example():
    assert {one.id for one in RESEMBLANCES} == set(WRONG)


def test_nothing_resembles_other_numbers():
    other = np.random.default_rng(0).standard_normal(X.shape)
    assert first_likeness(X, other) == []
    assert first_likeness(X, np.full_like(X, np.nan)) == []
    assert first_likeness(X, np.full_like(X, np.inf)) == []


def test_nothing_is_turned_or_cut_that_looks_the_same():
    """A symmetric result does not show that it was transposed."""
    assert first_likeness(np.eye(3), np.ones((3, 3))) == []


def test_a_softmax_of_zeros_and_rows_of_nothing_resemble_nothing():
    assert first_likeness(np.zeros((2, 4)), np.full((2, 4), 0.25)) == []
    assert first_likeness(np.array([[0.25, 0.75, 0.0]]), np.zeros((1, 3))) == []


# Which calls are right, which wrong


def drawn(*kinds):
    shapes = {"row": (5,), "matrix": (2, 5), "batch": (3, 2, 5), "square": (3, 3)}
    made = [Case(kind, {"x": np.ones(shapes[kind.split()[0]])}, again="again" in kind) for kind in kinds]
    return made


def test_only_one_number_of_axes():
    says, name, hint = pattern(drawn("matrix", "matrix", "row", "batch", "matrix again"), [2, 3])
    assert (says, name) == ("Here only calls with 2 axes come out right.", "fixed-number-of-axes")
    assert "from the end" in hint


def test_only_squares():
    assert pattern(drawn("square", "matrix", "batch"), [1, 2])[1] == "square-only"


def test_only_the_repeated_call():
    assert pattern(drawn("row", "matrix", "row again"), [2])[1] == "state-between-calls"


@pytest.mark.parametrize("wrong", [[0, 3], [1], [0, 1, 2, 3, 4]])
def test_no_pattern(wrong):
    assert pattern(drawn("matrix", "matrix", "row", "batch", "matrix again"), wrong) is None


def test_masks_large_numbers_and_narrow_floats():
    x, m = np.ones((2, 3)), np.array([[True, False, True], [False] * 3])
    made = [Case("", {"x": x}), Case("", {"x": x, "allowed": m[:1]}), Case("", {"x": x, "allowed": m})]
    made += [Case("", {"x": 1e4 * x}), Case("", {"x": x.astype(np.float32)})]
    assert "may look at no key" in pattern(made, [2])[0]
    assert pattern(made, [1, 2])[0] == "Here only calls with a mask come out wrong."
    assert pattern(made, [3])[0] == "Here only calls with large numbers come out wrong."
    assert pattern(made, [4])[0] == "Here only calls in float32 come out wrong."


def test_every_pattern_says_something():
    assert all(one.wrong or one.right for one in (*EXACT, *ROUGH))


# State


def test_a_result_that_is_kept_between_calls():
    kept = {}

    def project(X, W):
        kept.setdefault("first", X @ W)
        return kept["first"]

    assert failed("project", project).misconception == "state-between-calls"


def test_a_total_that_grows_between_calls():
    total = []

    def double(x):
        total.append(1)
        return 2 * x + (len(total) > 4)  # right at first in the call that is made again

    assert failed("double", double).misconception == "state-between-calls"


def test_random_results_are_told_from_known_ones():
    def mix_values(weights, V):
        return weights @ V + np.random.default_rng().standard_normal((weights @ V).shape)

    found = failed("mix_values", mix_values)
    assert found.misconception == "state-between-calls"
    assert "drawn at random" in str(found)


def test_what_draws_at_random_is_asked_for_besides_what_is_kept():
    hint = failed("project", lambda X, W: X @ W + np.random.default_rng().standard_normal(W.shape[1])).hint
    assert "dropout" in hint
    assert "outlives" in hint


def test_a_factor_is_said_only_where_it_is_in_every_wrong_call():
    assert failed("dot", lambda a, b: 2 * (a @ b)).misconception == "constant-factor"
    assert failed("mix_values", lambda w, V: 7 * (w @ V)).misconception == "constant-factor"
    assert failed("similarity_matrix", lambda X, Y: 7 * (X @ Y.T)).misconception == "constant-factor"
    assert failed("dot", lambda a, b: (2 if len(a) > 2 else 3) * (a @ b)).misconception is None
    assert failed("mix_values", lambda w, V: (7 if w.ndim > 2 else 8) * (w @ V)).misconception is None


def test_two_mistakes_are_told_where_most_calls_stop():
    found = failed("queries_keys_values", lambda X, q, k, v: (X @ k.T, X @ q.T, X @ v.T))
    assert set(found.misconception.split("+")) == {"weight-transposed", "wrong-order"}


def test_dropout_is_named_where_a_third_of_the_wrong_calls_shows_it():
    def answer(a):
        thinned = np.where(np.arange(a.shape[-1]) == 1, 0.0, 1.25) * (2 * a + 1)
        return thinned if a.ndim == 2 else 17 * np.sin(a)

    assert judged(answer).misconception == "dropout-left-on"


def test_the_diagnosis_is_silent_where_nothing_is_known():
    assert failed("mix_values", lambda weights, V: np.sin(weights) @ np.cos(V)).misconception is None


# A mistake behind another one


def test_a_changed_input_does_not_hide_the_other_mistake():
    def answer(a):
        a += 1
        return a

    found = judged(answer)
    assert found.misconception == "input-changed+no-slope"
    assert found.lines[1].startswith("Two mistakes at once. First: it changed its input a")
    assert found.lines[1].endswith("Second: You forgot the slope.")


def test_a_list_does_not_hide_the_other_mistake():
    assert judged(lambda a: (a + 1).tolist()).misconception == "returns-list+no-slope"
    assert judged(lambda a: (2 * a + 1).tolist()).misconception == "returns-list"


def test_numbers_for_booleans_do_not_hide_the_other_mistake():
    strict = failed("causal_mask", lambda n: np.tril(np.ones((n, n)), -1))
    assert set(strict.misconception.split("+")) == {"mask-not-bool", "diagonal-hidden"}
    assert failed("causal_mask", lambda n: np.tril(np.ones((n, n)))).misconception == "mask-not-bool"


def test_additive_masks_have_true_and_false_in_their_places():
    for low in (-np.inf, -1e9, -10000.0, -1234.0):
        additive = failed("causal_mask", lambda n, low=low: np.triu(np.full((n, n), low), 1))
        assert additive.misconception == "mask-not-bool", low


def test_a_known_mistake_smaller_than_the_rounding_of_the_answer_is_not_named():
    nearly = Mistake("nearly", "It is nearly right.", lambda a: (2 * a + 1) * 1.00001, "Right is more.")

    def rounded(a):
        return 3 * a if a.dtype == np.float32 else (2 * a + 1).astype(np.float32)

    known = replace(LINE, mistakes=(nearly,))
    assert judged(lambda a: (2 * a + 1) * 1.00001, known).misconception == "nearly"
    assert judged(rounded, known).misconception == "float32"


def test_the_readme_shows_a_real_message():
    readme = (Path(__file__).resolve().parent.parent / "README.md").read_text("utf-8")
    answer = next(m.answer for m in find("attention").mistakes if "down the columns" in m.says)
    assert f"```\n{failed('attention', answer, 4711)}\n```" in readme


# Sizes that are equal by accident, and the stages of an answer


def values_for_keys_where_they_fit(Q, K, V, allowed=None):
    return reference.attention(Q, *([V, K] if K.shape == V.shape else [K, V]), allowed)


def test_wrong_only_where_two_sizes_are_equal():
    made = [
        Case("", {"Q": np.ones(q), "K": np.ones(k)})
        for q, k in [((2, 3), (5, 3)), ((4, 3), (4, 3)), ((7, 3), (2, 3)), ((4, 9), (4, 9))]
    ]
    says, name, hint = pattern(made, [1, 3])
    assert (
        says == "Here only calls in which the rows of Q and the rows of K are equal in number come out wrong."
    )
    assert name is None
    assert "by accident" in hint
    assert pattern(made, [0, 2])[:2] == (
        "Here only calls in which the rows of Q and the rows of K are equal in number come out right.",
        "square-only",
    )
    wide = [Case("", {"Q": np.ones((2, q)), "K": np.ones((2, 3))}) for q in (3, 5, 3)]
    assert pattern(wide, [1])[0] == "Here only calls in which Q and K are equally wide come out right."
    assert pattern(made, [1]) is None
    assert pattern(made, [0, 1, 2, 3]) is None, "two sizes that are always equal set nothing apart"


def test_where_several_sizes_are_equal_none_of_them_is_accused():
    made = [
        Case("", {"Q": np.ones(q), "K": np.ones(k)})
        for q, k in [((2, 3), (5, 7)), ((4, 3), (4, 3)), ((7, 3), (2, 9)), ((4, 9), (4, 9))]
    ]
    assert (
        pattern(made, [1, 3])[0] == "Here only calls in which sizes are equal that may differ come out wrong."
    )


def test_of_sizes_that_are_equal_in_every_call_one_is_named():
    found = failed("attention", values_for_keys_where_they_fit)
    assert "Here only calls in which Q and V are equally wide come out wrong." in str(found)


def test_of_two_wrong_results_one_of_another_shape_is_shown():
    def answer(Q, K, V, allowed=None):
        output, weights = reference.attention(Q, K, V, allowed)
        return output + 0.7 * Q.sum(), weights[..., None]

    assert "`weights` has the wrong shape" in str(failed("attention", answer))


def odd_scores(Q, K, V, allowed=None):
    scores = 0.3 * Q @ np.swapaxes(K, -2, -1) + K.sum(axis=-1)[..., None, :]
    allowed = np.ones(scores.shape, bool) if allowed is None else np.broadcast_to(allowed, scores.shape)
    weights = reference.masked_softmax(scores, allowed)
    return weights @ V, weights


def odd_output(Q, K, V, allowed=None):
    output, weights = reference.attention(Q, K, V, allowed)
    return 2 * np.tanh(output) + V.sum(axis=-2, keepdims=True), weights


def odd_keys(X, W_q, W_k, W_v):
    return X @ W_q, 3 * np.sin(X @ W_k), X @ W_v


def odd_heads(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    weights = (2 * np.sin(W_q), W_k.cumsum(axis=0), W_v, W_o)
    return reference.multi_head_attention(X, *weights, num_heads, allowed)


class OddQueries(reference.MultiHeadAttention):
    def forward(self, query, key, value, allowed=None):
        return super().forward(2 * query.sin(), key.cumsum(1), value, allowed)


FITS = "Your output is what comes of your weights and the values; the weights are not right."


@pytest.mark.parametrize(
    ("name", "answer", "says", "hint"),
    [
        ("attention", odd_scores, FITS, "scores, scaling, mask and softmax"),
        ("multi_head_attention", odd_heads, FITS, "scores, scaling, mask and softmax"),
        ("MultiHeadAttention", OddQueries, FITS, "scores, scaling, mask and softmax"),
        ("attention", odd_output, "Right: `weights`. Not right: `output`.", "What do the weights meet"),
        ("queries_keys_values", odd_keys, "Right: `Q` and `V`. Not right: `K`.", "Compare the line"),
    ],
)
def test_without_a_name_the_stages_that_are_right_are_said(name, answer, says, hint):
    found = failed(name, answer)
    assert found.misconception is None
    assert says in str(found)
    assert hint in found.hint


def test_no_stage_is_called_right_where_nothing_fits():
    def answer(Q, K, V, allowed=None):
        output, weights = odd_scores(Q, K, V, allowed)
        return output + 1, weights

    assert "fits" not in str(failed("attention", answer))
    assert "Right:" not in str(failed("attention", answer))


# How it is said


def test_a_changed_input_is_said_once():
    def answer(a, b):
        a *= b
        return float(a.sum())

    text = str(failed("dot", answer))
    assert text.count("changed its") == 1
    assert "-=`, `[...] =`" in text, "the verdict does not see the code: it asks"


def test_two_changed_inputs_are_two():
    def answer(a, b):
        a /= np.linalg.norm(a) or 1
        b /= np.linalg.norm(b) or 1
        return float(a @ b)

    assert "it changed its inputs a and b" in str(failed("cosine_similarity", answer))


def test_a_mistake_behind_another_one_is_not_told_twice():
    found = judged(lambda a: (a + 1).tolist())
    assert found.lines[-1] == "You see it on one row."


def test_few_inputs_are_shown_and_calls_by_hand_come_first():
    found = failed("dot", lambda a, b: float(a @ b) + 1)
    assert "(a = [" in found.args[0]
    assert "1 of 1 entries" not in str(failed("similarity_matrix", lambda X, Y: X @ Y.T + 1))
    plain = judged(lambda a: a * a + 7)
    assert "On one row (a = [1, 2, 4]): " in plain.lines[-1]


def test_no_message_is_longer_than_sixty_words():
    case = Case("a call that is described at some length, with all its sizes", {"x": np.arange(3.0)})
    problem = Difference("the result differs in 2 of 3 entries; the first is [0]: expected 1, got 2")
    says = "Two things happen here, which are told at length: " + "word " * 40 + "end."
    lines, hint = message("softmax", case, says, problem, "Where? " + "And why " * 20 + "?")
    assert len(" ".join([*lines, hint]).split()) <= WORDS
    assert lines[1] == "Two things happen here."
    assert hint == "Where?"


def test_a_clause_ends_where_the_first_thing_is_said():
    assert clause("You used `x[:, 0]`: that is a column.") == "You used `x[:, 0]`."
    assert clause("All signs are flipped.") == "All signs are flipped."
    assert clause("One thing. Another thing.") == "One thing."


OF_THE_RIGHT_ANSWER = re.compile(r"^`[^`]+` (?!is not)\w+s\b|\b(?:should|must|ought)\b")
"""How a clause begins that tells what some code always does, and a word of what is asked for."""

OF_THE_ANSWER = re.compile(r"(?i)\byour?\b|\bas (?:it|they) should\b|\bwhere (?:it|they) (?:should|must)\b")


@pytest.mark.parametrize("name", UNIT_OF)
def test_the_first_clause_of_a_known_mistake_names_the_mistake(name):
    """It may stand alone, in two mistakes at once and where a message would be too long."""
    for says in dict.fromkeys(mistake.says for mistake in find(name).mistakes):
        first, rest = clause(says), says[len(clause(says)) - 1 :]
        assert not re.match(r",? ?but\b", rest), says
        if OF_THE_RIGHT_ANSWER.search(first):
            assert OF_THE_ANSWER.search(first), says


@pytest.mark.parametrize("factor", [1, 1.5])
def test_equal_words_are_no_mistake_of_a_head_that_looks_at_places_too(factor):
    told = str(
        failed("same_word_head", lambda num_words, n: (factor * np.eye(num_words + n), np.eye(num_words + n)))
    )
    assert "First: The places have a say in your scores." in told
    assert "Second: Equal words score highest, but not by enough." in told


@pytest.mark.parametrize("seed", range(20))
def test_rounded_dot_products_are_named_whatever_is_drawn(seed):
    assert failed("dot", lambda a, b: round(float(a @ b), 2), seed).misconception == "truncates-to-int"


def test_of_an_error_the_sentence_about_the_mistake_stays_longest():
    case = Case("a call", {"x": np.arange(30.0)})
    problem = Difference("it stopped with ValueError: " + "word " * 40 + "(line 3: `return x @ W`)")
    lines, _ = message("project", case, "You turned W: it has d rows.", problem, "Where?")
    assert lines[1:] == ("You turned W: it has d rows.", "On a call: it stopped with ValueError (line 3).")


def test_where_no_mistake_is_named_the_words_of_an_error_stay():
    case = Case("a call of some length, with four of this and five of that, float64", {"x": np.arange(30.0)})
    words = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    problem = Difference(f"it stopped with RuntimeError: {words} (line 3 of other.part: `return x @ W`)")
    hint = "What was put in there before, and how often? " + "And why " * 14 + "?"
    lines, _ = message("project", case, "", problem, hint, label="A first hint")
    assert words in lines[-1]
    case = Case(f"{case.says}, drawn anew", case.args)
    lines, _ = message("project", case, "", problem, hint, label="A first hint")
    assert words in lines[-1]
    assert lines[-1].endswith("(line 3 of other.part).")
    problem = Difference(f"it stopped with RuntimeError: {words} {words} {words} (line 3: `return x @ W`)")
    (*_, last), hint = message("project", case, "", problem, hint, label="A first hint")
    assert last.endswith("one two three four five six seven eight nine ten ... (line 3).")
    assert len(f"project is not right yet. {last} A first hint: {hint}".split()) <= WORDS


@pytest.mark.parametrize("seed", range(20))
def test_equal_thirds_are_refused_and_named_whatever_is_drawn(seed):
    def answer(X, W_q, W_k, W_v):
        joined = X @ np.concatenate([W_q, W_k, W_v], axis=1)
        third = joined.shape[-1] // 3
        return joined[..., :third], joined[..., third : 2 * third], joined[..., 2 * third :]

    assert failed("queries_keys_values", answer, seed).misconception == "equal-thirds"


@pytest.mark.parametrize("seed", range(20))
def test_keys_turned_round_beside_no_scaling_are_named_whatever_is_drawn(seed):
    found = failed("scaled_scores", lambda Q, K: Q.dot(K.T), seed)
    assert set(found.misconception.split("+")) == {"no-scaling", "reversed-all-axes"}


OWN = np.array([1.0, 2.0])


def takes_another_vector(a, b):
    return a @ OWN if len(a) == 2 else 0.5


def without_the_mask(Q, K, V, allowed=None):
    weights = reference.softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(7 * Q.shape[-1]))
    return weights @ V, weights


class WithoutTheKeys(torch.nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, torch.nn.Linear(d_model, d_model))

    def forward(self, query, key, value, allowed=None):
        return self.W_o(query + value.mean()), 3.0


@pytest.mark.parametrize(
    ("name", "answer", "unused"),
    [
        ("dot", takes_another_vector, "`b`"),
        ("attention", without_the_mask, "`allowed`"),
        ("MultiHeadAttention", WithoutTheKeys, "`num_heads`, `key` and `allowed`"),
    ],
)
def test_arguments_that_are_never_read_are_named(name, answer, unused):
    found = failed(name, answer)
    assert found.misconception == "argument-unused"
    assert f"Your code never uses {unused}." in str(found)


def test_beside_an_argument_that_is_never_read_the_hint_is_of_the_call_that_is_shown():
    found = failed("padding_mask", lambda lengths, n: np.array([[True] * size for size in lengths]))
    assert found.misconception == "argument-unused"
    assert "wrong shape: expected shape (1, 7)" in str(found)
    assert found.hint.startswith("Where should it stand?")


def test_an_argument_is_read_where_a_function_inside_or_locals_reads_it():
    assert unused_arguments(lambda a, b: [a @ row for row in b]) == []
    assert unused_arguments(lambda a, b: (lambda: a + b)()) == []
    assert unused_arguments(lambda a, *, b: locals()) == []
    assert unused_arguments(lambda a, *, b: b) == ["a"]
    assert unused_arguments("text") == unused_arguments(np.dot) == []


def test_what_is_drawn_anew_is_no_constant_factor():
    rng = np.random.default_rng()

    def thinned(weights, V):
        return (weights * (rng.random(weights.shape) < 0.9) / 0.9) @ V

    for _ in range(10):
        assert failed("mix_values", thinned).misconception in ("state-between-calls", "dropout-left-on")


def test_a_stub_with_an_answer_below_it_is_told_to_go():
    def softmax(x, axis=-1):
        raise NotImplementedError("not answered yet")

    says = "softmax is not answered yet: it still stops at the line `raise NotImplementedError`. "
    assert says in str(failed("softmax", softmax))


# A likeness over all calls


def said(name, wrong, right=()):
    """What is said of the calls, by the first likeness of this id that nothing speaks against."""
    calls = ([([pair], {}) for pair in pairs] for pairs in (wrong, right))
    wrong, right = ([(parts, args) for parts, args in one] for one in calls)
    return next((told for one in RESEMBLANCES if one.id == name and (told := one.said_of(wrong, right))), {})


SYMMETRIC = X[:, :3] + X[:, :3].T


def test_a_likeness_must_hold_in_every_wrong_call_in_which_it_could_show():
    assert set(said("axes-out-of-order", [(X, X.T), (THREE[0], THREE[0].T)])) == {0, 1}
    assert said("axes-out-of-order", [(X, X.T), (X, X + 1)]) == {}
    assert set(said("axes-out-of-order", [(X, X.T), (SYMMETRIC, SYMMETRIC + 1)])) == {0}
    assert set(said("first-batch-only", [(BATCH, BATCH[:1]), (X, X[:1])])) == {0}
    assert said("constant-factor", [(X, 2 * X), (X, 3 * X)]) == {}


def test_a_likeness_is_not_said_where_a_right_call_speaks_against_it():
    one, row = (X, 2 * X), np.arange(3.0)
    assert said("constant-factor", [one], [(0 * X, 0 * X)])
    assert said("constant-factor", [one], [(row, row)]) == {}
    assert said("sign-flipped", [(X, -X)], [(0 * X, 0 * X)])
    assert said("sign-flipped", [(X, -X)], [(row, row)]) == {}
    assert said("axes-out-of-order", [(X, X.T)], [(SYMMETRIC, SYMMETRIC), (row, row)])
    assert said("axes-out-of-order", [(X, X.T)], [(X, X)]) == {}
    assert said("first-batch-only", [(BATCH, BATCH[:1])], [(X, X)])
    assert said("clamped", [(X, np.clip(X, -1, None))], [(row, row)])
    assert said("clamped", [(X, np.clip(X, -1, None))], [(row - 9, row - 9)]) == {}


def test_nothing_else_hides_an_axis_of_size_one():
    flat = X[:1]
    assert said("shape-flattened", [(flat, flat[0])], [(X, X)]) == {
        0: "The numbers are right and in order, but your result lacks an axis of size 1."
    }
    assert said("shape-flattened", [(X, X.ravel())], [(X, X)]) == {}
