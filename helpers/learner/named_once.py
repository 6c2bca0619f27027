"""The instructor's words below a check that fails and knows no name, where the course comes with some."""

from typing import Any

from helpers import own
from helpers.exercises.base import Exercise, draw_cases
from helpers.verdict.found import Verdict

_SAID: list[str] = []
"""What was said of a file that cannot be read: once is enough."""


def told(exercise: Exercise, answer: Any, verdict: Verdict) -> Verdict:
    """The verdict in the instructor's words, if they have named what the answer does; else as it is.

    The answer is run once more, on the draw by which behaviours are compared.
    """
    unnamed = not verdict.passed and verdict.problem and not verdict.misconception
    if not unnamed or exercise.enough or not (own.FOLDER / own.NAMED).is_file():
        return verdict
    from helpers import named_mistakes
    from helpers.beside import probe
    from helpers.beside.standard import standard
    from helpers.exercises.oracle import one_thread
    from helpers.verdict.behaviour import SEED, SIZES, behaviour
    from helpers.verdict.instructors import in_their_words
    from helpers.verdict.judge import judge

    try:
        words = named_mistakes.read()
    except named_mistakes.BadEntry as broken:
        if str(broken) not in _SAID:
            _SAID.append(str(broken))
            print(f"Your instructor's own sentences cannot be shown: tell them. {broken}")
        return verdict
    if not any(name == exercise.name for name, _ in words):
        return verdict
    try:
        with standard(), one_thread():
            cases = draw_cases(exercise, SEED, SIZES)
            seen = probe.observe(exercise, answer, cases)
            named = words.get((exercise.name, behaviour(exercise, cases, seen)))
            if named is None or judge(exercise, cases, seen).misconception:
                return verdict
    except KeyboardInterrupt as stop:
        raise probe.interrupted(exercise.name, stop) from None
    return in_their_words(exercise, verdict, named)
