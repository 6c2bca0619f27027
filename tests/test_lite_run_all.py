"""Run All in a browser: every learner's notebook goes through, and with right answers each check says so."""

import functools
import json
import os
import shutil

import nbformat
import pytest

from helpers.in_browser import shown
from helpers.units import UNITS, VARIABLES
from tests import in_node
from tests.sample_learners import NOTEBOOKS, SOLUTIONS, grader, path_of, read
from tools.lite import contents
from tools.web.live import pack

pytestmark = [pytest.mark.needs("lite", "pyodide"), pytest.mark.slow]


def every_unit(gate):
    """The gate runs through this unit, the night through all others: some take a browser's Python minutes."""
    units = [pytest.param(unit, marks=() if unit.startswith(gate) else pytest.mark.nightly) for unit in UNITS]
    return pytest.mark.parametrize("unit", units)


GAVE = "what the cell gave when the site was built"


@pytest.fixture(scope="module")
def lite(laid_out, tmp_path_factory):
    """What a browser loads, and the learner's notebooks: every cell has given a text of its own."""
    folder = tmp_path_factory.mktemp("lite")
    lite = shutil.copytree(laid_out, folder / "lite", copy_function=os.link)
    for unit in UNITS:
        notebook = read(NOTEBOOKS, unit)
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.outputs = [nbformat.v4.new_output("stream", name="stdout", text=f"{GAVE}: {cell.id}\n")]
        to = path_of(folder / "executed", unit)
        to.parent.mkdir(parents=True)
        nbformat.write(notebook, to)
    contents.write(lite / "contents", lite, folder / "executed")
    for unit in UNITS:
        to = path_of(lite / "solved", unit)
        to.parent.mkdir(parents=True)
        nbformat.write(solved(unit), to)
    pack.lay(lite / "model")  # where it can be had; unit 08 runs without it too
    return lite


def solved(unit):
    """The learner's notebook with the solution's answers in it."""
    notebook = read(NOTEBOOKS, unit)
    answers = {cell.id: cell.source for cell in read(SOLUTIONS, unit).cells}
    for cell in notebook.cells:
        if grader(cell).get("solution"):
            cell.source = answers[cell.id]
    return notebook


@pytest.fixture(scope="module")
def ran(lite):
    """All cells of a unit in one way, by their ids; run once, in one kernel."""

    @functools.cache
    def ran(unit, folder):
        printed = in_node.run(lite, "tests/all_cells.py", f"{folder}/{unit}/{unit}.ipynb")
        cells = [json.loads(line) for line in printed.splitlines() if line.startswith('{"id"')]
        return {cell["id"]: cell for cell in cells}

    return ran


@every_unit("01")
def test_a_fresh_notebook_goes_through(unit, ran):
    """As everywhere (see `test_notebooks.py`): errors only where an exercise is not answered yet."""
    cells, recorded = ran(unit, "contents"), contents.recorded(read(NOTEBOOKS, unit)).keys()
    print(f"\nunit {unit}: {len(cells)} code cells, {len(recorded)} show what was recorded")
    failed = {place: cell for place, cell in cells.items() if "ename" in cell}
    tests = {f"{name}{few}-test" for name in UNITS[unit] for few in ("", "-few")}
    checked = tests & cells.keys()
    at_once = {name for name in UNITS[unit] if name in VARIABLES}
    others = {place: cell for place, cell in failed.items() if place not in checked | at_once}
    assert not others, "\n".join(f"{place}: {cell}"[:600] for place, cell in others.items())
    assert failed.keys() == checked | at_once
    for cell in failed.values():
        assert cell["ename"] in ("CheckFailed", "NotImplementedError")
        assert "not answered yet" in cell["evalue"]
        assert "helpers" not in "\n".join(cell["lines"])
    for place, cell in cells.items():
        assert "stderr: " not in cell["shows"], f"{place}: {cell['shows']}"
        note = shown.note(contents.LONG.get(place))
        shows_it = note in cell["shows"] and f"{GAVE}: {place}" in cell["shows"]
        assert shows_it == (place in recorded)
        assert "NoPyTorch" not in cell["shows"], f"{place} needs what the stand-in lacks: {cell['shows']}"


@every_unit("06")
def test_right_answers_are_right_in_a_notebook(unit, ran):
    cells = ran(unit, "solved")
    slow = {place: round(cell["seconds"]) for place, cell in cells.items() if cell["seconds"] > 20}
    print(f"\nunit {unit}: more than 20 seconds, which `contents.LONG` is about: {slow}")
    failed = [f"{place}: {cell}"[:600] for place, cell in cells.items() if "ename" in cell]
    assert not failed, "\n".join(failed)
    for name in UNITS[unit]:
        assert cells[f"{name}-test"]["shows"].startswith(f"{name}: right.")


MODEL_RUNS = ("08-04", "08-24b", "08-26", "08-28", "08-29", "08-31", "08-33", "08-37", "08-46e")
"""Cells of unit 08 that the packed model runs, or that show what it gave."""


BERT = {
    "contents": "✗ bert_attention is not answered yet.",
    "solved": "✓ With your bert_attention the model says the same",
}


@pytest.mark.needs("model")
@pytest.mark.nightly
@pytest.mark.parametrize("folder", ["contents", "solved"])
def test_cells_of_unit_08_run_on_the_packed_model(ran, folder):
    unit = "08_inside_a_pretrained_model"
    cells = ran(unit, folder)
    assert {*MODEL_RUNS}.isdisjoint(contents.recorded(read(NOTEBOOKS, unit)))
    assert "all-MiniLM-L6-v2: 6 layers" in cells["08-04"]["shows"]
    assert "embeddings: (6, 384)" in cells["08-26"]["shows"]
    assert "A hungry puppy finished its dinner." in cells["08-29"]["shows"]
    for place in ("08-24b", "08-46e"):
        assert "a cosine of 0.96 before layer 0, and of 0.66 after the last" in cells[place]["shows"]
    assert "it -> dog 0.5" in cells["08-33"]["shows"]
    assert BERT[folder] in cells["08-24b"]["shows"]


TRACE = '''\
import linecache
import sys
from pathlib import Path

sys.path.append("/course")
from helpers.in_browser import site

site.FOLDER = Path("/lite")

import numpy as np

from helpers import CheckFailed, check, trace

SOURCE = """\\
def softmax(x, axis=-1):
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=0)
"""
linecache.cache["<cell 1>"] = (len(SOURCE), None, SOURCE.splitlines(keepends=True), "<cell 1>")
exec(compile(SOURCE, "<cell 1>", "exec"))
print(trace("softmax"))
try:
    check("softmax", seed=0)
except CheckFailed as failed:
    print(failed)
'''


@pytest.mark.nightly
def test_lines_are_traced_in_a_browser(lite, tmp_path):
    """Python there is newer, and has neither signals nor threads."""
    file = tmp_path / "traced.py"
    file.write_text(TRACE, "utf-8")
    told = in_node.run(lite, file)
    assert "✓ exponentials" in told
    assert "The last new ✓ is exponentials, in line 2.\nAfter it, line 3 returns " in told
    assert "softmax is not right yet." in told
