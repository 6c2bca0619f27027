"""Marks for Canvas and Moodle: what each reads back is what the gradebook has, and no mark is never 0."""

import csv
import logging
import stat

import pytest
from traitlets.config import Config

from grading import submission
from grading.lms import canvas, marks, moodle, people, tables
from grading.lms.__main__ import main as lms_main
from grading.term import gradebook, ledger
from grading.trouble import Wrong
from tests import lms_files
from tests.lms_files import CLASS, IDS, OTHER, PARTICIPANTS, UNIT

pytestmark = pytest.mark.needs("sandbox")

MARKS = {"ada": 8.0, "josé": 0.0, "noor": 3.25, "kim1": 1.0, "kim2": 7.0, "eve": 8 / 3, "oli": None}
"""zoë has handed in nothing, oli's submission has no mark, josé has 0."""


@pytest.fixture
def class_of(tmp_path, templates):
    """A course whose roster was read from some rows; the ids are the same whatever they are."""

    def make(rows):
        course = lms_files.course(tmp_path / "course", templates)
        with lms_files.book_of(course) as book:
            for name, first, _, _, _ in CLASS:
                book.add_student(name, first_name=first, email=f"{name}@example.org")
        lms_files.read_class(course, rows)
        return course

    return make


def written(course, module, *units, chosen=None, sections=(), students=()):
    """Write a table; its text and what is said."""
    path = course / "out.csv"
    with gradebook.opened(submission.settings(course)) as book:
        said = module.write(path, marks.gather(course, book, units, sections, students), chosen or {})
    return path.read_text("utf-8"), said


def numbers():
    return {number: name for name, _, _, number, _ in CLASS}


# Canvas


def test_canvas_reads_back_what_the_gradebook_has(class_of):
    course = class_of(lms_files.canvas_gradebook())
    lms_files.give(course, MARKS)
    lms_files.give(course, {"ada": 5.0}, OTHER)
    text, said = written(course, canvas)
    got, new, points = lms_files.canvas_imports(text, set(numbers()), {1234: "Unit 05"})
    for unit, column in ((UNIT, 1234), (OTHER, OTHER)):
        true = lms_files.true_marks(course, unit)
        back = {numbers()[one]: mark for (one, where), mark in got.items() if where == column}
        assert set(back) == set(IDS)
        assert {name: mark for name, mark in back.items() if mark is not None} == pytest.approx(true)
        assert {name for name, mark in back.items() if mark is None} == set(IDS) - set(true)
    assert new == {OTHER}
    assert points == {1234: "8.00", OTHER: "5"}
    assert f"{UNIT} goes to Unit 05 (1234)." in said
    assert any(
        "03_scaling has no column in Canvas: it becomes a new assignment of 5 points" in one for one in said
    )
    assert text.splitlines()[0] == f"Student,ID,SIS User ID,SIS Login ID,Section,{OTHER},Unit 05 (1234)"
    assert stat.S_IMODE((course / "out.csv").stat().st_mode) == 0o600
    cells = [cell for row in csv.reader(text.splitlines()) for cell in row]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "@", "\t", "\r"))], "a formula"
    assert any(cell.startswith("'+cmd") for cell in cells)


def test_canvas_other_points_there_are_one_sentence_and_a_changed_mark_is_told_once_it_is_written(
    class_of, capsys
):
    course = class_of(lms_files.canvas_gradebook(columns=(("Unit 05 (1234)", "100.00"),)))
    lms_files.give(course, {"ada": 5.0})
    lms_files.give(course, {"ada": 5.0}, OTHER)
    ledger.note(course, UNIT, {"ada": (1.0, False)})
    words = ["marks", "canvas", UNIT, "--course", str(course)]
    assert lms_main(words) == 2
    assert capsys.readouterr().err == (
        f"{UNIT} is of 8 points here and of 100.00 in Canvas; nothing was written: "
        "set the maximum in Canvas to "
        "8, export its gradebook again, then read it with `make roster FILE=...`.\n"
    )
    assert not (course / "canvas.csv").exists()
    assert written(course, canvas, OTHER), "another unit has no column yet"
    lms_files.read_class(course, lms_files.canvas_gradebook(columns=(("Unit 05 (1234)", "(read only)"),)))
    assert lms_main(words) == 0
    said = capsys.readouterr().out
    assert f"{UNIT} goes to Unit 05 (1234)." in said, "a column that does not say its points is filled"
    assert f"{UNIT}, changed since the last look: ada 1 -> 5." in said
    assert lms_main(words) == 0
    assert "changed since" not in capsys.readouterr().out


def test_what_a_spreadsheet_would_run_is_disarmed():
    for cell in ("=1+1", "-2+3+cmd|' /C calc'!A0", "@SUM(1)", "＝1", "\t=1", " =1"):
        assert tables.disarmed(cell) == f"'{cell}"
    for cell in ("-1", "+49", "-", "Lovelace"):
        assert tables.disarmed(cell) == cell


def test_who_is_not_in_canvas_or_has_left_gets_no_row_and_is_named(class_of):
    course = class_of(lms_files.canvas_gradebook())
    lms_files.read_class(course, lms_files.canvas_gradebook(CLASS[1:]))
    with lms_files.book_of(course) as book:
        book.add_student("stranger")
    lms_files.give(course, {**MARKS, "stranger": 1.0})
    text, said = written(course, canvas)
    got, _, _ = lms_files.canvas_imports(text, set(numbers()), {1234: ""})
    assert {numbers()[one] for one, _ in got} == set(IDS) - {"ada"}
    assert "Marked, but not on the LMS's list, so left out: ada, stranger." in said


def test_a_column_is_a_units_only_where_that_is_certain():
    certain = ("Unit 05 (1)", "Unit 5 (1)", "05_softmax (1)", "05 Softmax (1)", "Notebook 5 (1)")
    for column in (*certain, "Quiz 5 (1)", "Homework 05 (1)", "Unit 15 (1)", "Softmax quiz (1)"):
        assert marks.columns([UNIT], [column], {}) == ({UNIT: column} if column in certain else {})
        assert marks.columns([UNIT], [column, "Unit 06 (2)"], {UNIT: column}) == {UNIT: column}


def test_columns_that_are_not_certain_are_asked_for():
    with pytest.raises(Wrong, match=r"05_softmax may be Unit 05 \(1\) or 05 softmax \(2\): say which"):
        marks.columns([UNIT], ["Unit 05 (1)", "05 softmax (2)"], {})
    with pytest.raises(Wrong, match="Two units would go to Unit 05"):
        marks.columns([UNIT, OTHER], ["Unit 05 (1)"], {OTHER: "Unit 05"})
    with pytest.raises(Wrong, match=r"The roster has no one column Unit 7; its columns are Unit 05 \(1\)"):
        marks.columns([UNIT], ["Unit 05 (1)"], {UNIT: "Unit 7"})
    with pytest.raises(Wrong, match="--column names 07, which is not exported"):
        marks.columns([UNIT], ["Unit 05 (1)"], {"07": "Unit 05"})


# Moodle


def users():
    return [(name, f"{name}@example.org", code) for name, _, _, _, code in CLASS]


def test_moodle_reads_back_what_the_gradebook_has(class_of):
    item = "Assignment: Unit 05 (Real)"
    rows = lms_files.moodle_participants()
    course = class_of([[*row, "-" if place else item] for place, row in enumerate(rows)])
    lms_files.give(course, MARKS)
    lms_files.give(course, {"ada": 5.0}, OTHER)
    text, said = written(course, moodle)
    assert text.splitlines()[0] == f"ID number,{OTHER},{item}", "the names of grade items are kept"
    got = lms_files.moodle_imports(text, 2, users())
    for unit, title in ((UNIT, item), (OTHER, OTHER)):
        back = {name: mark for (name, column), mark in got.items() if column == title}
        assert back == pytest.approx(lms_files.true_marks(course, unit))
    assert "In Moodle: Grades, Import, CSV file; map from ID number to useridnumber." in said
    with pytest.raises(Wrong, match="Nobody on the roster has a number of Canvas"):
        written(course, canvas)


def test_moodle_students_whose_number_is_blank_or_a_formula_are_left_out_and_named(class_of):
    codes, no_mail = {"m1": "", "m3": "=2+3"}, ("m2", "m4", "m7")
    course = class_of(
        [
            [first, last, codes.get(code, code), "" if code in no_mail else mail, group]
            for first, last, code, mail, group in lms_files.moodle_participants()
        ]
    )
    lms_files.give(course, MARKS)
    text, said = written(course, moodle)
    assert text.startswith("ID number")
    assert "=2+3" not in text
    assert ("ada", UNIT) not in lms_files.moodle_imports(text, 2, users())
    left = "Left out, because ID number is blank, there twice, or like a formula: ada, noor."
    assert left in said


# Moodle's worksheet


@pytest.fixture
def filled(class_of, tmp_path):
    """Fill a worksheet; what Moodle reads back, its rows, and what is said."""
    course = class_of(lms_files.moodle_participants())
    lms_files.give(course, MARKS)

    def run(change=lambda rows: rows, sections=()):
        (tmp_path / "sheet.csv").write_bytes(lms_files.table(change(lms_files.moodle_worksheet())))
        with gradebook.opened(submission.settings(course)) as book:
            made = marks.gather(course, book, [UNIT], sections)
        said = moodle.fill(tmp_path / "filled.csv", made, tmp_path / "sheet.csv")
        text = (tmp_path / "filled.csv").read_text("utf-8")
        names = {number: name for name, number in PARTICIPANTS.items()}
        got = lms_files.moodle_reads_worksheet(text, set(names))
        return (
            {names[number]: mark for number, mark in got.items()},
            list(csv.DictReader(text.splitlines())),
            said,
        )

    run.course = course
    return run


def test_moodle_reads_the_worksheet_back_as_the_gradebook_has_it_and_nothing_else_changes(filled):
    def online(rows):
        return [[*row[:-2], "=1+1" if place else "Online text", *row[-2:]] for place, row in enumerate(rows)]

    got, rows, said = filled(online)
    assert got == pytest.approx(lms_files.true_marks(filled.course))
    assert {row["Full name"] for row in rows if row["Grade"] == ""} == {
        "Zoë Ångström",
        "'@Oliver \"Oli\" O'Brien",
    }
    assert said[-1].startswith("6 marks: ")
    header, *before = online(lms_files.moodle_worksheet())
    for old, new in zip(before, rows, strict=True):
        old = dict(zip(header, old, strict=True))
        assert {name: cell.removeprefix("'") for name, cell in new.items() if name != "Grade"} == {
            name: cell for name, cell in old.items() if name != "Grade"
        }
    assert {row["Online text"] for row in rows} == {"'=1+1"}, "no formula of a learner's"
    assert {row["Last modified (submission)"] for row in rows} == {"-"}


def test_what_moodle_would_not_take_is_told_not_hidden(filled):
    def change(rows):
        rows = [
            [("No" if row[0] == "Participant 9002" and cell == "Yes" else cell) for cell in row]
            for row in rows
        ]
        stranger = ["Participant 1", "Who Else", "m99", "who@example.org", *rows[1][4:]]
        return [row for row in [*rows, stranger] if row[0] != "Participant 9005"]

    lms_files.give(filled.course, {"zoë": 9.0})
    got, _, said = filled(change)
    assert set(got) == {"ada", "josé", "kim1", "eve"}
    assert "Locked in Moodle, so left as they are: noor" in said
    assert "In the worksheet, but not on the roster: Who Else" in said
    assert "Marked, but not in the worksheet: kim2" in said
    assert "More than Moodle's maximum, which it would not take, so left as they are: zoë (9 of 8)" in said


def test_a_worksheet_of_another_maximum_is_one_sentence_and_one_that_says_none_is_filled(filled, tmp_path):
    def of(most):
        return lambda rows: [[most if cell == "8.00" else cell for cell in row] for row in rows]

    with pytest.raises(Wrong) as raised:
        filled(of("7,00"))
    assert str(raised.value) == (
        f"{UNIT} is of 8 points here and of 7,00 in Moodle; nothing was written: "
        "set the maximum in Moodle to 8, "
        'download the worksheet again, then give it with ARGS="--worksheet new.csv".'
    )
    assert not (tmp_path / "filled.csv").exists(), "that would make a mixed class"
    for most in ("8,00", "Satisfactory"):
        assert len(filled(of(most))[0]) == 6


# Both


def test_points_with_decimals_are_the_maximum_that_an_lms_writes(class_of, tmp_path):
    course = class_of(lms_files.canvas_gradebook(columns=(("Unit 05 (1234)", "20.13"),)))
    with lms_files.book_of(course) as book:
        book.find_grade_cell("softmax-test", UNIT, UNIT).max_score = 20.133
        book.db.commit()
    lms_files.give(course, {"zoë": 20.133, "noor": 3.1})
    rows = list(csv.reader(written(course, canvas, UNIT)[0].splitlines()))
    assert {row[-1] for row in rows[1:]} == {"20.13", "20.133", "3.1", ""}
    sheet = tmp_path / "sheet.csv"
    sheet.write_bytes(lms_files.table(lms_files.moodle_worksheet(most="20,13", identity=False)))
    with gradebook.opened(submission.settings(course)) as book:
        said = moodle.fill(tmp_path / "filled.csv", marks.gather(course, book, [UNIT]), sheet)
    text = (tmp_path / "filled.csv").read_text("utf-8")
    found = lms_files.moodle_reads_worksheet(text, {str(one) for one in PARTICIPANTS.values()}, 20.13)
    assert sorted(found.values()) == [3.1, 20.13], said
    with lms_files.book_of(course) as book:
        book.find_grade_cell("softmax-test", UNIT, UNIT).max_score = 20.14
        book.db.commit()
    with pytest.raises(Wrong, match=r"is of 20.14 points here and of 20.13 in"):
        written(course, canvas, UNIT)


def test_before_grading_there_is_one_sentence(class_of):
    course = class_of(lms_files.canvas_gradebook())
    none = r"Nobody has a mark in any unit yet: run `make grade UNIT=05_softmax` first"
    with pytest.raises(Wrong, match=none):
        written(course, canvas)
    lms_files.give(course, {"oli": None})
    none = r"Nobody has a mark in 05_softmax yet: run `make grade UNIT=05_softmax` first"
    with pytest.raises(Wrong, match=none):
        written(course, canvas, UNIT)
    with pytest.raises(Wrong, match=r"does not know 07_x: .* it knows 03_scaling, 05_softmax"):
        written(course, canvas, "07_x")
    assert not (course / "out.csv").exists()


def test_several_sections_are_taken_apart_as_the_lms_joins_them():
    for joined in ("A, B, and C", "A, B, C"):
        assert people.Person(section=joined, canvas_id="1").sections == {joined, "A", "B", "C"}
    assert people.Person(section="A and B", canvas_id="1").sections == {"A and B", "A", "B"}
    assert people.Person(section="A and B, C").sections == {"A and B, C", "A and B", "C"}, "in Moodle"
    assert people.Person().sections == set()


def test_other_sections_have_another_file():
    several = (["Mon 1"], ["Mon_1"], ["Mon-1"], ["Mon", "1"], ["Mon/1"], ["Mon?1"], [])
    assert len({people.file_of("canvas", one) for one in several}) == len(several)
    assert people.file_of("canvas", ["Mon", "1"]) == "canvas-Mon-1"


def test_sections(class_of):
    course = class_of(lms_files.canvas_gradebook())
    lms_files.give(course, MARKS)
    odd = {name for name, _, _, number, _ in CLASS if number % 2}
    for section, names in (("B", set(IDS) - odd), ("A", set(IDS)), ("A and B", set(IDS) - odd)):
        text, _ = written(course, canvas, sections=[section])
        got, _, _ = lms_files.canvas_imports(text, set(numbers()), {1234: ""})
        assert {numbers()[one] for one, _ in got} == names
    with pytest.raises(Wrong, match="There is no section C; the sections are A, B\\."):
        written(course, canvas, sections=["C"])


@pytest.mark.parametrize(
    ("plugin", "name"), [(canvas.CanvasExport, "canvas.csv"), (moodle.MoodleExport, "moodle.csv")]
)
def test_nbgrader_export_takes_it_as_a_plugin(class_of, plugin, name, monkeypatch, caplog):
    from nbgrader.apps import ExportApp

    rows = lms_files.canvas_gradebook() if plugin is canvas.CanvasExport else lms_files.moodle_participants()
    course = class_of(rows)
    monkeypatch.chdir(course)
    config = Config({"CourseDirectory": {"root": str(course)}, "ExportApp": {"plugin_class": plugin}})
    ExportApp.clear_instance()
    app = ExportApp(config=config)
    app.init_plugin()
    app.plugin_inst.log = logging.getLogger("export")
    with lms_files.book_of(course) as book, pytest.raises(SystemExit):
        app.plugin_inst.export(book)
    assert "Nobody has a mark in any unit yet" in caplog.text
    lms_files.give(course, MARKS)
    with lms_files.book_of(course) as book:
        app.plugin_inst.export(book)
    assert (course / name).read_text("utf-8") == written(course, canvas if "canvas" in name else moodle)[0]
