"""Small pictures of the course's own numbers: one for each unit's card, one for links to the site."""

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
from matplotlib.patches import Rectangle

from helpers import example, reference
from helpers.plots.dark import in_the_dark
from helpers.plots.figure import DescribedFigure
from helpers.plots.style import HATCH_INK, INK, KEY, OUTPUT, QUERY, VALUE
from helpers.pretrained import dog_sentence

WIDTH, HEIGHT = 160, 96
LINK = "link.png"
"""The picture that others show beside a link to the site: 1200 by 630, as they expect."""

_SAID = "Build it yourself. Every wrong\nanswer is told which mistake it is."


def names_of(unit: str) -> tuple[str, str]:
    """The files of a unit's picture: for the light, and for the dark."""
    return f"unit_{unit[:2]}.svg", f"unit_{unit[:2]}_dark.svg"


def _cells(
    matrix: np.ndarray, x: float, y: float, side: float, colour: str, blocked: np.ndarray | None = None
) -> str:
    """A matrix as squares: the larger a number, the stronger; what is blocked is a frame."""
    strongest = np.abs(matrix[np.isfinite(matrix)]).max() or 1
    parts = []
    for (i, j), value in np.ndenumerate(matrix):
        at = f'x="{x + j * side:g}" y="{y + i * side:g}" width="{side - 2:g}" height="{side - 2:g}" rx="1.5"'
        if blocked is not None and blocked[i, j]:
            parts.append(f'<rect {at} fill="none" stroke="{HATCH_INK}" stroke-dasharray="2 2"/>')
        else:
            strength = 0.1 + 0.9 * abs(value) / strongest
            parts.append(f'<rect {at} fill="{colour}" fill-opacity="{strength:.2f}"/>')
    return "".join(parts)


def _middle(columns: int, rows: int, side: float) -> tuple[float, float]:
    return (WIDTH - columns * side + 2) / 2, (HEIGHT - rows * side + 2) / 2


def _alone(matrix: np.ndarray, colour: str, blocked: np.ndarray | None = None, side: float = 20) -> str:
    return _cells(matrix, *_middle(matrix.shape[1], matrix.shape[0], side), side, colour, blocked)


def _side_by_side(matrices: Iterable[np.ndarray], colours: Iterable[str], side: float, gap: float) -> str:
    given = list(matrices)
    x = (WIDTH - sum(one.shape[1] * side for one in given) - gap * (len(given) - 1) + 2) / 2
    parts = []
    for one, colour in zip(given, colours, strict=True):
        parts.append(_cells(one, x, (HEIGHT - one.shape[0] * side + 2) / 2, side, colour))
        x += one.shape[1] * side + gap
    return "".join(parts)


def _weights() -> tuple[np.ndarray, np.ndarray]:
    Q, K, _ = reference.queries_keys_values(example.X, example.W_Q, example.W_K, example.W_V)
    allowed = reference.causal_mask(4)
    return reference.masked_softmax(reference.scaled_scores(Q, K), allowed), allowed


def _start() -> str:
    x = np.arange(1.0, 5.0)[:, None]
    arrow = '<path d="M73 48 H87 M82 43 L87 48 L82 53" fill="none" stroke="#767676" stroke-width="2"/>'
    return _side_by_side([x, reference.double(x)], ["#767676", QUERY], 20, 40) + arrow


def _arrows() -> str:
    def line(x: float, y: float, colour: str) -> str:
        return (
            f'<path d="M40 80 L{x} {y}" stroke="{colour}" stroke-width="4" stroke-linecap="round"/>'
            f'<circle cx="{x}" cy="{y}" r="6" fill="{colour}"/>'
        )

    fallen = '<path d="M78 22 L92 59" stroke="#767676" stroke-width="2" stroke-dasharray="4 4"/>'
    return line(124, 45, QUERY) + line(78, 22, KEY) + fallen


def _three() -> str:
    return _side_by_side(
        reference.queries_keys_values(example.X, example.W_Q, example.W_K, example.W_V),
        [QUERY, KEY, VALUE],
        11,
        10,
    )


def _spread() -> str:
    """Scores before the division and after it: bells of one area."""
    x = np.linspace(-3, 3, 61)

    def bell(width: float, colour: str, strength: float) -> str:
        y = 0.5 / width * np.exp(-((x / width) ** 2) / 2)
        points = " ".join(f"{80 + 25 * a:.1f},{84 - 70 * b:.1f}" for a, b in zip(x, y, strict=True))
        look = f'fill="{colour}" fill-opacity="{strength}" stroke="{colour}" stroke-width="2.5"'
        return f'<polygon points="{points}" {look}/>'

    return bell(1.2, "#767676", 0.15) + bell(0.5, QUERY, 0.3)


def _mask() -> str:
    allowed = reference.causal_mask(5)
    return _alone(allowed.astype(float), QUERY, ~allowed, 18)


def _shares() -> str:
    weights, allowed = _weights()
    return _alone(weights, QUERY, ~allowed)


def _heads() -> str:
    X = np.stack([example.X, example.X[::-1]])
    scores = [X[h] @ X[h].T for h in range(2)]
    return _side_by_side([reference.softmax(one) for one in scores], [QUERY, VALUE], 17, 12)


def _block() -> str:
    """Attention and a layer, with the sums around them."""
    boxes = "".join(
        f'<rect x="{x}" y="30" width="34" height="36" rx="5" fill="{colour}" fill-opacity="0.85"/>'
        for x, colour in ((34, QUERY), (94, OUTPUT))
    )
    paths = "M8 48 H34 M68 48 H94 M128 48 H152 M20 48 V14 H80 V48 M84 48 V14 H140 V48"
    return f'<path d="{paths}" fill="none" stroke="#767676" stroke-width="2.5"/>{boxes}'


def _layers() -> str:
    """How much each of the 72 heads looks at the token before: real weights."""
    weights = np.asarray(dog_sentence().weights)
    before = np.diagonal(weights, -1, -2, -1).mean(axis=-1)
    return _alone(before, QUERY, side=12.5)


def _window() -> str:
    allowed = np.asarray(reference.sliding_window_mask(7, 3))
    return _alone(allowed.astype(float), VALUE, ~allowed, 13)


DRAWN: dict[str, Callable[[], str]] = {
    "00_start_here": _start,
    "01_dot_product": _arrows,
    "02_queries_keys_values": _three,
    "03_scaling": _spread,
    "04_masking": _mask,
    "05_softmax": _shares,
    "06_multi_head_attention": _heads,
    "07_train_a_transformer": _block,
    "08_inside_a_pretrained_model": _layers,
    "09_efficient_attention": _window,
}


def write(folder: Path) -> None:
    """Draw them all."""
    folder.mkdir(parents=True, exist_ok=True)
    for unit, draw in DRAWN.items():
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">'
        light = f"{head}{draw()}</svg>\n"
        for name, picture in zip(names_of(unit), (light, in_the_dark(light)), strict=True):
            (folder / name).write_text(picture, "utf-8")
    _link(folder / LINK)


def _link(path: Path) -> None:
    """The causal weights of the course's sentence, beside its name."""
    weights, allowed = _weights()
    figure = DescribedFigure(figsize=(12, 6.3), dpi=100)
    axes = figure.add_axes((0.6, 0.16, 0.34, 0.34 * 12 / 6.3))
    axes.axis("off")
    for (i, j), value in np.ndenumerate(weights):
        look = {"facecolor": QUERY, "alpha": 0.1 + 0.9 * value} if allowed[i, j] else {"facecolor": "#eeeeee"}
        axes.add_patch(Rectangle((j, i), 0.94, 0.94, **look))
        if allowed[i, j]:
            ink = "white" if value > 0.45 else INK
            axes.text(j + 0.47, i + 0.47, f"{value:.2f}", ha="center", va="center", size=24, color=ink)
    axes.set(xlim=(0, 4), ylim=(4, 0))
    for i, token in enumerate(example.TOKENS):
        axes.text(-0.15, i + 0.47, token, ha="right", va="center", size=26, color=INK)
    figure.text(0.06, 0.62, "Attention,\nstep by step", size=52, weight="bold", color=INK, va="center")
    figure.text(0.06, 0.3, _SAID, size=24, color=INK)
    figure.savefig(path, dpi=100)
