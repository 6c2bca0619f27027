"""A learner whose answers are all right, in other styles than the solution notebooks.

One answer prints, one warns, one logs and one writes to stderr: they get their points all the same.
"""
# ruff: noqa: E402, I001

import numpy as np

# %% double
import warnings


def double(x):
    warnings.warn("this is noisy, and right", stacklevel=1)
    return np.add(x, x)


# %% dot
def dot(a, b):
    total = a.dtype.type(0)
    for one, other in zip(a, b, strict=True):
        print("adding", one * other)
        total += one * other
    return total


# %% cosine_similarity
def cosine_similarity(a, b):
    lengths = np.linalg.norm(a) * np.linalg.norm(b)
    if lengths == 0:
        return 0.0
    return np.clip(np.einsum("i,i->", a, b) / lengths, -1, 1)


# %% similarity_matrix
def similarity_matrix(X, Y):
    import sys

    result = np.empty((len(X), len(Y)), dtype=X.dtype)
    for i, x in enumerate(X):
        sys.stderr.write(f"row {i}\n")
        for j, y in enumerate(Y):
            result[i, j] = (x * y).sum()
    return result


# %% best_match
def best_match(query, keys):
    best = 0
    for i in range(len(keys)):
        if (keys[i] * query).sum() > (keys[best] * query).sum():
            best = i
    return best


# %% project
def project(X, W):
    return np.einsum("...nd,do->...no", X, W)


# %% queries_keys_values
def queries_keys_values(X, W_q, W_k, W_v):
    return tuple(np.tensordot(X, W, axes=1) for W in (W_q, W_k, W_v))


# %% attention_scores
def attention_scores(Q, K):
    return (Q[..., :, None, :] * K[..., None, :, :]).sum(-1)


# %% mix_values
def mix_values(weights, V):
    import torch

    return torch.matmul(torch.from_numpy(weights), torch.from_numpy(V)).numpy()


# %% rows_from_columns
def rows_from_columns(I, W):  # noqa: E741
    return np.stack([W @ token for token in I.T])


# %% QKVProjection
import torch


class QKVProjection(torch.nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        for name, width in (("W_q", d_k), ("W_k", d_k), ("W_v", d_v)):
            setattr(self, name, torch.nn.Linear(d_model, width, bias=False))

    def forward(self, x):
        return tuple(torch.einsum("bnd,od->bno", x, layer.weight) for layer in (self.W_q, self.W_k, self.W_v))


# %% measure_score_std
def measure_score_std(n, d_k, rng):
    K, Q = rng.normal(size=(2, n, d_k))
    scores = np.array([[q @ k for k in K] for q in Q])
    return float(np.sqrt(np.mean((scores - scores.mean()) ** 2)))


# %% predicted_score_std
def predicted_score_std(d_k, mean_q, std_q, mean_k, std_k):
    of_the_product = (std_q**2 + mean_q**2) * (std_k**2 + mean_k**2) - (mean_q * mean_k) ** 2
    return (d_k * of_the_product) ** 0.5


# %% scaled_scores
def scaled_scores(Q, K):
    import logging

    logging.getLogger("learner").warning("scaling")
    d_k = K.shape[-1]
    return np.einsum("...qd,...kd->...qk", Q / d_k**0.5, K)


# %% right_divisor
right_divisor = "sqrt({})".format("d_k")


# %% causal_mask
def causal_mask(n):
    mask = np.zeros((n, n), dtype=bool)
    for query in range(n):
        mask[query, : query + 1] = True
    return mask


# %% padding_mask
def padding_mask(lengths, n):
    return np.array([[position < length for position in range(n)] for length in lengths])


# %% combined_mask
def combined_mask(lengths, n):
    real = np.arange(n)[None, :] < np.reshape(lengths, (-1, 1))
    return np.logical_and(np.tri(n, dtype=bool)[None, None], real[:, None, None])


# %% apply_mask
def apply_mask(scores, allowed):
    import torch

    blocked = ~torch.from_numpy(np.array(allowed))
    return torch.from_numpy(scores).masked_fill(blocked, float("-inf")).numpy()


# %% to_blocked
def to_blocked(allowed):
    return np.logical_not(allowed)


# %% leaks_future
def leaks_future(attend, n, d):
    rng = np.random.default_rng(7)
    for cut in range(1, n):
        X = rng.normal(size=(n, d))
        Y = X.copy()
        Y[cut:] = rng.normal(size=(n - cut, d)) * 3
        if not np.allclose(attend(X)[:cut], attend(Y)[:cut], rtol=0, atol=1e-9):
            return True
    return False


# %% softmax
def softmax(x, axis=-1):
    rows = np.moveaxis(x, axis, -1)
    logs = rows - np.logaddexp.reduce(rows, axis=-1)[..., None]
    return np.moveaxis(np.exp(logs), -1, axis)


# %% masked_softmax
def masked_softmax(scores, allowed):
    allowed = np.broadcast_to(allowed, scores.shape)
    weights = np.zeros_like(scores)
    for row in np.ndindex(scores.shape[:-1]):
        seen = allowed[row]
        if seen.any():
            powers = np.exp(scores[row][seen] - scores[row][seen].max())
            weights[row][seen] = powers / powers.sum()
    return weights


# %% softmax_with_temperature
def softmax_with_temperature(x, temperature):
    sharp = (x - x.max(-1, keepdims=True)) / temperature
    return np.exp(sharp) / np.exp(sharp).sum(-1, keepdims=True)


# %% softmax_backward
def softmax_backward(weights, grad):
    n = weights.shape[-1]
    jacobian = weights[..., :, None] * (np.eye(n, dtype=weights.dtype) - weights[..., None, :])
    return np.einsum("...ij,...i->...j", jacobian, grad)


# %% attention
def attention(Q, K, V, allowed=None):
    scores = np.einsum("...qd,...kd->...qk", Q, K) / np.sqrt(K.shape[-1])
    allowed = np.ones(scores.shape, dtype=bool) if allowed is None else allowed
    scores = np.where(allowed, scores, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    top[top == -np.inf] = 0
    powers = np.exp(scores - top)
    total = powers.sum(axis=-1, keepdims=True)
    weights = np.divide(powers, total, out=np.zeros_like(powers), where=total > 0)
    return np.einsum("...qk,...kv->...qv", weights, V), weights


# %% split_heads
def split_heads(X, num_heads):
    d_model = X.shape[-1]
    if d_model % num_heads != 0:
        raise ValueError(f"{d_model} features do not go into {num_heads} heads")
    return np.stack(np.split(X, num_heads, axis=-1), axis=1)


# %% merge_heads
def merge_heads(H):
    return np.concatenate([H[:, head] for head in range(H.shape[1])], axis=-1)


# %% multi_head_attention
def multi_head_attention(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    import torch

    B, n, d_model = X.shape
    Q, K, V = (torch.from_numpy(X @ W).reshape(B, n, num_heads, -1).transpose(1, 2) for W in (W_q, W_k, W_v))
    scores = Q @ K.mT / (d_model // num_heads) ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~torch.from_numpy(np.array(allowed)), float("-inf"))
    weights = torch.softmax(scores, -1).nan_to_num(0.0)
    return (weights @ V).transpose(1, 2).reshape(B, n, d_model).numpy() @ W_o, weights.numpy()


# %% sum_of_heads
def sum_of_heads(H, W_o):
    h, d_head = H.shape[1], H.shape[3]
    return np.einsum("bhnd,hdo->bno", H, W_o.reshape(h, d_head, W_o.shape[1]))


# %% MultiHeadAttention
import torch


class MultiHeadAttention(torch.nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (torch.nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, query, key, value, allowed=None):
        outputs, weights = [], []
        Q, K, V = self.W_q(query), self.W_k(key), self.W_v(value)
        width = Q.shape[-1] // self.heads
        if allowed is not None:
            allowed = allowed.expand(len(Q), self.heads, Q.shape[1], K.shape[1])
        for head in range(self.heads):
            part = slice(head * width, (head + 1) * width)
            scores = torch.einsum("bqd,bkd->bqk", Q[..., part], K[..., part]) / width**0.5
            if allowed is not None:
                scores = scores.masked_fill(~allowed[:, head], -1e30)
            weight = torch.softmax(scores, dim=-1)
            if allowed is not None:
                weight = weight * allowed[:, head]
            weights.append(weight)
            outputs.append(weight @ V[..., part])
        return self.W_o(torch.cat(outputs, dim=-1)), torch.stack(weights, dim=1)
