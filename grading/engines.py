"""Where submissions are graded: on the cores of this machine, or on many machines through dask."""

import ctypes
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from grading.trouble import Wrong
from helpers.errors import OneSentence

Job = Callable[[str], Any]
_PR_SET_PDEATHSIG = 1
_CRASHED = "the grader's own process ended twice while this was graded: look at it by hand"


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0))


def local(job: Job, students: Sequence[str], workers: int) -> Iterator[tuple[str, Any]]:
    """Grade in forked processes; one that is killed loses what it had in hand, which is tried once more."""
    left, crashed = list(students), dict.fromkeys(students, 0)
    while left:
        context = multiprocessing.get_context("fork")
        with ProcessPoolExecutor(workers, context, _worker, (os.getpid(),)) as pool:
            futures: dict[Future, str] = {}
            waiting = iter(list(left))
            try:
                for student in waiting:
                    futures[pool.submit(job, student)] = student
                for future in as_completed(futures):
                    student = futures[future]
                    yield student, future.result()
                    left.remove(student)
            except BrokenProcessPool:
                # which of them did it, nobody knows: those in hand were among the first not done
                for student in left[:workers]:
                    crashed[student] += 1
            except BaseException:  # no room on the disk, no sandbox, Ctrl-C: what waits would fare no better
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        for student in [student for student in left if crashed[student] > 1]:
            left.remove(student)
            yield student, _CRASHED


def _worker(parent: int) -> None:
    """In each worker: no signals of the terminal, and no life after the grader."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def on_dask(job: Job, students: Sequence[str], scheduler: str, patience: float) -> Iterator[tuple[str, Any]]:
    """Grade on the workers of a dask scheduler; a worker that is lost has its submissions graded by another.

    Args:
        job: takes a student's name.
        students: whom to grade.
        scheduler: its address, such as `tcp://grading-1:8786`.
        patience: seconds that it may be without workers.

    Raises:
        Wrong: when there is no scheduler, or it has no workers.
        OneSentence: what a worker says that ends the run, such as `NoSandbox`.
    """
    from distributed import Client
    from distributed import as_completed as dask_completed

    try:
        client = Client(scheduler, timeout=30)
    except OSError as error:
        raise Wrong(
            f"No dask scheduler answers at {scheduler} ({error}): start one with `dask scheduler`."
        ) from None
    with client:
        _must_have_workers(client, scheduler, patience)
        futures = client.map(job, students, pure=False, retries=2)
        names = {future.key: student for future, student in zip(futures, students, strict=True)}
        for future in dask_completed(futures):
            try:
                yield names[future.key], future.result()
            except (OneSentence, OSError):
                raise
            except Exception as error:
                yield names[future.key], f"{type(error).__name__}: {error}"
            future.release()


def _must_have_workers(client: Any, scheduler: str, patience: float) -> None:
    try:
        client.wait_for_workers(1, timeout=max(patience, 0.1))
    except TimeoutError:
        raise Wrong(
            f"The scheduler at {scheduler} has no workers: start some on each machine with `dask worker "
            f"{scheduler} --nworkers 8 --nthreads 1`, then run the same command again."
        ) from None
