"""What people get wrong in `padding_mask`: the same mask with one step replaced."""

from collections.abc import Callable

import numpy as np

from helpers.exercises.wrong.masks import ALIKE, NUMBERS, REAL
from helpers.exercises.wrong.rows import in_step, mistakes, paired, rows


def variant(
    *,
    real: Callable[[np.ndarray, np.ndarray, int], np.ndarray] = lambda position, length, n: position < length,
    lengths_of: Callable[[np.ndarray], np.ndarray] = lambda lengths: lengths,
    side: Callable[[np.ndarray, int], np.ndarray] = lambda position, n: position,
    tokens: Callable[[np.ndarray, int], int] = lambda lengths, n: n,
    give: Callable[[np.ndarray], np.ndarray] = lambda mask: mask,
    shape: Callable[[np.ndarray], np.ndarray] = lambda mask: mask,
) -> Callable[[np.ndarray, int], np.ndarray]:
    """A padding mask with one or more of its steps replaced by a wrong one."""

    def answer(lengths: np.ndarray, n: int) -> np.ndarray:
        n = tokens(lengths, n)
        mask = real(side(np.arange(n), n)[None, :], lengths_of(lengths)[:, None], n)
        return shape(give(np.logical_and(mask, np.ones((len(lengths), n), bool))))

    return answer


def _lengths_as_places(lengths: np.ndarray, n: int, first: int = 0) -> np.ndarray:
    mask = np.zeros((len(lengths), n), bool)
    for i in lengths:
        mask[i - first, : i if first else lengths[i]] = True
    return mask


def _n_by_n(lengths: np.ndarray, n: int) -> np.ndarray:
    mask = np.zeros((n, n), bool)
    for b in range(len(lengths)):
        mask[b, : lengths[b]] = True
    return mask


def _three_by_four(lengths: np.ndarray, n: int, rounds: int = 3) -> np.ndarray:
    mask = np.zeros((3, 4), bool)
    for b in range(rounds):
        for j in range(lengths[b]):
            mask[b, j] = True
    return mask


MISTAKES = mistakes(
    variant,
    *rows(
        "fixed-size: Your mask is for three sequences of four tokens, as in the text.",
        "Which size comes from `lengths`, and which is n?",
        _three_by_four,
        "fixed-size: Your mask is for three sequences of four tokens, as in the text, and only the first row is filled in.",
        "Which size comes from `lengths`, and which is n? And how far is your `return` indented?",
        lambda lengths, n: _three_by_four(lengths, n, 1),
        "fixed-size: Your result is the mask for lengths 4, 3 and 1 and n = 4, in every call.",
        "Where do `lengths` and `n` come into your code, and do you overwrite them?",
        lambda lengths, n: np.arange(4) < np.array([4, 3, 1])[:, None],
        "off-by-one: The first token is hidden: you count positions from 1.",
        "Position 0 is the first token.",
        paired(real=lambda position, length, n: (position >= 1) & (position < length)),
        "off-by-one: You moved the real tokens by one: position 0 is hidden, and one padding token counts as real.",
        paired(real=lambda position, length, n: (position >= 1) & (position <= length)),
        "entry-as-index: Your loop goes through the lengths and takes each for the number of a sequence.",
        "What does `for i in lengths` give: the lengths themselves, or their places?",
        _lengths_as_places,
        lambda lengths, n: _lengths_as_places(lengths, n, 1),
        "mask-inverted: True and False have changed places: True should stand for real tokens.",
        "What is `mask[0, 0]` for a sequence of length 3?",
        paired(give=lambda mask: ~mask),
        "empty-sequence-filled: An empty sequence counts as full; length 0 means no real token at all.",
        "What does your code do with a length of 0? An index of -1 counts from the end.",
        paired(real=lambda position, length, n: position <= (length - 1) % n),
        "off-by-one: The last real token is hidden; and an empty sequence counts as nearly full.",
        "Where should the real tokens end for length 3, and where for length 0? An end of -1 counts from behind.",
        {"real": lambda position, length, n: position < (length - 1) % n},
        "transposed-mask: Your result is transposed: one row per sequence, one column per token.",
        "The shape should be (B, n).",
        paired(shape=lambda mask: mask.T),
        "off-by-one: Your mask has one column too many.",
        paired(tokens=lambda lengths, n: n + 1),
        "off-by-one: Your mask has one column too few.",
        paired(tokens=lambda lengths, n: n - 1),
        "wrong-row-count: Your mask has n rows; there should be one for each sequence.",
        "How many rows does your mask have when there are two sequences of up to seven tokens?",
        _n_by_n,
        lambda lengths, n: _n_by_n(lengths[:n], n),
        "square-per-sequence: You made a mask for pairs of tokens; here one row per sequence is wanted.",
        paired(shape=lambda mask: np.broadcast_to(mask[:, None, :], (*mask.shape, mask.shape[1]))),
        paired(shape=lambda mask: np.broadcast_to(mask[:, :, None], (*mask.shape, mask.shape[1]))),
        paired(shape=lambda mask: mask[:, None, :] & mask[:, :, None]),
        "square-per-sequence: You made a mask for pairs of tokens, and a causal one; here one row per sequence is wanted.",
        paired(shape=lambda mask: mask[:, None, :] & np.tri(mask.shape[1], dtype=bool)),
        "keepdims-left: The mask is right, but it has axes for heads and queries already; here its shape is (B, n).",
        paired(shape=lambda mask: mask[:, None, None, :]),
        "keepdims-left: The mask is right, but it has an axis too many.",
        paired(shape=lambda mask: mask[:, None, :]),
        paired(shape=lambda mask: mask[:, :, None]),
        "total-not-reset: Each of your rows holds all sequences, one behind the other.",
        "Where does a row begin: once before your loop, or anew for each sequence?",
        {"shape": lambda mask: np.tile(mask.ravel(), (len(mask), 1))},
        "shape-flattened: You put all rows one behind the other; the mask should have a row for each sequence.",
        paired(shape=np.ravel),
        "mask-not-bool: You returned differences between lengths and positions; the mask should be True and False.",
        "Compare the two instead of subtracting them.",
        lambda lengths, n: lengths[:, None] - np.arange(n),
        "one-token-only: You marked one token per sequence, the first padding; all real ones should be True.",
        "For length 3, three entries are True.",
        paired(real=lambda position, length, n: position == length),
        "one-token-only: You hid one token per sequence, the first padding; all the padding should be False.",
        "For length 1, only one entry is True.",
        paired(real=lambda position, length, n: position != length),
        "one-token-only: You hid one token per sequence, the last real one; all real ones should be True and all the padding False.",
        paired(real=lambda position, length, n: position != length - 1),
        "mask-missing: Every token of a sequence counts as real, unless its length is 0: how long it is does not matter.",
        "Where do the positions 0 .. n - 1 come into your code?",
        paired(real=lambda position, length, n: length > 0),
        "counts-padding: You marked as many tokens as there is padding, from the front; mark as many as are real.",
        paired(real=lambda position, length, n: position < n - length),
        "wrong-order: Your rows run backwards: the last sequence comes first.",
        "Row b is sequence b, in the order in which the lengths came.",
        paired(lengths_of=lambda lengths: lengths[::-1]),
        "lengths-ignored: You made a causal triangle; here the lengths alone decide.",
        "Where do the lengths appear in your code?",
        lambda lengths, n: np.tri(len(lengths), n, dtype=bool),
        "lengths-ignored: You made a causal triangle of (n, n); here the lengths alone decide.",
        lambda lengths, n: np.tri(n, dtype=bool),
        "n-ignored: Your mask is as wide as the longest sequence; it should be n wide.",
        "Where does `n` appear in your code?",
        paired(tokens=lambda lengths, n: int(lengths.max())),
        "n-ignored: Your mask is as wide as there are sequences; it should be n wide.",
        paired(tokens=lambda lengths, n: len(lengths)),
        "broadcast-needs-square: You compared position j with length j: a row against a row goes entry by entry, and needs as many tokens as sequences.",
        "Which of the two should stand in a column?",
        lambda lengths, n: np.arange(n) < lengths,
        lambda lengths, n: lengths > np.arange(n),
        lambda lengths, n: np.arange(n) < lengths[None, :],
        "broadcast-needs-square: You compared position i with length i, both as columns; every position should meet every length.",
        "Which of the two should stand in a row?",
        lambda lengths, n: np.arange(n)[:, None] < lengths[:, None],
        lambda lengths, n: lengths[:, None] > np.arange(n)[:, None],
        "total-not-reset: Where a longer sequence came before, a row has its length: what was True there stays True.",
        "Does each sequence begin with a row of its own that is all False?",
        paired(lengths_of=np.maximum.accumulate),
        "overwritten-instead-of-collected: You returned one row, that of the last sequence; the mask needs a row for each.",
        "Does each round of your loop keep what the earlier ones made?",
        paired(shape=lambda mask: mask[-1]),
        "overwritten-instead-of-collected: Only the row of the last sequence is filled; the mask needs a row for each.",
        {"give": lambda mask: mask & (np.arange(len(mask)) == len(mask) - 1)[:, None]},
        "returned-inside-loop: You returned one row, that of the first sequence; the mask needs a row for each.",
        "How far is your `return` indented?",
        paired(shape=lambda mask: mask[0]),
        "returned-inside-loop: Only the row of the first sequence is filled; the mask needs a row for each.",
        {"give": lambda mask: mask & (np.arange(len(mask)) == 0)[:, None]},
        "last-left-out: The last sequence gets an empty row: your loop ends too early.",
        "Where does your loop begin, and where does it end?",
        {"give": lambda mask: mask & (np.arange(len(mask)) < len(mask) - 1)[:, None]},
        "last-left-out: The first sequence gets an empty row: your loop begins too late.",
        {"give": lambda mask: mask & (np.arange(len(mask)) > 0)[:, None]},
    ),
    *REAL,
    *in_step("give", (*NUMBERS, *ALIKE), pairs=True),
    yes="real tokens",
    bool="A comparison already gives booleans.",
    all_true="every token counts as real",
    all_false="no token counts as real",
)
