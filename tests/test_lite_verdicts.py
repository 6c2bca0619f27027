"""A check in a browser says of each answer in both banks what it says elsewhere, but for those in PyTorch."""

import json
import os
import statistics
import subprocess
import sys
import time

import numpy as np
import pytest

from helpers.units import UNIT_OF
from tests import in_node
from tests.bank_verdicts import WITH_VECTORS, checked_everywhere
from tools.shell import ROOT

pytestmark = [pytest.mark.needs("lite", "pyodide"), pytest.mark.slow]

LONG_DOUBLES = "long doubles have 64 bits there, and overflow where other doubles do"
OTHERWISE = {
    "softmax: softmax_in_long_doubles": LONG_DOUBLES,
    "softmax_with_temperature: temperature_in_long_doubles": LONG_DOUBLES,
    "masked_softmax: masked_softmax_in_long_doubles": LONG_DOUBLES,
}
if np.dtype(np.longdouble).itemsize == 8:  # as on this machine
    OTHERWISE = {}
"""The answers of which other words are said there, and why."""

UNITS = sorted({UNIT_OF[name] for name in checked_everywhere()})


def natively(unit):
    """What is said here, by a NumPy that sorts as Pyodide's does: without this processor's own ways."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.bank_verdicts", unit],
        cwd=ROOT,
        env={**os.environ, "NPY_DISABLE_CPU_FEATURES": WITH_VECTORS},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def parsed(printed):
    return [json.loads(line) for line in printed.splitlines() if line.startswith("{")]


def said(verdict):
    """What a learner is told; whole numbers have 32 bits in Pyodide where they have 64 here."""
    return verdict["passed"], verdict["misconception"], verdict["says"].replace("int32", "int64")


def of_pytorch(verdict):
    """Whether a browser says that the answer is written with PyTorch, and nothing else."""
    exercise = verdict["answer"].partition(":")[0]
    begins, says = f"{exercise} is not checked: torch", verdict["says"]
    ends = (
        " is PyTorch, which no browser runs: write it in NumPy, or open this unit in Colab or on Binder, or "
        "install the course on your computer."
    )
    alone = "\n" not in says and says.startswith(begins) and says.endswith(ends)
    return alone and not verdict["passed"] and verdict["misconception"] is None


@pytest.mark.parametrize("unit", UNITS)
def test_every_answer_gets_the_same_verdict(unit, laid_out):
    begun = time.perf_counter()
    here = parsed(natively(unit))
    between = time.perf_counter()
    there = parsed(in_node.run(laid_out, "tests/bank_verdicts.py", unit))
    took = between - begun, time.perf_counter() - between
    assert [one["answer"] for one in there] == [one["answer"] for one in here]
    equal, in_pytorch, others = 0, 0, []
    for native, other in zip(here, there, strict=True):
        if said(native) == said(other):
            equal += 1
        elif native["torch"] and of_pytorch(other):
            in_pytorch += 1
        else:
            others.append((native["answer"], said(native), said(other)))
    ms = [round(statistics.median(one["ms"] for one in some)) for some in (here, there)]
    print(
        f"\nunit {unit}: {equal} of {len(here)} verdicts equal, {in_pytorch} answers in PyTorch, "
        f"{len(others)} otherwise; {ms[0]} ms a check here, {ms[1]} ms there; "
        f"{took[0]:.0f} s and {took[1]:.0f} s in all"
    )
    exercises = checked_everywhere(unit)
    expected = {answer for answer in OTHERWISE if answer.partition(":")[0] in exercises}
    differ = [other for other in others if other[0] not in expected]
    assert not differ, "\n\n".join("\n".join(map(str, one)) for one in differ)
    assert {one[0] for one in others} == expected, "an answer that is listed no longer differs"
    assert equal > in_pytorch
