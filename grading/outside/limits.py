"""How much a submission may use up.  One place for the sandbox, the grader and the documentation."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What one submission may use.

    Seconds are CPU seconds, so that a mark does not depend on how busy the machine is; a notebook that
    waits instead of computing may take `patience` times as long.

    Attributes:
        memory: bytes it may add to those of the warm process.
        cell_seconds: for one cell.
        call_seconds: for one call of an answer by a check.
        notebook_seconds: for the whole notebook.
        patience: how many times longer the clock on the wall may run.
        disk: bytes it may write, in all; they lie in memory and are gone afterwards.
        threads: how many threads it may have.
        output: characters of output that are kept of one cell, and of pictures in base64.
        reply: bytes of one message from its process.
        restarts: how often a process that ended is started again, without the cell that ended it.
    """

    memory: int = 2**30
    cell_seconds: float = 30.0
    call_seconds: float = 10.0
    notebook_seconds: float = 120.0
    patience: float = 3.0
    disk: int = 64 * 2**20
    threads: int = 32
    output: int = 100_000
    reply: int = 32 * 2**20
    restarts: int = 3
