"""Histograms laid over one another, told apart by line style and hatch."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from helpers.arrays import named_arrays
from helpers.plots.figure import DescribedFigure
from helpers.plots.layout import arrange, panel
from helpers.plots.line_ends import line_colour
from helpers.plots.style import HATCHES, INK, LINES, SMALL, styled
from helpers.plots.words import odd_in_words, short
from helpers.text import shown

_WIDTH, _HEIGHT = 7.2, 3.6


@styled
def histogram(
    named: Mapping[str, ArrayLike],
    *,
    title: str = "",
    x_label: str = "",
    bins: int = 30,
    marks: Mapping[str, float] | None = None,
) -> DescribedFigure:
    """How often each value comes, one outline for each name, over the same bins.

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
    axes = panel(figure, _WIDTH, _HEIGHT)
    shares = len({len(value) for value in finite.values()}) > 1
    for i, (name, value) in enumerate(finite.items()):
        _draw_outline(axes, i, name, value, edges, shares)
    axes.set(xlabel=x_label, ylabel="share of the numbers" if shares else "count")
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_ylim(0, axes.get_ylim()[1] * 1.02)
    for name, value in (marks or {}).items():
        axes.axvline(value, color=INK, linewidth=2)
        where = {"xytext": (4, -4), "textcoords": "offset points", "va": "top"}
        text = axes.annotate("name", (value, axes.get_ylim()[1]), **where, size=SMALL, rotation=90)
        text.set(text=shown(name), bbox={"facecolor": "white", "linewidth": 0, "pad": 1.5})
    _draw_legend(axes, finite)
    arrange(figure, [[axes]], title=title)
    start = f"{title or 'Histogram'}: {x_label or 'values'} in {bins} bins. "
    figure.description = start + " ".join(_sample(name, value) for name, value in arrays.items())
    figure.description += "".join(f" A line marks {shown(name)}." for name in marks or {})
    return figure


def _draw_outline(axes: Axes, i: int, name: str, value: np.ndarray, edges: np.ndarray, shares: bool) -> None:
    counts, _ = np.histogram(value, edges)
    heights = counts / len(value) if shares else counts
    colour = line_colour(i, name)
    look = {"facecolor": "none", "edgecolor": colour, "linewidth": 2.2, "linestyle": LINES[i % len(LINES)]}
    axes.stairs(heights, edges, fill=True, hatch=HATCHES[i % len(HATCHES)][:2], **look)


def _draw_legend(axes: Axes, finite: Mapping[str, np.ndarray]) -> None:
    """The key, above the picture; the names are set last, since a legend drops those with a leading `_`."""
    key = axes.legend(
        axes.patches, ["name"] * len(finite), loc="lower left", bbox_to_anchor=(0, 1), frameon=False
    )
    for text, (name, value) in zip(key.get_texts(), finite.items(), strict=True):
        text.set_text(f"{name} (mean {short(value.mean())}, std {short(value.std())})")


def _sample(name: str, value: np.ndarray) -> str:
    finite = value[np.isfinite(value)]
    return (
        f"{name}: {len(value)} numbers, mean {short(finite.mean())}, std {short(finite.std())}, "
        f"from {short(finite.min())} to {short(finite.max())}.{odd_in_words(value)}"
    )
