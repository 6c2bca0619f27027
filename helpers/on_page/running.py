"""Run the source of an answer as a notebook runs its cell, among names of its own."""

import contextlib
import io
import linecache
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from helpers.beside.failed_cells import ABSENT, Failed, stopped
from helpers.beside.guard import guard
from helpers.beside.probe import SECONDS
from helpers.beside.probes.base import NOT_ANSWERED
from helpers.beside.set_up_first import FUNCTIONS, modules
from helpers.beside.time_limit import TooSlow, time_limit

LONGEST = 10_000
"""So many letters of what an answer prints are kept."""


@dataclass(frozen=True)
class Ran:
    """An answer's source that has run.

    Attributes:
        space: what it calls by which name.
        printed: what it has printed.
        value: what stands for the exercise afterwards, `ABSENT` where nothing does.
        stopped: how it stopped, or `None`.
        blank: whether it stopped because nothing has been put in it yet.
    """

    space: dict[str, Any]
    printed: str
    value: Any
    stopped: Failed | None
    blank: bool = False


def ran(name: str, source: str, others: Mapping[str, Any]) -> Ran:
    """Run an answer.

    Args:
        name: the exercise.
        source: the text of its answer; its lines count from 1 in what is said of errors.
        others: what it may use of other exercises, by name.
    """
    file = f"<cell {name}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    space, error, printed = {**given(source), **others}, None, io.StringIO()
    try:
        with _printing_to(printed), guard(), time_limit(SECONDS):
            exec(compile(source, file, "exec", dont_inherit=True), space)
    except TooSlow:
        error = TimeoutError(f"it was still running after {SECONDS:g} seconds")
    except (Exception, SystemExit) as its:
        error = its
    value = space.get(name, ABSENT)
    said = printed.getvalue()
    if len(said) > LONGEST:
        said = f"{said[:LONGEST]}\n... ({len(said) - LONGEST} more letters)\n"
    how = stopped(name, error, value) if error else None
    blank = type(error) is NotImplementedError and error.args == (NOT_ANSWERED,)
    return Ran(space, said, value, how, blank)


@contextlib.contextmanager
def _printing_to(stream: io.StringIO) -> Any:
    with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
        yield


def given(source: str) -> dict[str, Any]:
    """What a unit's set-up cell gives.

    Functions that the source does not name are there by name alone, which is all that a misspelt name is
    compared with: to import them takes as long as a check.
    """
    space = {"__name__": "__main__", **modules()}
    helpers = space["helpers"]
    return space | {name: getattr(helpers, name) if name in source else None for name in FUNCTIONS}
