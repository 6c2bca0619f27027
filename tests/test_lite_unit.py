"""The edition in the browser opens the unit that its address names, and begins one Python for it."""

import pytest

from tools import opens, real_browser

pytestmark = [pytest.mark.needs("browser", "katex", "lite", "pyodide"), pytest.mark.nightly]

OPENED = """(path) => {
    const shown = window.jupyterapp?.shell?.currentWidget;
    return shown?.context?.path === path && shown.sessionContext?.session?.kernel?.status === 'idle';
}"""
TABS = "[...window.jupyterapp.shell.widgets('main')].map((one) => one.context?.path)"
OPEN = "async (path) => { await window.jupyterapp.commands.execute('docmanager:open', { path }); }"
LOOKED_AT = """(exercise) => {
    const cell = window.jupyterapp.shell.currentWidget.content.activeCell;
    const { top, bottom } = cell.node.getBoundingClientRect();
    return cell.model.getMetadata("nbgrader")?.grade_id === exercise && bottom > 0 && top < innerHeight;
}"""
NAMED = "(path) => new URL(location).searchParams.get('path') === path"
KERNELS = (
    "window.jupyterapp.serviceManager.sessions.refreshRunning().then("
    "() => [...window.jupyterapp.serviceManager.sessions.running()].length)"
)


def notebook(unit):
    return f"{unit}/{unit}.ipynb"


def opened_by_its_button(page, hosted, unit):
    """Open a unit from its page of the site; gives what is open then, and how many kernels there are."""
    page.goto(f"{hosted}notebooks/{unit}/{unit}.html")
    page.get_by_role("link", name="Open in your browser").first.click()
    page.wait_for_function(OPENED, arg=notebook(unit))
    real_browser.settled(page)
    return page.evaluate(TABS), page.evaluate(KERNELS)


def test_each_unit_opens_alone_with_one_python_also_in_a_second_tab(reader, hosted):
    with reader.opened() as page:
        for unit in ("07_train_a_transformer", "09_efficient_attention", "01_dot_product"):
            assert opened_by_its_button(page, hosted, unit) == ([notebook(unit)], 1)
        second = page.context.new_page()
        unit = "05_softmax"
        assert opened_by_its_button(second, hosted, unit) == ([notebook(unit)], 1)
        assert page.evaluate(TABS) == [notebook("01_dot_product")]


def test_the_first_notebook_after_an_answer_on_a_page_is_no_newer_course(reader, hosted):
    """Python of the page has let the edition's worker in by then; the answer's cell is what one sees."""
    page_of_unit = "notebooks/05_softmax/05_softmax.html"
    with reader.opened() as page:
        page.goto(f"{hosted}{page_of_unit}")
        assert page.evaluate("async () => (await import('../../lite/answers/keep.js')).keep()")
        page.goto(f"{opens.in_browser(hosted, '05_softmax')}#answer=masked_softmax")
        page.wait_for_function(OPENED, arg=notebook("05_softmax"))
        page.wait_for_function(LOOKED_AT, arg="masked_softmax")
        assert "newer version" not in page.locator("#course-line").inner_text()
        page.get_by_role("link", name="Page of this unit").click()
        page.wait_for_url(f"{hosted}{page_of_unit}")


def test_the_address_names_the_notebook_that_is_looked_at_and_without_one_the_last_opens(reader, hosted):
    with reader.opened() as page:
        page.goto(opens.in_browser(hosted, "05_softmax"))
        page.wait_for_function(OPENED, arg=notebook("05_softmax"))
        page.wait_for_function(NAMED, arg=notebook("05_softmax"))
        other = notebook("03_scaling")
        page.evaluate(OPEN, other)
        page.wait_for_function(NAMED, arg=other)
        page.reload()
        page.wait_for_function(OPENED, arg=other)
        assert page.evaluate(TABS) == [other]
        page.goto(f"{hosted}lite/lab/index.html")
        page.wait_for_function(OPENED, arg=other)


def test_below_a_folder_of_a_host_all_is_the_same(reader, site, tmp_path):
    (tmp_path / "host" / "course").mkdir(parents=True)
    (tmp_path / "host" / "course" / "2027").symlink_to(site)
    asked = []
    with real_browser.served(tmp_path / "host", asked) as address, reader.opened() as page:
        home = f"{address}/course/2027/"
        assert opened_by_its_button(page, home, "05_softmax") == ([notebook("05_softmax")], 1)
        page.locator("#course-line[data-kept]").wait_for()
        assert reader.errors == []
        assert [one for one in asked if not one.startswith(("/course/2027/", "/favicon.ico"))] == []
    with reader.opened() as page:  # nobody serves that address any more
        page.goto(opens.in_browser(home, "05_softmax"))
        page.wait_for_function(OPENED, arg=notebook("05_softmax"))
