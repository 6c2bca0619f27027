"""PyTorch, where it is imported; in a browser it may be its stand-in (`helpers/in_browser/stand_in`)."""

import sys
from types import ModuleType


def pytorch() -> ModuleType | None:
    """The imported PyTorch, or what stands in for it; `None` where neither is."""
    return sys.modules.get("torch")
