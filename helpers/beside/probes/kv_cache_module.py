"""The probe of `KVCache`: two caches filled in turns, each result looked at once more at the end."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from helpers.beside.probes.base import ProbeError, refuse_uncalled
from helpers.beside.probes.tensors import watched

PLACES = ("K", "V")

ROOMY = 1000
"""An append that stops beyond so many tokens, and not before, has no room for them."""


def probe(answer: Any, args: dict[str, Any]) -> dict[str, Any]:
    """Lengths and results of a cache, chunk by chunk, beside a second one that gets other numbers.

    Args:
        answer: the learner's class.
        args: `K` and `V (B, h, n, d)`, cut along the tokens into `chunks`, an array of their lengths.

    Raises:
        ProbeError: when a cache cannot be used, knows of another one, or changes what it returned.
    """
    if not isinstance(answer, type):
        raise ProbeError(f"it should be a class; it is of type {type(answer).__name__}")
    ends = np.cumsum(args["chunks"]).tolist()
    parts = [slice(end - size, end) for end, size in zip(ends, args["chunks"].tolist(), strict=True)]
    chunks = [[torch.from_numpy(args[name][:, :, part]) for name in PLACES] for part in parts]
    _must_be_apart(answer, *(one.clone() for one in chunks[0]))
    cache, other = answer(), answer()
    seen: dict[str, Any] = {"len() of an empty cache": _length(cache, empty=True)}
    kept = []
    for count, (k, v) in enumerate(chunks, start=1):
        append = "the first append" if count == 1 else f"append {count}"
        with watched(args, {"K": k, "V": v}):
            results = _append(cache, k, v, ends[count - 1])
        now = {f"{name} after {append}": one.clone() for name, one in zip(PLACES, results, strict=True)}
        seen[append] = {**now, f"len() after {append}": _length(cache)}
        kept += [(name, one, then) for (name, then), one in zip(now.items(), results, strict=True)]
        beside = _tuple(other.append(1 - k, 1 - v))
    _must_stay(kept)
    second = {f"{name} of a second cache": one for name, one in zip(PLACES, beside, strict=True)}
    seen["beside"] = {**second, "len() of the second cache": _length(other)}
    return seen


def once(answer: Any, args: dict[str, Any]) -> Any:
    """The calls that a trace shows: one cache, which gets its chunks one after the other."""
    cache, ends = answer(), np.cumsum(args["chunks"]).tolist()
    for begin, end in zip([0, *ends], ends, strict=False):
        results = cache.append(*(torch.from_numpy(args[name][:, :, begin:end].copy()) for name in PLACES))
    return results


def _must_be_apart(answer: type, k: torch.Tensor, v: torch.Tensor) -> None:
    """Refuse caches that know of each other, or of one that was made long before."""
    hint = (
        "What belongs to one cache alone is made in `__init__`, on `self`: not in the class, a global or a "
        "default argument."
    )
    one, other = answer(), answer()
    mark = k + 7  # no cache begins with such numbers by itself
    _first_append(one, mark, v + 7, hint)
    results = _first_append(other, k, v, hint)
    if not isinstance(results, tuple) or not results or not torch.is_tensor(results[0]):
        return
    n, K = k.shape[2], results[0]
    if K.ndim == 4 and K.shape[2] >= 2 * n and torch.equal(K[:, :, -2 * n : -n], mark):
        says = "two caches share one memory: what is appended to one shows in the other"
        raise ProbeError(says, "caches-share-memory", hint)


def _first_append(cache: Any, k: torch.Tensor, v: torch.Tensor, hint: str) -> Any:
    """What a new cache returns; a chunk that does not fit finds memory of fixed sizes, or of another cache."""
    empty = _holds(cache) == 0
    try:
        return cache.append(k, v)
    except RuntimeError as error:
        if "must match" not in str(error):
            raise
        if empty and k.shape[2] < ROOMY:
            says = f"a first chunk of shape {tuple(k.shape)} does not fit into a new cache"
            hint = "Which sizes does a cache have before its first append? Take them from the chunk."
            raise ProbeError(says, "fixed-sizes", hint) from None
        if empty:
            return _append(cache, k, v, k.shape[2])
        says = "the first append to a new cache does not fit what it holds already; a new cache holds nothing"
        raise ProbeError(says, "caches-share-memory", hint) from None


def _holds(cache: Any) -> int:
    try:
        return len(cache)
    except Exception:  # it is looked at later
        return 0


def _append(cache: Any, k: torch.Tensor, v: torch.Tensor, end: int) -> tuple[torch.Tensor, torch.Tensor]:
    try:
        return _tuple(cache.append(k, v))
    except (RuntimeError, IndexError) as error:
        if end < ROOMY:
            raise
        text = " ".join(str(error).split()[:12])
        says = f"it has no room for {end:,} tokens: {type(error).__name__}: {text}"
        hint = "How large may a cache become? `torch.cat` makes room each time."
        raise ProbeError(says, "fixed-room", hint) from None


def _must_stay(kept: Sequence[tuple[str, torch.Tensor, torch.Tensor]]) -> None:
    """Refuse a cache whose earlier results are no longer what they were."""
    for name, now, then in kept:
        if not torch.equal(now, then):
            says = f"a later append changed {name}, which had been returned"
            hint = (
                "Which line writes into a tensor that was handed out before? Make a new one, or write only "
                "behind its end."
            )
            raise ProbeError(says, "earlier-results-changed", hint)


def _tuple(results: Any) -> tuple[torch.Tensor, torch.Tensor]:
    """The keys and values that came back.

    Raises:
        ProbeError: where it is anything but a tuple of two tensors.
    """
    if isinstance(results, tuple) and [isinstance(one, torch.Tensor) for one in results] == [True, True]:
        return results
    refuse_uncalled("its append should return the tuple (K, V)", results)
    kind = type(results).__name__
    if results is None:
        raise ProbeError(
            "its append returns nothing (None): is a `return` missing?",
            "returns-none",
            "`append` keeps the chunk and returns all keys and values so far.",
        )
    if isinstance(results, torch.Tensor):
        says = "its append returns one tensor; it should be the tuple (K, V)"
        stacked = results.ndim == 5
        raise ProbeError(
            says, "returns-stacked" if stacked else "one-output-missing", "`return a, b` makes a tuple."
        )
    if not isinstance(results, tuple):
        raise ProbeError(
            f"its append should return the tuple (K, V); it returns something of type {kind}",
            f"returns-{kind}",
            "`return a, b` makes a tuple.",
        )
    inside = " and ".join(type(one).__name__ for one in results) or "nothing"
    if len(results) != 2:
        says = f"its append should return a tuple of two, (K, V); it has {len(results)} parts"
        raise ProbeError(
            says, "one-output-missing" if len(results) < 2 else "extra-output", "Look at your `return` line."
        )
    says = f"its append should return a tuple of two tensors; it holds {inside}"
    numpy = any(isinstance(one, np.ndarray) for one in results)
    raise ProbeError(
        says,
        "returns-numpy" if numpy else "returns-list",
        "Which function makes one tensor of several chunks?",
    )


def _length(cache: Any, *, empty: bool = False) -> int:
    if not hasattr(type(cache), "__len__"):
        says = "len() does not work on it: it has no method `__len__`"
        raise ProbeError(says, "no-len", "Python asks `__len__(self)` when somebody writes `len(cache)`.")
    if not empty:
        return len(cache)
    try:
        return len(cache)
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        says = f"len() of an empty cache should be 0; it stops with {type(error).__name__}: {error}"
        hint = "What does `__len__` look at while nothing is there?"
        raise ProbeError(says, "len-of-an-empty-cache", hint) from None
