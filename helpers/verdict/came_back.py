"""What can be said without knowing any wrong program: nothing came back, or one number, or an input.

It is asked first.  Many wrong programs come to one of these, so it leaves the cause open.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from helpers.exercises.compare import KIND_HINTS, tolerance
from helpers.text import names_in_words, number
from helpers.verdict.parts import differs, results
from helpers.verdict.recognise import Attempt, Named

Values = Mapping[int, Mapping[str, Any]]

LEAST = 3
"""So many different calls must have come to something: in fewer, numbers are equal by chance."""

SMALL = 1e-7
"""What is no larger is 0 but for rounding."""

HINT = "Does what you compute reach the `return`, and does it hold every argument?"


def came_back(attempt: Attempt, rights: Sequence[Any]) -> Named | None:
    """Nothing, one number or an input, where it comes back from every call that did not stop."""
    values = {i: seen["value"] for i, seen in enumerate(attempt.seen) if "value" in seen}
    if attempt.wrong[0] not in values:
        return None
    cases = tuple(i for i in attempt.wrong if i in values)
    if all(value["kind"] == "NoneType" for value in values.values()):
        return Named("returns-none", "", KIND_HINTS["NoneType"], cases)
    if len({id(attempt.cases[i].args) for i in values}) < LEAST:
        return None
    if any("unusable" in seen for seen in attempt.seen):  # something else came back there
        return None
    places = _wrong_places(rights, values, attempt.wrong[0])
    found = {_one_number(rights, values, place) or _an_input(attempt, values, place) for place in places}
    if len(found) != 1 or None in found:
        return None
    id_, says = found.pop()
    return Named(id_, says.format(_what(attempt, places)), HINT, cases)


def _wrong_places(rights: Sequence[Any], values: Values, case: int) -> list[int]:
    """Which of the results of a call are wrong."""
    return [i for i, pair in enumerate(results(rights[case], values[case])) if differs(*pair)]


def _what(attempt: Attempt, places: Sequence[int]) -> str:
    parts = attempt.exercise.parts
    named = names_in_words([parts[i] for i in places]) if len(places) < len(parts) else ""
    return f"{named} {'is' if len(places) == 1 else 'are'}" if named else "Your result is"


def _arrays(rights: Sequence[Any], values: Values, place: int) -> list[np.ndarray | None]:
    """One result of every call."""
    found = (results(rights[i], value) for i, value in values.items())
    return [pairs[place][1].get("array") if len(pairs) > place else None for pairs in found]


def _one_number(rights: Sequence[Any], values: Values, place: int) -> tuple[str, str] | None:
    first: Any = None
    for array in _arrays(rights, values, place):
        if array is None or not array.size or not np.isfinite(array.flat[0]):
            return None
        first = _without_rounding(array.flat[0]) if first is None else first
        if not np.allclose(array, first, *tolerance(np.asarray(array))):
            return None
    everywhere = "" if array.ndim == 0 else " everywhere"
    id_ = "constant-result" if first else "zero-result"
    if array.dtype.kind == "b":
        id_ = f"always-{number(first).lower()}"
    return id_, f"{{}} {number(first)}{everywhere}, in every call."


def _without_rounding(value: Any) -> Any:
    return value if abs(value) > SMALL else type(value)(0)


def _an_input(attempt: Attempt, values: Values, place: int) -> tuple[str, str] | None:
    if attempt.exercise.parts:  # a part may be an input by right
        return None
    for name in attempt.cases[next(iter(values))].args:
        if all(_is_input(attempt.cases[i].args.get(name), value) for i, value in values.items()):
            return "returns-input", f"{{}} the input {name} as it came."
    return None


def _is_input(given: Any, value: Mapping[str, Any]) -> bool:
    got = value.get("array")
    if got is None or not isinstance(given, np.ndarray | int | float) or np.shape(given) != got.shape:
        return False
    return bool(np.allclose(got, given, *tolerance(got), equal_nan=True))
