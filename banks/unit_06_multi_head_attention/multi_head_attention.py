"""Right and wrong answers to `multi_head_attention`, as learners write them."""

import math
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from banks.registry import right, wrong
from helpers import reference

# Right answers, each in its own style


@right("multi_head_attention", "reshape, softmax, reshape")
def mha_plain(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads

    def split(Y):
        return Y.reshape(B, n, num_heads, d_head).transpose(0, 2, 1, 3)

    Q, K, V = split(X @ W_q), split(X @ W_k), split(X @ W_v)
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    e = np.exp(scores - np.where(np.isneginf(top), 0, top))
    total = e.sum(axis=-1, keepdims=True)
    weights = e / np.where(total > 0, total, 1)
    merged = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return merged @ W_o, weights


@right("multi_head_attention", "a loop over the heads, sum of the head outputs")
def mha_head_loop(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    output = np.zeros((B, n, d_model))
    all_weights = np.zeros((B, num_heads, n, n))
    keep = np.broadcast_to(True if allowed is None else allowed, all_weights.shape)
    for head in range(num_heads):
        block = slice(head * d_head, (head + 1) * d_head)
        Q, K, V = X @ W_q[:, block], X @ W_k[:, block], X @ W_v[:, block]
        for b in range(B):
            for i in range(n):
                visible = keep[b, head, i]
                if visible.any():
                    scores = K[b, visible] @ Q[b, i] / math.sqrt(d_head)
                    e = np.exp(scores - scores.max())
                    all_weights[b, head, i, visible] = e / e.sum()
        output += all_weights[:, head] @ V @ W_o[block]
    return output, all_weights


@right("multi_head_attention", "einsum on weights cut per head, minus 1e9")
def mha_einsum(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    d_model = X.shape[-1]
    W_q, W_k, W_v = (W.reshape(d_model, num_heads, -1) for W in (W_q, W_k, W_v))
    Q, K, V = (np.einsum("bnm,mhd->bhnd", X, W) for W in (W_q, W_k, W_v))
    scores = np.einsum("bhqd,bhkd->bhqk", Q, K) * Q.shape[-1] ** -0.5
    if allowed is not None:
        scores = np.where(allowed, scores, -1e9)
    e = np.exp(scores - scores.max(-1, keepdims=True))
    weights = e / e.sum(-1, keepdims=True)
    if allowed is not None:
        weights = weights * allowed
    mixed = np.einsum("bhqk,bhkd->bqhd", weights, V)
    return np.einsum("bqhd,hdm->bqm", mixed, W_o.reshape(num_heads, -1, d_model)), weights


@right("multi_head_attention", "torch with SDPA for the output")
def mha_sdpa(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    x = torch.from_numpy(X)
    B, n, d_model = x.shape
    q, k, v = ((x @ torch.from_numpy(W)).view(B, n, num_heads, -1).transpose(1, 2) for W in (W_q, W_k, W_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(d_model // num_heads)
    mask = None
    if allowed is not None:
        mask = torch.tensor(allowed).broadcast_to(scores.shape)
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return (heads.transpose(1, 2).reshape(B, n, d_model) @ torch.from_numpy(W_o)).numpy(), weights.numpy()


@right("multi_head_attention", "nn.MultiheadAttention, the library call")
def mha_library(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    x = torch.tensor(X)
    B, n, d_model = x.shape
    layer = nn.MultiheadAttention(d_model, num_heads, bias=False, batch_first=True, dtype=x.dtype)
    allowed = np.broadcast_to(True if allowed is None else allowed, (B, num_heads, n, n))
    keep = torch.tensor(allowed)
    empty = ~keep.any(-1, keepdim=True)
    with torch.no_grad():
        layer.in_proj_weight.copy_(torch.tensor(np.concatenate([W_q.T, W_k.T, W_v.T])))
        layer.out_proj.weight.copy_(torch.eye(d_model))
        # The layer gives NaN for a row without a key: such a row sees everything here, and is zeroed below.
        blocked = ~(keep | empty).reshape(B * num_heads, n, n)
        merged, weights = layer(x, x, x, attn_mask=blocked, average_attn_weights=False)
        weights = weights.masked_fill(empty, 0.0)
        heads = merged.view(B, n, num_heads, -1).masked_fill(empty.transpose(1, 2), 0.0)
    return heads.reshape(B, n, d_model).numpy() @ W_o, weights.numpy()


@right("multi_head_attention", "nested functions, masked after the softmax, renormalised, prints")
def mha_renormalised(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    def heads(W):
        return np.stack(np.split(np.matmul(X, W), num_heads, axis=-1), axis=1)

    Q, K, V = heads(W_q), heads(W_k), heads(W_v)
    scores = np.asarray(Q / np.sqrt(Q.shape[-1]) @ np.moveaxis(K, -1, -2), dtype=np.float64)
    keep = np.broadcast_to(True if allowed is None else allowed, scores.shape)
    best = np.max(scores, axis=-1, keepdims=True, where=keep, initial=-np.inf)
    e = np.exp(np.minimum(scores - np.where(np.isneginf(best), scores, best), 30.0))
    weights = e / e.sum(axis=-1, keepdims=True) * keep
    total = weights.sum(axis=-1, keepdims=True)
    weights = weights / np.where(total == 0, 1, total)
    print("heads", weights.shape)
    return np.concatenate(list((weights @ V).swapaxes(0, 1)), axis=-1) @ W_o, weights


@right("multi_head_attention", "a dataclass per head, transposed views, NaN replaced with a warning")
def mha_dataclass(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    @dataclass
    class Head:
        query: np.ndarray
        key: np.ndarray
        value: np.ndarray

        def weights(self, keep):
            scores = np.tensordot(self.query, self.key, axes=([-1], [-1]))  # (B, n, B, n)
            scores = np.stack([scores[b, :, b] for b in range(len(scores))]) / self.key.shape[-1] ** 0.5
            scores = np.where(keep, scores, -np.inf)
            e = np.exp(scores - scores.max(-1, keepdims=True))
            return np.nan_to_num(e / e.sum(-1, keepdims=True))

    B, n, _ = X.shape
    keep = np.broadcast_to(True if allowed is None else allowed, (B, num_heads, n, n))
    parts = [np.array_split(X @ W, num_heads, axis=-1) for W in (W_q, W_k, W_v)]
    heads = [Head(*three) for three in zip(*parts, strict=True)]
    weights = [head.weights(keep[:, i]) for i, head in enumerate(heads)]
    mixed = np.dstack([w @ head.value for w, head in zip(weights, heads, strict=True)])
    return (W_o.T @ mixed.swapaxes(1, 2)).swapaxes(1, 2), np.array(weights).swapaxes(0, 1)


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


def _att(Q, K, V, allowed=None, scale=None):
    s = Q @ np.swapaxes(K, -1, -2) * (Q.shape[-1] ** -0.5 if scale is None else scale)
    w = _sm(s) if allowed is None else _msm(s, allowed)
    return w @ V, w


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


# Wrong answers, those with one mistake together


def _softmax(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    e = np.exp(x - np.where(np.isfinite(top), top, 0.0))
    total = e.sum(axis=axis, keepdims=True)
    return e / np.where(total > 0, total, 1.0)


def _split(X, num_heads):
    B, n, d_model = X.shape
    return X.reshape(B, n, num_heads, d_model // num_heads).transpose(0, 2, 1, 3)


@wrong("multi_head_attention", "no-scaling")
def mha_no_scaling(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong("multi_head_attention", "no-scaling")
def mha_loop_no_scaling(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    d_head = X.shape[-1] // num_heads
    heads, all_weights = [], []
    for h in range(num_heads):
        block = slice(h * d_head, (h + 1) * d_head)
        Q, K, V = X @ W_q[:, block], X @ W_k[:, block], X @ W_v[:, block]
        scores = Q @ K.swapaxes(-1, -2)
        if allowed is not None:
            mask = np.broadcast_to(allowed, (len(X), num_heads, *scores.shape[-2:]))
            scores = np.where(mask[:, h], scores, -np.inf)
        weights = _softmax(scores)
        all_weights.append(weights)
        heads.append(weights @ V)
    return np.concatenate(heads, axis=-1) @ W_o, np.stack(all_weights, axis=1)


@wrong("multi_head_attention", "scaled-by-d_k")
def mha_d_head(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / d_head
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong("multi_head_attention", "scaled-by-sqrt-d_model", note="right for one head")
def mha_sqrt_d_model(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_model)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong("multi_head_attention", "scaled-by-sqrt-d_model")
def mha_loop_sqrt_d_model(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    d_head = X.shape[-1] // num_heads
    heads, all_weights = [], []
    for h in range(num_heads):
        block = slice(h * d_head, (h + 1) * d_head)
        Q, K, V = X @ W_q[:, block], X @ W_k[:, block], X @ W_v[:, block]
        scores = Q @ K.swapaxes(-1, -2) / np.sqrt(X.shape[-1])
        if allowed is not None:
            mask = np.broadcast_to(allowed, (len(X), num_heads, *scores.shape[-2:]))
            scores = np.where(mask[:, h], scores, -np.inf)
        weights = _softmax(scores)
        all_weights.append(weights)
        heads.append(weights @ V)
    return np.concatenate(heads, axis=-1) @ W_o, np.stack(all_weights, axis=1)


@wrong("multi_head_attention", "scaled-by-sqrt-d_model")
def mha_torch_sqrt_d_model(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    x = torch.tensor(X)
    B, n, d_model = x.shape
    Q, K, V = (
        (x @ torch.tensor(W)).view(B, n, num_heads, d_model // num_heads).transpose(1, 2)
        for W in (W_q, W_k, W_v)
    )
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_model)
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    Z = (weights @ V).transpose(1, 2).reshape(B, n, d_model)
    return (Z @ torch.tensor(W_o)).numpy(), weights.numpy()


@wrong(
    "multi_head_attention",
    "scaled-by-sqrt-d_model",
    note="Scales by the full width d_model instead of one head's width.",
)
def h2(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d = X.shape
    dh = d // num_heads
    cut = lambda Z: Z.reshape(B, n, num_heads, dh).transpose(0, 2, 1, 3)
    q, k, v = cut(X @ W_q), cut(X @ W_k), cut(X @ W_v)
    s = np.einsum("bhid,bhjd->bhij", q, k) / np.sqrt(d)
    if allowed is not None:
        s = np.where(allowed, s, -np.inf)
    m = s.max(-1, keepdims=True)
    e = np.exp(s - np.where(np.isinf(m), 0, m))
    t = e.sum(-1, keepdims=True)
    w = e / np.where(t == 0, 1, t)
    out = np.einsum("bhij,bhjd->bihd", w, v).reshape(B, n, d)
    return out @ W_o, w


@wrong("multi_head_attention", "scaled-by-sqrt-n")
def mha_sqrt_n(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(n)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong("multi_head_attention", "scaled-by-sqrt-heads")
def mha_sqrt_h(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(num_heads)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong("multi_head_attention", "scaled-by-sqrt-heads", note="Q.shape[1] is the number of heads")
def mha_shape_one(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    x = torch.tensor(X)
    B, n, d_model = x.shape
    Q, K, V = (
        (x @ torch.tensor(W)).view(B, n, num_heads, d_model // num_heads).transpose(1, 2)
        for W in (W_q, W_k, W_v)
    )
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[1])
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    Z = (weights @ V).transpose(1, 2).reshape(B, n, d_model)
    return (Z @ torch.tensor(W_o)).numpy(), weights.numpy()


@wrong("multi_head_attention", "scaled-up")
def mha_scaled_up(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) * np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong("multi_head_attention", "heads-interleaved", note="head i gets features i, i + h, ...")
def mha_interleaved(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = ((X @ W).reshape(B, n, d_head, num_heads).transpose(0, 3, 1, 2) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong("multi_head_attention", "heads-interleaved", note="merged as d_head x h")
def mha_merge_other(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 3, 1).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong("multi_head_attention", "heads-interleaved", note="stacked on the last axis")
def mha_loop_stack(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    d_head = X.shape[-1] // num_heads
    heads, all_weights = [], []
    for h in range(num_heads):
        block = slice(h * d_head, (h + 1) * d_head)
        Q, K, V = X @ W_q[:, block], X @ W_k[:, block], X @ W_v[:, block]
        scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
        if allowed is not None:
            mask = np.broadcast_to(allowed, (len(X), num_heads, *scores.shape[-2:]))
            scores = np.where(mask[:, h], scores, -np.inf)
        weights = _softmax(scores)
        all_weights.append(weights)
        heads.append(weights @ V)
    return np.stack(heads, axis=-1).reshape(X.shape) @ W_o, np.stack(all_weights, axis=1)


@wrong(
    "multi_head_attention",
    "heads-interleaved",
    note="Reads the width as (d_head, h): head i takes every h-th channel, merged in the same way.",
)
def h11(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = [(X @ W).view(B, n, -1, num_heads).permute(0, 3, 1, 2) for W in (W_q, W_k, W_v)]
    s = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return ((w @ v).permute(0, 2, 3, 1).reshape(B, n, d) @ W_o).numpy(), w.numpy()


@wrong("multi_head_attention", "heads-split-by-reshape")
def mha_view_split(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = ((X @ W).reshape(B, num_heads, n, d_head) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong("multi_head_attention", "heads-split-by-reshape")
def mha_torch_view_split(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    x = torch.tensor(X)
    B, n, d_model = x.shape
    Q, K, V = ((x @ torch.tensor(W)).view(B, num_heads, n, d_model // num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    Z = (weights @ V).transpose(1, 2).reshape(B, n, d_model)
    return (Z @ torch.tensor(W_o)).numpy(), weights.numpy()


@wrong("multi_head_attention", "heads-split-by-reshape", note="V only")
def mha_v_view_split(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    V = (X @ W_v).reshape(B, num_heads, n, d_head)
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong(
    "multi_head_attention",
    "heads-split-by-reshape",
    note="Reshapes (B, n, d) to (B*h, n, d_head) in one go without a transpose, mixing tokens and heads.",
)
def h19(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = [(X @ W).reshape(B * num_heads, n, d // num_heads) for W in (W_q, W_k, W_v)]
    s = torch.bmm(q, k.mT) / (d // num_heads) ** 0.5
    s = s.view(B, num_heads, n, n)
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    z = torch.bmm(w.view(-1, n, n), v).view(B, num_heads, n, -1)
    return (z.transpose(1, 2).reshape(B, n, d) @ W_o).numpy(), w.numpy()


@wrong("multi_head_attention", "heads-split-by-reshape+heads-merged-without-transpose")
def mha_view_both(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = ((X @ W).reshape(B, num_heads, n, d_head) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong(
    "multi_head_attention",
    "heads-split-by-reshape+heads-merged-without-transpose",
    note="Splits with view(B, h, n, d_head), and merges with the inverse view, so shapes agree.",
)
def h3(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q = (X @ W_q).view(B, num_heads, n, d // num_heads)
    k = (X @ W_k).view(B, num_heads, n, d // num_heads)
    v = (X @ W_v).view(B, num_heads, n, d // num_heads)
    s = q @ k.mT / (d // num_heads) ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return ((w @ v).reshape(B, n, d) @ W_o).numpy(), w.numpy()


@wrong("multi_head_attention", "heads-merged-without-transpose")
def mha_view_merge(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong("multi_head_attention", "heads-merged-without-transpose")
def mha_torch_view_merge(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    x = torch.tensor(X)
    B, n, d_model = x.shape
    Q, K, V = (
        (x @ torch.tensor(W)).view(B, n, num_heads, d_model // num_heads).transpose(1, 2)
        for W in (W_q, W_k, W_v)
    )
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    Z = (weights @ V).reshape(B, n, d_model)
    return (Z @ torch.tensor(W_o)).numpy(), weights.numpy()


@wrong(
    "multi_head_attention",
    "heads-merged-without-transpose",
    note="Right heads, but concatenates with reshape without transposing back.",
)
def h4(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = [(X @ W).view(B, n, num_heads, -1).transpose(1, 2) for W in (W_q, W_k, W_v)]
    s = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    Z = (w @ v).contiguous().view(B, -1, d)
    return (Z @ W_o).numpy(), w.numpy()


@wrong("multi_head_attention", "heads-out-of-order", note="concatenated backwards")
def mha_loop_reversed(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    d_head = X.shape[-1] // num_heads
    heads, all_weights = [], []
    for h in range(num_heads):
        block = slice(h * d_head, (h + 1) * d_head)
        Q, K, V = X @ W_q[:, block], X @ W_k[:, block], X @ W_v[:, block]
        scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
        if allowed is not None:
            mask = np.broadcast_to(allowed, (len(X), num_heads, *scores.shape[-2:]))
            scores = np.where(mask[:, h], scores, -np.inf)
        weights = _softmax(scores)
        all_weights.append(weights)
        heads.append(weights @ V)
    return np.concatenate(heads[::-1], axis=-1) @ W_o, np.stack(all_weights, axis=1)


@wrong("multi_head_attention", "input-split-before-projection", note="each head sees a slice of X")
def mha_split_first(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    d_head = X.shape[-1] // num_heads
    heads, all_weights = [], []
    for h in range(num_heads):
        block = slice(h * d_head, (h + 1) * d_head)
        Q, K, V = (X[..., block] @ W[block, block] for W in (W_q, W_k, W_v))
        scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
        if allowed is not None:
            mask = np.broadcast_to(allowed, (len(X), num_heads, *scores.shape[-2:]))
            scores = np.where(mask[:, h], scores, -np.inf)
        weights = _softmax(scores)
        all_weights.append(weights)
        heads.append(weights @ V)
    return np.concatenate(heads, axis=-1) @ W_o, np.stack(all_weights, axis=1)


@wrong(
    "multi_head_attention",
    "input-split-before-projection",
    note="Cuts X into heads first and projects each slice with the matching diagonal block of the weights.",
)
def h12(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    dh = d // num_heads
    heads, maps = [], []
    for i in range(num_heads):
        b = slice(i * dh, (i + 1) * dh)
        x = X[..., b]
        q, k, v = x @ W_q[b, b], x @ W_k[b, b], x @ W_v[b, b]
        s = q @ k.mT / dh**0.5
        if allowed is not None:
            a = torch.as_tensor(allowed).expand(B, num_heads, n, n)[:, i]
            s = s.masked_fill(~a, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        maps.append(w)
        heads.append(w @ v)
    return (torch.cat(heads, -1) @ W_o).numpy(), torch.stack(maps, 1).numpy()


@wrong("multi_head_attention", "weight-transposed", note="head weights cut from the rows")
def mha_rows_of_w(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    d_head = X.shape[-1] // num_heads
    heads, all_weights = [], []
    for h in range(num_heads):
        block = slice(h * d_head, (h + 1) * d_head)
        Q, K, V = (X @ W[block].T for W in (W_q, W_k, W_v))
        scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
        if allowed is not None:
            mask = np.broadcast_to(allowed, (len(X), num_heads, *scores.shape[-2:]))
            scores = np.where(mask[:, h], scores, -np.inf)
        weights = _softmax(scores)
        all_weights.append(weights)
        heads.append(weights @ V)
    return np.concatenate(heads, axis=-1) @ W_o, np.stack(all_weights, axis=1)


@wrong("multi_head_attention", "weight-transposed", note="W_o only")
def mha_w_o_t(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o.T, weights


@wrong("multi_head_attention", "weight-transposed", note="all but W_o")
def mha_all_transposed(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W.T, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong("multi_head_attention", "weight-transposed", note="F.linear on (in, out) weights")
def mha_f_linear(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    x = torch.tensor(X)
    B, n, d_model = x.shape
    Q, K, V = (
        torch.nn.functional.linear(x, torch.tensor(W))
        .view(B, n, num_heads, d_model // num_heads)
        .transpose(1, 2)
        for W in (W_q, W_k, W_v)
    )
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    Z = (weights @ V).transpose(1, 2).reshape(B, n, d_model)
    return (Z @ torch.tensor(W_o)).numpy(), weights.numpy()


@wrong(
    "multi_head_attention",
    "weight-transposed",
    note="Remembers nn.Linear and computes X @ W.T for every projection.",
)
def h7(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    t = torch.as_tensor
    lin = nn.functional.linear
    B, n, d = X.shape
    q, k, v = [lin(t(X), t(W)).view(B, n, num_heads, -1).transpose(1, 2) for W in (W_q, W_k, W_v)]
    s = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        s = s.masked_fill(~t(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return lin((w @ v).transpose(1, 2).reshape(B, n, d), t(W_o)).numpy(), w.numpy()


@wrong(
    "multi_head_attention", "weight-transposed", note="Only the output projection is transposed (Z @ W_o.T)."
)
def h8(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d = X.shape
    dh = d // num_heads
    cut = lambda Z: Z.reshape(B, n, num_heads, dh).swapaxes(1, 2)
    q, k, v = cut(X @ W_q), cut(X @ W_k), cut(X @ W_v)
    s = q @ k.swapaxes(-1, -2) / np.sqrt(dh)
    if allowed is not None:
        s = np.where(allowed, s, -np.inf)
    m = s.max(-1, keepdims=True)
    e = np.exp(s - np.where(np.isinf(m), 0, m))
    t = e.sum(-1, keepdims=True)
    w = e / np.where(t == 0, 1, t)
    return (w @ v).swapaxes(1, 2).reshape(B, n, d) @ W_o.T, w


@wrong("multi_head_attention", "heads-share-weights", note="every head uses the first block")
def mha_shared_block(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    d_head = X.shape[-1] // num_heads
    heads, all_weights = [], []
    for h in range(num_heads):
        block = slice(0, d_head)
        Q, K, V = X @ W_q[:, block], X @ W_k[:, block], X @ W_v[:, block]
        scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
        if allowed is not None:
            mask = np.broadcast_to(allowed, (len(X), num_heads, *scores.shape[-2:]))
            scores = np.where(mask[:, h], scores, -np.inf)
        weights = _softmax(scores)
        all_weights.append(weights)
        heads.append(weights @ V)
    return np.concatenate(heads, axis=-1) @ W_o, np.stack(all_weights, axis=1)


@wrong("multi_head_attention", "no-output-projection")
def mha_no_w_o(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z, weights


@wrong("multi_head_attention", "no-output-projection")
def mha_torch_no_w_o(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    x = torch.tensor(X)
    B, n, d_model = x.shape
    Q, K, V = (
        (x @ torch.tensor(W)).view(B, n, num_heads, d_model // num_heads).transpose(1, 2)
        for W in (W_q, W_k, W_v)
    )
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    Z = (weights @ V).transpose(1, 2).reshape(B, n, d_model)
    return Z.numpy(), weights.numpy()


@wrong(
    "multi_head_attention", "no-output-projection", note="Returns the concatenated heads and never uses W_o."
)
def h1(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v = map(torch.as_tensor, (X, W_q, W_k, W_v))
    B, n, d = X.shape
    q, k, v = [(X @ W).view(B, n, num_heads, -1).transpose(1, 2) for W in (W_q, W_k, W_v)]
    s = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return (w @ v).transpose(1, 2).reshape(B, n, d).numpy(), w.numpy()


@wrong("multi_head_attention", "value-not-projected")
def mha_v_unprojected(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    V = _split(X, num_heads)
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong(
    "multi_head_attention",
    "value-not-projected",
    note="The heads mix slices of X itself, W_v is never applied.",
)
def h9(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_o = map(torch.as_tensor, (X, W_q, W_k, W_o))
    B, n, d = X.shape
    q, k, v = [Z.reshape(B, n, num_heads, -1).transpose(1, 2) for Z in (X @ W_q, X @ W_k, X)]
    s = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return ((w @ v).transpose(1, 2).reshape(B, n, d) @ W_o).numpy(), w.numpy()


@wrong("multi_head_attention", "key-weight-reused", note="for V")
def mha_w_k_for_v(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_k))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong("multi_head_attention", "key-weight-reused", note="Copy-paste: V is also made with W_k.")
def h10(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d = X.shape
    dh = d // num_heads
    Q = X @ W_q
    K = X @ W_k
    V = X @ W_k
    outs, ws = [], []
    for i in range(num_heads):
        sl = slice(i * dh, (i + 1) * dh)
        s = Q[..., sl] @ K[..., sl].swapaxes(-1, -2) / dh**0.5
        s = torch.as_tensor(s)[:, None]
        if allowed is not None:
            a = np.broadcast_to(allowed, (B, num_heads, n, n))[:, i : i + 1]
            s = s.masked_fill(~torch.as_tensor(a.copy()), -torch.inf)
        w = s.softmax(-1).nan_to_num()[:, 0].numpy()
        ws.append(w)
        outs.append(w @ V[..., sl])
    return np.concatenate(outs, -1) @ W_o, np.stack(ws, 1)


@wrong("multi_head_attention", "query-weight-reused", note="right when W_q == W_k")
def mha_w_q_for_k(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_q, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong("multi_head_attention", "query-and-key-swapped", note="Q and K swapped")
def mha_swapped_qk(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_k, W_q, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong("multi_head_attention", "query-and-key-swapped", note="K @ Q^T: rows of the score matrix are keys.")
def h21(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = [(X @ W).view(B, n, num_heads, -1).transpose(1, 2) for W in (W_q, W_k, W_v)]
    s = k @ q.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return ((w @ v).transpose(1, 2).reshape(B, n, d) @ W_o).numpy(), w.numpy()


@wrong("multi_head_attention", "key-and-value-swapped", note="K and V swapped")
def mha_swapped_kv(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_v, W_k))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong("multi_head_attention", "reversed-all-axes", note="raises nearly always")
def mha_k_t(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.T / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong("multi_head_attention", "reshape-instead-of-transpose")
def mha_k_reshape(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.reshape(B, num_heads, d_head, n) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong("multi_head_attention", "weights-averaged-over-heads", note="as nn.MultiheadAttention does by default")
def mha_weights_mean(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights.mean(axis=1)


@wrong("multi_head_attention", "weights-averaged-over-heads", note="keepdims")
def mha_weights_mean_keep(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, np.broadcast_to(weights.mean(axis=1, keepdims=True), weights.shape)


@wrong(
    "multi_head_attention",
    "weights-averaged-over-heads",
    note="Returns the weights averaged over heads, (B, n, n), as nn.MultiheadAttention does by default.",
)
def h6(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = [(X @ W).view(B, n, num_heads, -1).transpose(1, 2) for W in (W_q, W_k, W_v)]
    s = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return ((w @ v).transpose(1, 2).reshape(B, n, d) @ W_o).numpy(), w.mean(dim=1).numpy()


def _merge(H):
    B, h, n, d = H.shape
    return H.transpose(0, 2, 1, 3).reshape(B, n, h * d)


@wrong(
    "multi_head_attention", "weights-averaged-over-heads", note="returns the weights averaged over the heads"
)
def multi_head_attention_41(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    o, w = _att(_split(X @ W_q, num_heads), _split(X @ W_k, num_heads), _split(X @ W_v, num_heads), allowed)
    return _merge(o) @ W_o, w.mean(axis=1)


@wrong("multi_head_attention", "first-head-only", note="weights of head 0 only")
def mha_weights_first(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights[:, 0]


@wrong("multi_head_attention", "wrong-head-axis", note="weights (h, B, n, n)")
def mha_weights_axes(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    d_head = X.shape[-1] // num_heads
    heads, all_weights = [], []
    for h in range(num_heads):
        block = slice(h * d_head, (h + 1) * d_head)
        Q, K, V = X @ W_q[:, block], X @ W_k[:, block], X @ W_v[:, block]
        scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
        if allowed is not None:
            mask = np.broadcast_to(allowed, (len(X), num_heads, *scores.shape[-2:]))
            scores = np.where(mask[:, h], scores, -np.inf)
        weights = _softmax(scores)
        all_weights.append(weights)
        heads.append(weights @ V)
    return np.concatenate(heads, axis=-1) @ W_o, np.stack(all_weights)


@wrong("multi_head_attention", "wrong-head-axis", note="inserts a head axis that is already there")
def mha_mask_extra_axis(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed[:, None], scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong(
    "multi_head_attention",
    "wrong-head-axis",
    note="Always does allowed[:, None]: right for a (B, n, n) mask, wrong for (n, n), (n,) or a 4-D mask.",
)
def h14(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = [(X @ W).view(B, n, num_heads, -1).transpose(1, 2) for W in (W_q, W_k, W_v)]
    s = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed)[:, None], -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return ((w @ v).transpose(1, 2).reshape(B, n, d) @ W_o).numpy(), w.numpy()


@wrong(
    "multi_head_attention",
    "wrong-head-axis",
    note="always inserts a head axis into the mask (allowed[:, None]), although it already broadcasts",
)
def multi_head_attention_44(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    if allowed is not None:
        allowed = allowed[:, None]
    o, w = _att(_split(X @ W_q, num_heads), _split(X @ W_k, num_heads), _split(X @ W_v, num_heads), allowed)
    return _merge(o) @ W_o, w


@wrong("multi_head_attention", "returns-list", note="a list of arrays")
def mha_weights_list(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    d_head = X.shape[-1] // num_heads
    heads, all_weights = [], []
    for h in range(num_heads):
        block = slice(h * d_head, (h + 1) * d_head)
        Q, K, V = X @ W_q[:, block], X @ W_k[:, block], X @ W_v[:, block]
        scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
        if allowed is not None:
            mask = np.broadcast_to(allowed, (len(X), num_heads, *scores.shape[-2:]))
            scores = np.where(mask[:, h], scores, -np.inf)
        weights = _softmax(scores)
        all_weights.append(weights)
        heads.append(weights @ V)
    return np.concatenate(heads, axis=-1) @ W_o, all_weights


@wrong("multi_head_attention", "one-output-missing")
def mha_output_only(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o


@wrong("multi_head_attention", "wrong-order", note="(weights, output)")
def mha_order(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return weights, Z @ W_o


@wrong("multi_head_attention", "softmax-over-queries")
def mha_softmax_queries(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores, axis=-2)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong("multi_head_attention", "softmax-over-heads", note="dim=1")
def mha_softmax_heads(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    x = torch.tensor(X)
    B, n, d_model = x.shape
    Q, K, V = (
        (x @ torch.tensor(W)).view(B, n, num_heads, d_model // num_heads).transpose(1, 2)
        for W in (W_q, W_k, W_v)
    )
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=1).nan_to_num(0.0)
    Z = (weights @ V).transpose(1, 2).reshape(B, n, d_model)
    return (Z @ torch.tensor(W_o)).numpy(), weights.numpy()


@wrong(
    "multi_head_attention",
    "softmax-over-heads",
    note="softmax(dim=1) on (B, h, n, n): the heads compete instead of the keys.",
)
def h5(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = [(X @ W).view(B, n, num_heads, -1).transpose(1, 2) for W in (W_q, W_k, W_v)]
    s = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = torch.softmax(s, dim=1).nan_to_num()
    return ((w @ v).transpose(1, 2).reshape(B, n, d) @ W_o).numpy(), w.numpy()


@wrong("multi_head_attention", "softmax-over-batch", note="dim=0")
def mha_softmax_batch(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    x = torch.tensor(X)
    B, n, d_model = x.shape
    Q, K, V = (
        (x @ torch.tensor(W)).view(B, n, num_heads, d_model // num_heads).transpose(1, 2)
        for W in (W_q, W_k, W_v)
    )
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=0).nan_to_num(0.0)
    Z = (weights @ V).transpose(1, 2).reshape(B, n, d_model)
    return (Z @ torch.tensor(W_o)).numpy(), weights.numpy()


@wrong("multi_head_attention", "no-max-subtraction")
def mha_naive(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    e = np.exp(scores)
    weights = e / np.maximum(e.sum(axis=-1, keepdims=True), 1e-300)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong("multi_head_attention", "mask-inverted")
def mha_inverted(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed, -np.inf, scores)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong(
    "multi_head_attention",
    "mask-inverted",
    note="Hands `allowed` to F.scaled_dot_product_attention negated, thinking of nn.MultiheadAttention.",
)
def h16(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = [(X @ W).view(B, n, num_heads, -1).transpose(1, 2) for W in (W_q, W_k, W_v)]
    m = None if allowed is None else ~torch.as_tensor(allowed).expand(B, num_heads, n, n)
    z = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=m)
    s = q @ k.mT / q.shape[-1] ** 0.5
    if m is not None:
        s = s.masked_fill(~m, -torch.inf)
    return (z.transpose(1, 2).reshape(B, n, d) @ W_o).numpy(), s.softmax(-1).nan_to_num().numpy()


@wrong("multi_head_attention", "mask-ignored")
def mha_ignored(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong("multi_head_attention", "mask-ignored", note="always causal")
def mha_always_causal(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    scores = np.where(np.tri(n, dtype=bool), scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong("multi_head_attention", "causal-by-default")
def mha_default_causal(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is None:
        allowed = np.tri(n, dtype=bool)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong("multi_head_attention", "mask-first-head-only")
def mha_mask_first_head(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores[:, 0] = np.where(np.broadcast_to(allowed, scores.shape)[:, 0], scores[:, 0], -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong(
    "multi_head_attention",
    "mask-first-head-only",
    note="Takes mask[:, 0] or the plain mask for every head, so masks that differ between heads are lost.",
)
def h15(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = [(X @ W).view(B, n, num_heads, -1).transpose(1, 2) for W in (W_q, W_k, W_v)]
    s = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        a = torch.as_tensor(allowed)
        if a.ndim == 4:
            a = a[:, :1]
        s = s.masked_fill(~a, -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return ((w @ v).transpose(1, 2).reshape(B, n, d) @ W_o).numpy(), w.numpy()


@wrong("multi_head_attention", "first-batch-only", note="mask of the first sequence for all")
def mha_mask_first_batch(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(np.broadcast_to(allowed, scores.shape)[0], scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong("multi_head_attention", "first-batch-only", note="only X[0]")
def mha_batch_one(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    X = np.repeat(X[:1], B, axis=0)
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong("multi_head_attention", "mask-not-broadcast")
def mha_mask_no_broadcast(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores[~allowed] = -np.inf
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong("multi_head_attention", "no-head-axis", note="(B, 1, n, n) squeezed to (B, n, n): right when B == 1")
def mha_mask_squeezed(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed.squeeze(), scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong("multi_head_attention", "mask-after-softmax")
def mha_mask_after(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    weights = _softmax(scores)
    if allowed is not None:
        weights = weights * allowed
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong("multi_head_attention", "mask-multiplied")
def mha_mask_times(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = scores * allowed
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong("multi_head_attention", "transposed-mask")
def mha_mask_transposed(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(np.atleast_2d(allowed).swapaxes(-1, -2), scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong(
    "multi_head_attention",
    "transposed-mask",
    note="Swaps the last two axes of the mask: queries and keys change roles in it.",
)
def h27(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = [(X @ W).view(B, n, num_heads, -1).transpose(1, 2) for W in (W_q, W_k, W_v)]
    s = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        a = torch.as_tensor(allowed).expand(B, num_heads, n, n).mT
        s = s.masked_fill(~a, -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return ((w @ v).transpose(1, 2).reshape(B, n, d) @ W_o).numpy(), w.numpy()


@wrong("multi_head_attention", "blocked-row-nan")
def mha_blocked_nan(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    x = torch.tensor(X)
    B, n, d_model = x.shape
    Q, K, V = (
        (x @ torch.tensor(W)).view(B, n, num_heads, d_model // num_heads).transpose(1, 2)
        for W in (W_q, W_k, W_v)
    )
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    Z = (weights @ V).transpose(1, 2).reshape(B, n, d_model)
    return (Z @ torch.tensor(W_o)).numpy(), weights.numpy()


@wrong(
    "multi_head_attention",
    "blocked-row-nan",
    note="-inf and a plain softmax: a blocked row is NaN in weights and output.",
)
def h17(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = [(X @ W).view(B, n, num_heads, -1).transpose(1, 2) for W in (W_q, W_k, W_v)]
    s = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1)
    return ((w @ v).transpose(1, 2).reshape(B, n, d) @ W_o).numpy(), w.numpy()


@wrong("multi_head_attention", "blocked-row-uniform", note="-1e9")
def mha_blocked_uniform(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed, scores, -1e9)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong("multi_head_attention", "float32")
def mha_float32(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    x = torch.Tensor(X)
    B, n, d_model = x.shape
    Q, K, V = (
        (x @ torch.Tensor(W)).view(B, n, num_heads, d_model // num_heads).transpose(1, 2)
        for W in (W_q, W_k, W_v)
    )
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    Z = (weights @ V).transpose(1, 2).reshape(B, n, d_model)
    return (Z @ torch.Tensor(W_o)).numpy(), weights.numpy()


@wrong("multi_head_attention", "input-changed", note="W_q scaled in place")
def mha_in_place(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    W_q /= np.sqrt(d_head)
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong(
    "multi_head_attention",
    "input-changed",
    note="folds the scale into W_q in place, so the caller's weights change",
)
def multi_head_attention_45(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    W_q /= np.sqrt(X.shape[-1] // num_heads)
    o, w = _att(
        _split(X @ W_q, num_heads), _split(X @ W_k, num_heads), _split(X @ W_v, num_heads), allowed, scale=1.0
    )
    return _merge(o) @ W_o, w


@wrong("multi_head_attention", "extra-residual")
def mha_residual(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return X + Z @ W_o, weights


@wrong(
    "multi_head_attention",
    "extra-residual",
    note="Adds X to the result, as the transformer block around it does.",
)
def h20(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    x = X
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = [(X @ W).view(B, n, num_heads, -1).transpose(1, 2) for W in (W_q, W_k, W_v)]
    s = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return ((w @ v).transpose(1, 2).reshape(B, n, d) @ W_o).numpy() + x, w.numpy()


@wrong("multi_head_attention", "extra-residual", note="adds the residual connection X")
def multi_head_attention_43(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    o, w = _att(_split(X @ W_q, num_heads), _split(X @ W_k, num_heads), _split(X @ W_v, num_heads), allowed)
    return X + _merge(o) @ W_o, w


@wrong("multi_head_attention", "extra-layernorm")
def mha_layernorm(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    x = torch.tensor(X)
    B, n, d_model = x.shape
    Q, K, V = (
        (x @ torch.tensor(W)).view(B, n, num_heads, d_model // num_heads).transpose(1, 2)
        for W in (W_q, W_k, W_v)
    )
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    Z = (weights @ V).transpose(1, 2).reshape(B, n, d_model)
    Z = torch.nn.functional.layer_norm(Z, (d_model,))
    return (Z @ torch.tensor(W_o)).numpy(), weights.numpy()


@wrong("multi_head_attention", "dropout-left-on")
def mha_dropout(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    x = torch.tensor(X)
    B, n, d_model = x.shape
    Q, K, V = (
        (x @ torch.tensor(W)).view(B, n, num_heads, d_model // num_heads).transpose(1, 2)
        for W in (W_q, W_k, W_v)
    )
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    weights = torch.nn.functional.dropout(weights, 0.1)
    Z = (weights @ V).transpose(1, 2).reshape(B, n, d_model)
    return (Z @ torch.tensor(W_o)).numpy(), weights.numpy()


@wrong("multi_head_attention", "heads-averaged", note="heads averaged, then repeated")
def mha_heads_mean(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    _, _, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = np.tile((weights @ V).mean(axis=1), num_heads)
    return Z @ W_o, weights


@wrong("multi_head_attention", "heads-ignored", note="one wide head")
def mha_one_head(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model
    Q, K, V = (_split(X @ W, 1) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, np.repeat(weights, num_heads, axis=1)


@wrong(
    "multi_head_attention",
    "heads-ignored",
    note="One big attention over d_model, its map repeated to look like h heads.",
)
def h18(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = (X @ W_q)[:, None], (X @ W_k)[:, None], (X @ W_v)[:, None]
    s = (q @ k.mT / (d // num_heads) ** 0.5).expand(B, num_heads, n, n)
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return ((w[:, :1] @ v)[:, 0] @ W_o).numpy(), w.numpy()


@wrong("multi_head_attention", "weights-ignored", note="the mean of the values")
def mha_uniform(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = np.full_like(scores, 1 / n)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong("multi_head_attention", "weights-ignored", note="V comes back")
def mha_values_for_out(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = V.transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong(
    "multi_head_attention",
    "weights-ignored",
    note="einsum typo: each query's own value is used, the keys are summed away",
)
def multi_head_attention_42(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    q, k, v = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    _, w = _att(q, k, v, allowed)
    o = np.einsum("bhqk,bhqd->bhqd", w, v)
    return _merge(o) @ W_o, w


@wrong("multi_head_attention", "returns-scores-for-weights")
def mha_weights_uniform_only(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, scores


@wrong("multi_head_attention", "scaled-by-sqrt-d_model+heads-merged-without-transpose")
def mha_sqrt_d_model_view(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_model)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong("multi_head_attention", "arguments-swapped", note="num_heads taken for the width of a head")
def mha_swapped_heads_d(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head, num_heads = num_heads, d_model // num_heads
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_head)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    Z = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return Z @ W_o, weights


@wrong(
    "multi_head_attention", "fixed-number-of-heads", note="Hard-codes two heads, as in the worked example."
)
def h13(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = [(X @ W).view(B, n, 2, d // 2).transpose(1, 2) for W in (W_q, W_k, W_v)]
    s = q @ k.mT / (d // 2) ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return ((w @ v).transpose(1, 2).reshape(B, n, d) @ W_o).numpy(), w.numpy()


@wrong(
    "multi_head_attention",
    "scaled-by-sqrt-d_model+no-output-projection",
    note="Scales by sqrt(d_model) and forgets W_o.",
)
def h22(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v = map(torch.as_tensor, (X, W_q, W_k, W_v))
    B, n, d = X.shape
    q, k, v = [(X @ W).view(B, n, num_heads, -1).transpose(1, 2) for W in (W_q, W_k, W_v)]
    s = q @ k.mT / d**0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return (w @ v).transpose(1, 2).reshape(B, n, d).numpy(), w.numpy()


@wrong(
    "multi_head_attention",
    "no-scaling+heads-merged-without-transpose",
    note="No division by sqrt(d_head), and the heads are merged by a bare reshape.",
)
def h23(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = [(X @ W).view(B, n, num_heads, -1).transpose(1, 2) for W in (W_q, W_k, W_v)]
    s = q @ k.mT
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return ((w @ v).reshape(B, n, d) @ W_o).numpy(), w.numpy()


@wrong(
    "multi_head_attention",
    "heads-split-by-reshape+mask-inverted",
    note="Splits by a reshape, and blocks what is allowed.",
)
def h24(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = [(X @ W).view(B, num_heads, n, -1) for W in (W_q, W_k, W_v)]
    s = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        s = s.masked_fill(torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return ((w @ v).transpose(1, 2).reshape(B, n, d) @ W_o).numpy(), w.numpy()


@wrong(
    "multi_head_attention",
    "softmax-over-queries+scaled-by-sqrt-heads",
    note="Divides by sqrt(num_heads) and normalises columns.",
)
def h25(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d = X.shape
    dh = d // num_heads
    q, k, v = [(X @ W).reshape(B, n, num_heads, dh).transpose(0, 2, 1, 3) for W in (W_q, W_k, W_v)]
    s = np.matmul(q, k.transpose(0, 1, 3, 2)) / num_heads**0.5
    if allowed is not None:
        s = np.where(allowed, s, -1e30)
    e = np.exp(s - s.max(axis=2, keepdims=True))
    w = e / e.sum(axis=2, keepdims=True)
    return np.matmul(w, v).transpose(0, 2, 1, 3).reshape(B, n, d) @ W_o, w


@wrong(
    "multi_head_attention",
    "blocked-row-uniform+weights-averaged-over-heads",
    note="-1e9 keeps blocked rows uniform, and the weights are averaged over the heads.",
)
def h26(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = [(X @ W).view(B, n, num_heads, -1).transpose(1, 2) for W in (W_q, W_k, W_v)]
    s = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -1e9)
    w = s.softmax(-1)
    return ((w @ v).transpose(1, 2).reshape(B, n, d) @ W_o).numpy(), w.mean(1).numpy()


@wrong(
    "multi_head_attention",
    "batch-mixed",
    note="Folds into B*h, but the mask is laid out head-major (h*B), so a sequence gets another one's mask.",
)
def h28(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = [
        (X @ W).view(B, n, num_heads, -1).transpose(1, 2).reshape(B * num_heads, n, -1)
        for W in (W_q, W_k, W_v)
    ]
    s = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        a = torch.as_tensor(allowed).expand(B, num_heads, n, n).transpose(0, 1).reshape(-1, n, n)
        s = s.masked_fill(~a, -torch.inf)
    w = s.softmax(-1).nan_to_num()
    z = (w @ v).view(B, num_heads, n, -1).transpose(1, 2).reshape(B, n, d)
    return (z @ W_o).numpy(), w.view(B, num_heads, n, n).numpy()


def _masked_softmax_of_rows(scores, allowed):
    hidden = np.where(allowed, scores, -np.inf)
    largest = hidden.max(axis=-1, keepdims=True)
    powers = np.exp(hidden - np.where(np.isfinite(largest), largest, 0))
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total == 0, 1, total)


def _softmax_of_rows(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def attention_where_any(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if np.any(allowed):
        weights = _masked_softmax_of_rows(scores, allowed)
    else:
        weights = _softmax_of_rows(scores)
    return weights @ V, weights


@wrong("multi_head_attention", "nothing-allowed-as-no-mask")
def multi_head_where_any(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    def heads(W):
        return (X @ W).reshape(*X.shape[:2], num_heads, -1).transpose(0, 2, 1, 3)

    output, weights = attention_where_any(heads(W_q), heads(W_k), heads(W_v), allowed)
    return output.transpose(0, 2, 1, 3).reshape(X.shape) @ W_o, weights


@wrong(
    "multi_head_attention",
    "scaled-by-sqrt-d_model+weight-transposed",
    note="TWO: scales by sqrt(d_model) and multiplies by W_o transposed",
)
def multi_head_attention_46(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    o, w = _att(
        _split(X @ W_q, num_heads),
        _split(X @ W_k, num_heads),
        _split(X @ W_v, num_heads),
        allowed,
        scale=X.shape[-1] ** -0.5,
    )
    return _merge(o) @ W_o.T, w


@wrong(
    "multi_head_attention",
    "heads-ignored",
    note="No heads: attention is done once on the full width, num_heads is not used; the weights have shape (B, n, n).",
)
def multi_head_attention_heads_ignored(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    Q, K, V = reference.queries_keys_values(X, W_q, W_k, W_v)
    output, weights = reference.attention(Q, K, V, allowed)
    return output @ W_o, weights


@wrong(
    "multi_head_attention",
    "factors-swapped",
    note="Wrong order of the last product: W_o @ merged instead of merged @ W_o (crashes unless n equals d_model).",
)
def multi_head_attention_factors_swapped(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    Q = reference.split_heads(Q, num_heads)
    K = reference.split_heads(K, num_heads)
    V = reference.split_heads(V, num_heads)
    H, weights = reference.attention(Q, K, V, allowed)
    return W_o @ reference.merge_heads(H), weights


@wrong(
    "multi_head_attention",
    "heads-split-by-reshape+weight-transposed",
    note="The heads are made by reshape without a swap and merged by reshape, so tokens are dealt out to the heads; and the weights are used transposed, X @ W.T, as nn.Linear stores them.",
)
def multi_head_attention_heads_split_by_reshape(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    Q = (X @ W_q.T).reshape(B, num_heads, n, d_head)
    K = (X @ W_k.T).reshape(B, num_heads, n, d_head)
    V = (X @ W_v.T).reshape(B, num_heads, n, d_head)
    H, weights = reference.attention(Q, K, V, allowed)
    output = H.reshape(B, n, d_model)
    return output @ W_o.T, weights


@wrong(
    "multi_head_attention",
    "fixed-number-of-heads+causal-by-default+first-batch-only",
    note="Only two heads with the columns 0:2 and 2:4 of the notebook, whatever num_heads and d_model are; the causal mask of the notebook is always used instead of allowed; and only the first sentence X[0] is treated, so the batch axis is missing.",
)
def multi_head_attention_fixed_number_of_heads(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    Q, K, V = reference.queries_keys_values(X[0], W_q, W_k, W_v)
    heads = [slice(0, 2), slice(2, 4)]
    causal = reference.causal_mask(len(Q))
    H0, A0 = reference.attention(Q[:, heads[0]], K[:, heads[0]], V[:, heads[0]], causal)
    H1, A1 = reference.attention(Q[:, heads[1]], K[:, heads[1]], V[:, heads[1]], causal)
    concatenated = np.hstack([H0, H1])
    return concatenated @ W_o, np.stack([A0, A1])


@wrong("multi_head_attention", "arguments-swapped")
def multi_head_attention_arguments_swapped(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    Q, K, V = [reference.split_heads(X @ W, num_heads) for W in (W_q, W_k, W_v)]
    H, w = reference.attention(V, K, Q, allowed)
    return reference.merge_heads(H) @ W_o, w


@wrong("multi_head_attention", "no-softmax")
def multi_head_attention_no_softmax(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    Q, K, V = [reference.split_heads(X @ W, num_heads) for W in (W_q, W_k, W_v)]
    s = reference.scaled_scores(Q, K)
    w = reference.softmax(s) if allowed is None else reference.masked_softmax(s, allowed)
    return reference.merge_heads(s @ V) @ W_o, w


@wrong("multi_head_attention", "heads-split-by-reshape")
def multi_head_attention_heads_split_by_reshape_2(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d = X.shape
    h = num_heads
    Q, K, V = [X[:, None] @ W.reshape(h, d, d // h) for W in (W_q, W_k, W_v)]
    H, w = reference.attention(Q, K, V, allowed)
    return reference.merge_heads(H) @ W_o, w


@wrong("multi_head_attention", "heads-split-by-reshape")
def multi_head_attention_heads_split_by_reshape_3(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d = X.shape
    h = num_heads
    Q, K, V = [(X @ W).reshape(B, h, n, d // h).transpose(0, 2, 1, 3) for W in (W_q, W_k, W_v)]
    H, w = reference.attention(Q, K, V, allowed)
    return H.reshape(B, n, d) @ W_o, w


@wrong("multi_head_attention", "input-split-before-projection")
def multi_head_attention_input_split_before_projection(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    Xh = reference.split_heads(X, num_heads)
    H, w = reference.attention(Xh @ W_q, Xh @ W_k, Xh @ W_v, allowed)
    return reference.merge_heads(H) @ W_o, w


@wrong("multi_head_attention", "joined-product-cut-by-head")
def mha_joined_product_cut_by_head(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, N, C = X.shape
    qkv = X @ np.concatenate([W_q, W_k, W_v], axis=1)
    qkv = qkv.reshape(B, N, num_heads, 3, C // num_heads).transpose(3, 0, 2, 1, 4)
    x, attn = reference.attention(*qkv, allowed)
    return x.swapaxes(1, 2).reshape(B, N, C) @ W_o, attn


@wrong("multi_head_attention", "extra-residual", note="LayerNorm of the output with X added")
def mha_residual_and_layernorm(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    H, w = reference.attention(*(_split(X @ W, num_heads) for W in (W_q, W_k, W_v)), allowed)
    y = X + reference.merge_heads(H) @ W_o
    return (y - y.mean(-1, keepdims=True)) / np.sqrt(y.var(-1, keepdims=True) + 1e-6), w


@wrong("multi_head_attention", "no-transpose", note="the heads of one token look at each other")
def mha_heads_after_tokens(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    shape = (B, n, num_heads, d_model // num_heads)
    H, w = reference.attention(*((X @ W).reshape(shape) for W in (W_q, W_k, W_v)), allowed)
    return H.reshape(B, n, d_model) @ W_o, w


@wrong("multi_head_attention", "off-by-one", note="each head meets the keys of the head before it")
def mha_keys_of_the_head_before(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    S = np.stack([Q[:, i] @ K[:, i - 1].swapaxes(-2, -1) for i in range(num_heads)], axis=1)
    w = reference.masked_softmax(S / np.sqrt(Q.shape[-1]), True if allowed is None else allowed)
    return reference.merge_heads(w @ V) @ W_o, w


@wrong("multi_head_attention", "no-head-axis", note="scores of three axes meet a mask of four")
def mha_mask_of_four_axes_in_a_loop(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    d_head = X.shape[-1] // num_heads
    outs, ws = [], []
    for i in range(num_heads):
        part = slice(i * d_head, (i + 1) * d_head)
        out, w = reference.attention(Q[..., part], K[..., part], V[..., part], allowed)
        outs.append(out)
        ws.append(w)
    return np.concatenate(outs, axis=-1) @ W_o, np.stack(ws, axis=1)


@wrong("multi_head_attention", "key-and-value-swapped+no-output-projection")
def mha_swapped_and_not_projected(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    out, w = reference.attention(Q, V, K, allowed)
    return reference.merge_heads(out), w


@wrong("multi_head_attention", "query-weight-reused+no-scaling+no-output-projection")
def mha_three_weights_unused(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    Q = _split(X @ W_q, num_heads)
    w = reference.masked_softmax(Q @ Q.swapaxes(-2, -1), True if allowed is None else allowed)
    return reference.merge_heads(w @ Q), w


@wrong(
    "multi_head_attention",
    "scaled-by-sqrt-d_model+heads-merged-without-transpose+weights-averaged-over-heads",
)
def mha_three_mistakes_and_weights_without_heads(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    Q, K, V = (_split(X @ W, num_heads) for W in (W_q, W_k, W_v))
    S = Q @ K.swapaxes(-2, -1) / math.sqrt(X.shape[-1])
    w = reference.masked_softmax(S, True if allowed is None else allowed)
    return (w @ V).reshape(X.shape) @ W_o, w.mean(1)


@wrong("multi_head_attention", "input-split-before-projection+one-output-missing")
def mha_split_first_and_no_weights(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    Q, K, V = (reference.split_heads(X, num_heads) @ W for W in (W_q, W_k, W_v))
    H, _ = reference.attention(Q, K, V, allowed)
    return reference.merge_heads(H) @ W_o


@wrong("multi_head_attention", "input-split-before-projection+mask-ignored")
def mha_split_first_and_no_mask(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    Q, K, V = (reference.split_heads(X, num_heads) @ W for W in (W_q, W_k, W_v))
    H, weights = reference.attention(Q, K, V)
    return reference.merge_heads(H) @ W_o, weights


@wrong("multi_head_attention", "input-split-before-projection+no-output-projection")
def mha_split_first_and_no_last_projection(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    Q, K, V = (reference.split_heads(X, num_heads) @ W for W in (W_q, W_k, W_v))
    H, weights = reference.attention(Q, K, V, allowed)
    return reference.merge_heads(H), weights


def _with_softmax(X, W_q, W_k, W_v, W_o, num_heads, weigh):
    Q, K, V = (reference.split_heads(X @ W, num_heads) for W in (W_q, W_k, W_v))
    w = weigh(Q @ np.swapaxes(K, -2, -1) / np.sqrt(Q.shape[-1]))
    return reference.merge_heads(w @ V) @ W_o, w


@wrong("multi_head_attention", "mask-value-too-small", note="adds -10000, then multiplies by the mask")
def adds_then_multiplies(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    mask = True if allowed is None else allowed

    def weigh(scores):
        return reference.softmax(scores + (1 - np.asarray(mask)) * -10000.0) * mask

    return _with_softmax(X, W_q, W_k, W_v, W_o, num_heads, weigh)


@wrong(
    "multi_head_attention",
    "input-split-before-projection",
    note="slices of X, all by the first block of the weights",
)
def slices_by_the_first_block(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    slices, d = reference.split_heads(X, num_heads), X.shape[-1] // num_heads
    out, w = reference.attention(*(slices @ W[:d, :d] for W in (W_q, W_k, W_v)), allowed)
    return reference.merge_heads(out) @ W_o, w


@wrong("multi_head_attention", "heads-ignored", "the weights of one head repeated at the end")
def one_wide_head_repeated(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    out, w = reference.attention(X @ W_q, X @ W_k, X @ W_v, allowed)
    return out @ W_o, np.repeat(w[:, None], num_heads, axis=1)


@wrong("multi_head_attention", "zero-times-inf", "no row is guarded")
def inverted_mask_times_infinity(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d_model = X.shape
    d_k = d_model // num_heads

    def heads(W):
        return (X @ W).reshape(B, n, num_heads, d_k).transpose(0, 2, 1, 3)

    Q, K, V = heads(W_q), heads(W_k), heads(W_v)
    scores = Q @ K.transpose(0, 1, 3, 2) / np.sqrt(d_k)
    if allowed is not None:
        scores = scores + (1 - allowed) * -np.inf
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    out = (weights @ V).transpose(0, 2, 1, 3).reshape(B, n, d_model)
    return out @ W_o, weights
