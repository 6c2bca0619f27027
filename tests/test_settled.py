"""What a gradebook comes to when somebody asks for marks: by hand, late, dropped; nothing is graded."""

import contextlib
import datetime
import shutil

import pytest

from grading import submission
from grading.handed_in.restore import GIVEN
from grading.term import by_hand, choices, gradebook, ledger, settle
from grading.term.late import NONE
from grading.trouble import Wrong
from tests import lms_files
from tests.lms_files import OTHER, UNIT

pytestmark = pytest.mark.needs("sandbox")


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


def give(course, points, extra=None, student="ada"):
    """Points in the gradebook, whoever put them there."""
    with lms_files.book_of(course) as book:
        grade = book.find_grade("softmax-test", UNIT, UNIT, student)
        grade.manual_score, grade.extra_credit = points, extra
        book.db.commit()


def test_what_a_human_gave_counts_no_more_than_a_dropped_exercise_and_no_less_than_a_given_one(course):
    lms_files.give(course, {"ada": 0.0})
    with lms_files.book_of(course) as book:
        book.find_grade_cell("softmax-test", UNIT, UNIT).max_score = 0
        book.db.commit()
    for points, extra, mark in ((0.5, None, 0), (9, None, 0), (None, 1, 1), (2, 1, 1)):
        give(course, points, extra)
        assert standing(course).mark == mark
    with lms_files.book_of(course) as book:
        book.find_grade_cell("softmax-test", UNIT, UNIT).max_score = 8
        book.find_grade("softmax-test", UNIT, UNIT, "ada").auto_score = 8
        book.add_source_cell("softmax-test", UNIT, UNIT, source=GIVEN, cell_type="code")
        book.db.commit()
    for points, extra, mark in ((0.5, None, 8), (9, None, 9), (None, 1, 9), (2, 1, 9)):
        give(course, points, extra)
        assert standing(course).mark == mark


@contextlib.contextmanager
def formgrader(course):
    """Whatever is given is noted at once."""
    end = by_hand.watch(course)
    try:
        yield
    finally:
        end()


def lost(course, put_back=False):
    """What was given and is not there any more; it may be put back."""
    with settle.settled(submission.settings(course)) as (book, known):
        if put_back:
            by_hand.put_back(book, known.lost)
        return [str(one) for one in known.lost]


@pytest.mark.parametrize(("last", "says"), [(4.0, "softmax: 4 points"), (None, "softmax: taken back")])
def test_what_an_older_gradebook_has_is_no_news(course, last, says):
    lms_files.give(course, {"ada": 1.0})
    give(course, 2.0)
    assert lost(course) == []
    shutil.copy(course / "gradebook.db", course / "older.db")
    with formgrader(course):
        give(course, last)
    assert lost(course) == []
    shutil.copy(course / "older.db", course / "gradebook.db")
    for _ in range(2):
        assert lost(course) == [says], "until it is put back"
    assert lost(course, put_back=True) == [says]
    assert lost(course) == []
    assert standing(course).mark == (last or 1.0)
    with formgrader(course):
        give(course, 2.0)
    assert lost(course) == [], "given again, it is new"
    assert standing(course).mark == 2.0


def test_points_and_comment_of_a_task_come_back_and_a_cell_that_is_gone_is_no_loss(course):
    with lms_files.book_of(course) as book:
        book.add_task_cell("essay", UNIT, UNIT, max_score=4, cell_type="markdown")
    lms_files.give(course, {"ada": 1.0})
    shutil.copy(course / "gradebook.db", course / "older.db")
    with formgrader(course), lms_files.book_of(course) as book:
        book.find_grade("essay", UNIT, UNIT, "ada").manual_score = 3.5
        book.db.commit()
        book.find_comment("essay", UNIT, UNIT, "ada").manual_comment = "well said"
        book.db.commit()
    by_hand.append(course, [by_hand.ByHand(UNIT, "ada", "gone-test", 2.0)])
    assert lost(course) == []
    shutil.copy(course / "older.db", course / "gradebook.db")
    assert lost(course, put_back=True) == ["essay: 3.5 points and a comment"]
    assert lost(course) == []
    with lms_files.book_of(course) as book:
        assert book.find_grade("essay", UNIT, UNIT, "ada").manual_score == 3.5
        assert book.find_comment("essay", UNIT, UNIT, "ada").manual_comment == "well said"


DUE = {UNIT: datetime.datetime(2026, 11, 20, 12), OTHER: datetime.datetime(2026, 11, 27, 12)}


def term(course, *units, days=1):
    """What is due, with late days, and half of a mark off for each further one."""
    due = "".join(f"{unit} = {DUE[unit].isoformat()}Z\n" for unit in units)
    text = f"[late]\ntake_off = 0.5\ndays = {days}\n[due]\n{due}"
    (course / choices.FILE).write_text(text if units else "[late]\ntake_off = 0.5\n", "utf-8")
    submission.settings.cache_clear()


def hand_in_late(course, marks):
    """An hour late in each unit, with these marks."""
    for unit, mark in marks.items():
        lms_files.give(course, {"ada": mark}, unit)
        with lms_files.book_of(course) as book:
            book.find_submission(unit, "ada").timestamp = DUE[unit] + datetime.timedelta(hours=1)
            book.db.commit()


def test_a_late_day_goes_to_a_mark_of_a_unit_that_has_points(course):
    hand_in_late(course, {UNIT: None, OTHER: 5.0})
    term(course, UNIT, OTHER)
    assert standing(course, unit=OTHER).mark == 5.0, "what cannot be read takes none"
    with lms_files.book_of(course) as book:
        book.find_grade("softmax-test", UNIT, UNIT, "ada").auto_score = 8.0
        book.db.commit()
    assert (standing(course).mark, standing(course, unit=OTHER).mark) == (8.0, 2.5)
    with lms_files.book_of(course) as book:
        book.find_grade_cell("softmax-test", UNIT, UNIT).max_score = 0
        book.db.commit()
    assert standing(course, unit=OTHER).mark == 5.0, "nor what does not count"


def test_a_date_goes_with_its_line_and_one_of_formgrader_stays(course):
    hand_in_late(course, {UNIT: 8.0, OTHER: 5.0})
    term(course, UNIT, OTHER)
    assert (standing(course).mark, standing(course, unit=OTHER).mark) == (8.0, 2.5)
    term(course, OTHER)
    assert (standing(course).mark, standing(course, unit=OTHER).mark) == (8.0, 5.0)
    assert (standing(course).late, standing(course, unit=OTHER).late) == (NONE, NONE)
    term(course, UNIT, days=0)
    assert (standing(course).mark, standing(course).late) == (4.0, datetime.timedelta(hours=1))
    term(course)
    assert standing(course).mark == 8.0
    with lms_files.book_of(course) as book:
        book.update_or_create_assignment(UNIT, duedate=DUE[UNIT])
    assert standing(course).mark == 4.0
    assert standing(course).mark == 4.0, "whoever asks"


@pytest.mark.parametrize("comment", ["", 'said "no",\nthen yes'])
def test_half_a_row_takes_nothing_with_it(course, comment):
    def kept(student):
        by_hand.append(course, [by_hand.ByHand(UNIT, student, "softmax-test", 3.5, comment=comment)])
        return {name: one.points for (name, _), one in by_hand.last(course, UNIT).items()}

    assert kept("ada") == {"ada": 3.5}
    path = course / ledger.BY_HAND
    first = len(path.read_bytes())
    kept("oli")
    whole = path.read_bytes()
    for end in range(first, len(whole)):
        path.write_bytes(whole[:end])
        assert {"ada": 3.5, "zoë": 3.5}.items() <= kept("zoë").items(), whole[first:end]


def test_a_table_that_a_spreadsheet_program_has_spoiled_is_a_sentence(course):
    by_hand.append(course, [by_hand.ByHand(UNIT, "ada", "softmax-test", 3.5)])
    path = course / ledger.BY_HAND
    text = path.read_text("utf-8")
    path.write_text(f"\N{BYTE ORDER MARK}{text}", "utf-8")
    assert by_hand.by_cell(course, UNIT, "ada")["softmax-test"].points == 3.5
    path.write_text(text.replace(",", ";"), "utf-8")
    with pytest.raises(
        Wrong, match=r"reports/by_hand[.]csv has no column time: expected time,unit,student,cell"
    ):
        by_hand.last(course, UNIT)
