"""Which cells are run when a submission is graded: all that a mark may depend on."""

import pytest
from nbformat.v4 import new_code_cell

from grading.handed_in.needed import needed

pytestmark = pytest.mark.needs("sandbox")  # on Windows the grader cannot be imported

SET_UP = "import numpy as np\nfrom helpers import check, plots"
TEST = 'check("double")'
ANSWER = "def double(x):\n    return 2 * x"


def cell(source, **noted):
    kind = {"grade": False, "solution": False, "locked": False, "grade_id": "a", **noted}
    return new_code_cell(source, metadata={"nbgrader": kind} if noted else {})


def run(*sources, learner=ANSWER):
    """Which of the course's own cells are run beside a learner's answer and its test."""
    ours = [cell(source) for source in sources]
    whole = [
        cell(SET_UP, locked=True),
        *ours,
        cell(learner, solution=True),
        cell(TEST, grade=True, locked=True),
    ]
    found = needed(whole, {SET_UP, TEST, *sources})
    assert [found[0], *found[-2:]] == [True] * 3, "set-up, answer and test are always run"
    return [source for source, runs in zip(sources, found[1:-2], strict=True) if runs]


@pytest.mark.parametrize(
    "source",
    [
        "print(1)",
        "X = np.eye(3)\nplots.heatmap(X)",
        "x = 3",  # the answer's own x is its argument
        "torch.manual_seed(0)\nlayer = np.eye(2)",
        "try:\n    1 / 0\nexcept ZeroDivisionError as error:\n    print(error)",
        "guess = ...",
    ],
)
def test_what_only_shows_is_not_run(source):
    assert run(source) == []


def test_what_the_answer_reads_is_run_and_what_that_reads():
    first, second, third = "a = 1", "b = a + 1", "print(a, b)"
    assert run(first, second, third, learner="def double(x):\n    return b * x") == [first, second]


@pytest.mark.parametrize("change", ["table[0] = 2", "table.append(2)", "del table[0]", "table += [2]"])
def test_what_changes_a_thing_that_the_answer_reads_is_run(change):
    assert run("table = [1]", change, learner="def double(x):\n    return table[0] * x") == [
        "table = [1]",
        change,
    ]


def test_a_name_made_and_read_in_one_cell_is_not_that_of_another():
    assert run(
        "output = 1", "output = 2\nscale = output", learner="def double(x):\n    return scale * x"
    ) == ["output = 2\nscale = output"]


def test_an_answer_that_stands_in_another_cell_is_run():
    assert run(ANSWER, learner="") == [ANSWER]


@pytest.mark.parametrize(
    "learner", ["eval('secret')", "globals()['x']", "get_ipython().run_cell('x')", "def ("]
)
def test_where_the_answer_may_read_any_name_everything_is_run(learner):
    assert run("print(1)", "secret = 2", learner=learner) == ["print(1)", "secret = 2"]


def test_a_cell_that_the_learner_changed_is_run():
    changed = [cell("print(2)"), cell(ANSWER, solution=True)]
    assert needed(changed, {"print(1)"}) == [True, True]
