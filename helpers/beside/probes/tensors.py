"""The probe of functions that take tensors: as the plain one, with a tensor for every array."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from helpers.beside.probes.base import call


def probe(answer: Any, args: Mapping[str, Any]) -> Any:
    """Call the answer with tensors; they share the numbers of the arrays, so that a change of one shows."""
    return call(answer, in_tensors(args))


def in_tensors(args: Mapping[str, Any]) -> dict[str, Any]:
    """The same arguments with a tensor for every array."""
    return {
        name: torch.from_numpy(value) if isinstance(value, np.ndarray) else value
        for name, value in args.items()
    }
