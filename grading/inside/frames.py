"""Messages on a socket: eight bytes that say how long, then what `helpers.beside.wire` makes."""

import socket
import struct
import time
from typing import Any

from helpers.beside import wire

_LENGTH = struct.Struct(">Q")


def send(end: socket.socket, message: Any) -> None:
    """Send a nest of dicts, lists, texts, numbers and arrays."""
    data = wire.pack(message)
    end.sendall(_LENGTH.pack(len(data)) + data)


def receive(end: socket.socket, most: int, until: float | None = None) -> Any:
    """Wait for one message.

    Args:
        end: where it comes from.
        most: how many bytes it may have.
        until: when to give up, on the clock of `time.monotonic`.

    Raises:
        EOFError: when the other side is gone.
        TimeoutError: when the time is up.
        ValueError: when it is too long, or not a message.
    """
    (length,) = _LENGTH.unpack(_exactly(end, _LENGTH.size, until))
    if length > most:
        raise ValueError(f"a message of at most {most:,} bytes was expected, and one of {length:,} came")
    return wire.unpack(_exactly(end, length, until))


def _exactly(end: socket.socket, count: int, until: float | None) -> bytes:
    parts = bytearray()
    while len(parts) < count:
        end.settimeout(None if until is None else max(until - time.monotonic(), 1e-3))
        try:
            part = end.recv(min(count - len(parts), 2**20))
        except ConnectionError:
            part = b""
        if not part:
            raise EOFError("the other side is gone")
        parts += part
    return bytes(parts)
