"""Reference answers of unit 02: queries, keys and values (Vaswani et al., 2017, section 3.2)."""

import numpy as np
import torch
from torch import nn


def project(X: np.ndarray, W: np.ndarray) -> np.ndarray:
    """Project every token of `X (..., n, d)` with `W (d, d_out)`: `(..., n, d_out)`."""
    return X @ W


def queries_keys_values(
    X: np.ndarray, W_q: np.ndarray, W_k: np.ndarray, W_v: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Queries, keys and values of `X (..., n, d)`: `(Q, K, V)`, widths `d_k`, `d_k` and `d_v`."""
    return project(X, W_q), project(X, W_k), project(X, W_v)


def attention_scores(Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Unscaled scores `(..., n_q, n_k)`: entry `[i, j]` is query i of `Q` dot key j of `K`."""
    return Q @ np.swapaxes(K, -2, -1)


def mix_values(weights: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Mix the rows of `V (..., n_k, d_v)` by `weights (..., n_q, n_k)`: `(..., n_q, d_v)`."""
    return weights @ V


def rows_from_columns(I: np.ndarray, W: np.ndarray) -> np.ndarray:  # noqa: E741 - the text's own name
    """The projection `W I` of the column convention, `I (d, n)` and `W (d_out, d)`, as rows `(n, d_out)`."""
    return I.T @ W.T


class QKVProjection(nn.Module):
    """Three linear maps without bias: queries and keys of width `d_k`, values of width `d_v`."""

    def __init__(self, d_model: int, d_k: int, d_v: int) -> None:
        super().__init__()
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Queries, keys and values of `x (B, n, d_model)`."""
        return self.W_q(x), self.W_k(x), self.W_v(x)


def look_back(num_words: int, n: int, steps: int) -> np.ndarray:
    """A query matrix `(num_words + n, n)` with which token i scores highest at token `i - steps`.

    Tokens are one-hot words beside one-hot places, and keys are the places: rows of words add nothing, and
    the row of place i is the key of the token to look at.
    """
    return np.vstack([np.zeros((num_words, n)), np.eye(n, k=-steps)])


def first_attention(
    X: np.ndarray, W_q: np.ndarray, W_k: np.ndarray, W_v: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """`X (n, d)` attends to itself: `(output (n, d_v), weights (n, n))`, unscaled and without a mask.

    As `torch.nn.functional.scaled_dot_product_attention(Q, K, V, scale=1.0)` on the three projections.
    """
    Q, K, V = queries_keys_values(X, W_q, W_k, W_v)
    scores = attention_scores(Q, K)
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))  # the softmax of unit 05
    weights = shares / shares.sum(axis=1, keepdims=True)
    return mix_values(weights, V), weights
