"""`check` and `hint` for a page: JSON with the panel that a notebook draws, and its sentences as text."""

import json
from collections.abc import Mapping
from typing import Any

from helpers.beside.failed_cells import ABSENT, MISSPELT, compares, only_compared
from helpers.beside.place import nearest
from helpers.errors import OneSentence
from helpers.exercises.base import Exercise, asking, draw_cases
from helpers.in_browser.recorded import fresh_seed
from helpers.in_browser.site import NotFetched
from helpers.learner import named_once
from helpers.learner.checking import find_exercise, unfolded, verdict_of
from helpers.offered import offered
from helpers.on_page.lending import Earlier, earlier
from helpers.on_page.running import Ran, ran
from helpers.units import UNIT_OF
from helpers.verdict.can_do import can_do
from helpers.verdict.drawn import in_html
from helpers.verdict.error_hints import known_error
from helpers.verdict.judge import Verdict, unanswered
from helpers.verdict.panel import Panel, panel
from helpers.verdict.right import right
from helpers.verdict.telling import nothing_there, praise
from helpers.verdict.wording import label

FEW = 5
"""So many impostors a test has to catch for its first point, as its first check in the notebook says."""


LAST = "One way to write it stands on this exercise's page, under Show one answer."


def check(exercise: str, source: str, answers: Mapping[str, str], *, seed: int | None = None) -> str:
    """Check an answer as it stands on a page.

    Args:
        exercise: its name.
        source: the answer's text.
        answers: the learner's other answers, by exercise.
        seed: repeats the inputs of an earlier check; fresh ones by default.

    Returns:
        JSON: `passed`; `html`, the panel of a notebook's check; `text`, the same as text; `misconception`,
        its short name or `null`; `printed`, what the answer printed; `lent`, the exercises of which it used
        the course's answer; `standing`, the unit, its number of exercises and the next one's name or `null`.

    Raises:
        UnknownName: when there is no such exercise; the message lists those there are.
        NotFetched: when right results do not come.
    """
    record = find_exercise(exercise)
    seed = fresh_seed(exercise) if seed is None else seed
    there = earlier(exercise, source, answers)
    found = _found(record, source, there, seed)
    if not found["passed"] and there.own and (wrong := there.wrong()):
        there = earlier(exercise, source, answers, wrong)
        found = _found(record, source, there, seed)
    return json.dumps(found | {"lent": [*there.lent], "standing": _standing(exercise)})


def _found(exercise: Exercise, source: str, there: Earlier, seed: int) -> dict[str, Any]:
    """What one run of an answer and its checks come to."""
    one = ran(exercise.name, source, there.all)
    if problem := _without_answer(exercise, source, one):
        passed, shown, text, misconception = False, problem, repr(problem), None
    else:
        try:
            passed, shown, text, misconception = _checked(exercise, one.value, seed)
        except NotFetched:
            raise
        except (OneSentence, ImportError) as cannot:  # one that needs PyTorch, and the like
            shown = Panel(str(cannot), (), exercise.hints[0], label=label(True))
            passed, text, misconception = False, str(cannot), None
    later = f"A later line stopped with {one.stopped.says}.\n" if one.stopped and passed else ""
    return {
        "passed": passed,
        "html": shown if isinstance(shown, str) else shown._repr_html_(),
        "text": text,
        "misconception": misconception,
        "printed": one.printed + later,
    }


def _without_answer(exercise: Exercise, source: str, one: Ran) -> Panel | None:
    """The panel where there is nothing to check: the code did not run to its end, or made no answer."""
    if one.value is ABSENT and exercise.name in only_compared(source):
        return _missing(exercise, "", compares(exercise.name))
    if one.blank and (one.value is ABSENT or one.value is ...):
        return _unhinted(unanswered(exercise, "" if one.value is ... else "<module>"))
    if one.stopped and not callable(one.value):
        stopped, known = one.stopped, None
        if not stopped.advice:
            known = known_error(stopped.kind, stopped.text)
        says = f"{exercise.name} is not checked: your code stopped with {stopped.says}."
        hint = known.hint if known else exercise.hints[0]
        advice = filter(None, [stopped.advice])
        return Panel(says, tuple(advice), hint, label=label(not known))
    if one.value is ABSENT:
        return _missing(exercise, _near(exercise.name, one), _HERE)
    return None


def _missing(exercise: Exercise, near: str, note: str) -> Panel:
    error = nothing_there(exercise, near, note)
    return Panel(str(error), (), error.hint, label=label(True))


_HERE = "Its name has to be defined in your answer."


def _near(name: str, one: Ran) -> str:
    """What the code may have made under a misspelt name."""
    made = [name for name, value in one.space.items() if callable(value) and name not in UNIT_OF]
    return nearest(name, made, MISSPELT)


def _unhinted(verdict: Verdict) -> Panel:
    first, *others = (line.replace(" and run the cell", "") for line in verdict.lines)  # there is none here
    return Panel(first, tuple(others), verdict.hint, label=label(True))


def _checked(exercise: Exercise, answer: Any, seed: int) -> tuple[bool, Any, str, str | None]:
    """Whether it passes, what is drawn, the same as text, and the mistake's name."""
    few = asking(exercise, FEW if exercise.enough else None)
    verdict = verdict_of(few, answer, seed)
    some = ""
    if verdict.passed and exercise.enough:
        some = right(few, verdict, draw_cases(few, seed))._repr_html_()
        verdict = verdict_of(exercise, answer, seed)
    if verdict.passed:
        cases = draw_cases(exercise, seed)
        shown = right(exercise, verdict, cases, able=can_do(exercise.name))._repr_html_()
        met = verdict.roster._repr_html_() if verdict.roster else ""
        text = "\n".join(map(str, filter(None, [praise(exercise.name, verdict), verdict.roster])))
        return True, shown + met, text, None
    verdict = named_once.told(exercise, answer, verdict)
    drawn = panel(exercise, verdict, "") if verdict.problem else _unhinted(verdict)
    text = verdict.says if verdict.problem else repr(drawn)
    below = unfolded(exercise, verdict, answer, draw_cases(exercise, seed)) if verdict.problem else ""
    return False, f"{some}{drawn._repr_html_()}{below}", text, verdict.misconception


def _standing(name: str) -> dict[str, Any]:
    unit = UNIT_OF[name]
    names = offered().get(unit, [])
    later = names[names.index(name) + 1 :] if name in names else []
    return {"unit": unit, "exercises": len(names), "next": later[0] if later else None}


def hint(exercise: str, rung: int) -> str:
    """Give a hint of an exercise: a question, a nudge, nearly the answer, where an answer stands.

    Args:
        exercise: its name.
        rung: which hint, from 1; the last one for whatever is more.

    Returns:
        JSON: `html`, `text`, `rung`, which hint it is, and `of`, how many there are.

    Raises:
        UnknownName: when there is no such exercise; the message lists those there are.
    """
    hints = [*find_exercise(exercise).hints, LAST]
    rung = max(1, min(rung, len(hints)))
    said = hints[rung - 1]
    heading = f"Hint {rung} of {len(hints)}:"
    shown = f"<p><b>{heading}</b> {in_html(said)}</p>"
    return json.dumps({"html": shown, "text": f"{heading} {said}", "rung": rung, "of": len(hints)})
