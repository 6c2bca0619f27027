"""Exercise `padding_mask`: which tokens are real."""

from collections.abc import Iterator

import numpy as np
import torch

from helpers.exercises.base import Case, Draw, Exercise, Mistake
from helpers.oracle import in_torch


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, an empty and a full sequence, one sequence, as many sequences as tokens."""
    yield Case("lengths = [3, 1] and n = 4", {"lengths": np.array([3, 1]), "n": 4})
    yield Case("lengths = [0, 5, 2] and n = 5", {"lengths": np.array([0, 5, 2]), "n": 5})
    b, n = draw.sizes(2)
    yield Case(f"{b} random lengths and n = {n}", {"lengths": draw.rng.integers(0, n + 1, b), "n": n})
    yield Case("lengths = [1, 3, 2] and n = 3", {"lengths": np.array([1, 3, 2]), "n": 3})
    yield Case("lengths = [2] and n = 7", {"lengths": np.array([2]), "n": 7})


def _positions(n: int) -> np.ndarray:
    return np.arange(n)


EXERCISE = Exercise(
    name="padding_mask",
    cases=cases,
    oracle=in_torch(lambda lengths, n: torch.arange(n) < lengths[:, None]),
    hints=(
        "For a sequence of length 3, which positions hold real tokens?",
        "Compare every position 0 .. n - 1 with every length, all at once.",
        "Give the lengths a second axis, `lengths[:, None]`, so that they broadcast against the positions.",
    ),
    mistakes=(
        Mistake(
            "off-by-one",
            "One padding token too many counts as real.",
            lambda lengths, n: _positions(n) <= lengths[:, None],
            "For length 1, which positions are real? Only 0.",
        ),
        Mistake(
            "mask-inverted",
            "True and False have changed places: True should stand for real tokens.",
            lambda lengths, n: _positions(n) >= lengths[:, None],
            "What is `mask[0, 0]` for a sequence of length 3?",
        ),
        Mistake(
            "padding-on-the-left",
            "You put the padding in front; here real tokens come first.",
            lambda lengths, n: _positions(n) >= n - lengths[:, None],
            "For length 1, position 0 is the real one.",
        ),
        Mistake(
            "transposed-mask",
            "Your result is transposed: one row per sequence, one column per token.",
            lambda lengths, n: (_positions(n) < lengths[:, None]).T,
            "The shape should be (B, n).",
        ),
        Mistake(
            "mask-not-bool",
            "You returned numbers; the mask should be True and False.",
            lambda lengths, n: (_positions(n) < lengths[:, None]).astype(float),
            "A comparison already gives booleans.",
        ),
        Mistake(
            "only-last-token",
            "You marked one token per sequence; all real ones should be True.",
            lambda lengths, n: _positions(n) == lengths[:, None] - 1,
            "For length 3, three entries are True.",
        ),
        Mistake(
            "longest-for-all",
            "You used the longest length for every sequence.",
            lambda lengths, n: np.broadcast_to(_positions(n) < lengths.max(), (len(lengths), n)),
            "Each sequence has a length of its own.",
        ),
        Mistake(
            "square-per-sequence",
            "You made a mask for pairs of tokens; here one row per sequence is wanted.",
            lambda lengths, n: np.broadcast_to(
                (_positions(n) < lengths[:, None])[:, None], (len(lengths), n, n)
            ),
            "The shape should be (B, n).",
        ),
    ),
)
