"""The right answers of the solution notebooks as text, and what such a text defines."""

import ast
import functools
import json
from collections.abc import Mapping
from importlib import resources
from typing import Any

from helpers.units import UNIT_OF, UNITS


@functools.cache
def texts() -> Mapping[str, str]:
    """The right answer of each exercise, as its solution notebook shows it."""
    return json.loads((resources.files("helpers") / "answers.json").read_text("utf-8"))


def body_lines(source: str) -> list[int]:
    """The lines, from 1, in which a statement of the answer begins, without `def`, `class` and docstrings."""
    tree = ast.parse(source).body[0]
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and node is not tree and not _is_text(node):
            found.add(node.lineno)
    return sorted(found)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def defined(name: str, source: str, modules: Mapping[str, Any]) -> Any:
    """What a text defines under an exercise's name, in a notebook that has the answers above it.

    Args:
        name: the exercise.
        source: its answer, right or wrong.
        modules: what the set-up cell gives.
    """
    unit, known = UNITS[UNIT_OF[name]], texts()
    space = {"__name__": "an answer of the course", **modules}
    for one in unit[: unit.index(name)]:
        if one in known:
            exec(compile(known[one], f"<{one}>", "exec", dont_inherit=True), space)
    exec(compile(source, f"<{name}>", "exec", dont_inherit=True), space)
    return space[name]
