"""What grading depends on beside the submission: the tests, the code that judges, rules and limits.

What is taken off for lateness is none of it: see `settle`.
"""

import ast
import hashlib
import inspect
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from grading import report
from grading.handed_in import intake
from grading.outside import sandbox
from grading.term import secret
from helpers import named_mistakes

ONLY_SHOW = (
    *(
        "helpers/arrays.py",
        "helpers/in_browser/",
        "helpers/concept_inventory/",
        "helpers/plots/",
        "helpers/views/",
    ),
    *(
        "grading/__main__.py",
        "grading/answers.py",
        "grading/course_folder.py",
        "grading/named.py",
        "grading/spreadsheet.py",
        "grading/whole_class.py",
        "grading/to_do.py",
        "grading/regrades.py",
        "grading/said.py",
        "grading/summary.py",
        "grading/term/late.py",
        "grading/term/settle.py",
    ),
    *(
        "grading/analytics/",
        "grading/lms/",
        "grading/exports/",
        "grading/term/backup.py",
    ),
    "grading/term/feedback.py",
)
"""Code that no mark depends on: it draws, prints, or carries things in and out."""

DIGESTS = ".code.json"
_DOCUMENTED = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_READS_DOCSTRINGS = re.compile(rb"[.(=, ]__doc__|[.]getdoc")
_THEIRS = {"nbgrader", "nbconvert", "traitlets", "grading", "helpers"}
_STEPS = ("sanitize_preprocessors", "autograde_preprocessors", "exclude_overwriting")
_NO_RULE = {"force", "without_sandbox", "follow_on"}
"""Settings that change no mark, or, as `follow_on` does, those few that `to_do` looks for itself."""


@dataclass(frozen=True)
class Basis:
    """What all submissions of a class are judged by.

    Attributes:
        digest: of all that is the same for everybody.
        code: digest of the files of the code, byte by byte; tells whether another machine has the same.
    """

    digest: str
    code: str


def of(config: Any, course: Path, unit: str, cells: list[Any]) -> Basis:
    """What a unit is judged by, now.

    Args:
        config: nbgrader's settings.
        course: the course folder.
        unit: which one.
        cells: those that the gradebook knows, in order.
    """
    parts = {
        "code": _meaning_of_code(course),
        "cells": [_cell(one) for one in cells],
        "files": _files(course / config.CourseDirectory.get("source_directory", "source") / unit),
        "rules": _rules(config, course),
        "secret": hashlib.sha256(secret.of(course)).hexdigest(),
    }
    digest = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
    return Basis(digest, code())


# The code


@cache
def code() -> str:
    """Digest of the files of the code that judges, as this process found them first."""
    digest = hashlib.sha256()
    for name, data in sorted(_sources().items()):
        digest.update(f"{name}\0{len(data)}\0".encode() + data)
    if (words := named_mistakes.file()).is_file():  # said on that machine too; no mark depends on it
        digest.update(words.read_bytes())
    return digest.hexdigest()


@cache
def _sources() -> dict[str, bytes]:
    paths = [
        path for folder in ("grading", "helpers", "own") for path in (sandbox.ROOT / folder).rglob("*.py")
    ]
    names = {path.relative_to(sandbox.ROOT).as_posix(): path for path in paths}
    return {name: path.read_bytes() for name, path in names.items() if not name.startswith(ONLY_SHOW)}


def _meaning_of_code(course: Path) -> str:
    """Digest of what the code does; it takes a second or two, so it is kept for the same bytes."""
    place = course / "reports" / DIGESTS
    try:
        kept = json.loads(place.read_text("utf-8"))
    except (OSError, ValueError):
        kept = {}
    if code() not in kept:
        kept = {code(): _meaning_of_sources(code())}
        report.write_whole(place, json.dumps(kept))
    return str(kept[code()])


@cache
def _meaning_of_sources(_code: str) -> str:
    read = any(_READS_DOCSTRINGS.search(data) for data in _sources().values())
    parts = [f"{name}\0{meaning(data, read)}" for name, data in sorted(_sources().items())]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def meaning(source: bytes, docstrings_are_read: bool = False) -> str:
    """Python without comments, blank lines, formatting and docstrings; anything else as it is."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return repr(source)
    for node in ast.walk(tree) if not docstrings_are_read else ():
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            del node.body[0]
    return ast.dump(tree)


# The tests, and the files that nbgrader lays beside every submission


def _cell(one: Any) -> list[Any]:
    reads = one.locked and one.kind == "code"
    text = meaning(one.source.encode("utf-8", "replace")) if reads else ""
    return [one.name, one.kind, one.locked, one.points, one.solution, text]


def _files(source: Path) -> dict[str, str]:
    paths = [path for path in intake.everything(source) if path.suffix != ".ipynb" and path.is_file()]
    return {str(path.relative_to(source)): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


# Rules and limits


def _rules(config: Any, course: Path) -> dict[str, Any]:
    """The settings of every step of grading, and the source of steps that are the instructor's own."""
    from nbgrader.converters import Autograde
    from traitlets.config import Config
    from traitlets.utils.importstring import import_item

    asked = {name: value for name, value in config.Autograde.items() if name in _STEPS}
    grading = Autograde(config=Config({"Autograde": asked}))
    named = [*grading.sanitize_preprocessors, *grading.autograde_preprocessors]
    ours = [one for one in named if str(one).startswith("grading.")]  # to import them takes PyTorch
    steps = [import_item(one) if isinstance(one, str) else one for one in named if one not in ours]
    made = [step(config=config) for step in steps]
    return {
        "order": [_plain(one) for one in named],
        "exclude": _plain(grading.exclude_overwriting),
        "ours": {one: _section(config, one.rpartition(".")[2]) for one in ours},
        "steps": [[f"{type(one).__module__}.{type(one).__qualname__}", _settings(one)] for one in made],
        "own": {path.name: own_source(path) for path in _own_files(made, course)},
    }


def _section(config: Any, name: str) -> dict[str, str]:
    """Settings as they were given, on the command line (as text) or in a file."""
    given = config.get(name, {})
    return {key: str(_plain(value)) for key, value in given.items() if key not in _NO_RULE}


@cache
def own_source(path: Path) -> str:
    """What such a file does, as this process found it first: Formgrader runs for days, and imports once."""
    return meaning(path.read_bytes())


def _settings(step: Any) -> dict[str, Any]:
    names = step.trait_names(config=True)
    return {name: _plain(getattr(step, name)) for name in sorted(names) if name not in _NO_RULE}


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, set | frozenset):
        return sorted(map(str, value))
    return getattr(value, "__qualname__", type(value).__qualname__)


def _own_files(steps: list[Any], course: Path) -> list[Path]:
    """Where the instructor's own steps are written: their modules, or nbgrader's settings."""
    found = set()
    for step in map(type, steps):
        if step.__module__.partition(".")[0] not in _THEIRS:
            module = inspect.getmodule(step)
            found.add(Path(getattr(module, "__file__", None) or course / "nbgrader_config.py"))
    return sorted(found)
