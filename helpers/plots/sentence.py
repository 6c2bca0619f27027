"""A sentence that looks at itself: lines from queries on the left to keys on the right."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from helpers.arrays import array, labels
from helpers.plots.figure import DescribedFigure
from helpers.plots.layout import arrange, panel
from helpers.plots.sizes import number_width
from helpers.plots.style import FAINT, INK, KEY, QUERY, SMALL, WEIGHT, for_text, styled
from helpers.plots.words import listed, odd_in_words, plural

LEAST = 0.005
"""Weights below this would be written as 0 %, and are not drawn."""

_PERCENTS = 25  # lines that leave room for their percentages
_SLOT = 0.22  # inches from one percentage at a key to the next
_ACROSS = 2.6  # inches from a query to a key

Line = tuple[int, int]
"""The place of a query, and that of a key."""


@styled
def arcs(
    weights: ArrayLike, *, tokens: Sequence[Any], focus: int | None = None, title: str = ""
) -> DescribedFigure:
    """A sentence twice, queries left and keys right; a line's width and its percentage give the weight.

    Args:
        weights: (n, n), row i = the weights of query i; those that round to 0 % are not drawn.
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
    told = focus is not None or len(lines) <= _PERCENTS
    most = max(np.bincount([j for _, j in lines], minlength=1)) if told else 1
    step = max(0.36 if focus is not None or len(names) > 6 else 0.62, most * _SLOT + 0.16 if most > 1 else 0)
    ends = _ends(lines, _SLOT / step if told else 0)
    figure = DescribedFigure()
    axes = panel(figure, _ACROSS, step * (len(names) - 0.5) + 0.2)
    axes.set(xlim=(0, 1), ylim=(len(names) - 0.5, -0.5))
    axes.axis("off")
    shares = {line: w[line] for line in lines} if told else {}
    wide = max((number_width(f"{share:.0%}") for share in shares.values()), default=0.0)
    _draw_tokens(axes, names, focus, wide, (most - 1) / 2 * _SLOT * 72)
    _draw_lines(axes, w, ends)
    _draw_percents(axes, shares, ends, wide)
    arrange(figure, [[axes]], title=_heading(title, lines, focus))
    figure.description = _words(title, w, names, queries, len(lines) > _PERCENTS and focus is None)
    return figure


def _check_focus(focus: int | None, count: int) -> None:
    whole = isinstance(focus, int | np.integer) and not isinstance(focus, bool)
    if focus is not None and not (whole and 0 <= focus < count):
        raise ValueError(f"focus: expected the place of a query, 0 to {count - 1}; got {focus!r}")


def _ends(lines: Sequence[Line], slot: float) -> dict[Line, float]:
    """How high each line ends: at its key, and there one below the other in the order of the queries."""
    ends = {}
    for _, j in lines:
        here = [line for line in lines if line[1] == j]
        for place, line in enumerate(here):
            ends[line] = j + slot * (place - (len(here) - 1) / 2)
    return ends


def _draw_tokens(axes: Axes, names: Sequence[str], focus: int | None, wide: float, rise: float) -> None:
    """The tokens in two columns with their role above; those of the keys leave room for percentages."""
    for x, side, colour, role in ((0, "right", QUERY, "query"), (1, "left", KEY, "key")):
        aside = 8 if x == 0 else -8
        for i, name in enumerate(names):
            chosen = x == 0 and focus == i
            faint = x == 0 and focus not in (None, i)
            shift = -aside + (72 * (wide + 0.12) if x and wide else 0)
            look = {"color": FAINT if faint else for_text(colour), "weight": "bold" if chosen else "normal"}
            _write(axes, name, (x, i), shift, side, **look)
        _write(axes, role, (x, 0), -aside, side, rise=24 + rise, color=for_text(colour), style="italic")


def _write(
    axes: Axes, text: str, at: tuple[float, float], shift: float, side: str, rise: float = 0, **look: Any
) -> None:
    place = {"xytext": (shift, rise), "textcoords": "offset points", "ha": side, "va": "center"}
    axes.annotate(text, at, **place, annotation_clip=False, **look)


def _draw_lines(axes: Axes, w: np.ndarray, ends: Mapping[Line, float]) -> None:
    """Lines from the lightest to the heaviest."""
    for i, j in sorted(ends, key=lambda line: w[line]):
        width, depth = 0.8 + 9 * min(w[i, j], 1.0), 0.45 + 0.35 * min(w[i, j], 1.0)
        axes.plot(
            [0, 1], [i, ends[i, j]], color=WEIGHT, alpha=depth, linewidth=width, zorder=1, clip_on=False
        )


def _draw_percents(axes: Axes, shares: Mapping[Line, float], ends: Mapping[Line, float], wide: float) -> None:
    """The percentage of each line at its end; the largest of a query is bold."""
    for (i, j), share in shares.items():
        best = share == max(other for line, other in shares.items() if line[0] == i)
        look = {"color": INK, "size": SMALL, "weight": "bold" if best else "normal"}
        _write(axes, f"{share:.0%}", (1, ends[i, j]), 10 + 72 * wide, "right", **look)


def _heading(title: str, lines: Sequence[Any], focus: int | None) -> str:
    if len(lines) <= _PERCENTS or focus is not None:
        return title
    return f"{title} ({len(lines)} lines, too many for percentages: choose one query with focus)".strip()


def _words(title: str, w: np.ndarray, names: Sequence[str], queries: Sequence[int], crowded: bool) -> str:
    parts = []
    for i in queries:
        keys = [j for j in np.argsort(-np.nan_to_num(w[i]), kind="stable") if w[i, j] >= LEAST]
        parts.append(f"{names[i]} looks at {listed([f'{names[j]} {w[i, j]:.0%}' for j in keys])}")
    start = f"{title or 'Attention lines'}: {plural(len(names), 'token')} ({listed(names)})"
    left_out = ", percentages left out of the picture" if crowded else ""
    return f"{start}{left_out}. {'; '.join(parts)}.{odd_in_words(w)}"
