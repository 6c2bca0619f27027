"""Grade a class: bring the gradebook up to date, grade what is new or changed, say how it went."""

import argparse
import gc
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from grading import engines, named, report, submission, trouble
from grading.lms import people as lms_people
from grading.outside import warm_pool
from grading.outside.limits import Limits
from grading.term import backup, choices, collected, groups, ledger
from grading.term import requests as term_requests
from grading.term.basis import Basis
from helpers import named_mistakes
from helpers.units import UNITS

if TYPE_CHECKING:
    from grading.summary import Outcome


def grade(folder: Path, asked: argparse.Namespace, console: Console) -> "Outcome":
    """Grade what is new or changed in a unit, show how the class did, and return that in numbers.

    Raises:
        Wrong: when nobody has handed in, or a group has a member whom nobody knows.
        NoSandbox: when learner code cannot be kept apart on this machine.
        NoUnit: when nobody knows what there is to grade.
    """
    config = submission.settings(folder, asked.db, asked.without_sandbox)
    _must_be_writable(folder)
    if not asked.scheduler:
        _start_early(folder, config)
    chosen = choices.read(folder)
    marked_by = _marked_by(folder, chosen)
    collected.write_times(folder, submission.everybody(config))
    there = _on_the_roster(folder, config) if asked.unit in chosen.groups else ()
    for line in groups.share(folder, asked.unit, chosen.groups, submission.everybody(config), there):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    students = submission.submitted(config, asked.unit)
    if not students:
        raise trouble.Wrong(
            f"Nobody has handed in {asked.unit}: expected {folder}/submitted/<student>/{asked.unit}/."
        )
    _must_have_handed_in(asked, students)
    words = named_mistakes.read()
    from grading import summary, to_do
    from grading.term import (
        by_hand,
        gradebook,
        roster,
        settle,
        syllabus,  # which import nbgrader
    )

    if chosen.nbgrader:
        from grading import known_settings  # which imports PyTorch: not needed where nothing is to be graded

        known_settings.must_be_known(chosen.nbgrader)
    backup.keep(folder, submission.folders(config, asked.unit).db_url, "grade")
    for line in syllabus.learn(config, asked.unit):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    with settle.settled(config) as (book, known):
        people = roster.look(folder, gradebook.students(book), students, asked.unit)
        if asked.by_hand:
            console.print(f"{by_hand.put_back(book, known.lost)} marks and comments by hand are back.")
        before = gradebook.standings(book, asked.unit)
    basis = gradebook.judged_by(config, asked.unit)
    changed = _changes(folder, asked.unit, before)
    for student, reason in people.refused.items():
        submission.refuse(config, asked.unit, student, reason, basis)
    able = [student for student in asked.student or students if student not in people.refused]
    every = asked.all or asked.student
    todo = able if every else to_do.unfinished(config, folder, asked.unit, able, before, basis, words)
    if len(todo) < len(able):
        console.print(f"{len(able) - len(todo)} of {len(students)} are graded and unchanged.")
    for student, result in _results(console, folder, asked, config, basis, todo):
        if isinstance(result, str):  # the grader itself failed
            report.write(folder, report.Report(student, asked.unit, reason=result, again=True))
    reports = [one for student in students if (one := report.read(folder, asked.unit, student))]
    ledger.note_hand_ins(folder, asked.unit, {one.student: one.content for one in reports if one.content})
    for line in named.remarks(words, reports, all_of_them=False):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    with settle.settled(config) as (book, known):
        after, of = gradebook.standings(book, asked.unit), gradebook.most(book, asked.unit)
        elsewhere = _elsewhere(folder, book, asked.unit)
    changed = ledger.net([*changed, *_changes(folder, asked.unit, after)])
    if asked.student:
        after = {student: after[student] for student in asked.student if student in after}
        people = replace(people, strangers={}, silent=(), left_out={})
    lateness, lost = known.lateness.get(asked.unit, {}), [one for one in known.lost if one.unit == asked.unit]
    requests = [one for one in term_requests.of(term_requests.read(folder), asked.unit) if one.is_open]
    found = summary.Class(after, of, people, changed, lateness, elsewhere, lost, marked_by, requests)
    return summary.show(console, folder, asked.unit, asked.student or students, found)


def _on_the_roster(folder: Path, config: Any) -> frozenset[str]:
    from grading.term import gradebook, roster

    with gradebook.opened(config) as book:
        return roster.look(folder, gradebook.students(book), ()).students


def _must_have_handed_in(asked: argparse.Namespace, students: Sequence[str]) -> None:
    """Look at the students who were named.

    Raises:
        Wrong: when one has handed in nothing, with the nearest who has.
    """
    for student in asked.student:
        if student not in students:
            near = trouble.meant(student, students, f". {len(students)} others have.")
            raise trouble.Wrong(f"{student} has not handed in {asked.unit}{near}")


def _changes(folder: Path, unit: str, standings: Mapping[str, Any]) -> list[ledger.Change]:
    """Keep the marks as they are now; those that were another one at the last look."""
    return ledger.note(folder, unit, {name: (one.mark, one.overridden) for name, one in standings.items()})


def _marked_by(folder: Path, chosen: choices.Choices) -> dict[str, str]:
    """Who marks each student, where `term.toml` gives sections to people."""
    class_ = lms_people.find(folder) if chosen.graders else None
    everybody = class_.present.values() if class_ else ()
    there = {section for one in everybody for section in one.sections}
    for marker, sections in chosen.graders.items():
        for section in sections:
            if there and section not in there:
                raise choices.BadChoice(
                    f"{choices.FILE}: graders.{marker}: there is no section {section}; the sections are "
                    f"{lms_people.sections_of(everybody)}."
                )
    return {
        name: marker
        for name, one in (class_.present if class_ else {}).items()
        for marker, sections in chosen.graders.items()
        if one.sections & set(sections)
    }


def _elsewhere(folder: Path, book: Any, unit: str) -> dict[str, Sequence[ledger.Change]]:
    """Marks of other units that are other ones now, as where a late day went to this unit."""
    from grading.term import gradebook

    units = sorted(one.name for one in book.assignments if one.name != unit)
    changed = {one: _changes(folder, one, gradebook.standings(book, one)) for one in units}
    return {one: found for one, found in changed.items() if found}


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
