"""Exercise `sum_of_heads`: concatenate-then-project is a sum with one term a head."""

from collections.abc import Callable, Iterator

import numpy as np

from helpers.exercises.base import Case, Draw, Exercise, Mistake, replaceable
from helpers.oracle import in_torch


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, random, one head, all sizes equal."""
    by_hand = {"H": np.array([[[[1.0], [2.0]], [[3.0], [4.0]]]]), "W_o": np.array([[1.0, 0.0], [10.0, 1.0]])}
    yield Case("two heads of width 1", by_hand)
    for width in (np.float64, np.float32):
        b, h, n, d_head = draw.sizes(4)
        H, W_o = draw.normal(b, h, n, d_head, dtype=width), draw.normal(h * d_head, h * d_head, dtype=width)
        yield Case(f"H of shape {H.shape} in {width.__name__}", {"H": H, "W_o": W_o})
    # the case in the middle comes again at the end; it has the shape of the first, so that an answer which
    # goes on adding to an old total is found out
    yield Case("two other heads of width 1", {"H": draw.normal(1, 2, 2, 1), "W_o": draw.normal(2, 2)})
    yield Case("one head", {"H": draw.normal(2, 1, 3, 5), "W_o": draw.normal(5, 5)})
    yield Case("H of shape (3, 3, 3, 3)", {"H": draw.normal(3, 3, 3, 3), "W_o": draw.normal(9, 9)})


def _sum(H: np.ndarray, blocks: np.ndarray) -> np.ndarray:
    return sum(H[:, i] @ blocks[i] for i in range(H.shape[1]))


def _blocks(H: np.ndarray, W_o: np.ndarray) -> np.ndarray:
    return W_o.reshape(H.shape[1], H.shape[3], -1)


@replaceable
def variant(
    *,
    cut: Callable[[np.ndarray, np.ndarray], np.ndarray] = _blocks,
    add: Callable[[np.ndarray, np.ndarray], np.ndarray] = _sum,
) -> Callable[..., np.ndarray]:
    """The sum with wrong blocks of W_o, or added up in a wrong way."""

    def answer(H: np.ndarray, W_o: np.ndarray) -> np.ndarray:
        return add(H, cut(H, W_o))

    return answer


def _by_width(width: Callable[[np.ndarray], int], H: np.ndarray, W_o: np.ndarray) -> np.ndarray:
    """The sum with blocks of another width; an error where that does not fit."""
    size = width(H)
    return sum(H[:, i] @ W_o[i * size : (i + 1) * size] for i in range(H.shape[1]))


def _over_batch(H: np.ndarray, W_o: np.ndarray) -> np.ndarray:
    d_head = H.shape[3]
    return sum(H[i] @ W_o[i * d_head : (i + 1) * d_head] for i in range(H.shape[1]))


def _square_blocks(H: np.ndarray, W_o: np.ndarray) -> np.ndarray:
    """From the first rows of W_o, a block of columns for each head."""
    d_head = H.shape[3]
    return np.array(np.split(W_o[:d_head], H.shape[1], axis=1))


def _diagonal_blocks(H: np.ndarray, W_o: np.ndarray) -> np.ndarray:
    d_head = H.shape[3]
    return np.array([W_o[i : i + d_head, i : i + d_head] for i in range(0, len(W_o), d_head)])


def _sliding_blocks(H: np.ndarray, W_o: np.ndarray) -> np.ndarray:
    return np.array([W_o[i : i + H.shape[3]] for i in range(H.shape[1])])


def _from_i_times_h(H: np.ndarray, W_o: np.ndarray) -> np.ndarray:
    h, d = H.shape[1], H.shape[3]
    return sum(H[:, i] @ W_o[i * h : i * h + d] for i in range(h))


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
    mistakes=(
        Mistake(
            "weight-transposed",
            "You used W_o transposed: a head meets rows of W_o, and you gave it columns.",
            variant(cut=lambda H, W_o: _blocks(H, W_o.T)),
            "Which axis of W_o does a matrix product sum over?",
        ),
        Mistake(
            "weight-transposed",
            "You turned each block of W_o round; a head meets it as it is.",
            variant(cut=lambda H, W_o: _blocks(H, W_o).swapaxes(1, 2)),
            "Which axis of a block does a matrix product sum over?",
        ),
        Mistake(
            "weight-rows-for-columns",
            "You cut W_o into blocks of columns; a head meets a block of rows.",
            variant(cut=_square_blocks),
            "Which axis of W_o does a matrix product sum over?",
        ),
        Mistake(
            "only-the-diagonal",
            "You gave each head only the square of W_o on the diagonal; it meets whole rows.",
            variant(cut=_diagonal_blocks),
            "How wide should the result be?",
        ),
        Mistake(
            "heads-share-weights",
            "Every head met the first block of W_o; each has a block of its own.",
            variant(cut=lambda H, W_o: np.repeat(_blocks(H, W_o)[:1], H.shape[1], axis=0)),
            "Does the head's number appear in your slice of W_o?",
        ),
        Mistake(
            "heads-interleaved",
            "You gave each head every h-th row of W_o; a block is consecutive rows.",
            variant(cut=lambda H, W_o: np.array([W_o[i :: H.shape[1]] for i in range(H.shape[1])])),
            "A slice `a:b` takes consecutive rows; `i::h` does not.",
        ),
        Mistake(
            "heads-out-of-order",
            "Heads and blocks of W_o do not go together: one of them runs backwards.",
            variant(cut=lambda H, W_o: _blocks(H, W_o)[::-1]),
            "Which rows of W_o belong to head 0?",
        ),
        Mistake(
            "off-by-one",
            "Your blocks of W_o start one row too late.",
            variant(cut=lambda H, W_o: _blocks(H, np.roll(W_o, -1, axis=0))),
            "Where does the block of head 0 start?",
        ),
        Mistake(
            "off-by-one",
            "Head i met the block of head i + 1.",
            variant(cut=lambda H, W_o: np.roll(_blocks(H, W_o), -1, axis=0)),
            "Which rows of W_o belong to head 0?",
        ),
        Mistake(
            "off-by-one",
            "Your blocks overlap: the next head starts one row further on, not d_head rows.",
            variant(cut=_sliding_blocks),
            "Where does the block of head 1 start?",
        ),
        Mistake(
            "heads-averaged",
            "You divided by the number of heads; add them up.",
            variant(add=lambda H, blocks: _sum(H, blocks) / H.shape[1]),
            "Is there a mean or a division in your code?",
        ),
        Mistake(
            "first-head-only",
            "Only the first head counts in your result.",
            variant(add=lambda H, blocks: H[:, 0] @ blocks[0]),
            "Is your `return` inside the loop?",
        ),
        Mistake(
            "overwritten-instead-of-summed",
            "Only the last head counts: your total starts anew on each round.",
            variant(add=lambda H, blocks: H[:, -1] @ blocks[-1]),
            "Should `=` or `+=` stand inside your loop?",
        ),
        Mistake(
            "last-left-out",
            "The last head is missing from your sum.",
            variant(add=lambda H, blocks: _sum(H[:, :-1], blocks) + np.zeros((H.shape[2], blocks.shape[2]))),
            "Where does your loop end?",
        ),
        Mistake(
            "last-left-out",
            "The first head is missing from your sum.",
            variant(
                add=lambda H, blocks: _sum(H[:, 1:], blocks[1:]) + np.zeros((H.shape[2], blocks.shape[2]))
            ),
            "Where does your loop begin?",
        ),
        Mistake(
            "starts-at-zero",
            "Your sum starts with the first head, and the loop adds it once more.",
            variant(add=lambda H, blocks: _sum(H, blocks) + H[:, 0] @ blocks[0]),
            "Which head does your loop begin with?",
        ),
        Mistake(
            "sum-before-projection",
            "You added up heads and blocks first; each head meets its own block before anything is added.",
            variant(add=lambda H, blocks: H.sum(axis=1) @ blocks.sum(axis=0)),
            "Is (a + b)(c + d) the same as ac + bd?",
        ),
        Mistake(
            "no-sum",
            "The last sum is missing: your result has one output a head.",
            variant(add=lambda H, blocks: H @ blocks),
            "Over which axis should be added up?",
        ),
        Mistake(
            "no-sum",
            "You put the outputs of the heads side by side; add them up.",
            variant(
                add=lambda H, blocks: np.concatenate([H[:, i] @ blocks[i] for i in range(len(blocks))], -1)
            ),
            "How wide should the result be?",
        ),
        Mistake(
            "max-for-sum",
            "You took the largest of the heads' outputs; add them up.",
            variant(add=lambda H, blocks: (H @ blocks).max(axis=1)),
            "What does `sum` in the name of the exercise say?",
        ),
        Mistake(
            "heads-multiplied",
            "You multiplied the heads' outputs with each other; add them up.",
            variant(add=lambda H, blocks: (H @ blocks).prod(axis=1)),
            "What does `sum` in the name of the exercise say?",
        ),
        Mistake(
            "wrong-head-axis",
            "You summed over tokens as well: only the heads should go.",
            variant(
                add=lambda H, blocks: np.broadcast_to(
                    _sum(H, blocks).sum(1, keepdims=True), _sum(H, blocks).shape
                )
            ),
            "Over which axis should be added up?",
        ),
        Mistake(
            "wrong-head-axis",
            "Your loop runs over the batch: `H[i]` is a sequence, not a head.",
            _over_batch,
            "Which axis of H counts the heads?",
        ),
        Mistake(
            "axis-counted-from-front",
            "You took the number of tokens for the width of a head.",
            lambda H, W_o: _by_width(lambda H: H.shape[2], H, W_o),
            "Which axis of H is d_head wide?",
        ),
        Mistake(
            "axis-counted-from-front",
            "You took the number of heads for the width of a head.",
            lambda H, W_o: _by_width(lambda H: H.shape[1], H, W_o),
            "Which axis of H is d_head wide?",
        ),
        Mistake(
            "off-by-one",
            "Your blocks begin at i * h; head i begins d_head rows further on than the one before.",
            _from_i_times_h,
            "How many rows of W_o does each head take?",
        ),
        Mistake(
            "no-output-projection",
            "You added the heads without their blocks of W_o.",
            lambda H, W_o: H.sum(axis=1),
            "Where does W_o come in?",
        ),
        Mistake(
            "no-output-projection",
            "You put the heads side by side without meeting W_o.",
            lambda H, W_o: H.swapaxes(1, 2).reshape(H.shape[0], H.shape[2], -1),
            "Where does W_o come in?",
        ),
        Mistake(
            "heads-merged-without-transpose",
            "You joined the heads without bringing the tokens first, so tokens mix.",
            lambda H, W_o: H.reshape(H.shape[0], H.shape[2], -1) @ W_o,
            "Sum over the heads one by one; no reshape of H is needed.",
        ),
        Mistake(
            "heads-interleaved",
            "You joined the heads channel by channel; they should stand side by side, whole.",
            lambda H, W_o: H.transpose(0, 2, 3, 1).reshape(H.shape[0], H.shape[2], -1) @ W_o,
            "Sum over the heads one by one; no reshape of H is needed.",
        ),
    ),
)
