"""The landing page in a real browser: its first screen answers whatever one types; a line to tap."""

import gzip
import re

import numpy as np
import pytest

from tests.first_sentences import SENTENCES
from tests.site_pages import UNIT_PAGES, narrow_and_wide
from tools import real_browser
from tools.web import first_screen, look_inside
from tools.web.live import node

pytestmark = [pytest.mark.needs("browser", "katex", "engine", "model"), pytest.mark.slow]
MOST_BEFORE_THE_FIRST_KEY = 80_000
"""Bytes of all requests together, each packed with gzip."""
SAW, WILL = (look_inside.kept()["sentences"][place] for place in (0, 2))
TURN = "(document.documentElement.dataset.turn ?? '')"
BANK = "The bank on the river bank"


@pytest.fixture
def opened(visits, address):
    """Opens the page: gives a visit whose `asked` has what was asked for."""

    def open_it(height=800, width=1280, **settings):
        visit = visits(width=width, height=height, **settings)
        visit.page.goto(f"{address}/index.html", wait_until="networkidle")
        visit.page.locator("#first.ready").wait_for()
        return visit

    return open_it


def typed(page, text):
    """Types a sentence and waits until the model has read it; gives what is said of it."""
    before = page.evaluate(TURN)
    page.locator("#first-text").fill(text)
    page.wait_for_function(f"(before) => {TURN} !== before", arg=before)
    return page.locator("#first-said").inner_text()


def seen(page):
    """All that the reader sees of a sentence: its words, the number, what is said, how many threads."""
    return page.evaluate("""() => {
        const threads = [...document.querySelectorAll("#first-cloth .thread")];
        const drawn = threads.filter((one) => !one.closest(".off")).map((one) => one.getAttribute("d"));
        const text = (id) => document.getElementById(`first-${id}`).innerText;
        return [...["words", "number", "said"].map(text), drawn.join("")];
    }""")


RED = """() => [...document.querySelectorAll("#first *")].filter((one) => {
    const look = getComputedStyle(one);
    return [look.color, look.borderTopColor, look.fill, look.stroke, look.backgroundColor].some((colour) => {
        const [r, g, b, alpha = 1] = (colour.match(/[\\d.]+/g) ?? []).map(Number);
        return alpha > 0 && r > 150 && r > 2.2 * g && b > 0.6 * g && b < 90;
    });
}).map((one) => one.outerHTML.slice(0, 80))"""
"""What is red: much more red than green and blue, of which an orange has hardly any."""


@pytest.mark.parametrize("width", [390, 1366])
def test_whatever_one_types_pays_off(opened, width):
    visit = opened(width=width)
    page = visit.page
    for text in SENTENCES:
        before = seen(page)
        said = typed(page, text)
        after = seen(page)
        assert [one for one, other in zip(before, after, strict=True) if one != other], text
        assert len(said) > 40, text
        page.locator("#first-switch").click()
        silent = seen(page)
        assert silent[2] != after[2], f"{text}: the switch says nothing"
        assert silent[3] == "", f"{text}: threads hang where attention is off"
        for shown in (after, silent):
            assert not re.search(r"\[UNK\]|undefined|NaN|null|tells", " ".join(shown[:3])), shown
        assert page.evaluate(RED) == [], text
        assert page.evaluate("document.documentElement.scrollWidth") <= width, text
        page.locator("#first-switch").click()
    assert visit.errors == visit.outside == []


def cosine(one, two):
    return float(one @ two / np.linalg.norm(one) / np.linalg.norm(two))


def rows(found):
    return np.reshape(found["xs"][6], (-1, 384))


@pytest.mark.parametrize("off", [False, True])
def test_its_numbers_are_the_models(opened, site, off):
    """For two words that part, and for one beside itself on its own."""
    page = opened().page
    how = {"code": {"merged": 2 if off else 0}}
    if off:
        page.locator("#first-switch").click()
    for text, place in (("She left her keys on the left", 2), ("Hello world", 2)):
        typed(page, text)
        ids = node.ask(site / "_static/live/model", [("encode", text)])[0]["ids"]
        other = ids if ids.count(ids[place]) > 1 else [ids[0], ids[place], ids[-1]]
        here, there = (
            rows(one)
            for one in node.ask(site / "_static/live/model", [("pass", ids, how), ("pass", other, how)])
        )
        at = len(other) - 1 - other[::-1].index(ids[place])
        assert page.locator("#first-number").inner_text() == f"{cosine(here[place], there[at]):.2f}"


def test_the_switch_is_the_whole_act_and_needs_no_model(opened):
    visit = opened()
    page = visit.page
    number, said = page.locator("#first-number"), page.locator("#first-said")
    assert number.inner_text() == "0.66"
    page.get_by_role("button", name="Switch attention off").focus()
    page.keyboard.press("Enter")
    assert number.inner_text() == "0.99"
    assert "no word takes anything from its neighbours" in said.inner_text()
    assert seen(page)[3] == ""
    page.get_by_role("button", name=WILL["text"]).click()
    assert number.inner_text() == f"{WILL['off'][6]:.2f}"
    page.get_by_role("button", name="Switch attention on").click()
    assert number.inner_text() == f"{WILL['similarities'][6]:.2f}"
    assert not [url for url in visit.asked if "live/model" in url]
    assert visit.errors == []


def test_a_word_is_chosen_by_keyboard_and_keeps_the_focus(opened):
    page = opened().page
    page.locator("#first-words").get_by_role("button", name="a", exact=True).focus()
    page.keyboard.press("Enter")
    page.locator("#first-of").filter(has_text="a here and alone").wait_for()
    assert page.evaluate("document.activeElement.textContent") == "a"
    assert page.locator("#first-words [aria-pressed=true]").all_inner_texts() == ["a", "a"]


def test_where_the_model_does_not_come_the_page_says_so_and_goes_on(opened):
    page = opened().page
    page.route("**/live/model/body*", lambda route: route.abort())
    page.locator("#first-text").fill(BANK)
    page.get_by_role("alert").filter(has_text="did not arrive").wait_for()
    assert page.locator("#first-words").inner_text().split() == BANK.split()
    page.get_by_role("button", name=WILL["text"]).click()
    assert page.locator("#first-number").inner_text() == f"{WILL['similarities'][6]:.2f}"
    page.unroute("**/live/model/body*")
    page.locator("#first-text").fill(BANK)
    page.get_by_role("button", name="Try again").click()
    page.locator("#first-of").filter(has_text="bank and bank").wait_for()


def test_before_the_first_key_the_page_is_small(opened):
    visit = opened()
    bodies = {url: visit.page.request.get(url).body() for url in set(visit.asked) if "favicon" not in url}
    packed = {url: min(len(body), len(gzip.compress(body, 9))) for url, body in bodies.items()}
    heaviest = sorted(packed.items(), key=lambda one: -one[1])[:6]
    print(f"\n{sum(packed.values())} bytes before the first key")
    assert sum(packed.values()) <= MOST_BEFORE_THE_FIRST_KEY, heaviest


SMALL = """() => [...document.querySelectorAll('#first :is(button, input), .turn label')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length)
    .map((one) => [one.textContent || one.id, one.getBoundingClientRect()])
    .filter(([, box]) => box.width < 23.9 || box.height < 23.9).map(([text]) => text)"""


@narrow_and_wide
def test_the_first_screen_has_all_of_it_and_is_open_to_all(opened, width, dark):
    wide = width > 700
    room = 768 if wide else 2 * 844
    visit = opened(width=1366 if wide else 390, height=768 if wide else 844, dark=dark)
    page = visit.page
    assert page.locator("h1").count() == 1
    for part in (".course-bar strong", "h1", "#first-switch", "#first-text", "#turn-2", ".begin .button-of"):
        box = page.locator(part).bounding_box()
        assert box["y"] >= 0, part
        assert box["y"] + box["height"] <= room, part
    assert not page.locator(".bd-sidebar-primary, .primary-toggle").locator("visible=true").count()
    for line in ("turn-0", "turn-2"):
        page.locator(f"#{line}").check()
        assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    assert page.evaluate(SMALL) == []
    page.locator("#first-switch").click()
    real_browser.at_rest(page)
    assert visit.outside == visit.errors == []
    assert real_browser.violations(page) == []


def test_who_wants_less_motion_gets_none(opened):
    page = opened().page
    page.emulate_media(reduced_motion="reduce")
    page.get_by_role("button", name=WILL["text"]).click()
    page.locator("#first-switch").click()
    assert page.evaluate("document.getAnimations().length") == 0


def test_a_line_is_answered_at_once_and_leads_to_the_next_exercise(opened):
    visit = opened(width=390, height=844)
    page = visit.page
    shown = page.locator(".verdict").locator("visible=true")
    assert shown.count() == 0
    page.locator("#turn-0").focus()
    page.keyboard.press("Space")
    assert "apply_mask is not right yet" in shown.inner_text()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert "apply_mask is right." in shown.inner_text()
    assert re.search(r"That is exercise 4\.4, one of \d\d\.", shown.inner_text())
    assert not [url for url in visit.asked if "pyodide" in url or url.endswith(".whl")]
    page.get_by_role("link", name="Write the next one yourself").click()
    page.wait_for_url(f"**/{UNIT_PAGES[4]}#*")
    page.locator(":target").wait_for(state="attached")


def test_two_lines_are_refused_with_a_mistake_that_the_course_knows():
    first, second, third = map(first_screen.checked, first_screen.LINES)
    assert third.passed
    assert [first.misconception, second.misconception] == ["mask-multiplied", "mask-inverted"]


def test_without_scripts_there_is_a_true_picture_and_the_lines_are_answered(chromium, address):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/index.html")
    assert page.locator("#first-cloth circle").count() == 7 * len(SAW["words"])
    assert page.locator("#first-cloth .thread").count() > 20
    assert page.locator("#first-number").inner_text() == f"{SAW['similarities'][6]:.2f}"
    assert page.locator("#first button:visible, #first input:visible").count() == 0
    page.locator("#turn-2").check()
    assert page.get_by_text("apply_mask is right.").is_visible()
    context.close()
