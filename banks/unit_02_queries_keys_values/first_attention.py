"""Right and wrong answers to `first_attention`, as learners write them."""

import math

import numpy as np
import torch
import torch.nn.functional as F

from banks.registry import add_right, add_wrong, right, wrong
from helpers import example, reference


def _qkv(X, *weights):
    return [X @ W for W in weights]


# Right answers, each in its own style


@right("first_attention", "the functions of the unit, one after the other")
def of_the_unit(X, W_q, W_k, W_v):
    Q = reference.project(X, W_q)
    K = reference.project(X, W_k)
    V = reference.project(X, W_v)
    scores = reference.attention_scores(Q, K)
    weights = reference.softmax(scores)
    output = reference.mix_values(weights, V)
    return output, weights


@right("first_attention", "one chain of products, values projected last")
def chain(X, W_q, W_k, W_v):
    w = reference.softmax(X @ W_q @ W_k.T @ X.T)
    return w @ X @ W_v, w


@right("first_attention", "loops down to single numbers")
def loops(X, W_q, W_k, W_v):
    n, d = X.shape
    d_k, d_v = W_q.shape[1], W_v.shape[1]
    Q, K, V = np.zeros((n, d_k)), np.zeros((n, d_k)), np.zeros((n, d_v))
    for i in range(n):
        for r in range(d):
            for c in range(d_k):
                Q[i, c] += X[i, r] * W_q[r, c]
                K[i, c] += X[i, r] * W_k[r, c]
            for c in range(d_v):
                V[i, c] += X[i, r] * W_v[r, c]
    weights, output = np.zeros((n, n)), np.zeros((n, d_v))
    for i in range(n):
        row = np.zeros(n)
        for j in range(n):
            row[j] = (Q[i] * K[j]).sum()
        weights[i] = reference.softmax(row)
        for j in range(n):
            output[i] = output[i] + weights[i, j] * V[j]
    return output, weights


@right("first_attention", "einsum")
def with_einsum(X, W_q, W_k, W_v):
    Q = np.einsum("nd,dk->nk", X, W_q)
    K = np.einsum("nd,dk->nk", X, W_k)
    V = np.einsum("nd,dv->nv", X, W_v)
    weights = reference.softmax(np.einsum("ik,jk->ij", Q, K))
    return np.einsum("ij,jv->iv", weights, V), weights


@right("first_attention", "torch inside, NumPy out")
def torch_inside(X, W_q, W_k, W_v):
    x, q, k, v = (torch.tensor(np.asarray(a, dtype=np.float64)) for a in (X, W_q, W_k, W_v))
    w = F.softmax((x @ q) @ (x @ k).T, dim=1)
    return (w @ (x @ v)).numpy(), w.numpy()


@right("first_attention", "a softmax of one's own")
def own_softmax(X, W_q, W_k, W_v):
    S = (X @ W_q) @ (X @ W_k).T
    S = S - S.max(axis=1, keepdims=True)
    E = np.exp(S)
    A = E / E.sum(axis=1, keepdims=True)
    return (A @ (X @ W_v), A)


@right("first_attention", "one query at a time, exponentials of Python numbers")
def one_query_at_a_time(X, W_q, W_k, W_v):
    K, V = X @ W_k, X @ W_v
    output, weights = [], []
    for query in X @ W_q:
        scores = [float(query @ key) for key in K]
        powers = [math.exp(score - max(scores)) for score in scores]
        row = [power / sum(powers) for power in powers]
        weights.append(row)
        output.append(sum(weight * value for weight, value in zip(row, V, strict=True)))
    return np.array(output), np.array(weights)


@right("first_attention", "lists of vectors, a query at a time")
def lists(X, W_q, W_k, W_v):
    keys = [x @ W_k for x in X]
    values = [x @ W_v for x in X]
    outs, ws = [], []
    for x in X:
        q = x @ W_q
        w = reference.softmax(np.array([q @ k for k in keys]))
        ws.append(w)
        outs.append(sum(a * v for a, v in zip(w, values, strict=True)))
    return np.array(outs), np.array(ws)


@right("first_attention", "tokens in columns, turned at the end")
def columns(X, W_q, W_k, W_v):
    Qt, Kt, Vt = W_q.T @ X.T, W_k.T @ X.T, W_v.T @ X.T
    weights = reference.softmax((Kt.T @ Qt).T)
    return (Vt @ weights.T).T, weights


@right("first_attention", "broadcasting and sums")
def broadcast(X, W_q, W_k, W_v):
    Q, K, V = np.dot(X, W_q), np.dot(X, W_k), np.dot(X, W_v)
    weights = reference.softmax((Q[:, None, :] * K[None, :, :]).sum(axis=2))
    return (weights[:, :, None] * V[None]).sum(axis=1), weights


@right("first_attention", "the weights joined, inner and tensordot")
def joined(X, W_q, W_k, W_v):
    widths = [W_q.shape[1], W_q.shape[1] + W_k.shape[1]]
    Q, K, V = np.split(X @ np.hstack([W_q, W_k, W_v]), widths, axis=1)
    result = {"weights": reference.softmax(np.inner(Q, K))}
    result["output"] = np.tensordot(result["weights"], V, axes=1)
    return result["output"], result["weights"]


def _softmax_row(row):
    top = max(row)
    e = [np.exp(s - top) for s in row]
    return [v / sum(e) for v in e]


@right("first_attention", "map, rows of numbers, np.average")
def averages(X, W_q, W_k, W_v):
    Q, K, V = (X.dot(W) for W in (W_q, W_k, W_v))
    weights = np.array([_softmax_row([np.vdot(q, k) for k in K]) for q in Q])
    return np.stack([np.average(V, axis=0, weights=w) for w in weights]), weights


@right("first_attention", "F.scaled_dot_product_attention, the library call, with scale=1")
def sdpa(X, W_q, W_k, W_v):
    q, k, v = (torch.from_numpy(one) for one in _qkv(X, W_q, W_k, W_v))
    weights = torch.softmax(q @ k.T, dim=-1).numpy()
    return F.scaled_dot_product_attention(q, k, v, scale=1.0).numpy(), weights


@right("first_attention", "scaled attention with the scaling undone")
def unscaled(X, W_q, W_k, W_v):
    Q, K, V = reference.queries_keys_values(X, W_q, W_k, W_v)
    return reference.attention(Q * np.sqrt(Q.shape[-1]), K, V)


@right("first_attention", "float32 comes back as float64")
def widened(X, W_q, W_k, W_v):
    Q, K, V = _qkv(X.astype(float), W_q, W_k, W_v)
    weights = reference.softmax(Q @ K.T)
    return weights @ V, weights


add_right("first_attention", "the reference itself", reference.first_attention)


# Wrong answers, each with the id of its mistake


def _wrong(mistake, note, weigh, mix=lambda w, V, X: w @ V, result=lambda output, w: (output, w)):
    """An answer with wrong weights, a wrong mixture or a wrong `return`."""

    def answer(X, W_q, W_k, W_v):
        Q, K, V = X @ W_q, X @ W_k, X @ W_v
        weights = weigh(Q, K)
        return result(mix(weights, V, X), weights)

    add_wrong("first_attention", mistake, answer, note)


def _right_weights(Q, K):
    return reference.softmax(Q @ K.T)


def _made(mistake, note, project):
    """An answer with wrong queries, keys or values."""

    def answer(X, W_q, W_k, W_v):
        Q, K, V = project(X, W_q, W_k, W_v)
        weights = reference.softmax(reference.attention_scores(Q, K))
        return reference.mix_values(weights, V), weights

    add_wrong("first_attention", mistake, answer, note)


# Scaling

_wrong("scaled-too-early", "by sqrt(d_k)", lambda Q, K: reference.softmax(Q @ K.T / np.sqrt(K.shape[1])))
_wrong("scaled-too-early", "by d_k", lambda Q, K: reference.softmax(Q @ K.T / K.shape[1]))
_wrong("scaled-too-early", "by sqrt(n)", lambda Q, K: reference.softmax(Q @ K.T / np.sqrt(len(K))))
_wrong("scaled-up", "times sqrt(d_k)", lambda Q, K: reference.softmax(Q @ K.T * np.sqrt(K.shape[1])))
_wrong("scaled-too-early", "weights divided", lambda Q, K: _right_weights(Q, K) / np.sqrt(K.shape[1]))
_wrong(
    "scaled-too-early", "np.mean of the products", lambda Q, K: reference.softmax((Q[:, None] * K).mean(-1))
)


@wrong("first_attention", "scaled-too-early", "reference.attention")
def whole_attention(X, W_q, W_k, W_v):
    return reference.attention(*reference.queries_keys_values(X, W_q, W_k, W_v))


@wrong("first_attention", "scaled-too-early", "scaled_dot_product_attention without scale=1, own weights")
def sdpa_scaled(X, W_q, W_k, W_v):
    q, k, v = (torch.from_numpy(one) for one in _qkv(X, W_q, W_k, W_v))
    return F.scaled_dot_product_attention(q, k, v).numpy(), torch.softmax(q @ k.T, dim=-1).numpy()


@wrong("first_attention", "scaled-too-early", "by the root of the width of a token")
def by_root_d(X, W_q, W_k, W_v):
    weights = reference.softmax((X @ W_q) @ (X @ W_k).T / X.shape[1] ** 0.5)
    return weights @ (X @ W_v), weights


# Projections

_made("one-matrix-twice", "keys with W_q", lambda X, q, k, v: (X @ q, X @ q, X @ v))
_made("query-not-used", "queries with W_k", lambda X, q, k, v: (X @ k, X @ k, X @ v))
_made("keys-for-values", "values with W_k", lambda X, q, k, v: (X @ q, X @ k, X @ k))
_made("query-weight-reused", "all with W_q", lambda X, q, k, v: (X @ q, X @ q, X @ q))
_made("query-weight-reused", "values with W_q", lambda X, q, k, v: (X @ q, X @ k, X @ q))
_made("keys-by-queries", "W_q and W_k swapped", lambda X, q, k, v: (X @ k, X @ q, X @ v))
_made("key-and-value-swapped", "unpacked as Q, V, K", lambda X, q, k, v: (X @ q, X @ v, X @ k))
_made("arguments-swapped", "unpacked as V, K, Q", lambda X, q, k, v: (X @ v, X @ k, X @ q))
_made("arguments-ignored", "X for all three", lambda X, q, k, v: (X, X, X))
_made("query-not-projected", "X for Q and K", lambda X, q, k, v: (X, X, X @ v))
_made("value-not-projected", "X for V", lambda X, q, k, v: (X @ q, X @ k, X))
_made("factors-swapped", "reference.project(W, X)", lambda X, *W: [reference.project(w, X) for w in W])
_made("weight-transposed", "X @ W.T", lambda X, *W: [X @ w.T for w in W])
_made(
    "weight-transposed", "F.linear", lambda X, *W: [F.linear(*map(torch.tensor, (X, w))).numpy() for w in W]
)
_made("weight-transposed", "W_v.T", lambda X, q, k, v: (X @ q, X @ k, X @ v.T))
_made("factors-swapped", "W.T @ X", lambda X, *W: [w.T @ X for w in W])
_made("columns-as-tokens", "X.T @ W", lambda X, *W: [X.T @ w for w in W])
_made("no-sum", "X * W", lambda X, *W: [X * w for w in W])
_made("chained-projections", "keys of queries", lambda X, q, k, v: (X @ q, X @ q @ k, X @ v))
_made("normalised-first", "unit tokens", lambda X, *W: _qkv(X / np.linalg.norm(X, axis=1, keepdims=True), *W))


@wrong("first_attention", "chained-projections", "X reassigned")
def reassigned(X, W_q, W_k, W_v):
    X = reference.project(X, W_q)
    Q = X
    X = reference.project(X, W_k)
    K = X
    X = reference.project(X, W_v)
    weights = reference.softmax(reference.attention_scores(Q, K))
    return reference.mix_values(weights, X), weights


@wrong("first_attention", "arguments-ignored", "the sentence of the example")
def of_the_example(X, W_q, W_k, W_v):
    return reference.first_attention(example.X, example.W_Q, example.W_K, example.W_V)


@wrong("first_attention", "input-changed", "X -= mean")
def centred_in_place(X, W_q, W_k, W_v):
    X -= X.mean(axis=0)
    weights = _right_weights(X @ W_q, X @ W_k)
    return weights @ (X @ W_v), weights


# Scores

_wrong("keys-by-queries", "K @ Q.T", lambda Q, K: reference.softmax(K @ Q.T))
_wrong("no-transpose", "Q @ K", lambda Q, K: reference.softmax(Q @ K))
_wrong("no-sum", "Q * K", lambda Q, K: reference.softmax(Q * K))
_wrong("columns-as-tokens", "Q.T @ K", lambda Q, K: reference.softmax(Q.T @ K))
_wrong("one-matrix-twice", "Q @ Q.T", lambda Q, K: reference.softmax(Q @ Q.T))
_wrong("query-not-used", "K @ K.T", lambda Q, K: reference.softmax(K @ K.T))
_wrong("reshape-instead-of-transpose", "K.reshape", lambda Q, K: reference.softmax(Q @ K.reshape(K.T.shape)))
_wrong("sign-flipped", "-Q @ K.T", lambda Q, K: reference.softmax(-Q @ K.T))


@wrong("first_attention", "query-not-projected", "X @ X.T, queries and keys never used")
def tokens_compared(X, W_q, W_k, W_v):
    weights = reference.softmax(X @ X.T)
    return weights @ (X @ W_v), weights


def _unit(x):
    return x / np.linalg.norm(x, axis=1, keepdims=True)


_wrong("cosine-instead-of-dot", "norms", lambda Q, K: reference.softmax(_unit(Q) @ _unit(K).T))


def _filled(pairs):
    def weigh(Q, K):
        scores = np.zeros((len(Q), len(Q)))
        for i, j in pairs(Q):
            scores[i, j] = Q[i] @ K[j]
        return reference.softmax(scores)

    return weigh


def _below(Q):
    return [(i, j) for i in range(len(Q)) for j in range(i)]


def _from_the_diagonal(Q):
    return [(i, j) for i in range(len(Q)) for j in range(i, len(Q))]


_wrong("causal-by-default", "inner loop to i", _filled(_below))
_wrong("upper-half-only", "inner loop from i", _filled(_from_the_diagonal))


@wrong("first_attention", "square-only", "loops run to Q.shape[1]")
def loops_over_features(X, W_q, W_k, W_v):
    Q, K, V = _qkv(X, W_q, W_k, W_v)
    n = Q.shape[1]
    scores = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            scores[i, j] = np.dot(Q[i], K[j])
    weights = reference.softmax(scores)
    return weights @ V, weights


def _causal(Q, K):
    scores = Q @ K.T
    scores[np.triu(np.ones(scores.shape), k=1).astype(bool)] = -1e9
    return reference.softmax(scores)


_wrong("causal-by-default", "later keys hidden", _causal)


# Softmax

_wrong("softmax-over-queries", "axis=0", lambda Q, K: reference.softmax(Q @ K.T, axis=0))
_wrong("softmax-over-queries", "turned twice", lambda Q, K: reference.softmax((Q @ K.T).T).T)
_wrong("weights-transposed", "turned once", lambda Q, K: reference.softmax(Q @ K.T).T)
_wrong("no-softmax", "scores mixed", lambda Q, K: Q @ K.T)
_wrong("softmax-again", "twice", lambda Q, K: reference.softmax(_right_weights(Q, K)))
_wrong("truncates-to-int", "weights rounded to 2 digits", lambda Q, K: np.round(_right_weights(Q, K), 2))
_wrong("weights-squared", "squared", lambda Q, K: _right_weights(Q, K) ** 2)


def _shares(of, total):
    def weigh(Q, K):
        e = of(Q @ K.T)
        return e / total(e)

    return weigh


def _exp_of_all(s):
    return np.exp(s - s.max())


def _shifted(s):
    return np.exp(s - s.max(-1, keepdims=True))


_wrong("softmax-over-everything", "divided by e.sum()", _shares(_exp_of_all, np.sum))
_wrong("softmax-over-everything", "np.exp, e.sum()", _shares(np.exp, np.sum))
_wrong("softmax-over-queries", "np.exp, e.sum(axis=0)", _shares(np.exp, lambda e: e.sum(axis=0)))
_wrong("no-max-subtraction", "np.exp", _shares(np.exp, lambda e: e.sum(1, keepdims=True)))
_wrong("keepdims-forgotten", "np.exp, np.sum(e, axis=1)", _shares(np.exp, lambda e: e.sum(1)))
_wrong("keepdims-forgotten", "maximum taken away", _shares(_shifted, lambda e: e.sum(1)))
_wrong("global-max", "s.max()", _shares(_exp_of_all, lambda e: e.sum(1, keepdims=True)))
_wrong("not-normalised", "bare exponentials", _shares(np.exp, lambda e: 1))
_wrong("not-normalised", "maximum taken away", _shares(_shifted, lambda e: 1))
_wrong("no-exponential", "scores by their sum", _shares(np.array, lambda s: s.sum(1, keepdims=True)))
_wrong("sigmoid", "each score by itself", lambda Q, K: 1 / (1 + np.exp(-Q @ K.T)))


def _best(Q, K):
    scores = Q @ K.T
    weights = np.zeros_like(scores, dtype=float)
    for i in range(len(scores)):
        weights[i, np.argmax(scores[i])] = 1.0
    return weights


_wrong("hard-lookup", "argmax", _best)
_wrong("weights-ignored", "plain averages", lambda Q, K: np.full((len(Q), len(Q)), 1 / len(Q)))


# Mixing

_wrong("weights-transposed", "w.T @ V", _right_weights, lambda w, V, X: w.T @ V)
_wrong("value-not-projected", "w @ X", _right_weights, lambda w, V, X: w @ X)
_wrong("factors-swapped", "mix_values(V, w)", _right_weights, lambda w, V, X: reference.mix_values(V, w))
_wrong("columns-as-tokens", "w @ V.T", _right_weights, lambda w, V, X: w @ V.T)
_wrong("extra-residual", "+ X", _right_weights, lambda w, V, X: w @ V + X)
_wrong("extra-residual", "+ V", _right_weights, lambda w, V, X: w @ V + V)
_wrong("extra-residual", "+ mean of X", _right_weights, lambda w, V, X: w @ V + X.mean(1, keepdims=True))
_wrong("mean-instead-of-sum", "divided by n", _right_weights, lambda w, V, X: w @ V / len(X))
_wrong("truncates-to-int", "room for integers", _right_weights, lambda w, V, X: (w @ V).astype(int))
_wrong("hard-lookup", "best value whole", _right_weights, lambda w, V, X: V[w.argmax(1)])
_wrong("weights-ignored", "w.sum() * V", _right_weights, lambda w, V, X: w.sum(1, keepdims=True) * V)
_wrong("softmax-too-early", "output too", _right_weights, lambda w, V, X: reference.softmax(w @ V))


@wrong("first_attention", "keys-for-values", "mix_values(weights, keys)")
def keys_mixed(X, W_q, W_k, W_v):
    queries, keys = X @ W_q, X @ W_k
    weights = reference.softmax(queries @ keys.T)
    return reference.mix_values(weights, keys), weights


@wrong("first_attention", "overwritten-instead-of-summed", "= in the inner loop")
def overwritten(X, W_q, W_k, W_v):
    Q, K, V = _qkv(X, W_q, W_k, W_v)
    weights, output = reference.softmax(Q @ K.T), np.zeros(V.shape)
    for i in range(len(X)):
        for j in range(len(X)):
            output[i] = weights[i, j] * V[j]
    return output, weights


@wrong("first_attention", "square-only", "np.zeros(X.shape)")
def room_like_tokens(X, W_q, W_k, W_v):
    Q, K, V = _qkv(X, W_q, W_k, W_v)
    weights, output = reference.softmax(Q @ K.T), np.zeros(X.shape)
    for i in range(len(X)):
        for c in range(V.shape[1]):
            output[i, c] = weights[i] @ V[:, c]
    return output, weights


@wrong("first_attention", "returned-inside-loop", "both arrays")
def returned_too_early(X, W_q, W_k, W_v):
    Q, K, V = _qkv(X, W_q, W_k, W_v)
    weights, output = np.zeros((len(X), len(X))), np.zeros(V.shape)
    for i in range(len(X)):
        weights[i] = reference.softmax(K @ Q[i])
        output[i] = weights[i] @ V
        return output, weights


# What comes back

_wrong("wrong-order", "weights first", _right_weights, result=lambda output, w: (w, output))
_wrong("one-output-missing", "output alone", _right_weights, result=lambda output, w: output)
_wrong("one-output-missing", "weights alone", _right_weights, result=lambda output, w: w)
_wrong("returns-none", "printed", _right_weights, result=print)
_wrong("returns-list", "[output, weights]", _right_weights, result=lambda output, w: [output, w])
_wrong("returns-dict", "by name", _right_weights, result=lambda output, w: {"output": output, "weights": w})
_wrong("not-transposed-back", "output.T", _right_weights, result=lambda output, w: (output.T, w))
_wrong("weights-transposed", "returned w.T", _right_weights, result=lambda output, w: (output, w.T))
_wrong("queries-summed", "sum(0)", _right_weights, result=lambda output, w: (output.sum(0), w))
_wrong("shape-flattened", "squeeze", _right_weights, result=lambda output, w: (output.squeeze(), w.squeeze()))
_wrong(
    "returns-tensor",
    "torch.from_numpy",
    _right_weights,
    result=lambda output, w: (torch.from_numpy(output), torch.from_numpy(w)),
)
_wrong("only-last-token", "one query", _right_weights, result=lambda output, w: (output[-1], w[-1]))
_wrong("only-first-token", "one query", _right_weights, result=lambda output, w: (output[0], w[0]))


@wrong("first_attention", "returns-scores-for-weights", "return output, scores")
def scores_returned(X, W_q, W_k, W_v):
    Q, K, V = _qkv(X, W_q, W_k, W_v)
    scores = Q @ K.T
    return reference.softmax(scores) @ V, scores


@wrong("first_attention", "no-softmax", "for the output only")
def scores_mixed(X, W_q, W_k, W_v):
    Q, K, V = _qkv(X, W_q, W_k, W_v)
    scores = Q @ K.T
    return scores @ V, reference.softmax(scores)


@wrong("first_attention", "one-output-too-many", "scores too")
def three(X, W_q, W_k, W_v):
    Q, K, V = _qkv(X, W_q, W_k, W_v)
    scores = Q @ K.T
    weights = reference.softmax(scores)
    return weights @ V, weights, scores
