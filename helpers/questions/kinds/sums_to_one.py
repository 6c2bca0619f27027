"""What sums to 1 in the weights of this answer?"""

import functools
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from helpers import answer_text
from helpers.beside import set_up_first
from helpers.beside.probe import observe_known
from helpers.exercises import find
from helpers.exercises.base import Exercise, draw_cases
from helpers.questions.draw import rng_of, shuffled
from helpers.questions.question import Code, Question
from helpers.questions.what_is_said import said
from helpers.questions.wrong_lines import kept

NAME = "sums_to_one"
ASKED = ("softmax", "masked_softmax", "softmax_with_temperature", "first_attention", "attention")
ASKED += ("next_token_probabilities",)
CHOICES = {
    "rows": "each row: over the keys of one query",
    "columns": "each column: over the queries of one key",
    "table": "each whole table of queries and keys",
    "nothing": "none of these",
}
PLAIN = {"rows": "each row", "columns": "each column", "table": "the whole table", "nothing": "none of these"}
SPOILT = ("mask-after-softmax", "not-normalised", "softmax-over-everything", "no-exponential", "mask-added")
SPOILT += ("scaled-after-softmax", "keepdims-forgotten", "softmax-over-batch", "softmax-over-heads")
"""Mistakes that people really make after which nothing sums to 1."""
MASKED = "masked_softmax"
"""The one whose calls all have a mask; of the others those without are looked at."""
OF_ROWS = ("softmax", "softmax_with_temperature", "next_token_probabilities")
"""Exercises that know rows, and neither queries nor keys."""


def exercises() -> tuple[str, ...]:
    """Those with questions of this kind."""
    return ASKED


def question(exercise: str, seed: int) -> Question | None:
    """One question: the right answer, or one with a wrong line, and where its weights sum to 1."""
    rng, programs = rng_of(NAME, exercise, seed), _programs(exercise)
    kinds = sorted({kind for _, kind, _ in programs})
    kind = kinds[int(rng.integers(len(kinds)))]  # else most would be rows
    fitting = [one for one in programs if one[1] == kind]
    source, _, why = fitting[int(rng.integers(len(fitting)))]
    texts = PLAIN if exercise in OF_ROWS else CHOICES
    order = list(texts)
    choices, place = shuffled(rng, [texts[one] for one in order], order.index(kind))
    return Question(
        NAME,
        exercise,
        seed,
        f"This `{exercise}` may be right or wrong. What sums to 1 in its weights?" + f" ({_aside(exercise)})",
        tuple(choices),
        place,
        why,
        (Code(source),),
    )


def _aside(exercise: str) -> str:
    """Of which calls it is asked."""
    if exercise in OF_ROWS:
        return "It is called with a table of several rows."
    if exercise == MASKED:
        return "It is called with one table of scores, in which every query may look at several keys."
    return "It is called with one sequence of several tokens, and no mask."


@functools.cache
def _programs(exercise: str) -> tuple[tuple[str, str, str], ...]:
    """Sources of answers, each with what sums to 1 in all calls, and why."""
    right = answer_text.texts()[exercise]
    found = [(right, "rows", "It is right, and so each row shares out 1.")]
    for one in kept().get(exercise, ()):
        sums = _sums(exercise, one.source)
        if sums and re.search(r"sum|softmax|max", one.text) and (sums != "nothing" or said(one)[0] in SPOILT):
            found.append((one.source, sums, f"Line {one.line} is wrong. {said(one)[1]}"))
    return tuple(found)


def _sums(exercise: str, source: str) -> str:
    """What sums to 1 in every random call; `""` where several things do, or the answer stops."""
    record, always = find(exercise), set(AXES)
    answer = answer_text.defined(exercise, source, set_up_first.modules())
    for case in draw_cases(record, 7):
        if exercise != MASKED and case.args.get("allowed") is not None:
            continue
        right = _part(record, record.oracle(*case.args.values()))
        if not isinstance(right, np.ndarray) or right.ndim < 2 or min(right.shape[-2:]) < 2:
            continue
        if right.ndim > 2:  # one table is asked about
            continue
        if not _is_one(right, -1):  # along another axis, or a query that may look at nothing
            continue
        weights = _weights(record, answer, case.args)
        if weights is None or weights.shape != right.shape:
            return ""
        always = {name for name in always if _is_one(weights, AXES[name])}
    return "nothing" if not always else always.pop() if len(always) == 1 else ""


AXES: Mapping[str, int | tuple[int, int]] = {"rows": -1, "columns": -2, "table": (-2, -1)}


def _is_one(weights: np.ndarray, axis: int | tuple[int, int]) -> bool:
    return bool(np.allclose(weights.sum(axis=axis), 1, atol=1e-4))


def _part(record: Exercise, result: Any) -> Any:
    """The weights among what an exercise returns."""
    if isinstance(result, dict):  # of modules: results and gradients
        result = result["results"]
    return result[record.parts.index("weights")] if isinstance(result, tuple) else result


def _weights(record: Exercise, answer: Any, args: Mapping[str, Any]) -> np.ndarray | None:
    with np.errstate(all="ignore"):
        seen = observe_known(record, answer, args)
    value = seen.get("value", {})
    if value.get("kind") == "dict":
        value = value["items"]["results"]
    if value.get("kind") == "tuple":
        value = value["items"][record.parts.index("weights")]
    return value.get("array")
