"""What is folded below a failing check, unfolded in a real browser: an exported page, and without scripts."""

import numpy as np
import pytest
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_notebook, new_output

from banks.registry import load
from helpers.exercises import find
from helpers.learner.checking import verdict_of
from helpers.learner.first_difference import SUMMARY, below, stages_of
from helpers.verdict.panel import panel
from helpers.views.laid_over import expected
from helpers.views.script import PAGE
from tests.test_first_difference import FIRST
from tests.test_loom import RUN
from tools import real_browser

pytestmark = [pytest.mark.needs("browser"), pytest.mark.slow]
CDN = "https://cdnjs.cloudflare.com/"


@pytest.fixture(scope="module")
def verdicts():
    _, programs = load()
    found = {}
    for one in programs:
        key = (one.exercise, one.mistake)
        if key in FIRST and key not in found:
            found[key] = verdict_of(find(one.exercise), one.obj)
    return found


def html(name, verdict):
    drawn = panel(find(name), verdict, "(again)")
    return drawn._repr_html_() + below(find(name), verdict)


@pytest.fixture(scope="module")
def page(tmp_path_factory, verdicts):
    """A notebook of failing checks as nbconvert exports it."""
    cells = []
    for (name, _), verdict in verdicts.items():
        shown = new_output("display_data", data={"text/html": html(name, verdict)})
        cells.append(new_code_cell(f'check("{name}")', outputs=[shown]))
    path = tmp_path_factory.mktemp("page") / "page.html"
    path.write_text(HTMLExporter().from_notebook_node(new_notebook(cells=cells))[0], "utf-8")
    return path


@pytest.fixture
def visit(chromium, page):
    with real_browser.Visit(chromium, width=1280, height=1400) as one:
        one.page.goto(page.as_uri())
        yield one
        assert all(url.startswith(CDN) for url in one.outside)  # nbconvert's own page asks for MathJax
        assert {error for error in one.errors if "ERR_FAILED" not in error} == set()


def test_unfolded_it_says_in_which_stage_yours_first_differs(visit, verdicts):
    folds = visit.page.locator("details", has_text=SUMMARY)
    assert folds.count() == len(FIRST)
    assert not visit.page.locator("details[open]").count()
    assert not visit.page.locator(".attention-view section").count(), "a closed one is not made"
    for place, key in enumerate(verdicts):
        fold = folds.nth(place)
        fold.locator("summary").first.click()
        said = fold.locator("#verdict")
        said.wait_for()
        assert said.inner_text().startswith(f"✗ First wrong in {FIRST[key]}: "), key
        assert " in yours; expected" in fold.locator("#spelled").inner_text(), key
        chosen = fold.locator("td.at.ne")
        assert chosen.count() == 1, key
        assert chosen.is_visible()
        assert fold.locator("#code").is_hidden()
        assert not fold.get_by_text("A fixed picture").count()
        assert fold.locator("select:visible").count() == (fold.locator("#head").count())


def test_it_is_folded_again_and_unfolded_by_keyboard(visit):
    fold = visit.page.locator("details", has_text=SUMMARY).first
    summary = fold.locator("summary").first
    summary.focus()
    for opened in (True, False, True):
        visit.page.keyboard.press("Enter")
        assert fold.evaluate("one => one.open") == opened
    assert fold.locator("h3").count() == 1


@pytest.mark.parametrize("dark", [False, True])
def test_on_a_phone_the_first_difference_is_in_sight_and_nothing_is_too_wide(chromium, page, dark):
    with real_browser.Visit(chromium, dark=dark, width=390, height=900) as phone:
        phone.page.goto(page.as_uri())
        for fold in phone.page.locator("details", has_text=SUMMARY).all():
            fold.locator("summary").first.click()
            edge = fold.locator("#loom").bounding_box()
            cell = fold.locator("td.at.ne").bounding_box()
            assert edge["x"] <= cell["x"] <= cell["x"] + cell["width"] <= edge["x"] + edge["width"]
            section = fold.locator("section").bounding_box()
            assert section["x"] + section["width"] <= 390


def test_the_page_computes_the_expected_numbers(chromium, verdicts):
    """The script has what a stage is made from: what it makes of that is what the reference gives."""
    with real_browser.Visit(chromium) as visit:
        for name in ("view", "loom_core"):
            visit.page.add_script_tag(content=(PAGE / f"{name}.js").read_text("utf-8"))
        for key, verdict in verdicts.items():
            woven, data = find(key[0]).woven, stages_of(find(key[0]), verdict)
            done = visit.page.evaluate(RUN, [data, {}])
            assert not done["stops"]
            call = expected(woven.begins(verdict.case.args), woven.until)
            for stage in set(woven.stages.values()) - set(data["given"]):  # the page makes the others
                dims, numbers = done["values"][stage]
                got = np.array([float(x) for x in numbers]).reshape(dims)
                np.testing.assert_allclose(got, call.numbers[stage], rtol=1e-10, atol=1e-12, err_msg=str(key))
        assert visit.errors == []


def test_nothing_of_it_is_found_wanting_by_axe(visit):
    visit.page.locator("details", has_text=SUMMARY).first.locator("summary").first.click()
    found = [
        one for one in real_browser.violations(visit.page) if "attention-view" in one or "summary" in one
    ]
    assert found == []


def test_where_scripts_do_not_run_only_the_panel_is_there(chromium, page):
    context = chromium.new_context(java_script_enabled=False)
    bare = context.new_page()
    bare.goto(page.as_uri())
    text = bare.locator("body").inner_text()
    assert "is not right yet" in text
    assert SUMMARY not in text
    assert not bare.locator("details, .attention-view").count()
    context.close()
