"""Wrong programs that are written with NumPy, for exercises that take and return tensors."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch


def in_numpy(answer: Callable[..., Any]) -> Callable[..., Any]:
    """A program on arrays as one on tensors; what is no array comes back as it is."""

    def on_tensors(*args: Any) -> Any:
        return _back(answer(*(one.numpy() if torch.is_tensor(one) else one for one in args)))

    return on_tensors


def _back(result: Any) -> Any:
    if isinstance(result, tuple):
        return tuple(map(_back, result))
    return (
        torch.from_numpy(np.array(result, subok=False))
        if isinstance(result, np.ndarray) and result.ndim
        else result
    )
