"""Exercise `sum_of_heads`: concatenate-then-project is a sum with one term a head."""

from collections.abc import Iterator

import numpy as np

from helpers.exercises.base import Case, Draw, Exercise, Mistake
from helpers.oracle import in_torch


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, random, one head, all sizes equal."""
    by_hand = {"H": np.array([[[[1.0], [2.0]], [[3.0], [4.0]]]]), "W_o": np.array([[1.0, 0.0], [10.0, 1.0]])}
    yield Case("two heads of width 1", by_hand)
    for width in (np.float64, np.float32):
        b, h, n, d_head = draw.sizes(4)
        H, W_o = draw.normal(b, h, n, d_head, dtype=width), draw.normal(h * d_head, h * d_head, dtype=width)
        yield Case(f"H of shape {H.shape} in {width.__name__}", {"H": H, "W_o": W_o})
    yield Case("one head", {"H": draw.normal(2, 1, 3, 5), "W_o": draw.normal(5, 5)})
    yield Case("H of shape (3, 3, 3, 3)", {"H": draw.normal(3, 3, 3, 3), "W_o": draw.normal(9, 9)})


def _sum(H: np.ndarray, blocks: np.ndarray) -> np.ndarray:
    return sum(H[:, i] @ blocks[i] for i in range(H.shape[1]))


def _blocks(H: np.ndarray, W_o: np.ndarray) -> np.ndarray:
    return W_o.reshape(H.shape[1], H.shape[3], -1)


EXERCISE = Exercise(
    name="sum_of_heads",
    cases=cases,
    oracle=in_torch(lambda H, W_o: H.transpose(1, 2).flatten(2) @ W_o),
    hints=(
        "Head 0 meets the first d_head rows of W_o. Which rows does head 1 meet?",
        "For head i take the rows from i * d_head to (i + 1) * d_head, and add up all the products.",
        "Start with 0 and add `H[:, i] @ W_o[i * d_head : (i + 1) * d_head]` for every head.",
    ),
    mistakes=(
        Mistake(
            "weight-rows-for-columns",
            "You cut W_o into blocks of columns; a head meets a block of rows.",
            lambda H, W_o: _sum(H, _blocks(H, W_o.T.copy())),
            "Which axis of W_o does a matrix product sum over?",
        ),
        Mistake(
            "heads-share-weights",
            "Every head met the first block of W_o; each has a block of its own.",
            lambda H, W_o: _sum(H, np.repeat(_blocks(H, W_o)[:1], H.shape[1], axis=0)),
            "Does the head's number appear in your slice of W_o?",
        ),
        Mistake(
            "heads-interleaved",
            "You gave each head every h-th row of W_o; a block is consecutive rows.",
            lambda H, W_o: _sum(H, np.array([W_o[i :: H.shape[1]] for i in range(H.shape[1])])),
            "A slice `a:b` takes consecutive rows; `i::h` does not.",
        ),
        Mistake(
            "heads-averaged",
            "You divided by the number of heads; add them up.",
            lambda H, W_o: _sum(H, _blocks(H, W_o)) / H.shape[1],
            "Is there a mean or a division in your code?",
        ),
        Mistake(
            "first-head-only",
            "Only the first head counts in your result.",
            lambda H, W_o: H[:, 0] @ _blocks(H, W_o)[0],
            "Is your `return` inside the loop?",
        ),
        Mistake(
            "overwritten-instead-of-summed",
            "Only the last head counts: your total starts anew on each round.",
            lambda H, W_o: H[:, -1] @ _blocks(H, W_o)[-1],
            "Should `=` or `+=` stand inside your loop?",
        ),
        Mistake(
            "no-output-projection",
            "You added the heads without their blocks of W_o.",
            lambda H, W_o: H.sum(axis=1),
            "Where does W_o come in?",
        ),
        Mistake(
            "heads-merged-without-transpose",
            "You joined the heads without bringing the tokens first, so tokens mix.",
            lambda H, W_o: H.reshape(H.shape[0], H.shape[2], -1) @ W_o,
            "Sum over the heads one by one; no reshape of H is needed.",
        ),
    ),
)
