"""Exercise `next_token_loss`: what a decoder is trained on."""

from collections.abc import Iterator

import numpy as np
import torch
import torch.nn.functional as F

from helpers.beside.probes.next_token_loss import GRADIENT, RESULT, differentiated, probe
from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.unit_07_train_a_transformer.next_token_loss_mistakes import MISTAKES


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, random in both widths, one prediction, one sequence, all sizes equal, certain and large logits."""
    yield Case("one sequence of 2 tokens, [0 1], and 2 words", _by_hand())
    for width in (np.float64, np.float32):
        yield _case(draw, *draw.sizes(3), width)
    yield _case(draw, 3, 2, 5)
    yield _case(draw, 4, 6, 3)
    yield _case(draw, 1, 7, 4)
    yield _case(draw, 4, 4, 4)
    yield _case(draw, 2, 5, 7, scale=12.0, says="logits of 12 and more")
    yield _case(draw, 2, 3, 5, start=2000.0, says="logits near 2000")
    far = {"logits": np.array([[[0.0, 1000.0, 0.0], [0.0, 0.0, 0.0]]]), "tokens": np.array([[1, 0]])}
    yield Case("one sequence of 2 tokens, [1 0], and logits 0, 1000, 0", far)
    yield _case(draw, 2, 6, 3, scale=3000.0, says="logits of 3000 and more, of both signs")


def _by_hand() -> dict[str, np.ndarray]:
    """e^0 / (e^0 + e^0) is one half at position 0; position 1 has nothing to predict."""
    return {"logits": np.array([[[0.0, 0.0], [3.0, -1.0]]]), "tokens": np.array([[0, 1]])}


def _case(
    draw: Draw,
    b: int,
    n: int,
    vocab: int,
    width: type = np.float64,
    scale: float = 1.5,
    start: float = 0.0,
    says: str = "",
) -> Case:
    logits = (start + draw.normal(b, n, vocab, scale=scale)).astype(width)
    tokens = draw.rng.integers(0, vocab, (b, n))
    sizes = f"B = {b}, n = {n}, {vocab} words, {width.__name__}"
    return Case(f"{says} ({sizes})" if says else sizes, {"logits": logits, "tokens": tokens})


def oracle(logits: np.ndarray, tokens: np.ndarray) -> dict[str, np.ndarray]:
    """`F.cross_entropy` in double precision, and where the probe looks at it its gradient by autograd."""
    leaf = torch.from_numpy(logits.astype(np.float64)).requires_grad_()
    loss = F.cross_entropy(leaf[:, :-1].transpose(1, 2), torch.from_numpy(tokens)[:, 1:])
    right = {RESULT: loss.detach()}
    if differentiated(leaf):
        (right[GRADIENT],) = torch.autograd.grad(loss, leaf)
    return {name: one.numpy().astype(logits.dtype) for name, one in right.items()}


EXERCISE = Exercise(
    name="next_token_loss",
    cases=cases,
    oracle=oracle,
    probe=probe,
    tensors=True,
    hints=(
        "Which token should the logits at position 0 predict, and which those at the last position?",
        "Leave the last position out of the logits and the first one out of the tokens. What is left goes together.",
        "`F.cross_entropy` wants logits of shape (N, vocab) and targets of shape (N,): flatten batch and positions into one axis, both alike.",
    ),
    mistakes=MISTAKES,
)
