"""One token on its way through the nine steps of multi-head attention."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from helpers.arrays import labels
from helpers.plots.cells import Grid, draw_grid
from helpers.plots.figure import DescribedFigure
from helpers.plots.layout import arrange
from helpers.plots.style import INK, PALE, SMALL, TINTS, styled
from helpers.plots.words import format_for, rows_in_words
from helpers.reference.nine_steps import STEPS, NineSteps
from helpers.reference.nine_steps import nine_steps as run


@styled
def nine_steps(
    X: ArrayLike,
    W_q: ArrayLike,
    W_k: ArrayLike,
    W_v: ArrayLike,
    W_o: ArrayLike,
    num_heads: int,
    allowed: ArrayLike | None = None,
    *,
    token: int = -1,
    head: int = 0,
    tokens: Sequence[Any] | None = None,
    title: str = "",
) -> DescribedFigure:
    """The numbers of one token after each step, three steps in a row.

    Args:
        X: (n, d_model).
        W_q: (d_model, d_model).
        W_k: the same.
        W_v: the same.
        W_o: the same.
        num_heads: h, which divides d_model.
        allowed: booleans that broadcast against (h, n, n), `True` = may look.
        token: the place of the token to follow; -1 for the last.
        head: the head to follow from step 4 to 8.
        tokens: n labels.
        title: heading.

    Raises:
        ValueError: when the shapes do not fit together, or there is no such token or head.
    """
    done = run(X, W_q, W_k, W_v, W_o, num_heads, allowed)
    names = labels("tokens", tokens, len(done.X), f"row of X {done.X.shape}")
    for what, place, count in (("token", token, len(names)), ("head", head, num_heads)):
        if not isinstance(place, int | np.integer) or not -count <= place < count:
            raise ValueError(f"{what}: expected a place from 0 to {count - 1}; got {place!r}")
    token, head = token % len(names), head % num_heads
    parts = _parts(done, token, head, names)
    figure = DescribedFigure()
    panels = [draw_grid(figure, grid, bar=False) for grid in parts]
    for step, axes in zip(STEPS, panels, strict=True):
        axes.text(
            0, -0.12, step.code, size=SMALL, color=INK, family="monospace", ha="left", va="top",
            transform=axes.transAxes,
        )  # fmt: skip
    arrange(figure, [panels[i : i + 2] for i in range(0, 9, 2)], gap=0.5, title=title)
    said = "; ".join(
        f"{grid.title}{_which(grid, head)}: {rows_in_words(grid.matrix, grid.rows, format_for(grid.matrix))}"
        for grid in parts
    )
    figure.description = f"{title or 'Nine steps'}: token {token}, {names[token]}, in head {head}. {said}."
    return figure


def _which(grid: Grid, head: int) -> str:
    """What the columns of the weights are."""
    return f" (the columns of W_q, W_k and W_v for head {head})" if grid.title.startswith("2 ") else ""


def _parts(done: NineSteps, i: int, h: int, names: Sequence[str]) -> list[Grid]:
    d = done.H.shape[-1]
    own = [part[i] for part in done.P]
    columns = slice(h * d, (h + 1) * d)
    blocked = ~done.allowed[h, i][None]
    weights = np.hstack([W[:, columns] for W in done.W[:3]])
    shown = [
        (done.X[i][None], ["x"], PALE[2], None),
        (weights, [str(row) for row in range(len(weights))], PALE[2], None),
        (np.array(own), ["query", "key", "value"], PALE[2], None),
        (np.array([part[columns] for part in own]), ["query", "key", "value"], PALE[2], None),
        (done.Z[h, i][None], ["Z"], "scores", None),
        (done.masked[h, i][None], ["masked"], "scores", blocked),
        (done.A[h, i][None], ["A"], "weights", blocked),
        (done.H[:, i], [f"head {head}" for head in range(len(done.H))], TINTS["output"], None),
        (
            np.array([np.hstack(list(done.H[:, i])), done.output[i]]),
            ["heads", "output"],
            TINTS["output"],
            None,
        ),
    ]
    grids = []
    for number, (matrix, rows, kind, hatch) in enumerate(shown):
        keys = names if number in (4, 5, 6) else ("q", "k", "v") if number == 1 else ()
        keys = [name for name in keys for _ in range(d)] if number == 1 else keys
        grids.append(
            Grid(
                matrix,
                format_for(matrix),
                rows,
                keys,
                kind=kind,
                blocked=hatch,
                title=f"{number + 1} {STEPS[number].name}",
                column_label="key" if number in (4, 5, 6) else "",
            )
        )
    return grids
