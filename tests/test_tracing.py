"""The recorder: what each line of one's own code made, odd code included, and nothing changed by looking."""

import json
import linecache
import math
import textwrap
import threading

import numpy as np
import pytest
import torch

from helpers.beside import tracing
from helpers.beside.summary import summary
from helpers.beside.tracing import record

COUNT = iter(range(10**6))


def cell(source, **names):
    """What a notebook's cell defines, by name, with its text where tracebacks look for it."""
    text, file = textwrap.dedent(source).lstrip("\n"), f"/tmp/ipykernel_1/{next(COUNT)}.py"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    space = {"np": np, "torch": torch, "nn": torch.nn, "math": math, **names}
    exec(compile(text, file, "exec"), space)
    return space


def recorded(source, *args, name="f", **names):
    answer = cell(source, **names)[name]
    found = record(lambda: answer(*args), answer)
    json.dumps(found.data, allow_nan=False)  # plain data, all of it
    return found


def steps(found):
    """Line, and the names of what it made."""
    return [(one["line"], [made["name"] for made in one["makes"]]) for one in found.data["steps"]]


def made(found, name, which=-1):
    every = [one for step in found.data["steps"] for one in step["makes"] if one["name"] == name]
    return every[which]


def test_each_line_with_what_it_made_and_read():
    found = recorded(
        """
        def f(Q, K):
            scores = Q @ K.T
            d_k = Q.shape[-1]
            return scores / np.sqrt(d_k)
        """,
        np.ones((2, 4)),
        np.ones((3, 4)),
    )
    assert steps(found) == [(2, ["scores"]), (3, ["d_k"]), (4, [])]
    assert [one["uses"] for one in found.data["steps"]] == [["Q", "K"], ["Q"], ["scores", "d_k"]]
    assert made(found, "scores")["what"]["shape"] == [2, 3]
    assert made(found, "d_k")["what"] == {"kind": "number", "numbers": 4, "type": "int"}
    returned = found.data["steps"][-1]["returns"]
    assert (returned["shape"], returned["type"], returned["numbers"][0]) == ([2, 3], "float64", [2.0] * 3)
    assert [one["name"] for one in found.data["given"]["0"]] == ["Q", "K"]
    assert found.data["functions"][0]["lines"][1] == "    scores = Q @ K.T"


def test_a_statement_of_several_lines_is_one_step():
    found = recorded(
        """
        def f(x):
            y = np.exp(
                x
                - x.max()
            )
            return (
                y
                / y.sum()
            )
        """,
        np.arange(3.0),
    )
    assert [line for line, _ in steps(found)] == [2, 6]


def test_what_a_with_holds_stands_at_its_own_lines():
    source = "def f(x):\n    with np.errstate(all='ignore'):\n        y = x + 1\n        return y / 0\n"
    found = recorded(source, np.ones(2))
    assert steps(found) == [(2, []), (3, ["y"]), (4, [])]
    assert found.data["steps"][-1]["returns"]["odd"] == "2 inf"
    source = "def f(x):\n    with np.errstate(all='ignore'):\n        y = x + 1\n    z = y\n    return z\n"
    assert [line for line, _ in steps(recorded(source, np.ones(2)))] == [2, 3, 4, 5]


def test_names_stand_in_the_order_of_the_line():
    found = recorded("def f(x):\n    b, a, c = x\n    return lambda: a + c", (1, 2, 3))
    assert steps(found)[0] == (2, ["b", "a", "c"])


def test_loops_keep_the_first_turns_and_the_last():
    found = recorded(
        """
        def f(x):
            total = 0.0
            for i in range(50):
                total += x[0]
            return total
        """,
        np.ones(1),
    )
    turns = [(one["line"], one["turn"], one["turns"]) for one in found.data["steps"]]
    assert [one for one in turns if one[0] == 4] == [(4, 1, 50), (4, 2, 50), (4, 50, 50)]
    assert [one for one in turns if one[0] == 3] == [(3, 1, 50), (3, 2, 50), (3, 50, 50)]
    assert made(found, "total")["what"]["numbers"] == 50.0


def test_turns_that_bind_the_same_again_are_counted():
    source = (
        "def f(n):\n    for i in range(n):\n        for j in range(i + 1):\n            pass\n    return n"
    )
    found = recorded(source, 3)
    turns = [(one["line"], one["turn"], one["turns"]) for one in found.data["steps"]]
    assert [one for one in turns if one[0] == 3] == [(3, 1, 6), (3, 2, 6), (3, 6, 6)]
    assert [one for one in turns if one[0] == 2] == [(2, 1, 3), (2, 2, 3), (2, 3, 3)]
    assert made(found, "j", 1)["what"]["numbers"] == 0


def test_a_function_that_ends_with_its_loop_returns_nothing():
    found = recorded("def f(n):\n    for i in range(n):\n        y = i", 3)
    assert found.data["steps"][-1]["returns"] == {"kind": "nothing", "says": "nothing (None)"}
    assert found.data["steps"][-1]["line"] == 3


def test_a_while_counts_its_turns():
    found = recorded("def f(n):\n    while n > 0:\n        n -= 1\n    return n", 4)
    turns = [(one["line"], one["turn"], one["turns"]) for one in found.data["steps"]]
    assert turns == [(2, 1, 4), (3, 1, 4), (2, 2, 4), (3, 2, 4), (2, 4, 4), (3, 4, 4), (4, 1, 1)]


def test_a_loop_that_never_turns_is_a_step():
    found = recorded("def f(x):\n    for one in x:\n        y = one\n    return x", [])
    assert [line for line, _ in steps(found)] == [2, 4]


def test_changes_in_place_and_second_names_are_told():
    found = recorded(
        """
        def f(x):
            y = x
            y[0] = 5.0
            z = [1]
            z.append(2)
            return y
        """,
        np.zeros(3),
    )
    assert made(found, "y", 0)["what"]["same"] == "x"
    third = found.data["steps"][1]
    assert [(one["name"], one["how"]) for one in third["makes"]] == [("x", "changed"), ("y", "changed")]
    assert made(found, "z")["how"] == "changed"


def test_what_a_line_calls_comes_before_what_it_makes():
    found = recorded(
        """
        def softmax(x):
            e = np.exp(x)
            return e / e.sum()

        def f(x):
            return softmax(softmax(x))
        """,
        np.arange(2.0),
    )
    assert [(one["of"], one["line"], one["call"], one["depth"]) for one in found.data["steps"]] == [
        (1, 2, 1, 1),
        (1, 3, 1, 1),
        (1, 2, 2, 1),
        (1, 3, 2, 1),
        (0, 6, 1, 0),
    ]
    assert found.data["steps"][0]["from"] == {"of": 0, "line": 6}
    assert [one["name"] for one in found.data["functions"]] == ["f", "softmax"]


def test_an_error_stands_at_its_line_and_is_not_raised():
    found = recorded("def f(x):\n    y = x + 1\n    return y @ np.ones(9)", np.ones(3))
    assert found.error.startswith("ValueError: matmul")
    assert found.data["steps"][-1]["raises"].startswith("ValueError: matmul")
    assert "returns" not in found.data["steps"][-1]


def test_an_error_that_is_caught():
    found = recorded(
        """
        def f(x):
            try:
                x[9]
            except IndexError:
                y = 1
            return y
        """,
        np.ones(3),
    )
    assert not found.error
    assert [one.get("raises", "")[:10] for one in found.data["steps"] if one["line"] == 3] == ["IndexError"]
    assert made(found, "y")["what"]["numbers"] == 1


def test_methods_show_what_the_object_holds():
    found = recorded(
        """
        class f:
            def __init__(self, x):
                self.K = x
                self.count = 0
                self.append(x)

            def append(self, k):
                self.K = np.concatenate([self.K, k])
                self.count += 1
        """,
        np.zeros((1, 2)),
    )
    assert made(found, "self.K")["what"]["shape"] == [2, 2]
    assert [one["name"] for one in found.data["functions"]] == ["f.__init__", "f.append"]


def test_modules_and_tensors_with_gradients():
    found = recorded(
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.W = nn.Linear(2, 3)

            def forward(self, x):
                y = self.W(x)
                y.relu_()
                return y.sum(), [y, y.sum()]

        def f(x):
            return Net()(x)
        """,
        torch.ones(4, 2),
    )
    assert "Linear(in_features=2" in made(found, "self.W")["what"]["says"]
    assert [made(found, "y", which)["what"]["kind"] for which in (0, -1)] == ["tensor", "tensor"]
    assert made(found, "y", 0)["what"]["shape"] == [4, 3]
    assert not any("stopped" in one for one in found.data["left_out"])


ODD = {
    "recursion": ("def f(n):\n    m = n - 1\n    return 0 if n == 0 else f(m)", (30,)),
    "a generator": ("def g(n):\n    yield from range(n)\ndef f(n):\n    s = sum(g(n))\n    return s", (5,)),
    "a closure": ("def f(n):\n    def g(k):\n        return k + n\n    y = g(2)\n    return y", (5,)),
    "a lambda": ("f = lambda n: n + 1", (5,)),
    "lambdas in one line": ("f = (lambda g: lambda n: g(g(n)))(lambda k: k + 1)", (5,)),
    "exec": ("def f(n):\n    d = {}\n    exec('y = 3', d)\n    return d['y']", (5,)),
    "a decorator": (
        "import functools\ndef twice(g):\n    @functools.wraps(g)\n    def inner(n):\n"
        "        return g(g(n))\n    return inner\n@twice\ndef f(n):\n    return n + 1",
        (5,),
    ),
    "a cache": ("import functools\n@functools.lru_cache\ndef f(n):\n    y = n + 1\n    return y", (5,)),
    "a comprehension": ("def f(n):\n    y = [k * k for k in range(n)]\n    return y", (5,)),
    "all in one line": ("def f(n): x = n; y = x + 1; return y", (5,)),
    "a match": (
        "def f(n):\n    match n:\n        case 5:\n            y = 1\n        case _:\n"
        "            y = 2\n    return y",
        (5,),
    ),
    "a with": ("def f(n):\n    with np.errstate(all='ignore') as s:\n        y = n\n    return y", (5,)),
    "async": ("async def g():\n    return 3\ndef f(n):\n    c = g()\n    c.close()\n    return n", (5,)),
    "threads": (
        "def f(n):\n    out = []\n    t = threading.Thread(target=out.append, args=(n,))\n    t.start()\n"
        "    t.join()\n    return out",
        (5,),
    ),
    "a walrus and a star": ("def f(n):\n    a, *b = (c := n), 2, 3\n    return a, b, c", (5,)),
    "an object whose text fails": (
        "class Bad:\n    def __repr__(self):\n        raise ValueError\n    __str__ = __repr__\n"
        "def f(n):\n    b = Bad()\n    return n",
        (5,),
    ),
    "an attribute that fails": (
        "class Bad:\n    def __getattr__(self, name):\n        raise ValueError(name)\n"
        "def f(n):\n    b = Bad()\n    return n",
        (5,),
    ),
    "a list of arrays of other shapes": (
        "def f(n):\n    b = [np.ones(2), np.ones((3, 1))]\n    return b",
        (5,),
    ),
    "an array of texts": ("def f(n):\n    b = np.array(['a', 'b'])\n    return b", (5,)),
    "bfloat16": ("def f(n):\n    b = torch.ones(2, dtype=torch.bfloat16)\n    return b", (5,)),
    "numbers without bounds": (
        "def f(n):\n    b = 10 ** 400\n    return float('nan'), b, 1e308 * 1.7976931348",
        (5,),
    ),
}


@pytest.mark.parametrize("kind", ODD)
def test_odd_code_comes_to_the_same_and_is_shown(kind):
    source, args = ODD[kind]
    names = {"threading": threading}
    plain = repr(cell(source, **names)["f"](*args))
    answer, results = cell(source, **names)["f"], []
    found = record(lambda: results.append(repr(answer(*args))), answer)
    assert results == [plain]
    assert not found.error
    assert found.data["steps"]
    assert not any("stopped" in one for one in found.data["left_out"])
    json.dumps(found.data, allow_nan=False)


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("a generator", "What g does is left out: it is a generator."),
        ("exec", "What `exec` runs is left out."),
        ("threads", "What other threads do is left out."),
    ],
)
def test_what_is_left_out_is_said(kind, says):
    source, args = ODD[kind]
    assert recorded(source, *args, threading=threading).data["left_out"] == [says]


def test_recursion_keeps_the_first_calls_and_the_last():
    found = recorded(ODD["recursion"][0], 30)
    assert [one["call"] for one in found.data["steps"] if one["line"] == 2] == [1, 2, 31]
    assert found.data["functions"][0]["calls"] == 31


def test_a_million_turns_end_the_recording_and_not_the_code():
    source = "def f(n):\n    total = 0\n    for i in range(n):\n        total += 1\n    return total"
    answer, results = cell(source)["f"], []
    found = record(lambda: results.append(answer(1_000_000)), answer)
    assert results == [1_000_000]
    assert found.data["left_out"] == [f"After {tracing.EVENTS:,} lines the recording stops; the code ran on."]


def test_an_array_of_a_gigabyte_is_not_copied():
    found = recorded("def f(n):\n    big = np.broadcast_to(1.5, (n, 1000))\n    return big[0, 0]", 134_000)
    assert made(found, "big")["what"] == {
        "kind": "array",
        "shape": [134_000, 1000],
        "type": "float64",
        "says": "too large to show",
    }
    assert not any(one.size > tracing.KEPT for one in found.arrays)


def test_the_time_is_up_between_two_lines_of_the_learners():
    answer = cell("def f():\n    n = 0\n    while True:\n        n += 1")["f"]
    assert record(answer, answer, seconds=0.05) is None


def test_a_bare_except_cannot_keep_the_recording_alive():
    answer = cell(
        "def f():\n    try:\n        while True:\n            n = 0\n    except:\n        return 1"
    )["f"]
    assert record(answer, answer, seconds=0.05) is None


def test_the_tracer_of_before_is_there_again():
    import sys

    def other(*_):
        return None

    before = sys.gettrace()
    sys.settrace(other)
    try:
        recorded("def f(x):\n    return x", 1)
        assert sys.gettrace() is other
    finally:
        sys.settrace(before)


def test_code_without_a_text_is_recorded_by_line_numbers():
    space = {}
    exec(compile("def f(x):\n    y = x\n    return y", "<cell nowhere>", "exec"), space)
    found = record(lambda: space["f"](1), space["f"])
    assert steps(found) == [(2, ["y"]), (3, [])]
    assert found.data["left_out"] == ["The code of f is not at hand."]


# What a value is


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, {"kind": "flag", "numbers": True, "type": "bool"}),
        (None, {"kind": "nothing", "says": "nothing (None)"}),
        (2.5, {"kind": "number", "numbers": 2.5, "type": "float"}),
        (float("inf"), {"kind": "number", "numbers": "inf", "type": "float"}),
        ("saw", {"kind": "text", "says": "'saw'"}),
        ([1, 2, 3], {"kind": "list", "says": "a list of 3"}),
        (np.zeros((0, 3)), {"kind": "array", "shape": [0, 3], "type": "float64", "says": "empty"}),
    ],
)
def test_values_in_few_numbers(value, expected):
    assert summary(value) == expected


def test_sums_that_are_1_are_those_of_all_matrices():
    weights = np.full((2, 3, 4), 0.25)
    assert summary(weights)["sums"] == "rows"
    assert summary(np.swapaxes(weights, -1, -2))["sums"] == "columns"
    assert summary(np.full((2, 2), 0.5))["sums"] == "both"
    weights[1, 0] = 0
    assert summary(weights)["sums"] == ""
    assert summary(np.array([0.25, 0.75]))["sums"] == "rows"
    assert summary(np.ones((3, 1)))["sums"] == ""  # one entry is no sum


def test_of_large_arrays_a_corner_is_told_and_all_of_their_sums():
    found = summary(np.ones((3, 20, 30)))
    assert (len(found["numbers"]), len(found["numbers"][0]), found["cut"]) == (8, 8, True)
    assert found["rows"] == [30.0] * 8
    assert found["columns"] == [20.0] * 8


def test_numbers_that_are_none_are_counted():
    found = summary(np.array([[np.nan, -np.inf], [1.0, np.nan]]))
    assert found["odd"] == "2 nan, 1 -inf"
    assert (found["low"], found["high"]) == (1.0, 1.0)
    assert found["numbers"] == [["nan", "-inf"], [1.0, "nan"]]
