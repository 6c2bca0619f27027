"""How large cells are, and what there is room for: numbers, labels, marks."""

import math

import numpy as np

from helpers.plots.style import MANY, SMALL
from helpers.plots.words import Format

NUMBER_ROWS, NUMBER_COLUMNS = 16, 12
_SPAN = 7.6  # inches a grid without numbers may take


def numbers_fit(matrix: np.ndarray) -> bool:
    """Whether every cell of a matrix has room for its number."""
    return matrix.shape[0] <= NUMBER_ROWS and matrix.shape[1] <= NUMBER_COLUMNS


def is_sparse(matrix: np.ndarray) -> bool:
    """Whether there are too many rows or columns to label each."""
    return max(matrix.shape) > MANY


def cell_size(matrix: np.ndarray, write: Format | None) -> tuple[float, float]:
    """Width and height in inches that hold the longest number, or that fit the page."""
    if write is None:
        return tuple(min(max(_SPAN / count, 0.02), 0.34) for count in matrix.shape[:-3:-1])
    return max(0.42, max(number_width(write(x)) for x in matrix.flat) + 0.1), 0.42


def number_width(number: str) -> float:
    """How wide a number is in a cell, in inches: digits are alike, points and signs are not."""
    return (
        sum({".": 0.32, "-": 0.36, "∞": 0.83, "+": 0.84, "%": 0.95}.get(letter, 0.64) for letter in number)
        * SMALL
        / 72
    )


def some(count: int, step: float, need: float = 0.19) -> list[int]:
    """The places to label when each is `step` inches wide and a label needs `need`: all, or evenly spaced."""
    return list(range(0, count, max(1, math.ceil(need / step))))


def marks_fit(cell: tuple[float, float]) -> bool:
    """Whether cells of a size have room for a mark that can be seen."""
    return min(cell) >= 0.05
