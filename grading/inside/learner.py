"""One submission's process: runs the learner's cells, and calls their answers for a check.

It knows no right answer and gives no mark. What it sends can be forged by the code it runs, and is
looked at accordingly (`outside/observations.py`, `outside/outputs.py`).
"""

import os
import random
import resource
import socket
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from grading.inside import frames, walls
from grading.inside.shown import OUT, STREAMS
from helpers.beside.failed_cells import instead
from helpers.beside.guard import guard
from helpers.beside.probe import observe
from helpers.beside.probes import of
from helpers.beside.probes.base import Case, ProbeError, refuse
from helpers.beside.suspects import Suspect
from helpers.beside.tested import outcome
from helpers.beside.time_limit import TooSlow, time_limit


def serve(messages: socket.socket, limits: dict[str, float]) -> None:
    """Do what is asked, until the other side is gone."""
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    random.seed(0)  # those of NumPy and PyTorch are seeded already
    OUT.most = int(limits["output"])
    while True:
        try:
            request = frames.receive(messages, 2**31)
        except EOFError:
            os._exit(0)
        sys.stdout, sys.stderr = STREAMS  # whatever the learner's code has put there
        do = {"files": _files, "run": _run, "probe": _probe, "walls": _walls}[request["do"]]
        try:
            frames.send(messages, {"nonce": request["nonce"], **do(shell, request, limits, messages)})
        except BaseException as error:  # what came back cannot be sent, or nothing works any more
            frames.send(messages, {"nonce": request["nonce"], "unsendable": str(error)[:300]})


def _files(_shell: Any, request: dict[str, Any], *_: Any) -> dict[str, Any]:
    """Lay out the files handed in beside the notebook."""
    folder = request["folder"]
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    sys.path.append(folder)  # last, so that no file shadows a library
    for name, data in request["files"]:
        path = Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.tobytes())
    return {}


def _run(shell: Any, request: dict[str, Any], limits: dict[str, float], *_: Any) -> dict[str, Any]:
    OUT.clear()
    OUT.count = shell.execution_count
    try:
        with guard(), time_limit(limits["cell_seconds"], cpu=True):
            # a cell that leaves all its files open leaves some for the checks
            resource.setrlimit(resource.RLIMIT_NOFILE, (walls.FILES - 32, walls.FILES))
            shell.run_cell(request["source"], store_history=True)
    except TooSlow as stopped:
        OUT.error("TooSlow", str(stopped), [])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (walls.FILES, walls.FILES))
    return {"outputs": OUT.items, "count": OUT.count}


def _probe(shell: Any, request: dict[str, Any], limits: dict[str, float], messages: Any) -> dict[str, Any]:
    name = request["exercise"]
    if name not in shell.user_ns:
        return {"missing": True, "instead": instead(name, shell.user_ns)}
    probe = of(name)
    if request["hands_over"]:

        def probe(answer: Any, args: dict[str, Any]) -> Any:
            if request["hands_over"] == "suspect":
                return outcome(answer, Suspect(_asks(messages, request["nonce"], args["suspect"])))
            return _call_with_question(answer, args, messages, request["nonce"])

    probed = SimpleNamespace(name=name, probe=probe, whole_answer=tuple(request["whole_answer"]))
    cases = [Case("", args) for args in request["cases"]]
    look = request["look_everywhere"]
    answer, seconds = shell.user_ns[name], limits["call_seconds"]
    return {"seen": observe(probed, answer, cases, seconds, graded=True, look_everywhere=look)}


def _asks(messages: Any, nonce: str, suspect: int) -> Any:
    """Lets the other side answer what a suspect, which is there by its number, is called with."""

    def ask(question: dict[str, Any]) -> dict[str, Any]:
        frames.send(messages, {"nonce": nonce, "question": {**question, "suspect": suspect}})
        return frames.receive(messages, 2**31)

    return ask


def _call_with_question(answer: Any, args: dict[str, Any], messages: Any, nonce: str) -> Any:
    """Call an answer whose first argument is a function; that function stays with the verdict."""
    import numpy as np

    if not callable(answer):
        raise ProbeError(f"it should be a function; it is {type(answer).__name__}")

    def attend(X: Any, *more: Any) -> Any:
        refuse(more)
        frames.send(messages, {"nonce": nonce, "question": np.array(X, dtype=np.float64)})
        back = frames.receive(messages, 2**31)
        if "problem" in back:
            raise ProbeError(**back["problem"])
        return back["answer"].copy()

    return answer(attend, *args.values())


def _walls(*_: Any) -> dict[str, Any]:
    return {"walls": walls.report()}
