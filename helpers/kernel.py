"""Where the code runs: in a notebook's kernel or elsewhere."""

import sys


def in_notebook() -> bool:
    """Whether a Jupyter kernel shows what we display; asks without importing IPython."""
    shell = "IPython" in sys.modules and sys.modules["IPython"].get_ipython()
    return bool(shell) and hasattr(shell, "kernel")
