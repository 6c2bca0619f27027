"""What the line of the browser's edition says of Python at work: nothing stops it midway, and plots load."""

import pytest

from tests.lite_reader import line
from tests.test_lite_browser import SCRATCH, at, typed
from tools import real_browser

pytestmark = [pytest.mark.needs("browser", "katex", "lite", "pyodide"), pytest.mark.nightly]

BUSY = "window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'busy'"


def test_the_stop_button_says_what_ends_an_endless_loop_and_that_does_it(reader, hosted):
    with reader.opened() as page:
        page.goto(at(hosted))
        lab = real_browser.Notebook(page)
        lab.write(SCRATCH, "while True:\n    pass")
        page.keyboard.press("Control+Enter")
        page.wait_for_function(BUSY)
        page.locator("jp-button[data-command='notebook:interrupt-kernel']").click()
        page.get_by_text("Python in a browser cannot be stopped in the middle").wait_for()
        page.get_by_role("button", name="Restart Python").click()
        page.get_by_text(
            "Python has begun anew and your text is as it was: run the cells above again (Run, Run All "
            "Above Selected Cell)."
        ).wait_for()
        assert "while True" in lab.find(SCRATCH).inner_text()
        assert typed(lab, "print(1 + 1)").splitlines()[-1] == "2"
        assert line(page).inner_text().startswith("Your work is kept in this browser")


def test_the_line_says_what_the_first_picture_waits_for_and_only_the_first(reader, hosted):
    told = """() => {
        window.told = [];
        const words = document.querySelector("#course-line .words");
        new MutationObserver(() => window.told.push(words.textContent)).observe(words, { childList: true });
    }"""
    with reader.opened() as page:
        page.goto(at(hosted))
        lab = real_browser.Notebook(page)
        lab.run("set-up")
        lab.run("05-04")
        page.evaluate(told)
        lab.run("05-05")
        assert any(one.startswith("Plots are being loaded") for one in page.evaluate("window.told"))
        assert line(page).inner_text().startswith("Your work is kept in this browser")
        page.evaluate("window.told.length = 0")
        lab.run("05-05")
        assert not any(one.startswith("Plots") for one in page.evaluate("window.told"))
