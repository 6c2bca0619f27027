"""The statements of a function as they are written: where each begins, and which names it reads."""

import ast
import functools
import linecache
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType


@dataclass(frozen=True)
class Written:
    """A function as its author wrote it.

    Attributes:
        name: what it is called, with its class before a dot.
        first: the number of its first line.
        lines: its lines, without the indentation that all have; empty where its text is not at hand.
        starts: the first line of the statement that each line belongs to.
        reads: the names that a statement reads, by its first line.
        loops: the lines that a loop repeats, by its first one; they may be that line itself.
        targets: the names that a `for` binds, by its first line.
        runs: first lines of all statements that run, if they are come to.
        inside: the lines of each `with`, by its first one: when it ends, Python comes to that once more.
    """

    name: str
    first: int
    lines: tuple[str, ...]
    starts: dict[int, int]
    reads: dict[int, tuple[str, ...]]
    loops: dict[int, range]
    targets: dict[int, tuple[str, ...]]
    runs: frozenset[int]
    inside: dict[int, range]

    def place(self, at: int, name: str) -> int:
        """Where a name stands in a statement, to tell several in their order."""
        lines = [
            self.lines[line - self.first] for line in self.starts if self.starts[line] == at and self.lines
        ]
        found = re.search(rf"\b{re.escape(name)}\b", "\n".join(lines))
        return found.start() if found else 0


def written(code: CodeType) -> Written:
    """The text of a function, by its code."""
    every = linecache.getlines(code.co_filename)
    node = _function(code, "".join(every))
    name = "lambda" if code.co_name == "<lambda>" else code.co_qualname.replace("<locals>.", "")
    if node is None:
        return Written(name, code.co_firstlineno, (), {}, {}, {}, {}, frozenset(), {})
    first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])
    text = textwrap.dedent("".join(every[first - 1 : node.end_lineno]))
    starts, reads, loops, targets, runs, inside = {}, {}, {}, {}, set(), {}
    for one in _statements(node):
        body = getattr(one, "body", None) or getattr(one, "cases", None)
        end = max(one.lineno, _line(body[0]) - 1) if body else one.end_lineno or one.lineno
        starts |= dict.fromkeys(range(_line(one), end + 1), one.lineno)
        reads[one.lineno] = tuple(dict.fromkeys((*reads.get(one.lineno, ()), *_reads(one))))
        if isinstance(one, ast.For | ast.While):
            loops[one.lineno] = range(one.body[0].lineno, (one.body[-1].end_lineno or one.lineno) + 1)
        if isinstance(one, ast.For):
            bound = (name.id for name in ast.walk(one.target) if isinstance(name, ast.Name))
            targets[one.lineno] = tuple(bound)
        if isinstance(one, ast.With):
            inside[one.lineno] = range(one.lineno + 1, (one.end_lineno or one.lineno) + 1)
        if not isinstance(getattr(one, "value", None), ast.Constant) or not isinstance(one, ast.Expr):
            runs.add(one.lineno)
    return Written(
        name, first, tuple(text.splitlines()), starts, reads, loops, targets, frozenset(runs), inside
    )


def _line(node: ast.AST) -> int:
    """The first line of a statement with its decorators; a case of `match` begins where its pattern does."""
    at = getattr(node, "pattern", node)
    return min([at.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])


def _function(code: CodeType, text: str) -> ast.AST | None:
    """The definition, or the line of a lambda, that a code was made from."""
    tree = _parsed(text)
    if tree is None:
        return None
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    if code.co_name == "<lambda>":
        found = [one for one in ast.walk(tree) if isinstance(one, ast.stmt) and not hasattr(one, "body")]
        return next(
            (one for one in found if one.lineno <= code.co_firstlineno <= (one.end_lineno or one.lineno)),
            None,
        )
    for one in ast.walk(tree):
        if isinstance(one, kinds) and one.name == code.co_name and _line(one) == code.co_firstlineno:
            return one
    return None


@functools.lru_cache(maxsize=32)  # each function of a cell asks for the same text
def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):  # a cell with magics
        return None


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    """All statements of a function but those of functions and classes inside it."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield node  # the line of a lambda
        return
    waiting = list(node.body)
    while waiting:
        one = waiting.pop(0)
        if isinstance(one, ast.stmt):
            yield one
        if not isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for part in ("body", "handlers", "orelse", "finalbody", "cases"):
                waiting += [inner for inner in getattr(one, part, ()) if isinstance(inner, ast.AST)]


def _reads(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement reads itself, in order; of a compound one those of its head."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        one = waiting.pop(0)
        if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id == "self":
            yield f"self.{one.attr}"
        elif isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load):
            yield one.id
        if isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Name):
            yield one.target.id
        if one is not statement or not isinstance(one, ast.FunctionDef | ast.ClassDef):
            inner = [child for child in ast.iter_child_nodes(one) if not isinstance(child, ast.stmt)]
            waiting += [child for child in inner if not isinstance(child, ast.ExceptHandler | ast.match_case)]
