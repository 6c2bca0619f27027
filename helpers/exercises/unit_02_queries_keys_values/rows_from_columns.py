"""Exercise `rows_from_columns`: the bridge from the column convention to rows."""

from collections.abc import Iterator

import numpy as np
import torch.nn.functional as F

from helpers.exercises.base import Case, Draw, Exercise, Mistake
from helpers.oracle import in_torch


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, random, one token, square."""
    tokens, W = np.array([[1.0, 0.0, 2.0], [3.0, 1.0, 0.0]]), np.array([[1.0, 1.0], [0.0, 2.0]])
    yield Case("three columns of height 2", {"I": tokens, "W": W})
    for width in (np.float64, np.float32):
        d, n, d_out = draw.sizes(3)
        tokens, W = draw.normal(d, n, dtype=width), draw.normal(d_out, d, dtype=width)
        yield Case(
            f"I of shape ({d}, {n}) and W of shape ({d_out}, {d}) in {width.__name__}", {"I": tokens, "W": W}
        )
    yield Case("one token", {"I": draw.normal(3, 1), "W": draw.normal(2, 3)})
    yield Case("square I and W of shape (3, 3)", {"I": draw.normal(3, 3), "W": draw.normal(3, 3)})


EXERCISE = Exercise(
    name="rows_from_columns",
    cases=cases,
    oracle=in_torch(lambda tokens, W: F.linear(tokens.T, W)),
    hints=(
        "Which shape has W I, and which shape should you return?",
        "Transpose the whole: what is the transpose of a product?",
        "(W I) transposed equals I transposed times W transposed.",
    ),
    mistakes=(
        Mistake(
            "not-transposed-back",
            "Your tokens are still columns; the result should have one row per token.",
            lambda I, W: W @ I,  # noqa: E741
            "One step is missing at the end.",
        ),
        Mistake(
            "reshape-instead-of-transpose",
            "`reshape` cuts the same numbers anew; it does not turn columns into rows.",
            lambda I, W: (W @ I).reshape(I.shape[1], W.shape[0]),  # noqa: E741
            "Compare `np.arange(6).reshape(2, 3).T` with `np.arange(6).reshape(3, 2)`.",
        ),
        Mistake(
            "reshape-instead-of-transpose",
            "`reshape` cuts the same numbers anew; it does not turn columns into rows.",
            lambda I, W: I.reshape(I.shape[1], I.shape[0]) @ W.T,  # noqa: E741
            "Compare `np.arange(6).reshape(2, 3).T` with `np.arange(6).reshape(3, 2)`.",
        ),
        Mistake(
            "weight-transposed",
            "You turned the tokens into rows but kept W as it is; W must turn too.",
            lambda I, W: I.T @ W,  # noqa: E741
            "(A B) transposed is B transposed times A transposed: both factors turn.",
        ),
        Mistake(
            "factors-swapped",
            "You turned W but kept the tokens as columns.",
            lambda I, W: I @ W.T,  # noqa: E741
            "Which axis of I runs over the tokens?",
        ),
        Mistake(
            "returns-input",
            "You turned the tokens into rows but did not project them.",
            lambda I, W: I.T.copy(),  # noqa: E741
            "Where does W come in?",
        ),
    ),
)
