"""What the page of a view gets: its scripts and styles, and data as JSON."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parent / "page"
_LOOM = ("loom_core", "loom_words", "loom_sheets", "loom")
PARTS = {
    "loom": _LOOM,
    "fold": (*_LOOM, "fold"),
    "layers": ("grid", "layers"),
    "real": ("real",),
    "trace": ("trace",),
}
"""Scripts of each kind of view in `page/`, after `view.js`; the style sheets have the same names."""

_OTHER = re.compile(r"['`/]")
"""What a line has that holds an expression to search for, or a text with others inside."""
_SPACED = re.compile(r"""("[^"]*")| ?([=<>,:?(){}*|&]) ?""")
"""A text, which stays, or a sign that needs no spaces."""

MAPS = ("weights", "scores", "numbers")
"""Colour maps that `grid.js` gets, of those in `helpers.plots.maps.KINDS`."""


@cache
def shared(kind: str) -> str:
    """Scripts and styles of a kind of view, which all views of that kind have in common."""
    names = ("view", *PARTS[kind])
    styles = "\n".join(_read(f"{name}.css") for name in names if (PAGE / f"{name}.css").exists())
    start = [f"const style = {as_json(styles)};"]
    if "grid" in names:
        start.append(f"const STOPS = {as_json({kind: _stops(kind) for kind in MAPS})};")
    return "\n".join(start + [_read(f"{name}.js") for name in names])


def _stops(kind: str) -> str:
    """Nine colours of a map of the plots, from low to high; the page draws lines between them."""
    from matplotlib.colors import to_hex  # a failed check has no grid, and does not wait for Matplotlib

    from helpers.plots.maps import colours

    return " ".join(to_hex(colours(kind)(part / 8))[1:] for part in range(9))


def _read(name: str) -> str:
    """A file of the page, without comments and the spaces of its layout, which every view would carry."""
    lines = (line.strip() for line in (PAGE / name).read_text(encoding="utf-8").splitlines())
    text = "\n".join(line for line in lines if line and not line.startswith("//"))
    if name.endswith(".css"):
        return re.sub(r"(?<=[:;,{}])\s+|\s+(?=[{}])|;(?=\s*})", "", text)
    text = "\n".join(line if _OTHER.search(line) else _close(line) for line in text.split("\n"))
    text = re.sub(r"(?<=[;{,])\n", "", text)  # no text goes over several lines
    return re.sub(r" (=>|===|!==|&&|\|\|) ", r"\1", text)  # no sentence on the page has them


def _close(line: str) -> str:
    return _SPACED.sub(lambda found: found[1] or found[2], line)


def as_json(data: Any) -> str:
    """JSON that may stand in a script: a token `</script>` ends nothing."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text
