"""`share`: a code of twenty letters for the class, without a name; on a hub each check can send it."""

import contextlib
import random
import sys
from datetime import UTC, datetime
from typing import Any

from helpers.class_codes.code import TAG, Code, packed
from helpers.class_codes.folder import file_of_the_class
from helpers.class_codes.letters import ALPHABET
from helpers.class_codes.tables import Table, table_of
from helpers.errors import BadArgument, must_be_quoted, unknown
from helpers.exercises import BadRecord, MissingPackage
from helpers.learner import own_notebook, progress_record
from helpers.offered import offered
from helpers.passed import SHARING, Kept, states

TOLD = (
    "Your instructor sees how the class is doing: from now on each check sends which exercises are "
    "passed or tried and which mistakes were named last, not your name. share(always=False) stops it."
)
WORDS = {"passed": "passed", "tried": "tried", "untouched": "not yet tried"}


def share(unit: str | None = None, *, always: bool | None = None) -> None:
    """Print a code that says how far you are in a unit, to be pasted where the class talks.

    It holds which exercises are passed and tried and the last mistakes that were named, four random letters
    by which a newer code of yours replaces it, and a check against typing errors; no name.  `forget()`
    deletes these letters.

    Args:
        unit: such as `"05_softmax"`; the one you work in, where it is left out.
        always: on a hub, whether each check sends the code by itself; then nothing is printed but that.

    Raises:
        UnknownName: when there is no such unit; the message lists those there are.
        BadArgument: when the unit is left out and cannot be told.
    """
    if always is not None:
        return _choose(on=bool(always))
    units, scope = offered(), sys._getframe(1).f_globals
    kept = Kept(progress_record.record_file())
    must_be_quoted("share", unit, scope, units)
    if unit is not None and unit not in units:
        raise unknown("unit", unit, units)
    unit = unit or own_notebook.unit_of(units, scope) or _last(kept, units)
    if unit is None:
        raise BadArgument(f'say which unit, in quotes, such as share("{next(iter(units))}")')
    table = table_of(unit)
    code = _code(table, kept)
    counts = [f"{code.states.count(state)} {word}" for state, word in WORDS.items()]
    print(f"{packed(code, table)}\n{unit}: {', '.join(counts)}. Paste the line above where your class talks.")
    return None


def after_check(name: str) -> None:
    """Where the hub gathers codes, add one to its file; the first time the learner is told before."""
    file = file_of_the_class()
    there = [unit for unit, names in offered().items() if name in names]
    if file is None or not there or not progress_record.learning():
        return
    kept = Kept(progress_record.record_file())
    chosen = SHARING.get("on", kept.sharing)
    if chosen is None:
        print(TOLD)
        progress_record.sharing(on=True)
    if chosen is not False:
        # a check goes on where the file is gone, or another record of the unit cannot be read
        with contextlib.suppress(OSError, BadRecord, MissingPackage):
            table = table_of(there[0])
            line = f"{datetime.now(UTC).isoformat(timespec='seconds')} {packed(_code(table, kept), table)}\n"
            with file.open("a", encoding="utf-8") as lines:
                lines.write(line)


def _choose(*, on: bool) -> None:
    progress_record.sharing(on=on)
    if file_of_the_class() is None:
        print(
            "Nothing is sent from here: your instructor has not asked for it. share() prints a code to paste."
        )
    else:
        print("Each check sends a code again." if on else "No check sends anything any more.")


def _code(table: Table, kept: Kept) -> Code:
    names = [one.exercise for one in table.exercises]
    now = states(names, kept)
    mistakes = []
    for name, named in reversed(kept.mistakes.items()):
        if now.get(name) == "tried":
            place = names.index(name)
            found = [table.exercises[place].place_of(*one) for one in named]
            mistakes += [(place, at) for at in found if at is not None]
    return Code(_tag(kept), tuple(now[name] for name in names), tuple(mistakes))


def _tag(kept: Kept) -> str:
    tag = SHARING.get("tag") or kept.tag
    if not tag:
        draw = random.SystemRandom()
        tag = "".join(draw.choice(ALPHABET) for _ in range(TAG))
        progress_record.tagged(tag)
    return tag


def _last(kept: Kept, units: Any) -> str | None:
    """The unit of the last exercise that was checked."""
    there = {name: unit for unit, names in units.items() for name in names}
    return next((there[name] for name, _ in reversed(kept.events) if name in there), None)
