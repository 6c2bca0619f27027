"""Which exercises are passed, tried and untouched, kept between restarts.

Each check in a notebook adds one line to `progress.jsonl`, beside the folders of the units: lines are only
ever added, so two open notebooks cannot overwrite each other.  A notebook keeps what its test cells said,
and that counts too: it is all that is left where only the notebook is saved, as by Binder in the browser.
"""

import contextlib
import html
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from helpers.beside.kernel import in_notebook
from helpers.errors import unknown
from helpers.offered import number_of, offered
from helpers.passed import FILE, HERE, Asked, Kept, home, saved_in_notebooks, states_after
from helpers.units import TITLES

SURE = {3: "certain", 2: "fairly sure", 1: "a guess"}
WORDS = {"passed": "✓ {} (passed)", "tried": "✗ {} (tried)", "untouched": "{}"}


def record(name: str, event: str) -> None:
    """Keep what happened to an exercise: `"passed"`, `"tried"`, `"reset"` or `"undone"`.

    Only in a notebook, and never while an instructor grades.

    Args:
        name: the exercise.
        event: one of these four.
    """
    if not learning():
        return
    HERE.append((name, event))
    _add({"exercise": name, "event": event})


def predicted(name: str, sure: int, right: bool) -> None:
    """Keep how a prediction came out, and how sure the learner was of it, 1 to 3."""
    if learning():
        _add({"exercise": name, "event": "predicted", "sure": sure, "right": right})


def asked(kind: str, name: str, seed: int, *, right: bool, sure: int) -> Asked:
    """Keep how a question of the review was answered; gives what is kept."""
    one = Asked(kind, name, seed, right, sure, datetime.now(UTC).replace(microsecond=0))
    if learning():
        _add(
            {"exercise": name, "event": "asked", "kind": kind, "seed": seed, "right": right, "sure": sure},
            one.at,
        )
    return one


def opened(unit: str, questions: Sequence[tuple[str, str, int]]) -> None:
    """Keep which questions were drawn for the beginning of a unit."""
    if learning():
        _add({"exercise": unit, "event": "opened", "questions": [list(one) for one in questions]})


def forget() -> None:
    """Delete the record of what you passed, predicted and answered; your notebooks stay as they are."""
    gone = [
        path for path in (record_file(), *sorted(home().glob("progress-damaged-*.jsonl"))) if path.exists()
    ]
    HERE.clear()
    try:
        for path in gone:
            path.unlink()
    except OSError as error:
        print(f"{error.filename} cannot be deleted: {error.strerror}.")
        return
    if not gone:
        print(f"There is no record to delete: {FILE} is not in {home()}.")
        return
    names = ", ".join(path.name for path in gone)
    print(f"Deleted: {names}. A passed check that a notebook shows still counts.")


def record_file() -> Path:
    """Where the record stands."""
    return home() / FILE


def _add(line: dict, at: datetime | None = None) -> None:
    line["at"] = (at or datetime.now(UTC)).isoformat(timespec="seconds")
    path = record_file()
    with contextlib.suppress(OSError), path.open("a", encoding="utf-8") as file:  # a folder may be read-only
        file.write(json.dumps(line) + "\n")


def progress(unit: str | None = None) -> "Progress":
    """Show how far you are: every unit, or one.

    Args:
        unit: such as `"05_softmax"`.

    Raises:
        UnknownName: when there is no such unit; the message lists those there are.
    """
    there = offered()
    if unit is not None and unit not in there:
        raise unknown("unit", unit, there)
    kept, note = _read(record_file())
    now = states_after([*saved_in_notebooks(home()), *kept.events])
    steps: tuple[str, ...] = ()
    if unit is None and kept.asked:
        from helpers.learner.mastery import guessing, mastery  # they need the records of all exercises

        done = {name for name, state in now.items() if state == "passed"}
        steps = tuple(f"{one.step}: {one}" for one in mastery(there, done, kept.asked))
        steps += tuple(filter(None, [guessing(kept.asked)]))
    return Progress(
        {u: {n: now[n] for n in names} for u, names in there.items() if unit in (None, u)},
        note,
        {} if unit else kept.guesses,
        steps,
    )


@dataclass(frozen=True)
class Progress:
    """What `progress` shows.

    Attributes:
        units: for each unit the state of its exercises: `"passed"`, `"tried"` or `"untouched"`.
        note: what was wrong with the file, or `""`.
        guesses: of each prediction the first time: how sure, 1 to 3, and whether it was right.
        steps: what is mastered, step by step, once questions of the review were answered.
    """

    units: dict[str, dict[str, str]]
    note: str = ""
    guesses: dict[str, tuple[int, bool]] = field(default_factory=dict)
    steps: tuple[str, ...] = ()

    def __repr__(self) -> str:
        rows = [f"{heading}. {', '.join(words)}" for heading, words in self._rows()]
        return "\n".join([*rows, *self._below()])

    def _repr_html_(self) -> str:
        cell = "text-align: left; padding: 3px 10px"
        body = "".join(
            f'<tr><th scope="row" style="{cell}; font-weight: normal">{_unbroken(heading)}</th>'
            f'<td style="{cell}">{", ".join(_unbroken(word) for word in words)}</td></tr>'
            for heading, words in self._rows()
        )
        after = "".join(f"<p>{html.escape(said)}</p>" for said in self._below())
        return f'<table style="width: auto; margin: 0"><tbody>{body}</tbody></table>{after}'

    def _rows(self) -> Iterator[tuple[str, list[str]]]:
        for unit, states in self.units.items():
            done = sum(state == "passed" for state in states.values())
            yield (
                f"{unit} ({TITLES[unit]}): {done} of {len(states)}",
                [WORDS[state].format(f"{number_of(name)} {name}") for name, state in states.items()],
            )

    def _below(self) -> list[str]:
        return [said for said in (self._next(), *self.steps, self._calibration(), self.note) if said]

    def _calibration(self) -> str:
        """How often a prediction was right, by how sure the learner was of it."""
        if not self.guesses:
            return ""
        right = sum(good for _, good in self.guesses.values())
        parts = []
        for level, word in SURE.items():
            of_level = [good for sure, good in self.guesses.values() if sure == level]
            if of_level:
                parts.append(f"{word}: {sum(of_level)} of {len(of_level)}")
        return f"Predictions right: {right} of {len(self.guesses)} ({', '.join(parts)})."

    def _next(self) -> str:
        """The first exercise that is not passed."""
        for unit, states in self.units.items():
            for name, state in states.items():
                if state != "passed":
                    return f"Next: {number_of(name)} {name}, in {unit}."
        return "All of it is passed."


def _unbroken(word: str) -> str:
    return f'<span style="white-space: nowrap">{html.escape(word)}</span>'


def learning() -> bool:
    """Whether a person works in a notebook: not a test, and not nbgrader."""
    return in_notebook() and "NBGRADER_EXECUTION" not in os.environ


def _read(path: Path) -> tuple[Kept, str]:
    """What the file says; where lines of it are damaged it is set aside, and the good lines are kept."""
    kept = Kept(path)
    return kept, _set_aside(path, kept.good) if kept.damaged else ""


def _set_aside(path: Path, good: list[bytes]) -> str:
    number = 1
    while (kept := path.with_name(f"progress-damaged-{number}.jsonl")).exists():
        number += 1
    try:
        path.rename(kept)
        path.write_bytes(b"".join(line + b"\n" for line in good))
    except OSError:
        return f"{FILE} is damaged in part, and this folder cannot be written to."
    return f"{FILE} was damaged; it is now {kept.name}, and its {len(good)} readable lines are kept."
