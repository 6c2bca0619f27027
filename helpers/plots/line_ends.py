"""The colour of a line, and its name beside its end."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes

from helpers.plots.style import ROLES, SERIES, for_text, role_of

_APART = 0.075  # least distance of two labels, as a part of the height


def line_colour(i: int, name: str) -> str:
    """The colour of the role a name tells, else the next colour that has no role."""
    role = role_of(name)
    return ROLES[role] if role else SERIES[i % len(SERIES)]


def draw_names(axes: Axes, x: np.ndarray, heights: Mapping[str, np.ndarray]) -> None:
    """Each name to the right of its line's end, pushed apart where ends are close."""
    axes.set(xlim=axes.get_xlim(), ylim=axes.get_ylim())  # the limits of the lines, before they are measured
    ends = {}
    for name, y in heights.items():
        last = np.flatnonzero(np.isfinite(y) & np.isfinite(x))
        if last.size:
            ends[name] = axes.transData.transform((x[last[-1]], y[last[-1]]))
    to_axes = axes.transAxes.inverted()
    order = sorted(ends, key=lambda name: ends[name][1])
    wanted = [to_axes.transform(ends[name])[1] for name in order]
    for name, height in zip(order, _spread(wanted), strict=True):
        colour = for_text(line_colour(list(heights).index(name), name))
        line = {"arrowstyle": "-", "color": colour, "linewidth": 0.8, "shrinkA": 2, "shrinkB": 5}
        at = {"xycoords": axes.transAxes, "textcoords": axes.transAxes, "annotation_clip": False}
        end = to_axes.transform(ends[name])
        axes.annotate(
            name, end, (1.05, height), arrowprops=line, color=colour, va="center", weight="bold", **at
        )


def _spread(heights: list[float]) -> list[float]:
    """The same rising heights at least `_APART` from one another, moved as little as a sweep allows."""
    spread: list[float] = []
    for height in heights:
        spread.append(max(height, spread[-1] + _APART) if spread else height)
    shift = np.mean(spread) - np.mean(heights) if spread else 0.0
    return [height - shift for height in spread]
