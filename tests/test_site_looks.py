"""How the site's pages look and behave: on phones, on wide screens, on paper, at lost addresses."""

import re
from urllib.parse import urlparse

import nbformat
import pytest
from bs4 import BeautifulSoup

from helpers.units import UNITS
from tests.site_pages import UNIT_PAGES, soup
from tools import opens, real_browser, sync
from tools.shell import ROOT
from tools.web import buttons, execution, not_found, printed

WIDE = ["explorer.html", "search.html?q=softmax"]
on_the_site = pytest.mark.needs("browser", "katex", "engine")


def opened(visit, address, page):
    visit.page.goto(f"{address}/{page}", wait_until="networkidle")
    real_browser.at_rest(visit.page)
    return visit.page


# On a phone


@on_the_site
@pytest.mark.slow
@pytest.mark.parametrize("page", [UNIT_PAGES[0], UNIT_PAGES[8]])
def test_on_a_phone_a_unit_is_written_and_run_where_it_is_read(chromium, address, page):
    with real_browser.Visit(chromium, width=390, height=844) as visit:
        opened(visit, address, page)
        told = visit.page.locator("#work").inner_text()
        assert told.startswith("Write and run everything here.")
        assert visit.page.get_by_role("button", name="Download as a notebook").is_visible()
        assert visit.errors == []


@on_the_site
@pytest.mark.slow
def test_an_optional_part_is_closed_until_a_link_leads_into_it(chromium, address):
    with real_browser.Visit(chromium) as visit:
        page = opened(visit, address, UNIT_PAGES[5])
        exercise = page.locator("form[data-exercise=softmax_backward]")
        assert not exercise.is_visible()
        page.locator(".unit-path [data-exercise=softmax_backward] a").click()
        exercise.wait_for()
        assert page.locator("details.optional-part[open]").count() == 1


SIZES = """() => [...document.querySelectorAll(".bd-header-article .btn svg")]
    .filter((one) => one.getClientRects().length)
    .map((one) => Math.round(one.getBoundingClientRect().height))"""


@on_the_site
@pytest.mark.slow
def test_the_signs_in_the_header_of_a_phone_are_equally_high(chromium, address):
    with real_browser.Visit(chromium, width=390, height=844) as visit:
        heights = opened(visit, address, UNIT_PAGES[3]).evaluate(SIZES)
        assert len(heights) >= 4
        assert max(heights) - min(heights) <= 1, heights


# Width


FITS = """() => [...document.querySelectorAll(".attention-view")]
    .map((one) => one.shadowRoot?.querySelector("#loom"))
    .filter((one) => one && (one.scrollWidth > one.clientWidth || one.scrollLeft)).length"""


@on_the_site
@pytest.mark.slow
@pytest.mark.parametrize("page", ["explorer.html", UNIT_PAGES[6], UNIT_PAGES[8]])
def test_every_loom_of_a_page_fits_it(chromium, address, page):
    with real_browser.Visit(chromium) as visit:
        opened(visit, address, page)
        for width in (390, 768, 1280, 1440, 1920):
            visit.page.set_viewport_size({"width": width, "height": 900})
            assert visit.page.evaluate(FITS) == 0, f"a loom is cut at {width} px"
            assert visit.page.evaluate("document.documentElement.scrollWidth") <= width


@on_the_site
@pytest.mark.slow
def test_pages_without_contents_beside_them_are_wide_on_a_wide_screen(chromium, address):
    with real_browser.Visit(chromium, width=1920, height=1000) as visit:
        for page in WIDE:
            opened(visit, address, page)
            assert visit.page.locator(".bd-sidebar-secondary").count() == 0
            assert visit.page.locator("article, .bd-search-container").first.bounding_box()["width"] >= 1150


@on_the_site
@pytest.mark.slow
def test_a_long_name_does_not_make_the_search_scroll(chromium, address):
    with real_browser.Visit(chromium, width=320) as visit:
        opened(visit, address, "search.html?q=softmax")
        visit.page.locator(".search .highlighted").first.wait_for()
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= 320


# At rest


@on_the_site
@pytest.mark.slow
def test_the_first_visit_of_a_page_complains_of_nothing(chromium, address):
    """Nobody has chosen light or dark yet."""
    for dark in (False, True):
        with real_browser.Visit(chromium, dark=dark, first=True) as visit:
            opened(visit, address, "index.html")
            assert visit.errors == []
            assert visit.page.locator("html").get_attribute("data-theme") == ("dark" if dark else "light")
            assert visit.page.locator("html").get_attribute("data-mode") == "auto"


SHIFTS = """window.shifted = 0; new PerformanceObserver((list) => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifted += one.value;
}).observe({ type: "layout-shift", buffered: true });"""


@on_the_site
@pytest.mark.slow
def test_what_a_search_finds_moves_nothing(chromium, address):
    with real_browser.Visit(chromium, width=390, height=844) as visit:
        visit.page.add_init_script(SHIFTS)
        opened(visit, address, "search.html?q=softmax")
        visit.page.locator(".search .highlighted").first.wait_for()
        assert visit.page.evaluate("window.shifted") < 0.05


COUNTED = """window.calls = 0; for (const name of ["setInterval", "requestAnimationFrame"]) {
    const real = window[name].bind(window);
    window[name] = (...all) => { window.calls += 1; return real(...all); }; }"""
RUNNING = "document.getAnimations().filter((one) => one.playState === 'running').length"


@on_the_site
@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "opens"),
    [
        ("explorer.html", False),
        ("impostor.html", False),
        ("review.html", False),
        ("term.html", True),
        (UNIT_PAGES[5], True),
    ],
)
def test_a_page_at_rest_does_nothing(chromium, address, page, opens):
    """No timer and no animation goes on where nothing moves, so none does in a tab that is hidden.

    On a phone, a button for contents stands where there are some.
    """
    with real_browser.Visit(chromium) as visit:
        visit.page.add_init_script(COUNTED)
        opened(visit, address, page)
        before = visit.page.evaluate("window.calls")
        for turn in range(3):  # the browser draws three times
            visit.page.screenshot()
            visit.page.evaluate("(turn) => { document.body.dataset.turn = turn; }", turn)
        assert visit.page.evaluate("window.calls") == before
        assert visit.page.evaluate(RUNNING) == 0
        visit.page.set_viewport_size({"width": 390, "height": 844})
        assert visit.page.locator(".secondary-toggle").is_visible() == opens


# On paper


PRESSED = ".workplaces, .yours, .answer, .begin, summary, .prev-next-footer, .bd-header-article"


@on_the_site
@pytest.mark.slow
@pytest.mark.parametrize("page", ["index.html", "explorer.html", UNIT_PAGES[2]])
def test_nothing_that_one_would_press_is_printed(chromium, address, page):
    with real_browser.Visit(chromium, width=700, height=1000) as visit:
        opened(visit, address, page).evaluate("dispatchEvent(new Event('beforeprint'))")
        visit.page.emulate_media(media="print")
        seen = "(all) => all.filter((one) => one.checkVisibility()).map((one) => one.outerHTML.slice(0, 80))"
        assert visit.page.locator(PRESSED).evaluate_all(seen) == []
        title = visit.page.locator("article h1")
        assert title.is_visible()
        assert title.bounding_box()["y"] < 40
        if page == "index.html":  # its picture is the page's own
            assert visit.page.locator("#first-cloth").is_visible()
            assert not visit.page.locator("#first-text").is_visible()
            return
        assert not visit.page.locator(".attention-view #loom").first.is_visible()
        visit.page.locator(".attention-view img").first.wait_for()  # those further down were not loaded yet


# Where there is no page, and no notebook


@on_the_site
@pytest.mark.slow
def test_an_address_that_leads_nowhere_has_a_page_that_leads_on(site, chromium, address):
    """It is shown in any folder, so that it loads nothing, and its links are whole addresses."""
    home = opens.site(sync.address(ROOT))
    page = soup(site, not_found.FILE)
    links = [one["href"] for one in page.find_all("a")]
    assert len(links) == 1 + len(UNITS)
    for one in [*links, page.form["action"]]:
        assert one.startswith(home)
        assert (site / (one.removeprefix(home) or "index.html")).is_file()
    asked = []
    for dark in (False, True):
        with real_browser.Visit(chromium, dark=dark, width=390) as visit:
            visit.page.on("request", lambda one: asked.append(one.url))
            visit.page.goto(f"{address}/{not_found.FILE}", wait_until="networkidle")
            assert real_browser.violations(visit.page) == visit.errors == visit.outside == []
            assert visit.page.evaluate("document.documentElement.scrollWidth") <= 390
    assert {urlparse(one).path for one in asked if not one.startswith("data:")} == {f"/{not_found.FILE}"}


@on_the_site
@pytest.mark.slow
def test_only_a_unit_can_be_opened_elsewhere_and_no_logo_is_fetched_for_it(site):
    for page in ["index.html", "explorer.html", "grading.html", *UNIT_PAGES]:
        there = soup(site, page)
        opened_by = [one["href"] for one in there.select(".dropdown-launch-buttons a")]
        assert len(opened_by) == (2 if page in UNIT_PAGES else 0)
        assert [one for one in opened_by if not one.endswith(".ipynb")] == []
        assert there.select("img[src*=logo_]") == []


def test_a_menu_of_a_page_that_is_no_notebook_is_taken_away():
    menu = (
        '<div class="dropdown dropdown-launch-buttons">\n<button></button>\n<ul class="dropdown-menu">'
        '<li><a href="x"><img alt="Colab logo" src="../_static/images/logo_colab.png"/></a></li>\n</ul>\n'
        "</div>"
    )
    assert buttons.with_buttons(f"<p></p>{menu}<p></p>", unit=False) == "<p></p><p></p>"
    kept = BeautifulSoup(buttons.with_buttons(menu, unit=True), "html.parser")
    assert not kept.img
    assert len(kept.svg.find_all("circle")) == 2


# What cells print


def test_a_line_that_is_written_over_is_the_last_one():
    def stream(text, name="stdout"):
        return nbformat.v4.new_output("stream", name=name, text=text)

    outputs = [
        stream("fetching 10%"),
        stream("\rfetching 60%"),
        stream("\rfetching 100%\n"),
        stream("done\r\n"),
    ]
    outputs += [stream("beware", "stderr"), stream("a\rb\n")]
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("x", outputs=outputs)])
    kept = execution.at_rest(book).cells[0].outputs
    assert [one.text for one in kept] == ["fetching 100%\ndone\n", "beware", "b\n"]


def page_of(text):
    return (
        '<div class="output stream highlight-myst-ansi notranslate"><div class="highlight"><pre><span></span>'
        f"{text}\n</pre></div>\n</div>"
    )


def test_a_long_sentence_is_wrapped_and_a_wide_table_made_smaller():
    short, long, table = "a &lt; b", "word " * 20 + "end", "name        " + "x  y  " * 12
    assert printed.fitting(page_of(short)) == page_of(short)
    found = BeautifulSoup(printed.fitting(page_of(f"{short}\n{long}\nlast")), "html.parser")
    assert found.get_text().strip() == f"a < b\n{long}\nlast"
    assert [one.get_text() for one in found.select(".told")] == [f"{long}\n"]
    found = BeautifulSoup(printed.fitting(page_of(f"{table}\n{table}")), "html.parser")
    assert found.pre["style"] == f"--long: {len(table)}"
    assert not found.select(".told")


@on_the_site
@pytest.mark.slow
def test_the_progress_that_unit_00_shows_is_its_own(site):
    """Units run side by side when the site is built; what others pass meanwhile is none of its business."""
    rows = [
        one.get_text()
        for one in soup(site, UNIT_PAGES[0]).select(".cell_output table th")
        if "of" in one.get_text()
    ]
    assert len(rows) == len(UNITS)
    assert [re.search(r"(\d+) of \d+$", one)[1] for one in rows] == ["1", *["0"] * (len(UNITS) - 1)]
