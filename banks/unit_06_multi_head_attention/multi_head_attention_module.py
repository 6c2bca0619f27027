"""Right and wrong answers to `MultiHeadAttention`, as learners write them."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from banks.registry import right, wrong
from helpers import reference

# Right answers, each in its own style


@right("MultiHeadAttention", "view and transpose, masked_fill, NaN replaced, old style super")
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super(MultiHeadAttention, self).__init__()
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


@right("MultiHeadAttention", "masked_fill(-inf), softmax, nan_to_num: masked_fill stops the NaN gradients")
class MultiHeadAttention_31(_Base):
    def forward(self, query, key, value, allowed=None):
        q, k, v = self.split(self.W_q(query)), self.split(self.W_k(key)), self.split(self.W_v(value))
        s = q @ k.mT / math.sqrt(self.dh)
        if allowed is not None:
            s = s.masked_fill(~allowed, float("-inf"))
        w = torch.nan_to_num(s.softmax(-1), nan=0.0)
        return self.W_o(self.merge(w @ v)), w


# Wrong answers, those with one mistake together


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


@wrong(
    "MultiHeadAttention",
    "scaled-by-sqrt-d_model",
    note="Scales by the square root of d_model instead of one head's width.",
)
class C1(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.h, self.d_model = num_heads, d_model
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B = query.size(0)
        q, k, v = [
            l(x).view(B, -1, self.h, self.d_model // self.h).transpose(1, 2)
            for l, x in ((self.W_q, query), (self.W_k, key), (self.W_v, value))
        ]
        s = q @ k.transpose(-2, -1) / self.d_model**0.5
        if allowed is not None:
            s = s.masked_fill(~allowed, float("-inf"))
        w = torch.nan_to_num(s.softmax(-1))
        z = (w @ v).transpose(1, 2).contiguous().view(B, -1, self.d_model)
        return self.W_o(z), w


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


@wrong(
    "MultiHeadAttention",
    "input-changed",
    note="allowed.logical_not_() flips the caller's mask in place; the second call with it is inverted.",
)
class C28(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        q, k, v = [
            l(x).view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (query, key, value))
        ]
        s = q @ k.mT / (d // self.num_heads) ** 0.5
        if allowed is not None:
            s = s.masked_fill(allowed.logical_not_(), -torch.inf)
        w = s.softmax(-1).nan_to_num()
        return self.W_o((w @ v).transpose(1, 2).reshape(B, -1, d)), w


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


@wrong(
    "MultiHeadAttention",
    "no-output-projection",
    note="self.W_o exists but forward returns the concatenation without it.",
)
class C18(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        q, k, v = [
            l(x).view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (query, key, value))
        ]
        s = q @ k.mT / (d // self.num_heads) ** 0.5
        if allowed is not None:
            s = s.masked_fill(~allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        return (w @ v).transpose(1, 2).reshape(B, -1, d), w


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


@wrong(
    "MultiHeadAttention",
    "query-used-for-all",
    note="Self-attention only: keys and values are made from the query argument.",
)
class C2(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.h = num_heads
        for name in "qkvo":
            setattr(self, "W_" + name, nn.Linear(d_model, d_model))

    def forward(self, query, key, value, allowed=None):
        x = query
        B, n, d = x.shape
        q, k, v = [l(x).view(B, n, self.h, -1).transpose(1, 2) for l in (self.W_q, self.W_k, self.W_v)]
        s = q @ k.mT / q.shape[-1] ** 0.5
        if allowed is not None:
            s = s.masked_fill(~allowed, float("-inf"))
        w = s.softmax(-1).nan_to_num()
        return self.W_o((w @ v).transpose(1, 2).reshape(B, n, d)), w


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


@wrong(
    "MultiHeadAttention",
    "keys-for-values",
    note="The values are projected from `key`; `value` is never read.",
)
class C3(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model) for _ in range(4))

    def split(self, x):
        return x.reshape(x.shape[0], x.shape[1], self.num_heads, -1).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        q = self.split(self.W_q(query))
        k = self.split(self.W_k(key))
        v = self.split(self.W_v(key))
        s = q @ k.mT / q.shape[-1] ** 0.5
        if allowed is not None:
            s = torch.where(allowed, s, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        z = (w @ v).transpose(1, 2).flatten(2)
        return self.W_o(z), w


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


@wrong(
    "MultiHeadAttention",
    "cross-attention-reversed",
    note="The key side asks and the query side answers: W_q reads `key`, W_k and W_v read `query`.",
)
class C22(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        q, k, v = [
            l(x).view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (key, query, query))
        ]
        s = q @ k.mT / (d // self.num_heads) ** 0.5
        if allowed is not None:
            s = s.masked_fill(~allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        return self.W_o((w @ v).transpose(1, 2).reshape(B, -1, d)), w


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


@wrong(
    "MultiHeadAttention",
    "query-weight-reused",
    note="W_k is the very same layer object as W_q (chained assignment), so keys and queries share weights.",
)
class C15(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        q, k, v = [
            l(x).view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (query, key, value))
        ]
        s = q @ k.mT / (d // self.num_heads) ** 0.5
        if allowed is not None:
            s = s.masked_fill(~allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        return self.W_o((w @ v).transpose(1, 2).reshape(B, -1, d)), w


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


@wrong("MultiHeadAttention", "bias-missing", note="Linear layers with bias=False, as in unit 02.")
class C7(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        q, k, v = [
            l(x).view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (query, key, value))
        ]
        s = q @ k.mT / (d // self.num_heads) ** 0.5
        if allowed is not None:
            s = s.masked_fill(~allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        return self.W_o((w @ v).transpose(1, 2).reshape(B, -1, d)), w


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


@wrong(
    "MultiHeadAttention",
    "weight-transposed",
    note="Uses query @ layer.weight + bias by hand, without the transpose that nn.Linear does.",
)
class C13(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        apply = lambda layer, x: x @ layer.weight + layer.bias
        q, k, v = [
            apply(l, x).view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (query, key, value))
        ]
        s = q @ k.mT / (d // self.num_heads) ** 0.5
        if allowed is not None:
            s = s.masked_fill(~allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        return apply(self.W_o, (w @ v).transpose(1, 2).reshape(B, -1, d)), w


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


@wrong("MultiHeadAttention", "wrong-attribute-names", note="nn.MultiheadAttention inside")
class MultiHeadWrapsTorch(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.attention = nn.MultiheadAttention(d_model, num_heads, batch_first=True)

    def forward(self, query, key, value, allowed=None):
        return self.attention(query, key, value, average_attn_weights=False)


@wrong(
    "MultiHeadAttention",
    "wrong-attribute-names",
    note="Calls the layers q_proj, k_proj, v_proj, out_proj, as PyTorch and Hugging Face do.",
)
class C9(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        q, k, v = [
            l(x).view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
            for l, x in zip((self.q_proj, self.k_proj, self.v_proj), (query, key, value))
        ]
        s = q @ k.mT / (d // self.num_heads) ** 0.5
        if allowed is not None:
            s = s.masked_fill(~allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        return self.out_proj((w @ v).transpose(1, 2).reshape(B, -1, d)), w


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


@wrong(
    "MultiHeadAttention",
    "no-super-init",
    note="Forgets super().__init__(), so assigning a layer raises AttributeError.",
)
class C19(nn.Module):
    def __init__(self, d_model, num_heads):
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        return self.W_o(query), None


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


@wrong(
    "MultiHeadAttention",
    "heads-share-weights",
    note="Per-head layers of width d_head applied to slices: every head uses the same top-left block of W.",
)
class C12(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.h, self.dh = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        one = lambda layer, x: nn.functional.linear(x, layer.weight[: self.dh], layer.bias[: self.dh])
        q, k, v = one(self.W_q, query), one(self.W_k, key), one(self.W_v, value)
        s = (q @ k.mT / self.dh**0.5)[:, None].repeat(1, self.h, 1, 1)
        if allowed is not None:
            s = s.masked_fill(~allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        z = (w @ v[:, None]).transpose(1, 2).flatten(2)
        return self.W_o(z), w


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


@wrong(
    "MultiHeadAttention",
    "blocked-row-nan-gradient",
    note="Adds an -inf bias and repairs NaN afterwards: values are right, gradients are NaN after a blocked row.",
)
class C11(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        q, k, v = [
            l(x).view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (query, key, value))
        ]
        s = q @ k.mT / (d // self.num_heads) ** 0.5
        if allowed is not None:
            bias = torch.zeros(allowed.shape, dtype=s.dtype).masked_fill(~allowed, float("-inf"))
            s = s + bias
        w = s.softmax(-1)
        w = torch.where(torch.isnan(w), torch.zeros_like(w), w)
        return self.W_o((w @ v).transpose(1, 2).reshape(B, -1, d)), w


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


@wrong(
    "MultiHeadAttention",
    "weights-averaged-over-heads",
    note="Returns attention weights averaged over heads, (B, n_q, n_k).",
)
class C17(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        q, k, v = [
            l(x).view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (query, key, value))
        ]
        s = torch.einsum("bhqd,bhkd->bhqk", q, k) / (d // self.num_heads) ** 0.5
        if allowed is not None:
            s = s.masked_fill(~allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        z = torch.einsum("bhqk,bhkd->bqhd", w, v).reshape(B, -1, d)
        return self.W_o(z), w.sum(1) / self.num_heads


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


@wrong(
    "MultiHeadAttention", "dropout-left-on", note="Adds nn.Dropout(0.1) to the weights, on in training mode."
)
class C10(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)
        self.drop = nn.Dropout(0.1)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        q, k, v = [
            l(x).view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (query, key, value))
        ]
        s = q @ k.mT / (d // self.num_heads) ** 0.5
        if allowed is not None:
            s = s.masked_fill(~allowed, -torch.inf)
        w = self.drop(s.softmax(-1).nan_to_num())
        return self.W_o((w @ v).transpose(1, 2).reshape(B, -1, d)), w


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


@wrong(
    "MultiHeadAttention",
    "gradient-cut",
    note="Detaches the weights before mixing, so W_q and W_k never learn.",
)
class C5(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        q, k, v = [
            l(x).view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (query, key, value))
        ]
        s = q @ k.mT / (d // self.num_heads) ** 0.5
        if allowed is not None:
            s = s.masked_fill(~allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num().detach()
        return self.W_o((w @ v).transpose(1, 2).reshape(B, -1, d)), w


@wrong(
    "MultiHeadAttention",
    "gradient-cut",
    note="Rebuilds V with torch.tensor(v.tolist()): the value projection gets no gradient.",
)
class C6(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        heads = lambda t: t.view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
        q, k = heads(self.W_q(query)), heads(self.W_k(key))
        v = heads(torch.tensor(self.W_v(value).tolist(), dtype=q.dtype))
        s = q @ k.mT / (d // self.num_heads) ** 0.5
        if allowed is not None:
            s = s.masked_fill(~allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        return self.W_o((w @ v).transpose(1, 2).reshape(B, -1, d)), w


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


@wrong(
    "MultiHeadAttention",
    "square-only",
    note="Reshapes keys and values with the query's length, so cross-attention with n_q != n_k fails.",
)
class C4(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, query, key, value, allowed=None):
        B, n, d = query.shape
        shape = (B, n, self.num_heads, self.d_head)
        q = self.W_q(query).view(shape).transpose(1, 2)
        k = self.W_k(key).view(shape).transpose(1, 2)
        v = self.W_v(value).view(shape).transpose(1, 2)
        s = q @ k.mT / self.d_head**0.5
        if allowed is not None:
            s = s.masked_fill(~allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        return self.W_o((w @ v).transpose(1, 2).reshape(B, n, d)), w


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


@wrong(
    "MultiHeadAttention",
    "state-between-calls",
    note="Remembers the last mask in self.mask and applies it to later calls without a mask.",
)
class C29(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.mask = None
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        if allowed is not None:
            self.mask = allowed
        B, d = query.size(0), query.size(-1)
        q, k, v = [
            l(x).view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (query, key, value))
        ]
        s = q @ k.mT / (d // self.num_heads) ** 0.5
        if self.mask is not None:
            s = s.masked_fill(~self.mask, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        return self.W_o((w @ v).transpose(1, 2).reshape(B, -1, d)), w


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


@wrong(
    "MultiHeadAttention",
    "batch-axis-for-tokens",
    note="Thinks of (n, B, d) as nn.MultiheadAttention's default: attends over the batch axis instead of over tokens.",
)
class C21(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        n, B, d = query.shape
        q, k, v = [
            l(x).view(x.shape[0], x.shape[1], self.num_heads, d // self.num_heads).permute(1, 2, 0, 3)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (query, key, value))
        ]
        s = q @ k.mT / (d // self.num_heads) ** 0.5
        if allowed is not None:
            s = s.masked_fill(~allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        return self.W_o((w @ v).permute(2, 0, 1, 3).reshape(n, B, d)), w


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


@wrong(
    "MultiHeadAttention",
    "attributes-not-used",
    note="Declares the four layers but forward runs a private nn.MultiheadAttention with its own weights.",
)
class C8(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)
        self.num_heads = num_heads
        self.mha = nn.MultiheadAttention(d_model, num_heads, batch_first=True)

    def forward(self, query, key, value, allowed=None):
        mask = None
        if allowed is not None:
            shape = (query.shape[0], self.num_heads, query.shape[1], key.shape[1])
            mask = ~allowed.expand(shape).reshape(-1, *shape[2:])
        return self.mha(query, key, value, attn_mask=mask, average_attn_weights=False)


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


@wrong(
    "MultiHeadAttention",
    "head-lists-not-registered",
    note="Keeps per-head layers in plain Python lists, so they are no parameters of the module.",
)
class C16(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        dh = d_model // num_heads
        self.W_q = [nn.Linear(d_model, dh) for _ in range(num_heads)]
        self.W_k = [nn.Linear(d_model, dh) for _ in range(num_heads)]
        self.W_v = [nn.Linear(d_model, dh) for _ in range(num_heads)]
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        ws, zs = [], []
        for f, g, h in zip(self.W_q, self.W_k, self.W_v):
            q, k, v = f(query), g(key), h(value)
            s = q @ k.mT / q.shape[-1] ** 0.5
            if allowed is not None:
                s = s.masked_fill(~allowed, -torch.inf)
            w = s.softmax(-1).nan_to_num()
            ws.append(w)
            zs.append(w @ v)
        return self.W_o(torch.cat(zs, -1)), torch.stack(ws, 1)


@wrong(
    "MultiHeadAttention",
    "shape-flattened",
    note="squeeze() 'to tidy up' drops the batch or token axis when it has length 1.",
)
class C14(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        q, k, v = [
            l(x).view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (query, key, value))
        ]
        s = q @ k.mT / (d // self.num_heads) ** 0.5
        if allowed is not None:
            s = s.masked_fill(~allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        out = self.W_o((w @ v).transpose(1, 2).reshape(B, -1, d))
        return out.squeeze(), w


@wrong(
    "MultiHeadAttention", "extra-nonlinearity", note="Puts a ReLU after each input projection, as in an MLP."
)
class C20(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        q, k, v = [
            torch.relu(l(x)).view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (query, key, value))
        ]
        s = q @ k.mT / (d // self.num_heads) ** 0.5
        if allowed is not None:
            s = s.masked_fill(~allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        return self.W_o((w @ v).transpose(1, 2).reshape(B, -1, d)), w


@wrong(
    "MultiHeadAttention",
    "mask-inverted+scaled-by-sqrt-d_model",
    note="Fills where allowed is True, and scales by sqrt(d_model).",
)
class C23(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        q, k, v = [
            l(x).view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (query, key, value))
        ]
        s = q @ k.mT / d**0.5
        if allowed is not None:
            s = s.masked_fill(allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        return self.W_o((w @ v).transpose(1, 2).reshape(B, -1, d)), w


@wrong(
    "MultiHeadAttention",
    "heads-split-by-reshape+no-scaling",
    note="view(B, h, -1, d_head) for the split, and no scaling at all.",
)
class C24(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        q, k, v = [
            l(x).view(B, self.num_heads, -1, d // self.num_heads)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (query, key, value))
        ]
        s = q @ k.mT
        if allowed is not None:
            s = s.masked_fill(~allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        return self.W_o((w @ v).transpose(1, 2).reshape(B, -1, d)), w


@wrong(
    "MultiHeadAttention",
    "gradient-cut+blocked-row-uniform",
    note="Scores computed under torch.no_grad, and -1e9 leaves blocked rows uniform.",
)
class C25(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        q, k, v = [
            l(x).view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (query, key, value))
        ]
        with torch.no_grad():
            s = q @ k.mT / (d // self.num_heads) ** 0.5
            if allowed is not None:
                s = s.masked_fill(~allowed, -1e9)
            w = s.softmax(-1)
        return self.W_o((w @ v).transpose(1, 2).reshape(B, -1, d)), w


@wrong(
    "MultiHeadAttention",
    "key-weight-reused+heads-merged-without-transpose",
    note="V goes through W_k (copy-paste), and the heads are merged by reshape alone.",
)
class C26(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        dh = d // self.num_heads
        q = self.W_q(query).view(B, -1, self.num_heads, dh).transpose(1, 2)
        k = self.W_k(key).view(B, -1, self.num_heads, dh).transpose(1, 2)
        v = self.W_k(value).view(B, -1, self.num_heads, dh).transpose(1, 2)
        s = q @ k.mT / dh**0.5
        if allowed is not None:
            s = s.masked_fill(~allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        return self.W_o((w @ v).reshape(B, -1, d)), w


@wrong(
    "MultiHeadAttention",
    "array-truth-value+extra-residual",
    note="`if allowed:` raises for a mask tensor, and the query is added to the output.",
)
class C27(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        q, k, v = [
            l(x).view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (query, key, value))
        ]
        s = q @ k.mT / (d // self.num_heads) ** 0.5
        if allowed:
            s = s.masked_fill(~allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        return query + self.W_o((w @ v).transpose(1, 2).reshape(B, -1, d)), w


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


@wrong("MultiHeadAttention", "extra-residual")
class ResidualThenNorm(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.norm = nn.LayerNorm(d_model)
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        Q = self.W_q(query).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
        K = self.W_k(key).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
        V = self.W_v(value).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
        scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -1e30)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights * allowed
        output = (weights @ V).transpose(1, 2).flatten(2)
        return self.norm(query + self.W_o(output)), weights


@wrong("MultiHeadAttention", "extra-residual")
class ResidualThenRelu(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        Q = self.W_q(query).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
        K = self.W_k(key).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
        V = self.W_v(value).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
        scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -1e30)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights * allowed
        output = (weights @ V).transpose(1, 2).flatten(2)
        return torch.relu(query + self.W_o(output)), weights


@wrong("MultiHeadAttention", "heads-split-by-reshape")
class ValuesCutByReshape(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        Q = self.W_q(query).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
        K = self.W_k(key).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
        V = self.W_v(value).reshape(value.shape[0], self.num_heads, value.shape[1], -1)
        scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -1e30)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights * allowed
        output = (weights @ V).transpose(1, 2).flatten(2)
        return self.W_o(output), weights


@wrong("MultiHeadAttention", "heads-split-by-reshape")
class QueriesCutByReshape(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        Q = self.W_q(query).reshape(query.shape[0], self.num_heads, query.shape[1], -1)
        K = self.W_k(key).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
        V = self.W_v(value).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
        scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -1e30)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights * allowed
        output = (weights @ V).transpose(1, 2).flatten(2)
        return self.W_o(output), weights


@wrong("MultiHeadAttention", "float-as-size")
class HeadWidthIsAFloat(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        Q = self.W_q(query).unflatten(-1, (self.num_heads, query.shape[-1] / self.num_heads)).transpose(1, 2)
        K = self.W_k(key).unflatten(-1, (self.num_heads, query.shape[-1] / self.num_heads)).transpose(1, 2)
        V = self.W_v(value).unflatten(-1, (self.num_heads, query.shape[-1] / self.num_heads)).transpose(1, 2)
        scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -1e30)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights * allowed
        output = (weights @ V).transpose(1, 2).flatten(2)
        return self.W_o(output), weights


@wrong("MultiHeadAttention", "heads-merged-without-transpose+mask-multiplied+no-output-projection")
class ThreeStepsWrong(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, n_q, d_model = query.shape
        n_k = key.shape[1]
        d_head = d_model // self.num_heads
        Q = self.W_q(query).reshape(B, n_q, self.num_heads, d_head).transpose(1, 2)
        K = self.W_k(key).reshape(B, n_k, self.num_heads, d_head).transpose(1, 2)
        V = self.W_v(value).reshape(B, n_k, self.num_heads, d_head).transpose(1, 2)
        scores = Q @ K.transpose(-2, -1) / d_head**0.5
        if allowed is not None:
            scores = scores * allowed
        weights = torch.softmax(scores, dim=-1)
        output = (weights @ V).reshape(B, n_q, d_model)
        return output, weights


@wrong("MultiHeadAttention", "mask-inverted", note="adds allowed * -1e9")
class AllowedLowered(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model) for _ in range(4))

    def split(self, x):
        return x.unflatten(-1, (self.num_heads, self.d_head)).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.split(self.W_q(query)), self.split(self.W_k(key)), self.split(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / self.d_head**0.5
        if allowed is not None:
            scores = scores + allowed * -1e9
        weights = torch.softmax(scores, dim=-1)
        return self.W_o((weights @ V).transpose(1, 2).flatten(2)), weights


@wrong("MultiHeadAttention", "query-used-for-all+mask-inverted+heads-out-of-order")
class QueryForAllMaskInvertedHeadsReversed(AllowedLowered):
    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.split(self.W_q(query)), self.split(self.W_k(query)), self.split(self.W_v(query))
        scores = Q @ K.transpose(-2, -1) / self.d_head**0.5
        if allowed is not None:
            scores = scores.masked_fill(allowed, -1e9)
        weights = torch.softmax(scores, dim=-1)
        return self.W_o((weights @ V).flip(1).transpose(1, 2).flatten(2)), weights


@wrong("MultiHeadAttention", "extra-output", note="stops after the projections")
class ProjectionsOnly(AllowedLowered):
    def forward(self, query, key, value, allowed=None):
        return self.W_q(query), self.W_k(key), self.W_v(value)


@wrong("MultiHeadAttention", "no-max-subtraction", note="the mask multiplies the exponentials")
class MHAOverflowingPowersTimesMask(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        q = self.W_q(query).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
        k = self.W_k(key).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
        v = self.W_v(value).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
        powers = torch.exp(q @ k.mT / math.sqrt(q.size(-1)))
        if allowed is not None:
            powers = powers * allowed
        total = powers.sum(dim=-1, keepdim=True)
        weights = powers / torch.where(total == 0, torch.ones_like(total), total)
        return self.W_o((weights @ v).transpose(1, 2).flatten(2)), weights


@wrong(
    "MultiHeadAttention",
    "heads-split-by-reshape+heads-merged-without-transpose+scaled-by-sqrt-d_model",
    note="and -1e9 for hidden keys",
)
class MHAPlainReshapesAndWidthOfTheModel(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.d_model, self.num_heads = d_model, num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, d_head = query.shape[0], self.d_model // self.num_heads
        q = self.W_q(query).reshape(B, self.num_heads, -1, d_head)
        k = self.W_k(key).reshape(B, self.num_heads, -1, d_head)
        v = self.W_v(value).reshape(B, self.num_heads, -1, d_head)
        scores = q @ k.transpose(-2, -1) / self.d_model**0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -1e9)
        weights = torch.softmax(scores, dim=-1)
        return self.W_o((weights @ v).reshape(B, -1, self.d_model)), weights


@wrong("MultiHeadAttention", "mask-inverted", note="and what is hidden is set to 0 after the softmax")
class AllowedHiddenAndTheRestSetToZero(AllowedLowered):
    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.split(self.W_q(query)), self.split(self.W_k(key)), self.split(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / self.d_head**0.5
        if allowed is not None:
            scores = scores.masked_fill(allowed, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed, 0.0)
        return self.W_o((weights @ V).transpose(1, 2).flatten(2)), weights


@wrong("MultiHeadAttention", "mask-inverted", note="the same with -1e9")
class AllowedLoweredAndTheRestSetToZero(AllowedLowered):
    def forward(self, query, key, value, allowed=None):
        Q, K, V = self.split(self.W_q(query)), self.split(self.W_k(key)), self.split(self.W_v(value))
        scores = Q @ K.transpose(-2, -1) / self.d_head**0.5
        weights = torch.softmax(scores if allowed is None else scores.masked_fill(allowed, -1e9), dim=-1)
        weights = weights if allowed is None else weights * allowed
        return self.W_o((weights @ V).transpose(1, 2).flatten(2)), weights


class _Scaled(nn.Linear):
    """A layer of one's own that is an `nn.Linear`."""

    def __init__(self, d_in, d_out, factor=1.0):
        super().__init__(d_in, d_out)
        self.factor = factor


@right("MultiHeadAttention", "a subclass of nn.Linear, and attributes besides: a layer, a buffer, a list")
class WithMoreAttributes(reference.MultiHeadAttention):
    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads)
        self.W_q, self.W_k, self.W_v, self.W_o = (_Scaled(d_model, d_model) for _ in range(4))
        self.extra = nn.Linear(3, 4)
        self.register_buffer("mask", torch.ones(3))
        self.kept = []


@right("MultiHeadAttention", "weights under a weight norm")
class UnderAWeightNorm(reference.MultiHeadAttention):
    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads)
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, nn.utils.parametrizations.weight_norm(nn.Linear(d_model, d_model)))


@right("MultiHeadAttention", "lazy layers that know their width")
class LazyThatKnow(reference.MultiHeadAttention):
    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads)
        for name in ("W_q", "W_k", "W_v", "W_o"):
            layer = nn.LazyLinear(d_model)
            layer(torch.zeros(1, d_model))
            setattr(self, name, layer)
