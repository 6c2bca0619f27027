"""A time limit for the learner's code, which may loop for ever."""

import _thread
import contextlib
import signal
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

OURS = (__file__, contextlib.contextmanager.__code__.co_filename)
"""Files in which the limit itself is set and lifted, as code names them: in a browser modules are
compiled ahead and are loaded from others."""


if hasattr(signal, "setitimer"):
    _CLOCK, _CPU = (signal.ITIMER_REAL, signal.SIGALRM), (signal.ITIMER_PROF, signal.SIGPROF)


class TooSlow(BaseException):
    """The time is up.  A BaseException, so that the learner's `except Exception` does not catch it."""


@contextlib.contextmanager
def time_limit(seconds: float, *, cpu: bool = False) -> Iterator[None]:
    """Raise `TooSlow` inside the block after some seconds.

    Only the main thread can be interrupted; in another one there is no limit.

    Args:
        seconds: how long the block may take.
        cpu: whether to count the seconds that it computes, not those on the clock (never on Windows).
    """
    if threading.current_thread() is not threading.main_thread():
        yield
    elif hasattr(signal, "setitimer"):
        with _by_alarm(seconds, *_CPU if cpu else _CLOCK):
            yield
    elif sys.platform == "emscripten":  # a browser: there are neither signals nor threads
        with _by_monitoring(seconds):
            yield
    else:  # Windows
        with _by_interrupt(seconds):
            yield


@contextlib.contextmanager
def _by_alarm(seconds: float, timer: int, alarm: int) -> Iterator[None]:
    def again(frame: Any, event: str, _: Any) -> Any:
        if event == "line" and frame.f_code.co_filename not in OURS:
            raise TooSlow
        return again

    rung = False

    def ring(_number: int, frame: Any) -> None:
        nonlocal rung
        if frame.f_code.co_filename in OURS:  # the limit is just being lifted; if not, it rings again
            return
        rung = True
        # A bare `except:` in the learner's loop swallows the error; the first line in there raises another.
        while frame and frame.f_code.co_filename not in OURS:
            frame.f_trace, frame = again, frame.f_back
        sys.settrace(again)
        raise TooSlow

    tracing, before = sys.gettrace(), signal.signal(alarm, ring)
    signal.setitimer(timer, seconds, 0.05)
    try:
        yield
    finally:
        sys.settrace(tracing)
        signal.setitimer(timer, 0)
        signal.signal(alarm, before)
    if rung:  # and the error was lost on the way: IPython's own code for errors can swallow it
        raise TooSlow


@contextlib.contextmanager
def _by_monitoring(seconds: float) -> Iterator[None]:
    """Look at the clock at every jump back and every call; a loop inside C is not seen."""
    end, monitoring = time.monotonic() + seconds, sys.monitoring
    rung, tool, events = False, 4, monitoring.events

    def look(code: Any, *_: Any) -> None:
        nonlocal rung
        if time.monotonic() > end and code.co_filename not in OURS:
            rung = True
            raise TooSlow

    monitoring.use_tool_id(tool, __name__)
    for event in (events.JUMP, events.PY_START):
        monitoring.register_callback(tool, event, look)
    monitoring.set_events(tool, events.JUMP | events.PY_START)
    try:
        yield
    finally:
        monitoring.set_events(tool, 0)
        monitoring.free_tool_id(tool)
    if rung:
        raise TooSlow


@contextlib.contextmanager
def _by_interrupt(seconds: float) -> Iterator[None]:
    rung = threading.Event()

    def ring() -> None:
        rung.set()
        _thread.interrupt_main()

    timer = threading.Timer(seconds, ring)
    timer.daemon = True
    timer.start()
    try:
        yield
    except KeyboardInterrupt:
        if rung.is_set():
            raise TooSlow from None
        raise  # the learner pressed stop
    finally:
        timer.cancel()
