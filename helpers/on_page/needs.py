"""What a cell needs of the cells above it, as far as its code tells.

It is an estimate: what `loss.backward()` changes, for one, no line names.  The test that runs every unit from
its last cell to its first shows whether it is good enough, and a reader can run all cells above.
"""

import ast
import builtins
import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from helpers.in_browser.names import Names, parsed
from helpers.units import UNIT_OF

PURE = {
    *dir(builtins), "np", "math", "plots", "views", "reference", "example", "F", "torch", "nn", "helpers",
    "check", "try_it", "reveal", "settle", "hint", "trace", "others", "progress", "training",
}  # fmt: skip
"""What changes no value that is handed to it; any other function may."""

TRAINS = "training"
"""All but what trains: it changes the model that it is handed."""

_ROUNDS = 5
"""A function may read what is made below it, which reads what is made below that, and so on."""


@dataclass(frozen=True)
class Facts:
    """What the code of a cell does with names.

    Attributes:
        read: names that it reads before it makes them.
        made: names that are there behind it.
        imported: those of them that an import made.
        touched: names whose values it may change.
        defines: its functions and classes.
    """

    read: frozenset[str] = frozenset()
    made: frozenset[str] = frozenset()
    imported: frozenset[str] = frozenset()
    touched: frozenset[str] = frozenset()
    defines: frozenset[str] = frozenset()


@functools.cache
def facts(source: str) -> Facts:
    """What a cell does with names; nothing, when it is no Python."""
    try:
        tree = parsed(source)
    except (SyntaxError, ValueError):
        return Facts()
    names = Names(tree)
    # check("softmax") reads softmax
    quoted = {one.value for one in ast.walk(tree) if isinstance(one, ast.Constant) and one.value in UNIT_OF}
    defines = (one.name for one in tree.body if isinstance(one, ast.FunctionDef | ast.ClassDef))
    sets = (names.read | quoted, names.made, names.imported, _touched(tree), defines)
    return Facts(*map(frozenset, sets))


def _touched(tree: ast.AST) -> Iterator[str]:
    for one in ast.walk(tree):
        if isinstance(one, ast.Subscript | ast.Attribute) and isinstance(one.ctx, ast.Store):
            yield from _root(one)
        elif isinstance(one, ast.AugAssign):
            yield from _root(one.target)
        elif isinstance(one, ast.Call):
            called = [*_root(one.func)]
            pure = bool(PURE.intersection(called))
            if isinstance(one.func, ast.Attribute) and not pure:
                yield from called
            if not pure or called == [TRAINS]:
                for given in (*one.args, *(word.value for word in one.keywords)):
                    yield from _root(given)


def _root(node: ast.AST) -> Iterator[str]:
    while isinstance(node, ast.Subscript | ast.Attribute | ast.Starred):
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id


class Cell:
    """A code cell as it is on the page now.

    Attributes:
        place: which of the code cells, from 0.
        id: as in the notebook.
        source: its code.
        facts: what that does with names.
    """

    def __init__(self, place: int, id: str, source: str) -> None:
        self.place, self.id, self.source, self.facts = place, id, source, facts(source)


def needed(cells: Sequence[Cell], cell: Cell) -> list[Cell]:
    """Find the cells above that make, or may change, what a cell reads.

    Args:
        cells: all code cells, in order; the first is the set-up cell, which every other one needs.
        cell: one of them.

    Returns:
        Those cells, in order.
    """
    above, set_up = cells[: cell.place], cells[0].facts.made
    # what is handed over changes neither a function nor a module
    fixed = frozenset().union(*(one.facts.defines | one.facts.imported for one in above))
    found: set[int] = {0} - {cell.place}
    wanted = set(cell.facts.read) - set_up
    for _ in range(_ROUNDS):
        for one in reversed(above[1:]):
            made = one.facts.made - one.facts.imported
            if one.place not in found and (made | one.facts.touched - fixed) & wanted:
                found.add(one.place)
                wanted -= made
                wanted |= one.facts.read - set_up
        there = {name for place in found for name in cells[place].facts.made}
        wanted = {name for name in wanted - there if not hasattr(builtins, name)}
        if not any(wanted & one.facts.made for one in above if one.place not in found):
            break
    return [cells[place] for place in sorted(found)]
