"""Vectors in the plane, and the angle between two of them."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Arc
from matplotlib.transforms import Bbox
from numpy.typing import ArrayLike

from helpers.plots.data import named_arrays, one_of
from helpers.plots.figure import DescribedFigure
from helpers.plots.layout import arrange, panel, settle
from helpers.plots.style import FAINT, FONT, INK, ROLES, for_text, role_of, styled
from helpers.plots.words import short, shown

_SIDE = 4.8  # inches


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
        roles: name to `"query"`, `"key"`, `"value"` or `"output"`, for the colour; otherwise told by the name.

    Raises:
        ValueError: when a vector is not two finite numbers, or `angle` or `roles` has an unknown word.
    """
    arrows = named_arrays("named", named, 1)
    for name, vector in arrows.items():
        if vector.shape != (2,) or not np.isfinite(vector).all():
            raise ValueError(f"named[{name!r}]: expected two finite numbers (2,); got {vector.tolist()}")
    colours = {name: _colour(name, roles or {}, arrows) for name in arrows}
    pair = _pair(angle, arrows)
    figure = DescribedFigure()
    axes = panel(figure, _SIDE, _SIDE)
    _draw_plane(axes, arrows)
    taken = [box for name, v in arrows.items() for box in _draw_arrow(axes, v, colours[name])]
    if pair:
        axes.set_xlabel(_angle_words(pair, arrows), labelpad=8)
        _draw_angle(axes, *(arrows[name] for name in pair), taken)
    _draw_names(axes, arrows, colours, taken)
    arrange(figure, [[axes]], title=title)
    figure.description = _words(title, arrows, pair)
    return figure


def _colour(name: str, roles: Mapping[str, str], arrows: Mapping[str, Any]) -> str:
    for given, role in roles.items():
        one_of("roles, name", shown(given), tuple(arrows))
        one_of(f"roles[{given!r}]", role, tuple(ROLES))
    role = {shown(given): role for given, role in roles.items()}.get(name, role_of(name))
    return ROLES[role] if role else INK


def _pair(angle: tuple[str, str] | None, arrows: Mapping[str, np.ndarray]) -> tuple[str, ...] | None:
    if angle is None:
        return None
    if isinstance(angle, str) or len(angle) != 2:
        raise ValueError(f"angle: expected two names such as ('q', 'k'); got {angle!r}")
    pair = tuple(shown(name) for name in angle)
    for name in pair:
        one_of("angle", name, tuple(arrows))
    return pair


def _draw_plane(axes: Axes, arrows: Mapping[str, np.ndarray]) -> None:
    """Equal axes round the origin and all tips."""
    points = np.array([(0, 0), *arrows.values()])
    low, high = points.min(axis=0), points.max(axis=0)
    half = (max(high - low) or 1.0) * 0.5 * 1.2
    middle = (low + high) / 2
    axes.set(xlim=(middle[0] - half, middle[0] + half), ylim=(middle[1] - half, middle[1] + half))
    axes.set_aspect("equal")
    axes.grid(True)
    axes.set_axisbelow(True)
    for draw in (axes.axhline, axes.axvline):
        draw(0, color=FAINT, linewidth=1, zorder=1)


def _draw_arrow(axes: Axes, vector: np.ndarray, colour: str) -> list[Bbox]:
    """Draw an arrow (a dot for the zero vector); return the places it covers, in pixels."""
    if not vector.any():
        axes.plot(0, 0, "o", color=colour, markersize=8)
    else:
        line = {"arrowstyle": "-|>", "linewidth": 2.4, "color": colour, "shrinkA": 0, "shrinkB": 0}
        axes.annotate("", vector, (0, 0), arrowprops=line | {"mutation_scale": 18})
    pixels = axes.transData.transform(np.linspace(0, 1, 40)[:, None] * vector)
    return [Bbox.from_extents(x - 7, y - 7, x + 7, y + 7) for x, y in pixels]


def _draw_angle(axes: Axes, a: np.ndarray, b: np.ndarray, taken: list[Bbox]) -> None:
    degrees = _degrees(a, b)
    if degrees is None:
        return
    start, end = (np.degrees(np.arctan2(v[1], v[0])) for v in (a, b))
    if (end - start) % 360 > 180:
        start, end = end, start
    span = axes.get_xlim()[1] - axes.get_xlim()[0]
    radius = min(0.4 * min(np.linalg.norm(a), np.linalg.norm(b)), 0.18 * span)
    axes.add_patch(Arc((0, 0), 2 * radius, 2 * radius, theta1=start, theta2=end, linewidth=1.6, color=INK))
    half = np.radians(start + ((end - start) % 360) / 2)
    text = axes.text(0, 0, f"{short(degrees)}°", size=FONT, ha="center", va="center")
    steps = radius + span * np.linspace(0.05, 0.3, 8)
    turns = half + np.radians([0, 180])
    settle(text, [(r * np.cos(t), r * np.sin(t)) for t in turns for r in steps], taken)


def _draw_names(
    axes: Axes, arrows: Mapping[str, np.ndarray], colours: Mapping[str, str], taken: list
) -> None:
    """Label every tip, further out or turned aside where a label would cover another or an arrow."""
    for names, vector in _groups(arrows):
        out = np.arctan2(vector[1], vector[0]) if vector.any() else np.radians(-45)
        text = axes.annotate(
            f"{' = '.join(names)} {_coordinates(vector)}",
            vector,
            (0, 0),
            textcoords="offset points",
            color=for_text(colours[names[0]]),
            weight="bold",
            annotation_clip=False,
        )
        text.set(ha="left" if np.cos(out) >= -0.3 else "right", va="center")
        turns = np.radians([0, 25, -25, 50, -50, 75, -75, 110, -110])
        settle(
            text, [(r * np.cos(out + t), r * np.sin(out + t)) for r in (10, 22, 36, 54) for t in turns], taken
        )


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


def _coordinates(vector: np.ndarray) -> str:
    return f"({short(vector[0])}, {short(vector[1])})"


def _degrees(a: np.ndarray, b: np.ndarray) -> float | None:
    """The angle between two vectors; `None` when one has no direction."""
    if not (a.any() and b.any()):
        return None
    return float(np.degrees(abs(np.arctan2(a[0] * b[1] - a[1] * b[0], a @ b))))


def _angle_words(pair: tuple[str, ...], arrows: Mapping[str, np.ndarray]) -> str:
    a, b = (arrows[name] for name in pair)
    degrees = _degrees(a, b)
    size = "no angle (a zero vector)" if degrees is None else f"angle {short(degrees)}°"
    return f"{pair[0]} and {pair[1]}: {size}, dot product {short(float(a @ b))}"


def _words(title: str, arrows: Mapping[str, np.ndarray], pair: tuple[str, ...] | None) -> str:
    groups = _groups(arrows)
    said = "; ".join(f"{' = '.join(names)} {_coordinates(vector)}" for names, vector in groups)
    same = "".join(f" {' and '.join(names)} coincide." for names, _ in groups if len(names) > 1)
    between = f" {_angle_words(pair, arrows)}." if pair else ""
    return f"{title or 'Vectors'}: arrows from the origin to {said}.{same}{between}"
