"""The two forms of the inventory, and which choices a line of 24 letters stands for.

Both forms ask the same questions, in other orders and with the choices in other orders.  They are fixed for
ever: answers are kept as letters, so another seed, or another way to draw, would give every answer that was
ever handed in another meaning and spoil each comparison between terms.  A test holds them as they are.  For
the same reason the order of `items.toml` must stay, and a question that is mended keeps its place.
"""

import random
from collections.abc import Callable
from functools import cache
from typing import Any

from helpers.concept_inventory.items import CHOICES, COUNT
from helpers.errors import BadArgument, unknown

SEEDS = {"before": 3, "after": 188}
"""Never to be changed: see above. No question has the same place, or the same order of choices, in both."""

LETTERS = "abcd"
NO_ANSWER = "-"


@cache
def _drawn(when: str) -> tuple[tuple[int, tuple[int, ...]], ...]:
    place = random.Random(SEEDS[when]).random  # of all that it draws, Python promises this sequence alone
    questions = _shuffled(range(COUNT), place)
    right = _shuffled([letter % CHOICES for letter in range(COUNT)], place)  # each letter is right as often
    orders = []
    for at in right:
        order = _shuffled(range(1, CHOICES), place)
        order.insert(at, 0)
        orders.append(tuple(order))
    return tuple(zip(questions, orders, strict=True))


def _shuffled(values: Any, place: Callable[[], float]) -> list[int]:
    return [value for _, value in sorted((place(), value) for value in values)]


def form(when: str) -> list[tuple[int, tuple[int, ...]]]:
    """What a form shows: for each question which item it is, and in which order its choices stand.

    Args:
        when: `"before"` or `"after"`.

    Returns:
        24 pairs: the index of the item in `items.toml`, and four indices into its `choices`. The letter `a`
        is the first of them; index 0 is the right choice.

    Raises:
        UnknownName: when there is no such form.
    """
    if when not in list(SEEDS):
        raise unknown("form", when, SEEDS)
    return list(_drawn(when))


def marked(when: str, answers: str) -> list[int | None]:
    """Which choice was taken in each item.

    Args:
        when: the form that was answered, `"before"` or `"after"`.
        answers: a letter from a to d for each question in the order of the form, `-` for none. Capitals and
            blanks are fine.

    Returns:
        For each item, in the order of `items.toml`, an index into its `choices` (0 is right), or `None`.

    Raises:
        BadArgument: when it is another number of letters, or another letter.
        UnknownName: when there is no such form.
    """
    shown = form(when)
    if not isinstance(answers, str):
        raise BadArgument(
            f'inventory takes your answers as {COUNT} letters in quotes, such as "abdc-...", '
            f"and got {type(answers).__name__}."
        )
    letters = "".join(answers.split()).lower()
    for place, letter in enumerate(letters, 1):
        if letter not in LETTERS + NO_ANSWER:
            raise BadArgument(
                f"inventory takes the letters a, b, c, d, and - for no answer; letter {place} is {letter!r}."
            )
    if len(letters) != COUNT:
        raise BadArgument(
            f"inventory takes {COUNT} letters, one for each question and - for no answer; "
            f"it got {len(letters)}."
        )
    chosen: list[int | None] = [None] * COUNT
    for letter, (item, order) in zip(letters, shown, strict=True):
        if letter != NO_ANSWER:
            chosen[item] = order[LETTERS.index(letter)]
    return chosen
