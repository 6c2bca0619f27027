"""Wrong answers to units 05 and 06: a third round; each author judged what the check says of the program."""

import itertools
import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from ..registry import wrong


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


@wrong("softmax", "mean-for-max", note="subtracts the mean instead of the maximum for stability")
def softmax_1(x, axis=-1):
    e = np.exp(x - x.mean(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@wrong(
    "softmax",
    "lost-sign",
    note="subtracts the largest absolute value, so a row of very negative numbers underflows to 0/0",
)
def softmax_2(x, axis=-1):
    biggest = np.abs(np.where(np.isinf(x), 0.0, x)).max(axis=axis, keepdims=True)
    e = np.exp(x - biggest)
    return e / e.sum(axis=axis, keepdims=True)


@wrong(
    "softmax",
    "reshape-instead-of-transpose",
    note="flattens to rows of length x.shape[axis] with reshape, which is only right for the last axis",
)
def softmax_3(x, axis=-1):
    rows = x.reshape(-1, x.shape[axis])
    e = np.exp(rows - rows.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True)).reshape(x.shape)


@wrong("softmax", "axes-out-of-order", note="moves the axis to the end, and never moves it back")
def softmax_4(x, axis=-1):
    x = np.moveaxis(x, axis, -1)
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@wrong(
    "softmax",
    "no-max-subtraction",
    note="lets exp overflow and patches the NaNs afterwards with 1 (the winner)",
)
def softmax_5(x, axis=-1):
    with np.errstate(all="ignore"):
        e = np.exp(x)
        return np.nan_to_num(e / e.sum(axis=axis, keepdims=True), nan=1.0)


@wrong(
    "softmax",
    "axis-ignored",
    note="TWO: clips the scores to +-50 instead of subtracting the max, and normalises over the last axis always",
)
def softmax_6(x, axis=-1):
    e = np.exp(np.clip(x, -50, 50))
    return e / e.sum(axis=-1, keepdims=True)


@wrong(
    "masked_softmax", "mask-value-too-small", note="uses -100 as 'minus infinity', too close to real scores"
)
def masked_softmax_7(scores, allowed):
    allowed = np.broadcast_to(allowed, scores.shape)
    s = np.where(allowed, scores, -100.0)
    return _sm(s) * allowed.any(-1, keepdims=True)


@wrong(
    "masked_softmax",
    "zero-as-sentinel",
    note="multiplies by the mask and then treats every score equal to 0 as blocked",
)
def masked_softmax_8(scores, allowed):
    s = scores * allowed
    s = np.where(s == 0, -np.inf, s)
    m = s.max(-1, keepdims=True)
    m[np.isinf(m)] = 0
    e = np.exp(s - m)
    t = e.sum(-1, keepdims=True)
    t[t == 0] = 1
    return e / t


@wrong(
    "masked_softmax",
    "blocked-row-nan",
    note="checks for 'nothing allowed' on the whole mask instead of row by row",
)
def masked_softmax_9(scores, allowed):
    if not np.any(allowed):
        return np.zeros_like(scores)
    with np.errstate(all="ignore"):
        return _sm(np.where(allowed, scores, -np.inf))


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


@wrong(
    "masked_softmax",
    "max-over-blocked",
    note="normalises with the softmax over all keys, zeroes, and renormalises with a zero guard: a huge blocked score wipes the row",
)
def masked_softmax_11(scores, allowed):
    w = _sm(scores) * allowed
    t = w.sum(-1, keepdims=True)
    return np.where(t > 0, w / np.where(t > 0, t, 1), 0.0)


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
    "softmax_with_temperature",
    "temperature-after-softmax",
    note="raises the softmax to the power 1/T and forgets to normalise again",
)
def softmax_with_temperature_13(x, temperature):
    return _sm(x) ** (1.0 / temperature)


@wrong(
    "softmax_with_temperature",
    "operator-precedence",
    note="subtracts the max of x from x / T (max taken before dividing): overflows for small T",
)
def softmax_with_temperature_14(x, temperature):
    with np.errstate(all="ignore"):
        e = np.exp(x / temperature - x.max(axis=-1, keepdims=True))
        return e / e.sum(axis=-1, keepdims=True)


@wrong(
    "softmax_with_temperature",
    "hard-lookup",
    note="returns a hard one-hot of the argmax as soon as T is at most 0.1",
)
def softmax_with_temperature_15(x, temperature):
    if temperature <= 0.1:
        return np.eye(x.shape[-1])[x.argmax(-1)]
    return _sm(x / temperature)


@wrong("softmax_with_temperature", "truncates-to-int", note="uses floor division")
def softmax_with_temperature_16(x, temperature):
    return _sm(x // temperature)


@wrong(
    "softmax_with_temperature",
    "scaled-by-sqrt-temperature+softmax-over-everything",
    note="TWO: divides by sqrt(T) and normalises over the whole array",
)
def softmax_with_temperature_17(x, temperature):
    z = x / np.sqrt(temperature)
    e = np.exp(z - z.max())
    return e / e.sum()


@wrong("softmax_backward", "log-softmax", note="writes the backward of log_softmax: grad - w * sum(grad)")
def softmax_backward_18(weights, grad):
    return grad - weights * grad.sum(-1, keepdims=True)


@wrong(
    "softmax_backward",
    "softmax-again",
    note="thinks the argument is the input and takes the softmax of the weights again",
)
def softmax_backward_19(weights, grad):
    w = _sm(weights)
    return w * (grad - (w * grad).sum(-1, keepdims=True))


@wrong(
    "softmax_backward",
    "mean-instead-of-sum",
    note="divides the result by the number of rows ('mean over the batch')",
)
def softmax_backward_20(weights, grad):
    g = weights * (grad - (weights * grad).sum(-1, keepdims=True))
    return g / max(1, weights[..., 0].size)


@wrong(
    "softmax_backward",
    "operator-precedence",
    note="loses the second term's weights: w * grad - sum(w * grad)",
)
def softmax_backward_21(weights, grad):
    wg = weights * grad
    return wg - wg.sum(-1, keepdims=True)


@wrong(
    "softmax_backward",
    "arguments-ignored",
    note="returns the Jacobian itself and ignores the upstream gradient",
)
def softmax_backward_22(weights, grad):
    n = weights.shape[-1]
    return weights[..., :, None] * (np.eye(n) - weights[..., None, :])


@wrong(
    "softmax_backward",
    "jacobian-sign+softmax-over-everything",
    note="TWO: plus sign in the Jacobian and the dot product summed over the whole array",
)
def softmax_backward_23(weights, grad):
    return weights * (grad + (weights * grad).sum())


@wrong("attention", "operator-precedence", note="operator precedence: d_k ** -1/2 is 1 / (2 d_k)")
def attention_24(Q, K, V, allowed=None):
    return _att(Q, K, V, allowed, scale=Q.shape[-1] ** -1 / 2)


@wrong("attention", "array-truth-value", note="writes `if allowed:` which an array cannot answer")
def attention_25(Q, K, V, allowed=None):
    s = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed:
        w = _msm(s, allowed)
    else:
        w = _sm(s)
    return w @ V, w


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


@wrong("attention", "mask-ignored", note="applies the mask only when it is two-dimensional")
def attention_27(Q, K, V, allowed=None):
    if allowed is not None and allowed.ndim == 2:
        return _att(Q, K, V, allowed)
    return _att(Q, K, V)


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


@wrong("attention", "causal-by-default", note="adds a causal mask of its own whenever n_q == n_k")
def attention_29(Q, K, V, allowed=None):
    n_q, n_k = Q.shape[-2], K.shape[-2]
    if n_q == n_k:
        c = np.tril(np.ones((n_q, n_k), bool))
        allowed = c if allowed is None else (allowed & c)
    return _att(Q, K, V, allowed)


@wrong(
    "attention", "scaled-by-sqrt-d_v+wrong-order", note="TWO: scales by sqrt(d_v) and gives (weights, output)"
)
def attention_30(Q, K, V, allowed=None):
    o, w = _att(Q, K, V, allowed, scale=V.shape[-1] ** -0.5)
    return w, o


@wrong("split_heads", "arguments-swapped", note="takes num_heads for the width of a head")
def split_heads_31(X, num_heads):
    B, n, d = X.shape
    if d % num_heads:
        raise ValueError(f"{d} is not divisible by {num_heads}")
    return X.reshape(B, n, d // num_heads, num_heads).transpose(0, 2, 1, 3)


@wrong(
    "split_heads",
    "error-without-numbers",
    note="right split, but lets NumPy raise its own message, which names neither number",
)
def split_heads_32(X, num_heads):
    return np.stack(np.split(X, num_heads, axis=-1), axis=1)


@wrong(
    "split_heads",
    "value-error-where-it-fits",
    note="checks the number of tokens for divisibility instead of the width",
)
def split_heads_33(X, num_heads):
    B, n, d = X.shape
    if n % num_heads != 0:
        raise ValueError(f"{n} tokens cannot be divided among {num_heads} heads")
    return X.reshape(B, n, num_heads, -1).transpose(0, 2, 1, 3)


@wrong(
    "split_heads",
    "no-value-error",
    note="drops the left-over features silently when the width does not divide",
)
def split_heads_34(X, num_heads):
    B, n, d = X.shape
    dh = d // num_heads
    return np.stack([X[:, :, i * dh : (i + 1) * dh] for i in range(num_heads)], axis=1)


@wrong(
    "split_heads",
    "wrong-head-axis",
    note="TWO: puts the head axis before the batch axis and guards with assert (AssertionError)",
)
def split_heads_35(X, num_heads):
    B, n, d = X.shape
    assert d % num_heads == 0, f"{d} is not divisible by {num_heads}"
    return X.reshape(B, n, num_heads, d // num_heads).transpose(2, 0, 1, 3)


@wrong(
    "merge_heads",
    "wrong-head-axis",
    note="np.concatenate(H, axis=-1) walks over the batch, not over the heads",
)
def merge_heads_36(H):
    return np.concatenate(H, axis=-1)


@wrong(
    "merge_heads",
    "shape-flattened",
    note="ends with squeeze(), so a batch of one (or one token) loses its axis",
)
def merge_heads_37(H):
    return _merge(H).squeeze()


@wrong("merge_heads", "heads-interleaved", note="reshapes in Fortran order")
def merge_heads_38(H):
    B, h, n, d = H.shape
    return H.transpose(0, 2, 1, 3).reshape(B, n, h * d, order="F")


@wrong("merge_heads", "heads-interleaved", note="merges with the head index running fastest (interleaved)")
def merge_heads_39(H):
    B, h, n, d = H.shape
    return H.transpose(0, 2, 3, 1).reshape(B, n, d * h)


@wrong(
    "merge_heads",
    "heads-out-of-order+heads-averaged",
    note="TWO: prepends each head (reversed order) and divides by the number of heads",
)
def merge_heads_40(H):
    out = H[:, 0]
    for i in range(1, H.shape[1]):
        out = np.concatenate([H[:, i], out], axis=-1)
    return out / H.shape[1]


@wrong(
    "multi_head_attention", "weights-averaged-over-heads", note="returns the weights averaged over the heads"
)
def multi_head_attention_41(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    o, w = _att(_split(X @ W_q, num_heads), _split(X @ W_k, num_heads), _split(X @ W_v, num_heads), allowed)
    return _merge(o) @ W_o, w.mean(axis=1)


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


@wrong("multi_head_attention", "extra-residual", note="adds the residual connection X")
def multi_head_attention_43(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    o, w = _att(_split(X @ W_q, num_heads), _split(X @ W_k, num_heads), _split(X @ W_v, num_heads), allowed)
    return X + _merge(o) @ W_o, w


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


@wrong("sum_of_heads", "heads-interleaved", note="takes every h-th row of W_o for head i (W_o[i::h])")
def sum_of_heads_47(H, W_o):
    h = H.shape[1]
    return sum(H[:, i] @ W_o[i::h] for i in range(h))


@wrong("sum_of_heads", "first-head-only", note="return indented into the loop: only the first head counts")
def sum_of_heads_48(H, W_o):
    B, h, n, d = H.shape
    out = np.zeros((B, n, W_o.shape[1]))
    for i in range(h):
        out += H[:, i] @ W_o[i * d : (i + 1) * d]
        return out


@wrong("sum_of_heads", "off-by-one", note="blocks start at i * h instead of i * d_head")
def sum_of_heads_49(H, W_o):
    B, h, n, d = H.shape
    out = np.zeros((B, n, W_o.shape[1]))
    for i in range(h):
        out += H[:, i] @ W_o[i * h : i * h + d]
    return out


@wrong(
    "sum_of_heads",
    "weight-transposed+heads-averaged",
    note="TWO: takes blocks of columns (transposed) and averages over the heads",
)
def sum_of_heads_50(H, W_o):
    B, h, n, d = H.shape
    return sum(H[:, i] @ W_o[:, i * d : (i + 1) * d].T for i in range(h)) / h


@wrong(
    "MultiHeadAttention",
    "keys-for-values",
    note="builds the values from `key` and ignores the third argument",
)
class MultiHeadAttention_51(_Base):
    def forward(self, query, key, value, allowed=None):
        q, k, v = self.split(self.W_q(query)), self.split(self.W_k(key)), self.split(self.W_v(key))
        w = self.weigh(q @ k.mT / math.sqrt(self.dh), allowed)
        return self.W_o(self.merge(w @ v)), w


@wrong(
    "MultiHeadAttention",
    "square-only",
    note="reads the length once, from the query, and uses it for keys and values",
)
class MultiHeadAttention_52(_Base):
    def forward(self, query, key, value, allowed=None):
        B, n, d = query.shape
        q = self.W_q(query).view(B, n, self.h, self.dh).transpose(1, 2)
        k = self.W_k(key).view(B, n, self.h, self.dh).transpose(1, 2)
        v = self.W_v(value).view(B, n, self.h, self.dh).transpose(1, 2)
        w = self.weigh(q @ k.mT / math.sqrt(self.dh), allowed)
        return self.W_o((w @ v).transpose(1, 2).reshape(B, n, d)), w


@wrong(
    "MultiHeadAttention", "mask-multiplied", note="sign typo: fills blocked scores with 1e-9 instead of -1e9"
)
class MultiHeadAttention_53(_Base):
    def forward(self, query, key, value, allowed=None):
        q, k, v = self.split(self.W_q(query)), self.split(self.W_k(key)), self.split(self.W_v(value))
        s = q @ k.mT / math.sqrt(self.dh)
        if allowed is not None:
            s = s.masked_fill(allowed == 0, 1e-9)
        w = s.softmax(-1)
        if allowed is not None:
            w = w * allowed.any(-1, keepdim=True)
        return self.W_o(self.merge(w @ v)), w


@wrong(
    "MultiHeadAttention", "dropout-left-on", note="leaves dropout(0.1) on the weights, as in the paper's code"
)
class MultiHeadAttention_54(_Base):
    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads)
        self.drop = nn.Dropout(0.1)

    def forward(self, query, key, value, allowed=None):
        q, k, v = self.split(self.W_q(query)), self.split(self.W_k(key)), self.split(self.W_v(value))
        w = self.drop(self.weigh(q @ k.mT / math.sqrt(self.dh), allowed))
        return self.W_o(self.merge(w @ v)), w


@wrong(
    "MultiHeadAttention",
    "blocked-row-nan-gradient",
    note="adds a -inf bias and cleans the NaN of blocked rows with nan_to_num: forward right, gradients NaN",
)
class MultiHeadAttention_55(_Base):
    def forward(self, query, key, value, allowed=None):
        q, k, v = self.split(self.W_q(query)), self.split(self.W_k(key)), self.split(self.W_v(value))
        s = q @ k.mT / math.sqrt(self.dh)
        if allowed is not None:
            s = s + torch.zeros_like(allowed, dtype=s.dtype).masked_fill(~allowed, float("-inf"))
        w = torch.nan_to_num(s.softmax(-1), nan=0.0)
        return self.W_o(self.merge(w @ v)), w


@wrong("MultiHeadAttention", "query-weight-reused", note="chained assignment: W_q and W_k are the same layer")
class MultiHeadAttention_56(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.h, self.dh = num_heads, d_model // num_heads
        self.W_q = self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    split, merge, weigh = _Base.split, _Base.merge, _Base.weigh

    def forward(self, query, key, value, allowed=None):
        q, k, v = self.split(self.W_q(query)), self.split(self.W_k(key)), self.split(self.W_v(value))
        w = self.weigh(q @ k.mT / math.sqrt(self.dh), allowed)
        return self.W_o(self.merge(w @ v)), w


@wrong(
    "MultiHeadAttention",
    "gradient-cut",
    note="multiplies with weight.data for the values, so W_v.weight never learns",
)
class MultiHeadAttention_57(_Base):
    def forward(self, query, key, value, allowed=None):
        q, k = self.split(self.W_q(query)), self.split(self.W_k(key))
        v = self.split(value @ self.W_v.weight.data.T + self.W_v.bias)
        w = self.weigh(q @ k.mT / math.sqrt(self.dh), allowed)
        return self.W_o(self.merge(w @ v)), w


@wrong(
    "MultiHeadAttention",
    "softmax-over-heads",
    note="F.softmax(scores) without dim: on a 4-D tensor PyTorch picks dim 1, the heads",
)
class MultiHeadAttention_58(_Base):
    def forward(self, query, key, value, allowed=None):
        import warnings

        q, k, v = self.split(self.W_q(query)), self.split(self.W_k(key)), self.split(self.W_v(value))
        s = q @ k.mT / math.sqrt(self.dh)
        if allowed is not None:
            s = s.masked_fill(~allowed, -1e9)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            w = F.softmax(s)
        if allowed is not None:
            w = w * allowed
        return self.W_o(self.merge(w @ v)), w


@wrong(
    "MultiHeadAttention",
    "input-changed+scaled-by-sqrt-d_model",
    note="TWO: inverts the caller's mask in place (logical_not_) and scales by sqrt(d_model)",
)
class MultiHeadAttention_59(_Base):
    def forward(self, query, key, value, allowed=None):
        q, k, v = self.split(self.W_q(query)), self.split(self.W_k(key)), self.split(self.W_v(value))
        s = q @ k.mT / math.sqrt(query.shape[-1])
        if allowed is None:
            w = s.softmax(-1)
        else:
            blocked = allowed.logical_not_()
            w = s.masked_fill(blocked, -1e30).softmax(-1).masked_fill(blocked, 0.0)
        return self.W_o(self.merge(w @ v)), w


@wrong(
    "MultiHeadAttention",
    "bias-missing+extra-residual",
    note="TWO: adds the residual (query) and calls W_o without its bias",
)
class MultiHeadAttention_60(_Base):
    def forward(self, query, key, value, allowed=None):
        q, k, v = self.split(self.W_q(query)), self.split(self.W_k(key)), self.split(self.W_v(value))
        w = self.weigh(q @ k.mT / math.sqrt(self.dh), allowed)
        return query + F.linear(self.merge(w @ v), self.W_o.weight), w
