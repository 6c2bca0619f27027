"""The probe of `measure_score_std`: measurements from generators that count what is drawn."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from helpers.beside.probes.base import ProbeError, long_doubles, refuse_uncalled


def _generator(seed: int) -> np.random.Generator:
    """Philox counts what it has given, so that we can see how much was drawn."""
    return np.random.Generator(np.random.Philox(seed))


def _drawn(rng: np.random.Generator, entries: int) -> int:
    """0 for nothing, 1 for less than a matrix of so many entries, 2 for one or two of them, 3 for more."""
    state = rng.bit_generator.state
    words = 4 * int(state["state"]["counter"][0]) + state["buffer_pos"] - 4
    return 0 if words == 0 else 1 if words < 0.75 * entries else 2 if words < 3.5 * entries else 3


def probe(answer: Any, args: Mapping[str, Any]) -> dict[str, Any]:
    """Measurements from one generator after the other, the first one again, and the last generator twice."""
    if not callable(answer):
        raise ProbeError(f"it should be a function; it is {type(answer).__name__}")
    n, d_k, seed = args["n"], args["d_k"], args["seed"]
    measured, drawn = [], []
    for one in [*range(seed, seed + args["repeats"]), seed]:
        rng = _generator(one)
        value = answer(n, d_k, rng)
        _refuse_unless_number(value, n)
        measured.append(value)
        if len(measured) < 4 or len(measured) > args["repeats"]:
            drawn.append(_drawn(rng, n * d_k))
    moved = str(rng.bit_generator.state) != str(_generator(seed).bit_generator.state)
    return {
        "measured": np.array(measured[:-1], dtype=float),
        "again": float(measured[-1]),
        "drawn": np.array(drawn),
        "kept": moved and bool(answer(n, d_k, rng) == value),  # the same generator has gone on meanwhile
    }


def once(answer: Any, args: Mapping[str, Any]) -> Any:
    """The one call that a trace shows: the first of them."""
    return answer(args["n"], args["d_k"], _generator(args["seed"]))


def _refuse_unless_number(value: Any, n: int) -> None:
    """Stop at anything that is not one number, and say what it looks like."""
    if isinstance(value, np.ndarray | np.number | int | float) and np.ndim(value) == 0:
        if np.asarray(value).dtype.kind == "f" and np.asarray(value).itemsize > 8:
            raise ProbeError(*long_doubles("the result", np.dtype(np.float64)))
        return
    if value is None:
        raise ProbeError(
            "the result should be a number; it is nothing (None): is a `return` missing?",
            "returns-none",
            "Every way through your function should end in a `return`.",
        )
    if isinstance(value, str):
        raise ProbeError(f"the result should be a number; it is the string {value!r:.40}", "returns-string")
    refuse_uncalled("the result should be a number", value)
    says = f"the result should be a number; it is of type {type(value).__name__}"
    if isinstance(value, list | tuple):
        raise ProbeError(says, f"returns-{type(value).__name__}", "How many numbers should come back?")
    shape = getattr(value, "shape", None)
    if shape is None:
        raise ProbeError(says)
    shape = tuple(shape)
    if shape == () and hasattr(value, "item"):
        raise ProbeError(f"{says}, which becomes a number with `.item()`", "returns-tensor")
    if shape == (n, n):
        raise ProbeError(
            f"{says} and shape {shape}: these are the scores; their spread is asked for", "std-missing"
        )
    if math.prod(shape) == n:
        says += (
            f" and shape {shape}: one number for each row or column. Take the spread of all scores together"
        )
        raise ProbeError(says, "wrong-std-axis", "Does what measures the spread get an axis?")
    if shape and math.prod(shape) == 1:
        raise ProbeError(f"{says} and shape {shape}", "keepdims-left", "Which step keeps an axis of size 1?")
    raise ProbeError(f"{says} and shape {shape}")
