"""Right answers to unit 03."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import torch

from ..registry import add_right, right

# measure_score_std


@right("measure_score_std", "standard_normal")
def measure_standard_normal(n, d_k, rng):
    Q = rng.standard_normal((n, d_k))
    K = rng.standard_normal((n, d_k))
    return (Q @ K.T).std()


@right("measure_score_std", "rng.normal, K first, a Python float")
def measure_k_first(n, d_k, rng):
    K = rng.normal(0, 1, size=(n, d_k))
    Q = rng.normal(0, 1, size=(n, d_k))
    return float(np.std(np.einsum("id,jd->ij", Q, K)))


@right("measure_score_std", "one draw for both")
def measure_one_draw(n, d_k, rng):
    Q, K = rng.normal(size=(2, n, d_k))
    return np.std(np.inner(Q, K))


@right("measure_score_std", "drawn transposed")
def measure_transposed(n, d_k, rng):
    Q = rng.standard_normal((d_k, n)).T
    K = rng.standard_normal((d_k, n)).T
    return np.sqrt(np.var(Q @ K.T))


@right("measure_score_std", "torch std, which divides by n * n - 1")
def measure_torch(n, d_k, rng):
    Q = torch.from_numpy(rng.standard_normal((n, d_k)))
    K = torch.from_numpy(rng.standard_normal((n, d_k)))
    return (Q @ K.T).std().item()


@right("measure_score_std", "torch std without correction, a 0-d array")
def measure_torch_population(n, d_k, rng):
    Q, K = (torch.tensor(rng.normal(size=(n, d_k))) for _ in range(2))
    return torch.std(torch.matmul(Q, K.transpose(0, 1)), correction=0).numpy()


@right("measure_score_std", "ddof=1, prints")
def measure_ddof(n, d_k, rng):
    Q = rng.normal(loc=0.0, scale=1.0, size=(n, d_k))
    K = rng.normal(loc=0.0, scale=1.0, size=(n, d_k))
    scores = np.tensordot(Q, K, axes=([1], [1]))
    print("mean", scores.mean())
    return scores.std(ddof=1)


@right("measure_score_std", "by hand, query by query")
def measure_by_hand(n, d_k, rng):
    Q = [rng.standard_normal(d_k) for _ in range(n)]
    K = [rng.standard_normal(d_k) for _ in range(n)]
    scores = [float(q @ k) for q, k in product(Q, K)]
    mean = math.fsum(scores) / len(scores)
    return math.sqrt(math.fsum((s - mean) ** 2 for s in scores) / len(scores))


@right("measure_score_std", "float32 draws")
def measure_float32(n, d_k, rng):
    Q = rng.standard_normal((n, d_k), dtype=np.float32)
    K = rng.standard_normal((n, d_k), dtype=np.float32)
    return np.std(np.matmul(Q, K.swapaxes(0, 1)))


@right("measure_score_std", "Box-Muller from uniform draws")
def measure_box_muller(n, d_k, rng):
    radius = np.sqrt(-2 * np.log(1 - rng.random((n, d_k))))
    angle = 2 * np.pi * rng.random((n, d_k))
    return (radius * np.cos(angle) @ (radius * np.sin(angle)).T).std()


# predicted_score_std


@right("predicted_score_std", "sum of three terms")
def predicted_sum(d_k, mean_q, std_q, mean_k, std_k):
    variance = std_q**2 * std_k**2 + mean_q**2 * std_k**2 + mean_k**2 * std_q**2
    return np.sqrt(d_k * variance)


@right("predicted_score_std", "E[q^2] E[k^2] - (E[q] E[k])^2")
def predicted_moments(d_k, mean_q, std_q, mean_k, std_k):
    second = (mean_q**2 + std_q**2) * (mean_k**2 + std_k**2)
    return math.sqrt(d_k * max(second - (mean_q * mean_k) ** 2, 0.0))


@right("predicted_score_std", "a norm times sqrt(d_k)")
def predicted_norm(d_k, mean_q, std_q, mean_k, std_k):
    return np.linalg.norm([std_q * std_k, mean_q * std_k, mean_k * std_q]) * np.sqrt(d_k)


@right("predicted_score_std", "math.hypot")
def predicted_hypot(d_k, mean_q, std_q, mean_k, std_k):
    return math.sqrt(d_k) * math.hypot(std_q * math.hypot(std_k, mean_k), mean_q * std_k)


@right("predicted_score_std", "variances added one entry at a time")
def predicted_loop(d_k, mean_q, std_q, mean_k, std_k):
    variance = 0.0
    for _ in range(d_k):
        variance += std_q**2 * (std_k**2 + mean_k**2) + mean_q**2 * std_k**2
    return variance**0.5


@right("predicted_score_std", "torch, a 0-d array")
def predicted_torch(d_k, mean_q, std_q, mean_k, std_k):
    m_q, s_q, m_k, s_k = torch.tensor([mean_q, std_q, mean_k, std_k], dtype=torch.float64) ** 2
    return torch.sqrt(d_k * (s_q * s_k + m_q * s_k + m_k * s_q)).numpy()


@right("predicted_score_std", "exact fractions, prints")
def predicted_fractions(d_k, mean_q, std_q, mean_k, std_k):
    m_q, s_q, m_k, s_k = (Fraction(float(number)) ** 2 for number in (mean_q, std_q, mean_k, std_k))
    variance = int(d_k) * ((m_q + s_q) * (m_k + s_k) - m_q * m_k)
    print(float(variance))
    return math.sqrt(variance)


# scaled_scores


@right("scaled_scores", "divide last")
def scaled_divide(Q, K):
    return Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])


@right("scaled_scores", "scale Q first")
def scaled_q_first(Q, K):
    return np.matmul(Q / math.sqrt(Q.shape[-1]), np.moveaxis(K, -1, -2))


@right("scaled_scores", "scale K first")
def scaled_k_first(Q, K):
    return np.einsum("...qd,...kd->...qk", Q, K * K.shape[-1] ** -0.5)


@right("scaled_scores", "d ** -0.25 on both")
def scaled_both(Q, K):
    factor = Q.shape[-1] ** -0.25
    return (Q * factor) @ (K * factor).swapaxes(-2, -1)


@right("scaled_scores", "the scale inside einsum")
def scaled_einsum_factor(Q, K):
    return np.einsum("...qd,...kd,->...qk", Q, K, 1 / np.sqrt(K.shape[-1]))


@right("scaled_scores", "loops over every entry")
def scaled_loops(Q, K):
    d_k = Q.shape[-1]
    result = np.zeros((*Q.shape[:-1], K.shape[-2]))
    for lead in np.ndindex(Q.shape[:-2]):
        for i in range(Q.shape[-2]):
            for j in range(K.shape[-2]):
                total = 0.0
                for c in range(d_k):
                    total += Q[lead][i, c] * K[lead][j, c]
                result[lead][i, j] = total / d_k**0.5
    return result


@right("scaled_scores", "broadcasting and sum, in-place division of the new array")
def scaled_broadcast(Q, K):
    scores = (np.expand_dims(Q, -2) * np.expand_dims(K, -3)).sum(axis=-1)
    scores /= np.sqrt(Q.shape[-1])
    return scores


@right("scaled_scores", "torch inside, torch.sqrt of a float64 tensor")
def scaled_torch(Q, K):
    q, k = torch.from_numpy(Q), torch.from_numpy(K)
    return (q @ k.mT / torch.sqrt(torch.tensor(q.size(-1), dtype=torch.float64))).numpy()


@right("scaled_scores", "a transposed view")
def scaled_transposed_view(Q, K):
    return (K @ Q.swapaxes(-1, -2) / np.sqrt(K.shape[-1])).swapaxes(-1, -2)


@right("scaled_scores", "recursion over the leading axes, lists")
def scaled_recursive(Q, K):
    if Q.ndim == 2:
        return np.array([[float(q @ k) / math.sqrt(len(q)) for k in K] for q in Q])
    return np.array([scaled_recursive(q, k) for q, k in zip(Q, K, strict=True)])


@right("scaled_scores", "a mean times sqrt(d_k)")
def scaled_mean(Q, K):
    # A mean is a sum over d_k: mean * sqrt(d_k) = sum / sqrt(d_k).
    return np.mean(Q[..., :, None, :] * K[..., None, :, :], axis=-1) * np.sqrt(Q.shape[-1])


# right_divisor (a variable)

add_right("right_divisor", "the string", "sqrt(d_k)")
add_right(
    "right_divisor",
    "picked from an array of names, so a np.str_",
    np.array(["d_k", "sqrt(d_k)", "sqrt(n)", "sqrt(d_model)"])[np.argmin([0.96, 0.005, 0.9, 0.6])],
)
add_right("right_divisor", "put together from the measurements' name", "sqrt" + "(d_k)")
