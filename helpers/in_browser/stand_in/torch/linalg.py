"""`torch.linalg`: lengths."""

from typing import Any

from torch.op import METHODS


def vector_norm(x: Any, ord: Any = 2, dim: Any = None, keepdim: bool = False) -> Any:
    """The length of vectors."""
    return METHODS["norm"](x, ord, dim, keepdim)


norm = vector_norm
