"""An answer on a page gets what its check says in a notebook: verdict, name and text."""

import ast
import json
import linecache
import re

import nbformat
import pytest

from helpers import CheckFailed
from helpers.beside.set_up_first import FUNCTIONS, MODULES
from helpers.errors import UnknownName
from helpers.exercises import find
from helpers.offered import blanks
from helpers.on_page import calls
from helpers.on_page.running import given
from helpers.units import UNIT_OF, UNITS
from tests.kernels import Kernel
from tests.sources import bank
from tools.shell import ROOT
from tools.sync import SET_UP

SEED = 3
ON_PAGES = [name for unit, names in UNITS.items() if unit < "07" for name in names]
WRONG_SOFTMAX = (
    "def softmax(x, axis=-1):\n    e = np.exp(x - x.max(axis=axis, keepdims=True))\n    return e / e.sum()"
)
ATTENTION = (
    "def attention(Q, K, V, allowed=None):\n"
    "    scores = Q @ K.swapaxes(-2, -1) / np.sqrt(K.shape[-1])\n"
    "    weights = softmax(scores) if allowed is None else masked_softmax(scores, allowed)\n"
    "    return weights @ V, weights"
)


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    one = Kernel(tmp_path_factory.mktemp("kernel"))
    yield one
    one.close()


def on_page(exercise, source, answers=(), seed=SEED):
    return json.loads(calls.check(exercise, source, dict(answers), seed=seed))


def in_notebook(exercise, source):
    """The same of a check after the answer's cell: whether it passes, the mistake, and the text."""
    space, file = given(f"{source} check"), "<cell of a notebook>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(compile(source, file, "exec", dont_inherit=True), space)
    printed = []
    space["print"] = lambda *words: printed.append(" ".join(map(str, words)))
    try:
        exec(f"check({exercise!r}, seed={SEED})", space)
    except CheckFailed as failed:
        return False, failed.misconception, re.sub(r"\n?\(The same inputs again: .*\)$", "", str(failed))
    return True, None, ""


@pytest.mark.slow
@pytest.mark.parametrize("exercise", ON_PAGES)
def test_the_banks_get_what_a_notebook_says(exercise):
    right, wrong = bank(exercise)
    for source in [*right[-1:], *wrong[:4]]:
        page = on_page(exercise, source)
        passed, misconception, text = in_notebook(exercise, source)
        if not passed and "so far" in page["html"]:
            continue  # the page says both checks of such an exercise
        assert (page["passed"], page["misconception"]) == (passed, misconception)
        if passed:
            assert page["text"].startswith(f"{exercise}: right.")
            assert f"{exercise} is right." in page["html"]
        elif find(exercise).enough:
            assert page["text"].split("\n")[0] == text.split("\n")[0]
        else:
            assert page["text"] == text
            assert "Traceback" not in page["html"]


@pytest.mark.parametrize("exercise", ON_PAGES)
def test_a_blank_answer_is_not_answered_yet(exercise):
    page = on_page(exercise, blanks()[exercise])
    assert not page["passed"]
    assert f"{exercise} is not answered yet" in page["text"]
    assert "run the cell" not in page["text"]


def test_what_a_set_up_cell_gives_is_there():
    cell = ast.parse(re.sub(r"(?m)^(\s*)%.*", r"\1pass", SET_UP))
    imported = (node for node in ast.walk(cell) if isinstance(node, ast.Import | ast.ImportFrom))
    names = {alias.asname or alias.name for node in imported for alias in node.names}
    assert names == {*MODULES, *FUNCTIONS}
    assert given("")["np"].__name__ == "numpy"
    assert callable(given("hint('softmax')")["hint"])


def test_a_test_is_checked_as_its_notebook_checks_it():
    asked = {}
    for path in (ROOT / "notebooks").glob("*/*.ipynb"):
        for cell in nbformat.read(path, 4).cells:
            for name, caught in re.findall(r'^check\("(\w+)", caught=(\d+)\)$', cell.source, re.MULTILINE):
                asked[name] = int(caught)
    assert asked == {name: calls.FEW for name in UNIT_OF if find(name).enough}


CELLS = {
    "an unfinished line": "def dot(a, b):\n    return np.sum(a * b",
    "no Python": "def dot(a, b)\n    return np.sum(a * b)",
    "a statement misspelt": "def dot(a, b):\n    retrun np.sum(a * b)",
    "a name misspelt": "total = nmupy.zeros(3)\n\ndef dot(a, b):\n    return np.sum(a * b)",
    "an error in the cell": "zeros = np.zeros(3)[7]\n\ndef dot(a, b):\n    return np.sum(a * b)",
}
WAY_OUT = "exit(3)\ndef dot(a, b):\n    return 0"


@pytest.mark.slow
@pytest.mark.parametrize("what", CELLS)
def test_a_cell_that_stops_is_told_as_in_a_notebook(kernel, what):
    kernel.run("globals().pop('dot', None)")
    kernel.run(CELLS[what])
    words = " ".join(kernel.run("check('dot')").split())
    page = on_page("dot", CELLS[what])
    assert not page["passed"]
    first, *others = page["text"].split("\n")
    told = first.replace("your code stopped", "the cell with dot stopped").removeprefix(
        "dot is not checked: "
    )
    assert " ".join(told.split()).removesuffix(".") in words
    for line in others:
        if not line.startswith("A first hint"):
            assert " ".join(line.split()) in words
    assert "line " in first


def test_a_way_out_and_a_question_are_closed():
    assert "do not leave the program" in on_page("dot", WAY_OUT)["text"]
    assert "it asks with `input()`" in on_page("dot", "n = input()\ndef dot(a, b):\n    return 0")["text"]


def test_line_numbers_are_those_of_the_answer():
    page = on_page("dot", "# one\n# two\ndef dot(a, b):\n    return np.dot(a, c)")
    assert "(line 4: `return np.dot(a, c)`)" in page["text"]


def test_what_it_prints_comes_along():
    page = on_page("dot", "print('<b>', 5)\n\ndef dot(a, b):\n    print('not this')\n    return a @ b")
    assert page["passed"]
    assert page["printed"] == "<b> 5\n"


def test_what_it_prints_without_end_is_cut():
    page = on_page("double", "print('x' * 50_000)\ndef double(x):\n    return 2 * x")
    assert page["printed"].endswith("... (40001 more letters)\n")


def test_a_later_line_that_stops_is_told_beside_the_verdict():
    page = on_page("double", "def double(x):\n    return 2 * x\n\ndouble(3)[0]")
    assert page["passed"]
    assert "A later line stopped with TypeError" in page["printed"]
    assert "(line 4: `double(3)[0]`)" in page["printed"]


def test_a_missing_earlier_answer_is_lent():
    page = on_page("attention", ATTENTION)
    assert (page["passed"], page["lent"]) == (True, ["softmax", "masked_softmax"])


def test_the_learners_own_are_used_where_they_are_right():
    own = {name: bank(name)[0][0] for name in ("softmax", "masked_softmax")}
    assert on_page("attention", ATTENTION, own)["lent"] == []
    assert on_page("attention", ATTENTION, own)["passed"]


@pytest.mark.parametrize(
    "own",
    [WRONG_SOFTMAX, "def softmax(x", "", blanks()["softmax"]],
    ids=["wrong", "no Python", "empty", "blank"],
)
def test_an_earlier_answer_that_fails_is_lent(own):
    page = on_page("attention", ATTENTION, {"softmax": own, "masked_softmax": bank("masked_softmax")[0][0]})
    assert (page["passed"], page["lent"]) == (True, ["softmax"])


def test_nothing_is_lent_that_is_not_used():
    assert on_page("masked_softmax", bank("masked_softmax")[0][0])["lent"] == []
    later = "def softmax(x, axis=-1):\n    return masked_softmax(x, x == x)"
    assert "name 'masked_softmax' is not defined" in on_page("softmax", later)["text"]
    mine = "def test_softmax(softmax):\n    assert softmax(np.zeros(2)).sum() == 1"
    assert on_page("test_softmax", mine)["lent"] == []


def test_a_test_that_catches_few_hears_both_checks():
    few = (
        "def test_softmax(softmax):\n"
        "    x = np.array([[1.5, 2, 3], [3, 1, 0]])\n"
        "    e = np.exp(x)\n"
        "    for axis in (0, 1):\n"
        "        assert np.allclose(softmax(x, axis=axis), e / e.sum(axis, keepdims=True))\n"
    )
    page = on_page("test_softmax", few)
    assert not page["passed"]
    assert "test_softmax is right so far." in page["html"]
    assert "✗ test_softmax is not right yet." in page["html"]


def test_a_misspelt_name_is_told():
    page = on_page("softmax", bank("softmax")[0][0].replace("softmax = ", "sotfmax = "))
    assert "softmax is not answered yet: nothing is called softmax, but `sotfmax` is there" in page["text"]


def test_a_value_that_is_only_compared():
    assert "only compares; one `=` sets it" in on_page("right_divisor", 'right_divisor == "d_k"')["text"]


def test_an_answer_that_never_ends_is_stopped(monkeypatch):
    monkeypatch.setattr("helpers.on_page.running.SECONDS", 0.2)
    monkeypatch.setattr("helpers.beside.probe.SECONDS", 0.2)
    assert "still running after" in on_page("double", "while True:\n    pass")["text"]
    page = on_page("double", "def double(x):\n    while True:\n        pass")
    assert (page["passed"], page["misconception"]) == (False, "never-ends")


def test_where_the_unit_goes_on():
    stands = on_page("softmax", bank("softmax")[0][0])["standing"]
    assert stands == {"unit": "05_softmax", "exercises": 8, "next": "masked_softmax"}


def test_no_exercise_of_that_name():
    with pytest.raises(UnknownName, match="no exercise 'softmx'"):
        calls.check("softmx", "", {})


def hint(rung):
    return json.loads(calls.hint("softmax", rung))


def test_hints_come_one_by_one():
    texts = [*find("softmax").hints]
    assert [hint(rung)["text"] for rung in (1, 2)] == [f"Hint {n} of 4: {texts[n - 1]}" for n in (1, 2)]
    assert (hint(9)["rung"], hint(0)["rung"], hint(1)["of"]) == (4, 1, 4)
    assert hint(4)["text"] == f"Hint 4 of 4: {calls.LAST}"
