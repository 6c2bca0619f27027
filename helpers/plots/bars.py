"""Softmax as bars: the logits on the left, the weights they become on the right."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike

from helpers.arrays import array, labels, same_shape
from helpers.plots.figure import DescribedFigure
from helpers.plots.layout import arrange, between, panel
from helpers.plots.sizes import some
from helpers.plots.style import (
    BARS,
    BLOCKED,
    FAINT,
    HATCH,
    HATCH_INK,
    INK,
    MANY,
    MINUS,
    SMALL,
    styled,
)
from helpers.plots.words import Format, format_for, odd_in_words, plural

_SIDE = 2.35  # inches of a panel


@styled
def softmax_bars(
    logits: ArrayLike,
    *,
    labels: Sequence[Any] | None = None,
    title: str = "",
    weights: ArrayLike | None = None,
) -> DescribedFigure:
    """Logits and the weights that softmax makes of them, as two rows of bars with numbers.

    Args:
        logits: (n,); `-inf` is drawn as blocked.
        labels: n names; `0, 1, ...` when not given.
        title: heading.
        weights: (n,), when they come from elsewhere; otherwise the softmax of the logits.

    Raises:
        ValueError: when there are several rows, or another number of weights or labels.
    """
    x = array("logits", logits, 1)
    w = _softmax(x) if weights is None else array("weights", weights, 1)
    same_shape("weights", w, "logits", x)
    names = _names(labels, x)
    step = min(0.42, 8 / len(x))
    figure = DescribedFigure()
    panels = [panel(figure, _SIDE, step * len(x)) for _ in range(2)]
    many = len(x) > MANY
    for axes, values, name in zip(panels, (x, w), ("score", "weight"), strict=True):
        _draw_bars(axes, values, BARS[name], None if many else format_for(values))
        axes.set_title(f"{name}s", weight="bold")
        axes.set_yticks([])
    ticks = some(len(x), step)
    panels[0].set_yticks(ticks, [names[i] for i in ticks])
    panels[0].tick_params(axis="y", length=0)
    panels[0].xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
    panels[1].set_xlim(0, max(w[np.isfinite(w)].max(initial=0.0), 1) * 1.3)
    panels[1].set_xticks([0, 0.5, 1])
    panels[1].spines["bottom"].set_bounds(0, 1)
    arrange(figure, [panels], gap=0.85, title=f"{title} (numbers left out)".strip() if many else title)
    between(figure, *panels, "→", "softmax")
    figure.description = f"{title or 'Softmax'}: " + _words(names, x, w)
    return figure


def _names(given: Sequence[Any] | None, x: np.ndarray) -> list[str]:
    return labels("labels", given, len(x), f"logit {x.shape}")


def _softmax(x: np.ndarray) -> np.ndarray:
    """The softmax; all 0 when every logit is `-inf`, nan when one is nan or `inf`."""
    if np.all(x == -np.inf):
        return np.zeros_like(x)
    with np.errstate(invalid="ignore"):
        exponentials = np.exp(x - x.max())
    return exponentials / exponentials.sum()


def _draw_bars(axes: Axes, values: np.ndarray, colour: str, write: Format | None) -> None:
    finite = np.where(np.isfinite(values), values, 0.0)
    colours = [colour if value >= 0 else MINUS for value in finite]
    axes.barh(range(len(values)), finite, height=0.72, color=colours, edgecolor=INK, linewidth=0.6)
    low, high = min(finite.min(), 0), max(finite.max(), 0)
    room = 0.6 * ((high - low) or 1.0)
    blocked = bool((values == -np.inf).any())  # to the left of 0, as any number below it
    left = room if low < 0 else 0.7 * room if blocked else 0
    axes.set(ylim=(len(values) - 0.5, -0.5), xlim=(low - left, high + room))
    axes.axvline(0, color=FAINT, linewidth=1)
    axes.spines[["top", "right", "left"]].set_visible(False)
    for i, value in enumerate(values):
        if not np.isfinite(value):
            look = {"color": BLOCKED, "edgecolor": HATCH_INK, "hatch": HATCH, "linewidth": 0}
            axes.barh(i, (-0.6 if value < 0 else 0.25) * room, height=0.72, **look)
        if write:
            _draw_number(axes, i, value, write)


def _draw_number(axes: Axes, i: int, value: float, write: Format) -> None:
    """The number at the end of its bar."""
    odd = not np.isfinite(value)
    left = value < 0
    look = {"bbox": {"facecolor": BLOCKED, "linewidth": 0, "pad": 1.5}, "color": INK} if odd else {}
    axes.annotate(
        write(value),
        (0 if odd else value, i),
        (-4 if left else 4, 0),
        textcoords="offset points",
        ha="right" if left else "left",
        va="center",
        size=SMALL,
        **look,
    )


def _words(names: Sequence[str], x: np.ndarray, w: np.ndarray) -> str:
    write_x, write_w = format_for(x), format_for(w)
    pairs = [f"{name}: {write_x(a)} → {write_w(b)}" for name, a, b in zip(names, x, w, strict=True)]
    if len(x) > MANY:
        best = [pairs[i] for i in np.argsort(-np.nan_to_num(w), kind="stable")[:5]]
        return (
            f"{len(x)} scores, numbers left out. The five largest weights, score → weight: {'; '.join(best)}."
        )
    total = f" The weights sum to {write_w(w.sum())}."
    return f"score → weight for {plural(len(x), 'entry')}. {'; '.join(pairs)}.{total}{odd_in_words(x)}"
