"""The record of each exercise: that of `softmax` is `EXERCISE` in `helpers/exercises/unit_05_softmax/softmax.py`."""

import importlib
import re

from helpers.errors import UnknownName
from helpers.exercises.base import Exercise
from helpers.units import UNIT_OF


def module_name(exercise: str) -> str:
    """File name of an exercise: its name, or for a class its name in snake case and `_module`."""
    if not exercise[0].isupper():
        return exercise
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", exercise).lower() + "_module"


def find(name: str) -> Exercise:
    """The record of one exercise.

    Raises:
        UnknownName: when there is no such exercise; the message lists those there are.
    """
    if name not in UNIT_OF:
        raise UnknownName(f"There is no exercise {name!r}. The exercises are: {', '.join(UNIT_OF)}.")
    module = importlib.import_module(f"helpers.exercises.unit_{UNIT_OF[name]}.{module_name(name)}")
    return module.EXERCISE
