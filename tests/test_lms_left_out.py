"""Who was skipped at collect: named until a human has put a file in, which then has the LMS's time."""

import datetime
import shutil

import pytest
from nbgrader.utils import parse_utc

from grading import submission
from grading.handed_in import intake
from grading.handed_in.received import Submission
from grading.lms import collect, roster
from grading.term import collected
from grading.term.roster import look
from tests import lms_files
from tests.lms_files import CLASS, IDS, UNIT, canvas_name, make_zip, moodle_name, notebook

pytestmark = pytest.mark.needs("sandbox")

WHEN, LATER = "Friday, 20 November 2026, 1:05 PM", "Sunday, 22 November 2026, 9:30 AM"
IN_UTC, LATER_IN_UTC = "2026-11-20 13:05:00 UTC", "2026-11-22 09:30:00 UTC"
TWO = {moodle_name("ada", "a.ipynb"): notebook("a"), moodle_name("ada", "b.ipynb"): notebook("b")}


@pytest.fixture
def course(tmp_path, templates):
    made = lms_files.course(tmp_path / "course", templates)
    read(made, tmp_path)
    return made


@pytest.fixture
def take(course, tmp_path):
    """Collect a zip of these files, with a worksheet of these times if there are any."""
    count = iter(range(100))

    def run(files, **times):
        path = make_zip(tmp_path / f"all-{next(count)}.zip", files)
        sheet = tmp_path / "sheet.csv" if times else None
        if sheet:
            sheet.write_bytes(lms_files.table(lms_files.moodle_worksheet(times=times)))
        return collect.collect(course, UNIT, [path], sheet, "UTC")

    return run


def read(course, tmp_path, people=CLASS):
    rows = [["First name", "Last name", "Username", "Groups"]]
    rows += [[first, last, name, ""] for name, first, last, *_ in people]
    (tmp_path / "list.csv").write_bytes(lms_files.table(rows))
    roster.into(course, submission.settings(course), tmp_path / "list.csv")


def put(course, student, text="by hand"):
    place = course / "submitted" / student / UNIT
    place.mkdir(parents=True, exist_ok=True)
    (place / f"{UNIT}.ipynb").write_text(notebook(text))
    return place


def time_of(course, student):
    path = course / "submitted" / student / UNIT / "timestamp.txt"
    return path.read_text("utf-8") if path.exists() else None


def test_of_several_notebooks_the_one_that_is_named_as_the_unit_is_taken(course, take):
    files = {
        moodle_name("ada", f"{UNIT}.ipynb"): notebook("right"),
        moodle_name("ada", "try.ipynb"): notebook(),
    }
    done = take(files, ada=WHEN)
    assert (done.collected, done.skipped) == (["ada"], {})
    assert f"Several notebooks: ada: {UNIT}.ipynb was taken, and not try.ipynb" in done.lines(UNIT)
    place = course / "submitted" / "ada" / UNIT
    assert "right" in (place / f"{UNIT}.ipynb").read_text()
    assert (place / "try.ipynb").is_file(), "nothing is lost"
    assert time_of(course, "ada") == IN_UTC


def test_of_two_with_that_name_the_one_in_no_folder_is_taken_and_both_are_kept(course, take):
    names = (f"{UNIT}.ipynb", f"old/{UNIT}.ipynb", f"{UNIT.upper()}.ipynb")
    take({moodle_name("ada", name): notebook(name) for name in names})
    place = course / "submitted" / "ada" / UNIT
    found = {path.relative_to(place).as_posix(): path.read_text() for path in place.rglob("*.ipynb")}
    assert found == {
        f"{UNIT}.ipynb": notebook(names[0]),
        f"old/{UNIT}.ipynb": notebook(names[1]),
        f"other/{UNIT.upper()}.ipynb": notebook(names[2]),
    }


def test_what_is_put_in_by_hand_has_the_time_of_the_worksheet(course, take):
    done = take(TWO, ada=LATER)
    assert f"put the right one into submitted/ada/{UNIT}/ as {UNIT}.ipynb" in done.skipped["ada"]
    submitted = course / "submitted"
    assert collected.times_of(course, UNIT, submitted) == {}, "nothing lies there yet"
    put(course, "ada")
    assert collected.times_of(course, UNIT, submitted) == {"ada": LATER_IN_UTC}
    collected.write_times(course, submitted)
    assert time_of(course, "ada") == LATER_IN_UTC


def test_a_later_collect_says_once_that_it_was_put_in_and_does_not_skip_it_again(course, take):
    take(TWO, ada=LATER)
    put(course, "ada")
    first, second = take(TWO, ada=LATER), take(TWO, ada=LATER)
    assert (first.skipped, second.skipped) == ({}, {})
    assert "Skipped before, and now put in by hand: ada" in first.lines(UNIT)
    assert second.by_hand == []
    assert time_of(course, "ada") == LATER_IN_UTC
    assert "by hand" in (course / "submitted" / "ada" / UNIT / f"{UNIT}.ipynb").read_text()


def test_one_of_the_skipped_files_has_its_own_time_in_an_earlier_folder_too(course, take):
    take({moodle_name("ada"): notebook("first")}, ada=WHEN)
    done = take(TWO, ada=LATER)
    assert done.skipped["ada"].endswith(", what came before stays")
    assert time_of(course, "ada") == IN_UTC
    (course / "submitted" / "ada" / UNIT / f"{UNIT}.ipynb").write_text(notebook("b"))
    assert take(TWO, ada=LATER).by_hand == ["ada"]
    assert time_of(course, "ada") == LATER_IN_UTC


@pytest.mark.parametrize("together", [True, False])
def test_two_zips_at_once_are_as_one_after_the_other(course, tmp_path, together):
    """The newest upload that can be taken counts; the time is that of the one which cannot."""
    good = make_zip(tmp_path / "1.zip", {moodle_name("ada"): notebook("good")})
    bad = make_zip(tmp_path / "2.zip", TWO)
    (tmp_path / "sheet.csv").write_bytes(lms_files.table(lms_files.moodle_worksheet(times={"ada": LATER})))
    if not together:
        collect.collect(course, UNIT, [good])
    zips = [good, bad] if together else [bad]
    done = collect.collect(course, UNIT, zips, tmp_path / "sheet.csv", "UTC")
    assert done.skipped["ada"].endswith(", what came before stays")
    place = course / "submitted" / "ada" / UNIT
    assert (place / f"{UNIT}.ipynb").read_text() == notebook("good")
    assert time_of(course, "ada") is None
    assert list(collect.collect(course, UNIT, [good, bad], tmp_path / "sheet.csv", "UTC").skipped) == ["ada"]
    put(course, "ada", "b")
    done = collect.collect(course, UNIT, [good, bad], tmp_path / "sheet.csv", "UTC")
    assert (done.by_hand, done.skipped, done.collected) == (["ada"], {}, [])
    assert (place / f"{UNIT}.ipynb").read_text() == notebook("b")
    assert time_of(course, "ada") == LATER_IN_UTC


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


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (f"{IN_UTC}\r\n", "utf-8-sig"),
        (IN_UTC, "utf-16"),
        ("2026-11-20 14:05:00 +0100", "utf-8"),
        ("2026-11-20 14:05 +01:00", "utf-8"),
    ],
)
def test_a_time_that_nbgrader_would_misread_is_written_anew(course, text, encoding):
    place, data = put(course, "ada"), text.encode(encoding)
    (place / "timestamp.txt").write_bytes(data)
    assert intake.moment(collected.time_of(place)) == datetime.datetime(2026, 11, 20, 13, 5)
    one = Submission("ada", UNIT, place)
    intake.receive(one, "")
    assert parse_utc(time_of(course, "ada")) == datetime.datetime(2026, 11, 20, 13, 5)
    assert len(one.remarks) == 1
    assert [path.read_bytes() for path in course.glob(f"set_aside/ada/{UNIT}/*/timestamp.txt")] == [data]
    intake.receive(again := Submission("ada", UNIT, place), "")
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


def test_canvas_remembers_who_was_late_though_it_was_skipped(course, tmp_path):
    (tmp_path / "list.csv").write_bytes(lms_files.table(lms_files.canvas_gradebook()))
    roster.into(course, submission.settings(course), tmp_path / "list.csv")
    files = {canvas_name("ada", "a.ipynb", 7, late=True): "", canvas_name("ada", "b.ipynb", 8, late=True): ""}
    done = collect.collect(course, UNIT, [make_zip(tmp_path / "all.zip", files)])
    assert "Late, as the LMS says: ada" in done.lines(UNIT)
    one = collected.remembered(course, UNIT)["ada"]
    assert (one.late, one.number, one.entry) == (True, "101", canvas_name("ada", "a.ipynb", 7, late=True))


def test_who_was_skipped_or_has_left_is_not_among_those_who_handed_in_nothing(course, take, tmp_path):
    read(course, tmp_path, [one for one in CLASS if one[0] != "oli"])
    done = take({**TWO, moodle_name("zoë"): notebook()})
    assert "ada" in done.skipped
    assert set(done.silent) == set(IDS) - {"ada", "oli", "zoë"}
    found = look(course, dict.fromkeys(IDS, True), ["zoë"], UNIT)
    assert set(found.silent) == set(done.silent)
    assert list(found.left_out) == ["ada"]
