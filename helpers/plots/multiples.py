"""Several heads side by side, small and on one scale."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from helpers.arrays import allowed_cells, array, broadcast, labels
from helpers.plots.cells import Grid, draw_grid
from helpers.plots.figure import DescribedFigure
from helpers.plots.layout import arrange, text_width
from helpers.plots.sizes import cell_size, marks_fit
from helpers.plots.style import MANY, SMALL, styled
from helpers.plots.words import format_for, odd_in_words, peaks_in_words, plural, rows_in_words

_SIDE = 2.0  # inches a head with numbers may take, and a small one of a pair
_WIDE = 5.3  # inches that a phone shows at a size one can read


@styled
def heads(
    weights: ArrayLike,
    *,
    tokens: Sequence[Any] | None = None,
    title: str = "",
    names: Sequence[Any] | None = None,
    allowed: ArrayLike | None = None,
) -> DescribedFigure:
    """The attention weights of every head, up to four in a row; a dot may mark each query's largest.

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
    cell = _large(stack, columns) if fits else _small(stack)
    across = _across(stack, fits, cell[0])
    panels = [_head(figure, stack, i, rows, columns, names[i], fits, blocked, across, cell) for i in range(h)]
    lines = [panels[i : i + across] for i in range(0, h, across)]
    arrange(figure, lines, gap=0.25, title=_heading(title, stack, fits), aligned=True)
    figure.description = f"{title or 'Heads'}: attention weights of {plural(h, what)}, "
    figure.description += f"{plural(n_q, 'query')} ({', '.join(rows)}) by {plural(n_k, 'key')}. "
    if blocked is not None:
        figure.description += f"{int(blocked.sum())} of {blocked.size} cells are blocked. "
    figure.description += _words(stack, names, rows, columns, fits) + odd_in_words(stack)
    return figure


def _across(stack: np.ndarray, fits: bool, wide: float) -> int:
    """Heads in a row."""
    if not fits:
        return 2 if len(stack) <= 2 else 4
    return max(1, min(4, int(_WIDE / (stack.shape[2] * wide + 0.25))))


def _large(stack: np.ndarray, columns: Sequence[str]) -> tuple[float, float]:
    """The size of a cell with its number, wide enough for level labels where they are short."""
    width, height = cell_size(stack, format_for(stack))
    widest = max(text_width(name, SMALL) for name in columns) + 0.1
    return max(width, widest) if widest * len(columns) <= _SIDE + 0.2 else width, height


def _small(stack: np.ndarray) -> tuple[float, float]:
    """The size of a cell without a number."""
    side = _SIDE if len(stack) <= 2 else _WIDE / 4 - 0.15
    return side / stack.shape[2], side / stack.shape[1]


def _numbers_fit(stack: np.ndarray) -> bool:
    wide, _ = cell_size(stack, format_for(stack))
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
    across: int,
    cell: tuple[float, float],
) -> Any:
    """One head: labels of the queries only in the first column, of the keys only in the first line."""
    first, top = i % across == 0, i < across
    last = i % across == across - 1 or i == len(stack) - 1
    grid = Grid(
        stack[i],
        format_for(stack) if fits else None,
        rows if first else (),
        columns if top else (),
        "query" if first else "",
        "key" if top else "",
        "weights",
        blocked=None if blocked is None else blocked[i],
        cell=cell,
        title=name,
    )
    return draw_grid(figure, grid, bar=last and top)


def _heading(title: str, stack: np.ndarray, fits: bool) -> str:
    if fits:
        return title
    notes = ["numbers and some labels left out"] if max(stack.shape[1:]) > MANY else []
    if marks_fit(_small(stack)):
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
