"""Name it once: what a wrong answer does as a short id, and the instructor's words to it in every check."""

import json
import re
import tomllib
import zipfile
from collections import Counter, defaultdict
from fnmatch import fnmatch

import numpy as np
import pytest

from banks import registry
from helpers import CheckFailed, check, named_mistakes, own
from helpers.beside import probe
from helpers.beside.probe import observe
from helpers.beside.probes.base import NOT_ANSWERED
from helpers.beside.standard import standard
from helpers.exercises import find
from helpers.exercises.base import draw_cases
from helpers.exercises.oracle import one_thread
from helpers.learner import named_once
from helpers.named_mistakes import SHOWN, BadEntry, read
from helpers.on_page import calls
from helpers.verdict.behaviour import SEED, SIZES, behaviour
from helpers.verdict.instructors import in_their_words
from helpers.verdict.judge import judge
from helpers.verdict.panel import panel
from tools.in_browser import runtime
from tools.shell import ROOT, Stop
from tools.teeth import WRONG_SECONDS

SAYS, HINT = "You added a part of the smallest power to the sum.", "What should a row add up to?"


def too_much(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / (e.sum(axis=axis, keepdims=True) + 0.37 * e.min(axis=axis, keepdims=True))


def the_same_in_other_words(x, axis=-1):
    powers = np.exp(np.asarray(x, np.float64) - np.max(x, axis, keepdims=True))
    low = powers.min(axis, keepdims=True)
    return powers / (np.add.reduce(powers, axis, keepdims=True) + low * 37 / 100)


def another(x, axis=-1):
    return too_much(x, axis) ** 1.1


def over_everything(x, axis=-1):
    e = np.exp(x - x.max())
    return e / e.sum()


def right(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def group(answer, name="softmax"):
    exercise = find(name)
    cases = draw_cases(exercise, SEED, SIZES)
    return behaviour(exercise, cases, observe(exercise, answer, cases))


def entry(exercise="softmax", group="k3f9a", says=SAYS, hint=HINT):
    values = {"exercise": exercise, "group": group, "says": says, "hint": hint}
    return "[[mistake]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items())


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.setattr(own, "FOLDER", tmp_path)
    monkeypatch.setattr(named_once, "_SAID", [])
    return tmp_path / own.NAMED


def failed(answer, seed=5):
    with pytest.raises(CheckFailed) as error:
        check("softmax", answer, seed=seed)
    return error.value


# What an answer does


def test_one_mistake_in_other_words_has_the_same_id_and_another_mistake_another():
    ids = group(too_much), group(another), group(over_everything)
    assert group(the_same_in_other_words) == ids[0]
    assert len(set(ids)) == 3
    assert all(re.fullmatch(f"[{named_mistakes.LETTERS}]{{5}}", one) for one in ids)


def unanswered(x, axis=-1):
    raise NotImplementedError(NOT_ANSWERED)


def in_need(x, axis=-1):
    raise type("NoPyTorch", (RuntimeError,), {})("a browser has none")


@pytest.mark.parametrize("answer", [right, unanswered, in_need])
def test_what_is_right_or_no_answer_has_none(answer):
    assert group(answer) == ""


def test_an_answer_that_is_a_test_has_none():
    assert group(lambda softmax: None, "test_softmax") == ""


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e308, -1e308])
def test_odd_numbers_count_by_their_place(value):
    def somewhere(place):
        def answer(x, axis=-1):
            result = too_much(x, axis)
            result.ravel()[place] = value
            return result

        return answer

    assert group(somewhere(0)) == group(somewhere(0)) != group(somewhere(1))


def test_the_sign_of_zero_does_not_count():
    assert group(lambda x, axis=-1: np.zeros(x.shape)) == group(lambda x, axis=-1: -np.zeros(x.shape))


def test_names_in_errors_and_widths_of_integers_do_not_count():
    def one(x, axis=-1):
        return np.ones(3) @ np.ones(4)

    def other(y, axis=-1):
        left, right = np.ones(3), np.ones(4)
        return left @ right

    assert group(one) == group(other) != group(lambda x: right(x))
    assert group(lambda q, K: np.int64(0), "best_match") == group(lambda q, K: np.int32(0), "best_match")


NAMES = ("softmax", "attention", "causal_mask", "dot", "rotary")


def shaken(value, rng):
    """A described value with the last bits of its numbers changed, as another machine may."""
    if "items" in value:
        items = value["items"]
        places = items if isinstance(items, dict) else range(len(items))
        moved = {place: shaken(items[place], rng) for place in places}
        return value | {"items": moved if isinstance(items, dict) else list(moved.values())}
    array = value.get("array", np.zeros(0, int))
    if array.dtype.kind != "f":
        return value
    finite = np.isfinite(array)
    bits = rng.integers(-4, 5, array.shape) * np.finfo(array.dtype).eps * np.abs(array[finite]).max(initial=0)
    return value | {"array": np.where(finite, array + bits, array).astype(array.dtype)}


@pytest.mark.slow
def test_groups_are_mistakes_and_hardly_move_when_the_last_bits_do(monkeypatch):
    monkeypatch.setattr(probe, "SECONDS", WRONG_SECONDS)
    rng, groups, moved = np.random.default_rng(0), defaultdict(Counter), 0
    for answer in registry.load()[1]:
        if answer.exercise not in NAMES:
            continue
        exercise = find(answer.exercise)
        cases = draw_cases(exercise, SEED, SIZES)
        with standard(), one_thread():
            calls = observe(exercise, answer.obj, cases)
            id = behaviour(exercise, cases, calls)
        groups[answer.exercise, id][answer.mistake] += 1
        others = [one | {"value": shaken(one["value"], rng)} if "value" in one else one for one in calls]
        moved += behaviour(exercise, cases, others) != id
    programs = sum(names.total() for names in groups.values())
    assert programs > 300
    assert sum(names.total() - max(names.values()) for names in groups.values()) < 0.01 * programs
    assert moved <= 0.005 * programs


# The file


def test_without_a_file_nothing_is_named(file):
    assert read() == {}


def test_the_file_is_read_and_white_space_does_not_count(file):
    file.write_text(entry(says=f"  {SAYS}\n ") + entry(group="k3f9b"), "utf-8")
    assert [one.says for one in read().values()] == [SAYS, SAYS]
    assert [*read()] == [("softmax", "k3f9a"), ("softmax", "k3f9b")]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[[mistake]", "cannot be read: "),
        ("\xff", "cannot be read: "),
        ("mistake = 3", "expected entries that begin with [[mistake]]; got mistake"),
        ("mistake = [3]", "mistake 1: exercise: expected a text in quotes; got nothing"),
        ("[[mistakes]]\n", "expected entries that begin with [[mistake]]; got mistakes"),
        (entry() + "say = 'x'\n", "mistake 1: expected exercise, group, says, hint; got say"),
        (entry().replace(f'"{SAYS}"', "7"), "says: expected a text in quotes; got 7"),
        (entry("sofmax"), "there is no exercise 'sofmax'; the nearest is softmax"),
        (entry(group="K3F9"), "group: expected 5 letters from analytics.html, such as k3f9a; got 'K3F9'"),
        (entry() + entry(says="Another."), "softmax k3f9a stands there twice: keep one of them"),
        (entry() + entry(group="k3f9b", says=" "), "mistake 2: says: expected a sentence; got nothing"),
        (entry(hint=""), "hint: expected a sentence; got nothing"),
        (entry(says="a \x1b[31m b"), "says: expected text; it has signs that cannot be shown"),
        (entry(says="word " * 30), "says and hint have 37 words together, and 35 at most are read"),
    ],
)
def test_what_cannot_be_used_is_said_in_one_sentence(file, text, says):
    file.write_text(text, "latin-1")
    with pytest.raises(BadEntry) as error:
        read()
    assert str(error.value).startswith(SHOWN)
    assert says in str(error.value)
    assert "\n" not in str(error.value).rstrip(".")


def test_a_site_is_not_built_with_a_file_that_cannot_be_read(file, tmp_path):
    from tools import build_site

    file.write_text(entry("sofmax"), "utf-8")
    with pytest.raises(Stop, match="the nearest is softmax"):
        build_site.main(tmp_path / "build")
    assert not (tmp_path / "build").exists()


def test_an_installed_course_and_the_one_in_a_browser_have_the_file(tmp_path, monkeypatch):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / own.NAMED).write_text(entry(), "utf-8")
    monkeypatch.setattr(runtime, "ROOT", tmp_path)
    with zipfile.ZipFile(runtime.course_wheel(tmp_path)) as wheel:
        assert wheel.read(f"own/{own.NAMED}").decode() == entry()
    about = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    assert fnmatch(own.NAMED, *about["package-data"]["own"])
    assert "own*" in about["packages"]["find"]["include"]


# What a learner reads


def test_the_instructors_words_are_said_of_what_has_no_name_whatever_the_seed(file):
    file.write_text(entry(group=group(too_much)), "utf-8")
    for seed in (SEED, 5, None):
        error = failed(too_much, seed)
        assert f"Your instructor says: {SAYS}" in str(error)
        assert f"Hint from your instructor: {HINT}" in str(error)
        assert error.misconception is None
    assert "instructor" not in str(failed(another))


def test_they_are_never_said_of_a_right_answer_nor_in_place_of_a_known_name(file, capsys):
    file.write_text(entry(group=group(too_much)) + entry(group=group(over_everything)), "utf-8")
    check("softmax", right)
    assert capsys.readouterr().out == "softmax: right.\n"
    error = failed(over_everything)
    assert error.misconception == "softmax-over-everything"
    assert "instructor" not in str(error)


def test_a_file_that_cannot_be_read_is_said_once_and_no_check_fails_of_it(file, capsys):
    file.write_text("[[", "utf-8")
    for _ in range(2):
        assert "softmax is not right yet" in str(failed(too_much))
    check("softmax", right)
    out = capsys.readouterr().out
    assert out.count("cannot be shown: tell them") == 1
    assert out.endswith("softmax: right.\n")


def test_what_the_instructor_writes_is_text_and_a_message_is_not_too_long(file):
    file.write_text(entry(group=group(too_much), says="<b>" + "word " * 27 + "</b>"), "utf-8")
    exercise = find("softmax")
    cases = draw_cases(exercise, SEED, SIZES)
    verdict = judge(exercise, cases, observe(exercise, too_much, cases))
    (named,) = read().values()
    told = in_their_words(exercise, verdict, named)
    assert len(" ".join([*told.lines, told.hinted]).split()) <= 60
    html = panel(exercise, told, "")._repr_html_()
    assert "&lt;b&gt;word" in html
    assert "<b>word" not in html
    assert "<b>Hint from your instructor:</b>" in html


def test_a_page_of_the_site_says_them_too(file):
    file.write_text(entry(group=group(too_much)), "utf-8")
    source = (
        "def softmax(x, axis=-1):\n    e = np.exp(x - x.max(axis=axis, keepdims=True))\n"
        "    return e / (e.sum(axis=axis, keepdims=True) + 0.37 * e.min(axis=axis, keepdims=True))\n"
    )
    found = json.loads(calls.check("softmax", source, {}, seed=5))
    assert f"Your instructor says: {SAYS}" in found["text"]
    assert f"Your instructor says: {SAYS}" in found["html"]
