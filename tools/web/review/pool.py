"""The questions of the page "Review", computed when the site is built: a file for each unit."""

import json
from pathlib import Path
from typing import Any

from helpers.offered import offered
from helpers.questions import kinds
from helpers.questions.data import as_data
from helpers.questions.shown import place
from helpers.units import STEPS, TITLES
from tools.web.exercise_links import place_of

SEEDS = 6
"""Of each kind and exercise there are so many questions."""


def course() -> dict[str, Any]:
    """What the page knows before it loads a question: the units, the steps of attention, and the kinds."""
    asked = {unit: asked_of(unit) for unit in offered()}
    units = [[unit, TITLES[unit], names] for unit, names in asked.items() if names]
    there = {name for _, _, names in units for name in names}
    steps = [[name for name in names if name in there] for names in STEPS.values()]
    of = {name: kinds.of(name) for names in asked.values() for name in names}
    return {"units": units, "steps": [names for names in steps if names], "kinds": of}


def asked_of(unit: str) -> list[str]:
    """The exercises of a unit that there are questions about, and a place on the site to read on."""
    return [name for name in offered()[unit] if kinds.of(name) and place_of(name)]


def of_unit(unit: str) -> dict[str, Any]:
    """The questions of a unit, and for each exercise the sentence where to read on with its address.

    Args:
        unit: such as `"05_softmax"`.
    """
    places, questions = {}, []
    for name in asked_of(unit):
        if there := place_of(name):
            places[name] = [place(name), there.address]
        drawn = (kinds.question(kind, name, seed) for kind in kinds.of(name) for seed in range(SEEDS))
        questions += [as_data(one) for one in drawn if one]
    return {"places": places, "questions": questions}


def write(folder: Path) -> None:
    """Write the file of each unit.

    Args:
        folder: which is made.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for unit, _, _ in course()["units"]:
        text = json.dumps(of_unit(unit), ensure_ascii=False, separators=(",", ":"))
        (folder / f"{unit}.json").write_text(text, "utf-8")
