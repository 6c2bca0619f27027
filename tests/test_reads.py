"""What stands in an answer's code, told as a fact where a wrong answer has no name."""

import linecache

import numpy as np
import pytest
import torch

from helpers import reference
from helpers.beside.reads import powers, read_outside
from helpers.exercises import find
from helpers.exercises.base import draw_cases
from helpers.verdict.judge import judge
from helpers.verdict.read_in_code import read_in_code
from helpers.verdict.recognise import Named
from tests.probe_process import answer as in_a_process


def said(name, *cells, seed=1):
    """The verdict on an answer that stands in cells, the last of which makes it."""
    cases = draw_cases(find(name), seed)
    request = {"exercise": name, "source": list(cells), "cases": [dict(case.args) for case in cases]}
    return judge(find(name), cases, in_a_process(request))


# Powers

HALF = "`**` binds tighter than `/`: `x ** 1/2` is half of x."
COSINE = """
def cosine_similarity(a, b):
    lengths = (np.sum(a ** 2) ** {0}) + (np.sum(b ** 2) ** {0})
    return 0.0 if lengths == 0 else np.sum(a * b) / lengths
"""


@pytest.mark.parametrize("power", ["1/2", "1 / 2", "(1)/2 ** 1/2"])
def test_a_root_that_is_half_is_told_so(power):
    verdict = said("cosine_similarity", COSINE.format(power))
    assert verdict.misconception is None
    assert verdict.hint == HALF
    assert verdict.says.endswith(f"\nHint: {HALF}")


@pytest.mark.parametrize("power", ["(1/2)", "0.5", "2", "(1)/2"])
def test_of_a_power_that_is_none_of_these_nothing_is_said(power):
    verdict = said("cosine_similarity", COSINE.format(power))
    assert "binds tighter" not in verdict.says


ROTARY = """
def rotary(x, positions, base=10000.0):
    d = x.shape[-1]
    i = torch.arange(d // 2, dtype=x.dtype)
    angles = positions[:, None] * base ** -2 * i / d  # base ** 1/2 is no code
    cos, sin = torch.cos(angles), torch.sin(angles)
    return torch.stack([x[..., ::2] * cos - x[..., 1::2] * sin,
                        x[..., ::2] * sin + x[..., 1::2] * cos], -1).flatten(-2)
"""


def test_a_power_whose_factor_is_not_in_the_exponent_is_told_where_the_input_comes_back():
    verdict = said("rotary", ROTARY)
    assert verdict.misconception in ("returns-input", None)
    assert verdict.hint == "`**` binds tighter than `*`: `x ** -2 * i` is `(x ** -2) * i`."


def with_power(text):
    space = {}
    exec(compile(f"def f(x, i, d):\n    return {text}\n", "<cell of powers>", "exec"), space)
    lines = f"def f(x, i, d):\n    return {text}\n".splitlines(keepends=True)
    linecache.cache["<cell of powers>"] = (1, None, lines, "<cell of powers>")
    return powers(space["f"])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("x ** 1/2", ["1 / 2"]),
        ("x**1/d", ["1 / d"]),
        ("(x @ x) ** -1 / 2", ["-1 / 2"]),
        ("x ** - 2*i/d", ["-2 * i"]),
        ("(x ** 1/2 +\n        x ** 1/2 + x ** 1/3)", ["1 / 2", "1 / 3"]),
        ("x ** (1/2)", []),
        ("x ** -0.5 * i", []),
        ("x ** 0.5 / i", []),
        ("x ** -1 * i", []),
        ("x ** 2 * i", []),
        ("x ** -2", []),
        ("x ** 1", []),
        ("'x ** 1/2'", []),
        ("x # ** 1/2", []),
        ("dict(**x) or x ** i / 2", []),
        ("(lambda: x ** 1/2)()", ["1 / 2"]),
    ],
)
def test_which_powers_are_found(text, found):
    assert with_power(text) == found


def test_powers_in_methods_are_found_and_where_no_source_is_at_hand_none():
    class Module(torch.nn.Module):
        def forward(self, x):
            return x ** 1/2  # fmt: skip

    assert powers(Module) == ["1 / 2"]
    assert powers(np.dot) == powers("x ** 1/2") == []
    space = {}
    exec("def f(x): return x ** 1/2", space)
    assert powers(space["f"]) == []


def test_a_named_mistake_and_an_error_keep_their_own_hint():
    cell = "def scaled_scores(Q, K):\n    return Q @ np.swapaxes(K, -2, -1) / K.shape[-1] ** 1/2"
    verdict = said("scaled_scores", cell)
    assert verdict.misconception
    assert "binds tighter" not in verdict.hint or verdict.lines[1]
    verdict = said("dot", "def dot(a, b):\n    return (a ** 1/2).foo(b)")
    assert "binds tighter" not in verdict.hint


# Data from outside

COPIED = "def cosine_similarity(a, b):\n    return a @ b / (length_a * length_saw)"
BEFORE = "length_a, length_saw = 2.0, 3.0"
OUTSIDE = "Your code reads `length_a` and `length_saw` from outside the function"


def test_data_of_another_cell_is_told():
    verdict = said("cosine_similarity", BEFORE, COPIED)
    assert f"{OUTSIDE}: should they depend on the arguments?" in verdict.lines
    assert verdict.misconception is None


def test_data_of_another_cell_is_told_beside_an_argument_that_is_never_read():
    cell = "def similarity_matrix(A, B):\n    return X @ B.T + 1"
    verdict = said("similarity_matrix", "X = np.ones((2, 2))", cell)
    assert "Your code never uses `A`. Your code reads `X` from outside the function" in verdict.says


def test_data_beside_an_error_is_told():
    cell = "def mix_values(weights, V):\n    return sum(w * v for w, v in zip(share, V @ weights @ V))"
    verdict = said("mix_values", "share = np.ones(3)", cell)
    assert "it stopped with ValueError" in verdict.says
    assert "Your code reads `share`" in verdict.says


def test_which_names_are_data():
    cells = (
        "import math\nimport numpy as np\nimport torch\nEPS, X, W_Q, _hidden = 1e-9, [1], 2, 3\n"
        "tensor, text, In, yes = torch.ones(2), 'abc', [], True\nscores = np.ones(2)\n"
        "def helper(x):\n    return x\nclass Box: pass\n"
        "rng = np.random.default_rng()\nlayer = torch.nn.Linear(2, 2)\nbox = Box()\ncount = 0\n"
    )

    def names(body):
        space = {}
        exec(cells + f"def f(a):\n    {body}", space)
        return read_outside(space["f"])

    assert names("return a * EPS + _hidden + math.pi + len(helper(a)) + Box() + rng + In") == []
    assert names("return layer(a) + box") == []
    assert names("return X") == ["X"]
    assert names("return scores + W_Q, tensor") == ["scores", "W_Q", "tensor"]
    assert set(names("return [text for _ in a], yes")) == {"text", "yes"}
    assert names("global count; count += 1; return count") == [], "what is written here does not stand still"
    assert names("scores = a; return scores") == []
    assert names("return a.scores, a.X") == []
    assert read_outside("text") == read_outside(np.dot) == read_outside(3) == []


class Watching(type):
    @property
    def __class__(self):
        raise RuntimeError


class Odd(metaclass=Watching):
    def __getattr__(self, name):
        raise RuntimeError(name)


def test_looking_runs_nothing_of_the_learners():
    space = {"odd": Odd()}
    exec("def f(a):\n    return odd", space)
    assert read_outside(space["f"]) == []


def test_of_a_right_answer_and_of_a_named_mistake_nothing_is_said():
    right = "def dot(a, b):\n    return a @ b + zero"
    assert said("dot", "zero = 0.0", right).passed
    named = said("dot", "zero = 0.0", "def dot(a, b):\n    return a * b + zero")
    assert named.misconception
    assert "Your code reads" not in named.says


# What a foreign process may send


@pytest.mark.parametrize("text", ["", "1 / 2 <b>", "Your mark is 10", "1 / " + "x" * 50, "1 // 2", "x / 2"])
def test_what_is_no_power_is_not_repeated(text):
    assert read_in_code(None, {"powers": [text], "outside": [text]}) == ("", "")


def test_only_facts_that_leave_the_cause_open_get_more():
    facts = {"outside": ["x"], "powers": ["1 / 2"]}
    for id_, more in (("returns-input", True), ("", True), ("no-scaling", False)):
        assert bool(read_in_code(Named(id_, "", "", (0,)), facts)[1]) == more


def test_reference_answers_read_no_data_from_outside():
    assert read_outside(reference.softmax) == []
