"""What a learner's test is told: whom it accused wrongly, or whom it caught and who is still here.

All cases of a check are judged together, since not every impostor must be caught.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from helpers.exercises.base import Case, Exercise
from helpers.exercises.compare import Difference
from helpers.exercises.impostors import FIRST, IMPOSTOR, NEVER_CALLED, RIGHT
from helpers.text import names_in_words
from helpers.verdict.found import Verdict
from helpers.verdict.roster import Roster
from helpers.verdict.wording import WORDS

RETURNS = "In a test, `assert` says what must hold, and raises where it does not: no `return` is needed."
SILENT = "When should your test raise, and which line of it can?"
ROUNDING = "Two right ways to compute a number differ in their last digits: compare with `np.allclose`."
MENDED = "Is this line of your test right? It stops before the function has done anything wrong."
PROMISE = "Does the task promise what this line asks for, or is it one way among others?"


@dataclass(frozen=True)
class Met:
    """What became of one suspect, in all the times that it was met.

    Attributes:
        case: the first of these times.
        found: what the test said then, or where it accused.
        caught: in how many of them it was accused.
        times: how often it was met.
    """

    case: Case
    found: Mapping[str, Any]
    caught: int
    times: int


def judge_all(
    exercise: Exercise,
    cases: Sequence[Case],
    seen: Sequence[Mapping[str, Any]],
    examine: Callable[..., Difference | None],
    remark: str,
) -> Verdict:
    """The verdict on a test that has met every suspect.

    Args:
        exercise: its record.
        cases: the suspects, one a case.
        seen: what became of each.
        examine: says what is wrong with an observation that holds no value.
        remark: what is said of one that passes.
    """
    for case, one in zip(cases, seen, strict=False):
        if "value" not in one or one["changed"]:
            problem = examine(exercise, case, None, one)
            if problem:
                says = f"{problem.says[0].upper()}{problem.says[1:].rstrip('.')}."
                return _failed(exercise, case, [says], problem.misconception, problem.hint)
    met = _met(cases, seen)
    accused = [one for one in met if one.caught and one.case.args["kind"] == RIGHT]
    if accused:
        return _accuses(exercise, accused[0])
    impostors = sorted(
        (one for one in met if one.case.args["kind"] == IMPOSTOR), key=lambda one: one.case.args["number"]
    )
    caught = [one.case.args["number"] for one in impostors if one.caught == one.times]
    if len(caught) < exercise.enough:
        return _misses(exercise, cases[0], met, impostors, caught)
    every = len(caught) == len(impostors)
    many = f"all {len(caught)}" if every else f"{len(caught)} of {len(impostors)}"
    says = f"It catches {many} impostors and accuses no right answer."
    says += " Not one got past you!" if every else ""
    hidden, so_far = impostors[0].case.args["hidden"], exercise.enough < exercise.lineup.enough
    roster = None if hidden or so_far else _unmasked(exercise.lineup, caught)
    return Verdict(True, remark=remark, tally=says, so_far=so_far, roster=roster)


def _met(cases: Sequence[Case], seen: Sequence[Mapping[str, Any]]) -> list[Met]:
    found: dict[tuple, list] = {}
    for case, one in zip(cases, seen, strict=True):
        runs = [one["value"], *(two["value"] for two in [one.get("alone", {})] if "value" in two)]
        key = case.args["kind"], case.args["number"]
        found.setdefault(key, []).extend((case, _flat(value)) for value in runs)
    met = []
    for runs in found.values():
        raising = [(case, said) for case, said in runs if said["raised"]]
        case, said = (raising or runs)[0]
        met.append(Met(case, said, len(raising), len(runs)))
    return met


def _flat(value: Mapping[str, Any]) -> dict[str, Any]:
    """An outcome as `helpers.beside.suspects` made it, out of its description.

    Raises:
        ValueError: when it is none: it may come from a process under foreign control.
    """
    items = value.get("items")
    if not isinstance(items, dict):
        raise ValueError("no outcome of a test")
    return {
        "raised": bool(items["raised"]["array"]),
        **{name: bool(items[name]["array"]) for name in ("itself", "near", "swallows")},
        "calls": int(items["calls"]["array"]),
        "sides": [str(one["text"]) for one in items["sides"]["items"]],
        **{name: str(items[name]["text"]) for name in ("error", "where", "returned")},
    }


def _failed(
    exercise: Exercise, case: Case, says: list[str], id: str | None, hint: str | None, **more: Any
) -> Verdict:
    lines = (f"{exercise.name} is not right yet.", *says)
    problem = Difference(says[0], misconception=id, hint=hint)
    return Verdict(False, lines, id, hint or exercise.hints[0], "", problem, case, general=not hint, **more)


def _accuses(exercise: Exercise, one: Met) -> Verdict:
    said, style = one.found, f"It accuses a right answer: {one.case.args['style']}."
    kind, line = said["error"].split(":")[0], said["where"].split(":")[0]
    sides = f"; left stands {said['sides'][0]}, right {said['sides'][1]}" if said["sides"] else ""
    hint = ROUNDING if said["near"] else PROMISE if kind == "AssertionError" else MENDED
    told = [f"{error} ({place}){sides}" for error in (said["error"], kind) for place in (said["where"], line)]
    told = [f"On it your test stopped with {one.replace(' ()', '')}." for one in told]
    fits = (one for one in told if len(f"{style} {one} {hint}".split()) <= WORDS - 6)
    return _failed(exercise, one.case, [style, next(fits, told[-1])], "accuses-right-answer", hint)


def _misses(
    exercise: Exercise, case: Case, met: list[Met], impostors: list[Met], caught: list[int]
) -> Verdict:
    lineup, hidden = exercise.lineup, impostors[0].case.args["hidden"]
    here = [one.case.args["number"] for one in impostors if one.case.args["number"] not in caught]
    roster = _roster(lineup, caught, hidden)
    if not any(one.found["itself"] for one in met):
        silent = _silent(exercise, case, met, roster)
        if silent:
            return silent
    of = f"{len(caught)} of {len(impostors)} impostors" if caught else "no impostor"
    first = f"It lets every right answer through and catches {of}; {exercise.enough} are asked for."
    still = f"Still here: {', '.join(map(str, here))}."
    riddles = [f"{number} {lineup.riddle(number, hidden)}" for number in here]
    for many in (2, 1):
        hint = f"Impostor {' Impostor '.join(riddles[:many])}"
        if len(f"{first} {still} {hint}".split()) <= WORDS - 8:
            break
    return _failed(exercise, case, [first, still], "impostors-missed", hint, roster=roster)


def _silent(exercise: Exercise, case: Case, met: list[Met], roster: Roster) -> Verdict | None:
    """Why a test may never raise, where that can be seen."""
    returned = sorted({one.found["returned"] for one in met} - {""})
    if not any(one.found["calls"] for one in met):
        return _failed(exercise, case, [NEVER_CALLED], "never-called", FIRST, roster=roster)
    if returned:
        kinds = names_in_words(returned)
        says = f"It never raises by itself: it returns something of type {kinds}, which nobody looks at."
        return _failed(exercise, case, [says], "returns-instead-of-raising", RETURNS, roster=roster)
    if any(one.found["swallows"] for one in met):
        says = "It never raises by itself, and it has an `except` that would catch its own failing `assert`."
        return _failed(exercise, case, [says], "swallows-errors", SILENT, roster=roster)
    return None


def _roster(lineup: Any, caught: Sequence[int], hidden: bool) -> Roster:
    """Who is caught and who is still here, with riddles."""
    rows = tuple(
        (str(number), "caught", "") if number in caught else (str(number), "still here", f"It {riddle}")
        for number, (_, riddle) in enumerate(lineup.rows(hidden), start=1)
    )
    return Roster("The impostors", ("number", "", "what it can do"), rows)


def _unmasked(lineup: Any, caught: Sequence[int]) -> Roster:
    """Who the visible impostors were, and by which small call each shows; the others keep their riddles."""
    rows = []
    for number, (_, riddle) in enumerate(lineup.visible, start=1):
        mistake, told = lineup.mistake(number, False), ("still here", f"It {riddle}", "")
        if number in caught:
            told = mistake.id, mistake.says, lineup.witness(number)
        rows.append((str(number), *told))
    heads = "number", "mistake", "what its author would be told", "where it shows"
    return Roster("Who they were", heads, tuple(rows))


def kinds_met(riddles: Mapping[str, str], cases: Sequence[Case], seen: Sequence[Mapping[str, Any]]) -> Roster:
    """Which kinds of hidden functions a detector found, which it overlooked, and whom it accused wrongly.

    Args:
        riddles: as in `Exercise`.
        cases: each names its kind, and says `n`, the number of tokens: one alone has no fault.
        seen: what became of each; of one that came to no yes or no, nothing is told.
    """
    said: dict[str, list[bool]] = {}
    for case, one in zip(cases, seen, strict=False):
        array = one.get("value", {}).get("array")
        if case.args["kind"] in riddles and case.args["n"] > 1 and array is not None and array.ndim == 0:
            said.setdefault(case.args["kind"], []).append(bool(array))
    rows = []
    for number, (kind, riddle) in enumerate(riddles.items(), start=1):
        if kind not in said:
            continue
        yes = all(said[kind]) if riddle else any(said[kind])
        if riddle:
            rows.append((str(number), "found", kind) if yes else (str(number), "still here", f"It {riddle}"))
        else:
            rows.append((str(number), "wrongly accused" if yes else "let through", kind))
    return Roster("The hidden attentions", ("number", "", "which it is, or what it can do"), tuple(rows))
