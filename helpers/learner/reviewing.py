"""`review` and `before_you_start`: questions about what is passed, some days later."""

import time
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from helpers.beside.kernel import in_notebook
from helpers.errors import BadArgument, unknown
from helpers.learner import progress_record
from helpers.offered import offered
from helpers.passed import Asked, Kept, passed
from helpers.questions import kinds, schedule
from helpers.questions.question import Question
from helpers.questions.shown import LETTERS, Part, Sheet, asking, telling
from helpers.units import UNITS

NONE_YET = "There is nothing to ask yet: these questions are about what you have passed in earlier units."
ORDER = ("first", "second", "third")
READING = 1.0
"""Nobody reads a question in fewer seconds: what is answered sooner was a cell that Run All ran again."""

_open: list[tuple[Question, float]] = []
_asked: list[Asked] = []
"""What was answered in this kernel: of a folder that cannot be written to nothing else is left."""
_opened: dict[str, list[tuple[str, str, int]]] = {}


def review(answer: Any = None, *, sure: int = 0, more: bool = False) -> None:
    """Ask about what you have passed: four questions a day, which you answer with a letter.

    Without an answer it shows a question; `review("b")` answers it and shows the next.  You may stop at any
    time.  A question that was missed comes back tomorrow, others three days later.

    Args:
        answer: the letter of your choice.
        sure: 1, a guess, to 3, certain; `progress()` shows how well you know what you know.
        more: four more, today.

    Raises:
        BadArgument: when the answer is no letter of the question, or `sure` is not 1, 2 or 3.
    """
    told: list[Part] = []
    if answer is not None and (part := _answered(answer, _level(sure))):
        told.append(part)
    asked = _all_asked()
    today = _today()
    done = schedule.answered_on(asked, today)
    if done and done % schedule.A_DAY == 0 and answer is not None and told:
        _open.clear()
        told.append(Part("That is all for today.", (_standing(asked), MORE)))
    elif done >= schedule.A_DAY and done % schedule.A_DAY == 0 and not more and not _open:
        told.append(Part("Today's four are answered.", (_standing(asked), MORE)))
    else:
        told.append(_next(asked, done))
    _show(Sheet(tuple(told)))


MORE = "`review(more=True)` asks four more; the next come tomorrow by themselves."


def _answered(answer: Any, sure: int) -> Part | None:
    """What is said of an answer to the open question; `None` where there is none to answer."""
    if not _open or time.monotonic() - _open[-1][1] < READING:
        return None
    question = _open[-1][0]
    chosen = _letter(answer, len(question.choices))
    _open.clear()
    _keep(question, chosen == question.right, sure)
    return telling(question, chosen)


def _next(asked: Sequence[Asked], done: int) -> Part:
    question = _open[-1][0] if _open else _drawn(asked)
    if question is None:
        there = passed([name for names in offered().values() for name in names])
        return Part("Nothing is due today." if there else "Nothing yet.", (_WAIT if there else NONE_YET,))
    _open[:] = [(question, time.monotonic())]
    number = done % schedule.A_DAY + 1
    below = f'Answer with `review("a")`, or another letter; `sure=3` says that you are certain. {_STOP}'
    return asking(question, f"Question {number} of {schedule.A_DAY}.", below)


_STOP = "You may stop at any time."
_WAIT = "What you have passed was asked about in the last days. Come back tomorrow."


def _drawn(asked: Sequence[Asked]) -> Question | None:
    """The next question that can be drawn."""
    names = [name for names in offered().values() for name in names]
    for exercise in schedule.due(passed(names), asked, _today()):
        kind, seed = schedule.next_of(exercise, asked)
        if question := kinds.question(kind, exercise, seed):
            return question
    return None


def before_you_start(unit: str, *answers: Any) -> None:
    """Ask three short questions about earlier units: the one before, two before, and an older one.

    They are drawn once, from what you have passed, and stay the same; each answer counts the first time.

    Args:
        unit: such as `"05_softmax"`.
        answers: a letter for each question, `...` where there is none yet.

    Raises:
        UnknownName: when there is no such unit; the message lists those there are.
        BadArgument: when an answer is no letter of its question, or there are too many.
    """
    if unit not in UNITS:
        raise unknown("unit", unit, UNITS)
    questions = _of_the_beginning(unit)
    if not questions:
        return _show(Sheet((Part("Before you start.", (NONE_YET,)),)))
    if len(answers) > 3:
        raise BadArgument(f"before_you_start asks 3 questions; it got {len(answers)} answers")
    chosen = [
        None if one is ... or one is None else _letter(one, len(question.choices))
        for question, one in zip(questions, answers, strict=False)
    ]
    parts = []
    known = {(one.kind, one.exercise, one.seed) for one in _all_asked()}
    for number, question in enumerate(questions, start=1):
        letter = chosen[number - 1] if number <= len(chosen) else None
        title = f"Question {number} of {len(questions)}."
        if letter is None:
            parts.append(
                asking(question, title, f"Its letter belongs in place of the {ORDER[number - 1]} `...`.")
            )
            continue
        if (question.kind, question.exercise, question.seed) not in known:
            _keep(question, letter == question.right, 0)
        parts.append(telling(question, letter))
    return _show(Sheet(tuple(parts)))


def _of_the_beginning(unit: str) -> list[Question]:
    """The questions of a unit's beginning: as they were drawn, or drawn now."""
    kept = _opened.get(unit) or Kept(progress_record.record_file()).opened.get(unit)
    if kept is None:
        kept = _drawn_for(unit)
        if kept:
            _opened[unit] = kept
            progress_record.opened(unit, kept)
    return [question for one in kept if (question := kinds.question(*one))]


def _drawn_for(unit: str) -> list[tuple[str, str, int]]:
    """One question from the unit before, one from two before, one older; others where one is missing."""
    asked, order = _all_asked(), list(UNITS)
    before = order[: order.index(unit)][::-1]
    there = {one: [name for name in names if kinds.of(name)] for one, names in offered().items()}
    mine = {one: _by_need(passed(there.get(one, [])), asked) for one in before}
    older = sorted((name for one in before[2:] for name in mine[one]), key=lambda name: _need(name, asked))
    wanted = [*(mine[one] for one in before[:2]), older]
    chosen: list[tuple[str, str, int]] = []
    for names in [*wanted, [name for one in before for name in mine[one]]]:
        fresh = [name for name in names if name not in [exercise for _, exercise, _ in chosen]]
        if len(chosen) < 3 and fresh:
            kind, seed = schedule.next_of(fresh[0], asked)
            chosen.append((kind, fresh[0], seed))
    return chosen


def _by_need(names: set[str], asked: Sequence[Asked]) -> list[str]:
    return sorted(names, key=lambda name: _need(name, asked))


def _need(name: str, asked: Sequence[Asked]) -> tuple[Any, ...]:
    """What was missed first, then what was never asked, then what was asked longest ago."""
    last = next((place for place in reversed(range(len(asked))) if asked[place].exercise == name), -1)
    order = [one for names in UNITS.values() for one in names]
    return (last >= 0 and asked[last].right, last, -order.index(name))


def _all_asked() -> list[Asked]:
    there = Kept(progress_record.record_file()).asked
    return [*there, *(one for one in _asked if one not in there)]


def _keep(question: Question, right: bool, sure: int) -> None:
    one = progress_record.asked(question.kind, question.exercise, question.seed, right=right, sure=sure)
    _asked.append(one)


def _letter(answer: Any, count: int) -> int:
    """Which choice a letter stands for.

    Raises:
        BadArgument: when it is none of them.
    """
    text = str(answer).strip().strip(").").lower()
    if len(text) != 1 or text not in LETTERS[:count]:
        letters = f"{', '.join(LETTERS[: count - 1])} or {LETTERS[count - 1]}"
        raise BadArgument(f"an answer is one letter in quotes, {letters}; this is {str(answer)[:40]!r}")
    return LETTERS.index(text)


def _level(sure: Any) -> int:
    if sure not in (0, 1, 2, 3) or isinstance(sure, bool):
        raise BadArgument(f"sure is 1 (a guess), 2, or 3 (certain); this is {str(sure)[:40]!r}")
    return int(sure)


def _standing(asked: Sequence[Asked]) -> str:
    """How many of today's are right; where they are not, what comes of it."""
    today = [one for one in asked if schedule.day(one.at) == _today()]
    right = sum(one.right for one in today)
    again = " What you missed comes again tomorrow." if right < len(today) else ""
    return f"{right} of {len(today)} right.{again}"


def _today() -> Any:
    return schedule.day(datetime.now().astimezone())


def _show(sheet: Sheet) -> None:
    if in_notebook():
        from IPython.display import display

        display(sheet)
    else:
        print(sheet)
