"""What the page of a loom gets: data for its script, and what needs none: controls, code with its choices."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from html import escape
from typing import Any

import numpy as np

from helpers.views.data import packed, rows_of_bits
from helpers.views.loom_begin import Beginning
from helpers.views.loom_stages import STAGES, lines

SENTENCES = ("I saw a saw", "I saw a", "saw a", "saw a saw I", "I saw a saw a")
"""What one can choose; the first that shows a mistake is offered where it is hidden."""

_READABLE = 8
"""Rows and columns of a weight matrix that fit on a phone; the arithmetic has the numbers of wider ones."""

_TOGETHER = 2
"""Stages that stand below each other on a phone; of more it shows one at a time."""


def begun(begin: Beginning, title: str, note: str) -> dict[str, Any]:
    """What the script of every loom gets; `start` lacks `at`, the entry that is chosen first.

    Args:
        begin: what it is woven from.
        title: heading.
        note: a sentence below it.
    """
    heads, n_q, n_k = begin.may.shape
    stages, (queries, keys) = begin.stages, begin.labels
    own_masks = not (begin.may == begin.may[:1]).all()
    sent = {
        "title": title, "note": note, "heads": heads, "columns": begin.columns,
        "start": {"queries": queries, "keys": keys, "text": " ".join(keys), "head": 0, "chosen": {}},
        "given": {name: packed(one) for name, one in begin.given.items()},
        "lines": lines(set(stages), begin.given, heads > 1, n_q == n_k, own_masks),
        "stages": {name: asdict(STAGES[name]) for name in stages},
    }  # fmt: skip
    return sent | ({"allowed": rows_of_bits(begin.may)} if "allowed" in stages else {})


def finished(data: Mapping[str, Any], given: Mapping[str, np.ndarray], code: bool = True) -> dict[str, str]:
    """The parts of a loom that need no script, and what it says where nothing is wrong.

    Args:
        data: what the script gets.
        given: what it begins with; of this the weight matrices, `(1, rows, columns)`, can be opened.
        code: whether the lines of code are shown; to some exercises they are the answer.
    """
    right = "✓ The code is right. Choose another code in a line to see what goes wrong."
    if any(line.get("blank") for line in data["lines"]):
        right += " A blank is yours to write, in its exercise."
    if "yours" in data:
        right = "✓ Yours are the expected numbers."
    elif not any(line["wrong"] for line in data["lines"]):
        right = ""
    return {"markup": _markup(data, code) + _matrices(given), "right": right}


def _markup(data: Mapping[str, Any], code: bool) -> str:
    made = [name for line in data["lines"] for name in line["makes"]]
    plays = bool(made) and "yours" not in data
    controls = []
    if "language" in data and plays:
        typed = (
            f'<input id="box" list="words" size="16" maxlength="60" value="{escape(data["start"]["text"])}">'
        )
        controls.append(
            f'<label>Sentence {typed}<datalist id="words">{_options(SENTENCES)}</datalist></label>'
        )
    if data["heads"] > 1:
        controls.append(f'<label>Head <select id="head">{_options(range(data["heads"]))}</select></label>')
    if "allowed" in data and plays:
        masks = (
            ["none", "causal", "your own"]
            if len(data["start"]["queries"]) == len(data["start"]["keys"])
            else ["none", "your own"]
        )
        controls.append(f'<label>Mask <select id="mask">{_options(masks)}</select></label>')
    if "scaled" in made and plays:
        slide = '<input id="slide" type="range" min="-2" max="2" step="0.1">'
        controls.append(f'<label>Temperature {slide}<output id="heat"></output></label>')
    if plays:
        controls.append('<button id="again">Reset</button>')
    written = "".join(_line(line, data["stages"], plays) if code else "<div></div>" for line in data["lines"])
    return (
        f'<div class="row">{"".join(controls)}</div><p id="alarm" class="bad" role="alert"></p>'
        f'<div id="code" role="group" aria-label="the code"{"" if code else " hidden"}>{written}</div>'
        '<div class="row" role="status"><p id="verdict"></p><button id="retry"></button></div>'
        f'{_tabs(data["columns"])}<div id="loom">{"<div></div>" * len(data["columns"])}</div>'
        '<div id="says"><div role="status"><p id="spelled"></p><p id="meant"></p></div><div id="puller">'
        '<button id="less" aria-label="less">−</button>'
        '<input id="typed" type="number" step="any" aria-label="the number">'
        '<button id="more" aria-label="more">+</button>'
        '<span id="handle" aria-hidden="true">⇕ pull</span></div></div>'
    )


def _tabs(columns: Sequence[Sequence[str]]) -> str:
    """One button for each stage: where there is no room for all, they show one at a time."""
    names = [name for column in columns for name in column]
    if len(names) <= _TOGETHER:
        return ""
    buttons = "".join(f'<button value="{name}">{name}</button>' for name in names)
    return f'<div id="stages" role="group" aria-label="stages">{buttons}</div>'


def _matrices(given: Mapping[str, np.ndarray]) -> str:
    """The weight matrices, folded; they never change."""
    found = {name: value[0] for name, value in given.items() if name.startswith("W_")}
    if not found or max(size for one in found.values() for size in one.shape) > _READABLE:
        return ""
    roles = {"W_q": "query", "W_k": "key", "W_v": "value", "W_o": "output"}
    tables = "".join(
        f'<table style="--c: var(--{roles[name]})"><caption><b>{name}</b></caption>'
        + "".join(f"<tr>{''.join(f'<td>{_number(x)}</td>' for x in row)}</tr>" for row in value)
        + "</table>"
        for name, value in found.items()
    )
    summary = f"<summary>The matrices {', '.join(found)}</summary>"
    return f'<details>{summary}<div class="row" id="matrices">{tables}</div></details>'


def _number(x: float) -> str:
    return f"{x + 0:.3g}".replace("-", "−")


def _options(values: Any) -> str:
    return "".join(f"<option>{escape(str(value))}</option>" for value in values)


def _line(line: Mapping[str, Any], stages: Mapping[str, Any], plays: bool) -> str:
    names, (before, after) = ", ".join(line["makes"]), line["around"]
    code, blank, press = escape(line["code"]), "", ""
    if number := line.get("blank"):
        blank = f' class="blank" aria-label="blank: exercise {number}"'
        press = f' <button value="{code}" aria-label="show the line of {names}">show</button>'
        code = f"… exercise {number}"
    if line["wrong"] and plays:
        wrong = "".join(
            f'<option value="{one["id"]}">{escape(one["code"])}</option>' for one in line["wrong"]
        )
        code = f'<select aria-label="{names} ="><option value=""{blank}>{code}</option>{wrong}</select>'
    elif blank:
        code = f'<span role="img" tabindex="-1"{blank}>{code}</span>'
    role = stages[line["makes"][0]]["role"]
    return f'<div style="--c: var(--{role})"><b>{names}</b> = {before}{code}{after}{press}</div>'
