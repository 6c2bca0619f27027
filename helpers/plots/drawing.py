"""What Matplotlib writes as SVG, made short: a page of the site has fifteen of them."""

import re
from collections.abc import Callable

FONTS = "DejaVu Sans, Verdana, system-ui, sans-serif"
"""The first is what Matplotlib measures with, and the second is as wide."""


def _tag(found: re.Match[str]) -> str:
    """A tag in one line, with numbers to the hundredth of a pixel."""
    return re.sub(r"(?<![\w.#])(-?\d+\.\d\d)\d+", r"\1", re.sub(r"\s*\n\s*", " ", found[0]))


def _style(found: re.Match[str]) -> str:
    return re.sub("(?<=[:;]) ", "", found[0])


_SHORTER: dict[str, str | Callable[[re.Match[str]], str]] = {
    r"<\?xml.*?\?>|<!--.*?-->|<metadata>.*?</metadata>|<!DOCTYPE.*?>": "",
    r" id=\"(figure|patch|axes|matplotlib\.axis|[xy]tick|line2d|text)_\d+\"": "",
    r"font: (?:(\d+) )?([\d.]+px) '[^;\"]*": r"font-weight: \1; font-size: \2",
    r"font-family: [^;\"]*;? ?|font-weight: ; ": "",
    r" transform=\"rotate\(-?0 [^\"]*\)\"": "",
    r"^\s*<svg ": f'<svg font-family="{FONTS}" font-size="12px" ',
    r"(?<=style=\")[^\"]*": _style,
    r"<[^>]*>": _tag,
    r"\s*\n\s*": "\n",
    r"<path [^>]* style=\"fill:none\"/>\n": "",
    r"<g/>\n|<g>\n</g>\n": "",
    r"<g>\n(<text[^\n]*)\n</g>\n": r"\1\n",
    r"font-size:12px;?|fill:#1a1a1a(?=\")| style=\"\"(?=[ >])": "",
}


def terse(svg: str) -> str:
    """An SVG without what no reader sees, half of the bytes, and with fonts that every machine has."""
    for found, instead in _SHORTER.items():
        svg = re.sub(found, instead, svg, flags=re.DOTALL)
    return svg
