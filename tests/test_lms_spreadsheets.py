"""A platform's file that a spreadsheet program has saved: read, or one sentence where something is lost."""

import csv
import io

import pytest

from grading import submission
from grading.lms import collect, people, roster, worksheet
from grading.trouble import Wrong
from tests import lms_files
from tests.lms_files import CLASS, IDS, PARTICIPANTS, UNIT, make_zip, moodle_name, notebook

pytestmark = pytest.mark.needs("sandbox")

WHEN = "Friday, 20 November 2026, 1:05 PM"


def saved(rows, separator=";", encoding="utf-8-sig", first="", blank=2):
    """What a spreadsheet program writes: its separator, a mark, blank columns and rows at the ends."""
    made = io.StringIO()
    made.write(first)
    wide = [[*row, *[""] * blank] for row in rows]
    csv.writer(made, delimiter=separator, lineterminator="\r\n").writerows(
        [*wide, *[[""] * len(wide[0])] * blank]
    )
    return made.getvalue().encode(encoding)


FORMS = {
    "semicolons": saved,
    "said": lambda rows: saved(rows, first="sep=;\r\n", encoding="utf-8"),
    "tabs": lambda rows: saved(rows, "\t", "utf-16"),
    "apple": lambda rows: saved(rows, ",", "utf-8", blank=0).replace(b"\r\n", b"\r"),
}


@pytest.fixture
def course(tmp_path, templates):
    return lms_files.course(tmp_path / "course", templates)


@pytest.fixture
def read(course, tmp_path):
    def run(data):
        (tmp_path / "list.csv").write_bytes(data)
        return roster.into(course, submission.settings(course), tmp_path / "list.csv")

    return run


def participants(codes=None):
    rows = [["First name", "Last name", "Username", "ID number", "Email address"]]
    return rows + [
        [first, last, name, (codes or {}).get(name, code), f"{name}@example.org"]
        for name, first, last, _, code in CLASS
    ]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("rows", [lms_files.canvas_gradebook(), participants(), lms_files.moodle_worksheet()])
def test_a_list_is_read_in_every_form(course, read, form, rows):
    assert "New (8)" in read(FORMS[form](rows))[1]
    shown = {one.shown for one in people.load(course).present.values()}
    assert len(shown) == 7, "two are called Kim Lee"
    assert any("Núñez" in one for one in shown)
    assert any("الهدى" in one for one in shown)


@pytest.mark.parametrize("form", FORMS)
def test_a_worksheet_is_read_kept_and_read_again(course, read, tmp_path, form):
    read(lms_files.table(participants()))
    (tmp_path / "w.csv").write_bytes(FORMS[form](lms_files.moodle_worksheet(times={"ada": WHEN})))
    path = make_zip(tmp_path / "all.zip", {moodle_name("ada"): notebook()})
    assert collect.collect(course, UNIT, [path], tmp_path / "w.csv", "UTC").collected == ["ada"]
    assert collect.collect(course, UNIT, [path]).unchanged == ["ada"]
    time = course / "submitted" / "ada" / UNIT / "timestamp.txt"
    assert time.read_text() == "2026-11-20 13:05:00 UTC"


@pytest.mark.parametrize("short", ["1.23457E+11", "1,23E+11", "2E+12"])
def test_a_number_that_was_shortened_is_one_sentence(course, read, short):
    with pytest.raises(Wrong) as raised:
        read(saved(participants({"oli": short})))
    said = str(raised.value)
    assert (
        f"Row 5 of {course.parent}/list.csv has {short} in ID number: a spreadsheet program has shortened"
        in said
    )
    assert said.count("\n") == 0
    assert not (course / people.FILE).exists()
    rows = lms_files.canvas_gradebook()
    rows[3] = ["Lovelace, Ada", short, *rows[3][2:]]
    with pytest.raises(Wrong, match="in ID: a spreadsheet program has shortened a long number"):
        read(saved(rows))


def test_zeros_that_were_dropped_are_one_sentence_and_the_roster_stays(course, read):
    read(lms_files.table(participants({"oli": "00417", "zoë": "0099", "eve": "99"})))
    before = people.load(course)
    with pytest.raises(Wrong, match=r"has 417 in ID number and the roster 00417: a spreadsheet program has"):
        read(saved(participants({"oli": "417", "zoë": "99", "eve": "99"})))
    assert people.load(course) == before
    assert "Nobody is new" in read(saved(participants({"oli": "00417", "zoë": "0099", "eve": "99"})))[1]


def test_zeros_that_were_dropped_in_a_list_of_ones_own_are_one_sentence(course, read):
    read(b"id,first_name\n007,Ada\n10,Ben\n")
    with pytest.raises(Wrong, match=r"\(Ada\) has 7 in id and the roster 007: a spreadsheet program has"):
        read(b"id,first_name\n7,Ada\n10,Ben\n")
    assert set(people.load(course).present) == {"007", "10"}
    assert "New (1): 8" in read(b"id,first_name\n007,Ada\n10,Ben\n8,Cy\n")


def test_a_worksheet_without_its_zeros_still_finds_everybody_it_can(course, read, tmp_path):
    codes = {"oli": "00417", "zoë": "0099", "eve": "99"}
    read(lms_files.table([[*row[:2], *row[2:4], ""] for row in participants(codes)]))
    short = {"oli": "417", "zoë": "99", "eve": "99"}
    people_ = [
        (name, first, last, number, short.get(name, code)) for name, first, last, number, code in CLASS
    ]
    rows = [[*row[:3], *row[4:]] for row in lms_files.moodle_worksheet(people_)]  # without addresses
    (tmp_path / "w.csv").write_bytes(saved([row for row in rows if PARTICIPANTS["zoë"] not in row[0]]))
    _, lines = worksheet.read(tmp_path / "w.csv", people.load(course).present)
    assert {one.student for one in lines.values()} == set(IDS) - {"zoë"}
    assert lines[PARTICIPANTS["oli"]].student == "oli"


@pytest.mark.parametrize("when", ["20.11.2026 13:05", "11/12/2026 1:05 PM", "46346.545", "2026/11/20"])
@pytest.mark.parametrize("column", [worksheet.HANDED_IN, worksheet.MARKED])
def test_a_time_that_was_written_anew_is_one_sentence(course, read, tmp_path, when, column):
    read(lms_files.table(participants()))
    rows = lms_files.moodle_worksheet(times={"ada": WHEN})
    rows[1][rows[0].index(column)] = when
    (tmp_path / "w.csv").write_bytes(saved(rows))
    with pytest.raises(Wrong) as raised:
        worksheet.read(tmp_path / "w.csv", people.load(course).present)
    assert f"has the time '{when}', where Moodle writes the month as a word" in str(raised.value)


@pytest.mark.parametrize("when", ["2026-11-20 13:05", "20 November 2026, 1:05 PM", "20-Nov-26 13:05"])
def test_a_time_that_can_mean_one_day_alone_is_read(course, read, tmp_path, when):
    read(lms_files.table(participants()))
    (tmp_path / "w.csv").write_bytes(saved(lms_files.moodle_worksheet(times={"ada": when})))
    _, lines = worksheet.read(tmp_path / "w.csv", people.load(course).present, "UTC")
    assert lines[PARTICIPANTS["ada"]].when.isoformat() == "2026-11-20T13:05:00+00:00"
