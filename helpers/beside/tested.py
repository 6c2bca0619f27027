"""What a learner's test says of a suspect, and what stands in its code: plain values, for the verdict."""

import ast
import functools
import linecache
import textwrap
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from helpers.beside.place import own, where
from helpers.beside.probes.base import NOT_ANSWERED, ProbeError, refuse_uncalled
from helpers.beside.suspects import LOOKS, LOOKS_HINT, Suspect, calls_of, raised_by

LONGEST = 60
"""So many letters of a value are told."""

AROUND = {
    *("inspect", "traceback", "tracemalloc", "gc", "dis", "ctypes", "timeit", "monitoring"),
    *("perf_counter", "perf_counter_ns", "monotonic", "process_time", "time_ns"),
    *("_getframe", "currentframe", "settrace", "setprofile", "get_referents", "get_referrers"),
    *("__code__", "__closure__", "__globals__", "__defaults__", "__wrapped__", "__traceback__"),
    *("tb_frame", "f_back", "f_locals", "f_globals", "f_code"),
}
"""Names by which code looks at a function, at the clock or at who calls, and not at results."""

AWAY = ("helpers.exercises", "helpers.verdict", "helpers.beside", "grading", "banks")


def outcome(test: Any, suspect: Suspect) -> dict[str, Any]:
    """What a learner's test says of a suspect, as plain values.

    Returns:
        `raised`, whether it raises, and `itself`, not the suspect; `error`, kind and text; `where`, its line;
        `sides`, what an `assert` in that line compares, and `near`, whether only rounding differs;
        `returned`, the kind of what it returns; `calls`; `swallows`, whether it catches its own asserts.
    """
    if not callable(test):
        raise ProbeError(f"it should be a function; it is {type(test).__name__}")
    if name := next(filter(_is_around, _names_of(test)), ""):
        raise ProbeError(
            f"it uses `{name}`: a test judges what comes back, and nothing else", LOOKS, LOOKS_HINT
        )
    found = {"raised": False, "error": "", "where": "", "sides": [], "near": False}
    found |= {"itself": False, "returned": "", "swallows": False}
    try:
        value = test(suspect)
        refuse_uncalled("what it returns should be nothing", value)
        found["returned"] = "" if value is None else type(value).__name__
        found["swallows"] = _swallows(test)
    except ProbeError:
        raise
    except Exception as error:
        blank = type(error) is NotImplementedError and error.args == (NOT_ANSWERED,)
        if (
            blank or type(error).__name__ == "NoPyTorch"
        ):  # a browser has none: that says nothing of the suspect
            raise
        text = " ".join(str(error).split())
        found |= {"raised": True, "error": f"{type(error).__name__}: {text}".rstrip(": ")[:150]}
        sides, near = _compared(error)
        found |= {"where": where(error, test)[:150], "sides": sides, "near": near}
        found["itself"] = error is not raised_by(suspect)
    return {**found, "calls": calls_of(suspect)}


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


def _compared(error: BaseException) -> tuple[list[str], bool]:
    """Both sides of the comparison that struck, computed once more; whether only rounding differs.

    What is drawn at random, or taken out of a list, would be something else this time: it is left alone.
    """
    frames = own(error)
    if not isinstance(error, AssertionError) or not frames:
        return [], False
    frame, line = frames[-1].tb_frame, frames[-1].tb_lineno
    lines = linecache.getlines(frame.f_code.co_filename)
    trees = (_tree(lines[line - 1 : last]) for last in range(line, min(line + 6, len(lines)) + 1))
    statement = next((tree.body[0] for tree in trees if tree and tree.body), None)
    pair = next(filter(None, map(_pair, ast.walk(statement))), None) if statement else None
    if pair is None or any(word in ast.unparse(statement) for word in ("random", "rng", "next(", ".pop(")):
        return [], False
    try:
        left, right = (_value(one, frame) for one in pair)
        whole = isinstance(statement, ast.Assert) and isinstance(statement.test, ast.Compare)
        return [_text(left), _text(right)] if whole else [], _near(left, right)
    except Exception:  # it is the learner's code, run where nobody asked for it
        return [], False


def _pair(node: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    """The two that are compared by an operator, or by a function that asks for equal arrays."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return node.left, node.comparators[0]
    if isinstance(node, ast.Call) and len(node.args) >= 2:
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        return (node.args[0], node.args[1]) if name.endswith("equal") else None
    return None


def _near(left: Any, right: Any) -> bool:
    try:
        return bool(np.allclose(left, right)) and not bool(np.all(np.equal(left, right)))
    except ValueError:  # their shapes do not fit
        return False


def _value(side: ast.expr, frame: Any) -> Any:
    code = compile(ast.Expression(side), "<a side>", "eval")
    return eval(code, frame.f_globals, dict(frame.f_locals))


def _text(value: Any) -> str:
    text = " ".join(str(value).split()) if isinstance(value, np.ndarray | np.generic) else repr(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 4] + " ..."


_ALL = {"Exception", "BaseException", "AssertionError"}


def _swallows(test: Any) -> bool:
    """Whether all that raises stands in a `try` whose `except` catches it."""
    if not isinstance(test, FunctionType):
        return False
    code = test.__code__
    last = max((line for _, _, line in code.co_lines() if line), default=code.co_firstlineno)
    return _catches_its_own("".join(linecache.getlines(code.co_filename)[code.co_firstlineno - 1 : last]))


@functools.lru_cache(maxsize=8)  # the same for every suspect
def _catches_its_own(text: str) -> bool:
    tree = _tree([text])
    inside = [
        part
        for one in (ast.walk(tree) if tree else ())
        if isinstance(one, ast.Try) and any(map(_catches, one.handlers))
        for statement in one.body
        for part in ast.walk(statement)
    ]
    raising = (part for part in ast.walk(tree) if isinstance(part, ast.Assert | ast.Raise)) if inside else ()
    return bool(inside) and all(part in inside for part in raising)


def _catches(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    return any(isinstance(part, ast.Name) and part.id in _ALL for part in ast.walk(handler.type))
