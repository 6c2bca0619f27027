"""Panels of a fixed size in inches, put in rows with the room their labels need."""

import math
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from matplotlib.axes import Axes
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from helpers.plots.figure import DescribedFigure
from helpers.plots.style import FONT, INK, SMALL, TITLE

PAD = 0.14
_LETTER = 0.6  # mean width of a letter as a part of the font size


def text_width(text: str, size: float = FONT) -> float:
    """About how wide a text is, in inches."""
    return len(text) * _LETTER * size / 72


def panel(figure: DescribedFigure, width: float, height: float) -> Axes:
    """Add axes of a size in inches; `arrange` will find their place."""
    total_width, total_height = figure.get_size_inches()
    return figure.add_axes((0, 0, width / total_width, height / total_height))


@dataclass(frozen=True)
class _Room:
    """The size of a panel, and how far its labels reach out of it, in inches."""

    width: float
    height: float
    left: float
    right: float
    below: float
    above: float


def _room(figure: DescribedFigure, axes: Axes) -> _Room:
    inner, outer = axes.get_window_extent(), axes.get_tightbbox(figure.canvas.get_renderer())
    sides = (inner.x0 - outer.x0, outer.x1 - inner.x1, inner.y0 - outer.y0, outer.y1 - inner.y1)
    return _Room(*(x / figure.dpi for x in (inner.width, inner.height, *(max(side, 0) for side in sides))))


def arrange(
    figure: DescribedFigure,
    rows: Sequence[Sequence[Axes]],
    *,
    gap: float = 0.35,
    title: str = "",
    aligned: bool = False,
) -> None:
    """Move panels made by `panel` into rows, centred on one line, and fit the figure round them.

    Args:
        figure: what they are on.
        rows: the panels.
        gap: inches between neighbours and between rows.
        title: heading.
        aligned: give a panel the room at its sides that those above and below have: edges are in line.
    """
    rooms = [[_room(figure, axes) for axes in row] for row in rows]
    if aligned:
        for column in range(max(map(len, rows))):
            here = [row for row in rooms if column < len(row)]
            left, right = (max(getattr(row[column], side) for row in here) for side in ("left", "right"))
            for row in here:
                row[column] = replace(row[column], left=left, right=right)
    widths = [sum(r.left + r.width + r.right + gap for r in row) - gap for row in rooms]
    heights = [_above(row) + _below(row) for row in rooms]
    width = _whole(max(*widths, min(text_width(title, TITLE), 6.5)) + 2 * PAD)
    lines = textwrap.wrap(title, max(int((width - PAD) / text_width("n", TITLE)), 12))
    head = 0.27 * len(lines) + (0.12 if lines else 0)
    height = _whole(sum(heights) + gap * (len(rows) - 1) + head + 2 * PAD)
    figure.set_size_inches(width, height)
    if lines:
        figure.text(0.5, 1 - PAD / height, "\n".join(lines), size=TITLE, weight="bold", ha="center", va="top")
    start, top = (width - max(widths)) / 2, height - PAD - head
    for row, room, tall in zip(rows, rooms, heights, strict=True):
        _place_row(figure, row, room, gap, start, top - _above(room))
        top -= tall + gap


def _whole(inches: float) -> float:
    """A little more, for a whole number of CSS pixels (and a hair, for the rounding down to come)."""
    return (math.ceil(inches * 72) + 0.01) / 72


def _above(row: Sequence[_Room]) -> float:
    return max(room.height / 2 + room.above for room in row)


def _below(row: Sequence[_Room]) -> float:
    return max(room.height / 2 + room.below for room in row)


def _place_row(
    figure: DescribedFigure,
    row: Sequence[Axes],
    rooms: Sequence[_Room],
    gap: float,
    left: float,
    middle: float,
) -> None:
    width, height = figure.get_size_inches()
    for axes, room in zip(row, rooms, strict=True):
        left += room.left
        bottom = middle - room.height / 2
        axes.set_position((left / width, bottom / height, room.width / width, room.height / height))
        left += room.width + room.right + gap


def between(figure: DescribedFigure, left: Axes, right: Axes, symbol: str, caption: str = "") -> None:
    """Write a symbol, and small words above it, in the middle of the gap between two arranged panels."""
    renderer = figure.canvas.get_renderer()
    x = (left.get_tightbbox(renderer).x1 + right.get_tightbbox(renderer).x0) / 2
    y = left.get_window_extent().y0 + left.get_window_extent().height / 2
    x, y = figure.transFigure.inverted().transform((x, y))
    figure.text(x, y, symbol, size=24, ha="center", va="center", color=INK)
    if caption:
        rise = 0.22 / figure.get_size_inches()[1]
        figure.text(x, y + rise, caption, size=SMALL, ha="center", va="bottom", color=INK)


def under(
    figure: DescribedFigure, above: Sequence[Axes], below: Sequence[Axes], symbol: str, caption: str = ""
) -> None:
    """Write a symbol, and small words beside it, in the middle of the gap between two arranged rows."""
    renderer = figure.canvas.get_renderer()
    tops = [axes.get_tightbbox(renderer).y1 for axes in below]
    bottoms = [axes.get_tightbbox(renderer).y0 for axes in above]
    inner = below[0].get_window_extent()
    x, y = (inner.x0 + inner.x1) / 2, (max(tops) + min(bottoms)) / 2
    x, y = figure.transFigure.inverted().transform((x, y))
    figure.text(x, y, symbol, size=24, ha="center", va="center", color=INK)
    if caption:
        aside = 0.18 / figure.get_size_inches()[0]
        figure.text(x + aside, y, caption, size=SMALL, ha="left", va="center", color=INK)


def settle(text: Text, places: Iterable[tuple[float, float]], taken: Sequence[Bbox]) -> Bbox:
    """Move a text to the first place that is free, or the least crowded; return what it covers there."""
    best, least = None, float("inf")
    for place in places:
        text.set_position(place)
        box = text.get_window_extent().padded(2)
        crowd = sum(_overlap(box, other) for other in taken)
        if crowd < least:
            best, least = place, crowd
        if not crowd:
            break
    text.set_position(best)
    return text.get_window_extent().padded(2)


def along(points: Iterable[tuple[float, float]], reach: float) -> list[Bbox]:
    """Small boxes round points in pixels: what a line covers."""
    return [Bbox.from_extents(x - reach, y - reach, x + reach, y + reach) for x, y in points]


def _overlap(one: Bbox, other: Bbox) -> float:
    shared = Bbox.intersection(one, other)
    return shared.width * shared.height if shared else 0.0
