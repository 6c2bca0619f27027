"""The shapes of attention as rectangles: equal letters are sides of equal length."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from helpers.plots.figure import DescribedFigure
from helpers.plots.layout import arrange, panel, text_width
from helpers.plots.style import FAINT, FONT, INK, PALE, PAPER, ROLES, SMALL, TINTS, for_text, role_of, styled

_PRODUCTS = (
    ("a query for each token, so n_q is n",
     (("X", "n", "d_model"), ("W_q", "d_model", "d_k"), ("Q", "n_q", "d_k"))),
    ("a score for each query and key",
     (("Q", "n_q", "d_k"), ("K.T", "d_k", "n_k"), ("scores", "n_q", "n_k"))),
    ("weights: softmax of the scores, same shape",
     (("weights", "n_q", "n_k"), ("V", "n_k", "d_v"), ("output", "n_q", "d_v"))),
)  # fmt: skip
"""What is said of a product, and its three matrices: name, letter of the rows, letter of the columns."""

_Matrix = tuple[str, str, str]
_Product = Sequence[_Matrix]

_MOST = 12  # more cells than that are too small to be counted
_WIDTH = 4.6  # inches: with the margins as wide as a phone
_CELL = 0.19  # inches at most
_SYMBOL, _LINE, _GAP = 0.4, 0.27, 0.22  # inches: round @ and =, of a line of text, between products
_OFF = 0.08  # inches from a side to its letter
_BOLD = 1.15  # how much wider bold letters are


@styled
def shapes(
    *, n_q: int = 3, n_k: int = 5, d_k: int = 4, d_v: int = 6, d_model: int = 7, title: str = ""
) -> DescribedFigure:
    """The three products of attention, one below the other, with rectangles for matrices.

    Source: Vaswani et al. 2017, "Attention Is All You Need", eq. 1 and, for `X @ W_q`, section 3.2.2.
    `X @ W_q = Q` is (n, d_model) @ (d_model, d_k) = (n_q, d_k), `Q @ K.T = scores` is
    (n_q, d_k) @ (d_k, n_k) = (n_q, n_k), and `weights @ V = output` is (n_q, n_k) @ (n_k, d_v) = (n_q, d_v).
    A cell is a number. The two sides that must be equal, and vanish, are thick.

    Args:
        n_q: queries, and tokens in X.
        n_k: keys and values.
        d_k: numbers of a query or key.
        d_v: numbers of a value.
        d_model: numbers of a token.
        title: heading.

    Raises:
        ValueError: when a size is no whole number from 1 to 12.
    """
    sizes = {"n_q": n_q, "n_k": n_k, "d_k": d_k, "d_v": d_v, "d_model": d_model}
    for letter, size in sizes.items():
        if isinstance(size, bool) or not isinstance(size, int | np.integer) or not 1 <= size <= _MOST:
            raise ValueError(f"{letter}: expected a whole number from 1 to {_MOST}; got {size!r}")
    sizes["n"] = n_q
    cell = _cell(sizes)
    heights = [_tallest(product, sizes) * cell + 3 * _LINE for _, product in _PRODUCTS]
    width = _width(sizes, cell)
    height = sum(heights) + _GAP * (len(_PRODUCTS) - 1)
    figure = DescribedFigure()
    axes = panel(figure, width, height)
    axes.set(xlim=(0, width), ylim=(height, 0))  # a unit of the axes is an inch
    axes.axis("off")
    top = 0.0
    for (said, product), tall in zip(_PRODUCTS, heights, strict=True):
        axes.text(0, top, said, size=FONT, va="top")
        _draw(axes, product, sizes, cell, top + 2 * _LINE + _tallest(product, sizes) * cell / 2)
        top += tall + _GAP
    arrange(figure, [[axes]], title=title)
    figure.description = _words(title, sizes)
    return figure


def _cell(sizes: Mapping[str, int]) -> float:
    """The largest side of a cell, in inches, with which every product fits the width."""
    return next(cell for cell in np.arange(_CELL, 0, -0.001) if _width(sizes, cell) <= _WIDTH)


def _width(sizes: Mapping[str, int], cell: float) -> float:
    """How wide the widest product is."""
    return max(
        sum(_left(matrix) + _slot(matrix, sizes, cell) for matrix in product) + _SYMBOL * (len(product) - 1)
        for _, product in _PRODUCTS
    )


def _slot(matrix: _Matrix, sizes: Mapping[str, int], cell: float) -> float:
    """The room of a rectangle, with the words above and below it when they are wider."""
    name, _, columns = matrix
    return max(sizes[columns] * cell, _BOLD * text_width(columns, SMALL), text_width(name, FONT))


def _left(matrix: _Matrix) -> float:
    """The room of the letter beside a rectangle."""
    return _BOLD * text_width(matrix[1], SMALL) + _OFF


def _tallest(product: _Product, sizes: Mapping[str, int]) -> int:
    return max(sizes[rows] for _, rows, _ in product)


def _draw(axes: Any, product: _Product, sizes: Mapping[str, int], cell: float, middle: float) -> None:
    """A product from left to right, all on one middle line."""
    left = 0.0
    for matrix, symbol, inner in zip(product, ("@", "=", ""), ("columns", "rows", ""), strict=True):
        left += _left(matrix)
        slot = _slot(matrix, sizes, cell)
        width, height = sizes[matrix[2]] * cell, sizes[matrix[1]] * cell
        _rectangle(axes, matrix[0], (left + (slot - width) / 2, middle - height / 2), (width, height), cell)
        _sides(axes, matrix, (left + (slot - width) / 2, middle - height / 2), (width, height), inner)
        left += slot + _SYMBOL
        axes.text(left - (_SYMBOL - _OFF) / 2, middle, symbol, size=15, ha="center", va="center")


def _rectangle(
    axes: Any, name: str, corner: tuple[float, float], extent: tuple[float, float], cell: float
) -> None:
    """Cells in the colour of the role, and the name below."""
    from matplotlib.patches import Rectangle

    role = role_of(name.removesuffix(".T"))
    (left, top), (width, height) = corner, extent
    bottom, right = top + height, left + width
    axes.add_patch(Rectangle(corner, width, height, facecolor=TINTS[role] if role else PALE[1]))
    inside = {"colors": PAPER, "linewidth": 1}
    axes.vlines([left + i * cell for i in range(1, round(width / cell))], top, bottom, **inside)
    axes.hlines([top + i * cell for i in range(1, round(height / cell))], left, right, **inside)
    edge = {"edgecolor": for_text(ROLES[role]) if role else FAINT, "linewidth": 1.2, "zorder": 3}
    axes.add_patch(Rectangle(corner, width, height, facecolor="none", clip_on=False, **edge))
    ink = for_text(ROLES[role]) if role else INK
    axes.text(left + width / 2, bottom + _OFF, name, size=FONT, color=ink, ha="center", va="top")


def _sides(
    axes: Any, matrix: _Matrix, corner: tuple[float, float], extent: tuple[float, float], inner: str
) -> None:
    """The letters of two sides; the inner side, which vanishes, is thick and its letter bold."""
    (left, top), (width, height) = corner, extent
    bold = {"weight": "bold"}
    beside, above = (bold if inner == side else {} for side in ("rows", "columns"))
    axes.text(left - _OFF, top + height / 2, matrix[1], size=SMALL, ha="right", va="center", **beside)
    axes.text(left + width / 2, top - _OFF, matrix[2], size=SMALL, ha="center", va="bottom", **above)
    if inner:
        end = (left + width, top) if inner == "columns" else (left, top + height)
        look = {"color": INK, "linewidth": 4, "solid_capstyle": "butt", "clip_on": False, "zorder": 4}
        axes.plot(*zip(corner, end, strict=True), **look)


def _words(title: str, sizes: Mapping[str, int]) -> str:
    said = []
    for _, product in _PRODUCTS:
        names, letters, numbers = (
            "{} @ {} = {}".format(*parts)
            for parts in (
                [name for name, *_ in product],
                [f"({rows}, {columns})" for _, rows, columns in product],
                [f"({sizes[rows]}, {sizes[columns]})" for _, rows, columns in product],
            )
        )
        said.append(f"{names} has shapes {letters}, here {numbers}; {product[0][2]} vanishes")
    return (
        f"{title or 'Shapes of attention'}: matrices as rectangles, equal letters as sides of equal length. "
        + (". ".join(said) + ".")
    )
