"""Causal masks that only PyTorch's own attention can read."""

from typing import Any

import numpy as np

from torch.tensor import Tensor


class CausalBias(Tensor):
    """A mask that is causal from one of its corners; as a tensor it holds no numbers that anybody set."""

    __module__ = "torch.nn.attention.bias"
    shift = 0

    def table(self) -> Tensor:
        """The mask, of True and False."""
        n_q, n_k = self._a.shape
        return Tensor._plain(np.tri(n_q, n_k, self.shift, dtype=bool))


def _made(shift: int, size: tuple[int, ...]) -> Any:
    one = object.__new__(CausalBias)
    one.__dict__.update(Tensor._plain(np.zeros(size, np.float32)).__dict__)
    one.shift = shift
    return one


def causal_lower_right(*size: int) -> CausalBias:
    """Causal from the lower right corner."""
    return _made(size[1] - size[0], size)


def causal_upper_left(*size: int) -> CausalBias:
    """Causal from the upper left corner."""
    return _made(0, size)
