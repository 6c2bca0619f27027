"""Several heads side by side, small and on one scale."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from helpers.arrays import allowed_cells, array, broadcast, labels
from helpers.plots.cells import Grid, draw_grid
from helpers.plots.figure import DescribedFigure
from helpers.plots.layout import arrange
from helpers.plots.sizes import cell_size, marks_fit
from helpers.plots.style import MANY, styled
from helpers.plots.words import format_for, odd_in_words, peaks_in_words, plural, rows_in_words

_ACROSS, _SIDE = 4, 2.0  # heads in a row, and inches a head may take


@styled
def heads(
    weights: ArrayLike,
    *,
    tokens: Sequence[Any] | None = None,
    title: str = "",
    names: Sequence[Any] | None = None,
    allowed: ArrayLike | None = None,
) -> DescribedFigure:
    """The attention weights of every head, four in a row; without numbers a dot marks each query's largest.

    Args:
        weights: (h, n_q, n_k).
        tokens: labels of the queries, and of the keys when n_q = n_k.
        title: heading.
        names: h labels; `head 0, head 1, ...` when not given.
        allowed: booleans that broadcast against weights, `True` = may look; the other cells are hatched.

    Raises:
        ValueError: when the shape or the number of labels is not as above.
    """
    stack = array("weights", weights, 3)
    h, n_q, n_k = stack.shape
    rows = labels("tokens", tokens, n_q, f"query of weights {stack.shape}")
    columns = rows if n_q == n_k else [str(j) for j in range(n_k)]
    default, what = [f"head {i}" for i in range(h)], "head" if names is None else "table"
    names = labels("names", default if names is None else names, h, f"head of weights {stack.shape}")
    figure = DescribedFigure()
    fits = _numbers_fit(stack)
    blocked = None if allowed is None else ~broadcast(allowed_cells(allowed, None), "weights", stack.shape)
    panels = [_head(figure, stack, i, rows, columns, names[i], fits, blocked) for i in range(h)]
    lines = [panels[i : i + _ACROSS] for i in range(0, h, _ACROSS)]
    arrange(figure, lines, gap=0.25, title=_heading(title, stack, fits))
    figure.description = f"{title or 'Heads'}: attention weights of {plural(h, what)}, "
    figure.description += f"{plural(n_q, 'query')} ({', '.join(rows)}) by {plural(n_k, 'key')}. "
    if blocked is not None:
        figure.description += f"{int(blocked.sum())} of {blocked.size} cells are blocked. "
    figure.description += _words(stack, names, rows, columns, fits) + odd_in_words(stack)
    return figure


def _numbers_fit(stack: np.ndarray) -> bool:
    wide, _ = cell_size(stack[0], format_for(stack))
    return stack.shape[2] * wide <= _SIDE + 0.6 and stack.shape[1] <= 6


def _head(
    figure: DescribedFigure,
    stack: np.ndarray,
    i: int,
    rows: Sequence[str],
    columns: Sequence[str],
    name: str,
    fits: bool,
    blocked: np.ndarray | None,
) -> Any:
    """One head: labels of the queries only in the first column, of the keys only in the first line."""
    first, top = i % _ACROSS == 0, i < _ACROSS
    cell = None if fits else (_SIDE / stack.shape[2], _SIDE / stack.shape[1])
    last = i % _ACROSS == _ACROSS - 1 or i == len(stack) - 1
    grid = Grid(
        stack[i],
        format_for(stack) if fits else None,
        rows if first else (),
        columns if top else (),
        "query" if first else "",
        "key" if top else "",
        "weights",
        None if blocked is None else blocked[i],
        cell,
        name,
    )
    return draw_grid(figure, grid, bar=last and top)


def _heading(title: str, stack: np.ndarray, fits: bool) -> str:
    if fits:
        return title
    notes = ["numbers and some labels left out"] if max(stack.shape[1:]) > MANY else []
    if marks_fit((_SIDE / stack.shape[2], _SIDE / stack.shape[1])):
        notes.append("a dot marks each query's largest weight")
    return f"{title} ({'; '.join(notes)})".strip() if notes else title


def _words(
    stack: np.ndarray, names: Sequence[str], rows: Sequence[str], columns: Sequence[str], fits: bool
) -> str:
    write = format_for(stack)
    if fits:
        return " ".join(
            f"{name}: {rows_in_words(head, rows, write)}." for name, head in zip(names, stack, strict=True)
        )
    few = f"Only some of the {len(rows)} labels are drawn. " if max(stack.shape[1:]) > MANY else ""
    return (
        few
        + "Largest weight of each query: "
        + ". ".join(
            f"{name}: {peaks_in_words(head, rows, columns, write)}"
            for name, head in zip(names, stack, strict=True)
        )
        + "."
    )
