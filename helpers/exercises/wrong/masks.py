"""The wrong versions of a mask, for every exercise that makes one.

Each table replaces other steps of a right answer: `LOOKS` the triangle, `look(query, key, n)`; `REAL` the
padding, `real(position, length, n)`, `side(position, n)` and `lengths_of(lengths)`; `NUMBERS` and `ALIKE` take
a finished mask.  Words: `real`, "real " where tokens may be padding; `yes`, what is True ("what is allowed");
`bool`, a hint about booleans; `all_true` and `all_false`, what such a mask means.
"""

import numpy as np

from helpers.exercises.wrong.rows import paired, rows

LOOKS = rows(
    "transposed-mask: Your triangle is the wrong way round: each token sees the future and not the past.",
    "Row i is query i. Which columns may row 0 see?",
    paired(look=lambda query, key, n: key >= query),
    "flipped-triangle: Your triangle lies in the wrong corner: left and right are exchanged.",
    paired(look=lambda query, key, n: n - 1 - key <= query),
    "flipped-triangle: Your triangle lies in the wrong corner: top and bottom are exchanged.",
    paired(look=lambda query, key, n: query + key < n),
    "future-visible-by-one: Each token sees one token of the future.",
    "Row 0 should have a single True, at most.",
    paired(look=lambda query, key, n: key <= query + 1),
    "diagonal-hidden: You hid the diagonal too: a {real}token may look at itself, or token 0 has nobody at all.",
    "Should the comparison be `<` or `<=`?",
    paired(look=lambda query, key, n: key < query),
    "only-the-diagonal: Each token sees only itself; the past is allowed too.",
    "How many keys may the last {real}token look at?",
    paired(look=lambda query, key, n: key == query),
    "only-last-two: Each token sees only itself and the one before it; the whole past is allowed.",
    paired(look=lambda query, key, n: (key <= query) & (key >= query - 1)),
    "last-left-out: The last query sees nothing: your loop over the queries ends too early.",
    "Where does your loop begin, and where does it end?",
    paired(look=lambda query, key, n: (key <= query) & (query < n - 1)),
    "last-left-out: The first query sees nothing, not even itself: your loop over the queries begins too late.",
    paired(look=lambda query, key, n: (key <= query) & (query > 0)),
    "last-left-out: Nobody sees key 0: your loop or slice over the keys begins at 1.",
    paired(look=lambda query, key, n: (key <= query) & (key > 0)),
)

REAL = rows(
    "off-by-one: One padding token too many counts as real.",
    "For length 3, positions 0, 1 and 2 are real. Do you count positions from 0 or from 1?",
    paired(real=lambda position, length, n: position <= length),
    "off-by-one: One real token too few: the last token of each sequence counts as padding.",
    paired(real=lambda position, length, n: position + 1 < length),
    "one-token-only: Only the last real token of each sequence counts as real; all of them should.",
    paired(real=lambda position, length, n: position == length - 1),
    "padding-on-the-left: You put the padding in front; here real tokens come first.",
    "For length 1, position 0 is the real one.",
    paired(side=lambda position, n: n - 1 - position),
    "negative-zero-slice: A full sequence is hidden entirely; it has no padding.",
    "At which position does your padding begin? Counted from the end it is -0, which is the start of the row.",
    {"real": lambda position, length, n: (position < length) & (length < n)},
    "longest-for-all: You used the longest length for every sequence.",
    "Each sequence has a length of its own.",
    paired(lengths_of=lambda lengths: np.full_like(lengths, lengths.max())),
    "empty-sequence-filled: In an empty sequence one token counts as real; length 0 means none.",
    "What does your code do with a length of 0?",
    paired(lengths_of=lambda lengths: np.maximum(lengths, 1)),
    "changes-pile-up: What a shorter sequence hides stays hidden for all that come after it.",
    "Does each sequence begin with a fresh array?",
    {"lengths_of": np.minimum.accumulate},
    "shortest-for-all: You used the shortest length for every sequence.",
    "Each sequence has a length of its own.",
    paired(lengths_of=lambda lengths: np.full_like(lengths, lengths.min())),
    "first-batch-only: You used the length of the first sequence for every sequence.",
    paired(lengths_of=lambda lengths: np.full_like(lengths, lengths[0])),
    "overwritten-instead-of-collected: You used the length of the last sequence for every sequence.",
    paired(lengths_of=lambda lengths: np.full_like(lengths, lengths[-1])),
    "lengths-sorted: You sorted the sequences by length, so the mask and the sequences no longer belong together.",
    "Entry b of the mask is sequence b, in the order in which the lengths came.",
    paired(lengths_of=lambda lengths: np.sort(lengths)[::-1]),
    paired(lengths_of=np.sort),
)

NUMBERS = rows(
    "mask-not-bool: You returned the numbers 0 and 1; the mask should be True and False.",
    "{bool}",
    lambda mask: mask * 1.0,
    "mask-not-bool: You returned 0 and -inf to add to the scores; here a mask is True and False.",
    "For which entries should you say True?",
    lambda mask: np.where(mask, 0.0, -np.inf),
    "mask-not-bool: You returned 0 and a large negative number to add to the scores; here a mask is True and False.",
    *(lambda mask, low=low: np.where(mask, 0.0, low) for low in (-1e9, -1e4)),
    "mask-not-bool: You returned -inf for {yes} and 0 for the rest; here a mask is True and False.",
    "{bool}",
    lambda mask: np.where(mask, -np.inf, 0.0),
    "mask-not-bool: You returned 1 and -inf; the mask should be True and False.",
    lambda mask: np.where(mask, 1.0, -np.inf),
    "bitwise-on-int: Your mask holds -1 and -2, as `~` makes of whole numbers; it turns round True and False only where they are booleans.",
    lambda mask: ~mask.astype(int),
    lambda mask: ~(~mask).astype(int),
    "zero-times-inf: You multiplied with infinity: 0 times infinity is NaN. And here a mask is True and False.",
    lambda mask: np.where(mask, -np.inf, np.nan),
    lambda mask: np.where(mask, np.nan, -np.inf),
)

ALIKE = rows(
    "mask-missing: Your mask is True everywhere: {all_true}.",
    "Which entries should be True, and which False?",
    np.ones_like,
    "mask-missing: Your mask is False everywhere: {all_false}.",
    np.zeros_like,
)
