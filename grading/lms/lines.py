"""How the commands of this package speak: lines with learners' names, for a terminal."""

import re
from collections.abc import Iterable

_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def plain(text: str) -> str:
    """A line for a terminal: nothing in it that a terminal obeys, or that turns what follows around."""
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text).encode("utf-8", "replace").decode()


def say(*lines: str) -> None:
    """Print lines that may hold learners' names."""
    for line in lines:
        if line:
            print(plain(line), flush=True)


def listed(names: Iterable[str], most: int = 20) -> str:
    """Names in a sentence, as many as one can read."""
    all_of_them = list(names)
    more = len(all_of_them) - most
    return ", ".join(all_of_them[:most]) + (f" and {more} more" if more > 0 else "")
