"""What is written in the browser's edition stays: when a browser is killed, or a tab hidden."""

import os
import signal
from pathlib import Path

import pytest

from tests.lite_reader import Reader, line
from tests.test_lite_browser import RIGHT, at, chosen
from tools import real_browser

pytestmark = [pytest.mark.needs("browser", "katex", "lite", "pyodide"), pytest.mark.nightly]

DIRTY = "window.jupyterapp.shell.currentWidget.context.model.dirty"
HIDDEN = """() => {
    Object.defineProperty(document, "hidden", { get: () => true, configurable: true });
    Object.defineProperty(document, "visibilityState", { get: () => "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
KEPT_HERE = """async () => {
    const { contents } = window.jupyterapp.serviceManager;
    const { content } = await contents.get("05_softmax/05_softmax.ipynb", { content: true });
    return content.cells.find((one) => one.id === "softmax").source;
}"""


def saved(page):
    """What the line says of what is written."""
    return page.locator("#course-line .saved").inner_text()


def killed(home):
    """Kill a browser as a system does that wants its memory: without a word."""
    asked = f"--user-data-dir={home}".encode()
    for place in Path("/proc").glob("[0-9]*"):
        try:
            words = (place / "cmdline").read_bytes()
        except OSError:
            continue
        if asked in words and b"--type=" not in words:
            os.kill(int(place.name), signal.SIGKILL)
            return
    raise AssertionError("no browser has this profile")


def without_autosave(page):
    """Leave the saving to what happens, not to the clock; asked again, it is as before."""
    page.evaluate("window.jupyterapp.commands.execute('docmanager:toggle-autosave')")


@pytest.fixture(scope="module")
def lab(playwright, hosted, tmp_path_factory):
    """Unit 05, opened once, which takes twenty seconds to compute: tests write answers of their own there."""
    reader = Reader(playwright, tmp_path_factory.mktemp("reader") / "profile")
    with reader.opened() as page:
        page.goto(at(hosted))
        yield real_browser.Notebook(page)
    assert reader.outside == []


def wrote(lab, remark):
    """Write an answer, and wait until the line says that it is not saved."""
    lab.write("softmax", f"{RIGHT}  # {remark}")
    lab.page.locator("#course-line .saved[data-saved=false]").wait_for()
    return f"{RIGHT}  # {remark}"


def test_nothing_is_unsaved_where_nothing_was_touched_and_a_download_has_the_file_s_name(reader, hosted):
    with reader.opened() as page:
        page.goto(at(hosted))
        real_browser.Notebook(page)
        page.locator("#course-line[data-kept]").wait_for()
        assert page.evaluate(DIRTY) is False
        assert saved(page) == "saved"
        assert page.locator(".jp-mod-dirty").count() == 0
        stored = "window.jupyterapp.serviceManager.contents.get('05_softmax/05_softmax.ipynb')"
        first = page.evaluate(f"{stored}.then((one) => one.last_modified)")
        page.evaluate(HIDDEN)
        assert page.evaluate(f"{stored}.then((one) => one.last_modified)") == first
        with page.expect_download() as download:
            chosen(page, "File", "Download")
        assert download.value.suggested_filename == "05_softmax.ipynb"


def test_a_browser_that_is_killed_after_a_run_has_kept_the_answer(reader, hosted):
    with reader.opened() as page:
        page.goto(at(hosted))
        lab = real_browser.Notebook(page)
        without_autosave(page)
        lab.run("set-up")
        lab.write("softmax", RIGHT)
        page.locator("#course-line .saved[data-saved=false]", has_text="not yet saved").wait_for()
        lab.run("softmax")
        page.locator("#course-line .saved[data-saved=true]").wait_for()
        with page.context.expect_event("close"):  # closed by hand in the middle of that, it would be missed
            killed(reader.home)
    with reader.opened() as page:
        page.goto(at(hosted))
        lab = real_browser.Notebook(page)
        assert RIGHT.splitlines()[1] in lab.find("softmax").inner_text()


def test_what_was_not_run_is_saved_when_the_tab_is_hidden(lab):
    page = lab.page
    without_autosave(page)
    answer = wrote(lab, "hidden")
    page.evaluate(HIDDEN)
    page.locator("#course-line .saved[data-saved=true]").wait_for()
    assert page.evaluate(KEPT_HERE) == answer
    page.evaluate("() => { delete document.hidden; delete document.visibilityState; }")
    without_autosave(page)


def test_what_is_neither_run_nor_left_is_saved_within_seconds(lab):
    answer = wrote(lab, "left alone")
    lab.page.locator("#course-line .saved[data-saved=true]").wait_for(timeout=30_000)
    assert lab.page.evaluate(KEPT_HERE) == answer


def test_a_deleted_notebook_is_told_to_be_blank_again(lab):
    page = lab.page
    wrote(lab, "deleted")
    lab.save()
    page.evaluate("window.jupyterapp.serviceManager.contents.delete('05_softmax/05_softmax.ipynb')")
    page.get_by_text("Your 05_softmax.ipynb is deleted. The course's own, in which nothing is").wait_for()
    page.locator("#course-line").get_by_role("button", name="Close").click()
    assert line(page).inner_text().startswith("Your work is kept in this browser")


def test_a_private_window_says_nothing_is_wrong_and_saves(playwright, hosted):
    browser = playwright.chromium.launch(**real_browser.how_to_start(playwright))
    try:
        context = browser.new_context()
        real_browser.patient(context)
        page = context.new_page()
        page.goto(at(hosted))
        lab = real_browser.Notebook(page)
        lab.write("softmax", RIGHT)
        lab.save()
        page.reload()
        lab = real_browser.Notebook(page)
        assert page.evaluate(KEPT_HERE) == RIGHT
        assert page.locator("#course-line[data-problem]").count() == 0
    finally:
        browser.close()


def test_saves_that_meet_ask_nothing(lab):
    """Ctrl+S during the save that a run brings: JupyterLab would take it for somebody else's."""
    meet = """async () => {
        const { context } = window.jupyterapp.shell.currentWidget;
        await Promise.all([context.save(), context.save(), context.save()]);
    }"""
    answer = wrote(lab, "met")
    lab.page.evaluate(meet)
    assert lab.page.evaluate(KEPT_HERE) == answer
    assert lab.page.locator(".jp-Dialog").count() == 0
