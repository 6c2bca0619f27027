"""The angle between two vectors: its arc, its degrees and the dot product."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Arc
from matplotlib.transforms import Bbox

from helpers.plots.layout import along, settle
from helpers.plots.style import FONT, INK
from helpers.plots.words import short


def draw_angle(axes: Axes, a: np.ndarray, b: np.ndarray, taken: list[Bbox]) -> None:
    """Draw the arc from one vector to the other and its degrees; what they cover becomes taken."""
    degrees = _degrees(a, b)
    if degrees is None:
        return
    start, end = (np.degrees(np.arctan2(v[1], v[0])) for v in (a, b))
    if (end - start) % 360 > 180:
        start, end = end, start
    span = axes.get_xlim()[1] - axes.get_xlim()[0]
    radius = min(0.4 * min(np.linalg.norm(a), np.linalg.norm(b)), 0.18 * span)
    axes.add_patch(Arc((0, 0), 2 * radius, 2 * radius, theta1=start, theta2=end, linewidth=1.6, color=INK))
    sweep = (end - start) % 360
    rim = polar(np.full(20, radius), np.radians(start + np.linspace(0, sweep, 20)))
    taken.extend(along(axes.transData.transform(rim), 4))
    text = axes.text(0, 0, f"{short(degrees)}°", size=FONT, ha="center", va="center")
    turns = np.radians(start + sweep / 2 + np.array([0, 180]))
    places = [polar(r, turn) for turn in turns for r in radius + span * np.linspace(0.05, 0.3, 8)]
    taken.append(settle(text, places, taken))


def polar(radius: Any, turn: Any) -> np.ndarray:
    """The point at a distance and an angle from the origin, (..., 2)."""
    return np.stack([radius * np.cos(turn), radius * np.sin(turn)], axis=-1)


def _degrees(a: np.ndarray, b: np.ndarray) -> float | None:
    """The angle between two vectors; `None` when one has no direction."""
    if not (a.any() and b.any()):
        return None
    return float(np.degrees(abs(np.arctan2(a[0] * b[1] - a[1] * b[0], a @ b))))


def angle_words(pair: Sequence[str], arrows: Mapping[str, np.ndarray]) -> str:
    """The angle and the dot product of two of the vectors, in words."""
    a, b = (arrows[name] for name in pair)
    degrees = _degrees(a, b)
    size = "no angle (a zero vector)" if degrees is None else f"angle {short(degrees)}°"
    return f"{pair[0]} and {pair[1]}: {size}, dot product {short(float(a @ b))}"
