"""What everybody wrote in a unit, and what the course shows them: read, never run."""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from grading import submission
from grading.alike.likeness import ELSEWHERE, HandIn, Shown
from grading.alike.written import Run, Text
from grading.handed_in import intake, reading, restore
from grading.outside.sandbox import ROOT
from grading.term import collected
from helpers.answer_text import body_lines
from helpers.units import UNIT_OF, VARIABLES, grade_id

GIVEN = frozenset({*UNIT_OF, "reference", "example", "plots", "views", "check", "hint", "try_it", "reveal"})
_CODE_IN_PROSE = re.compile(r"```\w*\n(.*?)```|`([^`\n]+)`", re.DOTALL)


@dataclass
class ClassTexts:
    """A unit.

    Attributes:
        hand_ins: those that can be read.
        shown: what everybody was shown.
        forced: the exercises that are not compared: their answer is one line.
        left_out: why somebody's is not compared, by name.
    """

    hand_ins: list[HandIn]
    shown: Shown
    forced: list[str]
    left_out: dict[str, str] = field(default_factory=dict)


def read(config: Any, unit: str) -> ClassTexts:
    """Everything that was handed in for a unit.

    Args:
        config: the course's settings, see `grading.submission.settings`.
        unit: one that the course folder has.
    """
    places = submission.folders(config, unit)
    solution = reading.read(restore.solution(places, unit)).cells
    known = [_known(cell) for cell in solution if grade_id(cell)]
    answers = {one.name: one.source for one in known if one.solution}
    forced = [name for name, source in answers.items() if is_forced(name, source)]
    path = Path(places.format_path(places.release_directory, ".", unit), f"{unit}.ipynb")
    release = reading.read(path).cells if path.is_file() else []
    given = {line.strip() for cell in [*release, *solution] for line in cell.source.splitlines()}
    found = ClassTexts([], shown(unit, [*release, *solution]), forced)
    for student in submission.submitted(config, unit):
        folder = Path(places.format_path(places.submitted_directory, student, unit))
        path = folder / f"{unit}.ipynb"
        if (folder / collected.NOTE).exists():  # the hand-in of somebody else of a group
            continue
        try:
            cells = restore.restore(reading.read(path).cells, known).cells
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
        except reading.Unreadable as error:
            found.left_out[student] = str(error)
            continue
        except OSError:
            found.left_out[student] = f"{intake.missing(folder, unit)}."
            continue
        texts = {
            grade_id(cell): Text(cell.source, GIVEN)
            for cell in cells
            if grade_id(cell) in answers and grade_id(cell) not in forced
        }
        texts[ELSEWHERE] = Text("\n".join(_elsewhere(cells, given)), GIVEN)
        found.hand_ins.append(HandIn(student, texts, digest))
    return found


def shown(unit: str, cells: Iterable[Any]) -> Shown:
    """What the course shows of a unit, in its notebooks, answers, hints, reviews and banks.

    Args:
        unit: which.
        cells: of the notebook as it is handed out, and of its solution.
    """
    prose = tuple(cell.source for cell in cells if cell.cell_type != "code")
    of_notebooks = _said(tuple(cell.source for cell in cells if cell.cell_type == "code"), prose)
    of_files, strangers = _in_files(unit)
    runs, words = (one | other for one, other in zip(of_notebooks, of_files, strict=True))
    return Shown(runs, words, strangers)


@cache
def _in_files(unit: str) -> tuple[tuple[frozenset[Run], frozenset[str]], int]:
    """The same of files that do not change while this runs; and how many programs of strangers there are."""
    bank = list(_texts_in(ROOT / "banks" / f"unit_{unit}"))
    helpers = ROOT / "helpers"
    kept = [helpers / name for name in ("answers.json", "others.json", "questions/wrong_lines.json")]
    records = [helpers / "exercises" / f"unit_{unit}", helpers / "exercises" / "wrong", ROOT / "own"]
    code = [text for folder in (helpers / "reference", *records) for text in _texts_in(folder)]
    code += [text for path in kept for text in _strings(json.loads(path.read_text("utf-8")))]
    strangers = sum(len(re.findall(r"^@(?:right|wrong)\(", one, re.MULTILINE)) for one in bank)
    return _said((*bank, *code), ()), strangers


@cache
def _said(code: tuple[str, ...], prose: tuple[str, ...]) -> tuple[frozenset[Run], frozenset[str]]:
    """The runs and words of code, and of the code in texts and comments."""
    inside = [one for text in [*code, *prose] for pair in _CODE_IN_PROSE.findall(text) for one in pair if one]
    texts = [Text(one, GIVEN) for one in [*code, *inside]]
    said = [*texts, *(Text(_as_comment(one)) for one in prose)]
    return (
        frozenset(run for text in texts for run in text.runs),
        frozenset(word for text in said for word in text.words),
    )


def _texts_in(folder: Path) -> Iterator[str]:
    yield from (path.read_text("utf-8", "replace") for path in sorted(folder.rglob("*.py")))


def _strings(thing: Any) -> Iterator[str]:
    if isinstance(thing, str):
        yield thing
    elif isinstance(thing, list | Mapping):
        for one in thing.values() if isinstance(thing, Mapping) else thing:
            yield from _strings(one)


def _known(cell: Any) -> restore.Known:
    noted = cell.metadata.nbgrader
    points = noted.get("points") if noted.get("grade") else None
    return restore.Known(
        grade_id(cell),
        cell.cell_type,
        cell.source,
        bool(noted.get("locked")),
        points,
        bool(noted.get("solution")),
        None,
    )


def is_forced(name: str, source: str) -> bool:
    """Whether there is one line to write, or a value to choose."""
    try:
        return name in VARIABLES or len(body_lines(source)) < 2
    except (SyntaxError, IndexError):
        return False


def _elsewhere(cells: Iterable[Any], given: set[str]) -> Iterator[str]:
    """The lines of all other cells that are not the course's; prose as comments."""
    for cell in cells:
        if not grade_id(cell):
            lines = [line for line in cell.source.splitlines() if line.strip() not in given]
            yield from lines if cell.cell_type == "code" else map(_as_comment, lines)


def _as_comment(text: str) -> str:
    return "\n".join(f"# {line}" for line in text.splitlines())
