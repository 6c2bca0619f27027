"""The warm process: has everything imported, and forks one process for each submission.

`python -m grading.inside.warm DESCRIPTOR LIMITS WALLED` is started by `outside/processes.py`, in the sandbox.
On the descriptor come requests of one byte with two sockets: one for the messages of `learner.py`, and a
lifeline.
"""

import contextlib
import ctypes
import gc
import json
import os
import socket
import sys

from grading.inside import system_calls, walls

_COLLAPSE, _HUGE = 25, 2**21  # see madvise(2); x86 and the usual 4 KB pages, elsewhere nothing happens


def main(descriptor: int, limits: dict[str, float], walled: bool) -> None:
    """Serve until the grader is gone."""
    if walled:
        walls.leave_root()
    gc.disable()  # nothing that is imported goes away again
    from grading.inside import cell_shell, learner  # noqa: F401 - the forks find it imported

    cell_shell.warm_up()
    if walled:
        system_calls.compiled()
    threads = walls.status("Threads")
    if threads != "1":
        raise SystemExit(f"the warm process has {threads} threads; only one can be forked safely")
    gc.collect()
    gc.freeze()  # or the garbage collector of each fork copies what it looks at
    gc.set_threshold(50_000)  # and a fork lives for less than a second
    gc.enable()
    use_huge_pages()
    with socket.socket(fileno=descriptor) as requests:
        requests.sendall(b"w")
        while True:
            request, ends, _, _ = socket.recv_fds(requests, 1, 2)
            if not request:
                return
            if os.fork() == 0:
                requests.close()
                _serve(*(socket.socket(fileno=end) for end in ends), limits, walled)
            for end in ends:
                os.close(end)
            _reap()


def use_huge_pages() -> int:
    """Put our memory into pages of 2 MB, where Linux can: a fork copies a table with one entry a page.

    Each submission is forked twice, and half of what that cost was this table.

    Returns:
        How many bytes are in such pages; 0 before Linux 6.1.
    """
    collapse, done = ctypes.CDLL(None).madvise, 0
    with open("/proc/self/maps") as file:
        lines = [line.split() for line in file]
    for place, rights, *_ in (line for line in lines if len(line) == 5 or line[-1] == "[heap]"):
        start, end = (int(number, 16) for number in place.split("-"))
        start, end = -(-start // _HUGE) * _HUGE, end // _HUGE * _HUGE
        wanted = rights.startswith("rw") and end > start
        if wanted and collapse(ctypes.c_void_p(start), ctypes.c_size_t(end - start), _COLLAPSE) == 0:
            done += end - start
    return done


def _reap() -> None:
    """Forget the forks that have ended; their CPU time counts as ours."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _serve(messages: socket.socket, lifeline: socket.socket, limits: dict[str, float], walled: bool) -> None:
    """Become the process of one submission; never returns."""
    from grading.inside import learner

    try:
        walls.enclose(lifeline, limits, walled)
        null = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(null, number)
        learner.serve(messages, limits)
    except BaseException as error:
        os.write(2, f"{type(error).__name__}: {error}\n".encode())
    os._exit(1)


if __name__ == "__main__":
    main(int(sys.argv[1]), json.loads(sys.argv[2]), sys.argv[3] == "walled")
