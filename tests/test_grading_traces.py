"""The learner's own lines in the feedback: as in the notebook; no mark, finding or flag depends on them."""

import contextlib
import copy
import linecache
import re
import textwrap
import time
from html import unescape
from html.parser import HTMLParser

import nbformat
import numpy as np
import pytest
import torch

from grading import plugins, submission, traces
from grading.checker import Checker
from grading.outside.processes import Ended, Notebook, Warm
from grading.term import gradebook, syllabus
from grading.traces import HTML, SUMMARY
from helpers import units
from helpers.exercises import find
from helpers.exercises.base import draw_cases
from helpers.learner.checking import verdict_of
from helpers.learner.traced_case import traced_case
from helpers.views.trace_page import in_words
from tests import attacks, classroom, sample_learners

pytestmark = [pytest.mark.needs("sandbox"), pytest.mark.slow]

UNIT = "05_softmax"
FOLD = re.compile(r"<details>.*?</details>", re.DOTALL)
MARKUP = "</pre></td><script>probe_of()</script><img src=x onerror=probe_of()>"

SOFTMAX = f"""
import numpy as np
# so that lines have other numbers than in the function
def softmax(x, axis=-1):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))  # {MARKUP}
    sums = exponentials.sum(axis=-2, keepdims=True)
    return exponentials / sums
"""
MASKED = """
def soft(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)

def masked_softmax(scores, allowed):
    found = []
    for i in range(3):
        found.append(i)
    weights = soft(scores)
    return weights * allowed
"""
TEMPERATURE = """
def softmax_with_temperature(x, temperature):
    return softmax_of(x * temperature)

def softmax_of(x):
    raise SystemExit("<b>no</b>")
"""
ANSWERS = {"softmax": SOFTMAX, "masked_softmax": MASKED, "softmax_with_temperature": TEMPERATURE}
ON_TRACE = """
import sys, os, ctypes, time
def softmax(x, axis=-1):
    if sys.gettrace(): {does}
    return x
"""
"""What an answer may do when it notices that it is recorded."""

DOES = {
    "exits": "os._exit(3)",
    "exits for good": "ctypes.CDLL(None)._exit(3)",
    "is killed": "ctypes.string_at(0)",
    "leaves": "raise SystemExit(0)",
    "presses stop": "raise KeyboardInterrupt",
    "raises what is no error": "raise BaseException('x')",
    "loops for ever": "\n        while True: pass",
    "loops for ever in C": "sum(iter(int, 1))",
    "waits": "time.sleep(10**6)",
    "takes the memory": "return np.ones(2**33)",
    "goes down for ever": "return softmax(x)",
    "traces by itself": "sys.settrace(lambda *all: 1 / 0)",
    "prints": "print('x' * 10**6)",
    "is right from now on": "x = np.exp(x - x.max(axis, keepdims=True)); x = x / x.sum(axis, keepdims=True)",
    "writes to every descriptor": "[os.write(int(n), b'xyz') for n in os.listdir('/proc/self/fd')[3:-1]]",
}


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    folder = classroom.open_course(tmp_path_factory.mktemp("traces") / "course", [UNIT])
    return folder, submission.settings(folder)


@pytest.fixture(scope="module")
def graded(course):
    """A submission with three wrong answers and right ones, graded, with its feedback."""
    folder, _ = course
    classroom.hand_in(folder, UNIT, "ada", {**classroom.solved(UNIT), **ANSWERS})
    notebook, report, _ = grade(course, "ada")
    assert sample_learners.nbgrader(folder, "generate_feedback", UNIT).returncode == 0
    return notebook, report, (folder / "feedback" / "ada" / UNIT / f"{UNIT}.html").read_text("utf-8")


def grade(course, student, unit=UNIT):
    """Grade one; the graded notebook, the report, and the seconds that it took."""
    folder, config = course
    list(syllabus.learn(config, unit))
    start = time.monotonic()
    report = submission.grade(config, unit, student, gradebook.judged_by(config, unit))
    seconds = time.monotonic() - start
    assert not report.reason, report.reason
    path = folder / "autograded" / student / unit / f"{unit}.ipynb"
    return nbformat.read(path, as_version=4), report, seconds


def folded(notebook):
    """What is folded below each test, by the name of its cell."""
    found = {}
    for cell in notebook.cells:
        shown = "".join(one.get("data", {}).get(HTML, "") for one in cell.get("outputs", ()))
        if SUMMARY in shown:
            found[cell.metadata.nbgrader.grade_id] = FOLD.findall(shown)
    return found


def words(html):
    """The text of a page, with signs for their names."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


def without(notebook):
    """The graded notebook as text, with nothing folded in it."""
    return FOLD.sub("", "\n".join(repr(dict(cell)) for cell in notebook.cells))


def own_trace(name, source):
    """What the trace of the learner's notebook says of the call of the check."""
    text, file = source.removeprefix("\n"), f"/tmp/ipykernel_1/{name}.py"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    space = {"np": np, "torch": torch}
    exec(compile(text, file, "exec"), space)
    exercise, answer = find(name), space[name]
    case = verdict_of(exercise, answer, 0).case
    found = traced_case(exercise, answer, case, draw_cases(exercise, 0), 5.0)
    return in_words(found.data | {"title": name, "why": case.says})


@pytest.mark.parametrize("name", ANSWERS)
def test_the_feedback_says_what_the_notebook_says(graded, name):
    notebook, report, page = graded
    source = next(
        one.source for one in notebook.cells if name == one.metadata.get("nbgrader", {}).get("grade_id")
    )
    (told,) = next(some for cell, some in folded(notebook).items() if some and f"<b>{name}, line" in some[0])
    assert report.points[name] < report.of[name]
    assert told == f"<details><summary>{SUMMARY}</summary>{own_trace(name, source)}</details>"
    assert len(told) < traces.LARGEST
    assert words(told) in words(page)


def test_right_answers_and_blanks_have_none(graded, course):
    wrong = {name for name, points in graded[1].points.items() if points < graded[1].of[name]}
    assert wrong == {*ANSWERS, "attention"}  # which calls another one
    assert set(map(units.tested_by, folded(graded[0]))) == wrong
    classroom.hand_in(course[0], UNIT, "blank")
    assert folded(grade(course, "blank")[0]) == {}


def test_the_line_that_is_a_stage_has_its_sign(graded):
    (told,) = [one for some in folded(graded[0]).values() for one in some if "<b>softmax, line" in one]
    rows = [re.sub(r"<[^>]*>", " ", row) for row in told.split("<tr>")]
    (line,) = [row for row in rows if "exponentials = np.exp" in row]
    assert "✓ exponentials" in line
    assert "✓" not in next(row for row in rows if "sums = exp" in row)


def test_nothing_that_the_learner_wrote_is_obeyed(graded):
    found = []

    class Page(HTMLParser):
        def handle_starttag(self, tag, attrs):
            found.extend(name for name, value in attrs if "probe_of" in (value or ""))

        def handle_data(self, data):
            found.extend([data] if self.cdata_elem == "script" and "probe_of" in data else [])

    Page().feed(graded[2])
    assert found == []
    shown = [one for some in folded(graded[0]).values() for one in some]
    assert any("&lt;script&gt;probe_of()" in one for one in shown)
    assert not any("<script" in one or "<img" in one for one in shown)


def test_hidden_tests_show_their_panel_alone(course):
    """An answer that is wrong on sizes alone that nobody has seen."""
    seen = {case.args["x"].shape for case in draw_cases(find("softmax"), 0)}
    source = (
        "import numpy as np\n"
        "def softmax(x, axis=-1):\n"
        f"    if x.shape not in {seen}: return x\n"
        "    x = np.exp(x - x.max(axis, keepdims=True))\n"
        "    return x / x.sum(axis, keepdims=True)"
    )
    classroom.hand_in(course[0], UNIT, "hidden", {"softmax": source})
    notebook, report, _ = grade(course, "hidden")
    shown = next(str(one.outputs) for one in notebook.cells if "softmax: right." in str(one.get("outputs")))
    assert "≠ marks the entries that differ." in shown
    assert "(More random inputs than you have seen.)" in shown
    assert report.points["softmax"] == 0
    assert folded(notebook) == {}


def both(course, monkeypatch, student):
    """A submission graded without traces, and with them."""
    with monkeypatch.context() as patch:
        patch.setattr(plugins.traces, "add", lambda *_: None)
        off = grade(course, student)
    return off, grade(course, student)


def same(off, on):
    """Marks, findings, flags and all but what is folded are the same."""
    (notebook, report, _), (other, again, _) = off, on
    keep = {name: value for name, value in vars(report).items() if name != "seconds"}
    assert {name: value for name, value in vars(again).items() if name != "seconds"} == keep
    assert folded(notebook) == {}
    assert without(other) == without(notebook)


@pytest.mark.parametrize("does", DOES)
def test_whatever_an_answer_does_when_it_is_recorded_nothing_else_differs(course, monkeypatch, does):
    answers = {"softmax": ON_TRACE.format(does=DOES[does]), "masked_softmax": MASKED}
    student = f"does-{list(DOES).index(does)}"
    classroom.hand_in(course[0], UNIT, student, {**classroom.solved(UNIT), **answers})
    off, on = both(course, monkeypatch, student)
    same(off, on)
    assert "softmax" in on[1].says
    assert "softmax" not in on[1].blank
    assert on[2] < off[2] + traces.MOST * traces.SECONDS + 10


COUNTS = """
import ctypes, pathlib
import numpy as np
CALLS, FILE = [], pathlib.Path("calls")
def softmax(x, axis=-1):
    CALLS.append(len(CALLS))
    with FILE.open("a") as file: file.write(".")
    if FILE.stat().st_size == {number}: {does}
    return x + len(CALLS) * {number}
"""


@pytest.mark.parametrize("number", [1, 12, 40])
@pytest.mark.parametrize("does", ["ctypes.CDLL(None)._exit(3)", "raise MemoryError"])
def test_answers_that_count_their_calls(course, monkeypatch, number, does):
    """In a check that ends them, in the trace, or in neither."""
    student = f"counts-{number}-{len(does)}"
    classroom.hand_in(
        course[0],
        UNIT,
        student,
        {**classroom.solved(UNIT), "softmax": COUNTS.format(number=number, does=does)},
    )
    same(*both(course, monkeypatch, student))


@pytest.mark.parametrize("number", range(6))
def test_a_class_has_the_same_marks_with_and_without(course, monkeypatch, number):
    student = f"learner-{number}"
    classroom.hand_in(course[0], UNIT, student, classroom.made_up(UNIT, number))
    same(*both(course, monkeypatch, student))


# The attacks of the bank, and forged recordings


@pytest.fixture(scope="module")
def warm():
    with Warm().ready() as one:
        yield one


SAMPLE = [one for one in attacks.INSIDE if one.exercise and not one.ends][::4]


@pytest.mark.parametrize("attack", SAMPLE, ids=lambda one: one.name)
def test_attacks_find_the_same_door_closed(warm, attack):
    with Notebook(warm, {}) as notebook:
        for cell in attack.cells:
            with contextlib.suppress(Ended):
                notebook.run(cell.replace("@COURSE@", "[]"))
        checker = Checker(notebook)
        shown = checker.run(f"check({attack.exercise!r})")
        before, texts = copy.deepcopy(checker.findings), [dict(one) for one in copy.deepcopy(shown)]
        start = time.monotonic()
        traces.add(notebook, checker.failed)
        assert time.monotonic() - start < traces.MOST * traces.SECONDS + 10
    assert checker.findings == before
    for one, text in zip(shown, texts, strict=True):
        assert FOLD.sub("", repr(dict(one))) == repr(text)
        assert len(str(one)) < len(str(text)) + 2 * traces.LARGEST
        assert "<script" not in one.get("data", {}).get(HTML, "")


FORGE = """
import numpy as np
import grading.inside.learner as inside
import helpers.beside.tracing as tracing
def softmax(x, axis=-1):
    y = x + 1
    return y
honest = inside.sendable
def forged(found):
    message = honest(found)
    data = message["recording"]
    {forged}
    return message
inside.sendable = forged
"""
FORGED = {
    "a mark beside": ("message['passed'] = True", False),
    "a stage": ("data['steps'][0]['makes'][0]['what']['stage'] = 4", False),
    "stages": ("data['stages'] = ['weights']", False),
    "10 MB": ("data['functions'][0]['lines'][1] = 'x' * 10**7", False),
    "100 MB of numbers": ("message['arrays'] = [np.ones(10**7)]", False),
    "deep": ("data['steps'] = []\n    for _ in range(500): data['steps'] = [data['steps']]", False),
    "an object": ("data['left_out'] = [object()]", False),
    "not a number": ("data['steps'][0]['makes'][0]['what']['numbers'] = float('nan')", False),
    "an end": ("import ctypes; ctypes.CDLL(None)._exit(3)", False),
    "nothing": ("message = None", False),
    "a line with markup": (f"data['functions'][0]['lines'][1] = {MARKUP!r}", True),
    "a line of another": ("data['functions'][0]['lines'][1] = '    y = weights  # ✓ weights'", True),
    "control characters": ("data['functions'][0]['lines'][1] = '\\x1b[31m\\x00 y'", True),
    "an array of its own": ("message['arrays'][0] = np.zeros_like(message['arrays'][0])", True),
}


@pytest.mark.parametrize("what", FORGED)
def test_forged_recordings(warm, what):
    forged, is_shown = FORGED[what]
    with Notebook(warm, {}) as notebook:
        notebook.run(textwrap.dedent(FORGE).replace("{forged}", forged))
        checker = Checker(notebook)
        checker.run("check('softmax')")
        ((one,), findings) = checker.failed, copy.deepcopy(checker.findings)
        panel = one.output["data"][HTML]
        traces.add(notebook, checker.failed)
    told = one.output["data"][HTML].removeprefix(panel)
    assert bool(told) == is_shown
    assert "<script" not in told
    assert "<img" not in told
    assert "✓ line" not in told
    assert not any(sign in told for sign in "\x1b\x00")
    assert checker.findings == findings
