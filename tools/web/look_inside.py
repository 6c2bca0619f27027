"""The page "Look inside: 72 heads": a sentence in a real model, drawn from what was kept of it.

`docs/_static/live/` makes it live.  The first picture is drawn here by the page's own script under Node.js:
it stands where there are no scripts, and looks the same where there are.
"""

import json
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.image import imsave

from helpers import views
from helpers.views.script import as_json, shared
from tools.shell import ROOT, Stop
from tools.web.exercise_links import place_of

LIVE = ROOT / "docs" / "_static" / "live"
MODEL = "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2"


@dataclass(frozen=True)
class Line:
    """A line of attention that one can break in all six layers.

    Attributes:
        name: what it makes.
        right: its code.
        wrong: other code, each with what it means in words; numbered from 1 on, as the engine takes it.
        exercise: where one writes it.
    """

    name: str
    right: str
    wrong: tuple[tuple[str, str], ...]
    exercise: str


LINES = (
    Line("scores", "Q @ K.T", (("K @ Q.T", "queries and keys swapped"),), "attention_scores"),
    Line(
        "scaled", "scores / np.sqrt(d_k)",
        (("scores", "no scaling"), ("scores / d_k", "a division by d_k, not by its root")), "scaled_scores",
    ),
    Line(
        "masked", "scaled",
        (("np.where(j <= i, scaled, -np.inf)", "no look ahead"),
         ("np.where(j >= i, scaled, -np.inf)", "no look back"),
         ("np.where(j == i, scaled, -np.inf)", "a look at oneself alone")), "apply_mask",
    ),
    Line(
        "weights", "softmax(masked, axis=-1)",
        (("softmax(masked, axis=-2)", "a softmax over the queries"), ("masked", "no softmax")), "softmax",
    ),
    Line(
        "merged", "H.swapaxes(0, 1).reshape(n, 384)",
        (("H.reshape(n, 384)", "heads merged by a reshape alone"), ("np.zeros((n, 384))", "attention off")),
        "merge_heads",
    ),
)  # fmt: skip
"""The five lines, in the order in which they run."""


@cache
def kept() -> dict[str, Any]:
    """What was kept of the model for a few sentences."""
    return json.loads((LIVE / "kept.json").read_text("utf-8"))


@cache
def first() -> Mapping[str, Any]:
    """The first sentence, drawn by the page's script."""
    scripts = (LIVE / name for name in ("kept.js", "picture.js", "start.js"))
    return drawn(*scripts, Path(__file__).with_suffix(".js"))


def drawn(*scripts: Path) -> Any:
    """What scripts of the page make of what was kept, the last of which prints it as JSON.

    Raises:
        Stop: when there is no Node.js.
    """
    node = shutil.which("node")
    if not node:
        raise Stop("The site needs Node.js, to draw its first picture: install it, then run this again.")
    words = [node, "--input-type=module", "--eval", "".join(map(_alone, scripts))]
    done = subprocess.run(words, input=json.dumps(kept()), capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def _alone(script: Path) -> str:
    """A script without what it imports of the page, since all of it is put into one."""
    lines = script.read_text("utf-8").splitlines(keepends=True)
    return "".join(line.removeprefix("export ") for line in lines if not re.match("import .*[\"']\\./", line))


def part() -> str:
    """The form, the picture and all that stands below it."""
    one = first()
    tokens, pair, sims = one["tokens"], one["pair"], one["sims"]
    shown = [4 if odd else len(token) for token, odd in zip(tokens, one["special"], strict=True)]
    sentences = [this["text"] for this in kept()["sentences"]]
    parts = {name: one[name] for name in ("threads", "dots", "verdict", "rest", "head")} | {
        "text": escape(one["text"]),
        "chips": "".join(f'<button type="button">{escape(text)}</button>' for text in sentences),
        "count": len(tokens),
        "long": max(3, *shown),
        "words": _words(one),
        "pair": escape(" and ".join(tokens[place] for place in pair)),
        "said": ", ".join(sims),
        "cosines": "".join(f"<li>{sim}</li>" for sim in sims),
        "wide": 12 * _TILE,
        "high": 6 * _TILE,
        "lines": "".join(map(_line, LINES)),
        "compared": len(kept()["nearest"]),
    }
    return filled(Path(__file__).with_suffix(".html").read_text("utf-8"), parts)


def filled(page: str, parts: Mapping[str, Any]) -> str:
    """A text with what belongs into its places."""
    return re.sub(r"\{\{(\w+)\}\}", lambda found: str(parts[found[1]]), page)


def _words(one: Mapping[str, Any]) -> str:
    looks = {place: f" {name}" for place, name in zip(one["pair"], ("one", "two"), strict=True)}
    return "".join(
        f'<span class="word{" special" if odd else ""}{looks.get(place, "")}">{escape(token)}</span>'
        for place, (token, odd) in enumerate(zip(one["tokens"], one["special"], strict=True))
    )


def _line(line: Line) -> str:
    wrong = "".join(
        f'<option value="{number}" data-says="{escape(says)}">{escape(code)}</option>'
        for number, (code, says) in enumerate(line.wrong, 1)
    )
    place = place_of(line.exercise)
    link, name = "", line.name
    if place:
        says = f"You write {name} in exercise {place.number}"
        link = f'<a href="{place.address}" aria-label="{says}" title="{says}">{place.number}</a>'
    return (
        f'<label for="live-{name}">{name} =</label><select id="live-{name}" name="{name}">'
        f'<option value="0">{escape(line.right)}</option>{wrong}</select><span>{link}</span>'
    )


def page(text: str) -> str:
    """The page with what is made of the model in its places."""
    return filled(text, {"live": part(), "limits": limits(), "model": MODEL})


def limits() -> str:
    """What such a picture does not prove, with the numbers of the first sentence."""
    one = first()
    return (
        f"In “{escape(one['text'])}” the cosine falls by {one['fall']:.2f}. The head that does most of it, "
        f"{one['head']}, moves it by {one['most']:.2f}: the work is shared. Two words count as told apart "
        f"here where it falls by {one['apart']:.2f} or more, which is further than any one head at 0 moves "
        "it in the four sentences."
    )


_TILE = 34
"""Pixels from one head to the next in the picture for readers without scripts."""


def heads_picture() -> np.ndarray:
    """The 72 heads of the first sentence, as `heads.js` draws them: colours with alpha, `(204, 408, 4)`."""
    size, found = len(first()["tokens"]), np.array(first()["weights"])
    maps = np.sqrt(found.clip(0, 1)).reshape(6, 12, size, size)
    each = (_TILE - 4) // size
    picture = np.zeros((6 * _TILE, 12 * _TILE, 4))
    picture[..., :3] = np.array([138, 74, 0]) / 255
    for layer, head in np.ndindex(6, 12):
        shown = np.kron(maps[layer, head], np.ones((each, each)))
        y, x = _TILE * layer, _TILE * head
        picture[y : y + len(shown), x : x + len(shown), 3] = shown
    return picture


def lay_out(folder: Path) -> None:
    """Write what this page fetches later: the loom's script and a start, and a picture of the heads.

    The start is a loom of other numbers; the page puts a head's own in their place.
    """
    imsave(folder / "heads.png", heads_picture())
    call = "window.liveLoom = (host, data) => show({ parentElement: host }, data);"
    script = f'(() => {{ "use strict";\n{shared("loom")}\n{call} }})();'
    (folder / "loom_view.js").write_text(script, "utf-8")
    some = np.zeros((2, 32))
    start = views.loom(Q=some, K=some, V=some, tokens=["a", "b"]).data
    note = "Its queries, keys and values are the model's own, with what you have changed."
    (folder / "loom_start.json").write_text(as_json(start | {"note": note, "fixed": ""}), "utf-8")
