"""A grader that is killed at any moment loses nothing; `python -m tests.killing` does it for longer."""

import pytest

from tests.killing import disturbed_and_not

pytestmark = [pytest.mark.needs("sandbox"), pytest.mark.slow]


def test_marks_after_kills_are_those_of_an_undisturbed_run():
    calm, wild, hit = disturbed_and_not(learners=12, kills=3, seed=4)
    assert hit >= 1, "no kill hit a grader at work"
    assert wild == calm
