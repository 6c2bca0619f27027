"""Which line of this answer is wrong?"""

from helpers.questions.draw import rng_of
from helpers.questions.question import Code, Question
from helpers.questions.wrong_lines import kept, said

NAME = "which_line"
FEWEST = 3
"""In so many lines of an answer a real mistake is known: only these are worth a suspicion."""


def exercises() -> tuple[str, ...]:
    """Those with questions of this kind."""
    return tuple(name for name, lines in kept().items() if len({one.line for one in lines}) >= FEWEST)


def question(exercise: str, seed: int) -> Question | None:
    """One question: the check of the answer passes once that line is another one, and no other does it."""
    rng = rng_of(NAME, exercise, seed)
    lines = kept()[exercise]
    meant = lines[int(rng.integers(len(lines)))]
    numbered = meant.source.split("\n")
    suspects = sorted({one.line for one in lines} - {meant.line})
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
