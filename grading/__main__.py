"""Grade a class: `python -m grading 05_softmax`; `make grade UNIT=05_softmax` does the same."""

import argparse
import contextlib
import fcntl
import gc
import os
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from grading import course, engines, report, warm_pool
from grading.limits import Limits
from grading.sandbox import ACCEPT, ROOT, NoSandbox
from helpers.units import UNITS


def main(words: Sequence[str] | None = None) -> int:
    """Grade what is new or changed, and show how the class did.

    Returns:
        0 when every submission has a mark, 1 when some have a reason instead, 2 when nothing could be graded.
    """
    asked = _arguments().parse_args(words)
    programs = [str(Path(sys.executable).parent), os.environ.get("PATH", "")]
    os.environ["PATH"] = os.pathsep.join(programs)  # nbgrader starts `alembic` by its name
    console, problems = Console(), Console(stderr=True)
    folder = asked.course.resolve()
    try:
        with _alone(folder):
            return _grade_class(folder, asked, console)
    except (NoSandbox, FileNotFoundError, BlockingIOError, ConnectionError, OSError) as error:
        problems.print(str(error), markup=False, highlight=False, soft_wrap=True)
        return 2
    except KeyboardInterrupt:
        problems.print("Stopped. What is graded stays graded; the same command goes on from here.")
        return 2


def _grade_class(folder: Path, asked: argparse.Namespace, console: Console) -> int:
    config = course.settings(folder, asked.db, asked.without_sandbox)
    if not asked.scheduler:
        _start_early(folder, config)
    students = course.submitted(config, asked.unit)
    from grading import gradebook, summary  # which import nbgrader

    if not students:
        raise FileNotFoundError(
            f"Nobody has handed in {asked.unit}: expected {folder}/submitted/<student>/{asked.unit}/."
        )
    gradebook.must_know(config, asked.unit)
    todo = students if asked.all else _to_do(config, folder, asked.unit, students)
    if len(todo) < len(students):
        console.print(f"{len(students) - len(todo)} of {len(students)} are graded and unchanged.")
    job = partial(course.job, str(folder), asked.unit, asked.db, asked.without_sandbox)
    for student, result in _progress(console, asked, job, todo):
        if isinstance(result, str):  # the grader itself failed
            report.write(folder, report.Report(student, asked.unit, reason=result, again=True))
    return summary.show(console, folder, asked.unit, students)


def _progress(
    console: Console, asked: argparse.Namespace, job: engines.Job, todo: Sequence[str]
) -> Iterator[tuple[str, Any]]:
    if not todo:
        return
    if asked.scheduler:
        results = engines.on_dask(job, todo, asked.scheduler)
    else:
        _warm_up(asked.course.resolve(), asked)
        results = engines.local(job, todo, min(asked.workers or engines.cores(), len(todo)))
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task(asked.unit, total=len(todo))
        for result in results:
            bar.advance(task)
            yield result


def _start_early(folder: Path, config: Any) -> None:
    """Let the warm process import while we do; `SandboxExecute` will ask for the same one."""
    asked = config.SandboxExecute
    names = ("memory", "cell_seconds", "call_seconds", "notebook_seconds")
    limits = Limits(**{name: asked[name] for name in names if name in asked})
    warm_pool.get(folder, walled=not asked.get("without_sandbox", False), limits=limits)


def _warm_up(folder: Path, asked: argparse.Namespace) -> None:
    """Import and start everything before the workers are forked: they share it."""
    from grading.plugins import SandboxExecute

    config = course.settings(folder, asked.db, asked.without_sandbox)
    warm = SandboxExecute(config=config).warm()  # imports beside us
    import nbgrader.converters  # noqa: F401

    import helpers.diagnose
    import helpers.panel  # noqa: F401
    from helpers.exercises import find

    for name in UNITS.get(asked.unit, ()):
        find(name)
    warm.ready()
    gc.collect()
    gc.freeze()  # or each worker copies what its garbage collector looks at


def _to_do(config: Any, folder: Path, unit: str, students: Sequence[str]) -> list[str]:
    """Those whose report is missing, of another submission, or not what the gradebook says."""
    from grading import gradebook

    marks = gradebook.marks(config, unit)

    def done(student: str) -> bool:
        found = report.read(folder, unit, student)
        if found is None or found.fingerprint != course.fingerprint(config, unit, student):
            return False
        if found.again:
            return False
        return bool(found.reason) or marks.get(student) == found.mark

    return [student for student in students if not done(student)]


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One grader a course at a time."""
    if not folder.is_dir():
        raise FileNotFoundError(f"There is no folder {folder}.")
    with open(folder / ".grading.lock", "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BlockingIOError(
                f"Another grader is at work in {folder}: wait for it, or stop it."
            ) from None
        yield


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"expected 0 or more; got {text}")
    return int(text)


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m grading", description="Grade a class.")
    parser.add_argument("unit", help=f"which assignment, such as {list(UNITS)[-1]}")
    parser.add_argument("--course", type=Path, default=ROOT, help="the course folder")
    parser.add_argument(
        "--workers", type=_count, default=0, help="how many processes; one for each core by default"
    )
    parser.add_argument(
        "--scheduler", default="", help="address of a dask scheduler, such as tcp://host:8786"
    )
    parser.add_argument(
        "--db", default="", help="the gradebook, such as postgresql+pg8000://user@host/gradebook"
    )
    parser.add_argument("--all", action="store_true", help="grade again what is graded and unchanged")
    parser.add_argument(ACCEPT, action="store_true", help="run learner code with your own rights")
    return parser


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr] - learners' names may be anything
    sys.exit(main())
