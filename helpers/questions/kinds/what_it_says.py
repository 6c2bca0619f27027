"""What will the check say of this answer?"""

from helpers.questions.draw import rng_of, shuffled
from helpers.questions.question import Code, Question
from helpers.questions.wrong_lines import WrongLine, kept, said

NAME = "what_it_says"
FEWEST = 3
"""So many different sentences are needed."""


def exercises() -> tuple[str, ...]:
    """Those with questions of this kind."""
    return tuple(name for name, lines in kept().items() if len(lines) >= FEWEST)


def question(exercise: str, seed: int) -> Question | None:
    """One question; `None` where too few sentences differ."""
    rng = rng_of(NAME, exercise, seed)
    lines = kept()[exercise]
    order = [lines[i] for i in rng.permutation(len(lines))]
    meant, others = order[0], _others(order)
    if len(others) < FEWEST - 1:
        return None
    choices, place = shuffled(rng, [said(one)[1] for one in [meant, *others]], 0)
    why = f"Line {meant.line} should read `{meant.right.strip()}`."
    asks = f"One line of this `{exercise}` is wrong. What does the check say of it?"
    return Question(NAME, exercise, seed, asks, tuple(choices), place, why, (Code(meant.source),))


def _others(order: list[WrongLine]) -> list[WrongLine]:
    """Up to three with other mistakes than the first, and than each other."""
    ids, found = {said(order[0])[0]}, []
    for one in order[1:]:
        if said(one)[0] not in ids and len(found) < 3:
            ids.add(said(one)[0])
            found.append(one)
    return found
