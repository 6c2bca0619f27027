"""A platform's file that a spreadsheet program has saved: read, or one sentence where something is lost."""

import csv
import io

import pytest

from grading.lms import collect, people, worksheet
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
def read(course):
    return lambda rows: lms_files.read_class(course, rows)


def participants(codes=None):
    rows = [["First name", "Last name", "Username", "ID number", "Email address"]]
    return rows + [
        [first, last, name, (codes or {}).get(name, code), f"{name}@example.org"]
        for name, first, last, _, code in CLASS
    ]


@pytest.mark.parametrize("form", FORMS)
def test_a_list_and_a_worksheet_are_read_in_every_form_and_kept(course, read, form):
    assert "New (8)" in read(FORMS[form](participants()))[1]
    shown = {one.shown for one in people.load(course).present.values()}
    assert len(shown) == 7, "two are called Kim Lee"
    assert {"José Núñez", "نور الهدى"} <= shown
    sheet = course.parent / "sheet.csv"
    sheet.write_bytes(FORMS[form](lms_files.moodle_worksheet(times={"ada": WHEN})))
    path = make_zip(course.parent / "all.zip", {moodle_name("ada"): notebook()})
    assert collect.collect(course, UNIT, [path], sheet, "UTC").collected == ["ada"]
    assert collect.collect(course, UNIT, [path]).unchanged == ["ada"]
    assert lms_files.time_of(course, "ada") == "2026-11-20 13:05:00 UTC"


def test_a_number_that_was_shortened_is_one_sentence(course, read):
    for short in ("1,23E+11", "2E+12"):
        with pytest.raises(Wrong) as raised:
            read(saved(participants({"oli": short})))
        says = f"/list.csv has {short} in ID number: a spreadsheet program has shortened"
        assert f"Row 5 of {course.parent}{says}" in str(raised.value)
        assert str(raised.value).count("\n") == 0
    rows = lms_files.canvas_gradebook()
    rows[3] = ["Lovelace, Ada", short, *rows[3][2:]]
    with pytest.raises(Wrong, match="in ID: a spreadsheet program has shortened a long number"):
        read(saved(rows))
    assert not (course / people.FILE).exists()


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


def test_a_time_that_was_written_anew_is_one_sentence_and_one_that_means_one_day_alone_is_read(course, read):
    read(lms_files.table(participants()))
    sheet, rows = course.parent / "sheet.csv", lms_files.moodle_worksheet(times={"ada": WHEN})
    for column in (worksheet.HANDED_IN, worksheet.MARKED):
        for when in ("20.11.2026 13:05", "46346.545", "2026/11/20"):
            place = rows[0].index(column)
            ada = [when if one == place else cell for one, cell in enumerate(rows[1])]
            sheet.write_bytes(saved([rows[0], ada, *rows[2:]]))
            with pytest.raises(Wrong) as raised:
                worksheet.read(sheet, people.load(course).present)
            assert f"has the time '{when}', where Moodle writes the month as a word" in str(raised.value)
    for when in ("2026-11-20 13:05", "20 November 2026, 1:05 PM", "20-Nov-26 13:05"):
        sheet.write_bytes(saved(lms_files.moodle_worksheet(times={"ada": when})))
        _, lines = worksheet.read(sheet, people.load(course).present, "UTC")
        assert lines[PARTICIPANTS["ada"]].when.isoformat() == "2026-11-20T13:05:00+00:00"
