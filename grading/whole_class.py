"""Grade a class: bring the gradebook up to date, grade what is new or changed, say how it went."""

import argparse
import gc
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from grading import engines, report, submission, trouble
from grading.outside import warm_pool
from grading.outside.limits import Limits
from grading.term import ledger
from grading.term.basis import Basis
from helpers.units import UNITS


def grade(folder: Path, asked: argparse.Namespace, console: Console) -> int:
    """Grade what is new or changed, and show how the class did.

    Returns:
        0 when every submission has a mark, else 1.

    Raises:
        Wrong: when nobody has handed in.
        NoSandbox: when learner code cannot be kept apart on this machine.
        NoUnit: when nobody knows what there is to grade.
    """
    config = submission.settings(folder, asked.db, asked.without_sandbox)
    _must_be_writable(folder)
    if not asked.scheduler:
        _start_early(folder, config)
    students = submission.submitted(config, asked.unit)
    if not students:
        raise trouble.Wrong(
            f"Nobody has handed in {asked.unit}: expected {folder}/submitted/<student>/{asked.unit}/."
        )
    from grading import summary
    from grading.term import (
        gradebook,
        roster,
        syllabus,  # which import nbgrader
    )

    for line in syllabus.learn(config, asked.unit):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    basis = gradebook.judged_by(config, asked.unit)
    with gradebook.opened(config) as book:
        names, before = gradebook.students(book), gradebook.standings(book, asked.unit)
    people = roster.look(folder, names, students)
    changed = _changes(folder, asked.unit, before)
    for student, reason in people.refused.items():
        submission.refuse(config, asked.unit, student, reason, basis)
    able = [student for student in students if student not in people.refused]
    todo = able if asked.all else _to_do(config, folder, asked.unit, able, before, basis)
    if len(todo) < len(able):
        console.print(f"{len(able) - len(todo)} of {len(students)} are graded and unchanged.")
    for student, result in _results(console, folder, asked, config, basis, todo):
        if isinstance(result, str):  # the grader itself failed
            report.write(folder, report.Report(student, asked.unit, reason=result, again=True))
    with gradebook.opened(config) as book:
        after, of = gradebook.standings(book, asked.unit), gradebook.most(book, asked.unit)
    changed += _changes(folder, asked.unit, after)
    return summary.show(console, folder, asked.unit, students, summary.Class(after, of, people, changed))


def _changes(folder: Path, unit: str, standings: Mapping[str, Any]) -> list[ledger.Change]:
    """Keep the marks as they are now; those that were another one at the last look."""
    return ledger.note(folder, unit, {name: (one.mark, one.overridden) for name, one in standings.items()})


def _results(
    console: Console,
    folder: Path,
    asked: argparse.Namespace,
    config: Any,
    basis: Basis,
    todo: Sequence[str],
) -> Iterator[tuple[str, Any]]:
    if not todo:
        return
    address = config.CourseDirectory.get("db_url", "")
    job = partial(submission.job, str(folder), asked.unit, address, asked.without_sandbox, basis)
    if asked.scheduler:
        results = engines.on_dask(job, todo, asked.scheduler, asked.wait_for_workers)
    else:
        _warm_up(config, asked.unit)
        results = engines.local(job, todo, min(asked.workers or engines.cores(), len(todo)))
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task(asked.unit, total=len(todo))
        for result in results:
            bar.advance(task)
            yield result


def _must_be_writable(folder: Path) -> None:
    """Say it before a class is graded, not after.

    Raises:
        PermissionError: when a folder or the gradebook is somebody else's.
    """
    for path in (folder, *(folder / name for name in ("submitted", "autograded", "reports", "gradebook.db"))):
        if path.exists() and not os.access(path, os.W_OK):
            raise PermissionError(13, "Permission denied", str(path))


def _start_early(folder: Path, config: Any) -> None:
    """Let the warm process import while we do; `SandboxExecute` will ask for the same one."""
    asked = config.SandboxExecute
    names = ("memory", "cell_seconds", "call_seconds", "notebook_seconds")
    limits = Limits(**{name: asked[name] for name in names if name in asked})
    warm_pool.get(folder, walled=not asked.get("without_sandbox", False), limits=limits)


def _warm_up(config: Any, unit: str) -> None:
    """Import and start everything before the workers are forked: they share it."""
    from grading.plugins import SandboxExecute

    warm = SandboxExecute(config=config).warm()  # imports beside us
    import nbgrader.converters  # noqa: F401

    import helpers.verdict.diagnose
    import helpers.verdict.panel  # noqa: F401
    from helpers.exercises import find

    for name in UNITS.get(unit, ()):
        find(name)
    warm.ready()
    gc.collect()
    gc.freeze()  # or each worker copies what its garbage collector looks at


def _to_do(
    config: Any, folder: Path, unit: str, students: Sequence[str], before: Mapping[str, Any], basis: Basis
) -> list[str]:
    """Those whose report is missing, of another submission, or not what the gradebook says."""
    places = submission.folders(config, unit)

    def done(student: str) -> bool:
        found = report.read(folder, unit, student)
        if found is None or found.fingerprint != submission.fingerprint(config, unit, student, basis):
            return False
        if found.again:
            return False
        standing = before.get(student)
        if found.reason or standing is None:
            return bool(found.reason)
        graded = Path(places.format_path(places.autograded_directory, student, unit), f"{unit}.ipynb")
        return standing.automatic == found.points and graded.exists()

    return [student for student in students if not done(student)]
