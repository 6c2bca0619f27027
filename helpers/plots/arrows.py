"""Vectors in the plane, and the angle between two of them."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.transforms import Bbox
from numpy.typing import ArrayLike

from helpers.arrays import named_arrays, one_of
from helpers.plots.angles import angle_words, draw_angle, polar
from helpers.plots.figure import DescribedFigure
from helpers.plots.layout import along, arrange, panel, settle, text_width
from helpers.plots.style import FAINT, FONT, INK, PAPER, ROLES, for_text, given_roles, styled
from helpers.text import shown

_LETTERS = 15  # a longer label takes two lines
_SIDE, _EDGE = 4.9, 0.4  # inches: what the plane may take, and its margin


@styled
def vectors(
    named: Mapping[str, ArrayLike],
    *,
    angle: tuple[str, str] | None = None,
    title: str = "",
    roles: Mapping[str, str] | None = None,
) -> DescribedFigure:
    """Arrows from the origin, each with its name and coordinates; vectors that coincide share one label.

    Args:
        named: name to vector, (2,) each.
        angle: two of the names, to draw the angle between them and write it with their dot product.
        title: heading.
        roles: name to `"query"`, `"key"`, `"value"` or another role, for the colour; else told by the name.

    Raises:
        ValueError: when a vector is not two finite numbers, or `angle` or `roles` has an unknown word.
    """
    arrows = named_arrays("named", named, 1)
    for name, vector in arrows.items():
        if vector.shape != (2,) or not np.isfinite(vector).all():
            raise ValueError(f"named[{name!r}]: expected two finite numbers (2,); got {vector.tolist()}")
    found = given_roles(roles or {}, arrows)
    colours = {name: ROLES[role] if role else INK for name, role in found.items()}
    pair = _pair(angle, arrows)
    figure = DescribedFigure()
    low, high, unit = _plane(arrows)
    axes = panel(figure, *(high - low) * unit)
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    _draw_plane(axes)
    taken = [box for name, v in arrows.items() for box in _draw_arrow(axes, v, colours[name])]
    if pair:
        axes.set_xlabel(angle_words(pair, arrows), labelpad=8)
        draw_angle(axes, *(arrows[name] for name in pair), taken)
    _draw_names(axes, arrows, colours, taken)
    arrange(figure, [[axes]], title=title)
    figure.description = _words(title, arrows, pair)
    return figure


def _pair(angle: tuple[str, str] | None, arrows: Mapping[str, np.ndarray]) -> tuple[str, ...] | None:
    if angle is None:
        return None
    if isinstance(angle, str) or len(angle) != 2:
        raise ValueError(f"angle: expected two names such as ('q', 'k'); got {angle!r}")
    pair = tuple(shown(name) for name in angle)
    for name in pair:
        one_of("angle", name, tuple(arrows))
    return pair


def _plane(arrows: Mapping[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray, float]:
    """The lower left and upper right corner round all tips and their labels, and inches per unit."""
    points = np.array([(0.0, 0.0), *arrows.values()])
    low, high = points.min(axis=0), points.max(axis=0)
    unit = _SIDE / (max(high - low) or 1.0)
    for _ in range(60):  # a label is in inches: the smaller the unit, the more room it has
        ends = [low * unit - _EDGE, high * unit + _EDGE]
        for names, vector in _groups(arrows):
            width, tip = (
                max(text_width(line, FONT * 1.12) for line in _label(names, vector).split("\n")),
                vector[0] * unit,
            )
            right = _goes_right(vector)
            ends[0][0] = min(ends[0][0], tip if right else tip - width / 2)
            ends[1][0] = max(ends[1][0], tip + width + 0.2 if right else tip + width / 2)
        if np.all(ends[1] - ends[0] <= _SIDE):
            break
        unit *= 0.95
    return ends[0] / unit, ends[1] / unit, unit


def _goes_right(vector: np.ndarray) -> bool:
    """Whether the label of a vector stands to the right of its tip, and not above or below it."""
    return vector[0] >= -0.05 * np.linalg.norm(vector)


def _draw_plane(axes: Axes) -> None:
    """Equal axes, with lines through the origin."""
    axes.grid(True)
    axes.set_axisbelow(True)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    axes.locator_params(nbins=6)
    for draw in (axes.axhline, axes.axvline):
        draw(0, color=FAINT, linewidth=1, zorder=1)


def _draw_arrow(axes: Axes, vector: np.ndarray, colour: str) -> list[Bbox]:
    """Draw an arrow (a dot for the zero vector); return the places it covers, in pixels."""
    if not vector.any():
        axes.plot(0, 0, "o", color=colour, markersize=8)
    else:
        line = {"arrowstyle": "-|>", "linewidth": 2.4, "color": colour, "shrinkA": 0, "shrinkB": 0}
        axes.annotate("", vector, (0, 0), arrowprops=line | {"mutation_scale": 18})
    return along(axes.transData.transform(np.linspace(0, 1, 40)[:, None] * vector), 7)


def _draw_names(
    axes: Axes, arrows: Mapping[str, np.ndarray], colours: Mapping[str, str], taken: list
) -> None:
    """Label every tip, further out or turned aside where a label would cover another or an arrow."""
    for names, vector in _groups(arrows):
        look = {"color": for_text(colours[names[0]]), "weight": "bold", "annotation_clip": False}
        look["bbox"] = {"facecolor": PAPER, "edgecolor": "none", "pad": 1}  # no line strikes through a name
        text = axes.annotate(_label(names, vector), vector, (0, 0), textcoords="offset points", **look)
        text.set(ha="left" if _goes_right(vector) else "center", va="center")
        taken.append(settle(text, _offsets(vector), taken))


def _offsets(vector: np.ndarray) -> list[np.ndarray]:
    """Where a label may stand, from the tip, in points: best place first."""
    if not _goes_right(vector):
        up = 1 if vector[1] >= 0 else -1
        return [np.array([0, rise * side]) for rise in (14, 24, 34, 46) for side in (up, -up)]
    out = np.arctan2(vector[1], vector[0]) if vector.any() else np.radians(-45)
    turns = out + np.radians([0, 25, -25, 50, -50, 75, -75, 110, -110])
    return [polar(r, turn) for r in (10, 22, 36, 54) for turn in turns]


def _groups(arrows: Mapping[str, np.ndarray]) -> list[tuple[list[str], np.ndarray]]:
    groups: list[tuple[list[str], np.ndarray]] = []
    for name, vector in arrows.items():
        for names, other in groups:
            if np.allclose(vector, other, rtol=1e-6, atol=1e-9):
                names.append(name)
                break
        else:
            groups.append(([name], vector))
    return groups


def _label(names: list[str], vector: np.ndarray) -> str:
    name, at = " = ".join(names), _coordinates(vector)
    return f"{name} {at}" if len(name) + len(at) < _LETTERS else f"{name}\n{at}"


def _coordinates(vector: np.ndarray) -> str:
    return f"({vector[0]:.3g}, {vector[1]:.3g})"


def _words(title: str, arrows: Mapping[str, np.ndarray], pair: tuple[str, ...] | None) -> str:
    groups = _groups(arrows)
    said = "; ".join(_label(names, vector).replace("\n", " ") for names, vector in groups)
    same = "".join(f" {' and '.join(names)} coincide." for names, _ in groups if len(names) > 1)
    between = f" {angle_words(pair, arrows)}." if pair else ""
    return f"{title or 'Vectors'}: arrows from the origin to {said}.{same}{between}"
