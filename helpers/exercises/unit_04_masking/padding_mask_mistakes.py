"""What people get wrong in `padding_mask`: the same mask with one step replaced."""

from collections.abc import Callable

import numpy as np

from helpers.exercises.base import Mistake, replaceable


@replaceable
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


def _blanked(lengths: np.ndarray, n: int, part: Callable[[int, int], slice], real: bool) -> np.ndarray:
    """A mask in which one slice of each row is set to `real`, and the rest to the opposite."""
    mask = np.full((len(lengths), n), not real)
    for row, length in zip(mask, lengths, strict=True):
        row[part(length, n)] = real
    return mask


_right = variant()
_NOT_BOOL = "A comparison already gives booleans."
_SHAPE = "The shape should be (B, n)."
_EACH = "Each sequence has a length of its own."
_ROWS = "Does each round of your loop keep what the earlier ones made?"

MISTAKES = (
    Mistake(
        "off-by-one",
        "One padding token too many counts as real.",
        variant(real=lambda position, length, n: position <= length),
        "For length 1, which positions are real? Only 0.",
    ),
    Mistake(
        "off-by-one",
        "One real token too few: the last token of each sequence counts as padding.",
        variant(real=lambda position, length, n: position + 1 < length),
        "For length 3, three entries are True. Do you count positions from 0 or from 1?",
    ),
    Mistake(
        "off-by-one",
        "The first token is hidden: you count positions from 1.",
        variant(real=lambda position, length, n: (position >= 1) & (position < length)),
        "Position 0 is the first token.",
    ),
    Mistake(
        "off-by-one",
        "You moved the real tokens by one: position 0 is hidden, and one padding token counts as real.",
        variant(real=lambda position, length, n: (position >= 1) & (position <= length)),
        "Position 0 is the first token.",
    ),
    Mistake(
        "mask-inverted",
        "True and False have changed places: True should stand for real tokens.",
        variant(give=lambda mask: ~mask),
        "What is `mask[0, 0]` for a sequence of length 3?",
    ),
    Mistake(
        "padding-on-the-left",
        "You put the padding in front; here real tokens come first.",
        variant(side=lambda position, n: n - 1 - position),
        "For length 1, position 0 is the real one.",
    ),
    Mistake(
        "padding-on-the-left",
        "You put the padding in front; here real tokens come first. And an empty sequence counts as full: [-0:] is the whole row.",
        lambda lengths, n: _blanked(lengths, n, lambda length, n: slice(-length, None), True),
        "For length 1, position 0 is the real one.",
    ),
    Mistake(
        "negative-zero-slice",
        "A full sequence is hidden entirely: counted from the end, its padding begins at -0, and [-0:] is the whole row.",
        lambda lengths, n: _blanked(lengths, n, lambda length, n: slice(-(n - length), None), False),
        "Count the padding from the front: at which position does it begin?",
    ),
    Mistake(
        "negative-zero-slice",
        "An empty sequence counts as real: with nothing to take, your index is -1, which counts from the end.",
        lambda lengths, n: np.tri(n, dtype=bool)[lengths - 1],
        "What does an index of -1 mean?",
    ),
    Mistake(
        "negative-zero-slice",
        "The last real token is hidden; and for an empty sequence [:-1] takes nearly the whole row.",
        lambda lengths, n: _blanked(lengths, n, lambda length, n: slice(None, length - 1), True),
        "Where should the slice end for length 3, and where for length 0?",
    ),
    Mistake(
        "transposed-mask",
        "Your result is transposed: one row per sequence, one column per token.",
        variant(shape=lambda mask: mask.T),
        _SHAPE,
    ),
    Mistake(
        "mask-not-bool",
        "You returned numbers; the mask should be True and False.",
        variant(give=lambda mask: mask * 1.0),
        _NOT_BOOL,
    ),
    Mistake(
        "mask-not-bool",
        "You returned 0 and -inf to add to the scores; here a mask is True and False.",
        variant(give=lambda mask: np.where(mask, 0.0, -np.inf)),
        _NOT_BOOL,
    ),
    Mistake(
        "mask-not-bool",
        "You returned -inf for real tokens and 0 for the rest; here a mask is True and False.",
        variant(give=lambda mask: np.where(mask, -np.inf, 0.0)),
        _NOT_BOOL,
    ),
    Mistake(
        "mask-not-bool",
        "You returned 1 and -inf; the mask should be True and False.",
        variant(give=lambda mask: np.where(mask, 1.0, -np.inf)),
        _NOT_BOOL,
    ),
    Mistake(
        "mask-not-bool",
        "You returned 0 and a large negative number to add to the scores; here a mask is True and False.",
        variant(give=lambda mask: np.where(mask, 0.0, -1e9)),
        _NOT_BOOL,
    ),
    Mistake(
        "mask-not-bool",
        "You returned differences between lengths and positions; the mask should be True and False.",
        lambda lengths, n: lengths[:, None] - np.arange(n),
        "Compare the two instead of subtracting them.",
    ),
    Mistake(
        "bitwise-on-int",
        "`~` on whole numbers gives -1 and -2. On True and False it turns one into the other.",
        variant(give=lambda mask: ~(~mask).astype(int)),
        _NOT_BOOL,
    ),
    Mistake(
        "bitwise-on-int",
        "`~` on whole numbers gives -1 and -2. On True and False it turns one into the other.",
        variant(give=lambda mask: ~mask.astype(int)),
        _NOT_BOOL,
    ),
    Mistake(
        "one-token-only",
        "You marked one token per sequence, the last real one; all real ones should be True.",
        variant(real=lambda position, length, n: position == length - 1),
        "For length 3, three entries are True.",
    ),
    Mistake(
        "one-token-only",
        "You marked one token per sequence, the first padding; all real ones should be True.",
        variant(real=lambda position, length, n: position == length),
        "For length 3, three entries are True.",
    ),
    Mistake(
        "one-token-only",
        "You hid one token per sequence, the first padding; all the padding should be False.",
        variant(real=lambda position, length, n: position != length),
        "For length 1, only one entry is True.",
    ),
    Mistake(
        "one-token-only",
        "You hid one token per sequence, the last real one; all real ones should be True and all the padding False.",
        variant(real=lambda position, length, n: position != length - 1),
        "For length 1, only one entry is True.",
    ),
    Mistake(
        "counts-padding",
        "You marked as many tokens as there is padding, from the front; mark as many as are real.",
        variant(real=lambda position, length, n: position < n - length),
        "For length 1, only one entry is True.",
    ),
    Mistake(
        "longest-for-all",
        "You used the longest length for every sequence.",
        variant(lengths_of=lambda lengths: np.full_like(lengths, lengths.max())),
        _EACH,
    ),
    Mistake(
        "shortest-for-all",
        "You used the shortest length for every sequence.",
        variant(lengths_of=lambda lengths: np.full_like(lengths, lengths.min())),
        _EACH,
    ),
    Mistake(
        "first-batch-only",
        "You used the length of the first sequence for every sequence.",
        variant(lengths_of=lambda lengths: np.full_like(lengths, lengths[0])),
        _EACH,
    ),
    Mistake(
        "overwritten-instead-of-collected",
        "You used the length of the last sequence for every sequence.",
        variant(lengths_of=lambda lengths: np.full_like(lengths, lengths[-1])),
        _EACH,
    ),
    Mistake(
        "lengths-sorted",
        "You sorted the sequences by length, so rows and sequences no longer belong together.",
        variant(lengths_of=lambda lengths: np.sort(lengths)[::-1]),
        "Row b is sequence b, in the order in which the lengths came.",
    ),
    Mistake(
        "lengths-sorted",
        "You sorted the sequences by length, so rows and sequences no longer belong together.",
        variant(lengths_of=np.sort),
        "Row b is sequence b, in the order in which the lengths came.",
    ),
    Mistake(
        "wrong-order",
        "Your rows run backwards: the last sequence comes first.",
        variant(lengths_of=lambda lengths: lengths[::-1]),
        "Row b is sequence b, in the order in which the lengths came.",
    ),
    Mistake(
        "lengths-ignored",
        "You made a causal triangle; here the lengths alone decide.",
        lambda lengths, n: np.tri(len(lengths), n, dtype=bool),
        "Where do the lengths appear in your code?",
    ),
    Mistake(
        "lengths-ignored",
        "You made a causal triangle of (n, n); here the lengths alone decide.",
        lambda lengths, n: np.tri(n, dtype=bool),
        "Where do the lengths appear in your code?",
    ),
    Mistake(
        "mask-missing",
        "You marked every token as real: nothing is hidden.",
        variant(real=lambda position, length, n: position < n),
        "For length 1, how many entries are True?",
    ),
    Mistake(
        "mask-missing",
        "Your mask is False everywhere: no token counts as real.",
        variant(real=lambda position, length, n: position > n),
        "For length 3, how many entries are True?",
    ),
    Mistake(
        "n-ignored",
        "Your mask is as wide as the longest sequence; it should be n wide.",
        variant(tokens=lambda lengths, n: int(lengths.max())),
        "Where does `n` appear in your code?",
    ),
    Mistake(
        "n-ignored",
        "Your mask is as wide as there are sequences; it should be n wide.",
        variant(tokens=lambda lengths, n: len(lengths)),
        "Where does `n` appear in your code?",
    ),
    Mistake(
        "off-by-one", "Your mask has one column too many.", variant(tokens=lambda lengths, n: n + 1), _SHAPE
    ),
    Mistake(
        "off-by-one", "Your mask has one column too few.", variant(tokens=lambda lengths, n: n - 1), _SHAPE
    ),
    Mistake(
        "broadcast-needs-square",
        "You compared position j with length j: a row against a row goes entry by entry, and needs as many tokens as sequences.",
        lambda lengths, n: np.arange(n) < lengths,
        "Which of the two should stand in a column?",
    ),
    Mistake(
        "broadcast-needs-square",
        "You compared position j with length j: a row against a row goes entry by entry, and needs as many tokens as sequences.",
        lambda lengths, n: lengths > np.arange(n),
        "Which of the two should stand in a column?",
    ),
    Mistake(
        "broadcast-needs-square",
        "You compared position j with length j: a row against a row goes entry by entry, and needs as many tokens as sequences.",
        lambda lengths, n: np.arange(n) < lengths[None, :],
        "Which of the two should stand in a column?",
    ),
    Mistake(
        "square-per-sequence",
        "You made a mask for pairs of tokens; here one row per sequence is wanted.",
        variant(shape=lambda mask: np.broadcast_to(mask[:, None, :], (*mask.shape, mask.shape[1]))),
        _SHAPE,
    ),
    Mistake(
        "square-per-sequence",
        "You made a mask for pairs of tokens; here one row per sequence is wanted.",
        variant(shape=lambda mask: np.broadcast_to(mask[:, :, None], (*mask.shape, mask.shape[1]))),
        _SHAPE,
    ),
    Mistake(
        "square-per-sequence",
        "You made a mask for pairs of tokens; here one row per sequence is wanted.",
        variant(shape=lambda mask: mask[:, None, :] & mask[:, :, None]),
        _SHAPE,
    ),
    Mistake(
        "square-per-sequence",
        "You made a mask for pairs of tokens, and a causal one; here one row per sequence is wanted.",
        variant(shape=lambda mask: mask[:, None, :] & np.tri(mask.shape[1], dtype=bool)),
        _SHAPE,
    ),
    Mistake(
        "keepdims-left",
        "The mask is right, but it has axes for heads and queries already; here its shape is (B, n).",
        variant(shape=lambda mask: mask[:, None, None, :]),
        _SHAPE,
    ),
    Mistake(
        "keepdims-left",
        "The mask is right, but it has an axis too many.",
        variant(shape=lambda mask: mask[:, None, :]),
        _SHAPE,
    ),
    Mistake(
        "keepdims-left",
        "The mask is right, but it has an axis too many.",
        variant(shape=lambda mask: mask[:, :, None]),
        _SHAPE,
    ),
    Mistake(
        "shape-flattened",
        "You put all rows one behind the other; the mask should have a row for each sequence.",
        variant(shape=np.ravel),
        _SHAPE,
    ),
    Mistake(
        "overwritten-instead-of-collected",
        "You returned one row, that of the last sequence; the mask needs a row for each.",
        variant(shape=lambda mask: mask[-1]),
        _ROWS,
    ),
    Mistake(
        "overwritten-instead-of-collected",
        "Only the row of the last sequence is filled; the mask needs a row for each.",
        lambda lengths, n: _right(lengths, n) & (np.arange(len(lengths)) == len(lengths) - 1)[:, None],
        _ROWS,
    ),
    Mistake(
        "returned-inside-loop",
        "You returned one row, that of the first sequence; the mask needs a row for each.",
        variant(shape=lambda mask: mask[0]),
        "How far is your `return` indented?",
    ),
    Mistake(
        "returned-inside-loop",
        "Only the row of the first sequence is filled; the mask needs a row for each.",
        lambda lengths, n: _right(lengths, n) & (np.arange(len(lengths)) == 0)[:, None],
        "How far is your `return` indented?",
    ),
    Mistake(
        "last-left-out",
        "The last sequence gets an empty row: your loop ends too early.",
        lambda lengths, n: _right(lengths, n) & (np.arange(len(lengths)) < len(lengths) - 1)[:, None],
        "Where does your loop begin, and where does it end?",
    ),
    Mistake(
        "last-left-out",
        "The first sequence gets an empty row: your loop begins too late.",
        lambda lengths, n: _right(lengths, n) & (np.arange(len(lengths)) > 0)[:, None],
        "Where does your loop begin, and where does it end?",
    ),
)
