"""Which line of which function failed, and which name was meant: read off an error, never guessed."""

import numpy as np
import pytest

from helpers.beside.place import nearest
from helpers.beside.probe import explain
from tests.probe_process import answer as in_a_process

CALLS = 20
"""Python 3.11 runs a function in another way from its eighth call on."""


def stopped(name, cells, cases):
    return [one["error"] for one in in_a_process({"exercise": name, "source": cells, "cases": cases})]


TOTALS = {
    "a loop over places": ["for i in range(len(a)):", "    total += a[i] * b[i]"],
    "after another value": ["x = 1", "total = total + x"],
    "after another line": ["n = len(a)", "print(n)", "total += n"],
    "a deleted name": ["total = 0", "del total", "print(total)"],
    "a name in a branch": ["if len(a) > 5:", "    total = 1", "n = 2", "total = total * n"],
}


@pytest.mark.parametrize("kind", TOTALS)
def test_however_often_a_function_has_run_its_line_is_the_one_that_failed(kind):
    *_, line = TOTALS[kind]
    body = "".join(f"    {one}\n" for one in TOTALS[kind])
    seen = stopped("dot", f"def dot(a, b):\n{body}    return total\n", [{"a": [1, 2], "b": [3, 4]}] * CALLS)
    places = {one["where"] for one in seen}
    assert places == {f"line {1 + len(TOTALS[kind])}: `{line.strip()}`"}
    assert {one["type"] for one in seen} == {"UnboundLocalError"}


def test_a_function_that_runs_well_at_first_tells_the_right_line_too():
    cell = "def dot(a, b):\n    for i in range(len(a)):\n        x = a[i]\n    y = x\n    return y\n"
    calls = [{"a": [1, 2], "b": [0]}] * CALLS + [{"a": [], "b": [0]}]
    seen = in_a_process({"exercise": "dot", "source": cell, "cases": calls})
    assert seen[-1]["error"]["where"] == "line 4: `y = x`"
    assert all("value" in one for one in seen[:-1])


OTHER = "def masked_softmax(scores, allowed):\n    s = scores.shape\n    return s"
OWN = "def attention(Q, K, V, allowed=None):\n    return masked_softmax(Q, K)"
CASE = [{"Q": 1, "K": 2, "V": 3, "allowed": None}]


def test_a_line_of_another_cell_says_of_which_function_it_is():
    (error,) = stopped("attention", [OTHER, OWN], CASE)
    assert error["where"] == "line 2 of masked_softmax: `s = scores.shape`"


def test_a_line_of_the_answer_s_own_cell_says_nothing_more():
    (error,) = stopped("attention", f"{OTHER}\n\n\n{OWN}", CASE)
    assert error["where"] == "line 2: `s = scores.shape`"


@pytest.mark.parametrize(
    ("other", "where"),
    [
        (
            "class Box:\n    def __call__(self, x, _):\n        return [x.shape for _ in [1]]\n"
            "masked_softmax = Box()",
            "Box.__call__",
        ),
        (
            "def masked_softmax(x, _):\n    def inner():\n        return x.shape\n    return inner()",
            "masked_softmax",
        ),
        ("masked_softmax = lambda x, _: [\n    0,\n    x.shape]", "another cell"),
    ],
)
def test_methods_functions_inside_and_functions_without_a_name_are_told_apart(other, where):
    (error,) = stopped("attention", [other, OWN], CASE)
    assert f"line 3 of {where}: `" in error["where"]


def test_of_a_class_the_line_is_counted_in_its_own_cell():
    own = "class QKVProjection(torch.nn.Module):\n    def __init__(self, *sizes):\n        {}"
    args = {"W_q": np.ones((2, 3)), "W_v": np.ones((2, 3))}
    for line, where in (
        ("scale(sizes)", "line 2 of scale: `return x.T`"),
        ("sizes.T", "line 3: `sizes.T`"),
    ):
        cells = [own.format(line), "def scale(x):\n    return x.T"]
        (error,) = stopped("QKVProjection", cells, [args])
        assert error["where"] == where


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("return q * keys", ""),
        ("scores = keys * query\n    return scoers", "scores"),
        ("return npp.argmax(keys * query)", "np"),
        ("return helpr(keys)", "helper"),
        ("return lenn(keys)", "len"),
        ("return Keys[0]", "keys"),
        ("return W_q", ""),
        ("W_k = keys\n    return W_q", ""),
        ("return (lambda: querry)()", ""),
        ("return (lambda: query + querry)()", "query"),
    ],
)
def test_a_misspelt_name_is_told_the_nearest(line, meant):
    cells = ["def helper(x):\n    return x", f"def best_match(query, keys):\n    {line}"]
    (error,) = stopped("best_match", cells, [{"query": 1, "keys": 2}])
    assert error["type"] == "NameError"
    told = f"Did you mean: {meant!r}?"
    assert error["text"].endswith(told) if meant else "Did you mean" not in error["text"]


def test_capitals_do_not_count_and_neither_single_letters_nor_hidden_names_are_meant():
    assert nearest("k", ["K", "Q"]) == ""
    assert nearest("dot", ["Dot", "_dot"]) == "Dot"
    assert nearest("_ih", ["_i", "_ih", "_iii"]) == ""
    assert nearest("dot", [3, None, "dot"]) == ""


def test_trying_an_answer_tells_the_function_of_another_cell_too():
    space = {}
    for number, cell in enumerate((OTHER, OWN)):
        exec(compile(cell, f"<cell {number} of a try>", "exec"), space)
    with pytest.raises(AttributeError) as caught:
        space["attention"](1, 2, 3)
    assert "(line 2 of masked_softmax" in explain("attention", caught.value, space["attention"])
