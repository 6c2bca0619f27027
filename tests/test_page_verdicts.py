"""A check in a browser says of each answer in both banks what it says elsewhere."""

import statistics

import numpy as np
import pytest

from helpers.units import UNIT_OF, UNITS
from tests import in_node, said_of_answers

pytestmark = [pytest.mark.needs("engine", "pyodide"), pytest.mark.slow]

LONG_DOUBLES = "long doubles have 64 bits there, and overflow where other doubles do"
OTHERWISE = {
    "softmax: softmax_in_long_doubles": LONG_DOUBLES,
    "softmax_with_temperature: temperature_in_long_doubles": LONG_DOUBLES,
    "masked_softmax: masked_softmax_in_long_doubles": LONG_DOUBLES,
}
if np.dtype(np.longdouble).itemsize == 8:  # as on this machine
    OTHERWISE = {}
OTHERWISE |= said_of_answers.OTHERWISE
"""The answers of which other words are said there, and why."""


SAMPLED = 48
"""The gate asks every so many answers, so that each exercise has some: a check is a second there.

All are asked at night; the gate asks more of the stand-in alone: `test_stand_in_verdicts.py`.
"""


@pytest.fixture(scope="module")
def said(laid_out):
    """Verdicts and groups of some answers of a unit, here and there: each Python begins once for all."""
    here = said_of_answers.natively("", every=SAMPLED, module="tests.bank_groups")
    there = said_of_answers.parsed(in_node.run(laid_out, "tests/bank_groups.py", "", str(SAMPLED)))

    def of(unit, kind):
        return [
            [one for one in some if kind in one and UNIT_OF[one["answer"].partition(":")[0]] == unit]
            for some in (here, there)
        ]

    return of


@pytest.mark.parametrize("unit", UNITS)
def test_an_answer_gets_the_same_verdict(unit, said):
    compared(unit, *said(unit, "passed"))


@pytest.mark.nightly
@pytest.mark.parametrize("unit", UNITS)
def test_every_answer_gets_the_same_verdict(unit, laid_out):
    there = said_of_answers.parsed(in_node.run(laid_out, "tests/bank_verdicts.py", unit))
    compared(unit, said_of_answers.natively(unit), there)


def compared(unit, here, there):
    equal = said_of_answers.must_be_equal(here, there, OTHERWISE)
    ms = [round(statistics.median(one["ms"] for one in some)) for some in (here, there)]
    print(f"\nunit {unit}: {equal} of {len(here)} verdicts equal; {ms[0]} ms a check here, {ms[1]} ms there")


def test_a_wrong_answer_is_in_the_same_group(said):
    """But for what is promised by neither Python: ties, memory, and long doubles."""
    both = [said(unit, "group") for unit in UNITS]
    here, there = ([one for some in both for one in some[place]] for place in range(2))
    assert [one["answer"] for one in there] == [one["answer"] for one in here]
    moved = [one["answer"] for one, other in zip(here, there, strict=True) if one != other]
    assert len(set(moved) - OTHERWISE.keys()) <= len(here) * 0.05, moved


TRACE = """\
import linecache
import sys
from pathlib import Path

sys.path.append("/course")
from helpers.in_browser import site

site.FOLDER = Path("/python")

import numpy as np

from helpers import CheckFailed, check, trace

SOURCE = '''\\
def softmax(x, axis=-1):
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=0)
'''
linecache.cache["<cell 1>"] = (len(SOURCE), None, SOURCE.splitlines(keepends=True), "<cell 1>")
exec(compile(SOURCE, "<cell 1>", "exec"))
print(trace("softmax"))
try:
    check("softmax", seed=0)
except CheckFailed as failed:
    print(failed)
"""


@pytest.mark.nightly
def test_lines_are_traced_in_a_browser(laid_out, tmp_path):
    """Python there is newer, and has neither signals nor threads."""
    file = tmp_path / "traced.py"
    file.write_text(TRACE, "utf-8")
    told = in_node.run(laid_out, file)
    assert "✓ exponentials" in told
    assert "The last new ✓ is exponentials, in line 2.\nAfter it, line 3 returns " in told
    assert "softmax is not right yet." in told
