"""What people get wrong in `merge_heads`: heads changed or axes in another order, and whole wrong programs."""

from collections.abc import Callable

import numpy as np

from helpers.exercises.wrong.rows import mistakes, paired, rows

Array = np.ndarray


def merge(H: Array, *order: int) -> Array:
    """Heads side by side, `(B, n, h * d_head)`; another order of the axes makes it wrong."""
    B, h, n, d_head = H.shape
    return H.transpose(order or (0, 2, 1, 3)).reshape(B, n, h * d_head)


def last(H: Array) -> Array:
    """Which of the heads is the last one, as a mask for `H`."""
    return np.arange(H.shape[1])[:, None, None] == H.shape[1] - 1


def variant(
    *, heads: Callable[[Array], Array] = lambda H: H, order: tuple[int, ...] = ()
) -> Callable[[Array], Array]:
    """Merging of changed heads, or in another order of the axes."""
    return lambda H: merge(heads(H), *order)


def _overlapping(H: Array) -> Array:
    B, h, n, d_head = H.shape
    merged = np.zeros((B, n, h * d_head))
    for i in range(h):
        merged[:, :, i : i + d_head] = H[:, i]
    return merged


MISTAKES = mistakes(
    variant,
    *rows(
        "heads-merged-without-transpose: You reshaped without swapping first: numbers of different tokens end up in one row.",
        "`reshape` reads the axes in order. Which should come first, tokens or heads?",
        paired(order=(0, 1, 2, 3)),
        "heads-merged-without-transpose: You joined before you swapped: numbers of different tokens stand together, and the result is turned round.",
        lambda H: merge(H, 0, 1, 2, 3).swapaxes(1, 2),
        "heads-interleaved: You took one channel of each head in turn; the heads should stand side by side, whole.",
        "Which axis should run fastest: heads or the channels of a head?",
        paired(order=(0, 2, 3, 1)),
        "heads-interleaved: You took one channel of each head in turn, and tokens mix; the heads should stand side by side, whole.",
        {"order": (0, 3, 2, 1)},
        "wrong-head-axis: Channels and tokens changed places before you joined; heads and tokens should.",
        "Which two axes have to change places?",
        {"order": (0, 1, 3, 2)},
        "wrong-head-axis: Your channels stand before the heads when you join; the tokens should.",
        "Write the shape behind each line of your code.",
        {"order": (0, 3, 1, 2)},
        "wrong-head-axis: You joined the sequences of the batch instead of the heads.",
        "What do you put side by side: the entries of axis 0, the batch, or of axis 1, the heads?",
        lambda H: np.concatenate(list(H), axis=-1),
        "fixed-number-of-heads: You put two heads one below the other, however many there are; they belong side by side.",
        "Take the number of heads from the array. And along which axis does a token grow wider?",
        lambda H: np.hstack([H[:, 0], H[:, 1]]),
        "wrong-head-axis: You put two sequences of the batch together; it should be the heads of each sequence.",
        "Which axis of H counts the heads?",
        lambda H: np.hstack([H[0], H[1]]),
        lambda H: np.concatenate([H[0], H[1]], axis=-1),
        "wrong-head-axis: Your result has the heads in front and the sequences of the batch one below the other; the heads should stand side by side.",
        "Which axis is joined along which: does your joining go through the batch or through the heads?",
        lambda H: np.concatenate(list(H), axis=1),
        "wrong-head-axis: Your result has a row for each head; it should have one for each token.",
        lambda H: np.swapaxes(H, 1, 2).reshape(*H.shape[:2], -1),
        "off-by-one: Your heads overwrite each other: head i begins at place i, not at i * d_head.",
        "At which place does head 1 begin when each head is 3 wide?",
        _overlapping,
        "off-by-one: Your heads overwrite each other: head i begins at place i, not at i * d_head. And the digits after the point are lost.",
        "At which place does head 1 begin when each head is 3 wide? And look for `int`.",
        lambda H: np.trunc(_overlapping(H)),
        "reversed-all-axes: You turned round all four axes, as `.T` does; only heads and tokens should change places.",
        "Which function swaps two axes and leaves the others?",
        {"order": (3, 2, 1, 0)},
        "heads-averaged: You averaged the heads; put them side by side.",
        "How wide should a merged token be?",
        lambda H: H.mean(axis=1),
        "heads-summed: You added the heads; put them side by side.",
        lambda H: H.sum(axis=1),
        "heads-averaged: You put copies of the heads' average side by side; it should be the heads themselves.",
        "Where do the heads differ in your result?",
        lambda H: np.tile(H.mean(axis=1), H.shape[1]),
        "heads-summed: You put copies of the heads' sum side by side; it should be the heads themselves.",
        lambda H: np.tile(H.sum(axis=1), H.shape[1]),
        "first-head-only: You put copies of the first head side by side.",
        "Does the head's number appear in your loop?",
        lambda H: np.tile(H[:, 0], H.shape[1]),
        "first-head-only: You returned the first head alone.",
        "Is your `return` inside the loop?",
        lambda H: H[:, 0],
        "overwritten-instead-of-collected: You returned the last head alone: each head overwrites the one before.",
        "What is left of the first head after your loop?",
        lambda H: H[:, -1],
        "overwritten-instead-of-collected: Copies of the last head stand side by side: each head overwrites the ones before.",
        "Which places does your loop write to on its second round?",
        lambda H: np.tile(H[:, -1], H.shape[1]),
        "first-head-only: Only the first head is in its place; the others are zeros.",
        "Is your `return` inside the loop?",
        {"heads": lambda H: H * (np.arange(H.shape[1]) == 0)[:, None, None]},
        "last-left-out: The last head is missing: its place holds zeros.",
        "Where does your loop end?",
        {"heads": lambda H: H * ~last(H)},
        "last-left-out: The last head is missing from your result.",
        {"heads": lambda H: H[:, :-1]},
        "overwritten-instead-of-collected: Only the last head is in its place; the others are lost.",
        "Does your loop begin with fresh zeros on each round?",
        {"heads": lambda H: H * last(H)},
        "fixed-number-of-heads: You join two heads, however many there are.",
        "Take the number of heads from the array.",
        lambda H: np.concatenate([H[:, 0], H[:, 1]], axis=-1),
        "wrong-head-axis: You put the heads one below the other, as if they were more tokens.",
        "The number of tokens should not change.",
        lambda H: H.reshape(H.shape[0], -1, H.shape[3]),
        "heads-out-of-order: The heads stand in reverse order.",
        "Which head comes first?",
        paired(heads=lambda H: H[:, ::-1]),
        "batch-mixed: Numbers of different sequences end up together: the batch axis must stay first.",
        "Which axes change places?",
        {"order": (2, 0, 1, 3)},
        "first-batch-only: You merged the first sequence of the batch alone.",
        "Look for `[0]` beside H.",
        lambda H: merge(H)[0],
        "not-merged: You swapped the axes but did not join the last two.",
        "The result has three axes.",
        lambda H: np.swapaxes(H, 1, 2).copy(),
    ),
)
