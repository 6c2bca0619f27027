"""Which line of this answer is wrong?"""

from helpers import answer_text
from helpers.questions.draw import rng_of
from helpers.questions.question import Code, Question
from helpers.questions.wrong_lines import kept, said

NAME = "which_line"
FEWEST = 3
"""An answer of two lines is a toss of a coin."""


def exercises() -> tuple[str, ...]:
    """Those with questions of this kind."""
    texts = answer_text.texts()
    return tuple(name for name in kept() if len(answer_text.body_lines(texts[name])) >= FEWEST)


def question(exercise: str, seed: int) -> Question | None:
    """One question: the check of the answer passes once that line is another one, and no other does it."""
    rng = rng_of(NAME, exercise, seed)
    lines = kept()[exercise]
    meant = lines[int(rng.integers(len(lines)))]
    numbered = meant.source.split("\n")
    others = [line for line in answer_text.body_lines(meant.source) if line != meant.line]
    telling = [line for line in others if not numbered[line - 1].strip().startswith(("def ", "super()"))]
    chosen = sorted([meant.line, *map(int, rng.permutation(telling)[:3])])
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
