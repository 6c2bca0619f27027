"""The probe of `next_token_loss`: it takes tensors; where it is asked for, the gradient in the logits comes with the loss."""

from typing import Any

import torch

from helpers.beside.probes import modules, tensors
from helpers.beside.probes.base import call

UPSTREAM = "upstream"


def probe(answer: Any, args: dict[str, Any]) -> Any:
    """The loss; a number that is no tensor has a gradient of 0 in every logit."""
    if UPSTREAM not in args:
        return tensors.probe(answer, args)
    leaf = torch.from_numpy(args["logits"]).clone().requires_grad_()
    # a leaf would not let itself be written into
    given = {"logits": leaf.clone(), "tokens": torch.from_numpy(args["tokens"])}
    with tensors.watched(args, {"tokens": given["tokens"]}):
        loss = call(answer, given)
        args["logits"] = given["logits"].detach().numpy()
    if isinstance(loss, torch.Tensor):
        return modules.with_gradients(loss, [args[UPSTREAM]], {"logits": leaf})
    return {"results": loss, "the gradient of logits": torch.zeros_like(leaf)}
