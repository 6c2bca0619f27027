"""A mark is computed from what is known when it is asked for, whichever command ran before; and regrades."""

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

from grading import regrades, report, summary
from grading.analytics import __main__ as analytics
from grading.lms import people
from grading.term import by_hand, choices, gradebook, requests
from tests import classroom, sample_learners
from tools.patience import LONGEST

pytestmark = [pytest.mark.needs("sandbox"), pytest.mark.slow]

FIRST, SECOND = "02_queries_keys_values", "03_scaling"
EXERCISE, OTHER = "scaled_scores", "measure_score_std"
OF = {unit: float(sum(sample_learners.points(unit).values())) for unit in (FIRST, SECOND)}
CELLS = [f"{EXERCISE}-test", f"{EXERCISE}-few-test"]
POINTS = sample_learners.points(SECOND)
DUE = {FIRST: "2027-01-10T12:00:00+00:00", SECOND: "2027-01-17T12:00:00+00:00"}
WRONG = "def scaled_scores(Q, K):\n    return Q @ K.T"
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
                answers = {**answers, EXERCISE: WRONG}
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


def test_what_the_table_says_of_who_was_late_who_waits_and_what_a_human_decided(folder, marks):
    one = report.read(folder, SECOND, "cyd")
    one.flags, one.doubtful = ["it looks odd"], [EXERCISE]
    report.write(folder, one)
    hand_in(folder, FIRST, "dan", classroom.solved(FIRST), "2027-01-10 11:00:00 UTC")
    with Gradebook(f"sqlite:///{folder}/gradebook.db", "attention-course") as book:
        book.add_student("dan")
    found, _, notes = marks()
    assert found["ben", SECOND] == pytest.approx(0.9 * OF[SECOND])
    assert "1 day, 1:00:00 after the due date, 1 late day used, 0 left" in notes["ben"]
    assert notes["ada"] == ""
    assert notes["cyd"] == f"{SECOND}: worth a look: it looks odd"
    assert notes["dan"] == f"{FIRST}: no mark yet | {SECOND}: nothing handed in"
    give(folder, "ben", 0.0)
    give(folder, "cyd", 0.5)
    found, said, notes = marks()
    right = 0.9 * (OF[SECOND] - POINTS[EXERCISE])
    assert found["ben", SECOND] == pytest.approx(right), "what is taken off follows"
    assert f"changed since the last look: ben {0.9 * OF[SECOND]:g} -> {right:g} (by hand)" in said
    assert notes["cyd"] == f"{SECOND}: changed by hand"
    assert "changed since" not in marks()[1], "it is told once"
    (folder / choices.FILE).write_text(TERM + f"[extensions.{SECOND}]\nben = 1\n")
    assert marks()[0]["ben", SECOND] == OF[SECOND] - POINTS[EXERCISE], "no grader has run since"


def test_who_comes_after_their_date_came_late_also_where_nothing_is_taken_off(folder, grade):
    for more, late in (("", 1), (f"[extensions.{SECOND}]\nben = 2\n", 0)):
        (folder / choices.FILE).write_text(TERM.replace("days = 1", "days = 3") + more)
        assert f"{SECOND} 3 3 {OF[SECOND] - POINTS[EXERCISE] / 3:.2f} {OF[SECOND]:g} 0 {late} " in grade()
        assert analytics.main([SECOND, "--course", str(folder)]) == 0
        assert f"\n{late} came late, " in (folder / "analytics.html").read_text("utf-8")


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


def test_a_mark_by_hand_belongs_to_the_answer_that_was_seen(folder, grade, marks):
    give(folder, "cyd", 0.5, comment="nearly")
    answers = {**classroom.solved(SECOND), EXERCISE: WRONG}
    answers[OTHER] = f"# again\n{answers[OTHER]}"
    hand_in(folder, SECOND, "cyd", answers, "2027-01-17 11:30:00 UTC")
    said = grade(SECOND)
    assert "2 of 3 are graded and unchanged" in said
    assert marks()[0]["cyd", SECOND] == OF[SECOND] - POINTS[EXERCISE] + 0.5, "that answer is the same"
    assert "set aside" not in said
    assert "To be looked at" not in said, "a human has decided it"
    hand_in(folder, SECOND, "cyd", classroom.solved(SECOND), "2027-01-17 11:30:00 UTC")
    said = grade(SECOND)
    assert marks()[0]["cyd", SECOND] == OF[SECOND]
    assert f"set aside: cyd: {EXERCISE}: 0.5 points cyd: {EXERCISE}: a comment" in said
    assert "To be looked at in Formgrader: cyd" in said
    with open(folder / "reports" / "by_hand.csv", newline="", encoding="utf-8") as table:
        kept = [row for row in csv.DictReader(table) if row["student"] == "cyd"]
    assert [row["manual_score"] or row["comment"] for row in kept] == ["0.5", "nearly", "", ""]
    people.save(folder, people.People("canvas", {"cyd": people.Person("cyd", section="Monday")}))
    (folder / choices.FILE).write_text(TERM + '[graders]\nkim = ["Monday"]\n')
    said = grade(SECOND, "--all")
    assert "To be looked at in Formgrader, by kim: cyd" in said, "nobody has decided yet"
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


def test_who_or_what_is_not_there_is_said_before_anything_is_done(folder, desk):
    people.save(folder, people.People("canvas", {"ada": people.Person("ada", section="Monday")}))
    for text, says in (
        (f"[extensions.{SECOND}]\nbenn = 1\n", f"extensions.{SECOND}.benn: there is no benn"),
        (f"[points.{SECOND}]\nscaled_score = 1\n", "did you mean scaled_scores?"),
        (f'[exercises.{SECOND}]\nsoftmax = "drop"\n', f"{SECOND} has no exercise softmax with points"),
        ("[points.03_scalin]\nscaled_scores = 1\n", "did you mean 03_scaling?"),
        ('[graders]\nkim = ["Munday"]\n', "there is no section Munday; the sections are Monday."),
        ("[nbgrader.SandboxExecut]\n", "SandboxExecut: there is no such class: did you mean SandboxExecute?"),
        (
            "[nbgrader.SandboxExecute]\nnotebook_second = 30\n",
            "SandboxExecute.notebook_second: there is no such setting: did you mean notebook_seconds?",
        ),
    ):
        (folder / choices.FILE).write_text(TERM + text)
        done = desk.run(folder, "grading", SECOND, "--workers", 1)
        assert done.returncode == 2, done.stdout
        assert says in done.stderr
        assert "Traceback" not in done.stderr


def test_no_command_of_nbgrader_goes_on_with_a_choice_or_a_student_that_cannot_be(folder, desk):
    (folder / choices.FILE).write_text("[late]\ndayz = 3\n")
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", "export"],
        cwd=folder,
        env=classroom.environ(),
        capture_output=True,
        text=True,
        timeout=LONGEST,
    )
    assert done.returncode == 1
    assert "Nothing was done. term.toml: late.dayz: expected late.days or late.take_off" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (folder / "grades.csv").exists()
    (folder / choices.FILE).write_text(TERM + f"[extensions.{SECOND}]\nbenn = 1\n")
    for words in (
        ("export", "--to", "out.csv"),
        ("export", "--exporter", "grading.exports.marks_csv.MarksTable", "--to", "out.csv"),
        ("export", "--exporter", "grading.lms.moodle.MoodleExport", "--to", "out.csv"),
        ("generate_feedback", SECOND),
        ("autograde", SECOND, "--force"),
    ):
        done = desk.run(folder, "nbgrader", *words)
        assert done.returncode == 1
        assert "Traceback" not in done.stderr
        assert f"extensions.{SECOND}.benn: there is no benn on the roster" in done.stderr
        assert not (folder / "out.csv").exists()


def test_an_exercise_may_be_dropped_given_or_worth_something_else_above_points_by_hand(
    folder, desk, grade, marks
):
    def pages():
        assert desk.run(folder, "nbgrader", "generate_feedback", SECOND).returncode == 0
        return {
            path.parent.parent.name: path.read_text("utf-8") for path in folder.glob("feedback/*/*/*.html")
        }

    before = {path: path.read_bytes() for path in folder.glob("solutions/*/*.ipynb")}
    rest, points = OF[SECOND] - POINTS[EXERCISE], POINTS[EXERCISE]
    give(folder, "cyd", 0.5)
    (folder / choices.FILE).write_text(TERM + f'[exercises.{SECOND}]\n{EXERCISE} = "give"\n')
    assert "or term.toml asks for other points or tests" in marks()[1]
    said = grade(SECOND)
    assert f"cyd: {rest + 0.5:g} -> {OF[SECOND]:g}" in said
    assert "make notebooks" not in said
    assert "generate_assignment" not in said
    graded = (folder / "autograded" / "cyd" / SECOND / f"{SECOND}.ipynb").read_text(encoding="utf-8")
    assert "Everybody who handed in gets the points of this exercise." in graded
    found = marks()[0]
    assert found["cyd", SECOND] == found["ada", SECOND] == OF[SECOND]
    shown = pages()["cyd"]
    assert f"(Score: {OF[SECOND]} / {OF[SECOND]})" in shown
    assert f"{EXERCISE}</a>: {points:.1f} of {points:.1f}" in shown
    (folder / choices.FILE).write_text(TERM + f'[exercises.{SECOND}]\n{EXERCISE} = "drop"\n')
    said = grade(SECOND)
    assert re.search(rf"{EXERCISE}\W+0\.00\W+0\W", said), "nobody is right, and nobody wrong"
    found = marks()[0]
    assert found["cyd", SECOND] == found["ada", SECOND] == rest
    shown = pages()
    assert f"(Score: {rest} / {rest})" in shown["cyd"]
    assert f"{EXERCISE}</a>: does not count" in shown["cyd"]
    assert f">{EXERCISE}</a>: does not count<" in shown["ada"]
    (folder / choices.FILE).write_text(TERM + f"[points.{SECOND}]\n{EXERCISE} = 10\n")
    assert f"{EXERCISE}-test is worth 10 points" in grade(SECOND)
    found = marks()[0]
    assert found["ada", SECOND] == rest + 10
    assert found["cyd", SECOND] == rest + 0.5, "what was given is kept"
    assert {path: path.read_bytes() for path in folder.glob("solutions/*/*.ipynb")} == before


def test_a_task_that_a_human_marks_does_not_grade_everybody_again(folder, grade):
    path = folder / "solutions" / SECOND / f"{SECOND}.ipynb"
    made = nbformat.read(path, 4)
    about = {"grade_id": "essay", "task": True, "points": 4, "schema_version": 3}
    about |= {"grade": False, "solution": False, "locked": False, "cell_type": "markdown"}
    made.cells.append(nbformat.v4.new_markdown_cell("Write about it.", metadata={"nbgrader": about}))
    nbformat.write(made, path)
    assert "essay is new" in grade(SECOND)
    assert "3 of 3 are graded and unchanged" in grade(SECOND)


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


# Regrade requests


def request(folder, capsys, *words):
    code = regrades.main([*words, "--course", str(folder)])
    return code, capsys.readouterr()


def test_from_a_regrade_request_to_the_learner_s_page(folder, grade, desk, capsys):
    before = OF[SECOND] - POINTS[EXERCISE]
    asks = "=1+1 says that\nmy scores are right"
    code, said = request(folder, capsys, SECOND, "--student", "cyd", "--asks", asks)
    assert code == 0, said.err
    assert f"The mark is {before:g}." in said.out
    code, said = request(folder, capsys, SECOND, "--student", "cyd", "--asks", "really?")
    assert code == 2
    assert "cyd has an open request for 03_scaling, asked on" in said.err
    assert "Regrade requests, not yet decided: cyd: asked on" in grade(SECOND)
    assert "1 open, 0 decided" in request(folder, capsys)[1].out
    give(folder, "cyd", 0.5)
    code, said = request(folder, capsys, SECOND, "--student", "cyd", "--decided", "half is right")
    assert f"{before:g} -> {before + 0.5:g}" in said.out
    assert "not yet decided" not in grade(SECOND)
    (one,) = requests.of(requests.read(folder), SECOND, "cyd")
    assert (one.is_open, one.why) == (False, "half is right")
    with open(folder / requests.FILE, newline="", encoding="utf-8-sig") as table:
        assert next(csv.DictReader(table))["asks"].startswith("'="), "no spreadsheet runs it"
    done = desk.run(folder, "nbgrader", "generate_feedback", SECOND)
    assert done.returncode == 0, done.stderr
    page = (folder / "feedback" / "cyd" / SECOND / f"{SECOND}.html").read_text(encoding="utf-8")
    assert "half is right" in page
    late = (folder / "feedback" / "ben" / SECOND / f"{SECOND}.html").read_text(encoding="utf-8")
    assert "Your notebook came 1 day, 1:00:00 after the due date, 1 late day used, 0 left." in late
    assert "half is right" not in late


def test_a_request_that_cannot_be_is_said_in_a_sentence(folder, capsys):
    asks = ("--asks", "why?")
    for words, says in (
        ((SECOND, "--student", "cydd", *asks), "cydd has no hand-in of 03_scaling that was"),
        (("03_scalin", "--student", "cyd", *asks), "did you mean 03_scaling?"),
        ((SECOND, "--student", "cyd", "--decided", "no"), "cyd has no open request for 03_scaling"),
        ((SECOND, *asks), "Expected UNIT=... STUDENT=..."),
        ((SECOND, "--student", "cyd", *asks, "--decided", "b"), 'either ASKS="..." or DECIDED="..."'),
    ):
        code, said = request(folder, capsys, *words)
        assert code == 2
        assert says in said.err
        assert not (folder / requests.FILE).exists()


def test_a_file_of_requests_that_was_spoiled_is_not_overwritten(tmp_path):
    classroom.fresh_course(tmp_path, [])
    header = ",".join(requests.COLUMNS)
    for text, says in (
        ("unit,student\n", "has no column asked"),
        (f"{header}\n05,ada,2027-01-01,für,,,,,\n", "regrades.csv is not in UTF-8: save it"),
        (f"{header}\n05,,2027-01-01,why,,,,,\n", "Row 2 of regrades.csv has no student"),
    ):
        (tmp_path / requests.FILE).write_text(text, "cp1252")
        with pytest.raises(ValueError, match=says):
            requests.ask(tmp_path, SECOND, "ada", "3", "why?")
        assert (tmp_path / requests.FILE).read_text("cp1252") == text
