"""Exercise `merge_heads`: put the heads side by side again."""

from collections.abc import Iterator

import numpy as np

from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.oracle import in_torch
from helpers.exercises.unit_06_multi_head_attention.merge_heads_mistakes import MISTAKES


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, random, one head, all sizes equal."""
    by_hand = np.array([[[[0.0, 1.0], [4.0, 5.0]], [[2.0, 3.0], [6.0, 7.0]]]])
    yield Case("one sequence, two heads [[0 1] [4 5]] and [[2 3] [6 7]]", {"H": by_hand})
    for width in (np.float64, np.float32):
        H = draw.normal(*draw.sizes(4), dtype=width)
        yield Case(f"H of shape {H.shape} in {width.__name__}", {"H": H})
    yield Case("one head", {"H": draw.normal(2, 1, 3, 5)})
    yield Case("H of shape (3, 2, 4, 5)", {"H": draw.normal(3, 2, 4, 5)})
    yield Case("H of shape (3, 3, 3, 3)", {"H": draw.normal(3, 3, 3, 3)})


EXERCISE = Exercise(
    name="merge_heads",
    cases=cases,
    oracle=in_torch(lambda H: H.transpose(1, 2).flatten(2)),
    axes={"": ("token", "channel")},
    hints=(
        "Which numbers should stand in row 0 of the result: those of which heads?",
        "It undoes `split_heads`: first bring the tokens back before the heads.",
        "Swap axes 1 and 2, then reshape to (B, n, h * d_head).",
    ),
    mistakes=MISTAKES,
)
