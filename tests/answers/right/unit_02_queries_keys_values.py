"""Right answers to unit 02."""

from collections import namedtuple
from functools import partial
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from ..registry import add_right, right

# project


@right("project", "@")
def project_at(X, W):
    return X @ W


@right("project", "einsum")
def project_einsum(X, W):
    return np.einsum("...nd,de->...ne", X, W)


@right("project", "tensordot")
def project_tensordot(X, W):
    return np.tensordot(X, W, axes=1)


@right("project", "loops over every entry")
def project_loops(X, W):
    result = np.zeros((*X.shape[:-1], W.shape[1]))
    for index in np.ndindex(X.shape[:-1]):
        for column in range(W.shape[1]):
            for row in range(W.shape[0]):
                result[(*index, column)] += X[(*index, row)] * W[row, column]
    return result


@right("project", "recursion over the leading axes, lists then np.array")
def project_recursive(X, W):
    if X.ndim == 1:
        return [sum(x * w for x, w in zip(X, column, strict=True)) for column in W.T]
    return np.array([project_recursive(part, W) for part in X])


@right("project", "broadcasting and sum")
def project_broadcast(X, W):
    return (X[..., :, None] * W).sum(axis=-2)


@right("project", "flattened to two axes")
def project_flattened(X, W):
    return np.matmul(X.reshape(-1, X.shape[-1]), W).reshape(*X.shape[:-1], -1)


@right("project", "a transposed view")
def project_transposed(X, W):
    return np.swapaxes(W.T @ np.swapaxes(X, -1, -2), -1, -2)


@right("project", "apply_along_axis")
def project_apply_along_axis(X, W):
    return np.apply_along_axis(lambda token: token @ W, -1, X)


@right("project", "torch F.linear")
def project_torch(X, W):
    return F.linear(torch.from_numpy(X), torch.from_numpy(W).T).numpy()


add_right("project", "the name np.matmul itself", np.matmul)

# queries_keys_values


@right("queries_keys_values", "@")
def qkv_at(X, W_q, W_k, W_v):
    return X @ W_q, X @ W_k, X @ W_v


@right("queries_keys_values", "generator to tuple")
def qkv_generator(X, W_q, W_k, W_v):
    return tuple(np.matmul(X, W) for W in (W_q, W_k, W_v))


@right("queries_keys_values", "one fused product, split into views")
def qkv_fused(X, W_q, W_k, W_v):
    cuts = np.cumsum([W_q.shape[1], W_k.shape[1]])
    Q, K, V = np.split(X @ np.hstack([W_q, W_k, W_v]), cuts, axis=-1)
    return Q, K, V


@right("queries_keys_values", "einsum in a namedtuple")
def qkv_namedtuple(X, W_q, W_k, W_v):
    Projected = namedtuple("Projected", "queries keys values")
    spec = "...d,de->...e"
    return Projected(np.einsum(spec, X, W_q), np.einsum(spec, X, W_k), np.einsum(spec, X, W_v))


class _Triple(NamedTuple):
    Q: np.ndarray
    K: np.ndarray
    V: np.ndarray


@right("queries_keys_values", "torch F.linear in a typing.NamedTuple")
def qkv_torch(X, W_q, W_k, W_v):
    x = torch.tensor(X)
    return _Triple(*(F.linear(x, torch.tensor(W.T)).numpy() for W in (W_q, W_k, W_v)))


@right("queries_keys_values", "loops over tokens")
def qkv_loops(X, W_q, W_k, W_v):
    results = []
    for W in [W_q, W_k, W_v]:
        out = np.zeros((*X.shape[:-1], W.shape[-1]), dtype=np.result_type(X, W))
        for index in np.ndindex(*X.shape[:-1]):
            out[index] = [np.dot(X[index], W[:, j]) for j in range(W.shape[-1])]
        results.append(out)
    return tuple(results)


@right("queries_keys_values", "partial of tensordot, prints")
def qkv_partial(X, W_q, W_k, W_v):
    project = partial(np.tensordot, X, axes=([-1], [0]))
    queries, keys, values = map(project, (W_q, W_k, W_v))
    print(queries.shape, keys.shape, values.shape)
    return queries, keys, values


# attention_scores


@right("attention_scores", "@ and swapaxes")
def scores_swapaxes(Q, K):
    return Q @ K.swapaxes(-1, -2)


@right("attention_scores", "einsum")
def scores_einsum(Q, K):
    return np.einsum("...qd,...kd->...qk", Q, K)


@right("attention_scores", "a transposed view")
def scores_transposed_view(Q, K):
    return np.moveaxis(K @ np.moveaxis(Q, -1, -2), -1, -2)


@right("attention_scores", "broadcasting and sum")
def scores_broadcast(Q, K):
    return (Q[..., :, None, :] * K[..., None, :, :]).sum(-1)


@right("attention_scores", "loops over every entry")
def scores_loops(Q, K):
    result = np.empty((*Q.shape[:-1], K.shape[-2]), dtype=Q.dtype)
    for lead in np.ndindex(Q.shape[:-2]):
        for i in range(Q.shape[-2]):
            for j in range(K.shape[-2]):
                result[(*lead, i, j)] = sum(Q[lead][i] * K[lead][j])
    return result


@right("attention_scores", "recursion over the leading axes")
def scores_recursive(Q, K):
    if Q.ndim > 2:
        return np.stack([scores_recursive(q, k) for q, k in zip(Q, K, strict=True)])
    return np.array([[float(np.dot(q, k)) for k in K] for q in Q])


@right("attention_scores", "transpose with an axis list")
def scores_axis_list(Q, K):
    axes = [*range(K.ndim - 2), K.ndim - 1, K.ndim - 2]
    return np.matmul(Q, np.transpose(K, axes))


@right("attention_scores", "one key at a time, stacked")
def scores_stack(Q, K):
    return np.stack([np.sum(Q * K[..., j : j + 1, :], axis=-1) for j in range(K.shape[-2])], axis=-1)


@right("attention_scores", "torch inside")
def scores_torch(Q, K):
    return torch.matmul(torch.from_numpy(Q), torch.from_numpy(K).transpose(-2, -1)).numpy()


@right("attention_scores", "np.vectorize with a signature")
def scores_vectorize(Q, K):
    return np.vectorize(lambda q, k: np.inner(q, k), signature="(q,d),(k,d)->(q,k)")(Q, K)


# mix_values


@right("mix_values", "@")
def mix_at(weights, V):
    return weights @ V


@right("mix_values", "einsum")
def mix_einsum(weights, V):
    return np.einsum("...qk,...kv->...qv", weights, V)


@right("mix_values", "broadcasting and sum")
def mix_broadcast(weights, V):
    return np.sum(weights[..., None] * V[..., None, :, :], axis=-2)


@right("mix_values", "add one weighted value at a time")
def mix_accumulate(weights, V):
    output = np.zeros((*weights.shape[:-1], V.shape[-1]))
    for key in range(V.shape[-2]):
        output += weights[..., :, key, None] * V[..., key, None, :]
    return output


@right("mix_values", "loops over every entry")
def mix_loops(weights, V):
    output = np.zeros(weights.shape[:-1] + V.shape[-1:])
    for lead in np.ndindex(weights.shape[:-2]):
        for q in range(weights.shape[-2]):
            for k in range(V.shape[-2]):
                for c in range(V.shape[-1]):
                    output[lead][q, c] += weights[lead][q, k] * V[lead][k, c]
    return output


@right("mix_values", "a transposed view")
def mix_transposed(weights, V):
    return (V.swapaxes(-2, -1) @ weights.swapaxes(-2, -1)).swapaxes(-2, -1)


@right("mix_values", "torch inside")
def mix_torch(weights, V):
    with torch.no_grad():
        return (torch.tensor(weights) @ torch.tensor(V)).numpy()


@right("mix_values", "inner with rows of V transposed, recursion")
def mix_recursive(weights, V):
    if V.ndim == 2:
        return np.inner(weights, V.T)
    return np.array([mix_recursive(w, v) for w, v in zip(weights, V, strict=True)])


add_right("mix_values", "the name np.matmul itself", np.matmul)

# rows_from_columns


@right("rows_from_columns", "(W I) transposed, a view")
def rows_view(I, W):  # noqa: E741
    return (W @ I).T


@right("rows_from_columns", "I^T W^T")
def rows_product(I, W):  # noqa: E741
    return I.T @ W.T


@right("rows_from_columns", "einsum")
def rows_einsum(I, W):  # noqa: E741
    return np.einsum("dn,od->no", I, W)


@right("rows_from_columns", "tensordot")
def rows_tensordot(I, W):  # noqa: E741
    return np.tensordot(I, W, axes=([0], [1]))


@right("rows_from_columns", "lists of lists")
def rows_lists(I, W):  # noqa: E741
    d, n = I.shape
    return np.array([[sum(W[o, k] * I[k, t] for k in range(d)) for o in range(len(W))] for t in range(n)])


@right("rows_from_columns", "one token at a time")
def rows_stack(I, W):  # noqa: E741
    return np.stack([np.dot(W, token) for token in I.T])


@right("rows_from_columns", "F.linear")
def rows_torch(I, W):  # noqa: E741
    return F.linear(torch.from_numpy(I).T, torch.from_numpy(W)).numpy()


@right("rows_from_columns", "broadcasting and sum")
def rows_broadcast(I, W):  # noqa: E741
    return (I.T[:, None, :] * W[None]).sum(2)


@right("rows_from_columns", "np.inner of rows")
def rows_inner(I, W):  # noqa: E741
    tokens = np.transpose(I)
    return np.inner(tokens, W)


# QKVProjection


@right("QKVProjection", "three linears")
class QKVPlain(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_q(x), self.W_k(x), self.W_v(x)


@right("QKVProjection", "F.linear on the weights, old style super, prints")
class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super(QKVProjection, self).__init__()  # noqa: UP008
        for name, width in [("W_q", d_k), ("W_k", d_k), ("W_v", d_v)]:
            setattr(self, name, nn.Linear(d_model, width, bias=False))

    def forward(self, x):
        print("x", tuple(x.shape))
        return tuple(F.linear(x, getattr(self, name).weight) for name in ("W_q", "W_k", "W_v"))


@right("QKVProjection", "x @ weight.T")
class QKVWeightT(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.d_model, self.d_k, self.d_v = d_model, d_k, d_v
        self.W_v = nn.Linear(d_model, d_v, False)
        self.W_k = nn.Linear(d_model, d_k, False)
        self.W_q = nn.Linear(d_model, d_k, False)

    def forward(self, x):
        Q = x @ self.W_q.weight.T
        K = x @ self.W_k.weight.T
        V = x @ self.W_v.weight.T
        return Q, K, V


@right("QKVProjection", "one fused product of concatenated weights, views")
class QKVFused(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.sizes = [d_k, d_k, d_v]
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, size, bias=False) for size in self.sizes)

    def forward(self, x):
        weight = torch.cat([self.W_q.weight, self.W_k.weight, self.W_v.weight])
        return torch.split(x @ weight.t(), self.sizes, dim=-1)


@right("QKVProjection", "einsum, xavier initialisation, a namedtuple")
class QKVEinsum(nn.Module):
    Projected = namedtuple("Projected", "Q K V")

    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.add_module("W_q", nn.Linear(d_model, d_k, bias=False))
        self.add_module("W_k", nn.Linear(d_model, d_k, bias=False))
        self.add_module("W_v", nn.Linear(d_model, d_v, bias=False))
        for parameter in self.parameters():
            nn.init.xavier_uniform_(parameter)

    def _project(self, x, layer):
        return torch.einsum("bnd,ed->bne", x, layer.weight)

    def forward(self, x):
        return self.Projected(
            self._project(x, self.W_q), self._project(x, self.W_k), self._project(x, self.W_v)
        )


@right("QKVProjection", "token by token, stacked")
class QKVTokens(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        nn.Module.__init__(self)
        self.W_q = nn.Linear(in_features=d_model, out_features=d_k, bias=False)
        self.W_k = nn.Linear(in_features=d_model, out_features=d_k, bias=False)
        self.W_v = nn.Linear(in_features=d_model, out_features=d_v, bias=False)

    def forward(self, x):
        tokens = x.unbind(dim=1)
        Q = torch.stack([self.W_q(token) for token in tokens], dim=1)
        K = torch.stack([self.W_k(token) for token in tokens], dim=1)
        V = torch.stack([self.W_v(token) for token in tokens], dim=1)
        return Q, K, V


class _BiasFree(nn.Linear):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out, bias=False)


@right("QKVProjection", "a subclass of nn.Linear, extra method")
class QKVSubclass(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = _BiasFree(d_model, d_k)
        self.W_k = _BiasFree(d_model, d_k)
        self.W_v = _BiasFree(d_model, d_v)

    def extra_repr(self):
        return f"{self.W_q.in_features} -> {self.W_q.out_features}, {self.W_v.out_features}"

    def forward(self, x):
        return self.W_q(x), self.W_k(x), self.W_v(x)
