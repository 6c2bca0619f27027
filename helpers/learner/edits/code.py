"""A piece of code as the kinds of edits read it: by lines, with the names that are known in each place."""

import ast
from collections.abc import Iterator
from typing import Any

Place = ast.AST | tuple[ast.AST, str]
"""A node that other text stands for, or `(node, "after")`: text is added behind it."""

Found = Iterator[tuple[Place, str]]

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class Code:
    """A piece of code, and what the kinds of edits ask of it."""

    def __init__(self, source: str) -> None:
        self.lines = [line.encode() for line in source.split("\n")]
        self.tree = ast.parse(source)
        self.parent = {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}
        self._names: dict[ast.AST, list[str]] = {}

    def text(self, node: ast.AST) -> str:
        """The text of a node that stands in one line."""
        return self.lines[node.lineno - 1][node.col_offset : node.end_col_offset].decode()

    def function(self, node: ast.AST) -> ast.AST | None:
        """The function around a node."""
        while node in self.parent:
            node = self.parent[node]
            if isinstance(node, _FUNCTIONS):
                return node
        return None

    def names(self, node: ast.AST) -> list[str]:
        """The arguments and variables of the functions around a node."""
        found: list[str] = []
        while (node := self.function(node)) is not None:
            if node not in self._names:
                self._names[node] = list(dict.fromkeys(_own_names(node)))
            found += self._names[node]
        return [name for name in dict.fromkeys(found) if name not in ("self", "cls", "_")]

    def attributes(self, node: ast.AST) -> list[str]:
        """What the class around a node keeps in `self`."""
        while node in self.parent and not isinstance(node, ast.ClassDef):
            node = self.parent[node]
        kept = [one for one in ast.walk(node) if isinstance(one, ast.Attribute) and _of_self(one)]
        return list(dict.fromkeys(one.attr for one in kept if isinstance(one.ctx, ast.Store)))


def _own_names(function: ast.AST) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def _of_self(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == "self"


def bracketed(text: str) -> str:
    """An expression in brackets, where it needs any."""
    return text if text.isidentifier() or text.isdigit() else f"({text})"


def whole(node: Any) -> bool:
    """Whether it is a value that stands in one line."""
    return (
        isinstance(node, ast.expr)
        and not isinstance(node, ast.Slice | ast.Starred)
        and node.lineno == node.end_lineno
        and isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
    )


def called(node: Any) -> str:
    """The last part of the name of what is called."""
    function = node.func if isinstance(node, ast.Call) else None
    return getattr(function, "attr", getattr(function, "id", ""))


def number_in(node: Any) -> int | float | None:
    """A number that is written down, with its sign."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = number_in(node.operand)
        return None if inner is None else -inner
    known = isinstance(node, ast.Constant) and type(node.value) in (int, float)
    return node.value if known else None


def is_called(node: Any, code: Any) -> bool:
    """Whether it is the function of a call."""
    parent = code.parent.get(node)
    return isinstance(parent, ast.Call) and parent.func is node


def symbol(operator: ast.operator) -> str:
    """An operator as it is written."""
    return ast.unparse(ast.BinOp(ast.Name("a"), operator, ast.Name("b")))[2:-2]
