"""`others`: right answers in other styles, and how they are shown, timed and withheld."""

import ast
import builtins
import inspect
import json
import math
import symtable
from html.parser import HTMLParser

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell

from helpers import browser, others
from helpers.errors import BadArgument, Interrupted, UnknownName
from helpers.exercises import find
from helpers.learner import large_inputs, other_answers, progress_record, timing
from helpers.learner.checking import verdict_of
from helpers.units import UNIT_OF, UNITS, VARIABLES, module_name
from tools import other_answers as written
from tools.shell import ROOT

KEPT = json.loads((ROOT / "helpers" / "others.json").read_text("utf-8"))
ANSWERS = [(name, place) for name in KEPT for place in range(len(KEPT[name]))]
BROUGHT_IN = {"np", "torch", "F", "nn", "math"}
WITHOUT = {"TransformerBlock", "test_softmax", "test_attention", "test_multi_head_attention"}
"""Of the block every right answer calls unit 06 from `reference`; a test has no large input to time."""


def source_of(name, place):
    return KEPT[name][place]["source"]


def names_from_outside(source):
    """The names that code takes from where it stands."""
    found, here = set(), symtable.symtable(source, "answer", "exec")
    defined = {one.get_name() for one in here.get_symbols() if one.is_assigned()}
    tables = [here]
    while tables:
        table = tables.pop()
        found |= {one.get_name() for one in table.get_symbols() if one.is_global()}
        tables += table.get_children()
    return found - defined - set(dir(builtins))


# The answers


def test_every_exercise_with_three_different_answers_has_them():
    missing = {name for name in UNIT_OF if name not in KEPT}
    assert missing == WITHOUT | set(VARIABLES)
    assert {len(answers) for answers in KEPT.values()} == {3}
    assert list(KEPT) == [name for names in UNITS.values() for name in names if name in KEPT]


@pytest.mark.parametrize(("name", "place"), ANSWERS)
def test_an_answer_stands_in_the_bank_byte_for_byte(name, place):
    path = ROOT / "banks" / f"unit_{UNIT_OF[name]}" / f"{module_name(name)}.py"
    before, _, after = path.read_text("utf-8").partition(source_of(name, place))
    assert before.splitlines()[-1].startswith("@right("), "the line above registers it as right"
    assert after[:1] in ("", "\n"), "it is whole"
    assert len(source_of(name, place).splitlines()) <= 25


@pytest.mark.parametrize(("name", "place"), ANSWERS)
def test_an_answer_needs_only_what_the_set_up_cell_brings(name, place):
    source = source_of(name, place)
    assert names_from_outside(source) <= BROUGHT_IN | {ast.parse(source).body[0].name}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "place"), ANSWERS)
def test_an_answer_passes_its_check(name, place):
    """On the hidden draws; on visible ones `test_answers.py` tries it in the bank."""
    answer = other_answers.made(source_of(name, place))
    verdict = verdict_of(find(name), answer, 1, "hidden")
    assert verdict.passed, verdict


@pytest.mark.parametrize("name", KEPT)
def test_an_answer_has_one_short_sentence(name):
    said = [one["says"] for one in KEPT[name]]
    assert len(set(said)) == 3
    for sentence in said:
        assert sentence.startswith("It ")
        assert sentence.endswith(".")
        assert len(sentence.split()) <= 30


@pytest.mark.slow
@pytest.mark.parametrize("name", KEPT)
def test_answers_take_the_large_input_and_agree_on_it(name):
    results = []
    for one in KEPT[name]:
        call = large_inputs.calls(name, other_answers.made(one["source"]), large_inputs.large(name))
        with np.errstate(all="ignore"):
            results.append(call())
    if name in ("look_back", "same_word_head", "measure_score_std", "QKVProjection", "MultiHeadAttention"):
        return  # many answers are right, or weights are drawn
    if name in ("KVCache", "layer_weights", "silence_head", "previous_token_heads"):
        return  # dicts and lists, which their checks compare
    for result in results[1:]:
        pairs = zip(*(one if isinstance(one, tuple) else (one,) for one in (results[0], result)), strict=True)
        for one, other in pairs:
            one, other = (np.asarray(getattr(x, "detach", lambda x=x: x)()) for x in (one, other))
            np.testing.assert_allclose(one, other, rtol=1e-3, atol=1e-4)


def test_a_style_that_no_bank_has_is_named(tmp_path):
    (tmp_path / "banks" / "unit_01_dot_product").mkdir(parents=True)
    bank = ROOT / "banks" / "unit_01_dot_product" / "dot.py"
    (tmp_path / "banks" / "unit_01_dot_product" / "dot.py").write_bytes(bank.read_bytes())
    written.chosen_in(tmp_path).write_text('[dot]\n"by magic" = "It knows."\n')
    with pytest.raises(SystemExit, match="dot has no right answer, or more than one, called 'by magic'"):
        written.text(tmp_path)


# When they are shown


@pytest.fixture
def learner(tmp_path, monkeypatch):
    """A learner in a folder of their own, and what their kernel says."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(progress_record, "learning", lambda: True)
    monkeypatch.setattr(progress_record, "HERE", [])
    monkeypatch.setattr("helpers.passed.HERE", progress_record.HERE)
    monkeypatch.setattr(timing, "LONGEST", 0.05)
    return tmp_path


@pytest.fixture
def passes(learner):
    """Passes an exercise."""
    return lambda name: progress_record.record(name, "passed")


def said_once(capsys):
    (line,) = capsys.readouterr().out.splitlines()
    return line


def test_before_it_is_passed_one_sentence(learner, capsys):
    progress_record.record("softmax", "tried")
    assert others("softmax") is None
    assert said_once(capsys) == "Come back to others('softmax') when your own answer has passed its check."


def test_after_a_reset_it_has_to_be_passed_again(passes, capsys):
    passes("softmax")
    progress_record.record("softmax", "reset")
    assert others("softmax") is None
    assert said_once(capsys).startswith("Come back")


def test_unknown_names_and_names_without_quotes(learner):
    with pytest.raises(UnknownName, match=r"no exercise 'softmx'\. The exercises are: double, dot"):
        others("softmx")
    with pytest.raises(UnknownName):
        others(None)
    with pytest.raises(BadArgument, match=r'others takes a name in quotes, such as others\("double"\)'):
        others(3)
    with pytest.raises(BadArgument, match=r'write the name in quotes: others\("softmax"\)'):
        exec("def softmax(x): pass\nothers(softmax)", {"others": others})


@pytest.mark.parametrize("how", ["autograde", "validate"])
def test_not_while_nbgrader_runs_the_notebook(passes, monkeypatch, capsys, how):
    passes("softmax")
    monkeypatch.setenv("NBGRADER_EXECUTION", how)
    assert others("softmax") is None
    assert said_once(capsys) == "softmax: other answers are not shown where nbgrader runs the notebook."


def test_what_has_none_says_so(passes, monkeypatch, capsys):
    passes("TransformerBlock")
    others("TransformerBlock")
    assert said_once(capsys) == "There are no other answers to show for TransformerBlock."
    others("right_divisor")
    assert "is a value" in said_once(capsys)
    passes("softmax")
    monkeypatch.setattr("helpers.own.modules", lambda unit: ["softmax"] if unit.startswith("05") else [])
    monkeypatch.setattr(other_answers, "find", lambda name: None)
    others("softmax")
    assert said_once(capsys) == "There are no other answers to show for softmax.", "the record is another one"


def test_in_a_browser_answers_with_pytorch_are_shown_too(passes, monkeypatch):
    passes("softmax_backward")
    monkeypatch.setattr(browser, "HERE", True)
    shown = others("softmax_backward")
    assert len(shown.answers) == 1 + len(KEPT["softmax_backward"])
    assert any("torch" in one.source for one in shown.answers)


# What is shown


class Read(HTMLParser):
    """The tags of a panel with their attributes, and its text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.text = [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text += data


@pytest.fixture
def cells(learner):
    """Runs cells in a notebook's shell."""
    shell = InteractiveShell()
    shell.run_cell("import numpy as np\nimport torch\nfrom torch import nn\nfrom helpers import others")

    def run(code):
        result = shell.run_cell(code)
        result.raise_error()
        return result.result

    yield run
    shell.history_manager.end_session()


OWN = """\
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis, keepdims=True))  # a < b & c
    return e / e.sum(axis, keepdims=True)
"""


def test_ones_own_stands_first_with_its_code_and_three_others_below(cells, passes):
    passes("softmax")
    cells(f"other = 1\n{OWN}\nlater = 2")
    shown = cells("others('softmax')")
    assert [one.title for one in shown.answers] == [
        "Yours", "Another way, 1", "Another way, 2", "Another way, 3",
    ]  # fmt: skip
    assert shown.answers[0].source == OWN
    assert [one.says for one in shown.answers[1:]] == [one["says"] for one in KEPT["softmax"]]
    assert "with x of shape (64, 200)" in shown.about
    read, text = Read(shown._repr_html_()), repr(shown)
    for one in shown.answers:
        assert one.took
        assert one.source.strip() in read.text, "what looks like tags is written out"
        assert all(line in text for line in one.source.splitlines())
        assert one.heading in text
    code = [attrs for tag, attrs in read.tags if tag == "pre"]
    assert len(code) == 4
    assert all(one["tabindex"] == "0" and "overflow: auto" in one["style"] for one in code)
    assert [one["aria-label"] for one in code] == [f"{one.title}, the code" for one in shown.answers]


def test_no_script_and_no_fixed_colour_of_text(cells, passes):
    passes("dot")
    text = cells("others('dot')")._repr_html_()
    assert {tag for tag, _ in Read(text).tags} <= {"div", "p", "b", "span", "pre"}
    assert "color: #" not in text, "it is read on light and on dark pages"


def test_an_answer_that_this_kernel_does_not_know(cells, passes):
    passes("dot")
    shown = cells("others('dot')")
    assert shown.answers[0].says == "It is passed, but this kernel does not know dot yet: run its cell."
    assert (shown.answers[0].source, shown.answers[0].took) == ("", "")
    assert len(shown.answers) == 4


@pytest.mark.parametrize(
    ("code", "source"),
    [
        ("dot = lambda a, b: a @ b", "dot = lambda a, b: a @ b"),
        ("dot = np.dot", ""),
        ("from helpers.reference import dot", ""),
        ("%precision 3\ndef dot(a, b):\n    return a @ b", "def dot(a, b):\n    return a @ b"),
    ],
)
def test_other_forms_of_ones_own(cells, passes, code, source):
    passes("dot")
    cells(code)
    own = cells("others('dot')").answers[0]
    assert own.source.strip() == source
    assert own.says == ("" if source else "Its code is not at hand.")
    assert own.took


def test_ones_own_class_is_shown_whole(cells, passes):
    passes("QKVProjection")
    whole = inspect.cleandoc(
        """
        class QKVProjection(nn.Module):
            def __init__(self, d_model, d_k, d_v):
                super().__init__()
                self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d, False) for d in (d_k, d_k, d_v))

            def forward(self, x):
                return self.W_q(x), self.W_k(x), self.W_v(x)
        """
    )
    cells(whole)
    own = cells("others('QKVProjection')").answers[0]
    assert own.source.strip() == whole
    assert own.took not in ("", "not timed")


@pytest.mark.parametrize(
    "body", ["raise ValueError('small ones only')", "exit()", "input()", "import sys; sys.exit(3)"]
)
def test_ones_own_that_cannot_take_it_is_not_timed(cells, passes, capsys, body):
    passes("dot")
    cells(f"def dot(a, b):\n    {body}")
    own = cells("others('dot')").answers[0]
    assert own.took == "not timed"


def test_ones_own_that_does_not_end_or_prints(cells, passes, capsys):
    passes("dot")
    cells("def dot(a, b):\n    while True: pass")
    assert cells("others('dot')").answers[0].took == "more than 0.05 s"
    capsys.readouterr()
    cells("def dot(a, b):\n    print(a)\n    return a @ b")
    assert cells("others('dot')").answers[0].took.endswith("s")
    assert "0." not in capsys.readouterr().out.partition("Out[")[0]


def test_stop_is_one_sentence(passes, monkeypatch):
    def stop(call):
        raise KeyboardInterrupt

    passes("dot")
    monkeypatch.setattr(timing, "seconds", stop)
    with pytest.raises(Interrupted, match="you stopped dot"):
        others("dot")


# How long it takes


def test_the_median_of_a_few_calls(monkeypatch):
    clock = iter(np.cumsum([0, 9, 0, 1, 0, 5, 0, 2, 0, 3, 0, 4]).tolist())
    monkeypatch.setattr(timing.time, "perf_counter", lambda: next(clock))
    assert timing.seconds(lambda: None) == 3, "the first call, of 9, is left out"


def test_a_call_that_only_once_is_short_enough(monkeypatch):
    monkeypatch.setattr(timing, "LONGEST", 0.2)
    ends = iter([False])

    def call():
        while next(ends, True):
            pass

    assert timing.seconds(call) < 0.2


@pytest.mark.parametrize(
    ("taken", "words"),
    [
        (None, "not timed"), (math.inf, "more than 0.4 s"), (2.04, "2 s"), (0.9994, "1 s"), (0.123, "120 ms"),
        (0.00156, "1.6 ms"), (0.000_99, "990 µs"), (3.21e-5, "32 µs"), (4e-7, "less than 1 µs"),
        (0, "less than 1 µs"),
    ],
)  # fmt: skip
def test_times_in_words(taken, words):
    assert timing.in_words(taken) == words
