"""Which line of this answer is wrong?"""

from collections.abc import Sequence

from helpers.questions.draw import in_turn, rng_of
from helpers.questions.question import Code, Question
from helpers.questions.what_is_said import said
from helpers.questions.wrong_lines import WrongLine, asked, kept

NAME = "which_line"
FEWEST = 3
"""In so many lines of an answer a real mistake is known: only these are worth a suspicion."""
MEANT = 2
"""So many of them have one that is worth asking about."""


def exercises() -> tuple[str, ...]:
    """Those with questions of this kind."""
    return tuple(
        name for name, lines in asked().items() if _places(lines) >= MEANT and _places(kept()[name]) >= FEWEST
    )


def _places(lines: Sequence[WrongLine]) -> int:
    return len({one.line for one in lines})


def question(exercise: str, seed: int) -> Question | None:
    """One question: the check of the answer passes once that line is another one, and no other does it."""
    rng = rng_of(NAME, exercise, seed)
    meant = in_turn(asked()[exercise], seed)
    numbered = meant.source.split("\n")
    suspects = sorted({one.line for one in kept()[exercise]} - {meant.line})
    chosen = sorted([meant.line, *map(int, rng.permutation(suspects)[:3])])
    return Question(
        NAME,
        exercise,
        seed,
        f"One line of this `{exercise}` is wrong. Which?",
        tuple(f"line {line}: `{numbered[line - 1].strip()}`" for line in chosen),
        chosen.index(meant.line),
        f"It should read `{meant.right.strip()}`. {said(meant)[1]}",
        (Code(meant.source),),
    )
