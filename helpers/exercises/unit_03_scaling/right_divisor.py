"""Exercise `right_divisor`: decide from your own measurements."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from helpers.beside.probes.right_divisor import DECIDE, probe
from helpers.exercises.base import Case, Draw, Exercise, Mistake
from helpers.exercises.compare import Difference, difference

CHOICES = ("d_k", "sqrt(d_k)", "sqrt(n)", "sqrt(d_model)")


def cases(_draw: Draw) -> Iterator[Case]:
    """One look at the variable."""
    yield Case("the variable right_divisor", {})


def _spelled(text: str) -> str:
    """A name without what people write differently: case, spaces, quotes, underscores, ways to take a root."""
    text = re.sub(r"[\s_'\"`$\\{}]|np\.|numpy\.|math\.|torch\.", "", text.lower())
    text = re.sub(r"^\(?(\w+)\)?(\*\*|\^)\(?(0?\.5|1/2)\)?$", r"sqrt(\1)", text)
    return re.sub(r"^(?:sqrt|root|√|squareroot(?:of)?)\(?(\w+)\)?$", r"sqrt(\1)", text)


def judge(right: str, _args: Mapping[str, Any], got: Any) -> Difference | None:
    """Right, one of the other choices, misspelled, several, or none of them."""
    if difference(right, got) is None:
        return None
    text = got.get("text")
    if text in CHOICES:
        return Difference(f"dividing by {text} does not hold the spread at 1 when n and d_k change")
    came = repr(text) if text is not None else f"something of type {got['kind']}"
    says = f"it should be one of {', '.join(map(repr, CHOICES))}; it is {came}"
    found = re.findall(r"sqrt\(\w+\)|\bd_k\b", text or "")
    if len(found) > 1:
        return Difference(says, misconception="more-than-one-choice", hint=DECIDE)
    if _spelled(text or "") in map(_spelled, CHOICES):
        hint = "Copy one of the strings letter by letter: case, spaces and underscores count."
        return Difference(says, misconception="wrong-spelling", hint=hint)
    return Difference(says, misconception="not-one-of-the-choices", hint="Copy one of the four strings.")


EXERCISE = Exercise(
    name="right_divisor",
    cases=cases,
    oracle=lambda: "sqrt(d_k)",
    probe=probe,
    judge=judge,
    hints=(
        "Look at your table: which column stays near 1 in every row?",
        "With four times as many tokens the spread stays. With eight times the width it grows: by which factor?",
        "Sixty-four times the width gives eight times the spread: what grows like that?",
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
            "You chose the length of the sequence, which does not change the spread of a score. Two widely read texts say it does.",
            "sqrt(n)",
            "Compare two rows with the same d_k and different n.",
        ),
        Mistake(
            "scaled-by-sqrt-d_model",
            "You chose the width of the model; the dot product adds over the width of a query, d_k, which may be smaller.",
            "sqrt(d_model)",
            "How many products does one score add up?",
        ),
    ),
)
