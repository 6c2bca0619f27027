"""Exercise `project`: one matrix product for all tokens."""

from collections.abc import Iterator

import numpy as np
import torch

from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.oracle import in_torch
from helpers.exercises.unit_02_queries_keys_values.project_mistakes import MISTAKES


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, one token, random, a batch, two batch axes, square ones: there a wrong order or axis gives numbers, not errors."""
    X, W = np.array([[1.0, 2.0], [0.0, 1.0], [3.0, 0.0]]), np.array([[1.0, 0.0], [2.0, -1.0]])
    yield Case("X of shape (3, 2) and W of shape (2, 2)", {"X": X, "W": W})
    # a little larger than the first: the smallest wrong case is the one shown, and several tokens show more
    one = {"X": np.array([[1.0, 2.0, 0.0, -1.0]]), "W": np.arange(8.0).reshape(4, 2)}
    yield Case("one token, X of shape (1, 4) and W of shape (4, 2)", one)
    for width in (np.float64, np.float32):
        n, d, d_out, b = draw.sizes(4)
        X, W = draw.normal(n, d, dtype=width), draw.normal(d, d_out, dtype=width)
        yield Case(
            f"X of shape ({n}, {d}) and W of shape ({d}, {d_out}) in {width.__name__}", {"X": X, "W": W}
        )
        X = draw.normal(b, n, d, dtype=width)
        yield Case(f"a batch X of shape ({b}, {n}, {d}) in {width.__name__}", {"X": X, "W": W})
    yield Case(
        f"two batch axes, X of shape (2, {b}, {n}, {d})",
        {"X": draw.normal(2, b, n, d), "W": draw.normal(d, d_out)},
    )
    yield Case("a square X and W of shape (3, 3)", {"X": draw.normal(3, 3), "W": draw.normal(3, 3)})
    cube = {"X": draw.normal(3, 3, 3), "W": draw.normal(3, 3)}
    yield Case("a batch X of shape (3, 3, 3) and W of shape (3, 3)", cube)


EXERCISE = Exercise(
    name="project",
    cases=cases,
    oracle=in_torch(torch.matmul),
    axes={"": ("token", "feature")},
    hints=(
        "Each token is a row. What times W gives one projected row?",
        "`X[i] @ W` projects token i. Which single product does it for all rows at once?",
        "`X @ W` also works when X has batch axes in front.",
    ),
    mistakes=MISTAKES,
)
