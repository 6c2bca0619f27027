"""Which mistakes a failed check has named, each with the sentence of its row."""

from collections.abc import Iterator
from typing import Any

from helpers.exercises.base import Exercise
from helpers.verdict.wording import clause


def named_by(exercise: Exercise, verdict: Any) -> list[tuple[str, str]]:
    """The id of each mistake that a verdict names, and the sentence of the row that was said, if one was.

    Args:
        exercise: its record.
        verdict: what the check found.
    """
    told = "\n".join(verdict.lines)
    return [
        (id_, next(_said(exercise, id_, told), "")) for id_ in (verdict.misconception or "").split("+") if id_
    ]


def _said(exercise: Exercise, id_: str, told: str) -> Iterator[str]:
    """Sentences of a mistake that were told: whole, or their first clause where two mistakes were."""
    says = [one.says for one in exercise.mistakes if one.id == id_]
    yield from (one for one in says if one in told)
    yield from (one for one in says if clause(one) in told)
