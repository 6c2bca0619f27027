"""What the checks say of the answers in both banks, one JSON line an answer: here and in a browser's Python.

`words` holds a unit, or nothing. The seed of an answer is its place in the bank, so that both
see the same inputs.
"""

import functools
import importlib
import inspect
import itertools
import json
import sys
import time
from pathlib import Path
from types import CodeType, FunctionType

if sys.platform == "emscripten":
    sys.path.append("/course")
    from helpers.in_browser import site

    site.FOLDER = Path("/lite")

import numpy as np

from banks import registry
from helpers.beside import probe
from helpers.in_browser.recorded import SEEDS
from helpers.learner.checking import find_exercise, verdict_of
from helpers.units import IN_PYTORCH, UNIT_OF, module_name
from tools.patience import PATIENCE

WITH_VECTORS = (
    "AVX2 FMA3 AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX512_SPR X86_V3 X86_V4"
)
"""What a processor has beyond the least that NumPy needs: with it equal numbers are sorted otherwise."""


def checked_everywhere(unit=""):
    """The exercises of a unit whose answer needs no PyTorch."""
    return [name for name in UNIT_OF if name not in IN_PYTORCH and UNIT_OF[name].startswith(unit)]


def names_pytorch(answer):
    """Whether an answer, or a function that it calls or keeps, names PyTorch."""
    seen, waiting = set(), [answer]
    while waiting:
        one = inspect.unwrap(waiting.pop())
        if id(one) in seen:
            continue
        seen.add(id(one))
        if getattr(one, "__name__", "").split(".")[0] == "torch" or _module(one).startswith("torch"):
            return True
        if isinstance(one, FunctionType):
            names = {name for code in _codes(one.__code__) for name in code.co_names}
            if "torch" in names:
                return True
            waiting += one.__defaults__ or ()
            waiting += [one.__globals__[name] for name in names & one.__globals__.keys()]
            waiting += [cell.cell_contents for cell in one.__closure__ or ()]
        elif isinstance(one, type) and _module(one).startswith("banks."):
            waiting += vars(one).values()
        elif _module(type(one)).startswith("banks."):
            waiting += [type(one), *getattr(one, "__dict__", {}).values()]
        elif isinstance(one, functools.partial):
            waiting += [one.func, *one.args, *one.keywords.values()]
    return False


def _module(one):
    return str(getattr(one, "__module__", None) or "")


def _codes(code):
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _codes(inner)


def called(answer):
    """What an answer is called, the same in every process."""
    return repr(answer) if isinstance(answer, str) else getattr(answer, "__name__", type(answer).__name__)


def the_same_luck(numpy, draws=np.random.default_rng):
    """From now on, generators that are given no seed get one after the other those of 0, 1, 2, ..."""
    seeds = itertools.count()
    numpy.random.seed(0)
    numpy.random.default_rng = lambda seed=None: draws(next(seeds) if seed is None else seed)


def verdicts(unit=""):
    """One dict an answer; none of them loops without end, so each may take its time."""
    probe.SECONDS = PATIENCE
    names = checked_everywhere(unit)
    for name in names:
        importlib.import_module(f"banks.unit_{UNIT_OF[name]}.{module_name(name)}")
    answers = [one for one in (*registry.RIGHT, *registry.WRONG) if one.exercise in names]
    for place, answer in enumerate(sorted(answers, key=lambda one: names.index(one.exercise))):
        the_same_luck(np)
        start = time.perf_counter()
        found = verdict_of(find_exercise(answer.exercise), answer.obj, place % len(SEEDS))
        yield {
            "answer": f"{answer.exercise}: {called(answer.obj)}",
            "passed": found.passed,
            "misconception": found.misconception,
            "says": found.says,
            "ms": round(1000 * (time.perf_counter() - start), 1),
            "torch": names_pytorch(answer.obj),
        }


if __name__ == "__main__":
    asked = globals().get("words") or sys.argv[1:]
    for one in verdicts(*asked):
        print(json.dumps(one), flush=True)
