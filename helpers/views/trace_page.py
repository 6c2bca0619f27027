"""What the page of a trace gets: data for its script, and the same in words, which need none."""

import math
from collections.abc import Mapping
from html import escape
from typing import Any

from helpers.views.script import as_json
from helpers.views.trace_words import (
    Plain,
    Sources,
    begins,
    beside,
    caller,
    calls_of,
    labelled,
    long,
    made,
    short,
)

_LEFT = ' style="text-align:left;vertical-align:top;padding:1px 1em 1px 0"'
_CODE = ' style="margin:0;padding:0;border:0;background:none;white-space:pre-wrap"'
IDLE = "did not run"
SUMMARY = "See your own lines, and what each made"
"""The sentence under which a failing check folds it away."""
DIGITS = 5
"""Digits of a number that are sent, and two behind the point of a large one: a cell shows no more."""


def sent(recording: Plain) -> dict[str, Any]:
    """What the script gets; each value once, however many steps show it."""
    whats: list[dict[str, Any]] = []
    places: dict[Any, int] = {}
    stages = recording.get("stages", [])

    def put(what: Plain) -> int:
        if id(what) in places:  # all of them live as long as the recording
            return places[id(what)]
        one = _what(what, stages)
        one |= {"items": [put(item) for item in what["items"]]} if what.get("items") else {}
        key = as_json(one)
        if key not in places:
            places[key] = len(whats)
            whats.append(one)
        places[id(what)] = places[key]
        return places[key]

    functions = []
    for at, function in enumerate(recording["functions"]):
        one = {
            "name": function["name"],
            "title": heading(recording, at),
            "first": function["first"],
            "lines": list(function["lines"]),
        }
        given = recording.get("given", {}).get(str(at), [])
        one |= {
            "lines": list(function["lines"]),
            "def": begins(function),
            "calls": calls_of(recording, at),
            "idle": list(function.get("idle", ())),
            "given": [[x["name"], put(x["what"])] for x in given],
        }
        functions.append(one)
    steps, sources = [], Sources(recording)
    for at, step in enumerate(recording["steps"]):
        one = {"of": step["of"], "line": step["line"]}
        one |= {key: step[key] for key in ("turn", "turns", "call") if step.get(key, 1) != 1}
        one |= {"raises": step["raises"]} if step.get("raises") else {}
        if step.get("depth"):
            one |= {"depth": step["depth"], "by": caller(recording, at)}
        one["makes"] = [[name, put(what)] for name, what in made(step)]
        one["from"] = [[name, -1 if what is None else put(what), line] for name, what, line in sources.of(at)]
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
    one |= {"same": what["same"]} if what.get("same") else {}
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
    few = round(x, 2) if abs(x) >= 1000 else float(f"{x:.{DIGITS}g}")
    return int(few) if few == int(few) and abs(few) < 1e15 else few


def title(recording: Plain) -> str:
    """Heading."""
    return f"{recording['title']}, line by line"


def note(recording: Plain) -> str:
    """Which call it is."""
    why = recording.get("why", "")
    told = ": ".join(filter(None, [f"On {why}" if why else "", recording.get("call", "")]))
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
    stages, calls = recording.get("stages", []), calls_of(recording, of)
    rows = []
    for line, code in enumerate(function["lines"], function["first"]):
        words = [beside(steps.get(line, []), stages, calls)]
        if line in function.get("idle", ()):
            words.append(IDLE)
        if line == begins(function):
            given = recording.get("given", {}).get(str(of), [])
            values = "; ".join(labelled(one["name"], short(one["what"], stages)) for one in given)
            words.insert(0, f"{'call 1: ' if calls > 1 else ''}given {values}" if values else "")
        rows.append((line, code, "; ".join(filter(None, words))))
    return rows


def heading(recording: Plain, of: int) -> str:
    """The name of a function, and the lines from which it was called, as far as they are sure."""
    name, steps = recording["functions"][of]["name"], recording["steps"]
    ours = [at for at, step in enumerate(steps) if step["of"] == of and step.get("depth")]
    lines = list(dict.fromkeys(line for line in (caller(recording, at) for at in ours) if line))
    return f"{name}, called in {' and '.join(lines[:3])}" if lines else name


def in_words(recording: Plain) -> str:
    """The whole as HTML that needs neither script nor style."""
    parts = [f"<p><b>{escape(title(recording))}</b><br>{escape(note(recording))}</p>"]
    for of in range(len(recording["functions"])):
        rows = "".join(
            f"<tr><td{_LEFT}>{line}</td><td{_LEFT}><pre{_CODE}>{escape(code)}</pre></td>"
            f"<td{_LEFT}>{escape(words)}</td></tr>"
            for line, code, words in told(recording, of)
        )
        head = f"<caption{_LEFT}>{escape(heading(recording, of))}</caption>"
        parts.append(f"<table>{head}<tr><th>line</th><th>code</th><th>what it made</th></tr>{rows}</table>")
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


def thinner(data: Mapping[str, Any], most: int) -> dict[str, Any]:
    """The same with maps of so many rows and columns at most: those beyond are cut."""

    def cut(one: Mapping[str, Any]) -> dict[str, Any]:
        small = {key: one[key][:most] for key in ("numbers", "rows", "columns") if key in one}
        if "numbers" in small:
            small["numbers"] = [row[:most] if isinstance(row, list) else row for row in small["numbers"]]
        return {**one, **small}

    return {**data, "what": [cut(one) for one in data["what"]]}
