"""Processes for learner code, seen from the grader: start the warm one, fork from it, talk, give up.

Nothing here runs learner code, and nothing that comes back is trusted: `outputs.py` and `observations.py`
look at it first.
"""

import contextlib
import json
import os
import secrets
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from grading.inside import frames
from grading.inside.walls import ENVIRONMENT, PRIVATE
from grading.outside import sandbox
from grading.outside.limits import Limits

START_SECONDS = 120
ALONE_SECONDS = 2
"""How long a process is watched for what a cell has left running in it."""


class Ended(Exception):
    """The submission's process is gone; the message says why."""


class Died(Ended):
    """It ended by itself, or was killed by what it did."""


class Gone(RuntimeError):
    """The warm process itself is gone: not the submission's fault, which has to be graded again."""


class Warm:
    """A process with everything imported, behind the outer wall, that forks one process a submission.

    Args:
        hidden: folders that learner code must not see in any case: the course folder.
        walled: `False` for an instructor who accepts learner code with their own rights.
        limits: what each submission may use.

    Raises:
        NoSandbox: when the wall cannot be had.
    """

    def __init__(
        self, hidden: Sequence[Path] = (), walled: bool = True, limits: Limits | None = None
    ) -> None:
        self.limits, self._hidden, self.walled = limits or Limits(), tuple(hidden), walled
        self._process: subprocess.Popen | None = None
        self._start()

    def ready(self) -> "Warm":
        """Wait until everything is imported, and try the walls.

        Raises:
            NoSandbox: when the warm process does not start, or the walls have holes.
        """
        if not self._is_ready:
            self._wait()
            if self.walled:
                self._try_the_walls()
            self._is_ready = True
        return self

    def _start(self) -> None:
        if self.walled and (why := sandbox.why_not()):
            raise sandbox.NoSandbox(why)
        ours, theirs = socket.socketpair()
        self._owner = os.getpid()
        with theirs:
            number = theirs.fileno()
            words = [
                sys.executable,
                "-m",
                "grading.inside.warm",
                str(number),
                json.dumps(asdict(self.limits)),
            ]
            words.append("walled" if self.walled else "open")
            environ = {**ENVIRONMENT, "PYTHONPATH": str(sandbox.ROOT)}
            if self.walled:
                words = sandbox.command(words, self._hidden)
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env=environ,
                pass_fds=(number,),
                cwd="/",
                start_new_session=True,
            )
        self._requests, self._is_ready = ours, False

    def _wait(self) -> None:
        self._requests.settimeout(START_SECONDS)
        with contextlib.suppress(OSError):
            if self._requests.recv(1) == b"w":
                return
        raise self._refusal("the warm process did not start")

    def _refusal(self, why: str) -> sandbox.NoSandbox:
        says = ""
        if self._process and self._process.stderr:
            self._kill()
            says = self._process.stderr.read().decode(errors="replace").strip()
        self.close()
        says = says[-600:] or "no message"
        todo = sandbox.what_to_do(f"{why} {says}", otherwise="")
        return sandbox.NoSandbox(f"Nothing was graded: {why}: {says}{todo and f'. {todo}'}")

    def _try_the_walls(self) -> None:
        try:
            with self.session() as session:
                holes = session.ask({"do": "walls"}, START_SECONDS)["walls"]
        except Ended as error:
            raise self._refusal(f"the sandbox does not work here ({error})") from None
        found = [f"{what}: {seen}" for what, seen in sorted(holes.items()) if seen]
        if found:
            self.close()
            raise sandbox.NoSandbox(f"Nothing was graded: the sandbox has holes here ({'; '.join(found)}).")

    @contextlib.contextmanager
    def session(self) -> Iterator["Session"]:
        """A fresh process, killed at the end with all that it started."""
        messages, theirs = socket.socketpair()
        lifeline, far_end = socket.socketpair()
        with messages, lifeline:
            with theirs, far_end:
                try:
                    socket.send_fds(self._requests, [b"f"], [theirs.fileno(), far_end.fileno()])
                except OSError:  # somebody killed it
                    self.close()
                    self._start()
                    self.ready()
                    socket.send_fds(self._requests, [b"f"], [theirs.fileno(), far_end.fileno()])
            yield Session(messages, lifeline, self.limits, self._is_gone)

    def _is_gone(self, seconds: float = 0) -> bool:
        if self._requests.fileno() < 0:
            return True
        return _stirs(self._requests, seconds)  # it never sends after its start, so it has hung up

    def close(self) -> None:
        """End the warm process, and every process forked from it."""
        self._requests.close()
        if self._process and self._owner == os.getpid():  # a forked worker leaves it to its parent
            self._kill()
            self._process.wait()
            if self._process.stderr:
                self._process.stderr.close()

    def _kill(self) -> None:
        """End it with what it has begun: until its walls stand, bubblewrap's child does not die with it."""
        if self._process and self._process.returncode is None:  # not waited for: the number is still its own
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def __enter__(self) -> "Warm":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Session:
    """One process for learner code."""

    def __init__(
        self,
        messages: socket.socket,
        lifeline: socket.socket,
        limits: Limits,
        warm_is_gone: Callable[[float], bool],
    ) -> None:
        self._messages, self._lifeline, self._limits = messages, lifeline, limits
        self._warm_is_gone = warm_is_gone
        self._gone = ""

    def ask(
        self, request: Mapping[str, Any], seconds: float, reply: Callable[[Any], dict[str, Any]] | None = None
    ) -> dict[str, Any]:
        """Send a request and wait for what comes back.

        Args:
            request: what to do.
            seconds: how long that may take.
            reply: answers the questions that the process may ask meanwhile.

        Raises:
            Ended: when the process did not answer in time, or sent something else than an answer.
            Died: when it ended.
            Gone: when somebody has killed the warm process, and this one with it.
        """
        if self._gone:
            raise Ended(self._gone)
        nonce = secrets.token_hex(8)  # an answer that was sent before the question is none
        until = time.monotonic() + seconds
        try:
            frames.send(self._messages, {**request, "nonce": nonce})
            while True:
                message = frames.receive(self._messages, self._limits.reply, until)
                if not isinstance(message, dict) or message.pop("nonce", None) != nonce:
                    raise ValueError("its process sent something that nobody asked for")
                if "question" not in message or reply is None:
                    return message
                frames.send(self._messages, reply(message["question"]))
        except (EOFError, ConnectionError):
            how = self._how_it_ended()
            self._gone = f"its process ended{how}"
            if self._warm_is_gone(0 if how else 1):  # those that are killed together die one by one
                raise Gone("the warm process was killed") from None
            self._lifeline.close()
            raise Died(self._gone) from None
        except TimeoutError:
            self._gone = f"it was still running after {seconds:g} seconds and could not be interrupted"
        except ValueError as error:
            self._gone = str(error)
        self._lifeline.close()
        raise Ended(self._gone)

    def ends_within(self, seconds: float) -> bool:
        """Whether it ends, or sends something, while nobody asks it anything."""
        return _stirs(self._messages, seconds)

    def _how_it_ended(self) -> str:
        self._lifeline.settimeout(2)
        with contextlib.suppress(OSError, struct.error):
            (code,) = struct.unpack("i", self._lifeline.recv(4))
            return f" with {'signal' if code < 0 else 'exit code'} {abs(code)}"
        return ""


def _stirs(channel: socket.socket, seconds: float) -> bool:
    """Whether the other end sends something or hangs up within that time."""
    seen = select.poll()
    seen.register(channel, select.POLLIN)
    return bool(seen.poll(seconds * 1000))


class Notebook:
    """One submission's cells and answers; a process that ends is replaced, without the cell that ended it.

    Args:
        warm: forks the processes.
        files: what was handed in beside the notebook, by name.

    Attributes:
        seconds: how long its process has worked.
        cells: how many cells it was asked to run.
    """

    def __init__(self, warm: Warm, files: Mapping[str, bytes]) -> None:
        self._warm, self._files, self.limits = warm, dict(files), warm.limits
        self._stack = contextlib.ExitStack()
        self._session: Session | None = None
        self._done: list[str] = []
        self._left = self.limits.restarts
        self.seconds, self.cells = 0.0, 0

    def __enter__(self) -> "Notebook":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def run(self, source: str) -> dict[str, Any]:
        """Run a cell.

        Raises:
            Ended: when that ended the process; the next call has a new one.
        """
        self.cells += 1
        message = self._ask({"do": "run", "source": source}, self.limits.cell_seconds)
        self._done.append(source)
        return message

    def probe(
        self,
        request: Mapping[str, Any],
        reply: Callable[[Any], dict[str, Any]] | None = None,
    ) -> dict[str, Any]:
        """Call an answer for a check.

        Raises:
            Ended: as `run`.
        """
        seconds = self.limits.call_seconds * (1 + len(request["cases"]) / 4)
        return self._ask({"do": "probe", **request}, seconds, reply)

    def _ask(self, request: Mapping[str, Any], seconds: float, reply: Any = None) -> dict[str, Any]:
        with contextlib.suppress(Died):  # of this, or of what an earlier cell has left running
            return self._ask_once(request, seconds, reply)
        self._left += 1
        try:
            return self._ask_once(request, seconds, reply)
        except Died:
            if not self._drop_what_ends_it_later():
                raise
            self._left += 1
            return self._ask_once(request, seconds, reply)

    def _drop_what_ends_it_later(self) -> bool:
        """Leave out the first cell that leaves something running which ends the process, if there is one."""
        lasting, ended = 0, len(self._done)  # as many cells leave a process that lasts, or one that ends
        if self._lasts(ended):
            return False
        while ended - lasting > 1:
            half = (lasting + ended) // 2
            lasting, ended = (half, ended) if self._lasts(half) else (lasting, half)
        del self._done[lasting]
        return True

    def _lasts(self, many: int) -> bool:
        """Whether a process in which so many of the cells were run lives on when it is left alone."""
        start = time.monotonic()
        try:
            return not self._again(self._done[:many]).ends_within(ALONE_SECONDS)
        except Ended:
            return False
        finally:
            self._stack.close()
            self.seconds += time.monotonic() - start

    def _ask_once(self, request: Mapping[str, Any], seconds: float, reply: Any) -> dict[str, Any]:
        start = time.monotonic()
        try:
            return self._live().ask(request, seconds * self.limits.patience + 5, reply)
        except Ended:
            self._session = None
            self._stack.close()
            raise
        finally:
            self.seconds += time.monotonic() - start

    def _live(self) -> Session:
        """The process; a new one after the old one ended, with the same cells run in it."""
        most = self.limits.notebook_seconds * self.limits.patience
        if self.seconds > most:
            raise Ended(f"the notebook has used up its {most:g} seconds; nothing more of it was run")
        while self._session is None:
            if self._left < 0:
                raise Ended("its process ended too often; nothing more of this notebook was run")
            self._left -= 1
            try:
                self._session = self._again(self._done)
            except Died:  # in a cell that has lived before: what an earlier one left running is to blame
                self._drop_what_ends_it_later()
            except Ended:
                self._stack.close()
        return self._session

    def _again(self, cells: list[str]) -> Session:
        """A new process with these cells run in it.

        Raises:
            Ended: when one of them ends it; one that does not end is left out from now on.
        """
        session, patience = self._stack.enter_context(self._warm.session()), self.limits.patience
        session.ask(self._layout(), 30 * patience)
        for place, source in enumerate(cells):
            try:
                session.ask({"do": "run", "source": source}, self.limits.cell_seconds * patience + 5)
            except Died:
                raise
            except Ended:
                del cells[place]
                raise
        return session

    def _layout(self) -> dict[str, Any]:
        import numpy as np

        folder = f"{PRIVATE}/work"
        if not self._warm.walled:
            folder = self._stack.enter_context(tempfile.TemporaryDirectory(prefix="submission-"))
        files = [[name, np.frombuffer(data, np.uint8)] for name, data in self._files.items()]
        return {"do": "files", "folder": folder, "files": files}
