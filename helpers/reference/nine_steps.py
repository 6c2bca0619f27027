"""Multi-head attention for one sentence, with every intermediate array kept: unit 06 in one call."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from helpers.arrays import allowed_cells, array, broadcast

LARGEST = 16
"""Tokens and features that can be followed by eye."""


@dataclass(frozen=True)
class Step:
    """What one of the nine steps is called, does, and looks like in code."""

    name: str
    code: str
    says: str


STEPS = (
    Step("input", "x = X[i]", "Each token is one row of numbers."),
    Step("weights", "W_q, W_k, W_v", "Three matrices. In a trained model, training has found them."),
    Step("Q, K, V", "Q, K, V = X @ W_q, X @ W_k, X @ W_v", "Each row becomes a query, a key and a value."),
    Step("heads", "Q_h = Q[:, h * d_head : (h + 1) * d_head]", "Each head takes its own columns."),
    Step("scores Z", "Z = Q_h @ K_h.T", "The query is compared with every key."),
    Step(
        "mask", "masked = np.where(allowed, Z / np.sqrt(d_head), -np.inf)",
        "Scores are scaled, and what the query may not look at becomes minus infinity.",
    ),
    Step("softmax", "A = softmax(masked)", "Scores become weights that add up to 1."),
    Step("head output", "H = A @ V_h", "The values are mixed, each by its weight."),
    Step(
        "concatenation", "output = np.hstack(heads) @ W_o",
        "The heads stand side by side again, and the last projection mixes them.",
    ),
)  # fmt: skip


@dataclass(frozen=True)
class NineSteps:
    """Everything between the input and the output.

    Attributes:
        X: `(n, d_model)`.
        W: `W_q, W_k, W_v, W_o`, each `(d_model, d_model)`.
        P: queries, keys and values, each `(n, d_model)`.
        Z: scores, `(h, n, n)`, not scaled.
        allowed: `(h, n, n)`.
        masked: `(h, n, n)`, scaled, minus infinity where not allowed.
        A: weights, `(h, n, n)`.
        H: outputs of the heads, `(h, n, d_head)`.
        output: `(n, d_model)`.
    """

    X: np.ndarray
    W: tuple[np.ndarray, ...]
    P: tuple[np.ndarray, ...]
    Z: np.ndarray
    allowed: np.ndarray
    masked: np.ndarray
    A: np.ndarray
    H: np.ndarray
    output: np.ndarray


def nine_steps(
    X: ArrayLike,
    W_q: ArrayLike,
    W_k: ArrayLike,
    W_v: ArrayLike,
    W_o: ArrayLike,
    num_heads: int,
    allowed: ArrayLike | None = None,
) -> NineSteps:
    """Run them.

    Args:
        X: `(n, d_model)`, or `(1, n, d_model)`, at most 16 of each: numbers one can follow.
        W_q: `(d_model, d_model)`.
        W_k: the same.
        W_v: the same.
        W_o: the same.
        num_heads: h, which divides d_model.
        allowed: boolean, broadcasts to `(h, n, n)`; `True` = may look.

    Raises:
        ValueError: when shapes do not fit together, or there is too much to follow.
    """
    from helpers.reference import masked_softmax, split_heads  # bring PyTorch with them

    x = array("X", X)
    if not isinstance(num_heads, int | np.integer) or isinstance(num_heads, bool) or num_heads < 1:
        raise ValueError(f"num_heads: expected a whole number from 1 on; got {num_heads!r}")
    x = x[0] if x.ndim == 3 and len(x) == 1 else x
    if x.ndim != 2:
        raise ValueError(f"X: expected one sentence (n, d_model); got shape {x.shape}")
    if max(x.shape) > LARGEST:
        raise ValueError(
            f"X: expected at most {LARGEST} tokens and {LARGEST} features, to be followed by eye; got shape "
            f"{x.shape}: choose a part, or use views.loom"
        )
    d = x.shape[1]
    named = {"W_q": W_q, "W_k": W_k, "W_v": W_v, "W_o": W_o}
    matrices = tuple(array(name, value, 2) for name, value in named.items())
    for name, value in zip(named, matrices, strict=True):
        if value.shape != (d, d):
            raise ValueError(f"{name}: expected (d_model, d_model), {(d, d)}; got shape {value.shape}")
    for name, value in zip(("X", *named), (x, *matrices), strict=True):
        if not np.isfinite(value).all():
            raise ValueError(f"{name}: expected finite numbers; got {value[~np.isfinite(value)][0]:g}")
    with np.errstate(over="ignore", invalid="ignore"):
        P = tuple(x @ W for W in matrices[:3])
    q, k, v = (split_heads(part[None], num_heads)[0] for part in P)
    with np.errstate(over="ignore", invalid="ignore"):
        Z = q @ k.swapaxes(-1, -2)
    may = broadcast(np.array(True) if allowed is None else allowed_cells(allowed, None), "scores", Z.shape)
    if not all(np.isfinite(one).all() for one in (*P, Z)):
        raise ValueError(
            "X and the weights: expected numbers whose products fit into float64; got larger ones"
        )
    scaled = Z / np.sqrt(q.shape[-1])
    A = masked_softmax(scaled, may)
    H = A @ v
    output = np.hstack(list(H)) @ matrices[3]
    return NineSteps(x, matrices, P, Z, may, np.where(may, scaled, -np.inf), A, H, output)
