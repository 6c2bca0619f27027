"""Drawings on dark pages: every colour has one of its own there, which means the same and can be seen."""

import base64
import io
import re
from pathlib import Path

import numpy as np
import pytest
from bs4 import BeautifulSoup
from matplotlib.colors import to_hex
from PIL import Image

from helpers import plots
from helpers.beside.kernel import AS_SVG
from helpers.plots import style
from helpers.plots.dark import DARK, DARK_ROLES, DARK_TINTS, GROUND, LIGHT_INK, in_the_dark
from helpers.plots.maps import DARK_KINDS, KINDS, colours
from tests.test_colours import contrast, lab, luminance
from tests.test_plots import PLOTS, RNG
from tools.shell import ROOT
from tools.web import landing, outputs, pictures

LEAST = 3.0
"""What WCAG 2.2 asks of lines and shapes in a picture (1.4.11); of words it asks 4.5."""


def hue(colour):
    return np.degrees(np.arctan2(*lab(colour)[:0:-1]))


def turn(one, other):
    return abs((hue(one) - hue(other) + 180) % 360 - 180)


def drawn(name):
    plot, data, options, _ = PLOTS[name]
    return plot(*data, **options).svg().decode()


def colours_of(svg):
    """The colours of an SVG, without those of the pictures in it."""
    return set(re.findall(r"#[0-9a-f]{6}\b", re.sub('base64,[^"]*', "", svg.lower())))


def rasters(svg):
    """The pictures in an SVG, (height, width, 3) each."""
    found = re.findall(r"data:image/png;base64,\s*([^\"]+)", svg)
    return [np.asarray(Image.open(io.BytesIO(base64.b64decode(one))).convert("RGB")) for one in found]


def strengths(pixels):
    """The relative luminance of each pixel, (height, width)."""
    linear = pixels / 255
    linear = np.where(linear <= 0.04045, linear / 12.92, ((linear + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


@pytest.mark.parametrize("role", style.ROLES)
def test_a_role_keeps_its_hue_and_can_be_seen(role):
    line, word = style.ROLES[role], to_hex(style.for_text(style.ROLES[role]))
    assert DARK[line.lower()] == DARK[word] == DARK_ROLES[role].lower()
    assert contrast(DARK_ROLES[role], GROUND) >= 4.5, "words have it too"
    assert contrast(DARK_TINTS[role], GROUND) >= LEAST
    assert contrast(DARK_TINTS[role], style.ON_CELL) >= 7
    for dark in (DARK_ROLES[role], DARK_TINTS[role]):
        assert turn(dark, line) < 25, "a filter that turned lightness round left gold a brown"


def test_gold_stays_gold():
    """Once it was (114, 78, 0) in the dark: 2.5 to 1."""
    gold = style.BARS["weight"].lower()
    assert DARK[gold] == gold
    assert contrast(gold, GROUND) >= LEAST > contrast("#724E00", GROUND)
    heaviest = colours("weights", dark=True)(np.linspace(0.4, 1, 7))[:, :3]
    assert min(contrast(tuple(shade), GROUND) for shade in heaviest) >= LEAST


def test_what_is_said_can_be_read_and_what_is_drawn_can_be_seen():
    words = [style.INK, style.FAINT, *style.SERIES, style.MINUS, style.PLAIN, style.WRONG, style.LIT]
    assert min(contrast(DARK[one.lower()], GROUND) for one in words) >= 4.5
    assert contrast(DARK[style.BARS["score"].lower()], GROUND) >= LEAST
    assert contrast(DARK[style.INK.lower()], DARK[style.BLOCKED.lower()]) >= 4.5, "a number on the hatch"
    for pale in style.PALE:
        assert contrast(DARK[style.INK.lower()], DARK[pale.lower()]) >= 4.5
    assert DARK[style.PAPER.lower()] == GROUND.lower()


def test_the_ground_is_that_of_the_theme():
    import sphinx_book_theme

    folder = Path(sphinx_book_theme.__file__).parent / "theme/sphinx_book_theme/static/styles"
    sheet = (folder / "sphinx-book-theme.css").read_text("utf-8")
    assert f"--pst-color-background:{GROUND}" in sheet


@pytest.mark.parametrize("kind", KINDS)
def test_maps_get_brighter_from_zero_and_numbers_can_be_read(kind):
    light, dark = colours(kind), colours(kind, dark=True)
    parts = np.linspace(0, 1, 101)
    from_zero = parts if kind == "weights" else parts[50:]
    shades = [luminance(dark(part)[:3]) for part in from_zero]
    assert shades == sorted(shades)
    assert contrast(dark(1.0)[:3], GROUND) >= 10
    for part in parts:
        ink = style.ink_on(light(part), dark(part))
        assert contrast(ink, light(part)[:3]) >= 4.5
        assert contrast(DARK[ink.lower()], dark(part)[:3]) >= 4.5, f"{kind} at {part}"


@pytest.mark.slow
@pytest.mark.parametrize("name", PLOTS)
def test_every_colour_of_a_drawing_has_one_in_the_dark(name):
    light = drawn(name)
    dark = in_the_dark(light)
    assert colours_of(dark) <= {*DARK.values(), LIGHT_INK.lower()}
    assert len(colours_of(light)) >= 2
    left = [re.sub(r"#[0-9a-fA-F]{6}|base64,[^\"]*", "", one) for one in (light, dark)]
    assert left[0] == left[1].replace(' fill=""', "", 1), "nothing else is changed"
    assert [one.shape for one in rasters(light)] == [one.shape for one in rasters(dark)]


def test_a_drawing_has_the_colours_of_its_roles():
    """They were lost where no ground of its own was asked for: only the pixels of a notebook had them."""
    drawing = plots.matrices({"Q": [1], "K": [1], "V": [1], "weights": [1]}).svg().decode()
    roles = ("query", "key", "value", "weight")
    assert {style.TINTS[role].lower() for role in roles} <= colours_of(drawing)
    assert {DARK_TINTS[role].lower() for role in roles} <= colours_of(in_the_dark(drawing))


def test_cells_get_the_shades_of_the_dark():
    drawing = plots.heatmap([[0.0, 1.0]], kind="weights").svg().decode()
    (picture,) = rasters(in_the_dark(drawing))
    wanted = (np.array([colours("weights", dark=True)(end)[:3] for end in (0.0, 1.0)]) * 255).round()
    np.testing.assert_allclose(picture[5, [5, -5]], wanted, atol=3)


@pytest.mark.slow
def test_many_cells_and_their_colour_bar_too():
    drawing = plots.heatmap(RNG.random((40, 40)), kind="weights").svg().decode()
    cells, bar = rasters(in_the_dark(drawing))
    assert np.isclose(strengths(cells).min(), luminance(DARK_KINDS["weights"][0]), atol=0.01)
    ends = strengths(bar)[[0, -1]].mean(axis=1)
    assert ends.min() < 0.05 < 0.8 < ends.max()


def test_numbers_on_tints_stay_dark():
    """Matplotlib leaves black out, and so it would become the ink of words."""
    drawing = in_the_dark(plots.matrices({"Q": [7]}).svg().decode())
    (number,) = re.findall(r"<text[^>]*>7</text>", drawing)
    assert DARK[style.ON_CELL] in number


def test_a_photograph_is_not_turned_round():
    drawing = plots.patches(np.arange(64).reshape(8, 8), 4).svg().decode()
    for one, other in zip(rasters(drawing), rasters(in_the_dark(drawing)), strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_colour_that_nobody_chose_for_the_dark_is_told():
    with pytest.raises(ValueError, match="#12ab34: expected a colour"):
        in_the_dark('<svg x="1"><path fill="#12ab34"/></svg>')


def test_the_site_has_both_and_shows_one(tmp_path, monkeypatch):
    monkeypatch.setenv(AS_SVG, "yes")
    figure = plots.heatmap([[0.5, 1]], kind="weights", title='"a" & b').captioned("See.")
    page = outputs.with_files(figure._repr_mimebundle_()["text/html"], tmp_path, "../")
    drawing = BeautifulSoup(page, "html.parser").select_one("figure > .drawing")
    light, dark = drawing.find_all("img")
    assert (light["class"], dark["class"]) == (["only-light"], ["only-dark"])
    for one in (light, dark):
        assert one["alt"] == figure.description
        assert one["loading"] == "lazy", "that which is not shown is not loaded"
        assert re.match(r"--wide:\d+px", one["style"])
        assert one["width"].isdigit()
        assert one["height"].isdigit()
    files = [(tmp_path / one["src"].removeprefix("../")).read_text("utf-8") for one in (light, dark)]
    assert files == [figure.svg().decode(), in_the_dark(figure.svg().decode())]


def test_each_unit_has_its_picture_in_both(tmp_path):
    pictures.write(tmp_path)
    for unit in pictures.DRAWN:
        light, dark = (tmp_path / name for name in pictures.names_of(unit))
        assert in_the_dark(light.read_text("utf-8")) == dark.read_text("utf-8")
        assert f'src="_images/{dark.name}"' in landing.units()


def test_no_filter_is_left():
    sheet = (ROOT / "docs/_static/course.css").read_text("utf-8")
    assert "invert(" not in sheet
    assert "hue-rotate(" not in sheet
