"""Which lines of a loom are blank: the answers to exercises that the learner has still to pass."""

import os
from collections.abc import Collection

from helpers.beside.kernel import in_notebook
from helpers.offered import number_of, offered
from helpers.passed import passed
from helpers.plots.figure import AS_SVG


def blanks(exercises: Collection[str]) -> dict[str, str]:
    """Those of some exercises whose lines are blank, with their numbers.

    One that is not among the notebooks' exercises can never be passed: its line is always there.
    """
    asked = {name for names in offered().values() for name in names}.intersection(exercises)
    done = passed(asked) if _learning() else set()
    return {name: number_of(name) for name in asked - done}


def _learning() -> bool:
    """Whether a person works in a notebook: what nbgrader runs, and the site, are nobody's."""
    return in_notebook() and not {AS_SVG, "NBGRADER_EXECUTION"}.intersection(os.environ)
