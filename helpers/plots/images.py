"""An image cut into patches, which become tokens."""

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from helpers.arrays import array
from helpers.plots.figure import DescribedFigure
from helpers.plots.layout import arrange, panel, under
from helpers.plots.sizes import number_width, some
from helpers.plots.style import BLOCKED, FONT, HATCH, HATCH_INK, INK, LIT, MANY, PAPER, SMALL, ink_on, styled
from helpers.plots.words import Format, format_for, odd_in_words, rows_in_words

_SIDE = 2.6  # inches of the image


@styled
def patches(image: ArrayLike, size: int, *, title: str = "") -> DescribedFigure:
    """An image with its numbered patches, and the same patches flattened to one row each.

    Args:
        image: grey values, (H, W).
        size: height and width of a patch; must divide H and W.
        title: heading.

    Raises:
        ValueError: when the image is no matrix, or `size` does not divide it.
    """
    grey = array("image", image, 2)
    height, width = grey.shape
    if isinstance(size, bool) or not isinstance(size, int | np.integer) or size < 1:
        raise ValueError(f"size: expected a whole number from 1 on; got {size!r}")
    if height % size or width % size:
        raise ValueError(f"size: expected a divisor of both sides of the image {grey.shape}; got {size}")
    rows = grey.reshape(height // size, size, width // size, size).swapaxes(1, 2).reshape(-1, size * size)
    figure = DescribedFigure()
    unit = _SIDE / max(grey.shape)
    left = panel(figure, width * unit, height * unit)
    _draw_image(left, grey, size)
    right = _draw_rows(figure, rows, grey)
    many = len(rows) > MANY
    heading = f"{title} (numbers left out)".strip() if many else title
    arrange(figure, [[left], [right]], gap=0.6, title=heading, aligned=True)
    under(figure, [left], [right], "↓", "flatten")
    figure.description = _words(title, grey, rows, size)
    return figure


def _paint(axes: Axes, values: np.ndarray, grey: np.ndarray) -> None:
    """Grey cells on the scale of the whole image; what is no number is hatched."""
    finite = grey[np.isfinite(grey)]
    low, high = (finite.min(), finite.max()) if finite.size else (0.0, 1.0)
    high = high if high > low else low + 1
    axes.imshow(np.where(np.isfinite(values), values, low), cmap="gray", vmin=low, vmax=high, aspect="auto")
    for i, j in np.argwhere(~np.isfinite(values)):
        box = ((j - 0.5, j + 0.5, j + 0.5, j - 0.5), (i - 0.5, i - 0.5, i + 0.5, i + 0.5))
        axes.fill(*box, facecolor=BLOCKED, edgecolor=HATCH_INK, hatch=HATCH, linewidth=0)


def _draw_image(axes: Axes, grey: np.ndarray, size: int) -> None:
    height, width = grey.shape
    _paint(axes, grey, grey)
    axes.set(xlim=(-0.5, width - 0.5), ylim=(height - 0.5, -0.5), xticks=[], yticks=[])
    axes.set_title(f"image {grey.shape}", weight="bold")
    axes.vlines(np.arange(0, width + 1, size) - 0.5, -0.5, height - 0.5, color=LIT, linewidth=2.5)
    axes.hlines(np.arange(0, height + 1, size) - 0.5, -0.5, width - 0.5, color=LIT, linewidth=2.5)
    across = width // size
    count = (height // size) * across
    step = 1 if count <= MANY else int(np.ceil(across / 8))
    for number in range(count):
        i, j = divmod(number, across)
        if i % step == 0 and j % step == 0:
            box = {"facecolor": PAPER, "edgecolor": LIT, "boxstyle": "round,pad=0.15"}
            at = ((j + 0.5) * size - 0.5, (i + 0.5) * size - 0.5)
            axes.text(*at, str(number), ha="center", va="center", size=FONT, color=INK, bbox=box)


def _draw_rows(figure: DescribedFigure, rows: np.ndarray, grey: np.ndarray) -> Axes:
    count, length = rows.shape
    write = format_for(grey) if length <= 16 and count <= 16 else None
    wide, high = (
        (max(_tight(rows, write), 0.29), 0.42) if write else (min(4 / length, 0.3), min(5.5 / count, 0.34))
    )
    axes = panel(figure, length * wide, count * high)
    _paint(axes, rows, grey)
    ticks = some(count, high)
    axes.set_yticks(ticks, [f"patch {i}" for i in ticks])
    axes.set(ylim=(count - 0.5, -0.5), xlim=(-0.5, length - 0.5), xticks=[])
    axes.set_title(f"tokens {rows.shape}", weight="bold")
    axes.tick_params(length=0)
    if count <= MANY:
        axes.hlines(np.arange(1, count) - 0.5, -0.5, length - 0.5, color=LIT, linewidth=1.5)
    if write:
        image = axes.images[0]
        for (i, j), value in np.ndenumerate(rows):
            ink = ink_on(image.to_rgba(value)) if np.isfinite(value) else INK
            axes.text(j, i, write(value), ha="center", va="center", size=SMALL, color=ink)
    return axes


def _tight(rows: np.ndarray, write: Format) -> float:
    return max(number_width(write(x)) for x in rows.flat) + 0.1


def _words(title: str, grey: np.ndarray, rows: np.ndarray, size: int) -> str:
    (height, width), (count, length) = grey.shape, rows.shape
    start = (
        f"{title or 'Patches'}: an image of {height} by {width} grey values is cut into {count} patches of "
        f"{size} by {size}, numbered row by row from the top left ({width // size} in a row). "
        f"Each is flattened to one token of {length} numbers, a matrix of shape {rows.shape}. "
    )
    write = format_for(grey)
    if length <= 16 and count <= 16:
        names = [f"patch {i}" for i in range(count)]
        return start + rows_in_words(rows, names, write).capitalize() + "." + odd_in_words(grey)
    means = ", ".join(f"{i}: {format_for(rows.mean(axis=1))(x)}" for i, x in enumerate(rows.mean(axis=1)))
    return f"{start}Numbers left out; mean grey by patch, {means}.{odd_in_words(grey)}"
