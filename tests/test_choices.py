"""`term.toml`: what an instructor can choose, what it does to marks, and what a mistake in it says."""

import datetime

import pytest
from nbgrader.api import Gradebook
from traitlets.config import Config

from grading.term import choices, late
from grading.term.ledger import Change, net
from tests import classroom
from tests.sample_learners import points

pytestmark = pytest.mark.needs("sandbox")

UNIT = "05_softmax"
TOTAL = sum(points(UNIT).values())
DUE = "2027-01-17T23:59:00+01:00"
DAYS = datetime.timedelta(days=1)


def written(folder, text):
    (folder / choices.FILE).write_text(text, encoding="utf-8")
    return choices.read(folder)


def test_without_a_file_nothing_is_chosen_and_a_due_date_is_kept_in_utc(tmp_path):
    assert choices.read(tmp_path) == choices.Choices()
    chosen = written(tmp_path, f"[due]\n{UNIT} = {DUE}\n")
    assert chosen.due == {UNIT: datetime.datetime(2027, 1, 17, 22, 59)}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[due", "term.toml cannot be read: "),
        ("[dues]\n", "term.toml: dues: expected one of the tables due, extensions,"),
        ("late = 3\n", "term.toml: late: expected a table, whose lines are such as 2; got 3."),
        (f"[due]\n{UNIT} = 2027-01-17\n", f"due.{UNIT}: expected a date, a time and its zone"),
        (f"[due]\n{UNIT} = 2027-01-17T23:59:00\n", "got 2027-01-17 23:59:00."),
        ("[late]\ndays = -1\n", "late.days: expected a whole number of days, 0 or more; got -1."),
        (f"[due]\n{UNIT} = {DUE}\n[late]\ndays = 1.5\n", "late.days: expected a whole number"),
        ("[late]\ndays = 2\n", "late.days needs to know when units are due: add a table [due]."),
        ("[late]\ntake_off = 10\n", "late.take_off: expected a share of the mark, from 0 to 1; got 10."),
        ("[late]\nday = 2\n", "late.day: expected late.days or late.take_off; got day."),
        ('[marks]\nwhole_answer = "none"\n', 'marks.whole_answer: expected "flag" or "zero"; got \'none\'.'),
        ('[marks]\nfollow_on = "zero"\n', 'marks.follow_on: expected "flag" or "full"; got \'zero\'.'),
        (f"[extensions.{UNIT}]\nada = 3\n", f"extensions.{UNIT}: say when {UNIT} is due"),
        (
            f'[due]\n{UNIT} = {DUE}\n[extensions.{UNIT}]\nada = "3"\n',
            f"extensions.{UNIT}.ada: expected a number",
        ),
        (f"[groups.{UNIT}]\nteam1 = 3\n", f"groups.{UNIT}.team1: expected a list of two ids or more"),
        (f"[groups.{UNIT}]\nteam1 = ['ada']\n", 'such as ["ada", "ben"]; got [\'ada\'].'),
        (f"[groups.{UNIT}]\na = ['x', 'y']\nb = ['y', 'z']\n", "in one group, once; got y, who is in a."),
        (f"[groups.{UNIT}]\na = ['x', 'x']\n", "each student in one group, once; got x, who is in a."),
        (f"[groups]\n{UNIT} = 3\n", f"groups.{UNIT}: expected ids by the group's name"),
        ("[nbgrader]\nSandboxExecute = 3\n", "nbgrader.SandboxExecute: expected settings of that class"),
    ],
)
def test_a_mistake_is_named_with_its_place(tmp_path, text, says):
    with pytest.raises(choices.BadChoice) as error:
        written(tmp_path, text)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_groups_are_of_a_unit_that_there_is(tmp_path):
    (tmp_path / "solutions" / UNIT).mkdir(parents=True)
    (tmp_path / "solutions" / UNIT / f"{UNIT}.ipynb").write_text("{}")
    text = "[groups.{}]\nteam1 = ['ada', 'ben']\n"
    assert written(tmp_path, text.format(UNIT)).groups == {UNIT: {"team1": ("ada", "ben")}}
    with pytest.raises(choices.BadChoice, match=r"groups.05_sofmax: there is no unit"):
        written(tmp_path, text.format("05_sofmax"))


def test_choices_become_settings(tmp_path):
    written(
        tmp_path,
        '[late]\ntake_off = 0.1\n[marks]\nwhole_answer = "zero"\n[nbgrader.SandboxExecute]\nmemory = 5\n',
    )
    config = Config()
    choices.apply(config, tmp_path)
    assert (config.SandboxExecute.whole_answer, config.SandboxExecute.memory) == ("zero", 5)
    assert late.TakeOff(config=config).late_submission_penalty("ada", 10.0, 86_401) == 2.0
    assert late.TakeOff(config=config).late_submission_penalty("ada", 10.0, 86_400 * 30) == 10.0


def test_late_days_go_to_units_in_the_order_in_which_they_are_due():
    first, second = datetime.datetime(2027, 1, 1), datetime.datetime(2027, 1, 8)
    chosen = choices.Choices({"b": first, "a": second}, {"a": {"ada": 1}}, late_days=3)
    when = {"b": first + 1.5 * DAYS, "a": second + 4 * DAYS}
    ada, ben = late.of_student(chosen, when, "ada"), late.of_student(chosen, when, "ben")
    assert ada["b"].more_time == 2 * DAYS
    assert ada["a"].more_time == 2 * DAYS, "her extension, and the one that is left"
    assert ben["a"].more_time == 1 * DAYS
    assert (ada["b"].left, ada["a"].left) == (1, 0)
    assert ada["a"].late == 2 * DAYS
    assert str(ada["a"]) == "4 days, 0:00:00 after the due date, 1 more days given, 1 late day used, 0 left"


@pytest.mark.slow
def test_what_is_chosen_reaches_the_marks(tmp_path):
    folder = classroom.fresh_course(tmp_path, [UNIT])
    right = classroom.solved(UNIT)
    library = "def softmax(x, axis=-1):\n    return torch.softmax(torch.as_tensor(x), axis).numpy()"
    poking = f"import gc\n{right['softmax']}"
    handed_in = {
        "ada": right,
        "ben": right,
        "cyd": {**right, "softmax": library},
        "dot": {**right, "softmax": poking},
    }
    for student, answers in handed_in.items():
        place = classroom.hand_in(folder, UNIT, student, answers)
        (place / "timestamp.txt").write_text("2027-01-19 23:00:00 UTC" if student in ("ada", "ben") else "")

    def marks():
        done = classroom.grade(folder, UNIT, "--workers", 1)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "Warning" not in done.stderr
        return done.stdout, classroom.reports(folder, UNIT)

    said, before = marks()
    assert {sum(one["points"].values()) for one in before.values()} == {TOTAL}
    assert "cyd: softmax calls torch.softmax, which is the whole answer" in said
    text = f"[due]\n{UNIT} = {DUE}\n[late]\ndays = 1\ntake_off = 0.1\n[extensions.{UNIT}]\nben = 2\n"
    (folder / choices.FILE).write_text(text + '[marks]\nwhole_answer = "zero"\nunneeded_code = "zero"\n')
    said, after = marks()
    assert f"ada: {TOTAL} -> {0.8 * TOTAL:g}" in said, (
        "48 hours and a minute: after a late day two more have begun"
    )
    assert f"ben: {TOTAL}" not in said
    for student, mistake in (("cyd", "whole-answer"), ("dot", "unneeded-code")):
        assert after[student]["points"]["softmax"] == 0
        assert after[student]["mistakes"] == {"softmax": mistake}
        assert "Here that earns no points" in after[student]["says"]["softmax"]
        assert after[student]["points"]["attention"] == 4, "who calls it in one answer loses that one"
    graded = (folder / "autograded" / "cyd" / UNIT / f"{UNIT}.ipynb").read_text()
    assert "which is the whole answer. Here that earns no points" in graded, "the learner reads why"


@pytest.mark.nightly
def test_formgrader_lists_what_is_worth_a_look(tmp_path):
    folder = classroom.fresh_course(tmp_path, [UNIT])
    right = classroom.solved(UNIT)
    library = "def softmax(x, axis=-1):\n    return torch.softmax(torch.as_tensor(x), axis).numpy()"
    classroom.hand_in(folder, UNIT, "ada", right)
    classroom.hand_in(folder, UNIT, "cyd", {**right, "softmax": library})
    done = classroom.grade(folder, UNIT, "--workers", 1)
    assert "To be looked at in Formgrader: cyd\n" in done.stdout
    with Gradebook(f"sqlite:///{folder}/gradebook.db") as book:
        asked = {
            student: {grade.name for grade in one.grades if grade.needs_manual_grade}
            for student in ("ada", "cyd")
            for one in book.find_submission(UNIT, student).notebooks
        }
        assert asked == {"ada": set(), "cyd": {"softmax-test"}}
        assert book.find_submission(UNIT, "cyd").score == TOTAL, "who is looked at keeps the points"


def test_a_mark_that_changed_twice_is_listed_once():
    changes = [Change("ada", 16, 14), Change("ben", 3, 4), Change("ada", 14, 16), Change("ben", 4, 5, True)]
    assert net(changes) == [Change("ben", 3, 5, True)]
