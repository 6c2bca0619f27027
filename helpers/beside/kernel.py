"""Where the code runs: in a notebook's kernel or elsewhere."""

import os
import sys
from typing import Any

AS_SVG = "COURSE_FIGURES_AS_SVG"
"""Where this variable is set, figures are drawings and not pixels: the site asks for it."""


def shell() -> Any:
    """IPython's shell, `None` where there is none; asks without importing IPython."""
    return sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None


def in_notebook() -> bool:
    """Whether a Jupyter kernel shows what we display."""
    return hasattr(shell(), "kernel")


def before_a_person() -> bool:
    """Whether a person works in a notebook: what nbgrader runs, and the site's build, are nobody's."""
    nobody = {AS_SVG, "NBGRADER_EXECUTION"}.intersection(os.environ)
    return in_notebook() and (sys.platform == "emscripten" or not nobody)  # a page asks for drawings too
