"""Wrong answers that no name of the course fits, by what they do: the largest group first."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from grading import named, report, submission
from grading.handed_in import reading
from grading.handed_in.flags import LONGEST, python
from grading.term import gradebook
from helpers.named_mistakes import Entries, Named
from helpers.units import UNIT_OF, grade_id

MOST = 40
"""Groups on a page: the smaller ones are counted."""

TRIED = 5
"""So many answers of a group are looked at for one that can be shown."""

LEAST_NAME = 3
"""Letters; shorter ids and names are in every word."""


@dataclass(frozen=True)
class Group:
    """Answers that do the same.

    Attributes:
        exercise: its name.
        id: the short id of what they do.
        students: who gave one.
        differs: how the first differs, in a sentence.
        example: one of them, without comments and names; empty where none can be shown.
        named: what the instructor says to it.
    """

    exercise: str
    id: str
    students: Sequence[str]
    differs: str
    example: str
    named: Named | None = None


@dataclass(frozen=True)
class Section:
    """The part of the page on them.

    Attributes:
        groups: the largest first, those with words last.
        more: how many are not shown.
        remarks: what of the file says nothing to anybody, in a sentence each.
    """

    groups: Sequence[Group]
    more: int
    remarks: Sequence[str]


def section(config: Any, units: Sequence[str], words: Entries) -> Section:
    """What the page shows of some units."""
    course, found, reports = Path(config.CourseDirectory.root), [], []
    for unit in units:
        read = (report.read(course, unit, student) for student in submission.submitted(config, unit))
        of_it = [one for one in read if one and not one.reason]
        found += of_unit(config, unit, of_it, words)
        reports += of_it
    found.sort(key=lambda one: (one.named is not None, -len(one.students), one.exercise, one.id))
    remarks = list(named.remarks(words, reports, all_of_them=True))
    return Section(found[:MOST], len(found[MOST:]), remarks)


def of_unit(config: Any, unit: str, reports: Iterable[report.Report], words: Entries) -> list[Group]:
    """The groups of a unit."""
    found: dict[tuple[str, str], list[report.Report]] = defaultdict(list)
    for one in reports:
        elsewhere = {*one.mistakes, *one.follow_on}  # a hidden test named it; another's fault
        for name, group in one.unnamed.items():
            if name not in elsewhere:
                found[name, group].append(one)
    known = _people(config) if found else frozenset()
    return [
        Group(
            name,
            group,
            [one.student for one in them],
            _differs([one.differs.get(name, "") for one in them], known),
            _example(config, unit, name, them, known),
            words.get((name, group)),
        )
        for (name, group), them in sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))
    ]


def _differs(texts: Sequence[str], known: Collection[str]) -> str:
    """What is said of most; learners' own words may stand in it, and names in these."""
    told = Counter(text for text in texts if not names_in(text, known))
    return told.most_common(1)[0][0] if told else ""


def _people(config: Any) -> frozenset[str]:
    """Every word of a name, and every id, that an example must not hold."""
    with gradebook.opened(config) as book:
        said = [
            text
            for one in book.students
            for text in (one.id, one.first_name, one.last_name, (one.email or "").partition("@")[0])
        ]
    words = {word for text in said if text for word in (text, *re.split(r"[\s\-_.']+", text))}
    long = {word.casefold() for word in words if len(word) >= LEAST_NAME}
    return frozenset(word for word in long if not hasattr(np, word) and word not in UNIT_OF)  # Max, Norm


def names_in(text: str, known: Collection[str]) -> list[str]:
    """The names of people that stand in a text as words, or as parts of names in code."""
    parts = re.findall(r"[^\W_]+", text) + re.findall(r"[^\W\d_]+", text) + re.findall(r"[A-Z][a-z]+", text)
    return sorted({part.casefold() for part in parts} & set(known))


def _example(
    config: Any, unit: str, name: str, reports: Sequence[report.Report], known: Collection[str]
) -> str:
    """The shortest answer of some, without comments, that holds no name.

    Args:
        config: the course's settings.
        unit: which one.
        name: the exercise.
        reports: of those who gave such an answer.
        known: names that it must not hold, see `_people`.
    """
    texts = [source(config, unit, name, one.student) for one in reports[:TRIED]]
    shown = [text for text in texts if text and not names_in(text, known)]
    return min(shown, key=len, default="")


def source(config: Any, unit: str, name: str, student: str) -> str:
    """An answer as it was handed in, without comments; empty where it cannot be read."""
    places = submission.folders(config, unit, student)
    path = Path(places.format_path(places.autograded_directory, student, unit)) / f"{unit}.ipynb"
    try:
        cells = reading.read(path).cells
    except (OSError, reading.Unreadable):
        return ""
    return next((bare(cell.source) for cell in cells if grade_id(cell) == name), "")


def bare(text: str) -> str:
    """Code without comments and sentences, in which a name may stand; empty where it cannot be read."""
    try:
        tree = ast.parse(python(text[:LONGEST]))
        return ast.unparse(_Bare().visit(tree))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""


class _Bare(ast.NodeTransformer):
    def visit_Expr(self, node: ast.Expr) -> Any:
        return None if isinstance(node.value, ast.Constant) else self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> Any:
        is_text = isinstance(node.value, str) and " " in node.value.strip() and "->" not in node.value
        return ast.Constant("...") if is_text else node

    def generic_visit(self, node: ast.AST) -> Any:
        super().generic_visit(node)
        if getattr(node, "body", None) == [] and not isinstance(node, ast.Module):
            node.body = [ast.Pass()]
        return node
