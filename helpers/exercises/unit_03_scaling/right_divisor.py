"""Exercise `right_divisor`: decide from your own measurements."""

from collections.abc import Iterator, Mapping
from typing import Any

from helpers.compare import Difference, difference
from helpers.exercises.base import Case, Draw, Exercise, Mistake

CHOICES = ("d_k", "sqrt(d_k)", "sqrt(n)", "sqrt(d_model)")


def cases(_draw: Draw) -> Iterator[Case]:
    """One look at the variable."""
    yield Case("the variable right_divisor", {})


def probe(answer: Any, _args: Mapping[str, Any]) -> Any:
    """The value itself."""
    if answer is None or answer is ...:
        raise NotImplementedError
    return answer


def judge(_args: Mapping[str, Any], got: Any) -> Difference | None:
    """Right, one of the other choices, or none of them."""
    if difference("sqrt(d_k)", got) is None:
        return None
    if got["kind"] != "text" or got["text"] not in CHOICES:
        came = repr(got["text"]) if got["kind"] == "text" else f"something of type {got['kind']}"
        return Difference(f"it should be one of {', '.join(map(repr, CHOICES))}; it is {came}")
    return Difference(f"dividing by {got['text']} does not hold the spread at 1 when n and d_k change")


EXERCISE = Exercise(
    name="right_divisor",
    cases=cases,
    oracle=lambda: "sqrt(d_k)",
    probe=probe,
    judge=judge,
    hints=(
        "Look at your table: which column stays near 1 in every row?",
        "Double n and the spread stays. Double d_k and it grows: by which factor?",
        "Four times the width gives twice the spread: what grows like that?",
    ),
    mistakes=(
        Mistake(
            "scaled-by-d_k",
            "Divided by d_k the spread shrinks below 1 as the vectors get wider.",
            "d_k",
            "Look at the row with the widest vectors.",
        ),
        Mistake(
            "scaled-by-sqrt-n",
            "The length of the sequence does not change the spread of a score. Two widely read texts say it does.",
            "sqrt(n)",
            "Compare two rows with the same d_k and different n.",
        ),
        Mistake(
            "scaled-by-sqrt-d_model",
            "The dot product adds over the width of a query, d_k; the model may be wider.",
            "sqrt(d_model)",
            "How many products does one score add up?",
        ),
    ),
)
