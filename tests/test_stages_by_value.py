"""Which line makes which stage, by its numbers; and the facts that are told of a run."""

import functools
import inspect

import numpy as np
import pytest

from banks.registry import load
from helpers import example, reference
from helpers.beside.tracing import Recording, record
from helpers.exercises import find
from helpers.exercises.base import Case, draw_cases
from helpers.exercises.stages import NAMED, RESULT, STAGES, stages
from helpers.learner import traced_below
from helpers.learner.checking import verdict_of
from helpers.learner.traced_case import traced_case, untraceable
from helpers.units import UNIT_OF
from helpers.verdict.stages_by_value import add_stages, all_tell
from helpers.verdict.trace_facts import facts
from tests.test_tracing import cell

TRACED = [name for name in UNIT_OF if not untraceable(find(name))]


def on(name, answer, number=None):
    """The trace of an answer, on a call of middle size."""
    exercise = find(name)
    cases = draw_cases(exercise, 3)
    return traced_case(exercise, answer, cases[len(cases) // 2 if number is None else number], cases, 20)


def told(found):
    """Lines, names and the stages that they make."""
    names = found.data["stages"]
    rows = []
    for step in found.data["steps"]:
        values = [(one["name"], one["what"]) for one in step["makes"]]
        values += [("", one) for one in ([step["returns"]] if "returns" in step else [])]
        values += [(name, item) for name, one in values for item in one.get("items", ())]
        rows += [
            (step["line"], name, f"{names[one['stage']]} {one.get('form', '')}".strip())
            for name, one in values
            if "stage" in one
        ]
    return rows


ATTENTION = """
def f(Q, K, V, allowed=None):
    d_k = Q.shape[-1]
    s = {scores}
    if allowed is not None:
        s = np.where(allowed, s, -np.inf)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    w = e / e.sum(axis=-1, keepdims=True)
    return w @ V, w
"""


def test_lines_are_stages_by_their_numbers_whatever_their_names():
    found = on(
        "attention", cell(ATTENTION.format(scores="Q @ np.swapaxes(K, -1, -2) / np.sqrt(d_k)"))["f"], 1
    )
    rows = told(found)
    assert (4, "s", "scaled scores") in [(line + 1, name, stage) for line, name, stage in rows]
    assert {stage for *_, stage in rows} >= {"scaled scores", "exponentials", "weights", "output"}


def test_of_a_wrong_line_nothing_is_said_but_facts():
    found = on("attention", cell(ATTENTION.format(scores="Q @ np.swapaxes(K, -1, -2) / d_k"))["f"], 2)
    assert not [stage for *_, stage in told(found) if stage != "scores"]
    assert not any("wrong" in one or "should" in one for one in found.data["facts"])


def test_transposed_and_with_an_axis_put_in_it_is_the_stage():
    rng = np.random.default_rng(0)
    args = {name: rng.normal(size=(3, 4)) for name in "QK"}
    known = stages(find("scaled_scores"), args)
    source = "def f(Q, K):\n    a = (K @ Q.T)\n    b = (Q @ K.T)[None] / 2\n    return b[0]"
    answer = cell(source)["f"]
    found = record(lambda: answer(**args), answer)
    add_stages(found, known, args)
    assert told(found) == [
        (2, "a", "scores transposed"),
        (3, "b", "scaled scores another shape"),
        (4, "", "scaled scores"),
    ]


def test_a_stage_that_equals_an_input_is_told_only_of_lines_that_make_it_elsewhere():
    exercise = find("first_attention")
    cases = draw_cases(exercise, 0)
    assert not all_tell(stages(exercise, cases[0].args), cases[0].args)  # W_q is the identity there
    source = (
        "def f(X, W_q, W_k, W_v):\n    A, B = X @ W_q, X @ W_k\n    copied = X + 0\n"
        "    w = np.exp(A @ B.T)\n    w = w / w.sum(axis=1, keepdims=True)\n    return w @ X @ W_v, w"
    )
    rows = told(traced_case(exercise, cell(source)["f"], cases[0], cases, 20))
    assert (2, "A", "queries") in rows
    assert not any(name == "copied" for _, name, _ in rows)


def test_near_is_not_equal():
    known = {"scores": np.array([[-16777217.93, -16777215.57], [1.0, 2.0]])}
    near = known["scores"] + [[4.8, -0.28], [0, 0]]
    found = Recording({"steps": [], "functions": [], "given": {}, "left_out": []})
    for numbers, expected in ((near, False), (known["scores"] + 1e-9, True)):
        step = {"of": 0, "line": 2, "call": 1, "turn": 1, "makes": [made(at=0)]}
        found.data["steps"], found.arrays = [step], [numbers]
        add_stages(found, known, {})
        assert ("stage" in step["makes"][0]["what"]) == expected


def test_a_line_that_makes_something_else_in_another_call_has_no_tick():
    exercise = find("masked_softmax")
    cases = draw_cases(exercise, 0)
    one_row = Case("one row", {"scores": np.array([[1.0, 2.0, 4.0]]), "allowed": np.ones((1, 3), dtype=bool)})
    source = (
        "def f(scores, allowed):\n    top = np.where(allowed, scores, -np.inf).max(axis=-2, keepdims=True)\n"
        "    return top"
    )
    assert not told(traced_case(exercise, cell(source)["f"], one_row, cases, 20))


def made(**more):
    what = {"kind": "array", "shape": [2, 2], "type": "float64", "numbers": [], **more}
    return {"name": "w", "what": what, "how": "new"}


def run(*steps, given=()):
    functions = [{"name": name, "first": 1, "lines": [], "calls": 1} for name in "fg"]
    base = {"of": 0, "turn": 1, "turns": 1, "call": 1, "depth": 0, "uses": [], "makes": []}
    came = [{"name": name, "what": made(**more)["what"]} for name, more in dict(given).items()]
    return {
        "functions": functions,
        "given": {"0": came},
        "steps": [base | one for one in steps],
        "stages": ["scores", "weights"],
        "left_out": [],
    }


def test_the_last_new_tick_and_what_comes_after_it():
    data = run(
        {"line": 2, "makes": [made(stage=0)]},
        {"line": 3, "makes": [made(stage=0)]},
        {"line": 4, "makes": [made(sums="columns")]},
    )
    assert facts(data) == [
        "The last new ✓ is scores, in line 2.",
        "After it, line 4 makes w, (2, 2) float64, whose columns sum to 1.",
    ]


def test_what_is_returned_again_is_not_new():
    both = {"kind": "tuple", "items": [made()["what"], made(stage=1)["what"]]}
    data = run({"line": 2, "makes": [made(stage=1)]}, {"line": 3, "returns": both})
    assert facts(data) == [
        "The last new ✓ is weights, in line 2.",
        "After it, line 3 returns (2, 2) float64 in a tuple.",
    ]


def test_a_stage_in_another_form_is_said_to_be_that():
    data = run({"line": 2, "makes": [made(stage=0, form="transposed")]})
    assert facts(data) == ["The last new ✓ is scores (transposed), in line 2."]


def test_no_tick():
    says = "No line has a ✓: nothing that has a name, or is returned, was recognised as a stage."
    assert facts(run({"line": 2, "makes": [made()]})) == [says]


def test_the_first_nan_is_told_where_one_is_returned():
    first = {"line": 2, "of": 1, "depth": 1, "makes": [made(odd="1 nan", stage=0)]}
    mended = run(first, {"line": 4, "returns": made(stage=0)["what"]})
    assert not any("NaN" in one for one in facts(mended))
    kept = run(first, {"line": 4, "returns": made(odd="1 nan", stage=0)["what"]})
    assert facts(kept)[-1] == "The first NaN stands in w, line 2 of g."


def test_an_input_that_is_written_and_one_that_was_bound_anew():
    changed = {"name": "x", "what": {"kind": "array"}, "how": "changed"}
    said = "Line 3 changes x, an argument."
    assert said in facts(run({"line": 3, "makes": [changed]}, given={"x": {}}))
    anew = {"line": 2, "makes": [changed | {"how": "new"}]}
    assert said not in facts(run(anew, {"line": 3, "makes": [changed]}, given={"x": {}}))


def test_nothing_returned_another_kind_and_narrower_numbers():
    assert "Line 3 is the last, and f returns nothing (None)." in facts(
        run({"line": 3, "returns": {"kind": "nothing"}})
    )
    tensors = {"x": {"kind": "tensor"}}
    assert "Tensors come in, and NumPy arrays are returned." in facts(
        run({"line": 3, "returns": made()["what"]}, given=tensors)
    )
    narrow = [
        {"line": 2, "makes": [made(type="float32")]},
        {"line": 3, "returns": made(type="float32")["what"]},
    ]
    assert "Line 2 makes w in float32, and wider numbers came in." in facts(run(*narrow, given={"x": {}}))
    assert "Line 2 makes w in float32, and wider numbers came in." not in facts(
        run(*narrow, given={"x": {"type": "float32"}})
    )


def test_lines_are_named_as_they_run():
    data = run({"line": 2, "turn": 2, "turns": 3, "makes": [made(stage=0)]})
    data["functions"][0]["calls"] = 2
    assert facts(data)[0] == "The last new ✓ is scores, in line 2, in call 1, the 2nd time."


# The table of stages


def test_stages_are_of_exercises_that_are_there():
    assert set(STAGES) | set(RESULT) <= set(UNIT_OF)
    assert set(STAGES) <= set(TRACED)
    assert set(NAMED) == set("QKV")


@pytest.mark.parametrize("name", sorted(STAGES))
def test_the_stages_end_with_what_the_oracle_returns(name):
    exercise = find(name)
    for case in draw_cases(exercise, 1):
        right = exercise.oracle(*case.args.values())
        found = stages(exercise, case.args, right)
        if type(right).__name__ == "MustRaise" or name in ("KVCache", "online_attention"):
            continue
        assert len(found) > 1, case.says
        own = STAGES[name](case.args)
        for part in set(own) & set(found):  # what both know is the same
            assert np.allclose(own[part], found[part], rtol=1e-4, atol=1e-5, equal_nan=True), (
                case.says,
                part,
            )


def test_the_reference_answers_make_all_stages_that_they_write_down():
    source = inspect.getsource(reference.masked_softmax)
    found = on("masked_softmax", cell(source)["masked_softmax"])
    names = [stage for *_, stage in told(found)]
    assert {"masked scores", "exponentials", "their sums", "weights"} <= set(names)


@functools.cache
def banks():
    right, wrong = load()
    return [one for one in right if one.exercise in TRACED], [one for one in wrong if one.exercise in TRACED]


def every(programs, step):
    """One in so many, of every exercise at least one."""
    first = {one.exercise: one for one in reversed(programs)}
    return [one for at, one in enumerate(programs) if at % step == 0 or first[one.exercise] is one]


@pytest.mark.slow
def test_right_answers_are_traced_without_an_error_or_another_result():
    for one in every(banks()[0], 3):
        exercise = find(one.exercise)
        cases = draw_cases(exercise, 4)
        before = verdict_of(exercise, one.obj, 4).passed  # a bank that was loaded anew has classes of before
        found = traced_case(exercise, one.obj, cases[0], cases, 20)
        assert isinstance(found, Recording), one
        assert not any("stopped with" in said for said in found.data["left_out"]), (
            one,
            found.data["left_out"],
        )
        assert verdict_of(exercise, one.obj, 4).passed == before, one


@pytest.mark.slow
def test_verdict_and_message_are_the_same_with_a_trace_and_without():
    for one in every(banks()[1], 12):
        exercise = find(one.exercise)
        before = verdict_of(exercise, one.obj, 5)
        if before.misconception == "never-ends" or before.passed:
            continue
        traced_below.below(exercise, before, one.obj, draw_cases(exercise, 5))
        after = verdict_of(exercise, one.obj, 5)
        assert (after.lines, after.hint, after.misconception) == (
            before.lines,
            before.hint,
            before.misconception,
        ), one


def test_values_and_answers_that_get_a_function_are_not_traced():
    assert "is a value" in untraceable(find("faulty_map"))
    assert "is called with a function" in untraceable(find("leaks_future"))
    assert not untraceable(find("attention"))


def test_the_sentence_has_numbers_that_are_stages():
    Q, K = example.X @ example.W_Q, example.X @ example.W_K
    known = stages(find("scaled_scores"), {"Q": Q, "K": K})
    assert list(known) == ["scores", "scaled scores"]
