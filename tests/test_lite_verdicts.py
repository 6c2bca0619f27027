"""A check in a browser says of each answer in both banks what it says elsewhere."""

import os
import statistics
import time

import numpy as np
import pytest

from helpers.units import UNITS
from tests import in_node, said_of_answers

pytestmark = [pytest.mark.needs("lite", "pyodide"), pytest.mark.slow]

LONG_DOUBLES = "long doubles have 64 bits there, and overflow where other doubles do"
OTHERWISE = {
    "softmax: softmax_in_long_doubles": LONG_DOUBLES,
    "softmax_with_temperature: temperature_in_long_doubles": LONG_DOUBLES,
    "masked_softmax: masked_softmax_in_long_doubles": LONG_DOUBLES,
}
if np.dtype(np.longdouble).itemsize == 8:  # as on this machine
    OTHERWISE = {}
if not os.environ.get("PYTORCH"):  # it is not the stand-in that runs, see `in_node.py`
    OTHERWISE |= said_of_answers.OTHERWISE
"""The answers of which other words are said there, and why."""


SAMPLED = {unit: 8 for unit in UNITS if unit[:2] in ("06", "07", "08", "09")}
"""Units of which the gate asks every so many answers: most are in PyTorch, a second each there.

All are asked at night, and in the gate of the stand-in without Pyodide: `test_stand_in_verdicts.py`.
"""


@pytest.mark.parametrize("unit", UNITS)
def test_every_answer_gets_the_same_verdict(unit, laid_out):
    compared(unit, laid_out, SAMPLED.get(unit, 1))


@pytest.mark.nightly
@pytest.mark.parametrize("unit", SAMPLED)
def test_those_that_take_long_get_it_too(unit, laid_out):
    compared(unit, laid_out)


def compared(unit, laid_out, every=1):
    begun = time.perf_counter()
    here = said_of_answers.natively(unit, every=every)
    between = time.perf_counter()
    printed = in_node.run(laid_out, "tests/bank_verdicts.py", unit, str(every))
    there = said_of_answers.parsed(printed)
    took = between - begun, time.perf_counter() - between
    equal = said_of_answers.must_be_equal(here, there, OTHERWISE)
    ms = [round(statistics.median(one["ms"] for one in some)) for some in (here, there)]
    print(
        f"\nunit {unit}: {equal} of {len(here)} verdicts equal; {ms[0]} ms a check here, {ms[1]} ms there; "
        f"{took[0]:.0f} s and {took[1]:.0f} s in all"
    )


@pytest.mark.parametrize("unit", UNITS)
def test_a_wrong_answer_is_in_the_same_group(unit, laid_out):
    """But for what is promised by neither Python: ties, memory, and long doubles."""
    here = said_of_answers.natively(unit, every=8, module="tests.bank_groups")
    there = said_of_answers.parsed(in_node.run(laid_out, "tests/bank_groups.py", unit, "8"))
    assert [one["answer"] for one in there] == [one["answer"] for one in here]
    moved = [one["answer"] for one, other in zip(here, there, strict=True) if one != other]
    assert len(set(moved) - OTHERWISE.keys()) <= len(here) * 0.05, moved
