"""Steps, right and wrong, that the known mistakes of this unit are put together from."""

from collections.abc import Callable
from typing import Any

import numpy as np


def alone(answer: Callable[..., Any]) -> Callable[..., Any]:
    """The same wrong answer, not to be combined with others: nobody makes both, and pairs take time."""
    return lambda *args: answer(*args)


def turned(array: np.ndarray) -> np.ndarray:
    """The last two axes swapped."""
    return np.swapaxes(array, -2, -1)


def cut_anew(array: np.ndarray) -> np.ndarray:
    """Wrong: the shape of the transpose, filled in the old order."""
    return array.reshape(*array.shape[:-2], array.shape[-1], array.shape[-2])


def unit_rows(array: np.ndarray, axis: int = -1) -> np.ndarray:
    """Each row divided by its length."""
    return array / np.linalg.norm(array, axis=axis, keepdims=True)


def standard_rows(array: np.ndarray) -> np.ndarray:
    """Each row with mean 0 and spread 1, as a LayerNorm makes it."""
    spread = np.sqrt(array.var(-1, keepdims=True) + 1e-5)
    return (array - array.mean(-1, keepdims=True)) / spread


def first_sequence(array: np.ndarray) -> np.ndarray:
    """Wrong: the first sequence of a batch alone."""
    return array.reshape(-1, *array.shape[-2:])[0]
