"""What the page of a trace gets: data for its script, and the same in words, which need none."""

import math
from collections.abc import Mapping
from html import escape
from typing import Any

from helpers.views.script import as_json
from helpers.views.trace_words import (
    Plain,
    begins,
    beside,
    caller,
    labelled,
    long,
    made,
    several_calls,
    short,
    sources,
)

_LEFT = ' style="text-align:left;vertical-align:top"'
SUMMARY = "See your own lines, and what each made"
"""The sentence under which a failing check folds it away."""
DIGITS = 5
"""Digits of a number that are sent: a cell shows fewer."""


def sent(recording: Plain) -> dict[str, Any]:
    """What the script gets; each value once, however many steps show it."""
    whats: list[dict[str, Any]] = []
    places: dict[str, int] = {}
    stages = recording.get("stages", [])

    def put(what: Plain) -> int:
        one = _what(what, stages)
        one |= {"items": [put(item) for item in what["items"]]} if what.get("items") else {}
        key = as_json(one)
        if key not in places:
            places[key] = len(whats)
            whats.append(one)
        return places[key]

    many = several_calls(recording)
    functions = []
    for at, function in enumerate(recording["functions"]):
        one = {"name": function["name"], "first": function["first"], "lines": list(function["lines"])}
        given = recording.get("given", {}).get(str(at), [])
        one |= {
            "def": begins(function),
            "many": at in many,
            "given": [[x["name"], put(x["what"])] for x in given],
        }
        functions.append(one)
    steps = []
    for at, step in enumerate(recording["steps"]):
        one = {"of": step["of"], "line": step["line"]}
        one |= {key: step[key] for key in ("turn", "turns", "call") if step.get(key, 1) != 1}
        one |= {"raises": step["raises"]} if step.get("raises") else {}
        if step.get("depth"):
            one |= {"depth": step["depth"], "by": caller(recording, at)}
        one["makes"] = [[name, put(what)] for name, what in made(step)]
        one["from"] = [[name, put(what), line] for name, what, line in sources(recording, at)]
        steps.append(one)
    return {
        "title": title(recording),
        "note": note(recording),
        "fixed": "All lines in one table",
        "functions": functions,
        "what": whats,
        "steps": steps,
        "start": start(recording),
        "stages": reached(recording),
        "facts": list(recording.get("facts", [])),
        "left": list(recording.get("left_out", [])),
    }


def _what(what: Plain, stages: list[str]) -> dict[str, Any]:
    """A value for the page: in words, and the numbers of its map where it has one."""
    one: dict[str, Any] = {"short": short(what, stages), "long": long(what, stages)}
    numbers = what.get("numbers")
    if "shape" not in what or not isinstance(numbers, list) or not what["shape"]:
        return one
    one |= {"shape": list(what["shape"]), "numbers": _rounded(numbers)}
    one |= {key: _rounded(what[key]) for key in ("rows", "columns") if what.get(key)}
    low, high = what.get("low"), what.get("high")
    if what.get("sums") and _number(low) and _number(high) and low >= 0 and high <= 1 + 1e-6:
        one["gold"] = 1
    return one


def _number(x: Any) -> bool:
    return isinstance(x, int | float)


def _rounded(x: Any) -> Any:
    if isinstance(x, list | tuple):
        return [_rounded(one) for one in x]
    if not isinstance(x, float):
        return x
    if not math.isfinite(x):
        return str(x)
    short = float(f"{x:.{DIGITS}g}")
    if not math.isfinite(short):  # the largest floats round to infinity
        return f"{x:.{DIGITS}g}"
    return int(short) if short == int(short) and abs(short) < 1e15 else short


def title(recording: Plain) -> str:
    """Heading."""
    return f"{recording['title']}, line by line"


def note(recording: Plain) -> str:
    """Which call it is."""
    why = recording.get("why", "")
    told = ": ".join(filter(None, [why[:1].upper() + why[1:], recording.get("call", "")]))
    return f"{told}." if told else ""


def start(recording: Plain) -> int:
    """The step that is chosen first: what comes after the last that is a stage; else the first of all."""
    steps = recording["steps"]
    last = max((at for at, step in enumerate(steps) if _stages_of(step)), default=-1)
    for at in range(last + 1, len(steps)) if last >= 0 else ():
        if any(made(steps[at])) or steps[at].get("raises"):
            return at
    return 0


def _stages_of(step: Plain) -> list[int]:
    """The stages that a step made or returned."""
    values = [what for _, what in made(step)]
    values += [item for what in values for item in what.get("items", ())]
    return [what["stage"] for what in values if what.get("stage") is not None]


def reached(recording: Plain) -> list[list[str]]:
    """Each stage with the line that is it, in words; nothing is said of those that none is."""
    found: dict[int, str] = {}
    for step in recording["steps"]:
        home = recording["functions"][step["of"]]["name"]
        for stage in _stages_of(step):
            found.setdefault(stage, f"✓ line {step['line']}{f' of {home}' if step['of'] else ''}")
    return [[name, found.get(at, "")] for at, name in enumerate(recording.get("stages", []))]


def by_line(recording: Plain, of: int) -> dict[int, list[Plain]]:
    """The steps of each line of a function."""
    found: dict[int, list[Plain]] = {}
    for step in recording["steps"]:
        if step["of"] == of:
            found.setdefault(step["line"], []).append(step)
    return found


def told(recording: Plain, of: int) -> list[tuple[int, str, str]]:
    """The lines of a function: number, code, what it made."""
    function, steps = recording["functions"][of], by_line(recording, of)
    stages, many = recording.get("stages", []), of in several_calls(recording)
    rows = []
    for line, code in enumerate(function["lines"], function["first"]):
        words = [beside(steps.get(line, []), stages, many)]
        if line == begins(function):
            given = recording.get("given", {}).get(str(of), [])
            values = "; ".join(labelled(one["name"], short(one["what"], stages)) for one in given)
            words.insert(0, f"{'call 1: ' if many else ''}given {values}" if values else "")
        rows.append((line, code, "; ".join(filter(None, words))))
    return rows


def heading(recording: Plain, of: int) -> str:
    """The name of a function, and the lines from which it was called, as far as they are sure."""
    name, steps = recording["functions"][of]["name"], recording["steps"]
    ours = [at for at, step in enumerate(steps) if step["of"] == of and step.get("depth")]
    lines = dict.fromkeys(str(line) for line in (caller(recording, at) for at in ours) if line)
    places = f"line{'s' * (len(lines) > 1)} {' and '.join(list(lines)[:3])}"
    return f"{name}, called in {places}" if lines else name


def in_words(recording: Plain) -> str:
    """The whole as HTML that needs neither script nor style."""
    parts = [f"<p><b>{escape(title(recording))}</b><br>{escape(note(recording))}</p>"]
    for of in range(len(recording["functions"])):
        rows = "".join(
            f'<tr><td>{line}</td><td{_LEFT}><pre style="margin:0">{escape(code)}</pre></td>'
            f"<td{_LEFT}>{escape(words)}</td></tr>"
            for line, code, words in told(recording, of)
        )
        head = "<tr><th>line</th><th>code</th><th>what it made</th></tr>"
        parts.append(f"<table><caption>{escape(heading(recording, of))}</caption>{head}{rows}</table>")
    stages = [f"{name} {line}".strip() for name, line in reached(recording)]
    for what, lines, tag in (
        ("The course's stages", stages, "ol"),
        ("What can be said", recording.get("facts", []), "ul"),
        ("Left out", recording.get("left_out", []), "ul"),
    ):
        if lines:
            parts.append(
                f"<p>{what}:</p><{tag}>{''.join(f'<li>{escape(one)}</li>' for one in lines)}</{tag}>"
            )
    return "".join(parts)


def thinner(recording: Mapping[str, Any], most: int) -> dict[str, Any]:
    """The same with maps of so many rows and columns at most: those beyond are cut."""

    def cut(value: Any) -> Any:
        if isinstance(value, list):
            return [cut(one) for one in value]
        if not isinstance(value, dict):
            return value
        one = {key: cut(part) for key, part in value.items()}
        if "shape" in value and isinstance(value.get("numbers"), list):
            rows = value["numbers"][:most]
            one["numbers"] = [row[:most] if isinstance(row, list) else row for row in rows]
            one |= {key: value[key][:most] for key in ("rows", "columns") if value.get(key)}
        return one

    return cut(dict(recording))
