"""The learner's path in a real JupyterLab and a real browser."""

import re

import pytest

from tools import browser
from tools.shell import ROOT

pytestmark = [pytest.mark.needs("browser"), pytest.mark.slow]
UNIT = "00_start_here/00_start_here.ipynb"
WRONG = "def double(x):\n    return x**2"
RIGHT = "def double(x):\n    return 2 * x"


@pytest.fixture(scope="module")
def lab():
    with browser.jupyterlab(ROOT / "notebooks") as address:
        yield address


def test_from_opening_a_unit_to_validate(lab, chromium):
    with browser.Visit(chromium, width=1280, height=900) as visit:
        notebook = browser.Notebook(visit.page, lab.format(UNIT))
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
        assert "double: right." in notebook.run("double-test").inner_text()

        notebook.save()
        visit.page.get_by_role("button", name=re.compile("Validate")).first.click()
        dialog = visit.page.locator(".jp-Dialog, .validate, [role=dialog]").filter(has_text="Success")
        dialog.first.wait_for(timeout=240_000)
        assert "Success" in dialog.first.inner_text()
        assert visit.outside == []


def test_the_explorer_in_a_notebook(lab, chromium):
    """By mouse and by keyboard; arrow keys stay in the view and do not walk over the notebook."""
    with browser.Visit(chromium, width=1280, height=900) as visit:
        notebook = browser.Notebook(visit.page, lab.format("05_softmax/05_softmax.ipynb"))
        notebook.run("set-up")
        cell = "05-16"
        notebook.write(
            cell,
            "Q, K, V = reference.queries_keys_values(example.X, example.W_Q, example.W_K, example.W_V)\n"
            "views.explore_attention(Q, K, V, reference.causal_mask(4), example.TOKENS)",
        )
        output = notebook.run(cell)
        view = output.locator(".attention-view")
        view.get_by_label(re.compile("^4 ")).check()
        view.locator("tbody tr").nth(1).locator("td").nth(0).click()
        said = view.locator(".sum")
        assert said.inner_text() == "weights[1, 0] = e^1 / (e^1 + e^0.50) = 0.622"
        active = visit.page.evaluate("window.jupyterapp.shell.currentWidget.content.activeCellIndex")
        visit.page.keyboard.press("ArrowDown")
        assert said.inner_text().startswith("weights[2, 0] =")
        visit.page.keyboard.press("End")
        assert said.inner_text().startswith("weights[2, 3] =")
        count = "window.jupyterapp.shell.currentWidget.content.widgets.length"
        before = visit.page.evaluate(count)
        for control in ("combobox", "slider", "checkbox", "button"):
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
        assert view.locator(".sum").is_visible()
        assert visit.outside == []
