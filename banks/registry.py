"""Where the answers register themselves: those to an exercise are one file in the folder of its unit."""

import importlib
import pkgutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Answer:
    """A right answer: `obj` is what the learner's cell binds to the name `exercise`."""

    exercise: str
    style: str
    obj: Any


@dataclass(frozen=True)
class WrongAnswer:
    """A wrong answer: `mistake` is the id of the misconception, `note` says more where needed."""

    exercise: str
    mistake: str
    obj: Any
    note: str = ""


RIGHT: list[Answer] = []
WRONG: list[WrongAnswer] = []


def add_right(exercise, style, obj):
    RIGHT.append(Answer(exercise, style, obj))
    return obj


def add_wrong(exercise, mistake, obj, note=""):
    WRONG.append(WrongAnswer(exercise, mistake, obj, note))
    return obj


def right(exercise, style):
    def register(obj):
        return add_right(exercise, style, obj)

    return register


def wrong(exercise, mistake, note=""):
    def register(obj):
        return add_wrong(exercise, mistake, obj, note)

    return register


def load():
    """Import every file of the banks (each registers its answers once) and return both lists."""
    for module in files():
        importlib.import_module(module)
    return RIGHT, WRONG


def files():
    """The modules in the folders of the units: a new file is found by being there."""
    found = pkgutil.walk_packages([str(Path(__file__).parent)], f"{__package__}.")
    return sorted(one.name for one in found if one.name.count(".") == 2)


def fresh():
    """Both banks anew: some wrong programs keep state, and remember what an earlier test asked of them."""
    load()
    kept = list(RIGHT), list(WRONG)
    RIGHT.clear()
    WRONG.clear()
    try:
        for name in files():
            importlib.reload(sys.modules[name])
        return list(RIGHT), list(WRONG)
    finally:
        RIGHT[:], WRONG[:] = kept
