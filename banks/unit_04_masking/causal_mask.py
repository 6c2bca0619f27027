"""Right and wrong answers to `causal_mask`, as learners write them."""

from functools import lru_cache, partial

import numpy as np
import torch

from banks.registry import add_right, right, wrong

# Right answers, each in its own style


@right("causal_mask", "np.tril")
def causal_tril(n):
    return np.tril(np.ones((n, n), dtype=bool))


@right("causal_mask", "comparison of positions")
def causal_compare(n):
    position = np.arange(n)
    return position[None, :] <= position[:, None]


@right("causal_mask", "nested lists")
def causal_lists(n):
    return np.array([[key <= query for key in range(n)] for query in range(n)])


@right("causal_mask", "not the strict upper triangle")
def causal_not_triu(n):
    return ~np.triu(np.ones((n, n)), k=1).astype(bool)


@right("causal_mask", "row slices")
def causal_slices(n):
    mask = np.full((n, n), False)
    for i in range(n):
        mask[i, : i + 1] = True
    return mask


@right("causal_mask", "torch tril, prints")
def causal_torch(n):
    mask = torch.ones(n, n, dtype=torch.bool).tril()
    print(mask)
    return mask.numpy()


@right("causal_mask", "an outer comparison, a transposed view")
def causal_outer(n):
    return np.less_equal.outer(np.arange(n), np.arange(n)).T


@right("causal_mask", "recursion by blocks")
def causal_recursive(n):
    if n == 1:
        return np.array([[True]])
    smaller = causal_recursive(n - 1)
    return np.block([[smaller, np.zeros((n - 1, 1), dtype=bool)], [np.ones((1, n), dtype=bool)]])


@right("causal_mask", "cached, from indices")
@lru_cache
def causal_indices(n):
    mask = np.zeros((n, n), dtype=np.bool_)
    mask[np.tril_indices(n)] = True
    return mask


@right("causal_mask", "cumulative or over the identity")
def causal_accumulate(n):
    return np.logical_or.accumulate(np.eye(n, dtype=bool)[:, ::-1], axis=1)[:, ::-1]


add_right("causal_mask", "partial of np.tri", partial(np.tri, dtype=bool))


@right("causal_mask", "np.tri bool")
def causal_mask_32(n):
    return np.tri(n, dtype=bool)


@right("causal_mask", "nested list comprehension -> greater_equal.outer")
def causal_mask_33(n):
    return np.greater_equal.outer(range(n), range(n))


# Wrong answers, those with one mistake together


@wrong("causal_mask", "diagonal-hidden")
def causal_strict(n):
    return np.tril(np.ones((n, n), dtype=bool), k=-1)


@wrong("causal_mask", "diagonal-hidden", note="< for <=")
def causal_less_than(n):
    return np.arange(n)[None, :] < np.arange(n)[:, None]


@wrong("causal_mask", "diagonal-hidden", note="slice without + 1")
def causal_slice(n):
    mask = np.zeros((n, n), dtype=bool)
    for i in range(n):
        mask[i, :i] = True
    return mask


@wrong("causal_mask", "diagonal-hidden", note="Uses key < query, so a token may not see itself.")
def causal_2(n):
    return np.array([[key < query for key in range(n)] for query in range(n)], dtype=bool).reshape(n, n)


@wrong("causal_mask", "diagonal-hidden", note="np.tril(..., k=-1): a token may not see itself")
def causal_mask_81(n):
    return np.tril(np.ones((n, n), dtype=bool), k=-1)


@wrong(
    "causal_mask",
    "diagonal-hidden",
    note="Loop 'for j in range(i)' plus the first row: sees only strictly earlier, but row 0 sees itself to avoid an empty row",
)
def causal_mask_83(n):
    m = np.zeros((n, n), dtype=bool)
    for i in range(n):
        for j in range(i):
            m[i, j] = True
    m[0, 0] = True
    return m


@wrong("causal_mask", "future-visible-by-one")
def causal_k1(n):
    return np.tril(np.ones((n, n), dtype=bool), k=1)


@wrong(
    "causal_mask",
    "future-visible-by-one",
    note="The slice end is one too far, so the next token stays visible.",
)
def causal_3(n):
    m = np.full((n, n), False)
    for i in range(n):
        m[i, : i + 2] = True
    return m


@wrong("causal_mask", "transposed-mask")
def causal_triu(n):
    return np.triu(np.ones((n, n), dtype=bool))


@wrong("causal_mask", "transposed-mask", note="rows and columns swapped in the comparison")
def causal_swapped_axes(n):
    return np.arange(n)[:, None] <= np.arange(n)[None, :]


@wrong(
    "causal_mask", "transposed-mask", note="Fills the upper triangle: each query sees itself and the future."
)
def causal_1(n):
    m = np.zeros((n, n), dtype=bool)
    for i in range(n):
        m[i, i:] = True
    return m


@wrong("causal_mask", "mask-inverted")
def causal_inverted(n):
    return ~np.tri(n, dtype=bool)


@wrong("causal_mask", "mask-inverted", note="nn.MultiheadAttention's convention")
def causal_blocked(n):
    return np.triu(np.ones((n, n), dtype=bool), k=1)


@wrong("causal_mask", "mask-inverted", note="Marks the blocked positions with True, as nn.Transformer does.")
def causal_5(n):
    return torch.triu(torch.ones(n, n, dtype=torch.bool), diagonal=1).numpy()


@wrong("causal_mask", "mask-not-bool", note="float")
def causal_float(n):
    return np.tril(np.ones((n, n)))


@wrong("causal_mask", "mask-not-bool", note="int")
def causal_int(n):
    return np.tril(np.ones((n, n), dtype=int))


@wrong("causal_mask", "mask-not-bool", note="additive")
def causal_additive(n):
    return np.triu(np.full((n, n), -np.inf), k=1)


@wrong(
    "causal_mask",
    "mask-not-bool",
    note="Returns a float array with 0 and -inf (an additive mask) instead of booleans.",
)
def causal_4(n):
    return np.triu(np.full((n, n), -np.inf), k=1)


@wrong("causal_mask", "mask-not-bool", note="Returns 0 / -inf float bias matrix instead of bool")
def causal_mask_82(n):
    m = np.zeros((n, n))
    m[np.triu_indices(n, 1)] = -np.inf
    return m


@wrong("causal_mask", "mask-missing", note="all True")
def causal_all(n):
    return np.ones((n, n), dtype=bool)


@wrong("causal_mask", "only-the-diagonal")
def causal_eye(n):
    return np.eye(n, dtype=bool)


@wrong("causal_mask", "only-last-two", note="right for n = 2")
def causal_band(n):
    i, j = np.indices((n, n))
    return (j <= i) & (j >= i - 1)


@wrong("causal_mask", "only-last-two", note="Allows just the token itself and the one before it.")
def causal_6(n):
    return np.eye(n, dtype=bool) | np.eye(n, k=-1, dtype=bool)


@wrong("causal_mask", "only-last-two", note="Only the previous token and itself (window of 2)")
def causal_mask_84(n):
    i = np.arange(n)
    d = i[:, None] - i[None, :]
    return (d == 0) | (d == 1)


@wrong("causal_mask", "flipped-triangle", note="the wrong corner")
def causal_flipped(n):
    return np.tril(np.ones((n, n), dtype=bool))[:, ::-1]


@wrong("causal_mask", "flipped-triangle", note="Anti-diagonal: flips the wrong way (np.fliplr of tril)")
def causal_mask_85(n):
    return np.fliplr(np.tril(np.ones((n, n), dtype=bool)))


@wrong("causal_mask", "keepdims-left", note="(1, n, n)")
def causal_extra_axis(n):
    return np.tril(np.ones((1, n, n), dtype=bool))


@wrong("causal_mask", "off-by-one", note="n + 1 tokens")
def causal_bigger(n):
    return np.tri(n + 1, dtype=bool)


@wrong("causal_mask", "last-left-out", note="the last row stays empty")
def causal_last_row(n):
    mask = np.zeros((n, n), dtype=bool)
    for i in range(n - 1):
        mask[i, : i + 1] = True
    return mask


@wrong("causal_mask", "returns-list")
def causal_list(n):
    return [[j <= i for j in range(n)] for i in range(n)]


@wrong("causal_mask", "state-between-calls", note="the first n for ever")
def causal_cached(n, mask=[]):
    if not mask:
        mask.append(np.tri(n, dtype=bool))
    return mask[0]


@wrong(
    "causal_mask",
    "diagonal-hidden+mask-not-bool",
    note="tril with k=-1 hides the token itself, and ones stay floats.",
)
def causal_7(n):
    return np.tril(np.ones((n, n)), k=-1)


@wrong("causal_mask", "mask-missing", note="n times the same list: every entry ends up True")
def causal_one_list_for_all_rows(n):
    mask = [[False] * n] * n
    for i in range(n):
        for j in range(i + 1):
            mask[i][j] = True
    return np.array(mask)


@wrong("causal_mask", "fixed-size", note="the four tokens of the text, cut to n")
def causal_by_hand_for_four(n):
    return np.array([[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]], dtype=bool)[:n, :n]


@wrong("causal_mask", "diagonal-hidden+mask-not-bool", note="0 and -inf, and < for <=")
def causal_additive_without_diagonal(n):
    i, j = np.ogrid[:n, :n]
    return np.where(j < i, 0.0, -np.inf)


@wrong("causal_mask", "transposed-mask+mask-not-bool", note="0 and -inf, the wrong way round")
def causal_additive_future(n):
    i, j = np.ogrid[:n, :n]
    return np.where(j >= i, 0.0, -np.inf)


_BUFFER = np.tril(np.ones((8, 8), dtype=bool))


@wrong("causal_mask", "fixed-size", note="cut out of a buffer that was made for 8 positions")
def causal_mask_from_a_buffer(n):
    return _BUFFER[:n, :n]
