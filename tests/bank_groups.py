"""Verdicts and groups of the answers in the banks, one JSON line each: here and in a browser's Python.

`words` holds a unit, and how many answers to go on by, to see some alone.
"""

import itertools
import json
import sys

if sys.platform == "emscripten":
    sys.path.append("/course")

import numpy as np

from helpers.beside import probe
from helpers.beside.standard import standard
from helpers.exercises.base import draw_cases
from helpers.learner.checking import find_exercise
from helpers.verdict.behaviour import SEED, SIZES, behaviour
from tests.bank_verdicts import answers, called, the_same_luck, verdicts
from tools.patience import PATIENCE


def groups(unit, every):
    """One dict a wrong answer."""
    probe.SECONDS = PATIENCE
    wrong = [one for one in answers(unit) if hasattr(one, "mistake")]
    for one in itertools.islice(wrong, 0, None, int(every)):
        exercise = find_exercise(one.exercise)
        the_same_luck(np)
        with standard():
            cases = draw_cases(exercise, SEED, SIZES)
            group = behaviour(exercise, cases, probe.observe(exercise, one.obj, cases))
        yield {"answer": f"{one.exercise}: {called(one.obj)}", "group": group}


if __name__ == "__main__":
    asked = globals().get("words") or sys.argv[1:]
    for one in itertools.chain(verdicts(*asked), groups(*asked)):
        print(json.dumps(one), flush=True)
