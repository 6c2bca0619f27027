"""The checks tell right from wrong: every program of the two banks, every known mistake, every blank."""

import json
import os
import re
import subprocess
import sys
from collections import defaultdict

import numpy as np
import pytest
import torch

from banks import registry
from helpers import CheckFailed, check, reference
from helpers.beside.probe import describe, observe
from helpers.exercises import find
from helpers.exercises.base import draw_cases
from helpers.exercises.compare import difference
from helpers.units import UNIT_OF, VARIABLES, module_name
from helpers.verdict.judge import examine
from helpers.verdict.wording import WORDS, clause
from tests import touched
from tests.bank_verdicts import WITH_VECTORS
from tests.lanes import at_night
from tools import teeth

RIGHT, WRONG = (defaultdict(list), defaultdict(list))
for bank, answers in zip((RIGHT, WRONG), registry.load(), strict=True):
    for answer in answers:
        bank[answer.exercise].append(answer)

KEPT = json.loads(teeth.KEPT.read_text("utf-8"))["ours"]
every_exercise = pytest.mark.parametrize("name", UNIT_OF)


def on_seeds(quick, slow=(), nightly=()):
    """Each of these draws, the second kind only where everything is run, the third at night."""
    later = [pytest.param(*one, marks=pytest.mark.slow) for one in slow]
    later += [at_night(*one) for one in nightly]
    return pytest.mark.parametrize(("seed", "sizes"), [*quick, *later])


def failure(name, answer, seed, sizes="visible"):
    """The error of a check, or None where it passes."""
    try:
        check(name, answer, seed=seed, sizes=sizes)
    except CheckFailed as failed:
        return failed
    return None


def told(failed):
    """What a learner is told of a mistake: its name or, where it has none, the sentence about it."""
    if failed is None or failed.misconception:
        return failed and failed.misconception
    said = str(failed).splitlines()[1]
    return "" if said.startswith("On ") else re.sub(r"[\W\d]", "", said)


def unfriendly(name, failed):
    """What is wrong with the text of a failed check, or None where it is friendly."""
    text = str(failed)
    if not text.startswith(f"{name} "):
        return "does not start with the exercise"
    lines = re.sub(r"(?ms)^Expected:$.*?(?=^(?:Hint|A first hint): )", "", text).splitlines()[
        :-1
    ]  # the last: how to repeat it
    words = " ".join(lines).split()
    if len(words) > WORDS:
        return f"has {len(words)} words"
    ours = [word for word in ("Traceback", "helpers/", "<lambda>", "CheckFailed") if word in text]
    return f"holds {ours[0]}" if ours else None


def test_torch_runs_on_one_thread():
    assert torch.get_num_threads() == 1


def test_banks_name_only_exercises_that_exist():
    assert RIGHT.keys() == UNIT_OF.keys()
    assert WRONG.keys() == UNIT_OF.keys()


def test_a_file_of_the_bank_holds_answers_to_the_exercise_it_is_named_after_and_to_no_other():
    homes = {f"banks.unit_{unit}.{module_name(name)}": name for name, unit in UNIT_OF.items()}
    assert registry.files() == sorted(homes)
    all_of_them = [answer for bank in (RIGHT, WRONG) for answers in bank.values() for answer in answers]
    ours = [answer for answer in all_of_them if getattr(answer.obj, "__module__", None) in homes]
    assert {answer.exercise for answer in ours} == UNIT_OF.keys() - set(VARIABLES)  # strings have no module
    assert [answer for answer in ours if homes[answer.obj.__module__] != answer.exercise] == []


@every_exercise
def test_at_least_three_styles_of_right_answer(name):
    assert len({answer.style for answer in RIGHT[name]}) >= 3


@touched.each()
@on_seeds([(1, "visible")], slow=[(3, "hidden")], nightly=[(2, "visible"), (3, "visible"), (4, "hidden")])
def test_right_answers_are_accepted(name, seed, sizes):
    """Of exercises that no change touches `test_others.py` tries three styles with the slow ones."""
    for answer in RIGHT[name]:
        failed = failure(name, answer.obj, seed, sizes)
        assert failed is None, f"the right answer {answer.style!r} is refused:\n{failed}"


@every_exercise
def test_reference_answer_is_accepted(name, capsys):
    check(name, getattr(reference, name))
    said = capsys.readouterr().out
    assert said.startswith(f"{name}: right.")
    assert name in VARIABLES or f"It calls helpers.reference.{name}" in said


def wrong_programs(name):
    """The whole bank of an exercise, anew."""
    return [answer for answer in registry.fresh()[1] if answer.exercise == name]


def no_other_covers(name):
    """The first program of each mistake, and two of those that make two mistakes at once."""
    first = list({answer.mistake: answer for answer in reversed(wrong_programs(name))}.values())[::-1]
    pairs = [answer for answer in first if "+" in answer.mistake]
    return [answer for answer in first if answer not in pairs[2:]]


@every_exercise
@pytest.mark.parametrize(
    "programs",
    [
        pytest.param(no_other_covers, marks=pytest.mark.slow),
        at_night(wrong_programs),
    ],
    ids=["one of each", "all"],
)
def test_wrong_programs_are_rejected_in_friendly_words_and_no_fewer_are_named_than_before(name, programs):
    assert name in KEPT, teeth.stale(name)
    accepted, texts, changing, named = [], [], [], 0
    fresh = programs(name)
    for number, answer in enumerate(fresh):
        program = f"{answer.mistake} ({answer.note or getattr(answer.obj, '__name__', answer.obj)})"
        failed = failure(name, answer.obj, seed=7)
        if failed is None:
            accepted.append(program)
        elif unfriendly(name, failed):
            texts.append(f"{program} {unfriendly(name, failed)}:\n{failed}")
        named += failed is not None and teeth.ids(failed.misconception) == teeth.ids(answer.mistake)
        # another draw for some; at night more for all
        if number % 5 == 0 and told(failed) != told(failure(name, answer.obj, seed=8, sizes="hidden")):
            changing.append(program)
    assert not accepted
    assert not changing, "another draw, another name"
    assert not texts, "\n\n".join(texts)
    assert len(fresh) - named <= KEPT[name]["wrong"] - KEPT[name]["named"]


@pytest.mark.nightly
@every_exercise
def test_a_wrong_program_is_told_the_same_whatever_is_drawn(name):
    """Each on four of twenty draws, in turn: a name that hangs on the draw is met by its neighbours too."""
    draws = [(seed, sizes) for seed in range(10) for sizes in ("visible", "hidden")]
    changing = []
    for number, answer in enumerate(wrong_programs(name)):
        found = {told(failure(name, answer.obj, *draw)) for draw in draws[number % 5 :: 5]}
        changing += [(answer.mistake, answer.note, found)] * (len(found) > 1)
    assert not changing


def first_of_each(mistakes):
    """The first record of each mistake: several may share an id, and say it of several programs."""
    return {mistake.id: mistake for mistake in reversed(mistakes)}.values()


@touched.each()
@pytest.mark.parametrize(
    ("seed", "sizes", "asked"),
    [
        pytest.param(1, "visible", first_of_each, id="one of each"),
        at_night(1, "visible", list, id="all"),
        at_night(4, "hidden", list, id="all hidden"),
    ],
)
def test_known_mistakes_are_named(name, seed, sizes, asked):
    mistakes = asked(find(name).mistakes)
    assert mistakes
    misnamed = []  # a list: several records share an id and a sentence
    for mistake in mistakes:
        failed = failure(name, mistake.answer, seed, sizes)
        if failed is None or failed.misconception != mistake.id:
            misnamed.append((mistake.id, mistake.says, failed and failed.misconception))
    assert not misnamed


@touched.each(lambda name: find(name).judge)
def test_what_is_shown_as_expected_is_the_right_result(name):
    """Where an exercise compares by itself: elsewhere the one place that compares is given it."""
    exercise = find(name)
    cases = draw_cases(exercise, 7)
    shown = 0
    for answer in no_other_covers(name):
        for case, seen in zip(cases, observe(exercise, answer.obj, cases), strict=False):
            right = exercise.oracle(*case.args.values())
            problem = examine(exercise, case, right, seen)
            if problem and problem.expected is not None:
                shown += 1
                np.testing.assert_array_equal(problem.expected, right, f"{answer.mistake}, {case.says}")
    # a list of pairs and a value are told in words
    told = name in VARIABLES or name == "previous_token_heads"
    assert shown or told or np.ndim(right) == 0, "nothing was compared"


@every_exercise
def test_known_mistake_is_told_to_the_learner(name):
    mistake = find(name).mistakes[0]
    failed = failure(name, mistake.answer, seed=1)
    said = " ".join(str(failed).split())
    assert mistake.says in said or clause(mistake.says) in said  # where the whole would be too long
    assert failed.hint in said
    assert f"check('{name}', seed=1)" in str(failed)
    assert mistake.hint.startswith(failed.hint)
    assert failed.exercise == name


# What depends on the machine

UNSTABLE = (
    "import numpy as np; from helpers import CheckFailed, check\n"
    "try: check('best_match', lambda query, keys: int(np.argsort(-(keys @ query))[0]), seed=1)\n"
    "except CheckFailed as failed: print(failed.misconception)"
)


@pytest.mark.slow
@pytest.mark.parametrize(
    "without", ["", WITH_VECTORS], ids=["sorts as this machine does", "sorts without AVX"]
)
def test_unstable_sort_is_named_whichever_sort_numpy_chooses(without):
    found = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", UNSTABLE],
        env={**os.environ, "NPY_DISABLE_CPU_FEATURES": without},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.stdout == "unstable-sort\n", found.stdout + found.stderr


@pytest.mark.skipif(
    np.argpartition([2.0, 2.0, 1.0, 1.0], 0)[0] == 2,
    reason="without AVX2 NumPy finds the first of equal smallest entries, which is right",
)
def test_smallest_of_a_partition_is_rejected_where_it_is_wrong():
    failed = failure("best_match", lambda query, keys: int(np.argpartition(-(keys @ query), 0)[0]), seed=1)
    assert failed.misconception == "unstable-sort"


def wider(right):
    """A right answer that returns long doubles."""

    def answer(*args):
        results = right(*args)
        if isinstance(results, tuple):
            return tuple(one.astype(np.longdouble) for one in results)
        return np.asarray(results, np.longdouble)[()]

    return answer


@pytest.mark.skipif(np.dtype(np.longdouble).itemsize == 8, reason="long doubles are float64 here")
@pytest.mark.parametrize(
    "name", ["dot", "project", "measure_score_std", "apply_mask", "softmax", "attention"]
)
def test_numbers_wider_than_float64_are_named(name):
    failed = failure(name, wider(getattr(reference, name)), seed=1)
    assert failed.misconception == "wider-than-float64"
    assert "expected float64, got np.longdouble" in str(failed)


# What depends on luck


def described(**arrays):
    return {
        "kind": "dict",
        "items": {name.replace("_", " "): describe(torch.tensor(one)) for name, one in arrays.items()},
    }


def test_gradient_of_0_may_be_off_by_rounding_of_the_others():
    right = {
        "the gradient of W": np.array([40.0], np.float32),
        "the gradient of b": np.array([0], np.float32),
    }
    near, far = (described(the_gradient_of_W=[40.0], the_gradient_of_b=[off]) for off in (1e-4, 1e-2))
    assert difference(right, near, tensors=True) is None
    assert difference(right, far, tensors=True).misconception == "gradient-cut"


# Not answered yet


def not_answered(*_, **__):
    raise NotImplementedError("not answered yet")


def blanks(name):
    """What the answer cell leaves behind before the learner has written anything."""
    if name in VARIABLES:
        return [...]
    if not name[0].isupper():
        return [not_answered]
    method = "append" if name == "KVCache" else "forward"
    unfinished = type(name, (getattr(reference, name),), {method: not_answered})
    return [type(name, (torch.nn.Module,), {"__init__": not_answered}), unfinished]


def form(arg):
    """The sizes of an array or a tensor, also of those in a dict."""
    if isinstance(arg, dict):
        return {key: form(one) for key, one in arg.items()}
    if isinstance(arg, torch.nn.Module):  # each call has a model of its own
        return type(arg)
    return arg.shape if hasattr(arg, "shape") else arg


def remembering(answer):
    """An answer that keeps its results by the sizes of what it is called with."""
    kept = {}

    def kept_by_sizes(*args):
        sizes = str([form(arg) for arg in args])
        if sizes not in kept:
            kept[sizes] = answer(*args)
        return kept[sizes]

    return kept_by_sizes


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "sizes"), [(1, "visible"), (2, "visible"), (3, "hidden")])
@pytest.mark.parametrize(
    "name", [name for name in UNIT_OF if any(one.renewed for one in draw_cases(find(name), 1))]
)
def test_results_kept_by_the_sizes_of_a_call_are_noticed(name, seed, sizes):
    answer = getattr(reference, name)
    if isinstance(answer, type):
        return  # a module is made anew for each call
    error = failure(name, remembering(answer), seed, sizes)
    assert error is not None
    if name != "best_match":  # one small whole number comes back by chance too
        assert error.misconception == "state-between-calls", str(error)


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
