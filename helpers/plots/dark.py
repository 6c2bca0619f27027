"""A drawing for dark pages: each of its colours has one that means the same on a dark ground.

The site shows one of two files, as its reader has chosen; nothing is turned round by a filter, so gold stays
gold.  `in_the_dark` knows every colour that the plots draw with, and no other.
"""

import base64
import io
import re
from collections.abc import Mapping

import numpy as np
from matplotlib.colors import to_hex

from helpers.plots.maps import KINDS, colours
from helpers.plots.style import (
    BARS,
    BLOCKED,
    FAINT,
    GRID,
    HATCH_INK,
    INK,
    INKS,
    LIT,
    MINUS,
    PALE,
    PAPER,
    PLAIN,
    ROLES,
    SERIES,
    TINTS,
    WRONG,
    for_text,
)

GROUND = "#121212"
"""What the pages of the site have in the dark."""

LIGHT_INK = "#ECECEC"

DARK_ROLES = {
    "query": "#52A9DC", "key": "#EC925B", "value": "#60D4A9", "output": "#E2A7CA", "score": "#D0BEFF",
    "weight": "#E6BC33",
}  # fmt: skip
"""Lines and words of a role."""

DARK_TINTS = {
    "query": "#5B9DD3", "key": "#E08A50", "value": "#4FC08F", "output": "#D58FB4", "score": "#C3AEFC",
    "weight": "#E6BC33",
}  # fmt: skip
"""The ground of black numbers, where the matrix has a role."""

_OTHERS = {
    INK: LIGHT_INK,
    to_hex(for_text(INK)): LIGHT_INK,
    FAINT: "#9A9A9A",
    GRID: "#3A3A3A",
    PAPER: GROUND,
    BLOCKED: "#434343",
    HATCH_INK: "#858585",
    MINUS: "#A3A9AF",
    PLAIN: "#7FD0DA",
    WRONG: "#FF8A80",
    BARS["score"]: "#A382DC",
    BARS["weight"]: BARS["weight"],
    LIT: LIT,
    **dict(zip(PALE, ("#3A4148", "#565656", "#2B2B2B"), strict=True)),
    **dict(zip(SERIES, (LIGHT_INK, "#35B6C3", "#9A9A9A", "#BFEFF5", "#C8C8C8", "#6CC3CE"), strict=True)),
}

_INKS = {ink: INKS[dark, dark] for (_, dark), ink in INKS.items()}
"""Ink on a shade says with its last digit what it is in the dark; an ink that is the same in both stays."""

DARK: Mapping[str, str] = {
    light.lower(): dark.lower()
    for light, dark in (
        *((ROLES[role], colour) for role, colour in DARK_ROLES.items()),
        *((to_hex(for_text(ROLES[role])), colour) for role, colour in DARK_ROLES.items()),
        *((TINTS[role], colour) for role, colour in DARK_TINTS.items()),
        *_OTHERS.items(),
        *_INKS.items(),
    )
}
"""Each colour of the plots, and what it is in the dark."""

_ROUNDING = 2  # colour bars are drawn with colours that are rounded once more
_PIXELS = re.compile(r"(data:image/png;base64,)\s*([^\"]+)")


def in_the_dark(svg: str) -> str:
    """An SVG of the plots, for a dark ground.

    Raises:
        ValueError: when it has a colour that is not in `DARK`.
    """

    def other(found: re.Match[str]) -> str:
        if found[0].lower() not in DARK:
            raise ValueError(f"{found[0]}: expected a colour of helpers.plots.dark.DARK; add it there")
        return DARK[found[0].lower()]

    # what is no picture; then for each picture its head, its pixels, what follows
    parts = _PIXELS.split(svg)
    for at in range(0, len(parts), 3):
        parts[at] = re.sub(r"(?<!&)#[0-9a-fA-F]{6}\b", other, parts[at])
    for at in range(2, len(parts), 3):
        parts[at] = _cells(parts[at])
    # words of `INK` have no colour of their own in an SVG (see `drawing.py`)
    return "".join(parts).replace("<svg ", f'<svg fill="{LIGHT_INK}" ', 1)


def _cells(png: str) -> str:
    """The pixels of a grid in the shades of the dark; a picture that has other colours stays as it is."""
    from PIL import Image  # comes with Matplotlib

    with Image.open(io.BytesIO(base64.b64decode(png))) as picture:
        pixels = np.array(picture.convert("RGBA"))
    seen = pixels[..., 3] > 0
    found, places = np.unique(pixels[seen][:, :3], axis=0, return_inverse=True)
    dark = next((one for kind in KINDS if (one := _shades(kind, found)) is not None), None)
    if dark is None:
        return png
    pixels[seen, :3] = dark[places.reshape(-1)]
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG", optimize=True)
    return base64.b64encode(buffer.getvalue()).decode()


def _shades(kind: str, found: np.ndarray) -> np.ndarray | None:
    """What shades of a map are in the dark, (n, 3); `None` when one of them is no shade of it."""
    light, dark = (colours(kind, dark=one)(np.arange(256), bytes=True)[:, :3] for one in (False, True))
    apart = np.abs(found[:, None].astype(int) - light).max(axis=2)
    return dark[apart.argmin(axis=1)] if (apart.min(axis=1) <= _ROUNDING).all() else None
