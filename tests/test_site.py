"""The site: built from a clean folder, nothing missing, nothing asked of others, open to every reader."""

import re
import sys
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlparse

import pytest
from bs4 import BeautifulSoup
from filelock import FileLock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from helpers.units import UNITS
from tools import browser, site

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
    """The site, built once for all workers."""
    base = tmp_path_factory.getbasetemp().parent
    with FileLock(base / "site.lock"):
        if not (base / "site-built").exists():
            code = site.main(base / "site-build")
            (base / "site-built").write_text(str(code))
    assert (base / "site-built").read_text() == "0", "Sphinx did not build the site"
    return base / "site-build" / "site"


@pytest.fixture(scope="module")
def address(folder):
    with browser.served(folder) as one:
        yield one


def soup(folder, page):
    return BeautifulSoup((folder / page).read_text("utf-8"), "html.parser")


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
        if not target.is_file():
            broken.append(link["href"])
        elif anchor and target.suffix == ".html":
            there = BeautifulSoup(target.read_text("utf-8"), "html.parser")
            if not there.find(id=unquote(anchor)):
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
    folded = [
        details for details in page_of.find_all("details") if "Show one answer" in details.summary.get_text()
    ]
    assert len(folded) == len(UNITS[unit])
    assert all(not details.has_attr("open") for details in folded)
    for exercise in UNITS[unit]:
        assert re.search(rf"{exercise}: right\.", text), (
            f"the check of {exercise} has not said that it is right"
        )


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


def test_an_answer_opens_on_request(chromium, address):
    with browser.Visit(chromium) as visit:
        visit.page.goto(f"{address}/notebooks/05_softmax/05_softmax.html")
        answer = visit.page.locator("details", has_text="Show one answer").first
        code = answer.locator("pre")
        assert not code.is_visible()
        answer.locator("summary").click()
        assert "def softmax" in code.inner_text()
