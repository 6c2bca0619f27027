"""Which cells of a submission have to be run: the course's own that only show something are not.

A cell that the learner left as the course wrote it matters for a mark when another cell that is run reads a
name that it makes or changes. Any other one draws, prints or trains: no mark depends on it.
"""

import ast
import symtable
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from nbgrader import utils

from grading.handed_in.flags import python

SAYS = "(only shows something: not run while grading)\n"

SHOW = {
    "print",
    "display",
    "plots",
    "views",
    "reveal",
    "settle",
    "try_it",
    "before_you_start",
    "review",
    "inventory",
    "forget",
    "progress",
    "hint",
    "others",
    "trace",
    "training",
}
"""What course cells call to show something."""

LIBRARIES = {"np", "torch", "random", "plt", "warnings"}
"""What course cells seed and set: a check draws from seeds of its own, in settings of its own."""

SEE_ALL = {"exec", "eval", "globals", "locals", "vars", "dir", "get_ipython", "__import__", "__builtins__"}
"""With these a cell may read names that it does not write out."""


@dataclass(frozen=True)
class _Names:
    """What a cell does with names of the notebook: which it makes or changes, and which it reads."""

    makes: frozenset[str]
    reads: frozenset[str]


def needed(cells: Sequence[Any], ours: Collection[str]) -> list[bool]:
    """Whether each cell has to be run for the marks; all of them where the learner's code may read any name.

    Args:
        cells: of a submission, put in order.
        ours: the sources of the cells that the course wrote.
    """
    codes = [_names(cell.source) if cell.cell_type == "code" else _Names(_NONE, _NONE) for cell in cells]
    run = [not (cell.source in ours and codes[i]) or _counts(cell) for i, cell in enumerate(cells)]
    if any(run[i] and (one is None or one.reads & SEE_ALL) for i, one in enumerate(codes)):
        return [True] * len(cells)
    checked = {text for cell in cells if utils.is_grade(cell) for text in _texts(cell.source)}
    grown = True
    while grown:
        read = checked.union(*(one.reads for one, runs in zip(codes, run, strict=True) if runs and one))
        also = [bool(one and one.makes & read) for one in codes]
        grown = any(more and not runs for more, runs in zip(also, run, strict=True))
        run = [runs or more for more, runs in zip(also, run, strict=True)]
    return run


_NONE: frozenset[str] = frozenset()


def _counts(cell: Any) -> bool:
    """Whether nbgrader knows it as an answer, a test or a cell that learners were not to change."""
    return utils.is_solution(cell) or utils.is_grade(cell) or utils.is_locked(cell)


@lru_cache(maxsize=4096)
def _names(source: str) -> _Names | None:
    """The names of a cell; `None` where it is not Python."""
    try:
        tree = ast.parse(python(source))
        made, read = set(_changed(tree)), set()
        _follow(tree.body, set(), made, read)
        return _Names(frozenset(made), frozenset(read))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


@lru_cache(maxsize=4096)
def _texts(source: str) -> frozenset[str]:
    """The texts in a test cell: names of answers among them, wherever in the notebook these are written."""
    try:
        found = (node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant))
    except SyntaxError:  # prose that is marked by hand, or a broken test, which says so itself
        return _NONE
    return frozenset(one for one in found if isinstance(one, str))


def _follow(body: Sequence[ast.stmt], here: set[str], made: set[str], read: set[str]) -> None:
    """Add what statements make, and what they read that is not `here`: made before, in the same cell."""
    for one in body:
        before: list[ast.AST] = [one]
        if isinstance(one, ast.For):
            before = [one.iter, ast.Assign([one.target], ast.Constant(0), lineno=0)]
        elif isinstance(one, ast.Try):
            before = []
        for part in before:
            makes, reads = of_one(ast.unparse(part))
            read |= reads - here
            made |= makes
            here |= makes if not isinstance(one, ast.If | ast.While) else set()
        for inner in _blocks(one):
            _follow(inner, set(here), made, read)


def _blocks(one: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The statements inside a loop or a `try`, which are followed one by one."""
    if isinstance(one, ast.For | ast.Try):
        yield one.body
        yield one.orelse
    if isinstance(one, ast.Try):
        yield from (handler.body for handler in one.handlers)
        yield one.finalbody


def of_one(text: str) -> tuple[set[str], set[str]]:
    """The names of the notebook that a statement makes, and those that it reads, in its functions too."""
    table = symtable.symtable(text, "<cell>", "exec")
    top = table.get_symbols()
    inner = [one for deeper in _below(table) for one in deeper.get_symbols() if one.is_global()]
    makes = {one.get_name() for one in top if one.is_assigned() or one.is_imported()}
    makes |= {one.get_name() for one in inner if one.is_assigned()}
    return makes, {one.get_name() for one in (*top, *inner) if one.is_referenced()}


def _below(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    for one in table.get_children():
        yield one
        yield from _below(one)


def _changed(tree: ast.AST) -> Iterator[str]:
    """Names whose objects a cell may change: `x[0] = 1`, `x.y = 1`, `x.append(1)`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
            yield from _root(node)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield from _root(node.value)


def _root(node: ast.AST) -> Iterator[str]:
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    if isinstance(node, ast.Name) and node.id not in SHOW | LIBRARIES:
        yield node.id
