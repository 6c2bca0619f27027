"""The probe of `training_step`: a small model, its optimizer and what is left of a step before, made of the arrays of a case."""

from typing import Any

import numpy as np
import torch
from torch import nn

from helpers.beside.probes.base import FUNCTIONS, UNCALLED, ProbeError, call
from helpers.beside.probes.tensors import must_be_a_table, must_be_whole, watched

_WHICH = ("", "second ", "third ")
OPTIMIZERS = {"SGD": torch.optim.SGD, "Adam": torch.optim.Adam}
# The first optimizer of a process imports seconds of PyTorch, which an answer's time limit must not count.
torch.optim.SGD([nn.Parameter(torch.zeros(1))])


def names(step: int) -> tuple[str, str, str]:
    """What the loss, the weights and the mode are called, of a step counted from 0."""
    which = _WHICH[step]
    of_step = f" of the {which}step" if which else ""
    return (
        f"the loss{of_step}",
        f"the table of weights after the {which}step",
        f"`model.training` after the {which}step",
    )


class Averaging(nn.Module):
    """A small decoder: its logits are the mean of a row for each token so far, and a bias.

    Args:
        weights: `(vocab + 1, vocab)`; a row for each token, the bias behind them.
        factor: what the logits are multiplied with; a large one makes large gradients.
    """

    def __init__(self, weights: torch.Tensor, factor: float) -> None:
        super().__init__()
        self.factor = factor
        self.table = nn.Parameter(weights[:-1].clone())
        self.bias = nn.Parameter(weights[-1].clone())

    def forward(self, tokens: Any) -> torch.Tensor:
        """Logits `(B, n, vocab)` for `tokens (B, n)`."""
        must_be_a_table(tokens, "Hand the tokens over as they are: the batch axis stays.")
        must_be_whole(tokens, "Tokens are places in a vocabulary. Which line makes other numbers of them?")
        so_far = torch.arange(1, tokens.shape[1] + 1)[:, None]
        return self.factor * (self.table[tokens].cumsum(1) / so_far + self.bias)

    def weights(self) -> torch.Tensor:
        """All of them as one array, which no later step changes."""
        return torch.cat([self.table, self.bias[None]]).detach().clone()

    def leave(self, gradients: torch.Tensor) -> None:
        """Put gradients where those of a step before would be."""
        self.table.grad, self.bias.grad = gradients[:-1].clone(), gradients[-1].clone()


class Watch:
    """What happens to a model's gradients in one call: whether some came, and whether a step found any.

    Attributes:
        came: whether a gradient has reached the model.
        steps: of each step of the optimizer, whether gradients had come, and whether they were still there.
    """

    def __init__(self, model: nn.Module, optimizer: torch.optim.Optimizer) -> None:
        self.came = False
        self.steps: list[tuple[bool, bool]] = []
        self._parameters = list(model.parameters())
        self._hooks = [one.register_post_accumulate_grad_hook(self._gradient) for one in self._parameters]
        self._hooks.append(optimizer.register_step_pre_hook(self._step))

    def _gradient(self, parameter: torch.Tensor) -> None:
        self.came |= _there(parameter)

    def _step(self, _: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Note a step.

        Raises:
            ProbeError: where it is handed a tensor, which PyTorch would try to call.
        """
        if any(isinstance(one, torch.Tensor) for one in (*args, *kwargs.values())):
            says = "`optimizer.step` is called with a tensor in its brackets; it reads `.grad` of each weight, and needs nothing else"
            raise ProbeError(
                says, "step-gets-loss", "How does an optimizer learn of a loss, if it is not handed over?"
            )
        self.steps.append((self.came, any(map(_there, self._parameters))))

    def end(self) -> None:
        """Look no further."""
        for hook in self._hooks:
            hook.remove()


def _there(parameter: torch.Tensor) -> bool:
    """Whether a parameter has a gradient other than 0."""
    return parameter.grad is not None and bool(parameter.grad.any())


def probe(answer: Any, args: dict[str, Any]) -> dict[str, Any]:
    """Let the learner's function train: the loss, the weights and the mode after each of `args["steps"]` calls.

    Raises:
        ProbeError: when no loss comes back, or the optimizer makes no step, or more than one.
    """
    weights = torch.from_numpy(args["first_weights"])
    model = Averaging(weights, args["factor"]).train(args["training"])
    momentum = {"momentum": args["momentum"]} if args["momentum"] else {}
    optimizer = OPTIMIZERS[args["optimizer"]](model.parameters(), lr=args["lr"], **momentum)
    if args["left"] is not None:
        model.leave(torch.from_numpy(args["left"]))
    seen: dict[str, Any] = {}
    for step in range(args["steps"]):
        loss = _step(answer, args, model, optimizer)
        mode = torch.tensor([model.training])
        seen |= zip(names(step), (_as_row(loss), model.weights(), mode), strict=True)
        _must_be_as_fast(optimizer, args["lr"])
    return seen


def _step(answer: Any, args: dict[str, Any], model: Averaging, optimizer: torch.optim.Optimizer) -> Any:
    """One call of the answer.

    Raises:
        ProbeError: when it did not do what a step consists of.
    """
    tokens, before, watch = torch.from_numpy(args["tokens"]), model.weights(), Watch(model, optimizer)
    try:
        with watched(args, {"tokens": tokens}):
            loss = call(answer, {"model": model, "optimizer": optimizer, "tokens": tokens})
    finally:
        watch.end()
    if (often := sum(there for _, there in watch.steps)) > 1:
        says = f"its optimizer makes {often} steps in one call; one is asked for"
        hint = "Where does `optimizer.step()` stand: twice, or in a loop? Whoever calls your function has the loop."
        raise ProbeError(says, "steps-too-often", hint)
    _must_be_a_float(loss)
    moved = not torch.equal(before, model.weights())
    if not watch.steps:
        raise _without_a_step(moved)
    if not moved:
        raise _in_vain(watch)
    return loss


def _must_be_a_float(loss: Any) -> None:
    """Refuse what is no Python float, but for a NumPy number.

    Raises:
        ProbeError: with what it is.
    """
    if isinstance(loss, float | int | np.floating | np.integer) and not isinstance(loss, bool):
        return
    kind, hint = type(loss).__name__, "What stands behind `return`, and of which type is it?"
    if isinstance(loss, torch.Tensor):
        shape = f" of shape {tuple(loss.shape)}" if loss.ndim else ""
        says = f"the loss should be a Python float; it is a tensor{shape}"
        if loss.numel() > 1:
            raise ProbeError(says, "returns-tensor", hint)
        if loss.requires_grad:
            says = "the loss should be a Python float; it is a tensor still tied to its computation: whoever keeps such losses keeps that as well"
        raise ProbeError(says, "returns-tensor", "`.item()` makes a Python float of a tensor of one number.")
    if isinstance(loss, np.ndarray):
        says = f"the loss should be a Python float; it is a NumPy array of shape {loss.shape}"
        raise ProbeError(says, "returns-array", "`.item()` makes a Python float of an array of one number.")
    if loss is None:
        says = "the loss should be a Python float; it is nothing (None): is a `return` missing?"
        raise ProbeError(says, "returns-none", "Every way through your function should end in a `return`.")
    if kind in FUNCTIONS:
        hint = "A function gives its result only with brackets behind it: `loss.item()`."
        raise ProbeError(f"the loss should be a Python float; it is {UNCALLED}", "returns-function", hint)
    known = {
        "tuple": "returns-tuple",
        "list": "returns-list",
        "dict": "returns-dict",
        "str": "returns-string",
        "generator": "returns-generator",
    }
    raise ProbeError(f"the loss should be a Python float; it is of type {kind}", known.get(kind), hint)


def _without_a_step(moved: bool) -> ProbeError:
    """What is said where the optimizer was never asked."""
    if moved:
        return ProbeError(
            "the weights move, but not by the optimizer that you are given: its `step` is never called",
            "optimizer-ignored",
            "Do you change the weights yourself, or make an optimizer of your own? Yours may be any: Adam keeps its averages from step to step.",
        )
    return ProbeError(
        "the weights of `model` stay as they were: `step` of the optimizer is never called",
        "no-step",
        "`backward` only computes gradients. What moves the weights?",
    )


def _in_vain(watch: Watch) -> ProbeError:
    """What is said where a step found no gradients, so that nothing moved."""
    if any(there for _, there in watch.steps):
        says = (
            "the weights of `model` are afterwards what they were before, though the optimizer makes a step"
        )
        return ProbeError(
            says, None, "Which line puts the old weights back, or makes the step one of size 0?"
        )
    if any(came for came, _ in watch.steps):
        return ProbeError(
            "the weights of `model` stay as they were: their gradients are emptied before the optimizer makes its step",
            "zero-grad-after-backward",
            "In which order stand `zero_grad`, `backward` and `step`, and what does each do to `.grad`?",
        )
    if watch.came:
        return ProbeError(
            "the weights of `model` stay as they were: their gradients come only after the optimizer's step",
            "step-before-backward",
            "What does `optimizer.step()` read, and which line writes it?",
        )
    return ProbeError(
        "the weights of `model` stay as they were: when the optimizer makes its step, their `.grad` is empty or 0",
        "no-gradient",
        "Which line fills `.grad`? Does its loss come from this model, and from no copy of it?",
    )


def _must_be_as_fast(optimizer: torch.optim.Optimizer, lr: float) -> None:
    """Refuse an answer that changes the learning rate.

    Raises:
        ProbeError: with the rate that was found.
    """
    found = {float(group["lr"]) for group in optimizer.param_groups}
    if found != {lr}:
        says = f"the optimizer's learning rate was {lr:g} before the call and is {min(found):g} after it"
        hint = "Which line sets it, or belongs to a schedule? That is for whoever calls your function."
        raise ProbeError(says, "learning-rate-changed", hint)


def _as_row(loss: Any) -> torch.Tensor:
    """The loss as an array of one number: such are shown beside the right ones like all others."""
    return torch.tensor([float(loss)], dtype=torch.float64)
