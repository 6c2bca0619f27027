"""Every term of the course: where it is used first, and where it is explained.

A term is explained where it stands in bold, or where the text says the words given beside it in `TERMS`.  The
first cell of a unit, which says what the unit is about, and its list of papers are not counted as a use; the
names of library functions and attributes are not either.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import nbformat

from helpers.units import UNITS
from tools.measuring import markdown
from tools.shell import ROOT

TERMS: dict[str, tuple[str, str]] = {
    # term: how it is recognised in use, and in its explanation where that is not the term in bold
    "token": (r"\btokens?\b", ""),
    "shape": (r"\bshapes?\b", ""),
    "broadcasting": (r"\bbroadcast\w*", ""),
    "transformer": (r"\btransformers?\b", r"This is the machine that the course takes apart"),
    "attention weights": (r"\battention weights\b", ""),
    "weight matrix": (r"\bweight matri(x|ces)\b", ""),
    "head": (r"\bheads?\b(?! of)", ""),
    "dot product": (r"\bdot products?\b", ""),
    "cosine similarity": (r"\bcosine similarity\b", ""),
    "one-hot": (r"\bone-hot\b", ""),
    "positional encoding": (r"\bpositional encoding\b", ""),
    "query": (r"\bquer(y|ies)\b", ""),
    "key": (r"\bkeys?\b", ""),
    "value": (r"\bvalues (of|have)\b|\btheir values\b", r"\*\*values?\*\*"),
    "batch": (r"\bbatch(es)?\b", ""),
    "routing": (r"\brouting\b", ""),
    "self-attention": (r"\bself-attention\b", ""),
    "cross-attention": (r"\bcross-attention\b", ""),
    "layer": (r"\blayers?\b", ""),
    "standard deviation": (
        r"\bstandard deviation\b|\bstd\b",
        r"It helps to know what a standard deviation is",
    ),
    "variance": (r"\bvariances?\b", ""),
    "loss": (r"\bloss(es)?\b", ""),
    "gradient": (r"\bgradients?\b", ""),
    "softmax": (r"\bsoftmax\b(?! of)", ""),
    "saturated": (r"\bsaturated\b", ""),
    "layer normalisation": (r"\blayer normalisation\b", r"by a step called layer normalisation"),
    "causal mask": (r"\bcausal masks?\b", ""),
    "padding": (r"\bpadd(ing|ed)\b", ""),
    "NaN": (r"\bNaN\b", ""),
    "probability distribution": (r"\bprobability distribution\b", ""),
    "temperature": (r"\btemperatures?\b", ""),
    "scaled dot-product attention": (r"\bscaled dot-product attention\b", ""),
    "SDPA": (r"\bSDPA\b", r"SDPA is short for"),
    "read-out": (r"\bread-outs?\b", ""),
    "residual connection": (r"\bresidual connections?\b", ""),
    "channel": (r"\bchannels?\b", ""),
    "encoder": (r"\bencoders?\b", ""),
    "decoder": (r"\bdecoders?\b", ""),
    "logits": (r"\blogits\b", ""),
    "cross-entropy": (r"\bcross-entropy\b", ""),
    "greedy": (r"\bgreed(y|ily)\b", ""),
    "embedding": (r"\bembeddings?\b", ""),
    "induction head": (r"\binduction heads?\b", ""),
    "state dict": (r"\bstate dict\b", ""),
    "cache": (r"\bcaches?\b", ""),
}

PYTHON: dict[str, tuple[str, str]] = {
    # what an answer or its hints need: how it is written there, and the words before it that show it
    "class": (r"^class ", r"A class is a plan for objects"),
    "attributes on self": (r"\bself\.\w+ = ", r"stores its layers on `self`"),
    "raise": (r"\braise ValueError", r"`raise` stops it with an error"),
    "f-string": (r"\bf[\"']", r"a text with the value of x in it"),
    "keepdims": (r"keepdims=True", r"With `keepdims=True`"),
    "np.swapaxes": (r"np\.swapaxes", r"np\.swapaxes\(K, -2, -1\)"),
    "np.where": (r"np\.where", r"`np\.where\(condition, a, b\)`"),
    "np.eye": (r"np\.eye", r"`np\.eye\(n\)` is"),
    "np.vstack": (r"np\.vstack", r"`np\.vstack` one above"),
    "np.inf": (r"-np\.inf", r"`-np\.inf`"),
    "generator": (r"\brng\.standard_normal", r"`rng\.standard_normal`"),
    "a function as an argument": (r"\battend\(", r"A function can be an argument"),
    "masked_fill": (r"masked_fill\(", r"`x\.masked_fill\("),
    "transpose": (r"\.transpose\(", r"`x\.transpose\("),
    "torch.cat": (r"torch\.cat\(", r"torch\.cat\("),
}


@dataclass(frozen=True)
class Place:
    """Where something stands: a unit, the number of a cell in `solutions/`, the words around it."""

    unit: str
    cell: int
    at: int
    words: str

    def __str__(self) -> str:
        return f"{self.unit[:2]}, cell {self.cell}: {self.words}"


@cache
def texts() -> tuple[tuple[str, int, str], ...]:
    """What a learner reads, in order: unit, number of the cell, text without code and addresses."""
    return tuple(_texts())


def _texts() -> Iterator[tuple[str, int, str]]:
    for unit in UNITS:
        cells = nbformat.read(ROOT / "solutions" / unit / f"{unit}.ipynb", 4).cells
        for number, cell in enumerate(cells):
            if cell.cell_type == "markdown":
                yield (
                    unit,
                    number,
                    re.sub(r"`[^`\n]*`|\]\([^)]*\)|\$+[^$]*\$+", " ", _read(cell.source, number)),
                )
            else:
                shown = re.findall(r'captioned\(\s*((?:f?"[^"]*"|f?\'[^\']*\'|\s)+)', cell.source)
                yield unit, number, " ".join(shown)


def _read(text: str, number: int) -> str:
    if number == 0:  # only what you need beforehand is explained there
        text = text.partition("**You need:**")[2]
    text = text.partition("**Read next**")[0]
    return "\n".join(line for line in text.splitlines() if not re.match(r".*\*\*Next:|\| \[", line))


def first(pattern: str) -> Place | None:
    """The first place in the course where a pattern is found, capital letters or not."""
    for unit, number, text in texts():
        if found := re.search(pattern, text, flags=re.IGNORECASE):
            around = text[max(0, found.start() - 40) : found.end() + 40]
            return Place(unit, number, found.start(), " ".join(around.split()))
    return None


def explained(term: str) -> Place | None:
    """The first place where a term stands in bold, or where the words that explain it stand."""
    used, words = TERMS[term]
    return first(words or rf"\*\*[^*\n]*({used})[^*\n]*\*\*")


def too_early() -> dict[str, tuple[Place, Place | None]]:
    """Terms that are used in an earlier cell than the one that explains them: first use, explanation."""
    found = {term: (first(used), explained(term)) for term, (used, _) in TERMS.items()}
    return {term: (use, why) for term, (use, why) in found.items() if use and _before(use, why)}


def python() -> dict[str, tuple[Place | None, Place | None]]:
    """Of each piece of Python in `PYTHON`: where an answer or hint needs it first, where it is shown."""
    found: dict[str, list[Place | None]] = {name: [None, None] for name in PYTHON}
    for unit in UNITS:
        cells = nbformat.read(ROOT / "solutions" / unit / f"{unit}.ipynb", 4).cells
        for number, cell in enumerate(cells):
            needed, shown = _answers_and_rest(cell)
            for name, patterns in PYTHON.items():
                for which, (pattern, text) in enumerate(zip(patterns, (needed, shown), strict=True)):
                    if not found[name][which] and (hit := re.search(pattern, text, flags=re.MULTILINE)):
                        found[name][which] = Place(unit, number, hit.start(), hit[0])
    return {name: (needed, shown) for name, (needed, shown) in found.items()}


def _answers_and_rest(cell: nbformat.NotebookNode) -> tuple[str, str]:
    """What is answer or hint in a cell, and what a learner has before them."""
    if cell.cell_type == "markdown":
        hints = r"<details>.*?</details>"
        return "\n".join(re.findall(hints, cell.source, re.DOTALL)), re.sub(
            hints, "", cell.source, flags=re.DOTALL
        )
    is_answer = cell.metadata.get("nbgrader", {}).get("solution")
    return (cell.source, "") if is_answer else ("", cell.source)


def python_too_early() -> dict[str, tuple[Place, Place | None]]:
    """Python that is needed in an earlier cell than the one that shows it, or not needed any more."""
    return {name: both for name, both in python().items() if not both[0] or _before(*both)}


def _before(use: Place, why: Place | None) -> bool:
    order = list(UNITS)
    return why is None or (order.index(use.unit), use.cell) < (order.index(why.unit), why.cell)


def main() -> int:
    """Print both lists; fail where something comes before its explanation."""
    rows = [[term, str(first(used)), str(explained(term))] for term, (used, _) in TERMS.items()]
    print(markdown(("term", "first used", "explained"), rows), end="\n\n")
    rows = [[name, str(needed), str(shown)] for name, (needed, shown) in python().items()]
    print(markdown(("Python", "first needed", "shown"), rows))
    early = [*too_early(), *python_too_early()]
    print(f"\nbefore they are explained: {len(early)} of {len(TERMS) + len(PYTHON)}", *early, sep="\n- ")
    return 1 if early else 0


if __name__ == "__main__":
    sys.exit(main())
