"""All heads of all layers in one picture."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from helpers.arrays import array, labels
from helpers.plots.cells import colour_bar
from helpers.plots.figure import DescribedFigure
from helpers.plots.layout import arrange, panel
from helpers.plots.maps import colours as colours_of
from helpers.plots.style import FAINT, INK, PAPER, SMALL, styled
from helpers.plots.words import odd_in_words, plural

_WIDE = 6.2  # inches for all heads of a layer
_DEEPER = 0.6  # shades of tiny cells: the colour of x is that of x to this power, and the bar says so
_STANDS_OUT = 0.3  # mean weight from which on a head is worth a frame
_ROUNDING = 0.01  # what low precision may add to a weight


def overview(weights: ArrayLike, *, tokens: Sequence[Any] | None = None, title: str = "") -> DescribedFigure:
    """Small multiples: a row of pictures for each layer, one picture for each head, darker is more weight.

    Args:
        weights: (layers, h, n_q, n_k).
        tokens: n_q labels, for the description.
        title: heading.

    Raises:
        ValueError: when the shape or the number of labels is not as above.
    """
    found = array("weights", weights)
    if found.ndim != 4:
        raise ValueError(f"weights: expected (layers, h, n_q, n_k); got shape {found.shape}")
    odd = found[(found < -_ROUNDING) | (found > 1 + _ROUNDING)]
    if odd.size:
        raise ValueError(f"weights: expected numbers from 0 to 1; got {odd[0]:g}")
    return draw(
        found, found, labels("tokens", tokens, found.shape[2], f"query of weights {found.shape}"), title
    )


@styled
def draw(found: np.ndarray, measured: np.ndarray, names: Sequence[str], title: str) -> DescribedFigure:
    """Draw weights, and describe those they were made of: a view with many tokens draws the first ones."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import PowerNorm

    layers, heads, n_q, n_k = found.shape
    gap = max(1, round(max(n_q, n_k) / 10))
    board = np.full((layers * (n_q + gap) - gap, heads * (n_k + gap) - gap), np.nan)
    for layer, head in np.ndindex(layers, heads):
        top, left = layer * (n_q + gap), head * (n_k + gap)
        board[top : top + n_q, left : left + n_k] = found[layer, head]
    figure = DescribedFigure()
    cell = min(_WIDE / board.shape[1], 0.2)
    axes = panel(figure, board.shape[1] * cell, board.shape[0] * cell)
    colours = colours_of("weights").with_extremes(bad=(1, 1, 1, 0))
    scale = ScalarMappable(PowerNorm(_DEEPER, 0, 1), colours)
    axes.imshow(board, cmap=colours, norm=scale.norm, aspect="auto", interpolation="nearest")
    _frame(axes, found.shape, gap)
    axes.set_xticks([head * (n_k + gap) + (n_k - 1) / 2 for head in range(heads)], range(heads))
    axes.set_yticks([layer * (n_q + gap) + (n_q - 1) / 2 for layer in range(layers)], range(layers))
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    axes.set(xlabel="head", ylabel="layer")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    colour_bar(figure, axes, scale)
    framed = _framed(measured)
    _draw_framed(axes, framed, found.shape, gap)
    arrange(figure, [[axes]], title=title)
    figure.description = f"{title or 'All heads'}: attention weights of {plural(layers, 'layer')} with "
    figure.description += f"{plural(heads, 'head')} each, {plural(n_q, 'query')} ({', '.join(names)}) by "
    figure.description += (
        f"{plural(n_k, 'key')}. {_words(measured)}{_framed_words(framed)}{odd_in_words(found)}"
    )
    return figure


def _frame(axes: Any, shape: tuple[int, ...], gap: int) -> None:
    """A thin frame round each head, so that a pale one can be seen."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    layers, heads, n_q, n_k = shape
    frames = [
        Rectangle((head * (n_k + gap) - 0.5, layer * (n_q + gap) - 0.5), n_k, n_q)
        for layer, head in np.ndindex(layers, heads)
    ]
    axes.add_collection(PatchCollection(frames, facecolor="none", edgecolor=FAINT, linewidth=0.6))


Framed = dict[str, tuple[int, int, float]]
"""What a head looks at: its layer, itself, and its mean weight there."""


def _framed(found: np.ndarray) -> Framed:
    """The heads that look most at the token before, the one after and the first, where they do so much."""
    if not np.isfinite(found).all():
        return {}
    means = {"the first token": found[..., 0].mean(-1)}
    if found.shape[2] == found.shape[3] and found.shape[2] > 1:
        sides = {"the token before": -1, "the token after": 1}
        means = {name: found.diagonal(shift, 2, 3).mean(-1) for name, shift in sides.items()} | means
    best = {name: np.unravel_index(mean.argmax(), mean.shape) for name, mean in means.items()}
    return {
        name: (*map(int, at), float(means[name][at]))
        for name, at in best.items()
        if means[name][at] > _STANDS_OUT
    }


def _draw_framed(axes: Any, framed: Framed, shape: tuple[int, ...], gap: int) -> None:
    """A frame and a letter for each, and below all pictures what it looks at."""
    from matplotlib.patches import Rectangle

    _, _, n_q, n_k = shape
    for letter, (layer, head, _) in zip("ABC", framed.values(), strict=False):
        left, top = head * (n_k + gap) - 0.5, layer * (n_q + gap) - 0.5
        axes.add_patch(
            Rectangle((left, top), n_k, n_q, facecolor="none", edgecolor=INK, linewidth=2, clip_on=False)
        )
        box = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.5, "alpha": 0.85}
        at = {"ha": "right", "va": "top", "size": SMALL, "weight": "bold", "bbox": box}
        axes.text(left + 0.94 * n_k, top + 0.1 * n_q, letter, **at)
    lines = [
        f"{letter}: layer {layer}, head {head} looks at {name}, mean weight {mean:.2f}"
        for letter, (name, (layer, head, mean)) in zip("ABC", framed.items(), strict=False)
    ]
    below = {"xytext": (0, -8), "textcoords": "offset points", "va": "top", "annotation_clip": False}
    axes.annotate("\n".join(lines), (0, 0), xycoords="axes fraction", size=SMALL, linespacing=1.4, **below)


def _framed_words(framed: Framed) -> str:
    said = [
        f"layer {layer}, head {head} ({name}, {mean:.2f})" for name, (layer, head, mean) in framed.items()
    ]
    return f" Framed: {', '.join(said)}." if said else ""


def _words(found: np.ndarray) -> str:
    """For each layer, the heads that look most at the token before, at themselves and at the first token."""
    if not np.isfinite(found).all():
        return ""
    square = found.shape[2] == found.shape[3]  # in cross-attention no key is the token before
    looks = {"the token before": -1, "the token itself": 0} if square else {}
    said = []
    for number, layer in enumerate(found):
        means = {
            name: layer.diagonal(shift, 1, 2).mean(-1)
            for name, shift in looks.items()
            if layer.shape[1] > -shift
        }
        means["the first token"] = layer[:, :, 0].mean(-1)
        parts = [f"{name} in head {mean.argmax()} ({mean.max():.2f})" for name, mean in means.items()]
        said.append(f"Layer {number}: most weight on {', on '.join(parts)}.")
    return " ".join(said)
