"""Exercise `faulty_map`: which of four maps was computed wrongly, and how."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from helpers import example
from helpers.beside.probes.faulty_map import FORM, probe
from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.compare import Difference
from helpers.exercises.unit_05_softmax.faulty_map_mistakes import CHOICES, MISTAKES, RIGHT

LETTERS = tuple(example.MAPS)
COPY = "Copy it letter by letter from the task: case, spaces and signs count."


def cases(_draw: Draw) -> Iterator[Case]:
    """One look at the variable."""
    yield Case("the variable faulty_map", {})


def _spelled(text: str) -> str:
    """A text without what people write differently: case, spaces, quotes, signs, the word map."""
    return re.sub(r"^map(?=[a-d]$)", "", re.sub(r"[^a-z0-9]", "", text.lower()))


def _one_of(text: str, choices: tuple[str, ...]) -> bool:
    return _spelled(text) in map(_spelled, choices)


def _named(text: str, choices: tuple[str, ...]) -> list[str]:
    """The choices that stand in a text, as whole words."""
    return [one for one in choices if re.search(rf"\b{re.escape(one)}\b", text)]


def judge(right: tuple[str, str], _args: Mapping[str, Any], got: Mapping[str, Any]) -> Difference | None:
    """Right, another map or mistake, the two in the other order, misspelled, several, or none of the choices."""
    letter, mistake = texts = tuple(one["text"] for one in got["items"])
    if texts == right:
        return None
    if letter in LETTERS and mistake in CHOICES:
        return Difference(f"map {letter} and this mistake do not fit")
    if _one_of(letter, CHOICES) and _one_of(mistake, LETTERS):
        says = "the letter comes first and the mistake second; here they have changed places"
        return Difference(says, misconception="swapped-order", hint=FORM)
    part, text, choices = ("mistake", mistake, CHOICES) if letter in LETTERS else ("letter", letter, LETTERS)
    says = f"the {part} should be one of {', '.join(map(repr, choices))}; it is {text!r:.40}"
    if _one_of(text, choices):
        return Difference(says, misconception="wrong-spelling", hint=COPY)
    if len(_named(text, choices)) > 1:
        return Difference(says, misconception="more-than-one-choice", hint="Decide for one of them.")
    return Difference(says, misconception="not-one-of-the-choices", hint=COPY)


EXERCISE = Exercise(
    name="faulty_map",
    cases=cases,
    oracle=lambda: RIGHT,
    probe=probe,
    judge=judge,
    hints=(
        "What does each of the five mistakes leave behind in rows, in columns, or after the diagonal?",
        "Every row sums to 1, so that settles nothing. Within a row, which key has the largest score, and which the largest weight?",
        "Take row 1: scores 1 and 0.5 for keys 0 and 1. In which map does key 1 get more, and which two scores would give that?",
    ),
    mistakes=MISTAKES,
)
