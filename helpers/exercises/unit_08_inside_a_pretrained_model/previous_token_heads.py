"""Exercise `previous_token_heads`: which of many heads look at the token before."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import torch

from helpers.beside.probes.previous_token_heads import probe
from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.compare import Difference
from helpers.exercises.oracle import in_torch
from helpers.exercises.unit_08_inside_a_pretrained_model.previous_token_heads_mistakes import MISTAKES

KINDS = 7


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, a mean that is the threshold itself, then many heads of every kind, none of them, all of them."""
    yield Case("two tokens, two heads, threshold 0.5", {"weights": _two_tokens(), "threshold": 0.5})
    yield Case("a head whose mean is the threshold", {"weights": _two_tokens(), "threshold": 0.25})
    yield Case("2 layers, 2 heads, five tokens, threshold 0.2", {"weights": _five_tokens(), "threshold": 0.2})
    close = _close_to_a_half()
    for threshold in (0.5, 0.49978, 0.4999999):
        yield Case(
            f"means of 0.5 and a little more or less, threshold {threshold}",
            {"weights": close, "threshold": threshold},
        )
    for width in (np.float64, np.float32):
        for layers, h in ((3, 5), (5, 2)):
            n = max(draw.sizes(2))
            weights = _heads(draw, layers, h, n, width)
            says = f"{layers} layers, {h} heads, {n} tokens, {width.__name__}"
            for share, often in ((0.35, "some"), (0.75, "few")):
                threshold = _between(weights, share)
                yield Case(
                    f"{often} heads, threshold {threshold:.3f} ({says})",
                    {"weights": weights, "threshold": threshold},
                )
    weights = _heads(draw, 2, 7, 4, np.float64)
    yield Case("a threshold that no head exceeds", {"weights": weights, "threshold": 1.0})
    yield Case("a threshold that every head exceeds", {"weights": weights, "threshold": -1.0})
    yield Case("layers = h = n = 3", _with_threshold(_heads(draw, 3, 3, 3, np.float64)))
    yield Case("one layer, one head", _with_threshold(_heads(draw, 1, 1, 5, np.float64)))


def _two_tokens() -> np.ndarray:
    """Weights on the token before: 0.75 in head 0, 0.25 in head 1."""
    return np.array([[[[0.5, 0.5], [0.75, 0.25]], [[1.0, 0.0], [0.25, 0.75]]]])


def _close_to_a_half() -> np.ndarray:
    """Means of a half and 2 to the -12, or the -22, more or less: exact in either width, and lost where rounded."""
    means = [0.5 + 2.0**-12, 0.5 - 2.0**-12, 0.5 + 2.0**-22, 0.5 - 2.0**-22]
    return np.array([[[1.0, 0.0], [mean, 1 - mean]] for mean in means]).reshape(2, 2, 2, 2)


def _five_tokens() -> np.ndarray:
    """Means of 0.24 and 0.25, then of 0.175 and 0.1875, of weights that are spread in different ways."""
    before = [[0.96, 0.0, 0.0, 0.0], [0.4, 0.3, 0.3, 0.0], [0.3, 0.05, 0.05, 0.3], [0.25, 0.25, 0.25, 0.0]]
    weights = np.stack([np.diag(one, -1) for one in before])
    weights += np.eye(5) * (1 - weights.sum(-1, keepdims=True))  # the rest on the token itself
    return weights.reshape(2, 2, 5, 5)


def _with_threshold(weights: np.ndarray) -> dict[str, Any]:
    return {"weights": weights, "threshold": _between(weights, 0.5)}


def _means(weights: np.ndarray) -> np.ndarray:
    return np.diagonal(weights, -1, -2, -1).mean(-1)


def _between(weights: np.ndarray, share: float) -> float:
    """A threshold in the widest gap near this share of the heads, so that rounding decides nothing."""
    means = np.sort(_means(weights).astype(np.float64).ravel())
    if means.size == 1:
        return float(means[0] / 2)
    at = min(max(int(share * means.size), 1), means.size - 1)
    near = range(max(at - 1, 1), min(at + 2, means.size))
    best = max(near, key=lambda i: means[i] - means[i - 1])
    return float((means[best] + means[best - 1]) / 2)


def _heads(draw: Draw, layers: int, h: int, n: int, width: type) -> np.ndarray:
    """Heads that look, more or less, before them, behind them, at themselves, at the first or the last token.

    Some look before them at one token only; some wherever.
    """
    scores = draw.normal(layers * h, n, n)
    pulls = {
        0: np.eye(n, k=-1),
        1: np.eye(n, k=1),
        2: np.eye(n),
        3: np.eye(n)[[0] * n],
        4: np.eye(n)[[-1] * n],
        5: np.eye(n, k=-1) * (np.arange(n) == n - 1)[:, None],
        6: np.zeros((n, n)),
    }
    for place, head in enumerate(draw.rng.permutation(layers * h)):
        strong = draw.rng.uniform(1.0, 5.0)
        scores[head] += strong * pulls[place % KINDS] if place % 2 else strong * pulls[0]
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return (powers / powers.sum(-1, keepdims=True)).reshape(layers, h, n, n).astype(width)


def _right(weights: torch.Tensor, threshold: float) -> torch.Tensor:
    """The weights under a stencil that is 1 on the token before, added up and divided by how many there are."""
    n = weights.shape[-1]
    stencil = torch.diag(torch.ones(n - 1, dtype=weights.dtype), -1)
    return (torch.einsum("lhij,ij->lh", weights, stencil) / (n - 1) > threshold).nonzero()


oracle = in_torch(_right)


def judge(right: np.ndarray, _args: Mapping[str, Any], got: Mapping[str, Any]) -> Difference | None:
    """The right pairs in order, in another order, or others."""
    wanted, found = ([tuple(pair) for pair in pairs.tolist()] for pairs in (right, got["array"]))
    if found == wanted:
        return None
    both = f"expected {_listed(wanted)}, got {_listed(found)}"
    if sorted(found) == wanted:
        hint = "Layers first, and within a layer the heads: 0, 1, 2, ..."
        return Difference(
            f"the heads are right, their order is not: {both}", misconception="wrong-order", hint=hint
        )
    if sorted(set(found)) == wanted:
        hint = "Is a pair appended more than once, or is something left in the list of an earlier call?"
        return Difference(f"heads come twice: {both}", hint=hint)
    return Difference(both)


def _listed(pairs: list[tuple[int, ...]]) -> str:
    shown = ", ".join(map(str, pairs[:4]))
    return f"[{shown}, ...] ({len(pairs)} in all)" if len(pairs) > 4 else f"[{shown}]"


EXERCISE = Exercise(
    name="previous_token_heads",
    cases=cases,
    oracle=oracle,
    probe=probe,
    judge=judge,
    tensors=True,
    hints=(
        "In the matrix of one head, where stand the weights of token 1 on token 0, of token 2 on token 1, and so on?",
        "They stand one place below the diagonal. Take their mean for each head, and keep the heads where it is larger.",
        "`weights[layer, head].diagonal(-1).mean()` is the mean of one head. Loop over layers, inside over heads, and append `(layer, head)`.",
    ),
    mistakes=MISTAKES,
)
