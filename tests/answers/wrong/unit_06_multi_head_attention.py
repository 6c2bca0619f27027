"""Wrong answers to the exercises of unit 06."""

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from ..registry import wrong


def _softmax(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    e = np.exp(x - np.where(np.isfinite(top), top, 0.0))
    total = e.sum(axis=axis, keepdims=True)
    return e / np.where(total > 0, total, 1.0)


def _split(X, num_heads):
    B, n, d_model = X.shape
    return X.reshape(B, n, num_heads, d_model // num_heads).transpose(0, 2, 1, 3)


# ------------------------------------------------------------------ split_heads


@wrong("split_heads", "heads-split-by-reshape")
def split_by_reshape(X, num_heads):
    B, n, d_model = X.shape
    if d_model % num_heads:
        raise ValueError(f"{d_model} is not divisible by {num_heads}")
    return X.reshape(B, num_heads, n, d_model // num_heads)


@wrong("split_heads", "heads-split-by-reshape", note="torch .view")
def split_by_view(X, num_heads):
    B, n, d_model = X.shape
    if d_model % num_heads:
        raise ValueError(f"d_model={d_model}, num_heads={num_heads}")
    return torch.tensor(X).view(B, num_heads, n, -1).numpy()


@wrong("split_heads", "heads-interleaved", note="head i gets features i, i + h, ...")
def split_interleaved(X, num_heads):
    B, n, d_model = X.shape
    if d_model % num_heads:
        raise ValueError(f"d_model={d_model}, num_heads={num_heads}")
    return X.reshape(B, n, d_model // num_heads, num_heads).transpose(0, 3, 1, 2)


@wrong("split_heads", "no-transpose", note="(B, n, h, d_head): right for n == h, in shape")
def split_no_transpose(X, num_heads):
    B, n, d_model = X.shape
    if d_model % num_heads:
        raise ValueError(f"d_model={d_model}, num_heads={num_heads}")
    return X.reshape(B, n, num_heads, d_model // num_heads)


@wrong("split_heads", "wrong-head-axis", note="(h, B, n, d_head)")
def split_heads_first(X, num_heads):
    if X.shape[-1] % num_heads:
        raise ValueError(f"d_model={X.shape[-1]}, num_heads={num_heads}")
    return np.stack(np.split(X, num_heads, axis=-1))


@wrong("split_heads", "reversed-all-axes", note=".T: (d_head, h, n, B)")
def split_t(X, num_heads):
    B, n, d_model = X.shape
    if d_model % num_heads:
        raise ValueError(f"d_model={d_model}, num_heads={num_heads}")
    return X.reshape(B, n, num_heads, d_model // num_heads).T


@wrong("split_heads", "wrong-head-axis", note="(B, h, d_head, n)")
def split_last_axes_swapped(X, num_heads):
    B, n, d_model = X.shape
    if d_model % num_heads:
        raise ValueError(f"d_model={d_model}, num_heads={num_heads}")
    return X.reshape(B, n, num_heads, d_model // num_heads).transpose(0, 2, 3, 1)


@wrong("split_heads", "batch-folded-into-heads", note="(B * h, n, d_head)")
def split_folded(X, num_heads):
    B, n, d_model = X.shape
    if d_model % num_heads:
        raise ValueError(f"d_model={d_model}, num_heads={num_heads}")
    return X.reshape(B, n, num_heads, -1).transpose(0, 2, 1, 3).reshape(B * num_heads, n, -1)


@wrong("split_heads", "heads-out-of-order")
def split_reversed(X, num_heads):
    if X.shape[-1] % num_heads:
        raise ValueError(f"d_model={X.shape[-1]}, num_heads={num_heads}")
    return np.stack(np.split(X, num_heads, axis=-1)[::-1], axis=1)


@wrong("split_heads", "arguments-swapped", note="num_heads taken for the width: right when h == d_head")
def split_width(X, num_heads):
    B, n, d_model = X.shape
    if d_model % num_heads:
        raise ValueError(f"d_model={d_model}, num_heads={num_heads}")
    return X.reshape(B, n, d_model // num_heads, num_heads).transpose(0, 2, 1, 3)


@wrong("split_heads", "no-value-error", note="the leftover features are dropped")
def split_drops_rest(X, num_heads):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    return X[..., : num_heads * d_head].reshape(B, n, num_heads, d_head).transpose(0, 2, 1, 3)


@wrong("split_heads", "no-value-error", note="assert instead")
def split_assert(X, num_heads):
    B, n, d_model = X.shape
    assert d_model % num_heads == 0, f"{d_model} is not divisible by {num_heads}"
    return X.reshape(B, n, num_heads, d_model // num_heads).transpose(0, 2, 1, 3)


@wrong("split_heads", "error-without-numbers", note="what reshape itself says")
def split_reshape_error(X, num_heads):
    B, n, _ = X.shape
    if X.shape[-1] % num_heads:
        raise ValueError("the width cannot be divided by the number of heads")
    return X.reshape(B, n, num_heads, -1).transpose(0, 2, 1, 3)


@wrong("split_heads", "error-without-numbers", note="names d_model only")
def split_one_number(X, num_heads):
    B, n, d_model = X.shape
    if d_model % num_heads:
        raise ValueError(f"d_model = {d_model} is not divisible by num_heads")
    return X.reshape(B, n, num_heads, d_model // num_heads).transpose(0, 2, 1, 3)


@wrong("split_heads", "error-without-numbers", note="f forgotten: the braces are printed")
def split_f_forgotten(X, num_heads):
    B, n, d_model = X.shape
    if d_model % num_heads:
        raise ValueError("{d_model} is not divisible by {num_heads}")
    return X.reshape(B, n, num_heads, d_model // num_heads).transpose(0, 2, 1, 3)


@wrong("split_heads", "no-value-error", note="returns None")
def split_returns_none(X, num_heads):
    B, n, d_model = X.shape
    if d_model % num_heads == 0:
        return X.reshape(B, n, num_heads, d_model // num_heads).transpose(0, 2, 1, 3)


@wrong("split_heads", "no-value-error", note="pads with zeros")
def split_pads(X, num_heads):
    B, n, d_model = X.shape
    X = np.pad(X, ((0, 0), (0, 0), (0, -d_model % num_heads)))
    return X.reshape(B, n, num_heads, -1).transpose(0, 2, 1, 3)


@wrong("split_heads", "no-value-error", note="returns the error instead of raising it")
def split_returns_error(X, num_heads):
    B, n, d_model = X.shape
    if d_model % num_heads:
        return ValueError(f"{d_model} is not divisible by {num_heads}")
    return X.reshape(B, n, num_heads, d_model // num_heads).transpose(0, 2, 1, 3)


@wrong("split_heads", "value-error-where-it-fits", note="the wrong way round: num_heads % d_model")
def split_modulo_swapped(X, num_heads):
    B, n, d_model = X.shape
    if num_heads % d_model:
        raise ValueError(f"{d_model} is not divisible by {num_heads}")
    return X.reshape(B, n, num_heads, d_model // num_heads).transpose(0, 2, 1, 3)


@wrong("split_heads", "float32")
def split_float32(X, num_heads):
    B, n, d_model = X.shape
    if d_model % num_heads:
        raise ValueError(f"{d_model} is not divisible by {num_heads}")
    return torch.Tensor(X).view(B, n, num_heads, -1).transpose(1, 2).numpy()


@wrong("split_heads", "input-changed", note="X.shape = ...")
def split_in_place(X, num_heads):
    B, n, d_model = X.shape
    if d_model % num_heads:
        raise ValueError(f"{d_model} is not divisible by {num_heads}")
    X.shape = (B, n, num_heads, d_model // num_heads)
    return X.transpose(0, 2, 1, 3)


@wrong("split_heads", "heads-share-weights", note="every head gets the first slice")
def split_first_slice(X, num_heads):
    if X.shape[-1] % num_heads:
        raise ValueError(f"d_model={X.shape[-1]}, num_heads={num_heads}")
    d_head = X.shape[-1] // num_heads
    return np.stack([X[..., :d_head]] * num_heads, axis=1)


@wrong("split_heads", "returns-list+wrong-head-axis", note="a list of heads")
def split_list(X, num_heads):
    if X.shape[-1] % num_heads:
        raise ValueError(f"d_model={X.shape[-1]}, num_heads={num_heads}")
    return np.split(X, num_heads, axis=-1)


# ------------------------------------------------------------------ merge_heads


@wrong("merge_heads", "heads-merged-without-transpose")
def merge_by_reshape(H):
    B, h, n, d_head = H.shape
    return H.reshape(B, n, h * d_head)


@wrong("merge_heads", "heads-merged-without-transpose", note="torch .view")
def merge_by_view(H):
    B, h, n, d_head = H.shape
    return torch.tensor(H).contiguous().view(B, n, h * d_head).numpy()


@wrong("merge_heads", "heads-interleaved")
def merge_interleaved(H):
    B, h, n, d_head = H.shape
    return H.transpose(0, 2, 3, 1).reshape(B, n, h * d_head)


@wrong("merge_heads", "heads-interleaved", note="np.stack on the last axis")
def merge_stack(H):
    B, h, n, d_head = H.shape
    return np.stack([H[:, i] for i in range(h)], axis=-1).reshape(B, n, h * d_head)


@wrong("merge_heads", "heads-averaged")
def merge_mean(H):
    return np.tile(H.mean(axis=1), H.shape[1])


@wrong("merge_heads", "heads-summed", note="(B, n, d_head)")
def merge_sum(H):
    return H.sum(axis=1)


@wrong("merge_heads", "wrong-head-axis", note="concatenated along the tokens")
def merge_tokens(H):
    return np.concatenate([H[:, i] for i in range(H.shape[1])], axis=1)


@wrong("merge_heads", "wrong-head-axis", note="loops over the batch: right when B == h, in shape")
def merge_loops_batch(H):
    return np.concatenate(list(H), axis=-1)


@wrong("merge_heads", "wrong-head-axis", note="swaps the last two axes")
def merge_swap_last(H):
    B, h, n, d_head = H.shape
    return H.transpose(0, 1, 3, 2).reshape(B, n, h * d_head)


@wrong("merge_heads", "reversed-all-axes")
def merge_t(H):
    B, h, n, d_head = H.shape
    return H.T.reshape(B, n, h * d_head)


@wrong("merge_heads", "not-merged", note="(B, n, h, d_head)")
def merge_not_merged(H):
    return H.transpose(0, 2, 1, 3)


@wrong("merge_heads", "heads-out-of-order")
def merge_reversed(H):
    return np.concatenate([H[:, i] for i in reversed(range(H.shape[1]))], axis=-1)


@wrong("merge_heads", "first-head-only", note="repeated")
def merge_first(H):
    return np.tile(H[:, 0], H.shape[1])


@wrong("merge_heads", "batch-mixed", note="batch and tokens mixed: right for a batch of one")
def merge_batch_mixed(H):
    B, h, n, d_head = H.shape
    return H.transpose(2, 0, 1, 3).reshape(B, n, h * d_head)


@wrong("merge_heads", "last-left-out", note="the last head is 0")
def merge_last_head(H):
    B, h, n, d_head = H.shape
    out = np.zeros((B, n, h * d_head))
    for i in range(h - 1):
        out[..., i * d_head : (i + 1) * d_head] = H[:, i]
    return out


@wrong("merge_heads", "float32")
def merge_float32(H):
    B, h, n, d_head = H.shape
    out = np.zeros((B, n, h * d_head), dtype=np.float32)
    for i in range(h):
        out[..., i * d_head : (i + 1) * d_head] = H[:, i]
    return out


@wrong("merge_heads", "fixed-number-of-heads", note="two heads")
def merge_two_heads(H):
    return np.concatenate([H[:, 0], H[:, 1]], axis=-1)


@wrong("merge_heads", "input-changed", note="resized in place")
def merge_in_place(H):
    B, h, n, d_head = H.shape
    out = H.transpose(0, 2, 1, 3).reshape(B, n, h * d_head)
    H.shape = (B, n, h * d_head)
    return out


# ------------------------------------------------------------------ sum_of_heads


@wrong("sum_of_heads", "heads-share-weights", note="the first block for every head")
def sum_first_block(H, W_o):
    d_head = H.shape[-1]
    return sum(H[:, i] @ W_o[:d_head] for i in range(H.shape[1]))


@wrong("sum_of_heads", "weight-rows-for-columns", note="blocks of columns: (B, n, d_head) or an error")
def sum_columns(H, W_o):
    d_head = H.shape[-1]
    return sum(H[:, i] @ W_o[:d_head, i * d_head : (i + 1) * d_head] for i in range(H.shape[1]))


@wrong("sum_of_heads", "weight-transposed", note="blocks of columns, transposed to fit")
def sum_columns_transposed(H, W_o):
    d_head = H.shape[-1]
    return sum(H[:, i] @ W_o[:, i * d_head : (i + 1) * d_head].T for i in range(H.shape[1]))


@wrong("sum_of_heads", "weight-transposed")
def sum_w_t(H, W_o):
    d_head = H.shape[-1]
    blocks = W_o.T
    return sum(H[:, i] @ blocks[i * d_head : (i + 1) * d_head] for i in range(H.shape[1]))


@wrong("sum_of_heads", "heads-interleaved", note="rows i, i + h, ...")
def sum_strided(H, W_o):
    h = H.shape[1]
    return sum(H[:, i] @ W_o[i::h] for i in range(h))


@wrong("sum_of_heads", "heads-averaged")
def sum_mean(H, W_o):
    d_head = H.shape[-1]
    parts = [H[:, i] @ W_o[i * d_head : (i + 1) * d_head] for i in range(H.shape[1])]
    return np.mean(parts, axis=0)


@wrong("sum_of_heads", "heads-merged-without-transpose")
def sum_reshape(H, W_o):
    B, h, n, d_head = H.shape
    return H.reshape(B, n, h * d_head) @ W_o


@wrong("sum_of_heads", "no-sum", note="one output per head: (B, h, n, d_model)")
def sum_no_sum(H, W_o):
    _, h, _, d_head = H.shape
    return H @ W_o.reshape(h, d_head, -1)


@wrong("sum_of_heads", "no-output-projection", note="concatenated only")
def sum_concat(H, W_o):
    B, h, n, d_head = H.shape
    return H.transpose(0, 2, 1, 3).reshape(B, n, h * d_head)


@wrong("sum_of_heads", "overwritten-instead-of-summed", note="the last head only")
def sum_overwrites(H, W_o):
    d_head = H.shape[-1]
    for i in range(H.shape[1]):
        out = H[:, i] @ W_o[i * d_head : (i + 1) * d_head]
    return out


@wrong("sum_of_heads", "last-left-out")
def sum_skips_last(H, W_o):
    d_head = H.shape[-1]
    out = np.zeros((H.shape[0], H.shape[2], W_o.shape[1]))
    for i in range(H.shape[1] - 1):
        out += H[:, i] @ W_o[i * d_head : (i + 1) * d_head]
    return out


@wrong("sum_of_heads", "wrong-head-axis", note="loops over the batch: H[i]")
def sum_batch_axis(H, W_o):
    d_head = H.shape[-1]
    return sum(H[i] @ W_o[i * d_head : (i + 1) * d_head] for i in range(H.shape[1]))


@wrong("sum_of_heads", "axis-counted-from-front", note="block width n: right when n == d_head")
def sum_block_n(H, W_o):
    width = H.shape[2]
    return sum(H[:, i] @ W_o[i * width : (i + 1) * width] for i in range(H.shape[1]))


@wrong("sum_of_heads", "heads-out-of-order")
def sum_reversed(H, W_o):
    d_head = H.shape[-1]
    blocks = [W_o[i : i + d_head] for i in range(0, len(W_o), d_head)]
    return sum(H[:, i] @ W for i, W in enumerate(reversed(blocks)))


@wrong("sum_of_heads", "off-by-one", note="blocks shifted by one row")
def sum_shifted(H, W_o):
    d_head = H.shape[-1]
    W = np.roll(W_o, -1, axis=0)
    return sum(H[:, i] @ W[i * d_head : (i + 1) * d_head] for i in range(H.shape[1]))


@wrong("sum_of_heads", "sum-before-projection", note="heads and blocks summed first")
def sum_of_sums(H, W_o):
    _, h, _, d_head = H.shape
    return H.sum(axis=1) @ W_o.reshape(h, d_head, -1).sum(axis=0)


@wrong("sum_of_heads", "float32")
def sum_float32(H, W_o):
    B, h, n, d_head = H.shape
    out = np.zeros((B, n, h * d_head), dtype=np.float32)
    for i in range(h):
        out += (H[:, i] @ W_o[i * d_head : (i + 1) * d_head]).astype(np.float32)
    return out


@wrong("sum_of_heads", "input-changed", note="W_o is emptied afterwards")
def sum_in_place(H, W_o):
    d_head = H.shape[-1]
    out = sum(H[:, i] @ W_o[i * d_head : (i + 1) * d_head] for i in range(H.shape[1]))
    W_o *= 0
    return out


@wrong("sum_of_heads", "state-between-calls", note="goes on adding to the last call's result")
def sum_accumulates(H, W_o, total=[0.0]):  # noqa: B006
    d_head = H.shape[-1]
    for i in range(H.shape[1]):
        total[0] = total[0] + H[:, i] @ W_o[i * d_head : (i + 1) * d_head]
    return total[0]


# ------------------------------------------------------------------ multi_head_attention


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


# ------------------------------------------------------------------ class MultiHeadAttention


@wrong("MultiHeadAttention", "no-scaling")
class MultiHeadNoScaling(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "scaled-by-d_k")
class MultiHeadByWidth(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / self.d_head
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "scaled-by-sqrt-d_model", note="right for one head")
class MultiHeadByModelWidth(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(query.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "scaled-by-sqrt-n")
class MultiHeadByLength(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(key.shape[1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "scaled-by-sqrt-heads")
class MultiHeadByHeads(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.num_heads)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "scaled-up")
class MultiHeadScaledUp(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) * math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "input-changed")
class MultiHeadScaledInPlace(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        query /= self.d_head**0.5
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "no-output-projection", note="W_o exists, is not used")
class MultiHeadNoOutput(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return Z, weights


@wrong("MultiHeadAttention", "heads-split-by-reshape")
class MultiHeadViewSplit(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), self.num_heads, -1, self.d_head)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "heads-merged-without-transpose")
class MultiHeadViewMerge(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "heads-split-by-reshape+heads-merged-without-transpose")
class MultiHeadViewSplitAndMerge(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), self.num_heads, -1, self.d_head)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "heads-interleaved")
class MultiHeadInterleaved(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.d_head, self.num_heads).permute(0, 3, 1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "heads-interleaved", note="merged as d_head x h")
class MultiHeadInterleavedMerge(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).permute(0, 2, 3, 1).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "query-used-for-all", note="right for self-attention")
class MultiHeadQueryThrice(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(query)), self.heads(self.W_v(query))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "keys-for-values", note="right when value is key")
class MultiHeadKeyForValue(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(key))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "keys-for-values", note="key read from value: right when value is key")
class MultiHeadValueForKey(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(value)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "key-and-value-swapped", note="key and value swapped")
class MultiHeadKeyValueSwapped(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(value)), self.heads(self.W_v(key))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "cross-attention-reversed", note="right for self-attention with W_q == W_k")
class MultiHeadQueryKeySwapped(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, key, query, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "value-not-projected")
class MultiHeadValueUnprojected(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(value)
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "key-weight-reused")
class MultiHeadKeyWeightForValue(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_k(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "query-weight-reused")
class MultiHeadQueryWeightForKey(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_q(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "query-weight-reused", note="W_k is W_q: the same object")
class MultiHeadSharedParameter(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = self.W_q
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "bias-missing", note="all four")
class MultiHeadNoBias(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "bias-missing", note="W_o only")
class MultiHeadNoOutputBias(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "bias-missing", note="query bias exists, is not added")
class MultiHeadBiasDropped(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = (
            self.heads(query @ self.W_q.weight.T),
            self.heads(self.W_k(key)),
            self.heads(self.W_v(value)),
        )
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "bias-missing", note="b_o exists, is not added")
class MultiHeadOutputBiasDropped(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return Z @ self.W_o.weight.T, weights


@wrong("MultiHeadAttention", "weight-transposed", note="x @ weight")
class MultiHeadWeightNotTransposed(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = (
            self.heads(query @ self.W_q.weight + self.W_q.bias),
            self.heads(self.W_k(key)),
            self.heads(self.W_v(value)),
        )
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "weight-transposed", note="W_o only")
class MultiHeadOutputTransposed(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return Z @ self.W_o.weight + self.W_o.bias, weights


@wrong("MultiHeadAttention", "parameter-instead-of-linear")
class MultiHeadPlainParameters(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Parameter(torch.randn(d_model, d_model) / d_model**0.5)
        self.W_k = nn.Parameter(torch.randn(d_model, d_model) / d_model**0.5)
        self.W_v = nn.Parameter(torch.randn(d_model, d_model) / d_model**0.5)
        self.W_o = nn.Parameter(torch.randn(d_model, d_model) / d_model**0.5)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(query @ self.W_q), self.heads(key @ self.W_k), self.heads(value @ self.W_v)
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return Z @ self.W_o, weights


@wrong("MultiHeadAttention", "wrong-attribute-names")
class MultiHeadOtherNames(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.q_proj(query)), self.heads(self.k_proj(key)), self.heads(self.v_proj(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.out_proj(Z), weights


@wrong("MultiHeadAttention", "wrong-attribute-names", note="w_q for W_q")
class MultiHeadLowerCaseNames(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.w_q(query)), self.heads(self.w_k(key)), self.heads(self.w_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.w_o(Z), weights


@wrong("MultiHeadAttention", "wrong-attribute-names", note="W_o is called out")
class MultiHeadOutputUnnamed(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.out = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.out(Z), weights


@wrong("MultiHeadAttention", "wrong-attribute-names", note="one nn.Linear for Q, K and V")
class MultiHeadOneBigLinear(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_qkv = nn.Linear(d_model, 3 * d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = (self.heads(part) for part in self.W_qkv(query).chunk(3, dim=-1))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "no-super-init")
class MultiHeadNoSuper(nn.Module):
    def __init__(self, d_model, num_heads):
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "heads-share-weights", note="one d_head x d_head weight for every head")
class MultiHeadSmallLinears(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(self.d_head, self.d_head)
        self.W_k = nn.Linear(self.d_head, self.d_head)
        self.W_v = nn.Linear(self.d_head, self.d_head)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.W_q(self.heads(query)), self.W_k(self.heads(key)), self.W_v(self.heads(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "softmax-over-queries")
class MultiHeadSoftmaxQueries(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-2)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "softmax-over-heads", note="dim=1")
class MultiHeadSoftmaxHeads(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "mask-inverted")
class MultiHeadMaskInverted(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "mask-ignored")
class MultiHeadMaskIgnored(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        weights = torch.softmax(scores, dim=-1)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "causal-by-default", note="causal on top of the mask")
class MultiHeadAlwaysCausal(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        scores = scores.masked_fill(~torch.ones_like(scores, dtype=torch.bool).tril(), -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "causal-by-default", note="without a mask")
class MultiHeadCausalByDefault(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        if allowed is None:
            allowed = torch.ones(query.shape[1], key.shape[1], dtype=torch.bool).tril()
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "result-dropped", note="masked_fill without assignment")
class MultiHeadMaskDropped(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "mask-first-head-only")
class MultiHeadMaskFirstHead(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores[:, :1] = scores[:, :1].masked_fill(~allowed.expand(scores.shape)[:, :1], -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "no-head-axis", note="(B, 1, n_q, n_k) squeezed: right for a batch of one")
class MultiHeadMaskSqueezed(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed.squeeze(), -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "wrong-head-axis", note="inserts a head axis that is already there")
class MultiHeadMaskUnsqueezed(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(1), -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "mask-after-softmax")
class MultiHeadMaskAfter(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights * allowed
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "mask-multiplied")
class MultiHeadMaskZero(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, 0.0)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "mask-multiplied", note="-1e-9")
class MultiHeadMaskTypo(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -1e-9)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "transposed-mask", note="raises unless n_q == n_k")
class MultiHeadMaskTransposed(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~torch.atleast_2d(allowed).transpose(-2, -1), -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "first-batch-only")
class MultiHeadMaskFirstBatch(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed.expand(scores.shape)[:1], -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "blocked-row-nan")
class MultiHeadBlockedNan(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "blocked-row-uniform", note="-1e9 and no repair")
class MultiHeadBlockedUniform(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -1e9)
        weights = torch.softmax(scores, dim=-1)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong(
    "MultiHeadAttention",
    "blocked-row-nan-gradient",
    note="values right, gradients NaN: additive -inf and nan_to_num",
)
class MultiHeadBlockedGradientNan(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores + torch.zeros_like(scores).masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        weights = weights.nan_to_num(0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "blocked-row-without-bias", note="the output row is 0, not b_o")
class MultiHeadBlockedOutputZero(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z) * (Z != 0).any(-1, keepdim=True), weights


@wrong("MultiHeadAttention", "weights-averaged-over-heads")
class MultiHeadWeightsMean(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights.mean(dim=1)


@wrong("MultiHeadAttention", "weights-averaged-over-heads")
class MultiHeadWeightsMeanKept(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights.mean(dim=1, keepdim=True).expand_as(weights)


@wrong("MultiHeadAttention", "one-output-missing")
class MultiHeadOutputOnly(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z)


@wrong("MultiHeadAttention", "wrong-order", note="(weights, output)")
class MultiHeadOrderSwapped(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return weights, self.W_o(Z)


@wrong("MultiHeadAttention", "returns-scores-for-weights")
class MultiHeadReturnsScores(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), scores


@wrong("MultiHeadAttention", "dropout-left-on", note="F.dropout is on in eval too")
class MultiHeadDropout(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        weights = F.dropout(weights, p=0.1)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "extra-residual")
class MultiHeadResidual(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return query + self.W_o(Z), weights


@wrong("MultiHeadAttention", "extra-layernorm")
class MultiHeadLayerNorm(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return F.layer_norm(self.W_o(Z), query.shape[-1:]), weights


@wrong("MultiHeadAttention", "gradient-cut", note="torch.no_grad around everything")
class MultiHeadNoGrad(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    @torch.no_grad()
    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "gradient-cut", note="detached weights: no gradient for W_q and W_k")
class MultiHeadDetachedWeights(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights.detach() @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "gradient-cut", note="no gradient for W_v")
class MultiHeadDetachedValue(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V.detach()).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "gradient-cut", note="W_k.weight.data")
class MultiHeadDataOfKey(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = (
            self.heads(self.W_q(query)),
            self.heads(F.linear(key, self.W_k.weight.data, self.W_k.bias)),
            self.heads(self.W_v(value)),
        )
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "gradient-cut", note="through NumPy")
class MultiHeadNumpyTrip(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        scores = torch.from_numpy(scores.detach().numpy())
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "gradient-cut", note="no gradient below W_o")
class MultiHeadDetachedOutput(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z.detach()), weights


@wrong("MultiHeadAttention", "gradient-doubled", note="W_v counted twice backwards")
class MultiHeadDoubleGradient(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        V = 2 * V - V.detach()
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "gradient-cut", note="clone().detach(): no gradient for W_q and W_k")
class MultiHeadNewTensor(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores.clone().detach(), dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "float32", note="the heads are collected in float32")
class MultiHeadFloat32Buffer(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        weights, V = weights.float(), V.float()
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z.to(query.dtype)), weights


@wrong("MultiHeadAttention", "gradient-cut", note="query gradients only: K.detach()")
class MultiHeadKeyDetached(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.detach().transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "square-only", note="key length taken from the query")
class MultiHeadSquareOnly(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        K, V = K[:, :, : query.shape[1]], V[:, :, : query.shape[1]]
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            K, V = K[:, :, : query.shape[1]], V[:, :, : query.shape[1]]
        scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "reshape-instead-of-transpose")
class MultiHeadKeyReshape(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.reshape(*K.shape[:2], self.d_head, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "state-between-calls", note="remembers the last mask")
class MultiHeadCachedMask(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        if allowed is None:
            allowed = getattr(self, "mask", None)
        self.mask = allowed
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "cosine-instead-of-dot")
class MultiHeadNormalisedQK(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = F.normalize(Q, dim=-1) @ F.normalize(K, dim=-1).transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "state-between-calls", note="W_o is made anew in every forward")
class MultiHeadFreshLinears(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        self.W_o = nn.Linear(*query.shape[-1:] * 2, dtype=query.dtype)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "batch-axis-for-tokens", note="wraps nn.MultiheadAttention's (n, B, d) layout")
class MultiHeadBatchFirstForgotten(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads(self, x):
        return x.reshape(len(x), -1, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        query, key, value = query.transpose(0, 1), key.transpose(0, 1), value.transpose(0, 1)
        Q, K, V = self.heads(self.W_q(query)), self.heads(self.W_k(key)), self.heads(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        Z = (weights @ V).transpose(1, 2).reshape(query.shape)
        return self.W_o(Z), weights


@wrong("MultiHeadAttention", "wrong-attribute-names", note="nn.MultiheadAttention inside")
class MultiHeadWrapsTorch(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.attention = nn.MultiheadAttention(d_model, num_heads, batch_first=True)

    def forward(self, query, key, value, allowed=None):
        return self.attention(query, key, value, average_attn_weights=False)


@wrong("MultiHeadAttention", "attributes-not-used", note="the four linears are decoration")
class MultiHeadDecoration(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)
        self.attention = nn.MultiheadAttention(d_model, num_heads, batch_first=True)

    def forward(self, query, key, value, allowed=None):
        return self.attention(query, key, value, average_attn_weights=False)


@wrong("MultiHeadAttention", "weights-ignored", note="W_o of the mean value")
class MultiHeadMean(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, n_q, n_k = *query.shape[:2], key.shape[1]
        weights = torch.full((B, self.num_heads, n_q, n_k), 1 / n_k, dtype=query.dtype)
        mean = self.W_v(value).mean(dim=1, keepdim=True).expand(query.shape)
        return self.W_o(mean), weights


@wrong("MultiHeadAttention", "head-lists-not-registered", note="plain Python list of linears")
class MultiHeadPlainList(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, d_head = num_heads, d_model // num_heads
        self.W_q = [nn.Linear(d_model, d_head) for _ in range(num_heads)]
        self.W_k = [nn.Linear(d_model, d_head) for _ in range(num_heads)]
        self.W_v = [nn.Linear(d_model, d_head) for _ in range(num_heads)]
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        outputs, all_weights = [], []
        for W_q, W_k, W_v in zip(self.W_q, self.W_k, self.W_v, strict=True):
            scores = W_q(query) @ W_k(key).mT / math.sqrt(W_q.out_features)
            all_weights.append(torch.softmax(scores, dim=-1))
            outputs.append(all_weights[-1] @ W_v(value))
        return self.W_o(torch.cat(outputs, dim=-1)), torch.stack(all_weights, dim=1)
