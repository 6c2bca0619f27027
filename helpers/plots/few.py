"""A grid that is read by its colours: a few of its numbers, or none."""

from collections.abc import Sequence

import numpy as np

from helpers.plots.words import Format, listed, peaks_in_words


def furthest(matrix: np.ndarray, count: int) -> np.ndarray:
    """Which cells are furthest from 0, (n_q, n_k), as many as are asked for."""
    if isinstance(count, bool) or not isinstance(count, int | np.integer) or not 0 <= count <= matrix.size:
        raise ValueError(f"numbered: expected a whole number from 0 to {matrix.size}; got {count!r}")
    found = np.zeros(matrix.size, bool)
    found[np.argsort(-np.abs(np.nan_to_num(matrix)).ravel(), kind="stable")[:count]] = True
    return found.reshape(matrix.shape)


def few_in_words(
    few: np.ndarray, matrix: np.ndarray, rows: Sequence[str], columns: Sequence[str], write: Format
) -> str:
    """The range of the cells, and those whose numbers are written; without any, the largest of each row."""
    finite = matrix[np.isfinite(matrix)]
    span = f"The cells run from {write(finite.min())} to {write(finite.max())}" if finite.size else "All nan"
    if not few.any():
        return f"{span}. Largest of each row: {peaks_in_words(matrix, rows, columns, write)}."
    places = sorted(map(tuple, np.argwhere(few)), key=lambda at: -abs(matrix[at]))
    said = listed([f"{write(matrix[i, j])} at row {rows[i]}, column {columns[j]}" for i, j in places])
    return f"{span}. Furthest from 0: {said}."
