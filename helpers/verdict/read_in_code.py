"""What stands in an answer's code and may be why it is wrong: said where no mistake has a name.

The probe has read the code (`helpers.beside.reads`).  A fact is said, never that it is the mistake.
"""

import ast
import contextlib
import re
from collections.abc import Mapping
from typing import Any

from helpers.text import names_in_words
from helpers.verdict.recognise import Named

OPEN = ("returns-input", "zero-result", "constant-result", "always-true", "always-false", "argument-unused")
"""Ids of what came back, or was left out: facts that leave the cause open."""

LONGEST = 40
"""So many letters of a name or a number are told: what is told of may come from a foreign process."""


LONGEST_LINE = 80


def read_in_code(mistake: Named | None, seen: Mapping[str, Any]) -> tuple[str, str]:
    """A sentence on data from outside the function and a hint on powers, each `""` where there is none.

    Args:
        mistake: what the answer was found to do; beside a mistake with a name nothing is said.
        seen: the first observation.
    """
    if mistake and mistake.id and mistake.id not in OPEN:
        return "", ""
    return _outside(seen.get("outside", [])), _powers(seen.get("powers", []))


def lines_left(seen: Mapping[str, Any]) -> list[str]:
    """The lines of an answer that say `...`, each as code, by its first observation."""
    return [f"`{one}`" for one in seen.get("placeholders", []) if _is_line_left(one)]


def _is_line_left(text: str) -> bool:
    with contextlib.suppress(SyntaxError, ValueError):
        (line,) = ast.parse(text).body
        given = getattr(line, "value", None)
        left = isinstance(given, ast.Constant) and given.value is ...
        return left and not isinstance(line, ast.Expr) and len(text) <= LONGEST_LINE and "`" not in text
    return False


def _outside(names: list[str]) -> str:
    names = [name for name in names if name.isidentifier() and len(name) <= LONGEST]
    it = "it" if len(names) == 1 else "they"
    said = f"Your code reads {names_in_words(names)} from outside the function"
    return f"{said}: should {it} depend on the arguments?" if names else ""


def _powers(found: list[str]) -> str:
    parts = re.fullmatch(r"(-?\d+) ([*/]) (\w+)", found[0]) if found else None
    if not parts or len(found[0]) > LONGEST:
        return ""
    exponent, by, then = parts.groups()
    if (exponent, by, then) == ("1", "/", "2"):
        return "`**` binds tighter than `/`: `x ** 1/2` is half of x."
    space = "" if by == "/" else " "
    written = f"`x ** {exponent}{space}{by}{space}{then}`"
    return f"`**` binds tighter than `{by}`: {written} is `(x ** {exponent}) {by} {then}`."
