"""`share`: what a code holds of a learner's record, who is asked for it, and what stays when it stops."""

import json
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

import helpers
from helpers import CheckFailed, check, class_now, forget, reference, share
from helpers.class_codes.found import found_in
from helpers.class_codes.letters import ALPHABET
from helpers.class_codes.tables import table_of
from helpers.errors import BadArgument, UnknownName
from helpers.learner import progress_record, sharing
from helpers.learner.named import named_by
from helpers.passed import HERE, SHARING, Kept

UNIT = "05_softmax"
NAMES = table_of(UNIT).exercises


def over_queries(x, axis=-1):
    e = np.exp(x - x.max(axis=0, keepdims=True))
    return e / e.sum(axis=0, keepdims=True)


@pytest.fixture(autouse=True)
def nothing_before(monkeypatch):
    """As in a kernel that has just begun, on a machine without a hub."""
    monkeypatch.delenv("CLASS_FOLDER", raising=False)
    yield
    HERE.clear()
    SHARING.clear()


@pytest.fixture
def learner(tmp_path, monkeypatch):
    """A learner in a notebook of unit 05, in a folder of their own."""
    (tmp_path / UNIT).mkdir()
    monkeypatch.chdir(tmp_path / UNIT)
    monkeypatch.setattr(progress_record, "learning", lambda: True)
    return tmp_path


@pytest.fixture
def gathered(learner, monkeypatch):
    """The file in which a hub gathers codes."""
    (learner / "class-now").mkdir()
    monkeypatch.setenv("CLASS_FOLDER", str(learner / "class-now"))
    file = learner / "class-now" / "codes.txt"
    file.touch()
    return file


def checked(answer, name="softmax"):
    """Check an answer as a notebook's cell does; gives what became of it."""
    space = {name: answer, "check": check}
    try:
        exec(f"check({name!r})", space)
    except CheckFailed as failed:
        return failed
    return None


def shared(capsys, *words, **more):
    """The code that is printed, and what it holds."""
    capsys.readouterr()
    share(*words, **more)
    printed = capsys.readouterr().out
    (code,) = found_in(printed).learners[UNIT].values()
    return printed, code


# What is recorded


def test_a_failed_check_keeps_the_mistake_that_it_named_and_its_sentence(learner):
    failed = checked(over_queries)
    (kept,) = Kept(learner / "progress.jsonl").mistakes["softmax"]
    assert kept[0] == failed.misconception == "softmax-over-queries"
    assert kept[1] in str(failed)
    checked(reference.softmax)
    assert Kept(learner / "progress.jsonl").mistakes == {}


def test_a_check_that_names_nothing_ends_what_an_earlier_one_named(learner):
    progress_record.record("softmax", "tried", [("softmax-over-queries", "")])
    progress_record.record("masked_softmax", "tried", [("no-max-subtraction", "")])
    progress_record.record("softmax", "tried")
    assert list(Kept(learner / "progress.jsonl").mistakes) == ["masked_softmax"]


@pytest.mark.parametrize("line", ['"mistakes": 3', '"mistakes": [["a"]]', '"mistakes": [3]'])
def test_a_damaged_line_on_mistakes_is_no_good_line(learner, line):
    (learner / "progress.jsonl").write_text(f'{{"exercise": "softmax", "event": "tried", {line}}}\n')
    kept = Kept(learner / "progress.jsonl")
    assert (kept.damaged, kept.mistakes) == (True, {})


def test_two_mistakes_at_once_are_two():
    class Two:
        misconception = "softmax-over-queries+no-max-subtraction"
        lines = ("softmax is not right yet.", "Two mistakes at once.")

    assert [id_ for id_, _ in named_by(helpers.exercises.find("softmax"), Two)] == Two.misconception.split(
        "+"
    )


# What is shared


def test_a_code_says_what_is_passed_and_tried_and_which_mistake(learner, capsys):
    checked(over_queries)
    checked(reference.masked_softmax, "masked_softmax")
    printed, code = shared(capsys)
    assert code.states == ("tried", "passed", *["untouched"] * 6)
    ((place, sentence),) = code.mistakes
    assert (place, NAMES[0].said[sentence][0]) == (0, "softmax-over-queries")
    assert "05_softmax: 1 passed, 1 tried, 6 not yet tried." in printed
    assert "lena" not in printed


def test_the_newest_mistake_comes_first(learner, capsys):
    for name in ("softmax", "masked_softmax", "attention"):
        progress_record.record(name, "tried", [(NAMES[0].said[0][0] if name == "softmax" else "float32", "")])
    progress_record.record("softmax", "tried", [("float32", "")])
    _, code = shared(capsys)
    assert code.mistakes[0][0] == 0
    assert len(code.mistakes) >= 2


def test_the_tag_is_random_stays_and_goes_with_the_record(learner, capsys):
    checked(over_queries)
    _, first = shared(capsys)
    SHARING.clear()  # another kernel
    _, again = shared(capsys, UNIT)
    assert first.tag == again.tag
    assert set(first.tag) <= set(ALPHABET)
    forget()
    assert not (learner / "progress.jsonl").exists()
    tags = set()
    for _ in range(3):
        tags.add(shared(capsys, UNIT)[1].tag)
        forget()
    assert len(tags | {first.tag}) > 1


def test_a_folder_that_cannot_be_written_to_keeps_the_tag_for_this_kernel(learner, capsys, monkeypatch):
    monkeypatch.setattr(progress_record, "record_file", lambda: learner / "nowhere" / "progress.jsonl")
    assert shared(capsys)[1].tag == shared(capsys)[1].tag


def test_the_unit_is_that_of_the_last_check_where_the_folder_does_not_tell(learner, capsys, monkeypatch):
    monkeypatch.chdir(learner)
    with pytest.raises(BadArgument, match=r'say which unit, in quotes, such as share\("00_start_here"\)'):
        share()
    progress_record.record("softmax", "tried")
    printed, _ = shared(capsys)
    assert UNIT in printed


def test_an_unknown_unit_names_those_there_are(learner):
    with pytest.raises(UnknownName, match="05_softmax"):
        share("05")


# On a hub


def test_each_check_sends_a_code_and_the_learner_is_told_once_and_first(gathered, capsys):
    checked(over_queries)
    assert capsys.readouterr().out.count("share(always=False) stops it") == 1
    checked(reference.softmax)
    assert "share(always" not in capsys.readouterr().out
    lines = gathered.read_text().splitlines()
    assert len(lines) == 2
    (code,) = found_in("\n".join(lines)).learners[UNIT].values()
    assert code.states[0] == "passed"
    now = class_now()
    assert now.units[0].rows[0].passed == 1
    assert now.notes == ()


def test_it_stops_and_begins_again_and_a_new_kernel_knows(gathered, capsys):
    share(always=False)
    assert "No check sends anything any more." in capsys.readouterr().out
    SHARING.clear()
    checked(reference.softmax)
    assert gathered.read_text() == ""
    assert "instructor" not in capsys.readouterr().out
    share(always=True)
    checked(reference.softmax)
    assert len(gathered.read_text().splitlines()) == 1


def test_where_nobody_asks_for_it_nothing_is_sent_or_told(learner, capsys):
    checked(reference.softmax)
    assert "instructor" not in capsys.readouterr().out
    share(always=False)
    assert "Nothing is sent from here" in capsys.readouterr().out


def test_while_an_instructor_grades_nothing_is_sent(gathered, monkeypatch, capsys):
    monkeypatch.setattr(progress_record, "learning", lambda: False)
    checked(reference.softmax)
    assert gathered.read_text() == ""
    assert "instructor" not in capsys.readouterr().out


def test_a_folder_that_is_gone_stops_no_check(gathered, capsys):
    gathered.unlink()
    gathered.parent.rmdir()
    assert checked(reference.softmax) is None
    assert checked(over_queries).misconception == "softmax-over-queries"


def test_the_class_now_is_that_of_the_last_hours(gathered):
    sharing.after_check("softmax")
    line = gathered.read_text().strip().split(" ")[1]
    old = (datetime.now(UTC) - timedelta(hours=5)).isoformat(timespec="seconds")
    gathered.write_text(f"{old} {line}\nno time {line}\n\x00\n")
    assert repr(class_now()) == "No check has sent a code in the last 4 hours."
    assert class_now(hours=6).units[0].learners == 1
    with pytest.raises(BadArgument, match="hours should be a number above 0"):
        class_now(hours=0)
    gathered.unlink()
    with pytest.raises(BadArgument, match="no check has sent a code yet"):
        class_now()


def test_a_record_holds_no_more_of_a_shared_code_than_its_tag(learner, capsys):
    shared(capsys, UNIT)
    (line,) = (learner / "progress.jsonl").read_text().splitlines()
    assert json.loads(line).keys() == {"exercise", "event", "tag", "at"}
