"""Reference answers of unit 03: why scores are divided by sqrt(d_k)."""

import numpy as np

from helpers.reference.unit_02_queries_keys_values import attention_scores


def measure_score_std(n: int, d_k: int, rng: np.random.Generator) -> float:
    """Standard deviation of the entries of `Q @ K.T`, both `(n, d_k)` of standard normal numbers."""
    Q = rng.standard_normal((n, d_k))
    K = rng.standard_normal((n, d_k))
    return (Q @ K.T).std()


def predicted_score_std(d_k: int, mean_q: float, std_q: float, mean_k: float, std_k: float) -> float:
    """Standard deviation of one dot product of `d_k` independent entries with these means and stds.

    The variance of a product of independent numbers is `std_q^2 std_k^2 + mean_q^2 std_k^2 +
    mean_k^2 std_q^2`, and the `d_k` variances add up.
    """
    variance = (std_q * std_k) ** 2 + (mean_q * std_k) ** 2 + (mean_k * std_q) ** 2
    return np.sqrt(d_k * variance)


def scaled_scores(Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Scores divided by `sqrt(d_k)`, the root of the width of a query (Vaswani et al., 2017, eq. 1)."""
    return attention_scores(Q, K) / np.sqrt(Q.shape[-1])


right_divisor = "sqrt(d_k)"
