"""Packages that import their parts on first use (PEP 562), so that importing the package is cheap."""

import importlib
from collections.abc import Callable, Mapping
from typing import Any


def parts_of(package: str, homes: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The `__getattr__` and `__dir__` of such a package.

    Args:
        package: its `__name__`.
        homes: public name to the module of the package that holds it, or to `.other.module` beside it.
    """

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(
                f"module {package!r} has no attribute {name!r}; it has {', '.join(sorted(homes))}"
            )
        module = importlib.import_module(package)
        value = getattr(importlib.import_module(f".{homes[name]}", package), name)
        setattr(module, name, value)
        return value

    return get, lambda: sorted(homes)
