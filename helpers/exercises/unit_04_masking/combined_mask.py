"""Exercise `combined_mask`: causal, and not padding."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.compare import Difference, difference
from helpers.exercises.oracle import in_torch
from helpers.exercises.unit_04_masking.combined_mask_mistakes import MISTAKES


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, an empty sequence, random, as many sequences as tokens, one token, all shorter than n."""
    yield Case("lengths = [2, 3] and n = 3", {"lengths": np.array([2, 3]), "n": 3})
    yield Case("lengths = [0, 4, 1] and n = 4", {"lengths": np.array([0, 4, 1]), "n": 4})
    b, n = draw.sizes(2)
    yield Case(f"{b} random lengths and n = {n}", {"lengths": draw.rng.integers(1, n + 1, b), "n": n})
    yield Case("lengths = [1, 3, 2] and n = 3", {"lengths": np.array([1, 3, 2]), "n": 3})
    yield Case("lengths = [0, 1] and n = 1", {"lengths": np.array([0, 1]), "n": 1})
    yield Case("lengths = [2] and n = 4", {"lengths": np.array([2]), "n": 4})
    yield Case("lengths = [2, 0, 3, 1] and n = 5", {"lengths": np.array([2, 0, 3, 1]), "n": 5})
    yield Case("lengths = [70, 9] and n = 70", {"lengths": np.array([70, 9]), "n": 70})


oracle = in_torch(
    lambda lengths, n: (
        torch.ones(n, n, dtype=torch.bool).tril() & (torch.arange(n) < lengths[:, None])[:, None, None, :]
    )
)


def judge(right: np.ndarray, _args: Mapping[str, Any], got: Any) -> Difference | None:
    """As usual; but where the axis of the heads is missing, say so, whatever the entries are."""
    wrong = difference(right, got)
    if wrong is None or wrong.got is None or wrong.got.shape != right[:, 0].shape:
        return wrong
    return replace(wrong, misconception="no-head-axis", hint="Which axis is missing? (B, 1, n, n) has four.")


EXERCISE = Exercise(
    name="combined_mask",
    cases=cases,
    oracle=oracle,
    judge=judge,
    axes={"": ("query", "key")},
    hints=(
        "You have a mask of shape (n, n) and one of shape (B, n). Which axes do they share?",
        "The padding belongs to the keys, the last axis. Which axes of length 1 must come before it?",
        "`padding[:, None, None, :]` has shape (B, 1, 1, n); join it with the causal mask by `&`.",
    ),
    mistakes=MISTAKES,
)
