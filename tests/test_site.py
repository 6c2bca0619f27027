"""The site: built from a clean folder, nothing missing, nothing asked of others, open to every reader."""

import io
import json
import re
import tomllib
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlparse

import nbformat
import numpy as np
import pytest
from bs4 import BeautifulSoup
from PIL import Image

from helpers import reference
from helpers.offered import number_of
from helpers.predictions import RIVALS, WHY
from helpers.units import TITLES, UNITS
from tests.lanes import at_night
from tests.site_pages import UNIT_PAGES, soup
from tests.test_notebooks import complaints
from tools import build_site, opens, real_browser, units
from tools.web import code_lines, first_screen, landing, not_found, styles

pytestmark = [
    pytest.mark.needs("browser", "katex", "engine"),
    pytest.mark.slow,
]
FOR_LEARNERS = [
    "index.html",
    "explorer.html",
    "look_inside.html",
    "impostor.html",
    "review.html",
    "search.html",
    *UNIT_PAGES,
]
READ_IN_THE_GATE = ["index.html", "review.html", *UNIT_PAGES[5:7]]
"""One page of each kind, under axe in both colours; at night all of them."""
PAGES = [
    *FOR_LEARNERS,
    "accessibility.html",
    "grading.html",
    "term.html",
    "hub.html",
    "container.html",
    "make_it_yours.html",
    "how_good_are_the_checks.html",
    "concept_inventory.html",
    "genindex.html",
]
HEAVIEST = 640_000
"""Bytes of a page with all that it loads, unpacked."""


@pytest.fixture(scope="session")
def folder(site):
    return site


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
    there = {page for page in found if not page.startswith("_static/")}
    assert there == {*PAGES, not_found.FILE}


@pytest.mark.parametrize("unit", UNITS)
def test_a_solution_runs_and_shows_what_it_should(site, unit):
    """In the pages, each run once: hidden checks are not in them, `test_nbgrader.py` sees those pass."""
    cells = nbformat.read(site.parent / "site-source" / "notebooks" / unit / f"{unit}.ipynb", 4).cells
    assert complaints(cells) == []
    shown = [out.data for cell in cells for out in cell.get("outputs", ()) if "data" in out]
    said = [line for data in shown for line in data.get("text/plain", "").splitlines()]
    assert [name for name in UNITS[unit] if f"{name}: right." not in said] == []
    drawing = [cell for cell in cells if re.search(r"\b(plots|views)\.\w+\(", cell.source)]
    assert len(drawing) >= 2
    for cell in drawing:
        figures = [out.data["text/html"] for out in cell.outputs if "text/html" in out.get("data", {})]
        assert len(figures) == 1, f"{cell.id} shows {len(figures)} figures"
        assert re.search(r'<img alt="[^"]{40,}"', figures[0]), f"{cell.id} has no text alternative"
        caption = re.search(r"<figcaption[^>]*>(.*?)</figcaption>", figures[0])
        assert caption, f"{cell.id} has no caption"
        assert len(caption[1].split()) >= 4


@pytest.mark.needs("model")
def test_the_packed_model_lies_beside_its_scripts_with_its_licence(folder):
    live = folder / "_static" / "live"
    parts = json.loads((live / "model" / "manifest.json").read_text("utf-8"))["parts"]
    assert {"pieces", "body", *(f"words-{i}" for i in range(21))} == set(parts)
    for one in parts.values():
        assert (live / "model" / one["file"]).stat().st_size == one["packed"]
    assert all((live / "model" / name).is_file() for name in ("NOTICE", "LICENSE"))
    assert (live / "client.js").is_file()


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
def test_pictures_are_files_and_have_words(folder, page):
    pictures = soup(folder, page).find_all("img")
    cards = [one for one in pictures if one.find_parent("a", class_="card-of")]  # the card's own words say it
    assert [str(one)[:200] for one in pictures if not one.get("alt", "").strip() and one not in cards] == []
    assert [
        one["src"][:80] for one in pictures if not (folder / page).parent.joinpath(one["src"]).is_file()
    ] == []


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_described_to_those_who_do_not_open_it(folder, page):
    head = soup(folder, page).head
    icon = head.find("link", rel="icon")
    assert (folder / page).parent.joinpath(icon["href"].split("?")[0]).is_file()
    if page in ("search.html", "genindex.html"):
        return
    said = {one.get("property", one.get("name")): one.get("content") for one in head.find_all("meta")}
    assert 40 <= len(said["description"]) <= 200
    assert said["description"] == said["og:description"]
    assert said["og:title"] in head.title.get_text()
    home = head.find("link", rel="canonical")["href"].removesuffix(page)
    owner, name = urlparse(repository()).path.strip("/").split("/")
    assert home == f"https://{owner}.github.io/{name}/"
    assert said["og:url"] == home + page
    with Image.open(folder / said["og:image"].removeprefix(home)) as picture:
        assert picture.size == (1200, 630)


def repository():
    return tomllib.loads((build_site.ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"][
        "Repository"
    ]


@pytest.mark.parametrize("page", UNIT_PAGES)
def test_an_exercise_is_a_card_with_its_number_its_points_and_its_minutes(folder, page):
    unit = Path(page).stem
    cards = soup(folder, page).select("section.exercise")
    asked = re.findall(r"### Exercise (\S+): (.+) \((\d+ points?), (\d+ minutes?)\)", written(unit))
    assert len(cards) == len(UNITS[unit]) == len(asked)
    for card, exercise, (number, title, points, took) in zip(cards, UNITS[unit], asked, strict=True):
        heading, body = card.find("h3"), card.find("div", class_="exercise-body")
        assert number == number_of(exercise)
        assert heading.find(class_="exercise-number").get_text() == f"Exercise {number}"
        assert [one.get_text() for one in heading.select(".badge-of")] == [points, took]
        assert "(" not in heading.get_text().replace(title.replace("`", ""), "")
        assert f"✓ {exercise} is right." in body.get_text()
        assert f'check("{exercise}")' in list(body.children)[-2].get_text().replace("'", '"')
    optional = re.findall(r"(?m)^##+ (.+) \(optional\)$", written(unit))
    assert len(soup(folder, page).select("article .is-optional")) == len(optional)


@pytest.mark.parametrize("page", UNIT_PAGES)
def test_code_that_only_shows_is_folded_and_what_it_shows_stays(folder, page):
    notebook = nbformat.read(build_site.ROOT / "solutions" / Path(page).stem / f"{Path(page).stem}.ipynb", 4)
    shows = [one for one in notebook.cells if one.cell_type == "code" and build_site.only_shows(one.source)]
    cells = [one.find_parent("div", class_="cell") for one in folded(soup(folder, page), "Show the code")]
    assert len(cells) == len(shows) > 0
    for cell in cells:
        assert not cell.details.has_attr("open")
        shown = cell.find("div", class_="cell_output", recursive=False)
        assert shown.find(["figure", "pre", "table"])


@pytest.mark.parametrize(
    "source",
    [
        "plots.bars(x)",
        'plots.bars(x).captioned("Two.")\nviews.explore_weights(w)',
        "for one in x:\n    print(one)",
    ],
)
def test_cells_that_only_show(source):
    assert build_site.only_shows(source)


@pytest.mark.parametrize(
    "source", ["", "x = 2\nplots.bars(x)", "for one in x:\n    y = one", "# plots.bars(x)"]
)
def test_cells_that_do_more(source):
    assert not build_site.only_shows(source)


@pytest.mark.parametrize("place", range(len(UNIT_PAGES)))
def test_a_unit_leads_to_the_one_before_and_the_one_after(folder, place):
    page = UNIT_PAGES[place]
    ends = soup(folder, page).select_one(".prev-next-area")
    leads = {one["class"][0]: urljoin(f"/{page}", one["href"]) for one in ends.find_all("a")}
    around = ["index.html", *UNIT_PAGES, "explorer.html"]
    assert leads == {"left-prev": f"/{around[place]}", "right-next": f"/{around[place + 2]}"}


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
        times = sum(line.startswith(f"✓ {exercise} is right.") for line in printed)
        assert times == 1, f"the check of {exercise} says {times} times that it is right"


@pytest.mark.parametrize("page", UNIT_PAGES)
def test_the_panel_of_the_last_check_leads_to_the_next_unit_s_page(folder, page):
    """Every exercise is passed then, in the order in which they stand."""
    unit = Path(page).stem
    panels = [one for one in soup(folder, page).select(".output div") if "in this unit." in one.get_text()]
    counts = [re.search(r"(\d+) of (\d+) in this unit", one.get_text()).groups() for one in panels]
    total = len(UNITS[unit])
    assert counts == [(str(done), str(total)) for done in range(1, total + 1)]
    after = UNIT_PAGES[UNIT_PAGES.index(page) + 1 :][:1]
    links = [urljoin(f"/{page}", one["href"]) for one in panels[-1].find_all("a")]
    assert links == [f"/{one}" for one in after]


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
    names = re.findall(r'\b(?:reveal|settle)\(\s*guess\b.*"([a-z-]+)", sure\)', written(unit))
    page_of = soup(folder, page)
    compared = folded(page_of, "Compare")
    assert len(compared) == len(names) > 0
    for details, name in zip(compared, names, strict=True):
        assert not details.has_attr("open")
        said = details.get_text("\n")  # what a training shows may stand before it
        is_told = (
            rf"It is .+\.\s+{re.escape(WHY[name])}"
            if name in WHY
            else rf"[AB] holds\.\s+{re.escape(RIVALS[name][1])}"
        )
        assert re.search(rf"^{is_told}$", said, re.MULTILINE)
        asks = details.find_parent("div", class_="cell").find_previous_sibling()
        assert asks.get_text().startswith("Your guess")
        details.extract()
    rest = page_of.get_text()
    reasons = WHY | {name: why for name, (_, why) in RIVALS.items()}
    assert [
        words
        for words in ("Make your prediction", "guess = ", *(reasons[name] for name in names))
        if words in rest
    ] == []


@pytest.mark.parametrize("page", UNIT_PAGES)
def test_a_unit_can_be_opened_elsewhere(folder, page):
    links = {link["href"] for link in soup(folder, page).find_all("a", href=True)}
    unit = Path(page).stem
    name = urlparse(repository()).path.strip("/")
    assert {opens.on_binder(name, unit), opens.in_colab(name, unit)} <= links


@pytest.mark.parametrize("page", UNIT_PAGES)
def test_a_unit_says_at_its_top_where_one_writes_and_each_exercise_has_a_field(folder, page):
    page_of = soup(folder, page)
    told = page_of.find(id="work")
    assert told.find_previous_sibling().name == "p", "it stands after the first paragraph"
    unit, name = Path(page).stem, urlparse(repository()).path.strip("/")
    links = [link["href"] for link in told.find_all("a")]
    assert links == [opens.in_colab(name, unit), opens.on_binder(name, unit), f"{repository()}#readme"]
    for card in page_of.select(".exercise-body"):
        assert "Show one answer" in card.find("form", class_="answer").find_next("summary").get_text()


def test_for_teachers_the_side_bar_has_one_entry_which_opens_on_their_pages(folder):
    def taught(page):
        caption = soup(folder, page).find("span", class_="caption-text", string="Teach")
        return [Path(one["href"]).name for one in caption.find_next("ul").find_all("a")]

    assert taught(UNIT_PAGES[5]) == ["term.html"]
    assert taught("grading.html")[1:] == [
        "#" if page == "grading" else f"{page}.html"
        for page in ("grading", "hub", "make_it_yours", "container", "how_good_are_the_checks")
    ]


@pytest.mark.parametrize("page", UNIT_PAGES)
def test_headings_of_a_unit_differ(folder, page):
    headings = [one.get_text(" ", strip=True) for one in soup(folder, page).select("article :is(h2, h3)")]
    assert len(set(headings)) == len(headings)
    assert not [one for one in headings if one.startswith("Predict, then run")]


@pytest.mark.parametrize("page", UNIT_PAGES)
def test_each_line_of_code_knows_how_far_in_it_begins(folder, page):
    blocks = soup(folder, page).select(".cell_input pre")
    assert blocks
    for block in blocks:
        lines = block.find_all("span", class_="line", recursive=False)
        assert "".join(line.get_text() for line in lines) == block.get_text()
        for line in lines:
            text = line.get_text()
            inward = len(text) - len(text.lstrip(" "))
            assert text.count("\n") == 1
            assert line.get("style", "--in:0") == f"--in:{inward}"


def test_a_span_over_two_lines_is_closed_and_opened_again():
    before = (
        '<div class="cell_input docutils container"><div class="highlight-x notranslate">'
        '<div class="highlight"><pre>'
    )
    page = before + 'f(x)\n  <span class="s">one\ntwo</span>\n</pre></div>'
    assert code_lines.in_lines(page).removeprefix(before) == (
        '<span class="line">f(<wbr>x)\n</span>'
        '<span class="line" style="--in:2">  <span class="s">one</span>\n</span>'
        '<span class="line"><span class="s">two</span>\n</span></pre></div>'
    )


PHONE = """() => {
  const whole = (code) => /\\s|-/.test(code.textContent) || code.getClientRects().length < 2;
  const low = (one) => one.getBoundingClientRect().bottom;
  const room = (heading) => low(heading) - low([...heading.querySelectorAll(".badge-of")].at(-1));
  const scrolls = (one) => one.scrollWidth > one.clientWidth + 1;
  const look = (one) => getComputedStyle(one);
  const all = (where) => [...document.querySelectorAll(where)];
  const found = (where, wrong) => all(where).filter(wrong).map((one) => one.textContent);
  return {
    cut: found("td code", (one) => !whole(one)),
    empty: found(".exercise > h3", (one) => room(one) > 24),
    mute: found(".cell_output pre, div.math", (one) => scrolls(one) && look(one).backgroundImage === "none"),
    tables: found(".pst-scrollable-table-container", (one) => scrolls(one) && look(one).maskImage === "none"),
  };
}"""
"""Names in tables that are cut, exercises with an empty row in their heading, what scrolls and hides it."""


@pytest.mark.parametrize("page", ["how_good_are_the_checks.html", "grading.html", "hub.html"])
def test_on_a_phone_names_are_whole_and_what_scrolls_shows_it(chromium, address, page):
    """The units too, unfolded: `test_formulas_and_code_are_whole_on_small_and_large_screens_and_on_paper`."""
    with real_browser.Visit(chromium, width=390, height=844) as visit:
        visit.page.goto(f"{address}/{page}", wait_until="networkidle")
        assert visit.page.evaluate(PHONE) == {"cut": [], "empty": [], "mute": [], "tables": []}


def test_the_button_that_ends_a_search_has_no_sign_of_a_missing_font(chromium, address):
    with real_browser.Visit(chromium) as visit:
        visit.page.goto(f"{address}/{UNIT_PAGES[5]}?highlight=softmax", wait_until="networkidle")
        button = visit.page.get_by_role("link", name="Hide Search Matches")
        assert button.evaluate("(one) => getComputedStyle(one, '::before').content") == "none"
        button.click()  # its address is a script, which the browser runs when it comes to it
        visit.page.wait_for_function("document.querySelectorAll('.highlighted').length === 0")


def read(visit, address):
    """Reads a page to its end: without a complaint in the console, and without weight."""
    weights = real_browser.loaded(visit, address)
    heaviest = sorted(weights.items(), key=lambda one: -one[1])[:5]
    assert sum(weights.values()) <= HEAVIEST, f"{sum(weights.values())} bytes, of them {heaviest}"
    assert visit.errors == []
    real_browser.at_rest(visit.page)  # what opens fades in
    return visit.page.locator("html").get_attribute("data-theme")


@pytest.mark.parametrize("page", [one if one in READ_IN_THE_GATE else at_night(one) for one in PAGES])
def test_nothing_keeps_readers_out(chromium, address, page):
    """No WCAG A or AA violation, light or dark; no request to another server, no complaint, and no weight."""
    with real_browser.Visit(chromium) as visit:
        assert read(visit, f"{address}/{page}") == "light"
        assert real_browser.violations(visit.page, kinds=True) == []
        visit.page.locator(".theme-switch-button:visible").click()
        visit.page.locator(".theme-change-button[data-mode=dark]").click()
        real_browser.at_rest(visit.page)
        assert visit.page.locator("html").get_attribute("data-theme") == "dark"
        assert real_browser.violations(visit.page, colours=True, kinds=True) == []
        assert visit.outside == []


@pytest.mark.nightly
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("page", PAGES)
def test_no_word_keeps_readers_out(chromium, address, page, dark):
    """Each element of a page that is dark from its first moment, and of one that is light."""
    with real_browser.Visit(chromium, dark=dark) as visit:
        assert read(visit, f"{address}/{page}") == ("dark" if dark else "light")
        assert real_browser.violations(visit.page) == []
        assert visit.outside == []


def test_formulas_are_set_without_a_script(folder, chromium, address):
    page = "notebooks/05_softmax/05_softmax.html"
    formulas = soup(folder, page).select(".math")
    assert len(formulas) >= 10
    assert all(one.find("math") and one.find("annotation").get_text().strip() for one in formulas)
    with real_browser.Visit(chromium) as visit:
        visit.page.goto(f"{address}/{page}", wait_until="networkidle")
        fonts = visit.page.evaluate(
            "[...document.fonts].filter((one) => one.status == 'loaded').map((one) => one.family)"
        )
        assert any("KaTeX" in name for name in fonts)
        assert visit.outside == visit.errors == []


def test_search_finds_a_unit(chromium, address):
    with real_browser.Visit(chromium) as visit:
        visit.page.goto(f"{address}/search.html?q=temperature")
        found = visit.page.locator("ul.search a")
        found.first.wait_for()
        assert any("Softmax" in link.inner_text() for link in found.all())
        assert visit.outside == []


SEARCHES = {
    "softmax": "Unit 05",
    "mask": "Unit 04",
    "dot product": "Unit 01",
    "square root": "Unit 03",
    "queries": "Unit 02",
    "multi-head attention": "Unit 06",
    "pretrained": "Unit 08",
}


def test_a_search_puts_the_unit_about_it_first_and_quotes_its_article(chromium, address):
    with real_browser.Visit(chromium, dark=True) as visit:
        asked = []
        visit.page.on("requestfinished", lambda one: one.resource_type == "fetch" and asked.append(one))
        for word, unit in SEARCHES.items():
            asked.clear()
            visit.page.goto(f"{address}/search.html?q={word}", wait_until="networkidle")
            found = visit.page.locator("ul.search > li").all()
            assert found[0].locator("a").inner_text().startswith(unit)
            quoted = [one.locator("p.context").inner_text() for one in found]
            assert any(part in quoted[0].lower() for part in word.split())
            assert not re.search("System Settings|Contents|Show the set-up|Tried on", " ".join(quoted))
            sizes = [one.sizes()["responseBodySize"] for one in asked]
            assert 0 < sum(sizes) < 300_000, "a search loads whole pages, which would be megabytes"
        assert visit.errors == []
        assert real_browser.violations(visit.page) == []


def test_the_loom_works_with_the_network_cut(chromium, address):
    with real_browser.Visit(chromium) as visit:
        page = visit.page
        page.goto(f"{address}/explorer.html", wait_until="networkidle")
        page.context.set_offline(True)
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        view = page.locator(".attention-view").first
        assert "softmax runs over the queries" in view.locator("#verdict").inner_text()
        view.get_by_role("button", name="Reset").focus()
        view.get_by_label("weights =").select_option("")
        view.locator("table[aria-label=weights] td[tabindex='0']").focus()
        assert view.locator("#spelled").inner_text() == "weights[1, 0] = e^1 / (e^1 + e^0.5) = 0.622"
        page.keyboard.press("ArrowDown")
        assert view.locator("#spelled").inner_text().startswith("weights[2, 0] = e^")
        assert {url for url in asked if not url.endswith("/favicon.svg")} == set(), (
            "the tab's icon may come late"
        )
        assert set(visit.errors) <= {"Failed to load resource: net::ERR_INTERNET_DISCONNECTED"}


@pytest.mark.parametrize(
    ("page", "numbers"),
    [
        ("notebooks/02_queries_keys_values/02_queries_keys_values.html", {"2.3", "2.4", "2.6"}),
        ("notebooks/05_softmax/05_softmax.html", {"2.4", "3.4", "4.4", "5.1", "2.6"}),
    ],
)
def test_the_looms_of_a_unit_have_blanks_though_its_page_has_passed_all(folder, page, numbers):
    assert set(re.findall(r"blank: exercise (\d\.\d)", (folder / page).read_text("utf-8"))) == numbers


@pytest.mark.parametrize("page", ["explorer.html", *UNIT_PAGES])
def test_views_of_one_kind_share_one_script(folder, page):
    page_of = soup(folder, page)
    views = page_of.select(".attention-view")
    shared = [one.find("script", src=True)["src"] for one in views]
    assert all((folder / page).parent.joinpath(one).is_file() for one in shared)
    assert [one.get_text()[:80] for one in page_of.find_all("script") if "use strict" in one.get_text()] == []
    assert views or page != "explorer.html"


def test_without_scripts_a_prediction_is_compared_on_request(chromium, address):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/notebooks/05_softmax/05_softmax.html")
    assert page.get_by_text("Your guess? A number.").first.is_visible()
    compare = page.locator(".tag_compares details").first
    reason = compare.get_by_text(WHY["largest-weight"])
    assert not reason.is_visible()
    compare.locator("summary").focus()
    page.keyboard.press("Enter")
    assert reason.is_visible()
    assert f"It is {reference.softmax(np.arange(3.0)).max():.4f}." in compare.inner_text()
    context.close()


def test_an_answer_opens_on_request(chromium, address):
    with real_browser.Visit(chromium) as visit:
        visit.page.goto(f"{address}/notebooks/05_softmax/05_softmax.html")
        visit.page.evaluate(
            "for (const one of document.querySelectorAll('.is-waiting')) one.classList.remove('is-waiting')"
        )
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


HIDDEN = """() => [...document.querySelectorAll('article details > :not(summary)')]
    .filter((one) => !one.checkVisibility({contentVisibilityAuto: true}) || !one.getClientRects().length)
    .map((one) => one.textContent.slice(0, 60))"""
# The words of a figure are 12 px high or more where it has its own width.
SMALLEST_WORDS = """() => Math.min(...[...document.querySelectorAll('.drawing img')]
    .filter((one) => one.getClientRects().length)
    .map((one) => 12 * one.getBoundingClientRect().width / one.getAttribute('width')))"""


def opened(page):
    """Unfold everything, and wait until the keyboard stops at nothing that does not scroll."""
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.wait_for_function(f"({STOPS_FOR_NOTHING})().length === 0")
    return page


PRINTED = ".cell_output :is(pre, .text_html)"
SMALL_LINKS = """() => [...document.querySelectorAll("article .headerlink")]
    .map((one) => one.getBoundingClientRect())
    .filter(({ width, height }) => width < 24 || height < 24).length"""


@pytest.mark.parametrize("page", [one if one in READ_IN_THE_GATE else at_night(one) for one in UNIT_PAGES])
def test_formulas_and_code_are_whole_on_small_and_large_screens_and_on_paper(chromium, address, folder, page):
    """What cells print too; and the keyboard stops at no output that does not scroll."""
    assert soup(folder, page).select("article pre[tabindex]") == [], "only the script knows what scrolls"
    with real_browser.Visit(chromium, width=1280) as visit:
        visit.page.goto(f"{address}/{page}")
        visit.page.evaluate("document.fonts.ready.then(() => {})")
        for width in (1280, 390, 360, 320):
            visit.page.set_viewport_size({"width": width, "height": 800})
            opened(visit.page)
            if width == 1280:
                assert visit.page.evaluate(CLIPPED, PRINTED) == [], "what cells print is cut"
                assert visit.page.evaluate(SMALL_LINKS) == 0
            if width == 390:
                assert visit.page.evaluate(PHONE) == {"cut": [], "empty": [], "mute": [], "tables": []}
            assert visit.page.evaluate(CUT, ".katex-html > .base") == [], f"formulas are cut at {width} px"
            assert visit.page.evaluate(CLIPPED, ".cell_input pre") == [], f"code is cut at {width} px"
            assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
            assert visit.page.evaluate(SMALLEST_WORDS) >= 8.9, f"figures have tiny words at {width} px"
        visit.page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = false; })")
        visit.page.set_viewport_size({"width": 700, "height": 1000})
        visit.page.emulate_media(media="print")
        real_browser.at_rest(visit.page)  # what is folded fades out
        assert visit.page.evaluate(HIDDEN) == [], "this is folded on paper"
        assert visit.page.evaluate(CLIPPED, "article pre") == [], "code is cut on paper"
        assert visit.page.evaluate(CUT, ".katex-html > .base") == [], "formulas are cut on paper"


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


SOME = (UNIT_PAGES[-2], "explorer.html")
OTHERS = ("search.html?q=softmax", "index.html", "look_inside.html")


@pytest.mark.parametrize(
    ("pages", "dark"),
    [
        (SOME, False),
        (OTHERS, True),
        at_night(SOME, True),
        at_night(OTHERS, False),
    ],
)
def test_the_keyboard_focus_can_be_seen(chromium, address, pages, dark):
    rings = {}
    with real_browser.Visit(chromium, dark=dark, width=1280) as visit:
        for page in pages:
            visit.page.goto(f"{address}/{page}")
            visit.page.add_style_tag(content=STILL)
            opened(visit.page).keyboard.press("Tab")
            controls = visit.page.evaluate_handle(CONTROLS, list(rings)).get_properties()
            rings |= {kind: ring(visit.page, control) for kind, control in controls.items()}
    assert [kind for kind, pixels in rings.items() if pixels < 1] == []
    assert len(rings) >= 25


def no_light_box(page):
    """No figure of a dark page is one."""
    assert page.locator(".only-light:visible").count() == 0
    pictures = page.locator(":is(.drawing, .units) img.only-dark:visible").all()
    assert len(pictures) >= 6
    for one in pictures[:10]:
        light = luminance(one.screenshot())
        assert light.mean() < 0.3
        assert light.max() > 0.2, "nothing can be seen"


@pytest.mark.parametrize("dark", [at_night(False), True], ids=["light", "dark"])
def test_of_the_two_of_each_drawing_one_is_shown_and_loaded(chromium, address, dark):
    shown, other = ("dark", "light") if dark else ("light", "dark")
    with real_browser.Visit(chromium, dark=dark, width=1280) as visit:
        asked = []
        visit.page.on("request", lambda request: asked.append(Path(urlparse(request.url).path).name))
        for page in (UNIT_PAGES[5], "index.html"):
            real_browser.loaded(visit, f"{address}/{page}")
            names = {
                one: visit.page.eval_on_selector_all(
                    f"img.only-{one}", "(all) => all.map((one) => one.getAttribute('src').split('/').pop())"
                )
                for one in (shown, other)
            }
            assert len(names[shown]) == len(names[other]) >= 6
            assert not set(names[shown]) & set(names[other])
            assert set(names[shown]) & set(asked)
            assert not set(names[other]) & set(asked), "what is not shown is not loaded"
            if dark:
                no_light_box(visit.page)


@pytest.fixture(scope="module")
def landed(folder):
    return soup(folder, "index.html").article


def test_the_landing_page_has_one_way_into_the_course(landed):
    ways = landed.select(".button-of")
    assert [one["href"] for one in ways] == UNIT_PAGES[:1]
    _, minutes, _ = units.head(next(iter(UNITS)))
    assert f"{minutes} minutes" in landed.select_one(".begin").get_text()
    words = len(landed.get_text(" ").split())
    assert words <= 700, words


def test_the_landing_page_has_a_card_for_each_unit(landed):
    cards = landed.select(".units a.card-of")
    assert [one["href"] for one in cards] == UNIT_PAGES
    for card, unit in zip(cards, UNITS, strict=True):
        _, minutes, optional = units.head(unit)
        assert card.select_one(".card-title").get_text() == TITLES[unit]
        assert card.select_one(".card-asks").get_text() == landing.QUESTIONS[unit]
        assert landing.QUESTIONS[unit].endswith("?")
        more = f" + {optional} optional" if optional else ""
        assert card.select_one(".card-time").get_text() == f"{minutes} minutes{more}"
    assert len({one.img["src"] for one in cards}) == len(UNITS)


def test_what_the_landing_page_says_of_three_lines_is_what_a_check_says_today(landed):
    """Text, numbers, the sign at those that differ, and which exercise it is."""
    fresh = BeautifulSoup(first_screen.part(), "html.parser").select(".verdict")
    shown = landed.select(".verdict")
    assert [one.get_text().split() for one in shown] == [one.get_text().split() for one in fresh]
    assert ["≠" in one.get_text() for one in shown] == [True, True, False]


def test_a_style_sheet_keeps_what_may_match():
    sheet = ".a, .b > .c:not(.d) {x: 1} .gone .a {y: 1} @media print {.gone {z: 1} p {w: 1}} #t {v: 1}"
    kept = styles.swept(sheet, {"a", "c", "p"})
    assert kept == ".a{x: 1}@media print{p{w: 1}}"
    assert (
        styles.swept(sheet, {"a", "b", "c", "t", "p"})
        == ".a,.b > .c:not(.d){x: 1}@media print{p{w: 1}}#t{v: 1}"
    )


@pytest.mark.nightly
def test_a_style_sheet_keeps_rules_for_elements_that_are_there_and_variables_that_are_read():
    sheet = "p > kbd {x: 1} p:not(.a), dl dt {y: 1} a:hover::before {z: 1}"
    assert styles.swept(sheet, {"p", "a"}) == "p:not(.a){y: 1}a:hover::before{z: 1}"
    one, two = Path("one"), Path("two")
    sheets = {one: ":root{--a: 1; --b: var(--c); --d: 'x;y'; --e: 2}p{x: var(--a)}", two: "q{--c: 3}"}
    kept = styles.without_idle_variables(sheets, "style='width: var(--e)'")
    assert kept == {one: ":root{--a: 1; --d: 'x;y'; --e: 2}p{x: var(--a)}", two: ""}
