"""The colour maps of cells: what a number's shade is, on white and in the dark."""

from functools import cache

import numpy as np
from matplotlib.colors import Colormap, LinearSegmentedColormap

from helpers.plots.style import BARS, MINUS, PLAIN, TINTS

_ZERO = "#FAFAFA"
KINDS = {
    "scores": (MINUS, "#B9BCC0", _ZERO, "#C9B6E4", BARS["score"], "#4A2382"),
    "weights": ("#FFFEF6", TINTS["weight"], BARS["weight"], "#B98506", "#6B4C02", "#3A2800"),
    "values": (MINUS, "#B9BCC0", _ZERO, "#A5E3C4", "#3DB98E", "#009E75"),
    "output": (MINUS, "#B9BCC0", _ZERO, "#EDC1D0", "#CC79A9", "#8A2E63"),
    "numbers": (MINUS, "#B9BCC0", _ZERO, "#A9D6DA", "#3C9AA3", PLAIN),
}
"""Colours of each kind, from low to high: weights from 0 to 1, others with 0 halfway and grey below.

None is the very colour of a line: each says its meaning alone."""

_BELOW = ("#A3A9AF", "#5D6267", "#1D1D1F")
DARK_KINDS = {
    "scores": (*_BELOW, "#5A4388", "#A382DC", "#E2D3FC"),
    "weights": ("#1D1B14", "#6B5412", "#BF911F", "#E6BC33", "#F5D876", "#FFF3C9"),
    "values": (*_BELOW, "#1F6A50", "#3DB98E", "#ABEFD5"),
    "output": (*_BELOW, "#75415F", "#CC79A9", "#F8D0E6"),
    "numbers": (*_BELOW, "#1F5F66", "#45A9B3", "#B5ECF2"),
}
"""The same in the dark, where 0 is the dark and more is brighter."""


@cache
def colours(kind: str, *, dark: bool = False) -> Colormap:
    """The colour map of a kind."""
    stops = (DARK_KINDS if dark else KINDS)[kind]
    places = np.linspace(0, 1, len(stops)) if kind == "weights" else [0, 0.25, 0.5, 2 / 3, 5 / 6, 1]
    return LinearSegmentedColormap.from_list(kind, list(zip(places, stops, strict=True)))
