"""Exercise `training_step`: from the loss of one batch to weights that are a little better."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

from helpers.beside.probes.training_step import names, probe
from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.unit_07_train_a_transformer.training_step_mistakes import MISTAKES


def cases(draw: Draw) -> Iterator[Case]:
    """By hand, both widths, both modes, gradients left behind, a second step, Adam, momentum, one prediction, steep."""
    yield Case("a model of 3 words that are equally likely, and the tokens [0 1]", _by_hand())
    b, n, vocab = draw.sizes(3)
    yield _case(draw, b, n, vocab, "SGD", 0.5)
    yield _case(draw, b, n, vocab, "SGD", 0.5, old=True, training=False)
    yield _case(draw, n, b + 1, vocab, "SGD", 0.2, old=True, width=np.float32)
    yield _case(draw, 3, 4, 5, "SGD", 0.3, steps=2)
    yield _case(draw, 2, 6, 4, "SGD", 0.1, old=True, momentum=0.9, steps=3, training=False)
    yield _case(draw, 3, 5, 6, "Adam", 0.05, training=False)
    yield _case(draw, b, 4, 5, "Adam", 0.1, old=True, steps=2)
    yield _case(draw, 1, 2, 5, "SGD", 1.5)
    yield _case(draw, 4, 4, 4, "Adam", 0.02, old=True)
    yield _case(draw, 2, 5, 7, "SGD", 0.002, factor=40.0)


def _by_hand() -> dict[str, Any]:
    """Of three words each has a probability of one third: the loss is ln 3, the gradient of the logits 1/3, -2/3, 1/3."""
    return _arguments(np.zeros((4, 3)), np.array([[0, 1]]), "SGD", 3.0)


def _arguments(
    weights: np.ndarray,
    tokens: np.ndarray,
    optimizer: str,
    lr: float,
    momentum: float = 0.0,
    factor: float = 1.0,
    steps: int = 1,
    *,
    left: np.ndarray | None = None,
    training: bool = True,
) -> dict[str, Any]:
    return {
        "tokens": tokens,
        "first_weights": weights,
        "optimizer": optimizer,
        "lr": lr,
        "momentum": momentum,
        "factor": factor,
        "steps": steps,
        "left": left,
        "training": training,
    }


def _case(
    draw: Draw,
    b: int,
    n: int,
    vocab: int,
    optimizer: str,
    lr: float,
    *,
    momentum: float = 0.0,
    factor: float = 1.0,
    steps: int = 1,
    old: bool = False,
    training: bool = True,
    width: type = np.float64,
) -> Case:
    weights = draw.normal(vocab + 1, vocab, dtype=width)
    tokens = draw.rng.integers(0, vocab, (b, n))
    left = draw.normal(vocab + 1, vocab, dtype=width, scale=0.5) if old else None
    made = _arguments(weights, tokens, optimizer, lr, momentum, factor, steps, left=left, training=training)
    said = (
        f"{optimizer}{' with momentum' * bool(momentum)}",
        "gradients left from before" * old,
        "a steep model" * (factor > 1),
        f"{steps} steps" * (steps > 1),
        "eval mode" * (not training),
        "float32" * (width == np.float32),
        f"B = {b}, n = {n}, {vocab} words",
    )
    return Case(", ".join(filter(None, said)), made)


def oracle(
    tokens: np.ndarray,
    first_weights: np.ndarray,
    optimizer: str,
    lr: float,
    momentum: float,
    factor: float,
    steps: int,
    left: np.ndarray | None,
    training: bool,
) -> dict[str, np.ndarray]:
    """Each update by its formula, in double precision, on gradients from `torch.autograd.grad`."""
    now = torch.from_numpy(first_weights.astype(np.float64))
    words = torch.from_numpy(tokens)
    mean = squares = torch.zeros_like(now)
    right: dict[str, np.ndarray] = {}
    for t in range(1, steps + 1):
        leaf = now.clone().requires_grad_()
        loss = _loss(leaf, words, factor)
        (gradient,) = torch.autograd.grad(loss, leaf)
        if optimizer == "Adam":
            mean, squares = 0.9 * mean + 0.1 * gradient, 0.999 * squares + 0.001 * gradient**2
            now = now - lr * (mean / (1 - 0.9**t)) / ((squares / (1 - 0.999**t)).sqrt() + 1e-8)
        else:
            mean = momentum * mean + gradient
            now = now - lr * mean
        found = (loss.detach().reshape(1).numpy(), now.numpy())
        wide = (one.astype(first_weights.dtype) for one in found)
        right |= zip(names(t - 1), (*wide, np.array([training])), strict=True)
    return right


def _loss(weights: torch.Tensor, words: torch.Tensor, factor: float) -> torch.Tensor:
    """Minus the mean logarithm of the probability of each token that came, whose row is `one_hot`."""
    shares = torch.ones(words.shape[1], words.shape[1], dtype=torch.float64).tril()
    means = (shares / shares.sum(1, keepdim=True)) @ weights[words]
    logs = torch.log_softmax(factor * (means + weights[-1]), dim=-1)
    one_hot = torch.nn.functional.one_hot(words, weights.shape[1])
    return -(logs[:, :-1] * one_hot[:, 1:]).sum(-1).mean()


EXERCISE = Exercise(
    name="training_step",
    cases=cases,
    oracle=oracle,
    probe=probe,
    tensors=True,
    hints=(
        "A loss says how wrong the model is. What says in which direction each weight should go, and who takes the step?",
        "`backward` adds to the `.grad` of each weight, and `step` reads it. So what must have happened before `backward`?",
        "Loss of the model's logits; `optimizer.zero_grad()`, `loss.backward()`, `optimizer.step()`, in this order; return the loss as a number with `.item()`.",
    ),
    mistakes=MISTAKES,
)
