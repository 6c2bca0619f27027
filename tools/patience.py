"""Tests, and the servers that they start, wait for facts; how long at the last, which only ends a hang."""

import time
from collections.abc import Callable
from typing import Any

PATIENCE = 300
"""Seconds for one fact: a server answers, a page shows something, a cell is run. Alone none takes half a
minute, so that a machine half as fast with four other things to do is no failure."""

LONGEST = 590
"""Seconds for a program that does much, such as grading a class: a hang ends in less than ten minutes."""


def until(fact: Callable[[], Any], missing: Callable[[], str] = str) -> Any:
    """Wait for a fact; gives what it gave.

    Args:
        fact: gives something true once it is there.
        missing: says what else there is to know where it does not come.

    Raises:
        TimeoutError: when it does not come.
    """
    end = time.monotonic() + PATIENCE
    while not (found := fact()):
        if time.monotonic() > end:
            raise TimeoutError(f"waited {PATIENCE:g} seconds in vain. {missing()}")
        time.sleep(0.05)
    return found
