"""Wrong answers to units 01 to 04: a second round, written without sight of the checks or the first bank."""

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from ..registry import wrong

# ------------------------------------------------------------------ 01 dot


@wrong("dot", "last-left-out", note="The loop stops one entry too early (range(len(a) - 1)).")
def dot_1(a, b):
    total = 0.0
    for i in range(len(a) - 1):
        total += a[i] * b[i]
    return total


@wrong(
    "dot",
    "overwritten-instead-of-summed",
    note="Uses = where += was meant, so only the last product is left.",
)
def dot_2(a, b):
    total = 0.0
    for x, y in zip(a, b):
        total = x * y
    return total


@wrong("dot", "no-sum", note="Multiplies entry by entry and never adds the products up.")
def dot_3(a, b):
    products = [x * y for x, y in zip(a, b)]
    return np.array(products)


@wrong(
    "dot",
    "outer-product",
    note="np.outer pairs every entry of a with every entry of b, then adds everything.",
)
def dot_4(a, b):
    return np.outer(a, b).sum()


@wrong("dot", "truncates-to-int", note="The accumulator is an integer array, so fractions are cut off.")
def dot_5(a, b):
    acc = np.zeros(1, dtype=int)
    for x, y in zip(a, b):
        acc[0] += int(x * y)
    return acc[0]


@wrong("dot", "lengths-only", note="multiplies the two lengths and forgets the cosine of the angle.")
def dot_6(a, b):
    length_a = math.sqrt(sum(x**2 for x in a))
    length_b = math.sqrt(sum(y**2 for y in b))
    return length_a * length_b


@wrong("dot", "keepdims-left", note="Row times column as matrices gives a (1, 1) array, not a scalar.")
def dot_7(a, b):
    return a.reshape(1, -1) @ b.reshape(-1, 1)


@wrong(
    "dot",
    "mean-instead-of-sum+lost-sign",
    note="Averages instead of adding and takes absolute values, so opposite directions look similar.",
)
def dot_8(a, b):
    return np.mean(np.abs(a * b))


# ---------------------------------------------------- 01 cosine_similarity


@wrong(
    "cosine_similarity",
    "zero-vector-nan",
    note="Only the first vector is checked for zero; a zero second vector gives 0/0.",
)
def cosine_1(a, b):
    if not a.any():
        return 0.0
    return (a @ b) / (np.linalg.norm(a) * np.linalg.norm(b))


@wrong(
    "cosine_similarity",
    "operator-precedence",
    note="Missing brackets: divides by the first length and multiplies by the second.",
)
def cosine_2(a, b):
    na, nb = np.linalg.norm(a), np.linalg.norm(b)
    if na == 0 or nb == 0:
        return 0.0
    return np.dot(a, b) / na * nb


@wrong(
    "cosine_similarity",
    "any-instead-of-all",
    note="Returns 0 as soon as one entry is zero instead of when all entries are.",
)
def cosine_3(a, b):
    if not np.all(a) or not np.all(b):
        return 0.0
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))


@wrong(
    "cosine_similarity",
    "epsilon-too-large",
    note="Adds 1e-2 to the denominator to dodge the zero division, which changes short vectors.",
)
def cosine_4(a, b):
    return np.sum(a * b) / (np.linalg.norm(a) * np.linalg.norm(b) + 1e-2)


@wrong(
    "cosine_similarity",
    "zero-sum-taken-for-zero",
    note="Tests the sum of the entries for zero, so (1, -1) is taken for the zero vector.",
)
def cosine_5(a, b):
    if sum(a) == 0 or sum(b) == 0:
        return 0.0
    top = sum(x * y for x, y in zip(a, b))
    return top / (math.sqrt(sum(x * x for x in a)) * math.sqrt(sum(y * y for y in b)))


@wrong(
    "cosine_similarity",
    "wrong-norm",
    note="Divides by the sums of absolute values (ord=1), not the Euclidean lengths.",
)
def cosine_6(a, b):
    na = np.linalg.norm(a, ord=1)
    nb = np.linalg.norm(b, ord=1)
    if na * nb == 0:
        return 0.0
    return a.dot(b) / (na * nb)


@wrong(
    "cosine_similarity", "angle-instead-of-cosine", note="Applies arccos and returns the angle in radians."
)
def cosine_7(a, b):
    na, nb = np.linalg.norm(a), np.linalg.norm(b)
    if na == 0 or nb == 0:
        return 0.0
    cos = np.clip(a @ b / (na * nb), -1, 1)
    return float(np.arccos(cos))


@wrong(
    "cosine_similarity",
    "no-square-root+zero-vector-nan",
    note="Divides by squared lengths and has no case for a zero vector.",
)
def cosine_8(a, b):
    with np.errstate(all="ignore"):
        return np.dot(a, b) / (np.dot(a, a) * np.dot(b, b))


@wrong(
    "cosine_similarity",
    "zero-vector-one",
    note="Treats a zero vector as pointing the same way and returns 1 for it.",
)
def cosine_9(a, b):
    denominator = np.linalg.norm(a) * np.linalg.norm(b)
    if denominator == 0:
        return 1.0
    return (a * b).sum() / denominator


# ---------------------------------------------------- 01 similarity_matrix


@wrong(
    "similarity_matrix",
    "square-only",
    note="Sizes the result by X alone (n by n), so it only works with as many rows in Y.",
)
def simmat_1(X, Y):
    n = X.shape[0]
    S = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            S[i, j] = X[i] @ Y[j]
    return S


@wrong(
    "similarity_matrix",
    "keys-by-queries",
    note="The comprehension runs over Y outside and X inside, so entry [i, j] is Y[i] . X[j].",
)
def simmat_2(X, Y):
    return np.array([[np.dot(x, y) for x in X] for y in Y])


@wrong(
    "similarity_matrix",
    "returned-inside-loop",
    note="The return is indented too far, so only the first row comes back.",
)
def simmat_3(X, Y):
    rows = []
    for x in X:
        rows.append([x @ y for y in Y])
        return np.array(rows)


@wrong(
    "similarity_matrix",
    "reshape-instead-of-transpose",
    note="Re-cuts Y with reshape to (d, m) instead of transposing it.",
)
def simmat_4(X, Y):
    m, d = Y.shape
    return X @ Y.reshape(d, m)


@wrong(
    "similarity_matrix",
    "cosine-instead-of-dot",
    note="Normalises the rows first, so it returns cosines and not dot products.",
)
def simmat_5(X, Y):
    Xn = X / np.maximum(np.linalg.norm(X, axis=1, keepdims=True), 1e-12)
    Yn = Y / np.maximum(np.linalg.norm(Y, axis=1, keepdims=True), 1e-12)
    return Xn @ Yn.T


@wrong(
    "similarity_matrix",
    "square-only",
    note="computes the upper half and mirrors it, as if X and Y were the same rows.",
)
def simmat_6(X, Y):
    n, m = len(X), len(Y)
    S = np.zeros((n, m))
    for i in range(n):
        for j in range(i, m):
            S[i, j] = np.dot(X[i], Y[j])
            if j < n and i < m:
                S[j, i] = S[i, j]
    return S


@wrong(
    "similarity_matrix",
    "euclidean-distance",
    note="Returns the Euclidean distance between rows instead of their dot product.",
)
def simmat_7(X, Y):
    return torch.cdist(torch.as_tensor(X), torch.as_tensor(Y)).numpy()


@wrong(
    "similarity_matrix",
    "wrong-sum-axis",
    note="sums the pairwise products over the rows of Y instead of over the features.",
)
def simmat_8(X, Y):
    products = X[:, None, :] * Y[None, :, :]
    return products.sum(axis=1)


# ----------------------------------------------------------- 01 best_match


@wrong(
    "best_match",
    "starts-at-zero",
    note="The running maximum starts at 0, so when all dot products are negative nothing ever wins.",
)
def best_1(query, keys):
    best, best_score = 0, 0
    for i, key in enumerate(keys):
        score = sum(q * k for q, k in zip(query, key))
        if score > best_score:
            best, best_score = i, score
    return best


@wrong(
    "best_match", "last-on-tie", note="Sorts and takes the last index, which on a tie is not the first key."
)
def best_2(query, keys):
    order = np.argsort(keys @ query, kind="stable")
    return int(order[-1])


@wrong(
    "best_match",
    "wrong-argmax-axis",
    note="argmax over all single products of the (n, d) array, so the index counts entries and not keys.",
)
def best_3(query, keys):
    return np.argmax(query * keys)


@wrong(
    "best_match",
    "euclidean-distance",
    note="Picks the nearest key by distance, not the one with the largest dot product.",
)
def best_4(query, keys):
    distances = [np.sqrt(((query - k) ** 2).sum()) for k in keys]
    return distances.index(min(distances))


@wrong("best_match", "lost-sign", note="Takes the absolute value first, so a strongly opposite key wins.")
def best_5(query, keys):
    return int(np.argmax(np.abs(np.einsum("d,nd->n", query, keys))))


@wrong("best_match", "returns-value-instead-of-index", note="Returns the winning key vector, not its index.")
def best_6(query, keys):
    scores = keys @ query
    return keys[np.argmax(scores)]


@wrong(
    "best_match",
    "last-left-out",
    note="Skips key 0 as the starting point and forgets to add 1 back to the index.",
)
def best_7(query, keys):
    scores = [float(np.dot(query, k)) for k in keys[1:]]
    if not scores or np.dot(query, keys[0]) >= max(scores):
        return 0
    return int(np.argmax(scores))


@wrong(
    "best_match",
    "cosine-instead-of-dot+last-on-tie",
    note="Divides by the key lengths and uses >= so the later of two equal keys wins.",
)
def best_8(query, keys):
    best, top = 0, -np.inf
    for i in range(len(keys)):
        norm = np.linalg.norm(keys[i])
        s = query @ keys[i] / norm if norm > 0 else 0.0
        if s >= top:
            top, best = s, i
    return best


# -------------------------------------------------------------- 02 project


@wrong(
    "project",
    "weight-transposed",
    note="Multiplies by W.T as nn.Linear does, but here W is already (d, d_out).",
)
def project_1(X, W):
    return F.linear(torch.as_tensor(X), torch.as_tensor(W)).numpy()


@wrong("project", "fixed-number-of-axes", note="The einsum letters allow one sequence only; batches fail.")
def project_2(X, W):
    return np.einsum("nd,do->no", X, W)


@wrong(
    "project",
    "shape-flattened",
    note="Flattens the batch into one long list of tokens and never restores the shape.",
)
def project_3(X, W):
    d = X.shape[-1]
    return X.reshape(-1, d) @ W


@wrong("project", "extra-nonlinearity", note="Adds a ReLU after the projection, as in a feed-forward layer.")
def project_4(X, W):
    out = X @ W
    out[out < 0] = 0
    return out


@wrong(
    "project",
    "float32",
    note="Converts to float32 for torch and never goes back, losing the float64 precision.",
)
def project_5(X, W):
    x = torch.FloatTensor(X)
    w = torch.FloatTensor(W)
    return torch.matmul(x, w).numpy()


@wrong("project", "weight-transposed", note="Entry j uses row W[j] instead of column W[:, j].")
def project_6(X, W):
    columns = [X @ W[j] for j in range(W.shape[1])]
    return np.stack(columns, axis=-1)


@wrong(
    "project",
    "reversed-all-axes",
    note="Goes through the column convention with .T, which reverses all axes of a batch.",
)
def project_7(X, W):
    return (W.T @ X.T).T


@wrong(
    "project",
    "centred-first+input-changed",
    note="Subtracts the mean token before projecting, and does it with -= inside the caller's X.",
)
def project_8(X, W):
    X -= X.mean(axis=-2, keepdims=True)
    return X @ W


# -------------------------------------------------- 02 queries_keys_values


@wrong("queries_keys_values", "key-weight-reused", note="Copy-paste: the value line still says W_k.")
def qkv_1(X, W_q, W_k, W_v):
    Q = np.matmul(X, W_q)
    K = np.matmul(X, W_k)
    V = np.matmul(X, W_k)
    return Q, K, V


@wrong(
    "queries_keys_values",
    "chained-projections",
    note="Values are computed from the keys and keys from the queries instead of all from X.",
)
def qkv_2(X, W_q, W_k, W_v):
    H = X
    outs = []
    for W in (W_q, W_k, W_v):
        H = H @ W
        outs.append(H)
    return tuple(outs)


@wrong("queries_keys_values", "wrong-order", note="Returns (Q, V, K): values in the place of keys.")
def qkv_3(X, W_q, W_k, W_v):
    return X @ W_q, X @ W_v, X @ W_k


@wrong(
    "queries_keys_values",
    "equal-thirds",
    note="Glues the weights together and cuts the result into three equal parts, wrong when d_v != d_k.",
)
def qkv_4(X, W_q, W_k, W_v):
    W = np.concatenate([W_q, W_k, W_v], axis=1)
    P = X @ W
    w = P.shape[-1] // 3
    return P[..., :w], P[..., w : 2 * w], P[..., 2 * w :]


@wrong(
    "queries_keys_values",
    "returns-generator",
    note="Round brackets round a comprehension make a generator, not a tuple.",
)
def qkv_5(X, W_q, W_k, W_v):
    return (X @ W for W in [W_q, W_k, W_v])


@wrong(
    "queries_keys_values",
    "scaled-too-early",
    note="Already divides the queries by sqrt(d_k), which is not part of the projection.",
)
def qkv_6(X, W_q, W_k, W_v):
    d_k = W_q.shape[1]
    return (X @ W_q) / np.sqrt(d_k), X @ W_k, X @ W_v


@wrong(
    "queries_keys_values",
    "value-not-projected+returns-list",
    note="Hands X itself out as the values and returns a list instead of a tuple.",
)
def qkv_7(X, W_q, W_k, W_v):
    return [X @ W_q, X @ W_k, X]


@wrong(
    "queries_keys_values",
    "first-batch-only",
    note="Strips the batch axis with X[0] and projects the first sequence only.",
)
def qkv_8(X, W_q, W_k, W_v):
    while X.ndim > 2:
        X = X[0]
    return tuple(np.einsum("nd,de->ne", X, W) for W in (W_q, W_k, W_v))


# ----------------------------------------------------- 02 attention_scores


@wrong(
    "attention_scores",
    "np-dot-crosses-batches",
    note="np.dot on batched arrays pairs every sequence with every other sequence.",
)
def scores_1(Q, K):
    return np.dot(Q, np.swapaxes(K, -1, -2))


@wrong("attention_scores", "reversed-all-axes", note="K.T on a batched array also moves the batch axis.")
def scores_2(Q, K):
    return Q @ K.T


@wrong(
    "attention_scores",
    "rows-paired",
    note="Multiplies query i with key i only, one number per row and no matrix.",
)
def scores_3(Q, K):
    n = min(Q.shape[-2], K.shape[-2])
    return (Q[..., :n, :] * K[..., :n, :]).sum(axis=-1)


@wrong(
    "attention_scores",
    "scaled-too-early",
    note="Divides by sqrt(d_k) though these scores are to be unscaled.",
)
def scores_4(Q, K):
    q, k = torch.as_tensor(Q), torch.as_tensor(K)
    return (q @ k.transpose(-2, -1) / k.shape[-1] ** 0.5).numpy()


@wrong(
    "attention_scores",
    "batch-mixed",
    note="Different letters for the two batch axes in einsum, so keys of all sequences are added together.",
)
def scores_5(Q, K):
    if Q.ndim == 2:
        return np.einsum("qd,kd->qk", Q, K)
    return np.einsum("...qd,ckd->...qk", Q, K.reshape(-1, K.shape[-2], K.shape[-1]))


@wrong("attention_scores", "softmax-too-early", note="Returns softmaxed weights where raw scores were asked.")
def scores_6(Q, K):
    S = np.einsum("...id,...jd->...ij", Q, K)
    E = np.exp(S - S.max(axis=-1, keepdims=True))
    return E / E.sum(axis=-1, keepdims=True)


@wrong(
    "attention_scores",
    "square-only",
    note="Both loops run over the number of queries, which fails or truncates when n_q != n_k.",
)
def scores_7(Q, K):
    n = Q.shape[-2]
    S = np.empty(Q.shape[:-2] + (n, n))
    for i in range(n):
        for j in range(n):
            S[..., i, j] = (Q[..., i, :] * K[..., j, :]).sum(-1)
    return S


@wrong(
    "attention_scores",
    "keys-by-queries+fixed-number-of-axes",
    note="Writes K Q^T, so rows are keys, and the einsum only takes exactly one batch axis.",
)
def scores_8(Q, K):
    if Q.ndim == 2:
        return K @ Q.T
    return np.einsum("bkd,bqd->bkq", K, Q)


# ----------------------------------------------------------- 02 mix_values


@wrong(
    "mix_values",
    "overwritten-instead-of-summed",
    note="Each key overwrites the row, so only the last key contributes.",
)
def mix_1(weights, V):
    out = np.zeros(weights.shape[:-1] + (V.shape[-1],))
    for i in range(weights.shape[-2]):
        for j in range(weights.shape[-1]):
            out[..., i, :] = weights[..., i, j][..., None] * V[..., j, :]
    return out


@wrong("mix_values", "renormalised", note="Divides by the row sum, though rows need not sum to 1.")
def mix_2(weights, V):
    total = weights.sum(axis=-1, keepdims=True)
    total = np.where(total == 0, 1, total)
    return (weights / total) @ V


@wrong("mix_values", "hard-lookup", note="Fetches only the value with the largest weight instead of mixing.")
def mix_3(weights, V):
    best = np.argmax(weights, axis=-1)
    return np.take_along_axis(V, best[..., None], axis=-2)


@wrong(
    "mix_values",
    "weights-transposed",
    note="einsum sums over the query axis, so the weights are used transposed.",
)
def mix_4(weights, V):
    return np.einsum("...kq,...kd->...qd", weights, V)


@wrong("mix_values", "softmax-again", note="Applies softmax to weights that are weights already.")
def mix_5(weights, V):
    w = torch.softmax(torch.as_tensor(weights), dim=-1)
    return torch.matmul(w, torch.as_tensor(V)).numpy()


@wrong(
    "mix_values",
    "small-weights-dropped",
    note="Skips weights not above 0.05 as unimportant, so small and negative weights disappear.",
)
def mix_6(weights, V):
    kept = np.where(weights > 0.05, weights, 0.0)
    return kept @ V


@wrong(
    "mix_values",
    "mean-instead-of-sum",
    note="Averages the weighted values over the keys instead of adding them.",
)
def mix_7(weights, V):
    return np.mean(weights[..., :, :, None] * V[..., None, :, :], axis=-2)


@wrong(
    "mix_values", "square-only", note="The result starts as zeros_like(V), which has n_k rows and not n_q."
)
def mix_8(weights, V):
    out = np.zeros_like(V)
    for i in range(V.shape[-2]):
        for j in range(V.shape[-2]):
            out[..., i, :] += weights[..., i, j, None] * V[..., j, :]
    return out


# ---------------------------------------------------- 02 rows_from_columns


@wrong("rows_from_columns", "not-transposed-back", note="Computes W @ I and leaves the tokens in columns.")
def rows_1(I, W):
    return W @ I


@wrong(
    "rows_from_columns",
    "reshape-instead-of-transpose",
    note="Uses reshape to get the (n, d_out) shape, which scrambles the entries.",
)
def rows_2(I, W):
    return (W @ I).reshape(I.shape[1], W.shape[0])


@wrong(
    "rows_from_columns",
    "weight-transposed",
    note="Turns I into rows but forgets that W must be transposed as well.",
)
def rows_3(I, W):
    X = I.T
    return X @ W


@wrong(
    "rows_from_columns",
    "columns-as-tokens",
    note="Iterates over the rows of I as if each row of I were a token.",
)
def rows_4(I, W):
    return np.array([W @ token for token in I])


@wrong(
    "rows_from_columns",
    "keepdims-left",
    note="Keeps each token as a (d, 1) column, so the result is (n, d_out, 1).",
)
def rows_5(I, W):
    out = []
    for t in range(I.shape[1]):
        out.append(W @ I[:, t : t + 1])
    return np.array(out)


@wrong(
    "rows_from_columns",
    "wrong-order",
    note="rot90 looks like a transpose but also reverses the order of the features.",
)
def rows_6(I, W):
    return np.rot90(W @ I, k=-1)


# -------------------------------------------------------- 02 QKVProjection


@wrong("QKVProjection", "bias-left-on", note="One of the three layers keeps its default bias.")
class QKVBias(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v)

    def forward(self, x):
        return self.W_q(x), self.W_k(x), self.W_v(x)


@wrong(
    "QKVProjection", "no-super-init", note="super().__init__() is never called, so torch refuses the layers."
)
class QKVNoSuper(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_q(x), self.W_k(x), self.W_v(x)


@wrong(
    "QKVProjection",
    "query-weight-reused",
    note="W_k is the same layer object as W_q (chained assignment), so queries and keys share weights.",
)
class QKVShared(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_q(x), self.W_k(x), self.W_v(x)


@wrong(
    "QKVProjection",
    "gradient-cut",
    note="The forward pass runs under no_grad, so the weights can never learn.",
)
class QKVNoGrad(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    @torch.no_grad()
    def forward(self, x):
        return self.W_q(x), self.W_k(x), self.W_v(x)


@wrong(
    "QKVProjection",
    "state-between-calls",
    note="Forward creates new random layers instead of using the attributes.",
)
class QKVFresh(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.sizes = (d_model, d_k, d_v)
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        m, k, v = self.sizes
        layers = [nn.Linear(m, size, bias=False).to(x.dtype) for size in (k, k, v)]
        return tuple(layer(x) for layer in layers)


@wrong("QKVProjection", "square-only", note="W_v is built with d_k outputs, so d_v is never used.")
class QKVWidth(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        for name in ("W_q", "W_k", "W_v"):
            setattr(self, name, nn.Linear(d_model, d_k, bias=False))

    def forward(self, x):
        return self.W_q(x), self.W_k(x), self.W_v(x)


@wrong(
    "QKVProjection",
    "wrong-attribute-names",
    note="One fused layer named qkv: the outputs look right but W_q, W_k, W_v do not exist.",
)
class QKVFused(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.split = (d_k, d_k, d_v)
        self.qkv = nn.Linear(d_model, 2 * d_k + d_v, bias=False)

    def forward(self, x):
        return self.qkv(x).split(self.split, dim=-1)


@wrong(
    "QKVProjection",
    "bias-left-on+query-weight-reused",
    note="Leaves every bias on and computes the keys with W_q.",
)
class QKVTwo(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k)
        self.W_k = nn.Linear(d_model, d_k)
        self.W_v = nn.Linear(d_model, d_v)

    def forward(self, x):
        q = self.W_q(x)
        k = self.W_q(x)
        v = self.W_v(x)
        return q, k, v


# ---------------------------------------------------- 03 measure_score_std


@wrong(
    "measure_score_std", "rng-ignored", note="Draws from the global np.random instead of the given generator."
)
def measure_1(n, d_k, rng):
    Q = np.random.randn(n, d_k)
    K = np.random.randn(n, d_k)
    return np.std(Q @ K.T)


@wrong(
    "measure_score_std",
    "formula-instead-of-measurement",
    note="Draws Q and K but returns sqrt(d_k) from the formula.",
)
def measure_2(n, d_k, rng):
    Q = rng.standard_normal((n, d_k))
    K = rng.standard_normal((n, d_k))
    scores = Q @ K.T
    return np.sqrt(Q.shape[1]) * 1.0


@wrong(
    "measure_score_std",
    "one-matrix-twice",
    note="Multiplies Q with itself: the diagonal of squared lengths inflates the std.",
)
def measure_3(n, d_k, rng):
    Q = rng.normal(size=(n, d_k))
    K = Q
    return float((Q @ K.T).std())


@wrong(
    "measure_score_std",
    "rows-paired",
    note="Only takes query i with key i, so n numbers are measured and not the n by n matrix.",
)
def measure_4(n, d_k, rng):
    Q, K = rng.normal(0, 1, (2, n, d_k))
    return np.std([q @ k for q, k in zip(Q, K)])


@wrong(
    "measure_score_std",
    "uniform-draws",
    note="rng.random draws uniform numbers in [0, 1), not standard normal ones.",
)
def measure_5(n, d_k, rng):
    Q = rng.random((n, d_k))
    K = rng.random((n, d_k))
    return (Q @ K.T).std()


@wrong(
    "measure_score_std",
    "columns-as-tokens",
    note="Computes Q.T @ K, so the sum runs over n and the std is about sqrt(n).",
)
def measure_6(n, d_k, rng):
    Q = rng.standard_normal((n, d_k))
    K = rng.standard_normal((n, d_k))
    return np.einsum("nd,ne->de", Q, K).std()


@wrong(
    "measure_score_std",
    "scaled-too-early",
    note="Divides the scores by sqrt(d_k) before measuring, so the answer is always about 1.",
)
def measure_7(n, d_k, rng):
    Q = rng.standard_normal((n, d_k))
    K = rng.standard_normal((n, d_k))
    scores = Q @ K.T / math.sqrt(d_k)
    return scores.std()


@wrong(
    "measure_score_std",
    "rng-reseeded+variance-instead-of-std",
    note="Makes its own default_rng(0) so every call gives one value, and returns the variance.",
)
def measure_8(n, d_k, rng):
    rng = np.random.default_rng(0)
    Q = rng.standard_normal((n, d_k))
    K = rng.standard_normal((n, d_k))
    return np.var(Q @ K.T)


# -------------------------------------------------- 03 predicted_score_std


@wrong("predicted_score_std", "means-forgotten", note="Multiplies the stds as if both means were 0.")
def predicted_1(d_k, mean_q, std_q, mean_k, std_k):
    return math.sqrt(d_k) * std_q * std_k


@wrong(
    "predicted_score_std", "no-square-root", note="Stops at the variance; the final square root is missing."
)
def predicted_2(d_k, mean_q, std_q, mean_k, std_k):
    one = (std_q**2 + mean_q**2) * (std_k**2 + mean_k**2) - (mean_q * mean_k) ** 2
    return d_k * one


@wrong(
    "predicted_score_std",
    "mean-not-subtracted",
    note="Uses E[q^2] E[k^2] and forgets to subtract the squared mean of the product.",
)
def predicted_3(d_k, mean_q, std_q, mean_k, std_k):
    return np.sqrt(d_k * (std_q**2 + mean_q**2) * (std_k**2 + mean_k**2))


@wrong(
    "predicted_score_std",
    "terms-crossed",
    note="Pairs each mean with its own std instead of with the other one's.",
)
def predicted_4(d_k, mean_q, std_q, mean_k, std_k):
    var = std_q**2 * std_k**2 + mean_q**2 * std_q**2 + mean_k**2 * std_k**2
    return (d_k * var) ** 0.5


@wrong(
    "predicted_score_std",
    "scaled-by-d_k",
    note="Adds up stds of d_k products (d_k times one std) instead of adding variances.",
)
def predicted_5(d_k, mean_q, std_q, mean_k, std_k):
    vq, vk = std_q**2, std_k**2
    std_of_one_product = math.sqrt(vq * vk + vq * mean_k**2 + vk * mean_q**2)
    return d_k * std_of_one_product


@wrong(
    "predicted_score_std",
    "operator-precedence",
    note="d_k multiplies only the first of the three terms because the brackets are missing.",
)
def predicted_6(d_k, mean_q, std_q, mean_k, std_k):
    return np.sqrt(d_k * std_q**2 * std_k**2 + mean_q**2 * std_k**2 + mean_k**2 * std_q**2)


@wrong(
    "predicted_score_std",
    "measured-with-too-few-draws",
    note="Simulates 50 dot products instead of the closed form, so the number is only rough.",
)
def predicted_7(d_k, mean_q, std_q, mean_k, std_k):
    rng = np.random.default_rng(42)
    q = rng.normal(mean_q, std_q, (50, d_k))
    k = rng.normal(mean_k, std_k, (50, d_k))
    return np.std((q * k).sum(axis=1))


@wrong(
    "predicted_score_std",
    "means-not-squared+one-term-forgotten",
    note="The means enter without squares, and the std_q^2 std_k^2 term is left out.",
)
def predicted_8(d_k, mean_q, std_q, mean_k, std_k):
    return np.sqrt(d_k * (abs(mean_q) * std_k**2 + abs(mean_k) * std_q**2))


# -------------------------------------------------------- 03 scaled_scores


@wrong(
    "scaled_scores",
    "operator-precedence",
    note="d_k ** 1 / 2 is d_k / 2 in Python, so the divisor is not a square root.",
)
def scaled_1(Q, K):
    d_k = K.shape[-1]
    return Q @ np.swapaxes(K, -1, -2) / (d_k**1 / 2)


@wrong(
    "scaled_scores", "scaled-by-sqrt-n", note="Takes the square root of the number of keys as the divisor."
)
def scaled_2(Q, K):
    n, _ = K.shape[-2:]
    return np.einsum("...qd,...kd->...qk", Q, K) / np.sqrt(n)


@wrong(
    "scaled_scores",
    "scaled-by-d_k",
    note="Divides both Q and K by sqrt(d_k), which divides the scores by d_k.",
)
def scaled_3(Q, K):
    root = np.sqrt(Q.shape[-1])
    return (Q / root) @ (K / root).swapaxes(-2, -1)


@wrong("scaled_scores", "scaled-up", note="The factor d_k ** 0.5 is multiplied instead of divided.")
def scaled_4(Q, K):
    scale = Q.shape[-1] ** 0.5
    return torch.matmul(torch.as_tensor(Q), torch.as_tensor(K).mT).mul(scale).numpy()


@wrong(
    "scaled_scores",
    "axis-counted-from-front",
    note="Reads the width from K.shape[1], which is right for 2-D arrays but not for batches.",
)
def scaled_5(Q, K):
    d_k = K.shape[1]
    return np.matmul(Q, np.moveaxis(K, -1, -2)) / math.sqrt(d_k)


@wrong("scaled_scores", "truncates-to-int", note="Rounds the square root down to an integer before dividing.")
def scaled_6(Q, K):
    return Q @ np.swapaxes(K, -1, -2) / math.isqrt(Q.shape[-1])


@wrong(
    "scaled_scores",
    "normalised-by-measured-std",
    note="Divides by the std of these very scores instead of by sqrt(d_k).",
)
def scaled_7(Q, K):
    S = Q @ np.swapaxes(K, -1, -2)
    s = S.std()
    return S / s if s > 0 else S


@wrong("scaled_scores", "input-changed", note="Q /= sqrt(d_k) divides inside the caller's array.")
def scaled_8(Q, K):
    Q /= np.sqrt(Q.shape[-1])
    return Q @ K.swapaxes(-1, -2)


@wrong(
    "scaled_scores",
    "no-scaling+reversed-all-axes",
    note="No divisor at all, and K.T breaks as soon as there is a batch.",
)
def scaled_9(Q, K):
    return Q.dot(K.T)


# ---------------------------------------------------------- 04 causal_mask


@wrong(
    "causal_mask", "transposed-mask", note="Fills the upper triangle: each query sees itself and the future."
)
def causal_1(n):
    m = np.zeros((n, n), dtype=bool)
    for i in range(n):
        m[i, i:] = True
    return m


@wrong("causal_mask", "diagonal-hidden", note="Uses key < query, so a token may not see itself.")
def causal_2(n):
    return np.array([[key < query for key in range(n)] for query in range(n)], dtype=bool).reshape(n, n)


@wrong(
    "causal_mask",
    "future-visible-by-one",
    note="The slice end is one too far, so the next token stays visible.",
)
def causal_3(n):
    m = np.full((n, n), False)
    for i in range(n):
        m[i, : i + 2] = True
    return m


@wrong(
    "causal_mask",
    "mask-not-bool",
    note="Returns a float array with 0 and -inf (an additive mask) instead of booleans.",
)
def causal_4(n):
    return np.triu(np.full((n, n), -np.inf), k=1)


@wrong("causal_mask", "mask-inverted", note="Marks the blocked positions with True, as nn.Transformer does.")
def causal_5(n):
    return torch.triu(torch.ones(n, n, dtype=torch.bool), diagonal=1).numpy()


@wrong("causal_mask", "only-last-two", note="Allows just the token itself and the one before it.")
def causal_6(n):
    return np.eye(n, dtype=bool) | np.eye(n, k=-1, dtype=bool)


@wrong(
    "causal_mask",
    "diagonal-hidden+mask-not-bool",
    note="tril with k=-1 hides the token itself, and ones stay floats.",
)
def causal_7(n):
    return np.tril(np.ones((n, n)), k=-1)


# --------------------------------------------------------- 04 padding_mask


@wrong("padding_mask", "off-by-one", note="Uses <=, so the first padding token counts as real.")
def padding_1(lengths, n):
    return np.arange(n)[None, :] <= np.asarray(lengths)[:, None]


@wrong(
    "padding_mask",
    "negative-zero-slice",
    note="Blanks the last n - length entries with a negative slice; -0 blanks a full sequence.",
)
def padding_2(lengths, n):
    mask = np.ones((len(lengths), n), dtype=bool)
    for b, length in enumerate(lengths):
        mask[b, -(n - length) :] = False
    return mask


@wrong("padding_mask", "padding-on-the-left", note="Puts the real tokens at the end of each row.")
def padding_3(lengths, n):
    return np.array([[False] * (n - L) + [True] * L for L in lengths], dtype=bool)


@wrong("padding_mask", "n-ignored", note="Takes the longest sequence as the width instead of n.")
def padding_4(lengths, n):
    n = max(lengths)
    return np.array([[t < L for t in range(n)] for L in lengths], dtype=bool)


@wrong("padding_mask", "transposed-mask", note="Positions run down the rows, so the result is (n, B).")
def padding_5(lengths, n):
    return np.arange(n)[:, None] < np.asarray(lengths)


@wrong("padding_mask", "longest-for-all", note="Compares with the largest length for every row.")
def padding_6(lengths, n):
    longest = np.max(lengths)
    return np.tile(np.arange(n) < longest, (len(lengths), 1))


@wrong(
    "padding_mask",
    "mask-inverted+off-by-one",
    note="True marks padding, and the first padding token is not marked because of >.",
)
def padding_7(lengths, n):
    t = torch.arange(n).unsqueeze(0)
    return (t > torch.as_tensor(np.asarray(lengths)).unsqueeze(1)).numpy()


@wrong(
    "padding_mask",
    "lengths-sorted",
    note="Sorts the sequences by length (as pack_padded_sequence wants) and keeps that order.",
)
def padding_8(lengths, n):
    lengths = sorted(lengths, reverse=True)
    mask = np.zeros((len(lengths), n), bool)
    for row, length in zip(mask, lengths):
        row[:length] = True
    return mask


# -------------------------------------------------------- 04 combined_mask


@wrong("combined_mask", "no-head-axis", note="Returns (B, n, n): the head axis is missing.")
def combined_1(lengths, n):
    pad = np.arange(n) < np.asarray(lengths)[:, None]
    return np.tri(n, dtype=bool)[None] & pad[:, None, :]


@wrong(
    "combined_mask",
    "padding-on-queries",
    note="The padding goes onto the query rows instead of the key columns.",
)
def combined_2(lengths, n):
    pad = np.arange(n) < np.asarray(lengths)[:, None]
    return np.tril(np.ones((n, n), dtype=bool)) & pad[:, None, :, None]


@wrong("combined_mask", "or-instead-of-and", note="Adds the two masks, which for booleans means or.")
def combined_3(lengths, n):
    pad = np.arange(n)[None] < np.asarray(lengths)[:, None]
    return np.tril(np.ones((n, n), dtype=bool)) + pad[:, None, None, :]


@wrong(
    "combined_mask",
    "padding-on-queries",
    note="Fills only a length-by-length triangle, so the rows of padding queries are hidden as well.",
)
def combined_4(lengths, n):
    mask = np.zeros((len(lengths), 1, n, n), dtype=bool)
    for b, L in enumerate(lengths):
        mask[b, 0, :L, :L] = np.tri(L, dtype=bool)
    return mask


@wrong("combined_mask", "no-head-axis", note="Puts the axis of length 1 in front of the batch: (1, B, n, n).")
def combined_5(lengths, n):
    masks = []
    for L in lengths:
        masks.append([[k <= q and k < L for k in range(n)] for q in range(n)])
    return np.array([masks], dtype=bool)


@wrong(
    "combined_mask",
    "causal-forgotten",
    note="Broadcasts the padding mask to (B, 1, n, n) and leaves the future open.",
)
def combined_6(lengths, n):
    pad = np.arange(n) < np.asarray(lengths)[:, None]
    return np.broadcast_to(pad[:, None, None, :], (len(pad), 1, n, n)).copy()


@wrong(
    "combined_mask",
    "overwritten-instead-of-collected",
    note="Each sequence overwrites the one mask, so all sequences get the last one's padding.",
)
def combined_7(lengths, n):
    for L in lengths:
        m = np.tri(n, dtype=bool)
        m[:, L:] = False
    return np.repeat(m[None, None], len(lengths), axis=0)


@wrong(
    "combined_mask",
    "mask-not-bool+future-visible-by-one",
    note="Multiplies 0/1 floats and lets each query see one token ahead.",
)
def combined_8(lengths, n):
    causal = np.tril(np.ones((n, n)), 1)
    pad = (np.arange(n) < np.asarray(lengths)[:, None]).astype(float)
    return causal[None, None] * pad[:, None, None]


# ----------------------------------------------------------- 04 apply_mask


@wrong("apply_mask", "zero-times-inf", note="0 * -inf is NaN, so every allowed score is destroyed.")
def apply_1(scores, allowed):
    with np.errstate(invalid="ignore"):
        return scores + (1 - allowed.astype(scores.dtype)) * -np.inf


@wrong("apply_mask", "input-changed", note="Writes -inf into the caller's scores (view instead of copy).")
def apply_2(scores, allowed):
    masked = scores[...]
    masked[~np.broadcast_to(allowed, scores.shape)] = -np.inf
    return masked


@wrong(
    "apply_mask",
    "zero-as-sentinel",
    note="Multiplies by the mask and then treats every 0 as blocked, so a real score of 0 is lost.",
)
def apply_3(scores, allowed):
    out = scores * allowed
    out[out == 0] = -np.inf
    return out


@wrong("apply_mask", "mask-value-too-small", note="Uses -1e-9 where a hugely negative number was meant.")
def apply_4(scores, allowed):
    return np.where(allowed, scores, -1e-9)


@wrong(
    "apply_mask",
    "mask-not-broadcast",
    note="Boolean indexing needs a mask of exactly the scores' shape, so one row or one head-less mask fails.",
)
def apply_5(scores, allowed):
    out = scores.copy()
    out[~allowed] = -np.inf
    return out


@wrong("apply_mask", "mask-ignored", note="masked_fill returns a new tensor that is thrown away.")
def apply_6(scores, allowed):
    s = torch.tensor(scores)
    s.masked_fill(~torch.tensor(allowed), float("-inf"))
    return s.numpy()


@wrong(
    "apply_mask",
    "softmax-too-early",
    note="Also applies the softmax, so it returns weights and not masked scores.",
)
def apply_7(scores, allowed):
    s = np.where(allowed, scores, -np.inf)
    m = np.max(s, axis=-1, keepdims=True)
    e = np.exp(s - np.where(np.isfinite(m), m, 0))
    return e / np.maximum(e.sum(axis=-1, keepdims=True), 1e-300)


@wrong(
    "apply_mask",
    "mask-inverted+mask-value-sign",
    note="Fills the allowed places, and with +inf instead of -inf.",
)
def apply_8(scores, allowed):
    return np.where(allowed, np.inf, scores)


# ----------------------------------------------------------- 04 to_blocked


@wrong(
    "to_blocked", "mask-not-inverted", note="Only converts to bool and thinks both conventions are the same."
)
def blocked_1(allowed):
    return np.array(allowed, dtype=bool)


@wrong("to_blocked", "mask-missing", note="~ on integers gives -1 and -2, both of which count as True.")
def blocked_2(allowed):
    return (~allowed.astype(int)).astype(bool)


@wrong("to_blocked", "array-truth-value", note="The Python word not cannot be applied to an array.")
def blocked_3(allowed):
    return np.array(not allowed)


@wrong(
    "to_blocked",
    "transposed-mask",
    note="Swaps queries and keys (causal allowed.T looks like blocked) instead of negating.",
)
def blocked_4(allowed):
    return np.swapaxes(allowed, -1, -2) if allowed.ndim > 1 else allowed.copy()


@wrong("to_blocked", "mask-ignored", note="Builds the blocked causal triangle whatever mask comes in.")
def blocked_5(allowed):
    n_q, n_k = allowed.shape[-2:] if allowed.ndim > 1 else (1, allowed.shape[-1])
    out = np.triu(np.ones((n_q, n_k), dtype=bool), k=1)
    return np.broadcast_to(out.reshape(out.shape if allowed.ndim > 1 else (n_k,)), allowed.shape)


@wrong(
    "to_blocked",
    "input-changed",
    note="Negates in place through out=allowed, so the caller's mask is flipped too.",
)
def blocked_6(allowed):
    return np.logical_not(allowed, out=allowed)


@wrong(
    "to_blocked",
    "minus-on-bool",
    note="1 minus a boolean is meant, but True - allowed is not defined for NumPy booleans.",
)
def blocked_7(allowed):
    return np.True_ - allowed


@wrong(
    "to_blocked",
    "square-only",
    note="Loops n by n over the number of queries, so it fails or misses keys when n_q != n_k.",
)
def blocked_8(allowed):
    n = allowed.shape[-2]
    blocked = allowed.copy()
    for i in range(n):
        for j in range(n):
            blocked[..., i, j] = np.logical_not(allowed[..., i, j])
    return blocked


# --------------------------------------------------------- 04 leaks_future


@wrong("leaks_future", "nothing-changed", note="X2 = X is no copy, so both runs see the same changed array.")
def leaks_1(attend, n, d):
    if n == 1:
        return False
    X = np.random.default_rng(0).normal(size=(n, d))
    X2 = X
    X2[-1] += 10.0
    return not np.allclose(attend(X)[:-1], attend(X2)[:-1])


@wrong(
    "leaks_future",
    "only-last-token",
    note="Changes the last token only, so leaks from tokens in the middle go unseen.",
)
def leaks_2(attend, n, d):
    if n < 2:
        return False
    X = np.random.default_rng(1).standard_normal((n, d))
    before = attend(X.copy())
    X[n - 1] = np.random.default_rng(2).standard_normal(d) * 3
    after = attend(X.copy())
    return bool(np.abs(before[: n - 1] - after[: n - 1]).max() > 1e-8)


@wrong(
    "leaks_future",
    "own-row-compared",
    note="Includes row t itself in the comparison, which of course changes with token t.",
)
def leaks_3(attend, n, d):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(n, d))
    base = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t] = rng.normal(size=d)
        if not np.allclose(base[: t + 1], attend(Y)[: t + 1], atol=1e-9):
            return True
    return False


@wrong(
    "leaks_future", "only-first-row", note="Returns after the first position, in the first round of the loop."
)
def leaks_4(attend, n, d):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(n, d))
    base = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t:] = rng.normal(size=(n - t, d))
        if np.abs(attend(Y)[:t] - base[:t]).max() > 1e-9:
            return True
        else:
            return False
    return False


@wrong(
    "leaks_future",
    "only-the-row-before",
    note="Compares only row t-1 when token t changes, so leaks further back are missed.",
)
def leaks_5(attend, n, d):
    rng = np.random.default_rng(5)
    X = rng.normal(size=(n, d))
    base = attend(X)
    found = False
    for t in range(1, n):
        Y = X.copy()
        Y[t] += 1 + rng.random(d)
        found = found or not np.allclose(attend(Y)[t - 1], base[t - 1], rtol=0, atol=1e-9)
    return found


@wrong(
    "leaks_future",
    "past-and-future-swapped",
    note="Changes the earlier tokens and looks at the later outputs, which may change.",
)
def leaks_6(attend, n, d):
    X = np.random.default_rng(6).normal(size=(n, d))
    base = attend(X)
    for t in range(n - 1):
        Y = X.copy()
        Y[t] = -3 * Y[t] + 1
        if (np.abs(attend(Y)[t + 1 :] - base[t + 1 :]) > 1e-9).any():
            return True
    return False


@wrong(
    "leaks_future",
    "nan-probe",
    note="Puts NaN into later tokens: 0 * NaN is NaN, so correct masking is accused as well.",
)
def leaks_7(attend, n, d):
    X = np.random.default_rng(7).normal(size=(n, d))
    for t in range(1, n):
        Y = X.copy()
        Y[t:] = np.nan
        if np.isnan(attend(Y)[:t]).any():
            return True
    return False


@wrong(
    "leaks_future",
    "own-row-compared",
    note="Compares the sum of the whole output, which also changes through the later rows.",
)
def leaks_8(attend, n, d):
    if n == 1:
        return False
    rng = np.random.default_rng(8)
    X = rng.normal(size=(n, d))
    Y = X.copy()
    Y[-1] += rng.normal(size=d)
    return bool(not np.isclose(attend(X).sum(), attend(Y).sum()))


@wrong(
    "leaks_future",
    "one-feature-only",
    note="Compares with == (rounding counts as a leak) and changes only feature 0 of each token.",
)
def leaks_9(attend, n, d):
    X = np.random.default_rng(9).normal(size=(n, d))
    base = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t, 0] += 5
        if not np.array_equal(attend(Y)[:t], base[:t]):
            return True
    return False


@wrong(
    "leaks_future",
    "result-inverted",
    note="Returns True when everything stayed the same, i.e. when it does NOT leak.",
)
def leaks_10(attend, n, d):
    rng = np.random.default_rng(10)
    X = rng.normal(size=(n, d))
    base = attend(X)
    same = []
    for t in range(1, n):
        Y = X.copy()
        Y[t] = rng.normal(size=d)
        same.append(np.allclose(attend(Y)[:t], base[:t], rtol=0, atol=1e-9))
    return all(same) if same else False
