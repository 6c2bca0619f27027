"""Names in a zip that a file system, a terminal or a page would stumble over: kept, or one sentence."""

import stat
import unicodedata
import warnings
import zipfile

import pytest

from grading import submission
from grading.lms import __main__ as lms
from grading.lms import collect, roster
from grading.term import roster as class_roster
from tests import lms_files
from tests.lms_files import UNIT, canvas_name, moodle_name, notebook

pytestmark = [pytest.mark.needs("sandbox")]

STUDENT = "josé"
KEPT = {
    "emoji": "🎉 👩‍🔬.csv",
    "right to left": "نور.csv",
    "turned around": "gpj\u202evsc.csv",
    "of no width": "a\u200bb.csv",
    "capitals": "DATA.CSV",
    "another Unicode form": unicodedata.normalize("NFD", "é.csv"),
    "a device of Windows": "CON",
    "a device of Windows with an ending": "aux.csv",
    "a point at the end": "data.csv.",
    "a blank at the end": "data.csv ",
    "a stream of Windows": "data.csv:x",
    "points alone": "...",
    "a formula": "=cmd|'!A0.csv",
    "markup": "<img src=x onerror=ran()>.csv",
    "an option": "--help",
    "a pattern": "[*]?.csv",
    "a variable": "$HOME %PATH%.csv",
}
MOVED = {
    "a folder called as the unit's notebook": ("mine.ipynb", [f"{UNIT}.ipynb/x"], {f"other/{UNIT}.ipynb/x"}),
    "a folder called as the time": (f"{UNIT}.ipynb", ["timestamp.txt/x"], {"other/timestamp.txt/x"}),
    "a folder called as the group": (f"{UNIT}.ipynb", ["Group.txt/x"], {"other/Group.txt/x"}),
    "a file in the way": (
        f"{UNIT}.ipynb",
        ["other", f"{UNIT.upper()}.ipynb"],
        {"other", f"other-2/{UNIT.upper()}.ipynb"},
    ),
}
LEFT_OUT = {"a checkpoint": f".ipynb_checkpoints/{UNIT}.ipynb", "the time": "timestamp.txt"}
REFUSED = {
    "newline": ("a\nb.csv", "has a control character"),
    "tab": ("a\tb.csv", "has a control character"),
    "NUL": ("a\0b.csv", "has a control character"),
    "escape": ("a\x1b[2Jb.csv", "has a control character"),
    "escape of 8 bits": ("a\x9b2Jb.csv", "has a control character"),
    "line separator": ("a\u2028b.csv", "has a control character"),
    "300 letters": ("x" * 300 + ".csv", "has a name that is too long"),
    "300 folders": ("d/" * 600 + "x.csv", "has a name that is too long"),
    "the folder above": ("../x.csv", "leads out of the folder"),
    "the folder above of Windows": ("..\\x.csv", "leads out of the folder"),
    "a file called as a folder": ("data.csv/x", "lies in a file, which is no folder"),
    "a folder called as the notebook": (f"{UNIT}.ipynb/x", "lies in a file, which is no folder"),
    "the same twice": ("data.csv", "is there twice"),
}


@pytest.fixture
def course(tmp_path, templates):
    folder = lms_files.course(tmp_path / "course", templates)
    (tmp_path / "list.csv").write_bytes(lms_files.table(lms_files.canvas_gradebook()))
    roster.into(folder, submission.settings(folder), tmp_path / "list.csv")
    return folder


def handed_in(tmp_path, name):
    """Zoë's notebook, and José's with two files and one of a name beside."""
    path = tmp_path / "all.zip"
    with zipfile.ZipFile(path, "w") as made:
        for whole in (moodle_name("zoë"), moodle_name(STUDENT)):
            made.writestr(whole, notebook("answer"))
        for one in ("data.csv", "é.csv"):
            made.writestr(moodle_name(STUDENT, one), "1")
        odd = zipfile.ZipInfo("x")
        odd.filename = odd.orig_filename = moodle_name(STUDENT, name)  # `ZipInfo` itself stops at a NUL
        with warnings.catch_warnings(action="ignore", category=UserWarning):  # of a name that is there
            made.writestr(odd, "odd")
    return path


def everything(course):
    return {str(path.relative_to(course)): path.read_bytes() for path in course.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", KEPT.values(), ids=KEPT)
def test_an_odd_name_is_kept_with_what_is_in_it(course, tmp_path, capsys, name):
    assert lms.main(["collect", UNIT, str(handed_in(tmp_path, name)), "--course", str(course)]) == 0
    files = everything(course / "submitted" / STUDENT / UNIT)
    assert files == {
        f"{UNIT}.ipynb": notebook("answer").encode(),
        "data.csv": b"1",
        "é.csv": b"1",
        name: b"odd",
    }
    assert capsys.readouterr().out.startswith(f"{UNIT}: 2 collected")


@pytest.mark.parametrize(("mine", "others", "kept"), MOVED.values(), ids=MOVED)
def test_a_name_that_is_taken_keeps_nobody_from_being_collected(course, tmp_path, mine, others, kept):
    files = {moodle_name("zoë"): notebook(), moodle_name(STUDENT, mine): notebook("answer")}
    files |= {moodle_name(STUDENT, name): "odd" for name in others}
    rows = lms_files.moodle_worksheet(times={STUDENT: "Friday, 20 November 2026, 1:05 PM"})
    (tmp_path / "sheet.csv").write_bytes(lms_files.table(rows))
    path = lms_files.make_zip(tmp_path / "all.zip", files)
    done = collect.collect(course, UNIT, [path], tmp_path / "sheet.csv", "UTC")
    assert sorted(done.collected) == sorted(["zoë", STUDENT])
    files = everything(course / "submitted" / STUDENT / UNIT)
    assert files.pop(f"{UNIT}.ipynb") == notebook("answer").encode()
    assert files.pop("timestamp.txt") == b"2026-11-20 13:05:00 UTC"
    assert files == dict.fromkeys(kept, b"odd")


@pytest.mark.parametrize("name", LEFT_OUT.values(), ids=LEFT_OUT)
def test_what_nobody_hands_in_is_left_out(course, tmp_path, name):
    assert collect.collect(course, UNIT, [handed_in(tmp_path, name)]).collected == ["zoë", STUDENT]
    assert set(everything(course / "submitted" / STUDENT / UNIT)) == {f"{UNIT}.ipynb", "data.csv", "é.csv"}


@pytest.mark.parametrize(("name", "why"), REFUSED.values(), ids=REFUSED)
def test_a_dangerous_name_is_one_line_that_a_terminal_can_show(course, tmp_path, capsys, name, why):
    before = everything(course)
    assert lms.main(["collect", UNIT, str(handed_in(tmp_path, name)), "--course", str(course)]) == 2
    said = capsys.readouterr().err
    assert why in said
    assert said.count("\n") == 1
    assert len(said) < 600
    assert said.strip().isprintable()
    after = everything(course)
    after.pop(".grading.lock", None)
    assert after == {name: data for name, data in before.items() if name != ".grading.lock"}


def test_a_link_in_a_zip_is_none_afterwards(course, tmp_path, capsys):
    path = handed_in(tmp_path, "x.csv")
    link = zipfile.ZipInfo(moodle_name(STUDENT, "link"))
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "a") as made:
        made.writestr(link, "../../../gradebook.db")
    assert lms.main(["collect", UNIT, str(path), "--course", str(course)]) == 2
    assert "is a link or a special file" in capsys.readouterr().err
    assert not (course / "submitted").exists()


@pytest.mark.parametrize(
    "name", [lambda file: moodle_name(STUDENT, file), lambda file: canvas_name(STUDENT, file, len(file))]
)
def test_two_notebooks_of_one_learner_are_said_in_one_line_and_nothing_is_lost(course, tmp_path, name):
    path = tmp_path / "two.zip"
    lms_files.make_zip(path, {name("mine.ipynb"): notebook("1"), name("last one.ipynb"): notebook("2")})
    before = path.read_bytes()
    done = collect.collect(course, UNIT, [path])
    (why,) = done.skipped.values()
    assert "mine.ipynb" in why
    assert "last one.ipynb" in why
    assert why.count("\n") == 0
    assert not (course / "submitted" / STUDENT).exists()
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", ["<b>", 'a"b', "a\\b", '"><img src=x onerror=ran()>'])
def test_a_folder_whose_name_formgrader_would_run_is_not_graded(tmp_path, name):
    found = class_roster.look(tmp_path, {}, [name, "ada"])
    assert list(found.refused) == [name]
    assert "rename the folder" in found.refused[name]
