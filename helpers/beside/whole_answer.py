"""Notice calls of a library function that would be the whole answer, by whatever name it goes.

Such an answer is right, and passes; but it is not the exercise, so the check says so.
"""

import contextlib
import functools
import os
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from types import CodeType, FunctionType, MethodType
from typing import Any

from helpers.beside.pytorch import pytorch

REFERENCE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "reference") + os.sep

UNSEEN = "sys.setprofile"
"""Noted where the answer stopped us from looking."""


@contextlib.contextmanager
def noting(names: Sequence[str], exercise: str, noted: set[str]) -> Iterator[None]:
    """Add to `noted` each of the dotted names that is called inside the block.

    Args:
        names: such as `"torch.softmax"`; those of libraries that are not imported cannot be called.
        exercise: its own answer in `helpers.reference` counts too.
        noted: the names found.
    """
    wanted: dict[str, Any] = {}
    for name in sorted(names, key=len):  # one function under two names is known by the shorter
        found = _resolve(name)
        if found is not None and not any(found is other for other in wanted.values()):
            wanted[name] = found
    codes = {id(code): name for name, found in wanted.items() for code in _codes(found)}
    ends = {"setprofile", *(name.split(".")[-1] for name in wanted)}
    setprofile, looking = sys.setprofile, True
    dull: dict[int, CodeType] = {}

    def name_of(code: CodeType) -> str:
        if id(code) in codes:
            return codes[id(code)]
        own = code.co_filename.startswith(REFERENCE) and exercise in code.co_qualname.split(".")
        return f"helpers.reference.{exercise}" if own else ""

    def note(frame: Any, event: str, called: Any) -> None:
        # for every call of the answer, so it must be fast; code objects are slow to hash, their ids are not
        if event == "call":
            code = frame.f_code
            if id(code) in dull:
                return
            if not (name := name_of(code)):
                dull[id(code)] = code  # kept, so that no other code gets its id
            elif not _within_numpy(frame):
                noted.add(name)
        elif event == "c_call" and called.__name__ in ends:
            if called is not setprofile:
                noted.update(name for name, found in wanted.items() if _is(called, name, found))
            elif looking:
                noted.add(UNSEEN)

    before = sys.getprofile()
    threading.setprofile(note)
    with _noting_torch(wanted, noted):
        sys.setprofile(note)
        try:
            yield
        finally:
            looking = False
            sys.setprofile(before)
            threading.setprofile(None)


def _noting_torch(wanted: Mapping[str, Any], noted: set[str]) -> contextlib.AbstractContextManager[Any]:
    """PyTorch's own way to see its functions called: also by `map`, a partial function, a subclass."""
    of_torch = [
        name
        for name, found in wanted.items()
        if name.startswith("torch.") and not _codes(found)  # of functions in Python the profile tells
    ]
    if not of_torch:
        return contextlib.nullcontext()
    ends = {f"{special}{name.split('.')[-1]}": name for name in of_torch for special in ("", "special_")}
    from torch.overrides import TorchFunctionMode

    class Mode(TorchFunctionMode):
        def __torch_function__(self, function: Any, _types: Any, args: Any = (), kwargs: Any = None) -> Any:
            try:  # no call in here but the wanted one: the profile would look at it too
                if function.__name__ in ends:
                    noted.add(ends[function.__name__])
            except AttributeError:
                pass
            return function(*args, **(kwargs or {}))

    return Mode()


def named_in(answer: Any, names: Sequence[str]) -> set[str]:
    """Dotted NumPy names that the answer mentions, itself or in what it calls: their calls cannot be seen."""
    wanted = {name: _resolve(name) for name in names if name.startswith("numpy.")}
    found: set[str] = set()
    if wanted:
        _look_for(wanted, answer, found, set())
    return found


def _look_for(wanted: dict[str, Any], thing: Any, found: set[str], seen: set[int]) -> None:
    if id(thing) in seen or len(seen) > 200:
        return
    seen.add(id(thing))
    found |= {name for name, function in wanted.items() if thing is function}
    if type(thing) is functools.partial:
        _look_for(wanted, thing.func, found, seen)
    numpy = sys.modules["numpy"]
    for function in _functions(thing):
        scope, words = function.__globals__, _words(function.__code__)
        if any(scope.get(word) is numpy for word in words) or "numpy" in words:
            found |= {name for name in wanted if name.removeprefix("numpy.") in words}
        near = [scope[word] for word in words if word in scope]
        with contextlib.suppress(ValueError):  # a cell that is still empty
            near += [cell.cell_contents for cell in function.__closure__ or ()]
        for other in [*near, *(function.__defaults__ or ())]:
            _look_for(wanted, other, found, seen)


def _words(code: CodeType) -> set[str]:
    """Names and texts in a piece of code, and in the functions inside it."""
    words = {*code.co_names, *(one for one in code.co_consts if isinstance(one, str))}
    return words.union(*(_words(one) for one in code.co_consts if isinstance(one, CodeType)))


def _resolve(name: str) -> Any:
    root, *rest = name.split(".")
    if root not in sys.modules or (root == "torch" and not pytorch()):
        return None
    with contextlib.suppress(AttributeError):
        return functools.reduce(getattr, rest, sys.modules[root])
    return None


def _functions(thing: Any) -> list[FunctionType]:
    """A Python function, or the methods of a class; nothing of the learner's runs while we look."""
    if type(thing) is MethodType:
        thing = thing.__func__
    if type(thing) is FunctionType:
        return [thing]
    if isinstance(thing, type):
        members = type.__dict__["__dict__"].__get__(thing).values()
        return [member for member in members if type(member) is FunctionType]
    return []


def _codes(thing: Any) -> list[CodeType]:
    return [function.__code__ for function in _functions(thing)]


def _within_numpy(frame: Any) -> bool:
    """Whether NumPy itself made the call: `np.triu` calls `np.tri`."""
    caller = frame.f_back
    return bool(caller) and f"{os.sep}numpy{os.sep}" in caller.f_code.co_filename


def _is(called: Any, name: str, found: Any) -> bool:
    """Whether a C function is the wanted one, or the method of that name of an array or tensor."""
    numpy, torch = sys.modules["numpy"], pytorch()
    kinds = {"numpy": numpy.ndarray, "torch": torch.Tensor if torch else ()}
    package, end = name.split(".")[0], called.__name__
    is_method = isinstance(getattr(called, "__self__", None), kinds.get(package, ()))
    return called is found or (is_method and name == f"{package}.{end}")
