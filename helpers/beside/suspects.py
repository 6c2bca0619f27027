"""What a learner's test is handed, a function that may be an impostor, and what the test does with it.

The program behind it may be in another process. What goes in and what comes out are plain values in either
case, so that a suspect behaves the same in a notebook and in the sandbox, and tells of itself nothing else.
"""

import ast
import builtins
import linecache
import textwrap
import warnings
from collections.abc import Callable, Iterator, Mapping
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from helpers.beside.place import own, where
from helpers.beside.probes.base import NOT_ANSWERED, ProbeError
from helpers.beside.pytorch import pytorch

Ask = Callable[[dict[str, Any]], Mapping[str, Any]]

MOST = 20_000
"""So many numbers may be handed in at once: the answer is computed on the side of the verdict."""

LONGEST = 60
"""So many letters of a value are told."""

LOOKS = "looks-inside"
LOOKS_HINT = "Call it with inputs of your own: what should a right answer give there?"

AROUND = {
    *("inspect", "traceback", "tracemalloc", "gc", "dis", "ctypes", "timeit", "monitoring"),
    *("perf_counter", "perf_counter_ns", "monotonic", "process_time", "time_ns"),
    *("_getframe", "currentframe", "settrace", "setprofile", "get_referents", "get_referrers"),
    *("__code__", "__closure__", "__globals__", "__defaults__", "__wrapped__", "__traceback__"),
    *("tb_frame", "f_back", "f_locals", "f_globals", "f_code"),
}
"""Names by which code looks at a function, at the clock or at who calls, and not at results."""

AWAY = ("helpers.exercises", "helpers.verdict", "helpers.beside", "grading", "banks")


class _LooksInside(ProbeError, AttributeError):
    """An attribute of a suspect; libraries that only ask whether there is one take it for none."""


class Suspect:
    """A function to be tested; it looks the same whichever program answers.

    Args:
        ask: takes a call as plain values and gives back what came of it, see `answered`.
    """

    __slots__ = ("_ask", "_calls")

    def __init__(self, ask: Ask) -> None:
        object.__setattr__(self, "_ask", ask)
        object.__setattr__(self, "_calls", 0)

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
            raise _builtin(kind)(text)
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


def ask_of(suspect: Suspect) -> Ask:
    """What answers a suspect's calls."""
    return object.__getattribute__(suspect, "_ask")


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


def outcome(test: Any, suspect: Suspect) -> dict[str, Any]:
    """What a learner's test says of a suspect, as plain values.

    Returns:
        `raised`, whether it raises; `error`, kind and text; `where`, its line; `sides`, what an `assert` in
        that line compares; `returned`, the kind of what it returns; `calls`; `swallows`, whether it catches
        what its own asserts raise.
    """
    if not callable(test):
        raise ProbeError(f"it should be a function; it is {type(test).__name__}")
    if name := next(filter(_is_around, _names_of(test)), ""):
        raise ProbeError(
            f"it uses `{name}`: a test judges what comes back, and nothing else", LOOKS, LOOKS_HINT
        )
    found = {"raised": False, "error": "", "where": "", "sides": [], "returned": "", "swallows": False}
    try:
        value = test(suspect)
        found["returned"] = "" if value is None else type(value).__name__
        found["swallows"] = _swallows(test)
    except ProbeError:
        raise
    except Exception as error:
        if type(error) is NotImplementedError and error.args == (NOT_ANSWERED,):
            raise
        text = " ".join(str(error).split())
        found |= {"raised": True, "error": f"{type(error).__name__}: {text}".rstrip(": ")[:150]}
        found |= {"where": where(error, test)[:150], "sides": _sides(error)}
    return {**found, "calls": object.__getattribute__(suspect, "_calls")}


def _is_around(name: str) -> bool:
    return name in AROUND or any(name == one or name.startswith(f"{one}.") for one in AWAY)


def _names_of(test: Any) -> Iterator[str]:
    """The names in a function's code, and in the code inside it; nothing of the learner's runs."""
    waiting = [test.__code__] if isinstance(test, FunctionType) else []
    while waiting:
        code = waiting.pop()
        yield from code.co_names
        yield from (one for one in code.co_consts if isinstance(one, str) and one.startswith("_"))
        waiting += [one for one in code.co_consts if isinstance(one, CodeType)]


def _tree(lines: list[str]) -> ast.AST | None:
    try:
        return ast.parse(textwrap.dedent("".join(lines)))
    except SyntaxError:
        return None


def _sides(error: BaseException) -> list[str]:
    """Both sides of the comparison in the `assert` that struck, computed once more."""
    frames = own(error)
    if type(error) is not AssertionError or not frames:
        return []
    frame, line = frames[-1].tb_frame, frames[-1].tb_lineno
    lines = linecache.getlines(frame.f_code.co_filename)
    for last in range(line, min(line + 6, len(lines)) + 1):  # an assert may go on for some lines
        tree = _tree(lines[line - 1 : last])
        if tree is None or not tree.body or not isinstance(tree.body[0], ast.Assert):
            continue
        test = tree.body[0].test
        if not isinstance(test, ast.Compare) or len(test.ops) != 1:
            return []
        try:
            both = [_value(one, frame) for one in (test.left, test.comparators[0])]
        except Exception:
            return []
        return [*both, type(test.ops[0]).__name__]
    return []


def _value(side: ast.expr, frame: Any) -> str:
    value = eval(compile(ast.Expression(side), "<a side>", "eval"), frame.f_globals, dict(frame.f_locals))
    text = (
        " ".join(str(value).split())
        if isinstance(value, np.ndarray)
        else repr(getattr(value, "item", lambda: value)())
    )
    return text if len(text) <= LONGEST else text[: LONGEST - 4] + " ..."


_ALL = {"Exception", "BaseException", "AssertionError"}


def _swallows(test: Any) -> bool:
    """Whether an `except` of its own catches a failing assert and raises nothing."""
    if not isinstance(test, FunctionType):
        return False
    code = test.__code__
    last = max((line for _, _, line in code.co_lines() if line), default=code.co_firstlineno)
    tree = _tree(linecache.getlines(code.co_filename)[code.co_firstlineno - 1 : last])
    for one in ast.walk(tree) if tree else ():
        if isinstance(one, ast.ExceptHandler) and not any(
            isinstance(part, ast.Raise) for part in ast.walk(one)
        ):
            caught = (
                {part.id for part in ast.walk(one.type) if isinstance(part, ast.Name)} if one.type else _ALL
            )
            if caught & _ALL:
                return True
    return False
