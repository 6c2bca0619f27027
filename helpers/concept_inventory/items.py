"""The questions of the concept inventory, as `items.toml` has them and as a sheet shows them."""

import random
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from helpers.errors import unknown

FILE = Path(__file__).with_name("items.toml")
CHOICES = 4
SEED = 188
"""Another one would give every line of letters that stands in a notebook another meaning."""


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


def read() -> list[Item]:
    """The questions in the order of the file.

    Raises:
        TypeError: when a question lacks a field, or has one too many.
    """
    tables = tomllib.loads(FILE.read_text("utf-8"))["item"]
    return [
        Item(**{key: tuple(value) if isinstance(value, list) else value for key, value in one.items()})
        for one in tables
    ]


def questions(until: str | None = None) -> list[tuple[Item, list[str]]]:
    """Those that can be asked after a unit, each with its choices, in an order that is always the same.

    Args:
        until: the last unit that may explain one; all of them by default.

    Raises:
        UnknownName: when no unit of that name explains one; the message lists those that do.
    """
    items = read()
    units = sorted({item.place for item in items})
    if until is not None and until not in units:
        raise unknown("unit", until, units)
    items = [item for item in items if until is None or item.place <= until]
    draw = random.Random(SEED).random  # of all that it draws, Python promises this sequence alone
    items = _shuffled(items, draw)
    right = _shuffled((at % CHOICES for at in range(len(items))), draw)  # each letter is right as often
    shown = []
    for item, at in zip(items, right, strict=True):
        choices = _shuffled(item.choices[1:], draw)
        choices.insert(at, item.choices[0])
        shown.append((item, choices))
    return shown


def _shuffled(values: Iterable[Any], draw: Callable[[], float]) -> list[Any]:
    return [value for _, value in sorted(((draw(), value) for value in values), key=lambda pair: pair[0])]
