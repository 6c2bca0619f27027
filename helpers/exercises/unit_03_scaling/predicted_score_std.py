"""Exercise `predicted_score_std`: the same spread from a formula."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.compare import Difference, difference
from helpers.exercises.unit_03_scaling.predicted_score_std_mistakes import MISTAKES

NAMES = ("d_k", "mean_q", "std_q", "mean_k", "std_k")


def cases(draw: Draw) -> Iterator[Case]:
    """Standard normal, by hand, the published second experiment, constants, random."""
    for says, values in (
        ("d_k = 64 with means 0 and spreads 1", (64, 0.0, 1.0, 0.0, 1.0)),
        ("d_k = 1, mean_q = 3, std_q = 0, mean_k = 5, std_k = 2", (1, 3.0, 0.0, 5.0, 2.0)),
        ("the published experiment, d_k = 456", (456, 1.56, 0.36, -0.34, 1.2)),
        ("queries and keys that do not vary", (7, 2.0, 0.0, -1.0, 0.0)),
        ("d_k = 4 with means -2 and -3, spreads 1 and 2", (4, -2.0, 1.0, -3.0, 2.0)),
        ("means 0 and spreads 2 and 3", (4, 0.0, 2.0, 0.0, 3.0)),
    ):
        yield Case(says, dict(zip(NAMES, values, strict=True)))
    for _ in range(2):
        (d_k,) = draw.sizes(1)
        mean_q, mean_k = draw.rng.normal(size=2)
        std_q, std_k = draw.rng.uniform(0.2, 3, size=2)
        values = (d_k, float(mean_q), float(std_q), float(mean_k), float(std_k))
        yield Case(f"d_k = {d_k} and random means and spreads", dict(zip(NAMES, values, strict=True)))


def oracle(d_k: int, mean_q: float, std_q: float, mean_k: float, std_k: float) -> np.float64:
    """E[q^2 k^2] - E[q k]^2 for one product, times d_k; a test holds it against Monte Carlo."""
    one = (mean_q**2 + std_q**2) * (mean_k**2 + std_k**2) - (mean_q * mean_k) ** 2
    return np.sqrt(d_k * max(one, 0.0))


def judge(right: np.float64, _args: Mapping[str, Any], got: Any) -> Difference | None:
    """As usual; with a hint of its own where nothing varies."""
    wrong = difference(right, got)
    if wrong is None or right or got["kind"] not in ("number", "array"):
        return wrong
    hint = "What does not vary has the spread 0. Do you add a small number, or keep the result above one?"
    return replace(wrong, misconception="epsilon-too-large", hint=hint)


EXERCISE = Exercise(
    name="predicted_score_std",
    cases=cases,
    oracle=oracle,
    judge=judge,
    hints=(
        "A dot product is a sum of d_k products. What adds up when independent numbers are added?",
        "First one product q * k: its variance has three terms, one with both spreads and one for each mean.",
        "`std_q**2 * std_k**2 + mean_q**2 * std_k**2 + mean_k**2 * std_q**2`, times d_k, then the square root.",
    ),
    mistakes=MISTAKES,
)
