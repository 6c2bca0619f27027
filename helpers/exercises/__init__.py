"""The record of each exercise: that of `softmax` is `EXERCISE` in `helpers/exercises/unit_05_softmax/softmax.py`.

A file of the same unit and name in an instructor's `own/` takes its place.
"""

import importlib
import traceback
from pathlib import Path

from helpers import own
from helpers.beside.probes import of
from helpers.errors import OneSentence, unknown
from helpers.exercises.base import Exercise
from helpers.units import UNIT_OF, module_name

_PACKAGES = {"torch": "PyTorch", "numpy": "NumPy"}


class MissingPackage(OneSentence, ImportError):
    """This kernel lacks a package that the checks need; the message says what to do."""


class BadRecord(OneSentence, ValueError):
    """An instructor's own record of an exercise cannot be used; the message says what to mend."""


def find(name: str) -> Exercise:
    """The record of one exercise.

    Raises:
        UnknownName: when there is no such exercise; the message lists those there are.
        BadRecord: when it is an instructor's own and cannot be used.
        MissingPackage: when it needs a package that is not here.
    """
    if name not in UNIT_OF:
        raise unknown("exercise", name, UNIT_OF)
    unit, module = UNIT_OF[name], module_name(name)
    try:
        if module in own.modules(unit):
            return _own(name, f"unit_{unit}", module)
        return importlib.import_module(f"helpers.exercises.unit_{unit}.{module}").EXERCISE
    except ModuleNotFoundError as missing:
        if str(missing.name).startswith("helpers."):
            raise
        package = (missing.name or "a package").split(".")[0]
        says = f"{_PACKAGES.get(package, package)} is missing from this kernel"
        raise MissingPackage(f"{says}: run `make setup`, or `pip install {package}`.") from None


def _own(name: str, unit: str, module: str) -> Exercise:
    """The record in an instructor's own file."""
    where = f"own/{unit}/{module}.py"
    try:
        record = getattr(importlib.import_module(f"helpers.own.{unit}.{module}"), "EXERCISE", None)
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and not str(error.name).startswith("helpers."):
            raise  # the kernel lacks a package
        frames = traceback.extract_tb(error.__traceback__)
        lines = [one.lineno for one in frames if Path(one.filename).match(f"{unit}/{module}.py")]
        at = f", line {lines[-1]}" if lines else ""
        raise BadRecord(
            f"{where}{at} cannot be read: mend it first ({type(error).__name__}: {error})."
        ) from None
    if not isinstance(record, Exercise) or record.name != name:
        has = f"one for {record.name!r}" if isinstance(record, Exercise) else "none"
        raise BadRecord(
            f"{where} should hold the record EXERCISE = Exercise(name={name!r}, ...); it has {has}."
        )
    if record.probe is not of(name) and not record.lineup:  # whom a test meets stays with the verdict
        raise BadRecord(f"{where} has a probe of its own, which the sandbox cannot use: leave out `probe=`.")
    return record
