"""The page "Who is the impostor?": four maps with a label each, one of which is not what its label says."""

from typing import Any

import numpy as np
from docutils import nodes
from matplotlib.colors import to_hex
from sphinx.application import Sphinx

from helpers.plots.maps import colours
from helpers.plots.style import ink_on
from helpers.views.script import as_json
from tools.web.exercise_links import place_of
from tools.web.impostor_maps import computed, given, read, wrong
from tools.web.impostor_rounds import ROUNDS, Round

UNITS = ("04_masking", "05_softmax", "06_multi_head_attention")
"""The units whose pages lead here, at their end."""

SHADES = 20
LEADS = (
    "<p>Can you tell a wrong map from a right one that looks odd? "
    '<a href="../../impostor.html">Who is the impostor?</a></p>'
)
ABOUT = {
    "softmax": "Weights from these scores: the softmax of each row, with the change that a label names.",
    "masked_softmax": "Weights from these scores. The mask has ✓ where a query (row) may see a key (column), "
    "and × where it may not. A query that may see no key gives every key 0.",
    "attention": "Weights from these queries and keys: dot products, divided by the root of the width of a "
    "query, then the softmax of each row.",
    "mix_values": "Outputs: each row of weights mixes the rows of V.",
    "multi_head_attention": "Weights of single heads. Each head has its own columns of Q and K: head 0 the "
    "first, head 1 those behind them. Scores are divided by the root of how many columns a head has.",
}


def written(number: float) -> str:
    """Two digits after the point; a whole number, such as the weight 0 of a hidden key, has none."""
    whole = number == 0 or (round(number) != 0 and abs(number - round(number)) < 1e-12)
    return f"{number:.{0 if whole else 2}f}".replace("-", "−")


def _names(letter: str, places: Any) -> str:
    return " ".join(f"{letter}{place}" for place in places)


def _input(name: str, text: str) -> list[str]:
    """A table that is given: its caption, the heads of rows and columns, its cells."""
    rows, columns = read(text).shape
    letters = {"K": ("k", ""), "V": ("k", ""), "Q": ("q", "")}.get(name, ("q", "k"))
    caption, cells = name, text.replace("-", "−")
    if name == "allowed":
        caption, cells = "mask", text.replace("1", "✓").replace("0", "×")
    return [caption, _names(letters[0], range(rows)), _names(letters[1], range(columns)), cells]


def prepared(this: Round) -> dict[str, Any]:
    """What the page holds of a round: tables as texts, and what is said when a map is accused."""
    outputs = this.exercise == "mix_values"
    found: dict[str, Any] = {"about": ABOUT[this.exercise], "shaded": not outputs, "maps": []}
    found["inputs"] = [_input(*one) for one in this.tables.items()]
    for letter, label in zip("ABCD", this.labels, strict=True):
        x, why = given(this, label)
        shown = computed(this, x)
        columns = range(shown.shape[1]) if outputs else x["columns"]
        if label.startswith("*"):
            with np.errstate(invalid="ignore"):  # a wrong program may divide 0 by 0 before it sets that right
                right, shown = shown, computed(this, x, wrong(this))
            at = list(x["rows"]).index(this.at[0]), list(columns).index(this.at[1])
            reason = _reason(this, written(shown[at]), written(right[at]))
            found |= {"who": len(found["maps"]), "at": at, "reason": reason}
        heads = (_names(x["letters"][0], x["rows"]), _names("" if outputs else x["letters"][1], columns))
        cells = "|".join(" ".join(map(written, row)) for row in shown)
        found["maps"].append([f"{letter}: {label.removeprefix('*')}", *heads, cells, why])
    return found | {"link": _link(this.line or this.exercise)}


def _reason(this: Round, got: str, wanted: str) -> str:
    query, key = this.at
    gives = f"q{query} gives k{key} {got}"
    if this.exercise == "mix_values":
        gives = f"q{query} gets {got} in column {key}"
    return f"{this.did} {gives}; by its label that is {wanted}. {this.shows}"


def _link(exercise: str) -> str:
    """Where one writes the line; nothing where the exercise has been taken out of the course."""
    place = place_of(exercise)
    if not place:
        return ""
    name = f"Exercise {place.number}, {place.title}"
    return f'You write this line in <a href="{place.address}">{name}</a>.'


def table(caption: str, rows: str, columns: str, cells: str, *, shaded: bool) -> str:
    """A table as `impostor.js` makes it too."""
    look = (lambda text: f' class="w{int(SHADES * float(text) + 0.5)}"') if shaded else lambda _: ""
    head = "".join(f'<th scope="col">{name}</th>' for name in columns.split())
    body = "".join(
        f'<tr><th scope="row">{name}</th>{"".join(f"<td{look(one)}>{one}</td>" for one in line.split())}</tr>'
        for name, line in zip(rows.split(), cells.split("|"), strict=True)
    )
    return (
        f"<table><caption>{caption}</caption><thead><tr><td></td>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table>"
    )


def part() -> str:
    """All that the page has between its words: the first round for everybody, all of them for the script."""
    rounds = [prepared(this) for this in ROUNDS]
    first = rounds[0]
    inputs = "".join(table(*one, shaded=False) for one in first["inputs"])
    maps = "".join(
        f'<div class="suspect">{table(*one[:4], shaded=first["shaded"])}</div>' for one in first["maps"]
    )
    answer = f"{'ABCD'[first['who']]} is the impostor. {first['reason']} {first['link']}"
    return (
        f'<link rel="stylesheet" href="_static/impostor.css"><style>{_looks()}</style><div id="impostor">'
        f'<p>{first["about"]}</p><div class="inputs">{inputs}</div><div class="suspects">{maps}</div>'
        f"<details><summary>Who is it?</summary><p>{answer}</p></details>"
        f"<p>This is the first of {len(rounds)} rounds; the others need JavaScript.</p></div>"
        f'<script type="application/json" id="impostor-rounds">{as_json(_said_once(rounds))}</script>'
        '<script src="_static/impostor.js"></script>'
    )


def _looks() -> str:
    looks = [to_hex(colours("weights")(place / SHADES)) for place in range(SHADES + 1)]
    return "".join(f"#impostor .w{n}{{background:{one};color:{ink_on(one)}}}" for n, one in enumerate(looks))


def _said_once(rounds: list[dict[str, Any]]) -> dict[str, Any]:
    """The rounds, with numbers in place of the sentences that many of them say."""
    texts: dict[str, int] = {}
    short = [
        one
        | {name: texts.setdefault(one[name], len(texts)) for name in ("about", "link")}
        | {"maps": [[*rest, texts.setdefault(why, len(texts))] for *rest, why in one["maps"]]}
        for one in rounds
    ]
    return {"texts": list(texts), "rounds": short}


def _tell(app: Sphinx, doctree: nodes.document) -> None:
    """Lead here from what a unit about maps says at its end."""
    name = app.env.docname.rpartition("/")[2]
    if name in UNITS:
        last = list(doctree.findall(nodes.section))[-1].next_node(nodes.paragraph)
        last.parent.insert(last.parent.index(last) + 1, nodes.raw("", LEADS, format="html"))


def setup(app: Sphinx) -> None:
    """What Sphinx calls."""
    app.connect("doctree-read", _tell, priority=120)
