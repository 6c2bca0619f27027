"""The record of each exercise: that of `softmax` is `EXERCISE` in `helpers/exercises/unit_05_softmax/softmax.py`."""

import importlib

from helpers.errors import unknown
from helpers.exercises.base import Exercise
from helpers.units import UNIT_OF, module_name


def find(name: str) -> Exercise:
    """The record of one exercise.

    Raises:
        UnknownName: when there is no such exercise; the message lists those there are.
    """
    if name not in UNIT_OF:
        raise unknown("exercise", name, UNIT_OF)
    module = importlib.import_module(f"helpers.exercises.unit_{UNIT_OF[name]}.{module_name(name)}")
    return module.EXERCISE
