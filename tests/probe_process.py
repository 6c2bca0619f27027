"""The probe in a process of its own: `python -m tests.probe_process`.

Bytes in, bytes out, both made by `helpers.beside.wire`: on stdin one request or a list of them, on stdout
the observations of each.  A request is `{"exercise": name, "source": text, "cases": [arguments, ...]}`;
`source` is the learner's cell, or a list of cells.
"""

import linecache
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from helpers.beside import wire
from helpers.beside.probe import observe
from helpers.exercises import find
from helpers.exercises.base import Case


def answer(request: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Run the learner's cells in a fresh namespace and observe what they define.

    A cell that fails does not stop the next one, as in a graded notebook.

    Returns:
        What `observe` returns; when the name is not defined, one observation that says why.
    """
    name, source = request["exercise"], request["source"]
    exercise = find(name)
    namespace: dict[str, Any] = {"__name__": "__main__", "np": np, "torch": torch}
    why: dict[str, Any] = {"unanswered": "", "changed": []}
    for number, cell in enumerate([source] if isinstance(source, str) else source, start=1):
        (ran,) = observe(replace(exercise, probe=_run_cell), (number, cell, namespace), [Case("", {})])
        why = why if "value" in ran else ran
    if name not in namespace:
        return [why]
    return observe(exercise, namespace[name], [Case("", args) for args in request["cases"]])


def _run_cell(cell: tuple[int, str, dict[str, Any]], _args: Mapping[str, Any]) -> None:
    number, source, namespace = cell
    filename = f"<cell {number}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    exec(compile(source, filename, "exec"), namespace)


def respond(data: bytes) -> bytes:
    """Answer a packed request, or a list of them, with packed observations."""
    request = wire.unpack(data)
    many = isinstance(request, Sequence)
    return wire.pack([answer(one) for one in request] if many else answer(request))


def main() -> None:
    """Serve one request; what the learner's code prints or reads meets /dev/null, not the pipe."""
    data = sys.stdin.buffer.read()
    with os.fdopen(os.dup(1), "wb") as pipe, open(os.devnull, "r+b", buffering=0) as nowhere:
        os.dup2(nowhere.fileno(), 0)
        os.dup2(nowhere.fileno(), 1)
        pipe.write(respond(data))


if __name__ == "__main__":
    main()
