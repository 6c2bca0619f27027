"""Reference answers of unit 06: several heads (Vaswani et al., 2017, section 3.2.2)."""

from collections.abc import Callable

import numpy as np
import torch
from torch import nn

from helpers.reference.unit_02_queries_keys_values import queries_keys_values
from helpers.reference.unit_05_softmax import attention


def split_heads(X: np.ndarray, num_heads: int) -> np.ndarray:
    """Cut `X (B, n, d_model)` into heads `(B, num_heads, n, d_model / num_heads)`.

    Raises:
        ValueError: when `num_heads` does not divide `d_model`.
    """
    B, n, d_model = X.shape
    if d_model % num_heads:
        raise ValueError(f"d_model = {d_model} cannot be cut into {num_heads} heads of equal width")
    return X.reshape(B, n, num_heads, d_model // num_heads).swapaxes(1, 2)


def merge_heads(H: np.ndarray) -> np.ndarray:
    """Put heads `(B, h, n, d_head)` side by side again: `(B, n, h * d_head)`."""
    B, h, n, d_head = H.shape
    return H.swapaxes(1, 2).reshape(B, n, h * d_head)


def multi_head_attention(
    X: np.ndarray,
    W_q: np.ndarray,
    W_k: np.ndarray,
    W_v: np.ndarray,
    W_o: np.ndarray,
    num_heads: int,
    allowed: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Multi-head self-attention of `X (B, n, d_model)`, all weights `(d_model, d_model)`.

    Returns `(output (B, n, d_model), weights (B, num_heads, n, n))`.  As `torch.nn.MultiheadAttention`.
    """
    Q, K, V = (split_heads(part, num_heads) for part in queries_keys_values(X, W_q, W_k, W_v))
    output, weights = attention(Q, K, V, allowed)
    return merge_heads(output) @ W_o, weights


def test_multi_head_attention(multi_head_attention: Callable) -> None:
    """Raise where `multi_head_attention` is wrong: sizes, masks of each head, blocked queries."""
    rng = np.random.default_rng(0)
    B, n, h, d_head = 2, 5, 3, 4
    tokens = rng.normal(size=(B, n, h * d_head))
    W_q, W_k, W_v, W_o = (rng.normal(size=(h * d_head, h * d_head)) / 3 for _ in range(4))
    each = rng.random((B, h, n, n)) < 0.6
    each[0, :, 1] = False
    masks = (None, np.tril(np.ones((n, n), dtype=bool)), each)
    for X, allowed in ((size * tokens, mask) for size in (1.0, 100.0) for mask in masks):
        output, weights = multi_head_attention(X, W_q, W_k, W_v, W_o, h, allowed)
        expected = np.zeros(X.shape)
        for head in range(h):
            at = slice(head * d_head, (head + 1) * d_head)
            mask = None if allowed is None else np.broadcast_to(allowed, each.shape)[:, head]
            mixed, of_head = attention(X @ W_q[:, at], X @ W_k[:, at], X @ W_v[:, at], mask)
            expected += mixed @ W_o[at]
            assert np.allclose(weights[:, head], of_head)
        assert np.allclose(output, expected)


def sum_of_heads(H: np.ndarray, W_o: np.ndarray) -> np.ndarray:
    """The sum over heads of `H (B, h, n, d_head)` times each head's own rows of `W_o`: `(B, n, d_model)`."""
    blocks = W_o.reshape(H.shape[1], H.shape[3], -1)
    return sum(H[:, i] @ blocks[i] for i in range(H.shape[1]))


class MultiHeadAttention(nn.Module):
    """Multi-head attention with biases, as `torch.nn.MultiheadAttention(batch_first=True)`."""

    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(
        self,
        query: torch.Tensor,
        key: torch.Tensor,
        value: torch.Tensor,
        allowed: torch.Tensor | None = None,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Let `query (B, n_q, d_model)` look at `key` and take from `value`, both `(B, n_k, d_model)`.

        Returns `(output (B, n_q, d_model), weights (B, h, n_q, n_k))`.
        """
        Q, K, V = self._projected(query, key, value)
        scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min)
        weights = torch.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed, 0)
        output = (weights @ V).transpose(1, 2).flatten(2)
        return self.W_o(output), weights

    def _projected(
        self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Queries, keys and values by head: `(B, h, n_q, d_head)` and twice `(B, h, n_k, d_head)`."""
        return self._split(self.W_q(query)), self._split(self.W_k(key)), self._split(self.W_v(value))

    def _split(self, x: torch.Tensor) -> torch.Tensor:
        return x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)


def same_word_head(num_words: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Matrices `(W_q, W_k)`, both `(num_words + n, num_words)`, of a head that looks at equal words.

    Tokens are one-hot words beside one-hot places.  Scores are large for equal words, and 0 for others.
    """
    W = np.vstack([100 * np.eye(num_words), np.zeros((n, num_words))])
    return W, W
