"""Right and wrong answers to `masked_softmax`, as learners write them."""

import math
import warnings

import numpy as np
import torch

from banks.registry import right, wrong
from helpers import reference

# Right answers, each in its own style


@right("masked_softmax", "np.where twice")
def masked_where(scores, allowed):
    masked = np.where(allowed, scores, -np.inf)
    top = masked.max(axis=-1, keepdims=True)
    e = np.exp(masked - np.where(np.isfinite(top), top, 0))
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total == 0, 1, total)


@right("masked_softmax", "NaN with a warning, then nan_to_num")
def masked_nan_to_num(scores, allowed):
    masked = np.where(allowed, scores, -np.inf)
    e = np.exp(masked - np.max(masked, axis=-1, keepdims=True))
    return np.nan_to_num(e / e.sum(axis=-1, keepdims=True), nan=0.0)


@right("masked_softmax", "row by row over the allowed keys")
def masked_rows(scores, allowed):
    allowed = np.broadcast_to(allowed, scores.shape)
    weights = np.zeros_like(scores)
    for row in np.ndindex(scores.shape[:-1]):
        keep = allowed[row]
        if keep.any():
            e = np.exp(scores[row][keep] - scores[row][keep].max())
            weights[row][keep] = e / e.sum()
    return weights


@right("masked_softmax", "minus 1e9 added, empty rows zeroed")
def masked_minus_1e9(scores, allowed):
    scores = scores + np.where(allowed, 0.0, -1e9)
    e = np.exp(scores - scores.max(-1, keepdims=True))
    weights = e / e.sum(-1, keepdims=True)
    return weights * np.any(allowed, axis=-1, keepdims=True)


@right("masked_softmax", "torch, finfo.min, empty rows zeroed")
def masked_torch_finfo_min_empty(scores, allowed):
    t, keep = torch.tensor(scores), torch.tensor(allowed)
    weights = t.masked_fill(~keep, torch.finfo(t.dtype).min).softmax(dim=-1)
    return (weights * keep.any(dim=-1, keepdim=True)).numpy()


@right("masked_softmax", "torch.softmax of masked_fill, NaN replaced")
def masked_torch(scores, allowed):
    t = torch.from_numpy(scores).masked_fill(torch.from_numpy(~allowed), -torch.inf)
    return torch.nan_to_num(torch.softmax(t, -1), nan=0.0).numpy()


@right("masked_softmax", "np.ma")
def masked_ma(scores, allowed):
    shown = np.ma.array(scores, mask=~np.broadcast_to(allowed, scores.shape))
    e = np.ma.exp(shown - shown.max(axis=-1, keepdims=True))
    return (e / e.sum(axis=-1, keepdims=True)).filled(0)


@right("masked_softmax", "log-softmax, masked after it, renormalised")
def masked_log_renormalised(scores, allowed):
    def log_sum_exp(values):
        return np.logaddexp.reduce(values, axis=-1, keepdims=True)

    log_weights = np.asarray(scores, dtype=float)
    log_weights = log_weights - log_sum_exp(log_weights)
    total = log_sum_exp(np.where(allowed, log_weights, -np.inf))
    return np.where(allowed, np.exp(log_weights - np.where(np.isneginf(total), np.inf, total)), 0.0)


@right("masked_softmax", "masked after the softmax, renormalised, blocked scores clipped")
def masked_masked_after_softmax_renormalised(scores, allowed):
    scores = scores.astype(np.float64)
    top = np.max(scores, axis=-1, keepdims=True, where=allowed, initial=-np.inf)
    e = np.exp(np.minimum(scores - np.where(np.isneginf(top), scores.max(), top), 50))
    weights = e / e.sum(axis=-1, keepdims=True)
    kept = weights * allowed
    total = kept.sum(axis=-1, keepdims=True)
    return np.divide(kept, total, out=np.zeros_like(kept), where=total > 0)


@right("masked_softmax", "lists and recursion, warns on an empty row")
def masked_recursive(scores, allowed):
    allowed = np.broadcast_to(allowed, scores.shape)
    if scores.ndim > 1:
        return np.array([masked_recursive(s, a) for s, a in zip(scores, allowed, strict=True)])
    if not any(allowed):
        warnings.warn("a query without a key", stacklevel=2)
        return [0.0] * len(scores)
    top = max(s for s, a in zip(scores, allowed, strict=True) if a)
    e = [math.exp(s - top) if a else 0.0 for s, a in zip(scores, allowed, strict=True)]
    return [value / sum(e) for value in e]


@right("masked_softmax", "finfo.min fill, then zero the blocked rows")
def masked_softmax_5(scores, allowed):
    s = np.where(allowed, scores, np.finfo(scores.dtype).min)
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return w * np.any(np.broadcast_to(allowed, s.shape), axis=-1, keepdims=True)


@right("masked_softmax", "-inf and nan_to_num")
def masked_softmax_6(scores, allowed):
    with np.errstate(all="ignore"):
        s = np.where(allowed, scores, -np.inf)
        e = np.exp(s - s.max(-1, keepdims=True))
        return np.nan_to_num(e / e.sum(-1, keepdims=True), nan=0.0)


@right("masked_softmax", "mask after exp WITH renormalisation, max over allowed via where=/initial=")
def masked_softmax_mask_after_exp_renormalisation(scores, allowed):
    a = np.broadcast_to(allowed, scores.shape)
    m = np.max(scores, axis=-1, keepdims=True, where=a, initial=np.finfo(scores.dtype).min)
    e = np.exp(np.minimum(scores - m, 0)) * a
    t = np.einsum("...k->...", e)[..., None]
    return np.divide(e, t, out=np.zeros_like(e), where=t > 0)


@right("masked_softmax", "ndindex loops, softmax of the allowed subset only")
def masked_softmax_ndindex_loops_softmax_allowed(scores, allowed):
    a = np.broadcast_to(allowed, scores.shape)
    out = np.zeros(scores.shape)
    for i in np.ndindex(*scores.shape[:-1]):
        keep = np.flatnonzero(a[i])
        if keep.size:
            r = scores[i][keep]
            r = np.exp(r - r.max())
            out[i][keep] = r / r.sum()
    return out


@right("masked_softmax", "torch.softmax inside plus an additive finite mask of finfo.min/2")
def masked_softmax_torch_softmax_inside_plus(scores, allowed):
    s = torch.from_numpy(np.array(scores))
    a = torch.from_numpy(np.array(np.broadcast_to(allowed, scores.shape)))
    bias = torch.zeros_like(s).masked_fill_(~a, torch.finfo(s.dtype).min / 2)
    return (torch.softmax(s + bias, -1) * a).numpy()


# Wrong answers, those with one mistake together


@wrong("masked_softmax", "blocked-row-nan")
def masked_nan(scores, allowed):
    x = np.where(allowed, scores, -np.inf)
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@wrong("masked_softmax", "blocked-row-nan", note="torch.softmax, nothing more")
def masked_torch_nan(scores, allowed):
    x = torch.tensor(scores).masked_fill(~torch.tensor(allowed), -torch.inf)
    return torch.softmax(x, dim=-1).numpy()


@wrong(
    "masked_softmax",
    "blocked-row-nan",
    note="Right masking, but a row with nothing allowed becomes NaN (-inf minus -inf).",
)
def m2(scores, allowed):
    z = np.where(allowed, scores, -np.inf)
    z = z - z.max(axis=-1, keepdims=True)
    e = np.exp(z)
    return e / e.sum(axis=-1, keepdims=True)


def _sm(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@wrong(
    "masked_softmax",
    "blocked-row-nan",
    note="checks for 'nothing allowed' on the whole mask instead of row by row",
)
def masked_softmax_blocked_row_nan(scores, allowed):
    if not np.any(allowed):
        return np.zeros_like(scores)
    with np.errstate(all="ignore"):
        return _sm(np.where(allowed, scores, -np.inf))


def _softmax(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    e = np.exp(x - np.where(np.isfinite(top), top, 0.0))
    total = e.sum(axis=axis, keepdims=True)
    return e / np.where(total > 0, total, 1.0)


@wrong("masked_softmax", "blocked-row-uniform", note="-1e9 for every key")
def masked_uniform(scores, allowed):
    return _softmax(np.where(allowed, scores, -1e9))


@wrong("masked_softmax", "blocked-row-uniform", note="finfo.min for every key")
def masked_finfo(scores, allowed):
    return _softmax(np.where(allowed, scores, np.finfo(scores.dtype).min))


@wrong("masked_softmax", "blocked-row-uniform", note="NaN replaced by 1 / n_k")
def masked_nan_to_uniform(scores, allowed):
    x = torch.where(torch.tensor(allowed), torch.tensor(scores), -torch.inf)
    return torch.softmax(x, dim=-1).nan_to_num(1 / scores.shape[-1]).numpy()


@wrong("masked_softmax", "blocked-row-uniform", note="nan_to_num before the softmax does not help")
def masked_nan_to_num_early(scores, allowed):
    x = np.nan_to_num(np.where(allowed, scores, -np.inf))
    return _softmax(x)


@wrong(
    "masked_softmax",
    "blocked-row-uniform",
    note="-1e30 for blocked keys: a fully blocked row comes back uniform instead of 0.",
)
def m3(scores, allowed):
    z = np.where(allowed, scores, -1e30)
    e = np.exp(z - z.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


@wrong("masked_softmax", "mask-inverted")
def masked_inverted(scores, allowed):
    return _softmax(np.where(allowed, -np.inf, scores))


@wrong(
    "masked_softmax",
    "mask-inverted",
    note="torch.masked_fill with `allowed` itself: fills the positions that should stay.",
)
def m1(scores, allowed):
    s = torch.as_tensor(scores).masked_fill(torch.as_tensor(allowed), -torch.inf)
    return torch.nan_to_num(torch.softmax(s, -1), nan=0.0).numpy()


@wrong("masked_softmax", "mask-after-softmax", note="rows no longer sum to 1")
def masked_after(scores, allowed):
    return _softmax(scores) * allowed


@wrong(
    "masked_softmax",
    "mask-after-softmax",
    note="Softmax over all keys, then zeroes blocked weights: rows sum to less than 1.",
)
def m4(scores, allowed):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    p = e / e.sum(axis=-1, keepdims=True)
    p = np.where(allowed, p, 0.0)
    return p


@wrong("masked_softmax", "max-over-blocked", note="renormalised, but an underflowed row is NaN")
def masked_after_renormalised(scores, allowed):
    w = _softmax(scores) * allowed
    total = w.sum(axis=-1, keepdims=True)
    return w / np.where(allowed.any(axis=-1, keepdims=True), total, 1.0)


@wrong("masked_softmax", "max-over-blocked", note="a huge blocked score makes the row 0 / 0")
def masked_max_over_all(scores, allowed):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True)) * allowed
    total = e.sum(axis=-1, keepdims=True)
    return np.divide(e, total, out=np.zeros_like(e), where=total > 0)


@wrong(
    "masked_softmax",
    "max-over-blocked",
    note="The max includes blocked keys: one huge blocked score underflows every allowed one to 0.",
)
def m9(scores, allowed):
    e = np.exp(scores - scores.max(-1, keepdims=True)) * allowed
    s = e.sum(-1, keepdims=True)
    return np.where(s > 0, e / np.where(s > 0, s, 1), 0.0)


@wrong(
    "masked_softmax",
    "max-over-blocked",
    note="normalises with the softmax over all keys, zeroes, and renormalises with a zero guard: a huge blocked score wipes the row",
)
def masked_softmax_11(scores, allowed):
    w = _sm(scores) * allowed
    t = w.sum(-1, keepdims=True)
    return np.where(t > 0, w / np.where(t > 0, t, 1), 0.0)


@wrong("masked_softmax", "mask-multiplied", note="e^0 is 1")
def masked_times(scores, allowed):
    return _softmax(scores * allowed)


@wrong("masked_softmax", "mask-multiplied", note="and the blocked rows set to 0")
def masked_times_rows(scores, allowed):
    return _softmax(scores * allowed) * allowed.any(axis=-1, keepdims=True)


@wrong("masked_softmax", "mask-multiplied", note="-1e-9 for -1e9")
def masked_typo(scores, allowed):
    return _softmax(np.where(allowed, scores, -1e-9)) * allowed.any(axis=-1, keepdims=True)


@wrong(
    "masked_softmax",
    "mask-multiplied",
    note="Multiplies scores by 0/1 so blocked keys still get e^0; only all-blocked rows are zeroed.",
)
def m5(scores, allowed):
    z = scores * allowed
    e = np.exp(z - z.max(-1, keepdims=True))
    p = e / e.sum(-1, keepdims=True)
    return p * np.any(allowed, axis=-1, keepdims=True)


@wrong("masked_softmax", "mask-value-too-small", note="-1e3: wins against scores of -1e4")
def masked_thousand(scores, allowed):
    return _softmax(np.where(allowed, scores, -1e3)) * allowed.any(axis=-1, keepdims=True)


@wrong("masked_softmax", "mask-value-too-small", note="-10 added")
def masked_minus_ten(scores, allowed):
    return _softmax(scores - 10.0 * ~allowed) * allowed.any(axis=-1, keepdims=True)


@wrong(
    "masked_softmax",
    "mask-value-too-small",
    note="Subtracts only 20 from blocked scores: some weight leaks, and large blocked scores still win.",
)
def m6(scores, allowed):
    bias = (1.0 - np.asarray(allowed, dtype=float)) * -20.0
    z = scores + bias
    e = np.exp(z - np.max(z, axis=-1, keepdims=True))
    out = e / np.sum(e, axis=-1, keepdims=True)
    out[~np.broadcast_to(allowed, scores.shape).any(-1)] = 0
    return out


@wrong(
    "masked_softmax", "mask-value-too-small", note="uses -100 as 'minus infinity', too close to real scores"
)
def masked_softmax_mask_value_too_small(scores, allowed):
    allowed = np.broadcast_to(allowed, scores.shape)
    s = np.where(allowed, scores, -100.0)
    return _sm(s) * allowed.any(-1, keepdims=True)


@wrong("masked_softmax", "mask-value-sign", note="+1e9")
def masked_plus(scores, allowed):
    return _softmax(np.where(allowed, scores, 1e9)) * allowed.any(axis=-1, keepdims=True)


@wrong("masked_softmax", "mask-ignored")
def masked_ignored(scores, allowed):
    return _softmax(scores)


@wrong("masked_softmax", "mask-ignored", note="except on blocked rows")
def masked_only_rows(scores, allowed):
    return _softmax(scores) * allowed.any(axis=-1, keepdims=True)


@wrong("masked_softmax", "causal-by-default", note="always causal")
def masked_causal(scores, allowed):
    return _softmax(np.where(np.tri(*scores.shape[-2:], dtype=bool), scores, -np.inf))


@wrong("masked_softmax", "softmax-over-queries")
def masked_columns(scores, allowed):
    return _softmax(np.where(allowed, scores, -np.inf), axis=-2)


@wrong("masked_softmax", "softmax-over-everything")
def masked_everything(scores, allowed):
    x = np.where(allowed, scores, -np.inf)
    e = np.exp(x - x.max())
    return e / e.sum()


@wrong("masked_softmax", "softmax-over-batch", note="axis 0")
def masked_batch(scores, allowed):
    return _softmax(np.where(allowed, scores, -np.inf), axis=0)


@wrong("masked_softmax", "axis-counted-from-front", note="axis 1: right for matrices")
def masked_axis_one(scores, allowed):
    return _softmax(np.where(allowed, scores, -np.inf), axis=1)


@wrong("masked_softmax", "no-max-subtraction")
def masked_naive(scores, allowed):
    e = np.exp(scores) * allowed
    total = e.sum(axis=-1, keepdims=True)
    return np.divide(e, total, out=np.zeros_like(e), where=total > 0)


@wrong("masked_softmax", "no-max-subtraction", note="no max trick: small sums vanish in the epsilon")
def masked_eps_naive(scores, allowed):
    e = np.exp(scores) * allowed
    return e / (e.sum(axis=-1, keepdims=True) + 1e-12)


@wrong(
    "masked_softmax",
    "no-max-subtraction",
    note="exp without max, then nan_to_num hides the inf/inf, so huge rows become 0.",
)
def m13(scores, allowed):
    e = np.where(allowed, np.exp(scores), 0.0)
    with np.errstate(all="ignore"):
        return np.nan_to_num(e / e.sum(-1, keepdims=True))


@wrong("masked_softmax", "no-max-subtraction", note="long doubles overflow later, from about 11356 on")
def masked_softmax_in_long_doubles(scores, allowed):
    powers = np.where(allowed, np.exp(scores.astype(np.longdouble)), 0)
    total = powers.sum(axis=-1, keepdims=True)
    return (powers / np.where(total == 0, 1, total)).astype(scores.dtype)


@wrong("masked_softmax", "global-max", note="a row far below the others becomes 0")
def masked_global_max(scores, allowed):
    e = np.exp(scores - np.where(allowed, scores, -np.inf).max()) * allowed
    total = e.sum(axis=-1, keepdims=True)
    return np.divide(e, total, out=np.zeros_like(e), where=total > 0)


@wrong("masked_softmax", "keepdims-forgotten", note="right shape for square scores")
def masked_no_keepdims(scores, allowed):
    x = np.where(allowed, scores, -np.inf)
    top = x.max(axis=-1, keepdims=True)
    e = np.exp(x - np.where(np.isfinite(top), top, 0.0))
    total = e.sum(axis=-1)
    return e / np.where(total > 0, total, 1.0)


@wrong("masked_softmax", "transposed-mask", note="right for symmetric masks")
def masked_transposed(scores, allowed):
    return _softmax(np.where(np.swapaxes(np.atleast_2d(allowed), -1, -2), scores, -np.inf))


@wrong("masked_softmax", "zero-as-sentinel", note="an allowed score of 0 is hidden")
def masked_sentinel(scores, allowed):
    x = scores * allowed
    return _softmax(np.where(x == 0, -np.inf, x))


@wrong(
    "masked_softmax",
    "zero-as-sentinel",
    note="Treats a score of exactly 0 as masked, so an allowed key orthogonal to the query disappears.",
)
def m7(scores, allowed):
    z = np.where(allowed, scores, 0.0)
    z = np.where(z == 0, -np.inf, z)
    top = z.max(-1, keepdims=True)
    e = np.exp(z - np.where(np.isinf(top), 0, top))
    total = e.sum(-1, keepdims=True)
    return np.divide(e, total, out=np.zeros_like(e), where=total > 0)


@wrong(
    "masked_softmax",
    "zero-as-sentinel",
    note="multiplies by the mask and then treats every score equal to 0 as blocked",
)
def masked_softmax_zero_as_sentinel(scores, allowed):
    s = scores * allowed
    s = np.where(s == 0, -np.inf, s)
    m = s.max(-1, keepdims=True)
    m[np.isinf(m)] = 0
    e = np.exp(s - m)
    t = e.sum(-1, keepdims=True)
    t[t == 0] = 1
    return e / t


@wrong("masked_softmax", "zero-times-inf")
def masked_zero_times_inf(scores, allowed):
    return _softmax(scores + (1 - allowed) * -np.inf)


@wrong("masked_softmax", "input-changed")
def masked_in_place(scores, allowed):
    scores[np.broadcast_to(~allowed, scores.shape)] = -np.inf
    return _softmax(scores)


@wrong("masked_softmax", "input-changed", note="torch.from_numpy shares memory")
def masked_from_numpy(scores, allowed):
    x = torch.from_numpy(scores).masked_fill_(~torch.from_numpy(allowed), -torch.inf)
    return torch.softmax(x, dim=-1).nan_to_num(0.0).numpy()


@wrong("masked_softmax", "mask-not-broadcast", note="right when shapes are equal")
def masked_boolean_index(scores, allowed):
    x = scores.copy()
    x[~allowed] = -np.inf
    return _softmax(x)


@wrong("masked_softmax", "mask-not-broadcast", note="a loop over rows of a matrix")
def masked_loop(scores, allowed):
    out = np.zeros_like(scores)
    for i in range(scores.shape[0]):
        keep = allowed[i]
        if keep.any():
            e = np.exp(scores[i][keep] - scores[i][keep].max())
            out[i][keep] = e / e.sum()
    return out


@wrong(
    "masked_softmax",
    "mask-not-broadcast",
    note="Boolean indexing needs a mask of exactly the scores' shape: a (n_k,) row or a batch fails.",
)
def m8(scores, allowed):
    z = scores.astype(float).copy()
    z[~allowed] = -np.inf
    top = z.max(-1, keepdims=True)
    top[top == -np.inf] = 0
    e = np.exp(z - top)
    s = e.sum(-1, keepdims=True)
    s[s == 0] = 1
    return e / s


@wrong(
    "masked_softmax",
    "mask-not-broadcast",
    note="writes through a boolean index, so the mask must have exactly the shape of the scores",
)
def masked_softmax_10(scores, allowed):
    s = np.array(scores, dtype=float)
    s[~allowed] = -np.inf
    m = s.max(-1, keepdims=True)
    m[np.isinf(m)] = 0
    e = np.exp(s - m)
    t = e.sum(-1, keepdims=True)
    t[t == 0] = 1
    return e / t


@wrong("masked_softmax", "float32")
def masked_float32(scores, allowed):
    x = torch.Tensor(scores).masked_fill(~torch.tensor(allowed), -torch.inf)
    return torch.softmax(x, dim=-1).nan_to_num(0.0).numpy()


@wrong("masked_softmax", "epsilon-too-large")
def masked_eps(scores, allowed):
    x = np.where(allowed, scores, -np.inf)
    top = x.max(axis=-1, keepdims=True)
    e = np.exp(x - np.where(np.isfinite(top), top, 0.0))
    return e / (e.sum(axis=-1, keepdims=True) + 1e-3)


@wrong("masked_softmax", "blocked-row-in-first-query-only", note="repairs row 0 only")
def masked_first_row(scores, allowed):
    x = np.where(allowed, scores, -np.inf)
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    w = e / e.sum(axis=-1, keepdims=True)
    w[..., 0, :] = np.nan_to_num(w[..., 0, :])
    return w


@wrong("masked_softmax", "blocked-row-zeroes-all", note="one blocked row and everything is 0")
def masked_if_any(scores, allowed):
    allowed = np.broadcast_to(allowed, scores.shape)
    if not allowed.any(axis=-1).all():
        return np.zeros_like(scores)
    return _softmax(np.where(allowed, scores, -np.inf))


@wrong(
    "masked_softmax", "blocked-row-zeroes-all", note="If any row is fully blocked the whole result is zeros."
)
def m10(scores, allowed):
    allowed = np.broadcast_to(allowed, scores.shape)
    if not allowed.any(axis=-1).all():
        return np.zeros_like(scores)
    z = np.where(allowed, scores, -np.inf)
    z = z - z.max(-1, keepdims=True)
    return np.exp(z) / np.exp(z).sum(-1, keepdims=True)


@wrong("masked_softmax", "not-normalised")
def masked_only_exp(scores, allowed):
    x = np.where(allowed, scores, -np.inf)
    top = x.max(axis=-1, keepdims=True)
    return np.exp(x - np.where(np.isfinite(top), top, 0.0))


@wrong("masked_softmax", "weights-ignored", note="uniform over the allowed keys")
def masked_uniform_allowed(scores, allowed):
    w = np.broadcast_to(allowed, scores.shape).astype(scores.dtype)
    return w / np.maximum(w.sum(axis=-1, keepdims=True), 1)


@wrong("masked_softmax", "state-between-calls", note="the first mask for ever")
def masked_cached(scores, allowed, cache={}):
    mask = cache.setdefault(scores.shape, allowed)
    return _softmax(np.where(mask, scores, -np.inf))


@wrong(
    "masked_softmax", "array-truth-value", note="`if allowed:` on an array raises 'truth value is ambiguous'."
)
def m11(scores, allowed):
    if not allowed:
        return np.zeros_like(scores)
    z = np.where(allowed, scores, -np.inf)
    e = np.exp(z - z.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


@wrong(
    "masked_softmax",
    "softmax-over-queries+blocked-row-nan",
    note="Normalises the columns (axis -2) and leaves NaN where nothing is allowed.",
)
def m12(scores, allowed):
    z = np.where(allowed, scores, -np.inf)
    e = np.exp(z - z.max(axis=-2, keepdims=True))
    return e / e.sum(axis=-2, keepdims=True)


@wrong(
    "masked_softmax",
    "mask-inverted+blocked-row-uniform",
    note="Fills the allowed positions with -1e9 (MultiheadAttention convention) and blocked rows stay uniform.",
)
def m14(scores, allowed):
    z = np.where(allowed, -1e9, scores)
    e = np.exp(z - z.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def _masked_softmax_of_rows(scores, allowed):
    hidden = np.where(allowed, scores, -np.inf)
    largest = hidden.max(axis=-1, keepdims=True)
    powers = np.exp(hidden - np.where(np.isfinite(largest), largest, 0))
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total == 0, 1, total)


def _softmax_of_rows(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


@wrong("masked_softmax", "nothing-allowed-as-no-mask")
def masked_unless_empty(scores, allowed):
    if np.sum(allowed) == 0:
        return _softmax_of_rows(scores)
    return _masked_softmax_of_rows(scores, allowed)


@wrong("masked_softmax", "nothing-allowed-as-no-mask", note="`if allowed.any()` before the scores are hidden")
def masked_where_any(scores, allowed):
    if allowed.any():
        return _masked_softmax_of_rows(scores, allowed)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


@wrong(
    "masked_softmax",
    "mask-value-too-small+blocked-row-uniform",
    note="TWO: fills blocked entries with the smallest score of the row, and a blocked row is filled with 1/n",
)
def masked_softmax_12(scores, allowed):
    allowed = np.broadcast_to(allowed, scores.shape)
    s = np.where(allowed, scores, scores.min(-1, keepdims=True))
    return np.where(allowed.any(-1, keepdims=True), _sm(s), 1.0 / scores.shape[-1])


@wrong(
    "masked_softmax",
    "blocked-row-nan",
    note="The blocked rows are looked for with any(axis=0), that is, among the keys: queries that may look are set to 0 or blocked ones stay NaN.",
)
def masked_softmax_blocked_row_nan_2(scores, allowed):
    allowed = np.broadcast_to(allowed, scores.shape)
    masked = np.where(allowed, scores, -np.inf)
    powers = np.exp(masked - masked.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    some_key = allowed.any(axis=0)
    return np.where(some_key, weights, 0.0)


@wrong("masked_softmax", "input-changed+mask-inverted", note="a row in which all is allowed is NaN")
def masked_softmax_inverted_in_place(scores, allowed):
    s = torch.from_numpy(scores)
    mask = torch.from_numpy(allowed)
    s.masked_fill_(mask == 1, float("-inf"))
    return torch.nn.functional.softmax(s, dim=-1).numpy()


@wrong("masked_softmax", "off-by-one", note="a row with one allowed key counts as blocked")
def masked_softmax_more_than_one(scores, allowed):
    allowed = np.broadcast_to(allowed, scores.shape)
    s = np.where(allowed, scores, -np.inf)
    ok = allowed.sum(axis=-1, keepdims=True) > 1
    m = np.where(ok, s.max(axis=-1, keepdims=True), 0.0)
    e = np.where(ok, np.exp(np.where(ok, s - m, -np.inf)), 0.0)
    return e / np.where(ok, e.sum(axis=-1, keepdims=True), 1.0)


@wrong("masked_softmax", "wrong-start", note="the search for the maximum starts at 0")
def masked_softmax_maximum_from_zero(scores, allowed):
    allowed = np.broadcast_to(allowed, scores.shape)
    top = np.max(scores, axis=-1, keepdims=True, initial=0.0, where=allowed)
    e = np.where(allowed, np.exp(np.where(allowed, scores - top, 0.0)), 0.0)
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total == 0, 1, total)


@wrong("masked_softmax", "clamped", note="no weight below a millionth")
def masked_softmax_clipped(scores, allowed):
    hidden = np.where(allowed, scores, -np.inf)
    top = hidden.max(axis=-1, keepdims=True)
    e = np.exp(hidden - np.where(np.isfinite(top), top, 0.0))
    total = e.sum(axis=-1, keepdims=True)
    return np.clip(e / np.where(total == 0, 1, total), 1e-6, 1.0)


@wrong("masked_softmax", "max-over-blocked", note="renormalised with an epsilon")
def masked_softmax_renormalised_with_epsilon(scores, allowed):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True) * allowed
    return weights / (weights.sum(axis=-1, keepdims=True) + 1e-9)


@wrong("masked_softmax", "keepdims-forgotten", note="of `any`, at full shape")
def masked_softmax_any_at_full_shape(scores, allowed):
    allowed = np.broadcast_to(allowed, scores.shape)
    hidden = np.where(allowed, scores, -np.inf)
    powers = np.exp(hidden - hidden.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return np.where(allowed.any(axis=-1), weights, 0.0)


@wrong("masked_softmax", "mask-inverted+softmax-over-queries", note="and -1e9")
def masked_softmax_inverted_down_the_columns(scores, allowed):
    hidden = np.where(allowed, -1e9, scores)
    powers = np.exp(hidden - hidden.max(axis=-2, keepdims=True))
    return powers / powers.sum(axis=-2, keepdims=True)


@right("masked_softmax", "a blocked row kept from 0 / 0 by 1e-12 in the sum: within rounding")
def kept_from_0_by_1e_12(scores, allowed):
    hidden = np.where(allowed, scores, -np.inf)
    top = hidden.max(axis=-1, keepdims=True)
    e = np.exp(hidden - np.where(np.isfinite(top), top, 0.0))
    return e / (e.sum(axis=-1, keepdims=True) + 1e-12)


def _soft(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@wrong(
    "masked_softmax",
    "mask-value-too-small",
    note="adds -10000 as BERT did, and multiplies by the mask afterwards",
)
def adds_as_bert_did(scores, allowed):
    return _soft(scores + (1 - allowed) * -10000.0) * allowed


@wrong(
    "masked_softmax", "mask-value-too-small", note="fills with -1e4, and multiplies by the mask afterwards"
)
def fills_and_multiplies(scores, allowed):
    return _soft(np.where(allowed, scores, -1e4)) * allowed


@wrong("masked_softmax", "mask-value-too-small", note="adds -10000, then shares out anew")
def adds_and_shares_anew(scores, allowed):
    w = _soft(scores + (1 - allowed) * -10000.0) * allowed
    total = w.sum(axis=-1, keepdims=True)
    return np.divide(w, total, out=np.zeros_like(w), where=total > 0)


@wrong("masked_softmax", "wrong-start", note="the maximum of scores times the mask")
def maximum_of_scores_times_the_mask(scores, allowed):
    x = np.where(allowed, scores, -np.inf)
    e = np.exp(x - (scores * allowed).max(axis=-1, keepdims=True))
    total = e.sum(axis=-1, keepdims=True)
    return np.divide(e, total, out=np.zeros_like(e), where=total > 0)


@wrong("masked_softmax", "mask-inverted", "only in the last line")
def zero_where_allowed_at_the_end(scores, allowed):
    w = reference.softmax(np.where(allowed, scores, -1e30))
    return np.where(allowed, 0, w)
