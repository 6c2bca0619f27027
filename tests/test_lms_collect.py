"""What learners handed in, out of Canvas's and Moodle's zips: whose it is, what counts, what is refused."""

import datetime
import json
import stat
import unicodedata
import zipfile

import pytest

from grading import submission
from grading.lms import archive, collect, roster
from grading.trouble import Wrong
from tests import lms_files
from tests.lms_files import CLASS, IDS, UNIT, canvas_name, make_zip, moodle_name, notebook

pytestmark = pytest.mark.needs("sandbox")

WHEN = "Friday, 20 November 2026, 1:05 PM"


@pytest.fixture
def empty(tmp_path, templates):
    return lms_files.course(tmp_path / "course", templates)


@pytest.fixture
def read(empty, tmp_path):
    def run(rows):
        path = tmp_path / "list.csv"
        path.write_bytes(lms_files.table(rows))
        roster.into(empty, submission.settings(empty), path)
        return empty

    return run


@pytest.fixture
def canvas(read):
    return read(lms_files.canvas_gradebook())


@pytest.fixture
def moodle(read):
    rows = [[row[0], row[1], row[3], row[2], row[4]] for row in lms_files.moodle_participants()]
    rows = [
        [first, last, mail, "", groups] if mail[-4:] == ".org" else row
        for row in rows
        for first, last, mail, _, groups in [row]
    ]
    return read(rows)


@pytest.fixture
def sheet(tmp_path):
    """Moodle's worksheet; all handed in at the same time but those who are named otherwise."""

    def make(**times):
        path = tmp_path / "worksheet.csv"
        times = {name: WHEN for name in IDS} | times
        path.write_bytes(lms_files.table(lms_files.moodle_worksheet(times=times)))
        return path

    return make


@pytest.fixture
def zipped(tmp_path):
    count = iter(range(100))
    return lambda files: make_zip(tmp_path / f"all-{next(count)}.zip", files)


def text_of(course, student):
    path = course / "submitted" / student / UNIT / f"{UNIT}.ipynb"
    return json.loads(path.read_text("utf-8"))["cells"][0]["source"]


def time_of(course, student):
    path = course / "submitted" / student / UNIT / "timestamp.txt"
    return path.read_text("utf-8") if path.exists() else None


def files_below(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def snapshot(course):
    return {name: (course / name).read_bytes() for name in files_below(course) if name != ".grading.lock"}


# Canvas


def test_canvas_finds_people_by_number_whatever_their_names(canvas, zipped):
    files = {canvas_name(name, attachment=place): notebook(name) for place, name in enumerate(IDS)}
    done = collect.collect(canvas, UNIT, [zipped(files)])
    assert sorted(done.collected) == sorted(IDS)
    assert {name: text_of(canvas, name) for name in IDS} == {name: name for name in IDS}
    assert not any(time_of(canvas, name) for name in IDS), (
        "the time of a zip's entry is not that of a hand-in"
    )
    assert done.lines(UNIT)[-1] == "Canvas's zip has no times, so nothing counts as late in nbgrader."
    assert not done.strangers
    assert not done.skipped
    assert not done.silent


def test_canvas_late_is_kept_and_what_it_added_to_a_name_is_not(canvas, zipped):
    files = {
        canvas_name("ada", "05_softmax-2.ipynb", 7, late=True): notebook("ada"),
        canvas_name("ada", "data.csv", 8, late=True): "1,2",
        canvas_name("oli", "my work_12_34_v2.ipynb", 9): notebook("oli"),
    }
    done = collect.collect(canvas, UNIT, [zipped(files)])
    assert done.late == ["ada"]
    assert files_below(canvas / "submitted") == {
        f"ada/{UNIT}/{UNIT}.ipynb",
        f"ada/{UNIT}/data.csv",
        f"oli/{UNIT}/{UNIT}.ipynb",
    }
    assert collect.remembered(canvas, UNIT)["ada"].late
    assert "Late, as the LMS says: ada" in done.lines(UNIT)
    assert set(done.silent) == set(IDS) - {"ada", "oli"}


def test_canvas_a_file_called_as_a_text_entry_is_a_file_of_whoever_handed_it_in(canvas, zipped):
    files = {canvas_name("ada"): notebook(), canvas_name("ada", "text.html", 105): "<p>"}
    files |= {canvas_name("zoë", "text.html").replace("_1_", "_"): "<p>"}
    done = collect.collect(canvas, UNIT, [zipped(files)])
    assert (done.collected, done.strangers, list(done.skipped)) == (["ada"], {}, ["zoë"])
    assert files_below(canvas / "submitted") == {f"ada/{UNIT}/{UNIT}.ipynb", f"ada/{UNIT}/text.html"}


def test_canvas_newest_attempt_is_the_one_with_the_larger_number(canvas, zipped):
    new = zipped({canvas_name("ada", attachment=20): notebook("second")})
    old = zipped({canvas_name("ada", attachment=10): notebook("first")})
    done = collect.collect(canvas, UNIT, [new, old])
    assert done.collected == ["ada"]
    assert text_of(canvas, "ada") == "second"
    (kept,) = (canvas / "downloaded" / UNIT / "earlier" / "ada").iterdir()
    assert "first" in (kept / f"{UNIT}.ipynb").read_text()
    done = collect.collect(canvas, UNIT, [old])
    assert done.older == ["ada"]
    assert text_of(canvas, "ada") == "second"
    assert len([*(canvas / "downloaded" / UNIT / "earlier" / "ada").iterdir()]) == 1, "kept once"


def test_canvas_test_student_is_nobody_and_strangers_are_named_with_the_nearest(canvas, zipped):
    files = {
        "studenttest_999_5_05_softmax.ipynb": notebook(),
        "kingcountesoflovelaceada_777_6_05_softmax.ipynb": notebook(),
        canvas_name("zoë", attachment=7): notebook(),
    }
    done = collect.collect(canvas, UNIT, [zipped(files)])
    assert done.collected == ["zoë"]
    (near,) = done.strangers.items()
    assert near == ("kingcountesoflovelaceada (777)", "King, Countess of Lovelace, Ada, ada")


@pytest.mark.parametrize(
    "name", ["anon_aB3xY_17_05_softmax.ipynb", "anon_12345_17_x.ipynb", "LATE_anon_aB3xY_17_05_softmax.ipynb"]
)
def test_canvas_anonymous_grading_is_named(canvas, zipped, name):
    with pytest.raises(Wrong, match="is of anonymous grading"):
        collect.collect(canvas, UNIT, [zipped({name: notebook()})])


# Moodle


@pytest.mark.parametrize("form", [{}, {"old": True}, {"flat": True}])
def test_moodle_with_the_worksheet_knows_everybody_and_the_time(moodle, zipped, sheet, form):
    files = {moodle_name(name, "my notebook.ipynb", **form): notebook(name) for name in IDS}
    done = collect.collect(moodle, UNIT, [zipped(files)], sheet(), "Europe/Berlin")
    assert sorted(done.collected) == sorted(IDS)
    assert {name: text_of(moodle, name) for name in IDS} == {name: name for name in IDS}
    assert time_of(moodle, "ada") == "2026-11-20 12:05:00 UTC"
    assert not done.timeless


def test_nbgrader_reads_the_time(moodle, zipped, sheet):
    from nbgrader.utils import parse_utc

    collect.collect(moodle, UNIT, [zipped({moodle_name("ada"): notebook()})], sheet(), "America/New_York")
    assert parse_utc(time_of(moodle, "ada")) == datetime.datetime(2026, 11, 20, 18, 5)


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_moodle_without_a_worksheet_goes_by_the_full_name(moodle, zipped, form):
    able = [name for name in IDS if not name.startswith("kim")]
    files = {unicodedata.normalize(form, moodle_name(name)): notebook(name) for name in able}
    done = collect.collect(moodle, UNIT, [zipped(files)])
    assert sorted(done.collected) == sorted(able)
    assert {name: text_of(moodle, name) for name in able} == {name: name for name in able}
    assert done.silent == ["kim1", "kim2"]
    assert "its worksheet (--worksheet)" in done.lines(UNIT)[-1]


def test_moodle_two_of_one_name_want_the_worksheet(moodle, zipped, sheet):
    path = zipped({moodle_name(name): notebook(name) for name in IDS})
    before = snapshot(moodle)
    with pytest.raises(
        Wrong, match=r"kim1 and kim2 are both called Kim Lee: give Moodle's grading worksheet too"
    ):
        collect.collect(moodle, UNIT, [path])
    assert snapshot(moodle) == before
    collect.collect(moodle, UNIT, [path], sheet())
    assert (text_of(moodle, "kim1"), text_of(moodle, "kim2")) == ("kim1", "kim2")
    assert collect.collect(moodle, UNIT, [path]).unchanged, "the worksheet is remembered"


def test_moodle_a_stranger_of_a_students_name_does_not_become_that_student(moodle, zipped):
    files = {
        moodle_name("ada"): notebook("ada"),
        moodle_name("ada").replace("_9000_", "_9999_"): notebook("other"),
    }
    with pytest.raises(Wrong, match="Participants 9000 and 9999 of the zip are both called"):
        collect.collect(moodle, UNIT, [zipped(files)])
    assert not (moodle / "submitted").exists()


def test_the_worksheet_decides_not_the_name(moodle, zipped, tmp_path):
    rows = lms_files.moodle_worksheet()
    rows = [
        ["Participant 9999", *row[1:3], "else@example.org", *row[4:]] if "9000" in row[0] else row
        for row in rows
    ]
    (tmp_path / "w.csv").write_bytes(lms_files.table(rows))
    name = moodle_name("ada").replace("_9000_", "_9999_")
    done = collect.collect(moodle, UNIT, [zipped({name: notebook()})], tmp_path / "w.csv")
    assert done.collected == []
    assert list(done.strangers) == ["Ada King, Countess of Lovelace (9999)"]


def test_nobody_hands_in_a_time(moodle, zipped, sheet):
    files = {moodle_name("ada"): notebook(), moodle_name("ada", "timestamp.txt"): "2020-01-01 00:00:00 UTC"}
    collect.collect(moodle, UNIT, [zipped(files)])
    assert time_of(moodle, "ada") is None
    collect.collect(moodle, UNIT, [zipped(files)], sheet(), "UTC")
    assert time_of(moodle, "ada") == "2026-11-20 13:05:00 UTC"


def test_folders_of_a_learner_stay_and_noise_goes(moodle, zipped):
    files = {
        f"again zipped/{moodle_name('ada')}": notebook(),
        f"again zipped/{moodle_name('ada', 'data/a.csv')}": "1",
        "__MACOSX/x": "",
        f"again zipped/{moodle_name('ada', '.DS_Store')}": "",
        f"again zipped/{moodle_name('ada', '._05_softmax.ipynb')}": "",
        f"again zipped/{moodle_name('ada', 'onlinetext.html', plugin='onlinetext')}": "<p>",
    }
    collect.collect(moodle, UNIT, [zipped(files)])
    assert files_below(moodle / "submitted") == {f"ada/{UNIT}/{UNIT}.ipynb", f"ada/{UNIT}/data/a.csv"}


# Again


def test_again_replaces_what_differs_and_keeps_the_old(moodle, zipped):
    first = zipped({moodle_name("ada"): notebook("one"), moodle_name("oli"): notebook("oli")})
    second = zipped({moodle_name("ada"): notebook("two"), moodle_name("oli"): notebook("oli")})
    collect.collect(moodle, UNIT, [first])
    done = collect.collect(moodle, UNIT, [second])
    assert (done.collected, done.again, done.unchanged) == (["ada"], ["ada"], ["oli"])
    assert text_of(moodle, "ada") == "two"
    (kept,) = (moodle / "downloaded" / UNIT / "earlier" / "ada").iterdir()
    assert "one" in (kept / f"{UNIT}.ipynb").read_text()
    assert not (moodle / "downloaded" / UNIT / "earlier" / "oli").exists()


def test_a_submission_with_a_later_time_is_not_replaced(moodle, zipped, sheet):
    later = sheet(ada="Saturday, 21 November 2026, 1:05 PM")
    collect.collect(moodle, UNIT, [zipped({moodle_name("ada"): notebook("two")})], later)
    done = collect.collect(moodle, UNIT, [zipped({moodle_name("ada"): notebook("one")})], sheet())
    assert done.older == ["ada"]
    assert text_of(moodle, "ada") == "two"


def test_an_older_worksheet_moves_no_time_back_and_another_time_zone_does(moodle, zipped, sheet):
    path = zipped({moodle_name("ada"): notebook(), moodle_name("oli"): notebook()})
    collect.collect(moodle, UNIT, [path], sheet(ada="Saturday, 21 November 2026, 1:05 PM"), "UTC")
    for _ in range(2):
        assert collect.collect(moodle, UNIT, [path], sheet(), "UTC").unchanged == ["ada", "oli"]
        assert time_of(moodle, "ada") == "2026-11-21 13:05:00 UTC"
        assert collect.collect(moodle, UNIT, [path]).unchanged == ["ada", "oli"]
    later = sheet(ada="Saturday, 21 November 2026, 1:05 PM")
    collect.collect(moodle, UNIT, [path], later, "Europe/Berlin")
    times = time_of(moodle, "ada"), time_of(moodle, "oli")
    assert times == ("2026-11-21 12:05:00 UTC", "2026-11-20 12:05:00 UTC")


def test_a_submission_that_came_another_way_is_kept_too(moodle, zipped):
    by_hand = moodle / "submitted" / "ada" / UNIT
    by_hand.mkdir(parents=True)
    (by_hand / f"{UNIT}.ipynb").write_text(notebook("by hand"))
    collect.collect(moodle, UNIT, [zipped({moodle_name("ada"): notebook("new")})])
    (kept,) = (moodle / "downloaded" / UNIT / "earlier" / "ada").iterdir()
    assert "by hand" in (kept / f"{UNIT}.ipynb").read_text()


# What is skipped


def test_a_submission_that_cannot_be_taken_is_named_and_the_others_are(moodle, zipped):
    files = {
        moodle_name("ada", "a.ipynb"): notebook(),
        moodle_name("ada", "b.ipynb"): notebook(),
        moodle_name("oli", "work.pdf"): "pdf",
        moodle_name("noor", "onlinetext.html", plugin="onlinetext"): "<p>",
        moodle_name("zoë"): notebook(),
    }
    done = collect.collect(moodle, UNIT, [zipped(files)])
    assert done.collected == ["zoë"]
    assert "several notebooks, a.ipynb, b.ipynb" in done.skipped["ada"]
    assert "there is no .ipynb, only work.pdf: ask for 05_softmax.ipynb" in done.skipped["oli"]
    assert "a text or a link, but no file" in done.skipped["noor"]
    assert files_below(moodle / "submitted") == {f"zoë/{UNIT}/{UNIT}.ipynb"}


# What is refused


def with_entry(name, data=b"x", **fields):
    info = zipfile.ZipInfo(name)
    for field, value in fields.items():
        setattr(info, field, value)
    return info, data


LINK = (stat.S_IFLNK | 0o777) << 16
GOOD = moodle_name("zoë")


@pytest.mark.parametrize(
    ("entries", "says"),
    [
        ([], "is empty"),
        ([with_entry("essay.ipynb")], "'essay.ipynb' in"),
        ([with_entry("Ada_1_assignsubmission_file/../../../x.ipynb")], "leads out of the folder"),
        ([with_entry("/etc/Ada_1_assignsubmission_file/x.ipynb")], "leads out of the folder"),
        ([with_entry("C:/Ada_1_assignsubmission_file/x.ipynb")], "leads out of the folder"),
        ([with_entry("Ada_1_assignsubmission_file\\..\\x.ipynb")], "leads out of the folder"),
        (
            [with_entry("Ada_1_assignsubmission_file/x.ipynb", b"/etc/passwd", external_attr=LINK)],
            "is a link",
        ),
        ([with_entry("Ada_1_assignsubmission_file/x\x1b[2J.ipynb")], "has a control character"),
        ([with_entry(f"Ada_1_assignsubmission_file/{'x' * 300}.ipynb")], "has a name that is too long"),
        (
            [with_entry("Ada_1_assignsubmission_file/a"), with_entry("Ada_1_assignsubmission_file/a/b")],
            "lies in a file",
        ),
    ],
)
def test_a_bad_zip_is_one_sentence_that_names_the_entry_and_changes_nothing(moodle, tmp_path, entries, says):
    path = tmp_path / "bad.zip"
    with zipfile.ZipFile(path, "w") as made:
        for info, data in [with_entry(GOOD, notebook().encode()), *entries] if entries else []:
            made.writestr(info, data)
    before = snapshot(moodle)
    with pytest.raises(Wrong) as raised:
        collect.collect(moodle, UNIT, [path])
    assert says in str(raised.value)
    assert "bad.zip" in str(raised.value)
    assert snapshot(moodle) == before
    assert not (tmp_path / "x.ipynb").exists()


def test_two_slashes_do_not_lead_to_the_root(moodle, zipped, tmp_path):
    name = moodle_name("zoë", f"/{tmp_path}/escaped.csv")
    collect.collect(moodle, UNIT, [zipped({GOOD: notebook(), name: "x"})])
    assert not (tmp_path / "escaped.csv").exists()
    assert any(one.endswith("escaped.csv") for one in files_below(moodle / "submitted"))


def test_a_zip_bomb_is_not_unpacked(moodle, zipped, monkeypatch):
    path = zipped({GOOD: b"0" * 3_000_000})
    monkeypatch.setattr(archive, "MOST_OF_ONE", 2 * 2**20)
    with pytest.raises(Wrong, match="would unpack to 2 MB, where at most 2 MB are taken"):
        collect.collect(moodle, UNIT, [path])
    monkeypatch.setattr(archive, "MOST_BYTES", 2**20)
    with pytest.raises(Wrong, match=r"would unpack to 0.0 GB in 1 files"):
        collect.collect(moodle, UNIT, [path])
    assert not (moodle / "submitted").exists()


def test_a_zip_that_lies_about_a_size_is_damaged(moodle, zipped):
    path = zipped({GOOD: b"0" * 1_000_000})
    data = bytearray(path.read_bytes())
    for mark, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        start = data.index(mark) + place
        data[start : start + 4] = (100).to_bytes(4, "little")
    path.write_bytes(bytes(data))
    before = snapshot(moodle)
    with pytest.raises(Wrong, match="is damaged"):
        collect.collect(moodle, UNIT, [path])
    assert snapshot(moodle) == before


def test_an_encrypted_zip_is_named(moodle, zipped):
    path = zipped({GOOD: notebook()})
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(bytes(data))
    with pytest.raises(Wrong, match="is encrypted"):
        collect.collect(moodle, UNIT, [path])


@pytest.mark.parametrize("data", [b"", b"not a zip", b"PK\x03\x04 cut off"])
def test_what_is_no_zip_is_named(moodle, tmp_path, data):
    (tmp_path / "all.zip").write_bytes(data)
    with pytest.raises(Wrong, match="is not a zip"):
        collect.collect(moodle, UNIT, [tmp_path / "all.zip"])
    with pytest.raises(Wrong, match="There is no file"):
        collect.collect(moodle, UNIT, [tmp_path / "none.zip"])


def test_a_good_zip_before_a_bad_one_is_not_taken_alone(moodle, zipped, tmp_path):
    (tmp_path / "bad.zip").write_bytes(b"bad")
    with pytest.raises(Wrong):
        collect.collect(moodle, UNIT, [zipped({GOOD: notebook()}), tmp_path / "bad.zip"])
    assert not (moodle / "submitted").exists()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda rows: [[*rows[0][:-3], "x", "y", "z"], *rows[1:]], "has no column Last modified"),
        (lambda rows: [rows[0], ["Nobody", *rows[1][1:]], *rows[2:]], "has Nobody in Identifier"),
        (lambda rows: [rows[0], rows[1], rows[1]], "Rows 2 and 3 of"),
        (
            lambda rows: [[WHEN and ("gestern" if cell == WHEN else cell) for cell in row] for row in rows],
            "has 'gestern' in",
        ),
    ],
)
def test_a_wrong_worksheet_is_one_sentence_and_changes_nothing(moodle, zipped, tmp_path, change, says):
    rows = change(lms_files.moodle_worksheet(times={"ada": WHEN}))
    (tmp_path / "w.csv").write_bytes(lms_files.table(rows))
    before = snapshot(moodle)
    with pytest.raises(Wrong) as raised:
        collect.collect(moodle, UNIT, [zipped({GOOD: notebook()})], tmp_path / "w.csv")
    assert says in str(raised.value)
    assert snapshot(moodle) == before


def test_a_time_zone_that_nobody_knows(moodle, zipped, sheet):
    with pytest.raises(Wrong, match="There is no time zone Mars/Olympus"):
        collect.collect(moodle, UNIT, [zipped({GOOD: notebook()})], sheet(), "Mars/Olympus")


def test_names_in_a_zip_that_forgets_to_say_utf_8(moodle, tmp_path):
    path = make_zip(tmp_path / "all.zip", {moodle_name("noor"): notebook("noor")})
    data = bytearray(path.read_bytes())
    for mark, place in ((b"PK\x03\x04", 7), (b"PK\x01\x02", 9)):
        data[data.index(mark) + place] &= ~0x08
    path.write_bytes(bytes(data))
    assert collect.collect(moodle, UNIT, [path]).collected == ["noor"]


def test_canvas_zip_with_a_roster_of_moodle_is_one_sentence(moodle, zipped):
    with pytest.raises(Wrong, match="the roster has no numbers of Canvas: run `make roster"):
        collect.collect(moodle, UNIT, [zipped({canvas_name("ada"): notebook()})])


def test_what_a_killed_run_left_goes(moodle, zipped):
    left = moodle / "downloaded" / UNIT / ".unpacked-x"
    left.mkdir(parents=True)
    collect.collect(moodle, UNIT, [zipped({GOOD: notebook()})])
    assert {one.name for one in (moodle / "downloaded" / UNIT).iterdir()} == {"collected.json"}


def test_without_a_roster_the_command_is_named(empty, zipped):
    with pytest.raises(Wrong, match=r"run `make roster FILE=\.\.\.` first"):
        collect.collect(empty, UNIT, [zipped({GOOD: notebook()})])


def test_the_class_has_every_odd_name_that_is_meant():
    names = "".join(f"{first} {last}" for _, first, last, *_ in CLASS)
    assert set(",\"'=+@|") <= set(names)
    assert any(unicodedata.bidirectional(one) == "AL" for one in names)
    assert names != unicodedata.normalize("NFD", names)
