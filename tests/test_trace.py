"""`trace` and `views.trace`: which call is shown, and what is said where there is nothing to show."""

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell

from helpers import views
from helpers.beside import traced_call
from helpers.errors import BadArgument, CheckFailed, UnknownName
from helpers.learner import tracing
from tests.test_tracing import cell

SET_UP = "import numpy as np, torch\nfrom torch import nn\nfrom helpers import check, trace, views"
DOUBLE = "def double(x):\n    y = x + 0\n    return y * 2"
SOFTMAX = "def softmax(x, axis=-1):\n    e = np.exp(x)\n    return e / e.sum(axis=axis, keepdims=True)"


@pytest.fixture
def run(monkeypatch, capsys):
    """Runs cells of a notebook and gives what the last one returns, prints or stops with."""
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    shell = InteractiveShell()
    shell.run_cell(SET_UP)

    def one(*cells):
        for code in cells:
            capsys.readouterr()
            done = shell.run_cell(code)
        if done.error_in_exec:
            return done.error_in_exec
        return done.result if done.result is not None else capsys.readouterr().out.strip()

    return one


def test_a_right_answer_runs_on_the_sentence(run):
    text = repr(run(DOUBLE, "trace('double')"))
    assert text.startswith("double, line by line\nOn “I saw a saw”: x (4, 4).")
    assert "y (4, 4) float64" in text
    assert "✓ the right result" in text


def test_a_wrong_one_on_the_smallest_call_that_fails(run):
    text = repr(run(SOFTMAX, "trace('softmax')"))
    assert "\nOn the smallest call that fails: x = [20000, 20001]: x (2,)." in text
    assert "The first NaN stands in what is returned, line 3." in text


def test_arguments_of_ones_own_are_bound_to_the_exercises_names(run):
    text = repr(run(SOFTMAX, "trace('softmax', axis=0, x=np.array([[0.5, 1.25], [2.75, 3.5]]))"))
    assert "\nOn your own arguments: x (2, 2), axis = 0." in text
    assert "returned (2, 2) float64 ✓ weights" in text


def test_nothing_of_the_notebook_is_changed(run):
    run(
        "kept = []\ndef double(x):\n    kept.append(1)\n    x *= 2\n    return x",
        "trace('double', np.ones(2))",
    )
    assert run("kept") == []


@pytest.mark.parametrize(
    ("code", "call", "says"),
    [
        (
            "def double(x):\n    raise NotImplementedError('not answered yet')",
            "double",
            "double is not answered yet: write it in the cell above and run that cell.",
        ),
        (
            "faulty_map = ('C', 'x')",
            "faulty_map",
            "The answer to faulty_map is a value, which has no lines to trace.",
        ),
        (
            "def leaks_future(attend):\n    return True",
            "leaks_future",
            "leaks_future is called with a function, and is not traced: put a `print` into it instead.",
        ),
        (
            "project = 3",
            "project",
            "project is not traced: before any of its lines, the call stopped with ProbeError: it should "
            "be a function; it is int 3.",
        ),
    ],
)
def test_where_there_is_nothing_to_show_a_sentence_says_why(run, code, call, says):
    assert run(code, f"trace({call!r})") == says


@pytest.fixture
def limits(monkeypatch):
    """The seconds after which calls are ended anywhere."""
    given, limit = [], traced_call.time_limit
    monkeypatch.setattr(traced_call, "time_limit", lambda seconds: given.append(seconds) or limit(seconds))
    return given


def test_a_call_that_never_ends(run, monkeypatch, limits):
    monkeypatch.setattr(tracing, "SECONDS", 0.2)
    code = "def dot(a, b):\n    while True:\n        a = a"
    assert run(code, "trace('dot', np.ones(2), np.ones(2))") == (
        "dot is not traced: its call does not come to an end in time."
    )
    assert limits == [1.2]


def test_names_that_are_not_there(run):
    assert isinstance(run("trace('dobble')"), UnknownName)
    assert isinstance(run("trace('double')"), CheckFailed)
    assert isinstance(run(DOUBLE, "trace(double)"), BadArgument)


def test_where_nbgrader_runs_nothing_is_traced(run, monkeypatch):
    run(DOUBLE)
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert run("trace('double')") == "double: nothing is traced where nbgrader runs the notebook."


# Any function


def test_any_function_is_traced_with_copies():
    f = cell("def f(x, by=1):\n    x += by\n    return [x, by]")["f"]
    x = np.zeros(2)
    text = repr(views.trace(f, x, by=3))
    assert "given x (2,) float64; by = 3 int" in text
    assert "x changed to (2,) float64" in text
    assert (x == 0).all()


def test_an_error_of_its_own_is_shown_at_its_line():
    f = cell("def f(x):\n    y = x + 1\n    return y[7]")["f"]
    assert "stopped here: IndexError: " in repr(views.trace(f, np.zeros(2)))


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (3, "function: expected a function; got int 3"),
        (np.sum, "sum: expected a function written in Python, outside a library"),
        (len, "len: expected a function written in Python, outside a library: it stopped with TypeError"),
    ],
)
def test_what_cannot_be_traced(function, says):
    with pytest.raises(ValueError, match=f"^{says}"):
        views.trace(function, 3)


def test_a_function_that_never_ends(monkeypatch, limits):
    from helpers.views import trace_call

    monkeypatch.setattr(trace_call, "SECONDS", 0.1)
    f = cell("def f():\n    while True:\n        pass")["f"]
    with pytest.raises(
        ValueError, match=r"^f: expected a call of at most 0.1 seconds; this one took longer$"
    ):
        views.trace(f)
    assert limits == [1.1]
