"""All heads of all layers at once, and one of them large."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from helpers.text import heading
from helpers.views import data
from helpers.views.view import View

if TYPE_CHECKING:
    from helpers.plots.figure import DescribedFigure

_NUMBERS = 60_000
"""Weights that go into one page; of more tokens the first are shown, and the others together."""


def explore_layers(
    weights: ArrayLike, tokens: Sequence[Any] | None = None, *, title: str = "All layers and heads"
) -> View:
    """Every head of every layer as a small picture; choose one to see its numbers.

    Args:
        weights: `(layers, h, n_q, n_k)`, one entry of a batch, as a model returns it.
        tokens: n_k labels of the keys, and of the queries when n_q = n_k.
        title: heading.

    Raises:
        ValueError: when the weights of a query neither add up to 1 nor are all 0, or labels are missing.
    """
    title = heading(title)
    given = data.stack("weights", weights, 4)
    most = max(8, min(data.LARGEST, int((_NUMBERS / (given.shape[0] * given.shape[1])) ** 0.5)))
    found = data.weights(given, tokens, axes=4, most=most)
    sent = {"title": title, "queries": found.queries, "keys": found.keys, "note": found.note}
    sent |= {
        "weights": data.packed(found.weights),
        "says": [[_says(head) for head in layer] for layer in given],
    }

    def picture() -> "DescribedFigure":
        from helpers.plots.overview import draw

        drawn = draw(found.weights, given, data.cut(found.queries), title)
        drawn.description += f" {found.note}" if found.note else ""
        return drawn

    return View("layers", sent, picture)


def _says(head: np.ndarray) -> str:
    """Where a head looks on average; in cross-attention no key is the token before, or itself."""
    before = head.diagonal(-1).mean() if len(head) > 1 else 0.0
    own = head.diagonal().mean()
    first = head[:, 0].mean()
    if head.shape[0] != head.shape[1]:
        return f"mean weight: {first:.2f} on the first key"
    return f"mean weight: {before:.2f} on the token before, {own:.2f} on itself, {first:.2f} on the first"
