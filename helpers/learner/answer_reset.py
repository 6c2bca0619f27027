"""Make an exercise blank again, or give half of its answer, in the learner's notebook; both can be undone."""

import contextlib
import json
import os
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from helpers import browser
from helpers.errors import BadArgument, OneSentence, must_be_quoted, unknown
from helpers.in_browser import to_page
from helpers.learner import own_notebook, progress_record
from helpers.learner.half_answers import half
from helpers.offered import blanks, offered
from helpers.units import UNIT_OF, grade_id

KEPT = "answers-before-reset.jsonl"
BLANK, HALF = "Blank again", "One line is yours"
LEVELS = ("blank", "half")


class CannotReset(OneSentence, RuntimeError):
    """The notebook cannot be changed; nothing was changed, and the message says why."""


def reset(name: str, *, level: str | None = None, undo: bool = False) -> None:
    """Put the blank answer cell of an exercise, or of every exercise of a unit, back into the notebook.

    With `level="half"` it is the course's answer with one line missing, which you write.  What stood there
    is kept in `answers-before-reset.jsonl` beside the folders of the units.

    Run All blanks nothing: a cell that stands in the saved notebook changes nothing. Nor does anything happen
    while an instructor grades. On a page of the site the text is offered below the answer.

    Args:
        name: an exercise such as `"softmax"`, or a unit such as `"05_softmax"`.
        level: `"blank"`, as without it, or `"half"`, of one exercise.
        undo: bring back what the last reset took away; again, and it is gone once more.

    Raises:
        UnknownName: when there is no such exercise or unit; the message lists those there are.
        BadArgument: when the name is not in quotes, the level is none of the two, or there is no half.
        CannotReset: when the notebook cannot be read or written; then nothing is changed.
    """
    units = offered()
    exercises = [one for names in units.values() for one in names]
    scope = sys._getframe(1).f_globals
    must_be_quoted("reset", name, scope, [*exercises, *units])
    if name not in exercises and name not in units:
        known = f"The exercises are: {', '.join(exercises)}. The units are: {', '.join(units)}."
        raise unknown("exercise or unit", name, [*exercises, *units], known)
    if level not in (None, *LEVELS):
        raise BadArgument(f'level should be "blank" or "half"; it is {level!r}')
    part = level == "half" and not undo
    if part and name in units:
        raise BadArgument(
            f'level="half" is for one exercise, such as reset("{units[name][-1]}", level="half"); '
            f"{name} is a unit"
        )
    halves = {name: half(name)} if part else {}
    if "NBGRADER_EXECUTION" in os.environ:
        return
    names = units.get(name, [name])
    if browser.HERE:
        return _offer_on_page(names, halves or blanks(), undo=undo)
    path = _notebook(UNIT_OF[names[0]])
    try:
        notebook = own_notebook.read(path)
    except own_notebook.Unreadable as error:
        raise CannotReset(f"{error} Nothing is changed.") from None
    cells = {grade_id(cell): cell for cell in notebook["cells"]}
    how = ", undo=True" if undo else ", level='half'" if part else ""
    anew = f"run reset({name!r}{how}) in a new cell"
    if _is_left_over(notebook, scope):
        says = f"{path.name} holds this cell, and Run All would change {name} with it each time"
        print(f"{says}. Nothing is changed: delete it, and {anew}.")
        return
    blank = blanks()
    wanted = _kept(names) if undo else halves or {one: blank[one] for one in names}
    changed, same = [], []
    for one in names:
        cell = cells.get(one)
        if cell is None:
            says = f"{path.name} has no answer cell of {one}: it was deleted. Nothing is changed."
            raise CannotReset(f"{says} {_way_out(path.stem)}")
        old, new = "".join(cell["source"]), wanted.get(one)
        if new is not None and old != new:
            changed.append((one, old))
            cell["source"] = new.splitlines(keepends=True)
            for place in (one, f"{one}-few-test", f"{one}-test"):
                cells.get(place, {}).update(outputs=[], execution_count=None)
        else:
            same.append((one, old))
    if not undo and (newer := _run_but_not_saved(scope, same, blank)):
        said = ", ".join(one for one, _ in newer)
        print(f"What you ran of {said} is not saved yet: save the notebook first (Ctrl + S), then {anew}.")
        return
    if not changed:
        already = "has one line missing" if part else "is blank"
        print(f"{name}: there is nothing to bring back." if undo else f"{name} {already} already.")
        return
    kept = changed if undo else [*_run_but_not_saved(scope, changed, blank), *changed]
    _keep(kept)
    said = ", ".join(one for one, _ in changed)
    lines = [f"{'Brought back' if undo else HALF if part else BLANK} in {path.name}: {said}."]
    if not undo:
        lines.append(f"What you had is kept: reset({name!r}, undo=True) brings it back.")
    _write(path, notebook)
    lines.insert(1, "Now choose File > Reload Notebook from Disk to see it.")
    print("\n".join(lines))
    for one, _ in changed:
        scope.pop(one, None)
        to_write = wanted[one] in (blank[one], _half_if_any(one))
        progress_record.record(one, "reset" if to_write else "undone")


def _offer_on_page(names: Sequence[str], texts: Mapping[str, str], *, undo: bool) -> None:
    """On a page of the site an answer has a field, which is not changed behind the reader's back."""
    if undo:
        return print("Here nothing is taken away: below the answer you choose which text stays.")
    to_page.ask(put={one: texts[one] for one in names})
    print(f"Below your answer of {', '.join(names)} you can choose: yours, or this one. Both are kept.")


def _half_if_any(name: str) -> str | None:
    with contextlib.suppress(BadArgument):
        return half(name)
    return None


def _is_left_over(notebook: dict[str, Any], scope: dict[str, Any]) -> bool:
    """Whether the cell that runs now is one of the saved notebook's."""
    runs = own_notebook.ran(scope)[-1:]
    return any(["".join(cell["source"]).strip()] == [*map(str.strip, runs)] for cell in notebook["cells"])


def _notebook(unit: str) -> Path:
    found = own_notebook.find(unit)
    if not found:
        says = f"{unit}.ipynb is not in this folder ({Path.cwd().name}) or the one above."
        raise CannotReset(f"{says} {_way_out(unit)}")
    return found


def _way_out(unit: str) -> str:
    return (
        f"`make fresh UNIT={unit}` in the course's folder brings a blank notebook and keeps yours; "
        "without the folder, download the notebook again."
    )


def _write(path: Path, notebook: dict[str, Any]) -> None:
    """Replace the file in one step, so that a crash leaves the old one or the new one."""
    new = path.with_name(f".{path.name}.new")
    try:
        new.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        os.replace(new, path)
    except OSError as error:
        raise CannotReset(f"{path.name} cannot be written: {error.strerror}. Nothing is changed.") from None


def _keep(answers: list[tuple[str, str]]) -> None:
    at = datetime.now(UTC).isoformat(timespec="seconds")
    lines = [json.dumps({"exercise": name, "source": source, "at": at}) + "\n" for name, source in answers]
    try:
        with (progress_record.home() / KEPT).open("a", encoding="utf-8") as file:
            file.writelines(lines)
    except OSError as error:
        says = f"{KEPT} cannot be written ({error.strerror}), so your answer could not be kept."
        raise CannotReset(f"{says} Nothing is changed.") from None


def _kept(names: Sequence[str]) -> dict[str, str]:
    """The last kept answer of each exercise."""
    found: dict[str, str] = {}
    with contextlib.suppress(OSError):
        for line in (progress_record.home() / KEPT).read_bytes().split(b"\n"):
            with contextlib.suppress(ValueError, KeyError, TypeError):  # a damaged line is skipped, and stays
                one = json.loads(line)
                found[str(one["exercise"])] = str(one["source"])
    return {name: found[name] for name in names if name in found}


def _run_but_not_saved(
    scope: dict[str, Any], changed: list[tuple[str, str]], blank: dict[str, str]
) -> list[tuple[str, str]]:
    """Answers as they were last run, where that is not what the saved notebook holds."""
    more = []
    for name, saved in changed:
        last = own_notebook.ran_last(name, scope)
        if last is not None and last.strip() not in (saved.strip(), blank[name].strip()):
            more.append((name, last))
    return more
