"""Names in a zip that a file system, a terminal or a page would stumble over: kept, or one sentence."""

import unicodedata
import warnings
import zipfile

import pytest

from grading.lms import __main__ as lms
from grading.term import roster as class_roster
from tests import lms_files
from tests.lms_files import UNIT, moodle_name, notebook, take

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
    lms_files.read_class(folder, lms_files.canvas_gradebook())
    return folder


def handed_in(tmp_path, *names):
    """Zoë's notebook, and José's with two files and some of odd names beside."""
    path = tmp_path / "all.zip"
    with zipfile.ZipFile(path, "w") as made:
        for whole in (moodle_name("zoë"), moodle_name(STUDENT)):
            made.writestr(whole, notebook("answer"))
        for one in ("data.csv", "é.csv"):
            made.writestr(moodle_name(STUDENT, one), "1")
        for name in names:
            odd = zipfile.ZipInfo("x")
            odd.filename = odd.orig_filename = moodle_name(STUDENT, name)  # `ZipInfo` itself stops at a NUL
            with warnings.catch_warnings(action="ignore", category=UserWarning):  # of a name that is there
                made.writestr(odd, f"odd: {name}")
    return path


def everything(course):
    found = {str(path.relative_to(course)): path.read_bytes() for path in course.rglob("*") if path.is_file()}
    found.pop(".grading.lock", None)
    return found


def test_odd_names_are_kept_with_what_is_in_them_and_what_nobody_hands_in_is_left_out(
    course, tmp_path, capsys
):
    path = handed_in(tmp_path, *KEPT.values(), *LEFT_OUT.values())
    assert lms.main(["collect", UNIT, str(path), "--course", str(course)]) == 0
    files = everything(course / "submitted" / STUDENT / UNIT)
    ours = {f"{UNIT}.ipynb": notebook("answer").encode(), "data.csv": b"1", "é.csv": b"1"}
    assert files == ours | {name: f"odd: {name}".encode() for name in KEPT.values()}
    assert capsys.readouterr().out.startswith(f"{UNIT}: 2 collected")


def test_a_name_that_is_taken_keeps_nobody_from_being_collected(course):
    cases = dict(zip(lms_files.IDS, MOVED.values(), strict=False))
    files = {moodle_name("zoë"): notebook()}
    for student, (mine, others, _) in cases.items():
        files |= {moodle_name(student, mine): notebook("answer")}
        files |= {moodle_name(student, name): "odd" for name in others}
    times = dict.fromkeys(cases, "Friday, 20 November 2026, 1:05 PM")
    done = take(course, files, lms_files.moodle_worksheet(times=times))
    assert sorted(done.collected) == sorted(["zoë", *cases])
    for student, (_, _, kept) in cases.items():
        found = everything(course / "submitted" / student / UNIT)
        assert found.pop(f"{UNIT}.ipynb") == notebook("answer").encode()
        assert found.pop("timestamp.txt") == b"2026-11-20 13:05:00 UTC"
        assert found == dict.fromkeys(kept, b"odd")


def test_a_dangerous_name_is_one_line_that_a_terminal_can_show(course, tmp_path, capsys):
    before = everything(course)
    for name, why in REFUSED.values():
        assert lms.main(["collect", UNIT, str(handed_in(tmp_path, name)), "--course", str(course)]) == 2
        said = capsys.readouterr().err
        assert why in said
        assert said.count("\n") == 1
        assert len(said) < 600
        assert said.strip().isprintable()
        assert everything(course) == before, why


def test_a_folder_whose_name_formgrader_would_run_is_not_graded(tmp_path):
    odd = ["<b>", 'a"b', "a\\b", '"><img src=x onerror=ran()>']
    found = class_roster.look(tmp_path, {}, [*odd, "ada"])
    assert sorted(found.refused) == sorted(odd)
    assert all("rename the folder" in why for why in found.refused.values())
