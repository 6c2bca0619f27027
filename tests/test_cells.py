"""Cells of a page, as its Python runs them: what they need, what they show, what they stop with."""

import json
import os
import subprocess
import sys
import types

import pytest

from helpers.on_page import calls
from helpers.on_page import cells as page
from helpers.on_page.cells import Notebook
from helpers.on_page.needs import Cell, needed
from helpers.on_page.streams import CUT, LONGEST


class Page:
    """A page with cells, and what it has been told."""

    def __init__(self, *sources):
        self.sources = ["import math", *sources]
        self.heard = []
        self.notebook = Notebook(types.ModuleType("__main__").__dict__)

    @property
    def cells(self):
        return [Cell(place, str(place), source) for place, source in enumerate(self.sources)]

    def run(self, place, **how):
        self.heard.clear()
        return self.notebook.run(self.cells, self.cells[place], self.heard.append, **how)

    def first(self, place, **how):
        return self.notebook.first(self.cells, self.cells[place], **how)

    def shows(self, place, kind="stream"):
        of = [one for one in self.heard if one["cell"] == str(place) and one["kind"] == kind]
        return "".join(one["data"]["text/plain"] if kind == "data" else one["text"] for one in of)


@pytest.mark.parametrize(
    ("sources", "wanted"),
    [
        (["a = 1", "b = a", "print(b)"], [0, 1, 2]),
        (["a = 1", "a = 2", "print(a)"], [0, 2]),  # the nearer one
        (["a = []", "a.append(1)", "b = 3", "print(a)"], [0, 1, 2]),  # what changes it
        (["a = [1]", "sorted(a)", "print(a)"], [0, 1]),  # what does not
        (["a = [1]", "change(a)", "print(a)"], [0, 1, 2]),  # any other function may
        (["a = {}", "a['x'] = 1", "print(a)"], [0, 1, 2]),
        (["def f():\n    return later", "later = 1", "f()"], [0, 1, 2]),  # read when it is called
        (["import json", "json.dumps(1)", "json.dumps(2)"], [0]),  # an import is no reason to run all of it
        (["def softmax(x):\n    return x", "x = 1", 'try_it("softmax", 3)'], [0, 1]),  # named in quotes
        (["def f(x):\n    return x", "f(f)", "f(1)"], [0, 1]),  # a function that is handed over stays
        (["a = 1", "this is no Python", "print(a)"], [0, 1]),
    ],
)
def test_a_cell_needs_what_makes_or_changes_what_it_reads(sources, wanted):
    them = Page(*sources).cells
    assert [one.place for one in needed(them, them[-1])] == wanted


def test_a_changed_cell_lets_what_needs_it_run_again_and_nothing_else():
    page = Page("a = 1", "b = 5\nprint('other')", "c = a + 1", "print(c)")
    assert page.run(4)["first"] == ["0", "1", "3"]
    assert page.shows(4) == "2\n"
    assert page.run(4)["first"] == []
    page.sources[1] = "a = 10"
    assert page.first(4) == ["1", "3"]
    assert page.run(4)["first"] == ["1", "3"]
    assert page.shows(4) == "11\n"
    page.sources[3] = "c = a + 2"  # one in between
    assert page.run(4)["first"] == ["3"]
    assert page.shows(4) == "12\n"


def test_a_name_that_two_cells_make_has_the_value_above_whatever_ran_last():
    page = Page("row = 'upper'", "print(row)", "row = 'lower'", "print(row)")
    page.run(4)
    page.run(2)
    assert page.shows(2) == "upper\n"
    page.run(4)
    assert page.shows(4) == "lower\n"


def test_cells_run_one_after_the_other_as_in_a_notebook():
    page = Page("a = 1", "a += 1", "print(a)")
    for place in (0, 1, 2, 2):
        page.run(place, alone=True)
    page.run(3, alone=True)
    assert page.shows(3) == "3\n"


def test_a_long_cell_can_be_left_out():
    page = Page("a = 1", "b = a", "print(a, b)")
    assert page.first(3, without=["2"]) == ["0", "1"]
    said = page.run(3, without=["2"])
    assert (said["error"], said["first"]) == ("NameError", ["0", "1"])
    page.run(3)
    assert page.shows(3) == "1 1\n"


def test_an_error_names_the_line_and_lets_the_cell_run_again():
    page = Page("def half(x):\n    return x / 0", "a = 1\n\nhalf(a)")
    said = page.run(2)
    assert said == {
        "first": ["0", "1"],
        "error": "ZeroDivisionError",
        "text": "ZeroDivisionError: division by zero",
    }
    lines = page.shows(2, "error").splitlines()
    assert lines[:4] == ["Traceback (most recent call last):", "  This cell, line 3", "    half(a)", lines[3]]
    assert "  An earlier cell, line 2, in half" in lines
    assert not any("cells.py" in line for line in lines)
    page.sources[1] = "def half(x):\n    return x / 2"
    assert page.run(2) == {"first": ["1"]}
    assert page.shows(2, "data") == "0.5"


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("1 +", "SyntaxError"),
        ("a\x00b", "SyntaxError"),
        ("exit()", "SystemExit"),
        ("def f(): f()\nf()", "RecursionError"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("class E(Exception):\n    def __str__(self): raise E\nraise E", "E"),
    ],
)
def test_whatever_stops_a_cell_the_page_goes_on(source, kind):
    page = Page(source, "print('still here')")
    assert page.run(1)["error"] == kind
    page.run(2)
    assert page.shows(2) == "still here\n"


def test_a_needed_cell_that_stops_is_named():
    page = Page("a = 1 / 0", "print(a)")
    said = page.run(2)
    assert (said["stopped"], said["error"]) == ("1", "ZeroDivisionError")
    assert {one["cell"] for one in page.heard} == {"0", "1"}


def test_the_last_value_is_shown_and_a_semicolon_hides_it():
    page = Page("1 + 1", "1 + 1;", "None", "%matplotlib inline\n3")
    shown = []
    for place in range(1, 5):
        page.run(place)
        shown.append(page.shows(place, "data"))
    assert shown == ["2", "", "", "3"]


def test_what_is_printed_comes_in_its_order_and_soon():
    source = "import sys\nprint('a')\nprint('b', file=sys.stderr)\nprint('c', end='')\n'd'"
    page = Page(source)
    page.run(1)
    of = [one for one in page.heard if one["cell"] == "1"]
    kinds = [one.get("name", one["kind"]) for one in of]
    assert kinds == ["begin", "stdout", "stderr", "stdout", "data", "end"]


def test_a_cell_that_prints_for_ever_does_not_drown_the_page():
    page = Page("for number in range(100_000): print(number)")
    page.run(1)
    text = page.shows(1)
    assert text.endswith(CUT)
    assert len(text) <= LONGEST + len(CUT)
    assert len(page.heard) < 300


@pytest.fixture
def begun(monkeypatch, tmp_path):
    """The page's notebook, as the worker has it; gives what runs a cell, and what it has heard."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("os.environ", {**os.environ})
    for name in [name for name in sys.modules if name.partition(".")[0] == "IPython"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(page, "_notebook", [])
    monkeypatch.setattr("helpers.learner.progress_record.learning", lambda: True)
    from helpers.beside import failed_cells

    for name in ("_failed", "_made", "_latest", "_last"):
        monkeypatch.setattr(failed_cells, name, {})
    monkeypatch.setattr(failed_cells, "_watched", [])
    page.begin('{"exercise": "double", "event": "passed", "at": "2026-11-28T10:00:00+00:00"}\n')
    monkeypatch.setattr(page._notebook[0], "space", space := types.ModuleType("__main__").__dict__)
    monkeypatch.setattr(page._notebook[0].shell, "user_ns", space)

    def run(wanted, *sources):
        heard = []
        them = [{"id": str(place), "source": source} for place, source in enumerate(sources)]
        said = json.loads(page.run(json.dumps(them), wanted, lambda text: heard.append(json.loads(text))))
        return said, [one for one in heard if one["cell"] == wanted]

    yield run
    for name in [name for name in sys.modules if name.partition(".")[0] == "IPython"]:
        monkeypatch.delitem(sys.modules, name)


SET_UP = "import numpy as np\nfrom helpers import check, plots, progress, reveal, try_it, views"


def test_a_prediction_is_compared_and_kept(begun):
    cells = (SET_UP, 'guess = "2/3"\nsure = 3', 'reveal(guess, 0.5, "one-key-hidden", sure)', "progress()")
    said, heard = begun("2", *cells)
    assert "Not this time. You predicted 2/3; it is 0.5." in heard[1]["text"]
    line = json.loads(said["record"]["more"])
    wanted = {"exercise": "one-key-hidden", "event": "predicted", "sure": 3, "right": False}
    assert line == wanted | {"at": line["at"]}
    said, heard = begun("3", *cells)
    assert said["record"] is None
    assert "double (passed)" in heard[1]["data"]["text/plain"]
    assert '"exercise": "softmax", "event": "passed"' in json.loads(page.checked("softmax", True))["more"]


def test_a_record_that_is_deleted_is_deleted_on_the_page(begun):
    said, _ = begun("1", SET_UP, "from helpers import forget\nforget()")
    assert said["record"] == {"all": ""}


def test_an_answer_is_called_and_checked_where_it_is(begun):
    cells = (SET_UP, "def double(x):\n    return 3 * x", 'try_it("double", np.ones(2))', 'check("double")')
    _, heard = begun("2", *cells)
    assert "[3. 3.]" in heard[1]["text"]
    said, heard = begun("3", *cells)
    assert said["error"] == "CheckFailed"
    assert "double is not right yet" in json.dumps(heard)


def test_the_check_of_a_card_says_the_same_beside_cells(begun, monkeypatch):
    begun("1", SET_UP, "before = 1")
    source = "def double(x):\n    return 3 * x"
    beside = calls.check("double", source, {}, seed=0)
    monkeypatch.delitem(sys.modules, "IPython")
    assert calls.check("double", source, {}, seed=0) == beside


def test_a_display_can_be_shown_anew(begun):
    source = "from IPython.display import display, HTML\n"
    source += "place = display(HTML('<b>1</b>'), display_id=True)\nplace.update(2)"
    _, heard = begun("1", SET_UP, source)
    first, second = heard[1:3]
    assert (first["kind"], second["kind"], first["display"]) == ("data", "update", second["display"])
    assert first["data"]["text/html"] == "<b>1</b>"


def test_a_figure_is_drawn_for_light_and_dark(begun):
    _, heard = begun("1", SET_UP, 'plots.heatmap(np.eye(2)).captioned("Two.")')
    shown = heard[1]["data"]["text/html"]
    assert shown.count("<img ") == 2
    assert '<img class="only-dark"' in shown


def test_a_view_comes_without_matplotlib():
    code = "import sys\nfrom helpers import views\nshown = views.loom()._repr_page_()['text/html']\n"
    code += "print('<script>' in shown, '<img' in shown, 'matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True False False\n"
