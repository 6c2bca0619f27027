"""The kinds of questions, one file each: `exercises()` they are about, and `question(exercise, seed)`."""

from types import ModuleType

from helpers.questions.kinds import (
    made_by,
    missing_line,
    rivals,
    sums_to_one,
    what_it_says,
    what_moves,
    which_line,
    which_shape,
)
from helpers.questions.question import Question

KINDS: dict[str, ModuleType] = {
    one.NAME: one
    for one in (
        what_moves,
        missing_line,
        which_shape,
        sums_to_one,
        what_it_says,
        made_by,
        which_line,
        rivals,
    )
}
"""In the order in which an exercise is first asked about."""


def of(exercise: str) -> list[str]:
    """The kinds of questions that an exercise has."""
    return [name for name, kind in KINDS.items() if exercise in kind.exercises()]


def question(kind: str, exercise: str, seed: int) -> Question | None:
    """The question of a kind about an exercise; `None` where there is none, in this version of the course."""
    if kind not in KINDS or exercise not in KINDS[kind].exercises():
        return None
    return KINDS[kind].question(exercise, seed)
