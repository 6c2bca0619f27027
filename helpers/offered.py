"""What learners are offered: the exercises that stand in `notebooks/`, which instructors may change."""

import json
from importlib import resources

from helpers.units import OWN, UNIT_OF, UNITS


def blanks() -> dict[str, str]:
    """The blank answer cell of every exercise, in the order of `notebooks/`."""
    return json.loads((resources.files("helpers") / "blanks.json").read_text("utf-8"))


def offered() -> dict[str, list[str]]:
    """The exercises of each unit; one that an instructor has taken out is not among them."""
    blank = blanks()
    found = {unit: [name for name in _numbered(unit, blank) if name in blank] for unit in UNITS}
    return {unit: names for unit, names in found.items() if names}


def number_of(exercise: str) -> str:
    """Its number, such as `"5.1"`: it stays where another was taken out, and instructors' own come last."""
    unit = UNIT_OF[exercise]
    return f"{int(unit[:2])}.{_numbered(unit, blanks()).index(exercise) + 1}"


def _numbered(unit: str, blank: dict[str, str]) -> list[str]:
    own = [name for name in OWN if UNIT_OF[name] == unit]
    place = {name: at for at, name in enumerate(blank)}
    theirs = [name for name in UNITS[unit] if name not in OWN]
    return [*theirs, *sorted(own, key=lambda name: place.get(name, len(place)))]
