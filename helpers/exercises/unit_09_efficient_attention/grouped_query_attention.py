"""Exercise `grouped_query_attention`: several query heads share the keys and values of one head."""

from collections.abc import Iterator

import numpy as np
import torch.nn.functional as F

from helpers.beside.probes.grouped_query_attention import probe
from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.oracle import in_torch
from helpers.exercises.unit_09_efficient_attention.grouped_query_attention_mistakes import MISTAKES


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, random in both widths, one head of keys for all, one for each, a single token, equal sizes, large scores."""
    by_hand = {
        "Q": np.zeros((1, 4, 2, 1)),
        "K": np.zeros((1, 2, 2, 1)),
        "V": np.array([[[[1.0], [3.0]], [[10.0], [30.0]]]]),
    }
    yield Case("four query heads and two key heads, Q and K all 0", by_hand)
    for width in (np.float64, np.float32):
        b, h_kv, n, d = draw.sizes(4)
        yield _case(draw, b, 2 * h_kv, h_kv, n, d, width)
    b, h_kv, n, d = draw.sizes(4)
    yield _case(draw, b, 3 * h_kv, h_kv, n, d, np.float64)
    yield _case(draw, 2, 5, 1, 3, 7, np.float64)
    yield _case(draw, 2, 3, 3, 5, 7, np.float64)
    yield _case(draw, 2, 4, 2, 1, 3, np.float64)
    yield _case(draw, 4, 4, 2, 4, 4, np.float64)
    equal = _case(draw, 2, 4, 2, 2, 2, np.float64)
    yield Case("B = h_kv = n = d = 2, 4 query heads", equal.args)
    yield _case(draw, 3, 3, 3, 3, 3, np.float64)
    args = dict(_case(draw, 1, 4, 2, 3, 5, np.float64).args)
    yield Case("scores of some thousands", {**args, "Q": 3000 * args["Q"]})
    below = dict(
        _case(draw, 1, 4, 2, 3, 5, np.float64).args
    )  # below every number that a maximum may begin with
    below["Q"][..., 0], below["K"][..., 0] = 2.0**25, -1
    yield Case("scores far below 0, minus some millions", below)


def _case(draw: Draw, b: int, h_q: int, h_kv: int, n: int, d: int, width: type) -> Case:
    args = {name: draw.normal(b, h, n, d, dtype=width) for name, h in (("Q", h_q), ("K", h_kv), ("V", h_kv))}
    heads = f"{h_q} query heads and {h_kv} key head{'s' * (h_kv > 1)}"
    return Case(f"B = {b}, {heads}, n = {n}, d = {d}, {width.__name__}", args)


EXERCISE = Exercise(
    name="grouped_query_attention",
    cases=cases,
    oracle=in_torch(lambda Q, K, V: F.scaled_dot_product_attention(Q, K, V, enable_gqa=True)),
    probe=probe,
    tensors=True,
    axes={"": ("query", "feature")},
    whole_answer=("torch.nn.functional.scaled_dot_product_attention",),
    hints=(
        "With four query heads and two key heads, which key head do query heads 0 and 1 share?",
        "Give each query head a key head of its own by repeating K and V along the heads; then it is plain attention.",
        "`K.repeat_interleave(h_q // h_kv, dim=1)`, and V too; then scores by sqrt(d), softmax, mix.",
    ),
    mistakes=MISTAKES,
)
