"""What became of the cells that make answers and predictions: which failed, and which made a name last.

After a SyntaxError, or an import that fails, the notebook still holds what the cell made the last time, or
nothing.  A kernel sees a cell only when it runs: a change that has not run is nowhere.
"""

import codeop
import difflib
import keyword
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

from helpers.beside.kernel import shell
from helpers.beside.place import nearest, where
from helpers.units import UNIT_OF, VARIABLES

ABSENT = object()
"""Stands for the value of a name that the notebook does not have."""

AGAIN = "Repair it and run it: a change counts once its cell has run."

_NAMES = {*UNIT_OF, "guess", "sure"}
_DEFINES = re.compile(r"^(?:def|class)[ \t]+(\w+).*(?:\n(?:[ \t].*)?)*", re.MULTILINE)
_SETS = re.compile(r"^(\w+)[ \t]*(?::[^=\n]*)?=(?!=).*", re.MULTILINE)
_MEANT = re.compile(r"^[ \t]*(?:(\w+)[ \t]+)?(\w+)\b(.*)$", re.MULTILINE)
_COMPARES = re.compile(r"^(\w+)[ \t]*==", re.MULTILINE)
_IN_QUOTES = {"right_divisor": "The name of a divisor", "faulty_map": "A letter and a mistake"}
_BEGIN = ("class", "def", "define", "func", "function")
_STATEMENTS = ("return", "def", "for", "while", "if", "else", "elif", "import", "from", "class", "with")

MISSPELT = 0.85
"""So like an exercise's name is a misspelt one; the `SelfAttention` of a unit's own cell is less."""

LONGEST, MOST = 120, 500
"""So many letters of an error are told, and of a sentence that goes to another process."""


@dataclass(frozen=True)
class Failed:
    """A cell that stopped.

    Attributes:
        kind: of the error, such as `"NameError"`.
        says: that with its text and the line.
        text: the error's own words.
        advice: what is worth a look, or `""`.
        left: what the name stood for after it.
        cell: the cell's id in the notebook, where the kernel is told it.
    """

    kind: str
    says: str
    text: str
    advice: str
    left: Any
    cell: Any


@dataclass(frozen=True)
class Made:
    """A cell that made a name.

    Attributes:
        number: in how manieth run, as JupyterLab writes it beside the cell.
        text: the lines that make it.
        cell: the cell's id in the notebook, where the kernel is told it.
    """

    number: Any
    text: str
    cell: Any


_failed: dict[str, Failed] = {}
_made: dict[str, dict[Any, Made]] = {}
"""By name and cell, the last run at the end; a cell that has run again without a name is taken out."""
_latest: dict[str, Made] = {}
"""By name the run that made what it stands for."""
_compared: set[str] = set()
_last: dict[str, Any] = {}
_watched: list[Any] = []


def watch() -> None:
    """Look at each cell from now on, where there is a notebook."""
    here = shell()
    if here and here not in _watched:
        _watched.append(here)
        # more lines cannot follow a cell: without this Python says which bracket was never closed
        here.compile.flags &= ~codeop.PyCF_ALLOW_INCOMPLETE_INPUT
        here.events.register("post_run_cell", _note)


def failed(name: str, value: Any = ABSENT) -> Failed | None:
    """How the cell of an answer stopped, where it left this value behind, or none."""
    found = _failed.get(name)
    return found if found and found.left is value else None


def to_repair(name: str, stopped: Failed, again: str = AGAIN) -> str:
    """What to do about it; what was handed in does not run `again`."""
    said = f"the cell with {name} stopped with {stopped.says}."
    return " ".join(filter(None, [said, stopped.advice, again]))


def instead(name: str, space: Mapping[str, Any]) -> dict[str, Any]:
    """What the cells did where none of them made an answer, as plain values."""
    stopped = failed(name)
    told = [stopped.kind, stopped.says, stopped.text, stopped.advice] if stopped else []
    texts = {"near": near(name, space), "note": beside(name, space)}
    return {"stopped": [one[:MOST] for one in told]} | {what: text[:MOST] for what, text in texts.items()}


def near(name: str, space: Mapping[str, Any]) -> str:
    """What may be this answer under a misspelt name: made by a cell, and of no other use that is known."""
    wanted = name not in VARIABLES
    alike = [one for one in _made if one in space and callable(space[one]) == wanted]
    return nearest(name, [one for one in alike if one not in _NAMES], MISSPELT)


def beside(name: str, space: Mapping[str, Any]) -> str:
    """What cells did that may be why another answer is checked than the learner thinks, or `""`."""
    if name in _compared:
        return compares(name)
    other = near(name, space)
    if other and name in _latest and _later_in_its_cell(_latest[other], _latest[name]):
        return f"`{other}` was made later than `{name}`: is it meant?"
    cells = [one for one in _made.get(name, {}).values() if one.cell is not None]
    if len({one.text for one in cells}) < 2:
        return ""
    place = f", In [{cells[-1].number}]" if cells[-1].number else ""
    many = {2: "two", 3: "three"}.get(len(cells), str(len(cells)))
    return f"{name} was defined by {many} cells; the check uses the one that ran last{place}."


def _later_in_its_cell(one: Made, other: Made) -> bool:
    """Whether a cell made one name, and another in an earlier run; any cell, where the kernel tells no id."""
    return one.cell == other.cell and (one.number or 0) > (other.number or 0)


def stopped(name: str, error: BaseException, left: Any = ABSENT, cell: Any = None) -> Failed:
    """How the code of an answer stopped.

    Args:
        name: the exercise.
        error: what it stopped with.
        left: what the name stands for now.
        cell: the cell's id in the notebook, where the kernel is told it.
    """
    told = _of_syntax(error) if _no_python(error) else _of_run(name, error)
    return Failed(*told, left=left, cell=cell)


def only_compared(text: str) -> set[str]:
    """The names of values that code compares where it may be meant to set them."""
    return set(_COMPARES.findall(text)) & set(VARIABLES)


def compares(name: str) -> str:
    """What is said of such a name."""
    return f"`{name} == ...` only compares; one `=` sets it."


def _no_python(error: Any) -> TypeGuard[SyntaxError]:
    return isinstance(error, SyntaxError) and bool(error.lineno) and error.filename != "<string>"


def _note(result: Any) -> None:
    error = result.error_before_exec or result.error_in_exec
    no_python = _no_python(error)
    text, cell = result.info.raw_cell or "", getattr(result.info, "cell_id", None)
    _forget(cell)
    _compared.update(only_compared(text))
    for name, lines in _makes(text, no_python).items():
        value = _watched[0].user_ns.get(name, ABSENT)
        is_new = callable(value) and value is not _last.get(name)  # made before a later line failed
        _failed.pop(name, None)
        if name in _NAMES:
            _last[name] = value
            _compared.discard(name)
        if error is None or (is_new and not no_python):
            _latest[name] = Made(result.execution_count, lines, cell)
            _made.setdefault(name, {}).pop(cell, None)
            _made[name][cell] = _latest[name]
            _repaired_as(name, cell)
        elif name in _NAMES:
            _failed[name] = stopped(name, error, value, cell)


def _forget(cell: Any) -> None:
    """A cell that runs again is no longer what it was."""
    if cell is None:
        return
    for name in [name for name, one in _failed.items() if one.cell == cell]:
        del _failed[name]
    for them in _made.values():
        them.pop(cell, None)


def _repaired_as(name: str, cell: Any) -> None:
    """Where the kernel tells no cell from another, a name like that of a cell that failed is its repair."""
    for other in [other for other, one in _failed.items() if one.cell is cell is None]:
        if nearest(name, [other], MISSPELT):
            del _failed[other]


def _makes(text: str, no_python: bool) -> dict[str, str]:
    """The names that a cell makes, and the lines that do; of one that is no Python, what may be meant."""
    found = {one[1]: one[0].strip() for regex in (_SETS, _DEFINES) for one in regex.finditer(text)}
    meant = _MEANT.finditer(text) if no_python else ()
    return found | {one[2]: one[0].strip() for one in meant if _is_meant(*one.groups())}


def _is_meant(before: str | None, name: str, after: str) -> bool:
    """Whether a line may be meant to make a name, such as `dfe dot(a, b):` and `dot(a, b):`; no call is."""
    if name not in _NAMES:
        return False
    if before:
        if keyword.iskeyword(before):
            return before in ("def", "class")
        return bool(difflib.get_close_matches(before.lower(), _BEGIN, n=1, cutoff=0.65))
    inside = re.fullmatch(r"\s*\((.*)\)\s*:\s*", after)
    return bool(inside) and all(one.split("=")[0].strip().isidentifier() for one in inside[1].split(","))


def _of_syntax(error: SyntaxError) -> tuple[str, str, str, str]:
    line = (error.text or "").strip()
    place = f"line {error.lineno}: `{line}`" if line else f"line {error.lineno}"
    advice = _statement(line) if error.msg == "invalid syntax" else ""
    kind = type(error).__name__
    return kind, f"{kind}: {error.msg} ({place})", error.msg, advice


def _of_run(name: str, error: BaseException) -> tuple[str, str, str, str]:
    kind, words, place = type(error).__name__, _text(error), where(error)
    quotes = name in _IN_QUOTES and type(error) is NameError
    advice = f"{_IN_QUOTES[name]} is asked for, in quotes." if quotes else ""
    said = f"{kind}: {words}" if words else kind
    return kind, f"{said} ({place})" if place else said, words, advice


def _statement(line: str) -> str:
    """Which statement a line may be meant to begin with, such as `retrun x`."""
    word = (re.match(r"(\w+)[ \t]+[\w(\[{\"'-]", line) or ["", ""])[1]
    meant = difflib.get_close_matches(word.lower(), _STATEMENTS, n=1, cutoff=0.75)
    return f"Is `{meant[0]}` meant by `{word}`?" if meant and word != meant[0] else ""


def _text(error: BaseException) -> str:
    try:
        first = str(error).split("\n")[0]
        return first if len(first) <= LONGEST else f"{first[:LONGEST]} ..."
    except Exception:  # the learner's own `__str__` may fail
        return ""
