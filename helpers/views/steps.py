"""One token on its way through the nine steps of multi-head attention."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from numpy.typing import ArrayLike

from helpers.arrays import labels
from helpers.plots.nine_steps import nine_steps as picture_of
from helpers.plots.style import heading
from helpers.reference.nine_steps import STEPS, nine_steps
from helpers.views.data import cut, exact, rows_of_bits
from helpers.views.view import View


def explore_steps(
    X: ArrayLike,
    W_q: ArrayLike,
    W_k: ArrayLike,
    W_v: ArrayLike,
    W_o: ArrayLike,
    num_heads: int,
    allowed: ArrayLike | None = None,
    tokens: Sequence[Any] | None = None,
    *,
    title: str = "Nine steps",
) -> View:
    """What goes in, the line of code and what comes out, for each step, token and head.

    Args:
        X: `(n, d_model)`, at most 16 of each: numbers one can follow.
        W_q: `(d_model, d_model)`.
        W_k: the same.
        W_v: the same.
        W_o: the same.
        num_heads: h, which divides d_model.
        allowed: boolean, broadcasts to `(h, n, n)`; `True` = may look.
        tokens: n labels.
        title: heading.

    Raises:
        ValueError: when shapes do not fit together, or there is too much to show.
    """
    title = heading(title)
    done = nine_steps(X, W_q, W_k, W_v, W_o, num_heads, allowed)
    names = labels("tokens", tokens, len(done.X), f"row of X {done.X.shape}")
    data = {
        "title": title,
        "tokens": names,
        "steps": [asdict(step) for step in STEPS],
        "d_head": done.H.shape[-1],
        "X": exact(done.X), "W": [exact(W) for W in done.W], "P": [exact(part) for part in done.P],
        "Z": exact(done.Z), "A": exact(done.A), "H": exact(done.H), "O": exact(done.output),
        "allowed": rows_of_bits(done.allowed),
    }  # fmt: skip
    picture = picture_of(X, W_q, W_k, W_v, W_o, num_heads, allowed, tokens=cut(names), title=title)
    return View("steps", data, picture)
