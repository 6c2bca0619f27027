"""A code: what it holds, and how that is packed into letters.

5A7K-7H2M-9ABC-DEFG-HJKM
|    |    |         check
|    |    states of the exercises, then mistakes, as many as fit
|    tag of the learner
unit, then course and edition
"""

from collections.abc import Sequence
from dataclasses import dataclass

from helpers.class_codes.letters import ALPHABET, CHECK, LENGTH, VALUES, check_of, written
from helpers.class_codes.tables import Table

STATES = ("untouched", "tried", "passed")
HEAD, TAG = 4, 4
BODY = LENGTH - HEAD - TAG - CHECK
_ROOM = len(ALPHABET) ** BODY


@dataclass(frozen=True)
class Code:
    """How far a learner is in a unit.

    Attributes:
        tag: four letters that stand for the learner.
        states: of each exercise in the order of the unit, one of `STATES`.
        mistakes: of exercises that still fail, newest first: the exercise's place, and that of the sentence;
            `None` in a code of another edition, which counts its sentences otherwise.
    """

    tag: str
    states: tuple[str, ...]
    mistakes: tuple[tuple[int, int], ...] | None = ()


def packed(code: Code, table: Table) -> str:
    """The letters of a code, with as many of its mistakes as fit."""
    number, room = 0, 1
    for state in code.states:
        number, room = number + room * STATES.index(state), room * len(STATES)
    failing = [place for place, state in enumerate(code.states) if state == "tried"]
    for exercise, sentence in code.mistakes or ():
        choices, sentences = len(failing) + 1, len(table.exercises[exercise].said)
        if exercise in failing and _ROOM // room >= choices * sentences:
            number += room * (failing.index(exercise) + 1 + choices * sentence)
            room *= choices * sentences
    body = [number // len(ALPHABET) ** place % len(ALPHABET) for place in range(BODY)]
    values = [*table.head, *(VALUES[letter] for letter in code.tag), *body]
    return written([*values, *check_of(values)])


def unpacked(values: Sequence[int], table: Table) -> Code | None:
    """What a code of this unit and course holds; `None` for letters that no learner's code has."""
    body = values[HEAD + TAG : -CHECK]
    number = sum(value * len(ALPHABET) ** place for place, value in enumerate(body))
    states, mistakes = [], []
    for _ in table.exercises:
        number, state = divmod(number, len(STATES))
        states.append(STATES[state])
    tag = "".join(ALPHABET[value] for value in values[HEAD : HEAD + TAG])
    if list(values[:HEAD]) != table.head:
        return Code(tag, tuple(states), None)
    failing = [place for place, state in enumerate(states) if state == "tried"]
    while number:
        choices = len(failing) + 1
        number, choice = divmod(number, choices)
        if not choice:
            return None
        sentences = len(table.exercises[failing[choice - 1]].said)
        number, sentence = divmod(number, sentences)
        mistakes.append((failing[choice - 1], sentence))
    return Code(tag, tuple(states), tuple(mistakes))
