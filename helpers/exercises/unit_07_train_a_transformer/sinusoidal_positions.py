"""Exercise `sinusoidal_positions`: a vector for each place in a sequence, from sines and cosines."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from helpers.beside.probes.sinusoidal_positions import probe
from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.compare import Difference, difference
from helpers.exercises.unit_07_train_a_transformer.sinusoidal_positions_mistakes import (
    GROWING,
    MISTAKES,
    WHY_GROWING,
)

CAN_BE_TOLD = 1000
"""Larger angles are too much rounded in float32 to know them by their sines."""


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, one place, one pair, a square, wide and long tables, other bases, a base that is no integer."""
    yield Case("n = 2, d = 2", {"n": 2, "d": 2})
    yield Case("n = 1, d = 6", {"n": 1, "d": 6})
    yield Case("n = 3, d = 4", {"n": 3, "d": 4})
    yield _case(3, 4, 100.0)  # a table that is kept for its sizes has the base of its first call
    yield _case(4, 4, 16.0)
    n, half = draw.sizes(2)
    yield Case(f"n = {n}, d = {2 * half}", {"n": n, "d": 2 * half})
    yield _case(half, 2 * n, round(float(draw.rng.uniform(20, 500)), 1))
    yield _case(3, 16, 2.5)
    yield Case("n = 40, d = 8", {"n": 40, "d": 8})
    yield _case(6, 2, 50.0)
    yield _case(9, 12, 10000.0)
    yield _case(3, 8, 1e12)  # the last cosines are 1 and no number just below it, which cut off is 0


def _case(n: int, d: int, base: float) -> Case:
    return Case(f"n = {n}, d = {d}, base = {base:g}", {"n": n, "d": d, "base": base})


def oracle(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    """PyTorch's complex numbers: `exp(1j p / base ** (2 i / d))` has both of a pair."""
    speed = torch.tensor(base, dtype=torch.float64) ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    angle = torch.arange(n, dtype=torch.float64)[:, None] * speed
    turned = torch.view_as_real(torch.polar(torch.ones_like(angle), angle))
    return turned.flip(-1).flatten(1).numpy().astype(np.float32)


def judge(right: np.ndarray, args: Mapping[str, Any], got: Any) -> Difference | None:
    """The difference from the oracle; angles that grow are seen by what is left of them after rounding."""
    found = difference(right, got, tensors=True)
    if not found or found.got is None or found.got.shape != right.shape or not _grows(found.got, **args):
        return found
    id_, _, says = GROWING.partition(": ")
    return replace(found, misconception=id_, cause=says, hint=WHY_GROWING)


def _grows(got: np.ndarray, n: int, d: int, base: float = 10000.0) -> bool:
    """Whether it holds sines and cosines of `p * base ** (2 i / d)`, as far as float32 can tell."""
    angle = np.arange(n)[:, None] * base ** (np.arange(0, d, 2) / d)
    told = np.repeat(angle < CAN_BE_TOLD, 2, axis=1)
    grown = np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(n, d)
    near = np.abs(got - grown) < np.repeat(1e-4 + 1e-5 * angle, 2, axis=1)
    return bool(told[1:, 2:].sum() > 1 and near[told].all())


EXERCISE = Exercise(
    name="sinusoidal_positions",
    cases=cases,
    oracle=oracle,
    judge=judge,
    probe=probe,
    tensors=True,
    axes={"": ("position", "feature")},
    hints=(
        "Which two columns belong to pair i, and by which angle is pair i turned at position p?",
        "Columns 2i and 2i + 1 have the same angle, p / base ** (2 i / d): one holds its sine, the other its cosine.",
        "Positions in a column times a row of d / 2 speeds give all angles; even columns take their sines, odd ones their cosines.",
    ),
    mistakes=MISTAKES,
)
