"""The colour of a line, and its name beside its end."""

import textwrap
from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from helpers.plots.layout import text_width
from helpers.plots.style import INK, ROLES, SERIES, for_text, role_of

_APART = 0.06  # height of a line of a label, as a part of the panel's
_EARLY = 0.85  # a line that ends before this part of the width has its name at its end
_LETTERS = 13  # a longer name is broken into lines


def line_colour(i: int, names: Sequence[str]) -> str:
    """The colour of the role a name tells, unless another line has it; else the next that has no role."""
    roles = [role_of(name) for name in names]
    alone = roles[i] is not None and roles.count(roles[i]) == 1
    return ROLES[roles[i]] if alone else SERIES[i % len(SERIES)]


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
    tall = [0.02 + _APART * (1 + _broken(name).count("\n")) for name in order]
    for name, height in zip(order, _spread(wanted, tall), strict=True):
        colour = line_colour(list(heights).index(name), list(heights))
        line = {"arrowstyle": "-", "color": colour, "linewidth": 0.8, "shrinkA": 2, "shrinkB": 5}
        at = {"xycoords": axes.transAxes, "textcoords": axes.transAxes, "annotation_clip": False}
        end = to_axes.transform(ends[name])
        if end[0] < _EARLY:  # a leader would look like more of the line
            line, place = None, (end[0] + 0.03, end[1] + _APART)
        else:
            place = (1.05, height)
        axes.annotate(
            _broken(name),
            end,
            place,
            arrowprops=line,
            color=for_text(colour) if colour in ROLES.values() else INK,
            va="center",
            weight="bold",
            **at,
        )


def _broken(name: str) -> str:
    return "\n".join(textwrap.wrap(name, _LETTERS, break_long_words=False)) or name


def name_width(name: str) -> float:
    """How wide a name is beside its line, in inches."""
    return max(text_width(line) for line in _broken(name).split("\n"))


def _spread(heights: list[float], tall: list[float]) -> list[float]:
    """The same rising heights, so far apart that labels so tall do not overlap."""
    spread: list[float] = []
    for i, height in enumerate(heights):
        spread.append(max(height, spread[-1] + (tall[i] + tall[i - 1]) / 2) if spread else height)
    shift = np.mean(spread) - np.mean(heights) if spread else 0.0
    return [height - shift for height in spread]
