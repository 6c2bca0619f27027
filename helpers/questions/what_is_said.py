"""What a check says of an answer with one wrong line."""

import functools

from helpers import answer_text
from helpers.beside import probe, set_up_first
from helpers.beside.standard import standard
from helpers.exercises import find
from helpers.exercises.base import draw_cases
from helpers.exercises.oracle import one_thread
from helpers.questions.wrong_lines import SEED, WrongLine
from helpers.verdict.judge import judge


@functools.cache
def said(one: WrongLine) -> tuple[str, str]:
    """What the check says of it: the mistake's id, and the sentence about what was done."""
    answer = answer_text.defined(one.exercise, one.source, set_up_first.modules())
    exercise = find(one.exercise)
    with standard(), one_thread():
        cases = draw_cases(exercise, SEED)
        verdict = judge(exercise, cases, probe.observe(exercise, answer, cases))
    return verdict.misconception or "", verdict.lines[1].partition(" Right: ")[0]
