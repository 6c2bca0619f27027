"""Grade one submission with nbgrader, in this process."""

import contextlib
import logging
import os
import platform
import warnings
from functools import cache
from pathlib import Path
from typing import Any

from grading import intake, remarks, report, trouble
from grading.basis import Basis, code
from grading.sandbox import NoSandbox, Refusal
from helpers.errors import OneSentence

BY_HAND = "look at it by hand"


class OtherCode(OneSentence, RuntimeError):
    """A worker on another machine runs another version of the course; the message says what to do."""


@cache
def settings(course: Path, db_url: str = "", without_sandbox: bool = False, _digest: str = "") -> Any:
    """The course's own `nbgrader_config.py`, with what the command line adds.

    Args:
        course: the course folder.
        db_url: another gradebook.
        without_sandbox: whether the instructor accepts that.
        _digest: a worker that stays between runs reads the settings anew when this is another one.

    Raises:
        FileNotFoundError: when there is none.
    """
    from traitlets.config import Config
    from traitlets.config.loader import PyFileConfigLoader

    if not (course / "nbgrader_config.py").is_file():
        raise FileNotFoundError(
            f"There is no nbgrader_config.py in {course}: name the course folder with --course."
        )
    config = Config()
    config.merge(PyFileConfigLoader("nbgrader_config.py", str(course)).load_config())
    config.CourseDirectory.root = str(course)
    if db_url:
        config.CourseDirectory.db_url = db_url
    if without_sandbox:
        config.SandboxExecute.without_sandbox = True
    return config


def folders(config: Any, unit: str, student: str = "*") -> Any:
    """Nbgrader's view of the course folder, for one submission."""
    from nbgrader.coursedir import CourseDirectory

    made = CourseDirectory(config=config)
    made.assignment_id, made.student_id = unit, student
    return made


def submitted(config: Any, unit: str) -> list[str]:
    """The students who handed in something for a unit."""
    places = folders(config, unit)
    pattern = Path(places.format_path(places.submitted_directory, "*", unit))
    place = pattern.parts.index("*")
    base, rest = Path(*pattern.parts[:place]), pattern.parts[place + 1 :]
    students = base.iterdir() if base.is_dir() else ()
    return sorted(one.name for one in students if os.path.lexists(one.joinpath(*rest)))


def fingerprint(config: Any, unit: str, student: str, basis: Basis) -> str:
    """See `intake.fingerprint`."""
    places = folders(config, unit, student)
    handed_in = places.format_path(places.submitted_directory, student, unit)
    return intake.fingerprint(Path(handed_in), basis.of(student))


def grade(config: Any, unit: str, student: str, basis: Basis) -> report.Report:
    """Grade one submission; whatever happens, a report comes back and lies in `reports/`.

    Raises:
        NoSandbox: when learner code cannot be kept apart on this machine.
        OSError: when there is no room on the disk.
    """
    warnings.simplefilter("ignore")  # nbformat and nbgrader warn about what learners did
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    try:
        found = _grade(config, unit, student, basis)
        return _grade(config, unit, student, basis) if found.again else found
    except NoSandbox:
        raise
    except Exception as error:  # a mistake of ours ends with a reason too
        trouble.raise_if_full(Path(config.CourseDirectory.root))
        reason = f"{type(error).__name__}: {error}: {BY_HAND}"
        return refuse(config, unit, student, reason, basis, again=True)


def _grade(config: Any, unit: str, student: str, basis: Basis) -> report.Report:
    course, places = Path(config.CourseDirectory.root), folders(config, unit, student)
    folder = Path(places.format_path(places.submitted_directory, student, unit))
    if "\n" in student or not student.isprintable():
        return refuse(config, unit, student, "the folder's name has odd characters: rename it", basis)
    if intake.receive(folder, unit) is None:
        return refuse(config, unit, student, intake.missing(folder, unit), basis)
    before, lines = report.read(course, unit, student), _Lines()
    if before is not None:
        report.path_of(course, unit, student).unlink()  # whatever lies there afterwards is new
    try:
        _convert(config, places, lines, basis)
    except Refusal as error:
        raise NoSandbox(str(error)) from None
    except (Exception, SystemExit) as error:
        trouble.raise_if_full(course)
        found = report.read(course, unit, student)
        if found:
            return refuse(config, unit, student, found.reason, basis, again=found.again)
        reason = f"{lines.last() or type(error).__name__}: {BY_HAND}"
        return refuse(config, unit, student, reason, basis, again=True)
    found = report.read(course, unit, student)
    reason = f"{lines.last() or 'no mark came'}: {BY_HAND}"
    return found or refuse(config, unit, student, reason, basis, again=True)


def job(
    folder: str, unit: str, db_url: str, without_sandbox: bool, basis: Basis, student: str
) -> dict[str, Any]:
    """`grade`, with what another process can send and take.

    Raises:
        OtherCode: when this process has imported another version of the course.
    """
    if code() != basis.code:
        raise OtherCode(
            f"The worker on {platform.node()} runs another version of the course than you: bring it up to "
            "date (`git pull`), start its `dask worker` anew, then run the same command again."
        )
    config = settings(Path(folder), db_url, without_sandbox, basis.digest)
    return vars(grade(config, unit, student, basis))


def _convert(config: Any, places: Any, lines: "_Lines", given: Basis) -> None:
    from nbgrader.converters import Autograde

    class OneSubmission(Autograde):
        """Takes the names of folders for what they are; nbgrader takes them for patterns."""

        basis = given

        def init_notebooks(self) -> None:
            folder = self._format_source(places.assignment_id, places.student_id)
            self.assignments = {folder: [os.path.join(folder, f"{places.assignment_id}.ipynb")]}

    log = logging.getLogger("grading.nbgrader")
    log.handlers, log.propagate = [lines], False
    converter = OneSubmission(coursedir=places, config=config, log=log)
    converter.force = True
    converter.start()


def refuse(
    config: Any, unit: str, student: str, reason: str, basis: Basis, *, again: bool = False
) -> report.Report:
    """Report why there is no mark; an earlier mark of another submission goes."""
    from grading import gradebook

    course, noted = Path(config.CourseDirectory.root), remarks.take(student, unit)
    found = report.read(course, unit, student)
    noted = [*(found.remarks if found else []), *noted]
    seen = fingerprint(config, unit, student, basis)
    made = report.Report(student, unit, reason=reason[:1000], remarks=noted, fingerprint=seen, again=again)
    with contextlib.suppress(UnicodeError):  # the gradebook cannot have such a name, so it has no mark
        gradebook.forget(config, unit, student)
    report.write(course, made)
    return made


class _Lines(logging.Handler):
    """Keeps what nbgrader says went wrong."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._errors: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno >= logging.ERROR:
            self._errors.append(record.getMessage().strip())

    def last(self) -> str:
        """The last line of the last traceback, or of the last error."""
        traces = [text for text in self._errors if text.startswith("Traceback")]
        text = (traces or self._errors or [""])[-1]
        return text.splitlines()[-1] if text else ""
