"""The theme's menu that opens a page elsewhere: it stands on the units' pages, with drawings for logos."""

import re

_MENU = re.compile(
    r'\s*<div class="dropdown dropdown-launch-buttons">.*?</ul>\s*</div>', re.DOTALL
)  # a menu holds no other list
_LOGO = re.compile(r'<img [^>]*src="[^"]*/logo_(binder|colab)\.\w+"[^>]*>')
_RINGS = {"binder": (5, 11, 17), "colab": (6, 16)}


def with_buttons(page: str, unit: bool) -> str:
    """A page whose menu leads to what is there: only a unit has a notebook to be opened."""
    return _LOGO.sub(_drawn, page) if unit else _MENU.sub("", page)


def _drawn(found: re.Match[str]) -> str:
    """Rings in the line, as each of the two services has them, instead of a picture to fetch."""
    rings = "".join(f'<circle cx="{x}" cy="8" r="4"/>' for x in _RINGS[found[1]])
    return (
        '<svg class="svg-inline--fa" aria-hidden="true" viewBox="0 0 22 16" fill="none" '
        f'stroke="currentColor" stroke-width="2.5">{rings}</svg>'
    )
