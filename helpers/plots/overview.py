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
from helpers.plots.style import BLOCKED, styled
from helpers.plots.words import odd_in_words, plural

_WIDE = 5.4  # inches for all heads of a layer
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
    from matplotlib.colors import Normalize

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
    scale = ScalarMappable(Normalize(0, 1), colours)
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
    arrange(figure, [[axes]], title=title)
    figure.description = f"{title or 'All heads'}: attention weights of {plural(layers, 'layer')} with "
    figure.description += f"{plural(heads, 'head')} each, {plural(n_q, 'query')} ({', '.join(names)}) by "
    figure.description += f"{plural(n_k, 'key')}. {_words(measured)}{odd_in_words(found)}"
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
    axes.add_collection(PatchCollection(frames, facecolor="none", edgecolor=BLOCKED, linewidth=0.8))


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
