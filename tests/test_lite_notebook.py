"""The notebook alone on its page: by keyboard, by the names that a screen reader gets, and where it leads."""

import re

import pytest

from tests.lite_reader import line
from tests.test_lite_browser import KEPT, RIGHT, UNIT
from tools import opens, real_browser

pytestmark = [pytest.mark.needs("browser", "katex", "lite", "pyodide"), pytest.mark.nightly]

UPSTREAM = ("aria-required-children",)
"""What axe finds in Jupyter itself: cells are no articles to it, though their list says that it is a feed."""

NAMELESS = """() => document.querySelectorAll('.cm-content:not([aria-label])').length === 0"""


def test_all_has_names_and_an_answer_is_written_and_checked_by_keyboard_alone(reader, hosted):
    with reader.opened(width=820) as page:
        page.goto(opens.in_notebook(hosted, UNIT))
        page.locator("#course-line[data-kept]").wait_for()
        fields_and_buttons_have_names(page)
        press = page.keyboard.press

        def active():
            return page.evaluate("window.jupyterapp.shell.currentWidget.content.activeCell.model.id")

        def on_to(identity):
            """Down, cell by cell."""
            for _ in range(200):
                if active() == identity:
                    return
                press("ArrowDown")
            raise AssertionError(f"{identity} is not reached")

        def run():
            press("Control+Enter")
            page.wait_for_function("""() => {
                const shown = window.jupyterapp.shell.currentWidget;
                const ran = shown.content.activeCell.model.executionCount;
                return ran && shown.sessionContext.session.kernel.status === 'idle';
            }""")

        press("Shift+Enter")  # the arrow keys pass over what is folded
        assert active() == "set-up"
        run()
        on_to("softmax")
        press("Enter")
        named = "document.activeElement.getAttribute('aria-label')"
        assert page.evaluate(named) == "Your answer to softmax"
        press("ControlOrMeta+a")
        page.keyboard.insert_text(RIGHT)
        press("Escape")
        run()
        on_to("softmax-test")
        run()
        cell = page.locator(".jp-Cell.jp-mod-active")
        assert "✓ softmax is right." in cell.locator(".jp-OutputArea").inner_text()
        page.locator("#course-line .saved[data-saved=true]").wait_for()


def fields_and_buttons_have_names(page):
    page.wait_for_function(NAMELESS)
    found = [one for one in real_browser.violations(page) if not one.startswith(UPSTREAM)]
    assert found == []
    tree = page.locator("body").aria_snapshot()
    assert f"status: {KEPT}" in tree
    for name in ("Your answer to softmax", "The check of softmax", "Code"):
        assert f'textbox "{name}"' in tree
    for name in ("Save and create checkpoint", "Run this cell and advance", "Interrupt the kernel"):
        assert re.search(rf'button "{name}', tree)


def test_it_leads_to_other_notebooks_with_and_without_a_connection(reader, site):
    def followed(page, name):
        with page.context.expect_page() as other:
            page.get_by_role("link", name=name).click()
        return other.value

    with real_browser.served(site.parent) as address, reader.opened() as page:
        home = f"{address}/{site.name}/"
        page.goto(opens.in_notebook(home, UNIT))
        page.locator("#course-line[data-kept]").wait_for()
        followed(page, "letters for sizes").get_by_role("heading", name="Start here").first.wait_for()
        followed(page, "All notebooks").get_by_text("03_scaling").first.wait_for()
        assert line(page).inner_text() == f"{KEPT} It opens without a connection now."
    with reader.opened() as page:  # nobody serves that address any more
        page.goto(opens.in_notebook(home, UNIT))
        real_browser.Notebook(page)
        followed(page, "letters for sizes").get_by_role("heading", name="Start here").first.wait_for()
