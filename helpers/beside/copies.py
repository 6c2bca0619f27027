"""Copies of what an answer is called with: one that writes into its arguments spoils nothing."""

from typing import Any

import numpy as np

from helpers.beside.pytorch import pytorch


def copied(value: Any) -> Any:
    """A copy of an array or a tensor, also inside lists, tuples and dicts; anything else as it is."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if type(value) in (list, tuple):
        return type(value)(copied(item) for item in value)
    if type(value) is dict:
        return {key: copied(item) for key, item in value.items()}
    return value.detach().clone().requires_grad_(value.requires_grad) if _is_tensor(value) else value


def alike(before: Any, after: Any) -> bool:
    """Whether two copies of one value still hold the same, NaN for NaN."""
    if isinstance(before, np.ndarray):
        return before.shape == after.shape and before.tobytes() == after.tobytes()
    if type(before) in (list, tuple):
        return len(before) == len(after) and all(map(alike, before, after))
    if type(before) is dict:
        return before.keys() == after.keys() and all(alike(before[key], after[key]) for key in before)
    if _is_tensor(before):
        return before.shape == after.shape and bool(((before == after) | (before != before)).all())
    return before is after or type(before) not in (bool, int, float, str) or before == after


def _is_tensor(value: Any) -> bool:
    torch = pytorch()
    return torch is not None and isinstance(value, torch.Tensor)
