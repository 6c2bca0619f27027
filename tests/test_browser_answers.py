"""Exercises are answered on their page, in a real browser: written, checked, kept, taken on."""

import json
import re
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import expect

from helpers.units import UNIT_OF, UNITS
from tests.lanes import at_night
from tests.site_pages import narrow_and_wide, soup
from tools import real_browser
from tools.patience import PATIENCE, until
from tools.shell import ROOT

pytestmark = [pytest.mark.needs("browser", "katex", "engine", "editor"), pytest.mark.slow]
FAKE = Path(__file__).with_name("answer_worker.js").read_text("utf-8")
PAGE = "notebooks/01_dot_product/01_dot_product.html"
WRONG, RIGHT = "def dot(a, b):\n    return 1", "def dot(a, b):\n    return a @ b  # RIGHT"
ALL_OPEN = "for (const one of document.querySelectorAll('details.optional-part')) one.open = true"
expect.set_options(timeout=1000 * PATIENCE)


@pytest.fixture
def opened(visits, address):
    """Opens a page, a worker stands for Python; gives a visit whose `asked` has what was asked for."""

    def open_it(page=PAGE, script="", fake=True, **settings):
        visit = visits(**{"width": 1280, "height": 900} | settings)
        if fake:
            pretend(visit.page.context)
        if script:
            visit.page.add_init_script(script)
        visit.page.goto(f"{address}/{page}", wait_until="networkidle")
        visit.page.evaluate(ALL_OPEN)
        return visit

    return open_it


def pretend(context, worker=FAKE):
    answers(context, "python/worker.js", worker)
    answers(context, "python/keep.js", "export const keep = () => {};")


def answers(context, path, script):
    """A script of the tests in the place of one of the site."""
    context.route(f"**/{path}", lambda route: route.fulfill(body=script, content_type="text/javascript"))


def card(page, exercise="dot"):
    return page.locator(f'form[data-exercise="{exercise}"]')


def write(form, text):
    """Types an answer in the place of what stands there."""
    touched(form).click()
    form.page.keyboard.press("ControlOrMeta+a")
    form.page.keyboard.insert_text(text)


def touched(form):
    """The editor of a card, which comes when the card is touched."""
    if form.locator("textarea").is_visible():
        form.locator("textarea").click()
    form.locator(".cm-content").wait_for()
    return form.locator(".cm-content")


def press(form, name):
    form.get_by_role("button", name=name, exact=True).click()


def the_next_one_has_dot(page):
    """The worker is handed the answer to `dot` beside that to the next exercise."""
    other = card(page, "cosine_similarity")
    write(other, "1")
    press(other, "Check")
    expect(other.locator(".answer-panel")).to_contain_text('With ["dot"].')


def text_of(form):
    return form.locator("textarea").input_value()


def kept(page, exercise="dot"):
    """The record of an answer."""
    return page.evaluate("async (name) => (await import('/_static/answer/kept.js')).get(name)", exercise)


def waits_until_kept(page, text, exercise="dot"):
    until(lambda: (kept(page, exercise) or {}).get("source") == text)


# What a page holds


@pytest.mark.parametrize("unit", UNITS)
def test_each_exercise_has_a_card_with_the_blank_answer_of_the_learners_notebook(site, unit):
    book = nbformat.read(ROOT / "notebooks" / unit / f"{unit}.ipynb", 4)
    blank = {
        cell.metadata.nbgrader.grade_id: cell.source
        for cell in book.cells
        if cell.metadata.get("nbgrader", {}).get("solution")
    }
    page = soup(site, f"notebooks/{unit}/{unit}.html")
    found = {form["data-exercise"]: form.textarea.get_text() for form in page.select("form.answer")}
    assert found == {name: text for name, text in blank.items()}
    for form in page.select("form.answer"):
        body = form.find_parent(class_="exercise-body")
        assert f'check("{form["data-exercise"]}")' in body.get_text().replace("'", '"')
        later = form.select_one(".answer-next a")
        if later is None:
            assert form["data-exercise"] == [*UNIT_OF][-1], "only the last one leads nowhere"
            continue
        file, _, anchor = later["href"].partition("#")
        assert f'id="{anchor}"' in (site / "notebooks" / unit / file).resolve().read_text("utf-8")


def test_without_scripts_a_card_shows_what_it_did(chromium, address):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/{PAGE}")
    body = page.locator(".exercise-body").first
    assert not page.locator("form.answer").first.is_visible()
    assert body.get_by_text("dot is right.").is_visible()
    assert body.get_by_text("Hint 1").is_visible()
    assert page.locator("#work").inner_text().startswith("Without scripts this page shows one answer")
    context.close()


def test_the_courses_answer_comes_after_two_tries_and_the_side_bar_fills_with_a_pass(opened):
    page = opened().page
    form, answer, step = card(page), page.locator("#cell-dot"), page.locator(".unit-path [data-exercise=dot]")
    write(form, WRONG)
    expect(answer).to_be_hidden()
    shows = page.locator(".exercise-body", has=form).locator(".yours")
    tried = page.locator("#cell-dot-free")  # what it shows is the course's, which is said above
    (expect(shows).to_be_visible if tried.count() else expect(shows).to_be_hidden)()
    for hidden in (True, False):
        press(form, "Check")
        expect(form.locator(".answer-stop")).to_be_hidden()
        (expect(answer).to_be_hidden if hidden else expect(answer).to_be_visible)()
    expect(step).not_to_have_class("is-right")
    write(form, RIGHT)
    press(form, "Check")
    expect(step).to_have_class("is-right")
    page.reload(wait_until="networkidle")
    expect(step).to_have_class("is-right")
    expect(answer).to_be_visible()


# Writing and checking


def test_nothing_comes_before_it_is_wanted(opened):
    visit = opened()
    loads = r"editor|card\.js|python/"
    assert not [one for one in visit.asked if re.search(loads, one)]
    form = card(visit.page)
    touched(form)
    assert not [one for one in visit.asked if "python/" in one], "a touch brings the editor alone"
    visit.page.keyboard.type("x")
    visit.page.wait_for_function("document.querySelector('.answer-load').textContent.includes('of 10.0 MB')")
    assert sum("worker.js" in one for one in visit.asked) == 1
    write(card(visit.page, "best_match"), "x")
    press(card(visit.page, "best_match"), "Check")
    card(visit.page, "best_match").locator(".answer-panel b").wait_for()
    assert sum("worker.js" in one for one in visit.asked) == 1, "one Python for all cards"
    assert visit.errors == visit.outside == []


def test_a_wrong_answer_and_then_a_right_one(opened):
    visit = opened()
    form = card(visit.page)
    write(form, WRONG)
    press(form, "Check")
    expect(form.locator(".answer-panel b")).to_have_text("dot is not right yet.")
    lent = form.locator(".answer-panel > p")
    assert lent.inner_text().startswith("For this check the course lent dot and cosine_similarity")
    assert not form.locator(".answer-next").is_visible()
    assert not form.get_by_role("button", name="Stop").is_visible()
    write(form, RIGHT)
    visit.page.keyboard.press("ControlOrMeta+Enter")
    expect(form.locator(".answer-panel b")).to_have_text("dot is right.")
    expect(visit.page.locator(".exercise.is-right")).to_have_count(1)
    expect(visit.page.locator("#answer-count")).to_have_text("1 of 4 right.")
    form.get_by_role("link", name="Next: 1.2").click()
    assert "#exercise-1-2" in visit.page.url
    assert not form.locator(".answer-load").is_visible()
    the_next_one_has_dot(visit.page)
    assert visit.errors == []


def test_hints_come_one_at_a_time_and_the_last_from_python(opened):
    page = opened().page
    form = card(page)
    hints = form.locator(".answer-hints > *")
    given = page.locator(".exercise-body").first.locator("details summary", has_text="Hint")
    assert not given.first.is_visible()
    for count in (1, 2, 3):
        press(form, "Hint")
        expect(hints).to_have_count(count)
        assert hints.nth(count - 1).locator("p").is_visible()
    for _ in range(2):
        press(form, "Hint")
        expect(hints.nth(3)).to_have_text("Hint 4 of 4: from Python")
        assert hints.count() == 4
        press(form, "Check")
        form.locator(".answer-panel b").wait_for()


def test_stop_ends_what_never_ends_and_the_next_check_works(opened):
    visit = opened()
    form, loop = card(visit.page), "while True: pass"
    write(form, loop)
    press(form, "Check")
    press(form, "Stop")
    expect(form.locator(".answer-said")).to_contain_text("Stopped. What you wrote is still here.")
    assert text_of(form) == loop
    assert form.get_by_role("button", name="Check").evaluate("(one) => one === document.activeElement")
    write(form, RIGHT)
    press(form, "Check")
    expect(form.locator(".answer-panel b")).to_have_text("dot is right.")
    assert visit.errors == []


def test_one_starts_again_and_brings_it_back(opened):
    page = opened().page
    form = card(page)
    blank = text_of(form)
    write(form, WRONG)
    waits_until_kept(page, WRONG)
    press(form, "Start again")
    assert text_of(form) == blank
    waits_until_kept(page, blank)
    page.keyboard.press("ControlOrMeta+z")
    assert text_of(form) == WRONG
    press(form, "Start again")
    press(form, "Bring mine back")
    assert text_of(form) == WRONG
    waits_until_kept(page, WRONG)


@pytest.mark.parametrize("broken", ["missing", "says so"])
def test_where_python_breaks_one_sentence_says_so_and_nothing_is_lost(opened, broken):
    said = "There is not enough memory for Python."
    error = json.dumps({"reason": "memory", "message": said})
    worker = f"onmessage = ({{ data: {{ id }} }}) => postMessage({{ id, error: {error} }});"
    visit = opened(fake=False)
    pretend(visit.page.context, worker)
    if broken == "missing":
        said = "Python did not arrive as a whole"
        visit.page.context.route("**/python/worker.js", lambda route: route.fulfill(status=404))
    form = card(visit.page)
    write(form, RIGHT)
    press(form, "Check")
    expect(form.locator(".answer-said")).to_contain_text(said)
    assert not form.get_by_role("button", name="Stop").is_visible()
    assert text_of(form) == RIGHT
    visit.page.context.unroute("**/python/worker.js")
    pretend(visit.page.context)
    press(form, "Try again")
    expect(form.locator(".answer-panel b")).to_have_text("dot is right.")


# Kept


def test_an_answer_is_there_again_and_so_is_its_mark(opened):
    page = opened().page
    write(card(page), RIGHT)
    press(card(page), "Check")
    expect(page.locator(".exercise.is-right")).to_have_count(1)
    write(card(page, "best_match"), WRONG)
    expect(card(page, "best_match").locator(".answer-kept")).to_contain_text("Kept in this browser.")
    page.reload(wait_until="networkidle")
    expect(card(page).locator("textarea")).to_have_value(RIGHT)
    expect(card(page, "best_match").locator("textarea")).to_have_value(WRONG)
    expect(page.locator("#answer-count")).to_have_text("1 of 4 right.")
    assert card(page).locator("textarea").is_visible(), "the editor comes with a touch"
    touched(card(page))
    assert "a @ b" in card(page).locator(".cm-content").inner_text()


def test_a_hidden_page_keeps_at_once(opened):
    page = opened().page
    write(card(page), WRONG)
    page.evaluate("""() => {
        window.setTimeout = () => {}; // no pause of typing
        Object.defineProperty(document, "hidden", { value: true });
        document.dispatchEvent(new Event("visibilitychange"));
    }""")
    waits_until_kept(page, WRONG)


def test_two_pages_that_write_one_answer_lose_neither(opened):
    first = opened().page
    second = first.context.new_page()
    second.goto(first.url, wait_until="networkidle")
    write(card(first), WRONG)
    waits_until_kept(first, WRONG)
    touched(card(second))
    expect(card(second).locator(".cm-content")).to_contain_text("return 1")
    held = "BroadcastChannel.prototype.postMessage = () => {}"  # a page in the background hears late
    first.evaluate(held)
    write(card(first), "mine")
    waits_until_kept(first, "mine")
    write(card(second), "yours")
    offer = card(second).locator(".answer-offer")
    expect(offer).to_contain_text("Another page of yours wrote something else here. Both are kept.")
    found = kept(second)
    assert (found["source"], found["other"]["source"]) == ("yours", "mine")
    press(card(second), "Take the other one")
    waits_until_kept(second, "mine")
    assert text_of(card(second)) == "mine"
    assert kept(second)["other"]["source"] == "yours"
    expect(offer).to_contain_text("What was here before is kept too.")
    offer.get_by_text("See the other one").click()
    expect(offer.locator("pre")).to_have_text("yours")
    press(card(second), "Keep this one")
    expect(offer).to_have_count(0)
    assert "other" not in kept(second)
    expect(card(first).locator(".cm-content")).to_have_text("mine")


FORBIDDEN = "indexedDB.open = () => { throw new DOMException('no', 'SecurityError'); }"


def test_where_nothing_may_be_kept_all_else_works(opened):
    visit = opened(script=FORBIDDEN)
    form = card(visit.page)
    write(form, RIGHT)
    expect(form.locator(".answer-kept")).to_contain_text("This browser keeps nothing here")
    press(form, "Check")
    expect(form.locator(".answer-panel b")).to_have_text("dot is right.")
    expect(visit.page.locator(".exercise.is-right")).to_have_count(1)
    the_next_one_has_dot(visit.page)
    assert visit.errors == []


def test_a_full_store_is_said(opened):
    visit = opened()
    page, form = visit.page, card(visit.page)
    touched(form)
    session = page.context.new_cdp_session(page)
    origin = page.evaluate("location.origin")
    session.send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": 1})
    write(form, RIGHT)
    expect(form.locator(".answer-kept")).to_contain_text("store is full")
    session.send("Storage.overrideQuotaForOrigin", {"origin": origin})
    write(form, WRONG)
    expect(form.locator(".answer-kept")).to_contain_text("Kept in this browser.")
    assert visit.errors == []


# For everybody

SMALL = """() => [...document.querySelectorAll(".answer :is(button, a, summary, textarea), .is-right a")]
    .filter((one) => one.checkVisibility() && one.getClientRects().length)
    .map((one) => [one.textContent, one.getBoundingClientRect()])
    .filter(([, box]) => box.width < 23.9 || box.height < 23.9).map(([text]) => text)"""


@narrow_and_wide
def test_a_card_fits_a_phone_and_is_open_to_all(opened, width, dark):
    visit = opened(width=width, height=844, dark=dark)
    page, form = visit.page, card(visit.page)
    other = card(page, "best_match")
    write(other, WRONG + "  # " + "a long line that goes on and on " * 4)
    press(other, "Check")
    other.locator(".answer-panel b").wait_for()
    press(other, "Hint")
    write(form, RIGHT)
    press(form, "Check")
    form.locator(".answer-next").wait_for()
    press(form, "Start again")
    real_browser.at_rest(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(SMALL) == []
    if width == 390:
        size = form.locator(".cm-content").evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)")
        assert size >= 16, "a phone would zoom in on smaller text"
        assert not page.locator(".cm-gutters").first.is_visible()
    assert visit.errors == []
    assert real_browser.violations(page) == []


def test_by_keyboard_alone(opened):
    page = opened().page
    form = card(page)
    form.locator("textarea").focus()
    form.locator(".cm-editor").wait_for()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("if 1:\n2\nRIGHT")
    assert text_of(form) == "if 1:\n    2\n    RIGHT", "what a line begins is moved in"
    page.keyboard.press("Tab")
    assert text_of(form).endswith("\n        RIGHT")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Check"
    page.keyboard.press("Enter")
    expect(form.locator(".answer-panel b")).to_have_text("dot is right.")
    assert form.get_by_role("status").first.inner_text() == "dot is right."
    assert form.get_by_role("textbox", name="Your answer").is_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(form.locator(".answer-hints > *")).to_have_count(1)


# With Python itself


@pytest.mark.needs("pyodide")
def test_python_checks_a_wrong_answer_and_a_right_one(opened):
    visit = opened(fake=False)
    form = card(visit.page)
    write(form, WRONG)
    press(form, "Check")
    expect(form.locator(".answer-panel")).to_contain_text("dot is not right yet.")
    write(form, "while True:\n    pass")
    press(form, "Check")
    press(form, "Stop")
    write(form, RIGHT)
    press(form, "Check")
    expect(form.locator(".answer-panel")).to_contain_text("dot is right.")
    expect(visit.page.locator("#answer-count")).to_have_text("1 of 4 right.")
    assert visit.outside == []


@pytest.mark.needs("pyodide")
def test_a_module_of_pytorch_is_checked_on_its_page(opened):
    page = opened("notebooks/06_multi_head_attention/06_multi_head_attention.html", fake=False).page
    form = card(page, "MultiHeadAttention")
    press(form, "Check")
    expect(form.locator(".answer-panel")).to_contain_text("not answered yet")


# What first visitors ran into


def test_every_key_is_the_editors(opened):
    """The site has a key of its own, "/", which leads to the search."""
    page = opened().page
    form = card(page)
    touched(form).click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("a / b  # RIGHT")
    assert text_of(form) == "a / b  # RIGHT"


def test_start_again_before_the_first_touch_can_be_taken_back(opened):
    page = opened().page
    form = card(page)
    blank = text_of(form)
    write(form, RIGHT)
    press(form, "Check")
    expect(form.locator(".answer-panel b")).to_have_text("dot is right.")
    waits_until_kept(page, RIGHT)
    page.reload(wait_until="networkidle")
    press(form, "Start again")
    waits_until_kept(page, blank)
    assert text_of(form) == blank
    press(form, "Bring mine back")
    waits_until_kept(page, RIGHT)
    assert kept(page)["passed"]
    assert text_of(form) == RIGHT


def test_a_check_asked_for_during_another_is_of_the_text_as_it_then_stands(opened):
    visit = opened(fake=False)
    pretend(visit.page.context, FAKE.replace("await wait(30)", "await wait(1000)"))
    form = card(visit.page)
    write(form, WRONG)
    press(form, "Check")
    write(form, RIGHT)
    visit.page.keyboard.press("ControlOrMeta+Enter")
    expect(form.locator(".answer-panel b")).to_have_text("dot is right.")


def test_what_was_typed_just_before_one_leaves_is_kept(opened):
    page = opened().page
    form = card(page)
    write(form, WRONG)
    page.reload(wait_until="networkidle")
    expect(form.locator("textarea")).to_have_value(WRONG)
    waits_until_kept(page, WRONG)


def test_nothing_is_said_any_more_once_a_hint_is_there(opened):
    page = opened().page
    form = card(page)
    given = form.locator("xpath=ancestor::*[contains(@class, 'exercise-body')]/details").count()
    for _ in range(given + 1):
        press(form, "Hint")
    expect(form.locator(".answer-hints > *")).to_have_count(given + 1)
    expect(form.locator(".answer-said")).to_have_text("")
    expect(form.locator(".answer-load")).to_be_hidden()


@pytest.mark.parametrize("name", ["Check", at_night("Hint")])
def test_a_button_stays_under_the_pointer_when_a_card_is_first_touched(opened, name):
    page = opened().page
    button = card(page).get_by_role("button", name=name, exact=True)
    button.scroll_into_view_if_needed()
    before = button.bounding_box()
    button.hover()
    page.mouse.down()
    card(page).locator(".cm-content").wait_for()  # the card is live
    assert button.bounding_box() == before
    page.mouse.up()
    made = ".answer-panel b" if name == "Check" else ".answer-hints > *"
    card(page).locator(made).first.wait_for()
