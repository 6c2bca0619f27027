"""What the page shows before the model is fetched: `python -m tools.web.live.kept` writes it anew.

The packed model and the page's own engine say it, under Node.js; no number is written by hand.
"""

import json
import string
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from helpers.pretrained import files, load
from tools.shell import ROOT
from tools.web.live import node, pack, small

FILE = ROOT / "docs" / "_static" / "live" / "kept.json"
SENTENCES = {
    "I saw a saw": "saw",
    "I can open a can": "can",
    "He will write a will": "will",
    "Time flies like an arrow, fruit flies like a banana": "flies",
}
"""Each with the word that it says twice."""

WAYS = {"scores": 2, "scaled": 3, "masked": 4, "weights": 3, "merged": 3}
"""In how many ways each line of the attention can be written: 0 is right, `attention.js` tells the others."""

OFF = ("merged", 2)
"""The way that switches attention off."""

LETTERS = string.ascii_uppercase + "abcdef"
"""One for each weight, the square of 0/31 to 31/31: small ones are told apart best. `kept.js` reads them."""

NEAREST = 3


def letters(weights: np.ndarray) -> str:
    """Weights from 0 to 1 as a text."""
    return "".join(LETTERS[i] for i in np.round(np.sqrt(weights) * (len(LETTERS) - 1)).astype(int).ravel())


def kept(folder: Path) -> dict[str, Any]:
    """All that is kept of the packed model in `folder`."""
    source = {"model": files.MODEL, "revision": files.REVISION, "licence": files.LICENCE}
    sentences = [_of(folder, text, word) for text, word in SENTENCES.items()]
    return {**source, "nearest": small.SENTENCES, "sentences": sentences}


def _of(folder: Path, text: str, word: str) -> dict[str, Any]:
    encoded, nearest = node.ask(folder, [("encode", text), ("nearest",)])
    tokens, ids = encoded["tokens"], encoded["ids"]
    pair = [i for i, token in enumerate(tokens) if token == word]
    broken = [("similarities", ids, pair, {"code": {line: way}}) for line, way in _ways()]
    passed, similarities, effects, *others = node.ask(
        folder, [("pass", ids), ("similarities", ids, pair), ("each", ids, pair), *broken]
    )
    alike = nearest["embeddings"].reshape(-1, passed["embedding"].size) @ passed["embedding"]
    return {
        "text": text,
        "words": encoded["words"],
        "tokens": tokens,
        "ids": ids,
        "pair": pair,
        "similarities": _rounded(similarities, 6),
        "off": _rounded(others[_ways().index(OFF)], 6),
        "effect": _rounded(effects, 4),
        "broken": _by_line(_rounded([one[-1] for one in others], 6)),
        "nearest": [[int(i), round(float(alike[i]), 4)] for i in np.argsort(-alike)[:NEAREST]],
        "weights": letters(passed["weights"]),
    }


def _ways() -> list[tuple[str, int]]:
    return [(line, way) for line, count in WAYS.items() for way in range(count)]


def _by_line(found: list[float]) -> dict[str, list[float]]:
    by_line: dict[str, list[float]] = {line: [] for line in WAYS}
    for (line, _), one in zip(_ways(), found, strict=True):
        by_line[line].append(one)
    return by_line


def _rounded(numbers: Any, digits: int) -> list[float]:
    return [round(float(one), digits) for one in numbers]


def main() -> int:
    """Write it; the exit code is 1 where the model cannot be had."""
    model = load()
    if model is None:
        return 1
    with tempfile.TemporaryDirectory() as folder:
        pack.write(model, Path(folder))
        text = json.dumps(kept(Path(folder)), ensure_ascii=False, separators=(",", ":")) + "\n"
    FILE.write_text(text, "utf-8")
    print(f"Wrote {FILE.name}, {len(text):,} bytes, {len(pack.packed(text.encode())):,} packed.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
