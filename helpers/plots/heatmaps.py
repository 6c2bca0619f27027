"""One matrix as a picture: a heat map of numbers, or a mask."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from helpers.arrays import allowed_cells, array, labels, one_of, same_shape
from helpers.plots.cells import Grid, draw_grid
from helpers.plots.few import few_in_words, furthest
from helpers.plots.figure import DescribedFigure
from helpers.plots.layout import arrange
from helpers.plots.maps import KINDS
from helpers.plots.sizes import is_sparse, numbers_fit
from helpers.plots.style import styled
from helpers.plots.words import (
    Format,
    format_for,
    listed,
    odd_in_words,
    peaks_in_words,
    plural,
    rows_in_words,
)


@styled
def heatmap(
    matrix: ArrayLike,
    *,
    rows: Sequence[Any] | None = None,
    columns: Sequence[Any] | None = None,
    title: str = "",
    kind: str = "scores",
    row_label: str = "query",
    column_label: str = "key",
    decimals: int | None = None,
    largest: float | None = None,
    outlined: ArrayLike | None = None,
    numbered: int | None = None,
) -> DescribedFigure:
    """A matrix as coloured cells with their numbers.

    Args:
        matrix: the numbers, (n_q, n_k).
        rows: n_q labels; `0, 1, ...` when not given.
        columns: n_k labels.
        title: heading.
        kind: `"weights"` (colours fixed from 0 to 1), or `"scores"`, `"values"`, `"output"`, `"numbers"`
            (0 in the middle).
        row_label: what a row is.
        column_label: what a column is.
        decimals: digits after the point; integers are written without when not given.
        largest: where the colours end, so that figures of one step share a scale; the largest number when not
            given.
        outlined: booleans, (n_q, n_k): cells to outline.
        numbered: how many numbers to write, those furthest from 0; all when not given and there is room.

    Raises:
        ValueError: when the shape, a number of labels or of numbers, the kind or the scale is not as above.
    """
    numbers = array("matrix", matrix, 2)
    one_of("kind", kind, tuple(KINDS))
    rows = labels("rows", rows, len(numbers), f"row of matrix {numbers.shape}")
    columns = labels("columns", columns, numbers.shape[1], f"column of matrix {numbers.shape}")
    write = format_for(numbers, decimals)
    figure = DescribedFigure()
    few = None if numbered is None else furthest(numbers, numbered)
    fits = write if numbers_fit(numbers) and numbered != 0 else None
    around = None if outlined is None else array("outlined", outlined, 2) != 0
    if around is not None:
        same_shape("outlined", around, "matrix", numbers)
    labelled = (rows, columns, row_label, column_label)
    grid = Grid(numbers, fits, *labelled, kind, None, around, few, _end(largest))
    axes = draw_grid(figure, grid)
    arrange(figure, [[axes]], title=_heading(title, numbers))
    said = _numbers if few is None else partial(few_in_words, few)
    figure.description = (
        f"{title or 'Heat map'}: {kind} of {_size(rows, row_label, 'row')} "
        f"by {_size(columns, column_label, 'column')}. "
        + said(numbers, *labelled[:2], write)
        + _outlined(around, rows, columns)
        + odd_in_words(numbers)
    )
    return figure


def _end(largest: float | None) -> float:
    """Where the colours end; 0 to choose."""
    if largest is None:
        return 0.0
    if not (isinstance(largest, int | float | np.number) and np.isfinite(largest) and largest > 0):
        raise ValueError(f"largest: expected a number above 0; got {largest!r}")
    return float(largest)


def _outlined(around: np.ndarray | None, rows: Sequence[str], columns: Sequence[str]) -> str:
    if around is None:
        return ""
    said = [f"{name}: {_places(row, columns)}" for name, row in zip(rows, around, strict=True) if row.any()]
    return f" Outlined: {'; '.join(said) or 'nothing'}."


@styled
def mask(
    allowed: ArrayLike,
    *,
    rows: Sequence[Any] | None = None,
    columns: Sequence[Any] | None = None,
    title: str = "",
    row_label: str = "query",
    column_label: str = "key",
) -> DescribedFigure:
    """A mask: `✓` where a query may look at a key, `×` on grey hatch where it may not.

    Args:
        allowed: booleans, (n_q, n_k), `True` = may look.
        rows: n_q labels; `0, 1, ...` when not given.
        columns: n_k labels.
        title: heading.
        row_label: what a row is.
        column_label: what a column is.

    Raises:
        ValueError: when it is no matrix of booleans, or the number of labels differs.
    """
    may = allowed_cells(allowed)
    rows = labels("rows", rows, len(may), f"row of allowed {may.shape}")
    columns = labels("columns", columns, may.shape[1], f"column of allowed {may.shape}")
    figure = DescribedFigure()
    axes = draw_grid(figure, mask_grid(may, rows, columns, row_label, column_label), bar=False)
    arrange(figure, [[axes]], title=_heading(title, may))
    seen = "; ".join(
        f"{name} may look at {_places(row, columns)}" for name, row in zip(rows, may, strict=True)
    )
    figure.description = (
        f"{title or 'Mask'}: {_size(rows, row_label, 'row')} by {_size(columns, column_label, 'column')}, "
        f"{int((~may).sum())} of {may.size} cells blocked. By {row_label}: {seen}."
    )
    return figure


def mask_grid(
    may: np.ndarray, rows: Sequence[str], columns: Sequence[str], row_label: str = "", column_label: str = ""
) -> Grid:
    """The grid of a mask, (n_q, n_k) booleans."""
    write = (lambda x: "✓" if x else "×") if max(may.shape) <= 24 else None
    cell = (0.34 if may.shape[1] > 10 else 0.42, 0.42) if write else None
    return Grid(
        may.astype(float), write, rows, columns, row_label, column_label, "white", blocked=~may, cell=cell
    )


def _places(row: np.ndarray, columns: Sequence[str]) -> str:
    """The allowed columns by name, or by their ends when many follow one another."""
    places = np.flatnonzero(row)
    if len(places) > 12 and np.all(np.diff(places) == 1):
        return f"{columns[places[0]]} to {columns[places[-1]]} ({len(places)} in a row)"
    return listed([columns[j] for j in places])


def _size(names: Sequence[str], noun: str, kind: str) -> str:
    """How many rows or columns there are, and which; a label of several words is no noun to count by."""
    if noun and " " not in noun:
        return f"{plural(len(names), noun)} ({listed(names)})"
    return f"{plural(len(names), kind)}{f' of {noun!r}' * bool(noun)} ({listed(names)})"


def _heading(title: str, matrix: np.ndarray) -> str:
    return f"{title} (numbers and some labels left out)".strip() if is_sparse(matrix) else title


def _numbers(matrix: np.ndarray, rows: Sequence[str], columns: Sequence[str], write: Format) -> str:
    """Every number when they are drawn, else the range and the largest of each row."""
    if numbers_fit(matrix):
        return f"Row by row: {rows_in_words(matrix, rows, write)}."
    finite = matrix[np.isfinite(matrix)]
    span = f"from {write(finite.min())} to {write(finite.max())}" if finite.size else "all nan"
    left_out = " and some labels" if is_sparse(matrix) else ""
    return (
        f"Too large for numbers{left_out}: the cells run {span}. "
        f"Largest of each row: {peaks_in_words(matrix, rows, columns, write)}."
    )
