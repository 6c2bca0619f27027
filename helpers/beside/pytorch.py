"""PyTorch, where it is imported and is itself: in a browser something else has its name."""

import sys
from types import ModuleType


def pytorch() -> ModuleType | None:
    """The imported PyTorch; `None` where there is none, or its stand-in (`helpers/in_browser/stand_in`)."""
    torch = sys.modules.get("torch")
    return None if torch is None or hasattr(torch, "STAND_IN") else torch
