"""Checks say of every answer in both banks with PyTorch's stand-in what they say with PyTorch."""

import statistics

import pytest

from helpers.units import UNITS
from tests.said_of_answers import OTHERWISE, must_be_equal, natively

EVERY = 24
"""The gate asks every so many answers, the night all."""


def compared(unit, every=1):
    here, there = natively(unit, every=every), natively(unit, stand_in=True, every=every)
    assert len(here) > 10
    equal = must_be_equal(here, there, OTHERWISE)
    ms = [round(statistics.median(one["ms"] for one in some)) for some in (here, there)]
    print(f"\n{unit or 'all'}: {equal} of {len(here)} verdicts equal; {ms[0]} ms with PyTorch, {ms[1]} not")


@pytest.mark.slow
def test_some_answers_get_the_same_verdict():
    compared("", EVERY)  # of all units in one process: PyTorch and the banks take seconds to load


@pytest.mark.nightly
@pytest.mark.parametrize("unit", UNITS)
def test_every_answer_gets_the_same_verdict(unit):
    compared(unit)
