"""Wrong answers to the exercises of unit 04."""

import numpy as np
import torch

from ..registry import wrong

# ------------------------------------------------------------------ causal_mask


@wrong("causal_mask", "diagonal-hidden")
def causal_strict(n):
    return np.tril(np.ones((n, n), dtype=bool), k=-1)


@wrong("causal_mask", "diagonal-hidden", note="< for <=")
def causal_less_than(n):
    return np.arange(n)[None, :] < np.arange(n)[:, None]


@wrong("causal_mask", "future-visible-by-one")
def causal_k1(n):
    return np.tril(np.ones((n, n), dtype=bool), k=1)


@wrong("causal_mask", "transposed-mask")
def causal_triu(n):
    return np.triu(np.ones((n, n), dtype=bool))


@wrong("causal_mask", "transposed-mask", note="rows and columns swapped in the comparison")
def causal_swapped_axes(n):
    return np.arange(n)[:, None] <= np.arange(n)[None, :]


@wrong("causal_mask", "mask-inverted")
def causal_inverted(n):
    return ~np.tri(n, dtype=bool)


@wrong("causal_mask", "mask-inverted", note="nn.MultiheadAttention's convention")
def causal_blocked(n):
    return np.triu(np.ones((n, n), dtype=bool), k=1)


@wrong("causal_mask", "mask-not-bool", note="float")
def causal_float(n):
    return np.tril(np.ones((n, n)))


@wrong("causal_mask", "mask-not-bool", note="int")
def causal_int(n):
    return np.tril(np.ones((n, n), dtype=int))


@wrong("causal_mask", "mask-not-bool", note="additive")
def causal_additive(n):
    return np.triu(np.full((n, n), -np.inf), k=1)


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


@wrong("causal_mask", "flipped-triangle", note="the wrong corner")
def causal_flipped(n):
    return np.tril(np.ones((n, n), dtype=bool))[:, ::-1]


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


@wrong("causal_mask", "diagonal-hidden", note="slice without + 1")
def causal_slice(n):
    mask = np.zeros((n, n), dtype=bool)
    for i in range(n):
        mask[i, :i] = True
    return mask


@wrong("causal_mask", "returns-list")
def causal_list(n):
    return [[j <= i for j in range(n)] for i in range(n)]


@wrong("causal_mask", "state-between-calls", note="the first n for ever")
def causal_cached(n, mask=[]):  # noqa: B006
    if not mask:
        mask.append(np.tri(n, dtype=bool))
    return mask[0]


# ------------------------------------------------------------------ padding_mask


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


@wrong("padding_mask", "transposed-mask", note="(n, B): right shape for a square case")
def padding_transposed(lengths, n):
    return np.arange(n)[:, None] < np.asarray(lengths)[None, :]


@wrong("padding_mask", "padding-on-the-left")
def padding_left(lengths, n):
    return np.arange(n) >= n - np.asarray(lengths)[:, None]


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


@wrong("padding_mask", "one-token-only", note="marks the last real token")
def padding_last_real(lengths, n):
    return np.arange(n) == np.asarray(lengths)[:, None] - 1


@wrong("padding_mask", "lengths-sorted")
def padding_sorted(lengths, n):
    return np.arange(n) < np.sort(lengths)[::-1][:, None]


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


# ------------------------------------------------------------------ combined_mask


@wrong("combined_mask", "no-head-axis", note="(B, n, n): right broadcast when B == h")
def combined_no_head(lengths, n):
    real = np.arange(n) < np.asarray(lengths)[:, None]
    return np.tri(n, dtype=bool) & real[:, None, :]


@wrong("combined_mask", "no-head-axis", note="(1, B, n, n): right for a batch of one")
def combined_batch_as_heads(lengths, n):
    real = np.arange(n) < np.asarray(lengths)[:, None]
    return (np.tri(n, dtype=bool) & real[:, None, :])[None]


@wrong("combined_mask", "padding-on-queries")
def combined_queries(lengths, n):
    real = np.arange(n) < np.asarray(lengths)[:, None]
    return np.tri(n, dtype=bool) & real[:, None, :, None]


@wrong("combined_mask", "padding-on-queries", note="as well as on keys")
def combined_both(lengths, n):
    real = np.arange(n) < np.asarray(lengths)[:, None]
    return np.tri(n, dtype=bool) & real[:, None, :, None] & real[:, None, None, :]


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


@wrong("combined_mask", "causal-forgotten", note="(B, 1, 1, n): only the last row of causal")
def combined_any(lengths, n):
    real = np.arange(n) < np.asarray(lengths)[:, None]
    return (np.tri(n, dtype=bool) & real[:, None, None, :]).any(axis=-2, keepdims=True)


@wrong("combined_mask", "padding-on-the-left", note="aligned at the right")
def combined_left(lengths, n):
    real = np.arange(n) >= n - np.asarray(lengths)[:, None]
    return np.tri(n, dtype=bool) & real[:, None, None, :]


@wrong("combined_mask", "wrong-head-axis", note="(B, n, 1, n)")
def combined_head_third(lengths, n):
    real = np.arange(n) < np.asarray(lengths)[:, None]
    return (np.tri(n, dtype=bool) & real[:, None, :])[:, :, None, :]


# ------------------------------------------------------------------ apply_mask


@wrong("apply_mask", "mask-multiplied")
def apply_times(scores, allowed):
    return scores * allowed


@wrong("apply_mask", "mask-multiplied", note="0 where blocked")
def apply_zero(scores, allowed):
    return np.where(allowed, scores, 0.0)


@wrong("apply_mask", "mask-inverted")
def apply_inverted(scores, allowed):
    return np.where(allowed, -np.inf, scores)


@wrong("apply_mask", "mask-inverted", note="masked_fill with allowed")
def apply_masked_fill(scores, allowed):
    return torch.tensor(scores).masked_fill(torch.tensor(allowed), -torch.inf).numpy()


@wrong("apply_mask", "mask-value-sign", note="+inf")
def apply_plus_inf(scores, allowed):
    return np.where(allowed, scores, np.inf)


@wrong("apply_mask", "mask-value-too-small", note="-1e-9 for -1e9")
def apply_typo(scores, allowed):
    return np.where(allowed, scores, -1e-9)


@wrong("apply_mask", "mask-value-too-small", note="-100: visible next to scores of -1000")
def apply_minus_hundred(scores, allowed):
    return np.where(allowed, scores, -100.0)


@wrong("apply_mask", "mask-value-too-small", note="the smallest score")
def apply_row_minimum(scores, allowed):
    return np.where(allowed, scores, scores.min(axis=-1, keepdims=True))


@wrong("apply_mask", "mask-value-too-small", note="adds -1 to blocked scores")
def apply_adds_minus_one(scores, allowed):
    return scores - ~allowed


@wrong("apply_mask", "input-changed")
def apply_in_place(scores, allowed):
    scores[np.broadcast_to(~allowed, scores.shape)] = -np.inf
    return scores


@wrong("apply_mask", "input-changed", note="copyto writes in the caller's scores, returns a copy")
def apply_copyto(scores, allowed):
    np.copyto(scores, -np.inf, where=~allowed)
    return scores.copy()


@wrong("apply_mask", "input-changed", note="the mask is inverted in place")
def apply_mask_in_place(scores, allowed):
    np.logical_not(allowed, out=allowed)
    return np.where(allowed, -np.inf, scores)


@wrong("apply_mask", "zero-times-inf", note="0 * -inf is NaN")
def apply_zero_times_inf(scores, allowed):
    return scores + ~allowed * -np.inf


@wrong("apply_mask", "mask-not-broadcast", note="right when shapes are equal")
def apply_boolean_index(scores, allowed):
    out = scores.copy()
    out[~allowed] = -np.inf
    return out


@wrong("apply_mask", "mask-not-broadcast", note="putmask repeats the mask instead of broadcasting it")
def apply_putmask(scores, allowed):
    out = scores.copy()
    np.putmask(out, ~allowed, -np.inf)
    return out


@wrong("apply_mask", "mask-ignored", note="always causal")
def apply_always_causal(scores, allowed):
    return np.where(np.tri(*scores.shape[-2:], dtype=bool), scores, -np.inf)


@wrong("apply_mask", "mask-ignored")
def apply_nothing(scores, allowed):
    return scores.copy()


@wrong("apply_mask", "zero-as-sentinel", note="a real score of 0 is hidden")
def apply_sentinel(scores, allowed):
    out = scores * allowed
    out[out == 0] = -np.inf
    return out


@wrong("apply_mask", "transposed-mask", note="right for symmetric masks")
def apply_transposed(scores, allowed):
    return np.where(np.swapaxes(np.atleast_2d(allowed), -1, -2), scores, -np.inf)


@wrong("apply_mask", "blocked-keys-removed", note="one flat array of the allowed scores")
def apply_compressed(scores, allowed):
    return scores[np.broadcast_to(allowed, scores.shape)]


@wrong("apply_mask", "softmax-too-early")
def apply_softmax(scores, allowed):
    return torch.softmax(torch.tensor(np.where(allowed, scores, -np.inf)), dim=-1).numpy()


@wrong("apply_mask", "mask-value-not-a-number", note="NaN where blocked")
def apply_nan(scores, allowed):
    return np.where(allowed, scores, np.nan)


@wrong("apply_mask", "mask-value-not-a-number", note="None: an object array")
def apply_none(scores, allowed):
    return np.where(allowed, scores, None)


@wrong("apply_mask", "blocked-row-left-open", note="a fully blocked row is not masked at all")
def apply_skip_blocked_row(scores, allowed):
    return np.where(allowed | ~allowed.any(axis=-1, keepdims=True), scores, -np.inf)


@wrong("apply_mask", "first-batch-only")
def apply_first_batch(scores, allowed):
    first = np.broadcast_to(allowed, scores.shape).reshape(-1, *scores.shape[-2:])[0]
    return np.where(first, scores, -np.inf)


@wrong("apply_mask", "float32")
def apply_float32(scores, allowed):
    return np.where(allowed, scores.astype(np.float32), np.float32(-np.inf))


# ------------------------------------------------------------------ to_blocked


@wrong("to_blocked", "mask-not-inverted")
def blocked_same(allowed):
    return allowed.copy()


@wrong("to_blocked", "mask-not-inverted", note="inverted twice")
def blocked_twice(allowed):
    return ~np.logical_not(allowed)


@wrong("to_blocked", "mask-missing", note="nothing blocked")
def blocked_nothing(allowed):
    return np.zeros_like(allowed)


@wrong("to_blocked", "mask-missing", note="everything blocked")
def blocked_everything(allowed):
    return np.ones_like(allowed)


@wrong("to_blocked", "mask-not-bool", note="int: nn.MultiheadAttention refuses it")
def blocked_one_minus(allowed):
    return 1 - allowed


@wrong("to_blocked", "bitwise-on-int", note="~ of integers is -1 and -2")
def blocked_int_invert(allowed):
    return ~allowed.astype(int)


@wrong("to_blocked", "mask-not-bool", note="additive with the signs swapped: -inf where allowed")
def blocked_float_swapped(allowed):
    return np.where(allowed, -np.inf, 0.0)


@wrong("to_blocked", "mask-not-bool", note="1.0 where blocked is ADDED to the scores")
def blocked_float(allowed):
    return 1.0 - allowed


@wrong("to_blocked", "minus-on-bool", note="NumPy refuses -mask")
def blocked_minus(allowed):
    return -allowed


@wrong("to_blocked", "array-truth-value", note="`not` wants one truth value")
def blocked_not(allowed):
    return not allowed


@wrong("to_blocked", "transposed-mask", note="right for symmetric masks")
def blocked_transposed(allowed):
    return ~np.swapaxes(allowed, -1, -2)


@wrong("to_blocked", "transposed-mask", note="transposed but not inverted: a causal mask looks right")
def blocked_only_transposed(allowed):
    return np.swapaxes(allowed, -1, -2)


@wrong("to_blocked", "mask-ignored", note="always the causal one")
def blocked_causal(allowed):
    return np.triu(np.ones(allowed.shape, dtype=bool), k=1)


@wrong("to_blocked", "diagonal-left-open", note="a token may always see itself")
def blocked_keeps_diagonal(allowed):
    return ~allowed & ~np.eye(*allowed.shape[-2:], dtype=bool)


@wrong("to_blocked", "input-changed")
def blocked_in_place(allowed):
    np.logical_not(allowed, out=allowed)
    return allowed


@wrong("to_blocked", "reduced-to-one-value")
def blocked_any(allowed):
    return not allowed.all()


@wrong("to_blocked", "reduced-to-one-value", note="one flag per query")
def blocked_per_query(allowed):
    return ~allowed.any(axis=-1)


@wrong("to_blocked", "blocked-row-left-open", note="opens a fully blocked row to avoid NaN")
def blocked_opens_rows(allowed):
    return ~allowed & allowed.any(axis=-1, keepdims=True)


@wrong("to_blocked", "flipped-triangle", note="np.flip is not `not`")
def blocked_flip(allowed):
    return np.flip(allowed)


# ------------------------------------------------------------------ leaks_future


@wrong("leaks_future", "always-false")
def leaks_never(attend, n, d):
    return False


@wrong("leaks_future", "always-true")
def leaks_always(attend, n, d):
    return True


@wrong("leaks_future", "always-true", note="True unless n == 1")
def leaks_always_but_one(attend, n, d):
    return n > 1


@wrong("leaks_future", "nothing-changed", note="compares two runs on the same input")
def leaks_same_input(attend, n, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    return not np.allclose(attend(X), attend(X.copy()))


@wrong("leaks_future", "nothing-changed", note="Y is X: no copy")
def leaks_alias(attend, n, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    for t in range(1, n):
        Y = X
        Y[t:] += 1.0
        if not np.allclose(attend(X)[:t], attend(Y)[:t]):
            return True
    return False


@wrong("leaks_future", "only-last-token")
def leaks_last_token(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    Y = X.copy()
    Y[-1] = rng.normal(size=d)
    return not np.allclose(attend(X)[:-1], attend(Y)[:-1])


@wrong("leaks_future", "only-first-row", note="changes everything after token 0, looks at row 0")
def leaks_first_row(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    Y = X.copy()
    Y[1:] = rng.normal(size=(n - 1, d))
    return not np.allclose(attend(X)[0], attend(Y)[0])


@wrong("leaks_future", "only-the-row-before", note="row t against token t + 1")
def leaks_next(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t] = rng.normal(size=d)
        if not np.allclose(before[t - 1], attend(Y)[t - 1]):
            return True
    return False


@wrong("leaks_future", "only-first-row", note="every later token, but row 0 only")
def leaks_every_token_row_zero(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t] = rng.normal(size=d)
        if not np.allclose(before[0], attend(Y)[0]):
            return True
    return False


@wrong("leaks_future", "only-middle", note="second half against first half")
def leaks_halves(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    half = n // 2
    Y = X.copy()
    Y[half:] = rng.normal(size=(n - half, d))
    return not np.allclose(attend(X)[:half], attend(Y)[:half])


@wrong("leaks_future", "off-by-one", note="token 1 is never changed alone")
def leaks_from_two(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(2, n):
        Y = X.copy()
        Y[t] = rng.normal(size=d)
        if not np.allclose(before[:t], attend(Y)[:t]):
            return True
    return False


@wrong("leaks_future", "off-by-one", note="the last token is never changed")
def leaks_not_last(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(n - 1):
        Y = X.copy()
        Y[t] = rng.normal(size=d)
        if not np.allclose(before[:t], attend(Y)[:t]):
            return True
    return False


@wrong("leaks_future", "off-by-one", note="does not see a leak of one step")
def leaks_skips_neighbour(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t] = rng.normal(size=d)
        if not np.allclose(before[: t - 1], attend(Y)[: t - 1]):
            return True
    return False


@wrong("leaks_future", "own-row-compared", note="the changed token's own output")
def leaks_own_row(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t] = rng.normal(size=d)
        if not np.allclose(before[: t + 1], attend(Y)[: t + 1]):
            return True
    return False


@wrong("leaks_future", "own-row-compared", note="all rows")
def leaks_all_rows(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t] += 1
        if not np.allclose(before, attend(Y)):
            return True
    return False


@wrong("leaks_future", "past-and-future-swapped", note="looks at the later rows")
def leaks_later_rows(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(n - 1):
        Y = X.copy()
        Y[t] = rng.normal(size=d)
        if not np.allclose(before[t + 1 :], attend(Y)[t + 1 :]):
            return True
    return False


@wrong("leaks_future", "past-and-future-swapped", note="changes the earlier tokens")
def leaks_changes_past(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[:t] = rng.normal(size=(t, d))
        if not np.allclose(before[t], attend(Y)[t]):
            return True
    return False


@wrong("leaks_future", "result-inverted", note="True for the causal ones")
def leaks_inverted(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t:] = rng.normal(size=(n - t, d))
        if not np.allclose(before[:t], attend(Y)[:t]):
            return False
    return True


@wrong("leaks_future", "returned-inside-loop", note="answers after t = 1")
def leaks_early_return(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t] = rng.normal(size=d)
        return not np.allclose(before[:t], attend(Y)[:t])
    return False


@wrong("leaks_future", "change-too-small", note="1e-9 is inside np.allclose")
def leaks_tiny(attend, n, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t:] += 1e-9
        if not np.allclose(before[:t], attend(Y)[:t]):
            return True
    return False


@wrong("leaks_future", "change-too-small", note="1e-5, seen only by strong leaks")
def leaks_small(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t:] += 1e-5 * rng.normal(size=(n - t, d))
        if not np.allclose(before[:t], attend(Y)[:t], atol=1e-5):
            return True
    return False


@wrong("leaks_future", "tolerance-too-wide", note="a weak leak is overlooked")
def leaks_wide(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t:] = rng.normal(size=(n - t, d))
        if not np.allclose(before[:t], attend(Y)[:t], atol=0.1):
            return True
    return False


@wrong("leaks_future", "tolerance-too-wide", note="mean change: one leaking entry is diluted")
def leaks_mean_change(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t:] = rng.normal(size=(n - t, d))
        if np.abs(attend(Y)[:t] - before[:t]).mean() > 0.05:
            return True
    return False


@wrong("leaks_future", "exact-comparison", note="rounding counts as a leak")
def leaks_exact(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t:] = rng.normal(size=(n - t, d))
        if (before[:t] != attend(Y)[:t]).any():
            return True
    return False


@wrong("leaks_future", "all-instead-of-any", note="every output must change")
def leaks_all_changed(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t:] = rng.normal(size=(n - t, d))
        if not np.isclose(before[:t], attend(Y)[:t]).any():
            return True
    return False


@wrong("leaks_future", "compares-sums", note="a normalised output has the same sum")
def leaks_sum(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t:] = rng.normal(size=(n - t, d))
        if not np.isclose(before[:t].sum(), attend(Y)[:t].sum()):
            return True
    return False


@wrong("leaks_future", "lost-sign", note="sees only outputs that grow")
def leaks_no_abs(attend, n, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t:] += 1 + np.arange(d)
        if (attend(Y)[:t] - before[:t]).max() > 1e-9:
            return True
    return False


@wrong("leaks_future", "one-feature-only", note="changes feature 0")
def leaks_feature_in(attend, n, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t:, 0] += 1.0
        if not np.allclose(before[:t], attend(Y)[:t]):
            return True
    return False


@wrong("leaks_future", "one-feature-only", note="looks at output feature 0")
def leaks_feature_out(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t:] = rng.normal(size=(n - t, d))
        if not np.allclose(before[:t, 0], attend(Y)[:t, 0]):
            return True
    return False


@wrong("leaks_future", "square-only", note="looks at d outputs, there are d_out")
def leaks_d_out(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t:] = rng.normal(size=(n - t, d))
        after = attend(Y)
        for i in range(t):
            for j in range(d):
                if abs(after[i, j] - before[i, j]) > 1e-9:
                    return True
    return False


@wrong("leaks_future", "blind-change", note="another order: a mean over the future does not see it")
def leaks_shuffle(attend, n, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = np.concatenate([X[:t], X[t:][::-1]])
        if not np.allclose(before[:t], attend(Y)[:t]):
            return True
    return False


@wrong("leaks_future", "blind-change", note="one-hot tokens: features from n on are never tried")
def leaks_one_hot(attend, n, d):
    X = np.eye(n, d)
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t:] = 0.0
        if not np.allclose(before[:t], attend(Y)[:t]):
            return True
    return False


@wrong("leaks_future", "nan-probe", note="0 * NaN is NaN: causal ones look leaky")
def leaks_nan(attend, n, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    for t in range(1, n):
        Y = X.copy()
        Y[t:] = np.nan
        if np.isnan(attend(Y)[:t]).any():
            return True
    return False


@wrong("leaks_future", "future-cut-off", note="an attend for n tokens does not take t of them")
def leaks_truncate(attend, n, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    before = attend(X)
    return any(not np.allclose(before[:t], attend(X[:t])) for t in range(1, n))


@wrong("leaks_future", "arguments-ignored", note="four tokens, whatever n")
def leaks_fixed_size(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4, d))
    before = attend(X)
    for t in range(1, 4):
        Y = X.copy()
        Y[t:] = rng.normal(size=(4 - t, d))
        if not np.allclose(before[:t], attend(Y)[:t]):
            return True
    return False


@wrong("leaks_future", "columns-as-tokens", note="changes features from t on")
def leaks_columns(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[:, t:] = rng.normal(size=Y[:, t:].shape)
        if not np.allclose(before[:t], attend(Y)[:t]):
            return True
    return False


@wrong("leaks_future", "different-inputs", note="two unrelated inputs")
def leaks_unrelated(attend, n, d):
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(n, d)), rng.normal(size=(n, d))
    return not np.allclose(attend(X)[:-1], attend(Y)[:-1])


@wrong("leaks_future", "returns-string")
def leaks_string(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t:] = rng.normal(size=(n - t, d))
        if not np.allclose(before[:t], attend(Y)[:t]):
            return "leaks"
    return "causal"


@wrong("leaks_future", "returns-per-row", note="an array of flags")
def leaks_rows(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    before, flags = attend(X), np.zeros(n, dtype=bool)
    for t in range(1, n):
        Y = X.copy()
        Y[t:] = rng.normal(size=(n - t, d))
        flags[t - 1] = not np.allclose(before[t - 1], attend(Y)[t - 1])
    return flags


@wrong("leaks_future", "one-random-token", note="misses most single-token leaks")
def leaks_one_random(attend, n, d):
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, d))
    t = int(rng.integers(1, n)) if n > 1 else 0
    Y = X.copy()
    Y[t] = rng.normal(size=d)
    return not np.allclose(attend(X)[:t], attend(Y)[:t])


@wrong("leaks_future", "single-token-sequence", note="n = 1 raises")
def leaks_n_one(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    Y = X.copy()
    Y[1] = rng.normal(size=d)
    if not np.allclose(attend(X)[0], attend(Y)[0]):
        return True
    return any(_changes(attend, X, t, rng) for t in range(2, n))


@wrong("leaks_future", "single-token-sequence", note="n = 1 is called a leak")
def leaks_n_one_true(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    if n < 2:
        return True
    return any(_changes(attend, X, t, rng) for t in range(1, n))


@wrong("leaks_future", "state-between-calls", note="once a leak, always a leak")
def leaks_remembers(attend, n, d, found=[]):  # noqa: B006
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    found.extend(t for t in range(1, n) if _changes(attend, X, t, rng))
    return len(found) > 0


@wrong("leaks_future", "overwritten-instead-of-collected", note="the last t decides")
def leaks_overwrites(attend, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    leak = False
    for t in range(1, n):
        Y = X.copy()
        Y[t] = rng.normal(size=d)
        leak = not np.allclose(attend(X)[:t], attend(Y)[:t])
    return leak


def _changes(attend, X, t, rng):
    Y = X.copy()
    Y[t:] = rng.normal(size=Y[t:].shape)
    return not np.allclose(attend(X)[:t], attend(Y)[:t])
