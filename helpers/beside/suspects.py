"""What a learner's test is handed: a function that may be right, or an impostor.

The program behind it may be in another process. What goes in and what comes out are plain values in either
case, so that a suspect behaves the same in a notebook and in the sandbox, and tells of itself nothing else.
"""

import builtins
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from helpers.beside.probes.base import ProbeError
from helpers.beside.pytorch import pytorch

Ask = Callable[[dict[str, Any]], Mapping[str, Any]]

MOST = 20_000
"""So many numbers may be handed in at once: the answer is computed on the side of the verdict."""

LOOKS = "looks-inside"
LOOKS_HINT = "Call it with inputs of your own: what should a right answer give there?"


class _LooksInside(ProbeError, AttributeError):
    """An attribute of a suspect; libraries that only ask whether there is one take it for none."""


class Suspect:
    """A function to be tested; it looks the same whichever program answers.

    Args:
        ask: takes a call as plain values and gives back what came of it, see `answered`.
    """

    __slots__ = ("_ask", "_calls", "_raised")

    def __init__(self, ask: Ask) -> None:
        object.__setattr__(self, "_ask", ask)
        object.__setattr__(self, "_calls", 0)
        object.__setattr__(self, "_raised", None)

    def __call__(self, *args: Any, **named: Any) -> Any:
        """What the program returns or raises; what it writes into an array is written there too."""
        arrays: list[np.ndarray] = []
        question = {"args": [plain(one, arrays) for one in args]}
        question["named"] = [[name, plain(one, arrays)] for name, one in named.items()]
        if sum(one.size for one in arrays) > MOST:
            raise ProbeError(
                f"it hands in more than {MOST:,} numbers at once",
                "input-too-large",
                "Small inputs tell programs apart too: which sizes have to differ?",
            )
        object.__setattr__(self, "_calls", object.__getattribute__(self, "_calls") + 1)
        back = object.__getattribute__(self, "_ask")(question)
        for place, array in back["written"]:
            arrays[place][...] = array
        if back["error"]:
            kind, text = back["error"]
            raised = _builtin(kind)(text)
            object.__setattr__(self, "_raised", raised)
            raise raised
        return unplain(back["value"])

    def __getattribute__(self, name: str) -> Any:
        if name in ("__class__", "__call__"):  # Python's own `isinstance` and `callable`
            return object.__getattribute__(self, name)
        raise _LooksInside(
            f"it looks at `{name}` of what it is handed: a test judges what comes back", LOOKS, LOOKS_HINT
        )

    def __setattr__(self, name: str, _value: Any) -> None:
        raise ProbeError(f"it changes what it is handed, by setting `{name}`", "input-changed", LOOKS_HINT)

    def __repr__(self) -> str:
        return "<a function to be tested>"


def calls_of(suspect: Suspect) -> int:
    """How often a suspect was called."""
    return object.__getattribute__(suspect, "_calls")


def raised_by(suspect: Suspect) -> Exception | None:
    """The last error that a suspect raised."""
    return object.__getattribute__(suspect, "_raised")


def answered(program: Callable[..., Any]) -> Ask:
    """Lets a program answer what a `Suspect` asks."""

    def ask(question: Mapping[str, Any]) -> dict[str, Any]:
        arrays: list[np.ndarray] = []
        args = [unplain(one, arrays) for one in question["args"]]
        named = {name: unplain(one, arrays) for name, one in question["named"]}
        before = [one.copy() for one in arrays]
        value, error = None, None
        try:
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                value = plain(program(*args, **named), [])
        except Exception as problem:
            error = [_kind(problem), str(problem)[:300]]
        pairs = enumerate(zip(before, arrays, strict=True))
        written = [[place, now] for place, (was, now) in pairs if was.tobytes() != now.tobytes()]
        return {"value": value, "error": error, "written": written}

    return ask


def _kind(error: Exception) -> str:
    """The nearest of Python's own errors."""
    names = (one.__name__ for one in type(error).__mro__ if one.__module__ == "builtins")
    name = next(names, "Exception")
    return "RuntimeError" if name == "Exception" else name


def _builtin(name: str) -> Callable[[str], Exception]:
    kind = getattr(builtins, str(name), None)
    plain_error = (
        isinstance(kind, type) and issubclass(kind, Exception) and not issubclass(kind, UnicodeError)
    )
    return kind if plain_error else RuntimeError


def plain(value: Any, arrays: list[np.ndarray]) -> Any:
    """A value as a nest that crosses to another process; its arrays are added to `arrays` as they are.

    Raises:
        ProbeError: for anything but numbers, texts, arrays, tensors and what holds them.
    """
    torch = pytorch()
    if torch is not None and isinstance(value, torch.Tensor):
        value = value.detach().cpu().numpy()
    if isinstance(value, np.ndarray | np.generic | complex) and np.asarray(value).dtype.kind in "biufc":
        array = np.asarray(value)
        wide = array.dtype.kind == "f" and array.itemsize > 8  # long doubles do not cross
        copy = np.array(array, np.float64 if wide else array.dtype.newbyteorder("="), order="C", subok=False)
        if isinstance(value, np.ndarray):
            arrays.append(value)
            return {"array": copy}
        return {"scalar": copy}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple):
        return {"list" if isinstance(value, list) else "tuple": [plain(one, arrays) for one in value]}
    if isinstance(value, dict):
        return {"dict": [[str(key), plain(one, arrays)] for key, one in value.items()]}
    kind = f"an array of {value.dtype}" if isinstance(value, np.ndarray) else type(value).__name__
    raise ProbeError(
        f"it hands {kind} to the function: hand in arrays, numbers, `None`, or lists and tuples of them",
        "wrong-argument",
        "What does the task of the function say it takes?",
    )


def unplain(nest: Any, arrays: list[np.ndarray] | None = None) -> Any:
    """The value again; its arrays are added to `arrays`."""
    if not isinstance(nest, dict):
        return nest
    ((kind, content),) = nest.items()
    if kind == "array":
        array = np.array(content)
        if arrays is not None:
            arrays.append(array)
        return array
    if kind == "scalar":
        return np.asarray(content)[()]
    if kind == "dict":
        return {key: unplain(one, arrays) for key, one in content}
    return {"list": list, "tuple": tuple}[kind](unplain(one, arrays) for one in content)
