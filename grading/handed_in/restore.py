"""Put a submission back into the form that nbgrader needs: each answer and each test once, none missing.

Learners duplicate, delete, move and edit cells, and some tools drop nbgrader's metadata. The gradebook knows
which cells there should be.
"""

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader import utils
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor

from grading.handed_in import reading
from grading.handed_in.reading import new_cell
from helpers.units import grade_id, tested_by

GIVEN = "# Everybody who handed in gets the points of this exercise."
"""What a test cell holds whose points are given, see `chosen_points`: it fails for nobody."""


@dataclass(frozen=True)
class Known:
    """A cell that the gradebook knows.

    Attributes:
        name: its grade id.
        kind: `code` or `markdown`.
        source: as in the solution notebook, hidden tests included.
        locked: whether learners were not to change it.
        points: of a test cell, else `None`.
        solution: whether it is an answer cell.
        checksum: of its source, as nbgrader computes it.
        task: points of a task that is marked by hand, else `None`.
    """

    name: str
    kind: str
    source: str
    locked: bool
    points: float | None
    solution: bool
    checksum: str | None
    task: float | None = None

    @property
    def metadata(self) -> dict[str, Any]:
        """What nbgrader notes in the cell."""
        noted = {
            "cell_type": self.kind,
            "checksum": self.checksum,
            "grade": self.points is not None,
            "grade_id": self.name,
            "locked": self.locked,
            "schema_version": 3,
            "solution": self.solution,
            "task": False,
        }
        return noted if self.points is None else {**noted, "points": self.points}


def known_cells(db_url: str, unit: str, notebook: str, course_id: str = "default_course") -> list[Known]:
    """The cells of a notebook that the gradebook knows, which keeps no order.

    Raises:
        MissingEntry: when it does not know the notebook.
    """
    with Gradebook(db_url, course_id) as gradebook:
        return cells_of(gradebook.find_notebook(notebook, unit))


def cells_of(notebook: Any) -> list[Known]:
    """The cells of a notebook of an open gradebook."""
    points = {cell.name: cell.max_score for cell in notebook.grade_cells}
    tasks = {cell.name: cell.max_score for cell in notebook.task_cells}
    solutions = {cell.name for cell in notebook.solution_cells}
    return [
        Known(
            cell.name,
            cell.cell_type,
            cell.source,
            bool(cell.locked),
            points.get(cell.name),
            cell.name in solutions,
            cell.checksum,
            tasks.get(cell.name),
        )
        for cell in notebook.source_cells
    ]


def in_order(known: Sequence[Known], solution: Path) -> list[Known]:
    """The cells as they stand in a notebook in `solutions/`; others, and all where it is gone, by name."""
    names = _names_in(solution, solution.stat().st_mtime_ns) if solution.is_file() else {}
    return sorted(known, key=lambda one: (names.get(one.name, len(names)), one.name))


@cache
def _names_in(solution: Path, _when: int) -> dict[str, int]:
    return {grade_id(cell): place for place, cell in enumerate(reading.read(solution).cells)}


def solution(places: Any, unit: str) -> Path:
    """Where a unit's notebook lies that the instructor edits."""
    return Path(places.format_path(places.source_directory, ".", unit), f"{unit}.ipynb")


class Restore(NbGraderPreprocessor):
    """The first thing that happens to a submission, before nbgrader's own sanitizing."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Restore the cells; what had to be done is noted for the report."""
        about, submission = resources["nbgrader"], resources["submission"]
        place = solution(CourseDirectory(parent=self), about["assignment"])
        known = _known(about["db_url"], about["assignment"], about["notebook"], place, submission.judged_by)
        made = restore(nb.cells, known)
        nb.cells, submission.left = made.cells, made.left
        for text in made.done:
            submission.note(text)
        return nb, resources


@lru_cache(maxsize=8)
def _known(db_url: str, unit: str, notebook: str, place: Path, _judged_by: str) -> list[Known]:
    """The known cells in order: the same for everybody who is judged by the same."""
    return in_order(known_cells(db_url, unit, notebook), place)


@dataclass(frozen=True)
class Restored:
    """A submission's cells, put in order.

    Attributes:
        cells: each known one in its place.
        done: what was done for that, in sentences.
        left: the answers whose cells are gone, or as they were released.
    """

    cells: list[Any]
    done: list[str]
    left: frozenset[str]


def restore(cells: Sequence[Any], known: Sequence[Known]) -> Restored:
    """The cells with each known one in its place, and what was done."""
    names, done = _names(cells, known)
    released = [_is_released(cell) for cell in cells]
    odd: dict[str, list[str]] = {kind: [] for kind in _SAID}
    left = set()
    for cell in cells:
        cell.metadata.pop("nbgrader", None)
    order: list[tuple[float, Any]] = list(enumerate(cells))
    answers = {one.name: _last(names, one.name) for one in known if one.solution}
    for number, one in enumerate(known):
        found = [place for place, name in enumerate(names) if name == one.name]
        if len(found) > 1:
            odd["twice"].append(f"{one.name} ({len(found)} times)")
        after = answers.get(tested_by(one.name)) if one.points is not None else None
        place = _choose(cells, found, one, after)
        if one.solution and (
            place is None or released[place] or _code(cells[place].source) in ("", _code(one.source))
        ):
            left.add(one.name)
        if place is None:
            if one.points is None and not (one.locked and one.kind == "code"):
                continue  # an answer, or a text
            if one.source != GIVEN:  # a learner's own test does not look like that
                odd["missing"].append(one.name)
            end = len(cells) + number if after is None else after + 0.5
            order.append((end if one.points is not None else -1, _as(None, one)))
            continue
        was, where = cells[place].source, float(place)
        order = [(spot, other) for spot, other in order if other is not cells[place]]
        if one.points is not None and released[place] is False and not _is_copy(cells[place], one):
            odd["changed"].append(one.name)
        if after is not None and place < after:
            odd["before"].append(one.name)
            where = after + 0.5
        elif one.points is None and one.locked and one.kind == "code":
            if any(place > answer for answer in answers.values() if answer is not None):
                done.append(f"the cell {one.name} stood behind an answer")
                where = -1
            if was.strip() != one.source.strip():
                done.append(f"the cell {one.name} was changed; the learner's version runs after it")
                order.append((where + 0.25, new_cell("code", was)))
        order.append((where, _as(cells[place], one)))
    done += [_said(kind, them) for kind, them in odd.items() if them]
    return Restored([cell for _, cell in sorted(order, key=lambda pair: pair[0])], done, frozenset(left))


_SAID = {
    "changed": "{} {was} changed; the course's own {was} run",
    "missing": "{} {was} missing; the course's own {was} run",
    "before": "{} stood before the {answer}",
    "twice": "there more than once: {}",
}
"""What is said of cells, however many they are."""


def _said(kind: str, names: Sequence[str]) -> str:
    many = len(names) > 1
    words = {"was": "were" if many else "was", "answer": "answers they test" if many else "answer it tests"}
    return _SAID[kind].format(" and ".join(filter(None, [", ".join(names[:-1]), names[-1]])), **words)


def _is_released(cell: Any) -> bool | None:
    """Whether a cell is as learners got it, by the checksum that nbgrader noted in it then.

    So a newer version of the course takes nothing for changed that was not.  `None` where none is noted.
    """
    try:
        noted = cell.metadata.nbgrader.checksum
        texts = {cell.source, cell.source.replace("\r\n", "\n"), cell.source.strip()}
        return any(utils.compute_checksum(NotebookNode(cell, source=text)) == noted for text in texts)
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


@lru_cache(maxsize=4096)  # most cells are the same in all submissions
def _code(source: str) -> str:
    """The code of a cell without comments and blank lines; its text where it is no Python."""
    try:
        return ast.unparse(ast.parse(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return source.strip()


def _names(cells: Sequence[Any], known: Sequence[Known]) -> tuple[list[str | None], list[str]]:
    """Which known cell each of them is: by nbgrader's notes, or by what is in it."""
    by_name = {one.name: one for one in known}
    names: list[str | None] = []
    for cell in cells:
        name = grade_id(cell) if grade_id(cell) in by_name else None
        if name is not None and by_name[name].points is not None and not _is_copy(cell, by_name[name]):
            answer = tested_by(name)
            if answer in by_name and answer in _defined(cell.source):  # the two notes were swapped
                name = answer
        names.append(name)
    done = []
    if known and not any(names):
        done.append("nbgrader's notes were gone from every cell; they were recognised by what is in them")
    left = [one for one in known if one.name not in names]
    for place, cell in enumerate(cells):
        if names[place] is None:
            names[place] = _recognised(cell, left)
    return names, done


def _choose(cells: Sequence[Any], found: Sequence[int], one: Known, after: int | None) -> int | None:
    """Which of the cells of one name counts: the last answer; the first unchanged test behind it."""
    if one.points is None:
        return found[-1] if found else None
    behind = [place for place in found if after is None or place > after] or list(found[-1:])
    return next((place for place in behind if _is_copy(cells[place], one)), behind[0] if behind else None)


def _last(names: Sequence[str | None], name: str) -> int | None:
    return next((place for place in range(len(names) - 1, -1, -1) if names[place] == name), None)


def _as(cell: Any, one: Known) -> Any:
    """A cell with the type, the metadata and, where it is locked, the source that it should have."""
    source = one.source if cell is None or one.locked else cell.source
    if cell is None or cell.cell_type != one.kind:
        made = new_cell(one.kind, source)
        if cell is not None:
            made.id = cell.id
        cell = made
    cell.source = source
    cell.metadata["nbgrader"] = one.metadata
    return cell


def _is_copy(cell: Any, one: Known) -> bool:
    """Whether a cell is a locked one as learners got it: without its hidden lines."""
    lines = {line.strip() for line in one.source.splitlines()}
    return all(line.strip() in lines for line in cell.source.splitlines())


def _recognised(cell: Any, known: Sequence[Known]) -> str | None:
    """Which known cell this is, by its first line or by what it defines."""
    first = cell.source.strip().partition("\n")[0].strip()
    same = [
        one
        for one in known
        if one.locked and first and first == one.source.strip().partition("\n")[0].strip()
    ]
    if same:  # several tests may begin alike
        return next((one for one in same if _is_copy(cell, one)), same[0]).name
    defined = _defined(cell.source) if cell.cell_type == "code" else frozenset()
    return next((one.name for one in known if one.solution and one.name in defined), None)


@lru_cache(maxsize=4096)
def _defined(source: str) -> frozenset[str]:
    """Names that a cell defines at its top level."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    names = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return frozenset(names)
