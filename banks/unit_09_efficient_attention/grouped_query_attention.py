"""Right and wrong answers to `grouped_query_attention`, as learners write them."""

import math

import torch
import torch.nn.functional as F

from banks.registry import right, wrong

NAME = "grouped_query_attention"


def plain(Q, K, V):
    """Attention with as many key heads as query heads."""
    return torch.softmax(Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1]), dim=-1) @ V


# Right answers, each in its own style


@right(NAME, "repeat_interleave")
def repeated(Q, K, V):
    g = Q.shape[1] // K.shape[1]
    K, V = K.repeat_interleave(g, dim=1), V.repeat_interleave(g, dim=1)
    scores = Q @ K.mT / Q.shape[-1] ** 0.5
    return scores.softmax(-1) @ V


@right(NAME, "groups on an axis of their own")
def groups(Q, K, V):
    B, h_q, n, d = Q.shape
    h_kv = K.shape[1]
    scores = torch.einsum("bgrqd,bgkd->bgrqk", Q.reshape(B, h_kv, h_q // h_kv, n, d), K) / d**0.5
    return torch.einsum("bgrqk,bgkd->bgrqd", scores.softmax(dim=-1), V).reshape(B, h_q, n, d)


@right(NAME, "a loop over query heads")
def loop(Q, K, V):
    share = Q.size(1) // K.size(1)
    heads = []
    for i in range(Q.size(1)):
        k, v = K[:, i // share], V[:, i // share]
        weights = torch.softmax(torch.bmm(Q[:, i], k.transpose(1, 2)) / math.sqrt(k.size(-1)), dim=2)
        heads.append(torch.bmm(weights, v))
    return torch.stack(heads, dim=1)


@right(NAME, "expand and flatten, as large models do")
def expanded(Q, K, V):
    B, h_kv, n, d = K.shape
    g = Q.shape[1] // h_kv
    K = K[:, :, None].expand(B, h_kv, g, n, d).reshape(B, h_kv * g, n, d)
    V = V[:, :, None].expand(B, h_kv, g, n, d).reshape(B, h_kv * g, n, d)
    return plain(Q, K, V)


@right(NAME, "index of heads, own softmax")
def indexed(Q, K, V):
    heads = torch.arange(Q.shape[1]) // (Q.shape[1] // K.shape[1])
    scores = (Q / Q.shape[-1] ** 0.5) @ K[:, heads].transpose(2, 3)
    powers = torch.exp(scores - scores.amax(-1, keepdim=True))
    return powers @ V[:, heads] / powers.sum(-1, keepdim=True)


@right(NAME, "SDPA, the whole answer")
def library(Q, K, V):
    return F.scaled_dot_product_attention(Q, K, V, enable_gqa=True)


# Wrong answers, each with the id of its mistake


@wrong(NAME, "heads-interleaved")
def tiled(Q, K, V):
    g = Q.shape[1] // K.shape[1]
    return plain(Q, K.repeat(1, g, 1, 1), V.repeat(1, g, 1, 1))


@wrong(NAME, "heads-interleaved", note="modulo")
def modulo(Q, K, V):
    h = K.shape[1]
    return torch.stack([plain(Q[:, i], K[:, i % h], V[:, i % h]) for i in range(Q.shape[1])], 1)


@wrong(NAME, "heads-interleaved", note="groups the wrong way round")
def groups_reversed(Q, K, V):
    B, h_q, n, d = Q.shape
    Q = Q.reshape(B, -1, K.shape[1], n, d)
    return plain(Q, K[:, None], V[:, None]).reshape(B, h_q, n, d)


@wrong(NAME, "heads-interleaved", note="keys only")
def keys_tiled(Q, K, V):
    g = Q.shape[1] // K.shape[1]
    return plain(Q, K.repeat(1, g, 1, 1), V.repeat_interleave(g, 1))


@wrong(NAME, "first-head-only")
def first(Q, K, V):
    return plain(Q, K[:, :1], V[:, :1])


@wrong(NAME, "last-head-only")
def last(Q, K, V):
    return plain(Q, K[:, -1:], V[:, -1:])


@wrong(NAME, "heads-averaged")
def averaged(Q, K, V):
    return plain(Q, K.mean(1, keepdim=True), V.mean(1, keepdim=True))


@wrong(NAME, "heads-out-of-order")
def reverse(Q, K, V):
    g = Q.shape[1] // K.shape[1]
    return plain(Q, K.flip(1).repeat_interleave(g, 1), V.flip(1).repeat_interleave(g, 1))


@wrong(NAME, "heads-not-shared")
def as_they_are(Q, K, V):
    return plain(Q, K, V)


@wrong(NAME, "query-heads-dropped")
def fewer(Q, K, V):
    return plain(Q[:, : K.shape[1]], K, V)


@wrong(NAME, "queries-averaged")
def group_means(Q, K, V):
    return plain(Q.unflatten(1, (K.shape[1], -1)).mean(2), K, V)


def shared(Q, K, V):
    g = Q.shape[1] // K.shape[1]
    return Q, K.repeat_interleave(g, 1), V.repeat_interleave(g, 1)


@wrong(NAME, "no-scaling")
def unscaled(Q, K, V):
    Q, K, V = shared(Q, K, V)
    return torch.softmax(Q @ K.mT, -1) @ V


@wrong(NAME, "scaled-by-d_k")
def by_d(Q, K, V):
    Q, K, V = shared(Q, K, V)
    return torch.softmax(Q @ K.mT / Q.shape[-1], -1) @ V


@wrong(NAME, "scaled-by-sqrt-n")
def by_n(Q, K, V):
    Q, K, V = shared(Q, K, V)
    return torch.softmax(Q @ K.mT / K.shape[-2] ** 0.5, -1) @ V


@wrong(NAME, "scaled-by-sqrt-heads")
def by_heads(Q, K, V):
    Q, K, V = shared(Q, K, V)
    return torch.softmax(Q @ K.mT / Q.shape[1] ** 0.5, -1) @ V


@wrong(NAME, "scaled-up")
def multiplied(Q, K, V):
    Q, K, V = shared(Q, K, V)
    return torch.softmax(Q @ K.mT * Q.shape[-1] ** 0.5, -1) @ V


@wrong(NAME, "softmax-over-queries")
def down_the_columns(Q, K, V):
    Q, K, V = shared(Q, K, V)
    return torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, -2) @ V


@wrong(NAME, "softmax-over-heads")
def over_heads(Q, K, V):
    Q, K, V = shared(Q, K, V)
    return torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, 1) @ V


@wrong(NAME, "no-softmax")
def linear(Q, K, V):
    Q, K, V = shared(Q, K, V)
    return Q @ K.mT / Q.shape[-1] ** 0.5 @ V


@wrong(NAME, "no-max-subtraction")
def bare_exponentials(Q, K, V):
    Q, K, V = shared(Q, K, V)
    powers = torch.exp(Q @ K.mT / Q.shape[-1] ** 0.5)
    return powers / powers.sum(-1, keepdim=True) @ V


@wrong(NAME, "causal-by-default")
def causal(Q, K, V):
    return F.scaled_dot_product_attention(*shared(Q, K, V), is_causal=True)


@wrong(NAME, "keys-for-values")
def keys_mixed(Q, K, V):
    Q, K, V = shared(Q, K, V)
    return plain(Q, K, K)


@wrong(NAME, "one-output-too-many")
def with_weights(Q, K, V):
    Q, K, V = shared(Q, K, V)
    weights = torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, -1)
    return weights @ V, weights


@wrong(NAME, "returns-weights")
def only_weights(Q, K, V):
    Q, K, V = shared(Q, K, V)
    return torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, -1)


@wrong(NAME, "no-transpose-back")
def tokens_first(Q, K, V):
    return plain(*shared(Q, K, V)).transpose(1, 2)


@wrong(NAME, "merged-with-width")
def side_by_side(Q, K, V):
    return plain(*shared(Q, K, V)).transpose(1, 2).flatten(2)


@wrong(NAME, "heads-not-shared", note="tokens repeated")
def more_tokens(Q, K, V):
    g = Q.shape[1] // K.shape[1]
    return plain(Q, K.repeat_interleave(g, 2), V.repeat_interleave(g, 2))


@wrong(NAME, "input-changed")
def in_place(Q, K, V):
    Q /= Q.shape[-1] ** 0.5
    Q, K, V = shared(Q, K, V)
    return torch.softmax(Q @ K.mT, -1) @ V


@wrong(NAME, "float32")
def narrowed(Q, K, V):
    return plain(*shared(Q.float(), K.float(), V.float()))


@wrong(NAME, "returns-numpy")
def as_array(Q, K, V):
    return plain(*shared(Q, K, V)).numpy()


@wrong(NAME, "returns-list")
def head_list(Q, K, V):
    Q, K, V = shared(Q, K, V)
    return [plain(Q[:, i], K[:, i], V[:, i]) for i in range(Q.shape[1])]


@wrong(NAME, "returns-none")
def nothing(Q, K, V):
    plain(*shared(Q, K, V))


@wrong(NAME, "heads-interleaved+no-scaling")
def two_mistakes(Q, K, V):
    g = Q.shape[1] // K.shape[1]
    return torch.softmax(Q @ K.repeat(1, g, 1, 1).mT, -1) @ V.repeat(1, g, 1, 1)


@wrong(NAME, "input-changed", "the keys are turned in place")
def keys_turned_in_place(Q, K, V):
    g = Q.shape[1] // K.shape[1]
    scores = Q @ K.transpose_(-2, -1).repeat_interleave(g, dim=1) / math.sqrt(Q.shape[-1])
    return torch.softmax(scores, dim=-1) @ V.repeat_interleave(g, dim=1)


@wrong(NAME, "heads-not-shared", note="values only")
def values_not_repeated(Q, K, V):
    K = K.repeat_interleave(Q.shape[1] // K.shape[1], dim=1)
    return torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, dim=-1) @ V


@wrong(NAME, "wrong-repeat-count")
def as_often_as_key_heads(Q, K, V):
    K, V = (x.repeat_interleave(K.shape[1], dim=1) for x in (K, V))
    return torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, dim=-1) @ V


@wrong(NAME, "wrong-repeat-count", note="always twice")
def always_twice(Q, K, V):
    K, V = (x.repeat_interleave(2, dim=1) for x in (K, V))
    return torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, dim=-1) @ V


@wrong(NAME, "wrong-group-size")
def by_number_of_key_heads(Q, K, V):
    heads = []
    for i in range(Q.shape[1]):
        j = i // K.shape[1]
        weights = torch.softmax(Q[:, i] @ K[:, j].mT / Q.shape[-1] ** 0.5, dim=-1)
        heads.append(weights @ V[:, j])
    return torch.stack(heads, dim=1)


@wrong(NAME, "heads-split-by-reshape", note="tokens repeated")
def tokens_repeated(Q, K, V):
    B, h_q, n, d = Q.shape
    g = h_q // K.shape[1]
    K, V = (x.unsqueeze(3).expand(-1, -1, -1, g, -1).reshape(B, h_q, n, d) for x in (K, V))
    return torch.softmax(Q @ K.mT / d**0.5, dim=-1) @ V


@wrong(NAME, "scaled-by-d_k+softmax-over-queries")
def by_width_over_queries(Q, K, V):
    K, V = (x.repeat_interleave(Q.shape[1] // K.shape[1], dim=1) for x in (K, V))
    return (Q @ K.mT / Q.shape[-1]).softmax(dim=-2) @ V


@wrong(NAME, "softmax-over-group")
def over_the_group(Q, K, V):
    B, h, n, d = Q.shape
    hk = K.shape[1]
    s = torch.einsum("bgrid,bgjd->bgirj", Q.reshape(B, hk, h // hk, n, d), K) / d**0.5
    p = torch.softmax(s.flatten(3), -1).view_as(s)
    return torch.einsum("bgirj,bgjd->bgrid", p, V).reshape(B, h, n, d)


@wrong(NAME, "weights-averaged-over-heads")
def one_table_a_group(Q, K, V):
    B, h, n, d = Q.shape
    g = K.shape[1]
    p = torch.softmax(Q.reshape(B, g, h // g, n, d) @ K[:, :, None].mT / d**0.5, -1).mean(2, keepdim=True)
    return (p.expand(-1, -1, h // g, -1, -1) @ V[:, :, None]).reshape(B, h, n, d)


@wrong(NAME, "heads-averaged", "the values")
def values_averaged(Q, K, V):
    K = K.repeat_interleave(Q.shape[1] // K.shape[1], 1)
    return plain(Q, K, V.mean(1, keepdim=True).expand(-1, Q.shape[1], -1, -1))


@wrong(NAME, "no-max-subtraction", "clamped at 80")
def clamped(Q, K, V):
    g = Q.shape[1] // K.shape[1]
    s = Q @ K.repeat_interleave(g, 1).mT / math.sqrt(Q.shape[-1])
    return torch.softmax(s.clamp(-80, 80), -1) @ V.repeat_interleave(g, 1)


@wrong(NAME, "wrong-start", "the maximum begins at -1e4")
def low_start(Q, K, V):
    g = Q.shape[1] // K.shape[1]
    s = Q @ K.repeat_interleave(g, 1).mT / math.sqrt(Q.shape[-1])
    largest = torch.full_like(s[..., :1], -1e4)
    for j in range(s.shape[-1]):
        largest = torch.maximum(largest, s[..., j : j + 1])
    powers = torch.exp(s - largest)
    return powers / powers.sum(-1, keepdim=True) @ V.repeat_interleave(g, 1)


_repeats = {}


@wrong(NAME, "state-between-calls", "repeated keys kept by their shape")
def kept_keys(Q, K, V):
    g = Q.shape[1] // K.shape[1]
    K = _repeats.setdefault((K.shape, g), K.repeat_interleave(g, 1))
    return plain(Q, K, V.repeat_interleave(g, 1))


@wrong("grouped_query_attention", "scaled-by-sqrt-size", "the width of all heads by the number of key heads")
def width_by_key_heads(Q, K, V):
    B, h_q, n, d = Q.shape
    h_kv = K.shape[1]
    head_dim = h_q * d // h_kv
    K = K.repeat_interleave(h_q // h_kv, dim=1)
    V = V.repeat_interleave(h_q // h_kv, dim=1)
    return (Q @ K.transpose(-2, -1) / head_dim**0.5).softmax(dim=-1) @ V
