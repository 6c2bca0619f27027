"""How many attacks docs/grading.md says are tried, and how many there are."""

import re

import pytest

from tools.shell import ROOT

pytestmark = pytest.mark.needs("sandbox")


def test_the_page_says_how_many():
    from tests import attacks, page_attacks, test_odd_names, test_swapped

    names = (test_odd_names.KEPT, test_odd_names.MOVED, test_odd_names.LEFT_OUT, test_odd_names.REFUSED)
    of_the_sandbox = (attacks.INSIDE, attacks.GREEDY, attacks.WAITING, attacks.LEFT)
    banks = (*of_the_sandbox, attacks.ON_GRADER, attacks.HANDED_IN, page_attacks.words(), test_swapped.WAYS)
    page = (ROOT / "docs" / "grading.md").read_text("utf-8")
    table = page.partition("### What is tried")[2].partition("\n\nWhat a learner")[0]
    told = [int(number) for number in re.findall(r"^\|.*\| (\d+) \|$", table, re.MULTILINE)]
    assert told == [*map(len, banks), sum(map(len, names))]
