"""Wrong answers to the exercises of unit 02."""
# ruff: noqa: E741  (I is the contract's name for the inputs in columns)

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from ..registry import wrong

# ------------------------------------------------------------------ project


@wrong("project", "weight-transposed", note="right for a symmetric W")
def project_w_t(X, W):
    return X @ W.T


@wrong("project", "weight-transposed", note="F.linear wants (out, in)")
def project_f_linear(X, W):
    return F.linear(torch.tensor(X), torch.tensor(W)).numpy()


@wrong("project", "factors-swapped")
def project_w_x(X, W):
    return W @ X


@wrong("project", "columns-as-tokens")
def project_x_t(X, W):
    return X.swapaxes(-1, -2) @ W


@wrong("project", "reshape-instead-of-transpose")
def project_reshape(X, W):
    return X @ W.reshape(W.shape[1], W.shape[0]).T


@wrong("project", "fixed-number-of-axes", note="2-D only")
def project_einsum_2d(X, W):
    return np.einsum("nd,de->ne", X, W)


@wrong("project", "fixed-number-of-axes", note="3-D only")
def project_einsum_3d(X, W):
    return np.einsum("bnd,de->bne", X, W)


@wrong("project", "fixed-number-of-axes", note="2-D only, loops")
def project_loops(X, W):
    n, d = X.shape
    out = np.zeros((n, W.shape[1]))
    for i in range(n):
        for j in range(W.shape[1]):
            for k in range(d):
                out[i, j] += X[i, k] * W[k, j]
    return out


@wrong("project", "shape-flattened", note="batch axes not restored")
def project_flat(X, W):
    return X.reshape(-1, X.shape[-1]) @ W


@wrong("project", "square-only", note="result allocated like X")
def project_zeros_like(X, W):
    out = np.zeros_like(X)
    out[...] = X @ W
    return out


@wrong("project", "first-batch-only")
def project_first_batch(X, W):
    if X.ndim == 2:
        return X @ W
    return np.broadcast_to(X[0] @ W, (*X.shape[:-1], W.shape[1]))


@wrong("project", "scaled-too-early")
def project_scaled(X, W):
    return X @ W / np.sqrt(W.shape[0])


@wrong("project", "extra-nonlinearity")
def project_relu(X, W):
    return np.maximum(X @ W, 0)


@wrong("project", "extra-residual", note="raises unless d == d_out")
def project_residual(X, W):
    return X + X @ W


@wrong("project", "float32")
def project_float32(X, W):
    return (torch.Tensor(X) @ torch.Tensor(W)).numpy()


@wrong("project", "mean-instead-of-sum")
def project_mean(X, W):
    return (X[..., :, None] * W).mean(axis=-2)


@wrong("project", "input-changed", note="only when d == d_out")
def project_in_place(X, W):
    Y = X @ W
    if Y.shape == X.shape:
        X[...] = Y
    return Y


@wrong("project", "returns-list")
def project_list(X, W):
    return (X @ W).tolist()


@wrong("project", "overwritten-instead-of-summed", note="last product instead of their sum")
def project_overwrites(X, W):
    out = np.zeros((*X.shape[:-1], W.shape[1]))
    for k in range(W.shape[0]):
        out = X[..., k : k + 1] * W[k]
    return out


# ------------------------------------------------------------------ queries_keys_values


@wrong("queries_keys_values", "wrong-order", note="K, Q, V")
def qkv_k_first(X, W_q, W_k, W_v):
    return X @ W_k, X @ W_q, X @ W_v


@wrong("queries_keys_values", "wrong-order", note="Q, V, K")
def qkv_v_second(X, W_q, W_k, W_v):
    return X @ W_q, X @ W_v, X @ W_k


@wrong("queries_keys_values", "value-not-projected")
def qkv_v_is_x(X, W_q, W_k, W_v):
    return X @ W_q, X @ W_k, X


@wrong("queries_keys_values", "key-weight-reused", note="for V")
def qkv_w_k_for_v(X, W_q, W_k, W_v):
    return X @ W_q, X @ W_k, X @ W_k


@wrong("queries_keys_values", "query-weight-reused", note="for K: right when W_q == W_k")
def qkv_w_q_for_k(X, W_q, W_k, W_v):
    return X @ W_q, X @ W_q, X @ W_v


@wrong("queries_keys_values", "key-weight-reused", note="for Q: right when W_q == W_k")
def qkv_w_k_for_q(X, W_q, W_k, W_v):
    return X @ W_k, X @ W_k, X @ W_v


@wrong("queries_keys_values", "chained-projections", note="keys are made from queries")
def qkv_chained(X, W_q, W_k, W_v):
    Q = X @ W_q
    K = Q @ W_k
    return Q, K, K @ W_v


@wrong("queries_keys_values", "weight-transposed", note="right for symmetric weights")
def qkv_transposed(X, W_q, W_k, W_v):
    return X @ W_q.T, X @ W_k.T, X @ W_v.T


@wrong("queries_keys_values", "weight-transposed", note="W_v only")
def qkv_w_v_transposed(X, W_q, W_k, W_v):
    return X @ W_q, X @ W_k, X @ W_v.T


@wrong("queries_keys_values", "keys-transposed", note="K ready for Q @ K")
def qkv_k_transposed(X, W_q, W_k, W_v):
    return X @ W_q, np.swapaxes(X @ W_k, -1, -2), X @ W_v


@wrong("queries_keys_values", "scaled-too-early")
def qkv_scaled(X, W_q, W_k, W_v):
    return X @ W_q / np.sqrt(W_q.shape[1]), X @ W_k, X @ W_v


@wrong("queries_keys_values", "equal-thirds", note="right when d_v == d_k")
def qkv_split_thirds(X, W_q, W_k, W_v):
    both = X @ np.concatenate([W_q, W_k, W_v], axis=1)
    Q, K, V = np.split(both, 3, axis=-1)
    return Q, K, V


@wrong("queries_keys_values", "equal-thirds", note="slices by d_k: V is cut or short")
def qkv_slices(X, W_q, W_k, W_v):
    d = W_q.shape[1]
    both = X @ np.concatenate([W_q, W_k, W_v], axis=1)
    return both[..., :d], both[..., d : 2 * d], both[..., 2 * d : 3 * d]


@wrong("queries_keys_values", "returns-stacked", note="one array, d_v == d_k only")
def qkv_stack(X, W_q, W_k, W_v):
    return np.stack([X @ W_q, X @ W_k, X @ W_v])


@wrong("queries_keys_values", "returns-generator")
def qkv_generator(X, W_q, W_k, W_v):
    return (X @ W for W in (W_q, W_k, W_v))


@wrong("queries_keys_values", "returns-dict")
def qkv_dict(X, W_q, W_k, W_v):
    return {"Q": X @ W_q, "K": X @ W_k, "V": X @ W_v}


@wrong("queries_keys_values", "float32")
def qkv_float32(X, W_q, W_k, W_v):
    x = torch.Tensor(X)
    return tuple((x @ torch.Tensor(W)).numpy() for W in (W_q, W_k, W_v))


@wrong("queries_keys_values", "fixed-number-of-axes", note="2-D only")
def qkv_2d(X, W_q, W_k, W_v):
    return tuple(np.einsum("nd,de->ne", X, W) for W in (W_q, W_k, W_v))


@wrong("queries_keys_values", "one-output-missing", note="(Q, K) only")
def qkv_two(X, W_q, W_k, W_v):
    return X @ W_q, X @ W_k


@wrong("queries_keys_values", "input-changed", note="W_q scaled in place")
def qkv_in_place(X, W_q, W_k, W_v):
    out = X @ W_q, X @ W_k, X @ W_v
    W_q /= np.sqrt(W_q.shape[1])
    return out


# ------------------------------------------------------------------ attention_scores


@wrong("attention_scores", "reversed-all-axes", note="right for 2-D")
def scores_k_t(Q, K):
    return Q @ K.T


@wrong("attention_scores", "reversed-all-axes", note="right for 2-D")
def scores_swap_first_last(Q, K):
    return Q @ K.swapaxes(0, -1)


@wrong("attention_scores", "keys-by-queries", note="right when Q == K")
def scores_k_q(Q, K):
    return K @ np.swapaxes(Q, -1, -2)


@wrong("attention_scores", "keys-by-queries", note="einsum letters")
def scores_einsum_kq(Q, K):
    return np.einsum("...qd,...kd->...kq", Q, K)


@wrong("attention_scores", "scaled-too-early")
def scores_scaled(Q, K):
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])


@wrong("attention_scores", "softmax-too-early")
def scores_softmax(Q, K):
    S = Q @ np.swapaxes(K, -1, -2)
    E = np.exp(S - S.max(axis=-1, keepdims=True))
    return E / E.sum(axis=-1, keepdims=True)


@wrong("attention_scores", "reshape-instead-of-transpose")
def scores_reshape(Q, K):
    return Q @ K.reshape(*K.shape[:-2], K.shape[-1], K.shape[-2])


@wrong("attention_scores", "cosine-instead-of-dot")
def scores_cosine(Q, K):
    Q = Q / np.linalg.norm(Q, axis=-1, keepdims=True)
    K = K / np.linalg.norm(K, axis=-1, keepdims=True)
    return Q @ np.swapaxes(K, -1, -2)


@wrong("attention_scores", "fixed-number-of-axes", note="3-D only")
def scores_3d(Q, K):
    return Q @ K.transpose(0, 2, 1)


@wrong("attention_scores", "fixed-number-of-axes", note="2-D loops")
def scores_loops(Q, K):
    S = np.zeros((Q.shape[0], K.shape[0]))
    for i in range(Q.shape[0]):
        for j in range(K.shape[0]):
            S[i, j] = np.dot(Q[i], K[j])
    return S


@wrong("attention_scores", "fixed-number-of-axes", note="wrong for 4-D only: transposes heads too")
def scores_4d_wrong(Q, K):
    if K.ndim == 4:
        return Q @ K.transpose(0, 2, 3, 1)
    return Q @ np.swapaxes(K, -1, -2)


@wrong("attention_scores", "square-only", note="n_q is used for both sides")
def scores_square(Q, K):
    n = Q.shape[-2]
    S = np.zeros((*Q.shape[:-2], n, n))
    for i in range(n):
        for j in range(n):
            S[..., i, j] = (Q[..., i, :] * K[..., j, :]).sum(axis=-1)
    return S


@wrong("attention_scores", "columns-as-tokens")
def scores_features(Q, K):
    return np.swapaxes(Q, -1, -2) @ K


@wrong("attention_scores", "np-dot-crosses-batches", note="right for 2-D")
def scores_np_dot(Q, K):
    return np.dot(Q, np.swapaxes(K, -1, -2))


@wrong("attention_scores", "np-dot-crosses-batches", note="right for 2-D")
def scores_tensordot(Q, K):
    return np.tensordot(Q, K, axes=(-1, -1))


@wrong("attention_scores", "one-matrix-twice", note="right when Q == K")
def scores_q_q(Q, K):
    return Q @ np.swapaxes(Q, -1, -2)


@wrong("attention_scores", "mean-instead-of-sum")
def scores_mean(Q, K):
    return (Q[..., :, None, :] * K[..., None, :, :]).mean(axis=-1)


@wrong("attention_scores", "first-batch-only", note="keys of the first batch for every batch")
def scores_first_batch(Q, K):
    K0 = K.reshape(-1, *K.shape[-2:])[0]
    return Q @ K0.T


@wrong("attention_scores", "float32")
def scores_float32(Q, K):
    return (torch.Tensor(Q) @ torch.Tensor(K).transpose(-1, -2)).numpy()


@wrong("attention_scores", "no-sum", note="elementwise, right shape only by accident")
def scores_elementwise(Q, K):
    return Q * K


@wrong("attention_scores", "input-changed")
def scores_in_place(Q, K):
    Q -= Q.mean()
    return Q @ np.swapaxes(K, -1, -2)


# ------------------------------------------------------------------ mix_values


@wrong("mix_values", "renormalised", note="right when rows sum to 1")
def mix_renormalised(weights, V):
    return weights / weights.sum(axis=-1, keepdims=True) @ V


@wrong("mix_values", "renormalised", note="np.average divides by the sum")
def mix_average(weights, V):
    total = weights.sum(axis=-1, keepdims=True)
    return np.divide(weights @ V, total, out=np.zeros((*total.shape[:-1], V.shape[-1])), where=total != 0)


@wrong("mix_values", "softmax-again")
def mix_softmax(weights, V):
    e = np.exp(weights)
    return e / e.sum(axis=-1, keepdims=True) @ V


@wrong("mix_values", "weights-transposed", note="columns of the weights: right for symmetric ones")
def mix_transposed(weights, V):
    return np.swapaxes(weights, -1, -2) @ V


@wrong("mix_values", "factors-swapped")
def mix_v_first(weights, V):
    return V @ weights


@wrong("mix_values", "mean-instead-of-sum")
def mix_mean(weights, V):
    return weights @ V / V.shape[-2]


@wrong("mix_values", "hard-lookup", note="right for one-hot rows")
def mix_argmax(weights, V):
    index = np.argmax(weights, axis=-1)
    return np.take_along_axis(V, index[..., None], axis=-2)


@wrong("mix_values", "weights-ignored", note="plain mean of the values")
def mix_uniform(weights, V):
    mean = V.mean(axis=-2, keepdims=True)
    return np.repeat(mean, weights.shape[-2], axis=-2)


@wrong("mix_values", "returns-input", note="raises or lies: returns V")
def mix_returns_v(weights, V):
    return V


@wrong("mix_values", "np-dot-crosses-batches", note="right for 2-D")
def mix_np_dot(weights, V):
    return np.dot(weights, V)


@wrong("mix_values", "fixed-number-of-axes", note="2-D only")
def mix_loops(weights, V):
    out = np.zeros((weights.shape[0], V.shape[1]))
    for i in range(weights.shape[0]):
        for j in range(weights.shape[1]):
            out[i] += weights[i, j] * V[j]
    return out


@wrong("mix_values", "fixed-number-of-axes", note="3-D only")
def mix_einsum_3d(weights, V):
    return np.einsum("bqk,bkd->bqd", weights, V)


@wrong("mix_values", "square-only", note="result allocated like V: n_q == n_k only")
def mix_zeros_like(weights, V):
    out = np.zeros_like(V)
    out[...] = weights @ V
    return out


@wrong("mix_values", "square-only", note="sums the first n_q keys only")
def mix_range_nq(weights, V):
    n = weights.shape[-2]
    return weights[..., :n] @ V[..., :n, :]


@wrong("mix_values", "lost-sign", note="negative weights cut off")
def mix_clip(weights, V):
    return np.maximum(weights, 0) @ V


@wrong("mix_values", "small-weights-dropped")
def mix_threshold(weights, V):
    return np.where(weights > 0.05, weights, 0.0) @ V


@wrong("mix_values", "not-transposed-back", note="(d_v, n_q)")
def mix_columns(weights, V):
    return np.swapaxes(weights @ V, -1, -2)


@wrong("mix_values", "first-batch-only")
def mix_first_batch(weights, V):
    return weights @ V.reshape(-1, *V.shape[-2:])[0]


@wrong("mix_values", "float32")
def mix_float32(weights, V):
    return (torch.Tensor(weights) @ torch.Tensor(V)).numpy()


@wrong("mix_values", "input-changed+renormalised", note="right on rows that sum to 1")
def mix_in_place(weights, V):
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ V


@wrong("mix_values", "no-sum", note="(n_q, n_k, d_v)")
def mix_no_sum(weights, V):
    return weights[..., None] * V[..., None, :, :]


# ------------------------------------------------------------------ rows_from_columns


@wrong("rows_from_columns", "not-transposed-back", note="(d_out, n): tokens are still columns")
def rows_w_i(I, W):
    return W @ I


@wrong("rows_from_columns", "factors-swapped")
def rows_i_w(I, W):
    return I @ W


@wrong("rows_from_columns", "weight-transposed", note="raises unless W is square")
def rows_it_w(I, W):
    return I.T @ W


@wrong("rows_from_columns", "weight-transposed", note="both, W for W.T")
def rows_wt_i_t(I, W):
    return (W.T @ I).T


@wrong("rows_from_columns", "reshape-instead-of-transpose")
def rows_reshape(I, W):
    return (W @ I).reshape(I.shape[1], W.shape[0])


@wrong("rows_from_columns", "reshape-instead-of-transpose", note="of the input")
def rows_reshape_input(I, W):
    return I.reshape(I.shape[1], I.shape[0]) @ W.T


@wrong("rows_from_columns", "reshape-instead-of-transpose", note="of the weight")
def rows_reshape_weight(I, W):
    return I.T @ W.reshape(W.shape[1], W.shape[0])


@wrong("rows_from_columns", "columns-as-tokens", note="F.linear on the columns: raises unless n == d")
def rows_linear_i(I, W):
    return F.linear(torch.from_numpy(I), torch.from_numpy(W)).numpy()


@wrong("rows_from_columns", "wrong-order", note="rot90 is not a transpose")
def rows_rot90(I, W):
    return np.rot90(W @ I)


@wrong("rows_from_columns", "float32")
def rows_float32(I, W):
    return F.linear(torch.Tensor(I.T), torch.Tensor(W)).numpy()


@wrong("rows_from_columns", "scaled-too-early")
def rows_scaled(I, W):
    return I.T @ W.T / np.sqrt(W.shape[0])


@wrong("rows_from_columns", "returns-list")
def rows_list(I, W):
    return [W @ I[:, i] for i in range(I.shape[1])]


@wrong("rows_from_columns", "square-only", note="counts d tokens")
def rows_count_d(I, W):
    return np.stack([W @ I[:, i] for i in range(I.shape[0])])


@wrong("rows_from_columns", "returns-input", note="no projection, only the bridge")
def rows_only_transpose(I, W):
    return I.T


@wrong("rows_from_columns", "input-changed", note="shape of I overwritten")
def rows_in_place(I, W):
    out = (W @ I).T
    I.shape = (I.shape[1], I.shape[0])
    return out


@wrong("rows_from_columns", "last-left-out")
def rows_last_left_out(I, W):
    out = np.zeros((I.shape[1], W.shape[0]))
    for i in range(I.shape[1] - 1):
        out[i] = W @ I[:, i]
    return out


# ------------------------------------------------------------------ class QKVProjection


@wrong("QKVProjection", "bias-left-on")
class QKVWithBias(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k)
        self.W_k = nn.Linear(d_model, d_k)
        self.W_v = nn.Linear(d_model, d_v)

    def forward(self, x):
        return self.W_q(x), self.W_k(x), self.W_v(x)


@wrong("QKVProjection", "bias-left-on", note="V only")
class QKVValueBias(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v)

    def forward(self, x):
        return self.W_q(x), self.W_k(x), self.W_v(x)


@wrong("QKVProjection", "wrong-order", note="K, Q, V")
class QKVWrongOrder(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_k(x), self.W_q(x), self.W_v(x)


@wrong("QKVProjection", "wrong-order", note="Q, V, K")
class QKVValueSecond(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_q(x), self.W_v(x), self.W_k(x)


@wrong("QKVProjection", "value-not-projected")
class QKVValueIsX(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_q(x), self.W_k(x), x


@wrong("QKVProjection", "key-weight-reused")
class QKVKeyForValue(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_q(x), self.W_k(x), self.W_k(x)


@wrong("QKVProjection", "query-weight-reused", note="right when W_q == W_k")
class QKVQueryForKey(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_q(x), self.W_q(x), self.W_v(x)


@wrong("QKVProjection", "query-weight-reused", note="W_k is W_q: the same object")
class QKVShared(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = self.W_q
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_q(x), self.W_k(x), self.W_v(x)


@wrong("QKVProjection", "square-only", note="d_k for V: right when d_v == d_k")
class QKVValueWidth(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_k, bias=False)

    def forward(self, x):
        return self.W_q(x), self.W_k(x), self.W_v(x)


@wrong("QKVProjection", "weight-transposed", note="nn.Linear(out, in)")
class QKVArgumentsSwapped(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_k, d_model, bias=False)
        self.W_k = nn.Linear(d_k, d_model, bias=False)
        self.W_v = nn.Linear(d_v, d_model, bias=False)

    def forward(self, x):
        return self.W_q(x), self.W_k(x), self.W_v(x)


@wrong("QKVProjection", "weight-transposed", note="x @ weight")
class QKVWeightNotTransposed(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return x @ self.W_q.weight, x @ self.W_k.weight, x @ self.W_v.weight


@wrong("QKVProjection", "chained-projections")
class QKVChained(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        Q = self.W_q(x)
        K = self.W_k(Q)
        return Q, K, self.W_v(K)


@wrong("QKVProjection", "scaled-too-early")
class QKVScaled(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_q(x) / self.W_q.out_features**0.5, self.W_k(x), self.W_v(x)


@wrong("QKVProjection", "extra-nonlinearity")
class QKVRelu(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return tuple(torch.relu(W(x)) for W in (self.W_q, self.W_k, self.W_v))


@wrong("QKVProjection", "wrong-attribute-names")
class QKVOtherNames(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.query = nn.Linear(d_model, d_k, bias=False)
        self.key = nn.Linear(d_model, d_k, bias=False)
        self.value = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.query(x), self.key(x), self.value(x)


@wrong("QKVProjection", "parameter-instead-of-linear")
class QKVParameters(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Parameter(torch.randn(d_model, d_k))
        self.W_k = nn.Parameter(torch.randn(d_model, d_k))
        self.W_v = nn.Parameter(torch.randn(d_model, d_v))

    def forward(self, x):
        return x @ self.W_q, x @ self.W_k, x @ self.W_v


@wrong("QKVProjection", "no-super-init")
class QKVNoSuper(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_q(x), self.W_k(x), self.W_v(x)


@wrong("QKVProjection", "gradient-cut", note="no gradient for W_k")
class QKVDetached(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_q(x), self.W_k(x).detach(), self.W_v(x)


@wrong("QKVProjection", "gradient-cut", note="weight.data")
class QKVData(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_q(x), self.W_k(x), x @ self.W_v.weight.data.T


@wrong("QKVProjection", "gradient-cut")
class QKVNoGrad(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    @torch.no_grad()
    def forward(self, x):
        return self.W_q(x), self.W_k(x), self.W_v(x)


@wrong("QKVProjection", "gradient-doubled")
class QKVDoubleGradient(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_q(x), self.W_k(x), 2 * self.W_v(x) - self.W_v(x).detach()


@wrong("QKVProjection", "returns-dict")
class QKVDict(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return {"Q": self.W_q(x), "K": self.W_k(x), "V": self.W_v(x)}


@wrong("QKVProjection", "returns-stacked", note="one tensor")
class QKVConcatenated(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return torch.cat([self.W_q(x), self.W_k(x), self.W_v(x)], dim=-1)


@wrong("QKVProjection", "keys-transposed")
class QKVKeysTransposed(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_q(x), self.W_k(x).transpose(1, 2), self.W_v(x)


@wrong("QKVProjection", "shape-flattened", note="the batch axis is lost")
class QKVFlattened(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        x = x.flatten(0, 1)
        return self.W_q(x), self.W_k(x), self.W_v(x)


@wrong("QKVProjection", "float32")
class QKVFloat32(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return tuple(W(x).float() for W in (self.W_q, self.W_k, self.W_v))


@wrong("QKVProjection", "dropout-left-on")
class QKVDropout(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        x = F.dropout(x, p=0.1)
        return self.W_q(x), self.W_k(x), self.W_v(x)


@wrong("QKVProjection", "input-changed")
class QKVInPlace(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        x -= x.mean()
        return self.W_q(x), self.W_k(x), self.W_v(x)


@wrong("QKVProjection", "state-between-calls", note="W_v is made anew in every forward")
class QKVFreshLinear(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        self.W_v = nn.Linear(x.shape[-1], self.W_v.out_features, bias=False, dtype=x.dtype)
        return self.W_q(x), self.W_k(x), self.W_v(x)


@wrong("QKVProjection", "attributes-not-used", note="three more linears do the work")
class QKVDecoration(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)
        self.both = nn.Linear(d_model, 2 * d_k + d_v, bias=False)
        self.sizes = [d_k, d_k, d_v]

    def forward(self, x):
        return self.both(x).split(self.sizes, dim=-1)
