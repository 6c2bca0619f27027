"""What cells print, on its way to the page: soon, and never so much that the page drowns in it."""

import io
import time
from collections.abc import Callable

AT_ONCE = 100
"""So many parts are sent as they come; from then on they are gathered."""

PAUSE = 0.1
"""Seconds between two parts that are gathered."""

LONGEST = 100_000
"""So many letters of a cell are shown."""

CUT = "\n... and so on: a cell shows 100,000 letters.\n"


class Stream(io.TextIOBase):
    """A stream whose text is handed on in parts."""

    def __init__(self, send: Callable[[str], None]) -> None:
        self._send = send
        self.begin()

    def begin(self) -> None:
        """Count anew: another cell prints from now on."""
        self._parts: list[str] = []
        self._sent = self._letters = 0
        self._last = time.perf_counter()

    def writable(self) -> bool:
        """It can be written to."""
        return True

    def write(self, text: str) -> int:
        """Take some text."""
        if self._letters > LONGEST:
            return len(text)
        self._letters += len(text)
        self._parts.append(text if self._letters <= LONGEST else CUT)
        if ("\n" in text and self._sent < AT_ONCE) or time.perf_counter() - self._last > PAUSE:
            self.flush()
        return len(text)

    def flush(self) -> None:
        """Hand on what is there."""
        parts, self._parts = self._parts, []
        self._last = time.perf_counter()
        if parts:
            self._sent += 1
            self._send("".join(parts))
