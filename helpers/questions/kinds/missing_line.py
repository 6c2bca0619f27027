"""Which line belongs into the gap of this answer?"""

from collections import Counter

from helpers.questions.draw import in_turn, rng_of, shuffled
from helpers.questions.question import Code, Question
from helpers.questions.wrong_lines import WrongLine, asked, said

NAME = "missing_line"
FEWEST = 2
"""So many wrong lines for one place are needed."""
GAP = "..."


def exercises() -> tuple[str, ...]:
    """Those with questions of this kind."""
    return tuple(name for name in asked() if _places(name))


def question(exercise: str, seed: int) -> Question | None:
    """One question: with one of the lines the check passes, with each other it names a mistake."""
    rng, places = rng_of(NAME, exercise, seed), _places(exercise)
    wrong = in_turn(places, seed)
    few = [wrong[i] for i in rng.permutation(len(wrong))[:3]]
    right = few[0].right
    choices, at = shuffled(rng, [f"`{text.strip()}`" for text in (right, *(one.text for one in few))], 0)
    by_text = {f"`{one.text.strip()}`": said(one)[1] for one in few}
    reasons = [
        f"{letter}: {by_text[one]}" for letter, one in zip("abcd", choices, strict=False) if one in by_text
    ]
    source = few[0].source.split("\n")
    source[few[0].line - 1] = right[: len(right) - len(right.lstrip())] + GAP
    asks = f"Line {few[0].line} of this `{exercise}` is missing. Which belongs there?"
    why = f"What the check says of the others: {' '.join(reasons)}"
    return Question(NAME, exercise, seed, asks, tuple(choices), at, why, (Code("\n".join(source)),))


def _places(name: str) -> list[list[WrongLine]]:
    """The wrong lines of each place that has enough of them, of each sentence one."""
    lines = {(one.line, said(one)[1]): one for one in asked()[name]}
    count = Counter(line for line, _ in lines)
    return [[one for one in lines.values() if one.line == line] for line in count if count[line] >= FEWEST]
