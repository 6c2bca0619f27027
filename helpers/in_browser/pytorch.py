"""What stands under `torch` in a browser: a stand-in for PyTorch, over NumPy."""

import sys
from pathlib import Path

STAND_IN = str(Path(__file__).with_name("stand_in"))


def findable() -> None:
    """Let `import torch` find the stand-in."""
    if STAND_IN not in sys.path:
        sys.path.append(STAND_IN)
