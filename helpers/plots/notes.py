"""What is to be seen in curves: places on a line that are worth a word, and heights to compare with."""

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes
from matplotlib.transforms import Bbox

from helpers.arrays import one_of
from helpers.plots.layout import along, settle
from helpers.plots.style import FAINT, INK, SMALL
from helpers.plots.words import short
from helpers.text import shown

_LATE = 0.4  # with less of the width to its right, a word ends near its point and does not begin there

Places = Mapping[str, Mapping[str, int]]
"""For each line, what is said of which of its points."""


def places_of(
    noted: Mapping[str, Mapping[str, float | None]], heights: Mapping[str, np.ndarray], x: np.ndarray
) -> Places:
    """The points of lines that a word is said of; `None` for what is at no place.

    Raises:
        ValueError: when there is no such line, or it has no point there.
    """
    found: dict[str, dict[str, int]] = {}
    for name, words in noted.items():
        one_of("noted", shown(name), tuple(heights))
        for said, place in words.items():
            if place is None:
                continue
            here = np.flatnonzero((x == place) & np.isfinite(heights[shown(name)]))
            if not here.size:
                raise ValueError(f"noted[{name!r}][{said!r}]: expected a place of the line; got {place!r}")
            found.setdefault(shown(name), {})[shown(said)] = int(here[0])
    return found


def draw_levels(axes: Axes, levels: Mapping[str, float]) -> None:
    """A broken line across the panel at each height, with its name above its right end."""
    for name, height in levels.items():
        axes.axhline(height, color=FAINT, linewidth=1.2, linestyle=(0, (5, 3)), zorder=1)
        at = {"xytext": (0, 2), "textcoords": "offset points", "xycoords": ("axes fraction", "data")}
        axes.annotate(shown(name), (1, height), **at, ha="right", va="bottom", size=SMALL, color=INK)


def draw_notes(axes: Axes, places: Places, heights: Mapping[str, np.ndarray], x: np.ndarray) -> None:
    """A ring round each point, and its word where it covers no line."""
    taken = _covered(axes, heights, x) if places else []
    for name, words in places.items():
        for said, i in words.items():
            point = (x[i], heights[name][i])
            ring = {"markersize": 13, "markerfacecolor": "none", "markeredgewidth": 2, "zorder": 4}
            axes.plot(*point, "o", color=INK, **ring)
            room = (axes.bbox.x1 - axes.transData.transform(point)[0]) * 72 / axes.figure.dpi
            late = room < _LATE * axes.bbox.width * 72 / axes.figure.dpi
            look = {"size": SMALL, "color": INK, "weight": "bold", "textcoords": "offset points"}
            look |= {"ha": "right" if late else "left", "va": "center"}
            text = axes.annotate(said, point, (0, 0), **look)
            aside = (room, room / 2, 0, -20) if late else (14, 30, 46, 62)
            taken.append(settle(text, [(right, up) for up in range(28, 200, 12) for right in aside], taken))
            line = {"arrowstyle": "-", "color": INK, "linewidth": 1, "shrinkA": 0, "shrinkB": 8}
            foot = np.array(text.get_position()) - (0, SMALL / 2 + 1)
            axes.annotate("", point, foot, textcoords="offset points", arrowprops=line)
            start = axes.transData.transform(point)
            taken += along(np.linspace(start, start + foot * axes.figure.dpi / 72, 20), 4)


def _covered(axes: Axes, heights: Mapping[str, np.ndarray], x: np.ndarray) -> list[Bbox]:
    """What lines and words cover, in pixels."""
    boxes = [text.get_window_extent() for text in axes.texts]
    for y in heights.values():
        ends = axes.transData.transform(np.stack([x, np.where(np.isfinite(y), y, np.nan)], axis=-1))
        between = [a + part * (b - a) for a, b in pairwise(ends) for part in np.linspace(0, 1, 9)]
        boxes += along([at for at in between if np.isfinite(at).all()], 5)
    return boxes


def in_words(
    places: Places, levels: Mapping[str, float], heights: Mapping[str, np.ndarray], x: np.ndarray
) -> str:
    """Levels and marks, for the description."""
    said = [f" A line across at {short(height)}: {shown(name)}." for name, height in levels.items()]
    for name, words in places.items():
        said += [
            f" {name}, marked at {short(x[i])}, where it is {short(heights[name][i])}: {word}."
            for word, i in words.items()
        ]
    return "".join(said)
