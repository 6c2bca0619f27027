"""Who has no mark hears why, in the second person: as a page among the feedback, and in `messages.csv`."""

import csv
import re

import pytest
from nbgrader.apps import ExportApp
from traitlets import import_item

from grading import report, submission
from grading.lms import feedback, messages, unmarked
from grading.report import Report
from grading.term import choices, gradebook
from grading.trouble import Wrong
from tests import lms_files
from tests.lms_files import IDS, PARTICIPANTS, UNIT, moodle_name, notebook

pytestmark = pytest.mark.needs("sandbox")

REASONS = {
    "05_softmax.ipynb is not text, as a notebook is: ask for it again.": "because 05_softmax.ipynb is not",
    "no notebook was handed in, there lies only a: b.pdf: ask for x": "there lies only a: b.pdf. ",
    "05_softmax.ipynb has 120 MB, of 100 at most: ask for it without outputs.": "Clear Outputs of All Cells",
    "KeyError: 'x': look at it by hand": "not your doing, and you need not do anything",
    "the roster has 'oli', which is the same name: rename submitted/Oli": "not your doing",
}
TABLE = "grading.exports.marks_csv.MarksTable"
NO_MARK = ("oli", "noor", "zoë")


@pytest.fixture
def course(tmp_path, templates):
    """ada, josé and eve have marks, oli's is no notebook, noor's a PDF, zoë's two, the Kims' nothing."""
    made = lms_files.course(tmp_path / "course", templates)
    sections = {name: "Monday" if name in ("ada", "oli") else "Friday" for name in IDS}
    rows = lms_files.moodle_class(**sections)
    mails = ["Email address", *(f"{name}@example.org" for name in IDS)]
    lms_files.read_class(made, [[*row, mail] for row, mail in zip(rows, mails, strict=True)])
    files = {moodle_name(name): notebook(name) for name in ("ada", "josé", "eve", "oli")}
    files |= {
        moodle_name("noor", "work.pdf"): "pdf",
        moodle_name("zoë", "a.ipynb"): "",
        moodle_name("zoë", "b.ipynb"): "",
    }
    lms_files.take(made, files, lms_files.moodle_worksheet())
    lms_files.give(made, {"ada": 8.0, "josé": 0.0, "eve": 2.0, "oli": None})
    report.write(made, Report("oli", UNIT, reason=next(iter(REASONS))))
    for name in ("ada", "josé", "eve"):
        path = made / "feedback" / name / UNIT / f"{UNIT}.html"
        path.parent.mkdir(parents=True)
        path.write_text(f"<h1>{name}</h1>", "utf-8")
    return made


def packed(course, *sections):
    path = course / "back.zip"
    with gradebook.opened(submission.settings(course)) as book:
        said = feedback.pack(course, book, "moodle", UNIT, path, sections)
    names = {number: name for name, number in PARTICIPANTS.items()}
    pages = lms_files.moodle_takes_feedback(path, set(names))
    return {names[one]: page.decode() for one, (_, page) in pages.items()}, said


def written(course, *sections, units=()):
    path = course / "messages.csv"
    with gradebook.opened(submission.settings(course)) as book:
        said = messages.write(course, book, units, path, sections)
    return list(csv.DictReader(path.read_text("utf-8-sig").splitlines())), said


def test_a_reason_is_said_to_the_learner_with_what_to_do(course):
    for reason, says in REASONS.items():
        report.write(course, Report("oli", UNIT, reason=reason))
        text = unmarked.said(course, UNIT, ["oli"], [])["oli"]
        assert text.startswith(f"What you handed in for {UNIT} has no mark")
        assert says in text
        assert not re.search(r"\bask for\b|submitted/", text), "that is for the instructor"
        assert ("Hand the notebook in again" in text) == ("not your doing" not in text)


def test_the_zip_has_a_page_for_who_has_no_mark_and_who_was_skipped_of_some_sections_too(course):
    pages, said = packed(course)
    assert {name: page for name, page in pages.items() if name not in NO_MARK} == {
        name: f"<h1>{name}</h1>" for name in ("ada", "josé", "eve")
    }
    assert (
        "What you handed in for 05_softmax has no mark, because 05_softmax.ipynb is not text" in pages["oli"]
    )
    assert (
        "What you uploaded for 05_softmax has no mark, because there is no .ipynb, only work.pdf"
        in pages["noor"]
    )
    assert "one notebook alone, under the name 05_softmax.ipynb" in pages["zoë"]
    assert "A page that says why there is no mark, and what to do: noor, oli, zoë." in said
    assert said[-1].startswith("6 files: ")
    assert set(packed(course, "Monday")[0]) == {"ada", "oli"}
    assert set(packed(course, "Friday")[0]) == {"josé", "eve", "noor", "zoë"}
    with pytest.raises(Wrong, match="There is no section Tuesday; the sections are Friday, Monday"):
        packed(course, "Tuesday")


def test_a_file_s_name_is_no_html_in_the_page():
    page = unmarked.page(UNIT, 'there lies only <script>alert("x")</script>.pdf.')
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_messages_are_for_who_has_no_mark_was_skipped_or_is_past_the_due_date(course):
    rows, said = written(course)
    assert [row["id"] for row in rows] == ["noor", "oli", "zoë"], "nothing is due"
    assert rows[1]["email"] == "oli@example.org"
    assert (rows[1]["first_name"], rows[1]["last_name"]) == ('\'@Oliver "Oli"', "O'Brien")
    assert all(row["unit"] == UNIT for row in rows)
    assert said[0] == f"{UNIT}: 3 without a mark or skipped, 0 past the due date."
    due = "2020-01-17T23:59:00+01:00"
    (course / choices.FILE).write_text(f"[due]\n{UNIT} = {due}\n[extensions.{UNIT}]\nkim2 = 9000\n")
    rows, said = written(course)
    assert [row["id"] for row in rows] == ["kim1", "noor", "oli", "zoë"]
    assert rows[0]["message"].startswith(
        f"Nothing of yours has arrived for {UNIT}, which was due on 17 January 2020, 22:59 UTC."
    )
    assert [row["id"] for row in written(course, "Monday")[0]] == ["oli"]


def test_whose_newest_upload_was_skipped_hears_of_it_beside_a_mark(course):
    lms_files.take(course, {moodle_name("ada", "x.ipynb"): "", moodle_name("ada", "y.ipynb"): ""})
    row = next(row for row in written(course)[0] if row["id"] == "ada")
    assert row["message"].endswith("What you handed in before counts until then.")
    assert packed(course)[0]["ada"] == "<h1>ada</h1>"


def test_what_was_skipped_is_not_called_nothing_in_the_tables_of_marks(course):
    for exporter, table in (("grading.exports.grades_csv.MarksExport", "grades.csv"), (TABLE, "marks.csv")):
        app = ExportApp(config=submission.settings(course), log_level="WARN")
        made = import_item(exporter)(parent=app)
        made.to, made.assignment = str(course / table), [UNIT]
        with lms_files.book_of(course) as book:
            made.export(book)
        rows = {
            row["student_id"]: row
            for row in csv.DictReader((course / table).read_text("utf-8-sig").splitlines())
        }
        said = rows["noor"].get("reason") or rows["noor"]["notes"].removeprefix(f"{UNIT}: ")
        assert said == f"skipped at collect: there is no .ipynb, only work.pdf: ask for {UNIT}.ipynb"
        assert "skipped" not in str(rows["kim1"])


def test_nobody_without_a_mark_leaves_a_table_without_rows(course):
    for name in IDS:
        report.write(course, Report(name, UNIT, {"softmax": 1.0}))
    with lms_files.book_of(course) as book:
        book.find_grade("softmax-test", UNIT, UNIT, "oli").auto_score = 1.0
        book.db.commit()
    (course / "downloaded" / UNIT / "collected.json").unlink()
    rows, said = written(course)
    assert (rows, said) == ([], [f"0 messages: {course}/messages.csv"])
