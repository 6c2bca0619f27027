"""How often one line is enough to put a wrong program of the banks right (`helpers.learner.one_line`).

    python -m tools.one_line [--write] [EXERCISE ...]

`--write` also keeps what was found of every program in `one_line.json`, in the folder where it is called.
The line that an author had in mind is not written down in the banks: it is taken from the right programs,
where one of them differs from the wrong one in a single line.
"""

import ast
import copy
import difflib
import inspect
import json
import os
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"

from banks import registry
from helpers import reference
from helpers.exercises import find
from helpers.learner.checking import verdict_of
from helpers.learner.one_line import SECONDS, searched
from helpers.learner.rebuilt import builder
from helpers.units import UNIT_OF
from tools.measuring import markdown
from tools.patience import PATIENCE

SEED = 7
MORE = [(seed, sizes) for seed in range(100, 105) for sizes in ("visible", "hidden")]
HEAD = ("exercise", "programs", "one line", "several", "none", "time up", "not tried", "median s", "worst s")
KINDS = ("one line", "several", "none", "time up", "not tried")


@dataclass(frozen=True)
class Measured:
    """What came of one wrong program.

    Attributes:
        exercise: which.
        program: its mistake and its name.
        kind: one of `KINDS`.
        line: the line in the bank's file, and its text, or `""`.
        edit: the line as it was changed.
        marked: where one line is all that it differs in from a right program: whether that is the line.
        author: such lines of the program.
        holds: whether the edit passes the check on draws that the search has not seen, too.
        seconds: how long the search computed.
    """

    exercise: str
    program: str
    kind: str
    line: str
    edit: str
    marked: bool | None
    author: tuple[str, ...]
    holds: bool
    seconds: float


def measure(name: str) -> Iterator[Measured]:
    """What comes of every wrong program of an exercise whose text is at hand."""
    right, wrong = registry.load()
    references = [getattr(reference, name)] if hasattr(reference, name) else []
    patterns = [
        _forms(tree)
        for one in [*(a.obj for a in right if a.exercise == name), *references]
        if (tree := _tree(one))
    ]
    for answer in wrong:
        if answer.exercise == name and (tree := _tree(answer.obj)):
            yield _measured(answer, tree, patterns)


def _measured(answer: registry.WrongAnswer, tree: ast.stmt, patterns: Sequence[Any]) -> Measured:
    lines = Path(inspect.getsourcefile(answer.obj)).read_text("utf-8").splitlines()
    source = "\n" * (tree.lineno - 1) + "\n".join(lines[tree.lineno - 1 : tree.end_lineno])
    begin = time.process_time()
    found = searched(find(answer.exercise), answer.obj, source, SEED, PATIENCE)
    took = time.process_time() - begin
    if took > SECONDS:
        found.stopped = "time"
    kind = {"time": "time up", "passes": "not tried"}.get(found.stopped, found.stopped)
    kind = kind or ("none", "one line", "several")[len(found.edits)]
    forms = _forms(tree)
    pairs = [pair for pattern in patterns for pair in zip(forms, pattern, strict=True)]
    spans = {span for pair in pairs if (span := _differs(*pair))}
    line = next(iter(found.edits)) if kind == "one line" else 0
    edits = [edit.applied(source).splitlines()[at - 1].strip() for at, edit in found.edits.items()]
    return Measured(
        answer.exercise,
        f"{answer.mistake}: {answer.obj.__name__}",
        kind,
        f"{line}: {lines[line - 1].strip()}" if line else "",
        " || ".join(edits),
        any(first <= line <= last for first, last in spans) if spans and line else None,
        tuple(f"{first}: {lines[first - 1].strip()}" for first, _ in sorted(spans)),
        kind != "one line" or _holds(answer, source, found.edits[line].applied(source)),
        round(took, 2),
    )


def _holds(answer: registry.WrongAnswer, source: str, edited: str) -> bool:
    made = builder(answer.obj, source)(edited)
    return all(verdict_of(find(answer.exercise), made, *draw).passed for draw in MORE)


def _tree(thing: Any) -> ast.stmt | None:
    """The syntax tree of a function or class at the top of a file, counted as there."""
    if not (inspect.isfunction(thing) or inspect.isclass(thing)) or thing.__qualname__ != thing.__name__:
        return None
    if not (thing.__module__.startswith(("banks.", "helpers."))):
        return None
    body = ast.parse(Path(inspect.getsourcefile(thing)).read_text("utf-8")).body
    named = [one for one in body if getattr(one, "name", "") == thing.__name__]
    first = getattr(getattr(thing, "__code__", None), "co_firstlineno", 0)
    for node in named:
        if not first or min([node.lineno, *(one.lineno for one in node.decorator_list)]) == first:
            return node
    return None


def _flat(tree: ast.AST, depth: int = 0) -> list[tuple[str, int, int]]:
    """The statements of a program in one way of writing, each with its lines; the first without its name."""
    found = []
    for node in [tree] if depth == 0 else tree:
        text, last = ast.unparse(node).splitlines()[0], node.end_lineno
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            text = ast.unparse(node.args) if isinstance(node, ast.FunctionDef) else "class"
        blocks = [getattr(node, name, []) for name in ("body", "orelse", "finalbody")]
        if isinstance(node, ast.stmt) and blocks[0]:
            last = blocks[0][0].lineno - 1
        found.append(("    " * depth + text, node.lineno, max(node.lineno, last)))
        for block in blocks if isinstance(node, ast.stmt) else []:
            found += _flat(block, depth + 1)
    return found


class _Renamed(ast.NodeTransformer):
    """Arguments and variables get names by their order, so that only what is done with them counts."""

    def __init__(self, tree: ast.AST) -> None:
        own = [one for one in ast.walk(tree) if isinstance(one, ast.arg)]
        own += [one for one in ast.walk(tree) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]
        own.sort(key=lambda one: (one.lineno, one.col_offset))
        names = dict.fromkeys(getattr(one, "arg", getattr(one, "id", "")) for one in own)
        self.names = {name: f"v{place}" for place, name in enumerate(names)}

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self.names.get(node.id, node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.arg, node.annotation = self.names[node.arg], None
        return node


def _forms(tree: ast.stmt) -> list[list[tuple[str, int, int]]]:
    """The statements as they are, and with other names."""
    return [_flat(tree), _flat(_Renamed(tree).visit(copy.deepcopy(tree)))]


def _differs(wrong: Sequence[Any], right: Sequence[Any]) -> tuple[int, int] | None:
    """The lines of the one statement that is another one, or is too many."""
    texts = [[text for text, *_ in one] for one in (wrong, right)]
    steps = [one for one in difflib.SequenceMatcher(None, *texts, False).get_opcodes() if one[0] != "equal"]
    if len(steps) != 1:
        return None
    _, begin, end, start, stop = steps[0]
    return wrong[begin][1:] if end - begin == 1 and stop - start <= 1 else None


def table(measured: Sequence[Measured]) -> str:
    """The figures by exercise, and of all."""
    rows = []
    for name in [*dict.fromkeys(one.exercise for one in measured), "all"]:
        of = [one for one in measured if name in ("all", one.exercise)]
        tried = [one.seconds for one in of if one.kind != "not tried"] or [0.0]
        counts = [str(sum(one.kind == kind for one in of)) for kind in KINDS]
        rows.append([name, str(len(of)), *counts, f"{statistics.median(tried):.2f}", f"{max(tried):.2f}"])
    return markdown(HEAD, rows)


def main(words: Sequence[str]) -> int:
    """Print the table of the exercises named, or of all, and where the line is not the author's."""
    names = [word for word in words if word != "--write"] or list(UNIT_OF)
    if strangers := [name for name in names if name not in UNIT_OF]:
        sys.exit(f"There is no exercise {strangers[0]}: the exercises stand in helpers/units.py.")
    measured = []
    for name in names:
        measured += measure(name)
        print(f"\r{name:<30}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(table(measured))
    unseen = [one for one in measured if not one.holds]
    print(f"\nRight on the draws of the search and not on {len(MORE)} others: {len(unseen)}")
    print(*(f"  {one.exercise}, {one.program}: {one.line}\n    as {one.edit}" for one in unseen), sep="\n")
    marked = [one for one in measured if one.marked is not None]
    print(
        f"\nThe author's line is known of {len(marked)} of those with one line, and it is that line in "
        f"{sum(one.marked for one in marked)}. Elsewhere:"
    )
    for one in marked:
        if not one.marked:
            print(f"\n{one.exercise}, {one.program}\n  named   {one.line}\n  as      {one.edit}")
            print(*(f"  author  {line}" for line in one.author), sep="\n")
    if "--write" in words:
        Path("one_line.json").write_text(
            json.dumps([asdict(one) for one in measured], indent=1) + "\n", "utf-8"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
