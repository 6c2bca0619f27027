"""Exercise `predicted_score_std`: the same spread from a formula."""

import math
from collections.abc import Callable, Iterator

import numpy as np

from helpers.exercises.base import Case, Draw, Exercise, Mistake

NAMES = ("d_k", "mean_q", "std_q", "mean_k", "std_k")


def cases(draw: Draw) -> Iterator[Case]:
    """Standard normal, by hand, the published second experiment, constants, random."""
    for says, values in (
        ("d_k = 64 with means 0 and spreads 1", (64, 0.0, 1.0, 0.0, 1.0)),
        ("d_k = 1, mean_q = 3, std_q = 0, mean_k = 5, std_k = 2", (1, 3.0, 0.0, 5.0, 2.0)),
        ("the published experiment, d_k = 456", (456, 1.56, 0.36, -0.34, 1.2)),
        ("queries and keys that do not vary", (7, 2.0, 0.0, -1.0, 0.0)),
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


def _spread(
    *, cross: bool = True, cubed: bool = False, root: bool = True, width: bool = True, both: bool = True
) -> Callable[..., float]:
    """The formula with one of its parts missing."""

    def answer(d_k: int, mean_q: float, std_q: float, mean_k: float, std_k: float) -> float:
        one = (std_q * std_k) ** 2
        if cross:
            one += (mean_q * std_k) ** 2 + ((mean_k * std_q) ** 2 if both else 0)
        one = one * d_k if width else one
        one = one * d_k if cubed else one
        return math.sqrt(one) if root else one

    return answer


EXERCISE = Exercise(
    name="predicted_score_std",
    cases=cases,
    oracle=oracle,
    hints=(
        "A dot product is a sum of d_k products. What adds up when independent numbers are added?",
        "First one product q * k: its variance has three terms, one with both spreads and one for each mean.",
        "std_q^2 std_k^2 + mean_q^2 std_k^2 + mean_k^2 std_q^2, times d_k, then the square root.",
    ),
    mistakes=(
        Mistake(
            "means-forgotten",
            "You left the means out. A mean of one factor multiplies the spread of the other.",
            _spread(cross=False),
            "If every query entry is exactly 3, what does a spread of 2 in the keys do to the product?",
        ),
        Mistake(
            "terms-crossed",
            "You paired each mean with its own spread. It is the other factor's spread that a mean stretches.",
            lambda d_k, mq, sq, mk, sk: math.sqrt(d_k * ((sq * sk) ** 2 + (mq * sq) ** 2 + (mk * sk) ** 2)),
            "If every query entry is exactly 3, what makes the product vary?",
        ),
        Mistake(
            "one-term-forgotten",
            "You counted the mean of the queries but not that of the keys.",
            _spread(both=False),
            "The formula should not change when queries and keys change places.",
        ),
        Mistake(
            "no-square-root",
            "You returned the variance; the spread is its square root.",
            _spread(root=False),
            "For d_k = 64 and standard normal entries the result is 8.",
        ),
        Mistake(
            "scaled-by-d_k",
            "You multiplied the spread by d_k. Variances add up, spreads do not.",
            _spread(cubed=True),
            "Should d_k stand inside the square root or outside?",
        ),
        Mistake(
            "scaled-too-early",
            "You gave the spread of one product; a dot product adds d_k of them.",
            _spread(width=False),
            "Where does d_k come in?",
        ),
        Mistake(
            "only-sqrt-d_k",
            "You returned sqrt(d_k), which holds only for means 0 and spreads 1.",
            lambda d_k, mean_q, std_q, mean_k, std_k: math.sqrt(d_k),
            "What do the other four arguments change?",
        ),
        Mistake(
            "mean-not-subtracted",
            "You forgot to take away the square of the mean product.",
            lambda d_k, mq, sq, mk, sk: math.sqrt(d_k * (mq**2 + sq**2) * (mk**2 + sk**2)),
            "If nothing varies, the spread is 0.",
        ),
        Mistake(
            "std-for-variance",
            "You used spreads where variances belong.",
            lambda d_k, mq, sq, mk, sk: math.sqrt(d_k * (sq * sk + mq**2 * sk + mk**2 * sq)),
            "The variance is the square of the standard deviation.",
        ),
    ),
)
