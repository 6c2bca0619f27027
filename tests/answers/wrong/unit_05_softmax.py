"""Wrong answers to the exercises of unit 05."""

import math

import numpy as np
import torch
import torch.nn.functional as F

from ..registry import wrong

# ------------------------------------------------------------------ softmax


@wrong("softmax", "no-max-subtraction", note="right for small numbers")
def softmax_naive(x, axis=-1):
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)


@wrong("softmax", "no-max-subtraction", note="nan_to_num hides the overflow")
def softmax_nan_to_num(x, axis=-1):
    e = np.exp(x)
    return np.nan_to_num(e / e.sum(axis=axis, keepdims=True))


@wrong("softmax", "no-max-subtraction", note="clipped at 50: large scores tie")
def softmax_clipped(x, axis=-1):
    e = np.exp(np.clip(x, -50, 50))
    return e / e.sum(axis=axis, keepdims=True)


@wrong("softmax", "no-max-subtraction", note="subtracts a constant")
def softmax_constant_shift(x, axis=-1):
    e = np.exp(x - 100.0)
    return e / e.sum(axis=axis, keepdims=True)


@wrong("softmax", "mean-for-max", note="overflows for one huge entry")
def softmax_minus_mean(x, axis=-1):
    e = np.exp(x - x.mean(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@wrong("softmax", "global-max", note="a row far below the others becomes 0 / 0")
def softmax_global_max(x, axis=-1):
    e = np.exp(x - x.max())
    return e / e.sum(axis=axis, keepdims=True)


@wrong("softmax", "min-for-max")
def softmax_minus_min(x, axis=-1):
    e = np.exp(x - x.min(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@wrong("softmax", "keepdims-forgotten", note="right for one row, raises or lies for a matrix")
def softmax_no_keepdims(x, axis=-1):
    e = np.exp(x - x.max(axis=axis))
    return e / e.sum(axis=axis)


@wrong("softmax", "keepdims-forgotten", note="in the sum only")
def softmax_no_keepdims_sum(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis)


@wrong("softmax", "keepdims-forgotten", note="[:, None] put back for a matrix")
def softmax_2d_only(x, axis=-1):
    e = np.exp(x - x.max(axis=axis)[:, None])
    return e / e.sum(axis=axis)[:, None]


@wrong("softmax", "axis-ignored", note="always the last one")
def softmax_always_last(x, axis=-1):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@wrong("softmax", "softmax-over-queries", note="always the first axis")
def softmax_always_first(x, axis=-1):
    e = np.exp(x - x.max(axis=0, keepdims=True))
    return e / e.sum(axis=0, keepdims=True)


@wrong("softmax", "axis-ignored", note="axis 1: right for matrices")
def softmax_axis_one(x, axis=-1):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


@wrong("softmax", "softmax-over-everything")
def softmax_flat(x, axis=-1):
    e = np.exp(x - x.max())
    return e / e.sum()


@wrong("softmax", "softmax-over-everything", note="the sum only")
def softmax_flat_sum(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum()


@wrong("softmax", "wrong-default-axis", note="axis=0 by default")
def softmax_default_zero(x, axis=0):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@wrong("softmax", "default-axis-missing")
def softmax_no_default(x, axis):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@wrong("softmax", "input-changed")
def softmax_in_place(x, axis=-1):
    x -= x.max(axis=axis, keepdims=True)
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)


@wrong("softmax", "input-changed", note="np.exp(out=x)")
def softmax_exp_out(x, axis=-1):
    x[...] = np.exp(x - x.max(axis=axis, keepdims=True))
    return x / x.sum(axis=axis, keepdims=True)


@wrong("softmax", "no-exponential", note="right only where it is not needed")
def softmax_linear(x, axis=-1):
    return x / x.sum(axis=axis, keepdims=True)


@wrong("softmax", "no-exponential", note="shifted to be positive")
def softmax_shifted_linear(x, axis=-1):
    z = x - x.min(axis=axis, keepdims=True)
    return z / z.sum(axis=axis, keepdims=True)


@wrong("softmax", "wrong-base", note="powers of 2")
def softmax_base_two(x, axis=-1):
    e = np.exp2(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@wrong("softmax", "wrong-base", note="2.7 for e")
def softmax_two_point_seven(x, axis=-1):
    e = 2.718 ** (x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@wrong("softmax", "not-normalised")
def softmax_only_exp(x, axis=-1):
    return np.exp(x - x.max(axis=axis, keepdims=True))


@wrong("softmax", "mean-instead-of-sum")
def softmax_mean(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.mean(axis=axis, keepdims=True)


@wrong("softmax", "not-normalised", note="the largest weight is 1")
def softmax_divides_by_max(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.max(axis=axis, keepdims=True)


@wrong("softmax", "hard-lookup", note="right for saturated rows")
def softmax_hard(x, axis=-1):
    hard = (x == x.max(axis=axis, keepdims=True)).astype(x.dtype)
    return hard / hard.sum(axis=axis, keepdims=True)


@wrong("softmax", "log-softmax")
def softmax_log(x, axis=-1):
    z = x - x.max(axis=axis, keepdims=True)
    return z - np.log(np.exp(z).sum(axis=axis, keepdims=True))


@wrong("softmax", "sigmoid")
def softmax_sigmoid(x, axis=-1):
    return 1 / (1 + np.exp(-x))


@wrong("softmax", "sign-flipped", note="exp(max - x)")
def softmax_flipped(x, axis=-1):
    e = np.exp(x.min(axis=axis, keepdims=True) - x)
    return e / e.sum(axis=axis, keepdims=True)


@wrong("softmax", "lost-sign", note="right for positive numbers")
def softmax_abs(x, axis=-1):
    z = np.abs(x)
    e = np.exp(z - z.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@wrong("softmax", "softmax-again")
def softmax_twice(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    w = np.exp(e / e.sum(axis=axis, keepdims=True))
    return w / w.sum(axis=axis, keepdims=True)


@wrong("softmax", "epsilon-too-large")
def softmax_eps(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / (e.sum(axis=axis, keepdims=True) + 1e-3)


@wrong("softmax", "float32")
def softmax_float32(x, axis=-1):
    return torch.softmax(torch.tensor(x, dtype=torch.float32), dim=axis).numpy()


@wrong("softmax", "float32", note="right for float32, and its range")
def softmax_float32_exp(x, axis=-1):
    z = (x - x.max(axis=axis, keepdims=True)).astype(np.float32)
    e = np.exp(z)
    return e / e.sum(axis=axis, keepdims=True)


@wrong("softmax", "zero-as-sentinel", note="-inf is replaced by 0 and gets e^0")
def softmax_inf_to_zero(x, axis=-1):
    x = np.where(np.isinf(x), 0.0, x)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@wrong("softmax", "fixed-number-of-axes", note="rows of a matrix in a loop")
def softmax_loop_rows(x, axis=-1):
    out = np.zeros_like(x)
    for i, row in enumerate(x):
        e = np.exp(row - np.max(row))
        out[i] = e / e.sum()
    return out


@wrong("softmax", "returns-list")
def softmax_list(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return (e / e.sum(axis=axis, keepdims=True)).tolist()


# ------------------------------------------------------------------ masked_softmax


def _softmax(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    e = np.exp(x - np.where(np.isfinite(top), top, 0.0))
    total = e.sum(axis=axis, keepdims=True)
    return e / np.where(total > 0, total, 1.0)


@wrong("masked_softmax", "blocked-row-nan")
def masked_nan(scores, allowed):
    x = np.where(allowed, scores, -np.inf)
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@wrong("masked_softmax", "blocked-row-nan", note="torch.softmax, nothing more")
def masked_torch_nan(scores, allowed):
    x = torch.tensor(scores).masked_fill(~torch.tensor(allowed), -torch.inf)
    return torch.softmax(x, dim=-1).numpy()


@wrong("masked_softmax", "blocked-row-uniform", note="-1e9 for every key")
def masked_uniform(scores, allowed):
    return _softmax(np.where(allowed, scores, -1e9))


@wrong("masked_softmax", "blocked-row-uniform", note="finfo.min for every key")
def masked_finfo(scores, allowed):
    return _softmax(np.where(allowed, scores, np.finfo(scores.dtype).min))


@wrong("masked_softmax", "blocked-row-uniform", note="NaN replaced by 1 / n_k")
def masked_nan_to_uniform(scores, allowed):
    x = torch.where(torch.tensor(allowed), torch.tensor(scores), -torch.inf)
    return torch.softmax(x, dim=-1).nan_to_num(1 / scores.shape[-1]).numpy()


@wrong("masked_softmax", "blocked-row-uniform", note="nan_to_num before the softmax does not help")
def masked_nan_to_num_early(scores, allowed):
    x = np.nan_to_num(np.where(allowed, scores, -np.inf))
    return _softmax(x)


@wrong("masked_softmax", "mask-inverted")
def masked_inverted(scores, allowed):
    return _softmax(np.where(allowed, -np.inf, scores))


@wrong("masked_softmax", "mask-after-softmax", note="rows no longer sum to 1")
def masked_after(scores, allowed):
    return _softmax(scores) * allowed


@wrong("masked_softmax", "max-over-blocked", note="renormalised, but an underflowed row is NaN")
def masked_after_renormalised(scores, allowed):
    w = _softmax(scores) * allowed
    total = w.sum(axis=-1, keepdims=True)
    return w / np.where(allowed.any(axis=-1, keepdims=True), total, 1.0)


@wrong("masked_softmax", "max-over-blocked", note="a huge blocked score makes the row 0 / 0")
def masked_max_over_all(scores, allowed):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True)) * allowed
    total = e.sum(axis=-1, keepdims=True)
    return np.divide(e, total, out=np.zeros_like(e), where=total > 0)


@wrong("masked_softmax", "mask-multiplied", note="e^0 is 1")
def masked_times(scores, allowed):
    return _softmax(scores * allowed)


@wrong("masked_softmax", "mask-multiplied", note="and the blocked rows set to 0")
def masked_times_rows(scores, allowed):
    return _softmax(scores * allowed) * allowed.any(axis=-1, keepdims=True)


@wrong("masked_softmax", "mask-multiplied", note="-1e-9 for -1e9")
def masked_typo(scores, allowed):
    return _softmax(np.where(allowed, scores, -1e-9)) * allowed.any(axis=-1, keepdims=True)


@wrong("masked_softmax", "mask-value-too-small", note="-1e3: wins against scores of -1e4")
def masked_thousand(scores, allowed):
    return _softmax(np.where(allowed, scores, -1e3)) * allowed.any(axis=-1, keepdims=True)


@wrong("masked_softmax", "mask-value-too-small", note="-10 added")
def masked_minus_ten(scores, allowed):
    return _softmax(scores - 10.0 * ~allowed) * allowed.any(axis=-1, keepdims=True)


@wrong("masked_softmax", "mask-value-sign", note="+1e9")
def masked_plus(scores, allowed):
    return _softmax(np.where(allowed, scores, 1e9)) * allowed.any(axis=-1, keepdims=True)


@wrong("masked_softmax", "mask-ignored")
def masked_ignored(scores, allowed):
    return _softmax(scores)


@wrong("masked_softmax", "mask-ignored", note="except on blocked rows")
def masked_only_rows(scores, allowed):
    return _softmax(scores) * allowed.any(axis=-1, keepdims=True)


@wrong("masked_softmax", "causal-by-default", note="always causal")
def masked_causal(scores, allowed):
    return _softmax(np.where(np.tri(*scores.shape[-2:], dtype=bool), scores, -np.inf))


@wrong("masked_softmax", "softmax-over-queries")
def masked_columns(scores, allowed):
    return _softmax(np.where(allowed, scores, -np.inf), axis=-2)


@wrong("masked_softmax", "softmax-over-everything")
def masked_everything(scores, allowed):
    x = np.where(allowed, scores, -np.inf)
    e = np.exp(x - x.max())
    return e / e.sum()


@wrong("masked_softmax", "softmax-over-batch", note="axis 0")
def masked_batch(scores, allowed):
    return _softmax(np.where(allowed, scores, -np.inf), axis=0)


@wrong("masked_softmax", "axis-counted-from-front", note="axis 1: right for matrices")
def masked_axis_one(scores, allowed):
    return _softmax(np.where(allowed, scores, -np.inf), axis=1)


@wrong("masked_softmax", "no-max-subtraction")
def masked_naive(scores, allowed):
    e = np.exp(scores) * allowed
    total = e.sum(axis=-1, keepdims=True)
    return np.divide(e, total, out=np.zeros_like(e), where=total > 0)


@wrong("masked_softmax", "global-max", note="a row far below the others becomes 0")
def masked_global_max(scores, allowed):
    e = np.exp(scores - np.where(allowed, scores, -np.inf).max()) * allowed
    total = e.sum(axis=-1, keepdims=True)
    return np.divide(e, total, out=np.zeros_like(e), where=total > 0)


@wrong("masked_softmax", "keepdims-forgotten", note="right shape for square scores")
def masked_no_keepdims(scores, allowed):
    x = np.where(allowed, scores, -np.inf)
    top = x.max(axis=-1, keepdims=True)
    e = np.exp(x - np.where(np.isfinite(top), top, 0.0))
    total = e.sum(axis=-1)
    return e / np.where(total > 0, total, 1.0)


@wrong("masked_softmax", "transposed-mask", note="right for symmetric masks")
def masked_transposed(scores, allowed):
    return _softmax(np.where(np.swapaxes(np.atleast_2d(allowed), -1, -2), scores, -np.inf))


@wrong("masked_softmax", "zero-as-sentinel", note="an allowed score of 0 is hidden")
def masked_sentinel(scores, allowed):
    x = scores * allowed
    return _softmax(np.where(x == 0, -np.inf, x))


@wrong("masked_softmax", "zero-times-inf")
def masked_zero_times_inf(scores, allowed):
    return _softmax(scores + (1 - allowed) * -np.inf)


@wrong("masked_softmax", "input-changed")
def masked_in_place(scores, allowed):
    scores[np.broadcast_to(~allowed, scores.shape)] = -np.inf
    return _softmax(scores)


@wrong("masked_softmax", "input-changed", note="torch.from_numpy shares memory")
def masked_from_numpy(scores, allowed):
    x = torch.from_numpy(scores).masked_fill_(~torch.from_numpy(allowed), -torch.inf)
    return torch.softmax(x, dim=-1).nan_to_num(0.0).numpy()


@wrong("masked_softmax", "mask-not-broadcast", note="right when shapes are equal")
def masked_boolean_index(scores, allowed):
    x = scores.copy()
    x[~allowed] = -np.inf
    return _softmax(x)


@wrong("masked_softmax", "mask-not-broadcast", note="a loop over rows of a matrix")
def masked_loop(scores, allowed):
    out = np.zeros_like(scores)
    for i in range(scores.shape[0]):
        keep = allowed[i]
        if keep.any():
            e = np.exp(scores[i][keep] - scores[i][keep].max())
            out[i][keep] = e / e.sum()
    return out


@wrong("masked_softmax", "float32")
def masked_float32(scores, allowed):
    x = torch.Tensor(scores).masked_fill(~torch.tensor(allowed), -torch.inf)
    return torch.softmax(x, dim=-1).nan_to_num(0.0).numpy()


@wrong("masked_softmax", "epsilon-too-large")
def masked_eps(scores, allowed):
    x = np.where(allowed, scores, -np.inf)
    top = x.max(axis=-1, keepdims=True)
    e = np.exp(x - np.where(np.isfinite(top), top, 0.0))
    return e / (e.sum(axis=-1, keepdims=True) + 1e-3)


@wrong("masked_softmax", "no-max-subtraction", note="no max trick: small sums vanish in the epsilon")
def masked_eps_naive(scores, allowed):
    e = np.exp(scores) * allowed
    return e / (e.sum(axis=-1, keepdims=True) + 1e-12)


@wrong("masked_softmax", "blocked-row-in-first-query-only", note="repairs row 0 only")
def masked_first_row(scores, allowed):
    x = np.where(allowed, scores, -np.inf)
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    w = e / e.sum(axis=-1, keepdims=True)
    w[..., 0, :] = np.nan_to_num(w[..., 0, :])
    return w


@wrong("masked_softmax", "blocked-row-zeroes-all", note="one blocked row and everything is 0")
def masked_if_any(scores, allowed):
    allowed = np.broadcast_to(allowed, scores.shape)
    if not allowed.any(axis=-1).all():
        return np.zeros_like(scores)
    return _softmax(np.where(allowed, scores, -np.inf))


@wrong("masked_softmax", "not-normalised")
def masked_only_exp(scores, allowed):
    x = np.where(allowed, scores, -np.inf)
    top = x.max(axis=-1, keepdims=True)
    return np.exp(x - np.where(np.isfinite(top), top, 0.0))


@wrong("masked_softmax", "weights-ignored", note="uniform over the allowed keys")
def masked_uniform_allowed(scores, allowed):
    w = np.broadcast_to(allowed, scores.shape).astype(scores.dtype)
    return w / np.maximum(w.sum(axis=-1, keepdims=True), 1)


@wrong("masked_softmax", "state-between-calls", note="the first mask for ever")
def masked_cached(scores, allowed, cache={}):  # noqa: B006
    mask = cache.setdefault(scores.shape, allowed)
    return _softmax(np.where(mask, scores, -np.inf))


# ------------------------------------------------------------------ softmax_with_temperature


@wrong("softmax_with_temperature", "temperature-multiplied")
def temperature_times(x, temperature):
    return _softmax(x * temperature)


@wrong("softmax_with_temperature", "temperature-ignored", note="right for T = 1")
def temperature_ignored(x, temperature):
    return _softmax(x)


@wrong("softmax_with_temperature", "temperature-after-softmax")
def temperature_after(x, temperature):
    return _softmax(x) / temperature


@wrong("softmax_with_temperature", "no-max-subtraction", note="fails for a small T")
def temperature_naive(x, temperature):
    e = np.exp(x / temperature)
    return e / e.sum(axis=-1, keepdims=True)


@wrong(
    "softmax_with_temperature",
    "temperature-after-softmax",
    note="p ** (1 / T): an underflowed p is 0 for ever",
)
def temperature_power(x, temperature):
    p = _softmax(x) ** (1 / temperature)
    return p / p.sum(axis=-1, keepdims=True)


@wrong("softmax_with_temperature", "operator-precedence", note="x - max / T")
def temperature_precedence(x, temperature):
    e = np.exp(x - x.max(axis=-1, keepdims=True) / temperature)
    return e / e.sum(axis=-1, keepdims=True)


@wrong("softmax_with_temperature", "scaled-by-sqrt-temperature")
def temperature_sqrt(x, temperature):
    return _softmax(x / np.sqrt(temperature))


@wrong("softmax_with_temperature", "temperature-ignored")
def temperature_added(x, temperature):
    return _softmax(x + temperature)


@wrong("softmax_with_temperature", "softmax-over-queries")
def temperature_first_axis(x, temperature):
    return _softmax(x / temperature, axis=0)


@wrong("softmax_with_temperature", "axis-counted-from-front", note="axis 1: right for matrices")
def temperature_axis_one(x, temperature):
    return _softmax(x / temperature, axis=1)


@wrong("softmax_with_temperature", "keepdims-forgotten")
def temperature_no_keepdims(x, temperature):
    z = x / temperature
    e = np.exp(z - z.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1)


@wrong("softmax_with_temperature", "softmax-over-everything")
def temperature_flat(x, temperature):
    e = np.exp((x - x.max()) / temperature)
    return e / e.sum()


@wrong("softmax_with_temperature", "global-max")
def temperature_global_max(x, temperature):
    e = np.exp((x - x.max()) / temperature)
    return e / e.sum(axis=-1, keepdims=True)


@wrong("softmax_with_temperature", "input-changed")
def temperature_in_place(x, temperature):
    x /= temperature
    return _softmax(x)


@wrong("softmax_with_temperature", "truncates-to-int", note="// for /")
def temperature_floor(x, temperature):
    return _softmax(x // temperature)


@wrong("softmax_with_temperature", "temperature-clamped", note="at 1e-1: small T is not sharp enough")
def temperature_clamped(x, temperature):
    return _softmax(x / max(temperature, 0.1))


@wrong("softmax_with_temperature", "hard-lookup", note="argmax below T = 0.1")
def temperature_hard(x, temperature):
    if temperature < 0.1:
        return (x == x.max(axis=-1, keepdims=True)).astype(x.dtype)
    return _softmax(x / temperature)


@wrong("softmax_with_temperature", "epsilon-too-large")
def temperature_eps(x, temperature):
    return _softmax(x / (temperature + 1e-3))


@wrong("softmax_with_temperature", "float32")
def temperature_float32(x, temperature):
    return torch.softmax(torch.Tensor(x) / temperature, dim=-1).numpy()


# ------------------------------------------------------------------ softmax_backward


@wrong("softmax_backward", "diagonal-only", note="w (1 - w): the sigmoid's derivative")
def backward_diagonal(weights, grad):
    return grad * weights * (1 - weights)


@wrong("softmax_backward", "diagonal-only", note="the other term is forgotten")
def backward_no_correction(weights, grad):
    return weights * grad


@wrong("softmax_backward", "returns-input", note="the gradient passes unchanged")
def backward_identity(weights, grad):
    return grad.copy()


@wrong("softmax_backward", "sum-not-weighted", note="plain mean of the gradient")
def backward_mean(weights, grad):
    return weights * (grad - grad.mean(axis=-1, keepdims=True))


@wrong("softmax_backward", "mean-instead-of-sum", note="mean of the weighted gradient")
def backward_weighted_mean(weights, grad):
    return weights * (grad - (weights * grad).mean(axis=-1, keepdims=True))


@wrong("softmax_backward", "sum-not-weighted")
def backward_plain_sum(weights, grad):
    return weights * (grad - grad.sum(axis=-1, keepdims=True))


@wrong("softmax_backward", "weights-factor-forgotten")
def backward_no_weights(weights, grad):
    return grad - (weights * grad).sum(axis=-1, keepdims=True)


@wrong("softmax_backward", "sign-flipped")
def backward_sign(weights, grad):
    return weights * ((weights * grad).sum(axis=-1, keepdims=True) - grad)


@wrong("softmax_backward", "jacobian-sign", note="of the second term")
def backward_plus(weights, grad):
    return weights * (grad + (weights * grad).sum(axis=-1, keepdims=True))


@wrong("softmax_backward", "keepdims-forgotten", note="right for one row")
def backward_no_keepdims(weights, grad):
    return weights * (grad - (weights * grad).sum(axis=-1))


@wrong("softmax_backward", "softmax-over-queries", note="sum over axis 0")
def backward_axis_zero(weights, grad):
    return weights * (grad - (weights * grad).sum(axis=0, keepdims=True))


@wrong("softmax_backward", "softmax-over-everything", note="right for one row")
def backward_total_sum(weights, grad):
    return weights * (grad - (weights * grad).sum())


@wrong("softmax_backward", "softmax-again", note="takes the weights for the input")
def backward_softmax_again(weights, grad):
    w = torch.tensor(weights, requires_grad=True)
    torch.softmax(w, dim=-1).backward(torch.tensor(grad))
    return w.grad.numpy()


@wrong("softmax_backward", "fixed-number-of-axes", note="one row only")
def backward_jacobian_one(weights, grad):
    return (np.diag(weights) - np.outer(weights, weights)) @ grad


@wrong("softmax_backward", "fixed-number-of-axes", note="a matrix only")
def backward_rows(weights, grad):
    out = np.zeros_like(grad)
    for i in range(len(weights)):
        out[i] = weights[i] * (grad[i] - weights[i] @ grad[i])
    return out


@wrong("softmax_backward", "input-changed")
def backward_in_place(weights, grad):
    grad -= (weights * grad).sum(axis=-1, keepdims=True)
    return weights * grad


@wrong("softmax_backward", "jacobian-sign", note="outer product added")
def backward_jacobian_plus(weights, grad):
    outer = weights[..., :, None] * weights[..., None, :]
    jacobian = weights[..., None] * np.eye(weights.shape[-1]) + outer
    return (jacobian @ grad[..., None])[..., 0]


@wrong("softmax_backward", "divides-by-weights", note="NaN for a weight of 0")
def backward_divides(weights, grad):
    g = weights * grad
    return weights * (g / weights - g.sum(axis=-1, keepdims=True))


@wrong("softmax_backward", "float32")
def backward_float32(weights, grad):
    w, g = weights.astype(np.float32), grad.astype(np.float32)
    return w * (g - (w * g).sum(axis=-1, keepdims=True))


@wrong("softmax_backward", "weights-squared")
def backward_squared(weights, grad):
    return weights**2 * (grad - (weights * grad).sum(axis=-1, keepdims=True))


# ------------------------------------------------------------------ attention


@wrong("attention", "no-scaling", note="forgets 1/sqrt(d_k)")
def attention_no_scaling(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "no-scaling")
def attention_einsum_no_scaling(Q, K, V, allowed=None):
    scores = np.einsum("...qd,...kd->...qk", Q, K)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return np.einsum("...qk,...kv->...qv", weights, V), weights


@wrong("attention", "scaled-by-d_k")
def attention_d_k(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / Q.shape[-1]
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "scaled-by-d_k", note="d_k ** -1")
def attention_einsum_d_k(Q, K, V, allowed=None):
    scores = np.einsum("...qd,...kd->...qk", Q, K) * Q.shape[-1] ** -1.0
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return np.einsum("...qk,...kv->...qv", weights, V), weights


@wrong("attention", "scaled-up", note="multiplies by sqrt(d_k)")
def attention_scaled_up(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) * np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "scaled-up", note="divides by 1 / sqrt(d_k)")
def attention_torch_scaled_up(Q, K, V, allowed=None):
    q, k, v = torch.tensor(Q), torch.tensor(K), torch.tensor(V)
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** -0.5
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return (weights @ v).numpy(), weights.numpy()


@wrong("attention", "scaled-by-sqrt-d_v", note="right when d_v == d_k")
def attention_sqrt_d_v(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(V.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "scaled-by-sqrt-n", note="sqrt(n_k)")
def attention_sqrt_n_k(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-2])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "scaled-by-sqrt-n", note="sqrt(n_q)")
def attention_sqrt_n_q(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-2])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "axis-counted-from-front", note="Q.shape[1]: right for 2-D")
def attention_shape_one(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "axis-counted-from-front", note="q.size(1): right for 2-D")
def attention_torch_size_one(Q, K, V, allowed=None):
    q, k, v = torch.tensor(Q), torch.tensor(K), torch.tensor(V)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(1))
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return (weights @ v).numpy(), weights.numpy()


@wrong("attention", "truncates-to-int", note="right when d_k is a perfect square")
def attention_isqrt(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / int(Q.shape[-1] ** 0.5)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "scaled-after-softmax")
def attention_scaled_after_mask(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores) / np.sqrt(Q.shape[-1])
    return weights @ V, weights


@wrong("attention", "softmax-over-queries")
def attention_softmax_columns(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores, axis=-2)
    return weights @ V, weights


@wrong("attention", "softmax-over-queries", note="dim=0")
def attention_torch_softmax_dim_zero(Q, K, V, allowed=None):
    q, k, v = torch.tensor(Q), torch.tensor(K), torch.tensor(V)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=0).nan_to_num(0.0)
    return (weights @ v).numpy(), weights.numpy()


@wrong("attention", "axis-counted-from-front", note="dim=1: right for 2-D")
def attention_torch_softmax_dim_one(Q, K, V, allowed=None):
    q, k, v = torch.tensor(Q), torch.tensor(K), torch.tensor(V)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=1).nan_to_num(0.0)
    return (weights @ v).numpy(), weights.numpy()


@wrong("attention", "softmax-over-everything")
def attention_softmax_all(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    e = np.exp(scores - scores.max())
    weights = e / e.sum()
    return weights @ V, weights


@wrong("attention", "no-max-subtraction")
def attention_naive_exp(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    e = np.exp(scores)
    total = e.sum(axis=-1, keepdims=True)
    weights = e / np.where(total > 0, total, 1.0)
    return weights @ V, weights


@wrong("attention", "global-max", note="a row far below the others becomes 0")
def attention_global_max(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    top = scores.max()
    e = np.exp(scores - np.where(np.isfinite(top), top, 0.0))
    total = e.sum(axis=-1, keepdims=True)
    weights = e / np.where(total > 0, total, 1.0)
    return weights @ V, weights


@wrong("attention", "keepdims-forgotten", note="right shape for square scores")
def attention_no_keepdims(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    e = np.exp(scores - np.where(np.isfinite(top), top, 0.0))
    total = e.sum(axis=-1)
    weights = e / np.where(total > 0, total, 1.0)
    return weights @ V, weights


@wrong("attention", "reversed-all-axes", note="right for 2-D")
def attention_k_t(Q, K, V, allowed=None):
    scores = Q @ K.T / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "reshape-instead-of-transpose")
def attention_reshape(Q, K, V, allowed=None):
    scores = Q @ K.reshape(*K.shape[:-2], K.shape[-1], K.shape[-2]) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "reshape-instead-of-transpose", note="view")
def attention_torch_view(Q, K, V, allowed=None):
    q, k, v = torch.tensor(Q), torch.tensor(K), torch.tensor(V)
    scores = q @ k.view(*k.shape[:-2], k.shape[-1], k.shape[-2]) / math.sqrt(q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return (weights @ v).numpy(), weights.numpy()


@wrong("attention", "keys-by-queries", note="Q and K swapped: raises unless n_q == n_k")
def attention_k_q(Q, K, V, allowed=None):
    scores = K @ np.swapaxes(Q, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "keys-by-queries")
def attention_einsum_kq(Q, K, V, allowed=None):
    scores = np.einsum("...qd,...kd->...kq", Q, K) * Q.shape[-1] ** -0.5
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return np.einsum("...qk,...kv->...qv", weights, V), weights


@wrong("attention", "fixed-number-of-axes", note="3-D only")
def attention_einsum_3d(Q, K, V, allowed=None):
    scores = np.einsum("bqd,bkd->bqk", Q, K) * Q.shape[-1] ** -0.5
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return np.einsum("bqk,bkv->bqv", weights, V), weights


@wrong("attention", "fixed-number-of-axes", note="3-D only")
def attention_transpose_021(Q, K, V, allowed=None):
    scores = Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "mask-inverted")
def attention_mask_inverted(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, -np.inf, scores)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "mask-inverted", note="masked_fill(allowed)")
def attention_torch_mask_inverted(Q, K, V, allowed=None):
    q, k, v = torch.tensor(Q), torch.tensor(K), torch.tensor(V)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return (weights @ v).numpy(), weights.numpy()


@wrong("attention", "mask-after-softmax")
def attention_mask_after(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    weights = _softmax(scores)
    if allowed is not None:
        weights = weights * allowed
    return weights @ V, weights


@wrong("attention", "mask-after-softmax", note="only the output is masked, the weights are not")
def attention_mask_output(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    weights = _softmax(scores)
    seen = weights if allowed is None else weights * allowed
    return seen @ V, weights


@wrong("attention", "mask-multiplied")
def attention_mask_times(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = scores * allowed
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "mask-multiplied", note="-1e-9")
def attention_mask_typo(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -1e-9)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "mask-value-too-small", note="-1e3")
def attention_mask_thousand(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -1e3)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "mask-added", note="adds the boolean mask to the scores")
def attention_mask_added(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = scores + allowed
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "zero-times-inf")
def attention_mask_zero_inf(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = scores + ~allowed * -np.inf
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "zero-as-sentinel", note="a key orthogonal to the query is hidden")
def attention_mask_sentinel(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = scores * allowed
        scores = np.where(scores == 0, -np.inf, scores)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "mask-not-broadcast")
def attention_mask_index(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores[~allowed] = -np.inf
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "mask-ignored")
def attention_mask_ignored(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "mask-ignored", note="always causal")
def attention_always_causal(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    scores = np.where(np.tri(*scores.shape[-2:], dtype=bool), scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "causal-by-default", note="causal when no mask is given")
def attention_none_is_causal(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is None:
        allowed = np.tri(*scores.shape[-2:], dtype=bool)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "transposed-mask", note="right for symmetric masks")
def attention_mask_transposed(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(np.atleast_2d(allowed).swapaxes(-1, -2), scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "padding-on-queries", note="hides the rows a (n_k,) mask names")
def attention_mask_rows(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed[:, None] if allowed.ndim == 1 else allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "array-truth-value", note="`if allowed` on an array")
def attention_mask_truth(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "array-truth-value", note="`allowed != None` on an array")
def attention_mask_equality(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed != None:  # noqa: E711
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "mask-ignored", note="the mask is used only when nothing is blocked in row 0")
def attention_mask_any(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None and np.atleast_2d(allowed)[..., 0, :].all():
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "blocked-row-nan")
def attention_blocked_nan(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    e = np.exp(scores - top)
    total = e.sum(axis=-1, keepdims=True)
    weights = e / total
    return weights @ V, weights


@wrong("attention", "blocked-row-nan")
def attention_torch_blocked_nan(Q, K, V, allowed=None):
    q, k, v = torch.tensor(Q), torch.tensor(K), torch.tensor(V)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    return (weights @ v).numpy(), weights.numpy()


@wrong("attention", "blocked-row-nan", note="output repaired, weights still NaN")
def attention_torch_blocked_output(Q, K, V, allowed=None):
    q, k, v = torch.tensor(Q), torch.tensor(K), torch.tensor(V)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    return (weights @ v).nan_to_num(0.0).numpy(), weights.numpy()


@wrong("attention", "blocked-row-uniform", note="-1e9")
def attention_blocked_uniform(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -1e9)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "blocked-row-uniform", note="finfo.min")
def attention_torch_blocked_uniform(Q, K, V, allowed=None):
    q, k, v = torch.tensor(Q), torch.tensor(K), torch.tensor(V)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), torch.finfo(scores.dtype).min)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return (weights @ v).numpy(), weights.numpy()


@wrong("attention", "blocked-row-uniform", note="weights 0 but the output is the mean value")
def attention_blocked_mean(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    output = weights @ V
    blocked = weights.sum(axis=-1) == 0
    return np.where(blocked[..., None], V.mean(axis=-2, keepdims=True), output), weights


@wrong("attention", "wrong-order", note="(weights, output)")
def attention_order(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights, weights @ V


@wrong("attention", "one-output-missing")
def attention_output_only(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V


@wrong("attention", "returns-list")
def attention_list(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return [(weights @ V).tolist(), weights.tolist()]


@wrong("attention", "returns-dict")
def attention_dict(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return {"output": weights @ V, "weights": weights}


@wrong("attention", "returns-scores-for-weights")
def attention_returns_scores(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, scores


@wrong("attention", "returns-weights-before-mask")
def attention_weights_before_mask(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    seen = _softmax(scores)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, seen


@wrong("attention", "keys-for-values", note="weights @ K: right shape when d_v == d_k")
def attention_mixes_keys(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ K, weights


@wrong("attention", "weights-transposed", note="weights transposed: n_q == n_k only")
def attention_mixes_values_transposed(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return np.swapaxes(weights, -1, -2) @ V, weights


@wrong("attention", "no-softmax")
def attention_no_softmax(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = np.where(np.isfinite(scores), scores, 0.0)
    return weights @ V, weights


@wrong("attention", "no-exponential")
def attention_normalised_scores(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    scores = np.where(np.isfinite(scores), scores, 0.0)
    weights = scores / scores.sum(axis=-1, keepdims=True)
    return weights @ V, weights


@wrong("attention", "hard-lookup")
def attention_hard(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = (scores == scores.max(axis=-1, keepdims=True)) * np.isfinite(scores) * 1.0
    return weights @ V, weights


@wrong("attention", "sigmoid")
def attention_sigmoid(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = 1 / (1 + np.exp(-scores))
    return weights @ V, weights


@wrong("attention", "softmax-again")
def attention_softmax_twice(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(_softmax(scores))
    return weights @ V, weights


@wrong("attention", "mean-instead-of-sum", note="output divided by n_k")
def attention_mean(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V / V.shape[-2], weights


@wrong("attention", "float32")
def attention_float32(Q, K, V, allowed=None):
    q, k, v = torch.Tensor(Q), torch.Tensor(K), torch.Tensor(V)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return (weights @ v).numpy(), weights.numpy()


@wrong("attention", "float32", note="only the returned weights")
def attention_float32_weights(Q, K, V, allowed=None):
    q, k, v = torch.tensor(Q), torch.tensor(K), torch.tensor(V)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return (weights @ v).numpy(), weights.float().numpy()


@wrong("attention", "input-changed", note="Q scaled in place")
def attention_in_place(Q, K, V, allowed=None):
    Q /= np.sqrt(Q.shape[-1])
    scores = Q @ np.swapaxes(K, -1, -2)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "input-changed", note="the caller's mask is inverted")
def attention_mask_in_place(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        np.logical_not(allowed, out=allowed)
        scores = np.where(allowed, -np.inf, scores)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "state-between-calls", note="remembers the mask")
def attention_cached_mask(Q, K, V, allowed=None, cache={}):  # noqa: B006
    if allowed is not None:
        cache["mask"] = allowed
    allowed = cache.get("mask")
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "first-batch-only", note="values of the first batch")
def attention_first_batch(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V.reshape(-1, *V.shape[-2:])[0], weights


@wrong("attention", "no-max-subtraction", note="scores clipped to [-50, 50]")
def attention_clip(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    scores = np.clip(scores, -50, 50)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "query-not-used", note="K is used for the queries: right for self-attention")
def attention_self_only(Q, K, V, allowed=None):
    scores = K @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "one-matrix-twice", note="Q is used for the keys")
def attention_q_for_k(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(Q, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "diagonal-hidden", note="a token never looks at itself")
def attention_diagonal(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    scores = np.where(np.eye(*scores.shape[-2:], dtype=bool), -np.inf, scores)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "dropout-left-on")
def attention_dropout(Q, K, V, allowed=None):
    q, k, v = torch.tensor(Q), torch.tensor(K), torch.tensor(V)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    weights = F.dropout(weights, p=0.1)
    return (weights @ v).numpy(), weights.numpy()


@wrong("attention", "not-transposed-back", note="(d_v, n_q)")
def attention_output_transposed(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return np.swapaxes(weights @ V, -1, -2), weights


@wrong("attention", "square-only", note="output allocated like Q: right when d_v == d_k")
def attention_output_like_q(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    output = np.zeros_like(Q)
    output[...] = weights @ V
    return output, weights


@wrong("attention", "no-scaling+softmax-over-queries")
def attention_no_scaling_softmax_columns(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores, axis=-2)
    return weights @ V, weights


@wrong("attention", "scaled-by-d_k+blocked-row-nan")
def attention_d_k_blocked_nan(Q, K, V, allowed=None):
    q, k, v = torch.tensor(Q), torch.tensor(K), torch.tensor(V)
    scores = q @ k.transpose(-2, -1) / q.shape[-1]
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    return (weights @ v).numpy(), weights.numpy()


@wrong("attention", "no-scaling+mask-inverted")
def attention_inverted_no_scaling(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2)
    if allowed is not None:
        scores = np.where(allowed, -np.inf, scores)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "causal-by-default", note="is_causal=True for the output")
def attention_sdpa_causal(Q, K, V, allowed=None):
    q, k, v = torch.tensor(Q), torch.tensor(K), torch.tensor(V)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~torch.tensor(allowed), -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return F.scaled_dot_product_attention(q, k, v, is_causal=True).numpy(), weights.numpy()


@wrong("attention", "cosine-instead-of-dot")
def attention_cosine(Q, K, V, allowed=None):
    q = Q / np.linalg.norm(Q, axis=-1, keepdims=True)
    k = K / np.linalg.norm(K, axis=-1, keepdims=True)
    scores = q @ np.swapaxes(k, -1, -2)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "weights-ignored", note="the mean of the values")
def attention_uniform(Q, K, V, allowed=None):
    n_q, n_k = Q.shape[-2], K.shape[-2]
    weights = np.full((*Q.shape[:-1], n_k), 1 / n_k)
    return np.repeat(V.mean(axis=-2, keepdims=True), n_q, axis=-2), weights


@wrong("attention", "weights-ignored", note="the mean of the allowed values")
def attention_uniform_allowed(Q, K, V, allowed=None):
    scores = np.zeros((*Q.shape[:-1], K.shape[-2]))
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ V, weights


@wrong("attention", "weights-ignored", note="every token looks at itself")
def attention_identity(Q, K, V, allowed=None):
    weights = np.broadcast_to(np.eye(Q.shape[-2], K.shape[-2]), (*Q.shape[:-1], K.shape[-2]))
    return weights @ V, weights


@wrong("attention", "weights-ignored", note="V comes back")
def attention_returns_v(Q, K, V, allowed=None):
    return V, _softmax(Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]))


@wrong("attention", "weights-ignored", note="zeros of the right shapes")
def attention_zeros(Q, K, V, allowed=None):
    return np.zeros((*Q.shape[:-1], V.shape[-1])), np.zeros((*Q.shape[:-1], K.shape[-2]))


@wrong("attention", "weights-ignored", note="random rows that sum to 1")
def attention_random(Q, K, V, allowed=None):
    weights = np.random.default_rng(0).random((*Q.shape[:-1], K.shape[-2]))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ V, weights


@wrong("attention", "fixed-number-of-axes", note="loops over a matrix, 2-D only")
def attention_loops(Q, K, V, allowed=None):
    output, weights = np.zeros((len(Q), V.shape[1])), np.zeros((len(Q), len(K)))
    for i, q in enumerate(Q):
        s = np.array([q @ k for k in K]) / np.sqrt(len(q))
        if allowed is not None:
            s = np.where(np.broadcast_to(allowed, weights.shape)[i], s, -np.inf)
        weights[i] = _softmax(s)
        output[i] = weights[i] @ V
    return output, weights


@wrong("attention", "blocked-row-nan", note="repairs a (n_q, n_k) mask, forgets a batch of masks")
def attention_repairs_2d(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    if allowed is not None and allowed.ndim <= 2:
        weights = np.nan_to_num(weights)
    return weights @ V, weights


@wrong("attention", "max-over-blocked", note="a huge blocked score empties the row")
def attention_max_over_blocked(Q, K, V, allowed=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    if allowed is not None:
        e = e * allowed
    total = e.sum(axis=-1, keepdims=True)
    weights = np.divide(e, total, out=np.zeros_like(e), where=total > 0)
    return weights @ V, weights


@wrong(
    "attention", "causal-by-default", note="SDPA's is_causal instead of the mask: a causal mask looks right"
)
def attention_sdpa_ignores(Q, K, V, allowed=None):
    q, k, v = map(torch.from_numpy, (Q, K, V))
    eye = torch.eye(k.shape[-2], dtype=k.dtype).expand(*k.shape[:-1], -1)
    causal = allowed is not None
    output = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
    return output.numpy(), F.scaled_dot_product_attention(q, k, eye, is_causal=causal).numpy()
