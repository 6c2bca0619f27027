"""Exercise `silence_head`: weights with which one head gives nothing, or its mean."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

from helpers.beside.probes.layer_weights import KEYS
from helpers.beside.probes.silence_head import OUTPUT, WEIGHTS, probe
from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.oracle import in_torch
from helpers.exercises.unit_08_inside_a_pretrained_model.silence_head_mistakes import MISTAKES


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, every place among the heads in both widths, one head, heads one wide, a square, zeros, masks."""
    yield Case("head 0 of 2, no mean, by hand", _by_hand(0))
    yield Case("head 1 of 2, a mean of 5, by hand", {**_by_hand(1), "mean": np.array([5.0])})
    for width, order in ((np.float64, -1), (np.float32, 1)):
        h, d_head = sorted(draw.sizes(4))[1:3][::order]
        for head in (0, h // 2, h - 1):
            for mean in ("no mean", "a mean"):
                yield _case(draw, "", 2, 4, h, d_head, head, mean, width=width)
    yield _case(draw, "", 2, 3, 1, 5, 0, "no mean")
    yield _case(draw, "", 2, 3, 1, 5, 0, "a mean")
    yield _case(draw, "", 2, 3, 5, 1, 2, "no mean")
    yield _case(draw, "", 2, 3, 5, 1, 2, "a mean")
    yield _case(draw, "", 2, 4, 3, 2, 1, "mean left out")
    yield _case(draw, "", 2, 4, 3, 2, 1, "a mean of zeros")
    yield _case(draw, "", 3, 3, 3, 3, 1, "a mean")
    padded = np.array([[True] * 5, [True] * 2 + [False] * 3])[:, None, None]
    yield _case(draw, "padding, ", 2, 5, 3, 2, 2, "a mean", padded)
    yield _case(draw, "a mask, ", 2, 5, 2, 3, 1, "no mean", draw.mask(5, 5))
    blocked = draw.mask(5, 5)
    blocked[1] = False
    yield _case(draw, "a query with no allowed key, ", 2, 5, 2, 3, 0, "no mean", blocked)
    yield _case(draw, "a query with no allowed key, ", 2, 5, 2, 3, 0, "a mean", blocked)
    yield _case(draw, "a mask that allows nothing, ", 1, 3, 3, 2, 1, "a mean", np.zeros(3, bool))


def _by_hand(head: int) -> dict[str, Any]:
    """One token, which gets its own values: head 0 gives 1 + 10, head 1 gives 2 + 20."""
    args: dict[str, Any] = {"x": np.array([[[1.0, 2.0]]])}
    biases = {"q": [0.0, 0.0], "k": [0.0, 0.0], "v": [10.0, 20.0], "o": [100.0, 200.0]}
    for part, bias in biases.items():
        args |= {f"W_{part}": np.eye(2), f"b_{part}": np.array(bias)}
    args["W_o"] = np.array([[1.0, 2.0], [3.0, 4.0]])
    return {**args, "allowed": np.array([True]), "head": head, "num_heads": 2}


def _case(
    draw: Draw,
    before: str,
    b: int,
    n: int,
    h: int,
    d_head: int,
    head: int,
    mean: str,
    allowed: np.ndarray | None = None,
    width: type = np.float64,
) -> Case:
    d = h * d_head
    args: dict[str, Any] = {"x": draw.normal(b, n, d, dtype=width, scale=1.5)}
    for key in KEYS:
        is_bias = key.startswith("b_")
        args[key] = draw.normal(*([d] if is_bias else [d, d]), dtype=width, scale=1.0 if is_bias else d**-0.5)
    args |= {"allowed": np.ones(n, bool) if allowed is None else allowed, "head": head, "num_heads": h}
    number = draw.normal(d_head, dtype=width, scale=2.0)
    if mean != "mean left out":
        args["mean"] = {"no mean": None, "a mean": number, "a mean of zeros": 0 * number}[mean]
    return Case(f"{before}head {head} of {h}, {d_head} wide, {mean}, {width.__name__}", args)


def _oracle(x: torch.Tensor, *rest: Any) -> dict[str, torch.Tensor]:
    """Attention head by head: b_o and what every head adds, the silent one what it is to give."""
    *eight, allowed, silent, h = rest[:11]
    mean = rest[11] if len(rest) > 11 else None
    given = dict(zip(KEYS, eight, strict=True))
    n, wide = x.shape[1], x.shape[2] // h
    mask = allowed.expand(*torch.broadcast_shapes(allowed.shape, (len(x), 1, n, n)))[:, 0]
    output, weights = given["b_o"].expand(x.shape), []
    for head in range(h):
        own = slice(head * wide, (head + 1) * wide)
        Q, K, V = (F.linear(x, given[f"W_{one}"][:, own].T, given[f"b_{one}"][own]) for one in "qkv")
        # PyTorch returns no weights; but what comes of the identity in place of the values are the weights
        one_hot = torch.eye(n, dtype=x.dtype).expand(len(x), n, n)
        gives, looks = (F.scaled_dot_product_attention(Q, K, one, attn_mask=mask) for one in (V, one_hot))
        if head == silent:
            gives = torch.zeros_like(gives) if mean is None else mean.expand_as(gives)
        output = output + F.linear(gives, given["W_o"][own].T)
        weights.append(looks)
    return output, torch.stack(weights, 1)


def oracle(*args: Any) -> dict[str, np.ndarray]:
    """What `bert_attention` should give with the weights that come back."""
    return dict(zip((OUTPUT, WEIGHTS), in_torch(_oracle)(*args), strict=True))


EXERCISE = Exercise(
    name="silence_head",
    cases=cases,
    oracle=oracle,
    probe=probe,
    tensors=True,
    axes={OUTPUT: ("token", "feature"), WEIGHTS: ("query", "key")},
    hints=(
        "The output is a sum over heads (unit 06). Through which rows of `W_o` does this head reach it?",
        "Where these rows are 0, the head adds nothing. What would it add if it gave `mean` for every token, and which entry adds the same to every token?",
        "Set rows head * d_head to (head + 1) * d_head to 0 in a `clone` of W_o. With a mean, add `mean` times these rows, as they were, to b_o. Return a new dict.",
    ),
    mistakes=MISTAKES,
)
