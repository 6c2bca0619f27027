"""Wrong answers to the exercises of unit 03."""

import math

import numpy as np
import torch

from ..registry import add_wrong, wrong

# ------------------------------------------------------------------ measure_score_std


@wrong("measure_score_std", "formula-instead-of-measurement")
def measure_formula(n, d_k, rng):
    return np.sqrt(d_k)


@wrong("measure_score_std", "formula-instead-of-measurement", note="with noise that looks like a draw")
def measure_formula_noise(n, d_k, rng):
    return np.sqrt(d_k) * (1 + rng.normal() / 1000)


@wrong("measure_score_std", "variance-instead-of-std")
def measure_var(n, d_k, rng):
    return (rng.normal(size=(n, d_k)) @ rng.normal(size=(n, d_k)).T).var()


@wrong("measure_score_std", "rng-ignored", note="the global generator")
def measure_global(n, d_k, rng):
    Q, K = np.random.randn(n, d_k), np.random.randn(n, d_k)  # noqa: NPY002
    return np.std(Q @ K.T)


@wrong("measure_score_std", "rng-ignored", note="a new unseeded generator")
def measure_fresh(n, d_k, rng):
    rng = np.random.default_rng()
    return np.std(rng.normal(size=(n, d_k)) @ rng.normal(size=(n, d_k)).T)


@wrong("measure_score_std", "rng-reseeded", note="every state gives the same number")
def measure_reseeded(n, d_k, rng):
    rng = np.random.default_rng(0)
    return np.std(rng.normal(size=(n, d_k)) @ rng.normal(size=(n, d_k)).T)


@wrong("measure_score_std", "rng-ignored", note="K comes from torch")
def measure_half_global(n, d_k, rng):
    Q = rng.normal(size=(n, d_k))
    K = torch.randn(n, d_k).numpy()
    return float(np.std(Q @ K.T))


@wrong("measure_score_std", "uniform-draws", note="in [0, 1)")
def measure_uniform(n, d_k, rng):
    return np.std(rng.random((n, d_k)) @ rng.random((n, d_k)).T)


@wrong("measure_score_std", "uniform-draws", note="in [-1, 1)")
def measure_uniform_centred(n, d_k, rng):
    return np.std(rng.uniform(-1, 1, (n, d_k)) @ rng.uniform(-1, 1, (n, d_k)).T)


@wrong("measure_score_std", "one-matrix-twice", note="K is Q: large n hides it")
def measure_q_q(n, d_k, rng):
    Q = rng.normal(size=(n, d_k))
    return np.std(Q @ Q.T)


@wrong("measure_score_std", "one-matrix-twice", note="same numbers drawn twice")
def measure_same_state(n, d_k, rng):
    state = rng.bit_generator.state
    Q = rng.normal(size=(n, d_k))
    rng.bit_generator.state = state
    K = rng.normal(size=(n, d_k))
    return np.std(Q @ K.T)


@wrong("measure_score_std", "scaled-too-early", note="about 1, the number after scaling")
def measure_scaled(n, d_k, rng):
    Q, K = rng.normal(size=(n, d_k)), rng.normal(size=(n, d_k))
    return np.std(Q @ K.T / np.sqrt(d_k))


@wrong("measure_score_std", "wrong-std-axis", note="mean of the row stds: right for large d_k")
def measure_row_mean(n, d_k, rng):
    Q, K = rng.normal(size=(n, d_k)), rng.normal(size=(n, d_k))
    return np.std(Q @ K.T, axis=1).mean()


@wrong("measure_score_std", "wrong-std-axis", note="one number per column")
def measure_axis_zero(n, d_k, rng):
    Q, K = rng.normal(size=(n, d_k)), rng.normal(size=(n, d_k))
    return np.std(Q @ K.T, axis=0)


@wrong("measure_score_std", "rows-paired", note="of the diagonal only: x_i with y_i")
def measure_diagonal(n, d_k, rng):
    Q, K = rng.normal(size=(n, d_k)), rng.normal(size=(n, d_k))
    return np.std((Q * K).mean(axis=1))


@wrong("measure_score_std", "columns-as-tokens", note="Q.T @ K: sqrt(n), right when n == d_k")
def measure_features(n, d_k, rng):
    Q, K = rng.normal(size=(n, d_k)), rng.normal(size=(n, d_k))
    return np.std(Q.T @ K)


@wrong("measure_score_std", "measures-inputs", note="std of Q, not of the scores")
def measure_inputs(n, d_k, rng):
    Q, K = rng.normal(size=(n, d_k)), rng.normal(size=(n, d_k))
    return np.std(np.concatenate([Q, K]))


@wrong("measure_score_std", "lost-sign")
def measure_abs(n, d_k, rng):
    Q, K = rng.normal(size=(n, d_k)), rng.normal(size=(n, d_k))
    return np.abs(Q @ K.T).std()


@wrong("measure_score_std", "state-between-calls", note="remembers its first answer")
def measure_cached(n, d_k, rng, seen={}):  # noqa: B006
    if (n, d_k) not in seen:
        seen[n, d_k] = np.std(rng.normal(size=(n, d_k)) @ rng.normal(size=(n, d_k)).T)
    return seen[n, d_k]


@wrong("measure_score_std", "arguments-swapped", note="shape (d_k, n)")
def measure_swapped(n, d_k, rng):
    Q, K = rng.normal(size=(d_k, n)), rng.normal(size=(d_k, n))
    return np.std(Q @ K.T)


# ------------------------------------------------------------------ predicted_score_std


@wrong("predicted_score_std", "means-forgotten", note="right for zero means")
def predicted_no_means(d_k, mean_q, std_q, mean_k, std_k):
    return math.sqrt(d_k) * std_q * std_k


@wrong("predicted_score_std", "only-sqrt-d_k", note="right for standard normal entries")
def predicted_sqrt(d_k, mean_q, std_q, mean_k, std_k):
    return math.sqrt(d_k)


@wrong("predicted_score_std", "no-square-root", note="the variance")
def predicted_variance(d_k, mean_q, std_q, mean_k, std_k):
    return d_k * (std_q**2 * std_k**2 + mean_q**2 * std_k**2 + mean_k**2 * std_q**2)


@wrong("predicted_score_std", "scaled-by-d_k", note="d_k outside the root")
def predicted_d_outside(d_k, mean_q, std_q, mean_k, std_k):
    return d_k * math.sqrt(std_q**2 * std_k**2 + mean_q**2 * std_k**2 + mean_k**2 * std_q**2)


@wrong("predicted_score_std", "mean-not-subtracted", note="E[x^2] instead of the variance")
def predicted_second_moment(d_k, mean_q, std_q, mean_k, std_k):
    return math.sqrt(d_k * (std_q**2 + mean_q**2) * (std_k**2 + mean_k**2))


@wrong("predicted_score_std", "one-term-forgotten", note="mean_k only: right when mean_q == 0")
def predicted_without_mean_q(d_k, mean_q, std_q, mean_k, std_k):
    return math.sqrt(d_k * (std_q**2 * std_k**2 + mean_k**2 * std_q**2))


@wrong("predicted_score_std", "one-term-forgotten", note="mean_q only: right when mean_k == 0")
def predicted_without_mean_k(d_k, mean_q, std_q, mean_k, std_k):
    return math.sqrt(d_k * (std_q**2 * std_k**2 + mean_q**2 * std_k**2))


@wrong("predicted_score_std", "one-term-forgotten", note="the product of the variances")
def predicted_without_product(d_k, mean_q, std_q, mean_k, std_k):
    return math.sqrt(d_k * (mean_q**2 * std_k**2 + mean_k**2 * std_q**2))


@wrong("predicted_score_std", "terms-crossed", note="mean with its own std: right for equal laws")
def predicted_crossed(d_k, mean_q, std_q, mean_k, std_k):
    return math.sqrt(d_k * (std_q**2 * std_k**2 + mean_q**2 * std_q**2 + mean_k**2 * std_k**2))


@wrong("predicted_score_std", "std-for-variance", note="stds not squared: right for stds of 1")
def predicted_std_not_squared(d_k, mean_q, std_q, mean_k, std_k):
    return math.sqrt(d_k * (std_q * std_k + mean_q**2 * std_k + mean_k**2 * std_q))


@wrong("predicted_score_std", "means-not-squared", note="right for means of 0 and 1; a negative mean fails")
def predicted_means_not_squared(d_k, mean_q, std_q, mean_k, std_k):
    return math.sqrt(d_k * (std_q**2 * std_k**2 + abs(mean_q) * std_k**2 + abs(mean_k) * std_q**2))


@wrong("predicted_score_std", "added-instead-of-multiplied", note="variances added")
def predicted_added(d_k, mean_q, std_q, mean_k, std_k):
    return math.sqrt(d_k * (std_q**2 + std_k**2))


@wrong("predicted_score_std", "mean-instead-of-std", note="predicts the mean score")
def predicted_mean(d_k, mean_q, std_q, mean_k, std_k):
    return d_k * mean_q * mean_k


@wrong("predicted_score_std", "mean-not-subtracted", note="mean product subtracted without its square")
def predicted_wrong_subtraction(d_k, mean_q, std_q, mean_k, std_k):
    second = (std_q**2 + mean_q**2) * (std_k**2 + mean_k**2)
    return math.sqrt(d_k * abs(second - mean_q * mean_k))


@wrong("predicted_score_std", "stds-added", note="sqrt(d) (s s + m s + m s): stds of sums do not add")
def predicted_stds_added(d_k, mean_q, std_q, mean_k, std_k):
    return math.sqrt(d_k) * (std_q * std_k + abs(mean_q) * std_k + abs(mean_k) * std_q)


@wrong("predicted_score_std", "measured-with-too-few-draws", note="a simulation of 10 draws")
def predicted_simulated(d_k, mean_q, std_q, mean_k, std_k):
    rng = np.random.default_rng(0)
    q, k = rng.normal(mean_q, std_q, (10, d_k)), rng.normal(mean_k, std_k, (10, d_k))
    return (q * k).sum(axis=1).std()


@wrong("predicted_score_std", "scaled-too-early", note="the std after scaling")
def predicted_scaled(d_k, mean_q, std_q, mean_k, std_k):
    return math.sqrt(std_q**2 * std_k**2 + mean_q**2 * std_k**2 + mean_k**2 * std_q**2)


# ------------------------------------------------------------------ scaled_scores


@wrong("scaled_scores", "no-scaling")
def scaled_no_scaling(Q, K):
    return Q @ np.swapaxes(K, -1, -2)


@wrong("scaled_scores", "scaled-by-d_k")
def scaled_d_k(Q, K):
    return Q @ np.swapaxes(K, -1, -2) / Q.shape[-1]


@wrong("scaled_scores", "scaled-up", note="multiplies by sqrt(d_k)")
def scaled_up(Q, K):
    return Q @ np.swapaxes(K, -1, -2) * np.sqrt(Q.shape[-1])


@wrong("scaled_scores", "scaled-up", note="divides by d_k ** -0.5")
def scaled_divides_by_inverse(Q, K):
    return Q @ np.swapaxes(K, -1, -2) / Q.shape[-1] ** -0.5


@wrong("scaled_scores", "scaled-by-sqrt-n", note="sqrt(n_k): right when n_k == d_k")
def scaled_n_k(Q, K):
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-2])


@wrong("scaled_scores", "scaled-by-sqrt-n", note="sqrt(n_q)")
def scaled_n_q(Q, K):
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-2])


@wrong("scaled_scores", "axis-counted-from-front", note="shape[1]: right for 2-D")
def scaled_shape_one(Q, K):
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[1])


@wrong("scaled_scores", "axis-counted-from-front", note="len(Q): the batch or the tokens")
def scaled_len(Q, K):
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(len(Q))


@wrong("scaled_scores", "scaled-by-sqrt-n", note="size of the score matrix")
def scaled_size(Q, K):
    S = Q @ np.swapaxes(K, -1, -2)
    return S / np.sqrt(S.shape[-1] * S.shape[-2])


@wrong("scaled_scores", "reversed-all-axes")
def scaled_k_t(Q, K):
    return Q @ K.T / np.sqrt(Q.shape[-1])


@wrong("scaled_scores", "keys-by-queries")
def scaled_k_q(Q, K):
    return K @ np.swapaxes(Q, -1, -2) / np.sqrt(Q.shape[-1])


@wrong("scaled_scores", "reshape-instead-of-transpose")
def scaled_reshape(Q, K):
    return Q @ K.reshape(*K.shape[:-2], K.shape[-1], K.shape[-2]) / np.sqrt(Q.shape[-1])


@wrong("scaled_scores", "scaled-by-d_k", note="both sides divided by sqrt(d_k)")
def scaled_twice(Q, K):
    root = np.sqrt(Q.shape[-1])
    return (Q / root) @ np.swapaxes(K / root, -1, -2)


@wrong("scaled_scores", "half-the-scaling", note="d_k ** -0.25 on one side only")
def scaled_quarter(Q, K):
    return Q * Q.shape[-1] ** -0.25 @ np.swapaxes(K, -1, -2)


@wrong("scaled_scores", "input-changed")
def scaled_in_place(Q, K):
    Q /= np.sqrt(Q.shape[-1])
    return Q @ np.swapaxes(K, -1, -2)


@wrong("scaled_scores", "truncates-to-int", note="right when d_k is a perfect square")
def scaled_isqrt(Q, K):
    return Q @ np.swapaxes(K, -1, -2) / math.isqrt(Q.shape[-1])


@wrong("scaled_scores", "normalised-by-measured-std")
def scaled_measured(Q, K):
    S = Q @ np.swapaxes(K, -1, -2)
    return S / S.std()


@wrong("scaled_scores", "cosine-instead-of-dot")
def scaled_cosine(Q, K):
    norms = np.linalg.norm(Q, axis=-1)[..., :, None] * np.linalg.norm(K, axis=-1)[..., None, :]
    return Q @ np.swapaxes(K, -1, -2) / norms


@wrong("scaled_scores", "softmax-too-early")
def scaled_softmax(Q, K):
    S = torch.from_numpy(Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]))
    return torch.softmax(S, dim=-1).numpy()


@wrong("scaled_scores", "constant-divisor", note="the 8 of d_k = 64")
def scaled_eight(Q, K):
    return Q @ np.swapaxes(K, -1, -2) / 8.0


@wrong("scaled_scores", "float32")
def scaled_float32(Q, K):
    q, k = torch.tensor(Q, dtype=torch.float32), torch.tensor(K, dtype=torch.float32)
    return (q @ k.mT / math.sqrt(q.shape[-1])).numpy()


@wrong("scaled_scores", "operator-precedence", note="sqrt of the scores' quotient")
def scaled_precedence(Q, K):
    S = Q @ np.swapaxes(K, -1, -2)
    return np.sign(S) * np.sqrt(np.abs(S) / Q.shape[-1])


# ------------------------------------------------------------------ right_divisor

add_wrong("right_divisor", "scaled-by-d_k", "d_k")
add_wrong("right_divisor", "scaled-by-sqrt-n", "sqrt(n)", note="what two widely read tutorials say")
add_wrong("right_divisor", "scaled-by-sqrt-d_model", "sqrt(d_model)")
add_wrong("right_divisor", "not-one-of-the-choices", "sqrt(d)")
add_wrong("right_divisor", "not-one-of-the-choices", "sqrt(d_v)")
add_wrong("right_divisor", "not-one-of-the-choices", "n")
add_wrong("right_divisor", "not-one-of-the-choices", "")
add_wrong("right_divisor", "not-one-of-the-choices", "...")
add_wrong("right_divisor", "number-instead-of-name", 8.0)
add_wrong("right_divisor", "number-instead-of-name", 0)
add_wrong("right_divisor", "not-one-of-the-choices", True)
add_wrong("right_divisor", "function-instead-of-name", np.sqrt)
add_wrong("right_divisor", "more-than-one-choice", ["sqrt(d_k)", "sqrt(n)"])
add_wrong("right_divisor", "more-than-one-choice", "d_k, sqrt(d_k)")
add_wrong("right_divisor", "more-than-one-choice", {"sqrt(d_k)", "sqrt(d_model)"})
add_wrong("right_divisor", "number-instead-of-name", np.array([1.0, 2.0]), note="an array: == is elementwise")
add_wrong("right_divisor", "wrong-spelling", "Sqrt(d_k)", note="case")
add_wrong("right_divisor", "wrong-spelling", " sqrt(d_k)", note="spaces")
add_wrong("right_divisor", "wrong-spelling", "sqrt(dk)")
