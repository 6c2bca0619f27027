"""A row of small matrices with numbers: a calculation to follow by hand."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from helpers.arrays import named_arrays
from helpers.plots.cells import Grid, draw_grid
from helpers.plots.figure import DescribedFigure
from helpers.plots.layout import arrange, between
from helpers.plots.sizes import cell_size, numbers_fit
from helpers.plots.style import ROLES, role_of, styled, tint
from helpers.plots.words import format_for, odd_in_words, rows_in_words


@styled
def matrices(
    named: Mapping[str, ArrayLike], *, title: str = "", symbols: Sequence[str] = ()
) -> DescribedFigure:
    """Matrices in a row, all cells of one size, with symbols between, such as `X @ W_q = Q`.

    Args:
        named: name to array, (rows, columns) or (n,), which is drawn as one row.
        title: heading.
        symbols: what stands between neighbours, one fewer than matrices; none at all when empty.

    Raises:
        ValueError: when an array has more than two axes, or the number of symbols differs.
    """
    arrays = named_arrays("named", named)
    for name, value in arrays.items():
        if value.ndim not in (1, 2):
            raise ValueError(f"named[{name!r}]: expected a matrix or one row; got shape {value.shape}")
    if isinstance(symbols, str) or (symbols and len(symbols) != len(arrays) - 1):
        wanted, came = len(arrays) - 1, repr(symbols) if isinstance(symbols, str) else len(symbols)
        raise ValueError(f"symbols: expected a list of {wanted}, one between neighbours; got {came}")
    figure = DescribedFigure()
    grids = [_grid(name, value) for name, value in arrays.items()]
    panels = [draw_grid(figure, _sized(grid, grids)) for grid in grids]
    arrange(figure, [panels], gap=0.6 if symbols else 0.35, title=title)
    for left, right, symbol in zip(panels, panels[1:], symbols, strict=False):
        between(figure, left, right, symbol)
    figure.description = _words(title, arrays, symbols)
    return figure


def _grid(name: str, value: np.ndarray) -> Grid:
    table = np.atleast_2d(value)
    role = role_of(name)
    colour = tint(ROLES[role]) if role else (1.0, 1.0, 1.0)
    write = format_for(value) if numbers_fit(table) else None
    shape = f"({', '.join(map(str, value.shape))}{',' if value.ndim == 1 else ''})"
    return Grid(table, write, kind=colour, title=f"{name}\n{shape}")


def _sized(grid: Grid, grids: Sequence[Grid]) -> Grid:
    """The same grid with the cell size all share: that of the longest number."""
    sizes = [cell_size(other.matrix, other.write) for other in grids if other.write]
    wide = max((size[0] for size in sizes), default=0.2)
    fits = grid.write is not None
    cell = (wide, 0.42) if fits else tuple(min(4 / count, 0.2) for count in grid.matrix.shape[::-1])
    kind = grid.kind if fits else "values"
    return Grid(grid.matrix, grid.write, kind=kind, cell=cell, title=grid.title)


def _words(title: str, arrays: Mapping[str, np.ndarray], symbols: Sequence[str]) -> str:
    names = list(arrays)
    marks = [*symbols, ""] if symbols else [";"] * (len(names) - 1) + [""]
    line = " ".join(f"{name} {mark}".strip() for name, mark in zip(names, marks, strict=True))
    return f"{title or 'Matrices'}: {line.replace(' ;', ';')}. " + " ".join(
        map(_matrix, names, arrays.values())
    )


def _matrix(name: str, value: np.ndarray) -> str:
    table, write = np.atleast_2d(value), format_for(value)
    start = f"{name} has shape {value.shape}"
    if not numbers_fit(table):
        finite = value[np.isfinite(value)]
        span = f"from {write(finite.min())} to {write(finite.max())}" if finite.size else "over nan only"
        return f"{start}, too large for numbers; they run {span}.{odd_in_words(value)}"
    rows = [f"row {i}" for i in range(len(table))]
    return f"{start}: {rows_in_words(table, rows, write)}."
