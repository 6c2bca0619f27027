"""After three failed checks the last hint says which line to change, if one is enough, and nothing untrue."""

import ast
import linecache
import textwrap
import time

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell

from helpers import browser
from helpers.errors import Interrupted
from helpers.exercises import find
from helpers.learner import attempts, hints, one_line
from helpers.learner.checking import verdict_of
from helpers.learner.edits import small_edits
from helpers.learner.one_line import line_to_change, searched
from helpers.learner.other_answers import source_and_line
from tests.kernels import Kernel

SEED = 5
LINES = """\
def softmax(x, axis=-1):
    shifted = x - x.max(axis=axis, keepdims=True)
    powers = np.exp(shifted)
    return powers / powers.sum(axis=0, keepdims=True)
"""
NONE_IS_ENOUGH = """\
def softmax(x, axis=-1):
    powers = np.exp2(x)
    return powers / powers.max()
"""
EITHER_OF_TWO = """\
def scaled_scores(Q, K):
    root = np.sqrt(np.sqrt(Q.shape[-1]))
    return Q @ np.swapaxes(K, -1, -2) / root
"""


def made(source, name, **more):
    """What a cell of a notebook makes, as the notebook keeps it."""
    source = textwrap.dedent(source)
    space = {"np": np, "__name__": "__main__", **more}
    file = f"<cell {abs(hash(source))}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(compile(source, file, "exec"), space)
    return space[name], space


def found(source, name, **more):
    answer, space = made(source, name, **more)
    text, first = source_and_line(answer, space)
    return line_to_change(find(name), answer, "\n" * (first - 1) + text, SEED, seconds=60.0)


# Which line


def test_the_only_line_is_named():
    assert found(LINES, "softmax") == 4


def test_lines_are_counted_as_in_the_cell():
    assert found(f"import math\n\n{LINES}\nprint('done')\n", "softmax") == 6


def test_nothing_is_named_where_no_line_alone_is_enough():
    assert found(NONE_IS_ENOUGH, "softmax") is None


def test_nothing_is_named_where_either_of_two_lines_is_enough():
    source = """\
    def scaled_scores(Q, K):
        root = np.sqrt(Q.shape[-2])
        scores = Q @ np.swapaxes(K, -1, -2)
        return scores / root
    """
    assert found(source, "scaled_scores") == 2
    answer, space = made(TWO, "dot")
    assert len(searched(find("dot"), answer, source_and_line(answer, space)[0], SEED).edits) == 2
    assert found(TWO, "dot") is None


TWO = """\
def dot(a, b):
    product = -a
    return np.sum(product * b)
"""


def test_nothing_is_named_of_a_right_answer():
    answer, space = made(LINES.replace("axis=0", "axis=axis"), "softmax")
    outcome = searched(find("softmax"), answer, source_and_line(answer, space)[0], SEED)
    assert (outcome.edits, outcome.stopped) == ({}, "passes")


def test_in_a_method_of_a_class():
    torch = pytest.importorskip("torch")
    source = """\
    class QKVProjection(nn.Module):
        def __init__(self, d_model, d_k, d_v):
            super().__init__()
            self.W_q = nn.Linear(d_model, d_k, bias=False)
            self.W_k = nn.Linear(d_model, d_k, bias=False)
            self.W_v = nn.Linear(d_model, d_v, bias=False)

        def forward(self, X):
            Q = self.W_q(X)
            K = self.W_q(X)
            V = self.W_v(X)
            return Q, K, V
    """
    assert found(source, "QKVProjection", nn=torch.nn, torch=torch) == 10


def test_in_a_lambda():
    assert found("a = 1\ndot = lambda a, b: np.sum(a + b)", "dot") == 2


DECORATED = """\
import functools

def noted(function):
    @functools.wraps(function)
    def around(*args, **named):
        return function(*args, **named)
    return around

@noted
def dot(a, b):
    products = a + b
    return products.sum()
"""


def test_in_a_function_with_a_decorator_which_stays_as_it_is():
    assert found(DECORATED, "dot") == 11


def test_a_line_of_another_function_is_never_named():
    source = "def _sum(x):\n    return x.mean()\n\ndef dot(a, b):\n    return _sum(a * b)\n"
    answer, space = made(source, "dot")
    line = line_to_change(find("dot"), answer, "\n\n\n" + source_and_line(answer, space)[0], SEED)
    assert line == 5


def test_a_call_over_several_lines_is_changed_in_one():
    source = """\
    def softmax(x, axis=-1):
        powers = np.exp(x - x.max(axis=axis, keepdims=True))
        return powers / np.sum(
            powers,
            axis=0,
            keepdims=True,
        )
    """
    assert found(source, "softmax") == 5


def test_bytes_and_letters_are_told_apart():
    assert found("def dot(ä, ö):\n    ü = 'größe'; return np.sum(ä + ö)  # für ∑", "dot") == 2


# What is not tried

UNTRIED = {
    "a source that is not the answer's": ("def dot(a, b):\n    return a + b", "def dot(a, b):\n    return a"),
    "no source": ("def dot(a, b):\n    return a + b", ""),
    "a global": (
        "calls = 0\ndef dot(a, b):\n    global calls\n    calls += 1\n    return np.sum(a + b)",
        None,
    ),
    "a kept list": ("def dot(a, b, seen=[]):\n    seen.append(1)\n    return np.sum(a + b)", None),
    "a file": ("def dot(a, b):\n    open('out.txt', 'w')\n    return np.sum(a + b)", None),
    "a file by another function": (
        "def keep(x):\n    np.save('out.npy', x)\n    return x\ndef dot(a, b):\n"
        "    return np.sum(keep(a + b))",
        None,
    ),
    "an import": ("def dot(a, b):\n    import os\n    return np.sum(a + b)", None),
    "a question": ("def dot(a, b):\n    input()\n    return np.sum(a + b)", None),
    "code in a text": ("def dot(a, b):\n    return eval('np.sum(a + b)')", None),
}


@pytest.mark.parametrize("kind", UNTRIED)
def test_what_may_do_more_than_compute_is_not_tried(kind, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source, other = UNTRIED[kind]
    answer, space = made(source, "dot")
    text = source_and_line(answer, space)[0] if other is None else other
    assert searched(find("dot"), answer, text, SEED).stopped == "not tried"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["right_divisor", "test_softmax"])
def test_answers_that_are_no_computation_are_not_tried(name):
    assert searched(find(name), lambda: None, "x = 1", SEED).stopped == "not tried"


@pytest.mark.parametrize("answer", [None, ..., 3, np.sum, print, int])
def test_what_is_no_function_of_the_notebook_is_not_tried(answer):
    assert searched(find("dot"), answer, "dot = 1", SEED).stopped == "not tried"


# What is left as it was


def test_the_notebook_stays_as_it_was():
    answer, space = made(LINES, "softmax", kept=np.arange(3.0))
    before, functions = dict(space), vars(answer).copy()
    luck = np.random.get_state()[1].copy()  # noqa: NPY002
    code = answer.__code__
    assert line_to_change(find("softmax"), answer, LINES, SEED) == 4
    assert space.keys() - before.keys() <= {"__warningregistry__"}  # as after a check
    assert all(space[name] is before[name] for name in before)
    assert (answer.__code__, vars(answer)) == (code, functions)
    assert np.array_equal(luck, np.random.get_state()[1])  # noqa: NPY002


def test_the_verdict_is_the_same_before_and_after():
    answer, _ = made(LINES, "softmax")
    exercise = find("softmax")
    before = verdict_of(exercise, answer, SEED)
    line_to_change(exercise, answer, LINES, SEED)
    assert verdict_of(exercise, answer, SEED).lines == before.lines


def test_nothing_is_printed(capfd):
    source = LINES.replace("    powers = ", "    print('loud', [1][0])\n    powers = ")
    assert found(source, "softmax") == 5
    assert capfd.readouterr() == ("", "")


# Time


def test_an_edit_that_never_ends_is_given_up():
    source = """\
    def dot(a, b):
        total, i = 0.0, 0
        while i < len(a):
            total += a[i] + b[i]
            i += 1
        return total
    """
    assert found(source, "dot") == 4


def test_nothing_is_named_when_the_time_is_up():
    answer, _ = made(LINES, "softmax")
    assert searched(find("softmax"), answer, LINES, SEED, seconds=0.0).stopped == "time"


def test_an_answer_that_never_ends_takes_no_longer_than_the_search():
    source = "def dot(a, b):\n    while True:\n        pass\n"
    answer, _ = made(source, "dot")
    begun = time.monotonic()
    assert line_to_change(find("dot"), answer, source, SEED, seconds=1.0) is None
    assert time.monotonic() - begun < 60


# Edits


@pytest.mark.parametrize("source", [LINES, NONE_IS_ENOUGH, DECORATED, EITHER_OF_TWO])
def test_an_edit_changes_one_line_and_the_number_of_lines_stays(source):
    for edit in small_edits(source):
        before, after = source.split("\n"), edit.applied(source).split("\n")
        assert len(before) == len(after)
        assert [n for n, pair in enumerate(zip(before, after, strict=True), 1) if pair[0] != pair[1]] == [
            edit.line
        ]


def test_an_edit_brings_no_name_that_acts():
    known = {node.id for node in ast.walk(ast.parse(LINES)) if isinstance(node, ast.Name)}
    for edit in small_edits(LINES):
        try:
            tree = ast.parse(edit.applied(LINES))
        except SyntaxError:
            continue
        new = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - known
        assert new <= {"axis", "float", "int", "bool", "tuple"}


def test_an_edit_that_calls_the_whole_answer_does_not_count():
    """`F.log_softmax` would become `F.softmax`, which the check calls the whole answer."""
    torch = pytest.importorskip("torch")
    source = "def softmax(x, axis=-1):\n    return F.log_softmax(torch.tensor(x), axis).numpy()\n"
    assert found(source, "softmax", torch=torch, F=torch.nn.functional) is None


# What the hint says


@pytest.fixture
def cells(monkeypatch):
    """Runs cells in a notebook's shell and gives what they print, or their error."""
    monkeypatch.setattr(attempts, "_failed", {})
    monkeypatch.setattr(one_line, "SECONDS", 60.0)
    monkeypatch.setattr(hints, "_climbed", {})
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    shell = InteractiveShell()
    shell.run_cell("import numpy as np\nfrom helpers import check, hint")

    def run(code):
        return shell.run_cell(code).error_in_exec

    yield run
    shell.history_manager.end_session()


def said(cells, capsys, name="softmax"):
    capsys.readouterr()
    assert cells(f"hint({name!r}, 99)") is None
    return capsys.readouterr().out.strip().splitlines()[-1]


def failing(cells, times, name="softmax"):
    for _ in range(times):
        assert cells(f"check({name!r})") is not None


LAST = (
    "One way to write it stands in the solution notebook, solutions/05_softmax/05_softmax.ipynb, "
    "under softmax."
)
THE_LINE = "`return powers / powers.sum(axis=0, keepdims=True)`"


def test_after_three_failed_checks_the_last_hint_names_the_line(cells, capsys):
    cells(f"# mine\n{LINES}")
    failing(cells, 2)
    assert said(cells, capsys) == f"Hint 4 of 4: {LAST}"
    failing(cells, 1)
    assert said(cells, capsys) == (
        f"Hint 4 of 4: Look at line 5, {THE_LINE}: a change in this line alone makes your answer right. "
        f"Which one is yours to find. {LAST}"
    )


def test_only_the_last_hint_does(cells, capsys, monkeypatch):
    cells(LINES)
    failing(cells, 3)
    monkeypatch.setattr(one_line, "searched", lambda *_: pytest.fail("it is searched"))
    for _ in range(3):
        cells("hint('softmax')")
    cells("hint('softmax', 3)")
    assert "Look at line" not in capsys.readouterr().out


def test_the_change_itself_is_never_told(cells, capsys):
    cells(LINES)
    failing(cells, 3)
    told = said(cells, capsys).replace(THE_LINE, "").replace(LAST, "")
    assert "axis=" not in told
    assert "axis" not in told


def test_of_an_answer_that_was_changed_the_new_lines_are_looked_at(cells, capsys):
    cells(LINES)
    failing(cells, 3)
    cells(LINES.replace("axis=0", "axis=axis").replace("np.exp(", "np.exp2("))
    assert "Look at line 3, `powers = np.exp2(shifted)`" in said(cells, capsys)


def test_an_answer_that_passes_now_is_to_be_checked(cells, capsys):
    cells(LINES)
    failing(cells, 3)
    cells(LINES.replace("axis=0", "axis=axis"))
    assert said(cells, capsys) == f"Hint 4 of 4: Your answer passes now: run check('softmax'). {LAST}"
    assert cells("check('softmax')") is None
    assert said(cells, capsys) == f"Hint 4 of 4: {LAST}"


@pytest.mark.parametrize("source", [NONE_IS_ENOUGH, "softmax = np.exp", "softmax = 3"])
def test_where_no_line_is_found_the_hint_is_as_ever(cells, capsys, source):
    cells(source)
    failing(cells, 3)
    assert said(cells, capsys) == f"Hint 4 of 4: {LAST}"


def test_where_the_name_is_gone_the_hint_is_as_ever(cells, capsys):
    cells(LINES)
    failing(cells, 3)
    cells("del softmax")
    assert said(cells, capsys) == f"Hint 4 of 4: {LAST}"


def test_what_was_handed_over_is_no_attempt(cells, capsys):
    cells(LINES)
    for _ in range(3):
        cells("check('softmax', softmax)")
    assert said(cells, capsys) == f"Hint 4 of 4: {LAST}"


def test_nbgrader_is_told_nothing(cells, capsys, monkeypatch):
    cells(LINES)
    failing(cells, 3)
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert said(cells, capsys) == f"Hint 4 of 4: {LAST}"


def test_in_a_browser_it_is_said_of_exercises_without_pytorch(cells, capsys, monkeypatch):
    cells(LINES)
    monkeypatch.setattr(attempts, "_failed", {"softmax": [3] * 3, "rotary": [3] * 3})
    cells("rotary = lambda *args: args[0]")
    monkeypatch.setattr(browser, "HERE", True)
    monkeypatch.setattr(hints, "find_exercise", find)  # the recorded results are on the site
    assert "Look at line 4" in said(cells, capsys)
    assert "Look at line" not in said(cells, capsys, "rotary")


def test_in_a_kernel(tmp_path):
    kernel = Kernel(tmp_path)
    try:
        kernel.run("import os\nos.environ.pop('NBGRADER_EXECUTION')")
        kernel.run("from helpers.learner import one_line\none_line.SECONDS = 60")  # a busy machine's
        kernel.run(LINES)
        for _ in range(3):
            kernel.run("check('softmax')")
        assert f"Look at line 4, {THE_LINE}: a change in this line" in kernel.run("hint('softmax', 4)")
        kernel.run(LINES.replace("return", "retrun"))
        assert "Look at line" not in kernel.run("hint('softmax', 4)"), (
            "the cell stopped, so its lines are older"
        )
    finally:
        kernel.close()


def test_a_learner_can_stop_the_search(cells, monkeypatch):
    cells(LINES)
    failing(cells, 3)

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(one_line, "small_edits", stop)
    assert isinstance(cells("hint('softmax', 99)"), Interrupted)
