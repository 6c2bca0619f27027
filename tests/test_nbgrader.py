"""nbgrader's own command lines on sample learners, with marks known beforehand."""

import shutil
from html.parser import HTMLParser

import pytest

from tests import sample_learners
from tests.sample_learners import UNITS, learners

pytestmark = [pytest.mark.needs("sandbox")]
QUICK = "00_start_here"
IN_THE_GATE = ("02", "06", "07")
"""Arrays, classes, tensors; the marks of the other units are the night's."""
GRADED = [who for who in learners() if who.upload is None]


def at(unit, mark):
    return pytest.param(unit, marks=getattr(pytest.mark, mark))


def each_mark(folder, unit):
    """Learner -> exercise -> points, from the gradebook."""
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{folder}/gradebook.db") as gradebook:
        return {
            submission.student.id: sample_learners.summed(
                (grade.name, grade.auto_score)
                for notebook in submission.notebooks
                for grade in notebook.grades
            )
            for submission in gradebook.assignment_submissions(unit)
        }


@pytest.fixture
def folder(tmp_path_factory):
    """An empty folder, in the same place for each test, so that the warm process stays."""
    one = tmp_path_factory.getbasetemp() / "nbgrader"
    one.mkdir()
    yield one
    shutil.rmtree(one)


@pytest.mark.slow
def test_marks_by_nbgrader_s_own_command_lines(tmp_path):
    marks_are_as_expected(tmp_path, QUICK, sample_learners.nbgrader)


@pytest.mark.parametrize(
    "unit", [at(unit, "slow" if unit[:2] in IN_THE_GATE else "nightly") for unit in UNITS if unit != QUICK]
)
def test_marks(unit, folder, desk):
    marks_are_as_expected(folder, unit, lambda folder, *words: desk.run(folder, "nbgrader", *words))


def marks_are_as_expected(folder, unit, run):
    done = sample_learners.grade(folder, unit, run)
    got = sample_learners.marks(folder, unit, run)
    table = sample_learners.compare(unit, got)
    print(sample_learners.show(table))
    assert all(expected == mark for *_, expected, mark in table), (
        sample_learners.show(table) + "\n" + done.stderr[-3000:]
    )
    assert got.keys() == {who.name for who in GRADED}, "a damaged notebook keeps others from a mark"
    marks = each_mark(folder, unit)
    assert {who.name: marks[who.name] for who in GRADED} == {who.name: who.expected(unit) for who in GRADED}
    feedback_is_whole(folder, unit, run)


def feedback_is_whole(folder, unit, run):
    """Everybody with a mark gets feedback that is whole, readable and free of our own code."""
    done = run(folder, "generate_feedback", unit)
    assert done.returncode == 0, done.stderr
    pages = {file.parts[-3]: file for file in folder.glob(f"feedback/*/{unit}/{unit}.html")}
    assert pages.keys() == {who.name for who in GRADED}
    for who in GRADED:
        page = Page(pages[who.name].read_text(encoding="utf-8"))
        marks = who.expected(unit)
        assert page.open == [], f"the feedback for {who.name} has unclosed {page.open}"
        assert (
            f"(Score: {sum(marks.values()):.1f} / {sum(sample_learners.points(unit).values()):.1f})"
            in page.text
        )
        for name, mark in marks.items():
            sentences = ("is not right yet.", "is not answered yet", "is not checked: the cell with")
            assert mark or any(f"{name} {says}" in page.text for says in sentences), f"{who.name}: {name}"
            assert not mark or f"{name} is right." in page.text
        assert "/helpers/" not in page.text, f"the feedback for {who.name} shows our own code"
        assert "<b>two" not in page.source, "the learner's text is not escaped"


class Page(HTMLParser):
    """A page's text, and the block tags it leaves open."""

    def __init__(self, source):
        super().__init__()
        self.source, self.open, self.parts = source, [], []
        self.feed(source)
        self.text = "".join(self.parts)

    def handle_starttag(self, tag, attrs):
        if tag in ("div", "pre", "table", "body", "html"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in ("div", "pre", "table", "body", "html"):
            assert self.open, f"</{tag}> closes nothing"
            assert self.open.pop() == tag, f"</{tag}> closes something else"

    def handle_data(self, data):
        self.parts.append(data)


# one unit of several exercises in the gate, the shortest and the longest at night; marks see the rest
@pytest.mark.parametrize("unit", [at(UNITS[1], "slow"), at(QUICK, "nightly"), at(UNITS[-1], "nightly")])
def test_validate(unit, tmp_path):
    sample_learners.start(tmp_path, [unit])
    by_name = {who.name: who for who in learners()}
    right = sample_learners.submit(tmp_path, unit, by_name["all_right"])
    blank = sample_learners.submit(tmp_path, unit, by_name["nothing"])
    done = sample_learners.nbgrader(tmp_path, "validate", right, blank, *sample_learners.PATIENT)
    success = "Success! Your notebook passes all the tests."
    right_says, found, blank_says = done.stdout.partition(success)
    assert not right_says.strip(), right_says
    assert found, done.stderr
    assert success not in blank_says
    count = len(sample_learners.points(unit))
    assert f"VALIDATION FAILED ON {count} CELL(S)" in blank_says
    assert blank_says.count("not answered yet") >= count


@pytest.mark.parametrize("who", GRADED, ids=lambda who: who.name)
def test_learners_answer_real_exercises(who):
    known = {name for names in sample_learners.ALL_UNITS.values() for name in names}
    assert who.answers.keys() <= known
    assert who.name == "nothing" or who.answers.keys() == known
    assert who.wrong <= who.answers.keys()


def test_one_mistake_a_unit():
    (who,) = (who for who in learners() if who.name == "one_mistake")
    assert [len(who.wrong & {*names}) for names in sample_learners.ALL_UNITS.values()] == [1] * len(
        sample_learners.ALL_UNITS
    )
