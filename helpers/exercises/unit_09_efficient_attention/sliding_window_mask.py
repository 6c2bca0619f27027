"""Exercise `sliding_window_mask`: causal, and only a few tokens back."""

from collections.abc import Iterator

import torch

from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.oracle import in_torch
from helpers.exercises.unit_09_efficient_attention.sliding_window_mask_mistakes import MISTAKES


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, a window of one, of all tokens, wider than that, a single token, random sizes."""
    few, many = sorted(draw.sizes(2))
    for n, window in ((4, 2), (4, 1), (3, 3), (3, 5), (1, 1), (5, 3), (many + 2, few), (70, 9)):
        yield Case(f"n = {n}, window = {window}", {"n": n, "window": window})


EXERCISE = Exercise(
    name="sliding_window_mask",
    cases=cases,
    oracle=in_torch(lambda n, window: torch.ones(n, n, dtype=torch.bool).tril().triu(1 - window)),
    tensors=True,
    axes={"": ("query", "key")},
    hints=(
        "With a window of 2, which keys may token 3 look at?",
        "How far back is a key: subtract its position from the query's. Which differences are allowed?",
        "Positions in a column minus positions in a row give all differences; they should be >= 0 and < window.",
    ),
    mistakes=MISTAKES,
)
