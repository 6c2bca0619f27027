"""Which lines of a loom are blank: the answers to exercises that the learner has still to pass."""

from collections.abc import Collection

from helpers.beside.kernel import before_a_person
from helpers.offered import number_of, offered
from helpers.passed import passed


def blanks(exercises: Collection[str]) -> dict[str, str]:
    """Those of some exercises whose lines are blank, with their numbers.

    One that is not among the notebooks' exercises can never be passed: its line is always there.
    """
    asked = {name for names in offered().values() for name in names}.intersection(exercises)
    done = passed(asked) if before_a_person() else set()
    return {name: number_of(name) for name in asked - done}
