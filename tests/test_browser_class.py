"""The page "The class, now" in a real browser: pasted, read, read out, and nothing of it sent or kept."""

import random

import pytest
from playwright.sync_api import expect

from helpers.class_codes.code import Code, packed
from helpers.class_codes.found import NONE
from helpers.class_codes.tables import table_of
from tests.site_pages import narrow_and_wide
from tools import real_browser
from tools.patience import PATIENCE

pytestmark = [pytest.mark.needs("browser", "katex", "lite"), pytest.mark.slow]
expect.set_options(timeout=1000 * PATIENCE)
UNIT = "05_softmax"


@pytest.fixture
def opened(chromium, address):
    """Opens the page; gives the visit, with every address that it asked for."""
    visits = []

    def open_it(**settings):
        visit = real_browser.Visit(chromium, **{"width": 1280, "height": 900} | settings)
        visits.append(visit)
        visit.asked = []
        visit.page.on("request", lambda one: visit.asked.append(one.url.removeprefix(address)))
        visit.page.goto(f"{address}/class.html", wait_until="networkidle")
        return visit

    yield open_it
    for visit in visits:
        assert visit.outside == []
        visit.close()


def posted(makers, others):
    """What a class has posted of whom some make the same mistake."""
    table = table_of(UNIT)
    over = table.exercises[0].place_of("softmax-over-queries", "")
    tried, passed = ("tried", *["untouched"] * 7), ("passed", "tried", *["untouched"] * 6)
    draw = random.Random(makers)
    people = [Code(f"TA{one:02}", tried, ((0, over),)) for one in range(makers)]
    people += [Code(f"TB{one:02}", passed) for one in range(others)]
    draw.shuffle(people)
    return "\n".join(f"[10:31] Lena Müller: {packed(one, table)}" for one in people)


def test_what_is_pasted_is_shown_and_changes_as_more_comes(opened):
    visit = opened()
    page = visit.page
    box, status = page.get_by_label("What the class posted"), page.locator("#class-page [role=status]")
    before = len(visit.asked)
    box.fill(posted(4, 9))
    expect(status).to_have_text(f"{UNIT}: 13 learners. Talk now about 5.1 softmax: 31 %.")
    expect(page.locator("#class-page li.now")).to_contain_text("31 % (4 of 13): talk now. 5.1 softmax")
    row = page.get_by_role("row", name="5.1 softmax")
    assert row.locator("td").all_inner_texts() == ["9", "4", "0"]
    box.press("End")
    box.fill(f"{box.input_value()}\n{posted(0, 11)}")
    expect(status).to_have_text(f"{UNIT}: 15 learners. Talk now about 5.1 softmax: 27 %.")
    assert visit.asked[before:] == [f"/_static/class/{UNIT}.json"], (
        "it asks for the sentences, and sends nothing"
    )
    assert page.evaluate("Object.keys(localStorage).filter((one) => /class/.test(one))") == []
    page.get_by_role("button", name="Clear").click()
    expect(box).to_be_focused()
    expect(page.locator("#class-page table")).to_have_count(0)
    assert visit.errors == []


def test_what_is_wrong_is_said_and_the_rest_counts(opened):
    page = opened().page
    box, status = page.get_by_label("What the class posted"), page.locator("#class-page [role=status]")
    box.fill("hello")
    expect(page.locator("#class-page .notes")).to_have_text(NONE)
    text = posted(0, 3)
    box.fill(text[:-3])
    expect(status).to_have_text(f"{UNIT}: 2 learners. 1 note below.")
    expect(page.locator("#class-page .notes")).to_contain_text("17 letters, where a code has 20: it was cut")


def test_without_a_connection_nothing_pasted_is_lost(opened):
    page = opened().page
    page.route(f"**/{UNIT}.json", lambda route: route.fulfill(status=503))
    box = page.get_by_label("What the class posted")
    box.fill(posted(1, 1))
    expect(page.locator("#class-page [role=status]")).to_contain_text("What you pasted stays.")
    assert "Lena" in box.input_value()
    page.unroute(f"**/{UNIT}.json")
    box.press("Control+End")
    box.press("Enter")
    expect(page.locator("#class-page [role=status]")).to_contain_text("2 learners")


@narrow_and_wide
def test_it_can_be_read_by_everybody(opened, dark, width):
    page = opened(dark=dark, width=width).page
    page.get_by_label("What the class posted").fill(posted(4, 9) + "\n5TCA-TA05-ZC")
    expect(page.locator("#class-page table")).to_be_visible()
    assert real_browser.violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
