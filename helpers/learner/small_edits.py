"""Small edits of a piece of code, each inside one line: what `one_line` tries on an answer that is wrong.

An edit stands for what may have gone wrong there: another axis, an operator, a name.  It is never shown.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from helpers.learner import kinds_of_edits

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass(frozen=True)
class Edit:
    """Other text in one line.

    Attributes:
        line: its number in the source, from 1.
        start: where the text begins that is replaced, in bytes, as `ast` counts.
        end: where it ends.
        text: what stands there instead.
    """

    line: int
    start: int
    end: int
    text: str

    def applied(self, source: str) -> str:
        """The source with this edit."""
        lines = source.split("\n")
        line = lines[self.line - 1].encode()
        lines[self.line - 1] = (line[: self.start] + self.text.encode() + line[self.end :]).decode()
        return "\n".join(lines)


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


def small_edits(source: str) -> Iterator[Edit]:
    """Every small edit of a function or class, those of one line after those of another."""
    code, seen = Code(source), set()
    nodes = [node for node in _nodes(code.tree) if hasattr(node, "lineno")]
    for node in sorted(nodes, key=lambda node: node.lineno):
        for kind in kinds_of_edits.KINDS:
            for place, text in kind(node, code):
                edit = _edit(code, place, text)
                if edit and edit not in seen:
                    seen.add(edit)
                    yield edit


def _nodes(node: ast.AST) -> Iterator[ast.AST]:
    """All of the code but its decorators, its annotations and texts with values in them."""
    yield node
    for name, value in ast.iter_fields(node):
        if name not in ("decorator_list", "returns", "annotation"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr | ast.expr_context):
                    yield from _nodes(child)


def _edit(code: Code, place: ast.AST | tuple[ast.AST, str], text: str) -> Edit | None:
    """The edit that puts text in place of a node, or after `(node, "after")`; none where that takes two lines."""
    node, after = place if isinstance(place, tuple) else (place, "")
    if after:
        return Edit(node.end_lineno, node.end_col_offset, node.end_col_offset, text)
    if node.lineno != node.end_lineno or code.text(node) == text:
        return None
    return Edit(node.lineno, node.col_offset, node.end_col_offset, text)
