"""Exercise `bert_attention`: multi-head attention with biases, as a BERT does it in every layer."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

from helpers.beside.probes.bert_attention import probe
from helpers.beside.probes.layer_weights import KEYS
from helpers.exercises.base import Case, Draw, Exercise, Woven
from helpers.exercises.begins import HEADS, of_heads
from helpers.exercises.oracle import in_torch
from helpers.exercises.unit_08_inside_a_pretrained_model.bert_attention_mistakes import MISTAKES


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, then random with all sizes different, masks of every shape, blocked rows, one head, square, huge, far below 0."""
    yield Case("one token, one head, all weights the identity", _by_hand())
    between = np.array([[True, False], [True, True]])
    yield _case(draw, "B = n = 2 and a mask of shape (2, 2)", 2, 2, 3, 2, between)
    yield _case(draw, "two tokens and two heads of width 2", 1, 2, 2, 2, np.ones((2, 2), bool))
    for width in (np.float64, np.float32):
        b, n, h, d_head = draw.sizes(4)
        says = f"B = {b}, n = {n}, {h} heads of width {d_head}, {width.__name__}"
        lengths = draw.rng.integers(1, n, b)
        lengths[0] = n
        padded = np.arange(n) < lengths[:, None]
        sizes = (b, n, h, d_head)
        yield _case(draw, f"nothing masked ({says})", *sizes, np.ones((b, 1, 1, n), bool), width)
        yield _case(draw, f"padding of shape ({b}, 1, 1, {n}) ({says})", *sizes, padded[:, None, None], width)
        yield _case(draw, f"a mask of shape ({n}, {n}) ({says})", *sizes, draw.mask(n, n), width)
        yield _case(draw, f"a mask of shape ({n},) ({says})", *sizes, draw.mask(n), width)
    yield _case(draw, "a mask for each head", 2, 5, 3, 2, draw.mask(2, 3, 5, 5))
    yield _case(draw, "a mask for each sequence", 2, 5, 3, 2, draw.mask(2, 1, 5, 5))
    blocked = draw.mask(5, 5)
    blocked[1] = False
    yield _case(draw, "a query with no allowed key", 2, 5, 3, 2, blocked)
    yield _case(draw, "an empty sentence beside a full one", 2, 3, 5, 2, _one_empty(3))
    yield _case(draw, "a mask that allows nothing", 2, 5, 3, 2, np.zeros((1, 5), bool))
    yield _case(draw, "one head", 2, 3, 1, 5, draw.mask(3))
    yield _case(draw, "one token", 3, 1, 2, 5, np.ones(1, bool))
    yield _case(draw, "B = n = h = d_head = 3", 3, 3, 3, 3, draw.mask(3, 1, 1, 3))
    yield _case(draw, "tokens 100 times as long", 2, 3, 5, 2, np.ones(3, bool), scale=100)
    # each query sees one key only, whose score is often far below 0
    yield _case(draw, "tokens 1000 times as long and a mask", 2, 3, 5, 2, np.eye(3, dtype=bool), scale=1000)
    yield _far_below(
        _case(draw, "scores far below 0, minus some millions, and a mask", 2, 4, 2, 3, draw.mask(4, 4))
    )
    zeros = _case(draw, "biases of 0 and a token of zeros", 2, 3, 2, 5, draw.mask(3))
    yield Case(zeros.says, {name: _without(name, value) for name, value in zeros.args.items()})


def _far_below(case: Case) -> Case:
    """The biases make all scores of a head negative, below every number that stands for a hidden key by mistake."""
    args, h = case.args, case.args["num_heads"]
    large = np.zeros((h, len(args["b_q"]) // h))
    large[:, 0] = 1
    return Case(
        case.says,
        {**args, "b_q": args["b_q"] + 2.0**22 * large.ravel(), "b_k": args["b_k"] - 8 * large.ravel()},
    )


def _without(name: str, value: Any) -> Any:
    """Biases of 0, and a first token of zeros that all may look at: its scores are 0."""
    value = value.copy() if isinstance(value, np.ndarray) else value
    if name.startswith("b_"):
        value[:] = 0
    if name == "x":
        value[:, 0] = 0
    if name == "allowed":
        value[0] = True
    return value


def _one_empty(n: int) -> np.ndarray:
    return np.array([[True] * n, [False] * n])[:, None, None]


def _by_hand() -> dict[str, Any]:
    """The weight is 1, so the output is (x + b_v) + b_o = [1 + 10 + 100, 2 + 20 + 200]."""
    args: dict[str, Any] = {"x": np.array([[[1.0, 2.0]]])}
    biases = {"q": [0.0, 0.0], "k": [0.0, 0.0], "v": [10.0, 20.0], "o": [100.0, 200.0]}
    for part, bias in biases.items():
        args |= {f"W_{part}": np.eye(2), f"b_{part}": np.array(bias)}
    return {**args, "num_heads": 1, "allowed": np.array([True])}


def _case(
    draw: Draw,
    says: str,
    b: int,
    n: int,
    h: int,
    d_head: int,
    allowed: np.ndarray,
    width: type = np.float64,
    scale: float = 1.5,
) -> Case:
    d = h * d_head
    args: dict[str, Any] = {"x": draw.normal(b, n, d, dtype=width, scale=scale)}
    for key in KEYS:
        is_bias = key.startswith("b_")
        args[key] = draw.normal(*([d] if is_bias else [d, d]), dtype=width, scale=1.0 if is_bias else d**-0.5)
    return Case(says, {**args, "num_heads": h, "allowed": allowed})


def _oracle(x: torch.Tensor, *rest: Any) -> tuple[torch.Tensor, torch.Tensor]:
    """Four linear layers around `F.scaled_dot_product_attention`.

    It returns no weights; but what comes of the identity in place of the values are the weights.
    """
    *eight, h, allowed = rest
    given = dict(zip(KEYS, eight, strict=True))
    Q, K, V = (
        F.linear(x, given[f"W_{part}"].T, given[f"b_{part}"]).unflatten(-1, (h, -1)).transpose(1, 2)
        for part in "qkv"
    )
    # it wants masks of two axes and more
    mask = allowed.expand(*Q.shape[:2], x.shape[1], x.shape[1])
    one_hot = torch.eye(x.shape[1], dtype=x.dtype).expand(*Q.shape[:2], -1, -1)
    heads, weights = (F.scaled_dot_product_attention(Q, K, values, attn_mask=mask) for values in (V, one_hot))
    return F.linear(heads.transpose(1, 2).flatten(2), given["W_o"].T, given["b_o"]), weights


def _begins(args: Mapping[str, Any]) -> dict[str, Any]:
    """The heads of queries and keys, for the loom."""
    return of_heads(args, *(args["x"] @ args[f"W_{part}"] + args[f"b_{part}"] for part in "qk"))


EXERCISE = Exercise(
    name="bert_attention",
    cases=cases,
    oracle=in_torch(_oracle),
    probe=probe,
    parts=("output", "weights"),
    tensors=True,
    whole_answer=("torch.nn.MultiheadAttention", "torch.nn.functional.multi_head_attention_forward"),
    axes={"output": ("token", "feature"), "weights": ("query", "key")},
    woven=Woven({"weights": "weights"}, "weights", _begins, HEADS),
    hints=(
        "What does `MultiHeadAttention` of unit 06 do that you need here, and where do its weights come from now?",
        "Project with `x @ W + b`, split into heads, score, scale, mask, softmax, mix, merge, and project with W_o and b_o.",
        "`unflatten` and `transpose(1, 2)` split. After the softmax a second `masked_fill(~allowed, 0.0)` takes the NaN out of rows with no allowed key.",
    ),
    mistakes=MISTAKES,
)
