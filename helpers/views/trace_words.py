"""A recording in words: what a line made, read, returned, and where that was made.

A recording is the plain data that `helpers/beside/tracing.py` writes.  Nothing here looks at an array.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from helpers.text import number

Plain = Mapping[str, Any]
FORMS = {"transposed": "a transpose of ", "another shape": "in another shape ", "a list": "as a list "}
"""How a value is a stage that has other axes."""
_ONE = ("number", "flag", "text", "nothing")


def short(what: Plain, stages: Sequence[str]) -> str:
    """What a value is, for beside a line: `(2, 3) float64 ✓ scaled scores`."""
    kind, numbers = what.get("kind", "object"), what.get("numbers")
    if "shape" in what:
        text = f"{shape(what)} {what.get('type', '')}".strip()
        text = f"tensor {text}" if kind == "tensor" else text
        text += f": {written(numbers)}" if not what["shape"] and _single(numbers) else ""
    elif kind in _ONE:
        text = f"= {_value(what)}"
    else:
        text = str(what.get("says") or f"{'an' if kind == 'object' else 'a'} {kind}")
    if "shape" not in what and what.get("items"):
        text += f": {'; '.join(short(one, stages).removeprefix('= ') for one in what['items'])}"
    text += f", {what['odd']}" if what.get("odd") else ""
    return f"{text} {_stage(what, stages)}" if _staged(what) else text


def _value(what: Plain) -> str:
    numbers = what.get("numbers")
    if what.get("kind") == "nothing":
        return "None"
    value = written(numbers) if _single(numbers) else str(what.get("says") or f"a {what.get('kind')}")
    return f"{value} {what['type']}" if what.get("kind") == "number" and what.get("type") else value


def _staged(what: Plain) -> bool:
    return what.get("stage") is not None


def _stage(what: Plain, stages: Sequence[str]) -> str:
    return f"✓ {stages[what['stage']]}{f' ({form})' if (form := what.get('form')) else ''}"


def labelled(name: str, says: str) -> str:
    """A name and what it is; what is returned has no sign of equality."""
    return f"{name} {says.removeprefix('= ') if name == 'returned' else says}"


def long(what: Plain, stages: Sequence[str]) -> str:
    """All that is known of a value, in sentences that follow its name and a colon."""
    kind, text = what.get("kind", "object"), short(dict(what, stage=None, odd=""), stages)
    text = f"array {text}" if kind == "array" else text.removeprefix("= ")
    if _staged(what):
        form = FORMS.get(what.get("form", ""), "")
        text += f", is {form}stage {what['stage'] + 1}, {stages[what['stage']]}"
    told = [text]
    told += {
        "rows": ["Each row sums to 1"],
        "columns": ["Each column sums to 1"],
        "both": ["Each row and each column sums to 1"],
    }.get(what.get("sums", ""), [])
    if _single(what.get("low")) and _single(what.get("high")) and what.get("shape"):
        told.append(f"Smallest {written(what['low'])}, largest {written(what['high'])}")
    if what.get("odd"):
        told.append(f"Not finite: {what['odd']}")
    if what.get("says") and "shape" in what:
        told.append(f"It is {what['says']}")
    if what.get("same"):
        told.append(f"It is the same object as {what['same']}: writing into one writes into the other")
    return f"{'. '.join(told)}."


def shape(what: Plain) -> str:
    """As NumPy writes it."""
    return str(tuple(what["shape"]))


def _single(numbers: Any) -> bool:
    return isinstance(numbers, bool | int | float | str)


def written(x: Any) -> str:
    """A number with four digits; what is not finite came as a word."""
    return x if isinstance(x, str) else number(x).replace("-", "−")


def made(step: Plain) -> Iterator[tuple[str, Plain]]:
    """What a step made, with its name, and at last what it returned."""
    for one in step.get("makes", ()):
        yield one["name"] + (" changed to" if one.get("how") == "changed" else ""), one["what"]
    if step.get("returns") is not None:
        yield "returned", step["returns"]


def says(step: Plain, stages: Sequence[str]) -> str:
    """What a step made, in one line; empty when that is nothing."""
    told = [labelled(name, short(what, stages)) for name, what in made(step)]
    return "; ".join(told + ([f"stopped here: {step['raises'].strip()}"] if step.get("raises") else []))


def when(step: Plain, calls: int) -> str:
    """Which call and which run of the line it is, where there are several."""
    told = [f"call {step['call']} of {calls}"] if calls > 1 and "call" in step else []
    if step.get("turns", 1) > 1:
        told.append(f"run {step['turn']} of {step['turns']}")
    return ", ".join(told)


def beside(steps: Sequence[Plain], stages: Sequence[str], calls: int) -> str:
    """What stands beside a line: its first run and its last, once where both are told alike."""
    told: dict[str, list[str]] = {}
    for step in (steps[:1] + steps[-1:]) if steps else []:
        if text := says(step, stages):
            told.setdefault(text, []).append(when(step, calls))
    every = {text: " and ".join(dict.fromkeys(filter(None, at))) for text, at in told.items()}
    return "; ".join(f"{at}: {text}" if at else text for text, at in every.items())


def calls_of(recording: Plain, of: int) -> int:
    """How often a function was called, as far as is known."""
    kept = [step.get("call", 1) for step in recording["steps"] if step["of"] == of]
    return max([recording["functions"][of].get("calls", 1), *kept])


def begins(function: Plain) -> int:
    """The number of the line with `def`, beside which stands what the function was given."""
    for place, line in enumerate(function["lines"]):
        if re.match(r"\s*(async\s+)?def\b", line):
            return function["first"] + place
    return function["first"]


def caller(recording: Plain, at: int) -> str:
    """The line that called the function of a step, in words; empty where one cannot be sure.

    A line is written down when it is done, so it comes after what it called.  Turns that were left out may
    hide it: then another line stands there, and only one that has the function's name is believed.
    """
    steps = recording["steps"]
    step = steps[at]
    name = recording["functions"][step["of"]]["name"].split(".")[-1]
    for other in steps[at + 1 :]:
        if other.get("depth", 0) < step.get("depth", 0):
            home = recording["functions"][other["of"]]
            place = other["line"] - home["first"]
            text = home["lines"][place] if 0 <= place < len(home["lines"]) else ""
            calls = re.search(rf"(?<!\w){re.escape(name)}\s*\(", text)
            of = f" of {home['name']}" if other["of"] else ""
            sure = calls and other.get("depth", 0) == step.get("depth", 0) - 1
            return f"line {other['line']}{of}" if sure else ""
    return ""


class Sources:
    """Where what a step read was made, in its own call of its function."""

    def __init__(self, recording: Plain) -> None:
        self._recording = recording
        self._makers: dict[Any, list[tuple[int, Plain]]] = {}
        self._lines: dict[Any, list[int]] = {}
        for at, step in enumerate(recording["steps"]):
            self._lines.setdefault((*_call(step), step["line"]), []).append(at)
            for one in step.get("makes", ()):
                self._makers.setdefault((*_call(step), one["name"]), []).append((at, one["what"]))

    def of(self, at: int) -> list[tuple[str, Plain | None, int]]:
        """The names that a step read, their values, and the lines that made them.

        There is no value where a turn that was not kept may have made the name anew.
        """
        step = self._recording["steps"][at]
        found: list[tuple[str, Plain | None, int]] = []
        for name in step.get("uses", ()):
            makers = self._makers.get((*_call(step), name), [])
            before = [one for one in makers if one[0] < at]
            start, what = before[-1] if before else (-1, None)
            if self._hidden(makers, start, at):
                found.append((name, None, 0))
            elif what is not None:
                found.append((name, what, self._recording["steps"][start]["line"]))
            elif step.get("call", 1) == 1:
                line = begins(self._recording["functions"][step["of"]])
                given = self._recording.get("given", {}).get(str(step["of"]), [])
                found += [(name, one["what"], line) for one in given if one["name"] == name]
        return found

    def _hidden(self, makers: list[tuple[int, Plain]], start: int, end: int) -> bool:
        """Whether one of the lines may have run between two steps in a turn that was not kept."""
        steps = self._recording["steps"]
        for key in {(*_call(steps[at]), steps[at]["line"]) for at, _ in makers}:
            for one, after in pairwise([*self._lines[key], len(steps)]):
                turns = steps[one].get("turns", 1) + 1
                turn = steps[after].get("turn", 1) if after < len(steps) else turns
                some = turn - steps[one].get("turn", 1) > 1 and one < end and after > start
                if some and not self._in_step(steps[one], steps[end]):
                    return True
        return False

    def _in_step(self, maker: Plain, reader: Plain) -> bool:
        """Whether one of two lines runs once for each time that the other did, and first.

        They stand in one block, or one is the head of a loop and the other in its body; and they ran equally
        often, so that no turn left out one of them.  The head of a loop may be asked once more at its end.
        """
        function = self._recording["functions"][maker["of"]]
        first, last = (step["line"] - function["first"] for step in (maker, reader))
        block = [line for line in function["lines"][max(0, first) : last + 1] if line.strip()]
        deep = [len(line) - len(line.lstrip()) for line in block]
        if len(deep) < 2 or maker.get("turn", 1) != reader.get("turn", 1):
            return False
        more = maker.get("turns", 1) - reader.get("turns", 1)
        if more == 0 and deep[-1] == deep[0] == min(deep):
            return True
        loop = re.match(r"\s*(for|while)\b", block[0])
        straight = not re.search(r"\b(continue|except)\b", "\n".join(function["lines"]))
        body = deep[-1] == min(deep[1:]) > deep[0]
        return bool(loop and body and straight and more in (0, 1))


def _call(step: Plain) -> tuple[int, int]:
    return step["of"], step.get("call", 1)
