"""Read a file of the site that this browser opened the course from."""

import functools
from pathlib import Path
from typing import Any

from helpers.errors import OneSentence

FOLDER: Path | None = None
"""Where the site's files lie, when they are read from a disk: without a browser, in tests."""


class NotFetched(OneSentence, OSError):
    """A file of the site did not come; the message says what to do."""


@functools.cache
def read(name: str) -> bytes:
    """A file below `python/`, fetched once and kept in memory.

    Raises:
        NotFetched: when there is no connection, or the site has no such file any more.
    """
    return read_once(name)


def read_once(name: str) -> bytes:
    """A file as `read` gives it, which is not kept in memory.

    Raises:
        NotFetched: when there is no connection, or the site has no such file any more.
    """
    if FOLDER:
        return (FOLDER / name.partition("?")[0]).read_bytes()
    import js

    request = js.XMLHttpRequest.new()
    request.open("GET", f"{home()}/{name}", False)  # a check cannot wait: it is not asynchronous
    request.responseType = "arraybuffer"
    try:
        request.send()
    except Exception as error:  # JavaScript's own
        raise _not_fetched(name, "there is no connection") from error
    if request.status != 200:
        raise _not_fetched(name, f"the site answered {request.status}")
    return request.response.to_py().tobytes()


def home() -> str:
    """Where the site's `python/` is: the script of the worker lies in it."""
    import js

    return str(js.location.href).rpartition("/")[0]


def _not_fetched(name: str, why: str) -> Any:
    return NotFetched(
        f"{name} could not be fetched: {why}. Your work is kept. Connect, then try again. If that "
        "does not help, reload the page."
    )
