"""`torch.nn.utils`: gradients cut down to size."""

from typing import Any

import numpy as np

from torch.tensor import Tensor


def _with_gradients(parameters: Any) -> list[Any]:
    parameters = [parameters] if isinstance(parameters, Tensor) else parameters
    return [one for one in parameters if one.grad is not None]


def clip_grad_norm_(parameters: Any, max_norm: float, norm_type: float = 2.0) -> Any:
    """Make all gradients together no longer than this."""
    some = _with_gradients(parameters)
    total = np.linalg.norm([np.linalg.norm(one.grad._a.reshape(-1), norm_type) for one in some], norm_type)
    for one in some:
        one.grad._a *= one.grad._a.dtype.type(min(1.0, max_norm / (total + 1e-6)))
    return Tensor._plain(np.asarray(total))


def clip_grad_value_(parameters: Any, clip_value: float) -> None:
    """Make no entry of a gradient larger than this."""
    for one in _with_gradients(parameters):
        np.clip(one.grad._a, -clip_value, clip_value, out=one.grad._a)
