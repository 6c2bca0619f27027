"""What is said of a wrong answer in the instructor's words, where the course has no name for its mistake."""

from dataclasses import replace

from helpers.exercises.base import Exercise
from helpers.named_mistakes import Named
from helpers.verdict.found import Verdict
from helpers.verdict.wording import WORDS


def in_their_words(exercise: Exercise, verdict: Verdict, named: Named) -> Verdict:
    """A verdict without a name, with the instructor's sentence and hint, marked as theirs."""
    says = f"Your instructor says: {named.says}"
    told = replace(verdict, hint=named.hint, general=False, instructors=True)
    first, last = verdict.lines[0], verdict.lines[-1]
    lines = (first, says, last)
    if len(" ".join([*lines, told.hinted]).split()) > WORDS and verdict.case is not None:
        lines = (first, says, f"You see it on {verdict.case.says}.")
    return replace(told, lines=lines)
