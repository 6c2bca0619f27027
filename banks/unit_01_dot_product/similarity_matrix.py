"""Right and wrong answers to `similarity_matrix`, as learners write them."""

import numpy as np
import torch

from banks.registry import add_right, right, wrong
from helpers import reference

# Right answers, each in its own style


@right("similarity_matrix", "@")
def similarity_at(X, Y):
    return X @ Y.T


@right("similarity_matrix", "einsum")
def similarity_einsum(X, Y):
    return np.einsum("id,jd->ij", X, Y)


@right("similarity_matrix", "a transposed view")
def similarity_transposed_view(X, Y):
    return (Y @ X.T).T


@right("similarity_matrix", "nested lists")
def similarity_lists(X, Y):
    return np.array([[sum(p * q for p, q in zip(x, y, strict=True)) for y in Y] for x in X])


@right("similarity_matrix", "three loops into zeros")
def similarity_loops(X, Y):
    result = np.zeros((X.shape[0], Y.shape[0]))
    for i in range(X.shape[0]):
        for j in range(Y.shape[0]):
            for k in range(X.shape[1]):
                result[i, j] += X[i, k] * Y[j, k]
    return result


@right("similarity_matrix", "broadcasting and sum")
def similarity_broadcast(X, Y):
    return (X[:, None, :] * Y[None, :, :]).sum(axis=-1)


@right("similarity_matrix", "tensordot")
def similarity_tensordot(X, Y):
    return np.tensordot(X, Y, axes=([1], [1]))


@right("similarity_matrix", "sum of outer products, Fortran order")
def similarity_outer(X, Y):
    result = np.zeros((len(X), len(Y)), dtype=X.dtype, order="F")
    for k in range(X.shape[1]):
        result += np.outer(X[:, k], Y[:, k])
    return result


@right("similarity_matrix", "torch inside")
def similarity_torch(X, Y):
    return torch.matmul(torch.from_numpy(X), torch.from_numpy(Y).T).numpy()


add_right("similarity_matrix", "the name np.inner itself", np.inner)


@right("similarity_matrix", "non-contiguous: (Y @ X.T).T")
def similarity_matrix_8(X, Y):
    return (Y @ X.T).T


@right("similarity_matrix", "broadcast sum")
def similarity_matrix_9(X, Y):
    return (X[:, None, :] * Y[None]).sum(-1)


@right("similarity_matrix", "np.inner")
def similarity_matrix_10(X, Y):
    return np.inner(X, Y)


# Wrong answers, those with one mistake together


@wrong("similarity_matrix", "no-transpose", note="raises unless d == m")
def similarity_no_transpose(X, Y):
    return X @ Y


@wrong("similarity_matrix", "keys-by-queries", note="right when Y is X")
def similarity_transposed(X, Y):
    return Y @ X.T


@wrong("similarity_matrix", "keys-by-queries", note="einsum output letters swapped")
def similarity_einsum_ji(X, Y):
    return np.einsum("id,jd->ji", X, Y)


@wrong(
    "similarity_matrix",
    "keys-by-queries",
    note="The comprehension runs over Y outside and X inside, so entry [i, j] is Y[i] . X[j].",
)
def simmat_2(X, Y):
    return np.array([[np.dot(x, y) for x in X] for y in Y])


@wrong("similarity_matrix", "one-matrix-twice", note="right when Y is X")
def similarity_x_x(X, Y):
    return X @ X.T


@wrong("similarity_matrix", "one-matrix-twice", note="Uses X twice: compares X with itself")
def similarity_matrix_18(X, Y):
    return X @ X.T


@wrong("similarity_matrix", "cosine-instead-of-dot")
def similarity_cosine(X, Y):
    X = X / np.linalg.norm(X, axis=1, keepdims=True)
    Y = Y / np.linalg.norm(Y, axis=1, keepdims=True)
    return X @ Y.T


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
    "similarity_matrix", "cosine-instead-of-dot", note="Returns cosine similarities instead of dot products"
)
def similarity_matrix_21(X, Y):
    Xn = X / np.linalg.norm(X, axis=1, keepdims=True)
    Yn = Y / np.linalg.norm(Y, axis=1, keepdims=True)
    return Xn @ Yn.T


@wrong("similarity_matrix", "reshape-instead-of-transpose")
def similarity_reshape(X, Y):
    return X @ Y.reshape(Y.shape[1], Y.shape[0])


@wrong(
    "similarity_matrix",
    "reshape-instead-of-transpose",
    note="Re-cuts Y with reshape to (d, m) instead of transposing it.",
)
def simmat_4(X, Y):
    m, d = Y.shape
    return X @ Y.reshape(d, m)


@wrong("similarity_matrix", "reshape-instead-of-transpose", note="Y.reshape(d, m) instead of a transpose")
def similarity_matrix_20(X, Y):
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


@wrong("similarity_matrix", "square-only", note="as many columns as there are rows of X, at most")
def similarity_min_loop(X, Y):
    S = np.zeros((len(X), len(Y)))
    for i in range(len(X)):
        for j in range(min(len(X), len(Y))):
            S[i, j] = X[i] @ Y[j]
    return S


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


@wrong(
    "similarity_matrix",
    "euclidean-distance",
    note="Returns the Euclidean distance between rows instead of their dot product.",
)
def simmat_7(X, Y):
    return torch.cdist(torch.as_tensor(X), torch.as_tensor(Y)).numpy()


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
    "wrong-sum-axis",
    note="sums the pairwise products over the rows of Y instead of over the features.",
)
def simmat_8(X, Y):
    products = X[:, None, :] * Y[None, :, :]
    return products.sum(axis=1)


@wrong(
    "similarity_matrix",
    "fixed-size",
    note="The result has the fixed size 4 x 4 of the notebook's sentence, and the loops run over range(4): other n and m crash or lose rows.",
)
def similarity_matrix_fixed_size(X, Y):
    similarity = np.zeros((4, 4))
    for i in range(4):
        for j in range(4):
            similarity[i, j] = reference.dot(X[i], Y[j])
    return similarity


@wrong(
    "similarity_matrix",
    "truncates-to-int",
    note="The table of results is an integer array, so every dot product is cut off to a whole number.",
)
def similarity_matrix_truncates_to_int(X, Y):
    result = np.zeros((len(X), len(Y)), dtype=int)
    for i in range(len(X)):
        for j in range(len(Y)):
            for k in range(X.shape[1]):
                result[i, j] += int(X[i, k] * Y[j, k])
    return result


@wrong(
    "similarity_matrix",
    "square-only",
    note="Both loops take their length from X (n x n instead of n x m: crashes or leaves out rows of Y); and the entry is written to [j, i], so the table is transposed.",
)
def similarity_matrix_square_only(X, Y):
    n = len(X)
    similarity = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            similarity[j, i] = reference.dot(X[i], Y[j])
    return similarity


@wrong("similarity_matrix", "cosine-instead-of-dot")
def similarity_matrix_cosine_instead_of_dot(X, Y):
    return (X @ Y.T) / (np.linalg.norm(X) * np.linalg.norm(Y))


@wrong("similarity_matrix", "no-sum", note="a vector of products goes into one entry")
def similarity_matrix_vector_into_an_entry(X, Y):
    S = np.zeros((len(X), len(Y)))
    for i in range(len(X)):
        for j in range(len(Y)):
            S[i, j] = X[i] * Y[j]
    return S


@wrong("similarity_matrix", "cosine-instead-of-dot+keys-by-queries")
def similarity_matrix_cosines_of_y_and_x(X, Y):
    X = X / np.sqrt((X**2).sum(axis=1, keepdims=True))
    Y = Y / np.sqrt((Y**2).sum(axis=1, keepdims=True))
    return Y @ X.T


@wrong("similarity_matrix", "reshape-instead-of-transpose", note="column by column")
def similarity_reshaped_by_columns(X, Y):
    m, d = Y.shape
    return X @ np.reshape(Y, (d, m), order="F")


@wrong("similarity_matrix", "last-left-out", note="both loops begin at 1")
def similarity_loops_from_one(X, Y):
    S = np.zeros((len(X), len(Y)))
    for i in range(1, len(X)):
        for j in range(1, len(Y)):
            S[i, j] = np.sum(X[i] * Y[j])
    return S


@wrong("similarity_matrix", "truncates-to-int", note="a table of whole numbers")
def similarity_in_a_table_of_integers(X, Y):
    S = np.zeros((len(X), len(Y)), dtype=int)
    for i in range(len(X)):
        for j in range(len(Y)):
            S[i, j] = sum(X[i] * Y[j])
    return S


@wrong("similarity_matrix", "square-only", note="as many columns as Y has, not as it has rows")
def similarity_as_wide_as_y(X, Y):
    n, m = X.shape[0], Y.shape[1]
    S = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            S[i, j] = X[i] @ Y[j]
    return S


@wrong("similarity_matrix", "euclidean-distance", note="1 / (1 + distance)")
def similarity_from_distances(X, Y):
    diff = X[:, None, :] - Y[None, :, :]
    return 1 / (1 + np.sqrt((diff**2).sum(-1)))
