"""Histograms one below the other, over the same places."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from helpers.arrays import named_arrays
from helpers.plots.figure import DescribedFigure
from helpers.plots.layout import arrange, panel
from helpers.plots.line_ends import line_colour
from helpers.plots.style import INK, PAPER, SMALL, styled
from helpers.plots.words import odd_in_words, short
from helpers.text import shown

_WIDTH, _HEIGHT, _LOW = 5.3, 2.6, 1.5  # inches; of several, each is as low as the last


@styled
def histogram(
    named: Mapping[str, ArrayLike],
    *,
    title: str = "",
    x_label: str = "",
    bins: int = 30,
    marks: Mapping[str, float] | None = None,
) -> DescribedFigure:
    """How often each value comes: one panel for each name, over the same bins, with mean and std.

    Args:
        named: name to numbers of any shape; nan and inf are left out, and the description says so.
        title: heading.
        x_label: what the numbers are.
        bins: how many bins.
        marks: name to a value, each drawn as a vertical line.

    Raises:
        ValueError: when there are no finite numbers, or fewer than one bin.
    """
    arrays = {name: value.ravel() for name, value in named_arrays("named", named).items()}
    if isinstance(bins, bool) or not isinstance(bins, int | np.integer) or bins < 1:
        raise ValueError(f"bins: expected a whole number from 1 on; got {bins!r}")
    finite = {name: value[np.isfinite(value)] for name, value in arrays.items()}
    empty = [name for name, value in finite.items() if not value.size]
    if empty:
        raise ValueError(f"named[{empty[0]!r}]: expected some finite numbers; got none")
    edges = np.histogram_bin_edges(np.concatenate(list(finite.values())), bins)
    figure = DescribedFigure()
    panels = [panel(figure, _WIDTH, _HEIGHT if len(finite) == 1 else _LOW) for _ in finite]
    for i, (axes, value) in enumerate(zip(panels, finite.values(), strict=True)):
        _draw_sample(axes, value, edges, line_colour(i, list(finite)))
        _draw_marks(axes, marks or {})
        axes.set_title("name", loc="left", weight="bold").set_text(_heading(list(finite)[i], value))
        axes.tick_params(axis="x", labelbottom=axes is panels[-1])
    panels[-1].set_xlabel(x_label)
    arrange(figure, [[axes] for axes in panels], gap=0.12, title=title, aligned=True)
    start = f"{title or 'Histogram'}: {x_label or 'values'} in {bins} bins. "
    figure.description = start + " ".join(_sample(name, value) for name, value in arrays.items())
    figure.description += " A thick line below each runs from one std under its mean to one above."
    figure.description += "".join(f" A line marks {shown(name)}." for name in marks or {})
    return figure


def _heading(name: str, value: np.ndarray) -> str:
    return f"{name} (mean {value.mean():.3g}, std {value.std():.3g})"


def _draw_sample(axes: Axes, value: np.ndarray, edges: np.ndarray, colour: str) -> None:
    """Bars, and below them a line from one std under the mean to one above."""
    counts, _ = np.histogram(value, edges)
    axes.stairs(counts, edges, fill=True, color=colour, alpha=0.45, linewidth=0)
    axes.stairs(counts, edges, color=colour, linewidth=1.5)
    top = counts.max() * 1.08
    axes.set(xlim=(edges[0], edges[-1]), ylim=(-0.14 * top, top), ylabel="count")
    mean, std = value.mean(), value.std()
    axes.plot([mean - std, mean + std], [-0.07 * top] * 2, color=INK, linewidth=2, solid_capstyle="butt")
    axes.plot([mean], [-0.07 * top], "|", color=INK, markersize=11, markeredgewidth=2)
    axes.axhline(0, color=INK, linewidth=0.6)
    axes.spines[["top", "right", "bottom"]].set_visible(False)
    axes.set_yticks([tick for tick in axes.get_yticks() if 0 <= tick <= top])
    axes.grid(True, axis="x")
    axes.set_axisbelow(True)


def _draw_marks(axes: Axes, marks: Mapping[str, float]) -> None:
    for name, value in marks.items():
        axes.axvline(value, color=INK, linewidth=2)
        where = {"xytext": (4, -4), "textcoords": "offset points", "va": "top"}
        text = axes.annotate("name", (value, axes.get_ylim()[1]), **where, size=SMALL, rotation=90)
        text.set(text=shown(name), bbox={"facecolor": PAPER, "linewidth": 0, "pad": 1.5})


def _sample(name: str, value: np.ndarray) -> str:
    finite = value[np.isfinite(value)]
    return (
        f"{name}: {len(value)} numbers, mean {short(finite.mean())}, std {short(finite.std())}, "
        f"from {short(finite.min())} to {short(finite.max())}.{odd_in_words(value)}"
    )
