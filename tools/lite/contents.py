"""The notebooks of the edition in the browser: the learner's, with what cells gave that need PyTorch."""

import ast
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from helpers.in_browser import kernel
from helpers.units import IN_NUMPY_TOO, IN_PYTORCH, grade_id
from tools import minutes
from tools.shell import ROOT

NAMES = frozenset({"torch", "nn", "F", "training", "pretrained"})
"""What a cell that needs PyTorch calls it by: itself, and the helpers that are made of it."""

WITHOUT = frozenset({"pretrained.dog_sentence", "pretrained.load", "pretrained.encode"})
"""What of these helpers needs none: numbers that are kept, and the model, which runs on NumPy there."""

ANSWERS = frozenset(IN_PYTORCH)
MODEL_TAKES = frozenset({"yours", "views.real_model"})
"""What may be handed one of `IN_NUMPY_TOO`: it says what runs in its place."""


def needing_pytorch(notebook: NotebookNode) -> list[NotebookNode]:
    """The cells that use PyTorch, or what such a cell made; answers and checks say so themselves."""
    made: set[str] = set()
    found = []
    for cell in notebook.cells:
        if cell.cell_type != "code" or grade_id(cell) == "set-up":
            continue
        tree = ast.parse(re.sub(r"(?m)^(\s*)[%!].*", r"\1pass", cell.source))
        if cell.metadata.get("nbgrader") or _hints(cell):
            continue
        names = _Names()
        names.visit(tree)
        if names.read & (NAMES | ANSWERS | made):
            found.append(cell)
            made |= names.made
        else:
            made -= names.made
    return found


def _hints(cell: NotebookNode) -> bool:
    return cell.source.startswith(
        ("hand_in(", "hint(", "others(", "trace(", "reset(", "progress(", "guess = ...")
    )


class _Names(ast.NodeVisitor):
    """The names that code reads before it makes them, and those that it makes, in the order it runs."""

    def __init__(self) -> None:
        self.read: set[str] = set()
        self.made: set[str] = set()

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

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if ast.unparse(node) in WITHOUT:
            return
        self.read |= {node.attr} & ANSWERS
        self.visit(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        inside = _Names()
        inside.made = self.made
        inside.generic_visit(node)
        self.made = inside.made
        without = set(IN_NUMPY_TOO) if ast.unparse(node.func) in MODEL_TAKES else set()
        self.read |= inside.read - without

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            self.read |= {node.value} & ANSWERS

    def visit_alias(self, node: ast.alias) -> None:
        self.made |= {node.asname or node.name} - NAMES

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


def write(to: Path, recorded: Path, executed: Path) -> Mapping[str, int]:
    """Write the notebooks below `to` and the recorded outputs below `recorded`.

    Args:
        to: the folder that JupyterLite serves.
        recorded: the site's `lite/`.
        executed: the units' pages as the site's build has executed them: `<unit>/<unit>.ipynb`.

    Returns:
        How many cells show what was recorded, by unit.
    """
    digests, counts = [], {}
    for unit in minutes.written():
        name = Path(unit) / f"{unit}.ipynb"
        notebook = nbformat.read(ROOT / "notebooks" / name, 4)
        gave = {
            cell.id: cell.outputs for cell in nbformat.read(executed / name, 4).cells if "outputs" in cell
        }
        cells = needing_pytorch(notebook)
        for cell in cells:
            cell.outputs = _kept(gave[cell.id])
            digest = kernel.digest(cell.source)
            digests.append(digest)
            file = recorded / kernel.file_of(digest)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(cell.outputs), "utf-8")
        counts[unit] = len(cells)
        (to / name).parent.mkdir(parents=True)
        nbformat.write(notebook, to / name)
    (recorded / kernel.INDEX).write_text(json.dumps(sorted(digests)), "utf-8")
    return counts


def _kept(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """The sentence that they are recorded, and the outputs as a kernel displays them."""
    note = {"text/html": f"<p><em>{kernel.NOTE}</em></p>", "text/plain": kernel.NOTE}
    kept = [nbformat.v4.new_output("display_data", data=note)]
    for one in outputs:
        if one.output_type == "execute_result":
            one = nbformat.v4.new_output("display_data", data=one.data, metadata=one.metadata)
        if one.output_type == "stream" or any(
            not kind.startswith("application/") for kind in one.get("data", ())
        ):
            kept.append(one)
    return kept
