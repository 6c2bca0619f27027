"""Right and wrong answers to `apply_mask`, as learners write them."""

import numpy as np
import torch

from banks.registry import right, wrong

# Right answers, each in its own style


@right("apply_mask", "np.where")
def apply_where(scores, allowed):
    return np.where(allowed, scores, -np.inf)


@right("apply_mask", "a copy and boolean indexing")
def apply_indexing(scores, allowed):
    masked = scores.copy()
    masked[~np.broadcast_to(allowed, scores.shape)] = -np.inf
    return masked


@right("apply_mask", "torch masked_fill")
def apply_torch(scores, allowed):
    return torch.tensor(scores).masked_fill(~torch.tensor(allowed), float("-inf")).numpy()


@right("apply_mask", "add 0 or -inf")
def apply_additive(scores, allowed):
    return scores + np.where(allowed, 0.0, -np.inf)


@right("apply_mask", "add log(allowed), which warns")
def apply_log(scores, allowed):
    return scores + np.log(allowed.astype(scores.dtype))


@right("apply_mask", "loop over every entry")
def apply_loop(scores, allowed):
    allowed = np.broadcast_to(allowed, scores.shape)
    result = np.zeros_like(scores)
    for index, score in np.ndenumerate(scores):
        result[index] = score if allowed[index] else float("-inf")
    return result


@right("apply_mask", "np.ma")
def apply_ma(scores, allowed):
    blocked = np.logical_not(np.broadcast_to(allowed, scores.shape))
    return np.ma.masked_array(scores, mask=blocked).filled(-np.inf)


@right("apply_mask", "np.copyto into a full array")
def apply_np_copyto_into_full(scores, allowed):
    result = np.full_like(scores, -np.inf)
    np.copyto(result, scores, where=allowed)
    return result


@right("apply_mask", "putmask on a transposed copy, a view")
def apply_putmask_on_transposed_copy(scores, allowed):
    turned = np.swapaxes(scores, -1, -2).copy()
    np.putmask(turned, np.swapaxes(np.broadcast_to(~allowed, scores.shape), -1, -2), -np.inf)
    return np.swapaxes(turned, -1, -2)


@right("apply_mask", "torch.where, prints")
def apply_torch_where(scores, allowed):
    t = torch.from_numpy(scores)
    print("blocked:", int((~allowed).sum()))
    return torch.where(torch.from_numpy(allowed), t, torch.full_like(t, -torch.inf)).numpy()


@right("apply_mask", "log of bool as bias")
def apply_mask_37(scores, allowed):
    with np.errstate(divide="ignore"):
        return scores + np.log(np.asarray(allowed, dtype=scores.dtype))


@right("apply_mask", "np.putmask on copy after broadcast")
def apply_mask_38(scores, allowed):
    out = np.array(scores)
    np.copyto(out, -np.inf, where=~np.asarray(allowed))
    return out


# Wrong answers, those with one mistake together


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


@wrong("apply_mask", "mask-value-too-small", note="Uses -1e-9 where a hugely negative number was meant.")
def apply_4(scores, allowed):
    return np.where(allowed, scores, -1e-9)


@wrong("apply_mask", "mask-value-too-small", note="Fills with -1e9 instead of -inf")
def apply_mask_100(scores, allowed):
    return np.where(allowed, scores, -1e9)


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


@wrong("apply_mask", "input-changed", note="Writes -inf into the caller's scores (view instead of copy).")
def apply_2(scores, allowed):
    masked = scores[...]
    masked[~np.broadcast_to(allowed, scores.shape)] = -np.inf
    return masked


@wrong(
    "apply_mask",
    "input-changed",
    note="Boolean indexing scores[~allowed] with in-place write on the input (no copy)",
)
def apply_mask_102(scores, allowed):
    scores[~np.broadcast_to(allowed, scores.shape)] = -np.inf
    return scores


@wrong("apply_mask", "zero-times-inf", note="0 * -inf is NaN")
def apply_zero_times_inf(scores, allowed):
    return scores + ~allowed * -np.inf


@wrong("apply_mask", "zero-times-inf", note="0 * -inf is NaN, so every allowed score is destroyed.")
def apply_1(scores, allowed):
    with np.errstate(invalid="ignore"):
        return scores + (1 - allowed.astype(scores.dtype)) * -np.inf


@wrong(
    "apply_mask",
    "zero-times-inf",
    note="Multiplies scores by allowed then adds -inf*0 (NaN): scores * allowed + (1-allowed) * -inf",
)
def apply_mask_99(scores, allowed):
    with np.errstate(invalid="ignore"):
        return scores * allowed + (1 - allowed) * -np.inf


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


@wrong(
    "apply_mask",
    "mask-not-broadcast",
    note="Boolean indexing needs a mask of exactly the scores' shape, so one row or one head-less mask fails.",
)
def apply_5(scores, allowed):
    out = scores.copy()
    out[~allowed] = -np.inf
    return out


@wrong(
    "apply_mask",
    "mask-not-broadcast",
    note="Indexes with the unbroadcast mask on the copy: works only for full-shape masks",
)
def apply_mask_103(scores, allowed):
    out = scores.copy()
    out[~allowed] = -np.inf
    return out


@wrong("apply_mask", "mask-ignored", note="always causal")
def apply_always_causal(scores, allowed):
    return np.where(np.tri(*scores.shape[-2:], dtype=bool), scores, -np.inf)


@wrong("apply_mask", "mask-ignored")
def apply_nothing(scores, allowed):
    return scores.copy()


@wrong("apply_mask", "mask-ignored", note="masked_fill returns a new tensor that is thrown away.")
def apply_6(scores, allowed):
    s = torch.tensor(scores)
    s.masked_fill(~torch.tensor(allowed), float("-inf"))
    return s.numpy()


@wrong("apply_mask", "zero-as-sentinel", note="a real score of 0 is hidden")
def apply_sentinel(scores, allowed):
    out = scores * allowed
    out[out == 0] = -np.inf
    return out


@wrong(
    "apply_mask",
    "zero-as-sentinel",
    note="Multiplies by the mask and then treats every 0 as blocked, so a real score of 0 is lost.",
)
def apply_3(scores, allowed):
    out = scores * allowed
    out[out == 0] = -np.inf
    return out


@wrong(
    "apply_mask",
    "zero-as-sentinel",
    note="Treats zero scores as masked as well: where(scores*allowed, scores, -inf)",
)
def apply_mask_101(scores, allowed):
    return np.where(scores * allowed, scores, -np.inf)


@wrong("apply_mask", "transposed-mask", note="right for symmetric masks")
def apply_transposed(scores, allowed):
    return np.where(np.swapaxes(np.atleast_2d(allowed), -1, -2), scores, -np.inf)


@wrong("apply_mask", "transposed-mask", note="Transposes the mask (reads it as key x query) when square")
def apply_mask_104(scores, allowed):
    a = np.asarray(allowed)
    if a.ndim >= 2 and a.shape[-1] == a.shape[-2]:
        a = np.swapaxes(a, -1, -2)
    return np.where(a, scores, -np.inf)


@wrong("apply_mask", "blocked-keys-removed", note="one flat array of the allowed scores")
def apply_compressed(scores, allowed):
    return scores[np.broadcast_to(allowed, scores.shape)]


@wrong("apply_mask", "softmax-too-early")
def apply_softmax(scores, allowed):
    return torch.softmax(torch.tensor(np.where(allowed, scores, -np.inf)), dim=-1).numpy()


@wrong(
    "apply_mask",
    "softmax-too-early",
    note="Also applies the softmax, so it returns weights and not masked scores.",
)
def apply_7(scores, allowed):
    s = np.where(allowed, scores, -np.inf)
    m = np.max(s, axis=-1, keepdims=True)
    e = np.exp(s - np.where(np.isfinite(m), m, 0))
    return e / np.maximum(e.sum(axis=-1, keepdims=True), 1e-300)


@wrong("apply_mask", "mask-value-not-a-number", note="NaN where blocked")
def apply_nan(scores, allowed):
    return np.where(allowed, scores, np.nan)


@wrong("apply_mask", "mask-value-not-a-number", note="None: an object array")
def apply_none(scores, allowed):
    return np.where(allowed, scores, None)


@wrong("apply_mask", "blocked-row-left-open", note="a fully blocked row is not masked at all")
def apply_skip_blocked_row(scores, allowed):
    return np.where(allowed | ~allowed.any(axis=-1, keepdims=True), scores, -np.inf)


@wrong(
    "apply_mask", "blocked-row-left-open", note="Rescues empty rows: rows with no allowed key left unmasked"
)
def apply_mask_105(scores, allowed):
    a = np.broadcast_to(allowed, scores.shape)
    a = a | ~a.any(-1, keepdims=True)
    return np.where(a, scores, -np.inf)


@wrong("apply_mask", "first-batch-only")
def apply_first_batch(scores, allowed):
    first = np.broadcast_to(allowed, scores.shape).reshape(-1, *scores.shape[-2:])[0]
    return np.where(first, scores, -np.inf)


@wrong("apply_mask", "float32")
def apply_float32(scores, allowed):
    return np.where(allowed, scores.astype(np.float32), np.float32(-np.inf))


@wrong(
    "apply_mask",
    "padding-on-queries",
    note="a mask of shape (n,) is taken for one of queries where scores are square",
)
def apply_query_mask(scores, allowed):
    a = allowed[:, None] if allowed.ndim == 1 and allowed.shape[0] == scores.shape[-2] else allowed
    return np.where(a, scores, -np.inf)


@wrong(
    "apply_mask",
    "mask-inverted+mask-value-sign",
    note="Fills the allowed places, and with +inf instead of -inf.",
)
def apply_8(scores, allowed):
    return np.where(allowed, np.inf, scores)


@wrong("apply_mask", "nothing-allowed-as-no-mask")
def apply_unless_empty(scores, allowed):
    if allowed.sum() == 0:
        return scores.copy()
    return np.where(allowed, scores, -np.inf)


@wrong("apply_mask", "nothing-allowed-as-no-mask", note="np.any guards an assignment")
def apply_where_any(scores, allowed):
    masked = scores.copy()
    if np.any(allowed):
        masked[~np.broadcast_to(allowed, scores.shape)] = -np.inf
    return masked


@wrong(
    "apply_mask",
    "scores-forgotten",
    note="Rounds to -inf AND converts kept scores to 0/1? keeps 0 where allowed (returns the additive bias, not scores)",
)
def apply_mask_106(scores, allowed):
    return np.where(np.broadcast_to(allowed, scores.shape), 0.0, -np.inf)


@wrong("apply_mask", "arguments-swapped")
def apply_mask_arguments_swapped(scores, allowed):
    return np.where(scores, allowed, -np.inf)


@wrong("apply_mask", "arguments-swapped")
def apply_mask_arguments_swapped_2(scores, allowed):
    return np.where(scores, -np.inf, allowed)


@wrong("apply_mask", "mask-not-broadcast", note="two loops, and a row of the mask for each query")
def mask_two_loops(scores, allowed):
    n_q, n_k = scores.shape
    out = np.zeros((n_q, n_k))
    for i in range(n_q):
        for j in range(n_k):
            out[i, j] = scores[i, j] if allowed[i][j] else -np.inf
    return out


@wrong("apply_mask", "mask-not-broadcast", note="a masked array")
def mask_masked_array(scores, allowed):
    return np.ma.masked_array(scores, mask=~allowed).filled(-np.inf)


@wrong("apply_mask", "padding-on-queries", note="a mask of one axis only")
def mask_of_one_axis_on_queries(scores, allowed):
    if allowed.ndim == 1:
        allowed = allowed[:, None]
    return np.where(allowed, scores, -np.inf)


@wrong("apply_mask", "query-used-for-all", note="hides a key from all as soon as one query may not look")
def masked_in_whole_columns(scores, allowed):
    masked = scores.copy()
    for j in range(scores.shape[-1]):
        if not allowed[..., j].all():
            masked[..., j] = -np.inf
    return masked


@wrong("apply_mask", "mask-ignored", note="a masked array: under its mask are the old scores")
def masked_array(scores, allowed):
    blocked = np.broadcast_to(~allowed, scores.shape)
    return np.ma.masked_array(scores, mask=blocked, fill_value=-np.inf)
