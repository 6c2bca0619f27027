"""What comes in: checked, cut to what a page can show, and rounded for the way to it."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from helpers.plots.data import array, labels

LARGEST = 64
"""Queries or keys that a view shows; what lies beyond is drawn together."""

_FEW = 500  # numbers that are sent in full

_SUM = 0.01  # how far the weights of a query may add up to something else than 1: bfloat16 is that far off


@dataclass(frozen=True)
class Weights:
    """Attention weights as they are shown.

    Attributes:
        weights: `(..., n_q, n_k)`.
        queries: n_q labels.
        keys: n_k labels.
        note: what was left out, in a sentence; empty when nothing was.
    """

    weights: np.ndarray
    queries: list[str]
    keys: list[str]
    note: str = ""


def stack(name: str, value: Any, axes: int = 3) -> np.ndarray:
    """An array with so many axes: leading axes are added, or dropped where they hold one entry.

    Raises:
        ValueError: when there are more, or an entry is no finite number.
    """
    found = given = array(name, value)
    while found.ndim > axes and found.shape[0] == 1:
        found = found[0]
    while found.ndim < axes:
        found = found[None]
    if given.ndim < 2 or found.ndim > axes:
        what = "(n, d) or (h, n, d)" if axes == 3 else "(layers, h, n_q, n_k)"
        raise ValueError(f"{name}: expected the shape {what}, one entry of a batch; got {given.shape}")
    odd = np.argwhere(~np.isfinite(found))
    if len(odd):
        place = [int(i) for i in odd[0][axes - given.ndim if given.ndim < axes else 0 :]]
        raise ValueError(f"{name}: expected finite numbers; got {found[tuple(odd[0])]:g} at {place}")
    return found


def weights(value: Any, tokens: Any, query_tokens: Any = None, axes: int = 3, most: int = LARGEST) -> Weights:
    """Checked weights with their labels.

    Raises:
        ValueError: when a row is neither of weights that add up to 1 nor all 0, or labels are missing.
    """
    found = stack("weights", value, axes)
    if found.min() < -_SUM:
        raise ValueError(f"weights: expected numbers from 0 to 1; got {found.min():g}")
    sums = found.sum(-1)
    wrong = np.argwhere((abs(sums - 1) > _SUM) & (abs(sums) > _SUM))
    if len(wrong):
        place = tuple(int(i) for i in wrong[0])
        raise ValueError(
            "weights: expected the weights of each query to add up to 1 (or all to be 0); "
            f"query {place[-1]} of {_head(place[:-1])} adds up to {sums[place]:.4g}"
        )
    queries, keys = named(found.shape, tokens, query_tokens)
    return folded(found, queries, keys, most)


def named(shape: tuple[int, ...], tokens: Any, query_tokens: Any) -> tuple[list[str], list[str]]:
    """Labels of the queries and of the keys; with as many of both, `tokens` are those of both."""
    n_q, n_k = shape[-2:]
    keys = labels("tokens", _list(tokens), n_k, f"key of weights {shape}")
    if query_tokens is None and n_q == n_k:
        return keys, keys
    return labels("query_tokens", _list(query_tokens), n_q, f"query of weights {shape}"), keys


def folded(found: np.ndarray, queries: list[str], keys: list[str], most: int = LARGEST) -> Weights:
    """The first queries and keys, and one more column for the keys beyond, where there are too many."""
    n_q, n_k = found.shape[-2:]
    if max(n_q, n_k) <= most:
        return Weights(found, queries, keys)
    note = f"{n_q} queries and {n_k} keys are too many to show: these are the first {min(n_q, most)} queries"
    found, queries = found[..., :most, :], queries[:most]
    if n_k > most:
        few = most - 1
        rest = found[..., few:].sum(-1, keepdims=True)
        found = np.concatenate([found[..., :few], rest], axis=-1)
        note += f" and {few} keys, with the weights of the {n_k - few} other keys added up in the last column"
        keys = [*keys[:few], f"{n_k - few} others"]
    return Weights(found, queries, keys, f"{note}.")


def rounded(values: np.ndarray, digits: int = 5) -> Any:
    """Nested lists with so many significant digits; whole numbers without a point."""

    def one(value: float) -> float | int:
        short = float(f"{value:.{digits}g}")
        return int(short) if short == int(short) else short

    return [one(x) for x in values] if values.ndim == 1 else [rounded(part, digits) for part in values]


def packed(values: np.ndarray) -> Any:
    """Nested lists, or where these are long, the numbers as 16-bit multiples of a step, for `view.js`."""
    if values.size <= _FEW:
        return rounded(values)
    step = abs(values).max() / 32767 or 1.0
    data = base64.b64encode(np.rint(values / step).astype("<i2").tobytes()).decode()
    return {"shape": values.shape, "step": float(f"{step:.9g}"), "data": data}


def thousandths(values: np.ndarray) -> Any:
    """Nested lists of weights times 1000, as whole numbers: the shortest way to write three decimals."""
    return np.rint(values * 1000).astype(int).tolist()


def _head(place: Sequence[int]) -> str:
    return f"layer {place[0]}, head {place[1]}" if len(place) == 2 else f"head {place[0]}"


def _list(tokens: Any) -> Any:
    return tokens if tokens is None or isinstance(tokens, str) else list(tokens)
