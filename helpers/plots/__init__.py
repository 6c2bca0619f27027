"""The pictures of the course, each with a text alternative that carries the same numbers.

Every function takes arrays (lists, NumPy, PyTorch), changes nothing, and returns a figure that a notebook
shows by itself; its `description` says in words what is drawn.  `import helpers.plots` is cheap: Matplotlib
is imported when the first plot is asked for, and pyplot never.
"""

import importlib
from typing import Any

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
    "softmax_bars": "bars",
    "vectors": "arrows",
}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    """Import a plot on first use (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module 'helpers.plots' has no attribute {name!r}; it has {', '.join(__all__)}")
    value = getattr(importlib.import_module(f"helpers.plots.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
