"""Matrices as small whole numbers: a byte for each weight, and a step for each row."""

import numpy as np

LARGEST = 127
"""Levels run from minus this to this, so that they fit a byte."""


def levels(matrix: np.ndarray, fineness: float) -> tuple[np.ndarray, np.ndarray]:
    """Each row in steps of its own: its standard deviation divided by `fineness`.

    A row with a number far out gets wider steps, so that nothing is cut off.

    Args:
        matrix: weights, `(rows, columns)`.
        fineness: steps in a standard deviation; 16 keeps two digits, and packs into six bits.

    Returns:
        Levels, int8 of the same shape, and steps `(rows,)` in half precision: `levels * steps[:, None]` is
        nearly the matrix.
    """
    spread = matrix.std(-1, dtype=np.float64)  # so exact that all machines round it to the same step
    wanted = np.maximum(spread / fineness, np.abs(matrix).max(-1) / LARGEST)
    step = np.maximum(wanted, np.finfo(np.float16).tiny).astype(np.float16)  # a row may be all zeros
    found = np.round(matrix / step.astype(np.float32)[:, None])
    return np.clip(found, -LARGEST, LARGEST).astype(np.int8), step


def widened(found: np.ndarray, step: np.ndarray) -> np.ndarray:
    """The matrix that a page computes with, float32."""
    return found.astype(np.float32) * step.astype(np.float32)[:, None]
