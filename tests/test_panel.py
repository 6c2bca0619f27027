"""What a failing check draws: complete, readable without colour, and safe whatever the text says."""

import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from helpers import CheckFailed, check, reference
from helpers.exercises import find
from helpers.learner.checking import verdict_of
from helpers.units import UNIT_OF
from helpers.verdict.judge import Verdict
from helpers.verdict.panel import LARGEST, Panel, panel
from tools import kernels


class Cells(HTMLParser):
    """Collects the tables of a panel: captions, and the cells of each row."""

    def __init__(self, text):
        super().__init__()
        self.tables, self.tags, self._into = [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag == "table":
            self.tables.append({"caption": "", "rows": []})
        elif tag == "tr":
            self.tables[-1]["rows"].append([])
        elif tag in ("td", "th"):
            self.tables[-1]["rows"][-1].append("")
            self._into = "cell"
        elif tag == "caption":
            self._into = "caption"

    def handle_endtag(self, tag):
        if tag in ("td", "th", "caption"):
            self._into = None

    def handle_data(self, data):
        if self._into == "caption":
            self.tables[-1]["caption"] += data
        elif self._into == "cell":
            self.tables[-1]["rows"][-1][-1] += data


def drawn(right, got, **more):
    one = Panel(
        "softmax is not right yet.", ("You did.",), "Look.", np.asarray(right), np.asarray(got), **more
    )
    return Cells(one._repr_html_()), one._repr_html_()


def test_yours_stands_beside_expected_with_a_sign_where_they_differ():
    cells, _ = drawn(
        [[1.0, 0.0], [0.25, 0.75]], [[1.0, 0.0], [0.75, 0.25]], name="weights", axes=("query", "key")
    )
    expected, yours = cells.tables
    assert expected["caption"] == "Expected weights, shape (2, 2)"
    assert yours["caption"] == "Your weights, shape (2, 2)"
    assert expected["rows"] == [["query ╲ key", "0", "1"], ["0", "1", "0"], ["1", "0.25", "0.75"]]
    assert yours["rows"][1:] == [["0", "1", "0"], ["1", "≠ 0.75", "≠ 0.25"]]


def test_another_shape_is_drawn_without_signs():
    cells, text = drawn(np.ones((2, 3)), np.ones((3, 2)))
    assert [table["caption"][-6:] for table in cells.tables] == ["(2, 3)", "(3, 2)"]
    assert "≠" not in text


def test_another_number_of_axes_is_told_by_its_shape():
    cells, text = drawn(np.ones((2, 3)), np.ones((1, 2, 3)))
    assert len(cells.tables) == 1
    assert "Your result: shape (1, 2, 3)" in text


def test_the_part_with_the_mistake_is_in_sight():
    right = np.zeros((3, 2, 20, 20))
    got = right.copy()
    got[1, 1, 15, 17] = 4
    cells, _ = drawn(right, got)
    yours = cells.tables[1]
    assert (
        yours["caption"]
        == "Your result, block [1, 1] of the leading axes, shape (3, 2, 20, 20) (a part of it)"
    )
    assert "≠ 4" in yours["rows"][-1] + yours["rows"][1]
    assert len(yours["rows"]) <= LARGEST + 1


@pytest.mark.parametrize(
    ("value", "word"), [(np.nan, "NaN"), (np.inf, "∞"), (-np.inf, "−∞"), (1 / 3, "0.3333"), (-1e-9, "-1e-09")]
)
def test_numbers_that_are_hard_to_write(value, word):
    cells, _ = drawn([[1.0, 2.0]], [[1.0, value]])
    assert cells.tables[1]["rows"][1][-1] == f"≠ {word}"


def test_true_and_false_and_vectors_and_complex():
    assert drawn([True, False], [True, True])[0].tables[1]["rows"][1][1:] == ["True", "≠ True"]
    assert drawn([1.0, 2.0], [1.0 + 1j, 2.0])[0].tables[0]["caption"] == "Expected result, shape (2,)"


def test_text_is_escaped():
    evil = "<script>alert(1)</script>"
    text = Panel(
        evil, (evil,), evil, again=evil, name=evil, expected=np.ones(2), got=np.zeros(2)
    )._repr_html_()
    assert "<script" not in text
    assert text.count("&lt;script&gt;") == 6


def test_what_stands_between_backticks_is_code_and_what_is_code_is_escaped():
    said = Panel("T", ("Read `axis` and `a < b`, not 3`.",), "Where does `axis` appear?")._repr_html_()
    assert "<p>Read <code>axis</code> and <code>a &lt; b</code>, not 3`.</p>" in said
    assert "Where does <code>axis</code> appear?" in said


def test_no_known_mistake_leaves_a_backtick_in_its_panel():
    for name in UNIT_OF:
        for one in find(name).mistakes:
            assert "`" not in Panel(f"{name} is wrong.", (one.says,), one.hint)._repr_html_(), one.id


def test_nothing_that_a_cleaner_removes_or_that_only_one_theme_shows():
    _, text = drawn([[1.0, 0.0]], [[0.0, 1.0]])
    assert not re.search(r"<(style|script|svg|img|link|h\d)", text)
    colours = re.findall(r"(?<![-\w])color: ", text)
    assert not colours, "letters keep the colour of the page"


def test_a_single_number_is_said_and_not_drawn():
    problem = Verdict(False, ("dot is not right yet.", "On x: expected 1, got 2."), None, "Look.")
    from helpers.exercises.compare import Difference

    verdict = Verdict(
        False, problem.lines, None, "Look.", problem=Difference("", np.array(1.0), np.array(2.0))
    )
    assert Cells(panel(find("dot"), verdict, "")._repr_html_()).tables == []


# In a real kernel

CODE = """
import numpy as np
from helpers import check
def softmax(x, axis=-1):
    return np.exp(x)
check("softmax", seed=1)
"""


def run(folder):
    """What a kernel shows in that folder, for an answer that is not right."""
    notebook = new_notebook(cells=[new_code_cell(CODE), new_code_cell("def softmax(x, axis=-1): return x")])
    with kernels.client(notebook, folder, allow_errors=True) as client:
        client.execute()
    return notebook.cells[0].outputs


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("work")
    return folder, run(folder)


@pytest.mark.slow
def test_a_notebook_shows_the_panel_and_then_one_line_that_repeats_nothing(outputs):
    _, (shown, error) = outputs
    assert shown.output_type == "display_data"
    assert set(shown.data) == {"text/html", "text/plain"}
    panel, _, below = shown.data["text/html"].partition("<details")
    assert len(Cells(panel).tables) == 2
    assert "See your own lines" in below
    assert shown.data["text/plain"].startswith("softmax is not right yet.\n")
    assert error.ename == "CheckFailed"
    (text,) = error.traceback
    assert text == "CheckFailed: softmax is not right yet. The panel above says what to look at."


@pytest.mark.slow
def test_validate_shows_no_panel_so_its_error_names_the_mistake(tmp_path, monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "validate")  # as nbgrader's validator sets it
    _, error = run(tmp_path)
    (text,) = error.traceback
    first, mistake, hint = text.split("\n")
    assert first == "CheckFailed: softmax is not right yet."
    assert mistake == "Your weights do not sum to 1: these are bare exponentials. Right: exponential."
    assert hint.startswith("Hint: ")


@pytest.mark.slow
def test_the_error_holds_everything_for_those_who_see_no_panel(outputs):
    _, (_, error) = outputs
    assert "Expected:\n" in error.evalue
    assert "check('softmax', seed=1)" in error.evalue


@pytest.mark.slow
def test_the_check_is_recorded(outputs):
    folder, _ = outputs
    (line,) = (folder / "progress.jsonl").read_text().splitlines()
    assert json.loads(line)["exercise"] == "softmax"
    assert json.loads(line)["event"] == "tried"


def shaken(x, axis=-1):
    return reference.softmax(x, axis) + np.cos(np.arange(x.size)).reshape(x.shape)


@pytest.mark.parametrize(
    ("answer", "label"), [(lambda x, axis=-1: np.exp(x), "Hint"), (shaken, "A first hint")]
)
def test_a_hint_that_knows_nothing_of_the_mistake_says_that_it_is_the_first(answer, label):
    exercise = find("softmax")
    verdict = verdict_of(exercise, answer, 1)
    assert (verdict.hint == exercise.hints[0]) == (label == "A first hint")
    drawing = panel(exercise, verdict, "")
    assert f"<p><b>{label}:</b> " in drawing._repr_html_()
    for text in (repr(drawing), verdict.says):
        assert text.endswith(f"\n{label}: {verdict.hint}")


def test_outside_a_notebook_the_text_says_it_all():
    with pytest.raises(CheckFailed) as caught:
        check("softmax", lambda x, axis=-1: np.exp(x), seed=1)
    (shown,) = caught.value._render_traceback_()
    assert " ".join(shown.split()) == " ".join(f"CheckFailed: {caught.value}".split())


# Numbers that differ look different


@pytest.mark.parametrize("right", [-0.25, 2.0, 0.125, 1234567.5, 1 + 1j])
def test_a_sign_never_stands_beside_the_same_digits(right):
    cells, _ = drawn([0.5, right], [0.5, right * (1 + 3e-6)])
    expected, yours = (table["rows"][1][2] for table in cells.tables)
    assert yours.startswith("≠ ")
    assert expected != yours.removeprefix("≠ ")


def test_the_sentence_and_the_tables_show_enough_digits_to_see_the_difference():
    def nudged(weights, upstream):
        inner = (weights * upstream).sum(axis=-1, keepdims=True)
        return weights * (upstream - inner) * (1 + 3e-6)

    with pytest.raises(CheckFailed) as caught:
        check("softmax_backward", nudged, seed=1)
    text = str(caught.value)
    expected, got = re.search(r"expected (\S+), got (\S+?)\.?\n", text).groups()
    assert expected != got
    right, yours = re.search(
        r"Expected:\n(.*?)\nGot:\n(.*?)\n(?:Hint|A first hint): ", text, re.DOTALL
    ).groups()
    assert right != yours


def test_entries_that_differ_by_rounding_alone_are_not_written_out():
    def one_maximum_for_all(x, axis=-1):
        powers = np.exp(x - x.max())
        return powers / powers.sum(axis=axis, keepdims=True) * (1 + 2e-16)

    def no_mask(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
        output, weights = reference.multi_head_attention(X, W_q, W_k, W_v, W_o, num_heads)
        return output * (1 + 2e-16), weights

    for name, answer in (("softmax", one_maximum_for_all), ("multi_head_attention", no_mask)):
        with pytest.raises(CheckFailed) as caught:
            check(name, answer, seed=1)
        tables = re.search(r"Expected:\n(.*?)\n(?:Hint|A first hint): ", str(caught.value), re.DOTALL)[1]
        assert max(len(digits) for digits in re.findall(r"\.(\d*)", tables)) == 3


def test_a_single_number_is_drawn_as_a_number():
    _, text = drawn(3.25, np.array([3.25]))
    assert "<p>Expected result: the single number 3.25</p>" in text
    assert text.count("<table") == 1
