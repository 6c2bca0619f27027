"""A check that names a mistake says which steps of the answer are right, too."""

import inspect
import itertools

import numpy as np
import pytest

from helpers.beside.probe import observe_known
from helpers.exercises import find
from helpers.exercises.base import draw_cases
from helpers.exercises.steps import STEPS, right_steps
from helpers.learner.checking import verdict_of
from helpers.reference import attention as right_attention
from helpers.reference import softmax

each = pytest.mark.parametrize("name", STEPS)


def said(name, answer, seed=1):
    return " ".join(verdict_of(find(name), answer, seed).lines)


def test_what_is_right_is_said_beside_what_is_wrong():
    def attention(Q, K, V, allowed=None):
        output, weights = right_attention(Q * np.sqrt(Q.shape[-1]), K, V, allowed)
        return output, weights

    assert "You did not divide the scores" in said("attention", attention)
    assert "Right: scores, mask, softmax and mix." in said("attention", attention)


@pytest.mark.parametrize(
    ("left", "mixed", "step"), [("K", "V", "scores"), ("Q", "K", "mix")], ids=["turned", "keys mixed"]
)
def test_what_cannot_be_told_from_a_wrong_projection_is_not_called_right(left, mixed, step):
    def first_attention(X, W_q, W_k, W_v):
        made = {"Q": X @ W_q, "K": X @ W_k, "V": X @ W_v}
        weights = softmax(made[left] @ made["Q" if left == "K" else "K"].T)
        return weights @ made[mixed], weights

    told = said("first_attention", first_attention)
    assert step not in told.partition("Right: ")[2].partition(".")[0]


def test_of_two_mistakes_at_once_neither_step_is_called_right():
    exercise = find("attention")
    by_id = {one.id: one for one in exercise.mistakes if one.steps}
    one, other = by_id["no-scaling"], by_id["mask-inverted"]
    assert right_steps("attention", [one, other]) == "Right: scores, softmax and mix."


def test_nothing_is_called_right_of_a_program_that_is_not_made_of_steps():
    exercise = find("attention")
    plain = next(one for one in exercise.mistakes if not one.steps)
    assert right_steps("attention", [plain]) == ""
    assert right_steps("attention", []) == ""
    assert right_steps("dot", find("dot").mistakes[:1]) == "", "an exercise of one step"


@each
def test_the_steps_are_those_that_its_answers_are_made_of(name):
    replaced = {step for one in find(name).mistakes for step in one.steps}
    makes = {one.answer.made_of[0] for one in find(name).mistakes if hasattr(one.answer, "made_of")}
    arguments = {parameter for make in makes for parameter in inspect.signature(make).parameters}
    ours = {step for steps in STEPS[name].values() for step in steps}
    known = replaced | arguments
    missing = ours - known
    assert not missing or "steps" in arguments, missing


@pytest.mark.slow
@each
def test_some_mistake_leaves_something_right_and_is_told_so(name):
    told = [one for one in find(name).mistakes if right_steps(name, [one])]
    assert told
    shown = (one for one in told if "Right: " in said(name, one.answer))
    enough = min(3, len(told))
    assert len(list(itertools.islice(shown, enough))) == enough, "hidden behind another sentence"


@pytest.mark.parametrize("seed", [1, 2])
def test_a_mix_that_is_called_right_is_the_mix_of_the_weights(seed):
    exercise = find("attention")
    tried = 0
    for one in exercise.mistakes:
        if "mix" not in right_steps("attention", [one]) or "result" in one.steps:
            continue
        for case in draw_cases(exercise, seed):
            with np.errstate(all="ignore"):
                seen = observe_known(exercise, one.answer, case.args)
            if "value" not in seen or seen["value"]["kind"] != "tuple":
                continue
            output, weights = (part["array"] for part in seen["value"]["items"])
            if np.isfinite(weights).all() and weights.shape[-1] == case.args["V"].shape[-2]:
                tried += 1
                assert np.allclose(output, weights @ case.args["V"], rtol=1e-3, atol=1e-4), one.says
    assert tried > 100


@pytest.mark.slow
def test_messages_stay_short():
    for name in ("multi_head_attention", "MultiHeadAttention"):
        for one in find(name).mistakes[:60:3]:
            assert len(said(name, one.answer).split()) <= 60
