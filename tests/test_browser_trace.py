"""A function line by line in a real browser: stepped through by keys, by buttons and by clicks."""

import re

import pytest
from bs4 import BeautifulSoup

from helpers.views.trace_view import folded_trace, traced
from helpers.views.trace_words import beside
from tests import recordings
from tests.lanes import at_night
from tests.recordings import ALL
from tools import real_browser

pytestmark = [pytest.mark.needs("browser"), pytest.mark.slow]


def said(page):
    return page.get_by_role("status").inner_text()


def chosen(page):
    """The number of the chosen line, once there is one: what is folded is made after it is unfolded."""
    at = page.locator(".line.at")
    at.wait_for()
    assert at.count() == 1
    assert at.get_attribute("aria-current") == "step"
    assert at.locator(".sign").inner_text() == "▶"
    return int(at.locator(".no").inner_text())


def marked(page):
    """The numbers of the lines that made what the chosen line reads."""
    lines = page.locator(".line.source").all()
    assert [one.locator(".sign").inner_text() for one in lines] == ["◆"] * len(lines)
    return [int(one.locator(".no").inner_text()) for one in lines]


def cells(page, place):
    return [row.locator("td").all_inner_texts() for row in page.locator(f"{place} tbody tr").all()]


def line(page, number):
    return page.locator(".line").filter(has=page.locator(".no", has_text=re.compile(rf"^{number}$")))


def press(page, name):
    """As one does, also where the end says that there is nothing to press for."""
    page.get_by_role("button", name=name).click(force=True)


def test_it_begins_after_the_last_stage_and_says_in_words_what_is_chosen(open_view):
    page = open_view(traced(recordings.transposed()))
    assert chosen(page) == 4
    assert said(page) == (
        "Line 4, weights: array (3, 4) float64. Each column sums to 1. Smallest 0.05661, largest 0.6897."
    )
    assert marked(page) == [3]
    assert page.get_by_text("It reads scaled (3, 4) float64 from line 3.").is_visible()
    assert cells(page, "table[aria-label=weights]")[-1] == ["1", "1", "1", "1", ""], "sums of the columns"
    assert cells(page, "table[aria-label=scaled]")[0] == ["0.50", "−1", "0.50", "1", "1"]
    assert page.locator("table[aria-label=weights] td.gold").count() == 12
    stages = page.locator(".rest ol li").all_inner_texts()
    assert stages == ["scores ✓ line 2", "scaled scores ✓ line 3", "weights", "output"]


def test_keys_step_and_stay_away_from_the_notebook(open_view):
    page = open_view(traced(recordings.right()))
    page.evaluate("window.heard = []; document.addEventListener('keydown', (one) => heard.push(one.key))")
    assert chosen(page) == 2
    line(page, 2).focus()
    for key, number in [
        ("ArrowDown", 3), ("ArrowRight", 4), ("ArrowUp", 3), ("ArrowLeft", 2), ("ArrowLeft", 2),
        ("End", 5), ("ArrowDown", 5), ("Home", 2),
    ]:  # fmt: skip
        page.keyboard.press(key)
        assert chosen(page) == number
        focus = "document.querySelector('.attention-view').shadowRoot.activeElement"
        assert page.evaluate(f"{focus}.ariaCurrent") == "step", "the focus goes along"
    assert page.evaluate("heard") == []
    assert page.locator(".line[tabindex='0']").count() == 1
    page.keyboard.press("End")
    assert said(page).startswith("Line 5, returned: a tuple of 2: (3, 4) float64 ✓ output; ")
    assert page.locator(".maps:not(.small) table").count() == 2
    assert marked(page) == [1, 4]


def test_buttons_step_to_the_ends(open_view):
    page = open_view(traced(recordings.right()))
    back, on = (page.get_by_role("button", name=name) for name in ("back", "on ▶"))
    assert back.get_attribute("aria-disabled") == "true"
    for number in (3, 4, 5, 5):
        press(page, "on ▶")
        assert chosen(page) == number
    assert on.get_attribute("aria-disabled") == "true"
    assert page.get_by_text("step 4 of 4").is_visible()
    on.press("ArrowLeft")
    assert chosen(page) == 4
    back.click()
    assert chosen(page) == 3


def test_a_click_chooses_a_line(open_view):
    page = open_view(traced(recordings.loop()))
    for number, words in [
        (5, "Line 5, run 1 of 64, total: "),
        (2, "Line 2, total: "),
        (6, "Line 6, returned: "),
    ]:
        line(page, number).click()
        assert chosen(page) == number
        assert said(page).startswith(words)
    line(page, 1).click()
    assert chosen(page) == 6, "it was not run step by step"


def test_a_loop_is_gone_through_in_the_turns_that_were_kept(open_view):
    page = open_view(traced(recordings.loop()))
    line(page, 5).click()
    turns = page.get_by_role("group", name="runs of this line")
    assert turns.get_by_role("button").all_inner_texts() == ["1", "2", "64"]
    assert "run 1 of 64" in line(page, 4).inner_text()
    press(page, "run 64, the last")
    assert said(page).startswith("Line 5, run 64 of 64, total: ")
    assert "run 64 of 64" in line(page, 4).inner_text()
    assert "i = 63 int" in line(page, 3).inner_text().replace("\n", " ")
    assert page.get_by_role("button", name="run 64, the last").get_attribute("aria-pressed") == "true"
    assert page.get_by_text("It reads total, which may be from a run that is left out; row (3,)").is_visible()
    press(page, "run 2")
    press(page, "back")
    assert said(page).startswith("Line 4, run 2 of 64, row: ")
    line(page, 2).click()
    assert turns.is_hidden()


def test_functions_that_are_called_are_stepped_into(open_view):
    page = open_view(traced(recordings.helpers()))
    words = []
    for _ in range(7):
        words.append(said(page).split(":")[0])
        press(page, "on ▶")
    assert words == [
        "Line 12 of shrink, called in line 2, call 1 of 2, small",
        "Line 13 of shrink, called in line 2, call 1 of 2, returned",
        "Line 2, Q",
        "Line 12 of shrink, called in line 3, call 2 of 2, small",
        "Line 13 of shrink, called in line 3, call 2 of 2, returned",
        "Line 3, K",
        "Line 4, returned",
    ]
    assert marked(page) == [2, 3]


def test_errors_odd_numbers_and_other_kinds(open_view):
    page = open_view(traced(recordings.raises()))
    assert said(page).startswith("Line 3, stopped here: ValueError: operands")
    page = open_view(traced(recordings.in_place()))
    line(page, 4).click()
    assert cells(page, ".maps:not(.small) table[aria-label=scores]")[0] == ["nan", "−∞", "−∞", "−∞"]
    assert page.locator(".maps:not(.small) table").count() == 1, "two names of one object have one map"
    assert "It is the same object as same" in said(page)
    page = open_view(traced(recordings.kinds()))
    for number, words in [
        (2, "Line 2, name: '</script><script>hit=1</script>'."),
        (6, "Line 6, yes: True."),
        (9, "Line 9, big: array (2000, 2000) float64. It is too large to show. flat: array () float64: 1.5."),
        (10, "Line 10: it makes nothing new."),
    ]:
        line(page, number).click()
        assert said(page) == words
    line(page, 4).click()
    assert cells(page, "table[aria-label='both[0]']") == [["0.50", "−1000000000", "1.2e+5", "0.00", "0"]]
    assert page.evaluate("window.hit") is None


@pytest.mark.parametrize("name", ALL)
def test_beside_a_line_stands_what_the_words_say(open_view, name):
    """The script has the words of the table that stands where there is no script."""
    recording = ALL[name]()
    page = open_view(traced(recording))
    for step in recording["steps"]:
        if step["turns"] == 1 and step["call"] == 1 and name != "helpers":
            shown = line(page, step["line"]).locator(".chip").all_inner_texts()
            assert "; ".join(shown) == beside([step], recording["stages"], 1)


@pytest.mark.parametrize("dark", [False, at_night(True)], ids=["light", "dark"])
@pytest.mark.parametrize("name", ["loop", *map(at_night, ("transposed", "in_place", "long"))])
def test_nothing_keeps_readers_out(open_view, name, dark):
    page = open_view(traced(ALL[name]()), dark=dark)
    if dark:
        page.evaluate("document.documentElement.dataset.theme = 'dark'; document.body.style.color = '#eee'")
        page.evaluate("document.body.style.background = '#14181e'")
        page.wait_for_selector(".attention-view[dark]")
    for key in ("End", "ArrowLeft"):
        page.locator(".line.at").press(key)
        assert real_browser.violations(page, colours=dark) == []
    for button in page.locator("button:visible").all():
        box = button.bounding_box()
        assert min(box["width"], box["height"]) >= 24


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_numbers_can_be_read_on_the_strongest_shades(open_view, dark):
    """axe does not see through `color-mix`: what the browser makes of it is measured here."""
    recording = recordings.transposed()
    recording["steps"][2]["makes"].append(
        {"name": "shades", "how": "new", "what": recordings.arr([[-1.0, 1.0]])}
    )
    page = open_view(traced(recording), dark=dark)
    if dark:
        page.evaluate("document.documentElement.dataset.theme = 'dark'")
        page.wait_for_selector(".attention-view[dark]")
    page.evaluate(
        "document.querySelector('.attention-view').shadowRoot.querySelectorAll('td.gold')"
        ".forEach((one) => one.style.setProperty('--a', 100))"
    )
    look = """(cell) => {
        const brush = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
        return ['backgroundColor', 'color'].map((key) => {
            brush.fillStyle = getComputedStyle(cell)[key];
            brush.fillRect(0, 0, 1, 1);
            const [r, g, b] = [...brush.getImageData(0, 0, 1, 1).data].map((c) => c / 255)
                .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        });
    }"""
    for place in ("td.gold", "table[aria-label=shades] td.minus", "table[aria-label=shades] td[class='']"):
        low, high = sorted(page.locator(place).first.evaluate(look))
        assert (high + 0.05) / (low + 0.05) >= 4.5, place


@pytest.mark.parametrize("width", [320, *map(at_night, (390, 768, 1280))])
@pytest.mark.parametrize("name", ["long", *map(at_night, ("module", "kinds", "helpers"))])
def test_no_screen_needs_sideways_scrolling(open_view, name, width):
    page = open_view(traced(ALL[name]()), width=width)
    page.get_by_text("All lines in one table").click()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    box = page.locator(".code")
    assert box.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    for row in page.locator(".line").all():
        code, chips = row.locator("code").bounding_box(), row.locator(".chips").bounding_box()
        if chips:
            beyond = chips["x"] >= code["x"] + code["width"] - 1
            assert beyond or chips["y"] >= code["y"] + code["height"] - 1, "nothing lies over the code"


def test_the_chosen_line_is_in_sight_and_the_page_stays(open_view):
    page = open_view(traced(recordings.long_lines()), height=700)
    for key in ("End", "Home", "End"):
        page.locator(".line.at").press(key)
        inside = """(row) => {
            const [a, b] = [row, row.closest('.code')].map((one) => one.getBoundingClientRect());
            return a.top >= b.top && a.bottom <= b.bottom + 1; }"""
        assert page.locator(".line.at").evaluate(inside), key
        assert page.evaluate("scrollY") == 0


def test_without_scripts_there_is_the_table(chromium, tmp_path):
    (tmp_path / "view.html").write_text(real_browser.alone(traced(recordings.transposed())), "utf-8")
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((tmp_path / "view.html").as_uri())
    rows = page.locator("tr").all_inner_texts()
    assert "scaled (3, 4) float64 ✓ scaled scores" in rows[3]
    assert page.get_by_text("Line 4 makes (3, 4) whose columns each sum to 1.").is_visible()
    assert page.get_by_role("button").count() == 0
    context.close()


class Folded:
    """What stands below a failing check."""

    def __init__(self, recording):
        self.html = folded_trace(recording, "See your own code run")


def test_below_a_failing_check_it_is_folded(open_view):
    page = open_view(Folded(recordings.transposed()))
    assert not page.locator(".attention-view section").count(), "a closed one is not made"
    assert not page.get_by_text("scaled = scores").first.is_visible()
    summary = page.get_by_text("See your own code run")
    summary.focus()
    for opened in (True, False, True):
        page.keyboard.press("Enter")
        assert page.locator("details").first.evaluate("(one) => one.open") == opened
    assert chosen(page) == 4
    assert page.locator("h3").count() == 1
    assert real_browser.violations(page) == []


def test_a_long_one_that_is_folded_has_smaller_maps_and_no_table(open_view):
    one = Folded(recordings.long_lines(60))
    assert not BeautifulSoup(one.html, "html.parser").find("table")
    page = open_view(one)
    page.get_by_text("See your own code run").click()
    assert chosen(page) == 15
    assert not page.get_by_text("All lines in one table").count()
    assert cells(page, "table[aria-label=step_13]")[0][-2] == "…"


@pytest.mark.nightly
def test_two_on_one_page_do_not_meet(chromium, tmp_path):
    one, two = traced(recordings.right()), traced(recordings.loop())
    text = real_browser.alone(one).replace("</main>", f"{two.html}</main>")
    (tmp_path / "two.html").write_text(text, "utf-8")
    with real_browser.Visit(chromium) as visit:
        visit.page.goto((tmp_path / "two.html").as_uri())
        first, second = visit.page.locator(".attention-view").all()
        first.get_by_role("button", name="on ▶").click()
        assert first.get_by_role("status").inner_text().startswith("Line 3, scaled")
        assert second.get_by_role("status").inner_text().startswith("Line 2, total")
        assert visit.errors == []
