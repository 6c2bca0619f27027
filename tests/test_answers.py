"""The checks tell right from wrong: every program of the two banks, every known mistake, every blank."""

import itertools
from collections import defaultdict

import pytest
import torch
from answers import registry

from helpers import CheckFailed, check, reference
from helpers.exercises import find
from helpers.units import UNIT_OF

RIGHT, WRONG = (defaultdict(list), defaultdict(list))
for bank, answers in zip((RIGHT, WRONG), registry.load(), strict=True):
    for answer in answers:
        bank[answer.exercise].append(answer)

VISIBLE = (1, 2, 3)
HIDDEN = 4
every_exercise = pytest.mark.parametrize("name", UNIT_OF)


def failure(name, answer, seed, sizes="visible"):
    """The error of a check, or None where it passes."""
    try:
        check(name, answer, seed=seed, sizes=sizes)
    except CheckFailed as failed:
        return failed
    return None


def unfriendly(name, failed):
    """What is wrong with the text of a failed check, or None where it is friendly."""
    text = str(failed)
    if not text.startswith(f"{name} "):
        return "does not start with the exercise"
    ours = [word for word in ("Traceback", "helpers/", "<lambda>", "CheckFailed") if word in text]
    return f"holds {ours[0]}" if ours else None


def test_torch_runs_on_one_thread():
    assert torch.get_num_threads() == 1


def test_banks_name_only_exercises_that_exist():
    assert RIGHT.keys() == UNIT_OF.keys()
    assert WRONG.keys() == UNIT_OF.keys()


@every_exercise
def test_at_least_three_styles_of_right_answer(name):
    assert len({answer.style for answer in RIGHT[name]}) >= 3


@every_exercise
def test_right_answers_are_accepted(name):
    for answer in RIGHT[name]:
        try:
            for seed in VISIBLE:
                check(name, answer.obj, seed=seed)
            check(name, answer.obj, seed=HIDDEN, sizes="hidden")
        except CheckFailed as failed:
            pytest.fail(f"the right answer {answer.style!r} is refused:\n{failed}")


@every_exercise
def test_reference_answer_is_accepted(name, capsys):
    check(name, getattr(reference, name))
    said = capsys.readouterr().out
    assert said.startswith(f"{name}: right.")
    assert name == "right_divisor" or f"It calls helpers.reference.{name}" in said


@every_exercise
def test_wrong_programs_are_rejected(name, one_second):
    accepted, texts = [], []
    for answer in WRONG[name]:
        program = f"{answer.mistake} ({answer.note or getattr(answer.obj, '__name__', answer.obj)})"
        failed = failure(name, answer.obj, seed=1)
        if failed is None:
            accepted.append(program)
        elif unfriendly(name, failed):
            texts.append(f"{program} {unfriendly(name, failed)}:\n{failed}")
    assert not accepted
    assert not texts, "\n\n".join(texts)


@every_exercise
def test_known_mistakes_are_named(name):
    mistakes = find(name).mistakes
    assert mistakes
    misnamed = []  # a list: several records share an id and a sentence
    for mistake, (seed, sizes) in itertools.product(mistakes, ((1, "visible"), (HIDDEN, "hidden"))):
        failed = failure(name, mistake.answer, seed, sizes)
        if failed is None or failed.misconception != mistake.id:
            misnamed.append((mistake.id, mistake.says, sizes, failed and failed.misconception))
    assert not misnamed


@every_exercise
def test_known_mistake_is_told_to_the_learner(name):
    mistake = find(name).mistakes[0]
    failed = failure(name, mistake.answer, seed=1)
    assert mistake.says in str(failed)
    assert mistake.hint in str(failed)
    assert f"check('{name}', seed=1)" in str(failed)
    assert failed.hint == mistake.hint
    assert failed.exercise == name


# Not answered yet


def not_answered(*_, **__):
    raise NotImplementedError("not answered yet")


def blanks(name):
    """What the answer cell leaves behind before the learner has written anything."""
    if name == "right_divisor":  # a variable
        return [None, ...]
    if not name[0].isupper():
        return [not_answered]
    unfinished = type(name, (getattr(reference, name),), {"forward": not_answered})
    return [type(name, (torch.nn.Module,), {"__init__": not_answered}), unfinished]


@every_exercise
def test_blank_is_not_answered_yet(name):
    for blank in blanks(name):
        failed = failure(name, blank, seed=1)
        assert "not answered yet" in str(failed)
        assert unfriendly(name, failed) is None
        assert failed.misconception is None


@every_exercise
def test_name_that_is_not_defined_is_not_answered_yet(name):
    with pytest.raises(CheckFailed, match=f"^{name} is not answered yet") as caught:
        exec(f"check({name!r})", {"check": check})
    assert caught.value.hint == find(name).hints[0]
