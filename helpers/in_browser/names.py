"""The names that code reads before it makes them, and those that it makes, in the order it runs."""
# ruff: noqa: D102 - the methods are named by `ast`

import ast
import re
from collections.abc import Sequence


def parsed(cell: str, file: str = "<unknown>") -> ast.Module:
    """A cell's code, which errors say is in `file`; a line that is IPython's does nothing.

    Raises:
        SyntaxError: when it is none.
    """
    return ast.parse(re.sub(r"(?m)^(\s*)[%!].*", r"\1pass", cell), file)


class Names(ast.NodeVisitor):
    """What some code reads and makes.

    Attributes:
        read: names that it reads before it makes them.
        made: names that are there behind it.
        imported: those of them that an import made.
    """

    def __init__(self, tree: ast.AST) -> None:
        self.read: set[str] = set()
        self.made: set[str] = set()
        self.imported: set[str] = set()
        self.visit(tree)

    def _visit(self, *nodes: ast.AST | Sequence[ast.AST] | None) -> None:
        for node in nodes:
            for one in node if isinstance(node, Sequence) else [node] if node else []:
                self.visit(one)

    def _visit_inside(self, first: Sequence[ast.AST], then: Sequence[ast.AST]) -> None:
        """What has names of its own: made in `first`, and in `then` gone behind it."""
        outside = set(self.made)
        self._visit(first, then)
        self.made = outside

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self.made.add(node.id)
        elif node.id not in self.made:
            self.read.add(node.id)

    def visit_alias(self, node: ast.alias) -> None:
        name = (node.asname or node.name).partition(".")[0]
        self.made.add(name)
        self.imported.add(name)

    def visit_Assign(self, node: ast.Assign) -> None:
        self._visit(node.value, node.targets)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._visit(node.value, node.target)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._visit(ast.parse(ast.unparse(node.target)).body, node.value, node.target)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self._visit(node.value, node.target)

    def visit_For(self, node: ast.For) -> None:
        self._visit(node.iter, node.target, node.body, node.orelse)

    def visit_ListComp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> None:
        self._visit_inside(node.generators, [node.elt])

    visit_SetComp = visit_GeneratorExp = visit_ListComp

    def visit_DictComp(self, node: ast.DictComp) -> None:
        self._visit_inside(node.generators, [node.key, node.value])

    def visit_comprehension(self, node: ast.comprehension) -> None:
        self._visit(node.iter, node.target, node.ifs)

    def visit_arg(self, node: ast.arg) -> None:
        self._visit(node.annotation)
        self.made.add(node.arg)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._visit_inside([node.args], [node.body])

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._visit(node.decorator_list)
        self._visit_inside([node.args], node.body)
        self.made.add(node.name)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._visit(node.decorator_list, node.bases)
        self._visit_inside([], node.body)
        self.made.add(node.name)
