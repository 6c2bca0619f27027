"""Wrong answers to units 01 to 04: a third round; each author judged what the check says of the program."""

import itertools
import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from ..registry import wrong


@wrong("dot", "last-left-out", note="Loop starts at 1 instead of 0, so the first component is skipped")
def dot_1(a, b):
    s = 0.0
    for i in range(1, len(a)):
        s += a[i] * b[i]
    return s


@wrong(
    "dot",
    "truncates-to-int",
    note="Truncates the accumulated sum by starting an int array (int cast of each product)",
)
def dot_2(a, b):
    s = 0
    for x, y in zip(a, b):
        s += int(x * y)
    return s


@wrong("dot", "mean-instead-of-sum", note="Divides by the length: mean of products instead of the sum")
def dot_3(a, b):
    return np.mean(a * b)


@wrong("dot", "lost-sign", note="np.abs around the result because 'a similarity cannot be negative'")
def dot_4(a, b):
    return np.abs(np.sum(a * b))


@wrong(
    "dot", "keepdims-left", note="Returns an array of shape (1,) by reshaping a to a row and b to a column"
)
def dot_5(a, b):
    return (a.reshape(1, -1) @ b.reshape(-1, 1))[0]


@wrong("dot", "wrong-order", note="np.convolve-ish: pairs a with reversed b")
def dot_6(a, b):
    return sum(a[i] * b[-i - 1] for i in range(len(a)))


@wrong("dot", "outer-product", note="sum(a)*sum(b): sums each vector first and multiplies the totals")
def dot_7(a, b):
    return a.sum() * b.sum()


@wrong("dot", "returned-inside-loop", note="return inside the for loop: returns after the first product")
def dot_8(a, b):
    total = 0.0
    for x, y in zip(a, b):
        total += x * y
        return total


@wrong("cosine_similarity", "no-square-root", note="Normalises by squared lengths (forgot the square root)")
def cosine_similarity_9(a, b):
    na, nb = np.sum(a**2), np.sum(b**2)
    if na == 0 or nb == 0:
        return 0.0
    return float(a @ b / (na * nb))


@wrong("cosine_similarity", "wrong-norm", note="Adds the norms in the denominator instead of multiplying")
def cosine_similarity_10(a, b):
    d = np.linalg.norm(a) + np.linalg.norm(b)
    return 0.0 if d == 0 else float(a @ b / d)


@wrong("cosine_similarity", "zero-vector-nan", note="Handles the zero vector only when BOTH are zero")
def cosine_similarity_11(a, b):
    na, nb = np.linalg.norm(a), np.linalg.norm(b)
    if na == 0 and nb == 0:
        return 0.0
    return float(np.dot(a, b) / (na * nb))


@wrong(
    "cosine_similarity",
    "epsilon-too-large",
    note="Adds 1e-3 to the denominator to avoid dividing by zero: biased result for short vectors",
)
def cosine_similarity_12(a, b):
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b) + 1e-3))


@wrong(
    "cosine_similarity",
    "angle-instead-of-cosine",
    note="Returns the angle in radians (arccos) instead of the cosine",
)
def cosine_similarity_13(a, b):
    na, nb = np.linalg.norm(a), np.linalg.norm(b)
    if na == 0 or nb == 0:
        return 0.0
    return float(np.arccos(np.clip(a @ b / (na * nb), -1, 1)))


@wrong("cosine_similarity", "centred-first", note="Centres the vectors first (Pearson correlation)")
def cosine_similarity_14(a, b):
    a = a - a.mean()
    b = b - b.mean()
    n = np.linalg.norm(a) * np.linalg.norm(b)
    return 0.0 if n == 0 else float(a @ b / n)


@wrong(
    "cosine_similarity", "zero-vector-nan+wrong-norm", note="L1 norm instead of L2 norm AND zero case missing"
)
def cosine_similarity_15(a, b):
    return (a @ b) / (np.abs(a).sum() * np.abs(b).sum())


@wrong(
    "cosine_similarity",
    "zero-vector-one",
    note="Treats a zero dot product as 'zero vector' fine but returns 1.0 for zero vectors",
)
def cosine_similarity_16(a, b):
    na, nb = np.linalg.norm(a), np.linalg.norm(b)
    if na == 0 or nb == 0:
        return 1.0
    return float(a @ b / na / nb)


@wrong(
    "similarity_matrix",
    "square-only",
    note="Loops over range(n) for both axes, so columns beyond n are left zero / index error",
)
def similarity_matrix_17(X, Y):
    n = len(X)
    S = np.zeros((len(X), len(Y)))
    for i in range(n):
        for j in range(min(n, len(Y))):
            S[i, j] = X[i] @ Y[j]
    return S


@wrong("similarity_matrix", "one-matrix-twice", note="Uses X twice: compares X with itself")
def similarity_matrix_18(X, Y):
    return X @ X.T


@wrong(
    "similarity_matrix",
    "square-only",
    note="Fills only the upper triangle 'because similarity is symmetric' and mirrors nothing",
)
def similarity_matrix_19(X, Y):
    S = np.zeros((X.shape[0], Y.shape[0]))
    for i in range(X.shape[0]):
        for j in range(i, Y.shape[0]):
            S[i, j] = np.dot(X[i], Y[j])
    return S


@wrong("similarity_matrix", "reshape-instead-of-transpose", note="Y.reshape(d, m) instead of a transpose")
def similarity_matrix_20(X, Y):
    return X @ Y.reshape(Y.shape[1], Y.shape[0])


@wrong(
    "similarity_matrix", "cosine-instead-of-dot", note="Returns cosine similarities instead of dot products"
)
def similarity_matrix_21(X, Y):
    Xn = X / np.linalg.norm(X, axis=1, keepdims=True)
    Yn = Y / np.linalg.norm(Y, axis=1, keepdims=True)
    return Xn @ Yn.T


@wrong("best_match", "last-on-tie", note="Uses >= in the loop so the last key wins a tie")
def best_match_22(query, keys):
    best, idx = -np.inf, 0
    for i, k in enumerate(keys):
        s = query @ k
        if s >= best:
            best, idx = s, i
    return idx


@wrong("best_match", "starts-at-zero", note="Initialises best = 0, so all-negative products return key 0")
def best_match_23(query, keys):
    best, idx = 0, 0
    for i, k in enumerate(keys):
        s = np.dot(query, k)
        if s > best:
            best, idx = s, i
    return idx


@wrong("best_match", "euclidean-distance", note="Picks the nearest key (smallest Euclidean distance)")
def best_match_24(query, keys):
    return int(np.argmin(np.linalg.norm(keys - query, axis=1)))


@wrong("best_match", "lost-sign", note="argmax of absolute score")
def best_match_25(query, keys):
    return int(np.argmax(np.abs(keys @ query)))


@wrong("best_match", "argmin", note="Sorts with argsort ascending and takes [0]: the least similar key")
def best_match_26(query, keys):
    return int(np.argsort(keys @ query)[0])


@wrong("best_match", "returns-value-instead-of-index", note="Returns the best score and not its index")
def best_match_27(query, keys):
    return max(keys @ query)


@wrong(
    "best_match",
    "wrong-argmax-axis",
    note="Flattened argmax of elementwise product keys*query (no sum): index may exceed n",
)
def best_match_28(query, keys):
    return int(np.argmax(keys * query))


@wrong(
    "project",
    "weight-transposed",
    note="Uses np.dot fine for 2-D, but squares: W.T unless shape mismatch (W.T when W is square)",
)
def project_29(X, W):
    if W.shape[0] == W.shape[1]:
        return X @ W.T
    return X @ W


@wrong(
    "project",
    "shape-flattened",
    note="Flattens the batch: X.reshape(-1, d) @ W without restoring the batch axes",
)
def project_30(X, W):
    return X.reshape(-1, X.shape[-1]) @ W


@wrong("project", "normalised-first", note="Normalises the rows of X (unit length) before projecting")
def project_31(X, W):
    return (X / np.linalg.norm(X, axis=-1, keepdims=True)) @ W


@wrong("project", "extra-nonlinearity", note="Adds a ReLU after the projection as in an MLP layer")
def project_32(X, W):
    return np.maximum(X @ W, 0)


@wrong(
    "queries_keys_values",
    "key-weight-reused",
    note="Feeds Q into W_k chain: values computed from keys... K = X W_k, V = X W_k (copy-paste) when shapes allow",
)
def queries_keys_values_33(X, W_q, W_k, W_v):
    Q = X @ W_q
    K = X @ W_k
    V = X @ (W_k if W_k.shape == W_v.shape else W_v)
    return Q, K, V


@wrong("queries_keys_values", "query-weight-reused", note="Copy-paste: K computed with W_q")
def queries_keys_values_34(X, W_q, W_k, W_v):
    Q = X @ W_q
    K = X @ W_q
    V = X @ W_v
    return Q, K, V


@wrong("queries_keys_values", "wrong-order", note="Returns order (Q, V, K)")
def queries_keys_values_35(X, W_q, W_k, W_v):
    return X @ W_q, X @ W_v, X @ W_k


@wrong(
    "queries_keys_values",
    "returns-list+scaled-too-early",
    note="Divides Q and K by d_k**0.25 already ('scaling') AND returns a list",
)
def queries_keys_values_36(X, W_q, W_k, W_v):
    s = W_q.shape[-1] ** 0.25
    return [X @ W_q / s, X @ W_k / s, X @ W_v]


@wrong(
    "queries_keys_values",
    "returns-stacked",
    note="Stacks along the last axis: returns one concatenated array",
)
def queries_keys_values_37(X, W_q, W_k, W_v):
    return X @ np.concatenate([W_q, W_k, W_v], axis=1)


@wrong(
    "attention_scores",
    "reversed-all-axes",
    note="K.T reverses all axes instead of last two for batches (fails/garbles for 3-D)",
)
def attention_scores_38(Q, K):
    return Q @ K.T


@wrong(
    "attention_scores",
    "fixed-number-of-axes",
    note="swapaxes(0,1)... uses transpose(0, 2, 1) only: crashes on 2-D and 4-D input",
)
def attention_scores_39(Q, K):
    return Q @ np.transpose(K, (0, 2, 1))


@wrong("attention_scores", "keys-by-queries", note="Swaps: K Q^T, row i = key i")
def attention_scores_40(Q, K):
    return K @ np.swapaxes(Q, -1, -2)


@wrong(
    "attention_scores",
    "softmax-too-early",
    note="Divides by sqrt(d_k) AND sets the scores negative? no: scales and applies softmax",
)
def attention_scores_41(Q, K):
    s = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


@wrong(
    "attention_scores", "batch-mixed", note="einsum with a batch sum: '...qd,...kd->qk' sums over the batch"
)
def attention_scores_42(Q, K):
    s = Q @ np.swapaxes(K, -1, -2)
    while s.ndim > 2:
        s = s.sum(0)
    return s


@wrong("mix_values", "mean-instead-of-sum", note="Divides by the number of keys (average of weighted values)")
def mix_values_43(weights, V):
    return weights @ V / V.shape[-2]


@wrong("mix_values", "hard-lookup", note="Hard lookup: takes the value with the largest weight only")
def mix_values_44(weights, V):
    i = np.argmax(weights, axis=-1)
    return np.take_along_axis(V, i[..., None], axis=-2)


@wrong("mix_values", "weights-transposed", note="Uses weights transposed when square (weights over queries)")
def mix_values_45(weights, V):
    if weights.shape[-1] == weights.shape[-2]:
        return np.swapaxes(weights, -1, -2) @ V
    return weights @ V


@wrong("mix_values", "renormalised+lost-sign", note="Clips negative weights to zero AND renormalises")
def mix_values_46(weights, V):
    w_ = np.clip(weights, 0, None)
    s = w_.sum(-1, keepdims=True)
    w_ = w_ / np.where(s == 0, 1, s)
    return w_ @ V


@wrong(
    "rows_from_columns",
    "reshape-instead-of-transpose",
    note="Reshapes the column result instead of transposing",
)
def rows_from_columns_47(I, W):
    C = W @ I
    return C.reshape(I.shape[1], W.shape[0])


@wrong(
    "rows_from_columns",
    "weight-transposed",
    note="Transposes only the input: I.T @ W, working when W is square, else falling back to the right one",
)
def rows_from_columns_48(I, W):
    if W.shape[0] == W.shape[1]:
        return I.T @ W
    return I.T @ W.T


@wrong(
    "rows_from_columns",
    "wrong-order",
    note="Flips the result instead of transposing twice: I.T @ W.T with rows reversed (np.flip)",
)
def rows_from_columns_49(I, W):
    return np.rot90(W @ I)


@wrong(
    "QKVProjection",
    "query-weight-reused",
    note="All three attributes are the same nn.Linear object (shared weights) when d_k == d_v; else W_q is W_k",
)
class QKVProjection_50(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = self.W_q
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_q(x), self.W_k(x), self.W_v(x)


@wrong(
    "QKVProjection",
    "gradient-cut",
    note="V is projected from K's linear: chains W_v on x but returns torch.relu of it? -> forward detaches the values (torch.no_grad) so W_v gets no gradient",
)
class QKVProjection_51(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        with torch.no_grad():
            V = self.W_v(x)
        return self.W_q(x), self.W_k(x), V


@wrong("QKVProjection", "bias-left-on", note="Leaves the bias on in W_v only")
class QKVProjection_52(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v)

    def forward(self, x):
        return self.W_q(x), self.W_k(x), self.W_v(x)


@wrong(
    "QKVProjection",
    "state-between-calls",
    note="Makes new nn.Linear layers inside forward, ignoring the ones from __init__",
)
class QKVProjection_53(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.d = (d_model, d_k, d_v)
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        m, k, v = self.d
        return (
            nn.Linear(m, k, bias=False).to(x)(x),
            nn.Linear(m, k, bias=False).to(x)(x),
            nn.Linear(m, v, bias=False).to(x)(x),
        )


@wrong(
    "QKVProjection",
    "weight-transposed",
    note="Multiplies x @ W.weight without .T, with the Linear built as (d_k, d_model) so shapes work",
)
class QKVProjection_54(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_k, d_model, bias=False)
        self.W_k = nn.Linear(d_k, d_model, bias=False)
        self.W_v = nn.Linear(d_v, d_model, bias=False)

    def forward(self, x):
        return x @ self.W_q.weight, x @ self.W_k.weight, x @ self.W_v.weight


@wrong(
    "QKVProjection",
    "head-lists-not-registered",
    note="Keeps layers in a plain python list, and only exposes them as properties (not registered: no parameters())",
)
class QKVProjection_55(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.layers = [nn.Linear(d_model, d, bias=False) for d in (d_k, d_k, d_v)]

    W_q = property(lambda s: s.layers[0])
    W_k = property(lambda s: s.layers[1])
    W_v = property(lambda s: s.layers[2])

    def forward(self, x):
        return tuple(l(x) for l in self.layers)


@wrong(
    "QKVProjection",
    "scaled-too-early+square-only",
    note="Scales the queries by sqrt(d_k) AND uses d_k for W_v",
)
class QKVProjection_56(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.s = d_k**0.5
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_k, bias=False)

    def forward(self, x):
        return self.W_q(x) / self.s, self.W_k(x), self.W_v(x)


@wrong(
    "measure_score_std", "uniform-draws", note="Draws uniform numbers (rng.random) instead of standard normal"
)
def measure_score_std_57(n, d_k, rng):
    Q = rng.random((n, d_k))
    K = rng.random((n, d_k))
    return (Q @ K.T).std()


@wrong(
    "measure_score_std",
    "one-matrix-twice",
    note="Uses K = Q (draws once), so the diagonal squared lengths distort the std",
)
def measure_score_std_58(n, d_k, rng):
    Q = rng.standard_normal((n, d_k))
    return (Q @ Q.T).std()


@wrong(
    "measure_score_std",
    "rng-ignored",
    note="Makes its own default_rng() inside, ignoring the given generator",
)
def measure_score_std_59(n, d_k, rng):
    rng = np.random.default_rng()
    Q = rng.normal(size=(n, d_k))
    K = rng.normal(size=(n, d_k))
    return np.std(Q @ K.T)


@wrong(
    "measure_score_std", "rng-reseeded", note="Own seeded generator default_rng(0), ignoring the given one"
)
def measure_score_std_60(n, d_k, rng):
    r = np.random.default_rng(0)
    Q = r.normal(size=(n, d_k))
    K = r.normal(size=(n, d_k))
    return np.std(Q @ K.T)


@wrong(
    "measure_score_std",
    "wrong-std-axis",
    note="Std of the column std: averages the per-row standard deviations? takes std over rows of the mean score",
)
def measure_score_std_61(n, d_k, rng):
    Q = rng.normal(size=(n, d_k))
    K = rng.normal(size=(n, d_k))
    return np.std((Q @ K.T).mean(axis=1))


@wrong("measure_score_std", "columns-as-tokens", note="Q.T @ K: a (d_k, d_k) product, std about sqrt(n)")
def measure_score_std_62(n, d_k, rng):
    Q = rng.normal(size=(n, d_k))
    K = rng.normal(size=(n, d_k))
    return np.std(Q.T @ K)


@wrong("measure_score_std", "no-sum", note="Elementwise product Q*K instead of Q @ K.T")
def measure_score_std_63(n, d_k, rng):
    Q = rng.normal(size=(n, d_k))
    K = rng.normal(size=(n, d_k))
    return np.std(Q * K)


@wrong("measure_score_std", "rows-paired", note="Only the diagonal scores: one dot product per pair (i, i)")
def measure_score_std_64(n, d_k, rng):
    Q = rng.normal(size=(n, d_k))
    K = rng.normal(size=(n, d_k))
    return np.std((Q * K).sum(axis=1))


@wrong(
    "predicted_score_std",
    "scaled-by-d_k",
    note="Returns std of entries product times d_k, i.e. d_k outside the root",
)
def predicted_score_std_65(d_k, mean_q, std_q, mean_k, std_k):
    v = std_q**2 * std_k**2 + std_q**2 * mean_k**2 + std_k**2 * mean_q**2
    return d_k * np.sqrt(v)


@wrong(
    "predicted_score_std",
    "mean-not-subtracted",
    note="Forgets to subtract (mean_q mean_k)^2: second moment instead of variance",
)
def predicted_score_std_66(d_k, mean_q, std_q, mean_k, std_k):
    return np.sqrt(d_k * (mean_q**2 + std_q**2) * (mean_k**2 + std_k**2))


@wrong(
    "predicted_score_std",
    "terms-crossed",
    note="Pairs each mean with its own std (mean_q*std_q) in the cross terms",
)
def predicted_score_std_67(d_k, mean_q, std_q, mean_k, std_k):
    return math.sqrt(d_k * (std_q**2 * std_k**2 + mean_q**2 * std_q**2 + mean_k**2 * std_k**2))


@wrong(
    "predicted_score_std",
    "added-instead-of-multiplied",
    note="Adds the variances as for a sum: sqrt(d_k (std_q^2+std_k^2))",
)
def predicted_score_std_68(d_k, mean_q, std_q, mean_k, std_k):
    return math.sqrt(d_k * (std_q**2 + std_k**2))


@wrong("predicted_score_std", "means-not-squared", note="Cross terms without squares on means")
def predicted_score_std_69(d_k, mean_q, std_q, mean_k, std_k):
    v = std_q**2 * std_k**2 + std_q**2 * abs(mean_k) + std_k**2 * abs(mean_q)
    return math.sqrt(d_k * v)


@wrong("predicted_score_std", "no-square-root", note="Returns the variance (no root)")
def predicted_score_std_70(d_k, mean_q, std_q, mean_k, std_k):
    return d_k * (std_q**2 * std_k**2 + std_q**2 * mean_k**2 + std_k**2 * mean_q**2)


@wrong(
    "predicted_score_std",
    "means-forgotten+no-square-root",
    note="Combines: forgets sqrt AND drops the cross terms",
)
def predicted_score_std_71(d_k, mean_q, std_q, mean_k, std_k):
    return d_k * std_q**2 * std_k**2


@wrong(
    "predicted_score_std",
    "measured-with-too-few-draws",
    note="Runs a small Monte Carlo with a fixed seed (1000 draws), not exact",
)
def predicted_score_std_72(d_k, mean_q, std_q, mean_k, std_k):
    r = np.random.default_rng(0)
    q = r.normal(mean_q, std_q, (1000, d_k))
    k = r.normal(mean_k, std_k, (1000, d_k))
    return (q * k).sum(1).std()


@wrong("scaled_scores", "truncates-to-int", note="Integer square root int(np.sqrt(d_k))")
def scaled_scores_73(Q, K):
    return Q @ np.swapaxes(K, -1, -2) / int(np.sqrt(Q.shape[-1]))


@wrong("scaled_scores", "operator-precedence", note="Operator precedence: Q K^T / d_k ** 1 / 2")
def scaled_scores_74(Q, K):
    d_k = Q.shape[-1]
    return Q @ np.swapaxes(K, -1, -2) / d_k**1 / 2


@wrong("scaled_scores", "scaled-up", note="Multiplies by sqrt(d_k) instead of dividing")
def scaled_scores_75(Q, K):
    return Q @ np.swapaxes(K, -1, -2) * np.sqrt(Q.shape[-1])


@wrong(
    "scaled_scores",
    "normalised-by-measured-std",
    note="Divides by the measured std of the scores ('so std becomes 1')",
)
def scaled_scores_76(Q, K):
    S = Q @ np.swapaxes(K, -1, -2)
    return S / S.std()


@wrong("scaled_scores", "scaled-by-d_k", note="Scales both Q and K by sqrt(d_k): divides twice")
def scaled_scores_77(Q, K):
    r = np.sqrt(Q.shape[-1])
    return (Q / r) @ np.swapaxes(K / r, -1, -2)


@wrong(
    "scaled_scores",
    "cosine-instead-of-dot",
    note="Normalises Q and K to unit length (cosine) and divides by sqrt(d_k)",
)
def scaled_scores_78(Q, K):
    q = Q / np.linalg.norm(Q, axis=-1, keepdims=True)
    k = K / np.linalg.norm(K, axis=-1, keepdims=True)
    return q @ np.swapaxes(k, -1, -2) / np.sqrt(Q.shape[-1])


@wrong("scaled_scores", "scaled-by-sqrt-n+keys-by-queries", note="Swaps Q and K AND divides by sqrt(n)")
def scaled_scores_79(Q, K):
    return K @ np.swapaxes(Q, -1, -2) / np.sqrt(Q.shape[-2])


@wrong("scaled_scores", "input-changed", note="In-place Q /= sqrt(d_k): right result but mutates the input")
def scaled_scores_80(Q, K):
    Q /= np.sqrt(Q.shape[-1])
    return Q @ np.swapaxes(K, -1, -2)


@wrong("causal_mask", "diagonal-hidden", note="np.tril(..., k=-1): a token may not see itself")
def causal_mask_81(n):
    return np.tril(np.ones((n, n), dtype=bool), k=-1)


@wrong("causal_mask", "mask-not-bool", note="Returns 0 / -inf float bias matrix instead of bool")
def causal_mask_82(n):
    m = np.zeros((n, n))
    m[np.triu_indices(n, 1)] = -np.inf
    return m


@wrong(
    "causal_mask",
    "diagonal-hidden",
    note="Loop 'for j in range(i)' plus the first row: sees only strictly earlier, but row 0 sees itself to avoid an empty row",
)
def causal_mask_83(n):
    m = np.zeros((n, n), dtype=bool)
    for i in range(n):
        for j in range(i):
            m[i, j] = True
    m[0, 0] = True
    return m


@wrong("causal_mask", "only-last-two", note="Only the previous token and itself (window of 2)")
def causal_mask_84(n):
    i = np.arange(n)
    d = i[:, None] - i[None, :]
    return (d == 0) | (d == 1)


@wrong("causal_mask", "flipped-triangle", note="Anti-diagonal: flips the wrong way (np.fliplr of tril)")
def causal_mask_85(n):
    return np.fliplr(np.tril(np.ones((n, n), dtype=bool)))


@wrong("padding_mask", "off-by-one", note="<= instead of <: one pad token let through")
def padding_mask_86(lengths, n):
    return np.arange(n)[None, :] <= np.asarray(lengths)[:, None]


@wrong("padding_mask", "padding-on-the-left", note="Left padding: real tokens at the end")
def padding_mask_87(lengths, n):
    L = np.asarray(lengths)
    return np.arange(n)[None] >= (n - L)[:, None]


@wrong("padding_mask", "one-token-only", note="Marks the position `lengths` only (one-hot)")
def padding_mask_88(lengths, n):
    return np.arange(n)[None] == (np.asarray(lengths) - 1)[:, None]


@wrong("padding_mask", "transposed-mask", note="Loop returns (n, B)")
def padding_mask_89(lengths, n):
    return np.arange(n)[:, None] < np.asarray(lengths)[None, :]


@wrong("padding_mask", "n-ignored", note="Uses max(lengths) as width instead of n")
def padding_mask_90(lengths, n):
    L = np.asarray(lengths)
    return np.arange(L.max())[None] < L[:, None]


@wrong(
    "padding_mask",
    "bitwise-on-int",
    note="Builds with mask[b, :L] = 1 in a zeros int array and inverts with ~ (bitwise on ints: -1/-2)",
)
def padding_mask_91(lengths, n):
    m = np.ones((len(lengths), n), dtype=int)
    for b, L in enumerate(lengths):
        m[b, :L] = 0
    return ~m


@wrong("combined_mask", "or-instead-of-and", note="causal OR padding instead of AND")
def combined_mask_92(lengths, n):
    c = np.tril(np.ones((n, n), bool))[None, None]
    p = (np.arange(n) < np.asarray(lengths)[:, None])[:, None, None, :]
    return c | p


@wrong("combined_mask", "padding-on-queries", note="Masks padding queries, not keys")
def combined_mask_93(lengths, n):
    c = np.tril(np.ones((n, n), bool))[None, None]
    p = (np.arange(n) < np.asarray(lengths)[:, None])[:, None, :, None]
    return c & p


@wrong("combined_mask", "padding-on-queries", note="Masks both padding queries and padding keys")
def combined_mask_94(lengths, n):
    c = np.tril(np.ones((n, n), bool))[None, None]
    p = np.arange(n) < np.asarray(lengths)[:, None]
    return c & p[:, None, None, :] & p[:, None, :, None]


@wrong("combined_mask", "shortest-for-all", note="Uses the minimum length of the batch for everyone")
def combined_mask_95(lengths, n):
    c = np.tril(np.ones((n, n), bool))[None, None]
    p = np.arange(n) < min(lengths)
    return np.repeat(c & p, len(lengths), axis=0)


@wrong("combined_mask", "no-head-axis", note="Forgets the head axis: (B, n, n)")
def combined_mask_96(lengths, n):
    c = np.tril(np.ones((n, n), bool))
    return c[None] & (np.arange(n) < np.asarray(lengths)[:, None])[:, None, :]


@wrong("combined_mask", "diagonal-hidden+off-by-one", note="Strict causal (no self) AND pad off by one")
def combined_mask_97(lengths, n):
    c = np.tril(np.ones((n, n), bool), -1)[None, None]
    p = (np.arange(n) <= np.asarray(lengths)[:, None])[:, None, None, :]
    return c & p


@wrong(
    "combined_mask",
    "diagonal-left-open",
    note="Fully masked rows 'rescued' by letting a token always see itself, including pad positions",
)
def combined_mask_98(lengths, n):
    c = np.tril(np.ones((n, n), bool))[None, None]
    p = (np.arange(n) < np.asarray(lengths)[:, None])[:, None, None, :]
    return (c & p) | np.eye(n, dtype=bool)[None, None]


@wrong(
    "apply_mask",
    "zero-times-inf",
    note="Multiplies scores by allowed then adds -inf*0 (NaN): scores * allowed + (1-allowed) * -inf",
)
def apply_mask_99(scores, allowed):
    with np.errstate(invalid="ignore"):
        return scores * allowed + (1 - allowed) * -np.inf


@wrong("apply_mask", "mask-value-too-small", note="Fills with -1e9 instead of -inf")
def apply_mask_100(scores, allowed):
    return np.where(allowed, scores, -1e9)


@wrong(
    "apply_mask",
    "zero-as-sentinel",
    note="Treats zero scores as masked as well: where(scores*allowed, scores, -inf)",
)
def apply_mask_101(scores, allowed):
    return np.where(scores * allowed, scores, -np.inf)


@wrong(
    "apply_mask",
    "input-changed",
    note="Boolean indexing scores[~allowed] with in-place write on the input (no copy)",
)
def apply_mask_102(scores, allowed):
    scores[~np.broadcast_to(allowed, scores.shape)] = -np.inf
    return scores


@wrong(
    "apply_mask",
    "mask-not-broadcast",
    note="Indexes with the unbroadcast mask on the copy: works only for full-shape masks",
)
def apply_mask_103(scores, allowed):
    out = scores.copy()
    out[~allowed] = -np.inf
    return out


@wrong("apply_mask", "transposed-mask", note="Transposes the mask (reads it as key x query) when square")
def apply_mask_104(scores, allowed):
    a = np.asarray(allowed)
    if a.ndim >= 2 and a.shape[-1] == a.shape[-2]:
        a = np.swapaxes(a, -1, -2)
    return np.where(a, scores, -np.inf)


@wrong(
    "apply_mask", "blocked-row-left-open", note="Rescues empty rows: rows with no allowed key left unmasked"
)
def apply_mask_105(scores, allowed):
    a = np.broadcast_to(allowed, scores.shape)
    a = a | ~a.any(-1, keepdims=True)
    return np.where(a, scores, -np.inf)


@wrong(
    "apply_mask",
    "scores-forgotten",
    note="Rounds to -inf AND converts kept scores to 0/1? keeps 0 where allowed (returns the additive bias, not scores)",
)
def apply_mask_106(scores, allowed):
    return np.where(np.broadcast_to(allowed, scores.shape), 0.0, -np.inf)


@wrong("to_blocked", "mask-not-bool", note="-allowed.astype(int): 0 / -1")
def to_blocked_107(allowed):
    return -allowed.astype(int)


@wrong("to_blocked", "mask-not-bool", note="Returns additive float bias 0/-inf")
def to_blocked_108(allowed):
    return np.where(allowed, 0.0, -np.inf)


@wrong("to_blocked", "transposed-mask", note="Transposes instead of negating")
def to_blocked_109(allowed):
    return np.swapaxes(allowed, -1, -2) if allowed.ndim > 1 else allowed


@wrong(
    "to_blocked", "mask-ignored", note="Ignores the input: always the causal blocked mask np.triu(ones, 1)"
)
def to_blocked_110(allowed):
    return np.broadcast_to(np.triu(np.ones(allowed.shape[-2:], bool), 1), allowed.shape).copy()


@wrong("to_blocked", "input-changed", note="In-place np.logical_not(allowed, out=allowed) changes the input")
def to_blocked_111(allowed):
    return np.logical_not(allowed, out=allowed)


@wrong("to_blocked", "transposed-mask", note="Negates and transposes")
def to_blocked_112(allowed):
    return ~np.swapaxes(allowed, -1, -2)


@wrong("leaks_future", "only-last-token", note="Only perturbs the last token and compares the first output")
def leaks_future_113(attend, n, d):
    r = np.random.default_rng(0)
    X = r.normal(size=(n, d))
    Y = X.copy()
    Y[-1] += 1.0
    return not np.allclose(attend(X)[0], attend(Y)[0]) if n > 1 else False


@wrong(
    "leaks_future", "own-row-compared", note="Perturbs the last token and compares all outputs incl. its own"
)
def leaks_future_114(attend, n, d):
    r = np.random.default_rng(0)
    X = r.normal(size=(n, d))
    Y = X.copy()
    Y[-1] += 1.0
    return not np.allclose(attend(X), attend(Y))


@wrong("leaks_future", "nothing-changed", note="Y = X without copy, so base and perturbed are the same array")
def leaks_future_115(attend, n, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    for t in range(1, n):
        Y = X
        Y[t] += 1
        if not np.allclose(attend(X)[:t], attend(Y)[:t]):
            return True
    return False


@wrong("leaks_future", "returned-inside-loop", note="Returns inside the loop: only t = 1 is tested")
def leaks_future_116(attend, n, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    base = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t] += 1
        return bool(not np.allclose(base[:t], attend(Y)[:t]))
    return False


@wrong(
    "leaks_future",
    "past-and-future-swapped",
    note="Compares outputs from t on (later outputs) instead of before t: base[t:]",
)
def leaks_future_117(attend, n, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    base = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t] += 1
        if not np.allclose(base[t:], attend(Y)[t:]):
            return True
    return False


@wrong("leaks_future", "own-row-compared", note="Off by one: compares base[:t+1]")
def leaks_future_118(attend, n, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    base = attend(X)
    for t in range(n):
        Y = X.copy()
        Y[t] += 1
        if not np.allclose(base[: t + 1], attend(Y)[: t + 1]):
            return True
    return False


@wrong(
    "leaks_future",
    "last-left-out+off-by-one",
    note="Off by one the other way: compares base[:t-1], missing one-step-ahead leaks",
)
def leaks_future_119(attend, n, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    base = attend(X)
    for t in range(2, n):
        Y = X.copy()
        Y[t] += 1
        if not np.allclose(base[: t - 1], attend(Y)[: t - 1]):
            return True
    return False


@wrong("leaks_future", "one-feature-only", note="Perturbs only feature 0 of each later token")
def leaks_future_120(attend, n, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    base = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t, 0] += 1
        if not np.allclose(base[:t], attend(Y)[:t]):
            return True
    return False


@wrong("leaks_future", "compares-sums", note="Compares the mean of the outputs with a loose tolerance 0.1")
def leaks_future_121(attend, n, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    base = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t] += 1
        if abs(base[:t].mean() - attend(Y)[:t].mean()) > 0.1:
            return True
    return False


@wrong("leaks_future", "result-inverted", note="Inverted answer: returns True when causal")
def leaks_future_122(attend, n, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    base = attend(X)
    for t in range(1, n):
        Y = X.copy()
        Y[t] += 1
        if not np.allclose(base[:t], attend(Y)[:t]):
            return False
    return True
