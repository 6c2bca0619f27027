"""Which mistake was it: ask, from the most to the least telling, everything that may know."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from helpers.exercises.compare import Difference, same
from helpers.text import names_in_words
from helpers.verdict.came_back import came_back
from helpers.verdict.parts import Parts, differing, results, wrong_parts
from helpers.verdict.patterns import KEPT_HINT, pattern
from helpers.verdict.recognise import Attempt, Named, known_program, smallest
from helpers.verdict.repairs import REPAIRS
from helpers.verdict.resemblances import RESEMBLANCES
from helpers.verdict.right_stages import right_stages
from helpers.verdict.wording import clause


def diagnose(attempt: Attempt, rights: Sequence[Any], problems: Sequence[Difference]) -> Named | None:
    """The mistake behind a wrong answer, or `None`.

    Args:
        attempt: the answer and what was seen of it.
        rights: the right results, case by case.
        problems: what is wrong with each of the wrong cases.
    """
    telling = problems[0].misconception
    if telling == "float32" and all(one.misconception == telling for one in problems):
        return Named(telling, "", problems[0].hint or "", tuple(attempt.wrong))
    if late := tuple(i for i in attempt.wrong if _right_alone(attempt, i)):
        return Named("state-between-calls", KEPT, KEPT_HINT, late)
    renewed = any(attempt.cases[i].renewed for i in attempt.wrong)
    if renewed and all(_kept_by_sizes(attempt, i) for i in attempt.wrong):
        return Named("state-between-calls", KEPT_BY_SIZES, KEPT_HINT, tuple(attempt.wrong))
    fact = came_back(attempt, rights)
    if fact:
        return _with_a_cause(attempt, fact)
    program = known_program(attempt) or _beside_another(attempt, problems)
    if program:
        return program
    if not telling and _not_repeated(attempt):  # numbers that are drawn resemble something by chance
        return _dropout(attempt, rights) or _kept(attempt)
    likeness = _resemblance(attempt, rights)
    if likeness:
        return likeness
    if telling:
        cases = (i for i, one in zip(attempt.wrong, problems, strict=True) if one.misconception == telling)
        return Named(telling, problems[0].cause, problems[0].hint or "", tuple(cases))
    if unused := attempt.seen[0].get("unused"):
        says = f"Your code never uses {names_in_words(unused)}."
        return Named("argument-unused", says, problems[0].hint or UNUSED_HINT, tuple(attempt.wrong))
    return _dropout(attempt, rights) or _kept(attempt) or _without_a_name(attempt, rights)


UNUSED_HINT = "Where should it stand? A name from another cell keeps its own value, whatever you are given."


def _with_a_cause(attempt: Attempt, fact: Named) -> Named:
    """The known program that comes to the same; of a number only its hint: there are other causes."""
    program = known_program(attempt, pairs=False)
    if program is None:
        return fact
    return (
        replace(program, says=fact.says, right="")
        if fact.id in ("zero-result", "constant-result")
        else program
    )


KEPT = "Something is kept between calls: alone this call comes out right, after those before it, it does not."


def _right_alone(attempt: Attempt, number: int) -> bool:
    alone = attempt.seen[number].get("alone")
    return bool(alone) and not attempt.is_wrong(number, alone)


KEPT_BY_SIZES = (
    "Called with the sizes of an earlier call and other numbers, it gives the result of that call: something "
    "is kept between calls."
)


def _kept_by_sizes(attempt: Attempt, number: int) -> bool:
    """Whether a wrong result is that of an earlier call of the same sizes, which was right."""
    seen, sizes = attempt.seen[number].get("value"), _sizes(attempt.cases[number].args)
    if not seen or _comes_back_by_chance(seen):
        return False
    earlier = (i for i in range(number) if i not in attempt.wrong and "value" in attempt.seen[i])
    return any(
        _sizes(attempt.cases[i].args) == sizes and same(attempt.seen[i]["value"], seen) for i in earlier
    )


def _sizes(args: Mapping[str, Any]) -> list[Any]:
    inner = (value.items() if isinstance(value, dict) else [("", value)] for value in args.values())
    return [(key, one.shape if isinstance(one, np.ndarray) else one) for them in inner for key, one in them]


def _comes_back_by_chance(value: Mapping[str, Any]) -> bool:
    """A yes or no, or one whole number."""
    array = value.get("array")
    return array is not None and array.size < 2 and array.dtype.kind in "bi"


def _beside_another(attempt: Attempt, problems: Sequence[Difference]) -> Named | None:
    """A known mistake behind one that hides the numbers, such as a list where an array is due."""
    problem = next((one for one in problems if one.misconception in REPAIRS), None)
    if problem is None:
        return None
    repair = REPAIRS[problem.misconception]
    seen = [repair(one, bool(attempt.exercise.parts)) for one in attempt.seen]
    wrong = [i for i in attempt.wrong if attempt.is_wrong(i, seen[i])]
    other = known_program(replace(attempt, seen=seen, wrong=wrong), pairs=False) if wrong else None
    if other is None or problem.misconception in other.id:
        return None
    says = f"Two mistakes at once. First: {problem.says}. Second: {clause(other.says)}"
    hint = " ".join(filter(None, [problem.hint, other.hint]))
    return Named(f"{problem.misconception}+{other.id}", says, hint, other.cases)


# No program stands behind a likeness: only that it holds wherever it could show makes it more than chance.
def _resemblance(attempt: Attempt, rights: Sequence[Any]) -> Named | None:
    """The first likeness to the right result that holds in every call in which it could show."""
    wrong = {i: differing(attempt, rights, i) for i in attempt.wrong if "value" in attempt.seen[i]}
    first = attempt.wrong[0]
    if len(wrong) < len(attempt.wrong):  # a call that stops is like nothing
        return None
    calls = [(parts, attempt.cases[i].args) for i, parts in wrong.items()]
    others = [i for i, seen in enumerate(attempt.seen) if "value" in seen and i not in attempt.wrong]
    right = [(_arrays(rights[i], attempt.seen[i]["value"]), attempt.cases[i].args) for i in others]
    single = not isinstance(rights[first], tuple | dict) and not np.ndim(rights[first])
    for one in RESEMBLANCES:
        said = {list(wrong)[place]: says for place, says in one.said_of(calls, right).items()}
        least = 3 if single else 2 if one.exact else 1  # numbers are alike by chance, arrays are not
        if len(said) >= least and not (len(said) == 1 and _one_entry(wrong[first])):
            return Named(one.id, said[smallest(attempt.cases, list(said))], one.hint, tuple(said))
    return None


def _arrays(right: Any, got: Mapping[str, Any]) -> Parts:
    """All arrays of a right call."""
    pairs = results(right, got)
    return [(np.asarray(one), other["array"]) for one, other in pairs if "array" in other]


def _one_entry(parts: Parts) -> bool:
    """Whether a result differs from the right one in a single number."""
    return all(one.shape == got.shape and (~np.isclose(one, got)).sum() < 2 for one, got in parts)


def _dropout(attempt: Attempt, rights: Sequence[Any]) -> Named | None:
    """Some entries are 0 and the others grown by one factor, at random places."""
    with np.errstate(all="ignore"):
        looks = {i: _thinned(rights[i], attempt.seen[i]) for i in attempt.wrong if "value" in attempt.seen[i]}
    found = [i for i, (fits, _) in looks.items() if fits]
    if 3 * len(found) < len(attempt.wrong) or not any(looks[i][1] for i in found):
        return None
    says = (
        "Some of your numbers are 0 and the others grew by one factor, as under dropout. Leave nothing out."
    )
    return Named("dropout-left-on", says, "A check wants the same result each time.", tuple(found))


def _thinned(right: Any, seen: Mapping[str, Any]) -> tuple[bool, bool]:
    """Whether a part of the result has grown by one factor, and whether entries of it are gone."""
    for one, got in wrong_parts(right, seen["value"]):
        if one.shape == got.shape and one.dtype.kind == "f" and one.size >= 2:
            gone = (got == 0) & (one != 0)
            ratios = got[~gone & (one != 0)] / one[~gone & (one != 0)]
            if ratios.size and 1.01 < ratios[0] <= 2.5 and np.allclose(ratios, ratios[0], rtol=1e-3):
                return True, bool(gone.any())
    return False, False


def _kept(attempt: Attempt) -> Named | None:
    """Something of one call shows in another: a result, an argument, or a call that is not repeated alike."""
    if _not_repeated(attempt):
        says = "The same call gives another result the second time: something is kept, or drawn at random."
        return Named("state-between-calls", says, KEPT_OR_DRAWN, tuple(attempt.wrong))
    return None


KEPT_OR_DRAWN = (
    "What outlives the call, a global or a default argument, or is drawn anew, as by dropout or a new layer?"
)


def _not_repeated(attempt: Attempt) -> bool:
    """Whether the last call, which repeats an earlier one, gives something else."""
    again = len(attempt.seen) - 1
    if not attempt.cases[again].again:
        return False
    args = attempt.cases[again].args
    earlier = next(i for i, case in enumerate(attempt.cases) if case.args is args)
    one, other = attempt.seen[earlier], attempt.seen[again]
    return "value" in one and "value" in other and not same(one["value"], other["value"])


def _without_a_name(attempt: Attempt, rights: Sequence[Any]) -> Named | None:
    """Which calls are wrong, and which stages of the answer are right."""
    says, id_, hint = pattern(attempt.cases[: len(attempt.seen)], attempt.wrong) or ("", None, "")
    right, where = right_stages(attempt, rights) or ("", "")
    both = f"{says} {right}".strip()
    return Named(id_ or "", both, hint or where, tuple(attempt.wrong)) if both else None
