"""The probes: how an answer is called and what of it is written down, exercise by exercise.

A probe runs beside the learner's code.  Nothing in this folder knows a right answer or a mistake, so that
it is all of the checks that has to be in the sandbox when a class is graded.
"""

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from typing import Any

from helpers.beside.probes.base import call
from helpers.units import UNIT_OF, module_name

_FILES = {found.name for found in pkgutil.iter_modules(__path__)}
OWN = tuple(exercise for exercise in UNIT_OF if module_name(exercise) in _FILES)
"""The exercises with a probe of their own: a file in this folder has their name."""


def of(exercise: str) -> Callable[[Any, Mapping[str, Any]], Any]:
    """The probe of an exercise: its own, or the plain call."""
    if exercise not in OWN:
        return call
    return importlib.import_module(f"{__name__}.{module_name(exercise)}").probe
