"""What an instructor says to mistakes that the course has no name for: `own/named_mistakes.toml`.

    [[mistake]]
    exercise = "softmax"
    group = "k3f9a"
    says = "You divided each row by the sum of the row above it."
    hint = "Which row does each of your sums belong to?"

`make analytics` shows the groups, by what their answers do: see `helpers.verdict.behaviour`.
"""

import difflib
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from helpers import own
from helpers.errors import OneSentence
from helpers.units import UNIT_OF

SHOWN = f"own/{own.NAMED}"
LETTERS, LENGTH = "23456789abcdefghjkmnpqrstuvwxyz", 5
"""A group's id has so many of these, none of which is taken for another: 28 million ids."""

WORDS = 35
"""A sentence and its hint together: a message has 60, and says besides in which call it shows."""

_KEYS = ("exercise", "group", "says", "hint")


class BadEntry(OneSentence, ValueError):
    """The file has something that it cannot have; the message names the place and what belongs there."""


@dataclass(frozen=True)
class Named:
    """A mistake with the instructor's words.

    Attributes:
        exercise: its name.
        group: id of what the answers do.
        says: the sentence.
        hint: what to look at.
    """

    exercise: str
    group: str
    says: str
    hint: str

    @property
    def text(self) -> str:
        """All that is said."""
        return f"{self.says} {self.hint}"


Entries = Mapping[tuple[str, str], Named]
"""By exercise and group, in the order of the file."""


def file() -> Path:
    """Where the file lies, if there is one."""
    return own.FOLDER / own.NAMED


def read() -> Entries:
    """What the instructor has named; nothing without a file.

    Raises:
        BadEntry: with the place in the file, what belongs there and what stands there.
    """
    try:
        content = tomllib.loads(file().read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise BadEntry(f"{SHOWN} cannot be read: {error}.") from None
    entries = content.get("mistake", [])
    if content.keys() - {"mistake"} or not isinstance(entries, list):
        other = next(iter(content.keys() - {"mistake"}), "mistake")
        raise BadEntry(f"{SHOWN}: expected entries that begin with [[mistake]]; got {other}.")
    found: dict[tuple[str, str], Named] = {}
    for number, entry in enumerate(entries, 1):
        one = _named(f"{SHOWN}, mistake {number}", entry)
        if (one.exercise, one.group) in found:
            raise BadEntry(f"{SHOWN}: {one.exercise} {one.group} stands there twice: keep one of them.")
        found[one.exercise, one.group] = one
    return found


def usable() -> Entries:
    """The same, where a file that cannot be read is nobody's to mend."""
    try:
        return read()
    except BadEntry:
        return {}


def _named(place: str, entry: Any) -> Named:
    entry = entry if isinstance(entry, dict) else {}
    for key in (*entry, *_KEYS):
        if key not in _KEYS:
            raise BadEntry(f"{place}: expected {', '.join(_KEYS)}; got {key}.")
        if not isinstance(entry.get(key), str):
            came = repr(entry[key]) if key in entry else "nothing"
            raise BadEntry(f"{place}: {key}: expected a text in quotes; got {came}.")
    one = Named(**{key: " ".join(text.split()) for key, text in entry.items()})
    if problem := next(_problems(one), ""):
        raise BadEntry(f"{place}: {problem}.")
    return one


def _problems(one: Named) -> Iterator[str]:
    if one.exercise not in UNIT_OF:
        near = difflib.get_close_matches(one.exercise, UNIT_OF, 1)
        meant = f"; the nearest is {near[0]}" if near else ""
        yield f"there is no exercise {one.exercise!r}{meant}"
    if not re.fullmatch(f"[{LETTERS}]{{{LENGTH}}}", one.group):
        yield f"group: expected {LENGTH} letters from analytics.html, such as k3f9a; got {one.group!r}"
    for key, text in (("says", one.says), ("hint", one.hint)):
        if not text:
            yield f"{key}: expected a sentence; got nothing"
        if not text.isprintable():
            yield f"{key}: expected text; it has signs that cannot be shown"
    if (count := len(one.text.split())) > WORDS:
        yield f"says and hint have {count} words together, and {WORDS} at most are read: leave some out"
