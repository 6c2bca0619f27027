"""Exercise `split_heads`: cut the width into heads, keep tokens together."""

from collections.abc import Iterator

import numpy as np

from helpers.beside.probes.split_heads import probe
from helpers.exercises.base import Case, Draw, Exercise, MustRaise
from helpers.exercises.oracle import tensor
from helpers.exercises.unit_06_multi_head_attention.split_heads_mistakes import MISTAKES


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, random, one head, as many heads as the batch or the tokens, a width that does not fit."""
    yield Case(
        "one sequence of two tokens [0 1 2 3] and [4 5 6 7], two heads",
        {"X": np.arange(8.0).reshape(1, 2, 4), "num_heads": 2},
    )
    for width in (np.float64, np.float32):
        b, n, h, d_head = draw.sizes(4)
        X = draw.normal(b, n, h * d_head, dtype=width)
        yield Case(f"X of shape {X.shape} in {width.__name__}, {h} heads", {"X": X, "num_heads": h})
    yield Case("one head", {"X": draw.normal(2, 3, 5), "num_heads": 1})
    yield Case("X of shape (3, 3, 9), 3 heads", {"X": draw.normal(3, 3, 9), "num_heads": 3})
    yield Case("heads of width 1", {"X": draw.normal(2, 5, 3), "num_heads": 3})
    yield Case("d_model = 17 and 3 heads, which do not fit", {"X": draw.normal(2, 5, 17), "num_heads": 3})


def oracle(X: np.ndarray, num_heads: int) -> np.ndarray | MustRaise:
    """`unflatten` and `transpose` in PyTorch; an error where the width cannot be cut evenly."""
    if X.shape[-1] % num_heads:
        return MustRaise("ValueError", (str(X.shape[-1]), str(num_heads)))
    return tensor(X).unflatten(-1, (num_heads, -1)).transpose(1, 2).numpy().astype(X.dtype)


EXERCISE = Exercise(
    name="split_heads",
    cases=cases,
    oracle=oracle,
    probe=probe,
    axes={"": ("token", "channel")},
    hints=(
        "Which numbers of token [0 1 2 3] go to head 0 when there are two heads?",
        "First cut only the last axis in two: (B, n, h, d_head). Then bring the heads before the tokens.",
        "`reshape(B, n, h, d_head)`, then swap axes 1 and 2; before that, raise ValueError naming both numbers.",
    ),
    mistakes=MISTAKES,
)
