"""Which exercises are passed, as it is kept: in `progress.jsonl`, in saved notebooks, and in this kernel.

`helpers/learner/progress_record.py` writes and shows it; views ask too, and know nothing else of learners.
"""

import contextlib
import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from helpers.units import UNIT_OF, UNITS, grade_id

FILE = "progress.jsonl"
EVENTS = ("passed", "tried", "reset", "undone")


@dataclass(frozen=True)
class Asked:
    """A question of the review that was answered.

    Attributes:
        kind: of question, as in `helpers/questions/kinds`.
        exercise: what it was about.
        seed: which of its kind.
        right: whether the answer was.
        sure: 1, a guess, to 3, certain; 0 where that was not said.
        at: when, in UTC.
    """

    kind: str
    exercise: str
    seed: int
    right: bool
    sure: int
    at: datetime


HERE: list[tuple[str, str]] = []
"""What happened in this kernel: of a folder that cannot be written to nothing else is left."""


def passed(names: Collection[str]) -> set[str]:
    """Those of some exercises that are passed."""
    saved = saved_in_notebooks(home(), {UNIT_OF[name] for name in names})
    now = states_after([*saved, *Kept(home() / FILE).events, *HERE])
    return {name for name in names if now[name] == "passed"}


def states_after(events: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The state of every exercise after these events: once passed, passed until it is reset."""
    history = {name: ["untouched"] for name in UNIT_OF}
    for name, event in events:
        past = history.get(name)
        if past is None:
            continue  # an exercise of another version of the course
        if event == "reset":
            past.append("untouched")
        elif event == "undone":
            past.pop() if len(past) > 1 else None
        elif past[-1] != "passed":
            past[-1] = event
    return {name: past[-1] for name, past in history.items()}


def home() -> Path:
    """The folder that holds the units' folders; anywhere else the current one."""
    here = Path.cwd()
    return here.parent if here.name in UNITS else here


class Kept:
    """What a file says.

    Attributes:
        events: each with its exercise.
        guesses: of each prediction the first time: how sure, 1 to 3, and whether it was right.
        asked: the questions of the review, in the order in which they were answered, each once.
        opened: the questions that were drawn for the beginning of a unit, as kind, exercise and seed.
        good: the lines that can be read.
        damaged: whether there are others.
    """

    def __init__(self, path: Path) -> None:
        self.events: list[tuple[str, str]] = []
        self.guesses: dict[str, tuple[int, bool]] = {}
        self.opened: dict[str, list[tuple[str, str, int]]] = {}
        asked: set[Asked] = set()  # two machines may have written the same line
        self.good: list[bytes] = []
        lines: list[bytes] = []
        with contextlib.suppress(OSError):
            lines = [line for line in path.read_bytes().split(b"\n") if line]
        for line in lines:
            with contextlib.suppress(ValueError, KeyError, TypeError):
                one = json.loads(line)
                if one["event"] in EVENTS:
                    self.events.append((str(one["exercise"]), one["event"]))
                elif one["event"] == "predicted":
                    self.guesses.setdefault(str(one["exercise"]), (int(one["sure"]), bool(one["right"])))
                elif one["event"] == "asked":
                    asked.add(_asked(one))
                elif one["event"] == "opened":
                    drawn = [(str(kind), str(name), int(seed)) for kind, name, seed in one["questions"]]
                    self.opened.setdefault(str(one["exercise"]), drawn)
                self.good.append(line)
        self.asked = sorted(asked, key=lambda one: (one.at, one.kind, one.exercise, one.seed))
        self.damaged = len(self.good) < len(lines)


def _asked(line: dict) -> Asked:
    at = datetime.fromisoformat(str(line["at"]))
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    sure = int(line.get("sure", 0))
    return Asked(str(line["kind"]), str(line["exercise"]), int(line["seed"]), bool(line["right"]), sure, at)


def saved_in_notebooks(folder: Path, units: Collection[str] = UNITS) -> Iterator[tuple[str, str]]:
    """What the test cells of the saved notebooks say."""
    for unit in units:
        for path in (folder / unit / f"{unit}.ipynb", folder / f"{unit}.ipynb"):
            with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
                for cell in json.loads(path.read_text("utf-8"))["cells"]:
                    name = grade_id(cell).removesuffix("-test")
                    outputs = cell.get("outputs") or []
                    if name in UNITS[unit] and outputs:
                        if any(_says_right(name, output) for output in outputs):
                            yield name, "passed"
                        elif any(f"{name} is not right yet" in str(out.get("evalue")) for out in outputs):
                            yield name, "tried"


def _says_right(name: str, output: dict) -> bool:
    """Whether an output is a passed check: printed, or drawn, which as text is the same."""
    drawn = output.get("output_type") == "display_data"
    text = output["data"].get("text/plain", []) if drawn else output.get("text", [])
    return output.get("output_type") in ("stream", "display_data") and f"{name}: right." in "".join(text)
