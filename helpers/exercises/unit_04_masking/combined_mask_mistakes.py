"""What people get wrong in `combined_mask`: the same mask with one step replaced."""

from collections.abc import Callable
from typing import Any

import numpy as np

from helpers.exercises.base import Mistake, replaceable


@replaceable
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


def _queries(padding: np.ndarray) -> np.ndarray:
    return padding[:, None, :, None]


def _keys(padding: np.ndarray) -> np.ndarray:
    return padding[:, None, None, :]


_AXES = "The shape should be (B, 1, n, n)."
_PICTURE = "Which axis of the mask runs over the keys?"
_FORGOTTEN = "Which of the two masks does not appear in your result?"
_NOT_BOOL = "Join boolean masks with `&`, not with `*` and numbers."
_LOOP = "Where does your loop begin, and where does it end?"
_TRIANGLE = "Row i is query i. Which columns may row 0 see?"

MISTAKES = (
    Mistake(
        "padding-on-queries",
        "You hid the rows of padded queries. What must be hidden are padded keys, the columns.",
        variant(place=_queries),
        _PICTURE,
    ),
    Mistake(
        "padding-on-queries",
        "You hid padded keys, which is right, and the rows of padded queries too. Only keys are to be hidden.",
        variant(place=lambda padding: _keys(padding) & _queries(padding)),
        _PICTURE,
    ),
    Mistake(
        "no-head-axis",
        "The axis for the heads is missing, so the mask cannot broadcast against (B, h, n, n).",
        variant(shape=lambda mask: mask[:, 0]),
        _AXES,
    ),
    Mistake(
        "no-head-axis",
        "Heads and batch have changed places: the axis of length 1 comes second, after the batch.",
        variant(shape=lambda mask: np.swapaxes(mask, 0, 1)),
        _AXES,
    ),
    *(
        Mistake(
            "no-head-axis",
            "The axis for the heads is missing, and the batch does not come first.",
            variant(shape=lambda mask, to=to: np.moveaxis(mask[:, 0], 0, to)),
            _AXES,
        )
        for to in (1, 2)
    ),
    Mistake(
        "wrong-head-axis",
        "The axis of length 1, for the heads, stands third; it should come second, after the batch.",
        variant(shape=lambda mask: np.moveaxis(mask, 1, 2)),
        _AXES,
    ),
    Mistake(
        "wrong-head-axis",
        "The axis of length 1, for the heads, stands last; it should come second, after the batch.",
        variant(shape=lambda mask: np.moveaxis(mask, 1, 3)),
        _AXES,
    ),
    Mistake(
        "wrong-head-axis",
        "You placed the padding over the axis of the heads: your mask has n of them instead of one.",
        variant(place=lambda padding: padding[:, :, None, None]),
        _AXES,
    ),
    Mistake(
        "heads-repeated",
        "You repeated the mask along the axis of the heads; an axis of length 1 is enough, it broadcasts.",
        variant(shape=lambda mask: np.repeat(mask, mask.shape[-1], axis=1)),
        _AXES,
    ),
    Mistake(
        "broadcast-needs-square",
        "You joined (n, n) and (B, n) as they are, so sequence i met query i. They fit only where B equals n.",
        variant(place=lambda padding: padding),
        "Where does the batch axis of the padding have to go?",
    ),
    Mistake(
        "broadcast-needs-square",
        "You joined (B, n) and (n, n) as they are, so sequence i met query i. They fit only where B equals n.",
        variant(place=lambda padding: padding, join=lambda causal, padding: padding & causal),
        "Where does the batch axis of the padding have to go?",
    ),
    Mistake(
        "broadcast-needs-square",
        "The batch axis of the padding stands where the queries are. They fit only where B equals n.",
        variant(place=lambda padding: padding[None, None]),
        "Where does the batch axis of the padding have to go?",
    ),
    Mistake(
        "broadcast-needs-square",
        "The batch axis of the padding stands where the queries are. They fit only where B equals n.",
        variant(place=lambda padding: padding[None, None], join=lambda causal, padding: padding & causal),
        "Where does the batch axis of the padding have to go?",
    ),
    Mistake(
        "or-instead-of-and",
        "You allowed a key when either mask allows it; both must.",
        variant(join=lambda causal, padding: causal | padding),
        "Should a padded token in the past be seen?",
    ),
    Mistake(
        "or-instead-of-and",
        "You allowed a key when exactly one of the masks allows it; both must.",
        variant(join=lambda causal, padding: causal ^ padding),
        "What do `^` and `!=` give where both masks are True?",
    ),
    Mistake(
        "or-instead-of-and",
        "You allowed a key when both masks agree, also when both forbid it; both must allow it.",
        variant(join=lambda causal, padding: causal == padding),
        "What does `==` give where both masks are False?",
    ),
    Mistake(
        "causal-forgotten",
        "The future is in sight: the causal part is missing.",
        variant(look=lambda query, key, n: key < n),
        _FORGOTTEN,
    ),
    Mistake(
        "causal-forgotten",
        "The future is in sight: the causal part is missing, and with it the axis of the queries.",
        variant(join=lambda causal, padding: padding.copy()),
        _FORGOTTEN,
    ),
    Mistake(
        "causal-forgotten",
        "You returned the padding mask alone: the future is in sight, and the axes of queries and heads are missing.",
        lambda lengths, n: np.arange(n) < lengths[:, None],
        _FORGOTTEN,
    ),
    Mistake(
        "not-merged",
        "You returned two masks; they should become one.",
        lambda lengths, n: (np.tri(n, dtype=bool), np.arange(n) < lengths[:, None]),
        "When may a key be looked at: when one mask allows it, or when both do?",
    ),
    Mistake(
        "lengths-ignored",
        "Padded keys are in sight: the lengths do not matter in your mask.",
        variant(real=lambda position, length, n: position < n),
        _FORGOTTEN,
    ),
    Mistake(
        "lengths-ignored",
        "Padded keys are in sight: the lengths do not matter in your mask, not even their number.",
        variant(join=lambda causal, padding: causal[None, None]),
        _FORGOTTEN,
    ),
    Mistake(
        "lengths-ignored",
        "Padded keys are in sight: you returned the causal mask alone.",
        variant(join=lambda causal, padding: causal.copy()),
        _FORGOTTEN,
    ),
    Mistake(
        "mask-missing",
        "You allowed everything: neither the future nor the padding is hidden.",
        variant(give=np.ones_like),
        "Which entries of row 0 should be False?",
    ),
    Mistake(
        "mask-missing",
        "Your mask is False everywhere: nobody may look at anyone.",
        variant(give=np.zeros_like),
        "What may the first token of a sequence look at?",
    ),
    Mistake(
        "transposed-mask",
        "Your triangle is the wrong way round: each token sees the future and not the past.",
        variant(look=lambda query, key, n: key >= query),
        _TRIANGLE,
    ),
    Mistake(
        "transposed-mask",
        "Queries and keys have changed places in the whole mask, triangle and padding.",
        variant(shape=lambda mask: np.swapaxes(mask, -1, -2)),
        _TRIANGLE,
    ),
    Mistake(
        "mask-inverted",
        "True and False have changed places: here True means 'may look'.",
        variant(give=lambda mask: ~mask),
        "What is `mask[0, 0, 0, 0]` for a sequence that is not empty?",
    ),
    Mistake(
        "mask-inverted",
        "True and False have changed places in the padding: padded keys are in sight, and real ones hidden.",
        variant(real=lambda position, length, n: position >= length),
        "What is your padding mask for a sequence of length 1?",
    ),
    Mistake(
        "mask-inverted",
        "True and False have changed places in the causal part: the future is in sight, and the past hidden.",
        variant(look=lambda query, key, n: key > query),
        _TRIANGLE,
    ),
    Mistake(
        "mask-inverted",
        "You allowed what both masks forbid: the future, where it is padding.",
        variant(join=lambda causal, padding: ~causal & ~padding),
        "Say in words when a key may be looked at.",
    ),
    Mistake(
        "diagonal-hidden",
        "You hid the diagonal: a real token may look at itself.",
        variant(look=lambda query, key, n: key < query),
        "Should the comparison be `<` or `<=`?",
    ),
    Mistake(
        "future-visible-by-one",
        "Each token sees one token of the future.",
        variant(look=lambda query, key, n: key <= query + 1),
        "Row 0 should have a single True at most.",
    ),
    Mistake(
        "only-the-diagonal",
        "Each token sees only itself; the past is allowed too.",
        variant(look=lambda query, key, n: key == query),
        "What may the last real token look at?",
    ),
    Mistake(
        "only-last-two",
        "Each token sees itself and the one before it; the whole past is allowed.",
        variant(look=lambda query, key, n: (key <= query) & (key >= query - 1)),
        "How many keys may the last real token look at?",
    ),
    Mistake(
        "flipped-triangle",
        "Your triangle lies in the wrong corner: left and right are exchanged.",
        variant(look=lambda query, key, n: n - 1 - key <= query),
        _TRIANGLE,
    ),
    Mistake(
        "flipped-triangle",
        "Your triangle lies in the wrong corner: top and bottom are exchanged.",
        variant(look=lambda query, key, n: query + key < n),
        _TRIANGLE,
    ),
    Mistake(
        "off-by-one",
        "One padding token too many counts as real.",
        variant(real=lambda position, length, n: position <= length),
        "For length 1, only key 0 is real.",
    ),
    Mistake(
        "off-by-one",
        "One real token too few: the last token of each sequence counts as padding.",
        variant(real=lambda position, length, n: position + 1 < length),
        "For length 1, key 0 is real.",
    ),
    Mistake(
        "padding-on-the-left",
        "You put the padding in front; here real tokens come first.",
        variant(side=lambda position, n: n - 1 - position),
        "For length 1, key 0 is the real one.",
    ),
    Mistake(
        "padding-on-the-left",
        "You hid as many keys in front as there is padding at the end.",
        variant(real=lambda position, length, n: position < n - length),
        "For length 1, key 0 is the real one.",
    ),
    Mistake(
        "one-token-only",
        "Only the last real token of a sequence can be seen; all real ones of the past should be.",
        variant(real=lambda position, length, n: position == length - 1),
        "What is your padding mask for a sequence of length 3?",
    ),
    Mistake(
        "negative-zero-slice",
        "A full sequence is hidden entirely: counted from the end, its padding begins at -0, and [-0:] is the whole row.",
        variant(real=lambda position, length, n: (position < length) & (length < n)),
        "Count the padding from the front: at which key does it begin?",
    ),
    Mistake(
        "first-batch-only",
        "You used the length of the first sequence for every sequence.",
        variant(lengths_of=lambda lengths: np.full_like(lengths, lengths[0])),
        "Each sequence has a length of its own.",
    ),
    Mistake(
        "first-batch-only",
        "You returned the mask of the first sequence alone.",
        variant(shape=lambda mask: mask[:1]),
        "Each sequence has a length of its own.",
    ),
    Mistake(
        "overwritten-instead-of-collected",
        "You used the length of the last sequence for every sequence.",
        variant(lengths_of=lambda lengths: np.full_like(lengths, lengths[-1])),
        "Does each round of your loop keep what the earlier ones made?",
    ),
    Mistake(
        "overwritten-instead-of-collected",
        "You returned the mask of the last sequence alone.",
        variant(shape=lambda mask: mask[-1:]),
        "Does each round of your loop keep what the earlier ones made?",
    ),
    Mistake(
        "longest-for-all",
        "You used the longest length for every sequence.",
        variant(lengths_of=lambda lengths: np.full_like(lengths, lengths.max())),
        "Each sequence has a length of its own.",
    ),
    Mistake(
        "shortest-for-all",
        "You used the shortest length for every sequence.",
        variant(lengths_of=lambda lengths: np.full_like(lengths, lengths.min())),
        "Each sequence has a length of its own.",
    ),
    Mistake(
        "lengths-sorted",
        "You sorted the sequences by length, so masks and sequences no longer belong together.",
        variant(lengths_of=lambda lengths: np.sort(lengths)[::-1]),
        "Entry b of the mask is sequence b, in the order in which the lengths came.",
    ),
    Mistake(
        "diagonal-left-open",
        "You let every token look at itself, padding too; a padded key is hidden from everyone.",
        variant(give=lambda mask: mask | np.eye(mask.shape[-1], dtype=bool)),
        "May a padded token look at itself?",
    ),
    Mistake(
        "blocked-row-left-open",
        "Where nothing is allowed you allowed everything; such a row stays False.",
        variant(give=lambda mask: mask | ~mask.any(-1, keepdims=True)),
        "What may be seen of an empty sequence?",
    ),
    Mistake(
        "mask-not-bool",
        "You returned numbers; the mask should be True and False.",
        variant(give=lambda mask: mask * 1.0),
        _NOT_BOOL,
    ),
    Mistake(
        "mask-not-bool",
        "You added the masks as numbers, so the result is 0, 1 or 2; it should be True and False.",
        variant(join=lambda causal, padding: causal * 1.0 + padding),
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
        "You returned -inf for what is allowed and 0 for the rest; here a mask is True and False.",
        variant(give=lambda mask: np.where(mask, -np.inf, 0.0)),
        _NOT_BOOL,
    ),
    Mistake(
        "mask-not-bool",
        "You returned 0 and a large negative number to add to the scores; here a mask is True and False.",
        variant(give=lambda mask: np.where(mask, 0.0, -1e9)),
        _NOT_BOOL,
    ),
    Mistake(
        "bitwise-on-int",
        "`~` on whole numbers gives -1 and -2. On True and False it turns one into the other.",
        variant(give=lambda mask: ~(~mask).astype(int)),
        _NOT_BOOL,
    ),
    Mistake(
        "last-left-out",
        "The last query sees nothing: your loop over the queries ends too early.",
        variant(look=lambda query, key, n: (key <= query) & (query < n - 1)),
        _LOOP,
    ),
    Mistake(
        "last-left-out",
        "The first query sees nothing: your loop over the queries begins too late.",
        variant(look=lambda query, key, n: (key <= query) & (query > 0)),
        _LOOP,
    ),
    Mistake(
        "last-left-out",
        "Nobody sees key 0: your loop or slice over the keys begins at 1.",
        variant(look=lambda query, key, n: (key <= query) & (key > 0)),
        _LOOP,
    ),
    Mistake(
        "minus-on-bool",
        "You subtracted one mask from the other; NumPy does not subtract True and False.",
        variant(join=lambda causal, padding: causal - padding),
        "Which operator joins two masks so that both must be True?",
    ),
)
