"""Wrong answers to the exercises of units 05 and 06: a second round, by people who had seen neither checks nor bank."""

import numpy as np
import torch
from torch import nn

from ..registry import wrong


# ------------------------------------------------------------------------------------------------ softmax
@wrong(
    "softmax", "no-max-subtraction", note="Plain e^x / sum e^x through torch.exp: overflows to NaN at 1e4."
)
def s1(x, axis=-1):
    t = torch.exp(torch.as_tensor(x))
    return (t / t.sum(dim=axis, keepdim=True)).numpy()


@wrong(
    "softmax",
    "no-max-subtraction",
    note="Tries to avoid overflow by clipping x to +-500, so all huge scores become equal.",
)
def s2(x, axis=-1):
    x = np.clip(x, -500, 500)
    e = np.exp(x)
    return e / np.sum(e, axis=axis, keepdims=True)


@wrong("softmax", "wrong-default-axis", note="The axis argument works, but its default is 0 instead of -1.")
def s3(x, axis=0):
    z = x - np.max(x, axis=axis, keepdims=True)
    p = np.exp(z)
    return p / np.sum(p, axis=axis, keepdims=True)


@wrong("softmax", "axis-ignored", note="Always works on the last axis whatever axis says.")
def s4(x, axis=-1):
    m = x.max(axis=-1)[..., None]
    e = np.exp(x - m)
    s = e.sum(axis=-1)[..., None]
    return e / s


@wrong(
    "softmax",
    "global-max",
    note="Subtracts the maximum of the whole array, so a row far below it underflows to 0/0.",
)
def s5(x, axis=-1):
    e = np.exp(x - np.max(x))
    return e / e.sum(axis=axis, keepdims=True)


@wrong(
    "softmax",
    "keepdims-forgotten",
    note="Max keeps its axis, the sum does not, so the division lines up with the wrong axis or fails.",
)
def s6(x, axis=-1):
    x = x - x.max(axis, keepdims=True)
    e = np.exp(x)
    return e / e.sum(axis)


@wrong("softmax", "input-changed", note="x -= max writes into the caller's array.")
def s7(x, axis=-1):
    x -= x.max(axis=axis, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis=axis, keepdims=True)
    return x


@wrong("softmax", "fixed-number-of-axes", note="Loops over rows of a matrix: only right for 2-D input.")
def s8(x, axis=-1):
    if axis in (0, -2):
        return s8_rows(x.T).T
    return s8_rows(x)


def s8_rows(x):
    out = np.zeros(x.shape)
    for i in range(x.shape[0]):
        top = np.max(x[i])
        total = np.sum(np.exp(x[i] - top))
        for j in range(x.shape[1]):
            out[i, j] = np.exp(x[i, j] - top) / total
    return out


@wrong(
    "softmax",
    "epsilon-too-large",
    note="Adds 1e-4 to the denominator 'for stability', so the weights no longer sum to 1.",
)
def s9(x, axis=-1):
    shifted = x - np.max(x, axis=axis, keepdims=True)
    e = np.exp(shifted)
    return e / (np.sum(e, axis=axis, keepdims=True) + 1e-4)


@wrong("softmax", "not-normalised", note="Divides the exponentials by their maximum rather than their sum.")
def s10(x, axis=-1):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.max(axis, keepdims=True)


@wrong(
    "softmax",
    "axis-ignored",
    note="subtracts the maximum along axis 0 always, which shifts the entries of one row by different amounts.",
)
def s11(x, axis=-1):
    e = np.exp(x - np.max(x, axis=0))
    return e / np.sum(e, axis=axis, keepdims=True)


@wrong(
    "softmax", "no-max-subtraction+axis-ignored", note="Naive exponentials, and always sums the last axis."
)
def s12(x, axis=-1):
    return np.exp(x) / np.einsum("...i->...", np.exp(x))[..., None]


@wrong(
    "softmax",
    "softmax-over-everything+input-changed",
    note="Normalises over the whole array and subtracts the max in place.",
)
def s13(x, axis=-1):
    x -= x.max()
    return np.exp(x) / np.exp(x).sum()


# ----------------------------------------------------------------------------------------- masked_softmax
@wrong(
    "masked_softmax",
    "mask-inverted",
    note="torch.masked_fill with `allowed` itself: fills the positions that should stay.",
)
def m1(scores, allowed):
    s = torch.as_tensor(scores).masked_fill(torch.as_tensor(allowed), -torch.inf)
    return torch.nan_to_num(torch.softmax(s, -1), nan=0.0).numpy()


@wrong(
    "masked_softmax",
    "blocked-row-nan",
    note="Right masking, but a row with nothing allowed becomes NaN (-inf minus -inf).",
)
def m2(scores, allowed):
    z = np.where(allowed, scores, -np.inf)
    z = z - z.max(axis=-1, keepdims=True)
    e = np.exp(z)
    return e / e.sum(axis=-1, keepdims=True)


@wrong(
    "masked_softmax",
    "blocked-row-uniform",
    note="-1e30 for blocked keys: a fully blocked row comes back uniform instead of 0.",
)
def m3(scores, allowed):
    z = np.where(allowed, scores, -1e30)
    e = np.exp(z - z.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


@wrong(
    "masked_softmax",
    "mask-after-softmax",
    note="Softmax over all keys, then zeroes blocked weights: rows sum to less than 1.",
)
def m4(scores, allowed):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    p = e / e.sum(axis=-1, keepdims=True)
    p = np.where(allowed, p, 0.0)
    return p


@wrong(
    "masked_softmax",
    "mask-multiplied",
    note="Multiplies scores by 0/1 so blocked keys still get e^0; only all-blocked rows are zeroed.",
)
def m5(scores, allowed):
    z = scores * allowed
    e = np.exp(z - z.max(-1, keepdims=True))
    p = e / e.sum(-1, keepdims=True)
    return p * np.any(allowed, axis=-1, keepdims=True)


@wrong(
    "masked_softmax",
    "mask-value-too-small",
    note="Subtracts only 20 from blocked scores: some weight leaks, and large blocked scores still win.",
)
def m6(scores, allowed):
    bias = (1.0 - np.asarray(allowed, dtype=float)) * -20.0
    z = scores + bias
    e = np.exp(z - np.max(z, axis=-1, keepdims=True))
    out = e / np.sum(e, axis=-1, keepdims=True)
    out[~np.broadcast_to(allowed, scores.shape).any(-1)] = 0
    return out


@wrong(
    "masked_softmax",
    "zero-as-sentinel",
    note="Treats a score of exactly 0 as masked, so an allowed key orthogonal to the query disappears.",
)
def m7(scores, allowed):
    z = np.where(allowed, scores, 0.0)
    z = np.where(z == 0, -np.inf, z)
    top = z.max(-1, keepdims=True)
    e = np.exp(z - np.where(np.isinf(top), 0, top))
    total = e.sum(-1, keepdims=True)
    return np.divide(e, total, out=np.zeros_like(e), where=total > 0)


@wrong(
    "masked_softmax",
    "mask-not-broadcast",
    note="Boolean indexing needs a mask of exactly the scores' shape: a (n_k,) row or a batch fails.",
)
def m8(scores, allowed):
    z = scores.astype(float).copy()
    z[~allowed] = -np.inf
    top = z.max(-1, keepdims=True)
    top[top == -np.inf] = 0
    e = np.exp(z - top)
    s = e.sum(-1, keepdims=True)
    s[s == 0] = 1
    return e / s


@wrong(
    "masked_softmax",
    "max-over-blocked",
    note="The max includes blocked keys: one huge blocked score underflows every allowed one to 0.",
)
def m9(scores, allowed):
    e = np.exp(scores - scores.max(-1, keepdims=True)) * allowed
    s = e.sum(-1, keepdims=True)
    return np.where(s > 0, e / np.where(s > 0, s, 1), 0.0)


@wrong(
    "masked_softmax", "blocked-row-zeroes-all", note="If any row is fully blocked the whole result is zeros."
)
def m10(scores, allowed):
    allowed = np.broadcast_to(allowed, scores.shape)
    if not allowed.any(axis=-1).all():
        return np.zeros_like(scores)
    z = np.where(allowed, scores, -np.inf)
    z = z - z.max(-1, keepdims=True)
    return np.exp(z) / np.exp(z).sum(-1, keepdims=True)


@wrong(
    "masked_softmax", "array-truth-value", note="`if allowed:` on an array raises 'truth value is ambiguous'."
)
def m11(scores, allowed):
    if not allowed:
        return np.zeros_like(scores)
    z = np.where(allowed, scores, -np.inf)
    e = np.exp(z - z.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


@wrong(
    "masked_softmax",
    "softmax-over-queries+blocked-row-nan",
    note="Normalises the columns (axis -2) and leaves NaN where nothing is allowed.",
)
def m12(scores, allowed):
    z = np.where(allowed, scores, -np.inf)
    e = np.exp(z - z.max(axis=-2, keepdims=True))
    return e / e.sum(axis=-2, keepdims=True)


@wrong(
    "masked_softmax",
    "no-max-subtraction",
    note="exp without max, then nan_to_num hides the inf/inf, so huge rows become 0.",
)
def m13(scores, allowed):
    e = np.where(allowed, np.exp(scores), 0.0)
    with np.errstate(all="ignore"):
        return np.nan_to_num(e / e.sum(-1, keepdims=True))


@wrong(
    "masked_softmax",
    "mask-inverted+blocked-row-uniform",
    note="Fills the allowed positions with -1e9 (MultiheadAttention convention) and blocked rows stay uniform.",
)
def m14(scores, allowed):
    z = np.where(allowed, -1e9, scores)
    e = np.exp(z - z.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


# ------------------------------------------------------------------------------- softmax_with_temperature
@wrong("softmax_with_temperature", "temperature-multiplied", note="Multiplies by T: hot becomes sharp.")
def t1(x, temperature):
    z = np.multiply(x, temperature)
    e = np.exp(z - z.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


@wrong(
    "softmax_with_temperature",
    "temperature-after-softmax",
    note="Divides the finished softmax by T, so rows sum to 1/T.",
)
def t2(x, temperature):
    return (torch.softmax(torch.as_tensor(x), dim=-1) / temperature).numpy()


@wrong(
    "softmax_with_temperature",
    "temperature-ignored",
    note="Divides the exponentials (not the scores) by T before normalising, so T cancels.",
)
def t3(x, temperature):
    e = np.exp(x - x.max(-1, keepdims=True)) / temperature
    return e / e.sum(-1, keepdims=True)


@wrong(
    "softmax_with_temperature",
    "one-term-forgotten",
    note="T is applied in the numerator but the denominator sums e^x without T.",
)
def t4(x, temperature):
    m = np.max(x, axis=-1, keepdims=True)
    return np.exp((x - m) / temperature) / np.sum(np.exp(x - m), axis=-1, keepdims=True)


@wrong(
    "softmax_with_temperature",
    "operator-precedence",
    note="Subtracts max(x) rather than max(x/T) after dividing: overflows for small T.",
)
def t5(x, temperature):
    e = np.exp(x / temperature - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


@wrong(
    "softmax_with_temperature",
    "temperature-clamped",
    note="Clamps T to at least 0.5 'so that it cannot explode'.",
)
def t6(x, temperature):
    T = max(0.5, temperature)
    z = (x - x.max(-1, keepdims=True)) / T
    return np.exp(z) / np.exp(z).sum(-1, keepdims=True)


@wrong(
    "softmax_with_temperature",
    "scaled-by-sqrt-temperature",
    note="Half-remembers attention scaling and divides by sqrt(T).",
)
def t7(x, temperature):
    z = x / np.sqrt(temperature)
    z = z - z.max(axis=-1, keepdims=True)
    return np.exp(z) / np.exp(z).sum(axis=-1, keepdims=True)


@wrong(
    "softmax_with_temperature",
    "truncates-to-int",
    note="Uses // instead of /, so the scaled scores are floored.",
)
def t8(x, temperature):
    z = x // temperature
    e = np.exp(z - z.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


@wrong(
    "softmax_with_temperature",
    "temperature-after-softmax",
    note="Raises the softmax to 1/T but does not divide by the new row sum.",
)
def t9(x, temperature):
    e = np.exp(x - x.max(-1, keepdims=True))
    p = e / e.sum(-1, keepdims=True)
    return p ** (1 / temperature)


@wrong(
    "softmax_with_temperature",
    "softmax-over-queries+temperature-multiplied",
    note="Multiplies by T and normalises along axis 0.",
)
def t10(x, temperature):
    z = x * temperature
    e = np.exp(z - z.max(axis=0))
    return e / e.sum(axis=0)


@wrong(
    "softmax_with_temperature",
    "softmax-over-everything+no-max-subtraction",
    note="No max trick, and one sum for the whole array.",
)
def t11(x, temperature):
    e = np.exp(x / temperature)
    return e / np.sum(e)


@wrong(
    "softmax_with_temperature",
    "hard-lookup",
    note="Treats every T below 1 as the cold limit and returns a hard one-hot argmax.",
)
def t12(x, temperature):
    if temperature < 1:
        return np.eye(x.shape[-1])[x.argmax(-1)]
    z = (x - x.max(-1, keepdims=True)) / temperature
    return np.exp(z) / np.exp(z).sum(-1, keepdims=True)


# --------------------------------------------------------------------------------------- softmax_backward
@wrong(
    "softmax_backward",
    "diagonal-only",
    note="Uses the sigmoid-like derivative w(1-w): only the diagonal of the Jacobian.",
)
def b1(weights, grad):
    return grad * (weights - weights**2)


@wrong("softmax_backward", "diagonal-only", note="Builds the Jacobian diag(w) and forgets the outer product.")
def b2(weights, grad):
    J = np.einsum("...i,ij->...ij", weights, np.eye(weights.shape[-1]))
    return np.einsum("...ij,...j->...i", J, grad)


@wrong("softmax_backward", "sign-flipped", note="outer - diag instead of diag - outer: the negated gradient.")
def b3(weights, grad):
    n = weights.shape[-1]
    J = weights[..., :, None] * weights[..., None, :] - weights[..., None] * np.eye(n)
    return (J @ grad[..., None])[..., 0]


@wrong(
    "softmax_backward",
    "softmax-over-everything",
    note="The inner sum runs over the whole array, not each row.",
)
def b4(weights, grad):
    return weights * (grad - np.sum(grad * weights))


@wrong(
    "softmax_backward",
    "sum-not-weighted",
    note="Subtracts the sum of the upstream gradient without the weights.",
)
def b5(weights, grad):
    return weights * (grad - grad.sum(axis=-1, keepdims=True))


@wrong(
    "softmax_backward", "mean-instead-of-sum", note="Takes the mean of w*g over the row instead of the sum."
)
def b6(weights, grad):
    return weights * (grad - np.mean(weights * grad, axis=-1, keepdims=True))


@wrong(
    "softmax_backward",
    "softmax-again",
    note="Treats the weights as logits and lets autograd differentiate softmax(weights).",
)
def b7(weights, grad):
    w = torch.tensor(weights, requires_grad=True)
    torch.softmax(w, -1).backward(torch.as_tensor(grad))
    return w.grad.numpy()


@wrong(
    "softmax_backward",
    "fixed-number-of-axes",
    note="np.diag and np.outer formula: only right for a single row.",
)
def b8(weights, grad):
    J = np.diag(weights) - np.outer(weights, weights)
    return J @ grad


@wrong(
    "softmax_backward",
    "weights-factor-forgotten",
    note="Stops after centring the gradient, does not multiply by the weights.",
)
def b9(weights, grad):
    centre = (weights * grad).sum(-1)[..., None]
    return grad - centre


@wrong(
    "softmax_backward",
    "sign-flipped+keepdims-forgotten",
    note="Swaps the two terms, and the row sum loses its axis.",
)
def b10(weights, grad):
    return weights * ((weights * grad).sum(-1) - grad)


@wrong(
    "softmax_backward",
    "weights-squared+sum-not-weighted",
    note="w*g - w^2 * sum(g): squares the weights and sums the bare gradient.",
)
def b11(weights, grad):
    return weights * grad - weights**2 * grad.sum(-1, keepdims=True)


@wrong(
    "softmax_backward",
    "softmax-over-queries",
    note="The inner product is taken over axis 0 (down the columns) instead of along each row.",
)
def b12(weights, grad):
    inner = np.sum(weights * grad, axis=0, keepdims=True)
    return weights * (grad - inner)


@wrong(
    "softmax_backward",
    "divides-by-weights",
    note="Mixes it up with the log derivative: divides by w where it should multiply.",
)
def b13(weights, grad):
    return (grad - (weights * grad).sum(-1, keepdims=True)) / (weights + 1e-12)


# ---------------------------------------------------------------------------------------------- attention
@wrong("attention", "no-scaling", note="Never divides the scores by sqrt(d_k); the rest is right.")
def a1(Q, K, V, allowed=None):
    s = np.einsum("...qd,...kd->...qk", Q, K)
    if allowed is not None:
        s = np.where(allowed, s, -np.inf)
    m = s.max(-1, keepdims=True)
    m = np.where(np.isneginf(m), 0, m)
    e = np.exp(s - m)
    t = e.sum(-1, keepdims=True)
    w = e / np.where(t == 0, 1, t)
    return np.einsum("...qk,...kd->...qd", w, V), w


@wrong("attention", "scaled-by-sqrt-n", note="Divides by the square root of the number of keys.")
def a2(Q, K, V, allowed=None):
    Q, K, V = map(torch.as_tensor, (Q, K, V))
    s = Q @ K.mT / K.shape[-2] ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = torch.softmax(s, -1).nan_to_num(0.0)
    return (w @ V).numpy(), w.numpy()


@wrong("attention", "scaled-by-sqrt-d_v", note="Takes the width for the scaling from V.")
def a3(Q, K, V, allowed=None):
    d = V.shape[-1]
    Q, K, V = torch.as_tensor(Q), torch.as_tensor(K), torch.as_tensor(V)
    s = torch.matmul(Q, K.transpose(-1, -2)) / np.sqrt(d)
    if allowed is not None:
        s = torch.where(torch.as_tensor(allowed), s, torch.tensor(-torch.inf, dtype=s.dtype))
    w = torch.nan_to_num(s.softmax(-1))
    return (w @ V).numpy(), w.numpy()


@wrong("attention", "scaled-up", note="Divides by d_k ** -0.5, which multiplies the scores by sqrt(d_k).")
def a4(Q, K, V, allowed=None):
    scale = Q.shape[-1] ** -0.5
    s = Q @ K.swapaxes(-1, -2) / scale
    if allowed is not None:
        s = np.where(allowed, s, -np.inf)
    m = np.maximum(s.max(-1, keepdims=True), -1e300)
    w = np.exp(s - m)
    w = w / np.maximum(w.sum(-1, keepdims=True), 1e-300)
    return w @ V, w


@wrong(
    "attention",
    "scaled-after-softmax",
    note="Applies 1/sqrt(d_k) to the weights after the softmax instead of to the scores.",
)
def a5(Q, K, V, allowed=None):
    s = Q @ np.swapaxes(K, -1, -2)
    if allowed is not None:
        s = np.where(allowed, s, -np.inf)
    m = s.max(-1, keepdims=True)
    m[~np.isfinite(m)] = 0
    e = np.exp(s - m)
    t = e.sum(-1, keepdims=True)
    t[t == 0] = 1
    w = e / t / np.sqrt(Q.shape[-1])
    return w @ V, w


@wrong(
    "attention",
    "softmax-over-queries",
    note="softmax(dim=-2): every key distributes itself over the queries.",
)
def a6(Q, K, V, allowed=None):
    Q, K, V = torch.from_numpy(Q), torch.from_numpy(K), torch.from_numpy(V)
    s = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), float("-inf"))
    w = torch.softmax(s, dim=-2)
    w = torch.where(torch.isnan(w), torch.zeros_like(w), w)
    return (w @ V).numpy(), w.numpy()


@wrong("attention", "mask-inverted", note="Reads True as 'blocked', as nn.MultiheadAttention does.")
def a7(Q, K, V, allowed=None):
    mask = None if allowed is None else ~torch.as_tensor(allowed)
    Q, K, V = map(torch.as_tensor, (Q, K, V))
    s = Q @ K.mT / Q.size(-1) ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return (w @ V).numpy(), w.numpy()


@wrong(
    "attention",
    "blocked-row-nan",
    note="Repairs the output of a fully blocked row with nan_to_num but hands back NaN weights.",
)
def a8(Q, K, V, allowed=None):
    s = Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-1])
    if allowed is not None:
        s = np.where(allowed, s, -np.inf)
    with np.errstate(invalid="ignore"):
        e = np.exp(s - s.max(-1, keepdims=True))
        w = e / e.sum(-1, keepdims=True)
    return np.nan_to_num(w @ V), w


@wrong(
    "attention",
    "blocked-row-left-open",
    note="Adds -1e9 to blocked scores: a query with nothing allowed averages the values.",
)
def a9(Q, K, V, allowed=None):
    s = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        s = s + np.where(allowed, 0.0, -1e9)
    s = s - s.max(axis=-1, keepdims=True)
    w = np.exp(s) / np.exp(s).sum(axis=-1, keepdims=True)
    return w @ V, w


@wrong("attention", "reversed-all-axes", note="K.T reverses every axis: right for 2-D only.")
def a10(Q, K, V, allowed=None):
    s = Q @ K.T / np.sqrt(Q.shape[-1])
    if allowed is not None:
        s = np.where(allowed, s, -np.inf)
    m = s.max(-1, keepdims=True)
    m = np.where(np.isfinite(m), m, 0)
    e = np.exp(s - m)
    t = e.sum(-1, keepdims=True)
    w = np.divide(e, t, out=np.zeros_like(e), where=t != 0)
    return w @ V, w


@wrong(
    "attention",
    "returns-weights-before-mask",
    note="The output uses the masked weights, but the returned weights are the unmasked softmax.",
)
def a11(Q, K, V, allowed=None):
    Q, K, V = map(torch.as_tensor, (Q, K, V))
    s = Q @ K.mT / Q.shape[-1] ** 0.5
    weights = torch.softmax(s, -1)
    if allowed is None:
        return (weights @ V).numpy(), weights.numpy()
    masked = torch.softmax(s.masked_fill(~torch.as_tensor(allowed), -torch.inf), -1).nan_to_num(0)
    return (masked @ V).numpy(), weights.numpy()


@wrong("attention", "wrong-order", note="Returns (weights, output) instead of (output, weights).")
def a12(Q, K, V, allowed=None):
    Q, K, V = map(torch.as_tensor, (Q, K, V))
    s = Q @ K.mT / Q.shape[-1] ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = torch.softmax(s, -1).nan_to_num(0)
    return w.numpy(), (w @ V).numpy()


@wrong("attention", "causal-by-default", note="When no mask is given it uses a causal one, as in GPT code.")
def a13(Q, K, V, allowed=None):
    n_q, n_k = Q.shape[-2], K.shape[-2]
    if allowed is None:
        allowed = np.tril(np.ones((n_q, n_k), dtype=bool))
    s = np.where(allowed, Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]), -np.inf)
    m = s.max(-1, keepdims=True)
    m[m == -np.inf] = 0
    e = np.exp(s - m)
    t = e.sum(-1, keepdims=True)
    w = e / np.where(t > 0, t, 1)
    return w @ V, w


@wrong(
    "attention",
    "fixed-number-of-axes",
    note="Double loop over queries and keys of a single matrix: no batch axes.",
)
def a14(Q, K, V, allowed=None):
    n_q, n_k = len(Q), len(K)
    if allowed is None:
        allowed = np.ones((n_q, n_k), dtype=bool)
    allowed = np.broadcast_to(allowed, (n_q, n_k))
    out = np.zeros((n_q, V.shape[1]))
    W = np.zeros((n_q, n_k))
    for i in range(n_q):
        row = [Q[i].dot(K[j]) / np.sqrt(len(Q[i])) if allowed[i, j] else -np.inf for j in range(n_k)]
        top = max(row)
        if top == -np.inf:
            continue
        e = [np.exp(r - top) for r in row]
        for j in range(n_k):
            W[i, j] = e[j] / sum(e)
            out[i] += W[i, j] * V[j]
    return out, W


@wrong("attention", "hard-lookup", note="Takes the best key only (argmax one-hot) instead of a soft mixture.")
def a15(Q, K, V, allowed=None):
    s = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    ok = np.ones(s.shape, bool) if allowed is None else np.broadcast_to(allowed, s.shape)
    s = np.where(ok, s, -np.inf)
    w = (np.arange(s.shape[-1]) == s.argmax(-1)[..., None]) * ok.any(-1, keepdims=True)
    return w.astype(float) @ V, w.astype(float)


@wrong(
    "attention",
    "float32",
    note="Everything goes through torch.FloatTensor-like float32, so float64 precision is lost.",
)
def a16(Q, K, V, allowed=None):
    q, k, v = [torch.tensor(np.asarray(a), dtype=torch.float32) for a in (Q, K, V)]
    s = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        s[~torch.as_tensor(allowed).expand(s.shape)] = -torch.inf
    w = torch.nan_to_num(torch.softmax(s, -1))
    return (w @ v).numpy(), w.numpy()


@wrong("attention", "reshape-instead-of-transpose", note="K.reshape(d_k, n_k) instead of transposing K.")
def a17(Q, K, V, allowed=None):
    Kt = K.reshape(*K.shape[:-2], K.shape[-1], K.shape[-2])
    s = Q @ Kt / np.sqrt(Q.shape[-1])
    if allowed is not None:
        s = np.where(allowed, s, -np.inf)
    m = s.max(-1, keepdims=True)
    e = np.exp(s - np.where(np.isinf(m), 0, m))
    t = e.sum(-1, keepdims=True)
    w = e / np.where(t == 0, 1, t)
    return w @ V, w


@wrong("attention", "key-and-value-swapped", note="Scores are computed against V and the keys are mixed.")
def a18(Q, K, V, allowed=None):
    Q, K, V = map(torch.as_tensor, (Q, K, V))
    s = Q @ V.mT / Q.shape[-1] ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return (w @ K).numpy(), w.numpy()


@wrong(
    "attention",
    "mask-not-broadcast",
    note="Handles only a padding row: inserts a query axis into the mask, so a (n_q, n_k) mask is broadcast wrongly.",
)
def a19(Q, K, V, allowed=None):
    Q, K, V = map(torch.as_tensor, (Q, K, V))
    s = Q @ K.mT / Q.shape[-1] ** 0.5
    if allowed is not None:
        pad = torch.as_tensor(allowed)
        s = s.masked_fill(~pad[..., None, :], -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return (w @ V).numpy(), w.numpy()


@wrong(
    "attention",
    "weights-transposed",
    note="Mixes the values with the transposed weights; works only when n_q == n_k.",
)
def a20(Q, K, V, allowed=None):
    Q, K, V = map(torch.as_tensor, (Q, K, V))
    s = Q @ K.mT / Q.shape[-1] ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return (w.mT @ V).numpy(), w.numpy()


@wrong(
    "attention",
    "mask-ignored",
    note="masked_fill is not in place and its result is thrown away, so the mask has no effect.",
)
def a21(Q, K, V, allowed=None):
    Q, K, V = map(torch.as_tensor, (Q, K, V))
    scores = Q @ K.mT / Q.shape[-1] ** 0.5
    if allowed is not None:
        scores.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = torch.softmax(scores, -1)
    return (w @ V).numpy(), w.numpy()


@wrong("attention", "half-the-scaling", note="Scales only Q by d_k ** -0.25 and forgets to do the same to K.")
def a22(Q, K, V, allowed=None):
    q = torch.as_tensor(Q) * Q.shape[-1] ** -0.25
    s = q @ torch.as_tensor(K).mT
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return (w @ torch.as_tensor(V)).numpy(), w.numpy()


@wrong(
    "attention",
    "no-scaling+softmax-over-queries",
    note="No division by sqrt(d_k), and the columns are normalised.",
)
def a23(Q, K, V, allowed=None):
    s = Q @ K.swapaxes(-2, -1)
    if allowed is not None:
        s = np.where(allowed, s, -1e30)
    e = np.exp(s - s.max(axis=-2, keepdims=True))
    w = e / e.sum(axis=-2, keepdims=True)
    return w @ V, w


@wrong(
    "attention",
    "scaled-by-d_k+mask-after-softmax",
    note="Divides by d_k, and zeroes blocked weights without renormalising.",
)
def a24(Q, K, V, allowed=None):
    s = Q @ K.swapaxes(-2, -1) / Q.shape[-1]
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    w = e / e.sum(axis=-1, keepdims=True)
    if allowed is not None:
        w = w * allowed
    return w @ V, w


@wrong(
    "attention",
    "mask-inverted+no-max-subtraction",
    note="Blocks what is allowed, and uses bare exponentials.",
)
def a25(Q, K, V, allowed=None):
    s = Q @ K.swapaxes(-2, -1) / Q.shape[-1] ** 0.5
    e = np.exp(s)
    if allowed is not None:
        e = e * (1 - np.asarray(allowed, dtype=float))
    t = e.sum(-1, keepdims=True)
    w = e / np.where(t == 0, 1, t)
    return w @ V, w


@wrong(
    "attention",
    "scaled-by-sqrt-n+blocked-row-nan",
    note="Scales by the sequence length and leaves NaN in blocked rows.",
)
def a26(Q, K, V, allowed=None):
    q, k, v = torch.as_tensor(Q), torch.as_tensor(K), torch.as_tensor(V)
    s = torch.einsum("...id,...jd->...ij", q, k) / np.sqrt(q.shape[-2])
    if allowed is not None:
        s = s.masked_fill(torch.logical_not(torch.as_tensor(allowed)), float("-inf"))
    w = torch.softmax(s, -1)
    return torch.einsum("...ij,...jd->...id", w, v).numpy(), w.numpy()


@wrong(
    "attention",
    "mask-ignored+one-output-missing",
    note="The mask is never used and only the output is returned.",
)
def a27(Q, K, V, allowed=None):
    s = Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-1])
    e = np.exp(s - s.max(-1, keepdims=True))
    return (e / e.sum(-1, keepdims=True)) @ V


# -------------------------------------------------------------------------------------------- split_heads
@wrong(
    "split_heads",
    "heads-split-by-reshape",
    note="Reshapes straight to (B, h, n, d_head): right shape, tokens and heads mixed.",
)
def sp1(X, num_heads):
    B, n, d_model = X.shape
    if d_model % num_heads:
        raise ValueError(f"d_model={d_model} cannot be cut into {num_heads} heads")
    return np.reshape(X, (B, num_heads, n, d_model // num_heads))


@wrong("split_heads", "no-transpose", note="Cuts the channels but leaves the axes as (B, n, h, d_head).")
def sp2(X, num_heads):
    if X.shape[-1] % num_heads != 0:
        raise ValueError(f"{X.shape[-1]} is not divisible by {num_heads}")
    return X.reshape(X.shape[0], X.shape[1], num_heads, -1)


@wrong(
    "split_heads",
    "heads-interleaved",
    note="reshape(..., d_head, h): head i takes channels i, i+h, i+2h instead of a block.",
)
def sp3(X, num_heads):
    B, n, d = X.shape
    if d % num_heads:
        raise ValueError(f"d_model {d}, num_heads {num_heads}")
    return X.reshape(B, n, d // num_heads, num_heads).transpose(0, 3, 1, 2)


@wrong(
    "split_heads", "wrong-head-axis", note="np.stack without an axis puts the heads first: (h, B, n, d_head)."
)
def sp4(X, num_heads):
    d = X.shape[-1]
    if d % num_heads:
        raise ValueError(f"d_model={d} is not a multiple of num_heads={num_heads}")
    return np.stack(np.split(X, num_heads, axis=-1))


@wrong(
    "split_heads",
    "no-value-error",
    note="Floor division and slices: silently drops the leftover channels instead of raising.",
)
def sp5(X, num_heads):
    dh = X.shape[-1] // num_heads
    return np.stack([X[:, :, i * dh : (i + 1) * dh] for i in range(num_heads)], axis=1)


@wrong(
    "split_heads",
    "error-without-numbers",
    note="Raises ValueError, but the message does not name the two numbers.",
)
def sp6(X, num_heads):
    B, n, d = X.shape
    if d % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    return X.reshape(B, n, num_heads, d // num_heads).transpose(0, 2, 1, 3)


@wrong(
    "split_heads", "no-value-error", note="Uses assert, so an AssertionError comes instead of a ValueError."
)
def sp7(X, num_heads):
    B, n, d = X.shape
    assert d % num_heads == 0, f"d_model ({d}) must be divisible by num_heads ({num_heads})"
    return np.einsum("bnhd->bhnd", X.reshape(B, n, num_heads, d // num_heads))


@wrong(
    "split_heads",
    "wrong-head-axis",
    note="transposes all the way to (B, h, d_head, n), the tokens end up last.",
)
def sp8(X, num_heads):
    B, n, d = X.shape
    if d % num_heads:
        raise ValueError(f"{d} % {num_heads} != 0")
    return X.reshape(B, n, num_heads, d // num_heads).transpose(0, 2, 3, 1)


@wrong(
    "split_heads",
    "wrong-head-axis",
    note="splits the token axis into heads; each head gets a part of the sequence at full width.",
)
def sp9(X, num_heads):
    B, n, d = X.shape
    if n % num_heads:
        raise ValueError(f"cannot split {n} into {num_heads}")
    return X.reshape(B, num_heads, n // num_heads, d)


@wrong(
    "split_heads",
    "heads-split-by-reshape+error-without-numbers",
    note="One reshape instead of a transpose, and only NumPy's kind of generic error.",
)
def sp10(X, num_heads):
    if X.shape[-1] % num_heads > 0:
        raise ValueError("bad number of heads")
    return torch.as_tensor(X).reshape(X.shape[0], num_heads, X.shape[1], X.shape[2] // num_heads).numpy()


@wrong(
    "split_heads",
    "no-value-error+heads-interleaved",
    note="Strided slices X[..., i::h] with no check of divisibility.",
)
def sp11(X, num_heads):
    dh = X.shape[-1] // num_heads
    H = np.zeros((X.shape[0], num_heads, X.shape[1], dh), dtype=X.dtype)
    for i in range(num_heads):
        H[:, i] = X[..., i::num_heads][..., :dh]
    return H


# -------------------------------------------------------------------------------------------- merge_heads
@wrong(
    "merge_heads",
    "heads-merged-without-transpose",
    note="Reshapes (B, h, n, d_head) straight to (B, n, d_model): tokens are mixed.",
)
def mg1(H):
    B, h, n, dh = H.shape
    return H.reshape(B, n, h * dh)


@wrong(
    "merge_heads",
    "heads-interleaved",
    note="Moves h behind d_head before flattening, so channels of the heads alternate.",
)
def mg2(H):
    B, h, n, dh = H.shape
    return torch.as_tensor(H).permute(0, 2, 3, 1).reshape(B, n, dh * h).numpy()


@wrong(
    "merge_heads",
    "not-merged",
    note="Only transposes back to (B, n, h, d_head), never joins the last two axes.",
)
def mg3(H):
    return np.swapaxes(H, 1, 2)


@wrong(
    "merge_heads", "wrong-head-axis", note="concatenates the heads one after another along the token axis."
)
def mg4(H):
    return np.concatenate([H[:, i] for i in range(H.shape[1])], axis=1)


@wrong("merge_heads", "heads-averaged", note="Averages the heads and repeats the mean to fill d_model.")
def mg5(H):
    h = H.shape[1]
    return np.tile(H.mean(axis=1), (1, 1, h))


@wrong("merge_heads", "fixed-number-of-heads", note="Writes out exactly two heads by hand.")
def mg6(H):
    return np.concatenate((H[:, 0], H[:, 1]), axis=-1)


@wrong(
    "merge_heads", "heads-out-of-order", note="Prepends each head in the loop, so the last head comes first."
)
def mg7(H):
    out = H[:, 0]
    for i in range(1, H.shape[1]):
        out = np.concatenate([H[:, i], out], axis=-1)
    return out


@wrong(
    "merge_heads",
    "wrong-head-axis",
    note="np.concatenate over a 4-D array joins batch elements, not heads: (h, n, B*d_head) comes back.",
)
def mg8(H):
    return np.concatenate(H, axis=-1)


@wrong(
    "merge_heads",
    "first-batch-only",
    note="Merges only the first batch element and broadcasts it over the batch.",
)
def mg9(H):
    B, h, n, dh = H.shape
    one = H[0].transpose(1, 0, 2).reshape(n, h * dh)
    return np.broadcast_to(one, (B, n, h * dh)).copy()


@wrong("merge_heads", "heads-summed", note="Sums over the head axis, losing d_model.")
def mg10(H):
    return np.einsum("bhnd->bnd", H)


@wrong(
    "merge_heads",
    "batch-axis-for-tokens+fixed-number-of-heads",
    note="Assumes two heads, and swaps batch with tokens before reshaping.",
)
def mg11(H):
    B, h, n, dh = H.shape
    return H.transpose(2, 0, 1, 3).reshape(B, n, 2 * dh)


# ----------------------------------------------------------------------------------- multi_head_attention
@wrong(
    "multi_head_attention", "no-output-projection", note="Returns the concatenated heads and never uses W_o."
)
def h1(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v = map(torch.as_tensor, (X, W_q, W_k, W_v))
    B, n, d = X.shape
    q, k, v = [(X @ W).view(B, n, num_heads, -1).transpose(1, 2) for W in (W_q, W_k, W_v)]
    s = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return (w @ v).transpose(1, 2).reshape(B, n, d).numpy(), w.numpy()


@wrong(
    "multi_head_attention",
    "scaled-by-sqrt-d_model",
    note="Scales by the full width d_model instead of one head's width.",
)
def h2(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d = X.shape
    dh = d // num_heads
    cut = lambda Z: Z.reshape(B, n, num_heads, dh).transpose(0, 2, 1, 3)
    q, k, v = cut(X @ W_q), cut(X @ W_k), cut(X @ W_v)
    s = np.einsum("bhid,bhjd->bhij", q, k) / np.sqrt(d)
    if allowed is not None:
        s = np.where(allowed, s, -np.inf)
    m = s.max(-1, keepdims=True)
    e = np.exp(s - np.where(np.isinf(m), 0, m))
    t = e.sum(-1, keepdims=True)
    w = e / np.where(t == 0, 1, t)
    out = np.einsum("bhij,bhjd->bihd", w, v).reshape(B, n, d)
    return out @ W_o, w


@wrong(
    "multi_head_attention",
    "heads-split-by-reshape+heads-merged-without-transpose",
    note="Splits with view(B, h, n, d_head), and merges with the inverse view, so shapes agree.",
)
def h3(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q = (X @ W_q).view(B, num_heads, n, d // num_heads)
    k = (X @ W_k).view(B, num_heads, n, d // num_heads)
    v = (X @ W_v).view(B, num_heads, n, d // num_heads)
    s = q @ k.mT / (d // num_heads) ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return ((w @ v).reshape(B, n, d) @ W_o).numpy(), w.numpy()


@wrong(
    "multi_head_attention",
    "heads-merged-without-transpose",
    note="Right heads, but concatenates with reshape without transposing back.",
)
def h4(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = [(X @ W).view(B, n, num_heads, -1).transpose(1, 2) for W in (W_q, W_k, W_v)]
    s = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    Z = (w @ v).contiguous().view(B, -1, d)
    return (Z @ W_o).numpy(), w.numpy()


@wrong(
    "multi_head_attention",
    "softmax-over-heads",
    note="softmax(dim=1) on (B, h, n, n): the heads compete instead of the keys.",
)
def h5(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = [(X @ W).view(B, n, num_heads, -1).transpose(1, 2) for W in (W_q, W_k, W_v)]
    s = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = torch.softmax(s, dim=1).nan_to_num()
    return ((w @ v).transpose(1, 2).reshape(B, n, d) @ W_o).numpy(), w.numpy()


@wrong(
    "multi_head_attention",
    "weights-averaged-over-heads",
    note="Returns the weights averaged over heads, (B, n, n), as nn.MultiheadAttention does by default.",
)
def h6(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = [(X @ W).view(B, n, num_heads, -1).transpose(1, 2) for W in (W_q, W_k, W_v)]
    s = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return ((w @ v).transpose(1, 2).reshape(B, n, d) @ W_o).numpy(), w.mean(dim=1).numpy()


@wrong(
    "multi_head_attention",
    "weight-transposed",
    note="Remembers nn.Linear and computes X @ W.T for every projection.",
)
def h7(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    t = torch.as_tensor
    lin = nn.functional.linear
    B, n, d = X.shape
    q, k, v = [lin(t(X), t(W)).view(B, n, num_heads, -1).transpose(1, 2) for W in (W_q, W_k, W_v)]
    s = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        s = s.masked_fill(~t(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return lin((w @ v).transpose(1, 2).reshape(B, n, d), t(W_o)).numpy(), w.numpy()


@wrong(
    "multi_head_attention", "weight-transposed", note="Only the output projection is transposed (Z @ W_o.T)."
)
def h8(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d = X.shape
    dh = d // num_heads
    cut = lambda Z: Z.reshape(B, n, num_heads, dh).swapaxes(1, 2)
    q, k, v = cut(X @ W_q), cut(X @ W_k), cut(X @ W_v)
    s = q @ k.swapaxes(-1, -2) / np.sqrt(dh)
    if allowed is not None:
        s = np.where(allowed, s, -np.inf)
    m = s.max(-1, keepdims=True)
    e = np.exp(s - np.where(np.isinf(m), 0, m))
    t = e.sum(-1, keepdims=True)
    w = e / np.where(t == 0, 1, t)
    return (w @ v).swapaxes(1, 2).reshape(B, n, d) @ W_o.T, w


@wrong(
    "multi_head_attention",
    "value-not-projected",
    note="The heads mix slices of X itself, W_v is never applied.",
)
def h9(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_o = map(torch.as_tensor, (X, W_q, W_k, W_o))
    B, n, d = X.shape
    q, k, v = [Z.reshape(B, n, num_heads, -1).transpose(1, 2) for Z in (X @ W_q, X @ W_k, X)]
    s = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return ((w @ v).transpose(1, 2).reshape(B, n, d) @ W_o).numpy(), w.numpy()


@wrong("multi_head_attention", "key-weight-reused", note="Copy-paste: V is also made with W_k.")
def h10(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d = X.shape
    dh = d // num_heads
    Q = X @ W_q
    K = X @ W_k
    V = X @ W_k
    outs, ws = [], []
    for i in range(num_heads):
        sl = slice(i * dh, (i + 1) * dh)
        s = Q[..., sl] @ K[..., sl].swapaxes(-1, -2) / dh**0.5
        s = torch.as_tensor(s)[:, None]
        if allowed is not None:
            a = np.broadcast_to(allowed, (B, num_heads, n, n))[:, i : i + 1]
            s = s.masked_fill(~torch.as_tensor(a.copy()), -torch.inf)
        w = s.softmax(-1).nan_to_num()[:, 0].numpy()
        ws.append(w)
        outs.append(w @ V[..., sl])
    return np.concatenate(outs, -1) @ W_o, np.stack(ws, 1)


@wrong(
    "multi_head_attention",
    "heads-interleaved",
    note="Reads the width as (d_head, h): head i takes every h-th channel, merged in the same way.",
)
def h11(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = [(X @ W).view(B, n, -1, num_heads).permute(0, 3, 1, 2) for W in (W_q, W_k, W_v)]
    s = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return ((w @ v).permute(0, 2, 3, 1).reshape(B, n, d) @ W_o).numpy(), w.numpy()


@wrong(
    "multi_head_attention",
    "input-split-before-projection",
    note="Cuts X into heads first and projects each slice with the matching diagonal block of the weights.",
)
def h12(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    dh = d // num_heads
    heads, maps = [], []
    for i in range(num_heads):
        b = slice(i * dh, (i + 1) * dh)
        x = X[..., b]
        q, k, v = x @ W_q[b, b], x @ W_k[b, b], x @ W_v[b, b]
        s = q @ k.mT / dh**0.5
        if allowed is not None:
            a = torch.as_tensor(allowed).expand(B, num_heads, n, n)[:, i]
            s = s.masked_fill(~a, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        maps.append(w)
        heads.append(w @ v)
    return (torch.cat(heads, -1) @ W_o).numpy(), torch.stack(maps, 1).numpy()


@wrong(
    "multi_head_attention", "fixed-number-of-heads", note="Hard-codes two heads, as in the worked example."
)
def h13(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = [(X @ W).view(B, n, 2, d // 2).transpose(1, 2) for W in (W_q, W_k, W_v)]
    s = q @ k.mT / (d // 2) ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return ((w @ v).transpose(1, 2).reshape(B, n, d) @ W_o).numpy(), w.numpy()


@wrong(
    "multi_head_attention",
    "wrong-head-axis",
    note="Always does allowed[:, None]: right for a (B, n, n) mask, wrong for (n, n), (n,) or a 4-D mask.",
)
def h14(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = [(X @ W).view(B, n, num_heads, -1).transpose(1, 2) for W in (W_q, W_k, W_v)]
    s = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed)[:, None], -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return ((w @ v).transpose(1, 2).reshape(B, n, d) @ W_o).numpy(), w.numpy()


@wrong(
    "multi_head_attention",
    "mask-first-head-only",
    note="Takes mask[:, 0] or the plain mask for every head, so masks that differ between heads are lost.",
)
def h15(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = [(X @ W).view(B, n, num_heads, -1).transpose(1, 2) for W in (W_q, W_k, W_v)]
    s = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        a = torch.as_tensor(allowed)
        if a.ndim == 4:
            a = a[:, :1]
        s = s.masked_fill(~a, -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return ((w @ v).transpose(1, 2).reshape(B, n, d) @ W_o).numpy(), w.numpy()


@wrong(
    "multi_head_attention",
    "mask-inverted",
    note="Hands `allowed` to F.scaled_dot_product_attention negated, thinking of nn.MultiheadAttention.",
)
def h16(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = [(X @ W).view(B, n, num_heads, -1).transpose(1, 2) for W in (W_q, W_k, W_v)]
    m = None if allowed is None else ~torch.as_tensor(allowed).expand(B, num_heads, n, n)
    z = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=m)
    s = q @ k.mT / q.shape[-1] ** 0.5
    if m is not None:
        s = s.masked_fill(~m, -torch.inf)
    return (z.transpose(1, 2).reshape(B, n, d) @ W_o).numpy(), s.softmax(-1).nan_to_num().numpy()


@wrong(
    "multi_head_attention",
    "blocked-row-nan",
    note="-inf and a plain softmax: a blocked row is NaN in weights and output.",
)
def h17(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = [(X @ W).view(B, n, num_heads, -1).transpose(1, 2) for W in (W_q, W_k, W_v)]
    s = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1)
    return ((w @ v).transpose(1, 2).reshape(B, n, d) @ W_o).numpy(), w.numpy()


@wrong(
    "multi_head_attention",
    "heads-ignored",
    note="One big attention over d_model, its map repeated to look like h heads.",
)
def h18(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = (X @ W_q)[:, None], (X @ W_k)[:, None], (X @ W_v)[:, None]
    s = (q @ k.mT / (d // num_heads) ** 0.5).expand(B, num_heads, n, n)
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return ((w[:, :1] @ v)[:, 0] @ W_o).numpy(), w.numpy()


@wrong(
    "multi_head_attention",
    "heads-split-by-reshape",
    note="Reshapes (B, n, d) to (B*h, n, d_head) in one go without a transpose, mixing tokens and heads.",
)
def h19(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = [(X @ W).reshape(B * num_heads, n, d // num_heads) for W in (W_q, W_k, W_v)]
    s = torch.bmm(q, k.mT) / (d // num_heads) ** 0.5
    s = s.view(B, num_heads, n, n)
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    z = torch.bmm(w.view(-1, n, n), v).view(B, num_heads, n, -1)
    return (z.transpose(1, 2).reshape(B, n, d) @ W_o).numpy(), w.numpy()


@wrong(
    "multi_head_attention",
    "extra-residual",
    note="Adds X to the result, as the transformer block around it does.",
)
def h20(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    x = X
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = [(X @ W).view(B, n, num_heads, -1).transpose(1, 2) for W in (W_q, W_k, W_v)]
    s = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return ((w @ v).transpose(1, 2).reshape(B, n, d) @ W_o).numpy() + x, w.numpy()


@wrong("multi_head_attention", "query-and-key-swapped", note="K @ Q^T: rows of the score matrix are keys.")
def h21(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = [(X @ W).view(B, n, num_heads, -1).transpose(1, 2) for W in (W_q, W_k, W_v)]
    s = k @ q.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return ((w @ v).transpose(1, 2).reshape(B, n, d) @ W_o).numpy(), w.numpy()


@wrong(
    "multi_head_attention",
    "scaled-by-sqrt-d_model+no-output-projection",
    note="Scales by sqrt(d_model) and forgets W_o.",
)
def h22(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v = map(torch.as_tensor, (X, W_q, W_k, W_v))
    B, n, d = X.shape
    q, k, v = [(X @ W).view(B, n, num_heads, -1).transpose(1, 2) for W in (W_q, W_k, W_v)]
    s = q @ k.mT / d**0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return (w @ v).transpose(1, 2).reshape(B, n, d).numpy(), w.numpy()


@wrong(
    "multi_head_attention",
    "no-scaling+heads-merged-without-transpose",
    note="No division by sqrt(d_head), and the heads are merged by a bare reshape.",
)
def h23(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = [(X @ W).view(B, n, num_heads, -1).transpose(1, 2) for W in (W_q, W_k, W_v)]
    s = q @ k.mT
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return ((w @ v).reshape(B, n, d) @ W_o).numpy(), w.numpy()


@wrong(
    "multi_head_attention",
    "heads-split-by-reshape+mask-inverted",
    note="Splits by a reshape, and blocks what is allowed.",
)
def h24(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = [(X @ W).view(B, num_heads, n, -1) for W in (W_q, W_k, W_v)]
    s = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        s = s.masked_fill(torch.as_tensor(allowed), -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return ((w @ v).transpose(1, 2).reshape(B, n, d) @ W_o).numpy(), w.numpy()


@wrong(
    "multi_head_attention",
    "softmax-over-queries+scaled-by-sqrt-heads",
    note="Divides by sqrt(num_heads) and normalises columns.",
)
def h25(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    B, n, d = X.shape
    dh = d // num_heads
    q, k, v = [(X @ W).reshape(B, n, num_heads, dh).transpose(0, 2, 1, 3) for W in (W_q, W_k, W_v)]
    s = np.matmul(q, k.transpose(0, 1, 3, 2)) / num_heads**0.5
    if allowed is not None:
        s = np.where(allowed, s, -1e30)
    e = np.exp(s - s.max(axis=2, keepdims=True))
    w = e / e.sum(axis=2, keepdims=True)
    return np.matmul(w, v).transpose(0, 2, 1, 3).reshape(B, n, d) @ W_o, w


@wrong(
    "multi_head_attention",
    "blocked-row-uniform+weights-averaged-over-heads",
    note="-1e9 keeps blocked rows uniform, and the weights are averaged over the heads.",
)
def h26(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = [(X @ W).view(B, n, num_heads, -1).transpose(1, 2) for W in (W_q, W_k, W_v)]
    s = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        s = s.masked_fill(~torch.as_tensor(allowed), -1e9)
    w = s.softmax(-1)
    return ((w @ v).transpose(1, 2).reshape(B, n, d) @ W_o).numpy(), w.mean(1).numpy()


# ------------------------------------------------------------------------------------------- sum_of_heads
@wrong(
    "sum_of_heads",
    "heads-share-weights",
    note="Adds the heads first and projects the sum with the first block of W_o.",
)
def u1(H, W_o):
    dh = H.shape[-1]
    return H.sum(axis=1) @ W_o[:dh]


@wrong(
    "sum_of_heads",
    "weight-transposed",
    note="Cuts W_o by columns and transposes the block so that the shapes fit.",
)
def u2(H, W_o):
    B, h, n, dh = H.shape
    out = 0
    for i in range(h):
        block = W_o[:, i * dh : (i + 1) * dh]
        out = out + H[:, i] @ block.T
    return out


@wrong(
    "sum_of_heads",
    "overwritten-instead-of-summed",
    note="out = ... instead of out += ..., so only the last head remains.",
)
def u3(H, W_o):
    B, h, n, dh = H.shape
    out = np.zeros((B, n, W_o.shape[1]))
    for i in range(h):
        out = H[:, i] @ W_o[i * dh : (i + 1) * dh]
    return out


@wrong(
    "sum_of_heads",
    "first-head-only",
    note="The return is indented one level too far: only the first head contributes.",
)
def u4(H, W_o):
    dh = H.shape[-1]
    total = np.zeros((H.shape[0], H.shape[2], W_o.shape[-1]))
    for i in range(H.shape[1]):
        total += np.einsum("bnd,de->bne", H[:, i], W_o[i * dh : i * dh + dh])
        return total


@wrong(
    "sum_of_heads",
    "last-left-out",
    note="range(1, h) used together with i - 1, so the last head is never added.",
)
def u5(H, W_o):
    B, h, n, dh = H.shape
    return sum(H[:, i - 1] @ W_o[(i - 1) * dh : i * dh] for i in range(1, h))


@wrong("sum_of_heads", "heads-interleaved", note="Takes every h-th row of W_o for head i.")
def u6(H, W_o):
    h = H.shape[1]
    return np.sum([H[:, i] @ W_o[i::h] for i in range(h)], axis=0)


@wrong("sum_of_heads", "heads-averaged", note="Averages the projected heads.")
def u7(H, W_o):
    B, h, n, dh = H.shape
    W = W_o.reshape(h, dh, -1)
    return np.mean(np.einsum("bhnd,hde->bhne", H, W), axis=1)


@wrong(
    "sum_of_heads",
    "heads-merged-without-transpose",
    note="Tries concatenate-then-project, with a reshape that mixes tokens and heads.",
)
def u8(H, W_o):
    B, h, n, dh = H.shape
    return H.reshape(B, n, h * dh) @ W_o


@wrong("sum_of_heads", "off-by-one", note="uses i as the row offset, not i*d_head: the blocks overlap.")
def u9(H, W_o):
    B, h, n, dh = H.shape
    out = np.zeros((B, n, W_o.shape[1]))
    for i in range(h):
        out += H[:, i] @ W_o[i : i + dh]
    return out


@wrong("sum_of_heads", "no-sum", note="Stacks the projected heads and forgets to add them.")
def u10(H, W_o):
    B, h, n, dh = H.shape
    return np.stack([H[:, i] @ W_o[i * dh : (i + 1) * dh] for i in range(h)], axis=1)


@wrong(
    "sum_of_heads",
    "weight-transposed+heads-out-of-order",
    note="Uses W_o.T, and walks the blocks from the bottom.",
)
def u11(H, W_o):
    B, h, n, dh = H.shape
    W = W_o.T.reshape(h, dh, -1)[::-1]
    return np.einsum("bhnd,hde->bne", H, W)


# -------------------------------------------------------------------------------- class MultiHeadAttention
@wrong(
    "MultiHeadAttention",
    "scaled-by-sqrt-d_model",
    note="Scales by the square root of d_model instead of one head's width.",
)
class C1(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.h, self.d_model = num_heads, d_model
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B = query.size(0)
        q, k, v = [
            l(x).view(B, -1, self.h, self.d_model // self.h).transpose(1, 2)
            for l, x in ((self.W_q, query), (self.W_k, key), (self.W_v, value))
        ]
        s = q @ k.transpose(-2, -1) / self.d_model**0.5
        if allowed is not None:
            s = s.masked_fill(~allowed, float("-inf"))
        w = torch.nan_to_num(s.softmax(-1))
        z = (w @ v).transpose(1, 2).contiguous().view(B, -1, self.d_model)
        return self.W_o(z), w


@wrong(
    "MultiHeadAttention",
    "query-used-for-all",
    note="Self-attention only: keys and values are made from the query argument.",
)
class C2(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.h = num_heads
        for name in "qkvo":
            setattr(self, "W_" + name, nn.Linear(d_model, d_model))

    def forward(self, query, key, value, allowed=None):
        x = query
        B, n, d = x.shape
        q, k, v = [l(x).view(B, n, self.h, -1).transpose(1, 2) for l in (self.W_q, self.W_k, self.W_v)]
        s = q @ k.mT / q.shape[-1] ** 0.5
        if allowed is not None:
            s = s.masked_fill(~allowed, float("-inf"))
        w = s.softmax(-1).nan_to_num()
        return self.W_o((w @ v).transpose(1, 2).reshape(B, n, d)), w


@wrong(
    "MultiHeadAttention",
    "keys-for-values",
    note="The values are projected from `key`; `value` is never read.",
)
class C3(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model) for _ in range(4))

    def split(self, x):
        return x.reshape(x.shape[0], x.shape[1], self.num_heads, -1).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        q = self.split(self.W_q(query))
        k = self.split(self.W_k(key))
        v = self.split(self.W_v(key))
        s = q @ k.mT / q.shape[-1] ** 0.5
        if allowed is not None:
            s = torch.where(allowed, s, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        z = (w @ v).transpose(1, 2).flatten(2)
        return self.W_o(z), w


@wrong(
    "MultiHeadAttention",
    "square-only",
    note="Reshapes keys and values with the query's length, so cross-attention with n_q != n_k fails.",
)
class C4(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, query, key, value, allowed=None):
        B, n, d = query.shape
        shape = (B, n, self.num_heads, self.d_head)
        q = self.W_q(query).view(shape).transpose(1, 2)
        k = self.W_k(key).view(shape).transpose(1, 2)
        v = self.W_v(value).view(shape).transpose(1, 2)
        s = q @ k.mT / self.d_head**0.5
        if allowed is not None:
            s = s.masked_fill(~allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        return self.W_o((w @ v).transpose(1, 2).reshape(B, n, d)), w


@wrong(
    "MultiHeadAttention",
    "gradient-cut",
    note="Detaches the weights before mixing, so W_q and W_k never learn.",
)
class C5(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        q, k, v = [
            l(x).view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (query, key, value))
        ]
        s = q @ k.mT / (d // self.num_heads) ** 0.5
        if allowed is not None:
            s = s.masked_fill(~allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num().detach()
        return self.W_o((w @ v).transpose(1, 2).reshape(B, -1, d)), w


@wrong(
    "MultiHeadAttention",
    "gradient-cut",
    note="Rebuilds V with torch.tensor(v.tolist()): the value projection gets no gradient.",
)
class C6(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        heads = lambda t: t.view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
        q, k = heads(self.W_q(query)), heads(self.W_k(key))
        v = heads(torch.tensor(self.W_v(value).tolist(), dtype=q.dtype))
        s = q @ k.mT / (d // self.num_heads) ** 0.5
        if allowed is not None:
            s = s.masked_fill(~allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        return self.W_o((w @ v).transpose(1, 2).reshape(B, -1, d)), w


@wrong("MultiHeadAttention", "bias-missing", note="Linear layers with bias=False, as in unit 02.")
class C7(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        q, k, v = [
            l(x).view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (query, key, value))
        ]
        s = q @ k.mT / (d // self.num_heads) ** 0.5
        if allowed is not None:
            s = s.masked_fill(~allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        return self.W_o((w @ v).transpose(1, 2).reshape(B, -1, d)), w


@wrong(
    "MultiHeadAttention",
    "attributes-not-used",
    note="Declares the four layers but forward runs a private nn.MultiheadAttention with its own weights.",
)
class C8(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)
        self.num_heads = num_heads
        self.mha = nn.MultiheadAttention(d_model, num_heads, batch_first=True)

    def forward(self, query, key, value, allowed=None):
        mask = None
        if allowed is not None:
            shape = (query.shape[0], self.num_heads, query.shape[1], key.shape[1])
            mask = ~allowed.expand(shape).reshape(-1, *shape[2:])
        return self.mha(query, key, value, attn_mask=mask, average_attn_weights=False)


@wrong(
    "MultiHeadAttention",
    "wrong-attribute-names",
    note="Calls the layers q_proj, k_proj, v_proj, out_proj, as PyTorch and Hugging Face do.",
)
class C9(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        q, k, v = [
            l(x).view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
            for l, x in zip((self.q_proj, self.k_proj, self.v_proj), (query, key, value))
        ]
        s = q @ k.mT / (d // self.num_heads) ** 0.5
        if allowed is not None:
            s = s.masked_fill(~allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        return self.out_proj((w @ v).transpose(1, 2).reshape(B, -1, d)), w


@wrong(
    "MultiHeadAttention", "dropout-left-on", note="Adds nn.Dropout(0.1) to the weights, on in training mode."
)
class C10(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)
        self.drop = nn.Dropout(0.1)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        q, k, v = [
            l(x).view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (query, key, value))
        ]
        s = q @ k.mT / (d // self.num_heads) ** 0.5
        if allowed is not None:
            s = s.masked_fill(~allowed, -torch.inf)
        w = self.drop(s.softmax(-1).nan_to_num())
        return self.W_o((w @ v).transpose(1, 2).reshape(B, -1, d)), w


@wrong(
    "MultiHeadAttention",
    "blocked-row-nan-gradient",
    note="Adds an -inf bias and repairs NaN afterwards: values are right, gradients are NaN after a blocked row.",
)
class C11(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        q, k, v = [
            l(x).view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (query, key, value))
        ]
        s = q @ k.mT / (d // self.num_heads) ** 0.5
        if allowed is not None:
            bias = torch.zeros(allowed.shape, dtype=s.dtype).masked_fill(~allowed, float("-inf"))
            s = s + bias
        w = s.softmax(-1)
        w = torch.where(torch.isnan(w), torch.zeros_like(w), w)
        return self.W_o((w @ v).transpose(1, 2).reshape(B, -1, d)), w


@wrong(
    "MultiHeadAttention",
    "heads-share-weights",
    note="Per-head layers of width d_head applied to slices: every head uses the same top-left block of W.",
)
class C12(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.h, self.dh = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        one = lambda layer, x: nn.functional.linear(x, layer.weight[: self.dh], layer.bias[: self.dh])
        q, k, v = one(self.W_q, query), one(self.W_k, key), one(self.W_v, value)
        s = (q @ k.mT / self.dh**0.5)[:, None].repeat(1, self.h, 1, 1)
        if allowed is not None:
            s = s.masked_fill(~allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        z = (w @ v[:, None]).transpose(1, 2).flatten(2)
        return self.W_o(z), w


@wrong(
    "MultiHeadAttention",
    "weight-transposed",
    note="Uses query @ layer.weight + bias by hand, without the transpose that nn.Linear does.",
)
class C13(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        apply = lambda layer, x: x @ layer.weight + layer.bias
        q, k, v = [
            apply(l, x).view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (query, key, value))
        ]
        s = q @ k.mT / (d // self.num_heads) ** 0.5
        if allowed is not None:
            s = s.masked_fill(~allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        return apply(self.W_o, (w @ v).transpose(1, 2).reshape(B, -1, d)), w


@wrong(
    "MultiHeadAttention",
    "shape-flattened",
    note="squeeze() 'to tidy up' drops the batch or token axis when it has length 1.",
)
class C14(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        q, k, v = [
            l(x).view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (query, key, value))
        ]
        s = q @ k.mT / (d // self.num_heads) ** 0.5
        if allowed is not None:
            s = s.masked_fill(~allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        out = self.W_o((w @ v).transpose(1, 2).reshape(B, -1, d))
        return out.squeeze(), w


@wrong(
    "MultiHeadAttention",
    "query-weight-reused",
    note="W_k is the very same layer object as W_q (chained assignment), so keys and queries share weights.",
)
class C15(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        q, k, v = [
            l(x).view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (query, key, value))
        ]
        s = q @ k.mT / (d // self.num_heads) ** 0.5
        if allowed is not None:
            s = s.masked_fill(~allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        return self.W_o((w @ v).transpose(1, 2).reshape(B, -1, d)), w


@wrong(
    "MultiHeadAttention",
    "head-lists-not-registered",
    note="Keeps per-head layers in plain Python lists, so they are no parameters of the module.",
)
class C16(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        dh = d_model // num_heads
        self.W_q = [nn.Linear(d_model, dh) for _ in range(num_heads)]
        self.W_k = [nn.Linear(d_model, dh) for _ in range(num_heads)]
        self.W_v = [nn.Linear(d_model, dh) for _ in range(num_heads)]
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        ws, zs = [], []
        for f, g, h in zip(self.W_q, self.W_k, self.W_v):
            q, k, v = f(query), g(key), h(value)
            s = q @ k.mT / q.shape[-1] ** 0.5
            if allowed is not None:
                s = s.masked_fill(~allowed, -torch.inf)
            w = s.softmax(-1).nan_to_num()
            ws.append(w)
            zs.append(w @ v)
        return self.W_o(torch.cat(zs, -1)), torch.stack(ws, 1)


@wrong(
    "MultiHeadAttention",
    "weights-averaged-over-heads",
    note="Returns attention weights averaged over heads, (B, n_q, n_k).",
)
class C17(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        q, k, v = [
            l(x).view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (query, key, value))
        ]
        s = torch.einsum("bhqd,bhkd->bhqk", q, k) / (d // self.num_heads) ** 0.5
        if allowed is not None:
            s = s.masked_fill(~allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        z = torch.einsum("bhqk,bhkd->bqhd", w, v).reshape(B, -1, d)
        return self.W_o(z), w.sum(1) / self.num_heads


@wrong(
    "MultiHeadAttention",
    "no-output-projection",
    note="self.W_o exists but forward returns the concatenation without it.",
)
class C18(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        q, k, v = [
            l(x).view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (query, key, value))
        ]
        s = q @ k.mT / (d // self.num_heads) ** 0.5
        if allowed is not None:
            s = s.masked_fill(~allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        return (w @ v).transpose(1, 2).reshape(B, -1, d), w


@wrong(
    "MultiHeadAttention",
    "no-super-init",
    note="Forgets super().__init__(), so assigning a layer raises AttributeError.",
)
class C19(nn.Module):
    def __init__(self, d_model, num_heads):
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        return self.W_o(query), None


@wrong(
    "MultiHeadAttention", "extra-nonlinearity", note="Puts a ReLU after each input projection, as in an MLP."
)
class C20(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        q, k, v = [
            torch.relu(l(x)).view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (query, key, value))
        ]
        s = q @ k.mT / (d // self.num_heads) ** 0.5
        if allowed is not None:
            s = s.masked_fill(~allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        return self.W_o((w @ v).transpose(1, 2).reshape(B, -1, d)), w


@wrong(
    "MultiHeadAttention",
    "batch-axis-for-tokens",
    note="Thinks of (n, B, d) as nn.MultiheadAttention's default: attends over the batch axis instead of over tokens.",
)
class C21(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        n, B, d = query.shape
        q, k, v = [
            l(x).view(x.shape[0], x.shape[1], self.num_heads, d // self.num_heads).permute(1, 2, 0, 3)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (query, key, value))
        ]
        s = q @ k.mT / (d // self.num_heads) ** 0.5
        if allowed is not None:
            s = s.masked_fill(~allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        return self.W_o((w @ v).permute(2, 0, 1, 3).reshape(n, B, d)), w


@wrong(
    "MultiHeadAttention",
    "cross-attention-reversed",
    note="The key side asks and the query side answers: W_q reads `key`, W_k and W_v read `query`.",
)
class C22(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        q, k, v = [
            l(x).view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (key, query, query))
        ]
        s = q @ k.mT / (d // self.num_heads) ** 0.5
        if allowed is not None:
            s = s.masked_fill(~allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        return self.W_o((w @ v).transpose(1, 2).reshape(B, -1, d)), w


@wrong(
    "MultiHeadAttention",
    "mask-inverted+scaled-by-sqrt-d_model",
    note="Fills where allowed is True, and scales by sqrt(d_model).",
)
class C23(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        q, k, v = [
            l(x).view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (query, key, value))
        ]
        s = q @ k.mT / d**0.5
        if allowed is not None:
            s = s.masked_fill(allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        return self.W_o((w @ v).transpose(1, 2).reshape(B, -1, d)), w


@wrong(
    "MultiHeadAttention",
    "heads-split-by-reshape+no-scaling",
    note="view(B, h, -1, d_head) for the split, and no scaling at all.",
)
class C24(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        q, k, v = [
            l(x).view(B, self.num_heads, -1, d // self.num_heads)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (query, key, value))
        ]
        s = q @ k.mT
        if allowed is not None:
            s = s.masked_fill(~allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        return self.W_o((w @ v).transpose(1, 2).reshape(B, -1, d)), w


@wrong(
    "MultiHeadAttention",
    "gradient-cut+blocked-row-uniform",
    note="Scores computed under torch.no_grad, and -1e9 leaves blocked rows uniform.",
)
class C25(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        q, k, v = [
            l(x).view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (query, key, value))
        ]
        with torch.no_grad():
            s = q @ k.mT / (d // self.num_heads) ** 0.5
            if allowed is not None:
                s = s.masked_fill(~allowed, -1e9)
            w = s.softmax(-1)
        return self.W_o((w @ v).transpose(1, 2).reshape(B, -1, d)), w


@wrong(
    "MultiHeadAttention",
    "key-weight-reused+heads-merged-without-transpose",
    note="V goes through W_k (copy-paste), and the heads are merged by reshape alone.",
)
class C26(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        dh = d // self.num_heads
        q = self.W_q(query).view(B, -1, self.num_heads, dh).transpose(1, 2)
        k = self.W_k(key).view(B, -1, self.num_heads, dh).transpose(1, 2)
        v = self.W_k(value).view(B, -1, self.num_heads, dh).transpose(1, 2)
        s = q @ k.mT / dh**0.5
        if allowed is not None:
            s = s.masked_fill(~allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        return self.W_o((w @ v).reshape(B, -1, d)), w


@wrong(
    "MultiHeadAttention",
    "array-truth-value+extra-residual",
    note="`if allowed:` raises for a mask tensor, and the query is added to the output.",
)
class C27(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        q, k, v = [
            l(x).view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (query, key, value))
        ]
        s = q @ k.mT / (d // self.num_heads) ** 0.5
        if allowed:
            s = s.masked_fill(~allowed, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        return query + self.W_o((w @ v).transpose(1, 2).reshape(B, -1, d)), w


# ------------------------------------------------------------------------------------------- a few more
@wrong(
    "attention",
    "mask-on-values",
    note="zeroes the value rows that no query may see, the weights themselves are never masked.",
)
def a28(Q, K, V, allowed=None):
    s = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    if allowed is not None:
        seen = np.broadcast_to(allowed, s.shape).any(axis=-2)
        V = V * seen[..., None]
    return w @ V, w


@wrong(
    "attention",
    "softmax-again",
    note="Renormalises the masked weights with a second softmax, so every row is nearly uniform.",
)
def a29(Q, K, V, allowed=None):
    Q, K, V = map(torch.as_tensor, (Q, K, V))
    w = torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, -1)
    if allowed is not None:
        a = torch.as_tensor(allowed)
        w = w.masked_fill(~a, -torch.inf)
    w = w.softmax(-1).nan_to_num()
    return (w @ V).numpy(), w.numpy()


@wrong(
    "attention",
    "np-dot-crosses-batches",
    note="np.dot of batched arrays pairs every batch with every other; only a single matrix works.",
)
def a30(Q, K, V, allowed=None):
    s = np.dot(Q, np.swapaxes(K, -1, -2)) / np.sqrt(K.shape[-1])
    if allowed is not None:
        s = np.where(allowed, s, -np.inf)
    m = s.max(-1, keepdims=True)
    e = np.exp(s - np.where(np.isinf(m), 0, m))
    t = e.sum(-1, keepdims=True)
    w = e / np.where(t == 0, 1, t)
    return np.dot(w, V), w


@wrong(
    "attention", "hard-lookup", note="Raw dot products, and only the best allowed key's value is returned."
)
def a31(Q, K, V, allowed=None):
    s = np.matmul(Q, np.swapaxes(K, -1, -2))
    if allowed is not None:
        s = np.where(allowed, s, -np.inf)
    w = np.eye(s.shape[-1])[np.argmax(s, axis=-1)]
    return np.matmul(w, V), w


@wrong(
    "multi_head_attention",
    "transposed-mask",
    note="Swaps the last two axes of the mask: queries and keys change roles in it.",
)
def h27(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = [(X @ W).view(B, n, num_heads, -1).transpose(1, 2) for W in (W_q, W_k, W_v)]
    s = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        a = torch.as_tensor(allowed).expand(B, num_heads, n, n).mT
        s = s.masked_fill(~a, -torch.inf)
    w = s.softmax(-1).nan_to_num()
    return ((w @ v).transpose(1, 2).reshape(B, n, d) @ W_o).numpy(), w.numpy()


@wrong(
    "multi_head_attention",
    "batch-mixed",
    note="Folds into B*h, but the mask is laid out head-major (h*B), so a sequence gets another one's mask.",
)
def h28(X, W_q, W_k, W_v, W_o, num_heads, allowed=None):
    X, W_q, W_k, W_v, W_o = map(torch.as_tensor, (X, W_q, W_k, W_v, W_o))
    B, n, d = X.shape
    q, k, v = [
        (X @ W).view(B, n, num_heads, -1).transpose(1, 2).reshape(B * num_heads, n, -1)
        for W in (W_q, W_k, W_v)
    ]
    s = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        a = torch.as_tensor(allowed).expand(B, num_heads, n, n).transpose(0, 1).reshape(-1, n, n)
        s = s.masked_fill(~a, -torch.inf)
    w = s.softmax(-1).nan_to_num()
    z = (w @ v).view(B, num_heads, n, -1).transpose(1, 2).reshape(B, n, d)
    return (z @ W_o).numpy(), w.view(B, num_heads, n, n).numpy()


@wrong(
    "MultiHeadAttention",
    "input-changed",
    note="allowed.logical_not_() flips the caller's mask in place; the second call with it is inverted.",
)
class C28(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        B, d = query.size(0), query.size(-1)
        q, k, v = [
            l(x).view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (query, key, value))
        ]
        s = q @ k.mT / (d // self.num_heads) ** 0.5
        if allowed is not None:
            s = s.masked_fill(allowed.logical_not_(), -torch.inf)
        w = s.softmax(-1).nan_to_num()
        return self.W_o((w @ v).transpose(1, 2).reshape(B, -1, d)), w


@wrong(
    "MultiHeadAttention",
    "state-between-calls",
    note="Remembers the last mask in self.mask and applies it to later calls without a mask.",
)
class C29(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.mask = None
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, allowed=None):
        if allowed is not None:
            self.mask = allowed
        B, d = query.size(0), query.size(-1)
        q, k, v = [
            l(x).view(B, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
            for l, x in zip((self.W_q, self.W_k, self.W_v), (query, key, value))
        ]
        s = q @ k.mT / (d // self.num_heads) ** 0.5
        if self.mask is not None:
            s = s.masked_fill(~self.mask, -torch.inf)
        w = s.softmax(-1).nan_to_num()
        return self.W_o((w @ v).transpose(1, 2).reshape(B, -1, d)), w
