"""Wrong answers that once passed a check, or got no name: found by people who attacked the checks unseen."""

import numpy as np
from torch import nn

from ..registry import wrong


@wrong("dot", "equal-products-once", note="a set keeps one of several equal products")
def dot_set(a, b):
    return float(sum(set(a * b)))


@wrong(
    "apply_mask",
    "padding-on-queries",
    note="a mask of shape (n,) is taken for one of queries where scores are square",
)
def apply_query_mask(scores, allowed):
    a = allowed[:, None] if allowed.ndim == 1 and allowed.shape[0] == scores.shape[-2] else allowed
    return np.where(a, scores, -np.inf)


class Projections(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)
        self.kept = None


@wrong("QKVProjection", "state-between-calls", note="keys and values of the first x for every x of its shape")
class KeptInput(Projections):
    def forward(self, x):
        if self.kept is None or self.kept.shape != x.shape or self.kept.dtype != x.dtype:
            self.kept = x
        return self.W_q(x), self.W_k(self.kept), self.W_v(self.kept)


@wrong("QKVProjection", "state-between-calls", note="keys and values of the first call for ever")
class KeptResults(Projections):
    def forward(self, x):
        if self.kept is None:
            self.kept = (self.W_k(x), self.W_v(x))
        return (self.W_q(x), *self.kept)


@wrong("similarity_matrix", "square-only", note="as many columns as there are rows of X, at most")
def similarity_min_loop(X, Y):
    S = np.zeros((len(X), len(Y)))
    for i in range(len(X)):
        for j in range(min(len(X), len(Y))):
            S[i, j] = X[i] @ Y[j]
    return S


@wrong("sum_of_heads", "off-by-one", note="blocks begin at i * h")
def sum_from_i_times_h(H, W_o):
    out = 0
    for i in range(H.shape[1]):
        out = out + H[:, i] @ W_o[i * H.shape[1] : i * H.shape[1] + H.shape[3]]
    return out


@wrong("best_match", "random-on-tie", note="any of the best keys on a tie, not the first")
def best_random(query, keys):
    scores = keys @ query
    return int(np.random.default_rng().choice(np.flatnonzero(scores == scores.max())))
