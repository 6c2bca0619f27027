"""Wrong answers to the exercises of unit 01."""

import math

import numpy as np
import torch

from ..registry import wrong

# ------------------------------------------------------------------ dot


@wrong("dot", "no-sum")
def dot_elementwise(a, b):
    return a * b


@wrong("dot", "mean-instead-of-sum")
def dot_mean(a, b):
    return np.mean(a * b)


@wrong("dot", "outer-product")
def dot_outer(a, b):
    return np.outer(a, b)


@wrong("dot", "outer-product", note="the sum of the outer product: right for one entry")
def dot_outer_sum(a, b):
    return np.outer(a, b).sum()


@wrong("dot", "cosine-instead-of-dot", note="right for unit vectors")
def dot_cosine(a, b):
    return a @ b / (np.linalg.norm(a) * np.linalg.norm(b))


@wrong("dot", "lost-sign", note="right for positive numbers")
def dot_abs(a, b):
    return np.abs(a * b).sum()


@wrong("dot", "lost-sign", note="right when the result is positive")
def dot_abs_result(a, b):
    return abs(a @ b)


@wrong("dot", "added-instead-of-multiplied")
def dot_added(a, b):
    return np.sum(a + b)


@wrong("dot", "scaled-too-early")
def dot_scaled(a, b):
    return a @ b / np.sqrt(len(a))


@wrong("dot", "float32")
def dot_float32(a, b):
    return np.dot(a.astype(np.float32), b.astype(np.float32))


@wrong("dot", "float32", note="through a default torch tensor")
def dot_torch_float(a, b):
    return torch.dot(torch.Tensor(a), torch.Tensor(b)).numpy()


@wrong("dot", "keepdims-left", note="shape (1,), not a scalar")
def dot_keepdims(a, b):
    return np.sum(a * b, keepdims=True)


@wrong("dot", "last-left-out")
def dot_range_minus_one(a, b):
    total = 0.0
    for i in range(len(a) - 1):
        total += a[i] * b[i]
    return total


@wrong("dot", "last-left-out", note="the first one, this time")
def dot_range_from_one(a, b):
    return sum(a[i] * b[i] for i in range(1, len(a)))


@wrong("dot", "input-changed")
def dot_in_place(a, b):
    a *= b
    return a.sum()


@wrong("dot", "returned-inside-loop")
def dot_return_in_loop(a, b):
    total = 0.0
    for x, y in zip(a, b, strict=True):
        total += x * y
        return total


@wrong("dot", "truncates-to-int", note="right for integers")
def dot_int(a, b):
    return sum(int(x * y) for x, y in zip(a, b, strict=True))


@wrong("dot", "one-matrix-twice", note="right when a equals b")
def dot_a_a(a, b):
    return np.dot(a, a)


@wrong("dot", "wrong-order", note="np.convolve runs one of them backwards")
def dot_reversed(a, b):
    return np.convolve(a, b, mode="full")[len(a) - 1]


@wrong("dot", "state-between-calls", note="right on the first call only")
def dot_mutable_default(a, b, total=[0.0]):  # noqa: B006
    for x, y in zip(a, b, strict=True):
        total[0] += x * y
    return total[0]


@wrong("dot", "truncates-to-int", note="rounded for nice printing")
def dot_rounded(a, b):
    return round(float(a @ b), 2)


@wrong("dot", "overwritten-instead-of-summed")
def dot_overwrites(a, b):
    total = 0.0
    for x, y in zip(a, b, strict=True):
        total = x * y
    return total


@wrong("dot", "returns-none")
def dot_none(a, b):
    total = 0.0
    for x, y in zip(a, b, strict=True):
        total += x * y


# ------------------------------------------------------------------ cosine_similarity


@wrong("cosine_similarity", "zero-vector-nan")
def cosine_no_guard(a, b):
    return a @ b / (np.linalg.norm(a) * np.linalg.norm(b))


@wrong("cosine_similarity", "zero-vector-nan", note="guards the first vector only")
def cosine_guard_one(a, b):
    if not a.any():
        return 0.0
    return a @ b / (np.linalg.norm(a) * np.linalg.norm(b))


@wrong("cosine_similarity", "zero-vector-nan", note="guards only both zero: `and` for `or`")
def cosine_guard_and(a, b):
    length_a, length_b = np.linalg.norm(a), np.linalg.norm(b)
    if length_a == 0 and length_b == 0:
        return 0.0
    return a @ b / (length_a * length_b)


@wrong("cosine_similarity", "zero-vector-one", note="two zero vectors 'are identical'")
def cosine_zero_is_one(a, b):
    norms = np.linalg.norm(a) * np.linalg.norm(b)
    return a @ b / norms if norms > 0 else 1.0


@wrong("cosine_similarity", "returns-none", note="for a zero vector")
def cosine_zero_none(a, b):
    if a.any() and b.any():
        return a @ b / math.sqrt((a @ a) * (b @ b))


@wrong("cosine_similarity", "epsilon-too-large", note="wrong by 50 % for short vectors")
def cosine_eps(a, b):
    return a @ b / (np.linalg.norm(a) * np.linalg.norm(b) + 1e-6)


@wrong("cosine_similarity", "epsilon-too-large", note="a short vector is taken for zero")
def cosine_threshold(a, b):
    norms = np.linalg.norm(a) * np.linalg.norm(b)
    return a @ b / norms if norms > 1e-2 else 0.0


@wrong("cosine_similarity", "no-normalisation", note="right for unit vectors")
def cosine_is_dot(a, b):
    return a @ b


@wrong("cosine_similarity", "one-norm-forgotten", note="right when b has length 1")
def cosine_one_norm(a, b):
    length = np.linalg.norm(a)
    return a @ b / length if length > 0 else 0.0


@wrong("cosine_similarity", "one-norm-forgotten", note="a's length twice: right for equal lengths")
def cosine_same_norm_twice(a, b):
    if not a.any() or not b.any():
        return 0.0
    return a @ b / (np.linalg.norm(a) * np.linalg.norm(a))


@wrong("cosine_similarity", "no-square-root")
def cosine_squared_norms(a, b):
    norms = (a @ a) * (b @ b)
    return a @ b / norms if norms > 0 else 0.0


@wrong("cosine_similarity", "lost-sign", note="right for acute angles")
def cosine_abs(a, b):
    norms = np.linalg.norm(a) * np.linalg.norm(b)
    return np.abs(a @ b) / norms if norms > 0 else 0.0


@wrong("cosine_similarity", "lost-sign", note="clipped to [0, 1]")
def cosine_clipped(a, b):
    norms = np.linalg.norm(a) * np.linalg.norm(b)
    return float(np.clip(a @ b / norms, 0, 1)) if norms > 0 else 0.0


@wrong("cosine_similarity", "distance-instead-of-similarity")
def cosine_distance(a, b):
    norms = np.linalg.norm(a) * np.linalg.norm(b)
    return 1 - a @ b / norms if norms > 0 else 0.0


@wrong("cosine_similarity", "angle-instead-of-cosine")
def cosine_angle(a, b):
    norms = np.linalg.norm(a) * np.linalg.norm(b)
    return np.arccos(np.clip(a @ b / norms, -1, 1)) if norms > 0 else 0.0


@wrong("cosine_similarity", "wrong-norm", note="sum of absolute values")
def cosine_l1(a, b):
    norms = np.abs(a).sum() * np.abs(b).sum()
    return a @ b / norms if norms > 0 else 0.0


@wrong("cosine_similarity", "wrong-norm", note="sqrt(|a|^2 + |b|^2)")
def cosine_added_norms(a, b):
    norms = np.sqrt(a @ a + b @ b)
    return a @ b / norms if norms > 0 else 0.0


@wrong("cosine_similarity", "wrong-norm", note="number of entries")
def cosine_len(a, b):
    return a @ b / len(a)


@wrong("cosine_similarity", "input-changed")
def cosine_in_place(a, b):
    if not a.any() or not b.any():
        return 0.0
    a /= np.linalg.norm(a)
    b /= np.linalg.norm(b)
    return a @ b


@wrong("cosine_similarity", "centred-first", note="Pearson correlation: right for zero-mean vectors")
def cosine_pearson(a, b):
    a, b = a - a.mean(), b - b.mean()
    norms = np.linalg.norm(a) * np.linalg.norm(b)
    return a @ b / norms if norms > 0 else 0.0


@wrong("cosine_similarity", "any-instead-of-all", note="0.0 as soon as one entry is 0")
def cosine_all(a, b):
    if not a.all() or not b.all():
        return 0.0
    return a @ b / (np.linalg.norm(a) * np.linalg.norm(b))


@wrong("cosine_similarity", "zero-sum-taken-for-zero")
def cosine_zero_sum(a, b):
    if a.sum() == 0 or b.sum() == 0:
        return 0.0
    return a @ b / (np.linalg.norm(a) * np.linalg.norm(b))


@wrong("cosine_similarity", "float32")
def cosine_float32(a, b):
    ta, tb = torch.tensor(a, dtype=torch.float32), torch.tensor(b, dtype=torch.float32)
    return torch.cosine_similarity(ta, tb, dim=0).numpy()


@wrong("cosine_similarity", "euclidean-distance")
def cosine_euclid(a, b):
    return 1 / (1 + np.linalg.norm(a - b))


@wrong("cosine_similarity", "keepdims-left", note="shape (1,)")
def cosine_shape_one(a, b):
    norms = np.linalg.norm(a, keepdims=True) * np.linalg.norm(b, keepdims=True)
    return np.divide(a @ b, norms, out=np.zeros(1), where=norms > 0)


# ------------------------------------------------------------------ similarity_matrix


@wrong("similarity_matrix", "no-transpose", note="raises unless d == m")
def similarity_no_transpose(X, Y):
    return X @ Y


@wrong("similarity_matrix", "keys-by-queries", note="right when Y is X")
def similarity_transposed(X, Y):
    return Y @ X.T


@wrong("similarity_matrix", "keys-by-queries", note="einsum output letters swapped")
def similarity_einsum_ji(X, Y):
    return np.einsum("id,jd->ji", X, Y)


@wrong("similarity_matrix", "one-matrix-twice", note="right when Y is X")
def similarity_x_x(X, Y):
    return X @ X.T


@wrong("similarity_matrix", "cosine-instead-of-dot")
def similarity_cosine(X, Y):
    X = X / np.linalg.norm(X, axis=1, keepdims=True)
    Y = Y / np.linalg.norm(Y, axis=1, keepdims=True)
    return X @ Y.T


@wrong("similarity_matrix", "reshape-instead-of-transpose")
def similarity_reshape(X, Y):
    return X @ Y.reshape(Y.shape[1], Y.shape[0])


@wrong("similarity_matrix", "square-only", note="n rows of X are taken for m rows of Y")
def similarity_square_loop(X, Y):
    n = len(X)
    S = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            S[i, j] = X[i] @ Y[j]
    return S


@wrong("similarity_matrix", "square-only", note="assumes a symmetric result: right when Y is X")
def similarity_mirrored(X, Y):
    S = np.zeros((len(X), len(Y)))
    for i in range(len(X)):
        for j in range(i, len(Y)):
            S[i, j] = X[i] @ Y[j]
            if j < len(X) and i < len(Y):
                S[j, i] = S[i, j]
    return S


@wrong("similarity_matrix", "square-only", note="result allocated like X: right when m == d")
def similarity_zeros_like(X, Y):
    S = np.zeros_like(X)
    for i, x in enumerate(X):
        for j, y in enumerate(Y):
            S[i, j] = x @ y
    return S


@wrong("similarity_matrix", "mean-instead-of-sum")
def similarity_mean(X, Y):
    return (X[:, None] * Y[None]).mean(axis=-1)


@wrong("similarity_matrix", "no-sum", note="(n, m, d)")
def similarity_no_sum(X, Y):
    return X[:, None] * Y[None]


@wrong("similarity_matrix", "rows-paired", note="x_i with y_i only")
def similarity_paired(X, Y):
    return (X * Y).sum(axis=1)


@wrong("similarity_matrix", "columns-as-tokens")
def similarity_columns(X, Y):
    return X.T @ Y


@wrong("similarity_matrix", "float32")
def similarity_float32(X, Y):
    return (torch.tensor(X).float() @ torch.tensor(Y).float().T).numpy()


@wrong("similarity_matrix", "float32", note="the result array is float32")
def similarity_float32_buffer(X, Y):
    S = np.zeros((len(X), len(Y)), dtype=np.float32)
    for i, x in enumerate(X):
        S[i] = Y @ x
    return S


@wrong("similarity_matrix", "truncates-to-int", note="right for integers")
def similarity_int(X, Y):
    S = np.zeros((len(X), len(Y)), dtype=int)
    for i in range(len(X)):
        for j in range(len(Y)):
            S[i, j] = X[i] @ Y[j]
    return S


@wrong("similarity_matrix", "returns-list")
def similarity_list(X, Y):
    return [[float(x @ y) for y in Y] for x in X]


@wrong("similarity_matrix", "euclidean-distance")
def similarity_euclid(X, Y):
    return np.linalg.norm(X[:, None] - Y[None], axis=-1)


@wrong("similarity_matrix", "scaled-too-early")
def similarity_scaled(X, Y):
    return X @ Y.T / np.sqrt(X.shape[1])


@wrong("similarity_matrix", "last-left-out", note="last column stays 0")
def similarity_last_column(X, Y):
    S = np.zeros((len(X), len(Y)))
    for i in range(len(X)):
        for j in range(len(Y) - 1):
            S[i, j] = X[i] @ Y[j]
    return S


@wrong("similarity_matrix", "input-changed", note="transposes the caller's Y by its shape")
def similarity_in_place(X, Y):
    S = X @ Y.T
    Y.shape = (Y.shape[1], Y.shape[0])
    return S


@wrong("similarity_matrix", "lost-sign")
def similarity_abs(X, Y):
    return np.abs(X @ Y.T)


# ------------------------------------------------------------------ best_match


@wrong("best_match", "cosine-instead-of-dot", note="right for keys of equal length")
def best_cosine(query, keys):
    return int(np.argmax(keys @ query / (np.linalg.norm(keys, axis=1) + 1e-12)))


@wrong("best_match", "argmin")
def best_argmin(query, keys):
    return int(np.argmin(keys @ query))


@wrong("best_match", "last-on-tie")
def best_last(query, keys):
    scores = keys @ query
    return len(scores) - 1 - int(np.argmax(scores[::-1]))


@wrong("best_match", "last-on-tie", note=">= in the loop")
def best_loop_ge(query, keys):
    best, where = -np.inf, 0
    for i, key in enumerate(keys):
        if key @ query >= best:
            best, where = key @ query, i
    return where


@wrong("best_match", "last-on-tie", note="argsort()[-1]")
def best_argsort(query, keys):
    return int(np.argsort(keys @ query, kind="stable")[-1])


@wrong("best_match", "euclidean-distance")
def best_euclid(query, keys):
    return int(np.argmin(np.linalg.norm(keys - query, axis=1)))


@wrong("best_match", "lost-sign", note="right when no score is negative")
def best_abs(query, keys):
    return int(np.argmax(np.abs(keys @ query)))


@wrong("best_match", "returns-value-instead-of-index")
def best_score(query, keys):
    return np.max(keys @ query)


@wrong("best_match", "returns-value-instead-of-index", note="the key itself")
def best_key(query, keys):
    return keys[np.argmax(keys @ query)]


@wrong("best_match", "wrong-argmax-axis", note="argmax over all products, flattened")
def best_flat(query, keys):
    return int(np.argmax(keys * query))


@wrong("best_match", "wrong-argmax-axis", note="one index per feature")
def best_axis_zero(query, keys):
    return np.argmax(keys * query, axis=0)


@wrong("best_match", "returns-list", note="all the winners")
def best_all(query, keys):
    scores = keys @ query
    return np.flatnonzero(scores == scores.max())


@wrong("best_match", "starts-at-zero", note="wrong when every score is negative")
def best_start_zero(query, keys):
    best, where = 0.0, 0
    for i, key in enumerate(keys):
        if key @ query > best:
            best, where = key @ query, i
    return where


@wrong("best_match", "query-not-used", note="the longest key")
def best_longest(query, keys):
    return int(np.argmax(np.linalg.norm(keys, axis=1)))


@wrong("best_match", "off-by-one", note="counted from 1")
def best_one_based(query, keys):
    return int(np.argmax(keys @ query)) + 1


@wrong("best_match", "last-left-out", note="never looks at the last key")
def best_skip_last(query, keys):
    return int(np.argmax(keys[:-1] @ query))


@wrong("best_match", "returns-one-hot")
def best_one_hot(query, keys):
    scores = keys @ query
    return (scores == scores.max()).astype(int)


@wrong("best_match", "input-changed")
def best_in_place(query, keys):
    keys *= query
    return int(np.argmax(keys.sum(axis=1)))


@wrong("best_match", "truncates-to-int", note="scores within 1 of each other tie")
def best_int(query, keys):
    return int(np.argmax((keys @ query).astype(int)))


@wrong("best_match", "max-for-sum", note="largest single product")
def best_max_product(query, keys):
    return int(np.argmax((keys * query).max(axis=1)))


@wrong("best_match", "state-between-calls", note="remembers the best score of earlier calls")
def best_remembers(query, keys, best=[-np.inf, 0]):  # noqa: B006
    for i, key in enumerate(keys):
        if key @ query > best[0]:
            best[:] = [key @ query, i]
    return best[1]
