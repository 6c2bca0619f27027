"""Reference answers of unit 05: from scores to weights, and the whole of attention."""

import numpy as np

from helpers.reference.unit_02_queries_keys_values import mix_values
from helpers.reference.unit_03_scaling import scaled_scores


def softmax(x: np.ndarray, axis: int = -1) -> np.ndarray:
    """Positive numbers that sum to 1 along `axis`.  As `torch.softmax`."""
    powers = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return powers / np.sum(powers, axis=axis, keepdims=True)


def masked_softmax(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """Softmax over the allowed keys of each row of `scores (..., n_q, n_k)`; a blocked row is all 0."""
    masked = np.where(allowed, scores, -np.inf)
    largest = np.max(masked, axis=-1, keepdims=True)
    # a blocked row has no largest score: any finite number will do, its powers are all 0
    powers = np.exp(masked - np.where(np.isfinite(largest), largest, 0))
    total = np.sum(powers, axis=-1, keepdims=True)
    return powers / np.where(total == 0, 1, total)


def softmax_with_temperature(x: np.ndarray, temperature: float) -> np.ndarray:
    """Softmax of `x / temperature` along the last axis: small is sharp, large is flat."""
    return softmax(x / temperature)


def softmax_backward(weights: np.ndarray, grad: np.ndarray) -> np.ndarray:
    """Gradient for the input of a softmax, from its output `weights` and the gradient `grad` for it.

    Both `(..., n)`.  As `torch.autograd` computes it.
    """
    return weights * (grad - np.sum(weights * grad, axis=-1, keepdims=True))


def attention(
    Q: np.ndarray, K: np.ndarray, V: np.ndarray, allowed: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Scaled dot-product attention (Vaswani et al., 2017, eq. 1): `(output, weights)`.

    `Q (..., n_q, d_k)`, `K (..., n_k, d_k)`, `V (..., n_k, d_v)`; a query with no allowed key gets
    output 0.  As `torch.nn.functional.scaled_dot_product_attention`.
    """
    scores = scaled_scores(Q, K)
    weights = softmax(scores) if allowed is None else masked_softmax(scores, allowed)
    return mix_values(weights, V), weights


faulty_map = ("C", "queries and keys swapped")
