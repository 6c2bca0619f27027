"""Right and wrong answers to `padding_mask`, as learners write them."""

import numpy as np
import torch

from banks.registry import right, wrong

# Right answers, each in its own style


@right("padding_mask", "arange < lengths")
def padding_compare(lengths, n):
    return np.arange(n) < lengths[:, None]


@right("padding_mask", "nested lists")
def padding_lists(lengths, n):
    return np.array([[position < length for position in range(n)] for length in lengths])


@right("padding_mask", "row slices")
def padding_slices(lengths, n):
    mask = np.zeros((len(lengths), n), dtype=bool)
    for row, length in zip(mask, lengths, strict=True):
        row[:length] = True
    return mask


@right("padding_mask", "outer comparison")
def padding_outer(lengths, n):
    return np.greater.outer(lengths, np.arange(n))


@right("padding_mask", "torch inside")
def padding_torch(lengths, n):
    return (torch.arange(n)[None] < torch.as_tensor(lengths).unsqueeze(1)).numpy()


@right("padding_mask", "a transposed view, prints")
def padding_transposed_view_prints(lengths, n):
    mask = (np.arange(n).reshape(n, 1) < np.asarray(lengths)).T
    print(mask.astype(int))
    return mask


@right("padding_mask", "rows picked from a table")
def padding_table(lengths, n):
    return np.tri(n + 1, n, k=-1, dtype=bool)[lengths]


@right("padding_mask", "np.stack and logical_not")
def padding_not(lengths, n):
    return np.stack([np.logical_not(np.arange(n) >= length) for length in lengths])


@right("padding_mask", "clip trick / list of rows")
def padding_mask_34(lengths, n):
    return np.array([[True] * int(L) + [False] * (n - int(L)) for L in lengths])


@right("padding_mask", "cumulative: torch inside")
def padding_mask_35(lengths, n):
    return (torch.arange(n) < torch.as_tensor(np.asarray(lengths))[:, None]).numpy()


# Wrong answers, those with one mistake together


@wrong("padding_mask", "mask-inverted")
def padding_inverted(lengths, n):
    return np.arange(n) >= np.asarray(lengths)[:, None]


@wrong("padding_mask", "off-by-one", note="<=: one padded token counts")
def padding_le(lengths, n):
    return np.arange(n) <= np.asarray(lengths)[:, None]


@wrong("padding_mask", "off-by-one", note="the last real token is lost")
def padding_minus_one(lengths, n):
    return np.arange(n) < np.asarray(lengths)[:, None] - 1


@wrong("padding_mask", "off-by-one", note="counts from 1")
def padding_from_one(lengths, n):
    return np.arange(1, n + 1) < np.asarray(lengths)[:, None]


@wrong("padding_mask", "off-by-one", note="Uses <=, so the first padding token counts as real.")
def padding_1(lengths, n):
    return np.arange(n)[None, :] <= np.asarray(lengths)[:, None]


@wrong("padding_mask", "off-by-one", note="<= instead of <: one pad token let through")
def padding_mask_86(lengths, n):
    return np.arange(n)[None, :] <= np.asarray(lengths)[:, None]


@wrong("padding_mask", "transposed-mask", note="(n, B): right shape for a square case")
def padding_transposed(lengths, n):
    return np.arange(n)[:, None] < np.asarray(lengths)[None, :]


@wrong("padding_mask", "transposed-mask", note="Positions run down the rows, so the result is (n, B).")
def padding_5(lengths, n):
    return np.arange(n)[:, None] < np.asarray(lengths)


@wrong("padding_mask", "transposed-mask", note="Loop returns (n, B)")
def padding_mask_89(lengths, n):
    return np.arange(n)[:, None] < np.asarray(lengths)[None, :]


@wrong("padding_mask", "padding-on-the-left")
def padding_left(lengths, n):
    return np.arange(n) >= n - np.asarray(lengths)[:, None]


@wrong("padding_mask", "padding-on-the-left", note="Puts the real tokens at the end of each row.")
def padding_3(lengths, n):
    return np.array([[False] * (n - L) + [True] * L for L in lengths], dtype=bool)


@wrong("padding_mask", "padding-on-the-left", note="Left padding: real tokens at the end")
def padding_mask_87(lengths, n):
    L = np.asarray(lengths)
    return np.arange(n)[None] >= (n - L)[:, None]


@wrong("padding_mask", "mask-not-bool")
def padding_int(lengths, n):
    return (np.arange(n) < np.asarray(lengths)[:, None]).astype(int)


@wrong("padding_mask", "mask-not-bool", note="float zeros and ones")
def padding_float(lengths, n):
    mask = np.zeros((len(lengths), n))
    for b, length in enumerate(lengths):
        mask[b, :length] = 1
    return mask


@wrong("padding_mask", "keepdims-left", note="(B, 1, 1, n)")
def padding_four_axes(lengths, n):
    return (np.arange(n) < np.asarray(lengths)[:, None])[:, None, None, :]


@wrong("padding_mask", "n-ignored", note="as wide as the longest")
def padding_max_length(lengths, n):
    return np.arange(np.max(lengths)) < np.asarray(lengths)[:, None]


@wrong("padding_mask", "n-ignored", note="Takes the longest sequence as the width instead of n.")
def padding_4(lengths, n):
    n = max(lengths)
    return np.array([[t < L for t in range(n)] for L in lengths], dtype=bool)


@wrong("padding_mask", "n-ignored", note="Uses max(lengths) as width instead of n")
def padding_mask_90(lengths, n):
    L = np.asarray(lengths)
    return np.arange(L.max())[None] < L[:, None]


@wrong("padding_mask", "first-batch-only")
def padding_first(lengths, n):
    return np.tile(np.arange(n) < lengths[0], (len(lengths), 1))


@wrong("padding_mask", "shortest-for-all", note="shortest length for everyone")
def padding_shortest(lengths, n):
    return np.tile(np.arange(n) < np.min(lengths), (len(lengths), 1))


@wrong("padding_mask", "broadcast-needs-square", note="compares position b with length b")
def padding_no_axis(lengths, n):
    return np.arange(n) < lengths


@wrong("padding_mask", "negative-zero-slice", note="[-0:] hides a full row")
def padding_negative_slice(lengths, n):
    mask = np.ones((len(lengths), n), dtype=bool)
    for b, length in enumerate(lengths):
        mask[b, -(n - length) :] = False
    return mask


@wrong(
    "padding_mask",
    "negative-zero-slice",
    note="Blanks the last n - length entries with a negative slice; -0 blanks a full sequence.",
)
def padding_2(lengths, n):
    mask = np.ones((len(lengths), n), dtype=bool)
    for b, length in enumerate(lengths):
        mask[b, -(n - length) :] = False
    return mask


@wrong("padding_mask", "one-token-only", note="marks the last real token")
def padding_last_real(lengths, n):
    return np.arange(n) == np.asarray(lengths)[:, None] - 1


@wrong("padding_mask", "one-token-only", note="Marks the position `lengths` only (one-hot)")
def padding_mask_88(lengths, n):
    return np.arange(n)[None] == (np.asarray(lengths) - 1)[:, None]


@wrong("padding_mask", "lengths-sorted")
def padding_sorted(lengths, n):
    return np.arange(n) < np.sort(lengths)[::-1][:, None]


@wrong(
    "padding_mask",
    "lengths-sorted",
    note="Sorts the sequences by length (as pack_padded_sequence wants) and keeps that order.",
)
def padding_8(lengths, n):
    lengths = sorted(lengths, reverse=True)
    mask = np.zeros((len(lengths), n), bool)
    for row, length in zip(mask, lengths):
        row[:length] = True
    return mask


@wrong("padding_mask", "square-per-sequence", note="(B, n, n)")
def padding_square(lengths, n):
    real = np.arange(n) < np.asarray(lengths)[:, None]
    return real[:, None, :] & real[:, :, None]


@wrong("padding_mask", "input-changed")
def padding_in_place(lengths, n):
    lengths -= 1
    return np.arange(n) <= np.asarray(lengths)[:, None]


@wrong("padding_mask", "mask-missing", note="all True")
def padding_all(lengths, n):
    return np.ones((len(lengths), n), dtype=bool)


@wrong("padding_mask", "longest-for-all", note="Compares with the largest length for every row.")
def padding_6(lengths, n):
    longest = np.max(lengths)
    return np.tile(np.arange(n) < longest, (len(lengths), 1))


@wrong(
    "padding_mask",
    "mask-inverted+off-by-one",
    note="True marks padding, and the first padding token is not marked because of >.",
)
def padding_7(lengths, n):
    t = torch.arange(n).unsqueeze(0)
    return (t > torch.as_tensor(np.asarray(lengths)).unsqueeze(1)).numpy()


@wrong(
    "padding_mask",
    "bitwise-on-int",
    note="Builds with mask[b, :L] = 1 in a zeros int array and inverts with ~ (bitwise on ints: -1/-2)",
)
def padding_mask_91(lengths, n):
    m = np.ones((len(lengths), n), dtype=int)
    for b, L in enumerate(lengths):
        m[b, :L] = 0
    return ~m


@wrong(
    "padding_mask",
    "fixed-size",
    note="return is indented into the loop, so only the first sequence is filled in; and the mask has the fixed shape (3, 4) of the notebook's batch.",
)
def padding_mask_fixed_size(lengths, n):
    mask = np.zeros((3, 4), dtype=bool)
    for b in range(3):
        for j in range(lengths[b]):
            mask[b, j] = True
        return mask


@wrong("padding_mask", "entry-as-index", note="a sequence of length b is written into row b - 1")
def padding_length_as_row(lengths, n):
    mask = np.zeros((len(lengths), n), dtype=bool)
    for b in lengths:
        mask[b - 1, :b] = True
    return mask


@wrong("padding_mask", "empty-sequence-filled", note="length 0 is replaced by n")
def padding_empty_is_full(lengths, n):
    full = np.where(np.asarray(lengths) == 0, n, lengths)
    return np.arange(n) < full[:, None]


@wrong("padding_mask", "empty-sequence-filled", note="the last real place of an empty sequence is -1")
def padding_until_place_minus_one(lengths, n):
    last = np.arange(n)[np.asarray(lengths) - 1]
    return np.arange(n) <= last[:, None]


@wrong("padding_mask", "total-not-reset")
def padding_mask_one_list_for_all(lengths, n):
    mask, row = [], []
    for length in lengths:
        for t in range(n):
            row.append(t < length)
        mask.append(row)
    return np.array(mask)


@wrong("padding_mask", "mask-missing", note="asks only whether a length is 0")
def padding_mask_of_nonempty_sequences(lengths, n):
    return np.repeat((lengths != 0)[:, None], n, axis=1)


@wrong("padding_mask", "wrong-row-count", note="n rows, of which the first are filled")
def padding_mask_n_rows(lengths, n):
    mask = np.zeros((n, n), dtype=bool)
    for i in range(len(lengths)):
        mask[i, : lengths[i]] = True
    return mask


@wrong("padding_mask", "wrong-row-count", note="n rows, entry by entry")
def padding_mask_n_rows_by_entry(lengths, n):
    mask = np.full((n, n), False)
    for i, length in enumerate(lengths):
        for j in range(length):
            mask[i, j] = True
    return mask


@wrong("padding_mask", "wrong-row-count", note="n rows, compared at once")
def padding_mask_n_rows_at_once(lengths, n):
    padded = np.zeros(n, dtype=int)
    padded[: min(n, len(lengths))] = lengths[:n]
    return np.arange(n) < padded[:, None]


@wrong("padding_mask", "broadcast-needs-square", note="columns against columns")
def padding_of_two_columns(lengths, n):
    positions = np.arange(n)[:, None]
    return positions < lengths[:, None]


@wrong("padding_mask", "total-not-reset", note="the row is not cleared between sequences")
def padding_in_one_row(lengths, n):
    row = np.zeros(n, dtype=bool)
    rows = []
    for length in lengths:
        row[:length] = True
        rows.append(row.copy())
    return np.stack(rows)


@wrong("padding_mask", "fixed-size", note="the sentences of the text written in")
def padding_of_the_text(lengths, n):
    lengths, n = np.array([4, 3, 1]), 4
    return np.arange(n) < lengths[:, None]
