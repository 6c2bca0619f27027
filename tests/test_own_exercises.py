"""Instructors' own exercises in `own/`: the answer passes on many draws, and each known mistake is named."""

from pathlib import Path

import nbformat
import numpy as np
import pytest
import torch

from helpers import CheckFailed, check, own, reference
from helpers.exercises import find
from helpers.offered import offered
from helpers.units import OWN, UNITS, grade_id, module_name
from tools import exercise

ROOT = Path(__file__).resolve().parent.parent
WORDS = {"np": np, "torch": torch, "nn": torch.nn, "reference": reference}
SEEDS = [(seed, sizes) for seed in range(5) for sizes in ("visible", "hidden")]

records = pytest.mark.parametrize("path", own.FILES, ids=lambda path: path.stem)
added = pytest.mark.parametrize("name", OWN)
pytestmark = pytest.mark.skipif(not own.FILES, reason="there is nothing in own/")


def solution(unit):
    return nbformat.read(ROOT / "solutions" / unit / f"{unit}.ipynb", as_version=4)


@records
def test_its_record_can_be_used(path):
    unit = path.parent.name.removeprefix("unit_")
    assert unit in UNITS, f"{path.parent.name} is no unit: they are called {', '.join(UNITS)}"
    name = next(name for name in UNITS[unit] if module_name(name) == path.stem)
    assert find(name).hints
    assert exercise.left(path) == []


@added
def test_learners_have_it(name):
    (unit,) = [unit for unit, names in UNITS.items() if name in names]
    assert name in offered().get(unit, ()), f"{name} is not in notebooks/{unit}: run `make notebooks`"
    cells = {grade_id(cell): cell for cell in solution(unit).cells}
    assert cells.keys() >= {name, f"{name}-task", f"{name}-test"}
    assert f'check("{name}")' in cells[f"{name}-test"].source


@added
def test_the_answer_in_the_solution_is_right(name):
    (unit,) = [unit for unit, names in UNITS.items() if name in names]
    space = dict(WORDS)
    exec(next(cell.source for cell in solution(unit).cells if grade_id(cell) == name), space)
    for seed, sizes in SEEDS:
        check(name, space[name], seed=seed, sizes=sizes)


@added
def test_each_known_mistake_is_refused_and_named(name):
    for mistake in find(name).mistakes:
        for seed, sizes in SEEDS:
            with pytest.raises(CheckFailed) as failed:
                check(name, mistake.answer, seed=seed, sizes=sizes)
            assert failed.value.misconception == mistake.id, str(failed.value)
