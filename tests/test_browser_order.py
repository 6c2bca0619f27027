"""Lines put in order in a real browser: by keys alone, by buttons, on a narrow screen, and with no script."""

import random
from functools import cache

import pytest

from helpers import answer_text
from helpers.learner.line_order import EXERCISES, lines, mistakes
from helpers.views.order_view import Order
from tools import real_browser

pytestmark = [pytest.mark.needs("browser")]

RIGHT = "All lines stand where they may: this is a right answer."


@cache
def view(name):
    dice = random.Random(2)
    return Order(name, lines(answer_text.texts()[name]), mistakes(name, dice), dice)


def wrong(name):
    return {row["text"].strip(): row["wrong"] for row in view(name).data["rows"] if "wrong" in row}


def said(page):
    return page.get_by_role("status").inner_text()


def texts(page, place="Your answer"):
    """The lines of a list, without numbers and what a screen reader is told."""
    found = page.get_by_role("list", name=place, exact=True).locator("code")
    return found.evaluate_all("(all) => all.map((it) => it.lastChild.textContent)")


def look(page):
    page.get_by_role("button", name="Look").click()
    return said(page)


def chosen(page):
    return page.evaluate(
        "document.querySelector('.attention-view').shadowRoot.activeElement.querySelector('code').lastChild.textContent"
    )


def choose(page, text):
    """By arrow keys, from the top."""
    page.keyboard.press("Home")
    for _ in range(40):
        if chosen(page) == text:
            return
        page.keyboard.press("ArrowDown")
    raise AssertionError(f"no key leads to {text}")


def begin(page):
    """By keyboard into the list: the first that takes the focus is the chosen line."""
    page.keyboard.press("Tab")
    assert page.locator("li.at").count() == 1


def sort_by_keys(page, name):
    """The right order, from its first line on."""
    answer = lines(answer_text.texts()[name])
    for text in wrong(name):
        choose(page, text)
        page.keyboard.press("Delete")
    wanted = [one.text.strip() for one in answer]
    for at, one in enumerate(answer):
        if one.fixed:
            continue
        choose(page, one.text.strip())
        page.keyboard.press("Space")
        for _ in range(40):
            now = texts(page)
            if now[: at + 1] == wanted[: at + 1]:
                break
            page.keyboard.press("ArrowUp" if now.index(one.text.strip()) > at else "ArrowDown")
        page.keyboard.press("Space")
    assert texts(page) == wanted


def test_by_keys_alone_the_right_order_is_reached(open_view):
    page = open_view(view("KVCache"))
    page.evaluate("window.heard = []; document.addEventListener('keydown', (one) => heard.push(one.key))")
    begin(page)
    sort_by_keys(page, "KVCache")
    page.keyboard.press("Tab")
    for _ in range(4):
        if page.get_by_role("button", name="Look").evaluate("(it) => it.matches(':focus')"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert said(page) == RIGHT
    assert sorted(texts(page, "Left out")) == sorted(wrong("KVCache"))
    assert not {"ArrowDown", " ", "Delete"} & set(page.evaluate("heard")), "they drive no notebook"


def test_another_order_that_is_allowed_is_right_as_well(open_view):
    page = open_view(view("KVCache"))
    begin(page)
    sort_by_keys(page, "KVCache")
    choose(page, "self.V = v if self.V is None else torch.cat([self.V, v], dim=2)")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowUp")
    assert said(page).startswith('Line 7, below """Add k, v')
    assert look(page) == RIGHT
    page.locator("li.at .line").focus()
    choose(page, "return self.K, self.V")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowUp")
    assert look(page) == "4 of 5 lines stand where they may."


class Crossed(Order):
    """The right order but for two lines that read the same: each stands where the other does."""

    def __init__(self, name):
        super().__init__(name, lines(answer_text.texts()[name]), [], random.Random(0))
        rows = self.data["rows"]
        rows.sort(key=lambda row: row["fixed"][0][0] if "fixed" in row else row["k"])
        one, two = (
            at for at, row in enumerate(rows) if row.get("text", "").endswith("if allowed is not None:")
        )
        rows[one], rows[two] = rows[two], rows[one]


def test_two_lines_that_read_the_same_stand_for_each_other(open_view):
    page = open_view(Crossed("MultiHeadAttention"))
    assert look(page) == RIGHT
    page.get_by_role("list", name="Your answer").get_by_role("button", name="heads = weights").click()
    page.get_by_role("button", name="▲ up").click()
    assert look(page) == "14 of 16 lines stand where they may.", (
        "it stands inside the block of a line below it"
    )


def test_look_says_what_a_line_of_a_mistake_does_one_at_a_time(open_view):
    page = open_view(view("KVCache"))
    left = dict(wrong("KVCache"))
    while left:
        told = look(page)
        number = int(told.split()[1])
        text = texts(page)[number - 1]
        assert told == f"Line {number} holds a real mistake: {left.pop(text)}"
        page.get_by_role("list", name="Your answer").locator("button.line").filter(
            has=page.locator(f".no:text-is('{number}')")
        ).click()
        page.get_by_role("button", name="leave out").click()
        assert said(page) == "Left out."
    assert "of 5 lines stand where they may" in look(page)


def test_by_buttons_a_line_moves_and_is_left_out_and_taken_in(open_view):
    page = open_view(view("KVCache"))
    first = page.get_by_role("list", name="Your answer").locator("button.line").first
    text = first.locator("code").evaluate("(it) => it.lastChild.textContent")
    first.click()
    assert first.get_attribute("aria-pressed") == "false", "a click chooses, and picks up nothing"
    before = texts(page).index(text)
    page.get_by_role("button", name="▼ down").click()
    assert texts(page).index(text) > before
    page.get_by_role("button", name="▲ up").click()
    page.get_by_role("button", name="▲ up").click()
    assert texts(page).index(text) == before, "what is given at the top stays there"
    page.get_by_role("button", name="leave out").click()
    assert texts(page, "Left out") == [text]
    assert "1 that belongs in is left out" in look(page) or "holds a real mistake" in said(page)
    page.get_by_role("button", name="take in").click()
    assert texts(page, "Left out") == []
    assert texts(page)[-1] == text


def test_escape_puts_down_and_a_moved_line_says_where_it_is(open_view):
    page = open_view(view("KVCache"))
    begin(page)
    page.keyboard.press("Space")
    assert said(page).startswith("Picked up: arrow keys move it")
    assert page.locator("button[aria-pressed=true]").count() == 1
    page.keyboard.press("ArrowDown")
    assert said(page).startswith("Line ")
    page.keyboard.press("Escape")
    assert said(page).startswith("Put down. Line ")
    assert page.locator("button[aria-pressed=true]").count() == 0


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", ["KVCache", "online_attention"])
def test_nothing_keeps_readers_out(open_view, name, dark):
    page = open_view(view(name), dark=dark)
    if dark:
        page.evaluate("document.documentElement.dataset.theme = 'dark'; document.body.style.color = '#eee'")
        page.evaluate("document.body.style.background = '#14181e'")
        page.wait_for_selector(".attention-view[dark]")
    assert real_browser.violations(page) == []
    begin(page)
    page.keyboard.press("Space")
    assert real_browser.violations(page) == []
    page.keyboard.press("Backspace")
    look(page)
    assert real_browser.violations(page) == []
    for button in page.locator("button:visible").all():
        box = button.bounding_box()
        assert min(box["width"], box["height"]) >= 24


@pytest.mark.slow
@pytest.mark.parametrize("width", [320, 390, 1280])
@pytest.mark.parametrize("name", EXERCISES)
def test_nothing_is_cut_off(open_view, name, width):
    page = open_view(view(name), width=width)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for one in page.locator("button:visible, .line code").all():
        assert one.evaluate(
            "(it) => it.scrollWidth <= it.clientWidth || getComputedStyle(it).display === 'inline'"
        )
        box = one.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
    for number in page.locator(".no").all():
        assert number.bounding_box()["height"] < 30, "a number stands in one line"


def test_without_scripts_there_are_the_lines(chromium, tmp_path):
    (tmp_path / "view.html").write_text(real_browser.alone(view("KVCache")), "utf-8")
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((tmp_path / "view.html").as_uri())
    for row in view("KVCache").data["rows"]:
        if "text" in row:
            assert page.get_by_text(row["text"].strip()).count() == 1
    assert page.get_by_text("This is for practice: it changes no mark.").is_visible()
    assert page.get_by_role("button").count() == 0
    context.close()
