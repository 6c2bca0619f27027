"""The commands: one line when something is wrong, nothing that a terminal obeys, one at a time."""

import fcntl
import shutil
import subprocess

import pytest

from grading import course_folder, submission
from grading.lms import __main__ as lms
from grading.lms import lines as shared
from tests import lms_files
from tests.lms_files import CLASS, IDS, ROOT, UNIT

pytestmark = pytest.mark.needs("sandbox")


@pytest.fixture
def course(tmp_path, templates):
    submission.settings.cache_clear()
    return lms_files.course(tmp_path / "course", templates)


@pytest.fixture
def run(course, capsys):
    """Run a command; its exit code, its lines, and its errors."""

    def go(*words):
        code = lms.main([*map(str, words), "--course", str(course)])
        said = capsys.readouterr()
        return code, said.out.splitlines(), said.err

    return go


@pytest.fixture
def files(tmp_path):
    (tmp_path / "canvas.csv").write_bytes(lms_files.table(lms_files.canvas_gradebook()))
    names = {lms_files.canvas_name(name, attachment=9): lms_files.notebook(name) for name in IDS}
    lms_files.make_zip(tmp_path / "all.zip", names)
    return tmp_path


def test_the_whole_way(run, files, course):
    code, said, err = run("roster", files / "canvas.csv")
    assert (code, err) == (0, "")
    assert said[1].startswith("New (8): ada, josé")
    code, said, err = run("collect", UNIT, files / "all.zip")
    assert (code, said[0], err) == (0, f"{UNIT}: 8 collected, 0 unchanged.", "")
    lms_files.give(course, dict.fromkeys(IDS, 2.0))
    code, said, err = run("marks", "canvas", UNIT, "--sections", "A")
    assert (code, said[-1], err) == (0, f"8 students, {UNIT}: {course}/canvas-A.csv", "")
    code, said, err = run("marks", "canvas", UNIT, "--sections", "A and B", "B")
    assert (code, said[-1], err) == (0, f"4 students, {UNIT}: {course}/canvas-A_and_B-B.csv", "")
    assert not (course / "canvas.csv").exists(), "no section's file replaces the whole class's"
    code, said, err = run("marks", "table", "--sections", "B")
    assert (code, said) == (0, [f"4 students: {course}/marks-B.csv"])
    assert "cannot be read" in err, "nobody knows whether all of it is graded"
    table = (course / "marks-B.csv").read_text("utf-8-sig").splitlines()
    assert table[0].startswith(
        f"student_id,last_name,first_name,email,{lms_files.OTHER} (of 5),{UNIT} (of 8),sum"
    )
    even = {name for name, _, _, number, _ in CLASS if not number % 2}
    assert {row.partition(",")[0] for row in table[1:]} == even
    code, said, err = run("feedback", "canvas", UNIT)
    assert (code, said) == (2, [])
    assert f"run `nbgrader generate_feedback {UNIT}` first" in err
    assert run("marks", "canvas")[0] == 0
    lms_files.make_zip(course / f"moodle-feedback-{UNIT}.zip", {})
    shutil.copy(ROOT / ".gitignore", course)
    git = {"cwd": course, "check": True, "capture_output": True, "text": True}
    subprocess.run(["git", "init", "--quiet"], **git)
    done = subprocess.run(["git", "status", "--porcelain", "--untracked-files=all"], **git)
    solutions = {f"solutions/{unit}/{unit}.ipynb" for unit in (UNIT, lms_files.OTHER)}
    shown = {line[3:] for line in done.stdout.splitlines()}
    assert shown == {".gitignore", "nbgrader_config.py", *solutions}, "nobody's name would be published"


def test_a_newer_worksheet_with_another_maximum_is_kept_for_the_next_export(run, course, tmp_path):
    (tmp_path / "list.csv").write_bytes(lms_files.table(lms_files.moodle_participants()))
    run("roster", tmp_path / "list.csv")
    ids = [code for *_, code in CLASS]
    lms_files.give(course, dict.fromkeys(ids, 2.0))
    for name, most in (("old", "6.00"), ("new", "8.00")):
        rows = lms_files.moodle_worksheet(most=most)
        (tmp_path / f"{name}.csv").write_bytes(lms_files.table(rows, bom=True))
    zipped = lms_files.make_zip(tmp_path / "all.zip", {lms_files.moodle_name("ada"): lms_files.notebook()})
    run("collect", UNIT, zipped, "--worksheet", tmp_path / "old.csv")
    code, said, err = run("marks", "moodle", UNIT)
    assert (code, said) == (2, [])
    assert err.startswith(f"{UNIT} is of 8 points here and of 6.00 in Moodle; nothing was written: ")
    assert not (course / f"moodle-{UNIT}.csv").exists()
    for words in (["--worksheet", tmp_path / "new.csv"], []):
        code, said, err = run("marks", "moodle", UNIT, *words)
        assert (code, said[-1], err) == (0, f"8 marks: {course}/moodle-{UNIT}.csv", "")
    kept = (course / "downloaded" / UNIT / "worksheet.csv").read_text("utf-8")
    assert kept.replace("\r\n", "\n") == (tmp_path / "new.csv").read_text("utf-8-sig")


def test_what_is_wrong_is_one_line(run, files, course):
    def wrong(*words):
        code, said, err = run(*words)
        assert (code, said, err.count("\n")) == (2, [], 1), words
        assert "Traceback" not in err
        return err

    assert "invalid choice: 'rooster'" in wrong("rooster", "x")
    assert "arguments are required: FILE" in wrong("roster")
    assert "There is no file none.csv" in wrong("roster", "none.csv")
    said = wrong("collect", "05_sofmax", "x.zip")
    assert "There is no unit 05_sofmax: did you mean 05_softmax?" in said
    assert "There is no unit ../.." in wrong("collect", "../..", "x.zip")
    for words in (("collect", UNIT, "x.zip"), ("marks", "canvas"), ("feedback", "moodle", UNIT)):
        assert "run `make roster FILE=...` first" in wrong(*words)
    said = wrong("marks", "canvas", UNIT, "--worksheet", "x.csv")
    assert "A worksheet is of one assignment of Moodle" in said
    with open(course / ".grading.lock", "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        said = wrong("roster", files / "canvas.csv")
    assert said == f"Another grader is at work in {course}: wait for it, or stop it.\n"
    run("roster", files / "canvas.csv")
    lms_files.give(course, dict.fromkeys(IDS, 2.0))
    assert "--column expects UNIT=COLUMN" in wrong("marks", "canvas", "--column", "Unit 05")
    (course / "gradebook.db").write_bytes(b"no database at all" * 100)
    assert "it is damaged: put your copy of it back" in wrong("roster", files / "canvas.csv")


def test_no_command_and_another_folder_are_one_line(capsys, tmp_path):
    for words, says in (
        ([], "The following arguments are required: roster|collect|marks|feedback|messages"),
        (["roster", "x.csv", "--course", str(tmp_path)], f"There is no nbgrader_config.py in {tmp_path}"),
    ):
        assert lms.main(words) == 2
        err = capsys.readouterr().err
        assert err.startswith(says)
        assert err.count("\n") == 1


def test_what_is_left_of_a_killed_grader_is_waited_for(course, monkeypatch):
    with open(course / ".grading.lock", "w") as left:
        fcntl.flock(left, fcntl.LOCK_EX)
        ends = []  # the worker that holds it ends while it is waited for
        monkeypatch.setattr(
            course_folder.time, "sleep", lambda _: ends.append(fcntl.flock(left, fcntl.LOCK_UN))
        )
        with course_folder.alone(course):
            assert len(ends) == 1


def test_names_cannot_command_a_terminal(run, course, tmp_path):
    people = [("ada", "A\x1b[2Jda", "Love\u202elace", 1, ""), *CLASS[1:]]
    (tmp_path / "list.csv").write_bytes(lms_files.table(lms_files.canvas_gradebook(people)))
    run("roster", tmp_path / "list.csv")
    lms_files.make_zip(tmp_path / "all.zip", {"x\u202ey_77_5_x.ipynb": "", "love_1_6_a\u202eb.pdf": ""})
    code, said, err = run("collect", UNIT, tmp_path / "all.zip")
    assert code == 1, "somebody is left out"
    text = "\n".join(said) + err
    assert "x\N{REPLACEMENT CHARACTER}y (77)" in text
    assert "a\N{REPLACEMENT CHARACTER}b.pdf" in text
    assert shared.plain(text.replace("\n", "")) == text.replace("\n", "")


@pytest.mark.skipif(not shutil.which("make"), reason="there is no make")
def test_make_hands_on_what_is_asked():
    export = ["export", "LMS=moodle", f"UNIT={UNIT}", "ARGS=--to x.csv"]
    for words, line in (
        (["roster", "FILE=my class.csv"], 'tools/course.py roster "my class.csv"'),
        (["collect", f"UNIT={UNIT}", "FILE=all.zip"], f'tools/course.py collect {UNIT} "all.zip"'),
        (["messages", f"UNIT={UNIT}"], f"tools/course.py messages {UNIT}"),
        (export, f"tools/course.py export moodle {UNIT} --to x.csv"),
        (["feedback", "LMS=moodle", f"UNIT={UNIT}"], f"tools/course.py feedback moodle {UNIT}"),
    ):
        done = subprocess.run(["make", "-n", *words], cwd=ROOT, capture_output=True, text=True, check=True)
        assert line in " ".join(done.stdout.split())


def test_make_takes_somebody_left_out_for_no_failure(monkeypatch):
    from tools import commands

    for code, made in ((0, 0), (1, 0), (2, 2)):
        monkeypatch.setattr(commands, "run", lambda words, code=code: code)
        assert {commands.COMMANDS[name](["canvas", "x"]) for name in ("roster", "collect", "export")} == {
            made
        }


def test_make_feedback_says_a_line_and_a_section_is_for_people_too(monkeypatch, capsys):
    from tools import commands

    asked = []
    monkeypatch.setattr(commands, "run", lambda words: asked.append([*map(str, words)][1:]) or 0)
    assert commands.feedback([UNIT]) == 0
    assert asked == [["-m", "nbgrader", "generate_feedback", "--log-level=ERROR", UNIT]]
    assert capsys.readouterr().out.startswith("Everybody's graded notebook is in feedback/: ")
    assert commands.feedback(["moodle", UNIT, "--sections", "Monday"]) == 0
    assert asked[-1] == ["-m", "grading.lms", "feedback", "moodle", UNIT, "--sections", "Monday"]
    assert commands.export(["--sections", "Monday"]) == 0
    assert asked[-1] == ["-m", "grading.lms", "marks", "table", "--sections", "Monday"]
