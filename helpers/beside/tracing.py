"""Record what each line of the learner's own code makes, by `sys.settrace`, as plain data.

A recording is a dict of `functions`, `given` and `steps` (one for each line that ran), with `left_out` in
words.  Of a line that runs often the first turns and the last are kept, of a function that is called often
the first calls and the last.  Generators, comprehensions and what `exec` runs are not looked into.
"""

import functools
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import CodeType, FrameType, FunctionType
from typing import Any

import numpy as np

from helpers.beside.place import CELLS, FOREIGN
from helpers.beside.statements import Written, written
from helpers.beside.summary import as_array, plain_list, summary
from helpers.beside.time_limit import TooSlow
from helpers.beside.variables import looked_at, other_name

FIRST = 2
"""So many turns of a line and calls of a function are kept from the start; and the last."""

STEPS = 400
"""Steps that a recording holds at most."""

EVENTS = 20_000
"""Lines that are followed; beyond them the code runs on, and nothing more is recorded."""

KEPT = 20_000
"""Entries of an array whose numbers are kept whole, to be compared with the stages."""

_GENERATES = 0x20 | 0x80 | 0x200  # CO_GENERATOR, CO_COROUTINE, CO_ASYNC_GENERATOR
_UNSEEN = {
    "exec": "What `exec` runs is left out.",
    "eval": "What `eval` runs is left out.",
    "Thread": "What other threads do is left out.",
    "ThreadPoolExecutor": "What other threads do is left out.",
}


@dataclass
class Recording:
    """What was recorded.

    Attributes:
        data: the recording, as plain data.
        arrays: the whole numbers of what was made; `"at"` in a value of `data` is a place in it.
        error: what the call stopped with, in words, or `""`.
    """

    data: dict[str, Any]
    arrays: list[np.ndarray] = field(default_factory=list)
    error: str = ""


@dataclass
class _Call:
    """One call of one of the learner's functions, while it runs."""

    of: int
    number: int
    depth: int
    text: Written
    caller: dict[str, int] | None
    at: int | None = None
    uses: tuple[str, ...] = ()
    before: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    turns: dict[int, int] = field(default_factory=dict)
    tails: dict[int, list[int]] = field(default_factory=dict)
    raised: str = ""
    began: int = 0


def record(call: Callable[[], Any], answer: Any, seconds: float = 10.0) -> Recording | None:
    """Run a call and record every line of the learner's that runs in it.

    Args:
        call: what to run.  An error that it stops with is recorded, and not raised; one that is no
            `Exception`, such as a time limit, is raised.
        answer: the function or class that is looked into, with the functions of the notebook that it calls.
        seconds: how long it may take.  It is ended between two lines of the learner's: an alarm, which rings
            anywhere, can leave PyTorch in disorder.

    Returns:
        The recording, or `None` where the time was up.
    """
    recorder = _Recorder(answer, time.monotonic() + seconds)
    before = sys.gettrace()
    sys.settrace(recorder.enter)
    error = ""
    try:
        call()
    except (Exception, SystemExit) as stopped:
        error = f"{type(stopped).__name__}: {_text(stopped)}".removesuffix(": ")
    except TooSlow:
        if not recorder.late:
            raise
    finally:
        sys.settrace(before)
    return None if recorder.late else recorder.recording(error)


class _Recorder:
    """Follows the frames of the learner's functions."""

    def __init__(self, answer: Any, end: float) -> None:
        self.end, self.late = end, False
        self.codes = _codes(answer)
        self.files = {code.co_filename for code in self.codes}
        self.functions: list[Written] = []
        self.ran: list[set[int]] = []
        self.number: dict[CodeType, int] = {}
        self.given: dict[str, list[dict[str, Any]]] = {}
        self.calls: dict[int, int] = {}
        self.last: dict[int, list[int]] = {}
        self.steps: list[dict[str, Any] | None] = []
        self.arrays: list[np.ndarray] = []
        self.running: list[_Call] = []
        self.unseen: dict[str, None] = {}
        self.events = self.kept = 0
        self.stopped = False
        self.is_own = functools.cache(self._is_own)

    def _is_own(self, code: CodeType) -> bool:
        """Whether a code is the learner's: of the answer's cell, or of another one."""
        file = code.co_filename
        cell = any(part in file for part in CELLS)
        if not cell and (file not in self.files or any(part in file for part in FOREIGN)):
            return False
        if code.co_flags & _GENERATES and code.co_name != "<genexpr>":
            self.unseen[f"What {code.co_name} does is left out: it is a generator."] = None
        if code.co_flags & _GENERATES:
            return False
        return not code.co_name.startswith("<") or code in self.codes

    def enter(self, frame: FrameType, event: str, _arg: Any) -> Any:
        """What `sys.settrace` calls at every call of a function."""
        if event != "call" or self.stopped or not self.is_own(frame.f_code):
            return None
        try:
            return self._enter(frame)
        except Exception as error:  # ours: it must not reach the learner's code
            return self._stop(f"The recording stopped with {type(error).__name__}: {error}.")

    def _stop(self, why: str) -> None:
        self.stopped = True
        self.unseen[why] = None

    def _enter(self, frame: FrameType) -> Any:
        """One more call of a function of the learner's."""
        code = frame.f_code
        if code not in self.number:
            self.number[code] = len(self.functions)
            self.functions.append(written(code))
            self.ran.append(set())
            self.unseen |= {_UNSEEN[name]: None for name in code.co_names if name in _UNSEEN}
        of = self.number[code]
        self.calls[of] = number = self.calls.get(of, 0) + 1
        outer = self.running[-1] if self.running else None
        caller = {"of": outer.of, "line": outer.at or outer.text.first} if outer else None
        call = _Call(of, number, len(self.running), self.functions[of], caller, began=len(self.steps))
        call.before = looked_at(frame)
        if number == 1:
            self.given[str(of)] = [
                {"name": name, "what": summary(value)}
                for name, (value, _) in call.before.items()
                if "." not in name
            ]
        if number > FIRST + 1:  # of all calls in between, only the last is kept
            self._drop(self.last[of])
        if number > FIRST:
            self.last[of] = []
        self.running.append(call)
        return functools.partial(self._follow, call)

    def _follow(self, call: _Call, frame: FrameType, event: str, arg: Any) -> Any:
        """What is called at every line of such a function, at its end and at every error in it."""
        if self.stopped:
            return None
        try:
            self._happened(call, frame, event, arg)
        except Exception as error:  # ours, too
            self._stop(f"The recording stopped with {type(error).__name__}: {error}.")
        return None if self.stopped else frame.f_trace

    def _happened(self, call: _Call, frame: FrameType, event: str, arg: Any) -> None:
        if event == "line":
            self.events += 1
            if time.monotonic() > self.end:
                self.late = self.stopped = True
                raise TooSlow
            if self.events > EVENTS:
                return self._stop(f"After {EVENTS:,} lines the recording stops; the code ran on.")
            at = call.text.starts.get(frame.f_lineno, frame.f_lineno)
            if call.at in call.text.inside.get(at, ()):
                return None
            if call.at != at or at in call.text.loops:
                self._finish(call, frame, into=at)
                self._begin(call, frame, at)
        elif event == "exception":
            if not issubclass(arg[0], StopIteration | GeneratorExit):
                call.raised = f"{arg[0].__name__}: {_text(arg[1])}".removesuffix(": ")
        elif event == "return":
            ended = not call.raised
            self._finish(call, frame, [arg] if ended else [])
            while self.running and self.running.pop() is not call:
                pass
        return None

    def _begin(self, call: _Call, frame: FrameType, at: int) -> None:
        call.at, call.raised, call.began = at, "", len(self.steps)
        self.ran[call.of].add(at)
        reads = call.text.reads.get(at, ())
        call.uses = tuple(name for name in reads if name in call.before)

    def _finish(
        self, call: _Call, frame: FrameType, returned: list[Any] | None = None, into: int = 0
    ) -> None:
        """The line that ran has come to its end, before the line `into`: write down what it made."""
        if call.at is None:
            return
        now, at = looked_at(frame), call.at
        turns, makes = into in call.text.loops.get(at, ()), []
        for name, (value, mark) in now.items():
            old = call.before.get(name)
            if turns and name in call.text.targets.get(at, ()):
                old = None  # bound anew, be it to the same
            if old is not None and old[0] is value and old[1] == mark:
                continue
            made = {"name": name, "what": self._what(value)}
            made["how"] = "changed" if old is not None and old[0] is value else "new"
            if other := other_name(name, value, now):
                made["what"]["same"] = other
            makes.append(made)
        if len(makes) > 1:
            makes.sort(key=lambda one: call.text.place(at, one["name"]))
        call.before, call.at = now, None
        turn = call.turns[at] = call.turns.get(at, 0) + 1
        if turn > 1 and at in call.text.loops and not turns and not call.raised:
            call.turns[at] -= 1  # the last look of a loop that is over
            if returned and self._ends_with_none(call):
                kept = [one for one in self.steps if one is not None and one["of"] == call.of]
                kept[-1]["returns"] = self._what(returned[0])
            return
        step = {"of": call.of, "line": at, "turn": turn, "call": call.number, "depth": call.depth}
        step |= {"uses": list(call.uses), "makes": makes, "turns": call.turns}
        if call.caller:
            step["from"] = call.caller
        if returned and (returned[0] is not None or self._ends_with_none(call)):
            step["returns"] = self._what(returned[0])
        if call.raised:
            step["raises"] = call.raised
        self._keep(call, step)

    def _ends_with_none(self, call: _Call) -> bool:
        """Whether it is told that nothing is returned: of what the course calls, but for `__init__`."""
        return call.depth == 0 and not call.text.name.endswith("__init__")

    def _keep(self, call: _Call, step: dict[str, Any]) -> None:
        """Keep a step; the one of the turn before, with all that was called in it, makes place."""
        at, turn = step["line"], step["turn"]
        inside = list(range(call.began, len(self.steps)))
        if turn > FIRST + 1:
            self._drop(call.tails.get(at, []))
        place = len(self.steps)
        self.steps.append(step)
        if turn > FIRST:
            call.tails[at] = [*inside, place]
        for running in self.running:
            if running.number > FIRST and running.of in self.last:
                self.last[running.of].append(place)
        self.kept += 1
        if self.kept > STEPS:
            self._stop(f"After {STEPS} steps the recording stops; the code ran on.")

    def _drop(self, places: list[int]) -> None:
        for place in places:
            self.kept -= self.steps[place] is not None
            self.steps[place] = None

    def _what(self, value: Any) -> dict[str, Any]:
        """A value in words and numbers; its whole numbers are kept beside, to be compared."""
        found = summary(value)
        for one, what in ((value, found), *zip(_parts(value), found.get("items", ()), strict=False)):
            array = plain_list(one) if isinstance(one, list) else as_array(one)
            array = np.asarray(one) if isinstance(one, float | np.floating) else array
            if array is not None and 0 < array.size <= KEPT:
                what["at"] = len(self.arrays)
                self.arrays.append(array.copy())
        return found

    def recording(self, error: str) -> Recording:
        """All that was recorded, in the order in which it happened."""
        steps = [one for one in self.steps if one is not None][:STEPS]
        for one in steps:
            one["turns"] = one["turns"].get(one["line"], one["turn"])
        functions = [
            {"name": one.name, "first": one.first, "lines": list(one.lines), "calls": self.calls[at]}
            | ({} if self.stopped else {"idle": sorted(one.runs - self.ran[at])})
            for at, one in enumerate(self.functions)
        ]
        self.unseen |= {
            f"The code of {one.name} is not at hand.": None for one in self.functions if not one.lines
        }
        data = {"functions": functions, "given": self.given, "steps": steps, "left_out": list(self.unseen)}
        return Recording(data, self.arrays, error)


def _codes(answer: Any) -> set[CodeType]:
    """The codes of an answer: of a function, what it wraps, or of a class's methods."""
    found, waiting = set(), [answer]
    while waiting:
        one = waiting.pop()
        if isinstance(one, staticmethod | classmethod):
            one = one.__func__
        if isinstance(one, functools.partial):
            waiting.append(one.func)
        if isinstance(one, type):
            waiting += list(vars(one).values())
        if isinstance(one, FunctionType) and one.__code__ not in found:
            found.add(one.__code__)
            waiting += [cell.cell_contents for cell in one.__closure__ or () if _filled(cell)]
        elif not isinstance(one, type) and isinstance(getattr(one, "__wrapped__", None), FunctionType):
            waiting.append(one.__wrapped__)
    return found


def _filled(cell: Any) -> bool:
    try:
        return isinstance(cell.cell_contents, FunctionType)
    except ValueError:  # empty
        return False


def _parts(value: Any) -> tuple[Any, ...]:
    return tuple(value.values()) if isinstance(value, dict) else value if isinstance(value, tuple) else ()


def _text(error: BaseException) -> str:
    try:
        text = str(error)
        return f"{text[:300]}…" if len(text) > 300 else text
    except Exception:  # the learner's own `__str__` may fail
        return ""
