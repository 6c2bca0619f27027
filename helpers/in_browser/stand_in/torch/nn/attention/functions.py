"""The two functions of PyTorch's that are whole attentions."""

import math
from typing import Any

import numpy as np

from torch.op import METHODS, Op
from torch.products import product
from torch.reductions import soft, soft_back
from torch.tensor import Tensor, made, unlike


def _like(query: Any, key: Any, value: Any) -> None:
    if not query._a.dtype == key._a.dtype == value._a.dtype:
        raise RuntimeError(
            "Expected query, key, and value to have the same dtype, but got query.dtype: "
            f"{query.dtype.called} key.dtype: {key.dtype.called} and value.dtype: {value.dtype.called} instead."
        )
    if min(one._a.ndim for one in (query, key, value)) < 2:
        dims = [one._a.ndim for one in (query, key, value)]
        raise RuntimeError(
            f"Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: {dims[0]} "
            f"key.dim: {dims[1]} and value.dim: {dims[2]} instead."
        )


def _mask(query: Any, mask: Any) -> np.ndarray | None:
    if mask is None:
        return None
    if mask._a.dtype != bool and mask._a.dtype != query._a.dtype:
        raise RuntimeError(
            "Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: "
            f"{mask.dtype.called} and  query.dtype: {query.dtype.called} instead."
        )
    return np.where(mask._a, 0, -np.inf).astype(query._a.dtype) if mask._a.dtype == bool else mask._a


def _attention(
    query: "Tensor",
    key: "Tensor",
    value: "Tensor",
    attn_mask: Any = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    scale: Any = None,
    enable_gqa: bool = False,
) -> Any:
    """Softmax of scaled scores, times the values; a query with no allowed key gets 0."""
    _like(query, key, value)
    if type(attn_mask).__name__ == "CausalBias":
        attn_mask = attn_mask.table()
    if attn_mask is not None and is_causal:
        raise RuntimeError(
            "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True"
        )
    if enable_gqa:
        repeat = METHODS["repeat_interleave"].run
        key, value = (repeat(one, query._a.shape[-3] // one._a.shape[-3], -3) for one in (key, value))
    q, k, v = query._a, key._a, value._a
    extra = _mask(query, attn_mask)
    if extra is not None and extra.ndim == 1 and q.ndim > 3:
        raise IndexError("Dimension out of range (expected to be in range of [-1, 0], but got -2)")
    if is_causal:
        extra = np.where(np.tri(q.shape[-2], k.shape[-2], dtype=bool), 0, -np.inf).astype(q.dtype)
    _must_fit(q.shape, k.shape, v.shape)
    factor = q.dtype.type(1 / math.sqrt(q.shape[-1]) if scale is None else scale)
    scores = product(q, k.swapaxes(-1, -2)) * factor
    if extra is not None:
        try:
            scores = scores + extra
        except ValueError:
            raise unlike(scores.shape, extra.shape) from None
    with np.errstate(all="ignore"):
        weights = np.where(np.isneginf(scores).all(-1, keepdims=True), 0, soft(scores, -1)).astype(q.dtype)

    def to_scores(g: np.ndarray) -> np.ndarray:
        return soft_back(g @ v.swapaxes(-1, -2), weights)

    parents = [
        (query, lambda g: to_scores(g) @ k * factor, query, key, value),
        (key, lambda g: to_scores(g).swapaxes(-1, -2) @ q * factor, query, key, value),
        (value, lambda g: weights.swapaxes(-1, -2) @ g, query, key),
    ]
    if isinstance(attn_mask, Tensor) and attn_mask._a.dtype != bool:
        parents.append((attn_mask, to_scores))
    return made(weights @ v, "ScaledDotProductAttention", *parents)


def _must_fit(q: tuple, k: tuple, v: tuple) -> None:
    for back in range(3, min(len(q), len(k)) + 1):
        if q[-back] != k[-back] and 1 not in (q[-back], k[-back]):
            raise unlike((*q[:-2], 1, 1), (*k[:-2], 1, 1))
    many = math.prod(q[:-2])
    for first, then in (((q[-2], q[-1]), (k[-1], k[-2])), ((q[-2], k[-2]), (v[-2], v[-1]))):
        if first[1] != then[0] and len(q) == 2:
            raise RuntimeError(
                f"mat1 and mat2 shapes cannot be multiplied ({first[0]}x{first[1]} and {then[0]}x{then[1]})"
            )
        if first[1] != then[0]:
            raise RuntimeError(
                f"Expected size for first two dimensions of batch2 tensor to be: [{many}, {first[1]}] but got: "
                f"[{many}, {then[0]}]."
            )


scaled_dot_product_attention = Op(_attention, name="scaled_dot_product_attention")


def multi_head_attention_forward(
    query: Any,
    key: Any,
    value: Any,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight: Any,
    in_proj_bias: Any,
    bias_k: Any,
    bias_v: Any,
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight: Any,
    out_proj_bias: Any,
    training: bool = True,
    key_padding_mask: Any = None,
    need_weights: bool = True,
    attn_mask: Any = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Any = None,
    k_proj_weight: Any = None,
    v_proj_weight: Any = None,
    static_k: Any = None,
    static_v: Any = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> Any:
    """Attention of several heads with its four projections; True in a mask is blocked."""
    from torch.nn import functional as F

    alone = query._a.ndim == 2
    if alone:
        query, key, value = (one.unsqueeze(1) for one in (query, key, value))
    (n_q, batch, width), n_k = query._a.shape, key._a.shape[0]
    if width != embed_dim_to_check:
        raise AssertionError(f"was expecting embedding dimension of {embed_dim_to_check}, but got {width}")
    parts = (q_proj_weight, k_proj_weight, v_proj_weight)
    if not use_separate_proj_weight:
        parts = in_proj_weight.chunk(3)
    biases = in_proj_bias.chunk(3) if in_proj_bias is not None else (None,) * 3
    q, k, v = (
        F.linear.run(x, w, b).reshape(x._a.shape[0], batch * num_heads, -1).transpose(0, 1)
        for x, w, b in zip((query, key, value), parts, biases, strict=True)
    )
    mask = _additive(attn_mask, q)
    if mask is not None and mask._a.ndim == 3 and mask._a.shape[0] == 1:
        mask = mask.expand(batch * num_heads, -1, -1)
    wanted = (batch * num_heads, n_q, n_k)
    if mask is not None and mask._a.shape not in (wanted, wanted[1:]):
        which, shape = ("2D", wanted[1:]) if mask._a.ndim == 2 else ("3D", wanted)
        raise RuntimeError(
            f"The shape of the {which} attn_mask is {mask.shape}, but should be {tuple(shape)}."
        )
    if key_padding_mask is not None:
        padding = _additive(key_padding_mask, q)
        if padding._a.ndim == 1:
            padding = padding.unsqueeze(0)
        padding = padding.reshape(batch, 1, 1, n_k).expand(-1, num_heads, -1, -1).reshape(-1, 1, n_k)
        mask = padding if mask is None else mask + padding
    if not need_weights:
        split = (batch, num_heads, -1, q._a.shape[-1])
        mask = (
            None
            if mask is None
            else mask.expand(batch * num_heads, n_q, n_k).reshape(batch, num_heads, n_q, n_k)
        )
        output = _attention(*(one.reshape(*split) for one in (q, k, v)), mask).reshape(*q._a.shape[:2], -1)
        weights = None
    else:
        scores = (q * math.sqrt(1.0 / q._a.shape[-1])) @ k.mT
        weights = METHODS["softmax"].run(scores if mask is None else scores + mask, -1)
        if dropout_p > 0 and training:
            weights = F.dropout.run(weights, dropout_p)
        output = weights @ v
        weights = weights.reshape(batch, num_heads, n_q, n_k)
        weights = weights.mean(1) if average_attn_weights else weights
    output = output.transpose(0, 1).reshape(n_q, batch, width)
    output = F.linear.run(output, out_proj_weight, out_proj_bias)
    if alone:
        output, weights = output.squeeze(1), weights if weights is None else weights.squeeze(0)
    return output, weights


def _additive(mask: Any, like: Any) -> Any:
    if mask is None:
        return None
    if mask._a.dtype == bool:
        return Tensor._plain(np.where(mask._a, -np.inf, 0).astype(like._a.dtype))
    if mask._a.dtype.kind != "f":
        raise AssertionError("only bool and floating types of attn_mask are supported")
    return mask
