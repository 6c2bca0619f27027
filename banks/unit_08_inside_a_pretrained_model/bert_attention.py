"""Right and wrong answers to `bert_attention`, as learners write them."""

import math

import numpy as np
import torch
import torch.nn.functional as F

from banks.registry import right, wrong
from helpers import reference

# Right answers, each in its own style


@right("bert_attention", "view and transpose, two masked_fill")
def plain(x, weights, num_heads, allowed):
    B, n, d_model = x.shape
    d_head = d_model // num_heads

    def heads(name):
        made = x @ weights["W_" + name] + weights["b_" + name]
        return made.view(B, n, num_heads, d_head).transpose(1, 2)

    Q, K, V = heads("q"), heads("k"), heads("v")
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_head)
    scores = scores.masked_fill(~allowed, -torch.inf)
    w = torch.softmax(scores, dim=-1).masked_fill(~allowed, 0.0)
    merged = (w @ V).transpose(1, 2).reshape(B, n, d_model)
    return merged @ weights["W_o"] + weights["b_o"], w


@right("bert_attention", "a loop over heads, the sum of their outputs")
def by_head(x, weights, num_heads, allowed):
    B, n, d_model = x.shape
    wide = d_model // num_heads
    may = allowed.expand(B, num_heads, n, n)
    output, maps = weights["b_o"].expand(B, n, d_model), []
    for i in range(num_heads):
        own = slice(i * wide, (i + 1) * wide)
        q, k, v = (x @ weights[f"W_{p}"][:, own] + weights[f"b_{p}"][own] for p in "qkv")
        s = torch.where(may[:, i], q @ k.mT / wide**0.5, torch.tensor(-1e30, dtype=x.dtype))
        e = torch.exp(s - s.max(-1, keepdim=True).values) * may[:, i]
        total = e.sum(-1, keepdim=True)
        w = e / torch.where(total == 0, torch.ones_like(total), total)
        maps.append(w)
        output = output + w @ v @ weights["W_o"][own]
    return output, torch.stack(maps, 1)


@right("bert_attention", "F.linear with the weights turned, SDPA for the output")
def sdpa(x, weights, num_heads, allowed):
    Q, K, V = (
        F.linear(x, weights[f"W_{p}"].T, weights[f"b_{p}"]).unflatten(-1, (num_heads, -1)).transpose(1, 2)
        for p in "qkv"
    )
    may = allowed.broadcast_to(*Q.shape[:3], Q.shape[2])
    heads = F.scaled_dot_product_attention(Q, K, V, attn_mask=may)
    scores = (Q @ K.mT * Q.shape[-1] ** -0.5).masked_fill(~may, float("-inf"))
    return F.linear(heads.transpose(1, 2).flatten(2), weights["W_o"].T, weights["b_o"]), scores.softmax(
        -1
    ).nan_to_num(0)


@right("bert_attention", "einsum, weights cut per head")
def einsums(x, weights, num_heads, allowed):
    d_model = x.shape[-1]

    def made(p):
        W = weights[f"W_{p}"].reshape(d_model, num_heads, -1)
        b = weights[f"b_{p}"].reshape(num_heads, 1, -1)
        return torch.einsum("bnm,mhd->bhnd", x, W) + b

    q, k, v = made("q"), made("k"), made("v")
    s = torch.einsum("bhqd,bhkd->bhqk", q, k) / np.sqrt(q.shape[-1])
    s = s + torch.zeros_like(s).masked_fill(~allowed, -torch.inf)
    w = torch.nan_to_num(torch.softmax(s, -1))
    W_o = weights["W_o"].reshape(num_heads, -1, d_model)
    return torch.einsum("bhqk,bhkd,hdm->bqm", w, v, W_o) + weights["b_o"], w


@right("bert_attention", "the module of unit 06, with these weights")
def as_module(x, weights, num_heads, allowed):
    layer = reference.MultiHeadAttention(x.shape[-1], num_heads).to(x.dtype)
    with torch.no_grad():
        for p in "qkvo":
            getattr(layer, f"W_{p}").weight.copy_(weights[f"W_{p}"].T)
            getattr(layer, f"W_{p}").bias.copy_(weights[f"b_{p}"])
    return layer(x, x, x, allowed)


@right("bert_attention", "without b_k, which moves all scores of a row alike")
def without_key_bias(x, weights, num_heads, allowed):
    B, n, d = x.shape
    q = (x @ weights["W_q"] + weights["b_q"]).reshape(B, n, num_heads, -1).permute(0, 2, 1, 3)
    k = (x @ weights["W_k"]).reshape(B, n, num_heads, -1).permute(0, 2, 3, 1)
    v = (x @ weights["W_v"] + weights["b_v"]).reshape(B, n, num_heads, -1).permute(0, 2, 1, 3)
    s = torch.matmul(q, k) / math.sqrt(q.size(-1))
    s = torch.where(allowed, s, torch.full_like(s, torch.finfo(s.dtype).min))
    w = torch.softmax(s, dim=-1) * allowed
    return torch.matmul(torch.cat(list((w @ v).unbind(1)), -1), weights["W_o"]) + weights["b_o"], w


# Wrong answers, those with one mistake together


def _split(y, h):
    return y.reshape(*y.shape[:2], h, -1).transpose(1, 2)


def _made(x, weights, h):
    return [_split(x @ weights[f"W_{p}"] + weights[f"b_{p}"], h) for p in "qkv"]


def _weigh(scores, allowed):
    return torch.softmax(scores.masked_fill(~allowed, -torch.inf), -1).masked_fill(~allowed, 0.0)


def _done(w, V, weights):
    return (w @ V).transpose(1, 2).flatten(2) @ weights["W_o"] + weights["b_o"]


@wrong("bert_attention", "no-scaling")
def not_scaled(x, weights, num_heads, allowed):
    Q, K, V = _made(x, weights, num_heads)
    w = _weigh(Q @ K.mT, allowed)
    return _done(w, V, weights), w


@wrong("bert_attention", "scaled-by-sqrt-d_model")
def scaled_by_all(x, weights, num_heads, allowed):
    Q, K, V = _made(x, weights, num_heads)
    w = _weigh(Q @ K.mT / math.sqrt(x.shape[-1]), allowed)
    return _done(w, V, weights), w


@wrong("bert_attention", "scaled-by-d_k")
def scaled_by_width(x, weights, num_heads, allowed):
    Q, K, V = _made(x, weights, num_heads)
    w = _weigh(Q @ K.mT / Q.shape[-1], allowed)
    return _done(w, V, weights), w


@wrong("bert_attention", "scaled-by-sqrt-n")
def scaled_by_length(x, weights, num_heads, allowed):
    Q, K, V = _made(x, weights, num_heads)
    w = _weigh(Q @ K.mT / x.shape[1] ** 0.5, allowed)
    return _done(w, V, weights), w


@wrong("bert_attention", "fixed-number-of-heads", "the model's own width of a head")
def scaled_by_32(x, weights, num_heads, allowed):
    Q, K, V = _made(x, weights, num_heads)
    w = _weigh(Q @ K.mT / math.sqrt(32), allowed)
    return _done(w, V, weights), w


@wrong("bert_attention", "fixed-number-of-heads", "12 heads, as the model has")
def twelve(x, weights, num_heads, allowed):
    B, n, d = x.shape
    Q, K, V = [
        (x @ weights[f"W_{p}"] + weights[f"b_{p}"]).view(B, n, 12, d // 12).transpose(1, 2) for p in "qkv"
    ]
    w = _weigh(Q @ K.mT / Q.shape[-1] ** 0.5, allowed)
    return _done(w, V, weights), w


@wrong("bert_attention", "weight-transposed", "F.linear on weights that are (in, out)")
def linear(x, weights, num_heads, allowed):
    Q, K, V = [_split(F.linear(x, weights[f"W_{p}"], weights[f"b_{p}"]), num_heads) for p in "qkv"]
    w = _weigh(Q @ K.mT / Q.shape[-1] ** 0.5, allowed)
    return F.linear((w @ V).transpose(1, 2).flatten(2), weights["W_o"], weights["b_o"]), w


@wrong("bert_attention", "weight-transposed", "W_q, W_k and W_v")
def three_turned(x, weights, num_heads, allowed):
    Q, K, V = [_split(x @ weights[f"W_{p}"].T + weights[f"b_{p}"], num_heads) for p in "qkv"]
    w = _weigh(Q @ K.mT / Q.shape[-1] ** 0.5, allowed)
    return _done(w, V, weights), w


@wrong("bert_attention", "weight-transposed", "W_o")
def o_turned(x, weights, num_heads, allowed):
    Q, K, V = _made(x, weights, num_heads)
    w = _weigh(Q @ K.mT / Q.shape[-1] ** 0.5, allowed)
    return (w @ V).transpose(1, 2).flatten(2) @ weights["W_o"].T + weights["b_o"], w


@wrong("bert_attention", "bias-missing", "all of them")
def no_bias(x, weights, num_heads, allowed):
    Q, K, V = [_split(x @ weights[f"W_{p}"], num_heads) for p in "qkv"]
    w = _weigh(Q @ K.mT / Q.shape[-1] ** 0.5, allowed)
    return (w @ V).transpose(1, 2).flatten(2) @ weights["W_o"], w


@wrong("bert_attention", "bias-missing", "b_o")
def no_output_bias(x, weights, num_heads, allowed):
    Q, K, V = _made(x, weights, num_heads)
    w = _weigh(Q @ K.mT / Q.shape[-1] ** 0.5, allowed)
    return (w @ V).transpose(1, 2).flatten(2) @ weights["W_o"], w


@wrong("bert_attention", "bias-missing", "of queries, keys and values")
def output_bias_only(x, weights, num_heads, allowed):
    Q, K, V = [_split(x @ weights[f"W_{p}"], num_heads) for p in "qkv"]
    w = _weigh(Q @ K.mT / Q.shape[-1] ** 0.5, allowed)
    return _done(w, V, weights), w


@wrong("bert_attention", "bias-of-another-part", "b_q three times")
def one_bias(x, weights, num_heads, allowed):
    Q, K, V = [_split(x @ weights[f"W_{p}"] + weights["b_q"], num_heads) for p in "qkv"]
    w = _weigh(Q @ K.mT / Q.shape[-1] ** 0.5, allowed)
    return _done(w, V, weights), w


@wrong("bert_attention", "key-weight-reused")
def values_by_key(x, weights, num_heads, allowed):
    Q, K, _ = _made(x, weights, num_heads)
    w = _weigh(Q @ K.mT / Q.shape[-1] ** 0.5, allowed)
    return _done(w, K, weights), w


@wrong("bert_attention", "query-weight-reused")
def keys_by_query(x, weights, num_heads, allowed):
    Q, _, V = _made(x, weights, num_heads)
    w = _weigh(Q @ Q.mT / Q.shape[-1] ** 0.5, allowed)
    return _done(w, V, weights), w


@wrong("bert_attention", "query-and-key-swapped")
def turned_scores(x, weights, num_heads, allowed):
    Q, K, V = _made(x, weights, num_heads)
    w = _weigh(K @ Q.mT / Q.shape[-1] ** 0.5, allowed)
    return _done(w, V, weights), w


@wrong("bert_attention", "heads-split-by-reshape")
def reshaped(x, weights, num_heads, allowed):
    B, n, d = x.shape
    Q, K, V = [(x @ weights[f"W_{p}"] + weights[f"b_{p}"]).reshape(B, num_heads, n, -1) for p in "qkv"]
    w = _weigh(Q @ K.mT / Q.shape[-1] ** 0.5, allowed)
    return _done(w, V, weights), w


@wrong("bert_attention", "heads-ignored")
def one_head(x, weights, num_heads, allowed):
    Q, K, V = _made(x, weights, 1)
    w = _weigh(Q @ K.mT / Q.shape[-1] ** 0.5, allowed)
    return _done(w, V, weights), w


@wrong("bert_attention", "heads-merged-without-transpose")
def merged_wrongly(x, weights, num_heads, allowed):
    Q, K, V = _made(x, weights, num_heads)
    w = _weigh(Q @ K.mT / Q.shape[-1] ** 0.5, allowed)
    return (w @ V).reshape(x.shape) @ weights["W_o"] + weights["b_o"], w


@wrong("bert_attention", "view-after-transpose")
def viewed(x, weights, num_heads, allowed):
    Q, K, V = _made(x, weights, num_heads)
    w = _weigh(Q @ K.mT / Q.shape[-1] ** 0.5, allowed)
    return (w @ V).transpose(1, 2).view(x.shape) @ weights["W_o"] + weights["b_o"], w


@wrong("bert_attention", "no-output-projection")
def no_output(x, weights, num_heads, allowed):
    Q, K, V = _made(x, weights, num_heads)
    w = _weigh(Q @ K.mT / Q.shape[-1] ** 0.5, allowed)
    return (w @ V).transpose(1, 2).flatten(2), w


@wrong("bert_attention", "extra-residual")
def residual(x, weights, num_heads, allowed):
    Q, K, V = _made(x, weights, num_heads)
    w = _weigh(Q @ K.mT / Q.shape[-1] ** 0.5, allowed)
    return x + _done(w, V, weights), w


@wrong("bert_attention", "extra-residual", "and LayerNorm")
def residual_and_norm(x, weights, num_heads, allowed):
    Q, K, V = _made(x, weights, num_heads)
    w = _weigh(Q @ K.mT / Q.shape[-1] ** 0.5, allowed)
    return F.layer_norm(x + _done(w, V, weights), x.shape[-1:]), w


@wrong("bert_attention", "mask-ignored")
def unmasked(x, weights, num_heads, allowed):
    Q, K, V = _made(x, weights, num_heads)
    w = torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, -1)
    return _done(w, V, weights), w


@wrong("bert_attention", "mask-inverted")
def inverted(x, weights, num_heads, allowed):
    Q, K, V = _made(x, weights, num_heads)
    w = _weigh(Q @ K.mT / Q.shape[-1] ** 0.5, ~allowed)
    return _done(w, V, weights), w


@wrong("bert_attention", "mask-after-softmax")
def masked_late(x, weights, num_heads, allowed):
    Q, K, V = _made(x, weights, num_heads)
    w = torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, -1) * allowed
    return _done(w, V, weights), w


@wrong("bert_attention", "mask-multiplied")
def multiplied(x, weights, num_heads, allowed):
    Q, K, V = _made(x, weights, num_heads)
    w = torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5 * allowed, -1)
    return _done(w, V, weights), w


@wrong("bert_attention", "mask-added", "BERT's own code adds a mask, of 0 and -10000")
def added(x, weights, num_heads, allowed):
    Q, K, V = _made(x, weights, num_heads)
    w = torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5 + allowed, -1)
    return _done(w, V, weights), w


@wrong("bert_attention", "blocked-row-nan")
def nan_rows(x, weights, num_heads, allowed):
    Q, K, V = _made(x, weights, num_heads)
    w = torch.softmax((Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(~allowed, -torch.inf), -1)
    return _done(w, V, weights), w


@wrong("bert_attention", "blocked-row-uniform")
def large_number(x, weights, num_heads, allowed):
    Q, K, V = _made(x, weights, num_heads)
    w = torch.softmax((Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(~allowed, -1e9), -1)
    return _done(w, V, weights), w


@wrong("bert_attention", "blocked-row-left-open", "the mask of BERT's own code")
def added_ten_thousand(x, weights, num_heads, allowed):
    Q, K, V = _made(x, weights, num_heads)
    w = torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5 + (~allowed) * -1e9, -1)
    return _done(w, V, weights), w


@wrong("bert_attention", "no-head-axis")
def squeezed(x, weights, num_heads, allowed):
    Q, K, V = _made(x, weights, num_heads)
    w = _weigh(Q @ K.mT / Q.shape[-1] ** 0.5, allowed.squeeze())
    return _done(w, V, weights), w


@wrong("bert_attention", "softmax-over-queries")
def down_the_columns(x, weights, num_heads, allowed):
    Q, K, V = _made(x, weights, num_heads)
    s = (Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(~allowed, -torch.inf)
    w = torch.softmax(s, dim=-2).masked_fill(~allowed, 0.0)
    return _done(w, V, weights), w


@wrong("bert_attention", "weights-averaged-over-heads", "as nn.MultiheadAttention does by itself")
def averaged(x, weights, num_heads, allowed):
    Q, K, V = _made(x, weights, num_heads)
    w = _weigh(Q @ K.mT / Q.shape[-1] ** 0.5, allowed)
    return _done(w, V, weights), w.mean(1)


@wrong("bert_attention", "wrong-order")
def weights_first(x, weights, num_heads, allowed):
    Q, K, V = _made(x, weights, num_heads)
    w = _weigh(Q @ K.mT / Q.shape[-1] ** 0.5, allowed)
    return w, _done(w, V, weights)


@wrong("bert_attention", "one-output-missing")
def output_only(x, weights, num_heads, allowed):
    Q, K, V = _made(x, weights, num_heads)
    return _done(_weigh(Q @ K.mT / Q.shape[-1] ** 0.5, allowed), V, weights)


@wrong("bert_attention", "returns-none")
def nothing(x, weights, num_heads, allowed):
    Q, K, V = _made(x, weights, num_heads)
    w = _weigh(Q @ K.mT / Q.shape[-1] ** 0.5, allowed)
    _done(w, V, weights), w


@wrong("bert_attention", "returns-array")
def arrays(x, weights, num_heads, allowed):
    Q, K, V = _made(x, weights, num_heads)
    w = _weigh(Q @ K.mT / Q.shape[-1] ** 0.5, allowed)
    return _done(w, V, weights).numpy(), w.numpy()


@wrong("bert_attention", "float32")
def narrowed(x, weights, num_heads, allowed):
    Q, K, V = [part.float() for part in _made(x, weights, num_heads)]
    w = _weigh(Q @ K.mT / Q.shape[-1] ** 0.5, allowed)
    return _done(w, V, {k: v.float() for k, v in weights.items()}), w


@wrong("bert_attention", "dropout-left-on", "as during training")
def dropped(x, weights, num_heads, allowed):
    Q, K, V = _made(x, weights, num_heads)
    w = F.dropout(_weigh(Q @ K.mT / Q.shape[-1] ** 0.5, allowed), 0.1)
    return _done(w, V, weights), w


@wrong("bert_attention", "input-changed")
def in_place(x, weights, num_heads, allowed):
    x += 0.0
    Q, K, V = _made(x, weights, num_heads)
    weights["W_q"].mul_(2)
    w = _weigh(Q @ K.mT / Q.shape[-1] ** 0.5, allowed)
    return _done(w, V, weights), w


@wrong("bert_attention", "no-output-projection+bias-missing", "two things at once")
def two_at_once(x, weights, num_heads, allowed):
    Q, K, V = [_split(x @ weights[f"W_{p}"], num_heads) for p in "qkv"]
    w = _weigh(Q @ K.mT / Q.shape[-1] ** 0.5, allowed)
    return (w @ V).transpose(1, 2).flatten(2), w


@wrong("bert_attention", "no-scaling+bias-missing")
def not_scaled_no_bias(x, weights, num_heads, allowed):
    Q, K, V = [_split(x @ weights[f"W_{p}"], num_heads) for p in "qkv"]
    w = _weigh(Q @ K.mT, allowed)
    return (w @ V).transpose(1, 2).flatten(2) @ weights["W_o"], w


@wrong("bert_attention", "input-changed", "a weight is turned in place and used turned back")
def weight_turned_in_place(x, weights, num_heads, allowed):
    weights["W_o"].t_()
    return reference.bert_attention(x, {**weights, "W_o": weights["W_o"].T}, num_heads, allowed)


@wrong("bert_attention", "input-changed", "the mask gets an axis in place")
def mask_unsqueezed_in_place(x, weights, num_heads, allowed):
    return reference.bert_attention(x, weights, num_heads, allowed.unsqueeze_(0)[0])


@wrong("bert_attention", "own-value-only")
def values_at_the_queries_place(x, weights, num_heads, allowed):
    B, n, d = x.shape
    q, k, v = ((x @ weights["W_" + one] + weights["b_" + one]).view(B, n, num_heads, -1) for one in "qkv")
    scores = torch.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(d // num_heads)
    shares = scores.masked_fill(~allowed, -torch.inf).softmax(-1).masked_fill(~allowed, 0.0)
    mixed = torch.einsum("bhqk,bqhd->bqhd", shares, v).reshape(B, n, d)
    return mixed @ weights["W_o"] + weights["b_o"], shares


@wrong("bert_attention", "bias-missing+no-scaling")
def neither_biases_nor_scaling(x, weights, num_heads, allowed):
    q, k, v = (
        (x @ weights["W_" + one]).unflatten(-1, (num_heads, -1)).transpose(1, 2) for one in ("q", "k", "v")
    )
    shares = torch.softmax((q @ k.mT).masked_fill(~allowed, -torch.inf), dim=-1).masked_fill(~allowed, 0.0)
    return (shares @ v).transpose(1, 2).flatten(2) @ weights["W_o"] + weights["b_o"], shares


@wrong("bert_attention", "mask-inverted", "the scores alone, weights hidden rightly")
def scores_the_other_way(x, weights, num_heads, allowed):
    Q, K, V = _made(x, weights, num_heads)
    scores = (Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(allowed, -torch.inf)
    w = torch.softmax(scores, -1).masked_fill(~allowed, 0.0)
    return _done(w, V, weights), w


@wrong("bert_attention", "mask-inverted", "the scores alone, NaN made 0")
def scores_the_other_way_without_nan(x, weights, num_heads, allowed):
    Q, K, V = _made(x, weights, num_heads)
    scores = (Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(allowed, -torch.inf)
    w = torch.softmax(scores, -1).nan_to_num(0.0)
    return _done(w, V, weights), w


@wrong("bert_attention", "mask-inverted", "the weights alone")
def weights_the_other_way(x, weights, num_heads, allowed):
    Q, K, V = _made(x, weights, num_heads)
    scores = (Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(~allowed, -torch.inf)
    w = torch.softmax(scores, -1).masked_fill(allowed, 0.0)
    return _done(w, V, weights), w


def _softmaxed(x, weights, h, hidden, softmax=None, zero=None, score=None):
    """The right way, for mistakes between scores and weights."""
    Q, K, V = _made(x, weights, h)
    scores = hidden((score or (lambda Q, K: Q @ K.mT))(Q, K) / Q.shape[-1] ** 0.5)
    w = softmax(scores) if softmax else torch.softmax(scores, -1)
    w = w.nan_to_num(0.0) if zero is None else w.masked_fill(~zero, 0.0)
    return _done(w, V, weights), w


@wrong("bert_attention", "mask-taken-for-padding")
def taken_for_padding(x, weights, num_heads, allowed):
    if allowed.dim() == 2:
        allowed = allowed[:, None, None, :]
    elif allowed.dim() == 3:
        allowed = allowed[:, None]
    return _softmaxed(x, weights, num_heads, lambda s: s.masked_fill(~allowed, -torch.inf), zero=allowed)


@wrong("bert_attention", "mask-inverted", "~ of whole numbers")
def not_of_ints(x, weights, num_heads, allowed):
    m = allowed.long()
    return _softmaxed(x, weights, num_heads, lambda s: s.masked_fill((~m).bool(), -torch.inf))


@wrong("bert_attention", "query-weight-reused", "the queries stand twice in the product")
def query_by_query(x, weights, num_heads, allowed):
    return _softmaxed(
        x, weights, num_heads, lambda s: s.masked_fill(~allowed, -torch.inf), score=lambda Q, K: Q @ Q.mT
    )


@wrong("bert_attention", "mask-value-too-small", "-10000 added, and 0 afterwards")
def as_in_old_bert(x, weights, num_heads, allowed):
    return _softmaxed(x, weights, num_heads, lambda s: s + (~allowed) * -10000.0, zero=allowed)


@wrong("bert_attention", "mask-value-too-small", "a million, and 0 afterwards")
def a_million(x, weights, num_heads, allowed):
    return _softmaxed(x, weights, num_heads, lambda s: s.masked_fill(~allowed, -1e6), zero=allowed)


@wrong("bert_attention", "global-max")
def one_maximum(x, weights, num_heads, allowed):
    def softmax(s):
        powers = torch.exp(s - s.max())
        return powers / powers.sum(-1, keepdim=True)

    return _softmaxed(x, weights, num_heads, lambda s: s.masked_fill(~allowed, -torch.inf), softmax, allowed)


@wrong("bert_attention", "no-max-subtraction", "clamped at 80")
def clamped_scores(x, weights, num_heads, allowed):
    return _softmaxed(
        x, weights, num_heads, lambda s: s.clamp(-80, 80).masked_fill(~allowed, -torch.inf), zero=allowed
    )


@wrong("bert_attention", "half-precision")
def in_bfloat16(x, weights, num_heads, allowed):
    return _softmaxed(
        x,
        weights,
        num_heads,
        lambda s: s.masked_fill(~allowed, -torch.inf),
        lambda s: torch.softmax(s.bfloat16(), -1).to(s.dtype),
    )


@wrong("bert_attention", "key-weight-reused", "with a bias of their own")
def values_by_key_weight(x, weights, num_heads, allowed):
    return _softmaxed(
        x, {**weights, "W_v": weights["W_k"]}, num_heads, lambda s: s.masked_fill(~allowed, -torch.inf)
    )


@wrong("bert_attention", "bias-of-another-part", "b_q and b_k changed places")
def biases_swapped(x, weights, num_heads, allowed):
    swapped = {**weights, "b_q": weights["b_k"], "b_k": weights["b_q"]}
    return _softmaxed(x, swapped, num_heads, lambda s: s.masked_fill(~allowed, -torch.inf))


_seen_masks = {}


@wrong("bert_attention", "state-between-calls", "masks kept by their shape")
def kept_mask(x, weights, num_heads, allowed):
    may = _seen_masks.setdefault(allowed.shape, allowed.clone())
    return _softmaxed(x, weights, num_heads, lambda s: s.masked_fill(~may, -torch.inf))
