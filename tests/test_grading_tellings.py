"""What reports and feedback say of answers that are blank, that stopped, that failed through another."""

import datetime
import hashlib
import inspect
import os
import re
import shutil

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbgrader import utils

from grading import report, said
from grading.analytics import __main__ as analytics
from grading.checker import Checker
from grading.outside.processes import Notebook, Warm
from helpers import reference
from helpers.exercises import find
from helpers.exercises.base import draw_cases
from tests import classroom, sample_learners
from tests.kernels import Kernel
from tools import real_browser

pytestmark = [pytest.mark.needs("sandbox"), pytest.mark.slow]

UNIT = "05_softmax"
TOTAL = sum(sample_learners.points(UNIT).values())
RIGHT = classroom.solved(UNIT)
SOFTMAX = "def softmax(x, axis=-1):\n    e = np.exp(x - x.max())\n    return e / e.sum()"
THROUGH = """
def masked_softmax(scores, allowed):
    scores, allowed = np.broadcast_arrays(scores, allowed)
    weights = softmax(np.where(allowed, scores, -1e300))
    return np.where(allowed, weights, 0)
"""
MASKED = "def masked_softmax(scores, allowed):\n    return softmax(scores) * allowed"
UNSCALED = """
def attention(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -2, -1)
    weights = softmax(scores) if allowed is None else masked_softmax(scores, allowed)
    return weights @ V, weights
"""
LOOKS = """
import inspect
def attention(Q, K, V, allowed=None):
    text = inspect.getsource(softmax)
    print(text)
    open("kept.txt", "w").write(text)
    softmax.__doc__ = text
    raise ValueError(text)
"""
NOTICES = """
def attention(Q, K, V, allowed=None):
    if softmax.__module__ == "__main__":
        raise ValueError("not yet")
    return softmax(Q), softmax(K)
"""
CLASS = {
    "through": {**RIGHT, "softmax": SOFTMAX},
    "chain": {**RIGHT, "softmax": SOFTMAX, "masked_softmax": THROUGH},
    "two": {**RIGHT, "softmax": SOFTMAX, "masked_softmax": MASKED},
    "itself": {**RIGHT, "softmax": SOFTMAX, "attention": UNSCALED},
    "looks": {**RIGHT, "softmax": SOFTMAX, "attention": LOOKS},
    "notices": {**RIGHT, "softmax": SOFTMAX, "attention": NOTICES},
    "blank-helper": {name: text for name, text in RIGHT.items() if name != "masked_softmax"},
    "no-python": {
        **RIGHT,
        "softmax": "def softmax(x, axis=-1):\n    retrun x",
        "attention": "def attention(Q",
        "test_attention": "def test_attention(attention)\n    attention(1)",
    },
    "stopped": {**RIGHT, "faulty_map": "faulty_map = (B, 'mask transposed')"},
    "killed": {**RIGHT, "softmax": "import ctypes\nctypes.string_at(0)\n" + RIGHT["softmax"]},
    "renamed": {**RIGHT, "softmax_backward": RIGHT["softmax_backward"].replace("d(", "ds(", 1)},
    "commented": {**RIGHT, "softmax": None},
    "edited": RIGHT,
    "deleted": RIGHT,
    "older": RIGHT,
}
TESTS = ("softmax-test", "attention-test")


def spoil(student, made):
    """What somebody did to the cells of a notebook."""
    cells = {sample_learners.grader(cell).get("grade_id"): cell for cell in made.cells}
    if student == "commented":
        cells["softmax"].source = cells["softmax"].source.replace(
            "# YOUR CODE HERE", "# what do I write here?"
        )
    for name in TESTS:
        if student == "edited":
            cells[name].source = 'print("all passed")'
        elif student == "older":  # as an earlier version of the course released it
            cells[name].source = f"# An earlier text.\ncheck({name.removesuffix('-test')!r}, seed=1)"
            cells[name].metadata.nbgrader.checksum = utils.compute_checksum(cells[name])
    if student == "deleted":
        made.cells = [cell for cell in made.cells if not sample_learners.grader(cell).get("grade")]


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """The class, graded, what the summary said, and the feedback of two."""
    folder = classroom.open_course(tmp_path_factory.mktemp("tellings") / "course", [UNIT])
    for student, answers in CLASS.items():
        made = sample_learners.answered(classroom.released(UNIT), {k: v for k, v in answers.items() if v})
        spoil(student, made)
        target = classroom.hand_in(folder, UNIT, student, notebook=made)
        (target / "timestamp.txt").write_text("2026-11-26 18:30:00 UTC")
    done = classroom.grade(folder, UNIT, "--workers", 1)
    assert done.returncode == 0, done.stdout + done.stderr
    made = sample_learners.nbgrader(folder, "generate_feedback", UNIT, "--student=[bt][lw]*")
    assert made.returncode == 0, made.stderr
    return folder, done.stdout


@pytest.fixture(scope="module")
def reports(course):
    return classroom.reports(course[0], UNIT)


def shown(folder, student, name):
    """What a test cell of the graded notebook shows, as text."""
    path = folder / "autograded" / student / UNIT / f"{UNIT}.ipynb"
    cells = nbformat.read(path, as_version=4).cells
    (cell,) = (one for one in cells if one.metadata.get("nbgrader", {}).get("grade_id") == f"{name}-test")
    texts = [
        one.get("text") or one.get("evalue") or one.get("data", {}).get("text/plain", "")
        for one in cell.outputs
    ]
    return "\n".join(texts)


# Blank, and stopped


def test_blank_is_what_was_left_as_it_was_released(reports):
    blank = {student: one["blank"] for student, one in reports.items() if one["blank"]}
    assert blank == {"blank-helper": ["masked_softmax"], "commented": ["softmax"]}


def test_whatever_is_wrong_is_said_and_never_by_its_id(reports):
    for one in reports.values():
        wrong = {name for name, points in one["points"].items() if points < one["of"][name]}
        assert wrong == {*one["blank"], *one["says"]}
        assert not {*one["blank"]} & {*one["says"]}
        assert all(" " in text for text in one["says"].values())


def test_a_hidden_test_draws_its_panel_and_says_that_nobody_has_seen_its_inputs():
    """An answer that is wrong on sizes alone that nobody has seen."""
    shapes = {case.args["x"].shape for case in draw_cases(find("softmax"), 0)}
    source = (
        "import numpy as np\n"
        "def softmax(x, axis=-1):\n"
        f"    if x.shape not in {shapes}: return x\n"
        "    x = np.exp(x - x.max(axis, keepdims=True))\n"
        "    return x / x.sum(axis, keepdims=True)"
    )
    with Warm().ready() as warm, Notebook(warm, {}) as notebook:
        notebook.run(source)
        checker = Checker(notebook)
        told = str(checker.run("check('softmax')\ncheck('softmax', sizes='hidden')"))
    assert [one.passed for one in checker.findings] == [True, False]
    assert "softmax: right." in told
    assert "≠ marks the entries that differ." in told
    assert "(More random inputs than you have seen.)" in told


def test_a_report_that_kept_no_sentence_is_told_from_the_record():
    known = {one.id: one.says for one in find("attention").mistakes}
    old = report.Report("jose", UNIT, mistakes={"attention": "no-scaling", "softmax": "gone-by-now"})
    assert said.sentence(old, "attention") == known["no-scaling"]
    assert said.sentence(old, "softmax") == said.UNKNOWN


@pytest.mark.parametrize(
    ("student", "exercise", "says"),
    [
        (
            "no-python",
            "softmax",
            "softmax is not checked: the cell with softmax stopped with SyntaxError: invalid syntax "
            "(line 2: `retrun x`). Is `return` meant by `retrun`?",
        ),
        (
            "no-python",
            "attention",
            "attention is not checked: the cell with attention stopped with SyntaxError: '(' was never "
            "closed (line 1: `def attention(Q`).",
        ),
        (
            "no-python",
            "test_attention",
            "test_attention is not checked: the cell with test_attention stopped with SyntaxError: "
            "expected ':' (line 1: `def test_attention(attention)`).",
        ),
        (
            "stopped",
            "faulty_map",
            "faulty_map is not checked: the cell with faulty_map stopped with NameError: name 'B' is not "
            "defined (line 1: `faulty_map = (B, 'mask transposed')`). A letter and a mistake is asked for, "
            "in quotes.",
        ),
        (
            "killed",
            "softmax",
            "softmax is not checked: the cell with softmax was stopped: its process ended with signal 11.",
        ),
        (
            "renamed",
            "softmax_backward",
            "softmax_backward is not answered yet: nothing is called softmax_backward, but "
            "`softmax_backwards` is there: is it that?",
        ),
    ],
)
def test_what_became_of_the_cell_is_said_as_the_learner_reads_it_at_home(
    course, reports, student, exercise, says
):
    assert reports[student]["says"][exercise] == says
    assert says in shown(course[0], student, exercise)


# Through another


def test_what_failed_through_another_alone_is_found(reports):
    found = {student: one["follow_on"] for student, one in reports.items() if one["follow_on"]}
    assert found == {
        "through": {"attention": ["softmax"]},
        "chain": {"masked_softmax": ["softmax"], "attention": ["softmax"]},
        "two": {"attention": ["masked_softmax", "softmax"]},
        "blank-helper": {"attention": ["masked_softmax"]},
        "killed": {"attention": ["softmax"]},
        "commented": {"attention": ["softmax"]},
    }


def test_it_is_said_once_and_has_no_points_and_no_mistake(course, reports):
    says = "With a right softmax your attention is right: it failed because of softmax alone."
    one = reports["through"]
    assert shown(course[0], "through", "attention").startswith(says)
    assert one["says"]["attention"] == says
    assert one["points"]["attention"] == 0
    assert [*one["mistakes"]] == ["softmax"]
    assert (
        "With a right masked_softmax and softmax your attention is right"
        in reports["two"]["says"]["attention"]
    )
    assert "Failed only through an earlier answer: attention 6, masked_softmax 1" in course[1]


def test_the_courses_answer_is_nowhere_in_the_graded_notebook(course):
    text = (course[0] / "autograded" / "looks" / UNIT / f"{UNIT}.ipynb").read_text("utf-8")
    lines = {line.strip() for line in inspect.getsource(reference.softmax).splitlines()[1:]}
    assert SOFTMAX.splitlines()[1].strip() in text, "its own is shown to it"
    assert not [
        line for line in lines if len(line) > 20 and line in text.replace(RIGHT["masked_softmax"], "")
    ]


def test_the_page_counts_both(course):
    assert analytics.main(["--course", str(course[0])]) == 0
    page = BeautifulSoup((course[0] / "analytics.html").read_text("utf-8"), "html.parser")
    exercises, mistakes = page("table")
    assert "Failed only through an earlier answer: masked_softmax 1, attention 6." in page.get_text(
        " ", strip=True
    )
    rows = {row.find("td").get_text(): [cell.get_text() for cell in row("td")] for row in exercises("tr")[1:]}
    assert rows["attention"][2] == "15 of 15"
    assert rows["softmax"][2] == "14 of 15"
    assert not {row("td")[1].get_text() for row in mistakes("tr")[1:]} & {
        "no-scaling",
        "softmax-over-everything",
    }


def test_the_instructor_can_give_the_points(course, tmp_path):
    folder = shutil.copytree(course[0], tmp_path / "course")
    (folder / "term.toml").write_text('[marks]\nfollow_on = "full"\n')
    before = classroom.points(folder, UNIT)
    done = classroom.grade(folder, UNIT, "--workers", 1)
    assert done.returncode == 0, done.stdout + done.stderr
    after, full = classroom.points(folder, UNIT), sample_learners.points(UNIT)
    for student, one in classroom.reports(folder, UNIT).items():
        expected = before[student] | {name: full[name] for name in one["follow_on"]}
        assert after[student] == expected == one["points"], student
    text = shown(folder, "chain", "attention")
    assert "because of softmax alone. It has its points all the same." in text
    assert "CheckFailed" not in text


def test_an_exercise_that_everybody_is_given_is_a_cause_still(tmp_path):
    folder = classroom.fresh_course(tmp_path / "course", [UNIT])
    for student in ("through", "chain", "itself"):
        classroom.hand_in(folder, UNIT, student, CLASS[student])
    chosen = f'[marks]\nfollow_on = "full"\n[exercises.{UNIT}]\nsoftmax = "give"\n'
    (folder / "term.toml").write_text(chosen, "utf-8")
    done = classroom.grade(folder, UNIT, "--workers", 1)
    assert done.returncode == 0, done.stdout + done.stderr
    reports = classroom.reports(folder, UNIT)
    assert {student: one["follow_on"] for student, one in reports.items()} == {
        "through": {"attention": ["softmax"]},
        "chain": {"masked_softmax": ["softmax"], "attention": ["softmax"]},
        "itself": {},
    }
    lost = {student: TOTAL - sum(one["points"].values()) for student, one in reports.items()}
    assert lost == {"through": 0, "chain": 0, "itself": 4}, "attention is wrong by itself there"


# The tests that were handed in


def test_changed_and_deleted_tests_are_named_in_one_remark_and_older_ones_accuse_nobody(course, reports):
    names = [f"{one}-test" for one in RIGHT]
    names[5:7] = [
        "test_softmax-few-test",
        "test_softmax-test",
        "test_attention-few-test",
        "test_attention-test",
    ]
    assert reports["edited"]["remarks"] == [
        "softmax-test and attention-test were changed; the course's own were run"
    ]
    listed = f"{', '.join(names[:-1])} and {names[-1]}"
    assert reports["deleted"]["remarks"] == [f"{listed} were missing; the course's own were run"]
    assert not [one for name, one in reports.items() if one["remarks"] and name not in ("edited", "deleted")]
    assert "edited: softmax-test and attention-test were changed" in course[1]


# The feedback page


@pytest.fixture(scope="module")
def page(course):
    path = course[0] / "feedback" / "blank-helper" / UNIT / f"{UNIT}.html"
    return BeautifulSoup(path.read_text("utf-8"), "html.parser")


def test_a_comment_is_listed_where_somebody_wrote_one(page):
    assert "No response." in page.get_text(), "nbgrader says it below the answer"
    assert not [one for one in page.select("#toc li") if "Comment" in one.get_text()]


def test_the_receipt_says_how_to_repeat_it(course, page):
    folder = course[0]
    handed_in = folder / "submitted" / "blank-helper" / UNIT / f"{UNIT}.ipynb"
    graded = folder / "autograded" / "blank-helper" / UNIT / f"{UNIT}.ipynb"
    when = datetime.datetime.fromtimestamp(os.path.getmtime(graded), datetime.UTC)
    told = [" ".join(one.get_text().split()) for one in page.select(".receipt dd")]
    assert told[0] == f"{UNIT}.ipynb, SHA-256 {hashlib.sha256(handed_in.read_bytes()).hexdigest()}"
    assert told[1:3] == ["26 November 2026, 18:30 UTC", when.strftime("%d %B %Y, %H:%M UTC")]
    assert re.fullmatch(r"version \d+\.\d+\.\d+, checks [0-9a-f]{12}", told[3])
    assert page.select(".receipt dd code")[-1].get_text() == f'check("{UNIT}", seed=0)'
    assert "this line does not repeat them" in told[4]


def test_its_line_gives_the_same_verdicts_in_a_kernel(course, page, reports, tmp_path):
    handed_in = course[0] / "submitted" / "blank-helper" / UNIT / f"{UNIT}.ipynb"
    kernel = Kernel(tmp_path)
    try:
        for cell in nbformat.read(handed_in, as_version=4).cells:
            if sample_learners.grader(cell).get("grade_id") in RIGHT:
                kernel.run(cell.source)
        said = " ".join(kernel.run(page.select(".receipt dd code")[-1].get_text()).split())
    finally:
        kernel.close()
    one = reports["blank-helper"]
    wrong = [name for name in RIGHT if one["points"][name] < one["of"][name]]
    assert f"{len(RIGHT) - len(wrong)} of {len(RIGHT)} are right. Not yet: {', '.join(wrong)}." in said


@pytest.mark.needs("browser")
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("student", ["blank-helper", "two"])
def test_the_page_never_scrolls_sideways(course, chromium, student, width):
    path = course[0] / "feedback" / student / UNIT / f"{UNIT}.html"
    with real_browser.Visit(chromium, width=width) as visit:
        visit.page.goto(path.as_uri())
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
