"""The questions of the concept inventory, as `items.toml` has them."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_name("items.toml")
COUNT, CHOICES = 24, 4
"""Questions of the inventory, and choices of each."""


@dataclass(frozen=True)
class Item:
    """One question.

    Attributes:
        id: its name, in kebab case.
        idea: which of the twelve ideas it asks for.
        asks: the question.
        choices: four texts, the right one first.
        mistakes: the ids of the mistakes behind the three wrong ones.
        why: the reason for the right one.
        place: the unit that explains it.
    """

    id: str
    idea: str
    asks: str
    choices: tuple[str, ...]
    mistakes: tuple[str, ...]
    why: str
    place: str


def read(path: Path | None = None) -> list[Item]:
    """The questions in the order of the file, which is the order of every list of marks.

    Args:
        path: another file of the same form; `FILE` by default.

    Raises:
        OSError: when there is no such file.
        TypeError: when a question lacks a field, or has one too many.
    """
    tables = tomllib.loads((path or FILE).read_text("utf-8"))["item"]
    return [
        Item(**{key: tuple(value) if isinstance(value, list) else value for key, value in one.items()})
        for one in tables
    ]
