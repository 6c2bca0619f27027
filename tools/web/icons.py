"""The few icons of a page stand in it: the theme would load all of Font Awesome, 1.5 MB, for them."""

import re
from functools import cache
from pathlib import Path

import pydata_sphinx_theme
from sphinx.errors import SphinxError

_ALL = Path(pydata_sphinx_theme.__file__).parent / "theme/pydata_sphinx_theme/static/scripts/fontawesome.js"
_LOADED = re.compile(
    r"\s*<(?:script|link)[^>]*(?:scripts/fontawesome\.js|vendor/fontawesome)[^>]*>(?:</script>)?"
)
_ICON = re.compile(r'<(?P<tag>i|span) class="(?P<classes>[^"]*\bfa-[^"]*)"(?P<rest>[^>]*)></(?P=tag)>')
_HOW_NOT_WHICH = {"fa-solid", "fa-brands", "fa-regular", "fa-lg", "fa-fw", "fa-sm", "fa-xl"}
CREDIT = "<!-- Icons: Font Awesome Free, fontawesome.com, licence CC BY 4.0. -->"


@cache
def drawing(name: str) -> tuple[int, int, str]:
    """Width, height and path of an icon, from the theme's own copy."""
    size, word = r"\[(\d+),(\d+),", re.escape(name)
    called = rf'[{{,]"?{word}"?:{size}\[[^\]]*\]|{size}\[[^\]]*"{word}"[^\]]*\]'
    found = re.search(rf'(?:{called}),"[^"]*","([^"]+)"\]', _script())
    if not found:
        raise SphinxError(f"the theme has no icon of the name {name}")
    width, height = found[1] or found[3], found[2] or found[4]
    return int(width), int(height), found[5]


@cache
def _script() -> str:
    return _ALL.read_text("utf-8")


def _inline(found: re.Match[str]) -> str:
    names = [one for one in found["classes"].split() if one.startswith("fa-") and one not in _HOW_NOT_WHICH]
    width, height, path = drawing(names[0].removeprefix("fa-"))
    rest = re.sub(r' title="[^"]*"| aria-[a-z]+="[^"]*"', "", found["rest"])
    return (
        f'<svg class="svg-inline--fa {found["classes"]}"{rest} aria-hidden="true" focusable="false" '
        f'viewBox="0 0 {width} {height}"><path fill="currentColor" d="{path}"/></svg>'
    )


def with_icons(page: str) -> str:
    """A page with its icons in it, and without what would draw them."""
    page, count = _ICON.subn(_inline, _LOADED.sub("", page))
    return page.replace("</body>", f"{CREDIT}\n</body>") if count else page
