"""A sentence that looks at itself: lines from queries above to keys below."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.transforms import Bbox
from numpy.typing import ArrayLike

from helpers.arrays import array, labels
from helpers.plots.figure import DescribedFigure
from helpers.plots.layout import along, arrange, panel, settle, text_width
from helpers.plots.style import FAINT, INK, KEY, MANY, QUERY, SMALL, for_text, styled
from helpers.plots.words import listed, odd_in_words, plural

LEAST = 0.05
"""Weights below this are not drawn."""

_PERCENTS = 36  # lines that leave room for their percentages


@styled
def arcs(
    weights: ArrayLike, *, tokens: Sequence[Any], focus: int | None = None, title: str = ""
) -> DescribedFigure:
    """A sentence twice, queries above and keys below; a line's width and its percentage give the weight.

    Args:
        weights: (n, n), row i = the weights of query i; those of 5 % and more are drawn.
        tokens: n labels.
        focus: the place of the one query whose lines to draw; all when not given.
        title: heading.

    Raises:
        ValueError: when the weights are not square, or `tokens` or `focus` does not fit them.
    """
    w = array("weights", weights, 2)
    if w.shape[0] != w.shape[1]:
        raise ValueError(f"weights: expected (n, n), a sentence that looks at itself; got shape {w.shape}")
    names = labels("tokens", tokens, len(w), f"row of weights {w.shape}")
    _check_focus(focus, len(w))
    queries = range(len(w)) if focus is None else [focus]
    lines = [(i, j) for i in queries for j in np.flatnonzero(np.nan_to_num(w[i]) >= LEAST)]
    figure = DescribedFigure()
    places, turned = _places(names)
    axes = panel(figure, max(places[-1] + 0.6, 2.5), 3.2)
    axes.set(xlim=(-0.3, max(places[-1] + 0.3, 2.2)), ylim=(0, 1))
    axes.axis("off")
    _draw_tokens(axes, names, places, turned, focus)
    _draw_lines(axes, w, lines, places)
    arrange(figure, [[axes]], title=_heading(title, lines))
    figure.description = _words(title, w, names, queries, len(lines) > _PERCENTS)
    return figure


def _check_focus(focus: int | None, count: int) -> None:
    whole = isinstance(focus, int | np.integer) and not isinstance(focus, bool)
    if focus is not None and not (whole and 0 <= focus < count):
        raise ValueError(f"focus: expected the place of a query, 0 to {count - 1}; got {focus!r}")


def _places(names: Sequence[str]) -> tuple[np.ndarray, bool]:
    """Where each token stands, in inches, and whether they must be turned to fit."""
    widths = np.array([max(text_width(name), 0.45) for name in names]) + 0.2
    turned = len(names) > MANY or widths.sum() > 11
    if turned:
        return np.arange(len(names)) * min(0.55, max(0.22, 10 / len(names))), True
    return np.cumsum(widths) - widths / 2 - widths[0] / 2, False


def _draw_tokens(
    axes: Axes, names: Sequence[str], places: np.ndarray, turned: bool, focus: int | None
) -> None:
    for y, side, colour, role in ((1, "bottom", QUERY, "query"), (0, "top", KEY, "key")):
        for i, (name, x) in enumerate(zip(names, places, strict=True)):
            faint = y == 1 and focus not in (None, i)
            axes.annotate(
                name,
                (x, y),
                (0, 4 if y else -4),
                textcoords="offset points",
                ha="center",
                va=side,
                rotation=90 if turned else 0,
                color=FAINT if faint else for_text(colour),
                weight="bold" if y == 1 and focus == i else "normal",
            )
        at, shift = (
            (axes.get_xlim()[0] - 0.25, y),
            {"xytext": (0, 4 if y else -4), "textcoords": "offset points"},
        )
        look = {"color": for_text(colour), "style": "italic", "annotation_clip": False}
        axes.annotate(role, at, **shift, ha="right", va=side, **look)


def _draw_lines(axes: Axes, w: np.ndarray, lines: Sequence[tuple[int, int]], places: np.ndarray) -> None:
    """Lines from the lightest to the heaviest, then percentages where they cover no other."""
    lines = sorted(lines, key=lambda line: w[line])
    for i, j in lines:
        width, depth = 0.8 + 9 * min(w[i, j], 1.0), 0.35 + 0.4 * min(w[i, j], 1.0)
        axes.plot([places[i], places[j]], [1, 0], color=QUERY, alpha=depth, linewidth=width, zorder=1)
    if len(lines) <= _PERCENTS:
        _draw_percents(axes, w, lines[::-1], places)


def _draw_percents(axes: Axes, w: np.ndarray, lines: Sequence[tuple[int, int]], places: np.ndarray) -> None:
    """The percentage of each line, where it covers no other percentage and the fewest other lines."""
    parts = np.linspace(0.12, 0.88, 60)
    paths = {
        (i, j): np.stack([places[j] + parts * (places[i] - places[j]), parts], axis=-1) for i, j in lines
    }
    covered = {line: along(axes.transData.transform(path), 3) for line, path in paths.items()}
    labels: list[Bbox] = []
    for line, path in paths.items():
        box = {"facecolor": "white", "edgecolor": "none", "pad": 0.8, "alpha": 0.9}
        text = axes.text(0, 0, f"{w[line]:.0%}", ha="center", va="center", size=SMALL, color=INK, bbox=box)
        others = [one for other, boxes in covered.items() if other != line for one in boxes]
        labels.append(settle(text, path[15:-5:4], labels * 20 + others))


def _heading(title: str, lines: Sequence[Any]) -> str:
    if len(lines) <= _PERCENTS:
        return title
    return f"{title} ({len(lines)} lines, too many for percentages: choose one query with focus)".strip()


def _words(title: str, w: np.ndarray, names: Sequence[str], queries: Sequence[int], crowded: bool) -> str:
    parts = []
    for i in queries:
        keys = [j for j in np.argsort(-np.nan_to_num(w[i]), kind="stable") if w[i, j] >= LEAST]
        parts.append(f"{names[i]} looks at {listed([f'{names[j]} {w[i, j]:.0%}' for j in keys])}")
    start = f"{title or 'Attention lines'}: {plural(len(names), 'token')} ({listed(names)})"
    start += ", weights of 5 % and more"
    left_out = ", percentages left out of the picture" if crowded else ""
    return f"{start}{left_out}. {'; '.join(parts)}.{odd_in_words(w)}"
