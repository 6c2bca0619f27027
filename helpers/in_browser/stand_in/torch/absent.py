"""Names that PyTorch has and the stand-in does not: each says so by name, as soon as it is used.

Names that PyTorch does not have either give its own AttributeError, so that a slip of the pen is told as one.
"""

import importlib.abc
import importlib.machinery
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from torch.errors import lacking

NAMES: dict[str, list[str]] = {
    head: names.split()
    for head, _, names in (
        line.partition(": ") for line in (Path(__file__).parent / "names.txt").read_text("utf-8").splitlines()
    )
}
"""The public names of PyTorch's modules, and of its tensors: `tests/test_stand_in.py` writes them."""


class _Absent:
    """A function or a module: it can be passed on and written in an annotation, and nothing else."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return named(f"{self.__name__}.{name}")

    def __or__(self, _other: object) -> Any:
        return self

    __ror__ = __or__

    def __repr__(self) -> str:
        return f"<{self.__name__}, which does not stand in this browser>"

    def __call__(self, *_: Any, **__: Any) -> Any:
        raise lacking(self.__name__)

    __add__ = __radd__ = __mul__ = __rmul__ = __neg__ = __float__ = __int__ = __iter__ = __enter__ = __call__


class _Class(type):
    """A class of PyTorch's: it can be inherited from and asked for, not made."""

    def __call__(cls, *_: Any, **__: Any) -> Any:
        theirs = next(one for one in cls.__mro__ if one.__module__.partition(".")[0] == "torch")
        raise lacking(f"{theirs.__module__}.{theirs.__name__}")  # a learner's own class may inherit from it

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return named(f"{cls.__module__}.{cls.__name__}.{name}")


def named(name: str) -> Any:
    """What stands for an absent name."""
    home, _, last = name.rpartition(".")
    if last[:1].isupper():  # a class: it may stand after `class ...(`, in isinstance and in annotations
        return _CLASSES.setdefault(name, _Class(last, (), {"__module__": home}))
    return _Absent(name)


_CLASSES: dict[str, type] = {}


def of_tensors(name: str, otherwise: str, one: Any = None) -> Any:
    """A method of PyTorch's tensors that these do not have."""
    if name.startswith("__") or name not in NAMES["Tensor"]:
        raise AttributeError(otherwise, name=name, obj=one)
    return _Absent(f"Tensor.{name}")


class Module(ModuleType):
    """A module of which a part is there."""

    __path__: Sequence[str] = ()

    def __getattr__(self, name: str) -> Any:
        known = NAMES.get(self.__name__)
        if name.startswith("__") or (known is not None and name not in known):
            raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'", name=name, obj=self)
        return named(f"{self.__name__}.{name}")

    def __dir__(self) -> list[str]:
        return sorted({*vars(self), *NAMES.get(self.__name__, ())})


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds every other module inside `torch`."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Any:
        if not fullname.startswith("torch."):
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: Any) -> ModuleType:
        return Module(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing to run."""


def finish() -> None:
    """From now on all names of PyTorch's lead somewhere."""
    sys.meta_path.append(_Finder())  # behind those who find what is there
