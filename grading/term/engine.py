"""One SQLAlchemy engine for each database of a process.

nbgrader opens the gradebook eight times for a submission, and each time would make an engine of its own: with
it every statement is compiled anew, which takes longer than all the database does. What is kept is the engine
and what it has compiled. Connections are not: nbgrader disposes of them whenever it closes a gradebook, so a
gradebook that was replaced on the disk is found, and nobody holds a lock.
"""

import logging
import os
from pathlib import Path
from typing import Any

import nbgrader
import nbgrader.api
from sqlalchemy import Engine, create_engine

_ENGINES: dict[str, Engine] = {}


def engine(url: str, **options: Any) -> Engine:
    """What `sqlalchemy.create_engine` makes, once for the same arguments."""
    key = f"{url} {sorted(options.items())}"
    if key not in _ENGINES:
        _ENGINES[key] = create_engine(url, **options)
    return _ENGINES[key]


def version() -> str:
    """The version of nbgrader's tables, for a gradebook that is new.

    nbgrader asks a program, `alembic`, which takes three seconds and is not found outside of `.venv`.
    """
    from alembic.script import ScriptDirectory

    return str(ScriptDirectory(str(Path(nbgrader.__file__).parent / "alembic")).get_current_head())


# What it cannot write it raises; to log that too would bury the sentence under a traceback of each worker.
nbgrader.api.app_log.addHandler(logging.NullHandler())

nbgrader.api.create_engine, nbgrader.api.get_alembic_version = engine, version  # for nbgrader's own steps too


def _leave_connections_to_the_parent() -> None:
    for one in _ENGINES.values():
        one.dispose(close=False)  # SQLAlchemy's own way, for a process that was forked


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_connections_to_the_parent)
