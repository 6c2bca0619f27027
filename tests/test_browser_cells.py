"""A unit's page is its notebook: its cells in a real browser, with the Python that the site brings."""

import json
import re

import nbformat
import pytest
from playwright.sync_api import expect

from tests import sample_learners
from tests.site_pages import narrow_and_wide
from tools import real_browser
from tools.patience import PATIENCE, until
from tools.shell import ROOT

pytestmark = [pytest.mark.needs("browser", "katex", "engine", "editor", "model", "pyodide"), pytest.mark.slow]
UNIT = "05_softmax"
PAGE = f"notebooks/{UNIT}/{UNIT}.html"
expect.set_options(timeout=1000 * PATIENCE)


@pytest.fixture
def opened(visits, address):
    """Opens a unit's page; gives a visit."""

    def open_it(unit=UNIT, script="", **settings):
        visit = visits(**{"width": 1366, "height": 900} | settings)
        if script:
            visit.page.add_init_script(script)
        visit.page.goto(f"{address}/notebooks/{unit}/{unit}.html", wait_until="networkidle")
        return visit

    return open_it


def cell(page, name):
    return page.locator(f"[id='cell-{name}']")


def press(block, name):
    block.hover()
    block.locator(".cell-tools, .cell-says, .cell-more").get_by_role("button", name=name, exact=True).click()


def editor(block):
    """The editor of a cell, which comes with a click on its code."""
    if not block.locator(".cm-content").count():
        block.locator(".cell_input pre").click()
    block.locator(".cm-content").wait_for()
    return block.locator(".cm-content")


def write(block, text):
    editor(block).click()
    block.page.keyboard.press("ControlOrMeta+a")
    block.page.keyboard.insert_text(text)


def own(page):
    return page.locator(".own-cell")


def gives(block, text):
    expect(block.locator(".cell_output")).to_contain_text(text)


def kept(page, name):
    """What the browser keeps of a cell."""
    script = "async (key) => (await import('/_static/answer/kept.js')).get(key)"
    return (page.evaluate(script, f"{UNIT}/{name}") or {}).get("source")


def downloaded(page, to):
    with page.expect_download() as coming:
        page.get_by_role("button", name="Download as a notebook").click()
    coming.value.save_as(to)
    return nbformat.read(to, 4)


LINES = "async () => (await import('/_static/answer/kept.js')).record.lines()"
SOFTMAX = "def softmax(x, axis=-1):\n    return np.full(np.shape(x), 0.125)"


def test_a_page_is_worked_through(opened, tmp_path):
    visit = opened()
    page = visit.page
    # a cell is changed, and what needs it is drawn anew
    scores = cell(page, "05-04")
    write(scores, "scores = np.array([0.0, 1.0, 7.0])\nprint('changed', scores.sum())")
    page.keyboard.press("Shift+Enter")
    gives(scores, "changed 8.0")
    expect(cell(page, "05-05").locator(".cell-run")).to_be_focused()
    page.keyboard.press("Enter")
    drawn = cell(page, "05-05").locator(".cell_output img")
    expect(drawn.first).to_have_attribute("alt", re.compile("2: 7 →"))
    assert drawn.count() == 2
    assert cell(page, "05-05").locator("img:visible").count() == 1
    # a cell further down runs what it needs, and says so
    later = cell(page, "05-16a")
    press(later, "Run")
    expect(later.locator(".cell-says")).to_have_text("An earlier cell ran first, because this one needs it.")
    # an answer is called where it is
    form = page.locator('form.answer[data-exercise="softmax"]')
    form.locator("textarea").click()
    form.locator(".cm-content").wait_for()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text(SOFTMAX)
    press(cell(page, "softmax-free"), "Run")
    gives(cell(page, "softmax-free"), "[[0.125 0.125 0.125]")
    # a prediction
    asks = page.locator('form.guess[data-cell="05-13"]')
    asks.get_by_role("button", name="Compare").click()
    expect(asks.get_by_role("status")).to_have_text("Write down a guess first, even a wild one.")
    asks.get_by_label("Your guess").fill("0.665")
    asks.get_by_label("certain").check()
    asks.get_by_role("button", name="Compare").click()
    expect(asks.locator(".cell_output")).to_contain_text("Right. You predicted 0.665; it is 0.6652.")
    # a cell of one's own, with an error, a loop without end and a loom
    press(scores, "+ Cell")
    own(page).locator(".cm-content").wait_for()
    page.keyboard.type("scores / 0\n1 / 0")
    page.keyboard.press("ControlOrMeta+Enter")
    gives(own(page), "ZeroDivisionError")
    gives(own(page), "This cell, line 2")
    write(own(page), "while True: pass")
    page.keyboard.press("ControlOrMeta+Enter")
    page.locator(".own-cell.is-running").wait_for()
    press(own(page), "Stop")
    expect(own(page).locator(".cell-says")).to_have_text("Stopped. What you wrote is still here.")
    write(own(page), "views.loom()")
    page.keyboard.press("ControlOrMeta+Enter")
    expect(own(page).locator(".attention-view")).to_be_visible()
    # a file, which holds all of it, and a page that is read again
    book = downloaded(page, tmp_path / "mine.ipynb")
    course = nbformat.read(ROOT / "notebooks" / UNIT / f"{UNIT}.ipynb", 4)
    nbformat.validate(book)
    changed = {one.id: one.source for one in book.cells}
    differ = [one.id for one in course.cells if one.source != changed[one.id]]
    assert differ == ["05-04", "05-13", "softmax"]
    assert changed["05-13"] == "guess = 0.665\nsure = 3"
    assert [one.metadata for one in book.cells if one.id in {c.id for c in course.cells}] == [
        one.metadata for one in course.cells
    ]
    (mine,) = [one for one in book.cells if one.id.startswith("own-")]
    assert mine.source == "views.loom()"
    assert book.cells[book.cells.index(mine) - 1].id == "05-04"
    page.reload(wait_until="networkidle")
    expect(scores.locator("pre").first).to_contain_text("7.0])")
    expect(scores.locator(".cell-says")).to_contain_text("This result comes from the course's code.")
    expect(own(page).locator("pre")).to_have_text("views.loom()")
    expect(asks.get_by_label("Your guess")).to_have_value("0.665")
    # back to the course's, and back again
    press(scores, "Start again")
    expect(scores.locator("pre").first).to_contain_text("2.0])")
    press(scores, "Bring mine back")
    expect(scores.locator("pre").first).to_contain_text("7.0])")
    assert "scores.sum" in kept(page, "05-04")
    page.reload(wait_until="networkidle")
    expect(own(page).locator("pre")).to_have_text("views.loom()")
    assert visit.errors == visit.outside == []


def test_all_cells_up_to_one_run(opened):
    page = opened("00_start_here").page
    block = page.locator(".cell[data-cell]").nth(6)
    press(block, "Run up to here")
    expect(block.locator(".cell-says")).to_contain_text("cells ran")
    assert page.locator(".cell.was-run").count() > 5


def test_the_record_outlives_python(opened):
    page = opened("00_start_here").page
    asks = page.locator("form.guess").first
    asks.get_by_label("Your guess").fill("(1, 1)")
    asks.get_by_label("a guess", exact=True).check()
    asks.get_by_role("button", name="Compare").click()
    expect(asks.locator(".cell_output")).to_contain_text("You predicted")
    until(lambda: page.evaluate(LINES))
    page.reload(wait_until="networkidle")
    press(cell(page, "progress-shown"), "Run")
    gives(cell(page, "progress-shown"), "1")
    lines = page.evaluate(LINES)
    assert [json.loads(line)["event"] for line in lines.splitlines()] == ["predicted"]


def test_a_needed_cell_that_takes_long_is_asked_about(opened):
    page = opened().page
    page.evaluate("document.getElementById('cell-keys').dataset.long = JSON.stringify({ '05-04': 65 })")
    block = cell(page, "05-05")
    press(block, "Run")
    says = block.locator(".cell-says")
    expect(says).to_contain_text("This cell needs an earlier cell that takes about 65 seconds.")
    says.get_by_role("button", name="Run without").click()
    gives(block, "NameError: name 'scores' is not defined")
    press(block, "Run")
    says.get_by_role("button", name="Run it too").click()
    expect(block.locator("img").first).to_be_attached()


def test_hand_in_downloads_the_page_and_reset_offers_a_text(opened):
    page = opened("01_dot_product").page
    block, form = page.locator(".cell[data-cell]").first, page.locator("form[data-exercise=dot]")
    press(block, "+ Cell")
    own(page).locator(".cm-content").wait_for()
    page.keyboard.insert_text("hand_in()")
    with page.expect_download() as coming:
        page.keyboard.press("ControlOrMeta+Enter")
    assert coming.value.suggested_filename == "01_dot_product.ipynb"
    gives(own(page), "01_dot_product: 0 of 4 passed.")
    form.locator("textarea").click()
    form.locator(".cm-content").click()
    page.keyboard.insert_text("# mine\n")
    write(own(page), "reset('dot')")
    page.keyboard.press("ControlOrMeta+Enter")
    gives(own(page), "Below your answer of dot you can choose: yours, or this one.")
    expect(form.locator(".answer-offer")).to_contain_text("A cell asked for this text.")
    assert "# mine" in form.locator("textarea").input_value()


# Kept


def test_what_another_tab_writes_is_here_and_nothing_is_lost(opened):
    first = opened().page
    second = first.context.new_page()
    second.goto(first.url, wait_until="networkidle")
    write(cell(first, "05-04"), "one = 1")
    second.mouse.move(5, 5)
    cell(second, "05-04").hover()
    until(lambda: kept(second, "05-04") == "one = 1")
    second.reload(wait_until="networkidle")
    expect(cell(second, "05-04").locator("pre").first).to_have_text("one = 1")
    write(cell(first, "05-04"), "two = 2")
    expect(cell(second, "05-04").locator("pre").first).to_have_text("two = 2")
    editor(cell(second, "05-04"))
    first.evaluate("BroadcastChannel.prototype.postMessage = () => {}")  # in the background it hears late
    write(cell(first, "05-04"), "mine = 3")
    until(lambda: kept(first, "05-04") == "mine = 3")
    write(cell(second, "05-04"), "yours = 4")
    offer = cell(second, "05-04").locator(".answer-offer")
    expect(offer).to_contain_text("Another page of yours wrote something else here. Both are kept.")
    offer.get_by_role("button", name="Take the other one").click()
    until(lambda: kept(second, "05-04") == "mine = 3")


@pytest.mark.parametrize("broken", ["forbidden", "full"])
def test_where_nothing_is_kept_one_sentence_says_so_and_the_file_has_it(opened, broken, tmp_path):
    forbidden = "indexedDB.open = () => { throw new DOMException('no', 'SecurityError'); }"
    visit = opened(script=forbidden if broken == "forbidden" else "")
    page, block = visit.page, cell(visit.page, "05-04")
    editor(block)
    if broken == "full":
        session = page.context.new_cdp_session(page)
        quota = {"origin": page.evaluate("location.origin"), "quotaSize": 1}
        session.send("Storage.overrideQuotaForOrigin", quota)
    write(block, "scores = 'mine'")
    says = "keeps nothing here" if broken == "forbidden" else "store is full"
    expect(block.locator(".cell-keeps", has_text=says)).to_contain_text("Download the page as a notebook")
    book = downloaded(page, tmp_path / "mine.ipynb")
    assert next(one.source for one in book.cells if one.id == "05-04") == "scores = 'mine'"
    assert visit.errors == []


# Files


def test_a_file_is_taken_back_and_what_was_here_is_kept(opened, tmp_path):
    book = nbformat.read(ROOT / "notebooks" / UNIT / f"{UNIT}.ipynb", 4)
    of = {one.id: one for one in book.cells}
    of["softmax"].source, of["05-04"].source = SOFTMAX, "scores = 'theirs'"
    of["05-13"].source = 'guess = "2/3"\nsure = 2'
    book.cells.insert(book.cells.index(of["05-05"]) + 1, nbformat.v4.new_code_cell("first = 1", id="abc"))
    book.cells.insert(book.cells.index(of["05-05"]) + 2, nbformat.v4.new_code_cell("second = 2", id="def"))
    nbformat.write(book, tmp_path / "theirs.ipynb")
    page = opened().page
    write(cell(page, "05-04"), "scores = 'mine'")
    until(lambda: kept(page, "05-04") == "scores = 'mine'")
    offers(page, tmp_path / "theirs.ipynb")
    said = "From theirs.ipynb came one answer and 2 changed cells and 2 cells of your own."
    expect(page.locator(".page-file [role=status]")).to_have_text(said)
    expect(page.locator('form.answer[data-exercise="softmax"] textarea')).to_have_value(SOFTMAX)
    expect(page.locator('form.guess[data-cell="05-13"]').get_by_label("Your guess")).to_have_value("2/3")
    expect(own(page).locator("pre")).to_have_text(["first = 1", "second = 2"])
    expect(cell(page, "05-04").locator("pre").first).to_have_text("scores = 'theirs'")
    editor(cell(page, "05-04"))
    offer = cell(page, "05-04").locator(".answer-offer")
    expect(offer).to_contain_text("This was here before you opened the file.")
    assert offer.locator("pre").text_content() == "scores = 'mine'"
    again = downloaded(page, tmp_path / "again.ipynb")
    assert [one.source for one in again.cells] == [one.source for one in book.cells]


def offers(page, file):
    with page.expect_file_chooser() as coming:
        page.get_by_role("button", name="Open a notebook").click()
    coming.value.set_files(file)


def test_a_file_that_does_not_belong_here_changes_nothing(opened, tmp_path):
    page = opened().page
    write(cell(page, "05-04"), "scores = 'mine'")
    other = ROOT / "notebooks" / "04_masking" / "04_masking.ipynb"
    edition = nbformat.read(ROOT / "notebooks" / UNIT / f"{UNIT}.ipynb", 4)
    next(one for one in edition.cells if one.id == "softmax").metadata.nbgrader.grade_id = "soft_max"
    nbformat.write(edition, tmp_path / "older.ipynb")
    (tmp_path / "shopping.txt").write_text("milk", "utf-8")
    (tmp_path / "empty.ipynb").write_text('{"cells": [], "metadata": {}, "nbformat": 4}', "utf-8")
    here = '"Unit 05: Softmax, and the whole of attention"'
    for file, says in {
        other: '04_masking.ipynb is "Unit 04: Masking',
        tmp_path
        / "older.ipynb": f"is of another edition of {here}: it has soft_max, and this page has softmax",
        tmp_path / "shopping.txt": f"shopping.txt is not a notebook. This page takes a notebook of {here}.",
        tmp_path / "empty.ipynb": f"empty.ipynb is another notebook. This page takes a notebook of {here}.",
    }.items():
        offers(page, file)
        said = page.locator(".page-file [role=status]")
        expect(said).to_contain_text(says)
        expect(said).to_contain_text("Nothing has changed.")
    expect(cell(page, "05-04").locator(".cm-content")).to_have_text("scores = 'mine'")


@pytest.mark.needs("sandbox")
def test_a_downloaded_file_is_graded_by_nbgrader(opened, tmp_path):
    unit = "00_start_here"
    page = opened(unit).page
    form = page.locator('form.answer[data-exercise="double"]')
    form.locator("textarea").click()
    form.locator(".cm-content").wait_for()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text("def double(x):\n    return 2 * x")
    press(page.locator(".cell[data-cell]").nth(1), "+ Cell")
    own(page).locator(".cm-content").wait_for()
    page.keyboard.type("print('mine')")
    folder = sample_learners.start(tmp_path, [unit])
    target = folder / "submitted" / "ana" / unit / f"{unit}.ipynb"
    target.parent.mkdir(parents=True)
    downloaded(page, target)
    done = sample_learners.nbgrader(folder, "autograde", unit)
    full = sum(sample_learners.points(unit).values())
    assert sample_learners.marks(folder, unit) == {"ana": full}, done.stderr[-2000:]


# For everybody


@narrow_and_wide
def test_cells_fit_a_phone_and_are_open_to_all(opened, width, dark):
    visit = opened(width=width, height=844, dark=dark)
    page, block = visit.page, cell(visit.page, "05-04")
    shown = """() => [...document.querySelectorAll('.cell-tools button')].filter((one) =>
        getComputedStyle(one.parentElement).opacity > 0 && one.getClientRects().length).length"""
    assert page.evaluate(shown) == 0, "tools come with a pointer, the focus or a tap"
    write(block, "scores = 1  # " + "a long line that goes on and on " * 4)
    press(block, "+ Cell")
    own(page).locator(".cm-content").wait_for()
    page.keyboard.type("1 +")
    real_browser.at_rest(page)
    assert page.evaluate(shown) <= 10, "of the cell below the pointer, and of the one that has the focus"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert visit.errors == []
    assert real_browser.violations(page, kinds=True) == []


def test_by_keyboard_alone(opened):
    page = opened().page
    cell(page, "05-04").locator(".cell-run").focus()
    cell(page, "05-04").get_by_role("button", name="Edit").wait_for()
    for name in ("Run up to here", "Edit"):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == name
    page.keyboard.press("Enter")
    cell(page, "05-04").locator(".cm-content").wait_for()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("print('typed')")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Run"
    page.keyboard.press("Enter")
    gives(cell(page, "05-04"), "typed")
