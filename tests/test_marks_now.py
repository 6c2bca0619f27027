"""A mark is computed from what is known when it is asked for, whichever command ran before."""

import csv
import io
import re
import shutil
import subprocess
import sys
from dataclasses import replace

import nbformat
import pytest
from nbgrader.api import Gradebook
from rich.console import Console

from grading import report, submission, summary
from grading.analytics import __main__ as analytics
from grading.lms import people
from grading.term import by_hand, choices, gradebook, settle
from tests import classroom, sample_learners
from tools.patience import LONGEST

pytestmark = [pytest.mark.needs("sandbox"), pytest.mark.slow]

FIRST, SECOND = "02_queries_keys_values", "03_scaling"
EXERCISE, OTHER = "scaled_scores", "measure_score_std"
OF = {unit: float(sum(sample_learners.points(unit).values())) for unit in (FIRST, SECOND)}
CELLS = [f"{EXERCISE}-test", f"{EXERCISE}-few-test"]
POINTS = sample_learners.points(SECOND)
DUE = {FIRST: "2027-01-10T12:00:00+00:00", SECOND: "2027-01-17T12:00:00+00:00"}
TERM = f"""
[due]
{FIRST} = {DUE[FIRST]}
{SECOND} = {DUE[SECOND]}

[late]
days = 1
take_off = 0.1
"""


@pytest.fixture(scope="module")
def graded(tmp_path_factory, desk):
    """Two units of three people: ada in time, ben a day and an hour late in the second, cyd wrong there."""
    folder = classroom.fresh_course(tmp_path_factory.mktemp("now") / "course", [FIRST, SECOND])
    (folder / choices.FILE).write_text(TERM)
    for unit, day in ((FIRST, 10), (SECOND, 17)):
        for student in ("ada", "ben", "cyd"):
            answers = classroom.solved(unit)
            if (student, unit) == ("cyd", SECOND):
                answers = {**answers, EXERCISE: "def scaled_scores(Q, K):\n    return Q @ K.T"}
            place = classroom.hand_in(folder, unit, student, answers)
            late = (student, unit) == ("ben", SECOND)
            (place / "timestamp.txt").write_text(
                f"2027-01-{day + 1 if late else day} {13 if late else 11}:00:00 UTC"
            )
    done = desk.run(folder, "grading", "--workers", 1)
    assert done.returncode == 0, done.stdout + done.stderr
    shutil.copytree(folder, folder.parent / "kept")
    return folder


@pytest.fixture
def folder(graded):
    shutil.rmtree(graded)
    return shutil.copytree(graded.parent / "kept", graded)


@pytest.fixture
def grade(folder, desk):
    def run(*words):
        done = desk.run(folder, "grading", "--workers", 1, *words)
        assert done.returncode in (0, 1), done.stdout + done.stderr
        return " ".join(done.stdout.split())

    return run


@pytest.fixture
def marks(folder, desk):
    """What `make export` writes: marks by student and unit; and what it says."""

    def run():
        exporter = "grading.exports.marks_csv.MarksTable"
        done = desk.run(
            folder, "nbgrader", "export", "--exporter", exporter, "--to", str(folder / "marks.csv")
        )
        assert done.returncode == 0, done.stderr
        with open(folder / "marks.csv", newline="", encoding="utf-8-sig") as table:
            rows = list(csv.DictReader(table))
        found = {
            (row["student_id"], unit): float(row[column])
            for row in rows
            for unit in OF
            for column in row
            if column.startswith(unit) and row[column]
        }
        return found, done.stderr, {row["student_id"]: row["notes"] for row in rows}

    return run


def give(folder, student, points, exercise=EXERCISE, comment=None):
    with Gradebook(f"sqlite:///{folder}/gradebook.db", "attention-course") as book:
        book.find_grade(f"{exercise}-test", SECOND, SECOND, student).manual_score = points
        book.find_grade(f"{exercise}-test", SECOND, SECOND, student).needs_manual_grade = False
        if comment:
            book.find_comment(exercise, SECOND, SECOND, student).manual_comment = comment
        book.db.commit()


def hand_in(folder, unit, student, answers, when):
    place = classroom.hand_in(folder, unit, student, answers)
    (place / "timestamp.txt").write_text(when)


def test_late_days_and_what_is_taken_off_are_said(marks):
    found, _, notes = marks()
    assert found["ben", SECOND] == pytest.approx(0.9 * OF[SECOND])
    assert "1 day, 1:00:00 after the due date, 1 late day used, 0 left" in notes["ben"]
    assert notes["ada"] == ""


@pytest.mark.parametrize(("more", "late"), [("", 1), (f"[extensions.{SECOND}]\nben = 2\n", 0)])
def test_who_comes_after_their_date_came_late_also_where_nothing_is_taken_off(folder, grade, more, late):
    (folder / choices.FILE).write_text(TERM.replace("days = 1", "days = 3") + more)
    assert f"{SECOND} 3 3 {OF[SECOND] - POINTS[EXERCISE] / 3:.2f} {OF[SECOND]:g} 0 {late} " in grade()
    assert analytics.main([SECOND, "--course", str(folder)]) == 0
    assert f"\n{late} came late, " in (folder / "analytics.html").read_text("utf-8")


def test_a_penalty_follows_a_mark_that_is_changed_by_hand(folder, marks):
    give(folder, "ben", 0.0)
    found, said, _ = marks()
    right = 0.9 * (OF[SECOND] - POINTS[EXERCISE])
    assert found["ben", SECOND] == pytest.approx(right)
    assert f"changed since the last look: ben {0.9 * OF[SECOND]:g} -> {right:g} (by hand)" in said
    assert "changed since" not in marks()[1], "it is told once"


def test_a_late_day_that_goes_to_another_unit_changes_this_one_at_once(folder, grade, marks):
    hand_in(folder, FIRST, "ben", {**classroom.solved(FIRST), "nothing": ""}, "2027-01-10 15:00:00 UTC")
    assert "1 of 3 hand-ins are not graded as they are now (ben)" in marks()[1]
    said = grade(FIRST)
    assert f"Changed marks of {SECOND}: ben: {0.9 * OF[SECOND]:g} -> {0.8 * OF[SECOND]:g}" in said
    assert marks()[0]["ben", SECOND] == pytest.approx(0.8 * OF[SECOND])
    assert marks()[0]["ben", FIRST] == OF[FIRST]


@pytest.mark.parametrize("words", [("grading", SECOND), ("nbgrader", "autograde", SECOND, "--force")])
def test_an_attempt_without_a_time_is_not_late_by_the_one_before(folder, marks, desk, words):
    place = classroom.hand_in(folder, SECOND, "ben", {**classroom.solved(SECOND), "nothing": ""})
    (place / "timestamp.txt").unlink()
    done = desk.run(folder, *words)
    assert done.returncode == 0, done.stderr
    assert marks()[0]["ben", SECOND] == OF[SECOND]


def test_dates_and_extensions_count_without_a_grader(folder, marks):
    (folder / choices.FILE).write_text(TERM + f"[extensions.{SECOND}]\nben = 1\n")
    assert marks()[0]["ben", SECOND] == OF[SECOND]


def test_a_mark_by_hand_belongs_to_the_answer_that_was_seen(folder, grade, marks):
    give(folder, "cyd", 0.5, comment="nearly")
    assert marks()[0]["cyd", SECOND] == OF[SECOND] - POINTS[EXERCISE] + 0.5
    hand_in(folder, SECOND, "cyd", classroom.solved(SECOND), "2027-01-17 11:30:00 UTC")
    said = grade(SECOND)
    assert marks()[0]["cyd", SECOND] == OF[SECOND]
    assert f"set aside: cyd: {EXERCISE}: 0.5 points cyd: {EXERCISE}: a comment" in said
    assert "To be looked at in Formgrader: cyd" in said
    with open(folder / "reports" / "by_hand.csv", newline="", encoding="utf-8") as table:
        kept = [row for row in csv.DictReader(table) if row["student"] == "cyd"]
    assert [row["manual_score"] or row["comment"] for row in kept] == ["0.5", "nearly", "", ""]
    said = grade(SECOND, "--all")
    assert "To be looked at in Formgrader: cyd" in said, "nobody has decided yet"
    assert f"set aside: cyd: {EXERCISE}: 0.5 points" in said
    give(folder, "cyd", 1.0)
    assert "set aside" not in grade(SECOND)
    assert "set aside" not in grade(SECOND, "--all")


def test_an_exercise_of_two_test_cells_is_decided_once(tmp_path):
    with Gradebook(f"sqlite:///{tmp_path}/gradebook.db") as book:
        book.add_assignment(SECOND)
        book.add_notebook(SECOND, SECOND)
        for cell in CELLS:
            book.add_grade_cell(cell, SECOND, SECOND, max_score=1, cell_type="code")
        book.add_student("ada")
        gradebook.note_hand_in(book, SECOND, "ada", None)
        (notebook,) = book.find_submission(SECOND, "ada").notebooks

        def graded(points, replaced=()):
            gradebook.give(book, notebook, dict.fromkeys(CELLS, points), [EXERCISE], replaced)
            return gradebook.standings(book, SECOND)["ada"].wants_human

        assert graded(1.0)
        given = book.find_grade(CELLS[0], SECOND, SECOND, "ada")
        given.manual_score, given.needs_manual_grade = 0.5, False
        assert not gradebook.standings(book, SECOND)["ada"].wants_human
        assert not graded(1.0)
        assert not any(one.needs_manual_grade for one in notebook.grades)
        assert graded(0.0), "the grader says otherwise now"
        assert graded(0.0, [CELLS[0]]), "another answer"


def test_what_a_human_has_given_anew_is_not_said_to_be_set_aside(tmp_path):
    report.write(tmp_path, report.Report("ada", SECOND, set_aside=[f"{EXERCISE}: 1 points", f"{OTHER}: 1"]))
    standing = gradebook.Standing({EXERCISE: 1.0}, {EXERCISE: 1.0}, by_hand={EXERCISE}, wants_human=True)
    console = Console(file=io.StringIO(), width=100)
    found = replace(summary.NOTHING, standings={"ada": standing}, of={EXERCISE: 1.0})
    summary.show(console, tmp_path, SECOND, ["ada"], found)
    assert f"ada: {OTHER}: 1" in console.file.getvalue()
    assert f"ada: {EXERCISE}" not in console.file.getvalue()


def test_the_table_asks_nobody_to_look_at_what_a_human_has_decided_and_says_who_waits(folder, marks):
    one = report.read(folder, SECOND, "cyd")
    one.flags, one.doubtful = ["it looks odd"], [EXERCISE]
    report.write(folder, one)
    hand_in(folder, FIRST, "dan", classroom.solved(FIRST), "2027-01-10 11:00:00 UTC")
    with Gradebook(f"sqlite:///{folder}/gradebook.db", "attention-course") as book:
        book.add_student("dan")
    notes = marks()[2]
    assert notes["cyd"] == f"{SECOND}: worth a look: it looks odd"
    assert notes["dan"] == f"{FIRST}: no mark yet | {SECOND}: nothing handed in"
    give(folder, "cyd", 0.5)
    assert marks()[2]["cyd"] == f"{SECOND}: changed by hand"


def test_a_mark_by_hand_stays_where_that_answer_is_the_same(folder, grade, marks):
    give(folder, "cyd", 0.5)
    answers = classroom.solved(SECOND)
    answers[EXERCISE] = "def scaled_scores(Q, K):\n    return Q @ K.T"
    hand_in(
        folder, SECOND, "cyd", {**answers, OTHER: f"# again\n{answers[OTHER]}"}, "2027-01-17 11:30:00 UTC"
    )
    said = grade(SECOND)
    assert "2 of 3 are graded and unchanged" in said
    assert marks()[0]["cyd", SECOND] == OF[SECOND] - POINTS[EXERCISE] + 0.5
    assert "set aside" not in said
    assert "To be looked at" not in said, "a human has decided it"


def test_an_older_gradebook_is_noticed_and_what_was_given_comes_back(folder, grade, marks):
    shutil.copy(folder / "gradebook.db", folder / "older.db")
    give(folder, "cyd", 0.5, comment="nearly")
    marks()
    shutil.move(folder / "older.db", folder / "gradebook.db")
    said = grade(SECOND)
    assert f"cyd: {EXERCISE}: 0.5 points cyd: {EXERCISE}: a comment" in said
    assert "not in this gradebook any more" in said
    assert "2 marks and comments by hand are back." in grade(SECOND, "--by-hand")
    assert marks()[0]["cyd", SECOND] == OF[SECOND] - POINTS[EXERCISE] + 0.5
    assert "not in this gradebook" not in grade(SECOND)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f"[extensions.{SECOND}]\nbenn = 1\n", f"extensions.{SECOND}.benn: there is no benn"),
        (f"[extensions.{SECOND}]\nbenn = 1\n", "did you mean ben?"),
        (f"[points.{SECOND}]\nscaled_score = 1\n", "did you mean scaled_scores?"),
        (f'[exercises.{SECOND}]\nsoftmax = "drop"\n', f"{SECOND} has no exercise softmax with points"),
        ("[points.03_scalin]\nscaled_scores = 1\n", "did you mean 03_scaling?"),
    ],
)
def test_who_or_what_is_not_there_is_said_before_anything_is_done(folder, desk, text, says):
    (folder / choices.FILE).write_text(TERM + text)
    done = desk.run(folder, "grading", SECOND, "--workers", 1)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_a_section_that_is_not_there_is_named(folder, desk):
    class_ = people.People("canvas", {"ada": people.Person("ada", section="Monday")})
    people.save(folder, class_)
    (folder / choices.FILE).write_text(TERM + '[graders]\nkim = ["Munday"]\n')
    done = desk.run(folder, "grading", SECOND, "--workers", 1)
    assert done.returncode == 2
    assert "graders.kim: there is no section Munday; the sections are Monday." in done.stderr
    (folder / choices.FILE).write_text(TERM + '[graders]\nkim = ["Monday"]\n')
    give(folder, "ada", 0.5)
    right = classroom.solved(SECOND)
    again = {**right, EXERCISE: f"# again\n{right[EXERCISE]}"}
    hand_in(folder, SECOND, "ada", again, "2027-01-17 11:00:00 UTC")
    done = desk.run(folder, "grading", SECOND, "--workers", 1)
    assert "To be looked at in Formgrader, by kim: ada" in done.stdout


@pytest.mark.parametrize("words", [("export",), ("generate_feedback", SECOND), ("autograde", SECOND)])
def test_no_command_of_nbgrader_goes_on_with_a_choice_that_cannot_be(folder, words):
    (folder / choices.FILE).write_text("[late]\ndayz = 3\n")
    command = [sys.executable, "-m", "nbgrader", *words]
    done = subprocess.run(
        command, cwd=folder, env=classroom.environ(), capture_output=True, text=True, timeout=LONGEST
    )
    assert done.returncode == 1
    assert "Nothing was done. term.toml: late.dayz: expected late.days or late.take_off" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (folder / "grades.csv").exists()


@pytest.mark.parametrize(
    ("table", "says"),
    [
        (
            "[nbgrader.SandboxExecut]\n",
            "SandboxExecut: there is no such class: did you mean SandboxExecute?",
        ),
        (
            "[nbgrader.SandboxExecute]\nnotebook_second = 30\n",
            "SandboxExecute.notebook_second: there is no such setting: did you mean notebook_seconds?",
        ),
    ],
)
def test_a_setting_that_nobody_has_is_said(folder, table, says):
    (folder / choices.FILE).write_text(table)
    done = classroom.grade(folder, SECOND)
    assert done.returncode == 2, done.stdout
    assert says in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("export", "--to", "out.csv"),
        ("export", "--exporter", "grading.exports.marks_csv.MarksTable", "--to", "out.csv"),
        ("export", "--exporter", "grading.lms.moodle.MoodleExport", "--to", "out.csv"),
        ("generate_feedback", SECOND),
        ("autograde", SECOND, "--force"),
    ],
)
def test_nor_with_a_student_whom_nobody_knows(folder, desk, words):
    (folder / choices.FILE).write_text(TERM + f"[extensions.{SECOND}]\nbenn = 1\n")
    done = desk.run(folder, "nbgrader", *words)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert f"extensions.{SECOND}.benn: there is no benn on the roster" in done.stderr
    assert not (folder / "out.csv").exists()


def test_an_exercise_may_be_dropped_given_or_worth_something_else(folder, desk, grade, marks):
    before = {path: path.read_bytes() for path in folder.glob("solutions/*/*.ipynb")}
    (folder / choices.FILE).write_text(TERM + f'[exercises.{SECOND}]\n{EXERCISE} = "give"\n')
    assert "or term.toml asks for other points or tests" in marks()[1]
    said = grade(SECOND)
    assert f"cyd: {OF[SECOND] - POINTS[EXERCISE]:g} -> {OF[SECOND]:g}" in said
    assert "make notebooks" not in said
    assert "generate_assignment" not in said
    graded = (folder / "autograded" / "cyd" / SECOND / f"{SECOND}.ipynb").read_text(encoding="utf-8")
    assert "Everybody who handed in gets the points of this exercise." in graded
    (folder / choices.FILE).write_text(TERM + f'[exercises.{SECOND}]\n{EXERCISE} = "drop"\n')
    said = grade(SECOND)
    assert re.search(rf"{EXERCISE}\W+0\.00\W+0\W", said), "nobody is right, and nobody wrong"
    assert marks()[0]["cyd", SECOND] == marks()[0]["ada", SECOND] == OF[SECOND] - POINTS[EXERCISE]
    done = desk.run(folder, "nbgrader", "generate_feedback", SECOND, "--student=ada")
    assert done.returncode == 0, done.stderr
    page = (folder / "feedback" / "ada" / SECOND / f"{SECOND}.html").read_text(encoding="utf-8")
    assert f">{EXERCISE}</a>: does not count<" in page
    (folder / choices.FILE).write_text(TERM + f"[points.{SECOND}]\n{EXERCISE} = 10\n")
    said = grade(SECOND)
    assert f"{EXERCISE}-test is worth 10 points" in said
    assert marks()[0]["ada", SECOND] == OF[SECOND] - POINTS[EXERCISE] + 10
    assert {path: path.read_bytes() for path in folder.glob("solutions/*/*.ipynb")} == before


def test_a_task_that_a_human_marks_does_not_grade_everybody_again(folder, grade):
    path = folder / "solutions" / SECOND / f"{SECOND}.ipynb"
    made, about = (
        nbformat.read(path, 4),
        {"grade_id": "essay", "task": True, "points": 4, "schema_version": 3},
    )
    about |= {"grade": False, "solution": False, "locked": False, "cell_type": "markdown"}
    made.cells.append(nbformat.v4.new_markdown_cell("Write about it.", metadata={"nbgrader": about}))
    nbformat.write(made, path)
    assert "essay is new" in grade(SECOND)
    assert "3 of 3 are graded and unchanged" in grade(SECOND)


def test_points_by_hand_stand_below_what_is_dropped_or_given_on_the_learner_s_page_too(
    folder, grade, marks, desk
):
    give(folder, "cyd", 0.5)
    rest = OF[SECOND] - POINTS[EXERCISE]
    for instead, mark, most in (("drop", rest, rest), ("give", OF[SECOND], OF[SECOND])):
        (folder / choices.FILE).write_text(TERM + f'[exercises.{SECOND}]\n{EXERCISE} = "{instead}"\n')
        grade(SECOND)
        assert marks()[0]["cyd", SECOND] == marks()[0]["ada", SECOND] == mark
        assert desk.run(folder, "nbgrader", "generate_feedback", SECOND).returncode == 0
        page = (folder / "feedback" / "cyd" / SECOND / f"{SECOND}.html").read_text(encoding="utf-8")
        assert f"(Score: {mark} / {most})" in page
        says = "does not count" if instead == "drop" else f"{POINTS[EXERCISE]:.1f} of {POINTS[EXERCISE]:.1f}"
        assert f"{EXERCISE}</a>: {says}" in page
    (folder / choices.FILE).write_text(TERM)
    grade(SECOND)
    assert marks()[0]["cyd", SECOND] == rest + 0.5, "what was given is kept"


def test_who_gave_a_mark_is_noted_the_moment_it_is_given(folder, monkeypatch):
    monkeypatch.setenv(by_hand.MARKER, "kim")
    stop = by_hand.watch(folder)
    try:
        give(folder, "cyd", 0.5)
    finally:
        stop()
    (one,) = by_hand.by_cell(folder, SECOND, "cyd").values()
    assert (one.points, one.who) == (0.5, "kim")
    assert one.answer
    with settle.settled(submission.settings(folder)) as (_, known):
        assert known.lost == ()
    give(folder, "cyd", None)
    with settle.settled(submission.settings(folder)) as (_, known):
        assert [str(one) for one in known.lost] == [f"{EXERCISE}: 0.5 points"]
