"""What a gradebook comes to when somebody asks for marks: by hand, late, dropped; nothing is graded."""

import pytest

from grading import submission
from grading.handed_in.restore import GIVEN
from grading.term import gradebook, settle
from tests import lms_files
from tests.lms_files import UNIT


@pytest.fixture(scope="module")
def templates(tmp_path_factory):
    return tmp_path_factory.mktemp("templates")


@pytest.fixture
def course(tmp_path, templates):
    made = lms_files.course(tmp_path / "course", templates)
    with lms_files.book_of(made) as book:
        book.add_student("ada")
    return made


def standing(course, student="ada", unit=UNIT):
    """Where a student stands now."""
    with settle.settled(submission.settings(course)) as (book, _):
        return gradebook.standings(book, unit)[student]


def by_hand(course, points, extra=None, student="ada"):
    """Points in the gradebook, whoever put them there."""
    with lms_files.book_of(course) as book:
        grade = book.find_grade("softmax-test", UNIT, UNIT, student)
        grade.manual_score, grade.extra_credit = points, extra
        book.db.commit()


@pytest.mark.parametrize(
    ("points", "extra", "dropped", "given"),
    [(0.5, None, 0, 8), (9, None, 0, 9), (None, 1, 1, 9), (2, 1, 1, 9)],
)
def test_what_a_human_gave_counts_no_more_than_a_dropped_exercise_and_no_less_than_a_given_one(
    course, points, extra, dropped, given
):
    lms_files.give(course, {"ada": 0.0})
    by_hand(course, points, extra)
    with lms_files.book_of(course) as book:
        book.find_grade_cell("softmax-test", UNIT, UNIT).max_score = 0
        book.db.commit()
    assert standing(course).mark == dropped
    with lms_files.book_of(course) as book:
        book.find_grade_cell("softmax-test", UNIT, UNIT).max_score = 8
        book.find_grade("softmax-test", UNIT, UNIT, "ada").auto_score = 8
        book.add_source_cell("softmax-test", UNIT, UNIT, source=GIVEN, cell_type="code")
        book.db.commit()
    assert standing(course).mark == given
