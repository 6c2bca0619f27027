"""Which line belongs into the gap of this answer?"""

from collections import Counter

from helpers.questions.draw import in_turn, rng_of, shuffled
from helpers.questions.question import Code, Question
from helpers.questions.what_is_said import said
from helpers.questions.wrong_lines import WrongLine, asked

NAME = "missing_line"
FEWEST = 2
"""So many wrong lines for one place are needed."""
GAP = "..."


def exercises() -> tuple[str, ...]:
    """Those with questions of this kind."""
    return tuple(name for name in asked() if _places(name))


def question(exercise: str, seed: int) -> Question | None:
    """One question: with one of the lines the check passes, with each other it names a mistake."""
    rng = rng_of(NAME, exercise, seed)
    wrong = {said(one)[1]: one for one in in_turn(_places(exercise), seed)}  # of each sentence one
    if len(wrong) < FEWEST:
        return None
    few = [list(wrong.items())[i] for i in rng.permutation(len(wrong))[:3]]
    gap = few[0][1]
    lines = [("", gap.right), *((says, one.text) for says, one in few)]
    choices, at = shuffled(rng, lines, 0)
    reasons = [f"{letter}: {says}" for letter, (says, _) in zip("abcd", choices, strict=False) if says]
    source = gap.source.split("\n")
    source[gap.line - 1] = gap.right[: len(gap.right) - len(gap.right.lstrip())] + GAP
    return Question(
        NAME,
        exercise,
        seed,
        f"Line {gap.line} of this `{exercise}` is missing. Which belongs there?",
        tuple(f"`{text.strip()}`" for _, text in choices),
        at,
        f"What the check says of the others: {' '.join(reasons)}",
        (Code("\n".join(source)),),
    )


def _places(name: str) -> list[list[WrongLine]]:
    """The wrong lines of each place that has enough of them; no answer is run to know that."""
    lines = asked()[name]
    count = Counter(one.line for one in lines)
    return [[one for one in lines if one.line == line] for line in count if count[line] >= FEWEST]
