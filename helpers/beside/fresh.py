"""An answer as it was before its first call: it shows whether something is kept from one call to the next.

A call is repeated alone only where an answer can keep anything: a list or an array among its default
arguments, a global or an attribute that it writes or that can change, a cache.
"""

import ast
import contextlib
import copy
import functools
import linecache
from collections.abc import Iterator
from types import CellType, CodeType, FunctionType
from typing import Any

from helpers.beside.byte_code import inner, steps

MOST = 20
"""So many functions are followed."""

_PLAIN = (int, float, complex, str, bytes, bool, type(None), type, tuple, frozenset, FunctionType)


def keeps(answer: Any) -> bool:
    """Whether an answer, or a function of the notebook that it calls, has what can outlive a call."""
    if hasattr(answer, "cache_info") or _kept_by(answer):
        return True
    return any(_can_keep(one) for one in _reached(answer))


def fresh(answer: Any) -> Any:
    """The same answer with nothing kept: written anew where its text is at hand, else from copies."""
    plain = answer.__wrapped__ if hasattr(answer, "cache_info") else answer
    functions = _reached(plain)
    if not functions:
        return _copied(plain)
    space = dict(functions[0].__globals__)
    data = {name for one in functions for name in _data(one)}
    space |= {name: _copied(space[name]) for name in data}
    for one in functions:
        if one.__name__ in space and space[one.__name__] is one:
            space[one.__name__] = _copy(one, space)
    names = {getattr(plain, "__name__", ""), *(one.__name__ for one in functions if one.__name__ in space)}
    _write_anew({_file(one) for one in functions}, data, names, space)
    made = space.get(getattr(plain, "__name__", ""))
    return (
        made if _is_made(made, plain) else _copy(plain, space) if isinstance(plain, FunctionType) else plain
    )


def _reached(answer: Any) -> list[FunctionType]:
    """The functions of an answer, and those of the notebook that these call, each once."""
    found, waiting = [], list(_functions(answer))
    while waiting and len(found) < MOST:
        one = waiting.pop(0)
        if one not in found:
            found.append(one)
            space = one.__globals__
            called = (space.get(name) for name in _names(one.__code__))
            waiting += [other for other in called if getattr(other, "__globals__", None) is space]
    return found


def _is_made(made: Any, answer: Any) -> bool:
    """Whether this is what the answer was written as; what stands inside another function has no text."""
    if type(made) is not type(answer) or "<locals>" in getattr(answer, "__qualname__", "<locals>"):
        return False
    if isinstance(made, type):
        return True
    one, other = made.__code__, answer.__code__  # the byte code itself changes as it runs
    return (one.co_names, one.co_varnames) == (other.co_names, other.co_varnames)


def _file(function: FunctionType) -> str:
    return function.__code__.co_filename


def _functions(answer: Any) -> Iterator[FunctionType]:
    """A function, or the methods of a class."""
    if isinstance(answer, FunctionType):
        yield answer
    elif isinstance(answer, type):
        yield from (one for one in vars(answer).values() if isinstance(one, FunctionType))


def _can_keep(function: FunctionType) -> bool:
    held = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    held += vars(function).values()
    held += [cell.cell_contents for cell in function.__closure__ or () if _filled(cell)]
    held += [function.__globals__[name] for name in _data(function)]
    return any(map(_changes, held)) or any(_writes(function.__code__))


def _writes(code: CodeType) -> Iterator[str]:
    """What it writes that is not its own: globals, variables of a function around it, attributes."""
    before = ""
    for line in steps(code):
        outer = line.opname == "STORE_DEREF" and line.argval in code.co_freevars
        attribute = line.opname == "STORE_ATTR" and before != "self"
        if line.opname == "STORE_GLOBAL" or outer or attribute:
            yield line.argval
        before = line.argval[-1] if isinstance(line.argval, tuple) and line.argval else line.argval
    yield from (found for one in inner(code) for found in _writes(one))


def _kept_by(answer: Any) -> list[Any]:
    """What a class has itself, beside its methods."""
    own = vars(answer) if isinstance(answer, type) else {}
    return [one for name, one in own.items() if not name.startswith("__") and _changes(one)]


def _changes(value: Any) -> bool:
    """Whether a value can change: no module, number, text or function."""
    return not isinstance(value, _PLAIN) and not callable(value) and type(value).__name__ != "module"


def _filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not cell
    except ValueError:  # empty
        return False


def _names(code: CodeType) -> set[str]:
    """The names that a piece of code reads from outside, and those of attributes."""
    return set(code.co_names).union(*map(_names, inner(code)))


def _data(function: FunctionType) -> list[str]:
    """The globals it reads that can change, or that it writes itself."""
    space, written = function.__globals__, set(_writes(function.__code__))
    known = (name for name in _names(function.__code__) if name in space)
    return [name for name in known if name in written or _changes(space[name])]


def _copy(function: FunctionType, space: dict[str, Any]) -> FunctionType:
    """The same function with copies of what it keeps, which reads and writes the globals of `space`."""
    closure = function.__closure__ and tuple(map(_cell, function.__closure__))
    made = FunctionType(function.__code__, space, function.__name__, _copied(function.__defaults__), closure)
    made.__kwdefaults__ = _copied(function.__kwdefaults__)
    vars(made).update(_copied(vars(function)))
    return made


def _cell(cell: CellType) -> CellType:
    return CellType(_copied(cell.cell_contents)) if _filled(cell) else CellType()


def _copied(value: Any) -> Any:
    try:
        return copy.deepcopy(value)
    except Exception:  # a generator, a lock, a part of a graph
        return value


def _write_anew(files: set[str], data: set[str], names: set[str], space: dict[str, Any]) -> None:
    """Run the lines of these files, or cells, that give plain data its first value or define these names."""
    for file in files:
        with contextlib.suppress(Exception):  # no text, or one that needs what is gone
            text = "".join(linecache.getlines(file))
            exec(_first_lines(text, file, frozenset(data), frozenset(names)), space)


@functools.lru_cache(maxsize=64)  # the same for every call of a check
def _first_lines(text: str, file: str, data: frozenset[str], names: frozenset[str]) -> CodeType:
    kept = [node for node in ast.parse(text).body if _assigns(node) & data or _defines(node) in names]
    for node in kept:
        if hasattr(node, "decorator_list"):
            node.decorator_list = []
    return compile(ast.Module(kept, []), file, "exec")


def _defines(node: ast.stmt) -> str | None:
    return node.name if isinstance(node, ast.FunctionDef | ast.ClassDef) else None


def _assigns(node: ast.stmt) -> set[str]:
    """The names that a line gives an empty or plain value: what would compute or draw is left alone."""
    if not isinstance(node, ast.Assign) or not _is_plain(node.value):
        return set()
    return {target.id for target in node.targets if isinstance(target, ast.Name)}


def _is_plain(value: ast.expr) -> bool:
    if isinstance(value, ast.Call):
        return not value.args and not value.keywords and isinstance(value.func, ast.Name | ast.Attribute)
    try:
        ast.literal_eval(value)
    except ValueError:
        return False
    return True
