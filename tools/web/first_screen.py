"""The first screen of the site: a sentence in a real model, drawn from what was kept of it, for everybody.

`docs/_static/live/` makes it live.  The first picture is drawn here by the page's own script under Node.js, so that
it stands where there are no scripts, and looks the same where there are.
"""

import json
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

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

_DRAWN = """
import { readFileSync } from "node:fs";
const one = read(JSON.parse(readFileSync(0, "utf-8"))).sentences[0];
console.log(JSON.stringify({
  threads: threads(one), dots: dots(one), verdict: verdict(one, one), rest: resting(one), sims: one.sims.map(write),
  tokens: one.tokens, pair: one.pair, text: one.text, special: one.tokens.map(special),
  most: Math.max(...one.effect), head: named(largest(one.effect)), fall: one.sims[0] - one.sims[6],
}));
"""


@cache
def kept() -> dict[str, Any]:
    """What was kept of the model for a few sentences."""
    return json.loads((LIVE / "kept.json").read_text("utf-8"))


@cache
def first() -> Mapping[str, Any]:
    """The first sentence, drawn by the page's script.

    Raises:
        Stop: when there is no Node.js.
    """
    node = shutil.which("node")
    if not node:
        raise Stop("The site needs Node.js, to draw its first picture: install it, then run this again.")
    script = "".join(_alone(name) for name in SCRIPTS) + _DRAWN
    words = [node, "--input-type=module", "--eval", script]
    done = subprocess.run(words, input=json.dumps(kept()), capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


SCRIPTS = ("kept.js", "picture.js", "start.js")


def _alone(name: str) -> str:
    """A script without what it imports, since all of it is put into one."""
    lines = (LIVE / name).read_text("utf-8").splitlines(keepends=True)
    return "".join(line.removeprefix("export ") for line in lines if not line.startswith("import "))


def part() -> str:
    """The form, the picture and all that stands below it."""
    one = first()
    sentences = [kept_one["text"] for kept_one in kept()["sentences"]]
    chips = "".join(f'<button type="button">{escape(text)}</button>' for text in sentences)
    long = max(
        3, *(4 if odd else len(token) for token, odd in zip(one["tokens"], one["special"], strict=True))
    )
    cosines = "".join(f"<li>{sim}</li>" for sim in one["sims"])
    said = ", ".join(one["sims"])
    words = [one["tokens"][place] for place in one["pair"]]
    return f"""\
<link rel="stylesheet" href="_static/live/live.css">
<link rel="modulepreload" href="_static/live/page.js"><link rel="preload" href="_static/live/kept.json" as="fetch" crossorigin>
<noscript><style>#live .js {{ display: none !important; }}</style></noscript>
<form id="live" data-size="{kept().get("megabytes", "11")}">
<div class="js"><input id="live-text" aria-label="Your sentence" value="{escape(one["text"])}" dir="auto" spellcheck="false" autocomplete="off" enterkeyhint="done"></div>
<div class="kept js" id="live-kept" role="group" aria-label="Sentences that are here already">{chips}</div>
<p id="live-verdict" role="status">{one["verdict"]}</p>
<div class="cloth" style="--n:{len(one["tokens"])};--long:{long}"><div class="hang" id="live-hang"><div class="inner">
<div class="words" id="live-words" role="group" aria-label="The words: press two, to compare them">{_words(one)}</div>
<svg id="live-cloth" role="img" aria-label="Cosine of {escape(" and ".join(words))} as they come in and after each of six layers: {said}.">
<svg viewBox="0 0 100 600" preserveAspectRatio="none">{one["threads"]}</svg><g>{one["dots"]}</g></svg>
<div class="words" id="live-under" aria-hidden="true">{_words(one)}</div></div></div>
<ol class="cosines" id="live-cosines" aria-label="Cosine of the two words">{cosines}</ol>
<div class="heads js" id="live-heads" role="group" aria-label="72 heads: arrow keys move, Enter switches one off or on"></div></div>
<p id="live-load" class="js" hidden><progress hidden aria-label="The model"></progress><span></span> <button type="button" hidden></button></p>
<p class="tools js"><button type="button" id="live-each"><b>Switch off each in turn</b></button>
<label>A head that is off gives <select id="live-silence"><option value="zero">0</option><option value="mean">its mean</option></select></label>
<button type="button" id="live-again">Start again</button></p>
<p id="live-legend" class="js" hidden>Bars: without this head the two are <i class="alike"></i> more alike, from the left,
or <i class="apart"></i> less alike, from the right. The longest has a ring.</p>
<p id="live-open" class="js" hidden><span id="live-head"></span> <button type="button" id="live-loom"></button></p>
<p id="live-rest">{one["rest"]}</p>
<div id="live-woven" hidden>The head is fetched …</div>
<div class="under js"><section aria-labelledby="live-code"><h2 id="live-code">Break a line, in all six layers</h2>
<div id="live-lines">{"".join(map(_line, LINES))}</div></section>
<section aria-labelledby="live-means"><h2 id="live-means">Nearest in meaning, of {len(kept()["nearest"])} sentences</h2>
<ol id="live-near"></ol></section></div>
</form><script type="module" src="_static/live/page.js"></script>"""


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
    link = (
        f'<a href="{place.address}" aria-label="You write {line.name} in exercise {place.number}">{place.number}</a>'
        if place
        else ""
    )
    return (
        f'<label for="live-{line.name}">{line.name} =</label><select id="live-{line.name}" name="{line.name}">'
        f'<option value="0">{escape(line.right)}</option>{wrong}</select><span>{link}</span>'
    )


def limits() -> str:
    """What such a picture does not prove, with the numbers of the first sentence."""
    one = first()
    return (
        f"In “{escape(one['text'])}” the cosine falls by {one['fall']:.2f}, and the head that does most of it, {one['head']}, "
        f"moves it by {one['most']:.2f}: the work is shared, and heads cover for each other."
    )


def lay_out(folder: Path) -> None:
    """Write what opens a head as a loom, which a page fetches when it is asked to: the loom's script, and a start.

    The start is a loom of other numbers; the page puts a head's own in their place.
    """
    script = f'(() => {{ "use strict";\n{shared("loom")}\nwindow.liveLoom = (host, data) => show({{ parentElement: host }}, data); }})();'
    (folder / "loom_view.js").write_text(script, "utf-8")
    some = np.zeros((2, 32))
    start = views.loom(Q=some, K=some, V=some, tokens=["a", "b"]).data
    note = "Its queries, keys and values are the model's own, with what you have changed."
    (folder / "loom_start.json").write_text(as_json(start | {"note": note, "fixed": ""}), "utf-8")
