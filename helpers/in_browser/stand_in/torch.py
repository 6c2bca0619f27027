"""Stands in a browser where PyTorch would: it can be imported and named, and says so when it is used.

The set-up cell imports PyTorch, and so do the course's own records of exercises. A browser has none, so
each name leads here; a call, or a number asked of one, ends in one sentence. The site's build puts this file
beside `helpers`; nowhere else is it ever on the path.
"""

import importlib.abc
import importlib.machinery
import math
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

STAND_IN = True
inf, nan, pi, e = math.inf, math.nan, math.pi, math.e


class NoPyTorch(ImportError):
    """PyTorch is not here."""

    def _render_traceback_(self) -> list[str]:
        return [f"NoPyTorch: {self}"]


def _stop(name: str) -> NoPyTorch:
    from helpers.browser import ELSEWHERE

    return NoPyTorch(f"{name} is PyTorch, which no browser runs: write it in NumPy, or {ELSEWHERE}.")


class _Absent:
    """Any name of PyTorch: it can be passed on and written in an annotation, and nothing else."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _named(f"{self.__name__}.{name}")

    def __or__(self, _other: object) -> Any:
        return self

    __ror__ = __or__

    def __repr__(self) -> str:
        return f"<{self.__name__}, which no browser runs>"

    def __call__(self, *_: Any, **__: Any) -> Any:
        raise _stop(self.__name__)

    __add__ = __radd__ = __mul__ = __rmul__ = __neg__ = __float__ = __int__ = __iter__ = __enter__ = __call__


class _Class(type):
    """A class of PyTorch's: it can be inherited from and asked for, not made."""

    def __call__(cls, *_: Any, **__: Any) -> Any:
        theirs = next(one for one in cls.__mro__ if one.__module__.partition(".")[0] == "torch")
        raise _stop(f"{theirs.__module__}.{theirs.__name__}")  # a learner's own class may inherit from it

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _named(f"{cls.__module__}.{cls.__name__}.{name}")


def _named(name: str) -> Any:
    home, _, last = name.rpartition(".")
    if last[:1].isupper():  # a class: it may stand after `class ...(`, in isinstance and in annotations
        return _CLASSES.setdefault(name, _Class(last, (), {"__module__": home}))
    return _Absent(name)


_CLASSES: dict[str, type] = {}


class _Module(ModuleType):
    __path__: Sequence[str] = ()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _named(f"{self.__name__}.{name}")


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds every module inside `torch`."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Any:
        if not fullname.startswith("torch."):
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: Any) -> ModuleType:
        return _Module(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing to run."""


__path__: Sequence[str] = ()
sys.modules[__name__].__class__ = _Module
sys.meta_path.insert(0, _Finder())
