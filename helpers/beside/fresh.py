"""An answer as it was before its first call: it shows whether something is kept from one call to the next.

A call is repeated alone only where an answer can keep anything: a list or an array among its default
arguments, a global or an attribute that it writes or that can change, a cache.
"""

import ast
import copy
import dis
import linecache
from collections.abc import Iterator
from types import CellType, CodeType, FunctionType
from typing import Any

_PLAIN = (int, float, complex, str, bytes, bool, type(None), type, tuple, frozenset, FunctionType)


def keeps(answer: Any) -> bool:
    """Whether an answer has anything that can outlive a call."""
    return hasattr(answer, "cache_info") or any(map(_can_keep, _functions(answer))) or bool(_kept_by(answer))


def fresh(answer: Any) -> Any:
    """The same answer with nothing kept: written anew where its text is at hand, else from copies."""
    plain = getattr(answer, "__wrapped__", answer) if hasattr(answer, "cache_info") else answer
    return _written_anew(plain) or (_copy(plain) if isinstance(plain, FunctionType) else copy.deepcopy(plain))


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
    for line in dis.get_instructions(code):
        outer = line.opname == "STORE_DEREF" and line.argval in code.co_freevars
        attribute = line.opname == "STORE_ATTR" and before != "self"
        if line.opname == "STORE_GLOBAL" or outer or attribute:
            yield line.argval
        before = line.argval[-1] if isinstance(line.argval, tuple) and line.argval else line.argval
    yield from (found for inner in code.co_consts if isinstance(inner, CodeType) for found in _writes(inner))


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
    inner = (one for one in code.co_consts if isinstance(one, CodeType))
    return set(code.co_names).union(*map(_names, inner))


def _data(function: FunctionType) -> list[str]:
    """The globals it reads that can change, or that it writes itself."""
    space, written = function.__globals__, set(_writes(function.__code__))
    names = (name for name in _names(function.__code__) if name in space)
    return [name for name in names if name in written or _changes(space[name])]


def _copy(function: FunctionType) -> FunctionType:
    space = function.__globals__ | {name: _copied(function.__globals__[name]) for name in _data(function)}
    closure = function.__closure__ and tuple(map(_cell, function.__closure__))
    made = FunctionType(function.__code__, space, function.__name__, _copied(function.__defaults__), closure)
    made.__kwdefaults__ = _copied(function.__kwdefaults__)
    return made


def _cell(cell: CellType) -> CellType:
    return CellType(_copied(cell.cell_contents)) if _filled(cell) else CellType()


def _copied(value: Any) -> Any:
    try:
        return copy.deepcopy(value)
    except Exception:  # a generator, a lock, a part of a graph
        return value


def _written_anew(answer: Any) -> Any:
    """The answer from its own text, with the plain data that it reads; nothing where there is no text."""
    function = next(_functions(answer), None)
    if function is None or function.__closure__ or "<locals>" in answer.__qualname__:
        return None
    try:
        tree = ast.parse("".join(linecache.getlines(function.__code__.co_filename)))
    except (SyntaxError, ValueError):
        return None
    space, wanted = dict(function.__globals__), set(_data(function))
    kept = [node for node in tree.body if _makes(node, answer.__name__) or _assigns(node) & wanted]
    if not any(_makes(node, answer.__name__) for node in kept):
        return None
    for node in kept:
        if hasattr(node, "decorator_list"):
            node.decorator_list = []
    try:
        exec(compile(ast.Module(kept, []), function.__code__.co_filename, "exec"), space)
    except Exception:  # its own text needs what is gone
        return None
    return space.get(answer.__name__)


def _makes(node: ast.stmt, name: str) -> bool:
    return isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name


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
