"""All stages of a loom in numbers, as its page computes them."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from helpers.arrays import allowed_cells, broadcast
from helpers.reference import masked_softmax
from helpers.views.data import finite


def computed(given: Mapping[str, np.ndarray], heads: int, may: np.ndarray) -> dict[str, np.ndarray]:
    """All stages as `(h, rows, columns)`, from those that are given: X, or Q and K, or scaled, or weights.

    Raises:
        ValueError: when shapes do not fit together, or numbers are too large.
    """
    done = dict(given)
    with np.errstate(over="ignore", invalid="ignore"):
        if "X" in given:
            _projected(done, heads)
        if "Q" in done:
            q, k = (done.get(f"{name}_h", done[name]) for name in "QK")
            done["scores"] = q @ k.swapaxes(1, 2)
            finite("X and the weights" if "X" in given else "Q, K", done["scores"])
            done["scaled"] = done["scores"] / np.sqrt(q.shape[-1])
        if "scaled" in done:
            done["masked"] = np.where(may, done["scaled"], -np.inf)
            done["weights"] = masked_softmax(done["scaled"], may)
        if "weights" in done and (v := done.get("V_h", done.get("V"))) is not None:
            done["output"] = done["H"] = done["weights"] @ v
        if "Q_h" in done:
            done["merged"] = done["output"] = np.hstack(list(done["H"]))[None]
        if "W_o" in given:
            done["output"] = done["merged"] @ given["W_o"]
    if "output" in done:
        finite("V", done["output"])
    return done


def _projected(done: dict[str, np.ndarray], heads: int) -> None:
    """Put in what is made of X before anything is compared by queries and keys."""
    x = done["X"]
    done["similarity"] = x @ done.get("Y", x).swapaxes(1, 2)
    if "Y" in done:
        finite("X, Y", done["similarity"])
        return
    for name, matrix in (("Q", "W_q"), ("K", "W_k"), ("V", "W_v")):
        done[name] = x @ done[matrix] if matrix in done else x
    finite("X and the weights", *(done[name] for name in "QKV"))
    if heads > 1 or "W_o" in done:
        for name in "QKV":
            done[f"{name}_h"] = np.stack(np.split(done[name][0], heads, axis=-1))


def counted(given: Mapping[str, np.ndarray]) -> tuple[int, int]:
    """How many queries and keys there are."""
    for name in ("scaled", "weights"):
        if name in given:
            return given[name].shape[1], given[name].shape[2]
    rows, across = ("X", "Y" if "Y" in given else "X") if "X" in given else ("Q", "K")
    return given[rows].shape[1], given[across].shape[1]


def allowed_in(allowed: Any, shape: tuple[int, ...]) -> np.ndarray:
    """A mask in the shape of the scores, `(h, n_q, n_k)`; leading axes of 1 are dropped.

    Raises:
        ValueError: when it is none, or does not broadcast.
    """
    may = np.array(True) if allowed is None else allowed_cells(allowed, None)
    while may.ndim > 3 and may.shape[0] == 1:
        may = may[0]
    return broadcast(may, "scores", shape)
