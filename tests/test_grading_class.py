"""A class graded with the course's command: marks depend on the submission alone, nothing is done twice."""

import fcntl
import shutil
import subprocess
import sys

import pytest

from tests import classroom, sample_learners

pytestmark = [pytest.mark.needs("sandbox"), pytest.mark.slow]

UNIT = "02_queries_keys_values"
LEARNERS = 7
STOCK = """
c = get_config()
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "notebooks"
"""


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A class graded on three workers, and what was printed."""
    folder = classroom.open_course(tmp_path_factory.mktemp("class") / "course", [UNIT])
    classroom.make_class(folder, UNIT, LEARNERS)
    classroom.hand_in(folder, UNIT, "all-right", classroom.solved(UNIT))
    classroom.hand_in(folder, UNIT, "all-blank")
    library = {
        "attention_scores": "from helpers import reference\nattention_scores = reference.attention_scores"
    }
    classroom.hand_in(folder, UNIT, "borrower", {**classroom.solved(UNIT), **library})
    done = classroom.grade(folder, UNIT, "--workers", 3)
    assert (done.returncode, done.stderr) == (0, "")
    return folder, done.stdout


@pytest.fixture
def folder(graded):
    """A copy to change, in the same place for each test, so that the desk's warm process stays."""
    yield shutil.copytree(graded[0], graded[0].parent / "copy")
    shutil.rmtree(graded[0].parent / "copy")


@pytest.fixture
def grade(folder, desk):
    """Grade the copy."""
    return lambda *words: desk.run(folder, "grading", UNIT, *words)


def test_right_and_blank(graded):
    marks = classroom.points(graded[0], UNIT)
    assert marks["all-right"] == sample_learners.points(UNIT)
    assert set(marks["all-blank"].values()) == {0}


def test_reports_say_what_the_gradebook_says(graded):
    marks, reports = classroom.points(graded[0], UNIT), classroom.reports(graded[0], UNIT)
    assert {student: one["points"] for student, one in reports.items()} == marks
    assert not any(one["reason"] for one in reports.values())
    assert any(one["mistakes"] for one in reports.values())


def test_a_borrowed_answer_is_reported(graded):
    folder, printed = graded
    assert classroom.points(folder, UNIT)["borrower"] == sample_learners.points(UNIT)
    (flag,) = classroom.reports(folder, UNIT)["borrower"]["flags"]
    assert flag == "attention_scores calls helpers.reference.attention_scores, which is the whole answer"
    assert f"borrower: {flag}" in printed
    assert not classroom.reports(folder, UNIT)["all-right"]["flags"]


def test_the_summary_shows_every_exercise(graded):
    for word in (*sample_learners.points(UNIT), "mean mark", f"{LEARNERS + 3} of {LEARNERS + 3} have a mark"):
        assert word in graded[1]


def test_the_same_marks_as_stock_nbgrader(graded, tmp_path):
    stock = tmp_path / "stock"
    shutil.copytree(graded[0], stock, ignore=shutil.ignore_patterns("submitted", "autograded", "reports"))
    (stock / "nbgrader_config.py").write_text(STOCK)
    some = ["learner-0005", "learner-0006"]  # right and wrong answers, blanks and crashes
    for student in some:
        shutil.copytree(graded[0] / "submitted" / student, stock / "submitted" / student)
    done = sample_learners.nbgrader(stock, "autograde", UNIT, *sample_learners.PATIENT)
    assert done.returncode == 0, done.stderr
    ours, theirs = classroom.points(graded[0], UNIT), classroom.points(stock, UNIT)
    assert {student: theirs[student] for student in some} == {student: ours[student] for student in some}


def test_the_same_marks_again_on_any_number_of_workers(graded, folder, grade):
    """On three before; on one for each core where the gradebook is lost, below."""
    done = grade("--all", "--workers", 1)
    assert done.returncode == 0, done.stderr
    assert classroom.points(folder, UNIT) == classroom.points(graded[0], UNIT)


def test_only_what_changed_is_graded_again(graded, folder, grade):
    before = {path: path.stat().st_mtime_ns for path in (folder / "reports" / UNIT).iterdir()}
    classroom.hand_in(folder, UNIT, "all-blank", classroom.solved(UNIT))
    classroom.hand_in(folder, UNIT, "late", classroom.solved(UNIT))
    done = grade()
    assert f"{LEARNERS + 2} of {LEARNERS + 4} are graded and unchanged." in done.stdout
    after = {path: path.stat().st_mtime_ns for path in (folder / "reports" / UNIT).iterdir()}
    changed = {path.stem for path, when in after.items() if before.get(path) != when}
    assert changed == {"all-blank", "late"}
    marks = classroom.points(folder, UNIT)
    assert marks["all-blank"] == marks["late"] == sample_learners.points(UNIT)


def test_a_lost_gradebook_is_made_again(graded, folder, grade):
    (folder / "gradebook.db").unlink()
    done = grade()
    assert done.returncode == 0, done.stderr
    assert f"The gradebook did not know {UNIT}" in done.stdout
    assert classroom.points(folder, UNIT) == classroom.points(graded[0], UNIT)


def test_nbgrader_goes_on_from_there(folder, desk):
    """Feedback and export are nbgrader's own."""

    def nbgrader(folder, *words):
        return desk.run(folder, "nbgrader", *words)

    assert nbgrader(folder, "generate_feedback", UNIT).returncode == 0
    pages = {path.parts[-3]: path.read_text() for path in folder.glob(f"feedback/*/{UNIT}/*.html")}
    assert pages.keys() == classroom.points(folder, UNIT).keys()
    assert "attention_scores is right.</b>" in pages["all-right"]
    assert "Tried on 11 inputs: float32 and float64, 2 to 4 axes, square arrays." in pages["all-right"]
    assert "attention_scores is right on inputs that stay hidden, too.</b>" in pages["all-right"]
    assert " of 8 in this unit. " not in pages["all-right"]
    assert "attention_scores is right" not in pages["all-blank"]
    marks = sample_learners.marks(folder, UNIT, nbgrader)
    assert marks == {
        student: sum(points.values()) for student, points in classroom.points(folder, UNIT).items()
    }


def test_two_graders_do_not_meet(folder, grade):
    with open(folder / ".grading.lock", "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        done = grade()
    assert done.returncode == 2
    assert "Another grader is at work" in done.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["02_querys_keys_values"], f"There is no unit 02_querys_keys_values: did you mean {UNIT}?"),
        (["07_nothing"], f"There is no unit 07_nothing. The units are {UNIT}."),
        ([UNIT, "--course", "nowhere"], "There is no folder"),
        ([UNIT, "--course", "."], "There is no nbgrader_config.py in"),
        ([UNIT, "--all", "--scheduler", "tcp://127.0.0.1:9"], "tcp://127.0.0.1:9"),
        ([UNIT, "--all", "--workers", "-1"], "--workers: expected 0 or more; got -1"),
    ],
)
def test_bad_input_is_said_in_a_sentence(folder, words, says, tmp_path):
    if "--course" not in words:
        words = [*words, "--course", str(folder)]
    command = [sys.executable, "-m", "grading", *words]
    empty = tmp_path / "empty"
    empty.mkdir()
    done = subprocess.run(command, cwd=empty, env=classroom.environ(), capture_output=True, text=True)
    assert done.returncode == 2
    assert says in done.stderr.replace("\n", " ")
    assert "Traceback" not in done.stderr


def test_a_typo_is_said_before_anything_is_imported(folder):
    """As often as a name is mistyped, nobody waits for PyTorch or nbgrader."""
    code = (
        "import sys; from grading.__main__ import main; "
        f"assert main(['02_querys', '--course', {str(folder)!r}]) == 2; "
        "print(sorted({'torch', 'nbgrader', 'nbformat', 'rich', 'numpy'} & sys.modules.keys()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=classroom.environ(), capture_output=True, text=True
    )
    assert done.stdout == "[]\n", done.stderr


def test_nobody_has_handed_in(folder, grade):
    shutil.rmtree(folder / "submitted")
    done = grade()
    assert done.returncode == 2
    assert f"Nobody has handed in {UNIT}: expected" in done.stderr
