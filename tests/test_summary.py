"""What grading prints at the end, on a screen of 80 columns."""

import io

import pytest
from rich.console import Console

from grading import summary
from helpers.units import UNITS

pytestmark = pytest.mark.needs("sandbox")


def test_the_table_of_all_units_is_read_at_80_columns():
    outcomes = [summary.Outcome(unit, 240, 239, 13.25, 16, 12, 100, 13, 14, 115) for unit in UNITS]
    console = Console(file=io.StringIO(), width=80)
    summary.overview(console, outcomes)
    text = console.file.getvalue()
    rows = [line.split() for line in text.splitlines() if line[:1].isdigit()]
    assert rows == [[unit, *["240", "239", "13.25", "16", "12", "100", "13", "14", "115"]] for unit in UNITS]
    for head in ("handed", "marks", "mean", "late", "worth", "a look"):
        assert head in text
    assert "…" not in text
