"""Right answers to units 01 to 04 in unusual styles: a second round."""

import itertools
import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from ..registry import right


@right("dot", "math.fsum generator over map(operator.mul)")
def dot_1(a, b):
    import operator

    return math.fsum(map(operator.mul, a.tolist(), b.tolist()))


@right("dot", "polarisation identity")
def dot_2(a, b):
    return ((a + b) @ (a + b) - (a - b) @ (a - b)) / 4


@right("dot", "trace of outer, 0-d array")
def dot_3(a, b):
    return np.array(np.trace(np.outer(a, b)))


@right("dot", "0-d torch tensor to numpy")
def dot_4(a, b):
    return torch.einsum("i,i->", torch.as_tensor(a), torch.as_tensor(b)).numpy()


@right("cosine_similarity", "hypot-free: unit vectors with 'or 1'")
def cosine_similarity_5(a, b):
    u = a / (np.sqrt((a * a).sum()) or 1)
    v = b / (np.sqrt((b * b).sum()) or 1)
    return np.clip(u @ v, -1, 1)


@right("cosine_similarity", "law of cosines of unit vectors, early return for zero")
def cosine_similarity_6(a, b):
    if not a.any() or not b.any():
        return 0.0
    u, v = a / np.linalg.norm(a), b / np.linalg.norm(b)
    return 1 - ((u - v) ** 2).sum() / 2


@right("cosine_similarity", "math.hypot and sumprod")
def cosine_similarity_7(a, b):
    L = math.hypot(*a) * math.hypot(*b)
    return sum(float(x) * float(y) for x, y in zip(a, b)) / L if L else 0.0


@right("similarity_matrix", "non-contiguous: (Y @ X.T).T")
def similarity_matrix_8(X, Y):
    return (Y @ X.T).T


@right("similarity_matrix", "broadcast sum")
def similarity_matrix_9(X, Y):
    return (X[:, None, :] * Y[None]).sum(-1)


@right("similarity_matrix", "np.inner")
def similarity_matrix_10(X, Y):
    return np.inner(X, Y)


@right("best_match", "python max with key=, range: first wins")
def best_match_11(query, keys):
    s = [sum(float(p) * float(q) for p, q in zip(query, k)) for k in keys]
    return max(range(len(s)), key=s.__getitem__)


@right("best_match", "stable argsort of negatives, np.int64")
def best_match_12(query, keys):
    return np.argsort(-(keys @ query), kind="stable")[0]


@right("best_match", "nonzero of equality with max")
def best_match_13(query, keys):
    s = keys @ query
    return np.flatnonzero(s == s.max())[0]


@right("project", "tensordot")
def project_14(X, W):
    return np.tensordot(X, W, axes=([-1], [0]))


@right("project", "transposed result of W.T @ X^T, non-contiguous")
def project_15(X, W):
    return np.swapaxes(W.T @ np.swapaxes(X, -1, -2), -1, -2)


@right("project", "ndindex loop")
def project_16(X, W):
    out = np.empty(X.shape[:-1] + (W.shape[1],), dtype=np.result_type(X, W))
    for i in np.ndindex(X.shape[:-1]):
        out[i] = X[i] @ W
    return out


@right("queries_keys_values", "one fused matmul then split views")
def queries_keys_values_17(X, W_q, W_k, W_v):
    a = W_q.shape[1]
    b = a + W_k.shape[1]
    P = X @ np.hstack([W_q, W_k, W_v])
    return P[..., :a], P[..., a:b], P[..., b:]


@right("queries_keys_values", "generator in tuple()")
def queries_keys_values_18(X, *Ws):
    return tuple(np.einsum("...nd,de->...ne", X, W) for W in Ws)


@right("attention_scores", "einsum ellipsis")
def attention_scores_19(Q, K):
    return np.einsum("...qd,...kd->...qk", Q, K)


@right("attention_scores", "broadcast multiply-sum")
def attention_scores_20(Q, K):
    return (Q[..., :, None, :] * K[..., None, :, :]).sum(-1)


@right("mix_values", "loop accumulation of outer products over keys")
def mix_values_21(weights, V):
    return sum(weights[..., :, j, None] * V[..., None, j, :] for j in range(V.shape[-2]))


@right("rows_from_columns", "einsum to n o")
def rows_from_columns_22(I, W):
    return np.einsum("dn,od->no", I, W)


@right("rows_from_columns", "transpose view of W @ I")
def rows_from_columns_23(I, W):
    return (W @ I).T


@right("QKVProjection", "setattr in loop, F.linear")
class QKVProjection_24(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        for n, d in zip("qkv", (d_k, d_k, d_v)):
            setattr(self, "W_" + n, nn.Linear(d_model, d, bias=False))

    def forward(self, x):
        return tuple(F.linear(x, getattr(self, "W_" + n).weight) for n in "qkv")


@right("QKVProjection", "fused matmul of concatenated weights and split")
class QKVProjection_25(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.dims = [d_k, d_k, d_v]
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d, bias=False) for d in self.dims)

    def forward(self, x):
        Wc = torch.cat([self.W_q.weight, self.W_k.weight, self.W_v.weight])
        return torch.split(x @ Wc.mT, self.dims, dim=-1)


@right("measure_score_std", "K first, one big draw (2, n, d_k), torch std population")
def measure_score_std_26(n, d_k, rng):
    K, Q = rng.standard_normal((2, n, d_k))
    return torch.from_numpy(Q @ K.T).std().item()


@right("measure_score_std", "row by row loop, ddof=1")
def measure_score_std_27(n, d_k, rng):
    Q = np.array([[rng.normal() for _ in range(d_k)] for _ in range(n)])
    K = np.array([[rng.normal() for _ in range(d_k)] for _ in range(n)])
    return np.std([q @ k for q in Q for k in K], ddof=1)


@right("predicted_score_std", "second moments minus squared mean")
def predicted_score_std_28(d_k, mean_q, std_q, mean_k, std_k):
    e2 = (mean_q**2 + std_q**2) * (mean_k**2 + std_k**2)
    return (d_k * (e2 - (mean_q * mean_k) ** 2)) ** 0.5


@right("predicted_score_std", "math.hypot")
def predicted_score_std_29(d_k, mean_q, std_q, mean_k, std_k):
    return math.sqrt(d_k) * math.hypot(std_q * std_k, std_q * mean_k, std_k * mean_q)


@right("scaled_scores", "scale split d_k**-0.25 each")
def scaled_scores_30(Q, K):
    s = Q.shape[-1] ** -0.25
    return (Q * s) @ np.swapaxes(K * s, -1, -2)


@right("scaled_scores", "torch baddbmm-like, numpy out")
def scaled_scores_31(Q, K):
    q, k = torch.tensor(Q), torch.tensor(K)
    return (q @ k.mT).mul(q.shape[-1] ** -0.5).numpy()


@right("causal_mask", "np.tri bool")
def causal_mask_32(n):
    return np.tri(n, dtype=bool)


@right("causal_mask", "nested list comprehension -> greater_equal.outer")
def causal_mask_33(n):
    return np.greater_equal.outer(range(n), range(n))


@right("padding_mask", "clip trick / list of rows")
def padding_mask_34(lengths, n):
    return np.array([[True] * int(L) + [False] * (n - int(L)) for L in lengths])


@right("padding_mask", "cumulative: torch inside")
def padding_mask_35(lengths, n):
    return (torch.arange(n) < torch.as_tensor(np.asarray(lengths))[:, None]).numpy()


@right("combined_mask", "minimum of lengths and query index")
def combined_mask_36(lengths, n):
    i = np.arange(n)
    lim = np.minimum(i[None, :] + 1, np.asarray(lengths)[:, None])  # B, n
    return (i < lim[..., None])[:, None]


@right("apply_mask", "log of bool as bias")
def apply_mask_37(scores, allowed):
    with np.errstate(divide="ignore"):
        return scores + np.log(np.asarray(allowed, dtype=scores.dtype))


@right("apply_mask", "np.putmask on copy after broadcast")
def apply_mask_38(scores, allowed):
    out = np.array(scores)
    np.copyto(out, -np.inf, where=~np.asarray(allowed))
    return out


@right("to_blocked", "xor True")
def to_blocked_39(allowed):
    return np.asarray(allowed) ^ True


@right("to_blocked", "allowed == False")
def to_blocked_40(allowed):
    return allowed == False


@right("leaks_future", "autograd-free numeric: each t replaced by fresh random rows for several trials")
def leaks_future_41(attend, n, d):
    g = np.random.default_rng(7)
    for _ in range(4):
        X = g.normal(size=(n, d))
        for t in range(1, n):
            Y = X.copy()
            Y[t:] = 3 * g.normal(size=(n - t, d))
            if np.abs(attend(X)[:t] - attend(Y)[:t]).max() > 1e-9:
                return True
            Z = X.copy()
            Z[t] = 3 * g.normal(size=d)
            if np.abs(attend(X)[:t] - attend(Z)[:t]).max() > 1e-9:
                return True
    return False
