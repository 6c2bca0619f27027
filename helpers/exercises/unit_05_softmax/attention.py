"""Exercise `attention`: scores, mask, softmax and values in one function."""

from collections.abc import Iterator

import numpy as np
import torch
import torch.nn.functional as F

from helpers.exercises.base import Case, Draw, Exercise, Woven
from helpers.exercises.oracle import in_torch
from helpers.exercises.unit_05_softmax.attention_mistakes import MISTAKES
from helpers.exercises.unit_05_softmax.masked_softmax import in_torch_masked


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, random with all sizes different, batches, every mask, square, a blocked row, huge logits."""
    # K is not symmetric, so that a swap or a transpose too many shows at once
    by_hand = {
        "Q": np.eye(2),
        "K": np.array([[2.0, 1.0], [0.0, 3.0]]),
        "V": np.array([[10.0, 0.0, 1.0], [0.0, 20.0, 1.0]]),
    }
    yield Case("two tokens, Q = identity", by_hand)
    yield Case("two tokens and a mask", {**by_hand, "allowed": np.array([[True, True], [False, True]])})
    for width in (np.float64, np.float32):
        n_q, n_k, d_k, d_v, b = draw.sizes(5)
        sizes = f"n_q = {n_q}, n_k = {n_k}, d_k = {d_k}, d_v = {d_v}, {width.__name__}"
        one = _arrays(draw, (), n_q, n_k, d_k, d_v, width)
        yield Case(f"random arrays ({sizes})", one)
        many = _arrays(draw, (b,), n_q, n_k, d_k, d_v, width)
        yield Case(f"a batch of {b} ({sizes})", many)
        yield Case(f"a batch of {b} with a mask ({sizes})", {**many, "allowed": draw.mask(n_q, n_k)})
    heads = _arrays(draw, (b, 2), n_q, n_k, d_k, d_v, np.float64)
    yield Case(f"two batch axes and a mask of shape ({n_k},)", {**heads, "allowed": draw.mask(n_k)})
    yield _far_below(30000.0)
    # the case in the middle comes again at the end; after each of these two masks it fits in shape, so
    # that an answer which remembers a mask is found out
    square = _arrays(draw, (), 3, 3, 3, 3, np.float64)
    yield Case("all sizes 3 and a causal mask", {**square, "allowed": np.tril(np.ones((3, 3), bool))})
    yield Case("all sizes 3", square)
    yield Case(f"a mask of shape ({n_k},)", {**one, "allowed": draw.mask(n_k)})
    yield Case(
        f"two batch axes and a mask of shape ({b}, 1, 1, {n_k})",
        {**heads, "allowed": draw.mask(b, 1, 1, n_k)},
    )
    nothing = np.zeros((2, 1, n_k), bool)
    yield Case(
        f"two batch axes and a mask of shape (2, 1, {n_k}) that allows nothing", {**heads, "allowed": nothing}
    )
    blocked = np.array([[True, False, True], [False] * 3])
    yield Case(
        "a query with no allowed key", {**_arrays(draw, (), 2, 3, 5, 7, np.float64), "allowed": blocked}
    )
    each = draw.mask(b, n_q, n_k)
    each[0, 0] = each[-1, -1] = False
    yield Case("a batch of masks, some rows with no allowed key", {**many, "allowed": each})
    yield Case("a single key", _arrays(draw, (), 3, 1, 4, 4, np.float64))  # values as wide as keys
    huge = _arrays(draw, (), 3, 5, 4, 7, np.float64)  # of square width: a rounded sqrt(d_k) must not show
    huge["Q"][:, 0], huge["K"][:, 0] = [2e4, -2e4, 0], [1, 1.0001, 0.9998, 9, -9]
    yield Case("scores of +-90000", huge)
    hidden = np.array([[True, True, True, False, False]])
    yield Case("scores of +-10000 beside larger hidden ones", {**huge, "allowed": hidden})
    yield _far_below(748.0)
    batch = _arrays(draw, (3,), 3, 3, 3, 3, np.float64)
    yield Case(
        "a batch of 3, all sizes 3, and a mask of shape (3,)",
        {**batch, "allowed": np.array([True, True, False])},
    )


def _far_below(low: float) -> Case:
    """By hand: allowed scores so low that what is hidden by a low score only, and not by -inf, shows.

    e^-748 is 0, e^-738 and e^-202 are not: a wrong maximum loses the first query, a low filler the last.
    """
    args = {
        "Q": np.array([[-1.0], [1.0], [-0.27]]),
        "K": np.array([[low], [low + 1], [0.0]]),
        "V": np.array([[10.0, 0.0], [0.0, 20.0], [5.0, 5.0]]),
        "allowed": np.array([[True, True, False]]),
    }
    return Case(f"scores of about {low:g} and -{low:g} beside a hidden one of 0", args)


def _arrays(
    draw: Draw, lead: tuple, n_q: int, n_k: int, d_k: int, d_v: int, width: type
) -> dict[str, np.ndarray]:
    shapes = {"Q": (n_q, d_k), "K": (n_k, d_k), "V": (n_k, d_v)}
    return {name: draw.normal(*lead, *shape, dtype=width) for name, shape in shapes.items()}


def _oracle(
    Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor, allowed: torch.Tensor | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    """SDPA for the output; it does not return weights, so those come from `torch.softmax`."""
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    seen = torch.tensor(True) if allowed is None else allowed
    # SDPA wants a mask with the shape of the scores
    mask = None if allowed is None else allowed.expand(scores.shape)
    return F.scaled_dot_product_attention(Q, K, V, attn_mask=mask), in_torch_masked(scores, seen)


EXERCISE = Exercise(
    name="attention",
    cases=cases,
    oracle=in_torch(_oracle),
    parts=("output", "weights"),
    whole_answer=("torch.nn.functional.scaled_dot_product_attention",),
    axes={"output": ("query", "feature"), "weights": ("query", "key")},
    woven=Woven({"output": "output", "weights": "weights"}, "output"),
    hints=(
        "Four steps, and you have written each of them. In which order do they come?",
        "Scaled scores, masked softmax, mixed values. Which step needs `allowed`, and what if it is None?",
        "With `allowed` None use `softmax`, else `masked_softmax`; return the mixed values and the weights.",
    ),
    mistakes=MISTAKES,
)
