"""A transformer as a whole, from the tokens that come in to what comes out, with attention lit."""

from collections.abc import Sequence
from typing import Any

from helpers.arrays import labels
from helpers.plots.figure import DescribedFigure
from helpers.plots.layout import arrange, panel
from helpers.plots.style import BLOCKED, FAINT, INK, ON_CELL, PALE, PAPER, SMALL, TINTS, styled
from helpers.plots.words import listed

STEPS = {"scores": "01, 02", "scale": "03", "mask": "04", "softmax": "05", "mix": "02"}
"""The steps of attention, and the units that build them."""

_TINTS = dict(
    zip(STEPS, [TINTS["score"], TINTS["score"], BLOCKED, TINTS["weight"], TINTS["output"]], strict=True)
)

_WIDTH, _HEIGHT = 4.9, 6.7  # inches: as wide as a phone


@styled
def transformer(*, tokens: Sequence[Any], answers: Sequence[Any], title: str = "") -> DescribedFigure:
    """The parts of a transformer from top to bottom, each with the units of the course that build it.

    Args:
        tokens: what comes in.
        answers: what comes out, one for each token.
        title: heading.

    Raises:
        ValueError: when there are not as many answers as tokens.
    """
    words = labels("tokens", tokens, len(tokens), "token")
    outs = labels("answers", answers, len(words), f"token of {len(words)}")
    figure = DescribedFigure()
    axes = panel(figure, _WIDTH, _HEIGHT)
    axes.set(xlim=(0, 10), ylim=(13.6, 0))
    axes.axis("off")
    _row(axes, words, 0.2)
    _arrow(axes, 1.0, 1.5)
    _box(axes, (1.5, 2.4), "a vector for each token:\nword and position", "units 01, 02")
    _arrow(axes, 2.4, 4.2)
    axes.add_patch(_rectangle(0.1, 3.2, 9.8, 7.4, edgecolor=FAINT, facecolor="none", linestyle="--"))
    axes.text(9.6, 10.4, "a block, one of several", size=SMALL, ha="right", va="bottom")
    _attention(axes)
    _around(axes, 3.65, 7.25)
    _arrow(axes, 6.7, 6.97)
    _arrow(axes, 7.55, 8.2)
    _box(axes, (8.2, 9.1), "feed-forward:\neach token by itself", "unit 07")
    _around(axes, 7.85, 9.8)
    _arrow(axes, 9.1, 9.52)
    _arrow(axes, 10.1, 11.3)
    _box(axes, (11.3, 12.0), "an answer for each token", "unit 07")
    _arrow(axes, 12.0, 12.5)
    _row(axes, outs, 12.5)
    arrange(figure, [[axes]], title=title)
    figure.description = _words(title, words, outs)
    return figure


def _words(title: str, words: Sequence[str], outs: Sequence[str]) -> str:
    steps = listed([f"{step} (unit {units})" for step, units in STEPS.items()])
    return (
        f"{title or 'A transformer'}: from top to bottom the tokens {', '.join(words)}; "
        "a vector for each token (units 01 and 02); blocks, each with attention, lit, where tokens hear from "
        "each other, and feed-forward (unit 07), each added to what came in; "
        f"an answer for each token: {', '.join(outs)}. "
        f"The steps of attention are {steps}; unit 06 does them in several heads."
    )


def _rectangle(x: float, y: float, width: float, height: float, **look: Any) -> Any:
    from matplotlib.patches import FancyBboxPatch

    style = "round,pad=0,rounding_size=0.15"
    return FancyBboxPatch((x, y), width, height, boxstyle=style, **{"linewidth": 1.2, **look})


def _box(axes: Any, rows: tuple[float, float], text: str, units: str) -> None:
    """A part of the model, and beside it where it is built."""
    top, bottom = rows
    axes.add_patch(_rectangle(2.2, top, 5.6, bottom - top, edgecolor=INK, facecolor=PAPER))
    axes.text(5, (top + bottom) / 2, text, ha="center", va="center")
    axes.text(8.0, (top + bottom) / 2, units, size=SMALL, color=FAINT, va="center")


def _row(axes: Any, words: Sequence[str], top: float) -> None:
    width = 7.0 / len(words)
    for i, word in enumerate(words):
        left = 1.5 + i * width
        look = {"edgecolor": "none", "facecolor": PALE[0]}
        axes.add_patch(_rectangle(left + 0.1, top, width - 0.2, 0.8, **look))
        axes.text(left + width / 2, top + 0.4, word, ha="center", va="center", color=INK)


def _attention(axes: Any) -> None:
    """The part that the course is about."""
    axes.add_patch(_rectangle(0.9, 4.2, 8.3, 2.5, edgecolor=INK, facecolor=PAPER, linewidth=2.5))
    axes.text(
        5, 4.55, "attention: tokens hear from each other", weight="bold", size=SMALL, ha="center", va="center"
    )
    width = 7.9 / len(STEPS)
    for i, (step, units) in enumerate(STEPS.items()):
        left = 1.1 + i * width
        axes.add_patch(
            _rectangle(left + 0.06, 4.95, width - 0.12, 0.75, edgecolor=INK, facecolor=_TINTS[step])
        )
        ink = INK if _TINTS[step] == BLOCKED else ON_CELL
        axes.text(left + width / 2, 5.32, step, size=SMALL, ha="center", va="center", color=ink)
        axes.text(left + width / 2, 5.95, units, size=SMALL, ha="center", va="center")
    axes.text(5, 6.4, "in several heads at once: 06", size=SMALL, ha="center", va="center")


def _around(axes: Any, start: float, end: float) -> None:
    """The way around a part, and the sum in which both ways meet."""
    axes.plot([5, 0.5, 0.5, 4.72], [start, start, end, end], color=INK, linewidth=1.2)
    axes.text(5, end, "+", size=15, ha="center", va="center")
    axes.plot(5, end, "o", markersize=15, markerfacecolor="none", markeredgecolor=INK)


def _arrow(axes: Any, start: float, end: float) -> None:
    look = {"arrowstyle": "-|>", "color": INK, "shrinkA": 0, "shrinkB": 0, "linewidth": 1.2}
    axes.annotate("", (5, end), (5, start), arrowprops=look)
