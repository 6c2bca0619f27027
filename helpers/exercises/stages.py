"""The stages on the way to a right answer, by name, for some arguments: what a line's array may be.

They are the course's own words for them; the last ones are what the oracle returns.  An exercise that is not
here has its results alone.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from helpers.exercises.base import Exercise, MustRaise
from helpers.reference.unit_06_multi_head_attention import split_heads

Stages = dict[str, np.ndarray]


def stages(exercise: Exercise, args: Mapping[str, Any], right: Any = None) -> Stages:
    """Stages of one call, in order; nothing where the right answer is to raise.

    Args:
        exercise: its record.
        args: the arguments of the call, by name, as a case has them.
        right: what the oracle returns for them, where that is known already.
    """
    try:
        with np.errstate(all="ignore"):
            right = exercise.oracle(*args.values()) if right is None else right
            found = STAGES[exercise.name](args) if exercise.name in STAGES else {}
    except Exception:  # arguments of one's own that the oracle, or a stage, does not take
        return {}
    if isinstance(right, MustRaise):
        return {}
    last = _results(exercise, right)
    return found | last


def _results(exercise: Exercise, right: Any) -> Stages:
    """What the oracle returns, by the names of its parts."""
    names = exercise.parts or (RESULT.get(exercise.name, "the right result"),)
    if isinstance(right, Mapping):  # of modules: results and gradients
        right = right.get("results", right.get(names[0]))
    parts = right if isinstance(right, tuple) else (right,)
    if len(parts) != len(names):
        return {}
    return {
        NAMED.get(name, name): np.asarray(one)
        for name, one in zip(names, parts, strict=True)
        if _is_array(one)
    }


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray | np.floating | float) and not isinstance(value, bool)


NAMED = {"Q": "queries", "K": "keys", "V": "values"}
"""Results whose part has a letter for a name."""

RESULT = {
    "attention_scores": "scores",
    "similarity_matrix": "similarities",
    "mix_values": "output",
    "scaled_scores": "scaled scores",
    "apply_mask": "masked scores",
    "softmax": "weights",
    "masked_softmax": "weights",
    "softmax_with_temperature": "weights",
    "causal_mask": "causal mask",
    "padding_mask": "padding mask",
    "combined_mask": "combined mask",
    "causal_mask_with_cache": "mask",
    "sliding_window_mask": "mask",
    "to_blocked": "blocked",
    "split_heads": "heads",
    "merge_heads": "merged heads",
    "sum_of_heads": "output",
    "grouped_query_attention": "output",
    "online_attention": "output",
    "rotary": "rotated",
    "next_token_probabilities": "probabilities",
    "silence_head": "output",
    "dot": "dot product",
    "cosine_similarity": "cosine",
    "project": "projection",
    "softmax_backward": "gradient for the scores",
}
"""What the only result of an exercise is called."""


def powers(scores: np.ndarray, axis: int = -1) -> Stages:
    """The steps of a softmax."""
    largest = scores.max(axis=axis, keepdims=True)
    shifted = scores - np.where(np.isfinite(largest), largest, 0)
    exponentials = np.exp(shifted)
    sums = exponentials.sum(axis=axis, keepdims=True)
    weights = exponentials / np.where(sums == 0, 1, sums)
    return {
        "shifted scores": shifted,
        "exponentials": exponentials,
        "their sums": sums,
        "weights": weights,
    }


def attended(Q: np.ndarray, K: np.ndarray, V: np.ndarray, allowed: Any = None, scale: bool = True) -> Stages:
    """Attention from queries, keys and values."""
    found = {"scores": Q @ np.swapaxes(K, -1, -2)}
    last = found["scores"]
    if scale:
        last = found["scaled scores"] = last / np.sqrt(Q.shape[-1])
    if allowed is not None:
        last = found["masked scores"] = np.where(allowed, last, -np.inf)
    found |= powers(last)
    return found | {"output": found["weights"] @ V}


def by_heads(Q: np.ndarray, K: np.ndarray, V: np.ndarray, h: int, allowed: Any) -> Stages:
    """Multi-head attention from projected queries, keys and values `(B, n, d_model)`."""
    found = {"queries": Q, "keys": K, "values": V}
    heads = {f"{name} of each head": split_heads(one, h) for name, one in found.items()}
    inner = attended(*heads.values(), allowed)
    mixed = inner.pop("output")
    merged = np.swapaxes(mixed, -3, -2).reshape(*Q.shape[:-1], -1)
    return found | heads | inner | {"outputs of each head": mixed, "merged heads": merged}


def _first_attention(a: Mapping[str, Any]) -> Stages:
    projected = {NAMED[name]: a["X"] @ a[f"W_{name.lower()}"] for name in "QKV"}
    return projected | attended(*projected.values(), scale=False)


def _multi_head_attention(a: Mapping[str, Any]) -> Stages:
    projected = [a["X"] @ a[name] for name in ("W_q", "W_k", "W_v")]
    return by_heads(*projected, a["num_heads"], a.get("allowed"))


def _module(a: Mapping[str, Any]) -> Stages:
    of = {"W_q": "query", "W_k": "key", "W_v": "value"}
    projected = [a[x] @ a[f"{W}.weight"].T + a[f"{W}.bias"] for W, x in of.items()]
    return by_heads(*projected, a["num_heads"], a.get("allowed"))


def _bert(a: Mapping[str, Any]) -> Stages:
    projected = [a["x"] @ a[f"W_{one}"] + a[f"b_{one}"] for one in "qkv"]
    return by_heads(*projected, a["num_heads"], a.get("allowed"))


def _grouped(a: Mapping[str, Any]) -> Stages:
    many = a["Q"].shape[1] // a["K"].shape[1]
    K, V = (np.repeat(a[name], many, axis=1) for name in "KV")
    return {"keys for each query head": K, "values for each query head": V} | attended(a["Q"], K, V)


def _online(a: Mapping[str, Any]) -> Stages:
    """Each block of keys: its scores, then what has been gathered so far."""
    Q, K, size = a["Q"], a["K"], a["block_size"]
    scores, found = Q @ K.T / np.sqrt(Q.shape[1]), {}
    for number, at in enumerate(range(0, min(len(K), 4 * size), size), start=1):
        some = scores[:, : at + size]
        largest = some.max(axis=1, keepdims=True)
        found |= {
            f"scaled scores of block {number}": scores[:, at : at + size],
            f"largest score after block {number}": largest,
            f"sums after block {number}": np.exp(some - largest).sum(axis=1, keepdims=True),
        }
    return found


def _cosine(a: Mapping[str, Any]) -> Stages:
    one, other = np.asarray(a["a"]), np.asarray(a["b"])
    return {
        "dot product": one @ other,
        "length of a": np.linalg.norm(one),
        "length of b": np.linalg.norm(other),
        "product of the lengths": np.linalg.norm(one) * np.linalg.norm(other),
    }


def _backward(a: Mapping[str, Any]) -> Stages:
    products = a["weights"] * a["grad"]
    return {"weights times gradients": products, "their sums": products.sum(-1, keepdims=True)}


def _cache(a: Mapping[str, Any]) -> Stages:
    ends = np.cumsum(a["chunks"])
    return {
        f"{word} of {end} token{'s' * (end > 1)}": a[name][:, :, :end]
        for end in map(int, ends[:4])
        for name, word in (("K", "keys"), ("V", "values"))
    }


def _rotary(a: Mapping[str, Any]) -> Stages:
    d = a["x"].shape[-1]
    angles = np.asarray(a["positions"])[..., None] * a.get("base", 10000.0) ** (-2 * np.arange(d // 2) / d)
    return {"angles": angles, "cosines": np.cos(angles), "sines": np.sin(angles)}


STAGES: Mapping[str, Callable[[Mapping[str, Any]], Stages]] = {
    "dot": lambda a: {"products": np.asarray(a["a"]) * np.asarray(a["b"])},
    "cosine_similarity": _cosine,
    "first_attention": _first_attention,
    "scaled_scores": lambda a: {"scores": a["Q"] @ np.swapaxes(a["K"], -1, -2)},
    "softmax": lambda a: powers(a["x"], a.get("axis", -1)),
    "masked_softmax": lambda a: (
        {"masked scores": (masked := np.where(a["allowed"], a["scores"], -np.inf))} | powers(masked)
    ),
    "softmax_with_temperature": lambda a: (
        {"scores by temperature": (scaled := a["x"] / a["temperature"])} | powers(scaled)
    ),
    "softmax_backward": _backward,
    "attention": lambda a: attended(a["Q"], a["K"], a["V"], a.get("allowed")),
    "multi_head_attention": _multi_head_attention,
    "MultiHeadAttention": _module,
    "bert_attention": _bert,
    "KVCache": _cache,
    "grouped_query_attention": _grouped,
    "online_attention": _online,
    "rotary": _rotary,
}
"""Stages of a call by exercise; those that the oracle returns may stand among them."""
