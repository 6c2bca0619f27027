"""Answers of the site's pages in the notebook that a browser keeps, and back: in a real Chromium."""

import json

import pytest

from helpers.offered import blanks
from helpers.units import grade_id
from tests.lite_reader import Reader, line
from tools import opens, real_browser
from tools.shell import ROOT

pytestmark = [pytest.mark.needs("browser", "katex", "lite", "pyodide"), pytest.mark.nightly]

UNIT = "01_dot_product"
PATH = f"{UNIT}/{UNIT}.ipynb"
DOT = "def dot(a, b):\n    return (a * b).sum()"
OTHER = "def dot(a, b):\n    return a @ b  # ü"
BEST = "def best_match(query, keys):\n    return (keys @ query).argmax()"
MODULE = (
    "const { carry, fetchBack } = await import(new URL('../../_static/answer/notebook.js', location.href));"
)
REASON = (
    "const reasonOf = (promise) => promise.then(() => '', ({ reason, message }) => `${reason}: ${message}`);"
)
FILES = """
const database = `JupyterLite Storage - ${new URL('../../lite/', location.href).pathname}`;
const opened = (version) => new Promise((done) => {
    const request = indexedDB.open(database, version);
    request.onsuccess = () => done(request.result);
});
const inFiles = async (mode, action) => {
    const open = await opened();
    try {
        const files = open.transaction('files', mode).objectStore('files');
        const request = action(files);
        return await new Promise((done) => (request.onsuccess = () => done(request.result)));
    } finally { open.close(); }
};
"""


@pytest.fixture
def page(playwright, hosted, tmp_path):
    """The page of unit 01, in a browser that has never been here."""
    reader = Reader(playwright, tmp_path / "profile")
    with reader.opened() as one:
        one.goto(f"{hosted}notebooks/{UNIT}/{UNIT}.html")
        yield one
    assert reader.outside == []


def run(page, code, given=None):
    """What some code of the page gives, which may use the module and the browser's files."""
    return page.evaluate(f"async (given) => {{ {MODULE} {REASON} {FILES} {code} }}", given)


def carry(page, answers, take=()):
    return run(page, "return carry(given[0], given[1], { take: given[2] })", [UNIT, answers, list(take)])


def record(page, path=PATH):
    """A file as JupyterLite keeps it."""
    return run(page, "return inFiles('readonly', (files) => files.get(given))", path)


def keep(page, content, path=PATH):
    """Keep a file as a kernel writes it."""
    made = {
        "name": path.rpartition("/")[2],
        "path": path,
        "format": "text",
        "type": "file",
        "content": content,
    }
    made |= {
        "last_modified": "2026-11-26T10:00:00.000Z",
        "created": "2026-11-26T10:00:00.000Z",
        "writable": True,
    }
    run(page, "await carry('00_start_here', { double: 'double = 1' })")  # the database is there
    run(page, "return inFiles('readwrite', (files) => files.put(given[1], given[0]))", [path, made])


def notebook(**answers):
    """The course's notebook of unit 01 with answers in it."""
    book = json.loads((ROOT / "notebooks" / PATH).read_text("utf-8"))
    for cell in book["cells"]:
        if grade_id(cell) in answers:
            cell.update(source=answers[grade_id(cell)], outputs=[{"output_type": "stream", "text": "old"}])
    return book


def sources(book):
    return {grade_id(cell): "".join(cell["source"]) for cell in book["cells"]}


def opened(page, hosted):
    """The notebook in a tab of its own."""
    tab = page.context.new_page()
    tab.goto(opens.in_browser(hosted, UNIT))
    return real_browser.Notebook(tab)


def shown(lab, name, text):
    """Wait until an answer cell of the open notebook has a text in it."""
    lab.page.wait_for_function(
        """([id, text]) => window.jupyterapp.shell.currentWidget.content.widgets.some(
            ({ model }) => model.id === id && model.sharedModel.getSource().includes(text))""",
        arg=[name, text],
    )


def added(lab, source):
    """What a new cell says."""
    lab.page.evaluate(
        """(source) => {
            const model = window.jupyterapp.shell.currentWidget.content.model.sharedModel;
            model.insertCell(model.cells.length, { cell_type: "code", id: "new-cell", source });
        }""",
        source,
    )
    return lab.run("new-cell").inner_text()


def test_answers_go_into_a_notebook_that_nobody_has_opened_and_back(page, hosted):
    assert run(page, "return fetchBack(given)", UNIT) == {}
    given = {"dot": {"source": DOT, "passed": True}, "best_match": BEST, "nobody": "x = 1"}
    assert carry(page, given) == {"taken": ["dot", "best_match"], "conflicts": [], "missing": ["nobody"]}
    lab = opened(page, hosted)
    shown(lab, "dot", DOT)
    lab.run("set-up")
    lab.run("best_match")
    assert "✓ best_match is right." in lab.run("best_match-test").inner_text()
    assert "2 of 4" in added(lab, "progress('01_dot_product')")
    lab.write("cosine_similarity", "cosine_similarity = 3")
    lab.run("cosine_similarity")
    lab.save()
    back = run(page, "return fetchBack(given)", UNIT)
    assert {name: one["source"] for name, one in back.items()} == {
        "dot": DOT,
        "best_match": BEST,
        "cosine_similarity": "cosine_similarity = 3",
    }
    assert abs(back["dot"]["at"] - page.evaluate("Date.now()")) < 600_000


def test_another_answer_in_the_notebook_stays_until_it_may_be_replaced_and_reset_brings_it_back(page, hosted):
    keep(page, json.dumps(notebook(dot=OTHER, best_match=BEST)))
    conflict = {"exercise": "dot", "here": DOT, "there": OTHER}
    before = record(page)
    assert carry(page, {"dot": DOT, "best_match": f"{BEST}\n"}) == {
        "taken": ["best_match"],
        "conflicts": [conflict],
        "missing": [],
    }
    assert record(page) == before
    assert carry(page, {"dot": DOT}, take=["dot"]) == {"taken": ["dot"], "conflicts": [], "missing": []}
    after = record(page)["content"]
    wanted = notebook(dot=OTHER, best_match=BEST)
    for cell in wanted["cells"]:
        if grade_id(cell) == "dot":
            cell.update(source=DOT, outputs=[], execution_count=None)
    assert after == wanted
    lab = opened(page, hosted)
    lab.run("set-up")
    assert "Brought back" in added(lab, "reset('dot', undo=True)")
    shown(lab, "dot", OTHER)


def test_a_notebook_that_is_open_in_another_tab_shows_what_was_put_into_its_file(page, hosted):
    lab = opened(page, hosted)
    lab.save()
    assert carry(page, {"dot": DOT})["taken"] == ["dot"]
    shown(lab, "dot", DOT)
    assert lab.page.locator(".jp-Dialog").count() == 0


def test_a_save_that_is_under_way_and_answers_of_a_page_undo_nothing_of_each_other(page, hosted):
    lab = opened(page, hosted)
    lab.save()
    lab.write("best_match", BEST)
    lab.page.evaluate(
        """() => {
            const { contents } = window.jupyterapp.serviceManager;
            const plain = contents.save.bind(contents);
            contents.save = async (...given) => {
                window.writing = true;
                await new Promise((done) => setTimeout(done, 1000)); // between looking and writing
                return plain(...given);
            };
            void window.jupyterapp.shell.currentWidget.context.save();
        }"""
    )
    lab.page.wait_for_function("window.writing")
    assert carry(page, {"dot": DOT})["taken"] == ["dot"]
    shown(lab, "dot", DOT)
    shown(lab, "best_match", BEST)
    now = sources(record(page)["content"])
    assert (now["dot"], now["best_match"]) == (DOT, BEST)
    assert lab.page.locator(".jp-Dialog").count() == 0


def test_a_tab_in_which_jupyterlab_asks_something_keeps_nobody_from_saving(page, hosted):
    page.evaluate(
        """(path) => void navigator.locks.request(`attention-course-notebook/${path}`, () => {
            window.holds = true;
            return new Promise(() => {});
        })""",
        PATH,
    )
    page.wait_for_function("window.holds")
    lab = opened(page, hosted)
    lab.write("best_match", BEST)
    lab.save()
    assert sources(record(page)["content"])["best_match"] == BEST
    assert carry(page, {"dot": DOT})["taken"] == ["dot"]
    now = sources(record(page)["content"])
    assert (now["dot"], now["best_match"]) == (DOT, BEST)


def test_an_open_notebook_with_unsaved_changes_is_told_and_keeps_them(page, hosted):
    lab = opened(page, hosted)
    lab.save()
    lab.page.evaluate("window.jupyterapp.commands.execute('docmanager:toggle-autosave')")  # every few seconds
    lab.write("best_match", BEST)
    assert carry(page, {"dot": DOT})["taken"] == ["dot"]
    lab.page.get_by_text("Answers from the site's page lie in the saved notebook").wait_for()
    assert "this one has changes that are not saved" in line(lab.page).inner_text()
    shown(lab, "best_match", BEST)
    lab.page.keyboard.press("ControlOrMeta+s")
    lab.page.locator(".jp-Dialog").get_by_role("button", name="Overwrite").wait_for()
    assert sources(record(page)["content"])["dot"] == DOT


def test_two_pages_at_once_undo_nothing_of_each_other(page):
    other = page.context.new_page()
    other.goto(page.url)
    start = "(async () => {{ {} window.going = carry('{}', {{ {}: given }}) }})()"
    for one, name, text in ((page, "dot", DOT), (other, "best_match", BEST)):
        one.evaluate(f"(given) => {{ {start.format(MODULE, UNIT, name)} }}", text)
    for one in (page, other):
        one.wait_for_function("window.going?.then(() => true)")
    now = sources(record(page)["content"])
    assert (now["dot"], now["best_match"]) == (DOT, BEST)
    assert now["cosine_similarity"] == blanks()["cosine_similarity"]


def test_a_database_that_other_stores_were_made_in_first_gets_one_for_files(page):
    run(
        page,
        """const request = indexedDB.open(database);
        request.onupgradeneeded = () => request.result.createObjectStore("settings");
        await new Promise((done) => (request.onsuccess = done));
        request.result.close();""",
    )
    assert carry(page, {"dot": DOT})["taken"] == ["dot"]
    assert sources(record(page)["content"])["dot"] == DOT


@pytest.mark.parametrize("text", ["{", "[]", '{"cells": [3]}'])
def test_a_damaged_notebook_stays_as_it_is(page, text):
    keep(page, text)
    said = run(page, "return reasonOf(carry(given, { dot: 'dot = 1' }))", UNIT)
    assert said.startswith("damaged: The notebook that this browser keeps cannot be read. It stays as it is")
    assert record(page)["content"] == text


def test_without_a_connection_a_store_or_room_nothing_is_changed_and_a_sentence_says_so(page):
    run(page, "")  # the module is here
    page.context.set_offline(True)
    assert run(page, "return reasonOf(carry(given, {}))", UNIT).startswith(
        "network: The notebook could not be"
    )
    page.context.set_offline(False)
    carry(page, {"dot": DOT})
    full = "IDBObjectStore.prototype.put = () => { throw new DOMException('', 'QuotaExceededError') };"
    said = run(page, f"{full} return reasonOf(carry(given, {{ best_match: 'x' }}))", UNIT)
    assert said.startswith("full: This browser's storage is full, so nothing was taken along")
    assert sources(record(page)["content"])["best_match"] == blanks()["best_match"]
    no = "indexedDB.open = () => { throw new DOMException('', 'SecurityError') };"
    said = run(page, f"{no} return reasonOf(fetchBack(given))", UNIT)
    assert said.startswith("forbidden: This browser lets no page keep anything here")
