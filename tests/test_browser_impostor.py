"""The page "Who is the impostor?" in a real browser: played by mouse, by keyboard, and without scripts."""

import json

import pytest
from bs4 import BeautifulSoup

from tests import seen
from tests.lanes import at_night
from tools import real_browser

pytestmark = [pytest.mark.needs("browser", "katex", "engine"), pytest.mark.slow]
LETTERS = "ABCD"


@pytest.fixture(scope="module")
def held(site):
    page = BeautifulSoup((site / "impostor.html").read_text("utf-8"), "html.parser")
    return json.loads(page.find(id="impostor-rounds").string)


@pytest.fixture(scope="module")
def address(site):
    with real_browser.served(site) as one:
        yield f"{one}/impostor.html"


def shown(table):
    return "|".join(map(" ".join, seen.cells(table, ":scope")))


def accuse(page, number):
    page.get_by_role("button", name=f"Accuse {LETTERS[number]}").click()
    return page.get_by_role("status").inner_text()


@pytest.mark.parametrize(("width", "dark"), [(390, False), at_night(1280, True)])
def test_every_round_can_be_played(chromium, address, held, width, dark):
    with real_browser.Visit(chromium, width=width, dark=dark) as visit:
        page = visit.page
        page.goto(address, wait_until="networkidle")
        for number, one in enumerate(held["rounds"]):
            assert page.locator("#impostor h2").inner_text() == f"Round {number + 1} of {len(held['rounds'])}"
            assert page.get_by_role("status").inner_text() == ""
            tables = page.locator("#impostor table").all()
            assert [shown(table) for table in tables] == [
                table[3] for table in (*one["inputs"], *one["maps"])
            ]
            other = (one["who"] + 1 + number % 3) % 4
            if number % 2:
                told = accuse(page, other)
                assert told.startswith(f"{LETTERS[other]} is right. {held['texts'][one['maps'][other][4]]}")
            assert accuse(page, one["who"]).startswith(
                f"{LETTERS[one['who']]} is the impostor. {one['reason']}"
            )
            at = page.locator("#impostor .at")
            assert at.count() == 1
            i, j = one["at"]
            assert at.inner_text() == one["maps"][one["who"]][3].split("|")[i].split()[j]
            count = f"Found at the first guess: {number // 2 + 1} of {number + 1}."
            assert page.locator("#impostor .count").inner_text() == count
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            wide = "(all) => all.filter((one) => one.scrollWidth > one.clientWidth).length"
            assert page.locator(".suspect").evaluate_all(wide) == 0
            if number % 6 == 0:
                page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
                real_browser.at_rest(page)
                assert visit.errors == []
                assert real_browser.violations(page) == []
                visit.errors.clear()  # axe asks for sheets that sheets name, from the page's own address
            page.get_by_role("button", name="Next", exact=True).click()
        assert page.locator("#impostor h2").inner_text().startswith("Round 1 ")
        assert visit.errors == visit.outside == []


def test_by_keyboard_alone_and_told_to_a_screen_reader(chromium, address, held):
    with real_browser.Visit(chromium) as visit:
        page = visit.page
        page.goto(address, wait_until="networkidle")
        assert page.get_by_role("status").get_attribute("aria-live") == "polite"
        page.get_by_role("button", name="Accuse A").focus()
        focused = "document.activeElement.textContent"
        page.keyboard.press("Enter")
        assert page.evaluate(focused) == "A is right ✓", "the focus stays"
        page.keyboard.press("Enter")  # an accusation that was answered is not counted again
        assert page.locator("#impostor .count").inner_text() == "Found at the first guess: 0 of 1."
        page.keyboard.press("Tab")
        page.keyboard.press("Space")
        assert page.evaluate(focused) == "B is the impostor ✗"
        for name in ("Accuse C", "Accuse D", held["texts"][held["rounds"][0]["link"]], "Next"):
            page.keyboard.press("Tab")
            assert page.evaluate(focused) in name
        page.keyboard.press("Enter")
        assert page.evaluate(focused).startswith("Round 2 "), "one goes on from the new round's heading"
        page.keyboard.press("Tab")
        assert page.evaluate(focused) == "Accuse A"


def test_without_scripts_the_first_round_has_its_answer(chromium, address, held):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    first = held["rounds"][0]
    assert [shown(one) for one in page.locator(".suspect table").all()] == [one[3] for one in first["maps"]]
    answer = page.locator("#impostor details")
    assert not answer.locator("p").is_visible()
    answer.locator("summary").click()
    assert first["reason"] in answer.inner_text()
    assert page.locator("#impostor button").count() == 0
    context.close()


def test_its_links_lead_to_exercises_and_units_lead_here(site, held):
    links = [BeautifulSoup(text, "html.parser").a for text in held["texts"] if text.startswith("You write")]
    assert len(links) >= 8
    for link in links:
        file, _, anchor = link["href"].partition("#")
        section = BeautifulSoup((site / file).read_text("utf-8"), "html.parser").find(id=anchor)
        assert link.get_text().split(",")[0] in section.get_text(), link["href"]
    for unit in ("04_masking", "05_softmax", "06_multi_head_attention"):
        assert "../../impostor.html" in (site / f"notebooks/{unit}/{unit}.html").read_text("utf-8")
    assert (site / "impostor.html").stat().st_size < 60_000
