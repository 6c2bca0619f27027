"""Where the code runs: in a notebook's kernel or elsewhere."""

import sys
from typing import Any


def shell() -> Any:
    """IPython's shell, `None` where there is none; asks without importing IPython."""
    return sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None


def in_notebook() -> bool:
    """Whether a Jupyter kernel shows what we display."""
    return hasattr(shell(), "kernel")
