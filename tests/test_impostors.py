"""Exercises whose answer is a test: whom it meets, what it is told, and that only testing gains anything."""

import functools
import html
import re

import numpy as np
import pytest

from banks import registry
from helpers import CheckFailed, check, reference
from helpers.beside.probes.base import ProbeError
from helpers.beside.suspects import Suspect, answered, plain, unplain
from helpers.beside.tested import outcome
from helpers.errors import BadArgument
from helpers.exercises import find
from helpers.exercises.base import draw_cases
from helpers.exercises.impostors import IMPOSTOR, RIGHT, lineup
from helpers.exercises.unit_04_masking import hidden_attentions as met
from helpers.learner.checking import verdict_of
from helpers.units import UNIT_OF
from helpers.verdict.panel import panel
from helpers.verdict.wording import WORDS
from tools.exercise import plan
from tools.shell import ROOT

NAMES = [name for name in UNIT_OF if find(name).enough]
every = pytest.mark.parametrize("name", NAMES)
both = pytest.mark.parametrize("hidden", [False, True], ids=["visible", "hidden"])
TEN = range(1, 11)


def line_of(name):
    return find(name).lineup


def verdict(name, test, seed=1, sizes="visible"):
    return verdict_of(find(name), test, seed, sizes)


# Whom a test meets


def test_there_are_three():
    assert NAMES == ["test_softmax", "test_attention", "test_multi_head_attention"]


@every
def test_ten_impostors_and_ten_others_none_twice_and_their_riddles_are_short(name):
    line = line_of(name)
    assert len(line.visible) == len(line.hidden) == 10
    starts = [start for start, _ in (*line.visible, *line.hidden)]
    assert len(set(starts)) == 20
    for _, riddle in (*line.visible, *line.hidden):
        assert re.fullmatch(r"(is|gives|returns|keeps) [^.]*\.", riddle)
        assert len(riddle.split()) <= 16
        assert "np." not in riddle


@every
@both
def test_each_impostor_is_a_known_mistake_that_its_own_exercise_refuses(name, hidden):
    line = line_of(name)
    for number in TEN:
        mistake = line.mistake(number, hidden)
        found = verdict_of(find(line.of), line.program(IMPOSTOR, number, hidden), 3)
        assert not found.passed, f"{mistake.id}: {mistake.says}"
        assert mistake in find(line.of).mistakes


@every
@pytest.mark.parametrize("sizes", ["visible", "hidden"])
def test_right_answers_in_odd_styles_are_right(name, sizes):
    line = line_of(name)
    assert len(line.right) >= 3
    for style, program in line.right.items():
        found = verdict_of(find(line.of), program, 2, sizes)
        assert found.passed, f"{style}: {found.says}"


@every
def test_right_answers_differ_in_rounding(name):
    line, rng = line_of(name), np.random.default_rng(0)
    shapes = {
        "softmax": [(40, 7)],
        "attention": [(40, 7)] * 3,
        "multi_head_attention": [(4, 9, 8), *[(8, 8)] * 4],
    }
    args = [rng.normal(size=shape) for shape in shapes[line.of]] + [2] * (line.of == "multi_head_attention")
    results = [program(*args) for program in line.right.values()]
    firsts = [one if isinstance(one, np.ndarray) else one[0] for one in results]
    for other in firsts[1:]:
        np.testing.assert_allclose(firsts[0], other, rtol=1e-9)
    assert sum(not np.array_equal(firsts[0], other) for other in firsts[1:]) >= 2


@every
@pytest.mark.parametrize("sizes", ["visible", "hidden"])
def test_the_order_is_drawn_and_a_right_answer_comes_early_and_late(name, sizes):
    orders = []
    for seed in range(8):
        kinds = [(case.args["kind"], case.args["number"]) for case in draw_cases(find(name), seed, sizes)][
            :-1
        ]
        assert sorted(number for kind, number in kinds if kind == IMPOSTOR) == list(TEN)
        rights = [place for place, (kind, _) in enumerate(kinds) if kind == RIGHT]
        assert len(rights) == len(line_of(name).right)
        assert rights[0] < 5
        assert rights[-1] > len(kinds) - 6
        orders.append(tuple(kinds))
    assert len(set(orders)) == 8


@every
@both
def test_a_small_call_unmasks_each_impostor(name, hidden):
    line = line_of(name)
    right = line.program(RIGHT, 1, hidden)
    for number in TEN:
        call = line.witness(number, hidden)
        assert call, f"no little call shows {line.mistake(number, hidden).id}"
        assert line.differ(call, line.program(IMPOSTOR, number, hidden), right)
        for other in range(1, len(line.right) + 1):
            assert not line.differ(call, line.program(RIGHT, other, hidden), right), call


@every
@both
def test_impostors_differ_from_one_another_on_the_little_calls_or_are_told_apart_by_a_test(name, hidden):
    line = line_of(name)
    patterns = {}
    for number in TEN:
        program = line.program(IMPOSTOR, number, hidden)
        right = line.program(RIGHT, 1, hidden)
        key = tuple(line.differ(call, program, right) for call in line.little)
        patterns.setdefault(key, []).append(number)
    assert len(patterns) >= 6, patterns


# The seven natural tests: a ladder

RNG = np.random.default_rng(0)
draw = RNG.normal
CAUSAL = np.tril(np.ones((4, 4), bool))
BLOCKED = CAUSAL & (np.arange(4) != 1)[:, None]


def against(name, *calls):
    """A test that compares with the reference answer on these calls."""

    def test(function):
        for call in calls:
            copies = [one.copy() if isinstance(one, np.ndarray) else one for one in call]
            got, wanted = function(*copies), getattr(reference, name)(*call)
            for one, other in zip(*(x if isinstance(x, tuple) else (x,) for x in (got, wanted)), strict=True):
                assert np.shape(one) == np.shape(other)
                assert np.allclose(one, other)

    return test


def weights(d):
    return [draw(size=(d, d)) / 2 for _ in range(4)]


_X, _B = draw(size=(3, 5)), draw(size=(2, 3, 5))
NATURAL = {
    "test_softmax": {
        "identity": [(np.eye(3),)],
        "random square": [(draw(size=(4, 4)),)],
        "sizes that differ": [(_X,), (_X, 0)],
        "batch": [(_B,), (_B, 1)],
        "causal": [(np.where(CAUSAL, draw(size=(4, 4)), -np.inf),)],
        "blocked": [(np.array([[0.3, 1.2, -0.5], [-1e9] * 3]),)],
        "huge": [(np.array([[1000.0, 1001.0, 999.0]]),), (np.array([[-1000.0, -1001.3]]),)],
    },
    "test_attention": {
        "identity": [(np.eye(3),) * 3],
        "random square": [tuple(draw(size=(3, 4, 4)))],
        "sizes that differ": [(draw(size=(3, 4)), draw(size=(5, 4)), draw(size=(5, 7)))],
        "batch": [(draw(size=(2, 3, 4)), draw(size=(2, 5, 4)), draw(size=(2, 5, 7)))],
        "causal": [(draw(size=(4, 3)), draw(size=(4, 3)), draw(size=(4, 2)), CAUSAL)],
        "blocked": [(draw(size=(4, 3)), draw(size=(4, 3)), draw(size=(4, 2)), BLOCKED)],
        "huge": [(1000 * draw(size=(3, 4)), draw(size=(5, 4)), draw(size=(5, 7)))],
    },
    "test_multi_head_attention": {
        "identity": [(np.eye(4)[None], *[np.eye(4)] * 4, 2)],
        "random square": [(draw(size=(1, 4, 4)), *weights(4), 2)],
        "sizes that differ": [(draw(size=(1, 5, 12)), *weights(12), 3)],
        "batch": [(draw(size=(2, 5, 12)), *weights(12), 3)],
        "causal": [(draw(size=(1, 4, 4)), *weights(4), 2, CAUSAL)],
        "blocked": [(draw(size=(1, 4, 4)), *weights(4), 2, BLOCKED)],
        "huge": [(1000 * draw(size=(1, 4, 4)), *weights(4), 2)],
    },
}


@functools.cache
def caught(name, kind, hidden=False):
    line = line_of(name)
    test = against(line.of, *NATURAL[name][kind])
    for number in range(1, len(line.right) + 1):
        assert not outcome(test, line.suspect(RIGHT, number, hidden))["raised"], (name, kind, number)
    return {number for number in TEN if outcome(test, line.suspect(IMPOSTOR, number, hidden))["raised"]}


@every
def test_the_natural_tests_are_a_ladder(name):
    counts = {kind: len(caught(name, kind)) for kind in NATURAL[name]}
    assert 2 <= counts["identity"] <= 4
    assert 4 <= counts["random square"] <= 5
    assert 5 <= counts["sizes that differ"] <= 6
    assert max(counts.values()) < find(name).enough, counts
    together = set().union(*(caught(name, kind) for kind in NATURAL[name]))
    assert 8 <= len(together) <= 10


def test_the_page_counts_what_the_natural_tests_catch():
    page = (ROOT / "docs" / "how_good_are_the_checks.md").read_text("utf-8")
    _, _, table = page.partition("| compares on |")
    told = [[int(one) for one in re.findall(r"\b\d+\b", row)] for row in table.splitlines()[2:10]]
    by_kind = zip(*([len(one) for one in _sets(name)] for name in NAMES), strict=True)
    assert told == [list(row) for row in by_kind]


def _sets(name):
    found = [caught(name, kind) for kind in NATURAL[name]]
    return [*found, set().union(*found)]


@every
def test_no_natural_test_catches_the_hidden_ones_alone_and_all_together_do(name):
    found = [caught(name, kind, True) for kind in NATURAL[name]]
    assert max(map(len, found)) < find(name).enough
    assert len(set().union(*found)) >= 9


@every
@pytest.mark.parametrize("sizes", ["visible", "hidden"])
def test_the_reference_test_catches_all_ten(name, sizes):
    for seed in range(3):
        found = verdict(name, getattr(reference, name), seed, sizes)
        assert found.passed, found.says
        assert "all 10" in found.tally


# Riddles are true

SQUARE = [tuple(draw(size=(3, 4, 4))), (np.eye(3), draw(size=(3, 3)), draw(size=(3, 3)))]
ALONE = draw(size=(4, 4)), draw(size=(4, 4))
SYMMETRIC = ALONE[1] + ALONE[1].T
ONE_HEAD = (draw(size=(2, 5, 3)), *weights(3), 1)
W4 = weights(4)
X4 = draw(size=(2, 5, 4))
TRUE_OF = {
    ("test_softmax", 1): [(draw(size=5),), (np.arange(4.0), 0)],
    ("test_softmax", 3): [(np.array([[1.0, -2.0], [0.0, 3.0]]),)],
    ("test_softmax", 4): [(_X, 0), (_X, 1), (_B, -1)],
    ("test_softmax", 5): [(_X,), (_B,), (_B, 2)],
    ("test_softmax", 6): [(_X, 0), (_X,), (_B, 0), (_B, 2)],
    ("test_softmax", 7): [(_X,), (_B, 1)],
    ("test_softmax", 8): [(_X,), (_B, 1)],
    ("test_softmax", 9): [(_X * 100,), (_B, 1)],
    ("test_softmax", 10): [(_X,), (_B, 1)],
    ("test_attention", 2): [(*SQUARE[0], CAUSAL)],
    ("test_attention", 3): [(ALONE[0], SYMMETRIC, draw(size=(4, 2)))],
    ("test_attention", 4): [(draw(size=(3, 4)), ALONE[0], ALONE[0])],
    ("test_attention", 5): SQUARE,
    ("test_attention", 6): [*SQUARE, NATURAL["test_attention"]["sizes that differ"][0]],
    ("test_attention", 7): [*SQUARE, NATURAL["test_attention"]["batch"][0]],
    ("test_attention", 8): [(*SQUARE[0], CAUSAL), SQUARE[0]],
    ("test_attention", 9): [(*SQUARE[0], BLOCKED), SQUARE[0]],
    ("test_attention", 10): SQUARE,
    ("test_multi_head_attention", 2): [ONE_HEAD, (draw(size=(2, 1, 4)), *W4, 2)],
    ("test_multi_head_attention", 4): [(X4, W4[0], W4[0], *W4[2:], 2)],
    ("test_multi_head_attention", 5): [(X4, *W4[:3], SYMMETRIC, 2)],
    ("test_multi_head_attention", 6): [(X4, *W4, 2)],
    ("test_multi_head_attention", 7): [(X4[:1], *W4, 2)],
    ("test_multi_head_attention", 8): [(X4, *W4, 2, np.tri(5, dtype=bool))],
    ("test_multi_head_attention", 9): [(X4, *W4, 2)],
    ("test_multi_head_attention", 10): [(X4, *W4, 2, np.tri(5, dtype=bool)), (X4, *W4, 2)],
}


@pytest.mark.parametrize(("name", "number"), TRUE_OF)
def test_what_a_riddle_calls_right_is_right(name, number):
    line = line_of(name)
    said = outcome(against(line.of, *TRUE_OF[name, number]), line.suspect(IMPOSTOR, number, False))
    if (name, number) == ("test_softmax", 10):  # it changes its input, and returns what is right
        assert line.riddle(number, False).startswith("returns the right weights")
    assert not said["raised"], (line.riddle(number, False), said)


# What is said


@pytest.mark.slow
@every
def test_every_wrong_test_of_the_bank_is_named_in_few_words_whatever_is_drawn(name):
    for answer in registry.load()[1]:
        if answer.exercise == name:
            for seed, sizes in [(1, "visible"), (2, "visible"), (3, "hidden")]:
                found = verdict(name, answer.obj, seed, sizes)
                assert not found.passed
                assert found.misconception == answer.mistake, (answer.note, found.says)
                assert len(found.says.split()) <= WORDS


def failing(name, test):
    with pytest.raises(CheckFailed) as failed:
        check(name, test, seed=1)
    return failed.value


def two_known(softmax):
    assert np.allclose(softmax(np.array([0.0, np.log(3)])), [0.25, 0.75])


def test_riddles_of_the_lowest_rungs_are_told_and_the_rest_by_number_and_all_in_the_panel():
    found = verdict("test_softmax", two_known)
    line = line_of("test_softmax")
    assert "catches 2 of 10 impostors; 8 are asked for" in found.says
    assert "Still here: 1, 4, 5, 6, 7, 8, 9, 10." in found.says
    assert f"Impostor 1 {line.riddle(1, False)}" in found.hint
    drawn = panel(find("test_softmax"), found, "")._repr_html_()
    for number in (1, 4, 5, 6, 7, 8, 9, 10):
        assert f"<td>{number}</td>" in re.sub(' style="[^"]*"', "", drawn)
        assert html.escape(line.riddle(number, False)).replace("`", "") in re.sub("</?code>", "", drawn)
    secrets = [line.mistake(number, False) for number in TEN]
    assert not any(one.says in drawn or one.id in drawn for one in secrets)


def test_a_wrong_accusation_is_told_first_and_alone_with_line_and_numbers():
    def accuses(softmax):
        total = softmax(np.arange(7.0) / 3).sum()
        assert total == 1.0000001

    found = verdict("test_softmax", accuses)
    assert found.misconception == "accuses-right-answer"
    assert "`assert total == 1.0000001`" in found.says
    assert "right 1.0000001" in found.says
    assert "impostor" not in found.says
    assert found.roster is None


def test_a_row_that_is_compared_with_one_number_is_told_of_rounding():
    def accuses(softmax):
        x = np.sin(np.arange(350.0)).reshape(50, 7)
        assert (softmax(x).sum(axis=-1) == 1.0).all()

    assert "np.allclose" in verdict("test_softmax", accuses).hint


def test_an_assert_behind_the_try_is_not_said_to_be_caught():
    def swallows_errors_alone(softmax):
        right = True
        try:
            right = np.allclose(softmax(np.zeros(2)), 0.5)
        except Exception as error:
            print(error)
        assert right

    def swallows_its_assert(softmax):
        try:
            assert np.allclose(softmax(np.zeros(2)), 0.7)
        except AssertionError as error:
            print(error)

    assert verdict("test_softmax", swallows_errors_alone).misconception == "impostors-missed"
    assert verdict("test_softmax", swallows_its_assert).misconception == "swallows-errors"


def test_a_fixed_dtype_accuses():
    def accuses(softmax):
        assert softmax(np.ones(3, np.float32)).dtype == np.float64

    found = verdict("test_softmax", accuses)
    assert found.misconception == "accuses-right-answer"
    assert "float32" in found.says


def test_after_passing_names_sentences_and_little_calls_are_shown(capsys):
    check("test_softmax", reference.test_softmax, seed=4)
    said = capsys.readouterr().out
    line = line_of("test_softmax")
    for number in TEN:
        mistake = line.mistake(number, False)
        assert mistake.id in said
        assert mistake.says in said
        assert line.witness(number) in said


def test_after_hidden_ones_and_after_few_no_name_is_shown(capsys):
    check("test_softmax", reference.test_softmax, seed=4, sizes="hidden")
    check("test_softmax", reference.test_softmax, seed=4, caught=5)
    said = capsys.readouterr().out
    assert "right so far" in said
    assert "global-max" not in said
    assert "first-row-max" not in said


def test_five_are_enough_for_the_first_point():
    def five(softmax):
        for x, axis in [(_X, -1), (_X, 0)]:
            assert np.allclose(softmax(x, axis), reference.softmax(x, axis))
        assert np.allclose(softmax(_X), reference.softmax(_X))

    assert not verdict("test_softmax", five).passed
    check("test_softmax", five, seed=1, caught=5)


@pytest.mark.parametrize("many", [0, 11, True, "5", 2.5])
def test_an_odd_number_of_impostors_is_refused(many):
    with pytest.raises(BadArgument, match="caught"):
        check("test_softmax", reference.test_softmax, caught=many)


def test_caught_belongs_to_tests():
    with pytest.raises(BadArgument, match="softmax is none"):
        check("softmax", reference.softmax, caught=5)


# Bad input: one sentence each


def test_a_test_that_never_returns(monkeypatch):
    monkeypatch.setattr("helpers.beside.probe.SECONDS", 0.2)

    def endless(softmax):
        while True:
            pass

    assert failing("test_softmax", endless).misconception == "never-ends"


def test_a_test_that_prints_a_million_lines(capfd):
    def talks(softmax):
        print("line\n" * 70_000)
        assert np.allclose(softmax(np.zeros(2)), 0.5)

    assert failing("test_softmax", talks).misconception == "impostors-missed"
    assert len("".join(capfd.readouterr())) < 5000


def test_a_test_that_ends_the_program():
    def leaves(softmax):
        raise SystemExit

    assert "SystemExit" in str(failing("test_softmax", leaves))


@pytest.mark.parametrize("test", [3, None, "text"])
def test_no_function(test):
    assert "should be a function" in str(failing("test_softmax", test))


def test_not_answered():
    def test_softmax(softmax):
        raise NotImplementedError("not answered yet")

    assert "is not answered yet" in str(failing("test_softmax", test_softmax))


@pytest.mark.parametrize("what", [object(), print, {1}, np.array(["a"]), np.array([None]), b"x"])
def test_what_cannot_be_handed_in(what):
    found = verdict("test_softmax", lambda softmax: softmax(what))
    assert found.misconception == "wrong-argument"
    assert "hand in arrays" in found.says


def test_too_many_numbers_at_once():
    assert verdict("test_softmax", lambda f: f(np.zeros(10**6))).misconception == "input-too-large"


# A suspect: the same here and there


def test_values_cross_and_come_back():
    arrays = []
    value = [
        1,
        True,
        None,
        2.5,
        "text",
        1j,
        np.float32(3),
        (np.arange(3), [np.ones((2, 1), bool)]),
        {"a": np.zeros(0)},
    ]
    back = unplain(plain(value, arrays))
    assert len(arrays) == 3
    assert [type(one) for one in back] == [type(one) for one in [*value[:5], np.complex128(1), *value[6:]]]
    np.testing.assert_array_equal(back[7][1][0], np.ones((2, 1), bool))


def test_what_is_written_into_an_argument_is_written_there_and_what_is_read_only_raises():
    def spoils(x):
        x += 1
        return x * 1

    x = np.zeros(3)
    assert Suspect(answered(spoils))(x).tolist() == [1, 1, 1]
    assert x.tolist() == [1, 1, 1]
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        Suspect(answered(spoils))(x)


def test_errors_arrive_as_pythons_own_with_their_text():
    def fails(x):
        raise np.exceptions.AxisError("axis 3")

    with pytest.raises(ValueError, match="axis 3"):
        Suspect(answered(fails))(1)


@pytest.mark.filterwarnings("error")
def test_warnings_and_settings_of_a_test_change_nothing():
    with np.errstate(all="raise"):
        assert np.isnan(Suspect(answered(lambda x: np.exp(x) / np.exp(x)))(np.array([1000.0]))).all()


@pytest.mark.parametrize(
    "name", ["__code__", "__closure__", "__name__", "__dict__", "__self__", "_ask", "_calls", "__doc__"]
)
def test_nothing_of_a_suspect_can_be_looked_at(name):
    suspect = Suspect(answered(np.exp))
    with pytest.raises(ProbeError) as looked:
        getattr(suspect, name)
    assert looked.value.misconception == "looks-inside"
    assert not hasattr(suspect, name)
    with pytest.raises(ProbeError):
        setattr(suspect, name, 3)


def test_libraries_that_ask_for_a_name_can_use_a_suspect():
    def fails(x):
        raise ValueError("no")

    suspect = Suspect(answered(fails))
    np.testing.assert_raises(ValueError, suspect, 3)
    assert callable(suspect)
    assert np.vectorize(Suspect(answered(lambda x: 2 * x)))([1.0, 2.0]).tolist() == [2, 4]


# The hidden attentions of unit 04


def test_every_hidden_attention_that_leaks_has_a_riddle_and_no_causal_one():
    known = {*met.KINDS, met.SMALLER, met.LARGER}
    assert find("leaks_future").riddles.keys() == known
    assert {kind for kind, riddle in find("leaks_future").riddles.items() if not riddle} == set(met.CAUSAL)


def test_a_detector_is_shown_what_it_found_what_is_still_here_and_whom_it_accused():
    def first_row_alone(attend, n, d):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(n, d))
        return any(not np.array_equal(attend(X)[0], attend(_changed(X, t, rng))[0]) for t in range(1, n))

    rows = verdict("leaks_future", first_row_alone).roster.rows
    states = {row[1] for row in rows}
    assert {"found", "still here", "let through", "wrongly accused"} >= states >= {"found", "still here"}
    drawn = panel(find("leaks_future"), verdict("leaks_future", first_row_alone), "")._repr_html_()
    assert "still here" in drawn
    for _, state, told in rows:
        assert (state == "still here") == told.startswith("It ")
    accused = verdict("leaks_future", lambda attend, n, d: n > 1).roster.rows
    assert {row[2] for row in accused if row[1] == "wrongly accused"} == set(met.CAUSAL)
    assert not any(row[1] == "still here" for row in accused)


def _changed(X, t, rng):
    changed = X.copy()
    changed[t] = rng.normal(size=X.shape[1])
    return changed


# An instructor's own


def test_a_lineup_of_ones_own_is_a_list_of_ids_and_right_answers():
    own = lineup(
        "test_dot",
        hints=("Which input?",),
        of="dot",
        enough=1,
        visible=(("breaks-at-zero: Your sum", "is right where no product is 0."),),
        right={"a product": lambda a, b: a @ b, "a sum": lambda a, b: (a * b).sum()},
    )

    def test(dot):
        assert np.isclose(dot(np.array([1.0, 0.0, 3.0]), np.array([3.0, 5.0, 7.0])), 24)

    found = verdict_of(own, test, 1)
    assert found.passed, found.says
    assert not verdict_of(own, lambda dot: None, 1).passed


def test_make_exercise_writes_a_record_of_a_test_that_can_be_read(tmp_path):
    for part in ("helpers/units.py", "solutions/01_dot_product/01_dot_product.ipynb"):
        (tmp_path / part).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / part).write_text((ROOT / part).read_text("utf-8"), "utf-8")
    made = plan(tmp_path, "01_dot_product", "test_dot", own=True)
    text = made[tmp_path / "own/unit_01_dot_product/test_dot.py"]
    space = {}
    exec(compile(text, "test_dot.py", "exec"), space)
    record = space["EXERCISE"]
    assert (record.name, record.enough) == ("test_dot", 1)
    assert verdict_of(record, lambda dot: None, 1).misconception == "never-called"
    assert text.count("FILL IN") >= 6
