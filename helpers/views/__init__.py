"""Views one can touch: HTML and JavaScript in one piece, which need neither a kernel nor a network.

Each function takes arrays (lists, NumPy, PyTorch), changes nothing, and returns a view that a notebook shows
by itself.  Where scripts are stripped, and pictures are not, a picture with its words stands there.
"""

from helpers.lazy import parts_of

_HOMES = {
    "View": "view",
    "explore_layers": "layers",
    "explore_weights": "loom_view",
    "loom": "loom_view",
    "real_model": "real_view",
    "trace": "trace_call",
}
__all__ = sorted(_HOMES)
__getattr__, __dir__ = parts_of(__name__, _HOMES)
