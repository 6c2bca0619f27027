"""The probe of `next_token_loss`: logits that need a gradient, as in a training, and what comes back to them."""

from typing import Any

import numpy as np
import torch

from helpers.beside.probes.base import ProbeError, call, is_number
from helpers.beside.probes.tensors import watched

RESULT, GRADIENT = "the result", "the gradient of logits"

MODERATE = 20.0
"""Where a logit is further from 0, a gradient may be lost in rounding: there only the loss is looked at."""


def probe(answer: Any, args: dict[str, Any]) -> dict[str, Any]:
    """The loss, and where logits are moderate its gradient: zeros where none comes through."""
    leaf = torch.from_numpy(args["logits"].copy()).requires_grad_()
    # as a model hands them over: no leaf, so that PyTorch lets them be written into, which must show
    logits = leaf.clone()
    made = {"logits": logits, "tokens": torch.from_numpy(args["tokens"])}
    try:
        with watched(args, made):
            loss = call(answer, made)
    finally:
        if args["logits"].shape == logits.shape:
            args["logits"] = logits.detach().numpy()
    report = {RESULT: loss}
    single = is_number(loss) and np.ndim(_plain(loss)) == 0
    if single and differentiated(leaf) and np.array_equal(args["logits"], _plain(leaf)):
        report[GRADIENT] = _gradient(loss, leaf)
    return report


def differentiated(logits: torch.Tensor) -> bool:
    """Whether the gradient of these logits is looked at."""
    return bool(logits.abs().max() < MODERATE)


def _plain(loss: Any) -> Any:
    return loss.detach() if torch.is_tensor(loss) else loss


def _gradient(loss: Any, leaf: torch.Tensor) -> torch.Tensor:
    """What comes back to the logits.

    Raises:
        ProbeError: where the way back is spoilt by a tensor that was written into.
    """
    found = None
    if torch.is_tensor(loss) and loss.requires_grad:
        try:
            (found,) = torch.autograd.grad(loss, leaf, allow_unused=True)
        except RuntimeError as error:
            if "inplace operation" not in str(error):
                raise
            says = "a training stops on its way back: a tensor that it needs there was changed in place"
            hint = "Which line ends in `_()`, or writes with `-=` or `[...] =`? Make a new tensor there."
            raise ProbeError(says, "changed-in-place", hint) from None
    return torch.zeros_like(leaf) if found is None else found
