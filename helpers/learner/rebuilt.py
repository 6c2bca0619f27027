"""An answer built again from its code, for a trial: beside the notebook, whose names stay as they are."""

import ast
import inspect
import threading
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any

from helpers.beside.fresh import keeps, names, reached
from helpers.beside.guard import guard
from helpers.beside.quiet import quiet
from helpers.beside.time_limit import TooSlow, time_limit
from helpers.exercises.base import Exercise

ONE_CALL = 0.5
"""How long one call of an edited answer may take, or its building: an edit may loop for ever."""

_FILE = "<one line>"
_ACTS = frozenset(
    (
        *("open", "exec", "eval", "input", "compile", "globals", "locals", "vars"),
        *("setattr", "delattr", "breakpoint", "__import__"),
    )
)
"""Functions that may do more than compute."""

_ACTS_OF = frozenset(
    (
        *("save", "savez", "savetxt", "tofile", "dump", "write", "writelines"),
        *("system", "popen", "remove", "unlink", "run"),
    )
)
"""The same of methods, and of functions of a module."""

_HARMLESS = frozenset(("numpy", "math", "torch"))


def only_computes(exercise: Exercise, answer: Any, source: str) -> bool:
    """Whether an answer can be tried many times, and nothing is different afterwards."""
    if threading.current_thread() is not threading.main_thread():  # there no call can be ended
        return False
    bare = plain(answer)
    reach, own = [*reached(bare), *reached(answer)], functions(bare)
    known = {name for one in reach for name in names(one.__code__)}
    called = {name for one in reach if one not in own for name in names(one.__code__)}
    # what calls the answer from another cell would call the one without the edit
    if not own or called & {exercise.name, bare.__name__} or known & (_ACTS | _ACTS_OF) or keeps(answer):
        return False
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return False
    return len(tree.body) == 1 and not any(map(_acts, ast.walk(tree)))


def _acts(node: ast.AST) -> bool:
    """Whether it writes a variable that is not its own, or imports what may do anything."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        modules = [one.name for one in node.names] if isinstance(node, ast.Import) else [node.module or ""]
        return not all(one.split(".")[0] in _HARMLESS for one in modules)
    return isinstance(node, ast.Global | ast.Nonlocal)


def builder(answer: Any, source: str) -> Callable[[str], Any]:
    """What makes an answer of its code, with a copy of the names that it knows; `None` where that fails."""
    known = dict(functions(plain(answer))[0].__globals__)
    name = _defined(ast.parse(source).body[0])

    def build(code: str) -> Any:
        space = dict(known)
        try:
            with quiet(), guard(), time_limit(ONE_CALL):  # Python warns of code; a decorator may do anything
                exec(compile(code, _FILE, "exec", dont_inherit=True), space)
        except (Exception, SystemExit, TooSlow):
            return None
        return space.get(name)

    return build


def _defined(node: ast.stmt) -> str:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return node.name
    target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
    return target.id if isinstance(target, ast.Name) else ""


def plain(answer: Any) -> Any:
    """An answer without its decorators."""
    return inspect.unwrap(answer) if isinstance(answer, FunctionType) else answer


def functions(answer: Any) -> list[FunctionType]:
    """A function, or the methods of a class."""
    members = vars(answer).values() if isinstance(answer, type) else [answer]
    return [one for one in members if isinstance(one, FunctionType)]


def alike(one: Any, other: Any) -> bool:
    """Whether two answers are of the same code."""
    pair = [functions(plain(answer)) for answer in (one, other)]
    return type(one) is type(other) and [_outline(f.__code__) for f in pair[0]] == [
        _outline(f.__code__) for f in pair[1]
    ]


def _outline(code: CodeType) -> tuple[Any, ...]:
    inner = tuple(_outline(one) for one in code.co_consts if isinstance(one, CodeType))
    constants = tuple(repr(one) for one in code.co_consts if not isinstance(one, CodeType))
    # not the byte code: it changes as it runs, and with what the rest of the cell imports
    places = frozenset(tuple(columns) for _, _, *columns in code.co_positions())
    return code.co_name, code.co_names, code.co_varnames, constants, places, inner
