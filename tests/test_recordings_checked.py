"""What a learner's process may send as a recording: nothing is taken for granted, and no stage is claimed."""

import copy
import functools
import json
from types import SimpleNamespace

import numpy as np
import pytest

from banks import registry
from grading import traces
from grading.inside.traced import sendable
from grading.outside.processes import Ended
from grading.outside.recordings import LARGEST, checked_recording
from grading.traces import HTML, Failed
from helpers.beside import wire
from helpers.beside.traced_call import traced_call
from helpers.exercises import find
from helpers.exercises.base import draw_cases
from helpers.exercises.stages import stages
from helpers.units import UNIT_OF
from helpers.verdict.judge import right_result
from helpers.verdict.staged import staged, untraceable
from helpers.views.trace_page import in_words

pytestmark = [pytest.mark.needs("sandbox")]

DELETE = object()
DEEP = "x"
for _ in range(400):
    DEEP = [DEEP]


def good():
    """A message as an honest process sends it: two functions, an array, a tuple, an error."""
    array = {"kind": "array", "shape": [2, 2], "type": "float64", "sums": "rows", "at": 0}
    items = [
        {"kind": "number", "type": "float", "numbers": 0.5, "at": 1},
        {"kind": "nothing", "says": "None"},
    ]
    pair = {"kind": "tuple", "says": "a tuple of 2", "items": items}
    step = {"of": 0, "line": 2, "turn": 1, "turns": 1, "call": 1, "depth": 0, "uses": ["x"], "makes": []}
    data = {
        "functions": [
            {"name": "softmax", "first": 1, "lines": ["def softmax(x):", "    w = x", "    f()"], "calls": 1},
            {"name": "f", "first": 7, "lines": ["def f():", "    raise E"], "calls": 1},
        ],
        "given": {"0": [{"name": "x", "what": {"kind": "array", "shape": [2, 2], "type": "float64"}}]},
        "steps": [
            step | {"makes": [{"name": "w", "what": array, "how": "new"}], "returns": pair},
            step | {"of": 1, "line": 8, "depth": 1, "from": {"of": 0, "line": 3}, "raises": "E: no"},
        ],
        "left_out": ["What other threads do is left out."],
    }
    return {"recording": data, "arrays": [np.full((2, 2), 0.5), np.array(0.5)]}


def changed(path, value):
    """An honest message with something else, or nothing, in one place."""
    message = good()
    *way, last = path
    place = message
    for one in way:
        place = place[one]
    if value is DELETE:
        del place[last]
    else:
        place[last] = value
    return message


R = ("recording",)
FUNCTION, STEP = (*R, "functions", 0), (*R, "steps", 0)
WHAT = (*STEP, "makes", 0, "what")
LONG = "x" * 10_000_000

MALFORMED = {
    "no recording": None,
    "a text": "right",
    "empty": {},
    "a mark": good() | {"passed": True},
    "no arrays": changed(("arrays",), DELETE),
    "data is a list": changed(R, []),
    "data is an array": changed(R, np.ones(3)),
    "unsendable": {"unsendable": "no"},
    "stages of its own": changed((*R, "stages"), ["weights"]),
    "facts of its own": changed((*R, "facts"), ["All of it is right."]),
    "no steps": changed((*R, "steps"), DELETE),
    "steps are a dict": changed((*R, "steps"), {}),
    "too many steps": changed((*R, "steps"), [good()["recording"]["steps"][1]] * 401),
    "too many functions": changed((*R, "functions"), good()["recording"]["functions"][:1] * 61),
    "a function of another index": changed((*STEP, "of"), 2),
    "a function before the first": changed((*STEP, "of"), -1),
    "a function by truth": changed((*STEP, "of"), True),
    "a line of another cell": changed((*STEP, "line"), 99),
    "line 0": changed((*STEP, "line"), 0),
    "a line that is a text": changed((*STEP, "line"), "<b>2</b>"),
    "half a line": changed((*STEP, "line"), 2.5),
    "turn 0": changed((*STEP, "turn"), 0),
    "more turns than there are": changed((*STEP, "turn"), 3),
    "a call without end": changed((*STEP, "call"), 10**30),
    "a depth below": changed((*STEP, "depth"), -1),
    "called from nowhere": changed((*R, "steps", 1, "from"), {"of": 7, "line": 1}),
    "called from a text": changed((*R, "steps", 1, "from"), "line 1"),
    "given to a function that is not there": changed((*R, "given", "5"), []),
    "given under a number": changed((*R, "given"), {"zero": []}),
    "a stage claimed": changed((*WHAT, "stage"), 6),
    "a stage claimed in an item": changed((*STEP, "returns", "items", 0, "stage"), 0),
    "turned claimed": changed((*WHAT, "turned"), True),
    "unsure claimed": changed((*WHAT, "unsure"), True),
    "a stage claimed of what was given": changed((*R, "given", "0", 0, "what", "stage"), 0),
    "an array of what was given": changed((*R, "given", "0", 0, "what", "at"), 0),
    "an array past the end": changed((*WHAT, "at"), 2),
    "an array from the end": changed((*WHAT, "at"), -1),
    "an array twice": changed((*STEP, "returns", "items", 0, "at"), 0),
    "an array that nobody names": changed((*WHAT, "at"), DELETE),
    "another shape than its array": changed((*WHAT, "shape"), [3, 2]),
    "a shape of texts": changed((*WHAT, "shape"), ["<script>"]),
    "a shape below nothing": changed((*WHAT, "shape"), [-2, 2]),
    "no type": changed((*WHAT, "type"), DELETE),
    "a type with blanks": changed((*WHAT, "type"), "float64 <b>"),
    "a map that nobody draws": changed((*WHAT, "numbers"), [[1.0]]),
    "an unknown kind": changed((*WHAT, "kind"), "right"),
    "a kind that is a list": changed((*WHAT, "kind"), ["array"]),
    "sums of a third kind": changed((*WHAT, "sums"), "all"),
    "odd words": changed((*WHAT, "odd"), "1 nan ✓ weights"),
    "NaN": changed((*STEP, "returns", "items", 0, "numbers"), float("nan")),
    "infinity": changed((*STEP, "returns", "items", 0, "numbers"), float("inf")),
    "a number without end": changed((*STEP, "returns", "items", 0, "numbers"), 10**400),
    "a number that is a list": changed((*STEP, "returns", "items", 0, "numbers"), [1]),
    "items in items": changed((*STEP, "returns", "items", 0, "items"), []),
    "five items": changed((*STEP, "returns", "items"), [{"kind": "nothing"}] * 5),
    "a name with markup": changed((*STEP, "makes", 0, "name"), "<script>alert(1)</script>"),
    "a function with markup": changed((*FUNCTION, "name"), "f<img src=x onerror=alert(1)>"),
    "a name without end": changed((*STEP, "makes", 0, "name"), "x" * 201),
    "an empty name": changed((*STEP, "uses"), [""]),
    "uses without end": changed((*STEP, "uses"), ["x"] * 101),
    "made by magic": changed((*STEP, "makes", 0, "how"), "magic"),
    "the same as a list": changed((*WHAT, "same"), ["x"]),
    "10 MB in a line": changed((*FUNCTION, "lines", 1), LONG),
    "10 MB in a name": changed((*FUNCTION, "name"), LONG),
    "10 MB in an error": changed((*R, "steps", 1, "raises"), LONG),
    "lines without end": changed((*FUNCTION, "lines"), ["x"] * 601),
    "two lines in one": changed((*FUNCTION, "lines", 1), "a\nb"),
    "a line that is a number": changed((*FUNCTION, "lines", 1), 7),
    "deep": changed((*WHAT, "says"), DEEP),
    "deep in the steps": changed((*R, "steps"), DEEP),
    "deeper than Python goes": changed((*R, "steps"), json.loads("[" * 900 + "]" * 900)),
    "sentences without end": changed((*R, "left_out"), ["x"] * 101),
    "much of all": changed((*FUNCTION, "lines"), ["x" * 999] * 400),
    "arrays are a dict": changed(("arrays",), {}),
    "an array of objects": changed(("arrays", 0), np.full((2, 2), None)),
    "an array of texts": changed(("arrays", 0), np.full((2, 2), "x")),
    "an array that is a list": changed(("arrays", 0), [[0.5, 0.5], [0.5, 0.5]]),
    "an empty array": changed(("arrays", 0), np.ones((0, 2))),
    "a large array": changed(("arrays", 0), np.ones(20_001)),
    "too many arrays": changed(("arrays",), [np.ones(1)] * 401),
    "arrays too large in all": changed(("arrays",), [np.ones(20_000)] * 14),
}


@pytest.mark.parametrize("what", MALFORMED)
def test_anything_else_is_refused(what):
    with pytest.raises(ValueError, match=r"its process should have sent [^<>]{1,120} something else$"):
        checked_recording(MALFORMED[what])


def test_an_honest_recording_passes_and_none_is_none():
    assert len(MALFORMED) >= 30
    sent = wire.unpack(wire.pack(good()))
    assert checked_recording(sent).data == good()["recording"]
    assert checked_recording({"recording": None}) is None


@pytest.mark.parametrize("name", [name for name in UNIT_OF if not untraceable(find(name))])
def test_what_the_recorder_makes_is_a_recording(name):
    """And tells the same on the other side as where it was made."""
    right, wrong = registry.load()  # what keeps state is recorded as it was written
    exercise = find(name)
    cases = draw_cases(exercise, 3)

    def here(answer, args):
        return traced_call(exercise, answer, args, 5.0)

    def sent(answer, args):
        return checked_recording(wire.unpack(wire.pack(sendable(here(answer, args)))))

    some = [one for one in right if one.exercise == name][:1]
    some += [one for one in wrong if one.exercise == name][::40]
    for answer in some:
        calls = [functools.partial(call, answer.obj) for call in (here, sent)]
        two = [staged(exercise, cases[0], cases, call) for call in calls]
        if two[0] is not None:
            words = [in_words(one.data | {"title": name, "why": ""}) for one in two]
            assert words[0] == words[1]
            assert len(json.dumps(two[1].data)) < LARGEST


# What is well-formed and lies


class Forger:
    """Stands for the process of a submission."""

    def __init__(self, message, then=None):
        self.message, self.then, self.asked = message, then, 0

    def trace(self, _exercise, _args, _seconds):
        self.asked += 1
        if isinstance(self.message, Exception):
            raise self.message
        return copy.deepcopy(self.then if self.then and self.asked > 1 else self.message)


def page(message, name="softmax", count=1, then=None):
    """What is added to the panels of failing checks, and how often the process was asked."""
    exercise, forger = find(name), Forger(message, then)
    cases = draw_cases(exercise, 0)
    outputs = [{"data": {HTML: "<p>panel</p>"}} for _ in range(count)]
    traces.add(forger, [Failed(exercise, cases[0], cases, one) for one in outputs])
    return [one["data"][HTML].removeprefix("<p>panel</p>") for one in outputs], forger.asked


MARKUP = "</pre></td><script>alert(1)</script><img src=x onerror=alert(1)>"


@pytest.mark.parametrize(
    "path",
    [
        (*FUNCTION, "lines", 1),
        (*R, "steps", 1, "raises"),
        (*R, "left_out", 0),
        (*STEP, "returns", "items", 1, "says"),
    ],
)
def test_markup_is_shown_and_not_obeyed(path):
    if path[-1] == "says":
        message = changed(path[:-1], {"kind": "object", "says": MARKUP})
    else:
        message = changed(path, MARKUP)
    ((told,), _) = page(message)
    assert told.count("<script") == told.count("<img") == 0
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in told


def test_characters_that_a_terminal_obeys_are_replaced():
    ((told,), _) = page(changed((*FUNCTION, "lines", 1), "\x1b[31m\x00\x9b2J\ud800 red"))
    assert not any(sign in told for sign in "\x1b\x00\x9b\ud800")
    assert "red" in told


def test_a_stage_is_found_by_its_numbers_alone():
    """A line that is called so is none; one with its numbers is, if it does not lack them in another call."""
    exercise = find("softmax")
    case = draw_cases(exercise, 0)[0]
    weights = stages(exercise, case.args, right_result(exercise, case))["weights"]
    message = changed((*STEP, "makes", 0, "name"), "weights")
    message["recording"]["steps"][0]["makes"][0]["what"]["shape"] = list(weights.shape)
    message["arrays"][0] = np.full(weights.shape, 0.123)
    assert "✓ weights" not in page(message)[0][0]
    message["arrays"][0] = weights
    assert "✓ weights" not in page(message)[0][0]
    assert "✓ weights" in page(message, then={"recording": None})[0][0]


@pytest.mark.parametrize(
    "message",
    [
        *(MALFORMED[what] for what in ("a stage claimed", "10 MB in a line", "deep", "unsendable", "NaN")),
        {"recording": None},
        changed((*R, "steps"), []) | {"arrays": []},
        changed((*FUNCTION, "lines"), ["x" * 300] * 100),
        RuntimeError("the warm process was killed"),
        MemoryError(),
        RecursionError(),
    ],
    ids=range(11),
)
def test_what_cannot_be_told_leaves_the_panel_as_it_was(message):
    told, asked = page(message, count=3)
    assert told == ["", "", ""]
    assert asked in (3, 6), "each once, or once more in another call"


def test_after_the_end_of_a_process_nothing_more_is_asked():
    assert page(Ended("its process has ended"), count=3) == (["", "", ""], 1)


def test_so_many_are_asked_for_and_no_more():
    told, _ = page(good(), count=traces.MOST + 5)
    assert [bool(one) for one in told] == [True] * traces.MOST + [False] * 5


@pytest.mark.parametrize("name", ["right_divisor", "leaks_future", "test_softmax"])
def test_what_has_no_lines_or_is_handed_a_function_is_not_asked_for(name):
    exercise, forger = find(name), Forger(good())
    traces.add(forger, [Failed(exercise, SimpleNamespace(says="", args={}), (), {"data": {HTML: ""}})])
    assert forger.asked == 0
