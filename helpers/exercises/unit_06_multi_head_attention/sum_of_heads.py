"""Exercise `sum_of_heads`: concatenate-then-project is a sum with one term a head."""

from collections.abc import Iterator

import numpy as np

from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.oracle import in_torch
from helpers.exercises.unit_06_multi_head_attention.sum_of_heads_mistakes import MISTAKES


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, random, one head, all sizes equal."""
    by_hand = {"H": np.array([[[[1.0], [2.0]], [[3.0], [4.0]]]]), "W_o": np.array([[1.0, 0.0], [10.0, 1.0]])}
    yield Case("two heads of width 1", by_hand)
    for width in (np.float64, np.float32):
        b, h, n, d_head = draw.sizes(4)
        H, W_o = draw.normal(b, h, n, d_head, dtype=width), draw.normal(h * d_head, h * d_head, dtype=width)
        yield Case(f"H of shape {H.shape} in {width.__name__}", {"H": H, "W_o": W_o})
    yield Case("one head of width 4", {"H": draw.normal(3, 1, 2, 4), "W_o": draw.normal(4, 4)})
    # the case in the middle comes again at the end; it has the shape of the first, so that an answer which
    # goes on adding to an old total is found out
    yield Case("two other heads of width 1", {"H": draw.normal(1, 2, 2, 1), "W_o": draw.normal(2, 2)})
    yield Case("one head of width 5", {"H": draw.normal(2, 1, 3, 5), "W_o": draw.normal(5, 5)})
    # where all sizes are equal, many wrong slices fit: the second such case shows that it is no accident
    for size in (3, 2):
        H, W_o = draw.normal(size, size, size, size), draw.normal(size**2, size**2)
        yield Case(f"H of shape {H.shape}", {"H": H, "W_o": W_o})


EXERCISE = Exercise(
    name="sum_of_heads",
    cases=cases,
    oracle=in_torch(lambda H, W_o: H.transpose(1, 2).flatten(2) @ W_o),
    axes={"": ("token", "feature")},
    hints=(
        "Head 0 meets the first d_head rows of W_o. Which rows does head 1 meet?",
        "For head i take the rows from i * d_head to (i + 1) * d_head, and add up all the products.",
        "Start with 0 and add `H[:, i] @ W_o[i * d_head : (i + 1) * d_head]` for every head.",
    ),
    mistakes=MISTAKES,
)
