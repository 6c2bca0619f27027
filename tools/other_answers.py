"""The answers that `others` shows: named in `banks/others.toml`, held in the banks, put together here."""

import ast
import json
import sys
import tomllib
from pathlib import Path

from helpers.units import UNIT_OF, module_name


def chosen_in(root: Path) -> Path:
    """The list, kept by hand, of the answers that are shown: their styles, and a sentence on each."""
    return root / "banks" / "others.toml"


def text(root: Path) -> str:
    """What `helpers/others.json` holds: of each exercise what is said of each answer, and its source."""
    chosen = tomllib.loads(chosen_in(root).read_text("utf-8"))
    found = {}
    for exercise in sorted(chosen, key=list(UNIT_OF).index):
        there = in_bank(root, exercise)
        missing = [style for style in chosen[exercise] if style not in there]
        if missing:
            sys.exit(
                f"banks/others.toml: {exercise} has no right answer, or more than one, called {missing[0]!r}."
            )
        found[exercise] = [{"says": says, "source": there[style]} for style, says in chosen[exercise].items()]
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def in_bank(root: Path, exercise: str) -> dict[str, str]:
    """The right functions and classes of an exercise by their styles, without the line that registers them.

    Left out are two answers of one style, which a style does not tell apart.
    """
    path = root / "banks" / f"unit_{UNIT_OF[exercise]}" / f"{module_name(exercise)}.py"
    written = path.read_text("utf-8")
    lines = written.splitlines(keepends=True)
    found: dict[str, list[str]] = {}
    for node in ast.parse(written).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and len(node.decorator_list) == 1:
            (call,) = node.decorator_list
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "right":
                style = ast.literal_eval(call.args[1])
                found.setdefault(style, []).append("".join(lines[node.lineno - 1 : node.end_lineno]))
    return {style: sources[0] for style, sources in found.items() if len(sources) == 1}
