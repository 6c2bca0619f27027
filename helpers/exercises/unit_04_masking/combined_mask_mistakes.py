"""What people get wrong in `combined_mask`: the same mask with one step replaced."""

from collections.abc import Callable
from typing import Any

import numpy as np

from helpers.exercises.wrong.masks import ALIKE, LOOKS, NUMBERS, REAL
from helpers.exercises.wrong.rows import in_step, mistakes, paired, rows


def variant(
    *,
    look: Callable[[np.ndarray, np.ndarray, int], np.ndarray] = lambda query, key, n: key <= query,
    real: Callable[[np.ndarray, np.ndarray, int], np.ndarray] = lambda position, length, n: position < length,
    lengths_of: Callable[[np.ndarray], np.ndarray] = lambda lengths: lengths,
    side: Callable[[np.ndarray, int], np.ndarray] = lambda position, n: position,
    place: Callable[[np.ndarray], np.ndarray] = lambda padding: padding[:, None, None, :],
    join: Callable[[np.ndarray, np.ndarray], Any] = lambda causal, padding: causal & padding,
    give: Callable[[np.ndarray], np.ndarray] = lambda mask: mask,
    shape: Callable[[np.ndarray], Any] = lambda mask: mask,
) -> Callable[[np.ndarray, int], Any]:
    """A causal padding mask with one or more of its steps replaced by a wrong one."""

    def answer(lengths: np.ndarray, n: int) -> Any:
        position = np.arange(n)
        everything = np.ones((n, n), bool)
        causal = look(position[:, None], position[None, :], n) & everything
        padding = real(side(position, n)[None, :], lengths_of(lengths)[:, None], n)
        padding = padding & np.ones((len(lengths), n), bool)
        return shape(give(join(causal, place(padding))))

    return answer


def _alike(lengths: np.ndarray, n: int) -> np.ndarray:
    real = np.arange(n) < lengths[:, None]
    return (real[:, None, :, None] == real[:, None, None, :]) & np.tri(n, dtype=bool)


MISTAKES = mistakes(
    variant,
    *rows(
        "padding-on-queries: You hid the rows of padded queries; the padding hides keys, the columns, and nothing else.",
        "Which axis of the mask runs over the keys?",
        paired(place=lambda padding: padding[:, None, :, None]),
        "no-head-axis: The axis for the heads is missing, so the mask cannot broadcast against (B, h, n, n).",
        "The shape should be (B, 1, n, n).",
        paired(shape=lambda mask: mask[:, 0]),
        "no-head-axis: Heads and batch have changed places: the axis of length 1 comes second, after the batch.",
        paired(shape=lambda mask: np.swapaxes(mask, 0, 1)),
        "no-head-axis: The axis for the heads is missing, and the batch does not come first.",
        *(paired(shape=lambda mask, to=to: np.moveaxis(mask[:, 0], 0, to)) for to in (1, 2)),
        "wrong-head-axis: The axis of length 1, for the heads, stands third; it should come second, after the batch.",
        paired(shape=lambda mask: np.moveaxis(mask, 1, 2)),
        "wrong-head-axis: The axis of length 1, for the heads, stands last; it should come second, after the batch.",
        paired(shape=lambda mask: np.moveaxis(mask, 1, 3)),
        "wrong-head-axis: You placed the padding over the axis of the heads: your mask has n of them instead of one.",
        paired(place=lambda padding: padding[:, :, None, None]),
        "heads-repeated: You repeated the mask along the axis of the heads; an axis of length 1 is enough, it broadcasts.",
        paired(shape=lambda mask: np.repeat(mask, mask.shape[-1], axis=1)),
        "broadcast-needs-square: You joined (n, n) and (B, n) as they are, so sequence i met query i. They fit only where B equals n.",
        "Where does the batch axis of the padding have to go?",
        paired(place=lambda padding: padding),
        lambda lengths, n: np.array([[np.tri(n) * (np.arange(n) < lengths[:, None]) > 0]] * len(lengths)),
        "broadcast-needs-square: You joined (B, n) and (n, n) as they are, so sequence i met query i. They fit only where B equals n.",
        paired(place=lambda padding: padding, join=lambda causal, padding: padding & causal),
        "broadcast-needs-square: The batch axis of the padding stands where the queries are. They fit only where B equals n.",
        paired(place=lambda padding: padding[None, None]),
        paired(place=lambda padding: padding[None, None], join=lambda causal, padding: padding & causal),
        "or-instead-of-and: You allowed a key when either mask allows it; both must.",
        "Should a padded token in the past be seen?",
        paired(join=lambda causal, padding: causal | padding),
        "or-instead-of-and: You allowed a key when exactly one of the masks allows it; both must.",
        "What do `^` and `!=` give where both masks are True?",
        paired(join=lambda causal, padding: causal ^ padding),
        "or-instead-of-and: You allowed a key when both masks agree, also when both forbid it; both must allow it.",
        "What does `==` give where both masks are False?",
        paired(join=lambda causal, padding: causal == padding),
        "causal-forgotten: The future is in sight: the causal part is missing.",
        "Which of the two masks does not appear in your result?",
        paired(look=lambda query, key, n: key < n),
        "causal-forgotten: The future is in sight: the causal part is missing, and with it the axis of the queries.",
        paired(join=lambda causal, padding: padding.copy()),
        "causal-forgotten: You returned the padding mask alone: the future is in sight, and the axes of queries and heads are missing.",
        {"join": lambda causal, padding: padding[:, 0, 0]},
        "lengths-ignored: Padded keys are in sight: the lengths do not matter in your mask.",
        paired(real=lambda position, length, n: position < n),
        "lengths-ignored: Padded keys are in sight: the lengths do not matter in your mask, not even their number.",
        paired(join=lambda causal, padding: causal[None, None]),
        "lengths-ignored: Padded keys are in sight: you returned the causal mask alone.",
        paired(join=lambda causal, padding: causal.copy()),
        "not-merged: You returned two masks; they should become one.",
        "When may a key be looked at: when one mask allows it, or when both do?",
        {"join": lambda causal, padding: (causal, padding[:, 0, 0])},
        "transposed-mask: Queries and keys have changed places in the whole mask, triangle and padding.",
        "Row i is query i. Which columns may row 0 see?",
        paired(shape=lambda mask: np.swapaxes(mask, -1, -2)),
        "mask-inverted: True and False have changed places in the causal part: the future is in sight, and the past hidden.",
        paired(look=lambda query, key, n: key > query),
        "mask-inverted: True and False have changed places: here True means 'may look'.",
        "What is `mask[0, 0, 0, 0]` for a sequence that is not empty?",
        paired(give=lambda mask: ~mask),
        "mask-inverted: True and False have changed places in the padding: padded keys are in sight, and real ones hidden.",
        "What is your padding mask for a sequence of length 1?",
        paired(real=lambda position, length, n: position >= length),
        "mask-inverted: You allowed what both masks forbid: the future, where it is padding.",
        "Say in words when a key may be looked at.",
        paired(join=lambda causal, padding: ~causal & ~padding),
        "padding-on-the-left: You counted as many keys real as there is padding; the length says how many are.",
        "For length 1, key 0 is the real one.",
        paired(real=lambda position, length, n: position < n - length),
        "first-batch-only: You returned the mask of the first sequence alone.",
        "Does each round of your loop keep what the earlier ones made?",
        paired(shape=lambda mask: mask[:1]),
        "overwritten-instead-of-collected: You returned the mask of the last sequence alone.",
        paired(shape=lambda mask: mask[-1:]),
        "padding-on-queries: You asked whether query and key are alike, both real or both padding; padding then looks at padding.",
        "What should a padded query be allowed to look at, and does it matter whether it is padding itself?",
        _alike,
        "diagonal-left-open: You let every token look at itself, padding too; a padded key is hidden from everyone.",
        "May a padded token look at itself?",
        paired(give=lambda mask: mask | np.eye(mask.shape[-1], dtype=bool)),
        "blocked-row-left-open: Where nothing is allowed you allowed everything; such a row stays False.",
        "What may be seen of an empty sequence?",
        paired(give=lambda mask: mask | ~mask.any(-1, keepdims=True)),
        "mask-not-bool: You added the masks as numbers, so the result is 0, 1 or 2; it should be True and False.",
        "{bool}",
        paired(join=lambda causal, padding: causal * 1.0 + padding),
        "operator-precedence: Your `&` comes before the comparison, as it binds tighter: positions are joined with the padding before they are compared.",
        "Where are brackets missing?",
        *(
            lambda lengths, n, given=given: given(np.arange(n), np.arange(n) < lengths[:, None, None, None])
            for given in (
                lambda position, real: position <= position[:, None] & real,
                lambda position, real: real & position <= position[:, None],
                lambda position, real: position[:, None] >= position & real,
                lambda position, real: real & position[:, None] >= position,
            )
        ),
        "fixed-size: Your result is the mask for lengths 4, 3 and 1 and n = 4, in every call.",
        "Where do `lengths` and `n` come into your code, and do you overwrite them?",
        lambda lengths, n: (
            np.tri(4, dtype=bool) & (np.arange(4) < np.array([4, 3, 1])[:, None])[:, None, None, :]
        ),
        "minus-on-bool: You subtracted one mask from the other; NumPy does not subtract True and False.",
        "Which operator joins two masks so that both must be True?",
        paired(join=lambda causal, padding: causal - padding),
    ),
    *LOOKS,
    *REAL,
    *in_step("give", (*NUMBERS, *ALIKE), pairs=True),
    real="real ",
    yes="what is allowed",
    bool="Join boolean masks with `&`, not with `*` and numbers.",
    all_true="neither the future nor the padding is hidden",
    all_false="nobody may look at anyone",
)
