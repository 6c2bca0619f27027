"""PyTorch's results, recorded for a page's Python, are read back as they were, bit by bit."""

import json
import sys
from dataclasses import replace

import numpy as np
import pytest

from banks import registry
from helpers import reference
from helpers.errors import BadArgument
from helpers.exercises import find
from helpers.exercises.base import Case, MustRaise, draw_cases
from helpers.in_browser import recorded, site
from helpers.learner.checking import verdict_of
from helpers.units import IN_PYTORCH, UNIT_OF
from tools.in_browser.recording import record, record_all

DRAWN = {
    **{"right_divisor": 1, "faulty_map": 1, "causal_mask": 5},
    **{"causal_mask_with_cache": 2, "sliding_window_mask": 2},
    **dict.fromkeys(("test_softmax", "test_attention", "test_multi_head_attention"), 16),
}
"""How many checks differ where their calls come again: a value is asked for bare, a mask by its size alone,
and a test meets the same suspects in another order."""

every_recording = pytest.mark.parametrize("name", UNIT_OF)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """All recordings, made once."""
    folder = tmp_path_factory.mktemp("python")
    record_all(folder)
    return folder


@pytest.fixture
def lite(folder, monkeypatch):
    """The recordings are read from there, and nothing is remembered of others."""
    monkeypatch.setattr(site, "FOLDER", folder)
    forget()
    yield folder
    forget()


def forget():
    site.read.cache_clear()
    recorded._results.cache_clear()


def same(one, other):
    """Whether two results are equal to the last bit, and of the same types."""
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray | np.generic):
        form = (one.dtype, one.shape) == (other.dtype, other.shape)
        return form and one.tobytes() == other.tobytes()
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    return one == other


def calls(name):
    """The arguments of every call that is recorded, by seed."""
    exercise = find(name)
    return [
        [list(case.args.values()) for case in draw_cases(exercise, seed)] for seed in recorded.seeds(name)
    ]


@pytest.mark.slow
@every_recording
def test_every_result_of_every_seed_is_read_back_to_the_last_bit(name, lite):
    known = recorded._results(name)
    for seed, args_of_calls in enumerate(calls(name)):
        for args in args_of_calls:
            kept = known[recorded.key(args)]()
            assert same(kept, find(name).oracle(*args)), f"seed {seed}: {args}"


@pytest.mark.slow
@every_recording
def test_results_are_copies_which_nobody_can_spoil(name, lite):
    (args, *_), *_ = calls(name)
    oracle = recorded._looking_up(find(name))
    before, spoilt = oracle(*args), oracle(*args)
    for one in spoilt if isinstance(spoilt, tuple) else [spoilt]:
        if isinstance(one, np.ndarray):
            one[...] = 0
    assert same(oracle(*args), before)


@every_recording
def test_checks_differ_from_seed_to_seed(name):
    drawn = {tuple(map(recorded.key, of_a_seed)) for of_a_seed in calls(name)}
    seeds = len(recorded.seeds(name))
    assert seeds >= (4 if name in IN_PYTORCH else 16)
    assert len(drawn) == DRAWN.get(name, seeds)


@pytest.mark.slow
def test_what_is_recorded_is_every_exercise_and_little(lite):
    files = {path.name for path in (lite / "recorded").iterdir()}
    assert files == {f"{name}.npz" for name in UNIT_OF}
    sizes = [path.stat().st_size for path in (lite / "recorded").iterdir()]
    assert max(sizes) < 1.5e6
    assert sum(sizes) < 8e6


def outlines_and_numbers(file):
    with np.load(file) as kept:
        flat = {kind: kept[kind] for kind in recorded.KINDS}
        return json.loads(kept["outlines"].tobytes()), flat


def made_up(results):
    """A record whose case number i is a call with i, and its right result the i-th."""
    exercise = find("double")
    cases = [Case(f"call {i}", {"i": i}) for i in range(len(results))]
    return replace(exercise, name="double", cases=lambda draw: cases, oracle=lambda i: results[i])


def test_equal_arrays_lie_there_once(tmp_path):
    one = np.arange(6.0)
    record(made_up([one, one.copy(), one.reshape(2, 3), one.astype(np.float32)]), tmp_path / "some.npz")
    outlines, flat = outlines_and_numbers(tmp_path / "some.npz")
    places = [outline["array"] for outline in outlines.values()]
    assert places == [["f8", 0, [6]], ["f8", 0, [6]], ["f8", 0, [2, 3]], ["f4", 0, [6]]]
    assert flat["f8"].size == flat["f4"].size == 6


def test_every_kind_of_result_comes_back(tmp_path, monkeypatch):
    results = [
        np.array([[True, False]]),
        np.float64(-0.0),
        np.float32(1 / 3),
        np.int64(2**40),
        np.bool_(True),
        np.array([np.nan, -np.inf]),
        np.empty((0, 3), np.float32),
        (np.ones(2), np.float64(3)),
        {"score": np.float64(2), "keys": np.arange(3)},
        MustRaise("ValueError", ("3", "4")),
        True,
        7,
        "softmax",
    ]
    record(made_up(results), tmp_path / recorded.file_of("double"))
    monkeypatch.setattr(site, "FOLDER", tmp_path)
    forget()
    known = recorded._results("double")
    forget()
    for i, right in enumerate(results):
        assert same(known[recorded.key([i])](), right), right


def test_a_type_that_a_recording_does_not_know_is_named(tmp_path):
    with pytest.raises(TypeError, match=r"type float16; a recording knows f8, f4, i8, b1"):
        record(made_up([np.ones(2, np.float16)]), tmp_path / "some.npz")


@pytest.mark.slow
@every_recording
def test_other_arguments_fall_back_on_the_reference_answer_or_the_stand_in(name, lite, monkeypatch):
    exercise, asked = find(name), []
    if name in IN_PYTORCH:
        exercise = replace(exercise, oracle=lambda *args: asked.append(args) or "computed")
    known = recorded._results(name)
    drawn = (case for seed in range(16, 99) for case in draw_cases(exercise, seed))
    others = [args for case in drawn if recorded.key(args := list(case.args.values())) not in known][:3]
    assert others or name in DRAWN
    if name not in IN_PYTORCH:
        monkeypatch.setattr(reference, name, lambda *args: asked.append(args) or "computed")
    for args in others:
        assert recorded._looking_up(exercise)(*args) == "computed"
    assert len(asked) == len(others)


def test_arrays_in_a_dict_are_told_apart():
    """What Python prints of a large one would leave most of it out."""
    one, other = np.zeros(5000), np.zeros(5000)
    other[2500] = 1
    assert recorded.key([{"W": one}]) == recorded.key([{"W": one.copy()}])
    assert recorded.key([{"W": one}]) != recorded.key([{"W": other}])
    assert recorded.key([{"W": one}]) != recorded.key([{"V": one}])


def test_whole_numbers_of_another_width_find_the_same_result():
    """Pyodide's whole numbers have 32 bits where a native NumPy's have 64."""
    narrow, wide = np.arange(5, dtype=np.int32), np.arange(5, dtype=np.int64)
    assert recorded.key([narrow]) == recorded.key([wide])
    assert recorded.key([narrow]) != recorded.key([wide.astype(np.float64)])
    assert recorded.key([wide]) != recorded.key([wide.reshape(5, 1)])
    assert recorded.key([np.ones(2, bool)]) != recorded.key([np.ones(2, np.int64)])


@pytest.mark.parametrize(
    ("seed", "sizes", "asked"),
    [(16, "visible", "seed=16"), (0, "hidden", "seed=0, sizes='hidden'")],
)
def test_other_seeds_and_hidden_sizes_are_refused_in_one_sentence(seed, sizes, asked):
    with pytest.raises(BadArgument) as refused:
        recorded.usable("softmax", seed, sizes)
    assert str(refused.value) == (
        f"In a browser the right results are recorded for seed=0 to seed=15; got {asked}. For other inputs "
        "open this unit in Colab or on Binder, or install the course on your computer."
    )
    recorded.usable("softmax", seed % 16, "visible")
    recorded.usable("rotary", seed, sizes)


def test_a_record_gets_its_recorded_oracle_once_and_stays_as_it_is():
    exercise = find("apply_mask")
    replaced = recorded.with_recorded(exercise)
    assert replaced is recorded.with_recorded(exercise)
    assert find("apply_mask") is exercise
    assert replaced.oracle is not exercise.oracle


JUDGING = [name for name in UNIT_OF if find(name).judge]


@pytest.mark.slow
@pytest.mark.parametrize("name", JUDGING)
def test_an_exercise_s_own_judge_is_given_the_right_result_and_computes_none(name, lite, monkeypatch):
    """Whatever its oracle is called: in a browser the module's own cannot run."""
    exercise = recorded.with_recorded(find(name))
    module = sys.modules[exercise.judge.__module__]
    monkeypatch.setattr(module, "oracle", None, raising=False)
    answer = next(one.obj for one in registry.load()[0] if one.exercise == name)
    assert verdict_of(exercise, answer, seed=3).passed
