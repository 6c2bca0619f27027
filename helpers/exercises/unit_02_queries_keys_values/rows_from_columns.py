"""Exercise `rows_from_columns`: the bridge from the column convention to rows."""

from collections.abc import Iterator

import numpy as np
import torch.nn.functional as F

from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.oracle import in_torch
from helpers.exercises.unit_02_queries_keys_values.rows_from_columns_mistakes import MISTAKES


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, random, one token, square."""
    tokens, W = np.array([[1.0, 0.0, 2.0], [3.0, 1.0, 0.0]]), np.array([[1.0, -1.0], [0.0, 2.0]])
    yield Case("three columns of height 2", {"I": tokens, "W": W})
    for width in (np.float64, np.float32):
        d, n, d_out = draw.sizes(3)
        tokens, W = draw.normal(d, n, dtype=width), draw.normal(d_out, d, dtype=width)
        says = f"I of shape ({d}, {n}) and W of shape ({d_out}, {d}) in {width.__name__}"
        yield Case(says, {"I": tokens, "W": W})
    token, W = (
        np.array([[1.0], [2.0], [0.0], [-1.0]]),
        np.array([[1.0, 0.0, 2.0, 1.0], [0.0, -1.0, 1.0, 3.0]]),
    )
    yield Case("one token of height 4", {"I": token, "W": W})
    yield Case("square I and W of shape (3, 3)", {"I": draw.normal(3, 3), "W": draw.normal(3, 3)})


EXERCISE = Exercise(
    name="rows_from_columns",
    cases=cases,
    oracle=in_torch(lambda tokens, W: F.linear(tokens.T, W)),
    axes={"": ("token", "feature")},
    hints=(
        "Which shape has W I, and which shape should you return?",
        "Transpose the whole: what is the transpose of a product?",
        "(W I) transposed equals I transposed times W transposed.",
    ),
    mistakes=MISTAKES,
)
