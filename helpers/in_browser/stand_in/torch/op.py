"""A function of PyTorch's as it is called: what it refuses, in its words, and who looks on."""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from torch.dtypes import Size, brain, settings

FUNCTIONS: dict[str, Any] = {}
METHODS: dict[str, Any] = {}
watching: dict[str, list] = {"function": [], "dispatch": []}
"""Those who look on: at every call, and at every result."""

SAME = {"axis": "dim", "keepdims": "keepdim", "x": "input", "x1": "input", "x2": "other"}
"""NumPy's names for arguments, which PyTorch takes too."""


def kind(value: Any) -> str:
    """What an error calls a value's type."""
    of = type(value)
    return f"numpy.{of.__name__}" if of.__module__ == "numpy" else of.__name__


class Op:
    """A function, called by itself or as a tensor's method.

    An argument annotated `Tensor` must be one, and one annotated `int` a whole number.
    """

    def __init__(self, run: Callable, several: bool = False, name: str = "") -> None:
        self.run, self.__name__, self.__doc__ = run, name or run.__name__, run.__doc__
        self.__wrapped__, self.several = run, several
        parameters = inspect.signature(run).parameters
        self.names = set(parameters)
        self.checked = [
            (place, name, one.annotation)
            for place, (name, one) in enumerate(parameters.items())
            if one.annotation in ("Tensor", int)
        ]

    def __get__(self, me: Any, _kind: Any = None) -> Any:
        return self if me is None else Bound(self, me)

    def __call__(self, *args: Any, **named: Any) -> Any:
        return self.call(1, args, named)

    def __repr__(self) -> str:
        return f"<built-in method {self.__name__} of type object>"

    def __reduce__(self) -> Any:
        return _named, (self.__name__,)

    def call(self, first: int, args: tuple, named: dict) -> Any:
        """Run it; `first` is what an error calls the place of the first argument."""
        if watching["function"]:
            mode = watching["function"].pop()
            try:
                return mode.__torch_function__(self, (), args, named)
            finally:
                watching["function"].append(mode)
        if named:
            named = {
                SAME[name] if name not in self.names and SAME.get(name) in self.names else name: value
                for name, value in named.items()
            }
        for place, name, wanted in self.checked:
            if place < len(args):
                value = args[place]
            elif name in named:
                value = named[name]
            else:
                continue
            if wanted == "Tensor":
                if not hasattr(value, "_storage"):
                    raise TypeError(self._refused(first, place, name, "Tensor", value, args, named))
            elif type(value) is not int:
                value = self._whole(first, place, name, value, args, named)
                if place < len(args):
                    args = (*args[:place], value, *args[place + 1 :])
                else:
                    named[name] = value
        try:
            with np.errstate(all="ignore"):  # PyTorch warns of no number
                found = self.run(*args, **named)
        except TypeError as error:
            if error.__traceback__ is None or error.__traceback__.tb_next is None:  # not even begun
                raise TypeError(self._misfit(str(error), args, named)) from None
            raise
        if settings["bfloat16"]:
            _as_brain(found, args)
        return looked_at(found)

    def _whole(self, first: int, place: int, name: str, value: Any, args: tuple, named: dict) -> int:
        try:
            if isinstance(value, bool | float | tuple | list):
                raise TypeError
            return value.__index__()
        except (TypeError, AttributeError):
            raise TypeError(self._refused(first, place, name, "int", value, args, named)) from None

    def _refused(
        self, first: int, place: int, name: str, wanted: str, value: Any, args: Any, named: Any
    ) -> str:
        if self.several:
            return self.invalid(args[1 - first :], named)
        return f"{self.__name__}(): argument '{name}' (position {place + first}) must be {wanted}, not {kind(value)}"

    def invalid(self, args: tuple, named: dict) -> str:
        got = ", ".join([*map(kind, args), *(f"{name}={kind(one)}" for name, one in named.items())])
        return f"{self.__name__}() received an invalid combination of arguments - got ({got}), but expected one of:"

    def _misfit(self, says: str, args: tuple, named: dict) -> str:
        if self.several:
            return self.invalid(args[1:], named)
        if "missing" in says:
            names = [part for part in says.split("'")[1::2]]
            listed = ", ".join(f'"{name}"' for name in names)
            ending = "arguments" if len(names) == 1 else "argument"
            return f"{self.__name__}() missing {len(names)} required positional {ending}: {listed}"
        return says


Op.__name__ = Op.__qualname__ = "builtin_function_or_method"


class Bound:
    """A tensor's method."""

    __slots__ = ("__self__", "op")

    def __init__(self, op: Op, me: Any) -> None:
        self.op, self.__self__ = op, me

    def __call__(self, *args: Any, **named: Any) -> Any:
        return self.op.call(0, (self.__self__, *args), named)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.op, name)

    def __repr__(self) -> str:
        return f"<built-in method {self.op.__name__} of Tensor object>"


Bound.__name__ = Bound.__qualname__ = "builtin_function_or_method"


def looked_at(found: Any) -> Any:
    """Show a result to those who look on; gives the result."""
    if watching["dispatch"]:
        mode = watching["dispatch"].pop()
        try:
            mode.__torch_dispatch__(lambda: found, ())
        finally:
            watching["dispatch"].append(mode)
    return found


def _as_brain(found: Any, args: tuple) -> None:
    """Results of bfloat16 alone are rounded too."""
    floats = [x for x in args if hasattr(x, "_storage") and x._a.dtype.kind == "f" and x._a.ndim]
    if floats and all(one._brain for one in floats):
        for one in found if isinstance(found, tuple) else (found,):
            if (
                hasattr(one, "_storage")
                and one._a.dtype == "float32"
                and "_brain" not in one.__dict__
                and one._base is None
            ):
                one._a, one._brain = brain(one._a), True
            elif hasattr(one, "_storage") and one._base is not None:
                one._brain = True


def _named(name: str) -> Any:
    return FUNCTIONS.get(name) or METHODS[name]


def _into(*tables: dict[str, Any]) -> Any:
    """A decorator that makes a function known in these tables."""

    def known(run: Callable | None = None, *, several: bool = False, name: str = "") -> Any:
        if run is None:
            return lambda one: known(one, several=several, name=name)
        made = Op(run, several, name)
        for table in tables:
            table[made.__name__] = made
        return run

    return known


op = _into(FUNCTIONS, METHODS)
"""Make a function known, by itself and as a method of tensors."""

function = _into(FUNCTIONS)
"""Make a function known that is no method."""

method = _into(METHODS)
"""Make a function known as a method alone."""


def sizes(given: tuple, name: str = "size", of: str = "") -> tuple[int, ...]:
    """Sizes that came one by one or as one tuple."""
    if len(given) == 1 and isinstance(given[0], tuple | list | Size):
        given = tuple(given[0])
    found = []
    for place, one in enumerate(given):
        try:
            if isinstance(one, bool | float):
                raise TypeError
            found.append(one.__index__())
        except (TypeError, AttributeError):
            if of:
                says = f"{of}(): argument '{name}' (position 1) must be tuple of ints, not {kind(one)}"
                if place:
                    says = f"{of}(): argument '{name}' failed to unpack the object at pos {place + 1}"
                raise TypeError(says) from None
            raise
    return tuple(found)


def axis(dim: Any, ndim: int) -> int:
    """A dimension counted from 0.

    Raises:
        IndexError: when there is none.
    """
    n = max(ndim, 1)
    if not -n <= dim < n:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], but got {dim})"
        )
    return dim % n
