"""A matrix as a grid of cells: colour, number, and hatch for what is blocked or is no number."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import PatchCollection
from matplotlib.colors import Normalize
from matplotlib.patches import Rectangle

from helpers.plots.figure import DescribedFigure
from helpers.plots.layout import panel, text_width
from helpers.plots.maps import KINDS, colours
from helpers.plots.sizes import cell_size, marks_fit, number_width, some
from helpers.plots.style import BLOCKED, FAINT, HATCH, HATCH_INK, INK, ON_CELL, PAPER, SMALL, TINTS, ink_on
from helpers.plots.words import Format, peak

LARGEST = float(np.finfo(float).max) / 4
"""Where a scale of colours ends: twice the largest float, its width, would be infinite."""

_LEVEL = 4.6  # inches that level labels of columns may take


@dataclass(frozen=True)
class Grid:
    """A matrix and how it is to be drawn.

    Attributes:
        matrix: the numbers, (rows, columns).
        write: how a number is written; `None` when there is no room for numbers.
        rows, columns: labels, one for each; empty for none.
        kind: one of `KINDS`, or a colour for all cells.
        blocked: hatched cells, (rows, columns), or `None`.
        outlined: cells with a black outline, (rows, columns), or `None`.
        numbered: cells that get their numbers, (rows, columns), or `None` for all.
        largest: where the scale of colours ends; 0 for the largest number of the matrix.
        cell: width and height of a cell in inches; `None` to choose.
    """

    matrix: np.ndarray
    write: Format | None
    rows: Sequence[str] = ()
    columns: Sequence[str] = ()
    row_label: str = ""
    column_label: str = ""
    kind: str | tuple[float, ...] = "scores"
    blocked: np.ndarray | None = None
    outlined: np.ndarray | None = None
    numbered: np.ndarray | None = None
    largest: float = 0.0
    cell: tuple[float, float] | None = None
    title: str = ""


def draw_grid(figure: DescribedFigure, grid: Grid, *, bar: bool = True) -> Axes:
    """Add a panel with the grid; where numbers are missing it gets a colour bar, without any also marks."""
    grid = replace(grid, cell=grid.cell or _cell(grid))
    height, width = grid.matrix.shape
    axes = panel(figure, width * grid.cell[0], height * grid.cell[1])
    axes.set(xlim=(-0.5, width - 0.5), ylim=(height - 0.5, -0.5))
    _draw_labels(axes, grid)
    scale = _scale(grid)
    _draw_colours(axes, grid, scale)
    _draw_hatch(axes, grid)
    _draw_outline(axes, grid)
    if grid.write:
        _draw_numbers(axes, grid, scale)
    elif scale and marks_fit(grid.cell):
        _draw_marks(axes, grid, scale)
    if bar and scale and not (grid.write and grid.numbered is None):
        colour_bar(figure, axes, scale)
    return axes


def _cell(grid: Grid) -> tuple[float, float]:
    """The size of a cell, wider where that lets short labels of few columns stay level."""
    if grid.write and grid.numbered is not None:
        return max(0.34, max(number_width(grid.write(x)) for x in grid.matrix[grid.numbered]) + 0.03), 0.34
    width, height = cell_size(grid.matrix, grid.write)
    widest = max((text_width(name, SMALL) for name in grid.columns), default=0.0) + 0.1
    fits = widest <= min(1.2, _LEVEL / max(len(grid.columns), 1))
    return max(width, widest) if grid.write and fits else width, height


def colour_bar(figure: DescribedFigure, axes: Axes, scale: ScalarMappable) -> None:
    """A colour bar on the right of a panel."""
    inches = axes.get_window_extent().width / figure.dpi
    figure.colorbar(scale, cax=axes.inset_axes((1 + 0.15 / inches, 0, 0.16 / inches, 1)))


def _scale(grid: Grid) -> ScalarMappable | None:
    if grid.kind not in KINDS:
        return None
    largest = grid.largest or np.abs(grid.matrix[np.isfinite(grid.matrix)]).max(initial=0.0) or 1.0
    largest = min(largest, LARGEST)
    low, high = (0, 1) if grid.kind == "weights" else (-largest, largest)
    return ScalarMappable(Normalize(low, high), colours(grid.kind))


def _hatched(grid: Grid) -> np.ndarray:
    odd = ~np.isfinite(grid.matrix)
    return odd if grid.blocked is None else odd | grid.blocked


def _draw_colours(axes: Axes, grid: Grid, scale: ScalarMappable | None) -> None:
    if scale is None:
        axes.set_facecolor(grid.kind)
    else:
        finite = np.where(np.isfinite(grid.matrix), grid.matrix, 0.0)
        axes.imshow(np.clip(finite, *scale.get_clim()), cmap=scale.cmap, norm=scale.norm, aspect="auto")
    if min(grid.cell) > 0.15:
        line = {"color": PAPER if scale else FAINT, "linewidth": 1.2 if scale else 0.8}
        axes.vlines(np.arange(1, grid.matrix.shape[1]) - 0.5, *axes.get_ylim(), **line)
        axes.hlines(np.arange(1, grid.matrix.shape[0]) - 0.5, *axes.get_xlim(), **line)


def _draw_hatch(axes: Axes, grid: Grid) -> None:
    cells = [Rectangle((j - 0.5, i - 0.5), 1, 1) for i, j in np.argwhere(_hatched(grid))]
    if cells:
        look = {"facecolor": BLOCKED, "edgecolor": HATCH_INK, "linewidth": 0}
        axes.add_collection(PatchCollection(cells, hatch=HATCH, **look))


def _draw_outline(axes: Axes, grid: Grid) -> None:
    if grid.outlined is not None:
        cells = [Rectangle((j - 0.46, i - 0.46), 0.92, 0.92) for i, j in np.argwhere(grid.outlined)]
        axes.add_collection(PatchCollection(cells, facecolor="none", edgecolor=INK, linewidth=2))


def _draw_numbers(axes: Axes, grid: Grid, scale: ScalarMappable | None) -> None:
    hatched = _hatched(grid)
    for (i, j), value in np.ndenumerate(grid.matrix):
        if grid.numbered is None or grid.numbered[i, j]:
            look = {"color": _ink(value, grid, scale), "size": SMALL, "ha": "center", "va": "center"}
            if hatched[i, j]:
                look |= {"color": INK, "bbox": {"facecolor": BLOCKED, "linewidth": 0, "pad": 1.5}}
            axes.text(j, i, grid.write(value), **look)


def _ink(value: float, grid: Grid, scale: ScalarMappable | None) -> str:
    """Black or white, to be read on the cell of a number."""
    if scale is None or not np.isfinite(value):
        return ON_CELL if grid.kind in TINTS.values() else INK
    within = np.clip(value, *scale.get_clim())
    return ink_on(scale.to_rgba(within), colours(grid.kind, dark=True)(scale.norm(within)))


def _draw_marks(axes: Axes, grid: Grid, scale: ScalarMappable) -> None:
    """In place of numbers: a dot on the largest weight of each row, a bar on negative scores."""
    if grid.kind == "weights":
        best = [(i, j) for i, row in enumerate(grid.matrix) if (j := peak(row)) is not None and row[j] > 0]
        marker = "o"
    else:
        best, marker = list(zip(*np.where(grid.matrix < 0), strict=True)), "_"
    size = min(7, 72 * min(grid.cell) * 0.4)
    best = [(i, j) for i, j in best if np.isfinite(grid.matrix[i, j])]
    inks = [_ink(grid.matrix[i, j], grid, scale) for i, j in best]
    axes.scatter([j for _, j in best], [i for i, _ in best], c=inks, marker=marker, s=size**2, linewidths=1)


def _draw_labels(axes: Axes, grid: Grid) -> None:
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    axes.tick_params(length=0)
    axes.set_xlabel(grid.column_label, labelpad=7)
    axes.set_ylabel(grid.row_label)
    axes.set_title(grid.title, pad=8, weight="bold")
    rows = some(len(grid.rows), grid.cell[1])
    axes.set_yticks(rows, [grid.rows[i] for i in rows])
    columns, turned = _column_ticks(grid)
    axes.set_xticks(columns, [grid.columns[j] for j in columns], rotation=90 if turned else 0)


def _column_ticks(grid: Grid) -> tuple[list[int], bool]:
    """The columns to label, and whether labels must be turned: words are, numbers are thinned out instead."""
    widest = max((text_width(name, SMALL) for name in grid.columns), default=0.0)
    if widest < grid.cell[0]:
        return list(range(len(grid.columns))), False
    if all(name.isdigit() for name in grid.columns):
        return some(len(grid.columns), grid.cell[0], widest + 0.06), False
    return some(len(grid.columns), grid.cell[0]), True
