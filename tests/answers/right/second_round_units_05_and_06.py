"""Right answers to units 05 and 06 in unusual styles: a second round."""

import itertools
import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from ..registry import right


def _sm(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def _msm(scores, allowed):
    a = np.broadcast_to(allowed, np.broadcast_shapes(np.shape(allowed), scores.shape))
    s = np.where(a, scores, -np.inf)
    m = s.max(-1, keepdims=True)
    m = np.where(np.isfinite(m), m, 0.0)
    e = np.exp(s - m)
    t = e.sum(-1, keepdims=True)
    return e / np.where(t == 0, 1.0, t)


def _att(Q, K, V, allowed=None, scale=None):
    s = Q @ np.swapaxes(K, -1, -2) * (Q.shape[-1] ** -0.5 if scale is None else scale)
    w = _sm(s) if allowed is None else _msm(s, allowed)
    return w @ V, w


def _split(X, h):
    B, n, d = X.shape
    return X.reshape(B, n, h, d // h).transpose(0, 2, 1, 3)


def _merge(H):
    B, h, n, d = H.shape
    return H.transpose(0, 2, 1, 3).reshape(B, n, h * d)


class _Base(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.h, self.dh = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def split(self, x):
        return x.view(x.shape[0], x.shape[1], self.h, self.dh).transpose(1, 2)

    def merge(self, x):
        return x.transpose(1, 2).reshape(x.shape[0], x.shape[2], -1)

    def weigh(self, s, allowed):
        if allowed is None:
            return s.softmax(-1)
        s = s.masked_fill(~allowed, torch.finfo(s.dtype).min)
        return s.softmax(-1) * allowed.any(-1, keepdim=True)


@right("softmax", "log-sum-exp with np.logaddexp.reduce")
def softmax_1(x, axis=-1):
    return np.exp(x - np.logaddexp.reduce(x, axis=axis, keepdims=True))


@right("softmax", "apply_along_axis, one row at a time in pure Python")
def softmax_2(x, axis=-1):
    def row(r):
        m = max(r)
        e = [math.exp(v - m) for v in r]
        t = math.fsum(e)
        return np.array([v / t for v in e])

    return np.apply_along_axis(row, axis, np.asarray(x, float))


@right("softmax", "torch exp and sum inside, NumPy out, moveaxis view back")
def softmax_3(x, axis=-1):
    t = torch.tensor(np.moveaxis(x, axis, 0).copy())
    e = (t - t.amax(0)).exp()
    return np.moveaxis((e / e.sum(0)).numpy(), 0, axis)


@right("softmax", "reciprocal form 1 / sum_j exp(x_j - x_i) with infinities handled")
def softmax_4(x, axis=-1):
    z = np.moveaxis(np.asarray(x, float), axis, -1)
    with np.errstate(over="ignore", invalid="ignore"):
        diff = z[..., None, :] - z[..., :, None]  # [i, j] = x_j - x_i
        p = 1.0 / np.where(np.isneginf(z)[..., None, :], 0.0, np.exp(diff)).sum(-1)
    return np.moveaxis(np.where(np.isneginf(z), 0.0, p), -1, axis)


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
def masked_softmax_7(scores, allowed):
    a = np.broadcast_to(allowed, scores.shape)
    m = np.max(scores, axis=-1, keepdims=True, where=a, initial=np.finfo(scores.dtype).min)
    e = np.exp(np.minimum(scores - m, 0)) * a
    t = np.einsum("...k->...", e)[..., None]
    return np.divide(e, t, out=np.zeros_like(e), where=t > 0)


@right("masked_softmax", "ndindex loops, softmax of the allowed subset only")
def masked_softmax_8(scores, allowed):
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
def masked_softmax_9(scores, allowed):
    s = torch.from_numpy(np.array(scores))
    a = torch.from_numpy(np.array(np.broadcast_to(allowed, scores.shape)))
    bias = torch.zeros_like(s).masked_fill_(~a, torch.finfo(s.dtype).min / 2)
    return (torch.softmax(s + bias, -1) * a).numpy()


@right("softmax_with_temperature", "power of probabilities in log space")
def softmax_with_temperature_10(x, temperature):
    z = (x - x.max(-1, keepdims=True)) / temperature
    return np.exp(z - np.log(np.exp(z).sum(-1, keepdims=True)))


@right("softmax_with_temperature", "reciprocal beta, in-place on its own copy")
def softmax_with_temperature_11(x, temperature):
    z = np.array(x, dtype=float)
    z -= z.max(-1)[..., None]
    z *= 1 / temperature
    np.exp(z, out=z)
    z /= np.add.reduce(z, -1)[..., None]
    return z


@right("softmax_with_temperature", "base change: (e^(1/T)) ** x through exp2")
def softmax_with_temperature_12(x, temperature):
    e = np.exp2((x - np.amax(x, -1, keepdims=True)) * (math.log2(math.e) / temperature))
    return np.einsum("...i,...->...i", e, 1 / e.sum(-1))


@right("softmax_backward", "explicit Jacobian and einsum")
def softmax_backward_13(weights, grad):
    J = np.einsum("...i,ij->...ij", weights, np.eye(weights.shape[-1])) - np.einsum(
        "...i,...j->...ij", weights, weights
    )
    return np.einsum("...ij,...j->...i", J, grad)


@right("softmax_backward", "torch.autograd through log(weights) as the input")
def softmax_backward_14(weights, grad):
    x = torch.log(torch.tensor(np.array(weights))).nan_to_num(neginf=-1e30).requires_grad_()
    torch.softmax(x, -1).backward(torch.tensor(np.array(grad)))
    return x.grad.numpy()


@right("softmax_backward", "pairwise differences: w_i sum_j w_j (g_i - g_j)")
def softmax_backward_15(weights, grad):
    return weights * ((grad[..., :, None] - grad[..., None, :]) @ weights[..., None])[..., 0]


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


@right("split_heads", "loop over heads with fancy slices, Fortran-ordered (non-contiguous) result")
def split_heads_20(X, num_heads):
    B, n, d = X.shape
    dh, rest = divmod(d, num_heads)
    if rest:
        raise ValueError("cannot split d_model=%d into %d heads" % (d, num_heads))
    out = np.empty((B, num_heads, n, dh), dtype=X.dtype, order="F")
    for i in range(num_heads):
        out[:, i] = X[..., i * dh : (i + 1) * dh]
    return out


@right("split_heads", "stride tricks view")
def split_heads_21(X, num_heads):
    B, n, d = X.shape
    if d % num_heads != 0:
        raise ValueError(f"num_heads {num_heads} must divide d_model {d}")
    dh = d // num_heads
    b, t, f = X.strides
    return np.lib.stride_tricks.as_strided(X, (B, num_heads, n, dh), (b, f * dh, t, f), writeable=False)


@right("merge_heads", "np.concatenate of the heads as a list")
def merge_heads_22(H):
    return np.concatenate(list(np.moveaxis(H, 1, 0)), axis=-1)


@right("merge_heads", "write into a non-contiguous view by hand")
def merge_heads_23(H):
    B, h, n, d = H.shape
    out = np.empty((B, h * d, n), dtype=H.dtype).swapaxes(1, 2)
    for j in range(h * d):
        out[:, :, j] = H[:, j // d, :, j % d]
    return out


@right("multi_head_attention", "one big projection matrix, reshape (3, h, dh)")
def multi_head_attention_24(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d = X.shape
    q, k, v = (
        (X @ np.hstack([W_q, W_k, W_v])).reshape(B, n, 3, num_heads, d // num_heads).transpose(2, 0, 3, 1, 4)
    )
    o, w = _att(q, k, v, allowed)
    return np.einsum("bhnd,hde->bne", o, W_o.reshape(num_heads, -1, d)), w


@right("multi_head_attention", "loop over heads, sum of W_o blocks, mask sliced per head")
def multi_head_attention_25(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d = X.shape
    a = None if allowed is None else np.broadcast_to(allowed, (B, num_heads, n, n))
    out, ws = 0, []
    for i, c in enumerate(np.array_split(np.arange(d), num_heads)):
        o, w = _att(X @ W_q[:, c], X @ W_k[:, c], X @ W_v[:, c], None if a is None else a[:, i])
        out = out + o @ W_o[c]
        ws.append(w)
    return out, np.stack(ws, 1)


@right("sum_of_heads", "one einsum over a reshaped W_o")
def sum_of_heads_26(H, W_o):
    return np.einsum("bhnd,hdm->bnm", H, W_o.reshape(H.shape[1], H.shape[3], -1), optimize=True)


@right("sum_of_heads", "batched matmul over heads then sum, tensordot free")
def sum_of_heads_27(H, W_o):
    return (H @ np.stack(np.vsplit(W_o, H.shape[1]))[None]).sum(axis=1)


@right("MultiHeadAttention", "finfo.min with later zeroing, scale on Q, unflatten/flatten")
class MultiHeadAttention_28(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, nn.Linear(d_model, d_model))

    def forward(self, query, key, value, allowed=None):
        q, k, v = (
            f(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
            for f, x in ((self.W_q, query), (self.W_k, key), (self.W_v, value))
        )
        s = (q * q.shape[-1] ** -0.5) @ k.transpose(-2, -1)
        if allowed is not None:
            s = torch.where(allowed, s, torch.finfo(s.dtype).min)
        w = torch.softmax(s, -1)
        if allowed is not None:
            w = w * allowed
        return self.W_o((w @ v).transpose(1, 2).flatten(2)), w


@right("MultiHeadAttention", "heads folded into the batch (bmm), masked after exp with renormalisation")
class MultiHeadAttention_29(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.n_heads = num_heads
        self.W_o, self.W_v, self.W_k, self.W_q = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, query, key, value, allowed=None):
        B, nq, d = query.shape
        nk, h = key.size(1), self.n_heads
        fold = lambda t: torch.cat(t.chunk(h, dim=-1), dim=0)
        q, k, v = fold(self.W_q(query)), fold(self.W_k(key)), fold(self.W_v(value))
        s = torch.bmm(q, k.transpose(1, 2)).div(math.sqrt(d // h)).view(h, B, nq, nk).permute(1, 0, 2, 3)
        a = torch.ones(1, dtype=torch.bool) if allowed is None else allowed
        a = a.expand(B, h, nq, nk)
        m = s.detach().masked_fill(~a, -1e30).amax(-1, keepdim=True)
        e = torch.exp((s - m).masked_fill(~a, 0.0)) * a
        t = e.sum(-1, keepdim=True)
        w = e / torch.where(t == 0, torch.ones_like(t), t)
        o = torch.einsum("bhqk,hbkd->bqhd", w, v.view(h, B, nk, -1))
        return self.W_o(o.reshape(B, nq, d)), w


@right("MultiHeadAttention", "per-head loop on slices of the weight, logsumexp, sum of heads")
class MultiHeadAttention_30(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.h = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        dh = query.shape[-1] // self.h
        shape = (query.shape[0], self.h, query.shape[1], key.shape[1])
        a = None if allowed is None else allowed.broadcast_to(shape)
        out, ws = self.W_o.bias, []
        for i in range(self.h):
            c = slice(i * dh, (i + 1) * dh)
            q = F.linear(query, self.W_q.weight[c], self.W_q.bias[c]) * dh**-0.25
            k = F.linear(key, self.W_k.weight[c], self.W_k.bias[c]) * dh**-0.25
            v = F.linear(value, self.W_v.weight[c], self.W_v.bias[c])
            s = q @ k.mT
            if a is not None:
                s = s.masked_fill(~a[:, i], -1e9)
            w = torch.exp(s - torch.logsumexp(s, -1, keepdim=True))
            if a is not None:
                w = w.masked_fill(~a[:, i], 0.0)
            out = out + (w @ v) @ self.W_o.weight[:, c].T
            ws.append(w)
        return out, torch.stack(ws, dim=1)


@right("MultiHeadAttention", "masked_fill(-inf), softmax, nan_to_num: masked_fill stops the NaN gradients")
class MultiHeadAttention_31(_Base):
    def forward(self, query, key, value, allowed=None):
        q, k, v = self.split(self.W_q(query)), self.split(self.W_k(key)), self.split(self.W_v(value))
        s = q @ k.mT / math.sqrt(self.dh)
        if allowed is not None:
            s = s.masked_fill(~allowed, float("-inf"))
        w = torch.nan_to_num(s.softmax(-1), nan=0.0)
        return self.W_o(self.merge(w @ v)), w
