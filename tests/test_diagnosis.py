"""A wrong answer is named by its behaviour: a known program, a pair of them, a likeness, a kind of call."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from helpers import CheckFailed, check, reference
from helpers.exercises import find
from helpers.exercises.base import Case, Exercise, Mistake, combined, draw_cases, replaceable
from helpers.patterns import PATTERNS, pattern
from helpers.resemblances import RESEMBLANCES


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
    return Mistake("no-lift", "You forgot the lift.", line(lift=lambda x: x), "Look at the lift.")


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
    from helpers import probe, verdict

    drawn = draw_cases(exercise, seed)
    return verdict.judge(exercise, drawn, probe.observe(exercise, answer, drawn))


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


def test_two_known_mistakes_are_both_said():
    found = judged(lambda a: a.copy())
    assert found.misconception == "no-slope+no-lift"
    assert found.lines[1] == "Two mistakes at once. First: You forgot the slope. Second: You forgot the lift."
    assert found.hint == "Look at the slope. Look at the lift."


def test_a_mistake_with_one_more_in_some_calls_only_is_still_named():
    def answer(a):
        return a + 1 if a.ndim < 3 else a + 7

    assert judged(answer).misconception == "no-slope"


def test_mistakes_in_the_same_step_or_of_other_makers_are_not_combined():
    one, other = slope_mistake(), lift_mistake()
    assert combined(one, one) is None
    assert combined(one, Mistake("x", "", line(slope=lambda a: 0 * a), "")) is None
    assert combined(one, LINE.mistakes[2]) is None
    assert combined(one, other)(3.0) == 3.0


def test_no_known_mistake_is_named_where_it_is_right_itself():
    only_rows = Mistake("rows", "Rows.", lambda a: 2 * a + 1 + (a.ndim > 1), "")
    exercise = Exercise("line", cases, LINE.oracle, LINE.hints, (only_rows,))
    found = judged(lambda a: 2 * a + 1 + (a.ndim == 1), exercise)
    assert found.misconception != "rows"


def test_the_smallest_wrong_call_is_the_one_that_is_shown():
    found = judged(lambda a: 2 * a + (0 if a.ndim == 3 or a.shape == (3, 3) else 1))
    assert found.lines[-1].startswith("On a square: ")


def test_single_numbers_that_agree_by_chance_name_nothing():
    """Right for perpendicular vectors only, as many formulas are."""
    assert failed("dot", lambda a, b: float(a @ b) * 1.37).misconception is None


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
    "weights-ignored": [(X, 0 * X)],
    "first-batch-only": [(BATCH, BATCH[0]), (BATCH, BATCH[:1]), (BATCH, np.stack([BATCH[0]] * 3))],
    "returned-inside-loop": [(X, X[0]), (X, X[:1]), (BATCH, BATCH[:, :1])],
    "rows-paired": [(X, np.diagonal(X)), (BATCH, np.diagonal(BATCH, axis1=1, axis2=2))],
    "axes-out-of-order": [(X, X.T), (THREE, THREE.swapaxes(0, 1)), (THREE, THREE.T)],
    "last-left-out": [(X, X[:, :-1]), (X, X[1:]), (X, X * [[1], [1], [0]]), (X, X * [0, 1, 1, 1])],
    "off-by-one": [(X, np.vstack([X, X[:1]])), (X, np.roll(X, 1, 1))],
    "wrong-order": [(X, X[::-1])],
    "no-sum": [(X, np.stack([X / 4, 3 * X / 4])), (X, np.stack([X / 4, 3 * X / 4], -1))],
    "softmax-over-everything": [(X, np.array([X.sum()])), (X, np.array(X.mean()))],
    "extra-layernorm": [(X, (X - X.mean(-1, keepdims=True)) / X.std(-1, keepdims=True))],
    "softmax-too-early": [(X, np.exp(X) / np.exp(X).sum(-1, keepdims=True))],
    "extra-nonlinearity": [(X, np.tanh(X))],
    "mean-instead-of-sum": [(X, X / 5)],
    "scaled-too-early": [(X, X / np.sqrt(5))],
    "constant-factor": [(X, 1.7 * X), (X, X * 7)],
    "out-of-place": [(X, X.ravel()[::-1].reshape(3, 4)[:, [1, 0, 2, 3]])],
    "returns-input": [(X, np.arange(35.0).reshape(7, 5))],
    "extra-residual": [(THREE[0], THREE[0] + 10)],
}
ARGS = {"W": np.arange(35.0).reshape(7, 5), "same": np.full((3, 4), 10.0)}


def first_likeness(right, got):
    found = [(one, one.look(right, got, ARGS)) for one in RESEMBLANCES]
    return [(one.id, says) for one, says in found if says]


@pytest.mark.parametrize(
    ("name", "right", "got"), [(n, *pair) for n, pairs in WRONG.items() for pair in pairs]
)
def test_likeness_is_seen(name, right, got):
    found = first_likeness(right, got)
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


# Which calls are right, which wrong


def drawn(*kinds):
    shapes = {"row": (5,), "matrix": (2, 5), "batch": (3, 2, 5), "square": (3, 3)}
    made = [Case(kind, {"x": np.ones(shapes[kind.split()[0]])}, again="again" in kind) for kind in kinds]
    return made


def test_only_one_number_of_axes():
    says, name, hint = pattern(drawn("matrix", "matrix", "row", "batch", "matrix again"), [2, 3])
    assert (says, name) == ("It is right only for arrays with 2 axes.", "fixed-number-of-axes")
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
    assert "only with a mask" in pattern(made, [1, 2])[0]
    assert "only for large" in pattern(made, [3])[0]
    assert "only for float32" in pattern(made, [4])[0]


def test_every_pattern_says_something():
    assert all(one.wrong or one.right for one in PATTERNS)


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
        return 2 * x + (len(total) > 3)

    assert failed("double", double).misconception == "state-between-calls"


def test_random_results_are_told_from_known_ones():
    def mix_values(weights, V):
        return weights @ V + np.random.default_rng().standard_normal((weights @ V).shape)

    found = failed("mix_values", mix_values)
    assert found.misconception == "state-between-calls"
    assert "drawn at random" in str(found)


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


def test_the_readme_shows_a_real_message():
    readme = (Path(__file__).resolve().parent.parent / "README.md").read_text("utf-8")
    answer = next(m.answer for m in find("attention").mistakes if "down the columns" in m.says)
    assert f"```\n{failed('attention', answer, 4711)}\n```" in readme
