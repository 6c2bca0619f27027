"""Small calls of an exercise whose result can be reasoned about: few numbers, whole ones where it can be.

Each takes a generator of random numbers and gives the arguments of a call, by name.  All sizes differ, so
that no axis can be taken for another.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

Args = dict[str, Any]
Scene = Callable[[np.random.Generator], Args]


def whole(rng: np.random.Generator, *shape: int, low: int = -2, high: int = 4) -> np.ndarray:
    """Different whole numbers where there are enough of them."""
    count, span = int(np.prod(shape)), np.arange(low, high + 1)
    return rng.choice(span, count, replace=count > len(span)).reshape(shape).astype(float)


def _similarity(rng: np.random.Generator) -> Args:
    return {"X": whole(rng, 2, 2, low=1, high=5), "Y": whole(rng, 3, 2, low=1, high=6)}


def _project(rng: np.random.Generator) -> Args:
    return {"X": whole(rng, 3, 2, low=0, high=3), "W": whole(rng, 2, 2, low=-1, high=3)}


def _scores(rng: np.random.Generator) -> Args:
    return {"Q": whole(rng, 2, 2, low=0, high=3), "K": whole(rng, 3, 2, low=-1, high=4)}


def _mix(rng: np.random.Generator) -> Args:
    weights = np.array([rng.permutation([0.5, 0.5, 0.0]), rng.permutation([0.25, 0.75, 0.0])])
    return {"weights": weights, "V": 4 * whole(rng, 3, 2, low=-2, high=4)}


def _scaled(rng: np.random.Generator) -> Args:
    return {"Q": whole(rng, 2, 4, low=0, high=2), "K": whole(rng, 3, 4, low=0, high=2)}


def _causal(rng: np.random.Generator) -> Args:
    return {"n": int(rng.integers(3, 5))}


def _padding(rng: np.random.Generator) -> Args:
    n = int(rng.integers(4, 6))
    return {"lengths": rng.permutation(np.arange(1, n))[:2], "n": n}


def _apply(rng: np.random.Generator) -> Args:
    allowed = (
        np.tril(np.ones((3, 3), bool))
        if rng.random() < 0.5
        else np.array([[1, 0, 1], [1, 1, 0], [0, 1, 1]], bool)
    )
    return {"scores": whole(rng, 3, 3, low=1, high=9), "allowed": allowed}


def logs(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Logarithms of 1, 2 and 4: their exponentials are easy to share out."""
    return np.log(rng.choice([1.0, 2.0, 4.0], shape))


def _softmax(rng: np.random.Generator) -> Args:
    return {"x": whole(rng, 2, 3, low=-1, high=3)}


def _masked(rng: np.random.Generator) -> Args:
    scores = whole(rng, 3, 3, low=0, high=2)
    return {"scores": scores, "allowed": np.tril(np.ones((3, 3), bool))}


def _temperature(rng: np.random.Generator) -> Args:
    return {"x": rng.permutation([0.0, 1.0, 2.0]), "temperature": float(rng.choice([0.5, 2.0, 4.0]))}


def _attention(rng: np.random.Generator) -> Args:
    Q, K = whole(rng, 3, 4, low=0, high=1), whole(rng, 3, 4, low=0, high=1)
    return {
        "Q": Q,
        "K": K,
        "V": 4 * whole(rng, 3, 2, low=-2, high=4),
        "allowed": np.tril(np.ones((3, 3), bool)),
    }


def _split(rng: np.random.Generator) -> Args:
    return {
        "X": np.arange(1, 13, dtype=float).reshape(1, 3, 4) + 12 * int(rng.integers(0, 3)),
        "num_heads": 2,
    }


def _merge(rng: np.random.Generator) -> Args:
    return {"H": np.arange(1, 13, dtype=float).reshape(1, 2, 3, 2) + 12 * int(rng.integers(0, 3))}


def _cached(rng: np.random.Generator) -> Args:
    n_k = int(rng.integers(4, 6))
    return {"n_q": int(rng.integers(2, 4)), "n_k": n_k}


def _window(rng: np.random.Generator) -> Args:
    return {"n": 5, "window": 3}


SCENES: Mapping[str, Scene] = {
    "similarity_matrix": _similarity,
    "project": _project,
    "attention_scores": _scores,
    "mix_values": _mix,
    "scaled_scores": _scaled,
    "causal_mask": _causal,
    "padding_mask": _padding,
    "apply_mask": _apply,
    "softmax": _softmax,
    "masked_softmax": _masked,
    "softmax_with_temperature": _temperature,
    "attention": _attention,
    "split_heads": _split,
    "merge_heads": _merge,
    "causal_mask_with_cache": _cached,
    "sliding_window_mask": _window,
}
"""The exercises of which such calls are made."""

PART = {"attention": "weights"}
"""Which result is looked at where there are several."""

SHOWN = {"attention": ("Q", "K", "allowed")}
"""The arguments that matter to it, where others do not."""

CLEAR: Mapping[str, tuple[str, ...]] = {
    "similarity_matrix": (
        *("cosine-instead-of-dot", "added-instead-of-multiplied", "max-for-sum", "one-feature-only"),
        *("rows-paired", "softmax-too-early", "euclidean-distance"),
    ),
    "project": (
        *("weight-transposed", "centred-first", "extra-residual", "softmax-too-early"),
        *("added-instead-of-multiplied", "max-for-sum", "extra-nonlinearity"),
    ),
    "attention_scores": (
        *("cosine-instead-of-dot", "causal-by-default", "diagonal-hidden", "softmax-too-early"),
        *("max-for-sum", "added-instead-of-multiplied", "lost-sign"),
    ),
    "mix_values": (
        *("hard-lookup", "weights-ignored", "weights-inverted", "diagonal-only", "softmax-again"),
        *("max-for-sum", "weights-squared"),
    ),
    "scaled_scores": (
        *("no-scaling", "scaled-by-d_k", "scaled-up", "half-the-scaling", "scaled-by-n", "scaled-by-sqrt-n"),
        *("scaled-by-sqrt-2-d_k", "constant-divisor"),
    ),
    "causal_mask": (
        *("transposed-mask", "mask-inverted", "diagonal-hidden", "future-visible-by-one"),
        *("flipped-triangle", "only-last-two", "rows-all-alike"),
    ),
    "padding_mask": (
        *("mask-inverted", "off-by-one", "counts-padding", "padding-on-the-left", "longest-for-all"),
        *("shortest-for-all", "wrong-order", "one-token-only"),
    ),
    "apply_mask": (
        *("mask-inverted", "mask-multiplied", "mask-value-sign", "mask-added", "transposed-mask"),
        *("padding-on-queries", "softmax-too-early", "query-used-for-all"),
    ),
    "softmax": (
        *("softmax-over-everything", "softmax-over-queries", "no-exponential", "not-normalised"),
        *("hard-lookup", "sign-flipped", "softmax-again", "weights-squared", "sigmoid", "wrong-norm"),
    ),
    "masked_softmax": (
        *("mask-inverted", "mask-after-softmax", "transposed-mask", "softmax-over-queries"),
        *("mask-multiplied", "mask-ignored", "diagonal-hidden", "hard-lookup", "not-normalised"),
        *("softmax-over-everything", "no-exponential", "sign-flipped"),
    ),
    "softmax_with_temperature": (
        *(
            "temperature-squared",
            "temperature-multiplied",
            "temperature-after-softmax",
            "no-exponential",
            "not-normalised",
        ),
        *("sign-flipped", "hard-lookup", "no-softmax"),
    ),
    "attention": (
        *("softmax-over-queries", "mask-after-softmax", "mask-inverted", "mask-ignored", "transposed-mask"),
        *("mask-multiplied", "weights-ignored", "scaled-after-softmax", "hard-lookup", "sign-flipped"),
        *("no-scaling", "scaled-up", "scaled-by-d_k", "softmax-over-everything", "not-normalised"),
    ),
    "split_heads": (
        "heads-split-by-reshape",
        "heads-interleaved",
        "heads-out-of-order",
        "heads-share-weights",
    ),
    "merge_heads": (
        *("heads-merged-without-transpose", "heads-interleaved", "heads-out-of-order", "first-head-only"),
        *("last-left-out", "heads-averaged"),
    ),
    "causal_mask_with_cache": (
        *("top-left-aligned", "future-visible-by-one", "diagonal-hidden", "rows-all-alike", "cache-behind"),
        *("cache-hidden", "transposed-mask", "mask-inverted", "past-dropped"),
    ),
    "sliding_window_mask": (
        *("off-by-one", "window-ignored", "future-visible", "window-on-both-sides", "blocks-for-window"),
        *("dilated-window", "first-token-kept", "future-visible-by-one", "window-from-the-start"),
    ),
}
"""The mistakes of each whose result shows what was done, without a calculation that nobody does by head."""

CAUSES: Mapping[str, tuple[str, ...]] = {
    "apply_mask": ("mask-multiplied", "mask-added", "mask-value-sign", "transposed-mask"),
    "softmax": ("softmax-over-queries", "softmax-again", "sigmoid", "not-normalised", "no-exponential"),
    "masked_softmax": (
        *(
            "mask-after-softmax",
            "mask-multiplied",
            "transposed-mask",
            "softmax-over-queries",
            "mask-inverted",
        ),
        *("softmax-over-everything", "no-exponential"),
    ),
    "softmax_with_temperature": (
        "temperature-multiplied",
        "temperature-after-softmax",
        "temperature-squared",
    ),
    "attention": (
        *(
            "mask-after-softmax",
            "mask-multiplied",
            "transposed-mask",
            "softmax-over-queries",
            "mask-inverted",
        ),
        *("no-scaling", "scaled-up", "scaled-by-d_k", "softmax-over-everything", "scaled-after-softmax"),
    ),
    "split_heads": CLEAR["split_heads"],
    "merge_heads": CLEAR["merge_heads"],
    "causal_mask_with_cache": ("top-left-aligned", "cache-behind", "transposed-mask"),
    "sliding_window_mask": ("blocks-for-window", "window-on-both-sides", "dilated-window"),
}
"""Of these the mistakes whose sentence tells a cause, so that what comes of it is to be found."""
