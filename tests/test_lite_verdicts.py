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


@pytest.mark.parametrize("unit", UNITS)
def test_every_answer_gets_the_same_verdict(unit, laid_out):
    begun = time.perf_counter()
    here = said_of_answers.natively(unit)
    between = time.perf_counter()
    there = said_of_answers.parsed(in_node.run(laid_out, "tests/bank_verdicts.py", unit))
    took = between - begun, time.perf_counter() - between
    equal = said_of_answers.must_be_equal(here, there, OTHERWISE)
    ms = [round(statistics.median(one["ms"] for one in some)) for some in (here, there)]
    print(
        f"\nunit {unit}: {equal} of {len(here)} verdicts equal; {ms[0]} ms a check here, {ms[1]} ms there; "
        f"{took[0]:.0f} s and {took[1]:.0f} s in all"
    )
