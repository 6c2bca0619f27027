"""A term with a class: what happens between the first hand-in and the last export loses no mark."""

import csv
import datetime
import os
import re
import shutil
import subprocess
from functools import partial

import nbformat
import pytest
from nbgrader.api import Gradebook

from grading.term import basis, roster
from tests import classroom, sample_learners
from tools import commands, lab
from tools.patience import LONGEST

pytestmark = [pytest.mark.needs("sandbox"), pytest.mark.slow]

UNIT = "03_scaling"
EXERCISE = "measure_score_std"
TEST = f"{EXERCISE}-test"
WRONG = f"{EXERCISE} = 1 / 0"
FULL = sample_learners.points(UNIT)
WHOLE = float(sum(FULL.values()))
POLICY = """
from nbgrader.plugins import BasePlugin


class Half(BasePlugin):
    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return score / 2
"""


@pytest.fixture(scope="module")
def graded(tmp_path_factory, desk):
    """A class in a course folder as a fresh clone has it, graded once, and what was printed."""
    folder = classroom.fresh_course(tmp_path_factory.mktemp("term") / "course", [UNIT])
    for student in ("ada", "ben"):
        right = classroom.hand_in(folder, UNIT, student, classroom.solved(UNIT))
        (right / "timestamp.txt").write_text("2026-11-20 12:00:00 UTC")
    classroom.hand_in(folder, UNIT, "cyd", {**classroom.solved(UNIT), EXERCISE: WRONG})
    classroom.hand_in(folder, UNIT, "dot", notebook=b'{"cells": [')
    done = desk.run(folder, "grading", UNIT, "--workers", 1)
    assert done.returncode == 1, done.stdout + done.stderr
    shutil.copytree(folder, folder.parent / "kept")
    return folder, done.stdout


@pytest.fixture
def folder(graded):
    """The graded class to change, as it was: in the same place, so that the warm process stays."""
    shutil.rmtree(graded[0])
    return shutil.copytree(graded[0].parent / "kept", graded[0])


@pytest.fixture
def again(folder, desk):
    """Grade once more; returns what is printed."""

    def run(*words):
        done = desk.run(folder, "grading", UNIT, "--workers", 1, *words)
        assert done.returncode in (0, 1), done.stdout + done.stderr
        return done.stdout

    return run


@pytest.fixture
def nbgrader(folder, desk):
    """Run one of nbgrader's command lines."""
    return lambda *words: desk.run(folder, "nbgrader", *words)


@pytest.fixture
def exported(folder, nbgrader):
    """nbgrader's export, by student."""

    def run():
        done = nbgrader("export")
        assert done.returncode == 0, done.stderr
        return rows_of(folder / "grades.csv")

    return run


@pytest.fixture
def feedback(folder, nbgrader):
    """Make feedback; the page of a student, `None` where there is none."""

    def run(student):
        done = nbgrader("generate_feedback", UNIT)
        assert done.returncode == 0, done.stderr
        page = folder / "feedback" / student / UNIT / f"{UNIT}.html"
        return page.read_text(encoding="utf-8") if page.exists() else None

    return run


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as table:
        return {row["student_id"]: row for row in csv.DictReader(table)}


def change_cell(folder, name, **changes):
    """Edit a cell of the solution as Create Assignment does."""
    path = sample_learners.path_of(folder / "solutions", UNIT)
    notebook = nbformat.read(path, as_version=4)
    (cell,) = (one for one in notebook.cells if sample_learners.grader(one).get("grade_id") == name)
    cell.source = changes.pop("source", cell.source)
    cell.metadata.nbgrader.update(changes)
    nbformat.write(notebook, path)


def remove_cell(folder, name):
    path = sample_learners.path_of(folder / "solutions", UNIT)
    notebook = nbformat.read(path, as_version=4)
    notebook.cells = [one for one in notebook.cells if sample_learners.grader(one).get("grade_id") != name]
    nbformat.write(notebook, path)


def by_hand(folder, student, exercise=EXERCISE, points=1.5, comment="nearly"):
    """What an instructor gives in Formgrader."""
    with book_of(folder) as book:
        book.find_grade(f"{exercise}-test", UNIT, UNIT, student).manual_score = points
        book.find_comment(exercise, UNIT, UNIT, student).manual_comment = comment
        book.db.commit()


def book_of(folder):
    return Gradebook(f"sqlite:///{folder}/gradebook.db", "attention-course")


# The gradebook and solutions/


def test_a_fresh_clone_needs_no_generate_assignment(graded):
    folder, printed = graded
    says = f"The gradebook did not know {UNIT}: it now has its {len(FULL)} exercises, {WHOLE:g} points."
    assert says in printed
    assert classroom.points(folder, UNIT)["ada"] == FULL
    released = sample_learners.path_of(folder / "notebooks", UNIT).read_bytes()
    assert released == sample_learners.path_of(sample_learners.NOTEBOOKS, UNIT).read_bytes()
    assert "make notebooks" not in printed
    assert "generate_assignment" not in printed


def test_a_second_run_has_nothing_to_do(folder, again):
    printed = again()
    assert "4 of 4 are graded and unchanged." in printed
    assert "did not know" not in printed
    assert "has changed" not in printed


def test_changed_points_reach_the_marks_and_marks_by_hand_stay(folder, again):
    by_hand(folder, "ben")
    change_cell(folder, TEST, points=5)
    printed = again()
    assert f"What solutions/{UNIT} and term.toml ask for has changed: {TEST} is worth 5" in printed
    assert f"`nbgrader generate_assignment {UNIT} --force` writes it anew" in printed
    assert classroom.points(folder, UNIT)["ada"] == {**FULL, EXERCISE: 5}
    assert f"ada: {WHOLE:g} -> {WHOLE + 5 - FULL[EXERCISE]:g}" in printed
    with book_of(folder) as book:
        assert book.find_grade(TEST, UNIT, UNIT, "ben").manual_score == 1.5
        assert book.find_comment(EXERCISE, UNIT, UNIT, "ben").manual_comment == "nearly"
    with open(folder / "reports" / "changes.csv", newline="", encoding="utf-8") as table:
        rows = [(one["old"], one["new"]) for one in csv.DictReader(table) if one["student"] == "ada"]
    assert rows == [("", f"{WHOLE}"), (f"{WHOLE}", f"{WHOLE + 5 - FULL[EXERCISE]}")]


def test_a_mended_test_reaches_the_marks(folder, again):
    change_cell(folder, TEST, source=f'check("{EXERCISE}")\nassert False, "nobody passes"')
    printed = again()
    assert f"{TEST} has another test" in printed
    assert f"notebooks/{UNIT} is not what solutions/{UNIT} gives" in printed
    reasons = {one["student"]: one["reason"] for one in classroom.reports(folder, UNIT).values()}
    assert "a test cell failed by itself" in reasons["ada"]


def test_plain_nbgrader_judges_by_solutions_too(folder, again, nbgrader):
    change_cell(folder, TEST, points=5)
    done = nbgrader("autograde", UNIT, "--force")
    assert "is worth 5 points" in done.stderr
    assert classroom.points(folder, UNIT)["ada"] == {**FULL, EXERCISE: 5}
    assert "4 of 4 are graded and unchanged." in again(), "the fingerprints differ"


def test_cells_may_come_and_go_under_marks(folder, again):
    by_hand(folder, "ben")
    remove_cell(folder, TEST)
    printed = again()
    assert f"{TEST} is gone" in printed
    assert "1 marks and comments by hand belong to cells that are gone" in printed
    kept = (folder / "reports" / "removed_marks.csv").read_text(encoding="utf-8")
    assert f"{UNIT},ben,{TEST},1.5" in kept
    less = {name: points for name, points in FULL.items() if name != EXERCISE}
    assert classroom.points(folder, UNIT)["ben"] == less
    shutil.copy(
        sample_learners.path_of(sample_learners.SOLUTIONS, UNIT),
        sample_learners.path_of(folder / "solutions", UNIT),
    )
    assert f"{TEST} is new" in again()
    assert classroom.points(folder, UNIT)["ben"] == FULL


# Dates and rules


def test_a_due_date_and_a_late_policy_set_afterwards_count(folder, again, exported):
    policy = folder / "policy.py"
    policy.write_text(POLICY)
    written = policy.stat().st_mtime
    with open(folder / "nbgrader_config.py", "a", encoding="utf-8") as settings:
        settings.write('\nc.AssignLatePenalties.plugin_class = "policy.Half"\n')
    with book_of(folder) as book:
        book.update_or_create_assignment(UNIT, duedate=datetime.datetime(2026, 11, 20, 10, 0, 0))
    printed = again()
    assert f"ada: {WHOLE:g} -> {WHOLE / 2:g}" in printed
    assert "late by 2:00:00" in printed
    assert float(exported()["ada"]["score"]) == WHOLE / 2
    with book_of(folder) as book:
        book.grant_extension(UNIT, "ada", hours=3)
    printed = again()
    assert f"ada: {WHOLE / 2:g} -> {WHOLE:g}" in printed
    assert "4 of 4 are graded and unchanged." in printed
    policy.write_text(POLICY.replace("score / 2", "score / 4"))
    os.utime(policy, (written, written))  # as long as before and, where machines are quick, as old
    assert f"ben: {WHOLE / 2:g} -> {WHOLE * 3 / 4:g}" in again()
    policy.write_text(POLICY.replace("score / 2", "score / 4  # mild"))
    assert "4 of 4 are graded and unchanged." in again()


# Marks, and none


def test_no_mark_is_blank_in_the_export(folder, again, nbgrader, exported):
    assert nbgrader("db", "student", "add", "eve", "--first-name", "Eve").returncode == 0
    by_hand(folder, "ben", points=0.5)
    classroom.hand_in(folder, UNIT, "cyd", notebook=b"no longer a notebook")  # had a mark
    printed = again()
    rows = exported()
    assert [rows[student]["score"] for student in ("cyd", "eve")] == ["", ""]
    assert rows["eve"]["reason"] == "nothing handed in"
    assert "is not JSON" in rows["cyd"]["reason"]
    assert rows["ada"]["reason"] == ""
    assert rows["ben"]["overridden"] == "yes"
    scores = [float(row["score"]) for row in rows.values() if row["score"]]
    assert scores == [WHOLE, WHOLE - FULL[EXERCISE] + 0.5]
    (mean,) = (line for line in printed.splitlines() if "mean mark" in line)
    assert f"{sum(scores) / 2:.2f}" in mean
    for line in ("On the roster, but nothing handed in: eve", "changed by hand"):
        assert line in printed


def test_the_export_begins_as_nbgrader_s_own(folder, nbgrader, exported):
    ours = exported()
    done = nbgrader("export", "--exporter=nbgrader.plugins.CsvExportPlugin", "--to=theirs.csv")
    assert done.returncode == 0, done.stderr
    theirs = rows_of(folder / "theirs.csv")
    names = list(theirs["ada"])
    assert list(ours["ada"])[: len(names)] == names
    for student in ("ada", "ben", "cyd"):
        assert {name: ours[student][name] for name in names} == theirs[student]


def test_only_some_are_exported_where_one_asks(folder, nbgrader):
    words = ("export", f"--assignment=[{UNIT!r}]", "--student=['ada']", "--to=some.csv")
    done = nbgrader(*words)
    assert done.returncode == 0, done.stderr
    assert (folder / "some.csv").read_text(encoding="utf-8").count("\n") == 2


def test_feedback_names_the_exercises_and_asks_no_server(folder, feedback):
    by_hand(folder, "ada", points=0.5, comment="too short")
    page = feedback("ada")
    assert f'<a href="#{EXERCISE}-test">{EXERCISE}</a>: 0.5 of {FULL[EXERCISE]:.1f}. Given by hand.' in page
    for name, points in FULL.items():
        assert re.search(rf">{name}</a>: [\d.]+ of {points:.1f}[.<]", page), name
    assert page.count("Given by hand.") == 1
    assert "Given by hand." not in feedback("ben")
    assert "Test cell" not in page
    assert "<math" in page
    assert not re.search(r"(src|href)=\"(https?:)?//|mathjax(?!_ignore)|@import", page, re.IGNORECASE)


def test_feedback_is_as_new_as_the_mark(folder, again, feedback):
    assert f"(Score: {WHOLE:.1f} / {WHOLE:.1f})" in feedback("ada")
    by_hand(folder, "ada", points=0.5, comment="too short")
    page = feedback("ada")
    assert f"(Score: {WHOLE - FULL[EXERCISE] + 0.5:.1f} / {WHOLE:.1f})" in page
    assert "too short" in page
    classroom.hand_in(folder, UNIT, "cyd", classroom.solved(UNIT))
    classroom.hand_in(folder, UNIT, "ben", notebook=b"nothing")
    again()
    assert not (folder / "feedback" / "ben" / UNIT).exists(), "it lost its mark, but not its feedback"
    assert f"(Score: {WHOLE:.1f} / {WHOLE:.1f})" in feedback("cyd")
    assert feedback("ben") is None


def test_plain_nbgrader_takes_a_lost_mark_back_too(folder, nbgrader, exported):
    classroom.hand_in(folder, UNIT, "ada", notebook=b"nothing")
    nbgrader("autograde", UNIT, "--force")
    assert set(classroom.points(folder, UNIT)["ada"].values()) == {None}
    assert exported()["ada"]["score"] == ""


# Who is who

NFC, NFD = "jos\u00e9", "jose\u0301"


def test_an_id_in_another_spelling_is_no_second_student(folder, again, nbgrader):
    for student in (NFC, "Lena K", "maria"):
        assert nbgrader("db", "student", "add", student).returncode == 0
    for student in (NFD, "LenaK", "Maria", "mario", "zz9"):
        classroom.hand_in(folder, UNIT, student, classroom.solved(UNIT))
    printed = again()
    for student, how in ((NFD, "Unicode form"), ("LenaK", "blanks"), ("Maria", "capitals")):
        reason = classroom.reports(folder, UNIT)[student]["reason"]
        assert reason in printed
        assert how in reason
    move = classroom.reports(folder, UNIT)[NFD]["reason"].split("`")[1]
    assert move == r"mv submitted/$'jose\u0301' submitted/$'jos\u00e9'"
    with book_of(folder) as book:
        ids = {one.id for one in book.students}
    assert not {NFD, "LenaK", "Maria"} & ids
    assert {"mario", "zz9"} <= ids
    strangers = printed.partition("Not on the roster:")[2].partition("On the roster,")[0]
    assert "mario: nearest there: maria" in strangers
    assert "  zz9\n" in strangers
    assert classroom.points(folder, UNIT)["zz9"] == FULL
    subprocess.run(["bash", "-c", move], cwd=folder, check=True, env={**os.environ, "LC_ALL": "C.UTF-8"})
    assert sorted(one.name for one in (folder / "submitted").glob("jos*")) == [NFC]
    again()
    assert classroom.points(folder, UNIT)[NFC] == FULL


@pytest.mark.parametrize(
    "name", ["jos\u00e9", "e\u0301" + "1f", "it's", "gus ", "\U0001f600x", "a\nb", "a\\é", "\udce9x"]
)
def test_a_name_is_typed_so_that_a_shell_reads_it_back(name):
    environ = {**os.environ, "LC_ALL": "C.UTF-8"}
    done = subprocess.run(["bash", "-c", f"printf %s {roster.typed(name)}"], capture_output=True, env=environ)
    assert done.stdout == os.fsencode(name)


def test_nor_for_plain_nbgrader(folder, again, nbgrader):
    assert nbgrader("db", "student", "add", NFC).returncode == 0
    for student in (NFD, "zz9"):
        classroom.hand_in(folder, UNIT, student, classroom.solved(UNIT))
    done = nbgrader("autograde", UNIT)
    assert f"{NFD} is not graded: the roster has" in done.stderr
    marks = classroom.points(folder, UNIT)
    assert NFD not in marks
    assert marks["zz9"] == FULL
    assert "zz9" in again().partition("Not on the roster:")[2]


def test_two_folders_of_one_name_are_said_without_a_roster(folder, again):
    for student in ("Gus", "gus "):
        classroom.hand_in(folder, UNIT, student, classroom.solved(UNIT))
    printed = again()
    assert "Not on the roster" not in printed
    reasons = {name: one["reason"] for name, one in classroom.reports(folder, UNIT).items()}
    assert "submitted/gus  is the same name" in reasons["Gus"]
    assert "submitted/Gus is the same name" in reasons["gus "]
    aside = reasons["gus "].split("`")[1]
    assert aside == "mkdir -p set_aside && mv submitted/'gus ' set_aside/"
    subprocess.run(["bash", "-c", aside], cwd=folder, check=True)
    again()
    assert classroom.points(folder, UNIT)["Gus"] == FULL


# What marks depend on

STRICT = """

_judge = judge


def judge(exercise, cases, seen):
    return dataclasses.replace(_judge(exercise, cases, seen), passed=False)
"""


def graded_by(code, folder):
    """Grade with another copy of the course's code, in a process of its own."""
    environ = {**classroom.environ(), "PYTHONPATH": str(code)}
    words = classroom.command(folder, UNIT, "--workers", 1)
    done = subprocess.run(words, env=environ, cwd=code, capture_output=True, text=True, timeout=LONGEST)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def test_a_comment_in_the_code_regrades_nobody_and_a_change_lists_the_marks(folder, tmp_path):
    code = tmp_path / "code"
    for tree in ("grading", "helpers"):
        shutil.copytree(classroom.ROOT / tree, code / tree)
    judge = code / "helpers" / "verdict" / "judge.py"
    text = judge.read_text(encoding="utf-8")
    judge.write_text("# A remark.\n\n" + text.replace('"""', '"""Another word. ', 1), encoding="utf-8")
    (code / "helpers" / "plots" / "more.py").write_text("SIZE = 3\n")
    assert "4 of 4 are graded and unchanged." in graded_by(code, folder)
    judge.write_text("import dataclasses\n" + text + STRICT, encoding="utf-8")
    printed = graded_by(code, folder)
    assert "are graded and unchanged" not in printed
    assert f"ada: {WHOLE:g} -> 0" in printed


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("x = 1  # one", "x  =  1", True),
        ('def f():\n    """Says."""\n    return 1', "def f():\n    return 1", True),
        ("x = 'one'", "x = 'two'", False),
        ("x = ", "x = ", True),
        ("x = ", "x =  ", False),
    ],
)
def test_what_code_means(one, other, same):
    assert (basis.meaning(one.encode()) == basis.meaning(other.encode())) is same


def test_docstrings_count_where_they_are_read():
    one, other = b'"""One."""\nprint(__doc__)', b'"""Two."""\nprint(__doc__)'
    assert basis.meaning(one, docstrings_are_read=True) != basis.meaning(other, docstrings_are_read=True)


# Around it


def test_make_shows_no_error_under_a_table(folder, capfd):
    assert commands.grade([UNIT, "--course", str(folder)]) == 0
    assert "3 of 4 have a mark" in capfd.readouterr().out
    assert commands.grade([f"{UNIT}s", "--course", str(folder)]) == 2


def test_git_sees_no_name_and_no_mark(folder, again, nbgrader, feedback):
    """After a whole cycle in a clone, `git add --all` finds nothing of the class."""
    tracked = ("solutions", "notebooks", "nbgrader_config.py", ".gitignore")
    shutil.copy(classroom.ROOT / ".gitignore", folder)
    git = partial(subprocess.run, cwd=folder, check=True, capture_output=True, text=True)
    git(["git", "init", "--quiet"])
    git(["git", "add", *tracked])
    (folder / "students.csv").write_text("id,first_name\neve,Eve\n")
    (folder / "downloaded" / UNIT / "archive").mkdir(parents=True)
    (folder / "downloaded" / UNIT / "archive" / "all.zip").write_bytes(b"")
    by_hand(folder, "ben")
    classroom.hand_in(folder, UNIT, "ada", classroom.solved(UNIT), files={"timestamp.txt": "never"})
    again()
    for words in (("db", "student", "import", "students.csv"), ("export",), ("export", "--to=marks.csv")):
        assert nbgrader(*words).returncode == 0
    feedback("ada")
    lab.make_exchange(folder)
    assert nbgrader("release_assignment", UNIT).returncode == 0
    done = git(["git", "status", "--porcelain", "--untracked-files=all"])
    others = [line for line in done.stdout.splitlines() if not line.startswith("A ")]
    assert others == []


def test_the_exchange_is_there_for_the_assignment_list(folder, nbgrader):
    assert nbgrader("list").returncode != 0, "nbgrader needs no exchange any more"
    lab.make_exchange(folder)
    done = nbgrader("list")
    assert done.returncode == 0, done.stderr
    lab.make_exchange(folder)
