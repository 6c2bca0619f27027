"""The hidden attentions that a leak detector of unit 04 meets: causal ones and leaking ones.

What goes in comes out as waves, so that a change of any size shows, and shows clearly: wrong detectors
then differ in what they overlook, not in luck.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

Attend = Callable[[np.ndarray], np.ndarray]

CAUSAL = (
    "causal",
    "causal, two layers",
    "causal, a plain average of the past",
    "causal but for rounding",
    "each token sees only itself",
    "each token sees only the one before it",
    "every row sees token 0 alone",
    "nothing is looked at",
)

AFTER_THE_SOFTMAX = "the mask comes after the softmax"

SMALLER, LARGER = "each new input makes all outputs smaller", "each new input makes all outputs larger"
"""Two inputs never give the same, and which is asked for later says in which direction they differ: who looks
for one direction alone is wrong in one of them, whatever numbers are drawn."""

WITHOUT_LEVEL_AND_SCALE = "no mask, tokens normalised without eps"

PREPARED: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "no mask, tokens normalised with an eps": lambda X: _normalised(X, 1e-5),
    WITHOUT_LEVEL_AND_SCALE: lambda X: _normalised(X, 0),
    "no mask, tokens divided by their length": lambda X: _divided(X, (X**2).sum(1, keepdims=True) ** 0.5),
    "no mask, tokens without their signs": np.abs,
}
"""What is done to each token by itself before it is looked at: a change that this undoes shows no leak."""

VISIBLE: dict[str, Callable[[int], np.ndarray]] = {
    "no mask": lambda n: np.ones((n, n), bool),
    "the mask is off by one": lambda n: np.tri(n, k=1, dtype=bool),
    "the mask is transposed": lambda n: np.tri(n, dtype=bool).T,
    "each token sees the token two ahead": lambda n: np.tri(n, dtype=bool) | np.eye(n, k=2, dtype=bool),
}


@dataclass(frozen=True)
class _Leak:
    """One way for a later token to get into earlier rows.

    Attributes:
        rows: the rows it gets into, from and to.
        token: the token that leaks, or `None` for one in the middle.
        reads: the features of the token that leak, from and to.
        writes: the outputs they get into, from and to.
    """

    rows: tuple[int | None, int | None] = (0, -1)
    token: int | None = -1
    reads: tuple[int | None, int | None] = (None, None)
    writes: tuple[int | None, int | None] = (None, None)


LEAKS: dict[str, _Leak] = {
    "a token in the middle leaks": _Leak(token=None),
    "the last token leaks into row 0": _Leak(rows=(0, 1)),
    "token 1 leaks into row 0": _Leak(rows=(0, 1), token=1),
    "token 2 leaks into row 1": _Leak(rows=(1, 2), token=2),
    "the last token leaks into row 1": _Leak(rows=(1, 2)),
    "the last token leaks into the row before it": _Leak(rows=(-2, -1)),
    "the first feature of the last token leaks": _Leak(reads=(0, 1)),
    "the last feature of the last token leaks": _Leak(reads=(-1, None)),
    "the last token leaks into the first output": _Leak(writes=(0, 1)),
    "the last token leaks into the second output": _Leak(writes=(1, 2)),
    "the last token leaks into the last output": _Leak(writes=(-1, None)),
}

SPECIAL: dict[str, Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]] = {
    "the last token leaks, in outputs that cancel": lambda X, out, W: _cancel_outputs(X, out, W),
    "the last token leaks, in rows that cancel": lambda X, out, W: _cancel_rows(X, out, W),
    "the last token turns row 0": lambda X, out, W: _turn(X, out, W),
    "the last token makes earlier rows smaller": lambda X, out, W: _before_last(out, _rising(X[-1], -10)),
    "the last token makes earlier rows larger": lambda X, out, W: _before_last(out, _rising(X[-1], 10)),
    "token 1 makes row 0 smaller": lambda X, out, W: _in_row_0(out, _rising(X[1], -10)),
    "token 1 makes row 0 larger": lambda X, out, W: _in_row_0(out, _rising(X[1], 10)),
    # by 6e-5 at most: less than a tolerance of 1e-4, far more than rounding
    "the last token leaks, faintly": lambda X, out, W: _faint(X, out, W, 3e-5, 1),
    "the last token leaks, faintly but steeply": lambda X, out, W: _faint(X, out, W, 3e-5, 1e9),
    # by 8e-9 at most: less than `np.allclose` lets pass, a thousand times what rounding is
    "the last token leaks, very faintly": lambda X, out, W: _faint(X, out, W, 4e-9, 1e6),
    "causal but for rounding": lambda X, out, W: _before_last(out, 1e-13 * np.sin(1e3 * (X[-1] @ W))),
}

KINDS = (
    *CAUSAL,
    AFTER_THE_SOFTMAX,
    *PREPARED,
    *LEAKS,
    *(kind for kind in (*VISIBLE, *SPECIAL) if kind not in CAUSAL),
)


def leaks(kind: str, n: int) -> bool:
    """Whether a kind of attention leaks; alone, a token has no future."""
    return kind not in CAUSAL and n > 1


def build(kind: str, n: int, d: int, seed: int) -> Attend:
    """A hidden attention: `(n, d)` in, one more or one less feature out, deterministic; it never changes its input.

    It remembers what it was asked: the known wrong detectors ask the same again and again.
    """
    if kind in (SMALLER, LARGER):
        return _counting(n, d + 1, -1.0 if kind == SMALLER else 1.0)
    return _kept(kind, n, d, seed)


def _counting(n: int, d_out: int, step: float) -> Attend:
    """One whose outputs go one step on with each new input; the same input gives the same again."""
    asked: dict[bytes, int] = {}

    def attend(X: np.ndarray) -> np.ndarray:
        place = asked.setdefault(np.array(X, dtype=np.float64).tobytes(), len(asked))
        return np.ones((n, d_out)) + step * place

    return attend


@lru_cache(maxsize=100)
def _kept(kind: str, n: int, d: int, seed: int) -> Attend:
    rng = np.random.default_rng(seed)
    wide = any(word in kind for word in ("output", "turns", "faintly"))
    fewer = d > 2 and seed % 2 and not wide
    d_out = d - 1 if fewer else d + 1
    weights = rng.standard_normal((4, d, d_out))
    again = rng.standard_normal((2, d_out, d_out))
    middle = int(rng.integers(2, n - 1)) if n > 3 else n - 1
    visible = VISIBLE.get("no mask" if kind in PREPARED else kind, _past)(n)
    prepared = PREPARED.get(kind, lambda X: X)

    def compute(X: np.ndarray) -> np.ndarray:
        X = prepared(X)
        values = _both_ways(_wave(_exactly(X, weights[2]), 3))
        if kind == "nothing is looked at":
            return np.ones((n, d_out))
        if kind == "each token sees only itself":
            return values
        if kind == "each token sees only the one before it":
            return np.concatenate([np.ones((1, d_out)), values[:-1]])
        if kind == "every row sees token 0 alone":
            return np.repeat(values[:1], n, axis=0)
        if kind == "causal, a plain average of the past":
            return _past(n) @ values / np.arange(1, n + 1)[:, None]
        if kind == AFTER_THE_SOFTMAX:
            return np.where(visible, _shares_of_all(X, *weights[:2]), 0) @ values
        out = _shares(X, visible, *weights[:2]) @ values
        if kind == "causal, two layers":
            return _shares(out, visible, *again) @ out
        if n == 1:
            return out
        if kind in LEAKS:
            return _leak(LEAKS[kind], X, out, weights[3], middle)
        return SPECIAL[kind](X, out, weights[3]) if kind in SPECIAL else out

    @lru_cache(maxsize=400)
    def remembered(numbers: bytes) -> np.ndarray:
        with np.errstate(all="ignore"):
            return compute(np.frombuffer(numbers).reshape(n, d))

    return lambda X: remembered(np.array(X, dtype=np.float64).tobytes()).copy()


def _past(n: int) -> np.ndarray:
    return np.tri(n, dtype=bool)


def _divided(X: np.ndarray, by: np.ndarray) -> np.ndarray:
    """`X / by`, 0 where `by` is 0, and so rounded that what a change leaves alone comes out alike to the last digit."""
    return np.round(np.divide(X, by, out=np.zeros_like(X), where=by > 0), 7)


def _normalised(X: np.ndarray, eps: float) -> np.ndarray:
    """As `torch.nn.LayerNorm` at its start."""
    centred = X - X.mean(1, keepdims=True)
    spread = np.sqrt(centred.var(1, keepdims=True) + eps)
    return _divided(centred, np.where(spread > 1e-12 * np.abs(X).max(1, keepdims=True), spread, 0))


def _exactly(X: np.ndarray, W: np.ndarray) -> np.ndarray:
    """`X @ W`, summed in the same order wherever the arrays lie in memory: a wave shows the last digit."""
    return (X[:, :, None] * W).sum(axis=1)


def _wave(x: np.ndarray, height: float) -> np.ndarray:
    """Steep, so that a small change shows; of limited height, so that a large one does not drown the rest."""
    return height * np.sin(1e6 * x)


def _shares(X: np.ndarray, visible: np.ndarray, W_q: np.ndarray, W_k: np.ndarray) -> np.ndarray:
    """Attention weights; those of hidden tokens are exactly 0.

    Scores have a limit: with large inputs too each visible token keeps a share, and can be found.
    """
    powers = np.exp(np.where(visible, np.tanh((X @ W_q) @ (X @ W_k).T), -np.inf))
    return powers / powers.sum(axis=1, keepdims=True)


def _shares_of_all(X: np.ndarray, W_q: np.ndarray, W_k: np.ndarray) -> np.ndarray:
    """Attention weights of all tokens, from scores that are waves.

    Hide some of them afterwards, and these still count in the sum that divides the others.  A token of zeros
    scores 0 with every other one, and hides that.
    """
    powers = np.exp(_wave((X @ W_q) @ (X @ W_k).T, 2))
    return powers / powers.sum(axis=1, keepdims=True)


def _leak(leak: _Leak, X: np.ndarray, out: np.ndarray, W: np.ndarray, middle: int) -> np.ndarray:
    token = middle if leak.token is None else leak.token
    rows = slice(0, middle) if leak.token is None else slice(*leak.rows)
    reads, writes = slice(*leak.reads), slice(*leak.writes)
    extra = np.zeros_like(out)
    extra[rows, writes] = _wave(X[token, reads] @ W[reads, writes], 30)
    if leak.writes == (None, None):
        extra = _both_ways(extra)
    else:
        extra *= _UP_AND_DOWN[: len(out), None]
    return out + extra


_UP_AND_DOWN = np.array([(-1) ** i * (i + 1) for i in range(50)])
"""Factors for the rows: some grow where others shrink, and no sum of the first ones is 0."""


def _both_ways(extra: np.ndarray) -> np.ndarray:
    """The last output shrinks where the first one grows, so that no leak has a single sign by chance."""
    extra[..., -1] = -2 * extra[..., 0]
    return extra


def _faint(X: np.ndarray, out: np.ndarray, W: np.ndarray, height: float, steep: float) -> np.ndarray:
    """The last token in a faint wave on rows of 0.1 and -0.1: a relative tolerance has something to work on.

    The first output and the last one stay, and neither outputs nor rows add up to more than one of them: what
    looks at one output, at all at once or at sums overlooks this whatever numbers are drawn.
    """
    extra = np.zeros(out.shape[1])
    wave = height * np.sin(steep * (X[-1] @ W[:, 1:-1:2]))
    extra[1:-1:2], extra[2:-1:2] = wave, -wave[: len(extra[2:-1:2])]
    signs = (-1.0) ** np.arange(max(out.shape))
    return _before_last(np.full_like(out, 0.1) * signs[: out.shape[1]], signs[: len(out) - 1, None] * extra)


def _before_last(out: np.ndarray, extra: np.ndarray | float) -> np.ndarray:
    return np.concatenate([out[:-1] + extra, out[-1:]])


def _in_row_0(out: np.ndarray, extra: np.ndarray | float) -> np.ndarray:
    return np.concatenate([out[:1] + extra, out[1:]])


def _rising(token: np.ndarray, slope: float) -> float:
    """The larger the features of the token, the larger, or the smaller for a negative slope.

    A small wave on top shows the small changes.
    """
    return slope * np.arcsinh(token).sum() + _wave(token.sum(), 0.01)


def _cancel_outputs(X: np.ndarray, out: np.ndarray, W: np.ndarray) -> np.ndarray:
    extra = np.zeros_like(out)
    extra[0, 0] = _wave(X[-1] @ W[:, 0], 30)
    extra[0, 1] = -extra[0, 0]
    return out + extra


def _cancel_rows(X: np.ndarray, out: np.ndarray, W: np.ndarray) -> np.ndarray:
    extra = np.zeros_like(out)
    extra[0] = _both_ways(_wave(X[-1] @ W, 30))
    extra[1] = -extra[0]
    return out + extra


def _turn(X: np.ndarray, out: np.ndarray, W: np.ndarray) -> np.ndarray:
    """Row 0 keeps its length, and its direction depends on the last token."""
    angle = np.mod(1e6 * (X[-1] @ W[:, 0]), 2 * np.pi)
    turned = np.zeros_like(out)
    turned[0, :3] = 30 * np.cos(angle + np.array([0, 2, 4]) * np.pi / 3)
    return np.concatenate([turned[:1], out[1:]])
