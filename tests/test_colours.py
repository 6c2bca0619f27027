"""Colours that have a meaning can be told apart, with normal sight and with each kind of colour blindness."""

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgb

from helpers import plots, views
from helpers.plots import dark, style
from helpers.plots.maps import KINDS, colours
from helpers.verdict import drawn

LEAST = 8.0
"""The least difference (CIEDE2000) of two colours; value and output once had 1.8."""

JUST_SEEN = 2.3
"""A difference that one just sees: a page draws lines between nine colours of a map."""

# What is left of linear RGB, by Machado, Oliveira and Fernandes (2009), severity 1.
SIGHT = {
    "normal": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                   [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                     [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
                   [0.004733, 0.691367, 0.303900]],
}  # fmt: skip
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
SETS = {
    "lines": style.ROLES,
    "words": {role: to_hex(style.for_text(colour)) for role, colour in style.ROLES.items()},
    "tints": style.TINTS,
    "bars": style.BARS,
    "lines and words, dark": dark.DARK_ROLES,
    "tints, dark": dark.DARK_TINTS,
}


def linear(rgb):
    rgb = np.asarray(rgb, float)
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def lab(colour, sight="normal"):
    """CIELAB of a colour as it is seen."""
    seen = np.clip(np.asarray(SIGHT[sight]) @ linear(to_rgb(colour)), 0, 1)
    xyz = TO_XYZ @ seen / TO_XYZ.sum(axis=1)
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return 116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])


def difference(one, other):
    """CIEDE2000 of two colours in CIELAB (Sharma, Wu and Dalal, 2005)."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    g = 0.5 * (1 - np.sqrt(mean**7 / (mean**7 + 25**7)))
    a1, a2 = a1 * (1 + g), a2 * (1 + g)
    c1, c2 = np.hypot(a1, b1), np.hypot(a2, b2)
    h1, h2 = np.degrees(np.arctan2(b1, a1)) % 360, np.degrees(np.arctan2(b2, a2)) % 360
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    hue = h1 + turn / 2 if c1 * c2 else h1 + h2
    dl, dc, dh = l2 - l1, c2 - c1, 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2))
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    waves = zip((-0.17, 0.24, 0.32, -0.2), (1, 2, 3, 4), (-30, 0, 6, -63), strict=True)
    t = 1 + sum(size * np.cos(np.radians(times * hue + shift)) for size, times, shift in waves)
    sl = 1 + 0.015 * (light - 50) ** 2 / np.sqrt(20 + (light - 50) ** 2)
    sc, sh = 1 + 0.045 * chroma, 1 + 0.015 * chroma * t
    twist = -np.sin(np.radians(60 * np.exp(-(((hue % 360 - 275) / 25) ** 2))))
    twist *= 2 * np.sqrt(chroma**7 / (chroma**7 + 25**7))
    return np.sqrt((dl / sl) ** 2 + (dc / sc) ** 2 + (dh / sh) ** 2 + twist * dc / sc * dh / sh)


@pytest.mark.parametrize(
    ("one", "other", "published"),
    [((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425), ((50, 2.5, 0), (73, 25, -18), 27.1492),
     ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
     ((50, -1, 2), (50, 0, 0), 2.3669), ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
     ((6.7747, -0.2908, -2.4247), (5.8714, -0.0985, -2.2286), 0.6377)],
)  # fmt: skip
def test_the_measure_is_the_published_one(one, other, published):
    assert difference(one, other) == pytest.approx(published, abs=5e-5)
    assert difference(other, one) == pytest.approx(published, abs=5e-5)


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("name", SETS)
def test_roles_can_be_told_apart(name, sight):
    seen = {role: lab(colour, sight) for role, colour in SETS[name].items()}
    close = {pair: difference(seen[pair[0]], seen[pair[1]]) for pair in combinations(seen, 2)}
    assert {pair: size for pair, size in close.items() if size < LEAST} == {}


@pytest.mark.parametrize("sight", SIGHT)
def test_tints_can_be_told_from_paper(sight):
    paper = lab("white", sight)
    assert min(difference(lab(tint, sight), paper) for tint in style.TINTS.values()) >= 7


def test_the_old_tints_would_not_have_passed():
    """Value and output, at a strength of 0.18, looked alike without red cones or green ones."""
    value, output = (tuple(1 - 0.18 * (1 - part) for part in to_rgb(c)) for c in (style.VALUE, style.OUTPUT))
    assert difference(lab(value, "deuteranopia"), lab(output, "deuteranopia")) < 3


def luminance(colour):
    return float(np.dot(linear(to_rgb(colour)), [0.2126, 0.7152, 0.0722]))


def contrast(one, other):
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_ink_can_be_read():
    assert min(contrast(style.ON_CELL, tint) for tint in style.TINTS.values()) >= 7
    assert min(contrast(style.for_text(colour), "white") for colour in style.ROLES.values()) >= 4.5
    assert min(contrast(colour, "white") for colour in style.SERIES) >= 3
    for kind in KINDS:
        shades = [colours(kind)(part)[:3] for part in np.linspace(0, 1, 101)]
        assert min(contrast(style.ink_on(shade), shade) for shade in shades) >= 4.5


def test_the_line_beside_a_passed_check_stands_out_on_a_light_page_and_on_a_dark_one():
    assert min(contrast(drawn.RIGHT, page) for page in ("#ffffff", "#111111", "#121212")) >= 3


def test_maps_get_darker_from_zero():
    for kind in KINDS:
        shades = [
            luminance(colours(kind)(part)[:3]) for part in np.linspace(0 if kind == "weights" else 0.5, 1, 51)
        ]
        assert shades == sorted(shades, reverse=True)


def test_a_role_has_its_tint_and_its_kind():
    drawn = plots.matrices({"Q": [1], "K": [1], "V": [1], "Z, head 0": [1], "weights": [1], "output": [1]})
    order = ("query", "key", "value", "score", "weight", "output")
    assert [to_hex(axes.get_facecolor()).upper() for axes in drawn.axes] == [
        style.TINTS[role] for role in order
    ]


def test_orange_is_a_key_and_nothing_else():
    """No map, bar or line without a role has a hue near that of keys."""
    key = np.arctan2(*lab(style.KEY)[:0:-1])
    others = [*style.SERIES, style.MINUS, style.PLAIN, style.WRONG]
    others += [stop for kind in KINDS.values() for stop in kind]
    for colour in others:
        _, a, b = lab(colour)
        turn = abs(np.degrees(np.arctan2(b, a) - key) + 180) % 360 - 180
        assert np.hypot(a, b) < 12 or abs(turn) > 15, colour


def page_shades(page):
    """The shades of a view's cells: background and ink by the name of their class."""
    sheet = page.evaluate(
        "document.querySelector('.attention-view').shadowRoot.querySelector('style').textContent"
    )
    found = re.findall(r"\.(weights|scores|numbers)(\d+)\{background:rgb\(([\d,]+)\);color:(#\w+)\}", sheet)
    return {
        (kind, int(part)): (np.array([int(c) for c in rgb.split(",")]) / 255, ink)
        for kind, part, rgb, ink in found
    }


@pytest.mark.needs("browser")
def test_cells_of_a_page_have_the_shades_of_the_plots(open_view):
    shades = page_shades(open_view(views.explore_layers(np.eye(2)[None, None])))
    assert len(shades) == 3 * 101
    for (kind, part), (shade, ink) in shades.items():
        wanted = colours(kind)(part / 100)[:3]
        assert difference(lab(shade), lab(wanted)) < JUST_SEEN, f"{kind} at {part} %"
        assert contrast(shade, ink) >= 4.5, f"{kind} at {part} %"
        assert to_rgb(ink) in ((0, 0, 0), (1, 1, 1))


def test_scripts_have_no_colour_map_of_their_own():
    page = Path(plots.__file__).parents[1] / "views" / "page"
    for script in page.glob("*.js"):
        assert not re.search(r"[\"' #][0-9a-f]{6}[\"' ;]", script.read_text(encoding="utf-8")), script.name


def test_panels_and_views_take_their_colours_from_the_table():
    root = Path(plots.__file__).parents[1]
    sheet = (root / "views" / "page" / "view.css").read_text(encoding="utf-8")
    light = dict(re.findall(r"--(\w+): (#\w{6})", sheet.split("}")[0]))
    for role in set(light) & set(style.ROLES):
        assert light[role] == to_hex(style.for_text(style.ROLES[role])), role
    assert set(style.ROLES) & set(light) >= {"query", "key", "value", "output"}
    panel = "".join((root / "verdict" / f"{name}.py").read_text("utf-8") for name in ("panel", "drawn"))
    assert style.WRONG.lower() == drawn.WRONG
    grid = (root / "views" / "page" / "grid.css").read_text(encoding="utf-8")
    for text in (sheet, grid, panel):
        assert style.KEY.lower() not in text.lower(), "orange is for keys"
