"""What the checks say of the answers in both banks, one JSON line an answer: here and in a browser's Python.

`words` holds a unit, or nothing; and how many answers to go on by, to see some alone. The seed of an
answer is its place in the bank, so that all see the same inputs.
"""

import importlib
import itertools
import json
import sys
import time
from pathlib import Path

if sys.platform == "emscripten":
    sys.path.append("/course")
    from helpers.in_browser import pytorch, site

    pytorch.findable()
    site.FOLDER = Path("/python")

import numpy as np

from banks import registry
from helpers.beside import probe
from helpers.in_browser.recorded import SEEDS
from helpers.learner.checking import find_exercise, verdict_of
from helpers.units import UNIT_OF, module_name
from tools.patience import PATIENCE

WITH_VECTORS = (
    "AVX2 FMA3 AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX512_SPR X86_V3 X86_V4"
)
"""What a processor has beyond the least that NumPy needs: with it equal numbers are sorted otherwise."""


def exercises(unit=""):
    """The names of a unit's exercises."""
    return [name for name in UNIT_OF if UNIT_OF[name].startswith(unit)]


def called(answer):
    """What an answer is called, the same in every process."""
    return repr(answer) if isinstance(answer, str) else getattr(answer, "__name__", type(answer).__name__)


def the_same_luck(numpy, draws=np.random.default_rng):
    """From now on, generators that are given no seed get one after the other those of 0, 1, 2, ...

    PyTorch's is given one too, where it is there, or its stand-in's: how often it was asked before differs.
    """
    seeds = itertools.count()
    numpy.random.seed(0)
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(0)
    numpy.random.default_rng = lambda seed=None: draws(next(seeds) if seed is None else seed)


def answers(unit=""):
    """All answers to a unit's exercises, right ones and wrong ones, in the order of the exercises."""
    names = exercises(unit)
    for name in names:
        importlib.import_module(f"banks.unit_{UNIT_OF[name]}.{module_name(name)}")
    found = [one for one in (*registry.RIGHT, *registry.WRONG) if one.exercise in names]
    return sorted(found, key=lambda one: names.index(one.exercise))


def verdicts(unit="", every="1"):
    """One dict an answer; none of them loops without end, so each may take its time."""
    probe.SECONDS = PATIENCE
    for place, answer in itertools.islice(enumerate(answers(unit)), 0, None, int(every)):
        the_same_luck(np)
        start = time.perf_counter()
        found = verdict_of(find_exercise(answer.exercise), answer.obj, place % len(SEEDS))
        yield {
            "answer": f"{answer.exercise}: {called(answer.obj)}",
            "passed": found.passed,
            "misconception": found.misconception,
            "says": found.says,
            "ms": round(1000 * (time.perf_counter() - start), 1),
        }


if __name__ == "__main__":
    asked = globals().get("words") or sys.argv[1:]
    for one in verdicts(*asked):
        print(json.dumps(one), flush=True)
