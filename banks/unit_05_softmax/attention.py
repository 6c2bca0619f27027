"""Right and wrong answers to `attention`, as learners write them."""

import math

import numpy as np
import torch
import torch.nn.functional as F

from banks.registry import add_right, right, wrong
from helpers import reference

# Right answers, each in its own style


@right("attention", "scores, mask, softmax, mix")
def attention_plain(Q, K, V, allowed=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    e = np.exp(scores - np.where(np.isneginf(top), 0, top))
    total = e.sum(axis=-1, keepdims=True)
    weights = e / np.where(total > 0, total, 1)
    return weights @ V, weights


def _numpy_softmax(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@right("attention", "einsum, minus 1e9, empty rows zeroed")
def attention_einsum(Q, K, V, allowed=None):
    scores = np.einsum("...qd,...kd->...qk", Q, K) / np.sqrt(K.shape[-1])
    if allowed is None:
        allowed = np.ones(K.shape[-2], dtype=bool)
    scores = scores - 1e9 * ~allowed
    weights = _numpy_softmax(scores) * allowed.any(-1, keepdims=True)
    return np.einsum("...qk,...kv->...qv", weights, V), weights


@right("attention", "F.scaled_dot_product_attention, the library call, twice")
def attention_sdpa(Q, K, V, allowed=None):
    q, k, v = torch.from_numpy(Q), torch.from_numpy(K), torch.from_numpy(V)
    mask = None
    if allowed is not None:
        mask = torch.tensor(np.broadcast_to(allowed, (*Q.shape[:-1], K.shape[-2])).copy())
    output = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    identity = torch.eye(k.shape[-2], dtype=k.dtype).expand(*k.shape[:-1], k.shape[-2])
    weights = F.scaled_dot_product_attention(q, k, identity, attn_mask=mask)
    return output.numpy(), weights.numpy()


@right("attention", "torch by hand, finfo.min")
def attention_torch(Q, K, V, allowed=None):
    q, k, v = (torch.tensor(array) for array in (Q, K, V))
    scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(q.size(-1))
    if allowed is not None:
        keep = torch.tensor(allowed)
        scores = scores.masked_fill(~keep, torch.finfo(scores.dtype).min)
    weights = F.softmax(scores, dim=-1)
    if allowed is not None:
        weights = weights.masked_fill(~keep, 0.0)
    return (weights @ v).numpy(), weights.numpy()


@right("attention", "a loop over the queries")
def attention_loop(Q, K, V, allowed=None):
    n_q, d_k = Q.shape[-2:]
    weights = np.zeros((*Q.shape[:-1], K.shape[-2]))
    output = np.zeros((*Q.shape[:-1], V.shape[-1]))
    keep = np.broadcast_to(True if allowed is None else allowed, weights.shape)
    for lead in np.ndindex(Q.shape[:-2]):
        for i in range(n_q):
            visible = np.flatnonzero(keep[lead][i])
            if len(visible) == 0:
                continue
            scores = [Q[lead][i] @ K[lead][j] / d_k**0.5 for j in visible]
            e = np.exp(np.array(scores) - max(scores))
            for j, weight in zip(visible, e / e.sum(), strict=True):
                weights[lead][i, j] = weight
                output[lead][i] += weight * V[lead][j]
    return output, weights


@right("attention", "d ** -0.25 on both, NaN replaced, warns")
def attention_quarter(Q, K, V, allowed=None):
    quarter = Q.shape[-1] ** -0.25
    scores = np.matmul(Q * quarter, np.swapaxes(K * quarter, -2, -1))
    if allowed is not None:
        scores = scores + np.where(allowed, 0, -np.inf)
    weights = np.nan_to_num(_numpy_softmax(scores))
    return np.matmul(weights, V), weights


@right("attention", "masked after the softmax, renormalised, prints")
def attention_renormalised(Q, K, V, allowed=None):
    scores = (np.asarray(Q, dtype=float) / np.sqrt(Q.shape[-1])) @ np.moveaxis(K, -1, -2)
    allowed = np.broadcast_to(np.True_ if allowed is None else allowed, scores.shape)
    best = np.where(allowed, scores, -np.inf).max(-1, keepdims=True)
    weights = _numpy_softmax(np.minimum(scores, np.where(np.isneginf(best), scores, best) + 30))
    weights = weights * allowed
    total = weights.sum(-1, keepdims=True)
    weights = np.divide(weights, total, out=np.zeros_like(weights), where=total != 0)
    print(weights.round(2))
    return weights @ V, weights


@right("attention", "columns, transposed views")
def attention_columns(Q, K, V, allowed=None):
    scores = (K / math.sqrt(K.shape[-1])) @ Q.swapaxes(-1, -2)
    e = np.zeros_like(scores)
    blocked = np.zeros(scores.shape, dtype=bool)
    if allowed is not None:
        blocked = ~np.broadcast_to(allowed, scores.swapaxes(-1, -2).shape).swapaxes(-1, -2)
    shifted = np.ma.array(scores, mask=blocked)
    e = np.ma.exp(shifted - shifted.max(axis=-2, keepdims=True)).filled(0)
    total = e.sum(axis=-2, keepdims=True)
    columns = e / (total + (total == 0))
    return (V.swapaxes(-1, -2) @ columns).swapaxes(-1, -2), columns.swapaxes(-1, -2)


@right("attention", "normalised after mixing, broadcasting")
def attention_late(Q, K, V, allowed=None):
    scores = (Q[..., :, None, :] * K[..., None, :, :]).sum(-1) * K.shape[-1] ** -0.5
    if allowed is not None:
        scores[~np.broadcast_to(allowed, scores.shape)] = -np.inf
    top = np.nan_to_num(scores.max(-1, keepdims=True), neginf=0.0)
    e = np.exp(scores - top)
    total = np.maximum(e.sum(-1, keepdims=True), np.finfo(e.dtype).tiny)
    return (e[..., None] * V[..., None, :, :]).sum(-2) / total, e / total


@right("attention", "recursion over the leading axes")
def attention_recursive(Q, K, V, allowed=None):
    if allowed is None:
        allowed = np.ones((Q.shape[-2], K.shape[-2]), dtype=bool)
    allowed = np.broadcast_to(allowed, (*Q.shape[:-1], K.shape[-2]))
    if Q.ndim > 2:
        pairs = [attention_recursive(*parts) for parts in zip(Q, K, V, allowed, strict=True)]
        outputs, weights = zip(*pairs, strict=True)
        return np.stack(outputs), np.stack(weights)
    weights = np.zeros((len(Q), len(K)), dtype=Q.dtype)
    for i, row in enumerate(allowed):
        if row.any():
            scores = K[row] @ Q[i] / np.sqrt(Q.shape[1])
            weights[i, row] = _numpy_softmax(scores)
    return np.dot(weights, V), weights


class _Attention:
    def __init__(self):
        self.calls = 0

    def __call__(self, Q, K, V, allowed=None):
        self.calls += 1
        scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
        keep = np.ones(scores.shape, bool) if allowed is None else np.broadcast_to(allowed, scores.shape)
        top = scores.max(axis=-1, where=keep, initial=-np.inf, keepdims=True)
        e = np.where(keep, np.exp(np.minimum(scores - np.where(np.isinf(top), 0, top), 0)), 0)
        total = e.sum(axis=-1, keepdims=True)
        weights = np.divide(e, total, out=np.zeros_like(e), where=total > 0)
        return weights @ V, weights


add_right("attention", "an object with __call__", _Attention())


def _msm(scores, allowed):
    a = np.broadcast_to(allowed, np.broadcast_shapes(np.shape(allowed), scores.shape))
    s = np.where(a, scores, -np.inf)
    m = s.max(-1, keepdims=True)
    m = np.where(np.isfinite(m), m, 0.0)
    e = np.exp(s - m)
    t = e.sum(-1, keepdims=True)
    return e / np.where(t == 0, 1.0, t)


def _sm(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@right("attention", "d_k**-0.25 on both sides, einsum")
def attention_16(Q, K, V, allowed=None):
    r = Q.shape[-1] ** -0.25
    s = np.einsum("...qd,...kd->...qk", Q * r, K * r)
    w = _sm(s) if allowed is None else _msm(s, allowed)
    return np.einsum("...qk,...kv->...qv", w, V), w


@right("attention", "chunked: one query at a time")
def attention_17(Q, K, V, allowed=None):
    outs, ws = [], []
    n_q, n_k = Q.shape[-2], K.shape[-2]
    a = np.ones((n_q, n_k), bool) if allowed is None else np.asarray(allowed)
    a = np.broadcast_to(a, np.broadcast_shapes(a.shape, (n_q, n_k)))
    for i in range(n_q):
        w = _msm(Q[..., i : i + 1, :] / math.sqrt(Q.shape[-1]) @ np.swapaxes(K, -1, -2), a[..., i : i + 1, :])
        ws.append(w)
        outs.append(w @ V)
    return np.concatenate(outs, -2), np.concatenate(ws, -2)


@right("attention", "numerator and denominator apart: exp(scores) @ [V, 1]")
def attention_18(Q, K, V, allowed=None):
    s = (Q / np.sqrt(K.shape[-1])) @ np.swapaxes(K, -2, -1)
    a = np.broadcast_to(True if allowed is None else allowed, s.shape)
    m = np.max(s, axis=-1, keepdims=True, where=a, initial=-1e300)
    e = np.where(a, np.exp(np.minimum(s - m, 0)), 0)
    full = e @ np.concatenate([V, np.ones(V.shape[:-1] + (1,))], -1)
    den = np.where(full[..., -1:] == 0, 1, full[..., -1:])
    return full[..., :-1] / den, e / den


@right("attention", "torch inside: scores, masked_fill(-inf), softmax, nan_to_num")
def attention_19(Q, K, V, allowed=None):
    q, k, v = (torch.tensor(np.array(t)) for t in (Q, K, V))
    s = torch.matmul(q, k.transpose(-1, -2)) * q.size(-1) ** -0.5
    if allowed is not None:
        s = s.masked_fill(torch.tensor(np.array(allowed)).logical_not(), -torch.inf)
    w = torch.nan_to_num(torch.softmax(s, -1))
    return (w @ v).numpy(), w.numpy()


# Wrong answers, those with one mistake together


def _softmax(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    e = np.exp(x - np.where(np.isfinite(top), top, 0.0))
    total = e.sum(axis=axis, keepdims=True)
    return e / np.where(total > 0, total, 1.0)


@wrong("attention", "no-scaling", note="forgets 1/sqrt(d_k)")
def attention_no_scaling(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "no-scaling")
def attention_einsum_no_scaling(Q, K, V, allowed=None):
    scores = np.einsum("...qd,...kd->...qk", Q, K)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return np.einsum("...qk,...kv->...qv", weights, V), weights


@wrong("attention", "no-scaling", note="Never divides the scores by sqrt(d_k); the rest is right.")
def a1(Q, K, V, allowed=None):
    s = np.einsum("...qd,...kd->...qk", Q, K)
    if allowed is not None:
        s = np.where(allowed, s, -np.inf)
    m = s.max(-1, keepdims=True)
    m = np.where(np.isneginf(m), 0, m)
    e = np.exp(s - m)
    t = e.sum(-1, keepdims=True)
    w = e / np.where(t == 0, 1, t)
    return np.einsum("...qk,...kd->...qd", w, V), w


@wrong("attention", "scaled-by-d_k")
def attention_d_k(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / Q.shape[-1]
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "scaled-by-d_k", note="d_k ** -1")
def attention_einsum_d_k(Q, K, V, allowed=None):
    scores = np.einsum("...qd,...kd->...qk", Q, K) * Q.shape[-1] ** -1.0
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return np.einsum("...qk,...kv->...qv", weights, V), weights


@wrong("attention", "scaled-up", note="multiplies by sqrt(d_k)")
def attention_scaled_up(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) * np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "scaled-up", note="divides by 1 / sqrt(d_k)")
def attention_torch_scaled_up(Q, K, V, allowed=None):
    q, k, v = torch.tensor(Q), torch.tensor(K), torch.tensor(V)
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** -0.5
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return (weights @ v).numpy(), weights.numpy()


@wrong("attention", "scaled-up", note="Divides by d_k ** -0.5, which multiplies the scores by sqrt(d_k).")
def a4(Q, K, V, allowed=None):
    scale = Q.shape[-1] ** -0.5
    s = Q @ K.swapaxes(-1, -2) / scale
    if allowed is not None:
        s = np.where(allowed, s, -np.inf)
    m = np.maximum(s.max(-1, keepdims=True), -1e300)
    w = np.exp(s - m)
    w = w / np.maximum(w.sum(-1, keepdims=True), 1e-300)
    return w @ V, w


@wrong("attention", "scaled-by-sqrt-d_v", note="right when d_v == d_k")
def attention_sqrt_d_v(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(V.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "scaled-by-sqrt-d_v", note="Takes the width for the scaling from V.")
def a3(Q, K, V, allowed=None):
    d = V.shape[-1]
    Q, K, V = torch.as_tensor(Q), torch.as_tensor(K), torch.as_tensor(V)
    s = torch.matmul(Q, K.transpose(-1, -2)) / np.sqrt(d)
    if allowed is not None:
        s = torch.where(torch.as_tensor(allowed), s, torch.tensor(-torch.inf, dtype=s.dtype))
    w = torch.nan_to_num(s.softmax(-1))
    return (w @ V).numpy(), w.numpy()


@wrong("attention", "scaled-by-sqrt-n", note="sqrt(n_k)")
def attention_sqrt_n_k(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-2])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "scaled-by-sqrt-n", note="sqrt(n_q)")
def attention_sqrt_n_q(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-2])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "scaled-by-sqrt-n", note="Divides by the square root of the number of keys.")
def a2(Q, K, V, allowed=None):
    Q, K, V = map(torch.as_tensor, (Q, K, V))
    s = Q @ K.mT / K.shape[-2] ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = torch.softmax(s, -1).nan_to_num(0.0)
    return (w @ V).numpy(), w.numpy()


@wrong("attention", "axis-counted-from-front", note="Q.shape[1]: right for 2-D")
def attention_shape_one(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "axis-counted-from-front", note="q.size(1): right for 2-D")
def attention_torch_size_one(Q, K, V, allowed=None):
    q, k, v = torch.tensor(Q), torch.tensor(K), torch.tensor(V)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(1))
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return (weights @ v).numpy(), weights.numpy()


@wrong("attention", "axis-counted-from-front", note="dim=1: right for 2-D")
def attention_torch_softmax_dim_one(Q, K, V, allowed=None):
    q, k, v = torch.tensor(Q), torch.tensor(K), torch.tensor(V)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=1).nan_to_num(0.0)
    return (weights @ v).numpy(), weights.numpy()


@wrong("attention", "truncates-to-int", note="right when d_k is a perfect square")
def attention_isqrt(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / int(Q.shape[-1] ** 0.5)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "scaled-after-softmax")
def attention_scaled_after_mask(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores) / np.sqrt(Q.shape[-1])
    return weights @ V, weights


@wrong(
    "attention",
    "scaled-after-softmax",
    note="Applies 1/sqrt(d_k) to the weights after the softmax instead of to the scores.",
)
def a5(Q, K, V, allowed=None):
    s = Q @ np.swapaxes(K, -1, -2)
    if allowed is not None:
        s = np.where(allowed, s, -np.inf)
    m = s.max(-1, keepdims=True)
    m[~np.isfinite(m)] = 0
    e = np.exp(s - m)
    t = e.sum(-1, keepdims=True)
    t[t == 0] = 1
    w = e / t / np.sqrt(Q.shape[-1])
    return w @ V, w


@wrong("attention", "softmax-over-queries")
def attention_softmax_columns(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores, axis=-2)
    return weights @ V, weights


@wrong("attention", "softmax-over-queries", note="dim=0")
def attention_torch_softmax_dim_zero(Q, K, V, allowed=None):
    q, k, v = torch.tensor(Q), torch.tensor(K), torch.tensor(V)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=0).nan_to_num(0.0)
    return (weights @ v).numpy(), weights.numpy()


@wrong(
    "attention",
    "softmax-over-queries",
    note="softmax(dim=-2): every key distributes itself over the queries.",
)
def a6(Q, K, V, allowed=None):
    Q, K, V = torch.from_numpy(Q), torch.from_numpy(K), torch.from_numpy(V)
    s = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), float("-inf"))
    w = torch.softmax(s, dim=-2)
    w = torch.where(torch.isnan(w), torch.zeros_like(w), w)
    return (w @ V).numpy(), w.numpy()


@wrong("attention", "softmax-over-everything")
def attention_softmax_all(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    e = np.exp(scores - scores.max())
    weights = e / e.sum()
    return weights @ V, weights


@wrong("attention", "no-max-subtraction")
def attention_naive_exp(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    e = np.exp(scores)
    total = e.sum(axis=-1, keepdims=True)
    weights = e / np.where(total > 0, total, 1.0)
    return weights @ V, weights


@wrong("attention", "no-max-subtraction", note="scores clipped to [-50, 50]")
def attention_clip(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    scores = np.clip(scores, -50, 50)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "global-max", note="a row far below the others becomes 0")
def attention_global_max(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    top = scores.max()
    e = np.exp(scores - np.where(np.isfinite(top), top, 0.0))
    total = e.sum(axis=-1, keepdims=True)
    weights = e / np.where(total > 0, total, 1.0)
    return weights @ V, weights


@wrong("attention", "keepdims-forgotten", note="right shape for square scores")
def attention_no_keepdims(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    e = np.exp(scores - np.where(np.isfinite(top), top, 0.0))
    total = e.sum(axis=-1)
    weights = e / np.where(total > 0, total, 1.0)
    return weights @ V, weights


@wrong("attention", "reversed-all-axes", note="right for 2-D")
def attention_k_t(Q, K, V, allowed=None):
    scores = Q @ K.T / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "reversed-all-axes", note="K.T reverses every axis: right for 2-D only.")
def a10(Q, K, V, allowed=None):
    s = Q @ K.T / np.sqrt(Q.shape[-1])
    if allowed is not None:
        s = np.where(allowed, s, -np.inf)
    m = s.max(-1, keepdims=True)
    m = np.where(np.isfinite(m), m, 0)
    e = np.exp(s - m)
    t = e.sum(-1, keepdims=True)
    w = np.divide(e, t, out=np.zeros_like(e), where=t != 0)
    return w @ V, w


@wrong("attention", "reshape-instead-of-transpose")
def attention_reshape(Q, K, V, allowed=None):
    scores = Q @ K.reshape(*K.shape[:-2], K.shape[-1], K.shape[-2]) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "reshape-instead-of-transpose", note="view")
def attention_torch_view(Q, K, V, allowed=None):
    q, k, v = torch.tensor(Q), torch.tensor(K), torch.tensor(V)
    scores = q @ k.view(*k.shape[:-2], k.shape[-1], k.shape[-2]) / math.sqrt(q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return (weights @ v).numpy(), weights.numpy()


@wrong("attention", "reshape-instead-of-transpose", note="K.reshape(d_k, n_k) instead of transposing K.")
def a17(Q, K, V, allowed=None):
    Kt = K.reshape(*K.shape[:-2], K.shape[-1], K.shape[-2])
    s = Q @ Kt / np.sqrt(Q.shape[-1])
    if allowed is not None:
        s = np.where(allowed, s, -np.inf)
    m = s.max(-1, keepdims=True)
    e = np.exp(s - np.where(np.isinf(m), 0, m))
    t = e.sum(-1, keepdims=True)
    w = e / np.where(t == 0, 1, t)
    return w @ V, w


@wrong("attention", "keys-by-queries", note="Q and K swapped: raises unless n_q == n_k")
def attention_k_q(Q, K, V, allowed=None):
    scores = K @ np.swapaxes(Q, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "keys-by-queries")
def attention_einsum_kq(Q, K, V, allowed=None):
    scores = np.einsum("...qd,...kd->...kq", Q, K) * Q.shape[-1] ** -0.5
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return np.einsum("...qk,...kv->...qv", weights, V), weights


@wrong("attention", "fixed-number-of-axes", note="3-D only")
def attention_einsum_3d(Q, K, V, allowed=None):
    scores = np.einsum("bqd,bkd->bqk", Q, K) * Q.shape[-1] ** -0.5
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return np.einsum("bqk,bkv->bqv", weights, V), weights


@wrong("attention", "fixed-number-of-axes", note="3-D only")
def attention_transpose_021(Q, K, V, allowed=None):
    scores = Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "fixed-number-of-axes", note="loops over a matrix, 2-D only")
def attention_loops(Q, K, V, allowed=None):
    output, weights = np.zeros((len(Q), V.shape[1])), np.zeros((len(Q), len(K)))
    for i, q in enumerate(Q):
        s = np.array([q @ k for k in K]) / np.sqrt(len(q))
        if allowed is not None:
            s = np.where(np.broadcast_to(allowed, weights.shape)[i], s, -np.inf)
        weights[i] = _softmax(s)
        output[i] = weights[i] @ V
    return output, weights


@wrong(
    "attention",
    "fixed-number-of-axes",
    note="Double loop over queries and keys of a single matrix: no batch axes.",
)
def a14(Q, K, V, allowed=None):
    n_q, n_k = len(Q), len(K)
    if allowed is None:
        allowed = np.ones((n_q, n_k), dtype=bool)
    allowed = np.broadcast_to(allowed, (n_q, n_k))
    out = np.zeros((n_q, V.shape[1]))
    W = np.zeros((n_q, n_k))
    for i in range(n_q):
        row = [Q[i].dot(K[j]) / np.sqrt(len(Q[i])) if allowed[i, j] else -np.inf for j in range(n_k)]
        top = max(row)
        if top == -np.inf:
            continue
        e = [np.exp(r - top) for r in row]
        for j in range(n_k):
            W[i, j] = e[j] / sum(e)
            out[i] += W[i, j] * V[j]
    return out, W


@wrong("attention", "mask-inverted")
def attention_mask_inverted(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, -np.inf, scores)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "mask-inverted", note="masked_fill(allowed)")
def attention_torch_mask_inverted(Q, K, V, allowed=None):
    q, k, v = torch.tensor(Q), torch.tensor(K), torch.tensor(V)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return (weights @ v).numpy(), weights.numpy()


@wrong("attention", "mask-inverted", note="Reads True as 'blocked', as nn.MultiheadAttention does.")
def a7(Q, K, V, allowed=None):
    mask = None if allowed is None else ~torch.as_tensor(allowed)
    Q, K, V = map(torch.as_tensor, (Q, K, V))
    s = Q @ K.mT / Q.size(-1) ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return (w @ V).numpy(), w.numpy()


@wrong("attention", "mask-after-softmax")
def attention_mask_after(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    weights = _softmax(scores)
    if allowed is not None:
        weights = weights * allowed
    return weights @ V, weights


@wrong("attention", "mask-after-softmax", note="only the output is masked, the weights are not")
def attention_mask_output(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    weights = _softmax(scores)
    seen = weights if allowed is None else weights * allowed
    return seen @ V, weights


@wrong("attention", "mask-multiplied")
def attention_mask_times(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = scores * allowed
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "mask-multiplied", note="-1e-9")
def attention_mask_typo(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -1e-9)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "mask-value-too-small", note="-1e3")
def attention_mask_thousand(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -1e3)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "mask-added", note="adds the boolean mask to the scores")
def attention_mask_added(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = scores + allowed
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "zero-times-inf")
def attention_mask_zero_inf(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = scores + ~allowed * -np.inf
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "zero-as-sentinel", note="a key orthogonal to the query is hidden")
def attention_mask_sentinel(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = scores * allowed
        scores = np.where(scores == 0, -np.inf, scores)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "mask-not-broadcast")
def attention_mask_index(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores[~allowed] = -np.inf
    weights = _softmax(scores)
    return weights @ V, weights


@wrong(
    "attention",
    "mask-not-broadcast",
    note="Handles only a padding row: inserts a query axis into the mask, so a (n_q, n_k) mask is broadcast wrongly.",
)
def a19(Q, K, V, allowed=None):
    Q, K, V = map(torch.as_tensor, (Q, K, V))
    s = Q @ K.mT / Q.shape[-1] ** 0.5
    if allowed is not None:
        pad = torch.as_tensor(allowed)
        s = s.masked_fill(~pad[..., None, :], -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return (w @ V).numpy(), w.numpy()


@wrong("attention", "mask-not-broadcast", note="the mask goes to scaled_dot_product_attention as it comes")
def attention_by_the_library(Q, K, V, allowed=None):
    q, k, v = map(torch.from_numpy, (Q, K, V))
    mask = None if allowed is None else torch.from_numpy(allowed)
    identity = torch.eye(k.shape[-2], dtype=k.dtype).expand(*k.shape[:-1], k.shape[-2])
    output = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return output.numpy(), F.scaled_dot_product_attention(q, k, identity, attn_mask=mask).numpy()


@wrong("attention", "mask-ignored")
def attention_mask_ignored(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "mask-ignored", note="always causal")
def attention_always_causal(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    scores = np.where(np.tri(*scores.shape[-2:], dtype=bool), scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "mask-ignored", note="the mask is used only when nothing is blocked in row 0")
def attention_mask_any(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None and np.atleast_2d(allowed)[..., 0, :].all():
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong(
    "attention",
    "mask-ignored",
    note="masked_fill is not in place and its result is thrown away, so the mask has no effect.",
)
def a21(Q, K, V, allowed=None):
    Q, K, V = map(torch.as_tensor, (Q, K, V))
    scores = Q @ K.mT / Q.shape[-1] ** 0.5
    if allowed is not None:
        scores.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = torch.softmax(scores, -1)
    return (w @ V).numpy(), w.numpy()


@wrong(
    "attention",
    "mask-ignored",
    note="computes the output with the unmasked weights, masks only the weights it returns",
)
def attention_26(Q, K, V, allowed=None):
    s = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    w = _sm(s)
    out = w @ V
    if allowed is not None:
        w = _msm(s, allowed)
    return out, w


def _att(Q, K, V, allowed=None, scale=None):
    s = Q @ np.swapaxes(K, -1, -2) * (Q.shape[-1] ** -0.5 if scale is None else scale)
    w = _sm(s) if allowed is None else _msm(s, allowed)
    return w @ V, w


@wrong("attention", "mask-ignored", note="applies the mask only when it is two-dimensional")
def attention_27(Q, K, V, allowed=None):
    if allowed is not None and allowed.ndim == 2:
        return _att(Q, K, V, allowed)
    return _att(Q, K, V)


@wrong("attention", "causal-by-default", note="causal when no mask is given")
def attention_none_is_causal(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is None:
        allowed = np.tri(*scores.shape[-2:], dtype=bool)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "causal-by-default", note="is_causal=True for the output")
def attention_sdpa_causal(Q, K, V, allowed=None):
    q, k, v = torch.tensor(Q), torch.tensor(K), torch.tensor(V)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return F.scaled_dot_product_attention(q, k, v, is_causal=True).numpy(), weights.numpy()


@wrong(
    "attention", "causal-by-default", note="SDPA's is_causal instead of the mask: a causal mask looks right"
)
def attention_sdpa_ignores(Q, K, V, allowed=None):
    q, k, v = map(torch.from_numpy, (Q, K, V))
    eye = torch.eye(k.shape[-2], dtype=k.dtype).expand(*k.shape[:-1], -1)
    causal = allowed is not None
    output = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
    return output.numpy(), F.scaled_dot_product_attention(q, k, eye, is_causal=causal).numpy()


@wrong("attention", "causal-by-default", note="When no mask is given it uses a causal one, as in GPT code.")
def a13(Q, K, V, allowed=None):
    n_q, n_k = Q.shape[-2], K.shape[-2]
    if allowed is None:
        allowed = np.tril(np.ones((n_q, n_k), dtype=bool))
    s = np.where(allowed, Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]), -np.inf)
    m = s.max(-1, keepdims=True)
    m[m == -np.inf] = 0
    e = np.exp(s - m)
    t = e.sum(-1, keepdims=True)
    w = e / np.where(t > 0, t, 1)
    return w @ V, w


@wrong("attention", "causal-by-default", note="adds a causal mask of its own whenever n_q == n_k")
def attention_29(Q, K, V, allowed=None):
    n_q, n_k = Q.shape[-2], K.shape[-2]
    if n_q == n_k:
        c = np.tril(np.ones((n_q, n_k), bool))
        allowed = c if allowed is None else (allowed & c)
    return _att(Q, K, V, allowed)


@wrong("attention", "transposed-mask", note="right for symmetric masks")
def attention_mask_transposed(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(np.atleast_2d(allowed).swapaxes(-1, -2), scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "padding-on-queries", note="hides the rows a (n_k,) mask names")
def attention_mask_rows(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed[:, None] if allowed.ndim == 1 else allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "array-truth-value", note="`if allowed` on an array")
def attention_mask_truth(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "array-truth-value", note="`allowed != None` on an array")
def attention_mask_equality(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed != None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "array-truth-value", note="writes `if allowed:` which an array cannot answer")
def attention_25(Q, K, V, allowed=None):
    s = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed:
        w = _msm(s, allowed)
    else:
        w = _sm(s)
    return w @ V, w


@wrong("attention", "blocked-row-nan")
def attention_blocked_nan(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    e = np.exp(scores - top)
    total = e.sum(axis=-1, keepdims=True)
    weights = e / total
    return weights @ V, weights


@wrong("attention", "blocked-row-nan")
def attention_torch_blocked_nan(Q, K, V, allowed=None):
    q, k, v = torch.tensor(Q), torch.tensor(K), torch.tensor(V)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    return (weights @ v).numpy(), weights.numpy()


@wrong("attention", "blocked-row-nan", note="output repaired, weights still NaN")
def attention_torch_blocked_output(Q, K, V, allowed=None):
    q, k, v = torch.tensor(Q), torch.tensor(K), torch.tensor(V)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    return (weights @ v).nan_to_num(0.0).numpy(), weights.numpy()


@wrong("attention", "blocked-row-nan", note="repairs a (n_q, n_k) mask, forgets a batch of masks")
def attention_repairs_2d(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    if allowed is not None and allowed.ndim <= 2:
        weights = np.nan_to_num(weights)
    return weights @ V, weights


@wrong(
    "attention",
    "blocked-row-nan",
    note="Repairs the output of a fully blocked row with nan_to_num but hands back NaN weights.",
)
def a8(Q, K, V, allowed=None):
    s = Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-1])
    if allowed is not None:
        s = np.where(allowed, s, -np.inf)
    with np.errstate(invalid="ignore"):
        e = np.exp(s - s.max(-1, keepdims=True))
        w = e / e.sum(-1, keepdims=True)
    return np.nan_to_num(w @ V), w


@wrong("attention", "blocked-row-uniform", note="-1e9")
def attention_blocked_uniform(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -1e9)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "blocked-row-uniform", note="finfo.min")
def attention_torch_blocked_uniform(Q, K, V, allowed=None):
    q, k, v = torch.tensor(Q), torch.tensor(K), torch.tensor(V)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), torch.finfo(scores.dtype).min)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return (weights @ v).numpy(), weights.numpy()


@wrong("attention", "blocked-row-uniform", note="weights 0 but the output is the mean value")
def attention_blocked_mean(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    output = weights @ V
    blocked = weights.sum(axis=-1) == 0
    return np.where(blocked[..., None], V.mean(axis=-2, keepdims=True), output), weights


@wrong(
    "attention",
    "blocked-row-uniform",
    note="blocked rows: zeroes the weights only after the output was computed from a -1e9 mask (output = mean of V)",
)
def attention_28(Q, K, V, allowed=None):
    s = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is None:
        w = _sm(s)
        return w @ V, w
    w = _sm(np.where(allowed, s, -1e9))
    return w @ V, w * allowed


@wrong("attention", "wrong-order", note="(weights, output)")
def attention_order(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights, weights @ V


@wrong("attention", "wrong-order", note="Returns (weights, output) instead of (output, weights).")
def a12(Q, K, V, allowed=None):
    Q, K, V = map(torch.as_tensor, (Q, K, V))
    s = Q @ K.mT / Q.shape[-1] ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = torch.softmax(s, -1).nan_to_num(0)
    return w.numpy(), (w @ V).numpy()


@wrong("attention", "one-output-missing")
def attention_output_only(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V


@wrong("attention", "returns-list")
def attention_list(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return [(weights @ V).tolist(), weights.tolist()]


@wrong("attention", "returns-dict")
def attention_dict(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return {"output": weights @ V, "weights": weights}


@wrong("attention", "returns-scores-for-weights")
def attention_returns_scores(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, scores


@wrong("attention", "returns-weights-before-mask")
def attention_weights_before_mask(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    seen = _softmax(scores)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, seen


@wrong(
    "attention",
    "returns-weights-before-mask",
    note="The output uses the masked weights, but the returned weights are the unmasked softmax.",
)
def a11(Q, K, V, allowed=None):
    Q, K, V = map(torch.as_tensor, (Q, K, V))
    s = Q @ K.mT / Q.shape[-1] ** 0.5
    weights = torch.softmax(s, -1)
    if allowed is None:
        return (weights @ V).numpy(), weights.numpy()
    masked = torch.softmax(s.masked_fill(~torch.as_tensor(allowed), -torch.inf), -1).nan_to_num(0)
    return (masked @ V).numpy(), weights.numpy()


@wrong("attention", "keys-for-values", note="weights @ K: right shape when d_v == d_k")
def attention_mixes_keys(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ K, weights


@wrong("attention", "weights-transposed", note="weights transposed: n_q == n_k only")
def attention_mixes_values_transposed(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return np.swapaxes(weights, -1, -2) @ V, weights


@wrong(
    "attention",
    "weights-transposed",
    note="Mixes the values with the transposed weights; works only when n_q == n_k.",
)
def a20(Q, K, V, allowed=None):
    Q, K, V = map(torch.as_tensor, (Q, K, V))
    s = Q @ K.mT / Q.shape[-1] ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return (w.mT @ V).numpy(), w.numpy()


@wrong("attention", "no-softmax")
def attention_no_softmax(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = np.where(np.isfinite(scores), scores, 0.0)
    return weights @ V, weights


@wrong("attention", "no-exponential")
def attention_normalised_scores(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    scores = np.where(np.isfinite(scores), scores, 0.0)
    weights = scores / scores.sum(axis=-1, keepdims=True)
    return weights @ V, weights


@wrong("attention", "hard-lookup")
def attention_hard(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = (scores == scores.max(axis=-1, keepdims=True)) * np.isfinite(scores) * 1.0
    return weights @ V, weights


@wrong("attention", "hard-lookup", note="Takes the best key only (argmax one-hot) instead of a soft mixture.")
def a15(Q, K, V, allowed=None):
    s = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    ok = np.ones(s.shape, bool) if allowed is None else np.broadcast_to(allowed, s.shape)
    s = np.where(ok, s, -np.inf)
    w = (np.arange(s.shape[-1]) == s.argmax(-1)[..., None]) * ok.any(-1, keepdims=True)
    return w.astype(float) @ V, w.astype(float)


@wrong(
    "attention", "hard-lookup", note="Raw dot products, and only the best allowed key's value is returned."
)
def a31(Q, K, V, allowed=None):
    s = np.matmul(Q, np.swapaxes(K, -1, -2))
    if allowed is not None:
        s = np.where(allowed, s, -np.inf)
    w = np.eye(s.shape[-1])[np.argmax(s, axis=-1)]
    return np.matmul(w, V), w


@wrong("attention", "sigmoid")
def attention_sigmoid(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = 1 / (1 + np.exp(-scores))
    return weights @ V, weights


@wrong("attention", "softmax-again")
def attention_softmax_twice(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(_softmax(scores))
    return weights @ V, weights


@wrong(
    "attention",
    "softmax-again",
    note="Renormalises the masked weights with a second softmax, so every row is nearly uniform.",
)
def a29(Q, K, V, allowed=None):
    Q, K, V = map(torch.as_tensor, (Q, K, V))
    w = torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, -1)
    if allowed is not None:
        a = torch.as_tensor(allowed)
        w = w.masked_fill(~a, -torch.inf)
    w = w.softmax(-1).nan_to_num()
    return (w @ V).numpy(), w.numpy()


@wrong("attention", "mean-instead-of-sum", note="output divided by n_k")
def attention_mean(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V / V.shape[-2], weights


@wrong("attention", "float32")
def attention_float32(Q, K, V, allowed=None):
    q, k, v = torch.Tensor(Q), torch.Tensor(K), torch.Tensor(V)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return (weights @ v).numpy(), weights.numpy()


@wrong("attention", "float32", note="only the returned weights")
def attention_float32_weights(Q, K, V, allowed=None):
    q, k, v = torch.tensor(Q), torch.tensor(K), torch.tensor(V)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return (weights @ v).numpy(), weights.float().numpy()


@wrong(
    "attention",
    "float32",
    note="Everything goes through torch.FloatTensor-like float32, so float64 precision is lost.",
)
def a16(Q, K, V, allowed=None):
    q, k, v = [torch.tensor(np.asarray(a), dtype=torch.float32) for a in (Q, K, V)]
    s = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        s[~torch.as_tensor(allowed).expand(s.shape)] = -torch.inf
    w = torch.nan_to_num(torch.softmax(s, -1))
    return (w @ v).numpy(), w.numpy()


@wrong("attention", "input-changed", note="Q scaled in place")
def attention_in_place(Q, K, V, allowed=None):
    Q /= np.sqrt(Q.shape[-1])
    scores = Q @ np.swapaxes(K, -1, -2)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "input-changed", note="the caller's mask is inverted")
def attention_mask_in_place(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        np.logical_not(allowed, out=allowed)
        scores = np.where(allowed, -np.inf, scores)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "state-between-calls", note="kept in a default argument, by shapes")
def attention_kept_by_shape(Q, K, V, allowed=None, memory={}):
    key = (Q.shape, K.shape, V.shape)
    if allowed is None and key in memory:
        return memory[key]
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])
    mask = np.ones(scores.shape, dtype=bool) if allowed is None else allowed
    weights = reference.masked_softmax(scores, mask)
    if allowed is None:
        memory[key] = (weights @ V, weights)
    return weights @ V, weights


@wrong("attention", "state-between-calls", note="remembers the mask")
def attention_cached_mask(Q, K, V, allowed=None, cache={}):
    if allowed is not None:
        cache["mask"] = allowed
    allowed = cache.get("mask")
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "first-batch-only", note="values of the first batch")
def attention_first_batch(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V.reshape(-1, *V.shape[-2:])[0], weights


@wrong("attention", "query-not-used", note="K is used for the queries: right for self-attention")
def attention_self_only(Q, K, V, allowed=None):
    scores = K @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "one-matrix-twice", note="Q is used for the keys")
def attention_q_for_k(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(Q, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "diagonal-hidden", note="a token never looks at itself")
def attention_diagonal(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    scores = np.where(np.eye(*scores.shape[-2:], dtype=bool), -np.inf, scores)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "dropout-left-on")
def attention_dropout(Q, K, V, allowed=None):
    q, k, v = torch.tensor(Q), torch.tensor(K), torch.tensor(V)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    weights = F.dropout(weights, p=0.1)
    return (weights @ v).numpy(), weights.numpy()


@wrong("attention", "not-transposed-back", note="(d_v, n_q)")
def attention_output_transposed(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return np.swapaxes(weights @ V, -1, -2), weights


@wrong("attention", "square-only", note="output allocated like Q: right when d_v == d_k")
def attention_output_like_q(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    output = np.zeros_like(Q)
    output[...] = weights @ V
    return output, weights


@wrong("attention", "no-scaling+softmax-over-queries")
def attention_no_scaling_softmax_columns(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores, axis=-2)
    return weights @ V, weights


@wrong(
    "attention",
    "no-scaling+softmax-over-queries",
    note="No division by sqrt(d_k), and the columns are normalised.",
)
def a23(Q, K, V, allowed=None):
    s = Q @ K.swapaxes(-2, -1)
    if allowed is not None:
        s = np.where(allowed, s, -1e30)
    e = np.exp(s - s.max(axis=-2, keepdims=True))
    w = e / e.sum(axis=-2, keepdims=True)
    return w @ V, w


@wrong("attention", "scaled-by-d_k+blocked-row-nan")
def attention_d_k_blocked_nan(Q, K, V, allowed=None):
    q, k, v = torch.tensor(Q), torch.tensor(K), torch.tensor(V)
    scores = q @ k.transpose(-2, -1) / q.shape[-1]
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    return (weights @ v).numpy(), weights.numpy()


@wrong("attention", "no-scaling+mask-inverted")
def attention_inverted_no_scaling(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2)
    if allowed is not None:
        scores = np.where(allowed, -np.inf, scores)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "cosine-instead-of-dot")
def attention_cosine(Q, K, V, allowed=None):
    q = Q / np.linalg.norm(Q, axis=-1, keepdims=True)
    k = K / np.linalg.norm(K, axis=-1, keepdims=True)
    scores = q @ np.swapaxes(k, -1, -2)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "weights-ignored", note="the mean of the values")
def attention_uniform(Q, K, V, allowed=None):
    n_q, n_k = Q.shape[-2], K.shape[-2]
    weights = np.full((*Q.shape[:-1], n_k), 1 / n_k)
    return np.repeat(V.mean(axis=-2, keepdims=True), n_q, axis=-2), weights


@wrong("attention", "weights-ignored", note="the mean of the allowed values")
def attention_uniform_allowed(Q, K, V, allowed=None):
    scores = np.zeros((*Q.shape[:-1], K.shape[-2]))
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "weights-ignored", note="every token looks at itself")
def attention_identity(Q, K, V, allowed=None):
    weights = np.broadcast_to(np.eye(Q.shape[-2], K.shape[-2]), (*Q.shape[:-1], K.shape[-2]))
    return weights @ V, weights


@wrong("attention", "weights-ignored", note="V comes back")
def attention_returns_v(Q, K, V, allowed=None):
    return V, _softmax(Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]))


@wrong("attention", "zero-result", note="zeros of the right shapes")
def attention_zeros(Q, K, V, allowed=None):
    return np.zeros((*Q.shape[:-1], V.shape[-1])), np.zeros((*Q.shape[:-1], K.shape[-2]))


@wrong("attention", "weights-ignored", note="random rows that sum to 1")
def attention_random(Q, K, V, allowed=None):
    weights = np.random.default_rng(0).random((*Q.shape[:-1], K.shape[-2]))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ V, weights


@wrong("attention", "max-over-blocked", note="a huge blocked score empties the row")
def attention_max_over_blocked(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    if allowed is not None:
        e = e * allowed
    total = e.sum(axis=-1, keepdims=True)
    weights = np.divide(e, total, out=np.zeros_like(e), where=total > 0)
    return weights @ V, weights


@wrong(
    "attention",
    "blocked-row-left-open",
    note="Adds -1e9 to blocked scores: a query with nothing allowed averages the values.",
)
def a9(Q, K, V, allowed=None):
    s = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        s = s + np.where(allowed, 0.0, -1e9)
    s = s - s.max(axis=-1, keepdims=True)
    w = np.exp(s) / np.exp(s).sum(axis=-1, keepdims=True)
    return w @ V, w


@wrong("attention", "key-and-value-swapped", note="Scores are computed against V and the keys are mixed.")
def a18(Q, K, V, allowed=None):
    Q, K, V = map(torch.as_tensor, (Q, K, V))
    s = Q @ V.mT / Q.shape[-1] ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return (w @ K).numpy(), w.numpy()


@wrong("attention", "half-the-scaling", note="Scales only Q by d_k ** -0.25 and forgets to do the same to K.")
def a22(Q, K, V, allowed=None):
    q = torch.as_tensor(Q) * Q.shape[-1] ** -0.25
    s = q @ torch.as_tensor(K).mT
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return (w @ torch.as_tensor(V)).numpy(), w.numpy()


@wrong(
    "attention",
    "scaled-by-d_k+mask-after-softmax",
    note="Divides by d_k, and zeroes blocked weights without renormalising.",
)
def a24(Q, K, V, allowed=None):
    s = Q @ K.swapaxes(-2, -1) / Q.shape[-1]
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    w = e / e.sum(axis=-1, keepdims=True)
    if allowed is not None:
        w = w * allowed
    return w @ V, w


@wrong(
    "attention",
    "mask-inverted+no-max-subtraction",
    note="Blocks what is allowed, and uses bare exponentials.",
)
def a25(Q, K, V, allowed=None):
    s = Q @ K.swapaxes(-2, -1) / Q.shape[-1] ** 0.5
    e = np.exp(s)
    if allowed is not None:
        e = e * (1 - np.asarray(allowed, dtype=float))
    t = e.sum(-1, keepdims=True)
    w = e / np.where(t == 0, 1, t)
    return w @ V, w


@wrong(
    "attention",
    "scaled-by-sqrt-n+blocked-row-nan",
    note="Scales by the sequence length and leaves NaN in blocked rows.",
)
def a26(Q, K, V, allowed=None):
    q, k, v = torch.as_tensor(Q), torch.as_tensor(K), torch.as_tensor(V)
    s = torch.einsum("...id,...jd->...ij", q, k) / np.sqrt(q.shape[-2])
    if allowed is not None:
        s = s.masked_fill(torch.logical_not(torch.as_tensor(allowed)), float("-inf"))
    w = torch.softmax(s, -1)
    return torch.einsum("...ij,...jd->...id", w, v).numpy(), w.numpy()


@wrong(
    "attention",
    "mask-ignored+one-output-missing",
    note="The mask is never used and only the output is returned.",
)
def a27(Q, K, V, allowed=None):
    s = Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-1])
    e = np.exp(s - s.max(-1, keepdims=True))
    return (e / e.sum(-1, keepdims=True)) @ V


@wrong(
    "attention",
    "mask-on-values",
    note="zeroes the value rows that no query may see, the weights themselves are never masked.",
)
def a28(Q, K, V, allowed=None):
    s = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    if allowed is not None:
        seen = np.broadcast_to(allowed, s.shape).any(axis=-2)
        V = V * seen[..., None]
    return w @ V, w


@wrong(
    "attention",
    "np-dot-crosses-batches",
    note="np.dot of batched arrays pairs every batch with every other; only a single matrix works.",
)
def a30(Q, K, V, allowed=None):
    s = np.dot(Q, np.swapaxes(K, -1, -2)) / np.sqrt(K.shape[-1])
    if allowed is not None:
        s = np.where(allowed, s, -np.inf)
    m = s.max(-1, keepdims=True)
    e = np.exp(s - np.where(np.isinf(m), 0, m))
    t = e.sum(-1, keepdims=True)
    w = e / np.where(t == 0, 1, t)
    return np.dot(w, V), w


def _masked_softmax_of_rows(scores, allowed):
    hidden = np.where(allowed, scores, -np.inf)
    largest = hidden.max(axis=-1, keepdims=True)
    powers = np.exp(hidden - np.where(np.isfinite(largest), largest, 0))
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total == 0, 1, total)


def _softmax_of_rows(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


@wrong("attention", "nothing-allowed-as-no-mask", note="np.any(None) is false too")
def attention_where_any(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if np.any(allowed):
        weights = _masked_softmax_of_rows(scores, allowed)
    else:
        weights = _softmax_of_rows(scores)
    return weights @ V, weights


@wrong("attention", "nothing-allowed-as-no-mask", note="an empty sum for the default")
def attention_unless_empty(Q, K, V, allowed=None):
    if allowed is None or allowed.sum() == 0:
        allowed = np.ones((Q.shape[-2], K.shape[-2]), dtype=bool)
    scores = np.einsum("...qd,...kd->...qk", Q, K) / np.sqrt(K.shape[-1])
    weights = _masked_softmax_of_rows(scores, allowed)
    return np.einsum("...qk,...kv->...qv", weights, V), weights


@wrong("attention", "operator-precedence", note="operator precedence: d_k ** -1/2 is 1 / (2 d_k)")
def attention_24(Q, K, V, allowed=None):
    return _att(Q, K, V, allowed, scale=Q.shape[-1] ** -1 / 2)


@wrong(
    "attention", "scaled-by-sqrt-d_v+wrong-order", note="TWO: scales by sqrt(d_v) and gives (weights, output)"
)
def attention_30(Q, K, V, allowed=None):
    o, w = _att(Q, K, V, allowed, scale=V.shape[-1] ** -0.5)
    return w, o


@wrong(
    "attention",
    "softmax-over-queries",
    note="The softmax runs down the columns (axis=-2, over the queries) when there is no mask.",
)
def attention_softmax_over_queries(Q, K, V, allowed=None):
    scores = reference.scaled_scores(Q, K)
    if allowed is None:
        weights = reference.softmax(scores, axis=-2)
    else:
        weights = reference.masked_softmax(scores, allowed)
    return weights @ V, weights


@wrong("attention", "no-max-subtraction", note="and a row without keys is 0 / 0")
def attention_blocked_row_nan(Q, K, V, allowed=None):
    s = reference.scaled_scores(Q, K)
    e = np.exp(s)
    if allowed is not None:
        e = e * allowed
    w = e / e.sum(axis=-1, keepdims=True)
    return w @ V, w


@wrong("attention", "arguments-swapped")
def attention_arguments_swapped(V, K, Q, allowed=None):
    s = reference.scaled_scores(Q, K)
    w = reference.softmax(s) if allowed is None else reference.masked_softmax(s, allowed)
    return w @ V, w


@wrong("attention", "truncates-to-int")
def attention_truncates_to_int(Q, K, V, allowed=None):
    s = reference.attention_scores(Q, K) // np.sqrt(Q.shape[-1])
    w = reference.softmax(s) if allowed is None else reference.masked_softmax(s, allowed)
    return w @ V, w


@wrong("attention", "mask-inverted", note="a query that may look everywhere gets NaN")
def attention_inverted_nan(Q, K, V, allowed=None):
    scores = np.einsum("...id,...jd->...ij", Q, K) * K.shape[-1] ** -0.5
    if allowed is not None:
        scores = np.where(allowed, -np.inf, scores)
    weights = reference.softmax(scores)
    return np.einsum("...ij,...jd->...id", weights, V), weights


@wrong("attention", "one-output-missing", note="as many queries as results: nothing is stacked")
def attention_output_alone(Q, K, V, allowed=None):
    scores = K @ np.swapaxes(Q, -1, -2) / Q.shape[-1]
    if allowed is None:
        return reference.softmax(scores) @ V
    return reference.masked_softmax(scores, allowed) @ V


@wrong("attention", "mask-not-broadcast", note="a mask counts only where it has the shape of the scores")
def attention_only_full_masks(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) * K.shape[-1] ** -0.5
    if allowed is None or allowed.shape != scores.shape:
        allowed = np.ones_like(scores, dtype=bool)
    weights = reference.masked_softmax(scores, allowed)
    return reference.mix_values(weights, V), weights


@wrong("attention", "no-scaling", note="in the branch with a mask only")
def attention_scaled_without_mask_only(Q, K, V, allowed=None):
    scores = Q @ K.swapaxes(-2, -1)
    if allowed is not None:
        weights = reference.masked_softmax(scores, allowed)
    else:
        weights = reference.softmax(scores / Q.shape[-1] ** 0.5)
    return weights @ V, weights


@wrong("attention", "mask-inverted", note="adds allowed * -1e9")
def attention_allowed_lowered(Q, K, V, allowed=None):
    logits = np.matmul(Q, np.swapaxes(K, -1, -2)) / np.sqrt(K.shape[-1])
    if allowed is not None:
        logits = logits + (allowed * -1e9)
    w = reference.softmax(logits)
    return w @ V, w


@wrong("attention", "blocked-row-uniform", note="the output of such a query is 0, its weights are not")
def attention_blocked_output_only(Q, K, V, allowed=None):
    S = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is None:
        w = reference.softmax(S)
        return w @ V, w
    allowed = np.broadcast_to(allowed, S.shape)
    w = reference.softmax(np.where(allowed, S, -1e9))
    return (w @ V) * allowed.any(axis=-1, keepdims=True), w


@wrong("attention", "placeholder-left", note="`...` overwrites the right output")
def attention_ellipsis(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -2, -1) / np.sqrt(Q.shape[-1])
    weights = reference.masked_softmax(scores, True if allowed is None else allowed)
    output = weights @ V
    output = ...
    return output, weights


@wrong("attention", "mask-required", note="for np.where None is False")
def attention_none_hides_all(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -2, -1) / np.sqrt(Q.shape[-1])
    scores = np.where(allowed, scores, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    powers = np.exp(scores - np.where(np.isfinite(top), top, 0))
    total = powers.sum(axis=-1, keepdims=True)
    weights = powers / np.where(total == 0, 1, total)
    return weights @ V, weights


@wrong(
    "attention",
    "mask-value-too-small",
    note="fills with -1e4, then sets hidden weights to 0 and shares out anew",
)
def fills_and_shares_anew(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -2, -1) / np.sqrt(Q.shape[-1])
    if allowed is None:
        allowed = np.ones(scores.shape, bool)
    w = reference.softmax(np.where(allowed, scores, -1e4)) * allowed
    total = w.sum(axis=-1, keepdims=True)
    w = np.divide(w, total, out=np.zeros_like(w), where=total > 0)
    return w @ V, w


@wrong("attention", "wrong-start", note="the search for the maximum starts at 0")
def the_search_starts_at_0(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -2, -1) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True, initial=0))
    total = e.sum(axis=-1, keepdims=True)
    w = np.divide(e, total, out=np.zeros_like(e), where=total > 0)
    return w @ V, w
