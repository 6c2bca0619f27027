"""Curves: how something changes, one line for each name."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator
from numpy.typing import ArrayLike

from helpers.arrays import array, named_arrays, one_of
from helpers.plots.figure import DescribedFigure
from helpers.plots.layout import arrange, panel
from helpers.plots.line_ends import draw_names, line_colour, name_width
from helpers.plots.notes import draw_levels, draw_notes, in_words, places_of
from helpers.plots.style import HATCHES, LINES, MARKERS, PAPER, styled
from helpers.plots.words import listed, odd_in_words, plural, short
from helpers.text import shown

# inches: of lines and their names together, of the lines, and upwards
_WIDE, _LEAST, _HEIGHT = 5.25, 3.4, 3.4
_FEW = 10  # points that are told one by one

Band = Mapping[str, tuple[np.ndarray, np.ndarray]]


@styled
def curves(
    x: ArrayLike,
    named: Mapping[str, ArrayLike],
    *,
    title: str = "",
    x_label: str = "",
    y_label: str = "",
    log_x: bool = False,
    log_y: bool = False,
    band: Mapping[str, tuple[Any, Any]] | None = None,
    x_ticks: Sequence[float] | None = None,
    y_ticks: Sequence[float] | None = None,
    hollow: Mapping[str, Sequence[float]] | None = None,
    levels: Mapping[str, float] | None = None,
    noted: Mapping[str, Mapping[str, float | None]] | None = None,
) -> DescribedFigure:
    """One line for each name, told apart by colour, line style and marker, and labelled at its end.

    Args:
        x: the places, (n,).
        named: name to the heights there, (n,) each; nan leaves a gap.
        title: heading.
        x_label: what x is.
        y_label: what the heights are.
        log_x: logarithmic places, which must then be positive.
        log_y: logarithmic heights, which must then be positive.
        x_ticks: the places to label; some even ones when not given.
        y_ticks: the heights to label.
        hollow: name to places among x that the line comes near to and does not reach: a hollow circle.
        levels: what a height means to the height, a line across.
        noted: name to what is said of which of its places, each a ring on the line with its word;
            without a place nothing is drawn.
        band: name to a pair `(low, high)`, (n,) each, drawn as a hatched band around the line.

    Raises:
        ValueError: when lengths differ, a band, a hollow or a noted place has no line, or a logarithm does
            not exist.
    """
    places = array("x", x, 1)
    if not np.isfinite(places).all():
        raise ValueError(f"x: expected finite numbers; got {short(places[~np.isfinite(places)][0])}")
    heights = named_arrays("named", named, 1)
    bands = _bands(band or {}, heights)
    edges = [value for pair in bands.values() for value in pair]
    for name, y in [*heights.items(), *((f"{n}, band", e) for n, p in bands.items() for e in p)]:
        if y.shape != places.shape:
            raise ValueError(f"{name}: expected {len(places)} numbers, one per x; got {len(y)}")
    _check_positive("log_x", log_x, [places])
    _check_positive("log_y", log_y, [*heights.values(), *edges])
    figure = DescribedFigure()
    room = max(name_width(name) for name in heights)
    axes = panel(figure, max(_WIDE - room, _LEAST), _HEIGHT)
    axes.set(xlabel=x_label, ylabel=y_label)
    _set_scales(axes, (log_x, places), (log_y, np.concatenate([*heights.values()])))
    if x_ticks is not None:
        axes.set_xticks(array("x_ticks", x_ticks, 1))
    elif log_x and len(places) <= _FEW:
        axes.set_xticks(places, [short(place) for place in places])
    if y_ticks is not None:
        axes.set_yticks(array("y_ticks", y_ticks, 1))
    open_at = _open_at(hollow or {}, heights, places)
    for i, name in enumerate(heights):
        _draw_line(axes, i, list(heights), places, heights[name], bands.get(name), open_at.get(name, ()))
    draw_levels(axes, levels or {})
    draw_names(axes, places, heights)
    marked = places_of(noted or {}, heights, places)
    draw_notes(axes, marked, heights, places)
    arrange(figure, [[axes]], title=title)
    figure.description = _words(title, x_label, y_label, places, heights, bands)
    for name, found in open_at.items():
        figure.description += (
            f" {name}: a hollow circle at {listed([short(places[i]) for i in found])}, not reached."
        )
    figure.description += in_words(marked, levels or {}, heights, places)
    return figure


def _open_at(
    hollow: Mapping[str, Sequence[float]], heights: Mapping[str, np.ndarray], places: np.ndarray
) -> dict[str, np.ndarray]:
    """For each line the indices of its hollow places."""
    found = {}
    for name, wanted in hollow.items():
        one_of("hollow", shown(name), tuple(heights))
        found[shown(name)] = np.flatnonzero(np.isin(places, wanted) & np.isfinite(heights[shown(name)]))
        if not found[shown(name)].size:
            raise ValueError(f"hollow[{name!r}]: expected places where the line is; got {wanted!r}")
    return found


def _bands(band: Mapping[str, tuple[Any, Any]], heights: Mapping[str, np.ndarray]) -> Band:
    bands = {}
    for name, pair in band.items():
        one_of("band", shown(name), tuple(heights))
        if len(pair) != 2:
            raise ValueError(f"band[{name!r}]: expected a pair (low, high); got {len(pair)} items")
        bands[shown(name)] = tuple(array(f"band[{name!r}]", edge, 1) for edge in pair)
    return bands


def _check_positive(option: str, on: bool, arrays: list[np.ndarray]) -> None:
    bad = [value for numbers in arrays for value in numbers if value <= 0]
    if on and bad:
        raise ValueError(f"{option}: expected numbers above 0, which have a logarithm; got {short(bad[0])}")


def _set_scales(axes: Axes, x: tuple[bool, np.ndarray], y: tuple[bool, np.ndarray]) -> None:
    """Grid and scales: whether each is logarithmic, and its numbers; wide ones show powers of ten alone."""
    for (on, numbers), axis, scale in ((x, axes.xaxis, axes.set_xscale), (y, axes.yaxis, axes.set_yscale)):
        if on:
            wide = np.nanmax(numbers) > 200 * np.nanmin(numbers)
            scale("log")
            axis.set_major_formatter(FuncFormatter(lambda value, _: _round_number(value)))
            axis.set_major_locator(LogLocator() if wide else LogLocator(subs=(1, 2, 5)))
            axis.set_minor_formatter(FuncFormatter(lambda value, _: ""))
    axes.grid(True)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def _round_number(value: float) -> str:
    """A power of ten, or a few of them, in words where it is large."""
    for size, word in ((1e9, "billion"), (1e6, "million")):
        if value >= size:
            return f"{value / size:g} {word}"
    return f"{value:g}" if value < 1e4 else f"{value:,.0f}"


def _draw_line(
    axes: Axes,
    i: int,
    names: Sequence[str],
    x: np.ndarray,
    y: np.ndarray,
    band: Any,
    hollow: np.ndarray | tuple,
) -> None:
    y = np.where(np.isfinite(y), y, np.nan)
    colour = line_colour(i, names)
    every = max(1, len(x) // 8)
    look = {"linestyle": LINES[i % len(LINES)], "marker": MARKERS[i % len(MARKERS)], "markersize": 7}
    axes.plot(x, y, color=colour, linewidth=2.2, markevery=(i * every // 4 % every, every), **look)
    if len(hollow):
        ring = {"markersize": 9, "color": colour, "markerfacecolor": PAPER, "zorder": 3}
        axes.plot(x[list(hollow)], y[list(hollow)], "o", **ring)
    if band:
        hatch = HATCHES[i % len(HATCHES)][:2]
        axes.fill_between(x, *band, facecolor=colour, edgecolor=colour, alpha=0.2, hatch=hatch, linewidth=0)


def _words(
    title: str, x_label: str, y_label: str, x: np.ndarray, heights: Mapping[str, np.ndarray], bands: Band
) -> str:
    start = f"{title or 'Curves'}: {y_label or 'height'} against {x_label or 'x'}"
    start += f", {plural(len(x), 'place')} from {short(x[0])} to {short(x[-1])}. "
    return start + " ".join(_line(name, x, y, bands.get(name)) for name, y in heights.items())


def _line(name: str, x: np.ndarray, y: np.ndarray, band: Any) -> str:
    good = np.flatnonzero(np.isfinite(y))
    if not good.size:
        return f"{name}: not drawn.{odd_in_words(y)}"
    if np.ptp(y[good]) <= 1e-9 * (1 + np.abs(y[good]).max()):
        level = y[good].mean()
        said = f"{short(level) if abs(level) > 1e-12 else '0'} throughout"
    elif len(x) <= _FEW:
        said = ", ".join(f"{short(b)} at {short(a)}" for a, b in zip(x, y, strict=True))
    else:
        low, high = good[y[good].argmin()], good[y[good].argmax()]
        marks = (("starts at", good[0]), ("ends at", good[-1]), ("lowest", low), ("highest", high))
        said = ", ".join(f"{word} {short(y[i])} (x = {short(x[i])})" for word, i in marks)
    edges = f", band at the end {short(band[0][-1])} to {short(band[1][-1])}" if band else ""
    return f"{name}: {said}{edges}.{odd_in_words(y)}"
