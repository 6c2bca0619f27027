"""One reference answer for every exercise, under the exercise's own name.

`helpers.reference.softmax` is a way to write `softmax`, not the only one.  The checks do not use
these functions: their oracle is PyTorch.
"""

import importlib
from typing import Any

from helpers.units import OWN, UNIT_OF

__all__ = sorted(UNIT_OF.keys() - set(OWN))


def __getattr__(name: str) -> Any:
    """Import the unit that holds an answer on first use; PyTorch comes only with the classes."""
    if name not in __all__:
        there = ", ".join(one for one in UNIT_OF if one not in OWN)
        raise AttributeError(f"helpers.reference has no answer {name!r}; it has {there}")
    module = importlib.import_module(f"helpers.reference.unit_{UNIT_OF[name]}")
    return getattr(module, name)


def __dir__() -> list[str]:
    return __all__
