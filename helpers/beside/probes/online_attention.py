"""The probe of `online_attention`: the plain call, and where there are many keys, what it holds in memory.

Tensors are watched while PyTorch makes them, so a loop hides nothing; what NumPy and Python take is measured
by `tracemalloc`.
"""

import gc
import math
import tracemalloc
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch

from helpers.beside.live_tensors import LiveTensors
from helpers.beside.probes.base import ProbeError
from helpers.beside.probes.tensors import in_tensors
from helpers.beside.probes.tensors import probe as plain

MANY = 64
"""So many blocks of keys, and memory is measured."""

OUTSIDE = 0.6
"""Memory outside PyTorch may grow by this share of what all scores take: a view of each key takes some."""

TIMES = 40 if hasattr(torch, "STAND_IN") else 5
"""So many times as many queries make all scores large beside the views, which the stand-in makes in Python."""

AGAIN = 3
"""So often what grows is measured: `tracemalloc` counts the other threads of a process too, as a kernel has them."""

once = plain
"""The one call that a trace shows."""


def probe(answer: Callable, args: dict[str, Any]) -> Any:
    """What comes back; an answer that holds too much is refused, with the shape of what was too large.

    Raises:
        ProbeError: when its memory grows with the number of keys, or is that of a larger block.
    """
    n_k, block = len(args["K"]), args["block_size"]
    if n_k < MANY * block:
        return plain(answer, args)
    few = {**args, "K": args["K"][: n_k // 4], "V": args["V"][: n_k // 4]}
    (result, watch), (_, before) = _watched(answer, args), _watched(answer, few)
    _refuse_large(watch, before, *args["Q"].shape, n_k, args["V"].shape[1], block)
    if watch.most > 1.5 * before.most + block:
        says = (
            f"together its tensors grow with the keys: {before.most:,} numbers are alive at one time for "
            f"{len(few['K'])} keys and {watch.most:,} for {n_k}"
        )
        hint = (
            "What do you keep from block to block? A maximum, a sum and an output for each query are enough."
        )
        raise ProbeError(says, "keeps-all-blocks", hint)
    many = np.tile(args["Q"], (TIMES, 1))
    allowed = OUTSIDE * many.itemsize * len(many) * (n_k - len(few["K"]))
    for _ in range(AGAIN):
        most, least = _outside(answer, {**args, "Q": many}), _outside(answer, {**few, "Q": many})
        if most - least <= allowed:
            return result
    says = (
        f"outside PyTorch its memory grows with the keys: {least / 1e3:.0f} kB for {len(few['K'])} keys "
        f"and {len(many)} queries, {most / 1e3:.0f} kB for {n_k} keys"
    )
    hint = "Are all scores in a NumPy array or a list? Hold those of one block at a time."
    raise ProbeError(says, "memory-outside-torch", hint)


def _watched(answer: Callable, args: Mapping[str, Any]) -> tuple[Any, LiveTensors]:
    given = in_tensors(args)
    with LiveTensors(given.values()) as watch:
        return answer(*given.values()), watch


def _outside(answer: Callable, args: dict[str, Any]) -> int:
    """The most bytes that Python and NumPy held during a call."""
    gc.collect()
    tracing = tracemalloc.is_tracing()
    if not tracing:
        tracemalloc.start(1)
    try:
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        plain(answer, args)
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        if not tracing:
            tracemalloc.stop()


def _refuse_large(
    watch: LiveTensors, before: LiveTensors, n_q: int, d_k: int, n_k: int, d_v: int, block: int
) -> None:
    """Refuse one tensor with more numbers than queries and keys of one block make in any style."""
    if watch.largest <= n_q * block * max(d_k, d_v) + n_q * (d_v + d_k):
        return
    shape = watch.shape
    says = f"with {n_k} keys in blocks of {block} it makes a tensor of shape {shape}, {math.prod(shape):,} numbers"
    if watch.largest == before.largest:
        hint = "Where does `block_size` come in? No step should hold more keys than that."
        raise ProbeError(f"{says}: more than one block needs", "block-size-ignored", hint)
    if watch.largest >= n_q * n_k:
        hint = "Which line takes all keys? Take `K[start : start + block_size]`, one block after the other."
        raise ProbeError(f"{says}: as many as there are scores, or more", "full-score-matrix", hint)
    hint = "A slice of K or V costs nothing. What makes a new tensor as long as all keys?"
    raise ProbeError(f"{says}, which grows with the keys", "memory-grows-with-keys", hint)
