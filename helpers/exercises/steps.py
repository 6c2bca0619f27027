"""Steps of attention, right and wrong, that the known mistakes of several exercises are put together from."""

from typing import Any

import numpy as np


def hide(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """Scores with -inf where not allowed."""
    return np.where(allowed, scores, -np.inf)


def softmax(x: np.ndarray, axis: int = -1) -> np.ndarray:
    """Softmax that gives 0 where everything is -inf."""
    largest = x.max(axis=axis, keepdims=True)
    return _shares(np.exp(x - np.where(np.isfinite(largest), largest, 0)), axis)


def softmax_without_max(x: np.ndarray) -> np.ndarray:
    """Wrong: overflows for large scores."""
    return _shares(np.exp(x), -1)


def softmax_with_nan(x: np.ndarray) -> np.ndarray:
    """Wrong: gives NaN where everything is -inf."""
    powers = np.exp(x - x.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def zero_afterwards(weights: np.ndarray, allowed: Any) -> np.ndarray:
    """Wrong: hides keys after the softmax, so that rows no longer sum to 1."""
    return weights if allowed is None else weights * allowed


def _shares(powers: np.ndarray, axis: int) -> np.ndarray:
    total = powers.sum(axis=axis, keepdims=True)
    return powers / np.where(total == 0, 1, total)
