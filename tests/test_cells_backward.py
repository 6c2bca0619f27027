"""Each cell of a unit with only what it needs, in the page's own Python: it gives what it gives in order."""

import json
import os
import shutil

import pytest

from helpers.units import UNITS
from tests import in_node
from tests.sample_learners import NOTEBOOKS, SOLUTIONS, grader, read
from tools.web.live import pack

pytestmark = [pytest.mark.needs("engine", "pyodide"), pytest.mark.slow]
GATE = "01"
REVIEW = ("before_you_start(", "inventory(", "hand_in(", "progress(", "forget(", "review(")
"""Cells whose text depends on what was done before."""

OTHERWISE = {"07-11", "07-14", "07-19f", "07-21", "08-04"}
"""Cells that say how many seconds they took, or what was fetched."""


@pytest.fixture(scope="module")
def laid(laid_out, tmp_path_factory):
    """What a browser loads, and unit 08's model where it can be had."""
    laid = shutil.copytree(laid_out, tmp_path_factory.mktemp("cells") / "python", copy_function=os.link)
    pack.lay(laid / "model")
    return laid


def code(unit):
    """The code cells as the page has them, with right answers; checks do not run."""
    answers = {cell.id: cell.source for cell in read(SOLUTIONS, unit).cells}
    notebook = read(NOTEBOOKS, unit)
    found = []
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        source = answers[cell.id] if grader(cell).get("solution") else cell.source
        source = "guess = sure = None" if source.startswith("guess = ...") else source
        left = grader(cell).get("grade") or source.startswith(REVIEW)
        found.append({"id": cell.id, "source": source, "run": not left})
    return found


@pytest.mark.parametrize(
    "unit", [pytest.param(one, marks=() if one.startswith(GATE) else pytest.mark.nightly) for one in UNITS]
)
def test_cells_run_backward_as_in_order(unit, laid):
    (laid / f"{unit}.json").write_text(json.dumps(code(unit)), "utf-8")
    printed = in_node.run(laid, "tests/cells_backward.py", f"{unit}.json")
    lines = [json.loads(line) for line in printed.splitlines() if line.startswith('{"way"')]
    ways = {way: {one["id"]: one for one in lines if one["way"] == way} for way in ("in order", "backward")}
    slow = {name: one["seconds"] for name, one in ways["in order"].items() if one["seconds"] > 5}
    print(f"\nunit {unit}: {len(ways['backward'])} cells; longer than 5 seconds in order: {slow}")
    assert ways["in order"].keys() == ways["backward"].keys()
    assert {one["id"]: one["error"] for one in lines if one["error"]} == {}
    other = [
        (name, ways["in order"][name]["shows"], one["shows"])
        for name, one in ways["backward"].items()
        if name not in OTHERWISE and ways["in order"][name]["shows"] != one["shows"]
    ]
    assert other == []
