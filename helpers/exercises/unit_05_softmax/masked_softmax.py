"""Exercise `masked_softmax`: weights over the allowed keys, and nothing for a blocked row."""

from collections.abc import Iterator

import numpy as np
import torch

from helpers.exercises.base import Case, Draw, Exercise, Woven
from helpers.exercises.begins import SCALED, of_scores
from helpers.exercises.oracle import in_torch
from helpers.exercises.unit_05_softmax.masked_softmax_mistakes import MISTAKES


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, a blocked row, random with every broadcast, huge scores, square."""
    by_hand = np.log(np.array([[1.0, 3.0, 4.0], [2.0, 1.0, 5.0]]))
    allowed = np.array([[True, True, False], [True, False, True]])
    yield Case("2 x 3 scores with one key hidden in each row", {"scores": by_hand, "allowed": allowed})
    for_all = np.array([True, False, True])
    yield Case("2 x 3 scores and a mask of shape (3,)", {"scores": by_hand, "allowed": for_all})
    blocked = np.array([[True, True, False], [False, False, False]])
    yield Case("a row with no allowed key", {"scores": by_hand, "allowed": blocked})
    for width in (np.float64, np.float32):
        b, h, n_q, n_k = draw.sizes(4)
        scores = draw.normal(b, h, n_q, n_k, dtype=width, scale=2)
        says = f"scores of shape {scores.shape} in {width.__name__}"
        yield Case(f"{says}, a mask for each pair", {"scores": scores, "allowed": draw.mask(n_q, n_k)})
        yield Case(
            f"{says}, a mask of shape ({b}, 1, 1, {n_k})",
            {"scores": scores, "allowed": draw.mask(b, 1, 1, n_k)},
        )
        yield Case(f"{says}, a mask of shape ({n_k},)", {"scores": scores, "allowed": draw.mask(n_k)})
    each = draw.mask(5, 2, 3)
    each[0, 0] = each[3, 1] = False
    yield Case(
        "a batch in which some rows have no allowed key", {"scores": draw.normal(5, 2, 3), "allowed": each}
    )
    yield Case(
        "a batch of 2 in which nothing is allowed",
        {"scores": draw.normal(2, 2, 3), "allowed": np.zeros((2, 3), bool)},
    )
    yield Case("everything allowed", {"scores": draw.normal(2, 3), "allowed": np.ones((2, 3), bool)})
    square = np.tril(np.ones((3, 3), bool))
    keys = np.array([True, False, True])
    yield Case("square scores, a mask of shape (3,)", {"scores": draw.normal(3, 3), "allowed": keys})
    yield Case("square scores and a causal mask", {"scores": draw.normal(3, 3), "allowed": square})
    last_hidden = np.array([[True, True, False]])
    for says, row in {
        "scores of about 20000": [2e4, 2e4 - 1, 0.0],  # e^20000 is too large for a long double too
        "scores of about -20000": [-2e4, -2e4 + 1, -2e4 + 2],
        "small scores beside a hidden one of 10000": [0.0, 1.0, 1e4],
        # -10000 in place of -inf, or added, shows only further away than that
        "small scores beside a hidden one of 30000": [0.0, 1.0, 3e4],
        # the maximum is far from the minimum, and near enough to the mean
        "allowed scores of 0 and -1000": [0.0, -1e3, 1.0],
    }.items():
        yield Case(says, {"scores": np.array([row]), "allowed": last_hidden})
    # e^-748 is 0, e^-738 and e^-200 are not: a wrong maximum loses the first row, a low filler the second
    low = np.array([[-749.0, -748.0, -750.0], [-200.0, -199.0, -201.0]])
    yield Case("scores of about -748 and -200", {"scores": low, "allowed": last_hidden})
    beside = np.array([[0.0, 1.0, 748.0], [0.0, 1.0, 200.0], [0.0, 1.0, 60.0]])
    yield Case(
        "small scores beside hidden ones of 748, 200 and 60", {"scores": beside, "allowed": last_hidden}
    )
    rows = np.array([[0.0, 1.0, 2.0], [2000.0, 2001.0, 2000.0], [-2000.0, -1999.0, -2000.0]])
    yield Case("rows of very different size", {"scores": rows, "allowed": last_hidden})


def in_torch_masked(scores: torch.Tensor, allowed: torch.Tensor) -> torch.Tensor:
    """`torch.softmax` over masked scores, with 0 where PyTorch says NaN: a row with no allowed key."""
    return torch.softmax(scores.masked_fill(~allowed, float("-inf")), dim=-1).nan_to_num(nan=0.0)


EXERCISE = Exercise(
    name="masked_softmax",
    cases=cases,
    oracle=in_torch(in_torch_masked),
    whole_answer=("torch.softmax", "torch.nn.functional.softmax", "torch.log_softmax", "torch._softmax"),
    axes={"": ("query", "key")},
    woven=Woven({"": "weights"}, "weights", of_scores, SCALED),
    hints=(
        "Hidden keys should get weight 0. Which score gives an exponential of 0?",
        "`softmax` of scores with -inf is nearly it. What goes wrong when a whole row is -inf?",
        "Divide only where the sum is not 0, and take away a maximum only where it is finite; blocked rows stay 0.",
    ),
    mistakes=MISTAKES,
)
