"""Exercise `sinusoidal_positions`: FILL IN what it is about."""

from collections.abc import Iterator

import numpy as np

from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.oracle import in_torch
from helpers.exercises.unit_07_train_a_transformer.sinusoidal_positions_mistakes import MISTAKES


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, random in both widths, a batch, a square."""
    # FILL IN: the learner's arguments by name; the edge cases of the exercise, the smallest first
    yield Case("x = [1.0, -2.0, 3.5]", {"x": np.array([1.0, -2.0, 3.5])})
    for width in (np.float64, np.float32):
        b, n, m = draw.sizes(3)
        yield Case(f"x of shape ({n}, {m}) in {width.__name__}", {"x": draw.normal(n, m, dtype=width)})
        x = draw.normal(b, n, m, dtype=width)
        yield Case(f"a batch x of shape ({b}, {n}, {m}) in {width.__name__}", {"x": x})
    yield Case("a square x of shape (3, 3)", {"x": draw.normal(3, 3)})


EXERCISE = Exercise(
    name="sinusoidal_positions",
    cases=cases,
    oracle=in_torch(lambda x: x),  # FILL IN: the right result, by PyTorch
    hints=(
        "FILL IN: which question leads to the first step?",
        "FILL IN: what to look at.",
        "FILL IN: nearly the answer, in words.",
    ),
    mistakes=MISTAKES,
)
