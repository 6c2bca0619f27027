"""What learners handed in, out of Canvas's and Moodle's zips: whose it is, what counts, what is refused."""

import datetime
import io
import itertools
import stat
import unicodedata
import zipfile

import pytest
from nbgrader.utils import parse_utc

from grading.lms import archive, collect
from grading.trouble import Wrong
from tests import lms_files
from tests.lms_files import (
    IDS,
    UNIT,
    canvas_name,
    make_zip,
    moodle_name,
    notebook,
    notebook_of,
    take,
    time_of,
)

pytestmark = pytest.mark.needs("sandbox")

WHEN, LATER = "Friday, 20 November 2026, 1:05 PM", "Saturday, 21 November 2026, 1:05 PM"


@pytest.fixture
def empty(tmp_path, templates):
    return lms_files.course(tmp_path / "course", templates)


@pytest.fixture
def canvas(empty):
    lms_files.read_class(empty, lms_files.canvas_gradebook())
    return empty


@pytest.fixture
def moodle(empty):
    lms_files.read_class(empty, lms_files.moodle_class())
    return empty


def sheet(**times):
    """Moodle's worksheet; all handed in at the same time but those who are named otherwise."""
    return lms_files.moodle_worksheet(times=dict.fromkeys(IDS, WHEN) | times)


def files_below(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def snapshot(course):
    return {name: (course / name).read_bytes() for name in files_below(course) if name != ".grading.lock"}


# Canvas


def test_canvas_finds_people_by_number_whatever_their_names(canvas):
    files = {
        canvas_name(name, "my work_12_34_v2.ipynb", place, late=name == "ada"): notebook(name)
        for place, name in enumerate(IDS[:6])
    }
    files |= {
        canvas_name("ada", "data.csv", 8, late=True): "1,2",
        canvas_name("ada", "text.html", 105): "<p>",  # called as a text entry, and a file
        canvas_name("zoë", "text.html").replace("_1_", "_"): "<p>",
        "studenttest_999_5_05_softmax.ipynb": notebook(),
        "kingcountesoflovelaceada_777_6_05_softmax.ipynb": notebook(),
    }
    done = take(canvas, files)
    assert sorted(done.collected) == sorted(IDS[:6])
    assert {name: notebook_of(canvas, name) for name in IDS[:6]} == {name: name for name in IDS[:6]}
    assert not any(time_of(canvas, name) for name in IDS), (
        "the time of a zip's entry is not that of a hand-in"
    )
    assert files_below(canvas / "submitted" / "ada" / UNIT) == {f"{UNIT}.ipynb", "data.csv", "text.html"}
    assert done.strangers == {"kingcountesoflovelaceada (777)": "King, Countess of Lovelace, Ada, ada"}
    assert (done.late, list(done.skipped), done.silent) == (["ada"], ["zoë"], ["eve"])
    assert collect.remembered(canvas, UNIT)["ada"].late
    assert "Late, as the LMS says: ada" in done.lines(UNIT)
    assert done.lines(UNIT)[-1] == "Canvas's zip has no times, so nothing counts as late in nbgrader."


def test_canvas_newest_attempt_is_the_one_with_the_larger_number(canvas, tmp_path):
    new = make_zip(tmp_path / "new.zip", {canvas_name("ada", attachment=20): notebook("second")})
    old = make_zip(tmp_path / "old.zip", {canvas_name("ada", attachment=10): notebook("first")})
    done = collect.collect(canvas, UNIT, [new, old])
    assert done.collected == ["ada"]
    assert notebook_of(canvas, "ada") == "second"
    (kept,) = (canvas / "downloaded" / UNIT / "earlier" / "ada").iterdir()
    assert "first" in (kept / f"{UNIT}.ipynb").read_text()
    done = collect.collect(canvas, UNIT, [old])
    assert done.older == ["ada"]
    assert notebook_of(canvas, "ada") == "second"
    assert len([*(canvas / "downloaded" / UNIT / "earlier" / "ada").iterdir()]) == 1, "kept once"


# Moodle


def test_moodle_with_the_worksheet_knows_everybody_and_the_time_in_each_form_of_the_zip(moodle):
    forms = dict(zip(IDS, itertools.cycle([{}, {"old": True}, {"flat": True}]), strict=False))
    files = {moodle_name(name, "my notebook.ipynb", **forms[name]): notebook(name) for name in IDS}
    done = take(moodle, files, sheet(), "Europe/Berlin")
    assert sorted(done.collected) == sorted(IDS)
    assert {name: notebook_of(moodle, name) for name in IDS} == {name: name for name in IDS}
    assert time_of(moodle, "ada") == "2026-11-20 12:05:00 UTC"
    assert parse_utc(time_of(moodle, "ada")) == datetime.datetime(2026, 11, 20, 12, 5), "so nbgrader reads it"
    assert not done.timeless


def test_moodle_without_a_worksheet_goes_by_the_full_name_unless_two_have_it(moodle):
    able = [name for name in IDS if not name.startswith("kim")]
    forms = dict(zip(able, itertools.cycle(["NFC", "NFD"]), strict=False))
    files = {unicodedata.normalize(forms[name], moodle_name(name)): notebook(name) for name in able}
    done = take(moodle, files)
    assert sorted(done.collected) == sorted(able)
    assert {name: notebook_of(moodle, name) for name in able} == {name: name for name in able}
    assert done.silent == ["kim1", "kim2"]
    assert "its worksheet (--worksheet)" in done.lines(UNIT)[-1]
    files |= {moodle_name(name): notebook(name) for name in ("kim1", "kim2")}
    before = snapshot(moodle)
    says = r"kim1 and kim2 are both called Kim Lee: give Moodle's grading worksheet too"
    with pytest.raises(Wrong, match=says):
        take(moodle, files)
    assert snapshot(moodle) == before
    take(moodle, files, sheet())
    assert (notebook_of(moodle, "kim1"), notebook_of(moodle, "kim2")) == ("kim1", "kim2")
    assert take(moodle, files).unchanged, "the worksheet is remembered"


def test_names_in_a_zip_that_forgets_to_say_utf_8(moodle, tmp_path):
    path = make_zip(tmp_path / "all.zip", {moodle_name("noor"): notebook("noor")})
    data = bytearray(path.read_bytes())
    for mark, place in ((b"PK\x03\x04", 7), (b"PK\x01\x02", 9)):
        data[data.index(mark) + place] &= ~0x08
    path.write_bytes(bytes(data))
    assert take(moodle, path).collected == ["noor"]


def test_moodle_a_stranger_of_a_students_name_does_not_become_that_student(moodle):
    other = moodle_name("ada").replace("_9000_", "_9999_")
    files = {moodle_name("ada"): notebook("ada"), other: notebook("other")}
    with pytest.raises(Wrong, match="Participants 9000 and 9999 of the zip are both called"):
        take(moodle, files)
    assert not (moodle / "submitted").exists()
    rows = lms_files.moodle_worksheet()
    stranger = ["Participant 9999", rows[1][1], "m99", "else@example.org", *rows[1][4:]]
    done = take(moodle, files, [*rows, stranger])
    assert (done.collected, notebook_of(moodle, "ada")) == (["ada"], "ada")
    assert list(done.strangers) == ["Ada King, Countess of Lovelace (9999)"]


def test_folders_of_a_learner_stay_and_noise_and_what_nobody_hands_in_go(moodle, tmp_path):
    left = moodle / "downloaded" / UNIT / ".unpacked-x"  # of a run that was killed
    left.mkdir(parents=True)
    names = ["data/a.csv", ".DS_Store", f"._{UNIT}.ipynb", "timestamp.txt", "group.txt", f"/{tmp_path}/b.csv"]
    files = {f"again zipped/{moodle_name('ada')}": notebook(), "__MACOSX/x": ""}
    files |= {f"again zipped/{moodle_name('ada', name)}": "2020-01-01 00:00:00 UTC" for name in names}
    files[f"again zipped/{moodle_name('ada', 'onlinetext.html', plugin='onlinetext')}"] = "<p>"
    take(moodle, files)
    assert files_below(moodle / "submitted" / "ada" / UNIT) == {
        f"{UNIT}.ipynb",
        "data/a.csv",
        f"{tmp_path}/b.csv".lstrip("/"),
    }
    assert not (tmp_path / "b.csv").exists(), "two slashes do not lead to the root"
    assert {one.name for one in (moodle / "downloaded" / UNIT).iterdir()} == {"collected.json"}


# Again


def test_again_replaces_what_differs_and_keeps_the_old_whichever_way_it_came(moodle):
    by_hand = moodle / "submitted" / "zoë" / UNIT
    by_hand.mkdir(parents=True)
    (by_hand / f"{UNIT}.ipynb").write_text(notebook("by hand"))
    files = {moodle_name(name): notebook("one") for name in ("ada", "oli")}
    take(moodle, files)
    done = take(moodle, files | {moodle_name(name): notebook("two") for name in ("ada", "zoë")})
    assert (done.collected, done.again, done.unchanged) == (["ada", "zoë"], ["ada", "zoë"], ["oli"])
    earlier = moodle / "downloaded" / UNIT / "earlier"
    for name, text in (("ada", "one"), ("zoë", "by hand")):
        assert notebook_of(moodle, name) == "two"
        (kept,) = (earlier / name).iterdir()
        assert text in (kept / f"{UNIT}.ipynb").read_text()
    assert not (earlier / "oli").exists()


def test_an_older_worksheet_moves_no_time_back_and_another_time_zone_does(moodle):
    files = {moodle_name("ada"): notebook(), moodle_name("oli"): notebook()}
    take(moodle, files, sheet(ada=LATER))
    for _ in range(2):
        assert take(moodle, files, sheet()).unchanged == ["ada", "oli"]
        assert time_of(moodle, "ada") == "2026-11-21 13:05:00 UTC"
        assert take(moodle, files).unchanged == ["ada", "oli"]
    take(moodle, files, sheet(ada=LATER), "Europe/Berlin")
    times = time_of(moodle, "ada"), time_of(moodle, "oli")
    assert times == ("2026-11-21 12:05:00 UTC", "2026-11-20 12:05:00 UTC")
    done = take(moodle, {moodle_name("ada"): notebook("an earlier one")}, sheet())
    assert (done.older, notebook_of(moodle, "ada")) == (["ada"], "answer")


# What is skipped


def test_a_submission_that_cannot_be_taken_is_named_and_the_others_are(moodle):
    files = {
        moodle_name("ada", "a.ipynb"): notebook(),
        moodle_name("ada", "b.ipynb"): notebook(),
        moodle_name("oli", "work.pdf"): "pdf",
        moodle_name("noor", "onlinetext.html", plugin="onlinetext"): "<p>",
        moodle_name("zoë"): notebook(),
    }
    done = take(moodle, files)
    assert done.collected == ["zoë"]
    assert "several notebooks, a.ipynb, b.ipynb" in done.skipped["ada"]
    assert "there is no .ipynb, only work.pdf: ask for 05_softmax.ipynb" in done.skipped["oli"]
    assert "a text or a link, but no file" in done.skipped["noor"]
    assert files_below(moodle / "submitted") == {f"zoë/{UNIT}/{UNIT}.ipynb"}


# What is refused

GOOD = moodle_name("zoë")
FOLDER = "Ada_1_assignsubmission_file"


def zip_of(name=None, mode=0):
    """A zip as bytes: a good entry and perhaps one more."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive_:
        archive_.writestr(GOOD, notebook())
        if name:
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            archive_.writestr(info, "x")
    return made.getvalue()


def changed(data, *places):
    """A zip with other bytes in a header: mark of the header, place there, bytes."""
    made = bytearray(data)
    for mark, place, new in places:
        start = made.index(mark) + place
        made[start : start + len(new)] = new
    return bytes(made)


SHORT = (100).to_bytes(4, "little")
BAD = {
    "is empty": b"PK\x05\x06" + b"\0" * 18,
    "'essay.ipynb' in": zip_of("essay.ipynb"),
    "'/etc/": zip_of(f"/etc/{FOLDER}/x.ipynb"),
    "'C:/": zip_of(f"C:/{FOLDER}/x.ipynb"),
    "is a link": zip_of(f"{FOLDER}/x.ipynb", stat.S_IFLNK | 0o777),
    "is encrypted": changed(zip_of(), (b"PK\x01\x02", 8, b"\1")),
    "is damaged": changed(zip_of(), (b"PK\x03\x04", 22, SHORT), (b"PK\x01\x02", 24, SHORT)),
    "is not a zip": b"PK\x03\x04 cut off",
    "There is no file": None,
    "the roster has no numbers of Canvas: run `make roster": zip_of(canvas_name("ada")),
    "is of anonymous grading": zip_of("anon_12345_17_x.ipynb"),
    "is of anonymous grading ('LATE_": zip_of("LATE_anon_aB3xY_17_05_softmax.ipynb"),
}


def test_a_bad_zip_is_one_sentence_and_not_even_a_good_one_before_it_is_taken(moodle, tmp_path):
    good, bad = make_zip(tmp_path / "good.zip", {GOOD: notebook()}), tmp_path / "bad.zip"
    before = snapshot(moodle)
    for says, data in BAD.items():
        bad.unlink(missing_ok=True)
        if data:
            bad.write_bytes(data)
        with pytest.raises(Wrong) as raised:
            collect.collect(moodle, UNIT, [good, bad])
        assert says in str(raised.value)
        assert "bad.zip" in str(raised.value) or "Canvas: run" in says
        assert snapshot(moodle) == before, says


def test_a_zip_bomb_is_not_unpacked(moodle, monkeypatch):
    monkeypatch.setattr(archive, "MOST_OF_ONE", 2 * 2**20)
    with pytest.raises(Wrong, match="would unpack to 2 MB, where at most 2 MB are taken"):
        take(moodle, {GOOD: b"0" * 3_000_000})
    monkeypatch.setattr(archive, "MOST_BYTES", 2**20)
    with pytest.raises(Wrong, match=r"would unpack to 0.0 GB in 1 files"):
        take(moodle, {GOOD: b"0" * 3_000_000})
    assert not (moodle / "submitted").exists()


def test_a_wrong_worksheet_or_time_zone_is_one_sentence_and_changes_nothing(moodle):
    rows = sheet()
    wrong = {
        "has no column Last modified": [[*rows[0][:-3], "x", "y", "z"], *rows[1:]],
        "has Nobody in Identifier": [rows[0], ["Nobody", *rows[1][1:]], *rows[2:]],
        "Rows 2 and 3 of": [rows[0], rows[1], rows[1]],
        "has 'gestern' in": [["gestern" if cell == WHEN else cell for cell in row] for row in rows],
        "There is no time zone Mars/Olympus": rows,
    }
    before = snapshot(moodle)
    for says, one in wrong.items():
        with pytest.raises(Wrong) as raised:
            take(moodle, {GOOD: notebook()}, one, "Mars/Olympus" if one is rows else "UTC")
        assert says in str(raised.value)
        assert snapshot(moodle) == before
