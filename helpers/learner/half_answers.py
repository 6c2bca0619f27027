"""The right answer of an exercise with one line missing: a step between the blank cell and the whole."""

import ast
from collections.abc import Iterator

from helpers import answer_text
from helpers.errors import BadArgument
from helpers.exercises import find
from helpers.units import VARIABLES

YOURS = "...  # your line"
"""What stands in place of the line that is missing, from its right-hand side on."""


def half(name: str) -> str:
    """The right answer with one line left to write: of those that fit in a line the one with most in it.

    What the line gives keeps its name, so that the lines around it can be read.

    Args:
        name: the exercise.

    Raises:
        BadArgument: when its answer is one line, a value or a test, or is not known.
    """
    then = f"Try hint({name!r})."
    if name in VARIABLES:
        raise BadArgument(f"{name} is one value: half of it would be all of it. {then}")
    if find(name).lineup:
        raise BadArgument(f"{name} is a test, and there is no half of it. {then}")
    source = answer_text.texts().get(name)
    if source is None:
        raise BadArgument(f"the course has no answer of {name} to show half of. {then}")
    if len(answer_text.body_lines(source)) < 2:
        raise BadArgument(f"{name} has one line: half of it would be all of it. {then}")
    givers = list(_givers(ast.parse(source).body[0]))
    if not givers:
        raise BadArgument(f"{name} has no line that could be left out. {then}")
    value = max(givers, key=lambda one: sum(1 for _ in ast.walk(one))).value
    lines = source.split("\n")
    before = lines[value.lineno - 1].encode()[: value.col_offset].decode()  # `ast` counts bytes
    lines[value.lineno - 1] = before + YOURS
    return "\n".join(lines)


def _givers(tree: ast.stmt) -> Iterator[ast.stmt]:
    """The lines of a function, or of a class's methods, that give a value a name or return it."""
    methods = [one for one in tree.body if getattr(one, "name", "") != "__init__"]
    for one in methods if isinstance(tree, ast.ClassDef) else [tree]:
        for node in ast.walk(one):
            gives = isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Return)
            if gives and node.value and node.lineno == node.end_lineno:
                yield node
