"""`review`, `before_you_start`, mastery and the record: as a learner meets them, day after day."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from helpers import before_you_start, forget, progress, review
from helpers.errors import BadArgument, UnknownName
from helpers.learner import progress_record, reviewing
from helpers.learner.mastery import guessing, mastery, remembered
from helpers.offered import offered
from helpers.passed import FILE, HERE, Asked, Kept
from helpers.questions import kinds, schedule
from helpers.questions.shown import LETTERS
from helpers.units import UNITS

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
UNTIL_05 = [name for unit, names in UNITS.items() if unit < "06" for name in names]


class Learner:
    """A notebook on some day: what was passed stands in its record."""

    def __init__(self, folder, monkeypatch, capsys):
        self.folder, self.capsys, self.now = folder, capsys, NOON
        monkeypatch.chdir(folder)
        monkeypatch.setattr(progress_record, "learning", lambda: True)
        monkeypatch.setattr(reviewing, "READING", 0.0)
        monkeypatch.setattr(reviewing, "in_notebook", lambda: False)
        learner = self

        class Clock(datetime):
            @classmethod
            def now(cls, tz=None):
                return learner.now.astimezone(tz)

        for module in (reviewing, progress_record):
            monkeypatch.setattr(module, "datetime", Clock)
        self.restart()

    def restart(self):
        """Another kernel: nothing is left but the file."""
        for kept in (reviewing._open, reviewing._asked, HERE):
            kept.clear()
        reviewing._opened.clear()

    def pass_all(self, names):
        with (self.folder / FILE).open("a") as file:
            for name in names:
                file.write(json.dumps({"exercise": name, "event": "passed", "at": NOON.isoformat()}) + "\n")

    def says(self, call, *args, **more):
        call(*args, **more)
        return self.capsys.readouterr().out

    def answer(self, *, right=True, **more):
        """Answer the open question; gives what is said."""
        question = reviewing._open[-1][0]
        place = question.right if right else (question.right + 1) % len(question.choices)
        return self.says(review, LETTERS[place], **more)

    @property
    def asked(self):
        return Kept(self.folder / FILE).asked


@pytest.fixture
def learner(tmp_path, monkeypatch, capsys):
    return Learner(tmp_path, monkeypatch, capsys)


def test_before_anything_is_passed_there_is_nothing_to_ask(learner):
    assert reviewing.NONE_YET in learner.says(review)
    assert reviewing.NONE_YET in learner.says(before_you_start, "05_softmax", ..., ..., ...)
    assert not (learner.folder / FILE).exists()


def test_four_questions_make_a_day_and_what_was_missed_comes_tomorrow(learner):
    learner.pass_all(UNTIL_05)
    assert "Question 1 of 4." in learner.says(review)
    said = learner.answer(right=False)
    missed = learner.asked[0].exercise
    assert said.startswith("Not this time: ")
    assert f"`{missed}`" in said
    assert "Question 2 of 4." in said
    for _ in range(2):
        assert learner.answer().startswith("Right.")
    last = learner.answer()
    assert "3 of 4 right. What you missed comes again tomorrow." in last
    assert "Question" not in last
    assert "Today's four are answered." in learner.says(review)
    assert len({one.exercise for one in learner.asked}) == 4

    learner.restart()
    learner.now += timedelta(days=1)
    assert "Question 1 of 4." in learner.says(review)
    assert reviewing._open[-1][0].exercise == missed
    again = reviewing._open[-1][0]
    asked = {(one.exercise, one.kind, one.seed) for one in learner.asked}
    assert (again.exercise, again.kind, again.seed) not in asked, "another question about the same"


def test_more_asks_four_more(learner):
    learner.pass_all(UNTIL_05)
    learner.says(review)
    for _ in range(4):
        learner.answer()
    assert "Question 1 of 4." in learner.says(review, more=True)
    for _ in range(3):
        assert "Question" in learner.answer()
    assert "8 of 8 right." in learner.answer()


def test_right_answers_come_again_after_three_days(learner):
    learner.pass_all(["softmax"])
    learner.says(review)
    assert "Nothing is due today." in learner.answer() + learner.says(review)
    for days, due in ((1, False), (2, False), (3, True)):
        learner.restart()
        learner.now = NOON + timedelta(days=days)
        assert ("Question 1 of 4." in learner.says(review)) == due


def test_one_may_stop_and_the_question_waits(learner):
    learner.pass_all(UNTIL_05)
    first = learner.says(review)
    assert learner.says(review) == first
    learner.restart()
    assert learner.says(review) == first


def test_an_answer_without_a_question_shows_one_and_counts_nothing(learner):
    learner.pass_all(UNTIL_05)
    assert "Question 1 of 4." in learner.says(review, "a")
    assert not learner.asked


def test_run_all_does_not_answer(learner, monkeypatch):
    learner.pass_all(UNTIL_05)
    monkeypatch.setattr(reviewing, "READING", 3600.0)
    for _ in range(3):
        assert "Question 1 of 4." in learner.says(review, "a")
    assert not learner.asked


@pytest.mark.parametrize("answer", ["e", "", "ab", 1, "yes please"])
def test_an_answer_that_is_no_letter_loses_nothing(learner, answer):
    learner.pass_all(["attention"])
    shown = learner.says(review)
    with pytest.raises(BadArgument, match="one letter in quotes, a, b"):
        review(answer)
    assert learner.says(review) == shown
    assert not learner.asked


@pytest.mark.parametrize("sure", [4, "very", True, -1])
def test_sure_is_1_2_or_3(learner, sure):
    learner.pass_all(["attention"])
    learner.says(review)
    with pytest.raises(BadArgument, match="sure is 1"):
        review("a", sure=sure)
    assert not learner.asked


def test_every_unit_begins_with_three_questions_from_before(learner):
    learner.pass_all(UNTIL_05)
    said = learner.says(before_you_start, "06_multi_head_attention", ..., ..., ...)
    assert said.count("Its letter belongs in place of the ") == 3
    drawn = Kept(learner.folder / FILE).opened["06_multi_head_attention"]
    units = [next(unit for unit, names in UNITS.items() if name in names)[:2] for _, name, _ in drawn]
    assert units[:2] == ["05", "04"]
    assert units[2] < "04"


def test_what_is_not_passed_is_not_asked(learner):
    learner.pass_all(["dot", "softmax"])
    learner.says(before_you_start, "06_multi_head_attention")
    assert {name for _, name, _ in Kept(learner.folder / FILE).opened["06_multi_head_attention"]} == {
        "dot",
        "softmax",
    }


def test_the_questions_of_a_beginning_stay_and_count_once(learner):
    learner.pass_all(UNTIL_05)
    unit = "06_multi_head_attention"
    first = learner.says(before_you_start, unit, ..., ..., ...)
    drawn = Kept(learner.folder / FILE).opened[unit]
    right = [LETTERS[kinds.question(*one).right] for one in drawn]
    learner.restart()
    learner.now += timedelta(days=9)
    assert learner.says(before_you_start, unit, ..., ..., ...) == first
    said = learner.says(before_you_start, unit, right[0], ..., "b" if right[2] == "a" else "a")
    assert said.startswith("Right. ")
    assert "Not this time: " in said
    learner.says(before_you_start, unit, *right)
    learner.says(before_you_start, unit, *right)
    assert [one.right for one in learner.asked].count(False) == 1
    assert len(learner.asked) == 3


def test_a_beginning_refuses_what_it_cannot_use(learner):
    learner.pass_all(UNTIL_05)
    with pytest.raises(UnknownName, match="no unit '05'"):
        before_you_start("05")
    with pytest.raises(BadArgument, match="one letter in quotes"):
        before_you_start("05_softmax", "z", ..., ...)
    with pytest.raises(BadArgument, match="asks 3 questions; it got 4"):
        before_you_start("05_softmax", "a", "a", "a", "a")
    assert not learner.asked


def test_a_record_of_another_version_loses_nothing(learner):
    learner.pass_all(UNTIL_05)
    lines = [
        {"exercise": "softmax", "event": "asked", "kind": "next year's", "seed": 1, "right": True, "sure": 3},
        {
            "exercise": "an exercise that is gone",
            "event": "asked",
            "kind": "made_by",
            "seed": 1,
            "right": True,
        },
        {"exercise": "softmax", "event": "something new", "of": "next year"},
        {"exercise": "05_softmax", "event": "opened", "questions": [["a new kind", "softmax", 1]]},
    ]
    with (learner.folder / FILE).open("a") as file:
        for line in lines:
            file.write(json.dumps({**line, "at": NOON.isoformat()}) + "\n")
    before = (learner.folder / FILE).read_text()
    assert "Question 1 of 4." in learner.says(review) or "Question 3 of 4." in learner.says(review)
    learner.says(before_you_start, "05_softmax", ..., ..., ...)
    repr(progress())
    assert (learner.folder / FILE).read_text().startswith(before)
    assert not list(learner.folder.glob("progress-damaged-*"))


def test_a_clock_set_back_blocks_nothing_and_repeats_nothing(learner):
    learner.pass_all(["softmax", "causal_mask"])
    learner.now = NOON + timedelta(days=400)
    learner.says(review)
    learner.answer()
    answered = learner.asked[0].exercise
    learner.restart()
    learner.now = NOON
    learner.says(review)
    assert reviewing._open[-1][0].exercise != answered
    learner.restart()
    learner.now = NOON + timedelta(days=402)
    assert answered not in schedule.due(["softmax", "causal_mask"], learner.asked, (learner.now).date())


def test_two_machines_with_one_record_count_an_answer_once(learner):
    learner.pass_all(UNTIL_05)
    learner.says(review)
    learner.answer(right=False)
    path = learner.folder / FILE
    later = {"exercise": "dot", "event": "asked", "kind": "what_moves", "seed": 0, "right": True, "sure": 2}
    early = (NOON - timedelta(days=2)).isoformat()
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines, *lines, json.dumps({**later, "at": early})]) + "\n")
    assert len(learner.asked) == 2
    assert learner.asked[0].exercise == "dot", "in the order of time, not of the file"
    assert "2 of 4." in learner.says(review)


def test_forget_deletes_the_record_with_one_call(learner):
    learner.pass_all(UNTIL_05)
    learner.says(review)
    learner.answer()
    (learner.folder / "progress-damaged-1.jsonl").write_text("?")
    said = learner.says(forget)
    assert "Deleted: progress.jsonl, progress-damaged-1.jsonl." in said
    assert not list(learner.folder.glob("progress*"))
    assert "There is no record to delete" in learner.says(forget)


# Mastery


def answered(exercise, day, *, right=True, sure=2, kind="made_by"):
    return Asked(kind, exercise, day, right, sure, NOON + timedelta(days=day))


def test_remembered_is_right_on_two_days_and_not_by_guessing():
    assert remembered("softmax", [answered("softmax", 0), answered("softmax", 3)])
    assert not remembered("softmax", [answered("softmax", 0)])
    assert not remembered("softmax", [answered("softmax", 0), answered("softmax", 0, kind="which_line")])
    assert not remembered("softmax", [answered("softmax", 0, sure=1), answered("softmax", 3)])
    assert not remembered("softmax", [answered("softmax", 0), answered("softmax", 3, right=False)])


def test_mastery_counts_by_step():
    asked = [
        answered("softmax", 0, sure=3),
        answered("softmax", 3),
        answered("attention", 3, right=False, sure=3),
    ]
    steps = {one.step: one for one in mastery(offered(), {"softmax", "attention"}, asked)}
    assert list(steps) == [
        *("scores", "scale", "mask", "softmax", "mix", "heads", "training", "real models", "speed")
    ]
    assert str(steps["softmax"]).startswith("1 of 6 done, 1 of ")
    assert str(steps["softmax"]).endswith("certain and right: 1 of 1")
    assert str(steps["mix"]).endswith("certain and right: 0 of 1")
    assert steps["speed"].done == steps["speed"].remembered == 0


def test_who_guesses_is_told_and_not_praised(learner):
    guesses = [answered("softmax", day, right=day % 4 == 0, sure=1) for day in range(12)]
    assert guessing(guesses).startswith("3 of 12 questions right is about what guessing gives")
    assert not guessing([answered("softmax", day) for day in range(12)])
    assert not guessing(guesses[:4]), "too few to tell"
    learner.pass_all(UNTIL_05)
    for one in guesses:
        progress_record._add(
            {"exercise": one.exercise, "event": "asked", "kind": one.kind, "seed": one.seed}
            | {"right": one.right, "sure": 1},
            one.at,
        )
    said = repr(progress())
    assert "softmax: 6 of 6 done, 0 of" in said
    assert "about what guessing gives" in said


def test_progress_says_nothing_of_steps_before_the_first_question(learner):
    learner.pass_all(UNTIL_05)
    assert "remembered" not in repr(progress())
