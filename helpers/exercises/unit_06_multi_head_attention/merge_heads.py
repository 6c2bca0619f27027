"""Exercise `merge_heads`: put the heads side by side again."""

from collections.abc import Iterator

import numpy as np

from helpers.exercises.base import Case, Draw, Exercise, Mistake
from helpers.oracle import in_torch


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, random, one head, all sizes equal."""
    by_hand = np.array([[[[0.0, 1.0], [4.0, 5.0]], [[2.0, 3.0], [6.0, 7.0]]]])
    yield Case("one sequence, two heads [[0 1] [4 5]] and [[2 3] [6 7]]", {"H": by_hand})
    for width in (np.float64, np.float32):
        H = draw.normal(*draw.sizes(4), dtype=width)
        yield Case(f"H of shape {H.shape} in {width.__name__}", {"H": H})
    yield Case("one head", {"H": draw.normal(2, 1, 3, 5)})
    yield Case("H of shape (3, 3, 3, 3)", {"H": draw.normal(3, 3, 3, 3)})


def _flat(H: np.ndarray, *order: int) -> np.ndarray:
    B, h, n, d_head = H.shape
    return H.transpose(order).reshape(B, n, h * d_head)


EXERCISE = Exercise(
    name="merge_heads",
    cases=cases,
    oracle=in_torch(lambda H: H.transpose(1, 2).flatten(2)),
    hints=(
        "Which numbers should stand in row 0 of the result: those of which heads?",
        "It undoes `split_heads`: first bring the tokens back before the heads.",
        "Swap axes 1 and 2, then reshape to (B, n, h * d_head).",
    ),
    mistakes=(
        Mistake(
            "heads-merged-without-transpose",
            "You reshaped without swapping first: numbers of different tokens end up in one row.",
            lambda H: _flat(H, 0, 1, 2, 3),
            "`reshape` reads the axes in order. Which should come first, tokens or heads?",
        ),
        Mistake(
            "heads-interleaved",
            "You took one channel of each head in turn; the heads should stand side by side, whole.",
            lambda H: _flat(H, 0, 2, 3, 1),
            "Which axis should run fastest: heads or the channels of a head?",
        ),
        Mistake(
            "heads-averaged",
            "You averaged the heads; put them side by side.",
            lambda H: H.mean(axis=1),
            "How wide should a merged token be?",
        ),
        Mistake(
            "heads-summed",
            "You added the heads; put them side by side.",
            lambda H: H.sum(axis=1),
            "How wide should a merged token be?",
        ),
        Mistake(
            "wrong-head-axis",
            "You put the heads one below the other, as if they were more tokens.",
            lambda H: H.reshape(H.shape[0], -1, H.shape[3]),
            "The number of tokens should not change.",
        ),
        Mistake(
            "heads-out-of-order",
            "The heads stand in reverse order.",
            lambda H: _flat(H[:, ::-1], 0, 2, 1, 3),
            "Which head comes first?",
        ),
        Mistake(
            "batch-mixed",
            "Numbers of different sequences end up together: the batch axis must stay first.",
            lambda H: _flat(H, 2, 0, 1, 3),
            "Which axes change places?",
        ),
        Mistake(
            "not-merged",
            "You swapped the axes but did not join the last two.",
            lambda H: np.swapaxes(H, 1, 2).copy(),
            "The result has three axes.",
        ),
    ),
)
