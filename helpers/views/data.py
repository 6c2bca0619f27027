"""What comes in: checked, cut to what a page can show, and packed for the way to it."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from helpers.arrays import array, labels

LARGEST = 64
"""Queries or keys that a view shows; what lies beyond is drawn together."""

EXACT = 200
"""Numbers of an array that are sent in full."""

_NOTHING = 1e-6  # weights no larger are those of a query that looks at nothing

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
    wrong = np.argwhere((abs(sums - 1) > _SUM) & (abs(found).max(-1) > _NOTHING))
    if len(wrong):
        place = tuple(int(i) for i in wrong[0])
        raise ValueError(
            "weights: expected the weights of each query to add up to 1 (or all to be 0); "
            f"query {place[-1]} of {_head(place[:-1])} adds up to {sums[place]:.4g}"
        )
    queries, keys = named(found.shape, tokens, query_tokens)
    return folded(np.clip(found, 0, 1), queries, keys, most)


def named(shape: tuple[int, ...], tokens: Any, query_tokens: Any) -> tuple[list[str], list[str]]:
    """Labels of the queries and of the keys; with as many of both, `tokens` are those of both."""
    n_q, n_k = shape[-2:]
    keys = labels("tokens", tokens, n_k, f"key of weights {shape}")
    if query_tokens is None and n_q == n_k:
        return keys, keys
    return labels("query_tokens", query_tokens, n_q, f"query of weights {shape}"), keys


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


def packed(values: np.ndarray) -> Any:
    """Nested lists of exact numbers or, where these are long, 24-bit multiples of a step, for `view.js`.

    There is one step for each entry of the first axis: a large number in one head costs the others nothing.
    """
    if values.size <= EXACT:
        return exact(values)
    largest = np.abs(values).reshape(len(values), -1).max(-1)
    steps = np.where(largest > 0, largest / (2**23 - 1), 1.0)
    whole = np.rint(values / steps.reshape(-1, *[1] * (values.ndim - 1))).astype("<i4")
    data = np.ascontiguousarray(whole).view(np.uint8).reshape(-1, 4)[:, :3].tobytes()
    return {"shape": values.shape, "steps": exact(steps), "data": base64.b64encode(data).decode()}


def exact(values: np.ndarray) -> Any:
    """Nested lists; whole numbers without a point."""
    if values.ndim > 1:
        return [exact(part) for part in values]
    return [int(x) if x == int(x) and abs(x) < 2**53 else float(x) for x in values]


def cut(labels: Sequence[str]) -> list[str]:
    """Labels of at most 24 letters, for a picture; a page has the whole ones as well."""
    return [label if len(label) <= 24 else f"{label[:23]}…" for label in labels]


def rows_of_bits(allowed: np.ndarray) -> list[list[str]]:
    """A mask (h, n_q, n_k) as rows of bits in hexadecimal; once where all heads have the same."""
    some = allowed[:1] if (allowed == allowed[:1]).all() else allowed
    return [[f"{int(''.join('01'[int(x)] for x in row), 2):x}" for row in head] for head in some]


def finite(what: str, *arrays: np.ndarray) -> None:
    """Raise a ValueError where something became too large on the way."""
    if not all(np.isfinite(one).all() for one in arrays):
        raise ValueError(f"{what}: expected numbers whose products fit into float64; got larger ones")


def _head(place: Sequence[int]) -> str:
    return f"layer {place[0]}, head {place[1]}" if len(place) == 2 else f"head {place[0]}"
