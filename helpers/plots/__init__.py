"""The pictures of the course, each with a text alternative that carries the same numbers.

Every function takes arrays (lists, NumPy, PyTorch), changes nothing, and returns a figure that a notebook
shows by itself; its `description` says in words what is drawn.  `import helpers.plots` is cheap: Matplotlib
is imported when the first plot is asked for, and pyplot never.
"""

from helpers.lazy import parts_of

_HOMES = {
    "DescribedFigure": "figure",
    "arcs": "sentence",
    "chain": "pipeline",
    "curves": "lines",
    "heads": "multiples",
    "heatmap": "heatmaps",
    "histogram": "samples",
    "mask": "heatmaps",
    "matrices": "products",
    "nine_steps": "nine_steps",
    "overview": "overview",
    "patches": "images",
    "shapes": "shapes",
    "softmax_bars": "bars",
    "transformer": "machine",
    "vectors": "arrows",
}
__all__ = sorted(_HOMES)
__getattr__, __dir__ = parts_of(__name__, _HOMES)
