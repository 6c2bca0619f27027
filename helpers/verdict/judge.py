"""The verdict: the half of a check that compares and explains.

It sees only what the probe wrote down, plain values and arrays.  It never touches the learner's
objects, so it can run in another process than the learner's code.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from helpers.beside.probe import describe, named
from helpers.exercises.base import Case, Exercise, MustRaise
from helpers.exercises.compare import Difference, difference, same
from helpers.verdict.diagnose import UNUSED_HINT, diagnose
from helpers.verdict.error_hints import known_error
from helpers.verdict.found import Verdict
from helpers.verdict.lineup import judge_all, kinds_met
from helpers.verdict.parts import results
from helpers.verdict.read_in_code import lines_left, read_in_code
from helpers.verdict.recognise import Attempt, Named, arrays_of, smallest
from helpers.verdict.wording import label, message

LONGEST_ERROR = 20
"""So many words of an error are told; PyTorch goes on for lines."""

_RIGHT: WeakKeyDictionary[Case, Any] = WeakKeyDictionary()


def judge(exercise: Exercise, cases: Sequence[Case], seen: Sequence[Mapping[str, Any]]) -> Verdict:
    """Compare what a probe saw with the oracle, and name the mistake when it is a known one."""
    if needed := next(filter(None, map(_no_pytorch, seen)), ""):
        return Verdict(False, (f"{exercise.name} is not checked: {needed}",), None, exercise.hints[0])
    if exercise.lineup and (blank := next((one for one in seen if "unanswered" in one), None)):
        return unanswered(exercise, blank["unanswered"])
    if exercise.lineup and (len(seen) == len(cases) or "too_slow" in seen[-1]):
        return judge_all(exercise, cases, seen, examine, _remark(seen))
    rights = [right_result(exercise, case) for case in cases[: len(seen)]]
    problems = [examine(exercise, *three) for three in zip(cases, rights, seen, strict=False)]
    wrong = [i for i, problem in enumerate(problems) if problem]
    everywhere = _stops_where_it_should_not(rights, seen)
    for i in everywhere:
        problems[i] = _stopped(seen[i]["error"])
    if not wrong and len(seen) == len(cases):
        return Verdict(passed=True, remark=_remark(seen))
    if not wrong:
        says = f"{exercise.name} stopped before it had answered every call."
        return Verdict(False, (says,), None, exercise.hints[0])
    first = wrong[0]
    if "unanswered" in seen[first]:
        return unanswered(exercise, seen[first]["unanswered"])
    if lines := lines_left(seen[0]):
        says = f"{exercise.name} is not answered yet: the line{'s' * (len(lines) > 1)} {' and '.join(lines)} "
        says += f"{'are' if len(lines) > 1 else 'is'} yours to write."
        return Verdict(False, (says,), "placeholder-left", exercise.hints[0])

    def is_wrong(number: int, other: Mapping[str, Any]) -> bool:
        if examine(exercise, cases[number], rights[number], other) is None:
            return False
        return not _lost_in_rounding(rights[number], other, seen[number])

    attempt = Attempt(exercise, cases, seen, wrong, is_wrong)
    mistake = diagnose(attempt, rights, [problems[i] for i in wrong])
    shown = smallest(cases, mistake.cases if mistake else [i for i in wrong if i not in everywhere])
    telling = [i for i in wrong if "error" in seen[i] and problems[i].misconception]
    if not mistake and not problems[shown].misconception and telling:
        shown = smallest(cases, telling)
    problem = problems[shown]
    outside, power = read_in_code(mistake, seen[0])
    known = (power or _hint(mistake, problem) if mistake else problem.hint) or power
    misconception = (mistake.id or None) if mistake else problem.misconception
    says, hint = f"{mistake.says if mistake else ''} {outside}".strip(), known or exercise.hints[0]
    lines, hint = message(
        exercise.name,
        cases[shown],
        says,
        problem,
        hint,
        label=label(not known),
        named=bool(misconception),
        right=mistake.right if mistake else "",
    )
    compared = results(rights[shown], seen[shown]["value"]) if "value" in seen[shown] else ()
    roster = kinds_met(exercise.riddles, cases, seen) if exercise.riddles else None
    return Verdict(
        False, lines, misconception, hint, "", problem, cases[shown], compared, not known, roster=roster
    )


def _stops_where_it_should_not(rights: Sequence[Any], seen: Sequence[Mapping[str, Any]]) -> list[int]:
    """The calls that should raise, and stop as one that should give a result: the error is not theirs."""

    def stop(one: Mapping[str, Any]) -> tuple[str, ...]:
        error = one.get("error", {})
        return error and (error["type"], error["where"], re.sub(r"\d+", "#", error["text"]))

    raising = [isinstance(right, MustRaise) for right in rights]
    others = {stop(one) for must, one in zip(raising, seen, strict=False) if not must and "error" in one}
    return [
        i
        for i, must in enumerate(raising[: len(seen)])
        if must and "error" in seen[i] and stop(seen[i]) in others
    ]


def _hint(mistake: Named, problem: Difference) -> str:
    """What to look at; of an argument that is never read, what belongs to the call that is shown."""
    if mistake.id == "argument-unused":
        return problem.hint or UNUSED_HINT
    return mistake.hint or problem.hint or ""


def right_result(exercise: Exercise, case: Case) -> Any:
    """The right result of a case, computed once for everybody who is checked on it."""
    if case not in _RIGHT:
        _RIGHT[case] = exercise.oracle(*case.args.values())
    return _RIGHT[case]


def _lost_in_rounding(right: Any, other: Mapping[str, Any], seen: Mapping[str, Any]) -> bool:
    """Whether an answer is wrong by less than the rounding of what was seen, which is narrower."""
    widths = [[array.dtype for array in arrays_of(one.get("value", {}))] for one in (other, seen)]
    if np.float32 not in widths[1] or np.float32 in widths[0] or isinstance(right, MustRaise | dict):
        return False
    return "value" in other and same(describe(right), other["value"], narrow=True)


def examine(exercise: Exercise, case: Case, right: Any, seen: Mapping[str, Any]) -> Difference | None:
    """What is wrong with one observation, or `None`."""
    if "unanswered" in seen:
        return Difference("it is not answered yet")
    if "unusable" in seen:
        problem = seen["unusable"]
        return Difference(problem["says"], misconception=problem["misconception"], hint=problem["hint"])
    if "too_slow" in seen:
        says = f"it was still running after {seen['too_slow']:g} seconds"
        hint = "Which line should end the loop, and does its condition ever become false?"
        return Difference(says, misconception="never-ends", hint=hint)
    if isinstance(right, MustRaise):
        return _raised(right, seen)
    if "error" in seen:
        return _stopped(seen["error"])
    if seen["changed"]:
        inputs = f"input{'s' * (len(seen['changed']) > 1)} {' and '.join(seen['changed'])}"
        says = f"it changed its {inputs}; compute a new array instead"
        hint = (
            "Which line writes into an input: `+=`, `-=`, `[...] =`, `out=`, or a method that works in place?"
        )
        return Difference(says, misconception="input-changed", hint=hint)
    if exercise.judge:
        return exercise.judge(right, case.args, seen["value"])
    return difference(right, seen["value"], parts=exercise.parts, tensors=exercise.tensors)


_PARTS = re.compile(
    r"all the input array dimensions except .* along dimension (\d+), the array at index (\d+) "
    r"has size (\d+) and the array at index (\d+) has size (\d+)"
)
"""NumPy's words for parts that cannot be joined, which end with the sizes: past what is told of an error."""


def _stopped(error: Mapping[str, Any]) -> Difference:
    where = f" ({error['where']})" if error["where"] else ""
    known = known_error(error["type"], error["text"])
    text = re.sub(r", with gufunc signature \S+", "", named(error))  # NumPy's own shorthand for `@`
    text = _PARTS.sub(r"along axis \1 array \2 has size \3 and array \4 size \5", text)
    words = text.split("\n")[0].split(" ")
    text = " ".join(words[:LONGEST_ERROR]) + " ..." * (len(words) > LONGEST_ERROR)
    says = f"it stopped with {text}{where}"
    return Difference(says, misconception=known and known.id, hint=known and known.hint)


def _remark(seen: Sequence[Mapping[str, Any]]) -> str:
    names = seen[0].get("whole_answer", ()) if seen else ()
    # one call can be noted twice: torch.nn.functional.softmax calls torch.softmax
    by_length = sorted(names, key=lambda name: (name.startswith("torch."), len(name)))
    once = {name.split(".")[-1]: name for name in by_length}
    called = " and ".join(sorted(once.values()))
    return f"It calls {called}, which is the whole answer: can you do it without?" if called else ""


_RAISE = '`raise ValueError(f"...")` with both numbers in the text, before anything is computed.'

_OF_NUMPY = {"cannot reshape array": "reshape", "does not result in an equal division": "split"}
"""What NumPy says where a size cannot be cut, and the function that says it."""


def _raised(right: MustRaise, seen: Mapping[str, Any]) -> Difference | None:
    error = seen.get("error")
    if not error:
        nothing = seen.get("value", {}).get("kind") == "NoneType"
        says = (
            f"it should raise {right.error}; it {'stopped with no error' if nothing else 'returned a result'}"
        )
        return Difference(says, misconception="no-value-error", hint=_RAISE)
    if right.error not in error["kinds"]:
        says = f"it should raise {right.error}; it raised {named(error)}"
        return Difference(says, misconception="no-value-error", hint=_RAISE)
    own = next((function for words, function in _OF_NUMPY.items() if words in error["text"]), None)
    if own:
        says = f"this {right.error} comes from `{own}`; your code raises none of its own"
        return Difference(says, misconception="error-without-numbers", hint=_RAISE)
    missing = [text for text in right.naming if not re.search(rf"(?<!\d){text}(?!\d)", error["text"])]
    if missing:
        says = f"the message of its {right.error} should name {missing[0]}; it says {error['text']!r}"
        return Difference(says, misconception="error-without-numbers", hint=_RAISE)
    return None


def _no_pytorch(seen: Mapping[str, Any]) -> str:
    """What an answer that used PyTorch in a browser was told: which mistake it makes cannot be seen there."""
    error = seen.get("error", {})
    return error["text"] if error.get("type") == "NoPyTorch" else ""


def unanswered(exercise: Exercise, function: str) -> Verdict:
    """The verdict where there is no answer yet; `function` is what raised, `""` where it is still `...`."""
    says = (
        f"{exercise.name} is not answered yet: it still stops at the line `raise NotImplementedError`. "
        "Put your code in place of that line and run the cell."
        if function
        else f"{exercise.name} is not answered yet: it is still `...`. Put your answer there, take out the "
        "line `raise NotImplementedError` and run the cell."
    )
    if function and function not in (exercise.name, "__init__", "forward", "<module>"):
        says = f"{exercise.name} calls {function}, which is not answered yet."
    return Verdict(False, (says,), None, exercise.hints[0])
