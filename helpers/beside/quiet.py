"""Silence while the learner's code runs: nbgrader takes anything on stderr for a failure."""

import contextlib
import functools
import io
import os
import sys
import warnings
from collections.abc import Iterator
from typing import Any

from helpers.beside.kernel import shell


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Swallow what a call prints, displays, draws and warns; `no_descriptor` has what goes past Python."""
    with warnings.catch_warnings(), _no_stream(sys.stderr), _no_display(), _no_figures():
        warnings.simplefilter("ignore")
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            yield


@contextlib.contextmanager
def _no_display() -> Iterator[None]:
    """Let IPython show nothing: pictures do not go through a stream."""
    here = shell()
    if not here:
        yield
        return
    kept, here.display_pub = here.display_pub, _publisher()
    try:
        yield
    finally:
        here.display_pub = kept
        _publisher().outputs.clear()


@functools.cache  # making one takes longer than many an answer
def _publisher() -> Any:
    """One that shows nothing."""
    from IPython.core.displaypub import CapturingDisplayPublisher

    return CapturingDisplayPublisher()


@contextlib.contextmanager
def _no_figures() -> Iterator[None]:
    """Close the figures of pyplot that are opened meanwhile: a notebook would show them below the cell."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    before = set(pyplot.get_fignums()) if pyplot else set()
    try:
        yield
    finally:
        pyplot = sys.modules.get("matplotlib.pyplot")
        for number in sorted(set(pyplot.get_fignums()) - before) if pyplot else ():
            pyplot.close(number)


@contextlib.contextmanager
def no_descriptor(number: int) -> Iterator[None]:
    """Point a file descriptor at nothing: for `os.write`, child processes and C libraries.

    It asks the system six times, which takes longer than many an answer: so once for all calls of a check.
    """
    try:
        kept = os.dup(number)
    except OSError:  # closed already
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, number)
    os.close(nowhere)
    try:
        yield
    finally:
        os.dup2(kept, number)
        os.close(kept)


@contextlib.contextmanager
def _no_stream(stream: object) -> Iterator[None]:
    """Silence the stream object itself: a logging handler made earlier holds on to it."""
    try:
        stream.write = lambda text: len(text)  # shadows the method on this one object
    except AttributeError:  # a plain file, which goes to the descriptor anyway
        yield
        return
    try:
        yield
    finally:
        del stream.write
