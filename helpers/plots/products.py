"""A row of small matrices with numbers: a calculation to follow by hand."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from helpers.arrays import array, named_arrays, one_of, same_shape
from helpers.plots.cells import Grid, draw_grid
from helpers.plots.figure import DescribedFigure
from helpers.plots.heatmaps import mask_grid
from helpers.plots.layout import arrange, between, text_width
from helpers.plots.sizes import cell_size, number_width, numbers_fit
from helpers.plots.style import PAPER, TINTS, given_roles, styled
from helpers.plots.words import format_for, listed, odd_in_words, rows_in_words
from helpers.text import shown

_WIDE, _LEAST = 6.75, 0.28  # inches: what a phone shows at a size one can read, the smallest cell


@styled
def matrices(
    named: Mapping[str, ArrayLike],
    *,
    title: str = "",
    symbols: Sequence[str] = (),
    blocked: Mapping[str, ArrayLike] | None = None,
    roles: Mapping[str, str] | None = None,
) -> DescribedFigure:
    """Matrices with symbols between, such as `X @ W_q = Q`: cells of one size, in as few rows as fit a page.

    Args:
        named: name to array, (rows, columns) or (n,), which is drawn as one row, or one number.  Booleans
            are a mask: `True` is `✓`, `False` is `×` on grey hatch.
        title: heading.
        symbols: what stands between neighbours, one fewer than matrices; none at all when empty.
        blocked: name to booleans of the matrix's shape: cells to hatch.
        roles: name to `"query"`, `"key"`, `"value"` or another role, for the colour; else told by the name.

    Raises:
        ValueError: when an array has more than two axes, the number of symbols differs, or `blocked` or
            `roles` has an unknown word.
    """
    arrays = named_arrays("named", named)
    for name, value in arrays.items():
        if value.ndim > 2:
            raise ValueError(f"named[{name!r}]: expected a matrix or one row; got shape {value.shape}")
    if isinstance(symbols, str) or (symbols and len(symbols) != len(arrays) - 1):
        wanted, came = len(arrays) - 1, repr(symbols) if isinstance(symbols, str) else len(symbols)
        raise ValueError(f"symbols: expected a list of {wanted}, one between neighbours; got {came}")
    figure = DescribedFigure()
    masks = {shown(name) for name, value in named.items() if _is_mask(value)}
    hatched = _hatched(blocked or {}, arrays)
    of = given_roles(roles or {}, arrays)
    grids = [_grid(name, value, of[name], name in masks, hatched.get(name)) for name, value in arrays.items()]
    grids = _in_one_row(grids, bool(symbols)) or [_sized(grid, grids) for grid in grids]
    panels = [draw_grid(figure, grid) for grid in grids]
    across = _across(grids, bool(symbols))
    for number, (axes, symbol) in enumerate(zip(panels[1:], symbols, strict=False), 1):
        if number % across == 0:  # the symbol goes to the next row with its matrix
            at = {"xytext": (-20, 0), "textcoords": "offset points", "ha": "center", "va": "center"}
            axes.annotate(symbol, (0, 0.5), **at, xycoords="axes fraction", size=24)
    lines = [panels[i : i + across] for i in range(0, len(panels), across)]
    arrange(figure, lines, gap=0.6 if symbols else 0.35, title=title)
    for number, (left, right, symbol) in enumerate(zip(panels, panels[1:], symbols, strict=False), 1):
        if number % across:
            between(figure, left, right, symbol)
    figure.description = _words(title, arrays, symbols, masks) + _hatch_words(hatched, arrays)
    return figure


def _is_mask(value: ArrayLike) -> bool:
    return str(getattr(value, "dtype", "")).endswith("bool")


def _hatched(blocked: Mapping[str, ArrayLike], arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    found = {}
    for name, cells in blocked.items():
        one_of("blocked", shown(name), tuple(arrays))
        found[shown(name)] = array(f"blocked[{name!r}]", cells) != 0
        same_shape(f"blocked[{name!r}]", found[shown(name)], f"named[{name!r}]", arrays[shown(name)])
    return found


def _width(grids: Sequence[Grid], symbols: bool) -> float:
    """How wide all are in one row, in inches."""
    widths = [
        max(grid.matrix.shape[1] * grid.cell[0], 0.85 * text_width(max(grid.title.split("\n"), key=len)))
        for grid in grids
    ]
    return sum(widths) + (0.6 if symbols else 0.35) * (len(grids) - 1)


def _across(grids: Sequence[Grid], symbols: bool) -> int:
    """How many matrices stand in a row, so that all rows are about as long."""
    return math.ceil(len(grids) / math.ceil(_width(grids, symbols) / _WIDE))


def _in_one_row(grids: Sequence[Grid], symbols: bool) -> list[Grid] | None:
    """The same grids in smaller cells, where that keeps a calculation in one line; else `None`."""
    if not symbols or not all(grid.write for grid in grids):
        return None
    usual = _sized(grids[0], grids).cell[0]
    own = [max(_LEAST, 0.06 + max(number_width(grid.write(x)) for x in grid.matrix.flat)) for grid in grids]
    alike = [[side] * len(grids) for side in np.arange(usual, max(own) - 0.01, -0.01)]
    for sides in (*alike, own):  # at last each matrix as narrow as its own numbers
        high = min(max(sides), 0.42)
        sized = [replace(grid, cell=(side, high)) for grid, side in zip(grids, sides, strict=True)]
        if _width(sized, symbols) <= _WIDE:
            return sized
    return None


def _grid(name: str, value: np.ndarray, role: str | None, is_mask: bool, blocked: np.ndarray | None) -> Grid:
    table = np.atleast_2d(value)
    shape = _shape(value)
    if is_mask:
        return replace(mask_grid(table != 0, (), ()), title=f"{name}\n{shape}")
    colour = TINTS[role] if role else PAPER
    write = format_for(value) if numbers_fit(table) else None
    hatch = None if blocked is None else np.atleast_2d(blocked)
    return Grid(table, write, kind=colour, title=f"{name}\n{shape}", blocked=hatch)


def _shape(value: np.ndarray) -> str:
    """The shape as Python writes it; a number has none."""
    return str(value.shape) if value.ndim else "one number"


def _sized(grid: Grid, grids: Sequence[Grid]) -> Grid:
    """The same grid with the cell size all share: that of the longest number."""
    sizes = [cell_size(other.matrix, other.write) for other in grids if other.write]
    wide = max((size[0] for size in sizes), default=0.2)
    fits = grid.write is not None
    cell = (wide, 0.42) if fits else tuple(min(4 / count, 0.2) for count in grid.matrix.shape[::-1])
    return replace(grid, kind=grid.kind if fits else "numbers", cell=cell)


def _words(
    title: str, arrays: Mapping[str, np.ndarray], symbols: Sequence[str], masks: Collection[str]
) -> str:
    names = list(arrays)
    marks = [*symbols, ""] if symbols else [";"] * (len(names) - 1) + [""]
    line = " ".join(f"{name} {mark}".strip() for name, mark in zip(names, marks, strict=True))
    return f"{title or 'Matrices'}: {line.replace(' ;', ';')}. " + " ".join(
        _matrix(name, value, name in masks) for name, value in arrays.items()
    )


def _hatch_words(hatched: Mapping[str, np.ndarray], arrays: Mapping[str, np.ndarray]) -> str:
    """Which cells are hatched, by rows."""
    said = []
    for name, cells in hatched.items():
        rows = [
            f"row {i}: {listed([str(j) for j in np.flatnonzero(row)])}"
            for i, row in enumerate(np.atleast_2d(cells))
            if row.any()
        ]
        said.append(f" Hatched columns of {name}: {'; '.join(rows) or 'none'}.")
    return "".join(said)


def _matrix(name: str, value: np.ndarray, is_mask: bool) -> str:
    table, write = np.atleast_2d(value), (lambda x: "✓" if x else "×") if is_mask else format_for(value)
    if not value.ndim:
        return f"{name} is one number: {write(value.item())}."
    start = f"{name} has shape {value.shape}"
    if not numbers_fit(table):
        finite = value[np.isfinite(value)]
        span = f"from {write(finite.min())} to {write(finite.max())}" if finite.size else "over nan only"
        return f"{start}, too large for numbers; they run {span}.{odd_in_words(value)}"
    rows = [f"row {i}" for i in range(len(table))]
    return f"{start}: {rows_in_words(table, rows, write)}."
