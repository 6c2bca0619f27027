"""Who was skipped at collect: named until a human has put a file in, which then has the LMS's time."""

import datetime
import shutil

import pytest
from nbgrader.utils import parse_utc

from grading.handed_in import intake
from grading.handed_in.received import Submission
from grading.lms import collect
from grading.term import collected
from grading.term.roster import look
from tests import lms_files
from tests.lms_files import (
    CLASS,
    IDS,
    UNIT,
    canvas_name,
    make_zip,
    moodle_name,
    notebook,
    notebook_of,
    time_of,
)

pytestmark = pytest.mark.needs("sandbox")

WHEN, LATER = "Friday, 20 November 2026, 1:05 PM", "Sunday, 22 November 2026, 9:30 AM"
IN_UTC, LATER_IN_UTC = "2026-11-20 13:05:00 UTC", "2026-11-22 09:30:00 UTC"
TWO = {moodle_name("ada", "a.ipynb"): notebook("a"), moodle_name("ada", "b.ipynb"): notebook("b")}


@pytest.fixture
def course(tmp_path, templates):
    made = lms_files.course(tmp_path / "course", templates)
    lms_files.read_class(made, lms_files.moodle_class())
    return made


@pytest.fixture
def take(course):
    """Collect a zip of these files, with a worksheet of these times if there are any."""
    return lambda files, **times: lms_files.take(
        course, files, lms_files.moodle_worksheet(times=times) if times else None
    )


def put(course, student, text="by hand"):
    place = course / "submitted" / student / UNIT
    place.mkdir(parents=True, exist_ok=True)
    (place / f"{UNIT}.ipynb").write_text(notebook(text))
    return place


def test_of_several_notebooks_the_one_that_is_named_as_the_unit_is_taken_and_all_are_kept(course, take):
    files = {
        moodle_name("ada", f"{UNIT}.ipynb"): notebook("right"),
        moodle_name("ada", "try.ipynb"): notebook(),
    }
    names = (f"{UNIT}.ipynb", f"old/{UNIT}.ipynb", f"{UNIT.upper()}.ipynb")  # of these the one in no folder
    files |= {moodle_name("oli", name): notebook(name) for name in names}
    done = take(files, ada=WHEN)
    assert (done.collected, done.skipped) == (["ada", "oli"], {})
    assert f"Several notebooks: ada: {UNIT}.ipynb was taken, and not try.ipynb" in done.lines(UNIT)
    assert (notebook_of(course, "ada"), time_of(course, "ada")) == ("right", IN_UTC)
    assert (course / "submitted" / "ada" / UNIT / "try.ipynb").is_file()
    place = course / "submitted" / "oli" / UNIT
    found = {path.relative_to(place).as_posix(): path.read_text() for path in place.rglob("*.ipynb")}
    assert found == {
        f"{UNIT}.ipynb": notebook(names[0]),
        f"old/{UNIT}.ipynb": notebook(names[1]),
        f"other/{UNIT.upper()}.ipynb": notebook(names[2]),
    }


def test_what_is_put_in_by_hand_has_the_time_of_the_worksheet_and_that_is_said_once(course, take):
    done = take(TWO, ada=LATER)
    assert f"put the right one into submitted/ada/{UNIT}/ as {UNIT}.ipynb" in done.skipped["ada"]
    submitted = course / "submitted"
    assert collected.times_of(course, UNIT, submitted) == {}, "nothing lies there yet"
    put(course, "ada")
    assert collected.times_of(course, UNIT, submitted) == {"ada": LATER_IN_UTC}
    first, second = take(TWO, ada=LATER), take(TWO, ada=LATER)
    assert (first.skipped, second.skipped) == ({}, {})
    assert "Skipped before, and now put in by hand: ada" in first.lines(UNIT)
    assert second.by_hand == []
    assert (notebook_of(course, "ada"), time_of(course, "ada")) == ("by hand", LATER_IN_UTC)


def test_one_of_the_skipped_files_has_its_own_time_in_an_earlier_folder_too(course, take):
    take({moodle_name("ada"): notebook("first")}, ada=WHEN)
    done = take(TWO, ada=LATER)
    assert done.skipped["ada"].endswith(", what came before stays")
    assert time_of(course, "ada") == IN_UTC
    (course / "submitted" / "ada" / UNIT / f"{UNIT}.ipynb").write_text(notebook("b"))
    assert take(TWO, ada=LATER).by_hand == ["ada"]
    assert time_of(course, "ada") == LATER_IN_UTC


def test_of_two_zips_at_once_the_newest_that_can_be_taken_counts(course, tmp_path):
    """The time is that of the one which cannot."""
    good = make_zip(tmp_path / "1.zip", {moodle_name("ada"): notebook("good")})
    bad = make_zip(tmp_path / "2.zip", TWO)
    sheet = tmp_path / "sheet.csv"
    sheet.write_bytes(lms_files.table(lms_files.moodle_worksheet(times={"ada": LATER})))
    for _ in range(2):
        done = collect.collect(course, UNIT, [good, bad], sheet, "UTC")
        assert done.skipped["ada"].endswith(", what came before stays")
        assert (notebook_of(course, "ada"), time_of(course, "ada")) == ("good", None)
    put(course, "ada", "b")
    done = collect.collect(course, UNIT, [good, bad], sheet, "UTC")
    assert (done.by_hand, done.skipped, done.collected) == (["ada"], {}, [])
    assert (notebook_of(course, "ada"), time_of(course, "ada")) == ("b", LATER_IN_UTC)


def test_what_came_before_and_is_among_the_skipped_files_keeps_its_time_until_put_in_anew(course, take):
    take({moodle_name("ada"): notebook("b")}, ada=WHEN)
    for _ in range(2):
        done = take(TWO, ada=LATER)
        assert (list(done.skipped), done.by_hand) == (["ada"], [])
        assert list(collected.left_out(course, UNIT)) == ["ada"]
        assert time_of(course, "ada") == IN_UTC
    shutil.rmtree(course / "submitted" / "ada" / UNIT)
    put(course, "ada", "b")
    assert take(TWO, ada=LATER).by_hand == ["ada"]
    assert time_of(course, "ada") == LATER_IN_UTC


def test_what_came_before_without_a_time_does_not_get_that_of_what_was_skipped(course, take):
    take({moodle_name("ada"): notebook("first")})
    take(TWO, ada=LATER)
    done = take(TWO, ada=LATER)
    assert (list(done.skipped), done.by_hand) == (["ada"], [])
    assert time_of(course, "ada") is None


def test_a_time_that_a_human_wrote_stays(course, take):
    take(TWO, ada=LATER)
    take({moodle_name("oli", "x.pdf"): ""}, oli=LATER)
    for name, text in (("ada", "a"), ("oli", "neither")):
        (put(course, name, text) / "timestamp.txt").write_text(IN_UTC)
    assert take(TWO, ada=LATER).by_hand == ["ada"]
    assert take({moodle_name("oli", "x.pdf"): ""}, oli=LATER).by_hand == ["oli"]
    assert (time_of(course, "ada"), time_of(course, "oli")) == (IN_UTC, IN_UTC)


def test_a_time_that_nbgrader_would_misread_is_written_anew(course):
    moment = datetime.datetime(2026, 11, 20, 13, 5)
    for student, text, encoding in (
        ("ada", f"{IN_UTC}\r\n", "utf-8-sig"),
        ("oli", IN_UTC, "utf-16"),
        ("zoë", "2026-11-20 14:05:00 +0100", "utf-8"),
        ("eve", "2026-11-20 14:05 +01:00", "utf-8"),
    ):
        place, data = put(course, student), text.encode(encoding)
        (place / "timestamp.txt").write_bytes(data)
        assert intake.moment(collected.time_of(place)) == moment
        one = Submission(student, UNIT, place)
        intake.receive(one, "")
        assert parse_utc(time_of(course, student)) == moment
        assert len(one.remarks) == 1
        kept = course.glob(f"set_aside/{student}/{UNIT}/*/timestamp.txt")
        assert [path.read_bytes() for path in kept] == [data]
        intake.receive(again := Submission(student, UNIT, place), "")
        assert (again.remarks, again.content) == ([], one.content)


def test_another_upload_that_cannot_be_taken_is_named_again(course, take):
    take(TWO, ada=WHEN)
    put(course, "ada")
    take(TWO, ada=WHEN)
    assert list(take({moodle_name("ada", "work.pdf"): "pdf"}, ada=LATER).skipped) == ["ada"]
    assert time_of(course, "ada") == IN_UTC
    assert take({moodle_name("ada"): notebook("right")}, ada=LATER).collected == ["ada"]
    assert (time_of(course, "ada"), collected.remembered(course, UNIT)["ada"].skipped) == (LATER_IN_UTC, "")


def test_who_was_in_no_zip_and_is_put_in_by_hand_has_the_time_of_the_worksheet(course, take):
    put(course, "oli")
    take({moodle_name("ada"): notebook()}, ada=WHEN, oli=LATER)
    assert time_of(course, "oli") == LATER_IN_UTC


def test_an_older_zip_does_not_bring_back_what_was_skipped_then(course, take):
    old = {**TWO, moodle_name("oli", "x.pdf"): ""}
    take(old, ada=WHEN, oli=WHEN)
    take({moodle_name("ada"): notebook("right"), moodle_name("oli", "y.pdf"): "new"}, ada=LATER, oli=LATER)
    done = take(old, ada=WHEN, oli=WHEN)
    assert (sorted(done.older), done.skipped) == (["ada", "oli"], {})
    assert list(collected.left_out(course, UNIT)) == ["oli"]
    assert collected.remembered(course, UNIT)["oli"].when == LATER_IN_UTC


def test_canvas_remembers_who_was_late_though_it_was_skipped(course, take):
    lms_files.read_class(course, lms_files.canvas_gradebook())
    files = {canvas_name("ada", "a.ipynb", 7, late=True): "", canvas_name("ada", "b.ipynb", 8, late=True): ""}
    done = take(files)
    assert "Late, as the LMS says: ada" in done.lines(UNIT)
    one = collected.remembered(course, UNIT)["ada"]
    assert (one.late, one.number, one.entry) == (True, "101", canvas_name("ada", "a.ipynb", 7, late=True))


def test_who_was_skipped_or_has_left_is_not_among_those_who_handed_in_nothing(course, take):
    lms_files.read_class(course, lms_files.moodle_class([one for one in CLASS if one[0] != "oli"]))
    done = take({**TWO, moodle_name("zoë"): notebook()})
    assert "ada" in done.skipped
    assert set(done.silent) == set(IDS) - {"ada", "oli", "zoë"}
    found = look(course, dict.fromkeys(IDS, True), ["zoë"], UNIT)
    assert set(found.silent) == set(done.silent)
    assert list(found.left_out) == ["ada"]
