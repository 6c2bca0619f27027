"""Reference answers of unit 04: who may look at whom.

Everywhere `allowed` is boolean and `True` means: this query may look at this key.
"""

from collections.abc import Callable

import numpy as np


def causal_mask(n: int) -> np.ndarray:
    """Boolean `(n, n)`: query i may look at keys 0 .. i.  As `torch.ones(n, n).tril()`."""
    position = np.arange(n)
    return position[None, :] <= position[:, None]


def padding_mask(lengths: np.ndarray, n: int) -> np.ndarray:
    """Boolean `(B, n)`: `True` for the first `lengths[b]` tokens of sequence b."""
    return np.arange(n) < np.asarray(lengths)[:, None]


def combined_mask(lengths: np.ndarray, n: int) -> np.ndarray:
    """Boolean `(B, 1, n, n)`: not in the future, and the key is a real token."""
    return causal_mask(n) & padding_mask(lengths, n)[:, None, None, :]


def apply_mask(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """Scores `(..., n_q, n_k)` with `-inf` where `allowed`, which broadcasts, is `False`."""
    return np.where(allowed, scores, -np.inf)


def to_blocked(allowed: np.ndarray) -> np.ndarray:
    """The same mask as `torch.nn.MultiheadAttention` wants it: `True` = blocked."""
    return ~allowed


def leaks_future(attend: Callable[[np.ndarray], np.ndarray], n: int, d: int) -> bool:
    """Whether an output of `attend`, `(n, d)` in and `(n, d_out)` out, depends on a later token."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d))
    before = attend(X)
    for token in range(1, n):
        changed = X.copy()
        changed[token] = rng.standard_normal(d)
        if np.abs(attend(changed)[:token] - before[:token]).max() > 1e-9:
            return True
    return False
