"""Exercise `project`: one matrix product for all tokens."""

from collections.abc import Iterator

import numpy as np
import torch

from helpers.exercises.base import Case, Draw, Exercise, Mistake
from helpers.oracle import in_torch


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, random, a batch, two batch axes, a square case."""
    X, W = np.array([[1.0, 2.0], [0.0, 1.0], [3.0, 0.0]]), np.array([[1.0, 0.0], [2.0, -1.0]])
    yield Case("X of shape (3, 2) and W of shape (2, 2)", {"X": X, "W": W})
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


EXERCISE = Exercise(
    name="project",
    cases=cases,
    oracle=in_torch(torch.matmul),
    hints=(
        "Each token is a row. What times W gives one projected row?",
        "`X[i] @ W` projects token i. Which single product does it for all rows at once?",
        "`X @ W` also works when X has batch axes in front.",
    ),
    mistakes=(
        Mistake(
            "weight-transposed",
            "You multiplied with W transposed; here W has shape (d, d_out) and is used as it is.",
            lambda X, W: X @ W.T,
            "Which axis of W must be as long as a token is wide?",
        ),
        Mistake(
            "factors-swapped",
            "You wrote W first. With tokens as rows, X comes first.",
            lambda X, W: W @ X,
            "Write the shapes under the two factors: the inner ones must agree.",
        ),
        Mistake(
            "no-sum",
            "You multiplied entry by entry; a projection is a matrix product.",
            lambda X, W: X * W,
            "Which operator is the matrix product: `*` or `@`?",
        ),
        Mistake(
            "not-transposed-back",
            "Your result is transposed: rows should be tokens.",
            lambda X, W: np.swapaxes(X @ W, -2, -1),
            "Compare the shape of your result with (n, d_out).",
        ),
        Mistake(
            "first-batch-only",
            "You projected only the first sequence of the batch.",
            lambda X, W: (X[0] if X.ndim > 2 else X) @ W,
            "Leave the leading axes alone: `@` works on the last two.",
        ),
        Mistake(
            "fixed-number-of-axes",
            "Your code expects exactly two axes, (n, d); a batch has more in front.",
            lambda X, W: np.array(
                [[sum(x * w for x, w in zip(row, col, strict=True)) for col in W.T] for row in X]
            ),
            "Which operation works on the last axis, however many stand before it?",
        ),
        Mistake(
            "returns-input",
            "You returned X itself; W does not appear.",
            lambda X, W: X.copy(),
            "What does W do to each token?",
        ),
        Mistake(
            "softmax-too-early",
            "You normalised the result; a projection is only a matrix product.",
            lambda X, W: np.exp(X @ W) / np.exp(X @ W).sum(-1, keepdims=True),
            "Leave weights and softmax for later: here only X and W meet.",
        ),
    ),
)
