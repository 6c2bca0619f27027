"""Exercise `padding_mask`: which tokens are real."""

from collections.abc import Iterator

import numpy as np
import torch

from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.oracle import in_torch
from helpers.exercises.unit_04_masking.padding_mask_mistakes import MISTAKES


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, an empty and a full sequence, one sequence, as many sequences as tokens, all of them shorter than n."""
    yield Case("lengths = [1, 3] and n = 4", {"lengths": np.array([1, 3]), "n": 4})
    yield Case("lengths = [0, 5, 2] and n = 5", {"lengths": np.array([0, 5, 2]), "n": 5})
    b, n = draw.sizes(2)
    yield Case(f"{b} random lengths and n = {n}", {"lengths": draw.rng.integers(0, n + 1, b), "n": n})
    yield Case("lengths = [1, 3, 2] and n = 3", {"lengths": np.array([1, 3, 2]), "n": 3})
    yield Case("lengths = [2] and n = 7", {"lengths": np.array([2]), "n": 7})
    yield Case("lengths = [2, 1, 4, 0] and n = 6", {"lengths": np.array([2, 1, 4, 0]), "n": 6})
    yield Case("lengths = [70, 9] and n = 70", {"lengths": np.array([70, 9]), "n": 70})


EXERCISE = Exercise(
    name="padding_mask",
    cases=cases,
    oracle=in_torch(lambda lengths, n: torch.arange(n) < lengths[:, None]),
    axes={"": ("sequence", "token")},
    hints=(
        "For a sequence of length 3, which positions hold real tokens?",
        "Compare every position 0 .. n - 1 with every length, all at once.",
        "Give the lengths a second axis, `lengths[:, None]`, so that they broadcast against the positions.",
    ),
    mistakes=MISTAKES,
)
