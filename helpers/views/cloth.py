"""A sentence in a model as a picture: rows of tokens, threads of attention, and all heads as small maps.

Plain functions that give SVG, for pages without a script too.  Colours are those of the page's own variables
(`--ink`, `--one` and so on) where it has them, and otherwise fit on white.
"""

import base64
import re
import struct
import zlib
from collections.abc import Sequence
from html import escape

import numpy as np

WIDE, STEP, TOP, FOOT = 330, 46, 44, 34
"""Pixels: all tokens of a row, from row to row, above the first row and below the last."""

LETTER = 7.2
"""Pixels of a letter, on average, at 13 pixels."""

LEAST, OWN_MOST, MOST = 0.035, 8, 3
"""Weights that are drawn as a thread, and how many of them for each of the two words, and for other words."""

FALL = 0.34
"""A similarity of 1 - FALL or less is drawn as two colours with nothing in common."""

TILE, BETWEEN = 23, 4
"""Pixels of a head's map and between two."""

BOTH, ONE, TWO, THREAD = (
    "var(--both,#7d53d9)", "var(--one,#0072b2)", "var(--two,#b84c00)", "var(--thread,#8a929b)",
)  # fmt: skip
_FIXED = {"both": (125, 83, 217), "one": (0, 114, 178), "two": (184, 76, 0)}
_INK, _SOFT, _PAPER = "var(--ink,#1a1a1a)", "var(--soft,#5a5a5a)", "var(--paper,#fff)"
_FONT = "font-family:system-ui,'DejaVu Sans',sans-serif"


def cloth(
    tokens: Sequence[str],
    similarities: Sequence[float],
    weights: np.ndarray,
    pair: tuple[int, int],
    beside: Sequence[float] | None = None,
    heads: tuple[str, str] = ("cosine", "right"),
    *,
    threaded: bool = True,
) -> str:
    """The sentence row by row, with the threads of each layer between its two rows.

    Args:
        tokens: n texts.
        similarities: cosine of the two words in each row, `(layers + 1,)`.
        weights: attention weights, `(layers, h, n, n)`; a thread is a mean over heads.
        pair: places of the two words.
        beside: other similarities for a second column of numbers.
        heads: what stands above the two columns.
        threaded: whether the threads are drawn; a script may draw them itself.

    Returns:
        An `<svg>` element, 430 pixels wide.
    """
    x, y, top = places(tokens, len(similarities))
    height = int(y[-1] + FOOT + (top - TOP))
    drawn = threads(np.asarray(weights, float).mean(1), tokens, pair) if threaded else ""
    parts = [f'<g class="threads">{drawn}</g>']
    dots = "".join(_dots(x, at, one, pair) for at, one in zip(y, similarities, strict=True))
    parts.append(f'<g class="dots">{dots}</g>')
    turned = top > TOP
    for place, token in enumerate(tokens):
        look = f"fill:{_INK}"
        if place in pair:
            look = f"fill:{ONE if place == pair[0] else TWO};font-weight:700"
        for at, above in ((y[0] - 14, True), (y[-1] + 24, False)):
            parts.append(_label(token, x[place], at, look, turned, above))
    parts += _numbers(similarities, y, WIDE + 30, heads[0])
    if beside is not None:
        parts += _numbers(beside, y, WIDE + 78, heads[1])
    where = " ".join(f"{one:.1f}" for one in x), " ".join(f"{one:.0f}" for one in y)
    about = f'class="cloth" data-x="{where[0]}" data-y="{where[1]}"'
    return _svg(WIDE + 100, height, about, 13, parts)


def _svg(wide: int, high: int, about: str, letters: int, parts: Sequence[str]) -> str:
    size = f'viewBox="0 0 {wide} {high}" width="{wide}" height="{high}"'
    look = f'style="font-size:{letters}px;{_FONT}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {about} {look}>{"".join(parts)}</svg>'


def places(tokens: Sequence[str], rows: int) -> tuple[list[float], list[float], int]:
    """Where the columns and the rows are, and how much room stands above: more where labels are turned."""
    longest = max(map(len, tokens))
    turned = longest * LETTER > WIDE / len(tokens)
    top = TOP + (int(min(longest, 14) * LETTER) - 10 if turned else 0)
    x = [(place + 0.5) * WIDE / len(tokens) for place in range(len(tokens))]
    return x, [float(top + STEP * row) for row in range(rows)], top


def threads(means: np.ndarray, tokens: Sequence[str], pair: tuple[int, int]) -> str:
    """Threads from each key down to the queries that look at it, `means` being `(layers, n, n)`."""
    x, y, _ = places(tokens, len(means) + 1)
    found = []
    for layer, i in np.ndindex(*means.shape[:2]):
        row, own = abs(means[layer, i]), i in pair
        for j in np.argsort(-row, kind="stable")[: OWN_MOST if own else MOST]:
            if row[j] > LEAST:
                found.append((own, layer, i, int(j), min(float(row[j]), 1.5)))
    drawn = {False: [], ONE: [], TWO: []}
    for own, layer, i, j, weight in sorted(found):
        colour = own and (ONE if i == pair[0] else TWO)
        drawn[colour].append(_thread(x[j], x[i], y[layer], bool(own), weight, tokens[j]))
    return "".join(
        f'<g fill="none" style="stroke:{colour or THREAD}">{"".join(some)}</g>'
        for colour, some in drawn.items()
    )


def _thread(start: float, end: float, top: float, own: bool, weight: float, key: str) -> str:
    wide = (9 if own else 5) * weight + 0.4
    clear = (0.9 if own else 0.45) * (0.45 if resting(key) else 1)
    down = f"M{start:.0f} {top + 5:.0f}C{start:.0f} {top + 0.55 * STEP:.0f} {end:.0f} {top + 0.45 * STEP:.0f}"
    return (
        f'<path d="{down} {end:.0f} {top + STEP - 5:.0f}" stroke-width="{wide:.1f}" opacity="{clear:.2f}"/>'
    )


def resting(token: str) -> bool:
    """Whether it is one of the two that the model puts round every text, where weight rests."""
    return token in ("[CLS]", "[SEP]")


def _dots(x: Sequence[float], y: float, similarity: float, pair: tuple[int, int]) -> str:
    return "".join(
        f'<circle cx="{at:.1f}" cy="{y:.0f}" r="{8 if place in pair else 4}" '
        f'style="{_mixed(similarity, place == pair[0]) if place in pair else f"fill:{THREAD}"}"/>'
        for place, at in enumerate(x)
    )


def _mixed(similarity: float, first: bool) -> str:
    """One colour where the two words are one, and the word's own where they are not."""
    own = min(1.0, max(0.0, (1 - similarity) / FALL))
    name = "one" if first else "two"
    rgb = [round(a + (b - a) * own) for a, b in zip(_FIXED["both"], _FIXED[name], strict=True)]
    mixed = f"color-mix(in oklab,{BOTH} {100 * (1 - own):.0f}%,{ONE if first else TWO})"
    return f"fill:rgb({','.join(map(str, rgb))});fill:{mixed}"


def _label(token: str, x: float, y: float, look: str, turned: bool, above: bool) -> str:
    text = token if len(token) <= 14 else f"{token[:13]}…"
    if not turned:
        return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="middle" style="{look}">{escape(text)}</text>'
    end = "start" if above else "end"
    turn = f"translate({x + 4:.0f} {y if above else y - 12:.0f}) rotate(-90)"
    return f'<text transform="{turn}" text-anchor="{end}" style="{look}">{escape(text)}</text>'


def _numbers(values: Sequence[float], y: Sequence[float], x: float, head: str) -> list[str]:
    look = f"fill:{_SOFT};font-size:12px"
    found = [
        f'<text x="{x:.0f}" y="{y[0] - 14:.0f}" text-anchor="middle" style="{look}">{escape(head)}</text>'
    ]
    return found + [
        f'<text x="{x:.0f}" y="{at + 4:.0f}" text-anchor="middle" style="fill:{_INK}">{value:.2f}</text>'
        for value, at in zip(values, y, strict=True)
    ]


def maps(weights: np.ndarray, effects: np.ndarray | None = None, *, top: int = 0, step: int = 0) -> str:
    """All heads as small maps, a row for each layer; below each a bar of what its absence changes.

    Args:
        weights: `(layers, h, n_q, n_k)`.
        effects: `(layers, h)`, or `None`.
        top: pixels above the first row.
        step: pixels from row to row; as close as they may stand by default.

    Returns:
        An `<svg>` element.
    """
    layers, heads = weights.shape[:2]
    step = step or TILE + BETWEEN + (6 if effects is not None else 0)
    wide, high = 16 + heads * (TILE + BETWEEN), top + 14 + layers * step
    most = max(float(abs(effects).max()), 0.01) if effects is not None else 1.0
    rows, columns = weights.shape[2:]
    picture = png(np.asarray(weights).swapaxes(1, 2).reshape(layers * rows, heads * columns))
    name = f"maps{zlib.crc32(picture.encode()):x}"
    parts, frames = [], []
    for head in range(heads):
        at = 16 + head * (TILE + BETWEEN) + TILE / 2
        parts.append(
            f'<text x="{at:.0f}" y="{top + 10}" text-anchor="middle" style="fill:{_SOFT}">{head}</text>'
        )
    for layer in range(layers):
        y = top + 14 + layer * step
        parts.append(f'<text x="0" y="{y + TILE / 2 + 4:.0f}" style="fill:{_SOFT}">{layer}</text>')
        for head in range(heads):
            x = 16 + head * (TILE + BETWEEN)
            part = f"{head * columns} {layer * rows} {columns} {rows}"
            parts.append(
                f'<svg x="{x}" y="{y}" width="{TILE}" height="{TILE}" viewBox="{part}" '
                f'preserveAspectRatio="none"><use href="#{name}"/></svg>'
            )
            frames.append(f"M{x - 0.5} {y - 0.5}h{TILE + 1}v{TILE + 1}h-{TILE + 1}z")
            if effects is not None:
                share = float(effects[layer, head]) / most
                colour = _INK if share > 0 else THREAD
                bar = f'x="{x}" y="{y + TILE + 2}" width="{TILE * abs(share):.1f}" height="4"'
                parts.append(f'<rect {bar} style="fill:{colour}"/>')
    size = f'width="{heads * columns}" height="{layers * rows}"'
    pixels = f'<image id="{name}" {size} style="image-rendering:pixelated" href="{picture}"/>'
    frame = f'<path d="{"".join(frames)}" fill="none" style="stroke:{THREAD}"/>'
    return _svg(wide, high, 'class="maps"', 11, [f"<defs>{pixels}</defs>", *parts, frame])


def shade(weight: float) -> tuple[int, int, int]:
    """The colour of a weight from 0, white, to 1, dark brown; small ones can be told from none."""
    share = min(1.0, abs(weight)) ** 0.5
    return tuple(round(255 + (dark - 255) * share) for dark in (110, 55, 0))  # type: ignore[return-value]


def png(weights: np.ndarray) -> str:
    """A matrix of weights as the address of a PNG with a pixel for each."""
    rows, columns = weights.shape
    levels = np.rint(np.clip(abs(weights), 0, 1) * 63).astype(np.uint8)
    raw = b"".join(b"\0" + row.tobytes() for row in levels)
    palette = b"".join(bytes(shade(level / 63)) for level in range(64))
    head = struct.pack(">IIBBBBB", columns, rows, 8, 3, 0, 0, 0)
    data = b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        for name, body in (
            (b"IHDR", head),
            (b"PLTE", palette),
            (b"IDAT", zlib.compress(raw, 9)),
            (b"IEND", b""),
        )
    )
    return f"data:image/png;base64,{base64.b64encode(data).decode()}"


def side_by_side(left: str, right: str, title: str) -> str:
    """Two SVG elements in one, with a heading; shrinks with the page that it stands on."""
    sizes = [
        [int(n) for n in re.search(r'width="(\d+)" height="(\d+)"', one).groups()] for one in (left, right)
    ]
    (w1, h1), (w2, h2) = sizes
    wide, high = w1 + w2 + 10, max(h1, h2) + 26
    head = f'<text x="4" y="18" style="font-size:15px;font-weight:600;fill:{_INK}">{escape(title)}</text>'
    moved = [one.replace("<svg ", f'<svg x="{x}" y="26" ', 1) for one, x in ((left, 0), (right, w1 + 6))]
    return _svg(wide, high, "", 13, [head, *moved])
