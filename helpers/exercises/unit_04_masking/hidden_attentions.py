"""The hidden attentions that a leak detector of unit 04 meets: causal ones and leaking ones."""

from collections.abc import Callable

import numpy as np

LEAKS = {
    "causal": False,
    "uniform over the past": False,
    "each token alone": False,
    "causal, two layers": False,
    "causal but for rounding": False,
    "no mask": True,
    "off by one": True,
    "transposed": True,
    "one later token": True,
    "the first feature": True,
    "the last feature": True,
    "only the first row": True,
    "only the second to last row": True,
    "outputs that cancel": True,
    "faint": True,
    "only ever smaller": True,
}


def build(kind: str, n: int, d: int, seed: int) -> Callable[[np.ndarray], np.ndarray]:
    """A hidden attention: `(n, d)` in, one more or one less feature out, deterministic; it never changes its input."""
    rng = np.random.default_rng(seed)
    d_out = d - 1 if d > 2 and seed % 2 else d + 1
    W_q, W_k, W_v = rng.standard_normal((3, d, d_out))
    again = rng.standard_normal((3, d_out, d_out))
    token = int(rng.integers(1, n)) if n > 1 else 0

    def attend(X: np.ndarray) -> np.ndarray:
        X = np.array(X, dtype=np.float64)
        out = np.array([_look(X, row, VISIBLE.get(kind, _past)(row, n), W_q, W_k, W_v) for row in range(n)])
        if kind == "uniform over the past":
            out = np.array([X[: row + 1].mean(axis=0) @ W_v for row in range(n)])
        elif kind == "each token alone":
            out = np.tanh(X @ W_v)
        elif kind == "causal, two layers":
            out = np.array([_look(out, row, _past(row, n), *again) for row in range(n)])
        return out + _leak(kind, X, token, d_out)

    return attend


def _past(row: int, n: int) -> np.ndarray:
    return np.arange(row + 1)


VISIBLE: dict[str, Callable[[int, int], np.ndarray]] = {
    "no mask": lambda row, n: np.arange(n),
    "off by one": lambda row, n: np.arange(min(row + 2, n)),
    "transposed": lambda row, n: np.arange(row, n),
}


def _look(
    X: np.ndarray, row: int, keys: np.ndarray, W_q: np.ndarray, W_k: np.ndarray, W_v: np.ndarray
) -> np.ndarray:
    """One output row; only the visible tokens are ever touched, so a causal one is exact."""
    scores = (X[keys] @ W_k) @ (X[row] @ W_q) / np.sqrt(W_q.shape[1])
    powers = np.exp(scores - scores.max())
    return powers / powers.sum() @ (X[keys] @ W_v)


def _leak(kind: str, X: np.ndarray, token: int, d_out: int) -> np.ndarray:
    """What is added to a causal output so that it leaks in one particular way."""
    n, extra = len(X), np.zeros((len(X), d_out))
    if n == 1:
        return extra
    if kind == "causal but for rounding":
        extra[: n - 1] = 1e-13 * np.sin(X[n - 1].sum())
    if kind == "one later token":
        extra[:token] = 0.5 * X[token].sum()
    elif kind in ("the first feature", "the last feature"):
        extra[: n - 1, -1] = X[n - 1, 0 if "first" in kind else -1]
    elif kind == "only the first row":
        extra[0] = 0.3 * X[token].sum()
    elif kind == "only the second to last row":
        extra[n - 2] = 0.3 * X[n - 1].sum()
    elif kind == "outputs that cancel":
        extra[0, 0], extra[0, 1] = X[token].sum(), -X[token].sum()
    elif kind == "only ever smaller":
        extra[: n - 1] = -0.5 * np.exp(X[n - 1]).sum()
    elif kind == "faint":
        extra[: n - 1] = 1e-4 * X[n - 1].sum()
    return extra
