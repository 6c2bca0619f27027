"""Everything a notebook of the course needs: checks, hints, plots and reference answers.

`import helpers` costs a few milliseconds: nothing heavy (NumPy, PyTorch, Matplotlib) is imported
before a check, a plot or a reference answer needs it.
"""

import importlib
import sys
from typing import Any

if sys.version_info < (3, 11):  # noqa: UP036 - a kernel picked by hand can be older than the course
    raise ImportError(
        "This course needs Python 3.11 or newer, and this kernel runs "
        f"{sys.version_info.major}.{sys.version_info.minor}: choose another kernel, or run `make setup`."
    )

_HOMES = {
    "CheckFailed": "helpers.errors",
    "before_you_start": "helpers.learner.reviewing",
    "check": "helpers.learner.checking",
    "forget": "helpers.learner.progress_record",
    "hand_in": "helpers.learner.handing_in",
    "hint": "helpers.learner.hints",
    "inventory": "helpers.learner.inventory",
    "others": "helpers.learner.other_answers",
    "progress": "helpers.learner.progress_record",
    "reset": "helpers.learner.answer_reset",
    "reveal": "helpers.learner.guesses",
    "review": "helpers.learner.reviewing",
    "settle": "helpers.learner.guesses",
    "trace": "helpers.learner.tracing",
    "try_it": "helpers.beside.trying",
    "example": None,
    "plots": None,
    "reference": None,
    "training": None,
    "views": None,
    "yours": "helpers.learner.yours",
}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    """Import a public name on first use (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module 'helpers' has no attribute {name!r}; it has {', '.join(__all__)}")
    home = _HOMES[name]
    if home is None:
        return importlib.import_module(f"helpers.{name}")
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__


if "IPython" in sys.modules:
    importlib.import_module("helpers.beside.failed_cells").watch()
if sys.platform == "emscripten":
    importlib.import_module("helpers.in_browser.pytorch").findable()
