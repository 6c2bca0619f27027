"""Grade one submission with nbgrader, in this process."""

import contextlib
import logging
import os
import platform
import warnings
from functools import cache
from pathlib import Path
from typing import Any

from grading import report, trouble
from grading.handed_in import intake
from grading.handed_in.received import Submission
from grading.outside.sandbox import NoSandbox
from grading.report import Report
from grading.term.basis import Basis, code
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
        Wrong: when there is none.
    """
    from traitlets.config import Config
    from traitlets.config.loader import PyFileConfigLoader

    if not (course / "nbgrader_config.py").is_file():
        raise trouble.Wrong(
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


def everybody(config: Any) -> Path:
    """The folder of everybody's submissions."""
    places = folders(config, "*")
    pattern = Path(places.format_path(places.submitted_directory, "*", "*"))
    return Path(*pattern.parts[: pattern.parts.index("*")])


def fingerprint(config: Any, unit: str, student: str, basis: Basis) -> str:
    """See `intake.fingerprint`."""
    return intake.fingerprint(_folder(config, unit, student), basis.digest)


def _folder(config: Any, unit: str, student: str) -> Path:
    places = folders(config, unit, student)
    return Path(places.format_path(places.submitted_directory, student, unit))


def grade(config: Any, unit: str, student: str, basis: Basis) -> Report:
    """Grade one submission; whatever happens, a report comes back and lies in `reports/`.

    Raises:
        NoSandbox: when learner code cannot be kept apart on this machine.
        OSError: when there is no room on the disk.
    """
    warnings.simplefilter("ignore")  # nbformat and nbgrader warn about what learners did
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    one = Submission(student, unit, _folder(config, unit, student), judged_by=basis.digest)
    try:
        _receive(one, basis)
        if one.report is None and _convert(config, one).again:
            _convert(config, one)
    except NoSandbox:
        raise
    except Exception as error:  # a mistake of ours ends with a reason too
        trouble.raise_if_full(Path(config.CourseDirectory.root))
        one.fingerprint = one.fingerprint or fingerprint(config, unit, student, basis)
        one.refuse(f"{type(error).__name__}: {error}: {BY_HAND}", again=True)
    return _finish(config, one)


def _receive(one: Submission, basis: Basis) -> None:
    if "\n" in one.student or not one.student.isprintable():
        one.fingerprint = intake.fingerprint(one.folder, basis.digest)
        one.refuse("the folder's name has odd characters: rename it")
        return
    intake.receive(one, basis.digest)
    if one.notebook is None:
        one.refuse(intake.missing(one.folder, one.unit))


def _convert(config: Any, one: Submission) -> Report:
    """Let nbgrader convert a submission; its report says whether there is a mark."""
    from grading.plugins import SandboxExecute

    SandboxExecute(config=config).warm().ready()  # else nbgrader would take its absence for a bad submission
    one.report, lines = None, _Lines()
    try:
        _autograde(config, one, lines)
    except (Exception, SystemExit) as error:
        trouble.raise_if_full(Path(config.CourseDirectory.root))
        if one.report is None or not one.report.reason:  # it was nbgrader that failed, not a step of ours
            one.refuse(f"{lines.last() or type(error).__name__}: {BY_HAND}", again=True)
    return one.report or one.refuse(f"{lines.last() or 'no mark came'}: {BY_HAND}", again=True)


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


def _autograde(config: Any, one: Submission, lines: "_Lines") -> None:
    from grading.converter import OneSubmission

    log = logging.getLogger("grading.nbgrader")
    log.handlers, log.propagate = [lines], False
    converter = OneSubmission(one, coursedir=folders(config, one.unit, one.student), config=config, log=log)
    converter.force = True
    converter.start()


def refuse(config: Any, unit: str, student: str, reason: str, basis: Basis) -> Report:
    """Report why a submission is not even looked at; the next run tries again."""
    one = Submission(student, unit, _folder(config, unit, student))
    one.fingerprint = intake.fingerprint(one.folder, basis.digest)
    one.refuse(reason, again=True)
    return _finish(config, one)


def _finish(config: Any, one: Submission) -> Report:
    """Write the report; where there is no mark, an earlier one of another submission goes."""
    from grading.term import gradebook

    if one.report.reason:
        with contextlib.suppress(UnicodeError):  # the gradebook cannot have such a name, so it has no mark
            gradebook.forget(config, one.unit, one.student)
    report.write(Path(config.CourseDirectory.root), one.report)
    return one.report


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
