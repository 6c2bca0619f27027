"""Right and wrong answers to `online_attention`, as learners write them."""

import math
from operator import mul

import numpy as np
import torch
import torch.nn.functional as F

from banks.registry import right, wrong

NAME = "online_attention"

# Right answers, each in its own style


@right(NAME, "running maximum, sum and output")
def running(Q, K, V, block_size):
    m = torch.full((Q.shape[0],), float("-inf"), dtype=Q.dtype)
    s = torch.zeros(Q.shape[0], dtype=Q.dtype)
    out = torch.zeros(Q.shape[0], V.shape[1], dtype=Q.dtype)
    for start in range(0, K.shape[0], block_size):
        k, v = K[start : start + block_size], V[start : start + block_size]
        scores = Q @ k.T / math.sqrt(Q.shape[1])
        new_m = torch.maximum(m, scores.max(dim=1).values)
        scale = torch.exp(m - new_m)
        p = torch.exp(scores - new_m[:, None])
        s = s * scale + p.sum(dim=1)
        out = out * scale[:, None] + p @ v
        m = new_m
    return out / s[:, None]


@right(NAME, "logsumexp of blocks")
def by_logsumexp(Q, K, V, block_size):
    out, lse = None, None
    for k, v in zip(K.split(block_size), V.split(block_size), strict=True):
        scores = Q @ k.T * Q.shape[-1] ** -0.5
        one, log = torch.softmax(scores, -1) @ v, torch.logsumexp(scores, -1, keepdim=True)
        if out is None:
            out, lse = one, log
        else:
            both = torch.logaddexp(lse, log)
            out, lse = out * (lse - both).exp() + one * (log - both).exp(), both
    return out


@right(NAME, "two passes")
def two_passes(Q, K, V, block_size):
    Q = Q / Q.shape[1] ** 0.5
    blocks = range(0, len(K), block_size)
    top = torch.stack([torch.full((len(Q),), -torch.inf, dtype=Q.dtype)] * 2)
    for i in blocks:
        top[1] = (Q @ K[i : i + block_size].T).amax(1)
        top[0] = top.amax(0)
    total, out = 0, 0
    for i in blocks:
        p = torch.exp(Q @ K[i : i + block_size].T - top[0][:, None])
        total = total + p.sum(1, keepdim=True)
        out = out + p @ V[i : i + block_size]
    return out / total


@right(NAME, "one query at a time, in blocks")
def query_by_query(Q, K, V, block_size):
    rows = []
    for q in Q:
        m, s, o = -math.inf, 0.0, torch.zeros(V.shape[1], dtype=Q.dtype)
        i = 0
        while i < len(K):
            z = K[i : i + block_size] @ q / math.sqrt(len(q))
            top = max(m, z.max().item())
            p = (z - top).exp()
            c = math.exp(m - top)
            s, o, m = s * c + p.sum(), o * c + p @ V[i : i + block_size], top
            i += block_size
        rows.append(o / s)
    return torch.stack(rows)


@right(NAME, "key by key")
def key_by_key(Q, K, V, block_size):
    m = Q.new_full((len(Q), 1), -torch.inf)
    s, o = torch.zeros_like(m), Q.new_zeros(len(Q), V.shape[1])
    for k, v in zip(K, V, strict=True):
        z = (Q @ k / Q.shape[1] ** 0.5)[:, None]
        top = torch.maximum(m, z)
        s = s * (m - top).exp() + (z - top).exp()
        o = o * (m - top).exp() + (z - top).exp() * v
        m = top
    return o / s


@right(NAME, "NumPy inside, in blocks")
def in_numpy_blocks(Q, K, V, block_size):
    q, k, v = (x.numpy() for x in (Q, K, V))
    m, s, o = (
        np.full(len(q), -np.inf, q.dtype),
        np.zeros(len(q), q.dtype),
        np.zeros((len(q), v.shape[1]), q.dtype),
    )
    for i in range(0, len(k), block_size):
        z = q @ k[i : i + block_size].T / np.sqrt(q.shape[1], dtype=q.dtype)
        top = np.maximum(m, z.max(1))
        p, c = np.exp(z - top[:, None]), np.exp(m - top)
        s, o, m = s * c + p.sum(1), o * c[:, None] + p @ v[i : i + block_size], top
    return torch.from_numpy(o / s[:, None])


@right(NAME, "in place, and by broadcasting")
def in_place(Q, K, V, block_size):
    n_q, d = Q.shape
    acc, den = torch.zeros((n_q, V.shape[1]), dtype=Q.dtype), torch.zeros((n_q, 1), dtype=Q.dtype)
    top = torch.full((n_q, 1), -1e30, dtype=Q.dtype)
    for k, v in zip(torch.split(K, block_size), torch.split(V, block_size), strict=True):
        z = (Q[:, None, :] * k[None]).sum(-1).div_(d**0.5)
        new = torch.max(top, z.amax(1, keepdim=True))
        shrink = (top - new).exp_()
        z.sub_(new).exp_()
        acc.mul_(shrink).add_(z @ v)
        den.mul_(shrink).add_(z.sum(1, keepdim=True))
        top = new
    return acc / den


# Wrong answers: what is held


@wrong(NAME, "full-score-matrix")
def full(Q, K, V, block_size):
    return torch.softmax(Q @ K.T / Q.shape[1] ** 0.5, dim=-1) @ V


@wrong(NAME, "full-score-matrix", note="scores at once, softmax in blocks")
def full_scores_first(Q, K, V, block_size):
    scores = Q @ K.T / Q.shape[1] ** 0.5
    m, s, o = scores.amax(1, keepdim=True), 0, 0
    for i in range(0, len(K), block_size):
        p = (scores[:, i : i + block_size] - m).exp()
        s, o = s + p.sum(1, keepdim=True), o + p @ V[i : i + block_size]
    return o / s


@wrong(NAME, "full-score-matrix", note="filled in blocks")
def filled_in_blocks(Q, K, V, block_size):
    scores = torch.empty(len(Q), len(K), dtype=Q.dtype)
    for i in range(0, len(K), block_size):
        scores[:, i : i + block_size] = Q @ K[i : i + block_size].T / Q.shape[1] ** 0.5
    return scores.softmax(1) @ V


@wrong(NAME, "full-score-matrix", note="collected in a list and joined")
def joined(Q, K, V, block_size):
    parts = [Q @ k.T / Q.shape[1] ** 0.5 for k in K.split(block_size)]
    return torch.cat(parts, dim=1).softmax(-1) @ V


@wrong(NAME, "keeps-all-blocks")
def kept(Q, K, V, block_size):
    parts = [Q @ k.T / Q.shape[1] ** 0.5 for k in K.split(block_size)]
    top = parts[0].amax(1, keepdim=True)
    for part in parts:
        top = torch.maximum(top, part.amax(1, keepdim=True))
    total = sum((part - top).exp().sum(1, keepdim=True) for part in parts)
    values = V.split(block_size)
    return sum((part - top).exp() @ v for part, v in zip(parts, values, strict=True)) / total


@wrong(NAME, "memory-grows-with-keys", note="queries in turn, all keys at once")
def a_query_at_a_time(Q, K, V, block_size):
    return torch.stack([torch.softmax(K @ q / len(q) ** 0.5, 0) @ V for q in Q])


@wrong(NAME, "full-score-matrix", note="queries in blocks of more than all")
def queries_in_blocks(Q, K, V, block_size):
    return torch.cat([torch.softmax(q @ K.T / Q.shape[1] ** 0.5, -1) @ V for q in Q.split(1000)])


@wrong(NAME, "memory-grows-with-keys", note="all keys scaled first")
def keys_scaled(Q, K, V, block_size):
    return running(Q, K / Q.shape[1] ** 0.5 * Q.shape[1] ** 0.5, V, block_size)


@wrong(NAME, "memory-grows-with-keys", note="padded")
def padded(Q, K, V, block_size):
    rest = -len(K) % block_size
    K, V = F.pad(K, (0, 0, 0, rest)), F.pad(V, (0, 0, 0, rest))
    return running(Q, K[: len(K) - rest], V[: len(V) - rest], block_size)


@wrong(NAME, "memory-outside-torch")
def in_numpy(Q, K, V, block_size):
    q, k, v = (x.numpy() for x in (Q, K, V))
    scores = q @ k.T / np.sqrt(q.shape[1], dtype=q.dtype)
    powers = np.exp(scores - scores.max(1, keepdims=True))
    return torch.from_numpy(powers / powers.sum(1, keepdims=True) @ v)


@wrong(NAME, "memory-outside-torch", note="Python lists")
def in_lists(Q, K, V, block_size):
    scores, v = [[] for _ in Q], V.tolist()
    for k in K.split(block_size):
        for row, part in zip(scores, (Q @ k.T / Q.shape[1] ** 0.5).tolist(), strict=True):
            row.extend(part)
    out = []
    for row in scores:
        top = max(row)
        powers = [math.exp(z - top) for z in row]
        total = sum(powers)
        mixed = [sum(map(mul, powers, column)) / total for column in zip(*v, strict=True)]
        out.append(mixed)
    return torch.tensor(out, dtype=Q.dtype)


@wrong(NAME, "block-size-ignored")
def own_block(Q, K, V, block_size):
    return running(Q, K, V, 64)


# Wrong answers: what comes out


def loop(shrink_sum=True, shrink_out=True, first=-math.inf, scale=None, drop=False, divide=True):
    def answer(Q, K, V, block_size):
        m = torch.full((len(Q), 1), first, dtype=Q.dtype)
        s, out = torch.zeros_like(m), torch.zeros(len(Q), V.shape[1], dtype=Q.dtype)
        end = len(K) // block_size * block_size if drop else len(K)
        for i in range(0, end, block_size):
            k, v = K[i : i + block_size], V[i : i + block_size]
            z = Q @ k.T / (scale(Q, K, V) if scale else Q.shape[1] ** 0.5)
            new = torch.maximum(m, z.amax(1, keepdim=True))
            c, p = (m - new).exp(), (z - new).exp()
            s = s * (c if shrink_sum else 1) + p.sum(1, keepdim=True)
            out = out * (c if shrink_out else 1) + p @ v
            m = new
        return out / s if divide else out

    return answer


for mistake, note, answer in (
    ("not-rescaled", "neither", loop(shrink_sum=False, shrink_out=False)),
    ("not-rescaled", "the sum", loop(shrink_sum=False)),
    ("not-rescaled", "the output", loop(shrink_out=False)),
    ("wrong-start", "0", loop(first=0.0)),
    ("no-scaling", "", loop(scale=lambda Q, K, V: 1)),
    ("scaled-by-d_k", "", loop(scale=lambda Q, K, V: Q.shape[1])),
    ("scaled-by-sqrt-n", "keys", loop(scale=lambda Q, K, V: len(K) ** 0.5)),
    ("scaled-by-sqrt-n", "queries", loop(scale=lambda Q, K, V: len(Q) ** 0.5)),
    ("scaled-by-sqrt-d_v", "", loop(scale=lambda Q, K, V: V.shape[1] ** 0.5)),
    ("last-block-dropped", "", loop(drop=True)),
    ("not-normalised", "", loop(divide=False)),
):
    wrong(NAME, mistake, note=note)(answer)


@wrong(NAME, "softmax-per-block", note="summed")
def block_by_block(Q, K, V, block_size):
    out = 0
    for k, v in zip(K.split(block_size), V.split(block_size), strict=True):
        out = out + torch.softmax(Q @ k.T / Q.shape[1] ** 0.5, -1) @ v
    return out


@wrong(NAME, "softmax-per-block", note="averaged")
def block_means(Q, K, V, block_size):
    return block_by_block(Q, K, V, block_size) / math.ceil(len(K) / block_size)


@wrong(NAME, "last-block-only")
def only_last(Q, K, V, block_size):
    for k, v in zip(K.split(block_size), V.split(block_size), strict=True):
        out = torch.softmax(Q @ k.T / Q.shape[1] ** 0.5, -1) @ v
    return out


@wrong(NAME, "first-block-only")
def returns_in_loop(Q, K, V, block_size):
    for k, v in zip(K.split(block_size), V.split(block_size), strict=True):
        return torch.softmax(Q @ k.T / Q.shape[1] ** 0.5, -1) @ v


@wrong(NAME, "no-max-subtraction")
def bare_exponentials(Q, K, V, block_size):
    s, out = 0, 0
    for k, v in zip(K.split(block_size), V.split(block_size), strict=True):
        p = torch.exp(Q @ k.T / Q.shape[1] ** 0.5)
        s, out = s + p.sum(1, keepdim=True), out + p @ v
    return out / s


@wrong(NAME, "block-maximum-forgotten")
def newest_maximum(Q, K, V, block_size):
    m, s, out = torch.full((len(Q), 1), -math.inf, dtype=Q.dtype), 0, 0
    for k, v in zip(K.split(block_size), V.split(block_size), strict=True):
        z = Q @ k.T / Q.shape[1] ** 0.5
        new = z.amax(1, keepdim=True)
        c, p = (m - new).exp(), (z - new).exp()
        s, out, m = s * c + p.sum(1, keepdim=True), out * c + p @ v, new
    return out / s


@wrong(NAME, "global-max")
def one_maximum(Q, K, V, block_size):
    m, s, out = torch.tensor(-math.inf, dtype=Q.dtype), 0, 0
    for k, v in zip(K.split(block_size), V.split(block_size), strict=True):
        z = Q @ k.T / Q.shape[1] ** 0.5
        new = torch.maximum(m, z.max())
        c, p = (m - new).exp(), (z - new).exp()
        s, out, m = s * c + p.sum(1, keepdim=True), out * c + p @ v, new
    return out / s


@wrong(NAME, "rescaled-upside-down")
def grown(Q, K, V, block_size):
    m, s, out = None, 0, 0
    for k, v in zip(K.split(block_size), V.split(block_size), strict=True):
        z = Q @ k.T / Q.shape[1] ** 0.5
        new = z.amax(1, keepdim=True) if m is None else torch.maximum(m, z.amax(1, keepdim=True))
        c = 1 if m is None else (new - m).exp()
        p = (z - new).exp()
        s, out, m = s * c + p.sum(1, keepdim=True), out * c + p @ v, new
    return out / s


@wrong(NAME, "blocks-overlap")
def steps_of_one(Q, K, V, block_size):
    m, s, out = torch.full((len(Q), 1), -math.inf, dtype=Q.dtype), 0, 0
    for i in range(len(K)):
        z = Q @ K[i : i + block_size].T / Q.shape[1] ** 0.5
        new = torch.maximum(m, z.amax(1, keepdim=True))
        c, p = (m - new).exp(), (z - new).exp()
        s, out, m = s * c + p.sum(1, keepdim=True), out * c + p @ V[i : i + block_size], new
    return out / s


@wrong(NAME, "returns-list")
def listed(Q, K, V, block_size):
    return list(running(Q, K, V, block_size))


@wrong(NAME, "float32")
def narrowed(Q, K, V, block_size):
    return running(Q.float(), K.float(), V.float(), block_size)


@wrong(NAME, "input-changed")
def scaled_in_place(Q, K, V, block_size):
    Q /= Q.shape[1] ** 0.5
    return loop(scale=lambda Q, K, V: 1)(Q, K, V, block_size)


@wrong(NAME, "returns-none")
def nothing(Q, K, V, block_size):
    running(Q, K, V, block_size)


@wrong(NAME, "input-changed", "the keys are turned in place")
def keys_turned_in_place(Q, K, V, block_size):
    K.t_()
    return running(Q, K.T, V, block_size)


def in_blocks(Q, K, V, block_size, shown=lambda k, v: (k, v), factor=lambda x: x, mixed=torch.matmul):
    """The loop over blocks, with a step done otherwise."""
    largest = Q.new_full((len(Q), 1), -torch.inf)
    total, output = Q.new_zeros(len(Q), 1), Q.new_zeros(len(Q), V.shape[1])
    for i in range(0, len(K), block_size):
        k, v = shown(K[i : i + block_size], V[i : i + block_size])
        scores = Q @ k.T / Q.shape[1] ** 0.5
        new = torch.maximum(largest, scores.amax(1, keepdim=True))
        shrink, powers = torch.exp(largest - new), torch.exp(scores - new)
        total = total * shrink + powers.sum(1, keepdim=True)
        output = output * factor(shrink) + mixed(powers, v)
        largest = new
    return output / total


@wrong(NAME, "padding-counted")
def last_block_filled(Q, K, V, block_size):
    def whole(*both):
        return [torch.cat([x, x.new_zeros(block_size - len(x), x.shape[1])]) for x in both]

    return in_blocks(Q, K, V, block_size, whole)


@wrong(NAME, "row-for-column")
def factor_in_a_row(Q, K, V, block_size):
    return in_blocks(Q, K, V, block_size, factor=lambda shrink: shrink[:, 0])


@wrong(NAME, "values-summed-apart")
def wrong_letter(Q, K, V, block_size):
    return in_blocks(Q, K, V, block_size, mixed=lambda e, v: torch.einsum("qk,jv->qv", e, v))


@wrong(NAME, "causal-by-default")
def causal(Q, K, V, block_size):
    scores = Q @ K.T / Q.shape[1] ** 0.5
    later = torch.ones_like(scores).tril() == 0
    return torch.softmax(scores.masked_fill(later, -torch.inf), -1) @ V


# Code for one query, carried over to many


def carried_over(Q, K, V, block_size, largest_of, sum_of, start=0.0):
    largest, total, output = torch.tensor(-torch.inf, dtype=Q.dtype), start, torch.zeros(1, dtype=Q.dtype)
    for i in range(0, len(K), block_size):
        scores = Q @ K[i : i + block_size].T / Q.shape[1] ** 0.5
        new = torch.maximum(largest, largest_of(scores))
        shrink, powers = torch.exp(largest - new), torch.exp(scores - new)
        total = total * shrink + sum_of(powers)
        output = output * shrink + powers @ V[i : i + block_size]
        largest = new
    return output / total


@wrong(NAME, "softmax-over-everything", "as for one query")
def as_for_one_query(Q, K, V, block_size):
    return carried_over(Q, K, V, block_size, torch.max, torch.sum)


@wrong(NAME, "softmax-over-everything", "columns, but one sum")
def one_sum_for_all(Q, K, V, block_size):
    return carried_over(Q, K, V, block_size, lambda s: s.amax(-1, keepdim=True), torch.sum)


@wrong(NAME, "row-for-column", "sums in a row")
def sums_in_a_row(Q, K, V, block_size):
    return carried_over(Q, K, V, block_size, lambda s: s.amax(-1, keepdim=True), lambda p: p.sum(-1))


@wrong(NAME, "returns-places-too", "max as in NumPy")
def max_as_in_numpy(Q, K, V, block_size):
    return carried_over(Q, K, V, block_size, lambda s: s.max(dim=-1, keepdim=True), torch.sum)


def _running(Q, K, V, starts, size, begin=-torch.inf, own_maximum=False, limit=None):
    """The right loop, for mistakes in where blocks start, or where the maximum does."""
    n_q, d = Q.shape
    m = torch.full((n_q, 1), begin, dtype=Q.dtype)
    l, o = torch.zeros(n_q, 1, dtype=Q.dtype), torch.zeros(n_q, V.shape[1], dtype=Q.dtype)
    for i in starts:
        s = Q @ K[i : i + size].T / d**0.5
        if limit:
            s = s.clamp(-limit, limit)
        top = s.amax(-1, keepdim=True)
        new = torch.maximum(m, top)
        p, a = torch.exp(s - (top if own_maximum else new)), torch.exp(m - new)
        l, o, m = l * a + p.sum(-1, keepdim=True), o * a + p @ V[i : i + size], new
    return o / l


@wrong("online_attention", "wrong-start", "at -1e4")
def low_start(Q, K, V, block_size):
    return _running(Q, K, V, range(0, len(K), block_size), block_size, begin=-1e4)


@wrong("online_attention", "wrong-start", "at the lowest float16")
def lowest_half(Q, K, V, block_size):
    lowest = torch.finfo(torch.float16).min
    return _running(Q, K, V, range(0, len(K), block_size), block_size, begin=lowest)


@wrong("online_attention", "block-maximum-for-running")
def own_maximum(Q, K, V, block_size):
    return _running(Q, K, V, range(0, len(K), block_size), block_size, own_maximum=True)


@wrong("online_attention", "first-left-out")
def from_one(Q, K, V, block_size):
    return _running(Q, K, V, range(1, len(K), block_size), block_size)


@wrong("online_attention", "blocks-overlap", "the last block is moved back")
def moved_back(Q, K, V, block_size):
    starts = [max(0, min(i, len(K) - block_size)) for i in range(0, len(K), block_size)]
    return _running(Q, K, V, starts, block_size)


@wrong("online_attention", "no-max-subtraction", "clamped at 80")
def clamped_scores(Q, K, V, block_size):
    return _running(Q, K, V, range(0, len(K), block_size), block_size, limit=80)


@wrong("online_attention", "softmax-per-block", "averaged by length")
def averaged_by_length(Q, K, V, block_size):
    o, seen = 0, 0
    for i in range(0, K.shape[0], block_size):
        k, v = K[i : i + block_size], V[i : i + block_size]
        part = F.scaled_dot_product_attention(Q[None], k[None], v[None])[0]
        o = (o * seen + part * len(k)) / (seen + len(k))
        seen += len(k)
    return o


_maxima = {}


@wrong("online_attention", "state-between-calls", "the maximum kept by the shape of Q")
def kept_maximum(Q, K, V, block_size):
    top = _maxima.setdefault(Q.shape, (Q @ K.T).amax(-1, keepdim=True) / Q.shape[1] ** 0.5)
    l, o = 0, 0
    for i in range(0, len(K), block_size):
        p = torch.exp(Q @ K[i : i + block_size].T / Q.shape[1] ** 0.5 - top)
        l, o = l + p.sum(-1, keepdim=True), o + p @ V[i : i + block_size]
    return o / l


@wrong("online_attention", "scaled-by-sqrt-n", "of a block, from the shape of the turned keys")
def root_of_the_keys_in_a_block(Q, K, V, block_size):
    n_q = Q.shape[0]
    m = torch.full((n_q, 1), -torch.inf, dtype=Q.dtype)
    total = torch.zeros(n_q, 1, dtype=Q.dtype)
    o = torch.zeros(n_q, V.shape[1], dtype=Q.dtype)
    for i in range(0, K.shape[0], block_size):
        kT = K[i : i + block_size].T
        s = Q @ kT / kT.shape[-1] ** 0.5
        m_new = torch.maximum(m, s.amax(-1, keepdim=True))
        a, p = torch.exp(m - m_new), torch.exp(s - m_new)
        total = total * a + p.sum(-1, keepdim=True)
        o = o * a + p @ V[i : i + block_size]
        m = m_new
    return o / total
