"""The warm process: has everything imported, and forks one process for each submission.

`python -m grading.warm DESCRIPTOR LIMITS WALLED` is started by `kernels.py`, inside the sandbox. On the
descriptor come requests of one byte with two sockets: one for the messages of `learner.py`, and a lifeline.
"""

import contextlib
import gc
import json
import os
import socket
import sys

from grading import walls


def main(descriptor: int, limits: dict[str, float], walled: bool) -> None:
    """Serve until the grader is gone."""
    if walled:
        walls.leave_root()
    from grading import shell

    shell.warm_up()
    threads = walls.status("Threads")
    if threads != "1":
        raise SystemExit(f"the warm process has {threads} threads; only one can be forked safely")
    gc.collect()
    gc.freeze()  # or the garbage collector of each fork copies what it looks at
    gc.set_threshold(50_000)  # and a fork lives for less than a second
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


def _reap() -> None:
    """Forget the forks that have ended; their CPU time counts as ours."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _serve(messages: socket.socket, lifeline: socket.socket, limits: dict[str, float], walled: bool) -> None:
    """Become the process of one submission; never returns."""
    from grading import learner

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
