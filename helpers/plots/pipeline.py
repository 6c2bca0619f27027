"""The chain of attention in one row: scores, mask, weights, output."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from helpers.arrays import allowed_cells, array, broadcast, labels, same_shape
from helpers.plots.cells import Grid, draw_grid
from helpers.plots.figure import DescribedFigure
from helpers.plots.heatmaps import mask_grid
from helpers.plots.layout import arrange, between, under
from helpers.plots.sizes import number_width
from helpers.plots.style import MANY, TINTS, styled
from helpers.plots.words import Format, format_for, odd_in_words, peaks_in_words, plural, rows_in_words

_FITS = 6  # tokens that leave room for numbers in four panels


@styled
def chain(
    scores: ArrayLike,
    allowed: ArrayLike,
    weights: ArrayLike,
    output: ArrayLike,
    *,
    tokens: Sequence[Any] | None = None,
    keys: Sequence[Any] | None = None,
    title: str = "",
) -> DescribedFigure:
    """Scores and mask, and below them weights and output, with the step from each to the next.

    Args:
        scores: (n_q, n_k), scaled.
        allowed: booleans that broadcast against (n_q, n_k), `True` = may look.
        weights: (n_q, n_k).
        output: (n_q, d_v).
        tokens: labels of the queries, and of the keys when n_q = n_k.
        keys: labels of the keys, where they are others.
        title: heading.

    Raises:
        ValueError: when the shapes do not fit together, or the number of tokens is not n_q.
    """
    s, w, out = array("scores", scores, 2), array("weights", weights, 2), array("output", output, 2)
    same_shape("weights", w, "scores", s)
    may = broadcast(allowed_cells(allowed, None), "scores", s.shape)
    if len(out) != len(s):
        raise ValueError(
            f"output: expected {len(s)} rows, one per query of scores {s.shape}; got {out.shape}"
        )
    rows = labels("tokens", tokens, len(s), f"row of scores {s.shape}")
    columns = rows
    if keys is not None or s.shape[0] != s.shape[1]:
        columns = labels("keys", keys, s.shape[1], f"column of scores {s.shape}")
    figure = DescribedFigure()
    panels = [draw_grid(figure, grid, bar=False) for grid in _grids(s, may, w, out, rows, columns)]
    upper, lower = panels[:2], panels[2:]
    arrange(figure, [upper, lower], gap=0.75, title=title)
    between(figure, *upper, "→", "block")
    under(figure, upper, lower, "↓", "softmax")
    between(figure, *lower, "→", "× V")
    figure.description = f"{title or 'Attention, step by step'}: " + _words(s, may, w, out, rows, columns)
    return figure


def _grids(
    s: np.ndarray,
    may: np.ndarray,
    w: np.ndarray,
    out: np.ndarray,
    rows: list[str],
    columns: list[str],
) -> list[Grid]:
    fits = _numbers_fit(s, out)
    features = [str(j) for j in range(out.shape[1])]
    grids = [
        Grid(s, _brief(s, s) if fits else None, rows, columns, "query", "key", title="scaled scores"),
        replace(mask_grid(may, (), columns, "", "key"), title="mask"),
        Grid(
            w,
            format_for(w) if fits else None,
            rows,
            columns,
            "query",
            "key",
            "weights",
            ~may,
            title="weights",
        ),
        Grid(
            out,
            _brief(out, s) if fits else None,
            (),
            features,
            "",
            "feature",
            TINTS["output"],
            title="output",
        ),
    ]
    if fits:
        return [replace(grid, cell=_tight(grid)) for grid in grids]
    width, height = (min(2.3 / count, 0.3) for count in s.shape[::-1])
    grids = [replace(grid, cell=(width, height), write=None) for grid in grids]
    return [*grids[:3], replace(grids[3], kind="output", cell=(min(2.3 / out.shape[1], 0.3), height))]


def _numbers_fit(s: np.ndarray, out: np.ndarray) -> bool:
    return max(*s.shape, out.shape[1]) <= _FITS


def _brief(values: np.ndarray, scores: np.ndarray) -> Format:
    """One decimal only where more than four keys must share the row."""
    crowded = scores.shape[1] > 4 and np.any(values != np.round(values)) and np.abs(values).max() > 1
    return format_for(values, 1 if crowded else None)


def _tight(grid: Grid) -> tuple[float, float]:
    return max(0.4, max(number_width(grid.write(x)) for x in grid.matrix.flat) + 0.1), 0.42


def _words(
    s: np.ndarray, may: np.ndarray, w: np.ndarray, out: np.ndarray, rows: list[str], columns: list[str]
) -> str:
    other = "" if rows == columns else f" ({', '.join(columns)})"
    start = f"{plural(len(s), 'query')} ({', '.join(rows)}), {plural(s.shape[1], 'key')}{other}. "
    blocked = f"{int((~may).sum())} of {may.size} cells are blocked"
    odd = odd_in_words(np.concatenate([s, w, out], axis=1))
    if not _numbers_fit(s, out):
        few = " and some labels" if max(s.shape) > MANY else ""
        return (
            f"{start}Too large for numbers{few}; {blocked}. "
            f"Largest weight of each query: {peaks_in_words(w, rows, columns, format_for(w))}.{odd}"
        )
    marks = "; ".join(
        f"{name}: {''.join('✓' if x else '×' for x in row)}" for name, row in zip(rows, may, strict=True)
    )
    return (
        f"{start}Scaled scores: {rows_in_words(s, rows, format_for(s))}. Mask ({blocked}): {marks}. "
        f"Weights: {rows_in_words(w, rows, format_for(w))}. "
        f"Output: {rows_in_words(out, rows, format_for(out))}.{odd}"
    )
