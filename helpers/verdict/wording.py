"""How long a message gets: at most 60 words, with nothing said twice, and the inputs where they are few."""

import itertools
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from helpers.exercises.base import Case
from helpers.exercises.compare import Difference
from helpers.text import number

WORDS = 60
"""More is not read.  Arrays, and how to repeat a check, do not count."""

FEWEST = (14, 7)
"""So many words of an error are told, beside no name, where all else is short already."""

FEW = 8
"""So many numbers can be read in a sentence."""

CLAUSE = re.compile(r"(?:`[^`]*`|[^`])*?(?=[:;] |, (?:so|which) |\. |\.?$)")
"""A sentence up to where it goes on to say what follows: what happened, and no more."""


def label(general: bool) -> str:
    """What stands before a hint: one that knows nothing of the mistake must not read like a diagnosis."""
    return "A first hint" if general else "Hint"


THEIRS = "Hint from your instructor"


def clause(says: str) -> str:
    """The first clause of a sentence, with a full stop."""
    return f"{CLAUSE.match(says).group().rstrip('.')}."


def both(one: str, other: str) -> str:
    """Two mistakes in one sentence each."""
    return f"Two mistakes at once. First: {clause(one)} Second: {clause(other)}"


def given(case: Case) -> str:
    """The inputs of a call where they are few and its name does not tell them."""
    values = {name: value for name, value in case.args.items() if value is not None}
    few = sum(np.size(value) for value in values.values()) <= FEW
    plain = all(isinstance(value, np.ndarray | int | float) for value in values.values())
    told = "[" in case.says or any(f"{name} = " in case.says for name in values)
    if told or not values or not few or not plain:
        return ""
    return f" ({', '.join(f'{name} = {_written(value)}' for name, value in values.items())})"


def _written(value: Any) -> str:
    if np.ndim(value):
        return f"[{', '.join(_written(one) for one in value)}]"
    return number(value)


def _shorter(says: str, named: bool) -> Iterator[str]:
    """A sentence without the first entry, without the line that failed, without the words of an error.

    These words are left out only beside the name of a mistake: elsewhere they are all that a learner has.
    """
    yield says
    yield says.split("; the first is")[0]
    without_code = re.sub(r" \((line \d+[\w. ]*): `.*`\)$", r" (\1)", says)
    yield without_code
    if named:
        yield re.sub(r"(it stopped with \w+):.*?( \(line \d+[\w. ]*\))?$", r"\1\2", without_code)


def message(
    name: str,
    case: Case,
    says: str,
    problem: Difference,
    hint: str,
    *,
    label: str = "Hint",
    named: bool = True,
    right: str = "",
) -> tuple[tuple[str, ...], str]:
    """The lines of a message and its hint: the fullest that is not too long.

    Args:
        name: the exercise.
        case: the call that is shown.
        says: the sentence about the mistake, or `""`.
        problem: how its result differs.
        hint: what to look at.
        label: the words before the hint.
        named: whether the mistake has a name, which says more than the words of an error.
        right: which steps are right, or `""`.
    """
    choices = list(_choices(name, case, says, problem, hint, named=named and bool(says), right=right))
    fits = (one for one in choices if len(" ".join([*one[0], f"{label}:", one[1]]).split()) <= WORDS)
    return next(fits, choices[-1])


def _choices(
    name: str, case: Case, says: str, problem: Difference, hint: str, *, named: bool, right: str
) -> Iterator[tuple[tuple[str, ...], str]]:
    """From the fullest to the shortest: without the first entry, without inputs, with less of the rest."""
    shows = [f"On {case.says}{given(case)}", f"On {case.says}"]
    found = dict.fromkeys(_shorter(problem.says, named=named))
    if problem.says.rstrip(".") in says or (problem.misconception == "input-changed" and says):
        shows, found = [f"You see it on {case.says}"], {"": None}
    hints = dict.fromkeys([hint, re.split(r"(?<=[.?]) ", hint)[0]])
    sentences = dict.fromkeys([says, says if says.startswith("Two mistakes") or not says else clause(says)])
    parts = dict.fromkeys([right, ""])
    for sentence, part, hinted, on, tells in itertools.product(sentences, parts, hints, shows, found):
        end = "" if tells.endswith(("?", ".")) else "."
        line = f"{on}: {tells}{end}" if tells else f"{on}."
        yield (f"{name} is not right yet.", *filter(None, [f"{sentence} {part}".strip()]), line), hinted
    if named:
        yield (f"{name} is not right yet.", sentence, f"On {case.says}."), hinted
        return
    cut = [_cut(tells, few) for few in FEWEST]
    *_, alone = _shorter(problem.says, named=True)
    for one, told in itertools.product([sentence, ""], [*cut, alone]):
        yield (
            (f"{name} is not right yet.", *filter(None, [one]), f"On {case.says}: {told.rstrip('.')}."),
            hinted,
        )


def _cut(says: str, few: int) -> str:
    """The first words of a sentence about an error, and its line."""
    words, bracket, place = says.partition(" (line ")
    first = " ".join(words.split(" ")[:few])
    return f"{first} ...{bracket}{place}" if first != words else says
