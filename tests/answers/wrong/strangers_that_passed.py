"""Wrong answers that once passed: adapted from what strangers publish, and from what they ask about."""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from ..registry import add_wrong, wrong


def _softmax(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def _masked_softmax(scores, allowed):
    hidden = np.where(allowed, scores, -np.inf)
    largest = hidden.max(axis=-1, keepdims=True)
    powers = np.exp(hidden - np.where(np.isfinite(largest), largest, 0))
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total == 0, 1, total)


# A sort, or a partition, that does not keep equal scores in their order


@wrong("best_match", "unstable-sort", note="on a tie the sort puts any of the best keys first")
def best_by_argsort(query, keys):
    return np.argsort(-(keys @ query))[0]


@wrong("best_match", "unstable-sort", note="the same, written with a slice")
def best_of_the_top(query, keys):
    top = np.argsort(-np.dot(keys, query))[:1]
    return int(top[0])


@wrong("best_match", "last-on-tie", note="on a tie the partition puts any of the best keys last")
def best_by_argpartition(query, keys):
    return int(np.argpartition(keys @ query, -1)[-1])


@wrong("best_match", "last-on-tie", note="the end of a sorted order")
def best_at_the_end(query, keys):
    scores = [float(np.dot(query, key)) for key in keys]
    return int(np.argsort(scores)[-1])


@wrong("best_match", "unstable-sort", note="PyTorch's topk keeps no order among equal scores either")
def best_by_topk(query, keys):
    scores = torch.as_tensor(keys) @ torch.as_tensor(query)
    return int(torch.topk(scores, 1).indices[0])


# A mask without a single True, taken for no mask


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


@wrong("masked_softmax", "nothing-allowed-as-no-mask")
def masked_unless_empty(scores, allowed):
    if np.sum(allowed) == 0:
        return _softmax(scores)
    return _masked_softmax(scores, allowed)


@wrong("masked_softmax", "nothing-allowed-as-no-mask", note="`if allowed.any()` before the scores are hidden")
def masked_where_any(scores, allowed):
    if allowed.any():
        return _masked_softmax(scores, allowed)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def attention_where_any(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if np.any(allowed):
        weights = _masked_softmax(scores, allowed)
    else:
        weights = _softmax(scores)
    return weights @ V, weights


add_wrong("attention", "nothing-allowed-as-no-mask", attention_where_any, "np.any(None) is false too")


@wrong("attention", "nothing-allowed-as-no-mask", note="an empty sum for the default")
def attention_unless_empty(Q, K, V, allowed=None):
    if allowed is None or allowed.sum() == 0:
        allowed = np.ones((Q.shape[-2], K.shape[-2]), dtype=bool)
    scores = np.einsum("...qd,...kd->...qk", Q, K) / np.sqrt(K.shape[-1])
    weights = _masked_softmax(scores, allowed)
    return np.einsum("...qk,...kv->...qv", weights, V), weights


@wrong("multi_head_attention", "nothing-allowed-as-no-mask")
def multi_head_where_any(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    def heads(W):
        return (X @ W).reshape(*X.shape[:2], num_heads, -1).transpose(0, 2, 1, 3)

    output, weights = attention_where_any(heads(W_q), heads(W_k), heads(W_v), allowed)
    return output.transpose(0, 2, 1, 3).reshape(X.shape) @ W_o, weights


@wrong("MultiHeadAttention", "nothing-allowed-as-no-mask")
class MaskedWhereAny(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.h = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        q, k, v = (
            layer(x).unflatten(-1, (self.h, -1)).transpose(1, 2)
            for layer, x in ((self.W_q, query), (self.W_k, key), (self.W_v, value))
        )
        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if allowed is not None and allowed.any():
            blocked = ~allowed.any(-1, keepdim=True)
            scores = scores.masked_fill(~(allowed | blocked), -torch.inf)
            weights = torch.softmax(scores, dim=-1).masked_fill(blocked, 0.0)
        else:
            weights = torch.softmax(scores, dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).flatten(2)), weights


# Detectors that start from zeros, or allow for more than rounding


@wrong("leaks_future", "blind-change", note="zeros, and one token after another set to ones")
def leaks_from_zeros(attend, n, d):
    X = np.zeros((n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t] = 1.0
        if not np.allclose(attend(Y)[:t], before[:t]):
            return True
    return False


@wrong("leaks_future", "blind-change", note="zeros, and random numbers in all later tokens")
def leaks_noise_after_zeros(attend, n, d):
    rng = np.random.default_rng(0)
    base = attend(np.zeros((n, d)))
    for i in range(n - 1):
        Y = np.zeros((n, d))
        Y[i + 1 :] = rng.normal(size=(n - i - 1, d))
        if not np.allclose(attend(Y)[: i + 1], base[: i + 1], atol=1e-6):
            return True
    return False


@wrong("leaks_future", "tolerance-too-wide", note="np.allclose with atol=1e-4")
def leaks_beyond_a_tenth_of_a_thousandth(attend, n, d):
    rng = np.random.default_rng()
    X = rng.standard_normal((n, d))
    before = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t] = rng.standard_normal(d)
        if not np.allclose(before[:t], attend(Y)[:t], atol=1e-4):
            return True
    return False


@wrong("leaks_future", "tolerance-too-wide", note="a largest difference of 1e-4, all later tokens changed")
def leaks_by_more_than_a_little(attend, n, d):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(n, d))
    for t in range(1, n):
        Y = X.copy()
        Y[t:] = rng.normal(size=(n - t, d))
        if np.max(np.abs(attend(X)[:t] - attend(Y)[:t])) > 1e-4:
            return True
    return False


# Wider numbers in place of the maximum


@wrong("softmax", "no-max-subtraction", note="long doubles overflow later, from about 11356 on")
def softmax_in_long_doubles(x, axis=-1):
    powers = np.exp(x.astype(np.longdouble))
    return (powers / powers.sum(axis=axis, keepdims=True)).astype(x.dtype)


@wrong("masked_softmax", "no-max-subtraction", note="long doubles overflow later, from about 11356 on")
def masked_softmax_in_long_doubles(scores, allowed):
    powers = np.where(allowed, np.exp(scores.astype(np.longdouble)), 0)
    total = powers.sum(axis=-1, keepdims=True)
    return (powers / np.where(total == 0, 1, total)).astype(scores.dtype)


@wrong(
    "softmax_with_temperature", "no-max-subtraction", note="long doubles overflow later, from about 11356 on"
)
def temperature_in_long_doubles(x, temperature):
    powers = np.exp(x.astype(np.longdouble) / temperature)
    return (powers / powers.sum(axis=-1, keepdims=True)).astype(x.dtype)


# The library call refuses a mask of one axis beside four


@wrong("attention", "mask-not-broadcast", note="the mask goes to scaled_dot_product_attention as it comes")
def attention_by_the_library(Q, K, V, allowed=None):
    q, k, v = map(torch.from_numpy, (Q, K, V))
    mask = None if allowed is None else torch.from_numpy(allowed)
    identity = torch.eye(k.shape[-2], dtype=k.dtype).expand(*k.shape[:-1], k.shape[-2])
    output = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return output.numpy(), F.scaled_dot_product_attention(q, k, identity, attn_mask=mask).numpy()
