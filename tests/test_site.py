"""The site: built from a clean folder, nothing missing, nothing asked of others, open to every reader."""

import io
import re
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlparse

import nbformat
import numpy as np
import pytest
from bs4 import BeautifulSoup
from PIL import Image

from helpers import reference
from helpers.predictions import WHY
from helpers.units import UNITS
from tools import browser, build_site

pytestmark = [
    pytest.mark.needs("browser", "mathjax"),
    pytest.mark.slow,
]
PAGES = [
    "index.html",
    "explorer.html",
    "grading.html",
    "how_good_are_the_checks.html",
    "search.html",
    "genindex.html",
    *(f"notebooks/{unit}/{unit}.html" for unit in UNITS),
]
UNIT_PAGES = PAGES[-len(UNITS) :]


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """The site, built once: all that look at it are one group."""
    base = tmp_path_factory.mktemp("site")
    assert build_site.main(base) == 0, "Sphinx did not build the site"
    return base / "site"


@pytest.fixture(scope="module")
def address(folder):
    with browser.served(folder) as one:
        yield one


def soup(folder, page):
    return BeautifulSoup((folder / page).read_text("utf-8"), "html.parser")


@cache
def anchors(file):
    return {one["id"] for one in BeautifulSoup(file.read_text("utf-8"), "html.parser").find_all(id=True)}


def folded(page_of, summary):
    return [one for one in page_of.find_all("details") if summary in one.summary.get_text()]


def written(unit):
    cells = nbformat.read(build_site.ROOT / "solutions" / unit / f"{unit}.ipynb", as_version=4).cells
    return "\n".join(cell.source for cell in cells)


def test_every_page_is_there_and_no_other(folder):
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*.html")}
    assert {page for page in found if not page.startswith("_static/")} == set(PAGES)


@pytest.mark.parametrize("page", PAGES)
def test_internal_links_lead_somewhere(folder, page):
    broken = []
    for link in soup(folder, page).find_all("a", href=True):
        address, anchor = urldefrag(link["href"])
        if urlparse(address).scheme or link["href"] == "#":
            continue
        target = (folder / page).parent / unquote(address.split("?")[0]) if address else folder / page
        if not target.is_file() or (anchor and unquote(anchor) not in anchors(target.resolve())):
            broken.append(link["href"])
    assert broken == []


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_small_and_its_pictures_have_words(folder, page):
    text = (folder / page).read_text("utf-8")
    without_pictures = re.sub(r"data:image/[^\"']*", "", text)
    assert len(without_pictures.encode()) < 1_000_000
    pictures = BeautifulSoup(text, "html.parser").find_all("img")
    assert [str(one)[:200] for one in pictures if not one.get("alt", "").strip()] == []


@pytest.mark.parametrize("page", UNIT_PAGES)
def test_a_unit_is_executed_and_its_answers_are_folded(folder, page):
    page_of = soup(folder, page)
    text = page_of.get_text()
    assert "BEGIN SOLUTION" not in text
    assert "Traceback" not in text
    unit = Path(page).stem
    answers = folded(page_of, "Show one answer")
    assert len(answers) == len(UNITS[unit])
    assert all(not details.has_attr("open") for details in answers)
    printed = [line for part in page_of.select(".output") for line in part.get_text().splitlines()]
    for exercise in UNITS[unit]:
        times = printed.count(f"{exercise}: right.")
        assert times == 1, f"the check of {exercise} says {times} times that it is right"


@pytest.mark.parametrize("page", PAGES)
def test_no_page_shows_a_hidden_check(folder, page):
    text = soup(folder, page).get_text()
    assert re.findall(r"(?:BEGIN|END) HIDDEN|sizes *= *.hidden", text) == []
    seeds = re.findall(r'seed=(\d+), sizes="hidden"', " ".join(map(written, UNITS)))
    assert seeds
    assert [seed for seed in seeds if re.search(rf"seed *= *{seed}\b", text)] == []


@pytest.mark.parametrize("page", UNIT_PAGES)
def test_a_prediction_asks_and_folds_what_comes_out(folder, page):
    unit = Path(page).stem
    names = re.findall(r'\breveal\(\s*guess\b.*"([a-z-]+)"\)', written(unit))
    page_of = soup(folder, page)
    compared = folded(page_of, "Compare")
    assert len(compared) == len(names) > 0
    for details, name in zip(compared, names, strict=True):
        assert not details.has_attr("open")
        said = details.get_text("\n")  # what a training shows may stand before it
        assert re.search(rf"^It is .+\.\s+{re.escape(WHY[name])}$", said, re.MULTILINE)
        asks = details.find_parent("div", class_="cell").find_previous_sibling()
        assert asks.get_text().startswith("Your guess?")
        details.extract()
    rest = page_of.get_text()
    assert [
        words for words in ("Make your prediction", "guess = ", *map(WHY.get, names)) if words in rest
    ] == []


@pytest.mark.parametrize("page", UNIT_PAGES)
def test_a_unit_can_be_opened_elsewhere(folder, page):
    links = [link["href"] for link in soup(folder, page).find_all("a", href=True)]
    notebook = page.replace(".html", ".ipynb")
    assert any(
        link.startswith("https://mybinder.org/v2/gh/") and link.endswith(f"lab/tree/{notebook}")
        for link in links
    )
    assert any(
        link.startswith("https://colab.research.google.com/github/")
        and link.endswith(f"blob/main/{notebook}")
        for link in links
    )


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("page", PAGES)
def test_nothing_keeps_readers_out(chromium, address, page, dark):
    """No WCAG A or AA violation, no request to another server, no complaint in the console."""
    with browser.Visit(chromium, dark=dark) as visit:
        visit.page.goto(f"{address}/{page}", wait_until="networkidle")
        assert visit.page.locator("html").get_attribute("data-theme") == ("dark" if dark else "light")
        assert visit.errors == []
        for details in visit.page.locator("details").all():
            details.evaluate("one => one.open = true")
        visit.page.wait_for_timeout(1000)  # what opens fades in
        assert browser.violations(visit.page) == []
        assert visit.outside == []


def test_formulas_are_set(chromium, address):
    with browser.Visit(chromium) as visit:
        visit.page.goto(f"{address}/notebooks/05_softmax/05_softmax.html")
        visit.page.locator("mjx-container").first.wait_for()
        assert visit.page.locator("mjx-container").count() >= 10
        assert visit.outside == []


def test_search_finds_a_unit(chromium, address):
    with browser.Visit(chromium) as visit:
        visit.page.goto(f"{address}/search.html?q=temperature")
        found = visit.page.locator("ul.search a")
        found.first.wait_for()
        assert any("Softmax" in link.inner_text() for link in found.all())
        assert visit.outside == []


def test_a_search_puts_the_unit_about_it_first_and_quotes_its_article(chromium, address):
    with browser.Visit(chromium, dark=True) as visit:
        asked = []
        visit.page.on("requestfinished", lambda one: one.resource_type == "fetch" and asked.append(one))
        for word, unit in {"softmax": "Unit 05", "mask": "Unit 04", "dot product": "Unit 01"}.items():
            asked.clear()
            visit.page.goto(f"{address}/search.html?q={word}", wait_until="networkidle")
            found = visit.page.locator("ul.search > li").all()
            assert found[0].locator("a").inner_text().startswith(unit)
            quoted = [one.locator("p.context").inner_text() for one in found]
            assert word in quoted[0].lower()
            assert not re.search("System Settings|Contents|Show the set-up", " ".join(quoted))
            sizes = [one.sizes()["responseBodySize"] for one in asked]
            assert 0 < sum(sizes) < 300_000, "a search loads whole pages, which would be megabytes"
        assert visit.errors == []
        assert browser.violations(visit.page) == []


def test_the_explorer_works_with_the_network_cut(chromium, address):
    with browser.Visit(chromium) as visit:
        page = visit.page
        page.goto(f"{address}/explorer.html", wait_until="networkidle")
        page.context.set_offline(True)
        view = page.locator(".attention-view").first
        view.get_by_label(re.compile("^4 ")).check()
        view.locator("td[tabindex='0']").focus()
        page.keyboard.press("ArrowUp")
        assert view.locator(".sum").inner_text().startswith("weights[2, 0] = e^")
        view.locator("tbody tr").nth(1).locator("td").nth(0).click()
        assert "weights[1, 0] = e^1 / (e^1 + e^0.50) = 0.622" in view.locator(".sum").inner_text()
        assert visit.errors == []


def test_a_prediction_is_compared_on_request(chromium, address):
    with browser.Visit(chromium) as visit:
        visit.page.goto(f"{address}/notebooks/05_softmax/05_softmax.html")
        assert visit.page.get_by_text("Your guess? A number.").first.is_visible()
        compare = visit.page.locator("details", has_text="Compare").first
        reason = compare.get_by_text(WHY["largest-weight"])
        assert not reason.is_visible()
        compare.locator("summary").focus()
        visit.page.keyboard.press("Enter")
        assert reason.is_visible()
        assert f"It is {reference.softmax(np.arange(3.0)).max():.4f}." in compare.inner_text()


def test_an_answer_opens_on_request(chromium, address):
    with browser.Visit(chromium) as visit:
        visit.page.goto(f"{address}/notebooks/05_softmax/05_softmax.html")
        answer = visit.page.locator("details", has_text="Show one answer").first
        code = answer.locator("pre")
        assert not code.is_visible()
        answer.locator("summary").click()
        assert "def softmax" in code.inner_text()


# What keeps an element out of sight: it is wider than the screen, or an ancestor cuts or scrolls it.
CUT = """(selector) => [...document.querySelectorAll(selector)].filter((one) => {
    const box = one.getBoundingClientRect();
    const frames = [{left: 0, right: innerWidth}];
    for (let at = one.parentElement; at; at = at.parentElement)
        if (getComputedStyle(at).overflowX !== 'visible') frames.push(at.getBoundingClientRect());
    return frames.some((frame) => box.left < frame.left - 1 || box.right > frame.right + 1);
}).map((one) => one.parentElement.textContent.slice(0, 60))"""
CLIPPED = """(selector) => [...document.querySelectorAll(selector)]
    .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent.slice(0, 60))"""
STOPS_FOR_NOTHING = """() => [...document.querySelectorAll('article [tabindex="0"]')]
    .filter((one) => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight)
    .map((one) => one.outerHTML.slice(0, 100))"""


def opened(page):
    """Unfold everything, and wait until the theme has looked where something scrolls."""
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.wait_for_timeout(500)
    return page


@pytest.mark.parametrize("page", UNIT_PAGES)
def test_formulas_and_code_are_whole_on_small_and_large_screens_and_on_paper(chromium, address, page):
    with browser.Visit(chromium, width=1280) as visit:
        visit.page.goto(f"{address}/{page}")
        visit.page.wait_for_function("!document.querySelector('.math') || window.MathJax?.startup?.promise")
        visit.page.evaluate("window.MathJax?.startup.promise.then(() => {})")
        for width in (1280, 390, 360, 320):
            visit.page.set_viewport_size({"width": width, "height": 800})
            opened(visit.page)
            assert visit.page.evaluate(CUT, "mjx-math") == [], f"formulas are cut at {width} px"
            assert visit.page.evaluate(CLIPPED, ".cell_input pre") == [], f"code is cut at {width} px"
            assert visit.page.evaluate(STOPS_FOR_NOTHING) == [], f"these do not scroll at {width} px"
            assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
        visit.page.set_viewport_size({"width": 700, "height": 1000})
        visit.page.emulate_media(media="print")
        assert visit.page.evaluate(CLIPPED, "article pre") == [], "code is cut on paper"
        assert visit.page.evaluate(CUT, "mjx-math") == [], "formulas are cut on paper"


# One control of each kind in each part of a page, those inside the views too; buttons differ by their names.
CONTROLS = """(known) => {
    const kinds = new Map();
    const look = (root) => root.querySelectorAll('*').forEach((one) => {
        if (one.shadowRoot) look(one.shadowRoot);
        const seen = one.checkVisibility({visibilityProperty: true}) && one.getClientRects().length;
        if (one.tabIndex < 0 || one.disabled || !seen) return;
        const part = one.closest('article, aside, nav, main, .bd-header-article, .bd-sidebar-primary');
        const names = part ? [part.className, one.className, one.ariaLabel] : [];
        const kind = [one.tagName, one.type, ...names].join(' ');
        if (!known.includes(kind) && !kinds.has(kind)) kinds.set(kind, one);
    });
    look(document);
    return Object.fromEntries(kinds);
}"""
FOCUS = """(one) => {
    one.focus({preventScroll: true});
    one.scrollIntoView({block: 'center', inline: 'nearest', behavior: 'instant'});
    if (!one.matches(':focus-visible')) throw new Error('not focused by keyboard');
    const {left, top, right, bottom} = one.getBoundingClientRect();
    const [x, y] = [Math.max(left - 6, 0), Math.max(top - 6, 0)];
    return {x, y, width: Math.min(right + 6, innerWidth) - x, height: Math.min(bottom + 6, innerHeight) - y};
}"""
STILL = "* { transition: none !important } .tooltip { display: none !important }"  # these change pixels too


def luminance(png):
    """The relative luminance of each pixel, as WCAG defines it."""
    colours = np.asarray(Image.open(io.BytesIO(png)).convert("RGB")) / 255
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def ring(page, control):
    """How thick a ring the focus draws: pixels that change by 3:1 or more, for each pixel of the outline."""
    box = control.evaluate(FOCUS)
    after = luminance(page.screenshot(clip=box))
    control.evaluate("(one) => one.blur()")
    before = luminance(page.screenshot(clip=box))
    lighter, darker = np.maximum(before, after), np.minimum(before, after)
    changed = (lighter + 0.05) / (darker + 0.05) >= 3
    return changed.sum() / (2 * (box["width"] + box["height"] - 24))


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_keyboard_focus_can_be_seen(chromium, address, dark):
    rings = {}
    with browser.Visit(chromium, dark=dark, width=1280) as visit:
        for page in (UNIT_PAGES[-2], "explorer.html", "search.html?q=softmax", "index.html"):
            visit.page.goto(f"{address}/{page}")
            visit.page.add_style_tag(content=STILL)
            opened(visit.page).keyboard.press("Tab")
            controls = visit.page.evaluate_handle(CONTROLS, list(rings)).get_properties()
            rings |= {kind: ring(visit.page, control) for kind, control in controls.items()}
    assert [kind for kind, pixels in rings.items() if pixels < 1] == []
    assert len(rings) >= 25
