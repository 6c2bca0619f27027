"""Right answers to unit 06."""

import math
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from ..registry import right

# split_heads


@right("split_heads", "reshape and transpose, a view")
def split_reshape(X, num_heads):
    B, n, d_model = X.shape
    if d_model % num_heads != 0:
        raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
    return X.reshape(B, n, num_heads, d_model // num_heads).transpose(0, 2, 1, 3)


@right("split_heads", "slices stacked")
def split_slices(X, num_heads):
    d_head, rest = divmod(X.shape[-1], num_heads)
    if rest:
        raise ValueError("cannot cut %d columns into %d equal heads" % (X.shape[-1], num_heads))  # noqa: UP031
    return np.stack([X[:, :, i * d_head : (i + 1) * d_head] for i in range(num_heads)], axis=1)


@right("split_heads", "np.split, its error raised again with the numbers")
def split_np_split(X, num_heads):
    try:
        parts = np.split(X, num_heads, axis=-1)
    except ValueError as error:
        raise ValueError(f"{num_heads} heads do not divide {X.shape[-1]}") from error
    return np.array(parts).swapaxes(0, 1)


class HeadsDoNotFit(ValueError):
    def __init__(self, d_model, num_heads):
        super().__init__(f"d_model={d_model}, num_heads={num_heads}: {d_model % num_heads} columns left over")


@right("split_heads", "torch inside, a subclass of ValueError")
def split_torch(X, num_heads):
    x = torch.tensor(X)
    if x.size(2) % num_heads:
        raise HeadsDoNotFit(x.size(2), num_heads)
    return x.view(x.size(0), x.size(1), num_heads, -1).transpose(1, 2).numpy()


@right("split_heads", "loops over every entry")
def split_loops(X, num_heads):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    if d_head * num_heads != d_model:
        raise ValueError("d_model % num_heads != 0", d_model, num_heads)
    heads = np.zeros((B, num_heads, n, d_head))
    for b in range(B):
        for t in range(n):
            for column in range(d_model):
                heads[b, column // d_head, t, column % d_head] = X[b, t, column]
    return heads


@right("split_heads", "einsum, prints")
def split_einsum(X, num_heads):
    if X.shape[2] % num_heads:
        raise ValueError(f"num_heads {num_heads} must divide d_model {X.shape[2]}.")
    print(X.shape, "->", num_heads, "heads")
    return np.einsum("bnhd->bhnd", X.reshape(*X.shape[:2], num_heads, -1))


@right("split_heads", "a table of columns, moveaxis")
def split_columns(X, num_heads):
    d_model = X.shape[-1]
    if d_model % num_heads:
        raise ValueError(f"The width {d_model} is not a multiple of {num_heads}")
    columns = np.arange(d_model).reshape(num_heads, -1)
    return np.moveaxis(X[..., columns], 2, 1)


# merge_heads


@right("merge_heads", "transpose and reshape")
def merge_reshape(H):
    B, h, n, d_head = H.shape
    return H.transpose(0, 2, 1, 3).reshape(B, n, h * d_head)


@right("merge_heads", "concatenate")
def merge_concatenate(H):
    return np.concatenate([H[:, i] for i in range(H.shape[1])], axis=-1)


@right("merge_heads", "hstack sentence by sentence")
def merge_hstack(H):
    return np.array([np.hstack(list(heads)) for heads in H])


@right("merge_heads", "torch inside")
def merge_torch(H):
    return torch.from_numpy(H).permute(0, 2, 1, 3).contiguous().flatten(2).numpy()


@right("merge_heads", "written head by head")
def merge_slices(H):
    B, h, n, d_head = H.shape
    X = np.empty((B, n, h * d_head), dtype=H.dtype)
    for i in range(h):
        X[:, :, i * d_head : (i + 1) * d_head] = H[:, i]
    return X


@right("merge_heads", "loops over every entry, Fortran order, prints")
def merge_loops(H):
    B, h, n, d_head = H.shape
    X = np.zeros((B, n, h * d_head), order="F")
    for (b, i, t, c), value in np.ndenumerate(H):
        X[b, t, i * d_head + c] = value
    print("merged", h, "heads")
    return X


@right("merge_heads", "einsum with block identities")
def merge_einsum(H):
    _, h, _, d_head = H.shape
    place = np.eye(h * d_head, dtype=H.dtype).reshape(h, d_head, h * d_head)
    return np.einsum("bhnd,hde->bne", H, place)


@right("merge_heads", "moveaxis, a transposed view")
def merge_moveaxis(H):
    columns = np.moveaxis(H, 2, -1)  # (B, h, d_head, n)
    return columns.reshape(H.shape[0], -1, H.shape[2]).swapaxes(1, 2)


# multi_head_attention


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


# sum_of_heads


@right("sum_of_heads", "a loop over the blocks")
def sum_loop(H, W_o):
    d_head = H.shape[-1]
    output = 0
    for i in range(H.shape[1]):
        output = output + H[:, i] @ W_o[i * d_head : (i + 1) * d_head]
    return output


@right("sum_of_heads", "concatenate, then project")
def sum_concatenate(H, W_o):
    return np.concatenate(list(H.swapaxes(0, 1)), axis=-1) @ W_o


@right("sum_of_heads", "einsum over both")
def sum_einsum(H, W_o):
    _, h, _, d_head = H.shape
    return np.einsum("bhnd,hdm->bnm", H, W_o.reshape(h, d_head, -1))


@right("sum_of_heads", "tensordot over two axes")
def sum_tensordot(H, W_o):
    return np.tensordot(H, W_o.reshape(H.shape[1], H.shape[3], -1), axes=([1, 3], [0, 1]))


@right("sum_of_heads", "batched product, then sum")
def sum_matmul(H, W_o):
    blocks = np.stack(np.vsplit(W_o, H.shape[1]))
    return np.matmul(H, blocks).sum(axis=1)


@right("sum_of_heads", "torch inside, sum of a generator, prints")
def sum_torch(H, W_o):
    heads = torch.tensor(H).unbind(1)
    blocks = torch.tensor(W_o).chunk(len(heads), dim=0)
    output = sum(head @ block for head, block in zip(heads, blocks, strict=True))
    print(output.shape)
    return output.numpy()


@right("sum_of_heads", "loops over every entry")
def sum_loops(H, W_o):
    B, h, n, d_head = H.shape
    output = np.zeros((B, n, W_o.shape[1]))
    for b in range(B):
        for i in range(h):
            for t in range(n):
                for c in range(d_head):
                    output[b, t] += H[b, i, t, c] * W_o[i * d_head + c]
    return output


@right("sum_of_heads", "recursion, a transposed view")
def sum_recursive(H, W_o):
    d_head = H.shape[-1]
    first = (W_o[:d_head].T @ H[:, 0].swapaxes(-1, -2)).swapaxes(-1, -2)
    return first if H.shape[1] == 1 else first + sum_recursive(H[:, 1:], W_o[d_head:])


# MultiHeadAttention


@right("MultiHeadAttention", "view and transpose, masked_fill, NaN replaced, old style super")
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super(MultiHeadAttention, self).__init__()  # noqa: UP008
        self.num_heads = num_heads
        self.d_head = d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B = query.size(0)
        Q = self.W_q(query).view(B, -1, self.num_heads, self.d_head).transpose(1, 2)
        K = self.W_k(key).view(B, -1, self.num_heads, self.d_head).transpose(1, 2)
        V = self.W_v(value).view(B, -1, self.num_heads, self.d_head).transpose(1, 2)
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, float("-inf"))
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1), nan=0.0)
        output = (weights @ V).transpose(1, 2).contiguous().view(B, -1, self.num_heads * self.d_head)
        return self.W_o(output), weights


@right("MultiHeadAttention", "einsum, finfo.min, extra methods, the root stored at init")
class EinsumHeads(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.h = num_heads
        self.root = (d_model / num_heads) ** 0.5
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model) for _ in range(4))

    def cut(self, x):
        return x.reshape(*x.shape[:2], self.h, -1)

    def attend(self, Q, K, allowed):
        scores = torch.einsum("bqhd,bkhd->bhqk", Q, K) / self.root
        if allowed is None:
            return scores.softmax(-1)
        scores = scores.masked_fill(allowed.logical_not(), torch.finfo(scores.dtype).min)
        return scores.softmax(-1) * allowed

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.cut(self.W_q(query)), self.cut(self.W_k(key)), self.cut(self.W_v(value))
        weights = self.attend(Q, K, allowed)
        return self.W_o(torch.einsum("bhqk,bkhd->bqhd", weights, V).flatten(2)), weights


@right("MultiHeadAttention", "a loop over the heads, prints")
class LoopedHeads(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.d_model, self.num_heads, self.d_head = d_model, num_heads, d_model // num_heads
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, nn.Linear(d_model, d_model))

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.W_q(query), self.W_k(key), self.W_v(value)
        keep = torch.ones((), dtype=torch.bool) if allowed is None else allowed
        keep = keep.broadcast_to(Q.shape[0], self.num_heads, Q.shape[1], K.shape[1])
        outputs, all_weights = [], []
        for i in range(self.num_heads):
            part = slice(i * self.d_head, (i + 1) * self.d_head)
            scores = torch.bmm(Q[..., part], K[..., part].transpose(1, 2)) / self.d_head**0.5
            scores = torch.where(keep[:, i], scores, -torch.inf)
            has_key = keep[:, i].any(-1, keepdim=True)
            weights = torch.where(has_key, F.softmax(scores.masked_fill(~has_key, 0.0), dim=-1), 0.0)
            print("head", i, tuple(weights.shape))
            outputs.append(weights @ V[..., part])
            all_weights.append(weights)
        return self.W_o(torch.cat(outputs, dim=-1)), torch.stack(all_weights, dim=1)


@right("MultiHeadAttention", "F.scaled_dot_product_attention and the weights besides")
class LibraryHeads(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        q, k, v = (
            layer(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
            for layer, x in ((self.W_q, query), (self.W_k, key), (self.W_v, value))
        )
        shape = (*q.shape[:-1], k.shape[-2])
        mask = None if allowed is None else allowed.expand(shape)
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        identity = torch.eye(shape[-1], dtype=q.dtype).expand(*shape[:2], -1, -1)
        weights = F.scaled_dot_product_attention(q, k, identity, attn_mask=mask)
        return self.W_o(mixed.transpose(1, 2).flatten(2)), weights


@right("MultiHeadAttention", "F.linear, heads folded into the batch, baddbmm")
class FoldedHeads(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.scale = 1 / math.sqrt(d_model // num_heads)
        self.W_o = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_q = nn.Linear(d_model, d_model)

    def fold(self, x, layer):
        y = F.linear(x, layer.weight, layer.bias)
        B, n, d_model = y.shape
        y = y.reshape(B, n, self.num_heads, d_model // self.num_heads)
        return y.permute(0, 2, 1, 3).flatten(0, 1)

    def forward(self, query, key, value, allowed=None):
        B, n_q, n_k = query.shape[0], query.shape[1], key.shape[1]
        Q, K, V = self.fold(query, self.W_q), self.fold(key, self.W_k), self.fold(value, self.W_v)
        bias = torch.zeros(B, self.num_heads, n_q, n_k, dtype=Q.dtype)
        if allowed is not None:
            bias = bias.masked_fill(~allowed, -1e9)
        scores = torch.baddbmm(bias.flatten(0, 1), Q, K.transpose(1, 2), alpha=self.scale)
        weights = scores.softmax(-1).view(B, self.num_heads, n_q, n_k)
        if allowed is not None:
            weights = weights * allowed.any(-1, keepdim=True)
        mixed = torch.bmm(weights.flatten(0, 1), V).view(B, self.num_heads, n_q, -1)
        return self.W_o(torch.cat(mixed.unbind(1), -1)), weights


@right("MultiHeadAttention", "a registered buffer, xavier initialisation, dropout 0")
class BufferedHeads(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        self.num_heads = num_heads
        self.register_buffer("scale", torch.tensor(d_model // num_heads, dtype=torch.float64).rsqrt())
        self.dropout = nn.Dropout(dropout)
        self.W_q, self.W_k, self.W_v, self.W_o = [nn.Linear(d_model, d_model) for _ in "qkvo"]
        for layer in (self.W_q, self.W_k, self.W_v, self.W_o):
            nn.init.xavier_uniform_(layer.weight)
            nn.init.zeros_(layer.bias)

    def _split(self, x):
        return torch.stack(x.chunk(self.num_heads, dim=-1), dim=1)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self._split(self.W_q(query)), self._split(self.W_k(key)), self._split(self.W_v(value))
        scores = torch.matmul(Q * self.scale, K.mT)
        if allowed is not None:
            empty = ~allowed.any(dim=-1, keepdim=True)
            scores = scores.masked_fill(~(allowed | empty), -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(empty, 0)
        mixed = torch.matmul(self.dropout(weights), V).transpose(1, 2)
        return self.W_o(mixed.reshape(query.shape)), weights


@right("MultiHeadAttention", "d ** -0.25 on both, the exponentials by hand, masked after them")
class QuarterHeads(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.shape = (num_heads, d_model // num_heads)
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        quarter = self.shape[1] ** -0.25
        Q = self.W_q(query).unflatten(2, self.shape).movedim(2, 1) * quarter
        K = self.W_k(key).unflatten(2, self.shape).movedim(2, 1) * quarter
        V = self.W_v(value).unflatten(2, self.shape).movedim(2, 1)
        scores = Q @ K.transpose(2, 3)
        keep = torch.ones_like(scores) if allowed is None else allowed.expand_as(scores).to(scores.dtype)
        top = scores.masked_fill(keep == 0, torch.finfo(scores.dtype).min).amax(-1, keepdim=True).detach()
        e = torch.exp(torch.clamp(scores - top, max=20.0)) * keep
        total = e.sum(-1, keepdim=True)
        weights = e / torch.where(total > 0, total, torch.ones_like(total))
        mixed = (weights @ V).movedim(1, 2).flatten(2)
        return self.W_o(mixed), weights


@right("MultiHeadAttention", "F.multi_head_attention_forward, the library call")
class ForwardedHeads(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.d_model, self.num_heads = d_model, num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, n_q, _ = query.shape
        shape = (B, self.num_heads, n_q, key.shape[1])
        keep = torch.ones(shape, dtype=torch.bool) if allowed is None else allowed.expand(shape)
        empty = ~keep.any(-1, keepdim=True)
        merged, weights = F.multi_head_attention_forward(
            query.transpose(0, 1),
            key.transpose(0, 1),
            value.transpose(0, 1),
            self.d_model,
            self.num_heads,
            None,
            torch.cat([self.W_q.bias, self.W_k.bias, self.W_v.bias]),
            None,
            None,
            False,
            0.0,
            torch.eye(self.d_model, dtype=query.dtype),
            None,
            attn_mask=~(keep | empty).flatten(0, 1),
            use_separate_proj_weight=True,
            q_proj_weight=self.W_q.weight,
            k_proj_weight=self.W_k.weight,
            v_proj_weight=self.W_v.weight,
            average_attn_weights=False,
        )
        heads = (
            merged.transpose(0, 1).unflatten(2, (self.num_heads, -1)).masked_fill(empty.transpose(1, 2), 0)
        )
        return self.W_o(heads.flatten(2)), weights.masked_fill(empty, 0)


class _HeadTools(nn.Module):
    def split(self, x):
        B, n, _ = x.shape
        return x.view(B, n, self.num_heads, self.d_model // self.num_heads).transpose(1, 2)

    @staticmethod
    def merge(H):
        return H.transpose(1, 2).reshape(H.size(0), H.size(2), -1)

    @staticmethod
    def attention(Q, K, V, allowed):
        scores = Q @ K.transpose(-1, -2) / torch.sqrt(torch.tensor(float(Q.size(-1))))
        if allowed is not None:
            scores = torch.where(allowed, scores, torch.full_like(scores, -1e9))
        weights = F.softmax(scores, dim=-1)
        if allowed is not None:
            weights = torch.where(allowed, weights, torch.zeros_like(weights))
        return weights @ V, weights


@right("MultiHeadAttention", "a subclass of a toolbox, a raise at init, sum over heads instead of merging")
class ToolboxHeads(_HeadTools):
    def __init__(self, d_model: int, num_heads: int):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{d_model} % {num_heads} is not 0")
        self.d_model, self.num_heads = d_model, num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.split(self.W_q(query)), self.split(self.W_k(key)), self.split(self.W_v(value))
        heads, weights = self.attention(Q, K, V, allowed)
        blocks = self.W_o.weight.T.reshape(self.num_heads, -1, self.d_model)
        output = (heads @ blocks).sum(dim=1)
        return output + self.W_o.bias, weights


@right("MultiHeadAttention", "the toolbox, merged, query by query")
class QueryByQuery(_HeadTools):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.d_model = d_model
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=True)
        self.W_k = nn.Linear(d_model, d_model, bias=True)
        self.W_v = nn.Linear(d_model, d_model, bias=True)
        self.W_o = nn.Linear(d_model, d_model, bias=True)

    def forward(self, query, key, value, allowed=None):
        K, V = self.split(self.W_k(key)), self.split(self.W_v(value))
        n_q, n_k = query.shape[1], key.shape[1]
        if allowed is not None:
            allowed = allowed.expand(len(query), self.num_heads, n_q, n_k)
        steps = []
        for i in range(n_q):
            Q = self.split(self.W_q(query[:, i : i + 1]))
            row = None if allowed is None else allowed[:, :, i : i + 1]
            steps.append(self.attention(Q, K, V, row))
        heads = torch.cat([step[0] for step in steps], dim=2)
        return self.W_o(self.merge(heads)), torch.cat([step[1] for step in steps], dim=2)
