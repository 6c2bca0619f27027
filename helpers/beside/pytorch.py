"""PyTorch, where it is imported; in a browser that may be what stands in for it (`helpers/in_browser/stand_in`)."""

import sys
from types import ModuleType


def pytorch() -> ModuleType | None:
    """The imported PyTorch, or what stands in for it; `None` where neither is."""
    return sys.modules.get("torch")
