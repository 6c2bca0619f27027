"""Small edits of a piece of code, each inside one line: what `one_line` tries on an answer that is wrong.

An edit stands for what may have gone wrong there: another axis, an operator, a name.  It is never shown.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from helpers.learner.edits import calls, values
from helpers.learner.edits.code import Code, Place

KINDS = (
    values.numbers,
    values.infinities,
    values.operators,
    values.comparisons,
    values.signs,
    values.transposes,
    values.roots,
    values.names,
    calls.calls,
    calls.tuples,
    calls.slices,
    calls.counts,
    values.letters,
    calls.results,
    calls.left_out,
    calls.defaults,
    calls.margins,
)


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


def small_edits(source: str) -> Iterator[Edit]:
    """Every small edit of a function or class, those of one line after those of another."""
    code, seen = Code(source), set()
    nodes = [node for node in _nodes(code.tree) if hasattr(node, "lineno")]
    for node in sorted(nodes, key=lambda node: node.lineno):
        for kind in KINDS:
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


def _edit(code: Code, place: Place, text: str) -> Edit | None:
    """The edit that puts text in a place, or none where that takes two lines."""
    node, after = place if isinstance(place, tuple) else (place, "")
    if after:
        return Edit(node.end_lineno, node.end_col_offset, node.end_col_offset, text)
    if node.lineno != node.end_lineno or code.text(node) == text:
        return None
    return Edit(node.lineno, node.col_offset, node.end_col_offset, text)
