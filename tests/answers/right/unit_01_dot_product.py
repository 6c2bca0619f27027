"""Right answers to unit 01."""

import functools
import math
import operator
import warnings
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F

from ..registry import add_right, right

# dot


@right("dot", "loop")
def dot_loop(a, b):
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


@right("dot", "sum of zip")
def dot_zip(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


@right("dot", "@")
def dot_at(a, b):
    return a @ b


@right("dot", "multiply and sum")
def dot_multiply_sum(a, b):
    return (a * b).sum()


@right("dot", "einsum")
def dot_einsum(a, b):
    return np.einsum("i,i->", a, b)


@right("dot", "tensordot, a 0-d array")
def dot_tensordot(a, b):
    return np.tensordot(a, b, axes=1)


@right("dot", "a row times a column, then .item()")
def dot_row_column(a, b):
    return (a.reshape(1, -1) @ b.reshape(-1, 1)).item()


@right("dot", "torch.dot, the library call")
def dot_torch(a, b):
    return torch.dot(torch.from_numpy(a), torch.from_numpy(b)).item()


@right("dot", "torch, a 0-d array")
def dot_torch_array(a, b):
    return (torch.tensor(a) * torch.tensor(b)).sum().numpy()


@right("dot", "recursion by halves")
def dot_recursive(a, b):
    if len(a) == 0:
        return 0.0
    if len(a) == 1:
        return a[0] * b[0]
    half = len(a) // 2
    return dot_recursive(a[:half], b[:half]) + dot_recursive(a[half:], b[half:])


@right("dot", "math.fsum of Python floats, prints")
def dot_fsum(a, b):
    terms = [float(x) * float(y) for x, y in zip(a, b, strict=True)]
    print(terms)
    return math.fsum(terms)


@right("dot", "functools.reduce")
def dot_reduce(a, b):
    return functools.reduce(operator.add, map(operator.mul, a, b), 0.0)


add_right("dot", "the name np.dot itself", np.dot)
add_right("dot", "lambda over np.inner", lambda a, b: np.inner(a, b))

# cosine_similarity


@right("cosine_similarity", "norms, early return")
def cosine_norms(a, b):
    norm_a, norm_b = np.linalg.norm(a), np.linalg.norm(b)
    if norm_a == 0 or norm_b == 0:
        return 0.0
    return np.dot(a, b) / (norm_a * norm_b)


@right("cosine_similarity", "clipped")
def cosine_clipped(a, b):
    length = np.sqrt((a @ a) * (b @ b))
    return np.clip(a @ b / length, -1.0, 1.0) if length > 0 else 0.0


@right("cosine_similarity", "normalise first")
def cosine_normalise_first(a, b):
    if not a.any() or not b.any():
        return 0.0
    return float((a / np.linalg.norm(a)) @ (b / np.linalg.norm(b)))


@right("cosine_similarity", "loop and math")
def cosine_loop(a, b):
    product = square_a = square_b = 0.0
    for x, y in zip(a.tolist(), b.tolist(), strict=True):
        product += x * y
        square_a += x * x
        square_b += y * y
    if square_a == 0.0 or square_b == 0.0:
        return 0.0
    return product / math.sqrt(square_a) / math.sqrt(square_b)


@right("cosine_similarity", "0 / 0 warns, then nan_to_num")
def cosine_nan_to_num(a, b):
    return np.nan_to_num(np.sum(a * b) / (np.linalg.norm(a) * np.linalg.norm(b)))


@right("cosine_similarity", "F.cosine_similarity, the library call")
def cosine_torch_library(a, b):
    return F.cosine_similarity(torch.from_numpy(a), torch.from_numpy(b), dim=0).item()


@right("cosine_similarity", "torch by hand, clamped, a 0-d array")
def cosine_torch(a, b):
    ta, tb = torch.tensor(a), torch.tensor(b)
    length = ta.norm() * tb.norm()
    if length == 0:
        return np.array(0.0)
    return (ta.dot(tb) / length).clamp(-1, 1).numpy()


@right("cosine_similarity", "law of cosines on unit vectors")
def cosine_law(a, b):
    length_a, length_b = math.hypot(*a), math.hypot(*b)
    if min(length_a, length_b) == 0:
        return 0.0
    gap = a / length_a - b / length_b
    return 1 - np.einsum("i,i->", gap, gap) / 2


@right("cosine_similarity", "np.divide with where, a 0-d array")
def cosine_divide_where(a, b):
    length = np.asarray(np.linalg.norm(a) * np.linalg.norm(b))
    return np.divide(np.dot(a, b), length, out=np.zeros_like(length), where=length > 0)


@right("cosine_similarity", "a dataclass does the work, warns")
def cosine_dataclass(a, b):
    @dataclass
    class Arrow:
        entries: np.ndarray

        @property
        def length(self):
            return float(np.sqrt(np.square(self.entries).sum()))

        def angle_to(self, other):
            if not (self.length and other.length):
                warnings.warn("an arrow without length has no direction", stacklevel=2)
                return math.pi / 2
            cosine = float(self.entries @ other.entries) / (self.length * other.length)
            return math.acos(max(-1.0, min(1.0, cosine)))

    angle = Arrow(a).angle_to(Arrow(b))
    return 0.0 if angle == math.pi / 2 else math.cos(angle)


# similarity_matrix


@right("similarity_matrix", "@")
def similarity_at(X, Y):
    return X @ Y.T


@right("similarity_matrix", "einsum")
def similarity_einsum(X, Y):
    return np.einsum("id,jd->ij", X, Y)


@right("similarity_matrix", "a transposed view")
def similarity_transposed(X, Y):
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

# best_match


@right("best_match", "argmax of @")
def best_match_argmax(query, keys):
    return np.argmax(keys @ query)


@right("best_match", "int of argmax of einsum")
def best_match_einsum(query, keys):
    return int(np.einsum("d,nd->n", query, keys).argmax())


@right("best_match", "loop with a strict comparison")
def best_match_loop(query, keys):
    best, best_score = 0, float("-inf")
    for i, key in enumerate(keys):
        score = sum(float(q) * float(k) for q, k in zip(query, key, strict=True))
        if score > best_score:
            best, best_score = i, score
    return best


@right("best_match", "max with a key")
def best_match_max(query, keys):
    return max(range(len(keys)), key=lambda i: query @ keys[i])


@right("best_match", "stable sort")
def best_match_sort(query, keys):
    return np.argsort(-(keys * query).sum(axis=1), kind="stable")[0]


@right("best_match", "list.index of the maximum")
def best_match_index(query, keys):
    scores = np.inner(keys, query).tolist()
    return scores.index(max(scores))


@right("best_match", "flatnonzero of the maxima")
def best_match_flatnonzero(query, keys):
    scores = query @ keys.T
    return np.flatnonzero(scores == scores.max())[0]


@right("best_match", "torch.argmax, the library call")
def best_match_torch(query, keys):
    return torch.argmax(torch.tensor(keys) @ torch.tensor(query)).item()


@right("best_match", "torch, a 0-d array")
def best_match_torch_array(query, keys):
    return torch.mv(torch.from_numpy(keys), torch.from_numpy(query)).argmax().numpy()


@right("best_match", "tuples compared")
def best_match_tuples(query, keys):
    return -max((np.dot(key, query), -i) for i, key in enumerate(keys))[1]
