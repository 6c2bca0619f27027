"""Views one can touch: HTML and JavaScript in one piece, which need neither a kernel nor a network.

Each function takes arrays (lists, NumPy, PyTorch), changes nothing, and returns a view that a notebook shows
by itself.  Where scripts are stripped, and pictures are not, a picture with its words stands there.
"""

import importlib
from typing import Any

_HOMES = {
    "View": "view",
    "explore_attention": "explorer",
    "explore_layers": "layers",
    "explore_steps": "steps",
    "explore_weights": "explorer",
}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    """Import a view on first use (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module 'helpers.views' has no attribute {name!r}; it has {', '.join(__all__)}")
    value = getattr(importlib.import_module(f"helpers.views.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
