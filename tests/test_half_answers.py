"""The right answer with one line missing: what `reset` gives at level half, and what a check says of it."""

import ast
import itertools
import json
import linecache

import pytest

from grading.outside.observations import checked
from helpers import answer_text, browser, progress, reset
from helpers.beside import set_up_first
from helpers.beside.probe import observe
from helpers.beside.reads import placeholders
from helpers.errors import BadArgument
from helpers.exercises import find
from helpers.exercises.base import draw_cases
from helpers.in_browser import to_page
from helpers.learner import progress_record
from helpers.learner.answer_reset import KEPT
from helpers.learner.checking import verdict_of
from helpers.learner.half_answers import YOURS, half
from helpers.on_page import calls
from helpers.units import UNIT_OF
from helpers.verdict.error_hints import known_error
from helpers.verdict.read_in_code import lines_left
from tests.test_reset import MINE, UNIT, cells, path, source, write  # noqa: F401

pytestmark = pytest.mark.needs("sandbox")
WHOLE = ("right_divisor", "faulty_map", "test_softmax", "test_attention", "test_multi_head_attention")
ONE_LINE = {
    name
    for name, text in answer_text.texts().items()
    if name not in WHOLE and len(answer_text.body_lines(text)) == 1
}
HALVES = [name for name in UNIT_OF if name in answer_text.texts() and name not in {*WHOLE, *ONE_LINE}]


def answer(name, text):
    """What a cell with this text defines; its lines are at hand, as those of a notebook are."""
    linecache.cache[f"<{name}>"] = (len(text), None, text.splitlines(keepends=True), f"<{name}>")
    return answer_text.defined(name, text, set_up_first.modules())


@pytest.fixture(autouse=True)
def lines_of_before():
    """Lines of answers are at hand during a test only: others define answers under the same names."""
    before = dict(linecache.cache)
    yield
    linecache.cache.clear()
    linecache.cache.update(before)


def test_most_exercises_have_a_half():
    assert len(HALVES) >= 30
    assert "double" in ONE_LINE


@pytest.mark.parametrize("name", HALVES)
def test_one_line_is_missing_and_the_check_says_which(name):
    right, shown = answer_text.texts()[name], half(name)
    ast.parse(shown)
    pairs = [
        (old, new) for old, new in itertools.zip_longest(right.split("\n"), shown.split("\n")) if old != new
    ]
    ((old, new),) = pairs
    assert old.startswith(new.removesuffix(YOURS)), "what the line gives keeps its name"
    verdict = verdict_of(find(name), answer(name, shown), seed=7)
    line = ast.unparse(ast.parse(new.strip()))
    assert verdict.lines == (f"{name} is not answered yet: the line `{line}` is yours to write.",)
    assert verdict.problem is None, "nothing is drawn, and it does not count as tried"
    assert verdict_of(find(name), answer(name, shown.replace(new, old)), seed=7).passed


def test_the_line_with_most_in_it_is_missing():
    assert "    scores = ...  # your line\n    weights = softmax" in half("attention")
    assert half("QKVProjection").endswith("    def forward(self, x):\n        return ...  # your line\n")
    assert "        self.K = ...  # your line\n" in half("KVCache")


@pytest.mark.parametrize("name", sorted(ONE_LINE))
def test_of_one_line_there_is_no_half(name):
    says = rf"{name} has one line: half of it would be all of it\. Try hint\('{name}'\)\."
    with pytest.raises(BadArgument, match=says):
        half(name)


@pytest.mark.parametrize("name", WHOLE)
def test_of_a_value_and_of_a_test_there_is_no_half(name):
    with pytest.raises(BadArgument, match=rf"{name} is (one value|a test).* Try hint\('{name}'\)\."):
        half(name)


def test_of_an_answer_that_is_not_known_there_is_no_half(monkeypatch):
    monkeypatch.setattr(answer_text, "texts", dict)
    with pytest.raises(BadArgument, match="the course has no answer of attention"):
        half("attention")


# In the notebook


def test_reset_to_half_is_kept_undone_and_a_reset(path, capsys):  # noqa: F811
    progress_record.record("softmax", "passed")
    reset("softmax", level="half")
    assert source(path) == half("softmax")
    assert cells(path)["softmax-test"]["outputs"] == []
    said = capsys.readouterr().out
    assert "One line is yours in 05_softmax.ipynb: softmax.\n" in said
    assert "reset('softmax', undo=True) brings it back" in said
    assert MINE in [*map(_source, (path.parents[1] / KEPT).read_text("utf-8").splitlines())]
    assert progress(UNIT).units[UNIT]["softmax"] == "untouched"
    reset("softmax", level="half")
    assert capsys.readouterr().out == "softmax has one line missing already.\n"
    reset("softmax", undo=True)
    assert source(path) == MINE
    assert progress(UNIT).units[UNIT]["softmax"] == "passed"
    reset("softmax", undo=True)
    assert source(path) == half("softmax")
    assert progress(UNIT).units[UNIT]["softmax"] == "untouched"


def _source(line):
    return json.loads(line)["source"]


def test_blank_is_what_it_is_without_a_level(path):  # noqa: F811
    reset("softmax", level="blank")
    blank = source(path)
    reset("softmax", level="half")
    reset("softmax")
    assert source(path) == blank


def test_a_level_that_is_none_names_both(path):  # noqa: F811
    before = path.read_bytes()
    with pytest.raises(BadArgument, match='level should be "blank" or "half"; it is \'third\''):
        reset("softmax", level="third")
    with pytest.raises(
        BadArgument, match=r'one exercise, such as reset\(".*", level="half"\); 05_softmax is'
    ):
        reset(UNIT, level="half")
    with pytest.raises(BadArgument, match="double has one line"):
        reset("double", level="half")
    assert path.read_bytes() == before


def test_a_half_that_is_left_in_the_notebook_changes_nothing(path, capsys):  # noqa: F811
    line = "reset('softmax', level='half')"
    book = json.loads(path.read_text("utf-8"))
    book["cells"].append({"cell_type": "code", "id": "mine", "metadata": {}, "outputs": [], "source": [line]})
    path.write_text(json.dumps(book), "utf-8")
    before = path.read_bytes()
    exec(line, {"reset": reset, "In": ["", line]})
    assert path.read_bytes() == before
    assert "and run reset('softmax', level='half') in a new cell" in capsys.readouterr().out


def test_on_a_page_it_is_offered_below_the_answer(path, monkeypatch, capsys):  # noqa: F811
    asked = []
    monkeypatch.setattr(browser, "HERE", True)
    monkeypatch.setattr(to_page, "ask", lambda **what: asked.append(what))
    before = path.read_bytes()
    reset("softmax", level="half")
    reset("softmax", undo=True)
    assert asked == [{"put": {"softmax": half("softmax")}}]
    first, second = capsys.readouterr().out.splitlines()
    assert first == "Below your answer of softmax you can choose: yours, or this one. Both are kept."
    assert second.startswith("Here nothing is taken away")
    assert path.read_bytes() == before


# How it is noticed


def made(body):
    text = f"def answer(x, y=...):\n    {body}\n    return x\n"
    linecache.cache["<made>"] = (len(text), None, text.splitlines(keepends=True), "<made>")
    space = {}
    exec(compile(text, "<made>", "exec"), space)
    return space["answer"]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("scores = ...  # your line", ["scores = ..."]),
        ("a, b = c = ...", ["a, b = c = ..."]),
        ("x += ...", ["x += ..."]),
        ("x[0]: int = ...", ["x[0]: int = ..."]),
        ("if x: return ...", ["return ..."]),
        ("first = x[...]", []),
        ("x[...] = 1", []),
        ("...", []),
        ("said = 'a = ...'", []),
        ("a = ...; b = ...", ["a = ...", "b = ..."]),
    ],
)
def test_which_lines_are_left_to_write(body, found):
    assert placeholders(made(body)) == found
    assert lines_left({"placeholders": found}) == [f"`{one}`" for one in found]


@pytest.mark.parametrize("text", ["rm -rf = ...; x", "x = ...\nmore", "<b> = ...", "a" * 90 + " = ..."])
def test_what_is_no_such_line_is_not_repeated(text):
    """It may come from a foreign process."""
    assert lines_left({"placeholders": [text]}) == []


def test_what_is_seen_of_a_half_crosses_from_the_sandbox():
    exercise = find("attention")
    seen = observe(exercise, answer("attention", half("attention")), draw_cases(exercise, 7)[:1])
    assert checked(seen, 1)[0]["placeholders"] == ["scores = ..."]


def test_on_a_page_of_the_site_it_is_told_too():
    found = json.loads(calls.check("attention", half("attention"), {}, seed=3))
    assert found["text"].startswith(
        "attention is not answered yet: the line `scores = ...` is yours to write."
    )
    assert not found["passed"]


def test_two_lines_that_are_left():
    text = half("attention").replace("return weights @ V, weights", "return ...")
    verdict = verdict_of(find("attention"), answer("attention", text), seed=7)
    assert verdict.lines[0].endswith(": the lines `scores = ...` and `return ...` are yours to write.")


def test_a_right_answer_may_use_one():
    text = answer_text.texts()["softmax"].replace("    powers", "    all_of_it = ...\n    powers", 1)
    text = text.replace("return powers", "return powers[all_of_it]")
    assert verdict_of(find("softmax"), answer("softmax", text), seed=7).passed


def test_where_the_lines_are_not_at_hand_the_error_says_it():
    answered = answer_text.defined("attention", half("attention"), set_up_first.modules())
    linecache.cache.pop("<attention>", None)
    exercise = find("attention")
    (first, *_) = observe(exercise, answered, draw_cases(exercise, 7)[:1])
    assert "placeholders" not in first
    verdict = verdict_of(exercise, answered, seed=7)
    assert (verdict.misconception, verdict.hint[:31]) == (
        "placeholder-left",
        "Which line still says `...`? It",
    )


def test_an_index_error_that_names_the_sign_is_another():
    said = "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices"
    assert known_error("IndexError", said).id == "entry-as-index"
    assert known_error("TypeError", "unsupported operand type(s) for @: 'ellipsis' and 'Tensor'").id
