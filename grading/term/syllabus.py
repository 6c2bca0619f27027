"""`solutions/` says what there is to grade; the gradebook learns it from there, and again when it changes."""

import contextlib
import fcntl
import logging
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import nbformat
from nbgrader import utils
from nbgrader.api import (
    Comment,
    Grade,
    Gradebook,
    GradeCell,
    MissingEntry,
    SolutionCell,
    SourceCell,
    SubmittedNotebook,
    TaskCell,
)
from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import SaveCells

from grading import trouble
from grading.handed_in.restore import Known, known_cells, solution
from grading.outside.sandbox import ROOT
from grading.term import by_hand, ledger
from grading.term.by_hand import ByHand
from grading.term.choices import BadChoice
from grading.term.chosen_points import ChosenPoints
from helpers.errors import OneSentence

MOST = 8
"""So many changes are named, the others counted."""


class NoUnit(OneSentence, LookupError):
    """Neither `solutions/` nor the gradebook say what there is to grade; the message says what to do."""


def learn(config: Any, unit: str) -> list[str]:
    """Bring the gradebook up to date with `solutions/`, by nbgrader's own means.

    Returns:
        What was done, in sentences; marks, comments and changes by hand stay.

    Raises:
        NoUnit: when `solutions/` has no such unit and the gradebook neither, or nbgrader cannot read it.
    """
    places = CourseDirectory(config=config)
    path = solution(places, unit)
    with _one_at_a_time(Path(places.root)):
        have = _known(places, unit)
        if not path.is_file():
            if have is None:
                raise NoUnit(f"There is no {path}, so nobody knows what to grade: check the unit's name.")
            return []
        wanted, _ = _prepared(_with_choices(config), places, unit, path)
        _, released = _prepared(config, places, unit, path)
        said = _other_release(places, unit, released)
        if have == wanted:
            return said
        lost = _reshape(places, unit, wanted) if have is not None else []
        _generate(_with_choices(config), unit)
    return [_first_time(unit, wanted) if have is None else _news(unit, have, wanted), *lost, *said]


def cells_of(config: Any, unit: str) -> list[Known]:
    """Read the cells of a unit from `solutions/`: blank, as learners get them, and with the hidden tests.

    Raises:
        NoUnit: when it cannot be read.
    """
    places = CourseDirectory(config=config)
    return [*_prepared(config, places, unit, solution(places, unit))[0].values()]


def is_outdated(config: Any, unit: str) -> bool:
    """Whether the gradebook would learn something; nothing is changed."""
    places = CourseDirectory(config=config)
    path, have = solution(places, unit), _known(places, unit)
    if have is None or not path.is_file():
        return have is None
    return have != _prepared(_with_choices(config), places, unit, path)[0]


def _with_choices(config: Any) -> Any:
    """The settings, with the points and exercises of `term.toml` as a step before nbgrader's own."""
    made = deepcopy(config)
    made.GenerateAssignment.preprocessors = [ChosenPoints, *GenerateAssignment(config=config).preprocessors]
    return made


@contextlib.contextmanager
def _one_at_a_time(course: Path) -> Iterator[None]:
    """Formgrader, nbgrader and the grader may all find the gradebook out of date at the same moment."""
    with open(course / ".gradebook.lock", "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _known(places: CourseDirectory, unit: str) -> dict[str, Known] | None:
    try:
        return {one.name: one for one in known_cells(places.db_url, unit, unit, places.course_id)}
    except MissingEntry:
        return None


def _prepared(
    config: Any, places: CourseDirectory, unit: str, path: Path
) -> tuple[dict[str, Known], Sequence[Any]]:
    """The cells that nbgrader would keep of a solution, and those of the notebook that learners get."""
    about = {"notebook": unit, "assignment": unit, "student": ".", "db_url": places.db_url}
    resources: Any = {"nbgrader": about, "metadata": {"name": unit, "path": str(path.parent)}}
    kept: dict[str, Known] = {}
    try:
        notebook = nbformat.read(path, as_version=4)
        for step in GenerateAssignment(coursedir=places, config=config).preprocessors:
            if issubclass(step, SaveCells):
                kept = {one.name: one for one in map(_as_kept, notebook.cells) if one is not None}
            else:
                notebook, resources = step(config=config).preprocess(notebook, resources)
    except BadChoice:
        raise
    except Exception as error:
        raise NoUnit(f"{path} cannot be read ({error}): mend it first.") from error
    return kept, notebook.cells


def _as_kept(cell: Any) -> Known | None:
    """A cell as `SaveCells` keeps it; `None` where it does not."""
    grade, task = utils.is_grade(cell), utils.is_task(cell)
    if not (grade or task or utils.is_solution(cell) or utils.is_locked(cell)):
        return None
    noted = cell.metadata.nbgrader
    return Known(
        noted.grade_id,
        cell.cell_type,
        cell.source,
        bool(utils.is_locked(cell)),
        float(noted.points) if grade else None,
        bool(utils.is_solution(cell)),
        noted.get("checksum"),
        float(noted.points) if task else None,
    )


# What is said


def _first_time(unit: str, wanted: Mapping[str, Known]) -> str:
    tests = [one.points for one in wanted.values() if one.points is not None]
    return f"The gradebook did not know {unit}: it now has its {len(tests)} exercises, {sum(tests):g} points."


def _news(unit: str, have: Mapping[str, Known], wanted: Mapping[str, Known]) -> str:
    changes = [f"{name} is gone" for name in have if name not in wanted]
    changes += [f"{name} is new" for name in wanted if name not in have]
    for name in wanted:
        if name in have and have[name] != wanted[name]:
            changes.append(_difference(have[name], wanted[name]))
    more = f"; and {len(changes) - MOST} more" if len(changes) > MOST else ""
    return f"What solutions/{unit} and term.toml ask for has changed: {'; '.join(changes[:MOST])}{more}."


def _difference(old: Known, new: Known) -> str:
    if old.points != new.points and None not in (old.points, new.points):
        return f"{new.name} is worth {new.points:g} points, was {old.points:g}"
    if (old.points is None) != (new.points is None) or old.solution != new.solution:
        return f"{new.name} is another kind of cell"
    return f"{new.name} has another test" if new.points is not None else f"{new.name} has another text"


def _other_release(places: CourseDirectory, unit: str, released: Sequence[Any]) -> list[str]:
    """Whether learners have another notebook than the one that `solutions/` gives."""
    path = Path(places.format_path(places.release_directory, ".", unit), f"{unit}.ipynb")
    if not path.is_file():
        return []
    if _shown(nbformat.read(path, as_version=4).cells) == _shown(released):
        return []
    ours = Path(places.root).resolve() == ROOT
    again = "make notebooks" if ours else f"nbgrader generate_assignment {unit} --force"
    tree = places.release_directory
    return [f"{tree}/{unit} is not what solutions/{unit} gives: `{again}` writes it anew for learners."]


def _shown(cells: Sequence[Any]) -> list[Any]:
    return [(cell.cell_type, cell.source, dict(cell.metadata.get("nbgrader", {}))) for cell in cells]


# What is done


def _generate(config: Any, unit: str) -> None:
    """Run nbgrader's own step, with the notebook for learners written to where nobody sees it."""
    log = logging.getLogger("grading.term.syllabus")
    log.handlers, log.propagate = [logging.NullHandler()], False
    with tempfile.TemporaryDirectory() as elsewhere:
        places = CourseDirectory(config=config)
        places.assignment_id, places.release_directory = unit, elsewhere
        try:
            GenerateAssignment(coursedir=places, config=config, log=log).start()
        except (Exception, SystemExit) as error:
            trouble.raise_if_full(Path(places.root))
            raise NoUnit(f"nbgrader cannot learn solutions/{unit} ({error}): mend it first.") from error


_TABLES = {
    GradeCell: lambda one: one.points is not None,
    SolutionCell: lambda one: one.solution,
    TaskCell: lambda one: one.task is not None,
    SourceCell: lambda one: True,
}
"""Where the gradebook keeps which cells."""


def _reshape(places: CourseDirectory, unit: str, wanted: Mapping[str, Known]) -> list[str]:
    """Add and remove cells under the submissions there are, which nbgrader refuses to do.

    Returns:
        Where marks by hand of removed cells are kept, in a sentence.
    """
    with Gradebook(places.db_url, places.course_id) as book:
        notebook = book.find_notebook(unit, unit)
        if not notebook.submissions:
            return []  # nbgrader itself begins anew
        tables = [*notebook._base_cells, *notebook.source_cells]
        gone = [cell for cell in tables if not _is_wanted(cell, wanted)]
        rows = [row for cell in gone for row in _by_hand(unit, cell)]
        if rows:
            ledger.append(Path(places.root) / ledger.REMOVED, rows)
            by_hand.append(Path(places.root), (ByHand(unit, row["student"], row["cell"]) for row in rows))
        for cell in gone:
            for part in (*(getattr(cell, "grades", None) or ()), *(getattr(cell, "comments", None) or ())):
                book.db.delete(part)
        book.db.flush()
        for cell in gone:
            book.db.delete(cell)
        _add(book, notebook, wanted, {(type(cell), cell.name) for cell in tables})
        book.db.commit()
    if not rows:
        return []
    kept = f"{ledger.REMOVED} keeps them"
    return [f"{len(rows)} marks and comments by hand belong to cells that are gone: {kept}."]


def _is_wanted(cell: Any, wanted: Mapping[str, Known]) -> bool:
    return cell.name in wanted and _TABLES[type(cell)](wanted[cell.name])


def _by_hand(unit: str, cell: Any) -> Iterator[dict[str, Any]]:
    """What a human gave in a cell."""
    for grade in getattr(cell, "grades", None) or ():
        if grade.manual_score is not None or grade.extra_credit is not None:
            given = {"manual_score": grade.manual_score, "extra_credit": grade.extra_credit}
            yield {"unit": unit, "student": grade.student.id, "cell": cell.name, **given}
    for comment in getattr(cell, "comments", None) or ():
        if comment.manual_comment:
            text = comment.manual_comment
            yield {"unit": unit, "student": comment.student.id, "cell": cell.name, "comment": text}


def _add(book: Any, notebook: Any, wanted: Mapping[str, Known], have: set[tuple[type, str]]) -> None:
    """Add the cells that are new, and an empty mark or comment for everybody who has handed in."""
    for one in wanted.values():
        for table in (table for table, needs in _TABLES.items() if needs(one)):
            if (table, one.name) not in have:
                cell = table(name=one.name, notebook=notebook, **_columns(table, one))
                book.db.add(cell)
                book.db.flush()
                for submitted in notebook.submissions:
                    book.db.add_all(_blank(table, cell, submitted))


def _columns(table: type, one: Known) -> dict[str, Any]:
    if table is SourceCell:
        return {"cell_type": one.kind, "locked": one.locked, "source": one.source, "checksum": one.checksum}
    if table is SolutionCell:
        return {}
    return {"cell_type": one.kind, "max_score": one.points if table is GradeCell else one.task}


def _blank(table: type, cell: Any, submitted: SubmittedNotebook) -> list[Any]:
    kinds = {GradeCell: (Grade,), SolutionCell: (Comment,), TaskCell: (Grade, Comment), SourceCell: ()}
    return [kind(cell_id=cell.id, notebook=submitted) for kind in kinds[table]]
