"""Right answers to unit 05."""

import math
import warnings
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F

from ..registry import add_right, right

# softmax


@right("softmax", "maximum subtracted, keepdims")
def softmax_max(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@right("softmax", "log-sum-exp in float64")
def softmax_log_sum_exp(x, axis=-1):
    x = np.asarray(x, dtype=np.float64)
    return np.exp(x - np.logaddexp.reduce(x, axis=axis, keepdims=True))


@right("softmax", "expand_dims")
def softmax_expand_dims(x, axis=-1):
    shifted = x - np.expand_dims(np.max(x, axis), axis)
    exponentials = np.exp(shifted)
    return exponentials / np.expand_dims(np.sum(exponentials, axis), axis)


@right("softmax", "the axis moved to the front, a view back")
def softmax_moveaxis(x, axis=-1):
    front = np.moveaxis(x, axis, 0)
    e = np.exp(front - front.max(0))
    return np.moveaxis(e / e.sum(0), 0, axis)


@right("softmax", "apply_along_axis with Python floats")
def softmax_lists(x, axis=-1):
    def one_row(row):
        top = max(row)
        exponentials = [math.exp(value - top) for value in row]
        total = sum(exponentials)
        return np.array([e / total for e in exponentials])

    return np.apply_along_axis(one_row, axis, x)


@right("softmax", "loop over the other axes")
def softmax_loop(x, axis=-1):
    rows = np.moveaxis(x, axis, -1)
    result = np.zeros(rows.shape)
    for index in np.ndindex(rows.shape[:-1]):
        e = np.exp(rows[index] - np.max(rows[index]))
        result[index] = e / np.sum(e)
    return result.swapaxes(axis, -1) if x.ndim < 3 else np.moveaxis(result, -1, axis)


@right("softmax", "torch.softmax, the library call")
def softmax_torch_library(x, axis=-1):
    return torch.softmax(torch.from_numpy(x), dim=axis).numpy()


@right("softmax", "torch by hand, prints")
def softmax_torch(x, axis=-1):
    t = torch.tensor(x)
    e = (t - t.amax(dim=axis, keepdim=True)).exp()
    print("largest", float(t.max()))
    return (e / e.sum(dim=axis, keepdim=True)).numpy()


@right("softmax", "recursion over the leading axes")
def softmax_recursive(x, axis=-1):
    axis %= x.ndim
    if axis > 0:
        return np.stack([softmax_recursive(part, axis - 1) for part in x])
    e = np.exp(x - x.max(axis=0))
    return e / e.sum(axis=0)


@right("softmax", "powers of two")
def softmax_exp2(x, axis=-1):
    powers = np.exp2((x - np.amax(x, axis=axis, keepdims=True)) * np.log2(np.e))
    return powers / np.add.reduce(powers, axis=axis, keepdims=True)


@right("softmax", "one over the sum of exp(x_j - x_i), warns on overflow")
def softmax_pairs(x, axis=-1):
    last = np.moveaxis(x, axis, -1)
    gaps = last[..., None, :] - last[..., :, None]
    weights = 1 / np.exp(gaps).sum(-1)
    return np.moveaxis(np.where(np.isneginf(last), 0, weights), -1, axis)


@right("softmax", "one pass with a running maximum")
def softmax_online(x, axis=-1):
    rows = np.moveaxis(x, axis, 0)
    top = np.full(rows.shape[1:], -np.inf)
    total = np.zeros(rows.shape[1:])
    with np.errstate(invalid="ignore"):
        for row in rows:
            new_top = np.maximum(top, row)
            rescaled = np.where(np.isneginf(top), 0, total * np.exp(top - new_top))
            total = rescaled + np.where(np.isneginf(row), 0, np.exp(row - new_top))
            top = new_top
        return np.moveaxis(np.exp(rows - top) / total, 0, axis)


# masked_softmax


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
def masked_finfo(scores, allowed):
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
def masked_after(scores, allowed):
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


# softmax_with_temperature


@right("softmax_with_temperature", "maximum first, then divided")
def temperature_max_first(x, temperature):
    e = np.exp((x - x.max(axis=-1, keepdims=True)) / temperature)
    return e / e.sum(axis=-1, keepdims=True)


@right("softmax_with_temperature", "divided first")
def temperature_divide_first(x, temperature):
    z = x / temperature
    z = z - np.max(z, -1, keepdims=True)
    return np.exp(z) / np.sum(np.exp(z), -1, keepdims=True)


@right("softmax_with_temperature", "torch.softmax, the library call")
def temperature_torch(x, temperature):
    return torch.softmax(torch.tensor(x) / temperature, dim=-1).numpy()


@right("softmax_with_temperature", "log-weights divided and normalised again")
def temperature_log_weights(x, temperature):
    x = np.asarray(x, dtype=np.float64)
    log_weights = x - np.logaddexp.reduce(x, axis=-1, keepdims=True)
    cooled = log_weights / temperature
    return np.exp(cooled - np.logaddexp.reduce(cooled, axis=-1, keepdims=True))


@right("softmax_with_temperature", "loops and Python floats")
def temperature_loops(x, temperature):
    result = np.zeros(x.shape)
    for index in np.ndindex(x.shape[:-1]):
        row = [float(value) for value in x[index]]
        e = [math.exp((value - max(row)) / temperature) for value in row]
        result[index] = [value / math.fsum(e) for value in e]
    return result


@right("softmax_with_temperature", "a power of the exponentials")
def temperature_power(x, temperature):
    # (e^a) ** (1 / T) with the logarithm kept: np.power(np.e, a / T).
    gaps = x - np.expand_dims(x.max(-1), -1)
    powers = np.power(np.e, gaps / temperature)
    return powers / np.einsum("...n->...", powers)[..., None]


@right("softmax_with_temperature", "a dataclass, prints; a transposed view")
def temperature_dataclass(x, temperature):
    @dataclass(frozen=True)
    class Sampler:
        beta: float

        def __call__(self, columns):
            e = np.exp(self.beta * (columns - columns.max(axis=0)))
            return e / e.sum(axis=0)

    sampler = Sampler(1 / temperature)
    print(sampler)
    return sampler(x.T).T if x.ndim < 3 else np.moveaxis(sampler(np.moveaxis(x, -1, 0)), 0, -1)


# softmax_backward


@right("softmax_backward", "weights * (grad - sum)")
def backward_formula(weights, grad):
    return weights * (grad - (weights * grad).sum(axis=-1, keepdims=True))


@right("softmax_backward", "the Jacobian, einsum")
def backward_jacobian(weights, grad):
    identity = np.eye(weights.shape[-1], dtype=weights.dtype)
    jacobian = weights[..., :, None] * identity - weights[..., :, None] * weights[..., None, :]
    return np.einsum("...ij,...j->...i", jacobian, grad)


@right("softmax_backward", "loops over every pair")
def backward_loops(weights, grad):
    result = np.zeros(weights.shape)
    n = weights.shape[-1]
    for row in np.ndindex(weights.shape[:-1]):
        p, g = weights[row], grad[row]
        for i in range(n):
            for j in range(n):
                result[(*row, i)] += g[j] * p[j] * ((i == j) - p[i])
    return result


@right("softmax_backward", "two terms, einsum")
def backward_two_terms(weights, grad):
    return weights * grad - weights * np.einsum("...i,...i->...", weights, grad)[..., np.newaxis]


@right("softmax_backward", "diag minus outer, row by row, recursion")
def backward_recursive(weights, grad):
    if weights.ndim == 1:
        return (np.diag(weights) - np.outer(weights, weights)) @ grad
    return np.stack([backward_recursive(w, g) for w, g in zip(weights, grad, strict=True)])


@right("softmax_backward", "torch.autograd on log(weights)")
def backward_autograd(weights, grad):
    logits = torch.log(torch.tensor(weights)).requires_grad_()
    torch.softmax(logits, dim=-1).backward(torch.tensor(grad))
    return logits.grad.nan_to_num(0.0).numpy()


@right("softmax_backward", "torch by hand, prints")
def backward_torch(weights, grad):
    p, g = torch.from_numpy(weights), torch.from_numpy(grad)
    mean = torch.sum(p * g, dim=-1, keepdim=True)
    print("expected gradient", mean.flatten()[:3])
    return torch.mul(p, g - mean).numpy()


@right("softmax_backward", "a product of a row and a column")
def backward_matmul(weights, grad):
    expected = (weights[..., None, :] @ grad[..., :, None])[..., 0]
    return np.multiply(weights, np.subtract(grad, expected))


# attention


def _numpy_softmax(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


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
