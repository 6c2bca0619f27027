"""The learner's path in a real JupyterLab and a real browser."""

import re

import pytest

from tools import real_browser
from tools.shell import ROOT

pytestmark = [pytest.mark.needs("browser"), pytest.mark.slow]
SHOWN = ".jp-NotebookPanel:not(.lm-mod-hidden)"
UNIT = "00_start_here/00_start_here.ipynb"
WRONG = "def double(x):\n    return x**2"
RIGHT = "def double(x):\n    return 2 * x"


@pytest.fixture(scope="module")
def visit(chromium):
    """JupyterLab as it is first seen in the dark, opened once: each test has a notebook of its own there."""
    with (
        real_browser.jupyterlab(ROOT / "notebooks") as address,
        real_browser.Visit(chromium, dark=True, width=1280, height=900) as one,
    ):
        real_browser.Notebook(one.page, address.format(UNIT).replace("&reset", ""))
        yield one
        assert one.outside == []


def test_the_first_screen_is_the_notebook_and_as_dark_as_the_system(visit):
    """Where the system is light, `test_browser_first_screen.py` looks."""
    visit.page.locator("body[data-jp-theme-light=false]").wait_for(state="attached")
    assert not visit.page.locator(".jp-DirListing").is_visible()
    assert visit.page.locator(SHOWN).bounding_box()["width"] > 1150


def test_from_opening_a_unit_to_validate(visit):
    notebook = real_browser.beside(visit.page, f"work/{UNIT}")
    notebook.run_all()
    assert "not answered yet" in notebook.find("double-test").inner_text()

    notebook.write("double", WRONG)
    notebook.run("double")
    panel = notebook.run("double-test")
    said = panel.inner_text()
    assert "double is not right yet" in said
    assert "squared" in said or "square" in said
    assert "≠" in said
    tables = panel.locator("table caption")
    assert [tables.nth(place).inner_text().split()[0] for place in range(2)] == ["Expected", "Your"]

    notebook.write("double", RIGHT)
    notebook.run("double")
    said = notebook.run("double-test").inner_text()
    assert "✓ double is right." in said
    assert "Tried on 8 inputs: float32 and float64" in said
    assert "1 of 1 in this unit." in said

    notebook.save()
    visit.page.get_by_role("button", name=re.compile("Validate")).first.click()
    dialog = visit.page.locator(".jp-Dialog, .validate, [role=dialog]").filter(has_text="Success")
    dialog.first.wait_for()
    assert "Success" in dialog.first.inner_text()
    dialog.first.get_by_role("button").last.click()


@pytest.mark.nightly
def test_the_loom_in_a_notebook(visit):
    """By mouse and by keyboard; arrow keys stay in the view and do not walk over the notebook."""
    notebook = real_browser.beside(visit.page, "work/05_softmax/05_softmax.ipynb")
    notebook.run("set-up")
    cell = "05-16"
    notebook.write(
        cell,
        "views.loom(allowed=reference.causal_mask(4))",
    )
    output = notebook.run(cell)
    view = output.locator(".attention-view")
    view.locator("table[aria-label=weights] tbody tr").nth(2).locator("td").nth(0).click()
    view.locator("table[aria-label=weights] tbody tr").nth(1).locator("td").nth(0).click()
    said = view.locator("#spelled")
    assert said.inner_text() == "weights[1, 0] = e^1 / (e^1 + e^0.5) = 0.622"
    active = visit.page.evaluate("window.jupyterapp.shell.currentWidget.content.activeCellIndex")
    visit.page.keyboard.press("ArrowDown")
    assert said.inner_text().startswith("weights[2, 0] =")
    visit.page.keyboard.press("End")
    assert said.inner_text().startswith("weights[2, 3] =")
    count = "window.jupyterapp.shell.currentWidget.content.widgets.length"
    before = visit.page.evaluate(count)
    for control in ("combobox", "slider", "button"):
        view.get_by_role(control).first.focus()
        for key in (
            "ArrowDown",
            "d",
            "d",
            "x",
            "a",
            "m",
        ):  # in JupyterLab's command mode these edit the notebook
            visit.page.keyboard.press(key)
    assert visit.page.evaluate(count) == before
    assert visit.page.evaluate("window.jupyterapp.shell.currentWidget.content.activeCellIndex") == active
    assert said.is_visible()


WRONG_SCORES = """
def attention_scores(Q, K):
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
check("attention_scores", seed=1)
"""
UNTRUSTED = """
import nbformat
from nbformat.v4 import new_code_cell, new_notebook, new_output
from helpers.exercises import find
from helpers.learner.checking import verdict_of
from helpers.learner.first_difference import below
from helpers.verdict.panel import panel
record = find("attention_scores")
verdict = verdict_of(record, attention_scores)
html = panel(record, verdict, "")._repr_html_() + below(record, verdict)
assert "<script" in html
shown = new_code_cell("1", outputs=[new_output("display_data", data={"text/html": html})], execution_count=1)
kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
cells = [shown, *(new_code_cell("2") for _ in range(4))]
nbformat.write(new_notebook(cells=cells, metadata=kernel), "untrusted.ipynb")
print("written")
"""


def test_what_is_folded_below_a_failing_check(visit):
    """Unfolded by key it says where yours first differs; an untrusted notebook has nothing of it."""
    folder = "work/02_queries_keys_values"
    notebook = real_browser.beside(visit.page, f"{folder}/02_queries_keys_values.ipynb")
    notebook.run("set-up")
    notebook.write("attention_scores", WRONG_SCORES)
    output = notebook.run("attention_scores")
    fold = output.locator("details", has_text="See where yours first differs")
    assert not fold.locator("section").count()
    mode = "window.jupyterapp.shell.currentWidget.content.mode"
    fold.locator("summary").focus()
    visit.page.keyboard.press("Enter")
    said = fold.locator("#verdict")
    said.wait_for()
    assert said.inner_text().startswith("✗ First wrong in scores: ")
    assert visit.page.evaluate(mode) == "command", "Enter edits the cell"
    assert fold.locator("td.at.ne").is_visible()
    lines = output.locator("details", has_text="See your own lines").first
    lines.locator("summary").first.focus()
    visit.page.keyboard.press("Enter")
    told = lines.get_by_role("status")
    told.wait_for()
    assert told.inner_text().startswith("Line 2, returned: array ")
    assert visit.page.evaluate(mode) == "command", "Enter edits the cell"
    lines.locator(".line.at").focus()
    place = "window.jupyterapp.shell.currentWidget.content.activeCellIndex"
    before = visit.page.evaluate(place)
    for key in ("ArrowUp", "ArrowDown", "Home", "End"):
        visit.page.keyboard.press(key)
    assert visit.page.evaluate(place) == before, "the arrows go through the cells"

    notebook.write("attention_scores", UNTRUSTED)
    assert "written" in notebook.run("attention_scores").inner_text()
    notebook.save()
    real_browser.beside(visit.page, f"{folder}/untrusted.ipynb")
    area = visit.page.locator(f"{SHOWN} .jp-OutputArea").first
    assert "attention_scores is not right yet" in area.inner_text()
    assert area.locator("table").count() == 2
    assert not area.locator("details, summary, script, .attention-view").count()
    assert "See where" not in area.inner_text()
