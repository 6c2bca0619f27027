"""Right and wrong answers to `combined_mask`, as learners write them."""

import numpy as np
import torch

from banks.registry import right, wrong

# Right answers, each in its own style


@right("combined_mask", "causal & padding")
def combined_and(lengths, n):
    causal = np.tril(np.ones((n, n), dtype=bool))
    padding = np.arange(n) < lengths[:, None]
    return causal & padding[:, None, None, :]


@right("combined_mask", "loops over every entry")
def combined_loops(lengths, n):
    mask = np.zeros((len(lengths), 1, n, n), dtype=bool)
    for b in range(len(lengths)):
        for i in range(n):
            for j in range(n):
                mask[b, 0, i, j] = j <= i and j < lengths[b]
    return mask


@right("combined_mask", "key below the smaller bound")
def combined_minimum(lengths, n):
    bound = np.minimum(np.arange(1, n + 1), np.reshape(lengths, (-1, 1)))
    return (np.arange(n) < bound[..., None])[:, np.newaxis]


@right("combined_mask", "product of booleans")
def combined_product(lengths, n):
    keys = np.arange(n)
    return (keys <= keys[:, None]) * (keys < np.asarray(lengths)[:, None, None, None])


@right("combined_mask", "einsum of integers")
def combined_einsum(lengths, n):
    causal = np.tri(n, dtype=int)
    padding = (np.arange(n) < lengths[:, None]).astype(int)
    return np.einsum("qk,bk->bqk", causal, padding).astype(bool).reshape(-1, 1, n, n)


@right("combined_mask", "columns blanked sentence by sentence, stacked")
def combined_columns(lengths, n):
    masks = []
    for length in lengths:
        mask = np.tri(n, dtype=bool)
        mask[:, length:] = False
        masks.append([mask])
    return np.array(masks)


@right("combined_mask", "torch inside")
def combined_torch(lengths, n):
    causal = torch.tril(torch.ones(n, n)).bool()
    padding = torch.arange(n).expand(len(lengths), n) < torch.tensor(lengths)[:, None]
    return torch.logical_and(causal[None, None], padding[:, None, None]).numpy()


@right("combined_mask", "blocked or, then inverted; a moved axis")
def combined_blocked_or_inverted_moved(lengths, n):
    position = np.arange(n)
    future = position[:, None] > position[None, :]  # [key, query]
    padded = position[:, None] >= np.asarray(lengths)[None, :]  # [key, sentence]
    blocked = future[:, :, None] | padded[:, None, :]
    return ~np.moveaxis(blocked, (0, 1, 2), (2, 1, 0))[:, None]


@right("combined_mask", "minimum of lengths and query index")
def combined_mask_36(lengths, n):
    i = np.arange(n)
    lim = np.minimum(i[None, :] + 1, np.asarray(lengths)[:, None])  # B, n
    return (i < lim[..., None])[:, None]


# Wrong answers, those with one mistake together


@wrong("combined_mask", "no-head-axis", note="(B, n, n): right broadcast when B == h")
def combined_no_head(lengths, n):
    real = np.arange(n) < np.asarray(lengths)[:, None]
    return np.tri(n, dtype=bool) & real[:, None, :]


@wrong("combined_mask", "no-head-axis", note="(1, B, n, n): right for a batch of one")
def combined_batch_as_heads(lengths, n):
    real = np.arange(n) < np.asarray(lengths)[:, None]
    return (np.tri(n, dtype=bool) & real[:, None, :])[None]


@wrong("combined_mask", "no-head-axis", note="Returns (B, n, n): the head axis is missing.")
def combined_1(lengths, n):
    pad = np.arange(n) < np.asarray(lengths)[:, None]
    return np.tri(n, dtype=bool)[None] & pad[:, None, :]


@wrong("combined_mask", "no-head-axis", note="Puts the axis of length 1 in front of the batch: (1, B, n, n).")
def combined_5(lengths, n):
    masks = []
    for L in lengths:
        masks.append([[k <= q and k < L for k in range(n)] for q in range(n)])
    return np.array([masks], dtype=bool)


@wrong("combined_mask", "no-head-axis", note="Forgets the head axis: (B, n, n)")
def combined_mask_96(lengths, n):
    c = np.tril(np.ones((n, n), bool))
    return c[None] & (np.arange(n) < np.asarray(lengths)[:, None])[:, None, :]


@wrong("combined_mask", "padding-on-queries")
def combined_queries(lengths, n):
    real = np.arange(n) < np.asarray(lengths)[:, None]
    return np.tri(n, dtype=bool) & real[:, None, :, None]


@wrong("combined_mask", "padding-on-queries", note="as well as on keys")
def combined_both(lengths, n):
    real = np.arange(n) < np.asarray(lengths)[:, None]
    return np.tri(n, dtype=bool) & real[:, None, :, None] & real[:, None, None, :]


@wrong(
    "combined_mask",
    "padding-on-queries",
    note="The padding goes onto the query rows instead of the key columns.",
)
def combined_2(lengths, n):
    pad = np.arange(n) < np.asarray(lengths)[:, None]
    return np.tril(np.ones((n, n), dtype=bool)) & pad[:, None, :, None]


@wrong(
    "combined_mask",
    "padding-on-queries",
    note="Fills only a length-by-length triangle, so the rows of padding queries are hidden as well.",
)
def combined_4(lengths, n):
    mask = np.zeros((len(lengths), 1, n, n), dtype=bool)
    for b, L in enumerate(lengths):
        mask[b, 0, :L, :L] = np.tri(L, dtype=bool)
    return mask


@wrong("combined_mask", "padding-on-queries", note="Masks padding queries, not keys")
def combined_mask_93(lengths, n):
    c = np.tril(np.ones((n, n), bool))[None, None]
    p = (np.arange(n) < np.asarray(lengths)[:, None])[:, None, :, None]
    return c & p


@wrong("combined_mask", "padding-on-queries", note="Masks both padding queries and padding keys")
def combined_mask_94(lengths, n):
    c = np.tril(np.ones((n, n), bool))[None, None]
    p = np.arange(n) < np.asarray(lengths)[:, None]
    return c & p[:, None, None, :] & p[:, None, :, None]


@wrong("combined_mask", "or-instead-of-and")
def combined_or(lengths, n):
    real = np.arange(n) < np.asarray(lengths)[:, None]
    return np.tri(n, dtype=bool) | real[:, None, None, :]


@wrong("combined_mask", "or-instead-of-and", note="+ on booleans is `or`")
def combined_plus(lengths, n):
    real = np.arange(n) < np.asarray(lengths)[:, None]
    return np.tri(n, dtype=bool) + real[:, None, None, :]


@wrong("combined_mask", "or-instead-of-and", note="xor")
def combined_xor(lengths, n):
    real = np.arange(n) < np.asarray(lengths)[:, None]
    return np.tri(n, dtype=bool) ^ real[:, None, None, :]


@wrong("combined_mask", "or-instead-of-and", note="Adds the two masks, which for booleans means or.")
def combined_3(lengths, n):
    pad = np.arange(n)[None] < np.asarray(lengths)[:, None]
    return np.tril(np.ones((n, n), dtype=bool)) + pad[:, None, None, :]


@wrong("combined_mask", "or-instead-of-and", note="causal OR padding instead of AND")
def combined_mask_92(lengths, n):
    c = np.tril(np.ones((n, n), bool))[None, None]
    p = (np.arange(n) < np.asarray(lengths)[:, None])[:, None, None, :]
    return c | p


@wrong("combined_mask", "mask-inverted")
def combined_inverted(lengths, n):
    real = np.arange(n) < np.asarray(lengths)[:, None]
    return ~(np.tri(n, dtype=bool) & real[:, None, None, :])


@wrong("combined_mask", "mask-inverted", note="of the padding only")
def combined_padding_inverted(lengths, n):
    padded = np.arange(n) >= np.asarray(lengths)[:, None]
    return np.tri(n, dtype=bool) & padded[:, None, None, :]


@wrong("combined_mask", "lengths-ignored")
def combined_causal_only(lengths, n):
    return np.broadcast_to(np.tri(n, dtype=bool), (len(lengths), 1, n, n)).copy()


@wrong("combined_mask", "causal-forgotten")
def combined_padding_only(lengths, n):
    real = np.arange(n) < np.asarray(lengths)[:, None]
    return np.repeat(real[:, None, None, :], n, axis=2)


@wrong("combined_mask", "causal-forgotten", note="(B, 1, 1, n): only the last row of causal")
def combined_any(lengths, n):
    real = np.arange(n) < np.asarray(lengths)[:, None]
    return (np.tri(n, dtype=bool) & real[:, None, None, :]).any(axis=-2, keepdims=True)


@wrong(
    "combined_mask",
    "causal-forgotten",
    note="Broadcasts the padding mask to (B, 1, n, n) and leaves the future open.",
)
def combined_6(lengths, n):
    pad = np.arange(n) < np.asarray(lengths)[:, None]
    return np.broadcast_to(pad[:, None, None, :], (len(pad), 1, n, n)).copy()


@wrong("combined_mask", "transposed-mask")
def combined_triu(lengths, n):
    real = np.arange(n) < np.asarray(lengths)[:, None]
    return np.triu(np.ones((n, n), dtype=bool)) & real[:, None, None, :]


@wrong("combined_mask", "transposed-mask", note="keys and queries of the whole mask swapped")
def combined_swapped(lengths, n):
    real = np.arange(n) < np.asarray(lengths)[:, None]
    return (np.tri(n, dtype=bool) & real[:, None, None, :]).swapaxes(-1, -2)


@wrong("combined_mask", "diagonal-hidden")
def combined_strict(lengths, n):
    real = np.arange(n) < np.asarray(lengths)[:, None]
    return np.tri(n, k=-1, dtype=bool) & real[:, None, None, :]


@wrong("combined_mask", "future-visible-by-one")
def combined_k1(lengths, n):
    real = np.arange(n) < np.asarray(lengths)[:, None]
    return np.tri(n, k=1, dtype=bool) & real[:, None, None, :]


@wrong("combined_mask", "off-by-one", note="one padded key stays visible")
def combined_le(lengths, n):
    real = np.arange(n) <= np.asarray(lengths)[:, None]
    return np.tri(n, dtype=bool) & real[:, None, None, :]


@wrong("combined_mask", "mask-not-bool")
def combined_int(lengths, n):
    real = np.arange(n) < np.asarray(lengths)[:, None]
    return np.tri(n, dtype=int) * real[:, None, None, :]


@wrong("combined_mask", "first-batch-only")
def combined_first(lengths, n):
    real = np.arange(n) < lengths[0]
    return np.broadcast_to(np.tri(n, dtype=bool) & real, (len(lengths), 1, n, n)).copy()


@wrong("combined_mask", "padding-on-the-left", note="aligned at the right")
def combined_left(lengths, n):
    real = np.arange(n) >= n - np.asarray(lengths)[:, None]
    return np.tri(n, dtype=bool) & real[:, None, None, :]


@wrong("combined_mask", "wrong-head-axis", note="(B, n, 1, n)")
def combined_head_third(lengths, n):
    real = np.arange(n) < np.asarray(lengths)[:, None]
    return (np.tri(n, dtype=bool) & real[:, None, :])[:, :, None, :]


@wrong(
    "combined_mask",
    "overwritten-instead-of-collected",
    note="Each sequence overwrites the one mask, so all sequences get the last one's padding.",
)
def combined_7(lengths, n):
    for L in lengths:
        m = np.tri(n, dtype=bool)
        m[:, L:] = False
    return np.repeat(m[None, None], len(lengths), axis=0)


@wrong(
    "combined_mask",
    "mask-not-bool+future-visible-by-one",
    note="Multiplies 0/1 floats and lets each query see one token ahead.",
)
def combined_8(lengths, n):
    causal = np.tril(np.ones((n, n)), 1)
    pad = (np.arange(n) < np.asarray(lengths)[:, None]).astype(float)
    return causal[None, None] * pad[:, None, None]


@wrong("combined_mask", "shortest-for-all", note="Uses the minimum length of the batch for everyone")
def combined_mask_95(lengths, n):
    c = np.tril(np.ones((n, n), bool))[None, None]
    p = np.arange(n) < min(lengths)
    return np.repeat(c & p, len(lengths), axis=0)


@wrong("combined_mask", "diagonal-hidden+off-by-one", note="Strict causal (no self) AND pad off by one")
def combined_mask_97(lengths, n):
    c = np.tril(np.ones((n, n), bool), -1)[None, None]
    p = (np.arange(n) <= np.asarray(lengths)[:, None])[:, None, None, :]
    return c & p


@wrong(
    "combined_mask",
    "diagonal-left-open",
    note="Fully masked rows 'rescued' by letting a token always see itself, including pad positions",
)
def combined_mask_98(lengths, n):
    c = np.tril(np.ones((n, n), bool))[None, None]
    p = (np.arange(n) < np.asarray(lengths)[:, None])[:, None, None, :]
    return (c & p) | np.eye(n, dtype=bool)[None, None]


@wrong("combined_mask", "mask-not-bool", note="to be added to the scores")
def combined_mask_additive(lengths, n):
    pad = np.arange(n) < lengths[:, None]
    mask = pad[:, None, None, :] & np.tril(np.ones((n, n))).astype(bool)
    return (1.0 - mask) * -10000.0


@wrong("combined_mask", "changes-pile-up", note="one causal table for all sequences, no copy")
def combined_mask_one_table(lengths, n):
    allowed = np.tril(np.ones((n, n), dtype=bool))
    out = np.zeros((len(lengths), 1, n, n), dtype=bool)
    for b, length in enumerate(lengths):
        allowed[:, length:] = False
        out[b, 0] = allowed
    return out


@wrong("combined_mask", "empty-sequence-filled", note="lengths are raised to 1, against NaN")
def combined_at_least_one_key(lengths, n):
    p = np.arange(n)
    return (p <= p[:, None]) & (p < np.maximum(lengths, 1)[:, None, None, None])


@wrong("combined_mask", "broadcast-needs-square", note="and the result is repeated for every sequence")
def combined_no_axes_then_tiled(lengths, n):
    p = np.arange(n)
    both = (p <= p[:, None]) & (p < np.asarray(lengths)[:, None])
    return np.tile(both, (len(lengths), 1, 1, 1))


@wrong("combined_mask", "transposed-mask+off-by-one+no-head-axis")
def combined_three_mistakes(lengths, n):
    p = np.arange(n)
    return np.array([(p >= p[:, None]) & (p <= length) for length in lengths])


@wrong("combined_mask", "operator-precedence", note="& binds tighter than <=")
def combined_without_brackets(lengths, n):
    pos = np.arange(n)
    padding = pos < lengths[:, None, None, None]
    return pos <= pos[:, None] & padding


@wrong("combined_mask", "fixed-size", note="the sentences of the text written in")
def combined_of_the_text(lengths, n):
    lengths, n = np.array([4, 3, 1]), 4
    padding = np.arange(n) < lengths[:, None]
    return np.tri(n, dtype=bool) & padding[:, None, None, :]
