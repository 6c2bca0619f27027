"""Right and wrong answers to `queries_keys_values`, as learners write them."""

from collections import namedtuple
from functools import partial
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F

from banks.registry import right, wrong
from helpers import example

# Right answers, each in its own style


@right("queries_keys_values", "@")
def qkv_at(X, W_q, W_k, W_v):
    return X @ W_q, X @ W_k, X @ W_v


@right("queries_keys_values", "generator to tuple")
def qkv_generator_tuple(X, W_q, W_k, W_v):
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


@right("queries_keys_values", "one fused matmul then split views")
def queries_keys_values_17(X, W_q, W_k, W_v):
    a = W_q.shape[1]
    b = a + W_k.shape[1]
    P = X @ np.hstack([W_q, W_k, W_v])
    return P[..., :a], P[..., a:b], P[..., b:]


@right("queries_keys_values", "generator in tuple()")
def queries_keys_values_18(X, *Ws):
    return tuple(np.einsum("...nd,de->...ne", X, W) for W in Ws)


# Wrong answers, those with one mistake together


@wrong("queries_keys_values", "wrong-order", note="K, Q, V")
def qkv_k_first(X, W_q, W_k, W_v):
    return X @ W_k, X @ W_q, X @ W_v


@wrong("queries_keys_values", "wrong-order", note="Q, V, K")
def qkv_v_second(X, W_q, W_k, W_v):
    return X @ W_q, X @ W_v, X @ W_k


@wrong("queries_keys_values", "wrong-order", note="Returns (Q, V, K): values in the place of keys.")
def qkv_3(X, W_q, W_k, W_v):
    return X @ W_q, X @ W_v, X @ W_k


@wrong("queries_keys_values", "wrong-order", note="Returns order (Q, V, K)")
def queries_keys_values_35(X, W_q, W_k, W_v):
    return X @ W_q, X @ W_v, X @ W_k


@wrong("queries_keys_values", "value-not-projected")
def qkv_v_is_x(X, W_q, W_k, W_v):
    return X @ W_q, X @ W_k, X


@wrong("queries_keys_values", "key-weight-reused", note="for V")
def qkv_w_k_for_v(X, W_q, W_k, W_v):
    return X @ W_q, X @ W_k, X @ W_k


@wrong("queries_keys_values", "key-weight-reused", note="for Q: right when W_q == W_k")
def qkv_w_k_for_q(X, W_q, W_k, W_v):
    return X @ W_k, X @ W_k, X @ W_v


@wrong("queries_keys_values", "key-weight-reused", note="Copy-paste: the value line still says W_k.")
def qkv_1(X, W_q, W_k, W_v):
    Q = np.matmul(X, W_q)
    K = np.matmul(X, W_k)
    V = np.matmul(X, W_k)
    return Q, K, V


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


@wrong("queries_keys_values", "query-weight-reused", note="for K: right when W_q == W_k")
def qkv_w_q_for_k(X, W_q, W_k, W_v):
    return X @ W_q, X @ W_q, X @ W_v


@wrong("queries_keys_values", "query-weight-reused", note="Copy-paste: K computed with W_q")
def queries_keys_values_34(X, W_q, W_k, W_v):
    Q = X @ W_q
    K = X @ W_q
    V = X @ W_v
    return Q, K, V


@wrong("queries_keys_values", "chained-projections", note="keys are made from queries")
def qkv_chained(X, W_q, W_k, W_v):
    Q = X @ W_q
    K = Q @ W_k
    return Q, K, K @ W_v


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


@wrong(
    "queries_keys_values",
    "scaled-too-early",
    note="Already divides the queries by sqrt(d_k), which is not part of the projection.",
)
def qkv_6(X, W_q, W_k, W_v):
    d_k = W_q.shape[1]
    return (X @ W_q) / np.sqrt(d_k), X @ W_k, X @ W_v


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


@wrong("queries_keys_values", "returns-stacked", note="one array, d_v == d_k only")
def qkv_stack(X, W_q, W_k, W_v):
    return np.stack([X @ W_q, X @ W_k, X @ W_v])


@wrong(
    "queries_keys_values",
    "returns-stacked",
    note="Stacks along the last axis: returns one concatenated array",
)
def queries_keys_values_37(X, W_q, W_k, W_v):
    return X @ np.concatenate([W_q, W_k, W_v], axis=1)


@wrong("queries_keys_values", "returns-generator")
def qkv_generator(X, W_q, W_k, W_v):
    return (X @ W for W in (W_q, W_k, W_v))


@wrong(
    "queries_keys_values",
    "returns-generator",
    note="Round brackets round a comprehension make a generator, not a tuple.",
)
def qkv_5(X, W_q, W_k, W_v):
    return (X @ W for W in [W_q, W_k, W_v])


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
    "arguments-ignored",
    note="Uses the notebook's example weights (example.W_Q, W_K, W_V) instead of the arguments.",
)
def queries_keys_values_arguments_ignored(X, W_q, W_k, W_v):
    return X @ example.W_Q, X @ example.W_K, X @ example.W_V


_seen = {}


@wrong("queries_keys_values", "state-between-calls", note="kept by the shapes of a call")
def queries_keys_values_kept_by_shape(X, W_q, W_k, W_v):
    key = (X.shape, W_q.shape, W_v.shape)
    if key not in _seen:
        _seen[key] = (X @ W_q, X @ W_k, X @ W_v)
    return _seen[key]


@wrong("queries_keys_values", "square-only", note="the values go into an array as wide as the queries")
def values_into_the_width_of_the_queries(X, W_q, W_k, W_v):
    Q = X @ W_q
    K, V = np.zeros_like(Q), np.zeros_like(Q)
    K[...] = X @ W_k
    V[...] = X @ W_v
    return Q, K, V


@wrong("queries_keys_values", "wrong-cut")
def joined_and_cut_at_d_v(X, W_q, W_k, W_v):
    P = X @ np.concatenate([W_q, W_k, W_v], axis=1)
    Q, K, V = np.split(P, [W_q.shape[1], W_v.shape[1]], axis=-1)
    return Q, K, V


@wrong("queries_keys_values", "extra-layernorm+wrong-order")
def normalised_tokens_and_exchanged_weights(X, W_q, W_k, W_v):
    x = (X - X.mean(-1, keepdims=True)) / np.sqrt(X.var(-1, keepdims=True) + 1e-5)
    return x @ W_k, x @ W_q, x @ W_v


@wrong("queries_keys_values", "weight-transposed+wrong-order")
def transposed_weights_keys_first(X, W_q, W_k, W_v):
    Q = X @ W_q.T
    K = X @ W_k.T
    V = X @ W_v.T
    return K, Q, V


@wrong("queries_keys_values", "returns-list", note="one (q, k, v) for each token")
def qkv_token_by_token(X, W_q, W_k, W_v):
    rows = []
    for token in X:
        rows.append((token @ W_q, token @ W_k, token @ W_v))
    return rows


@wrong("queries_keys_values", "input-split-before-projection")
def qkv_of_three_parts_of_x(X, W_q, W_k, W_v):
    d = X.shape[-1] // 3
    Q = X[..., :d] @ W_q[:d]
    K = X[..., d : 2 * d] @ W_k[d : 2 * d]
    V = X[..., 2 * d :] @ W_v[2 * d :]
    return Q, K, V


@wrong("queries_keys_values", "returns-tuple", note="a comma at the end of each line")
def qkv_with_commas(X, W_q, W_k, W_v):
    Q = (X @ W_q,)
    K = (X @ W_k,)
    V = (X @ W_v,)
    return Q, K, V
