"""A learner's own work in a browser, in a real Chromium: set-up, reset, and the file that is handed in."""

import hashlib
import json

import nbformat
import pytest

from helpers.offered import blanks
from tests import classroom, lms_files, sample_learners
from tests.lite_reader import Reader, line
from tests.test_lite_saved import without_autosave
from tools import opens, real_browser

pytestmark = [pytest.mark.needs("browser", "katex", "lite", "pyodide"), pytest.mark.nightly]

UNIT = "01_dot_product"
DOT = "def dot(a, b):\n    return (a * b).sum()"
NEW = "new-cell"
"""The id of a cell that the learner adds."""


@pytest.fixture
def lab(playwright, hosted, tmp_path):
    """Unit 01 in a browser that has never been here."""
    reader = Reader(playwright, tmp_path / "profile")
    with reader.opened() as page:
        page.goto(opens.in_browser(hosted, UNIT))
        yield real_browser.Notebook(page)
    assert reader.outside == []


def add(lab, source):
    """Write a new cell at the end."""
    lab.page.evaluate(
        """([id, source]) => {
            const model = window.jupyterapp.shell.currentWidget.content.model.sharedModel;
            const old = model.cells.findIndex((one) => one.id === id);
            if (old >= 0) model.deleteCell(old);
            model.insertCell(model.cells.length, { cell_type: "code", id, source });
        }""",
        [NEW, source],
    )


def added(lab, source):
    """Run a new cell at the end; gives its output area."""
    add(lab, source)
    return lab.run(NEW)


def test_before_the_set_up_cell_a_name_is_explained_and_a_line_without_an_end_too(lab):
    shown = added(lab, "X = example.WORDS").inner_text()
    assert "Run the set-up cell first, the first code cell of this notebook: it brings in `example`." in shown
    assert "Traceback" not in shown
    assert "SyntaxError: '(' was never closed" in added(lab, "sum(a * b").inner_text()
    lab.run("set-up")
    assert "X" in added(lab, "X = example.WORDS\nprint('X', X.shape)").inner_text()
    assert "NameError: name 'exampel' is not defined" in added(lab, "exampel").inner_text()


@pytest.mark.needs("sandbox")
def test_the_file_that_is_handed_in_is_collected_and_graded(lab, desk, tmp_path):
    from grading.lms import __main__ as command

    lab.run("set-up")
    lab.write("dot", DOT)
    lab.run("dot")
    lab.run("dot-test")
    without_autosave(lab.page)
    lab.page.locator("#course-line .saved[data-saved=true]").wait_for()  # a save is made after each run
    lab.write("best_match", "def best_match(query, keys):\n    return 0")  # neither run nor saved
    with lab.page.expect_download() as download:
        shown = added(lab, "hand_in()").inner_text()
    assert "01_dot_product: 1 of 4 answered, 1 passed." in shown
    assert "not run yet: 1.2 cosine_similarity, 1.3 similarity_matrix, 1.4 best_match." in shown
    assert "Your browser saves the notebook and downloads 01_dot_product.ipynb: hand in that file." in shown
    assert download.value.suggested_filename == f"{UNIT}.ipynb"
    lab.page.locator("#course-line[data-note]").wait_for()
    assert "01_dot_product.ipynb is downloaded" in line(lab.page).inner_text()

    mine = tmp_path / download.value.suggested_filename
    download.value.save_as(mine)
    book = nbformat.read(mine, 4)
    nbformat.validate(book)
    sources = {sample_learners.grader(cell).get("grade_id"): cell.source for cell in book.cells}
    assert sources["dot"] == DOT
    assert sources["best_match"].endswith("return 0")

    course = classroom.fresh_course(tmp_path / "course", [UNIT])
    ada = lms_files.IDS[0]
    (tmp_path / "list.csv").write_bytes(lms_files.table(lms_files.canvas_gradebook()))
    name = lms_files.canvas_name(ada, mine.name)
    handed_in = lms_files.make_zip(tmp_path / "all.zip", {name: mine.read_bytes()})
    for words in (["roster", tmp_path / "list.csv"], ["collect", UNIT, handed_in]):
        assert command.main([*map(str, words), "--course", str(course)]) == 0
    assert (course / "submitted" / ada / UNIT / f"{UNIT}.ipynb").read_bytes() == mine.read_bytes()
    desk.run(course, "grading", UNIT, "--workers", 1)
    report = json.loads((course / "reports" / UNIT / f"{ada}.json").read_text("utf-8"))
    assert report["remarks"] == []
    points = sample_learners.points(UNIT)
    assert report["points"] == {one: points[one] * (one == "dot") for one in points}

    assert report["receipt"]["sha256"] == hashlib.sha256(mine.read_bytes()).hexdigest()
    again = " ".join(added(lab, f'check("{UNIT}", seed=0)').inner_text().split())  # the receipt's line
    assert f"{UNIT}: 1 of 4 are right. Not yet: cosine_similarity, similarity_matrix, best_match." in again

    add(lab, "hand_in()")
    lab.write("dot", f"{DOT} + 0")
    with lab.page.expect_download():
        lab.run(NEW)
    lab.page.get_by_text("Changed since it ran last: dot.").wait_for()


def shows(lab, name, source):
    """Wait until an answer cell has this text and the notebook is saved."""
    lab.page.wait_for_function(
        """([id, source]) => {
            const { content, context } = window.jupyterapp.shell.currentWidget;
            const cell = content.widgets.find(({ model }) => model.id === id);
            return cell.model.sharedModel.getSource() === source && !context.model.dirty;
        }""",
        arg=[name, source],
    )


def test_reset_shows_at_once_and_run_all_blanks_nothing(lab):
    lab.run("set-up")
    lab.write("dot", DOT)
    lab.run("dot")
    lab.run("dot-test")
    assert "Blank again in 01_dot_product.ipynb: dot." in added(lab, "reset('dot')").inner_text()
    shows(lab, "dot", blanks()["dot"])
    assert lab.find("dot-test").locator(".jp-OutputArea-child").count() == 0
    assert "Brought back" in added(lab, "reset('dot', undo=True)").inner_text()
    shows(lab, "dot", DOT)

    added(lab, "reset('dot')")
    shows(lab, "dot", blanks()["dot"])
    lab.write("dot", f"{DOT}  # anew")
    lab.run("dot")
    shows(lab, "dot", f"{DOT}  # anew")
    shows(lab, NEW, "# reset('dot')")
    lab.run(NEW)
    shows(lab, "dot", f"{DOT}  # anew")

    add(lab, "reset('dot')")
    lab.save()  # as happens every few seconds
    assert "This cell is a comment now" in lab.run(NEW).inner_text()
    shows(lab, "dot", blanks()["dot"])
    lab.write(NEW, "reset('dot', undo=True)")
    lab.run(NEW)
    shows(lab, "dot", f"{DOT}  # anew")

    lab.write("dot", f"{DOT}  # typed, and not run")
    added(lab, "reset('dot')")
    lab.page.get_by_text("Left as it is: dot. It has changed since it ran").wait_for()
    shows(lab, "dot", f"{DOT}  # typed, and not run")
    assert lab.page.locator(".jp-Dialog").count() == 0
