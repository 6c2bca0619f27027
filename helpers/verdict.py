"""The verdict: the half of a check that compares and explains.

It sees only what the probe wrote down, plain values and arrays.  It never touches the learner's
objects, so it can run in another process than the learner's code.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from helpers.compare import Difference, difference, same, table
from helpers.error_hints import error_hint
from helpers.exercises.base import Case, Exercise, Mistake, MustRaise
from helpers.probe import observe


@dataclass(frozen=True)
class Verdict:
    """What a check found.

    Attributes:
        passed: whether every case is right.
        says: the sentences the learner reads; empty when passed.
        misconception: id of the recognised mistake, or `None`.
        hint: what to look at next.
        remark: said of an answer that passes by calling a library function that is the whole answer.
    """

    passed: bool
    says: str = ""
    misconception: str | None = None
    hint: str = ""
    remark: str = ""


def judge(exercise: Exercise, cases: Sequence[Case], seen: Sequence[Mapping[str, Any]]) -> Verdict:
    """Compare what a probe saw with the oracle, and name the mistake when it is a known one."""
    problems = [examine(exercise, case, one) for case, one in zip(cases, seen, strict=False)]
    wrong = [i for i, problem in enumerate(problems) if problem]
    if not wrong and len(seen) == len(cases):
        return Verdict(passed=True, remark=_remark(seen))
    if not wrong:
        return Verdict(
            False, f"{exercise.name} stopped before it had answered every call.", None, exercise.hints[0]
        )
    first = wrong[0]
    if "unanswered" in seen[first]:
        return _unanswered(exercise, seen[first]["unanswered"])
    mistake = recognise(exercise, cases, seen, wrong)
    lines = [f"{exercise.name} is not right yet."]
    lines += [mistake.says] if mistake else []
    says = problems[first].says
    lines.append(f"On {cases[first].says}: {says}{'' if says.endswith(('?', '.')) else '.'}")
    lines += _shown(problems[first])
    hint = mistake.hint if mistake else _hint(problems[first], seen[first]) or exercise.hints[0]
    misconception = mistake.id if mistake else problems[first].misconception
    return Verdict(False, "\n".join([*lines, f"Hint: {hint}"]), misconception, hint)


def examine(exercise: Exercise, case: Case, seen: Mapping[str, Any]) -> Difference | None:
    """What is wrong with one observation, or `None`."""
    if "unanswered" in seen:
        return Difference("it is not answered yet")
    if "unusable" in seen:
        return Difference(seen["unusable"])
    if "too_slow" in seen:
        return Difference(f"it was still running after {seen['too_slow']:g} seconds")
    right = exercise.oracle(*case.args.values())
    if isinstance(right, MustRaise):
        return _raised(right, seen)
    if "error" in seen:
        error = seen["error"]
        where = f" ({error['where']})" if error["where"] else ""
        return Difference(f"it stopped with {error['type']}: {error['text']}{where}")
    if seen["changed"]:
        says = f"it changed its input {', '.join(seen['changed'])}; compute a new array instead"
        hint = "`x -= m` and `x[i] = ...` write into x; `x - m` and `np.where` make a new array."
        return Difference(says, misconception="input-changed", hint=hint)
    if exercise.judge:
        return exercise.judge(case.args, seen["value"])
    return difference(right, seen["value"], parts=exercise.parts, tensors=exercise.tensors)


def recognise(
    exercise: Exercise, cases: Sequence[Case], seen: Sequence[Mapping[str, Any]], wrong: Sequence[int]
) -> Mistake | None:
    """The known mistake that behaves like this answer on the same inputs.

    It must explain the first wrong case and a third of all wrong ones; the one that explains most is
    named.  Random arrays do not agree by chance; where an answer only says yes or no, or stops with an
    error, they do: yes and no must agree everywhere, and an error with other words explains nothing.
    """
    scored = []
    for mistake in exercise.mistakes:
        theirs = observe(exercise, mistake.answer, cases[: len(seen)])
        if len(theirs) == len(seen):
            alike = [_alike(a, b) for a, b in zip(theirs, seen, strict=True)]
            # alike where the mistake itself is right explains nothing
            explained = [alike[i] and examine(exercise, cases[i], theirs[i]) is not None for i in wrong]
            unclear = [not alike[i] and _both_stop(theirs[i], seen[i]) for i in wrong]
            if (explained[0] or unclear[0]) and 3 * sum(explained) >= max(1, len(wrong) - sum(unclear)):
                scored.append((sum(explained), sum(alike), mistake))
    best = max(scored, key=lambda item: item[:2], default=None)
    if not best or (_yes_or_no(seen[wrong[0]]) and best[1] < len(seen)):
        return None
    return best[2]


def _both_stop(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return "error" in one and "error" in other and one["error"]["type"] == other["error"]["type"]


def _alike(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    if one["changed"] != other["changed"]:
        return False
    if "value" in one and "value" in other:
        return same(one["value"], other["value"])
    if "error" in one and "error" in other:
        return (one["error"]["type"], one["error"]["text"]) == (
            other["error"]["type"],
            other["error"]["text"],
        )
    return "unusable" in one and one.get("unusable") == other.get("unusable")


def _hint(problem: Difference, seen: Mapping[str, Any]) -> str | None:
    """What to look at after a mistake that is not a known one."""
    error = seen.get("error")
    return problem.hint or (error_hint(error["type"], error["text"]) if error else None)


def _remark(seen: Sequence[Mapping[str, Any]]) -> str:
    called = " and ".join(seen[0].get("whole_answer", ())) if seen else ""
    return f"It calls {called}, which is the whole answer: can you do it without?" if called else ""


def _yes_or_no(seen: Mapping[str, Any]) -> bool:
    array = seen.get("value", {}).get("array")
    return array is not None and array.ndim == 0 and array.dtype.kind == "b"


def _raised(right: MustRaise, seen: Mapping[str, Any]) -> Difference | None:
    error = seen.get("error")
    if not error:
        return Difference(f"it should raise {right.error}, and it returned something")
    if right.error not in error["kinds"]:
        return Difference(f"it should raise {right.error}; it raised {error['type']}: {error['text']}")
    missing = [text for text in right.naming if not re.search(rf"(?<!\d){text}(?!\d)", error["text"])]
    if missing:
        return Difference(
            f"the message of its {right.error} should name {missing[0]}; it says {error['text']!r}"
        )
    return None


def _unanswered(exercise: Exercise, function: str) -> Verdict:
    says = f"{exercise.name} is not answered yet: write your code in the answer cell and run it."
    if function and function not in (exercise.name, "__init__", "forward", "<module>"):
        says = f"{exercise.name} calls {function}, which is not answered yet."
    return Verdict(False, says, None, exercise.hints[0])


def _shown(problem: Difference) -> list[str]:
    if problem.expected is None or problem.got is None or max(problem.expected.size, problem.got.size) > 24:
        return []
    return ["Expected:", table(problem.expected), "Got:", table(problem.got)]
