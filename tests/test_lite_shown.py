"""Cells in a browser that only show what they gave, and changed ones that need what they make."""

import json

import nbformat
import pytest

from helpers.in_browser import shown, site
from helpers.in_browser.names import Names, parsed, part_that_makes
from helpers.units import UNITS
from tests.sample_learners import NOTEBOOKS, read
from tools.lite import contents

TRAINED = (
    "import math\nlosses = []\nfor i in range(3):\n    losses.append(i)\nrun = math.fsum(losses)\nprint(run)"
)
FOLLOWS = "half = run / 2\nprint(half)"


@pytest.fixture
def space(tmp_path, monkeypatch):
    """A notebook's names, where two cells are recorded: one that takes long, and one that follows it."""
    index = {}
    for source, makes, needs, seconds in (
        (TRAINED, ["losses", "i", "run"], [], 150),
        (FOLLOWS, ["half"], ["run"], None),
    ):
        outputs = [{"output_type": "stream", "name": "stdout", "text": "as recorded\n"}]
        index[shown.digest(source)] = {"makes": makes, "needs": needs, "seconds": seconds}
        file = tmp_path / shown.file_of(shown.digest(source))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({"source": source, "outputs": outputs}), "utf-8")
    (tmp_path / shown.INDEX).write_text(json.dumps(index), "utf-8")
    monkeypatch.setattr(site, "FOLDER", tmp_path)
    monkeypatch.setattr(shown, "_by_name", {})
    for cache in (shown._index, site.read):
        cache.cache_clear()
    yield {}
    for cache in (shown._index, site.read):
        cache.cache_clear()


def run(cell, space):
    """Run a cell as a browser's kernel does."""
    if shown.is_to_be_shown(cell, space):
        shown.show(shown.digest(cell), space)
    elif shown.before(cell, space):
        exec(cell, space)


def test_a_cell_as_it_was_shows_what_it_gave_and_takes_its_imports(space, capsys):
    run(TRAINED, space)
    run(FOLLOWS, space)
    assert capsys.readouterr().out == "as recorded\n" * 2
    assert "math" in space
    assert not {"run", "losses", "half"} & space.keys()


def test_a_changed_cell_has_what_it_needs_run_first_and_says_so(space, capsys):
    run(TRAINED, space)
    run(FOLLOWS, space)
    capsys.readouterr()
    run("print(half + 1)", space)
    said = capsys.readouterr().out.splitlines()
    about = "An earlier cell was only shown: what makes {} runs now{}."
    assert said == [about.format("`run`", ", about 2 minutes"), about.format("`half`", ""), "2.5"]
    run("print(half + 2)", space)
    assert capsys.readouterr().out == "3.5\n", "it is there by now"


def test_a_cell_that_follows_one_that_was_changed_runs(space, capsys):
    run(f"{TRAINED}  # for real", space)
    run(FOLLOWS, space)
    assert capsys.readouterr().out == "3.0\n1.5\n"
    run(TRAINED, space)  # as it was, once more
    run(FOLLOWS, space)
    assert capsys.readouterr().out == "as recorded\n" * 2


def test_what_stops_on_the_way_is_said_in_one_sentence_and_no_name_is_missing(space, capsys):
    run(TRAINED, space)
    space["range"] = 7
    capsys.readouterr()
    run("print(run)", space)
    said = capsys.readouterr().out.splitlines()
    assert said[1].startswith(
        "It stopped with TypeError: 'int' object is not callable. Run that cell itself,"
    )
    assert len(said) == 2


def test_a_part_that_needs_a_cell_which_has_not_run_names_what_is_missing(space, capsys):
    run(FOLLOWS, space)
    shown._by_name.pop("run", None)
    capsys.readouterr()
    run("print(half + 1)", space)
    said = capsys.readouterr().out.splitlines()
    assert said[1:] == ["It needs run, which an earlier cell makes: run those above, then this one."]


@pytest.mark.parametrize("cell", ["print(", "%timeit run", "nothing = 1", "lambda run: run"])
def test_cells_that_need_nothing_are_left_alone(space, capsys, cell):
    run(TRAINED, space)
    capsys.readouterr()
    assert shown.before(cell, space)
    assert capsys.readouterr().out == ""


def test_the_part_of_a_cell_that_makes_a_name():
    assert part_that_makes(TRAINED, {"run"}) == TRAINED.removesuffix("\nprint(run)")
    assert part_that_makes("a = 1\nb = 2\nplot(a, b)", {"b"}) == "b = 2"
    assert part_that_makes(TRAINED, set()) == "import math"


@pytest.mark.parametrize(
    ("code", "read", "made"),
    [
        ("a = b", {"b"}, {"a"}),
        ("a += 1", {"a"}, {"a"}),
        ("for i in xs:\n    y = i", {"xs"}, {"i", "y"}),
        ("[x for x in y]", {"y"}, set()),
        ("def f(x, n=m):\n    z = x\n    return z + k", {"m", "k"}, {"f"}),
        ("class A(B):\n    c = D", {"B", "D"}, {"A"}),
        ("import a.b\nfrom c import d as e", set(), {"a", "e"}),
        ("(n := f(1))", {"f"}, {"n"}),
    ],
)
def test_names_are_read_before_they_are_made(code, read, made):
    names = Names(parsed(code))
    assert (names.read, names.made) == (read, made)


@pytest.mark.parametrize("unit", UNITS)
def test_few_cells_are_only_shown_and_each_long_one_is_there(unit):
    notebook = read(NOTEBOOKS, unit)
    found = contents.recorded(notebook)
    here = {cell.id for cell in notebook.cells}
    assert {place for place in contents.LONG if place.startswith(unit[:2])} <= found.keys() & here
    assert len(found) <= 6, "in 07 to 09 there were 72 before a stand-in ran them"


def test_a_cell_says_that_it_was_recorded_and_how_to_run_it():
    gave = nbformat.v4.new_output("stream", name="stdout", text="loss 0.1")
    first, second = contents._kept([gave], shown.note(150))
    assert first.data["text/plain"] == (
        "What this cell gave when the course was built: here it takes about 2 minutes. "
        "To run it here, change it; a comment will do."
    )
    assert second == gave
    assert shown.note(40).startswith(
        "What this cell gave when the course was built: here it takes about 40 seconds"
    )
    assert "it uses what a longer cell made" in shown.note(None)
