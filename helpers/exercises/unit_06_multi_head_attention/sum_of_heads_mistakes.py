"""What people get wrong in `sum_of_heads`: other blocks of W_o, another sum, and whole wrong programs."""

from collections.abc import Callable

import numpy as np

from helpers.exercises.unit_06_multi_head_attention.merge_heads_mistakes import merge
from helpers.exercises.wrong.rows import mistakes, paired, rows

Array = np.ndarray


def _sum(H: Array, blocks: Array) -> Array:
    return sum(H[:, i] @ blocks[i] for i in range(H.shape[1]))


def _blocks(H: Array, W_o: Array) -> Array:
    return W_o.reshape(H.shape[1], H.shape[3], -1)


def variant(
    *, cut: Callable[[Array, Array], Array] = _blocks, add: Callable[[Array, Array], Array] = _sum
) -> Callable[[Array, Array], Array]:
    """The sum with wrong blocks of W_o, or added up in a wrong way."""
    return lambda H, W_o: add(H, cut(H, W_o))


def _stepped(H: Array, W_o: Array, step: int, width: int) -> Array:
    """The sum with blocks that begin at every `step`; an error where that does not fit."""
    return sum(H[:, i] @ W_o[i * step : i * step + width] for i in range(H.shape[1]))


def _diagonal_blocks(H: Array, W_o: Array) -> Array:
    d_head = H.shape[3]
    return np.array([W_o[i : i + d_head, i : i + d_head] for i in range(0, len(W_o), d_head)])


def _in_narrow_room(H: Array, W_o: Array) -> Array:
    """The sum written into zeros that are as wide as a head; an error where that does not fit."""
    total = np.zeros_like(H[:, 0])
    total += _sum(H, _blocks(H, W_o))
    return total


MISTAKES = mistakes(
    variant,
    *rows(
        "weight-transposed: You used W_o transposed: a head meets rows of W_o, and you gave it columns.",
        "Which axis of W_o does a matrix product sum over?",
        paired(cut=lambda H, W_o: _blocks(H, W_o.T)),
        "weight-rows-for-columns: You cut W_o into blocks of columns; a head meets a block of rows.",
        paired(cut=lambda H, W_o: np.array(np.split(W_o[: H.shape[3]], H.shape[1], axis=1))),
        "weight-rows-for-columns: What a head meets in your code has d_model rows; it should be a block of d_head rows.",
        "Do you cut W_o along its columns, or not at all?",
        {"cut": lambda H, W_o: np.array(np.split(W_o, H.shape[1], axis=1))},
        "weight-transposed: You turned each block of W_o round; a head meets it as it is.",
        "Which axis of a block does a matrix product sum over?",
        paired(cut=lambda H, W_o: _blocks(H, W_o).swapaxes(1, 2)),
        "reshape-instead-of-transpose: You reshaped W_o to (h, d_model, d_head): that deals its numbers out anew and turns nothing round.",
        "Which shape has a block of d_head rows of W_o?",
        {"cut": lambda H, W_o: W_o.reshape(H.shape[1], -1, H.shape[3]).swapaxes(1, 2)},
        "only-the-diagonal: You gave each head only the square of W_o on the diagonal; it meets whole rows.",
        "How wide should the result be?",
        paired(cut=_diagonal_blocks),
        "no-sum: You put the outputs of the heads side by side; add them up.",
        paired(add=lambda H, blocks: np.concatenate([H[:, i] @ blocks[i] for i in range(len(blocks))], -1)),
        "heads-share-weights: Every head met the first block of W_o; each has a block of its own.",
        "Does the head's number appear in your slice of W_o?",
        paired(cut=lambda H, W_o: np.repeat(_blocks(H, W_o)[:1], H.shape[1], axis=0)),
        "heads-interleaved: You gave each head every h-th row of W_o; a block is consecutive rows.",
        "A slice `a:b` takes consecutive rows; `i::h` does not.",
        paired(cut=lambda H, W_o: np.array([W_o[i :: H.shape[1]] for i in range(H.shape[1])])),
        "heads-out-of-order: Heads and blocks of W_o do not go together: one of them runs backwards.",
        "Which rows of W_o belong to head 0?",
        paired(cut=lambda H, W_o: _blocks(H, W_o)[::-1]),
        "off-by-one: Head i met the block of head i + 1.",
        paired(cut=lambda H, W_o: np.roll(_blocks(H, W_o), -1, axis=0)),
        "off-by-one: Your blocks of W_o start one row too late.",
        "Where does the block of head 0 start?",
        paired(cut=lambda H, W_o: _blocks(H, np.roll(W_o, -1, axis=0))),
        "off-by-one: Your blocks overlap: the next head starts one row further on, not d_head rows.",
        "Where does the block of head 1 start?",
        paired(cut=lambda H, W_o: np.array([W_o[i : i + H.shape[3]] for i in range(H.shape[1])])),
        "heads-averaged: You divided by the number of heads; add them up.",
        "Is there a mean or a division in your code?",
        paired(add=lambda H, blocks: _sum(H, blocks) / H.shape[1]),
        "first-head-only: Only the first head counts in your result.",
        "How many rounds does your loop run, and is your `return` inside it?",
        paired(add=lambda H, blocks: H[:, 0] @ blocks[0]),
        "overwritten-instead-of-summed: Only the last head counts: your total starts anew on each round.",
        "Should `=` or `+=` stand inside your loop?",
        paired(add=lambda H, blocks: H[:, -1] @ blocks[-1]),
        "last-left-out: The last head is missing from your sum.",
        "Where does your loop end?",
        paired(add=lambda H, blocks: _sum(H[:, :-1], blocks) + np.zeros((H.shape[2], blocks.shape[2]))),
        "last-left-out: The first head is missing from your sum.",
        "Where does your loop begin?",
        paired(add=lambda H, blocks: _sum(H[:, 1:], blocks[1:]) + np.zeros((H.shape[2], blocks.shape[2]))),
        "starts-at-zero: Your sum starts with the first head, and the loop adds it once more.",
        "Which head does your loop begin with?",
        paired(add=lambda H, blocks: _sum(H, blocks) + H[:, 0] @ blocks[0]),
        "sum-before-projection: You added up heads and blocks first; each head meets its own block before anything is added.",
        "Is (a + b)(c + d) the same as ac + bd?",
        paired(add=lambda H, blocks: H.sum(axis=1) @ blocks.sum(axis=0)),
        "no-sum: The last sum is missing: your result has one output a head.",
        "Over which axis should be added up?",
        paired(add=lambda H, blocks: H @ blocks),
        "wrong-head-axis: You summed over tokens as well: only the heads should go.",
        paired(add=lambda H, blocks: np.repeat(_sum(H, blocks).sum(1, keepdims=True), H.shape[2], axis=1)),
        "batch-mixed: You added up the sequences of the batch; each has a result of its own.",
        "Should the batch axis stay in the result?",
        paired(add=lambda H, blocks: _sum(H, blocks).sum(axis=0)),
        "batch-mixed: You added up the sequences of the batch and kept the heads apart; add up the heads, and keep the sequences.",
        "Which axis of what you add up counts the heads?",
        lambda H, W_o: (H @ _blocks(H, W_o)).sum(axis=0),
        "max-for-sum: You took the largest of the heads' outputs; add them up.",
        "What does `sum` in the name of the exercise say?",
        paired(add=lambda H, blocks: (H @ blocks).max(axis=1)),
        "heads-multiplied: You multiplied the heads' outputs with each other; add them up.",
        paired(add=lambda H, blocks: (H @ blocks).prod(axis=1)),
        "total-too-narrow: Your total is d_head wide, as a head is; the result is d_model wide, as W_o is.",
        "How wide is a head after it has met its block of W_o?",
        _in_narrow_room,
        lambda H, W_o: np.zeros_like(H[:, 0]) + _sum(H, _blocks(H, W_o)),
        "wrong-head-axis: Your loop runs over the batch: `H[i]` is a sequence, not a head.",
        "Which axis of H counts the heads?",
        lambda H, W_o: sum(H[i] @ block for i, block in enumerate(_blocks(H, W_o))),
        lambda H, W_o: sum(H[i] @ W_o[i * H.shape[3] : (i + 1) * H.shape[3]] for i in range(len(H))),
        lambda H, W_o: sum(one @ block for one, block in zip(H, _blocks(H, W_o), strict=False)),
        "fixed-number-of-heads: You added two heads of width 2, as in the text, whatever H is.",
        "Take the number of heads and their width from H.",
        lambda H, W_o: H[:, 0] @ W_o[0:2] + H[:, 1] @ W_o[2:4],
        "wrong-head-axis: You count sequences for heads: as many heads are added up as the batch has sequences.",
        lambda H, W_o: sum(H[:, i] @ _blocks(H, W_o)[i] for i in range(len(H))),
        "axis-counted-from-front: You took the number of tokens for the width of a head.",
        "Which axis of H is d_head wide?",
        lambda H, W_o: _stepped(H, W_o, H.shape[2], H.shape[2]),
        "axis-counted-from-front: You took the number of heads for the width of a head.",
        lambda H, W_o: _stepped(H, W_o, H.shape[1], H.shape[1]),
        "off-by-one: Your blocks begin at i * h; head i begins d_head rows further on than the one before.",
        "How many rows of W_o does each head take?",
        lambda H, W_o: _stepped(H, W_o, H.shape[1], H.shape[3]),
        "no-output-projection: You added the heads without their blocks of W_o.",
        "Where does W_o come in?",
        lambda H, W_o: H.sum(axis=1),
        "no-output-projection: You put the heads side by side without meeting W_o.",
        lambda H, W_o: merge(H),
        "heads-merged-without-transpose: You joined the heads without bringing the tokens first, so tokens mix.",
        "Sum over the heads one by one; no reshape of H is needed.",
        lambda H, W_o: merge(H, 0, 1, 2, 3) @ W_o,
    ),
)
